/* SPDX-License-Identifier: Apache-2.0 */
#include "property/property.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct options {
    double seconds;
    uint64_t draws, seed;
    const char *form;
} options;

/* The program stops after this many failures, because further ones rarely have other causes. */
#define MOST_FAILURES 5

#define MOST_SECONDS 240 /* of a draw */

#define FAMILIES 3 /* families of programs per context */

static uint32_t weight(const trial_operation *operation)
{
    return operation->weight ? operation->weight : 1;
}

/* Draws an operation of the area with a probability proportional to its weight. */
static const trial_operation *draw_operation(const char *area, mote_rng *rng)
{
    const trial_operation *at = NULL;
    uint32_t all = 0;

    while ((at = trial_next(area, at)))
        all += weight(at);
    uint32_t left = mote_rng_below(rng, all);
    at = trial_next(area, NULL);
    for (; left >= weight(at); at = trial_next(area, at))
        left -= weight(at);
    return at;
}

bool property_draw_call(property_draw *draw, const char *area, size_t most)
{
    mote_rng shared;
    trial_choices choices = {.rng = &shared};
    uint32_t family = mote_rng_below(&draw->rng, FAMILIES);
    trial_call c = {.ctx = draw->ctx,
                    .choices = &choices,
                    .gates = true,
                    .seed = draw->seed,
                    .size = TRIAL_ANY,
                    .most = most};

    mote_rng_seed(&shared, draw->seed / PROPERTY_DRAWS_A_CONTEXT * FAMILIES + family);
    c.operation = draw_operation(area, &shared);
    c.on_host = c.operation->run_host && mote_rng_below(&draw->rng, 4) == 0;
    return trial_try(&c, draw->queue, NULL, draw->message, sizeof(draw->message));
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool parse(int argc, char **argv, options *o)
{
    for (int i = 1; i < argc; i += 2) {
        char *end = argv[i];
        if (i + 1 == argc)
            return false;
        if (!strcmp(argv[i], "--seconds"))
            o->seconds = strtod(argv[i + 1], &end);
        else if (!strcmp(argv[i], "--draws"))
            o->draws = strtoull(argv[i + 1], &end, 10);
        else if (!strcmp(argv[i], "--seed"))
            o->seed = strtoull(argv[i + 1], &end, 10);
        else if (!strcmp(argv[i], "--form") &&
                 (!strcmp(argv[i + 1], "cpu") || !strcmp(argv[i + 1], "gpu")))
            o->form = argv[i + 1], end = "";
        if (*end)
            return false;
    }
    return true;
}

static void close_context(property_draw *draw)
{
    if (draw->queue)
        clReleaseCommandQueue(draw->queue);
    mote_context_release(draw->ctx);
    draw->queue = NULL;
    draw->ctx = NULL;
}

static bool open_context(property_draw *draw, uint64_t epoch)
{
    cl_command_queue_properties order =
        epoch % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : (cl_command_queue_properties)0;

    close_context(draw);
    setenv("MOTE_TUNE", draw->tune, 1);
    mote_status status = mote_context_open(NULL, &draw->ctx);
    unsetenv("MOTE_TUNE");
    if (!status && (!order || mote_context_queue(draw->ctx, order, &draw->queue)))
        status = mote_context_queue(draw->ctx, 0, &draw->queue);
    if (status)
        fprintf(stderr, "%s: %s\n", mote_status_name(status), mote_last_error());
    return !status;
}

static char stuck[1280]; /* text that is printed if a draw does not end */

static void on_alarm(int number)
{
    (void)number;
    ssize_t written = write(STDOUT_FILENO, stuck, strlen(stuck));
    (void)written;
    _exit(EXIT_FAILURE);
}

static bool draw_one(property_draw *draw, const property_area *area)
{
    mote_rng_seed(&draw->rng, draw->seed);
    draw->message[0] = 0;
    snprintf(stuck, sizeof(stuck),
             "property-%s --seed %llu --draws 1: MOTE_TUNE=%s: no end within %d s\n", area->name,
             (unsigned long long)draw->seed, draw->tune, MOST_SECONDS);
    alarm(MOST_SECONDS);
    bool good = area->draw(draw);
    alarm(0);
    if (good)
        return true;
    printf("property-%s --seed %llu --draws 1: MOTE_TUNE=%s: %s\n", area->name,
           (unsigned long long)draw->seed, draw->tune, draw->message);
    fflush(stdout);
    return false;
}

int property_main(int argc, char **argv, const property_area *area)
{
    options o = {.seconds = 5, .draws = UINT64_MAX, .seed = (uint64_t)time(NULL) << 20};
    property_draw draw = {0};
    char tune[1024];
    uint64_t done = 0, failed = 0;
    bool open = true;

    if (!parse(argc, argv, &o)) {
        fprintf(stderr, "usage: %s [--seconds S] [--draws N] [--seed SEED] [--form cpu|gpu]\n",
                argv[0]);
        return EXIT_FAILURE;
    }
    printf("property-%s: seeds from %llu on\n", area->name, (unsigned long long)o.seed);
    fflush(stdout);
    draw.tune = tune;
    signal(SIGALRM, on_alarm);
    for (double end = now() + o.seconds; done < o.draws && failed < MOST_FAILURES; done++) {
        uint64_t epoch;
        draw.seed = o.seed + done;
        epoch = draw.seed / PROPERTY_DRAWS_A_CONTEXT;
        if (done && now() >= end)
            break;
        if (!done || draw.seed % PROPERTY_DRAWS_A_CONTEXT == 0) {
            mote_rng_seed(&draw.rng, epoch);
            area->tune(&draw.rng, o.form, tune, sizeof(tune));
            open = open_context(&draw, epoch);
            if (!open)
                break;
        }
        failed += !draw_one(&draw, area);
    }
    close_context(&draw);
    printf("property-%s: %llu draws, %llu differ\n", area->name, (unsigned long long)done,
           (unsigned long long)failed);
    return open && done && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
