/* SPDX-License-Identifier: Apache-2.0 */
/* Small cases that the other programs do not have: separate charge cuts, every reduction of lists,
 * lists with errors, conversions; or more cases of one area, whose name is the argument. Tuned by
 * MOTE_TUNE. */
#include "cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/cases.h"

#define MOST_DIGIS 1100

mote_context *more_ctx;
cl_command_queue more_queue;
char more_message[MORE_MESSAGE];
static int ran, failed;

void more_count(bool good, const char *name)
{
    ran++;
    failed += !good;
    if (!good)
        printf("%s: %s\n", name, more_message);
}

void more_reduce(const uint8_t *values, const trial_lists_given *given, uint64_t seed)
{
    trial_choices choices = {.fixed = MORE_DECISIONS};
    trial_call c = {.operation = &trial_jagged_reduce,
                    .ctx = more_ctx,
                    .choices = &choices,
                    .seed = seed,
                    .size = TRIAL_ANY,
                    .given = given};
    memcpy(choices.value, values, MORE_DECISIONS);
    more_count(trial_try(&c, more_queue, NULL, more_message, sizeof(more_message)),
               given->shape->name);
}

static void cut_apart(const mote_pixels_case *c)
{
    mote_pixels_options options;
    mote_digis digis;
    uint32_t index = 0;
    if (!c->small || c->options.duplicates == MOTE_DUPLICATES_MAX || c->options.without_adc ||
        !mote_pixels_case_make(c, &digis, &options))
        return;
    bool fits = digis.n <= MOST_DIGIS && digis.n_events * digis.n_modules <= 3000 &&
                (options.charge_cut || options.charge_cuts) && !options.gain && /* not decoded */
                !options.pedestal && !mote_pixels_find_error(&digis, &options, &index);
    if (fits)
        more_count(mote_pixels_check(more_ctx, more_queue, &digis, &options, MOTE_RUN_APART,
                                     more_message, sizeof(more_message)),
                   c->name);
    mote_digis_free(&digis);
    mote_pixels_options_free(&options);
}

static const mote_lists_case shapes[] = {
    {"around 64", {MOTE_LENGTH_BOUNDARY, 40, 0, 64, 0}, 3, 1},
    {"half of them empty", {MOTE_LENGTH_ALTERNATE, 90, 3, 0, 0}, 0, 0},
    {"one of 2500", {MOTE_LENGTH_ONE_HUGE, 9, 20, 2500, 0}, 2, 0},
};
#define SHAPES (sizeof(shapes) / sizeof(shapes[0]))

/* fault below 0: none. */
static void reduce(mote_reduction reduction, mote_type type, mote_nan_policy nan, size_t k,
                   int fault)
{
    trial_lists_given given = {.shape = &shapes[k % SHAPES], .fault = fault};
    more_reduce((uint8_t[]){(uint8_t)type, (uint8_t)reduction, 0, (uint8_t)nan,
                            k % 2 ? MOTE_INT64 : MOTE_INT32, fault % 2 ? 2 : 1},
                &given, k);
}

static void reduce_all(void)
{
    static const mote_type types[] = {MOTE_FLOAT32, MOTE_INT32, MOTE_FLOAT64, MOTE_INT64};
    for (int r = 0; mote_reduction_name((mote_reduction)r); r++)
        for (size_t k = 0; k < SHAPES; k++) {
            mote_nan_policy nan = r % 2 ? MOTE_NAN_SKIP : MOTE_NAN_PROPAGATE;
            reduce((mote_reduction)r, types[r % 4], nan, k, -1);
        }
    for (int fault = 0; fault < MOTE_FAULT_OVERLAP; fault++)
        for (size_t k = 0; k < SHAPES; k++)
            reduce(k ? MOTE_REDUCE_SUM : MOTE_REDUCE_COUNT, MOTE_FLOAT32, MOTE_NAN_PROPAGATE, k,
                   fault);
}

/* The device must convert as the host does, including values that do not fit. */
static void convert(mote_type from, mote_type to)
{
    static const double values[] = {0,    1,    -1,    2.5,   -2.5, 255,      256,       1e9,
                                    -1e9, 1e19, -1e19, 1e300, NAN,  INFINITY, -INFINITY, 127};
    enum { COUNT = sizeof(values) / sizeof(values[0]) };
    char source[COUNT * 8], device[COUNT * 8] = {0}, host[COUNT * 8] = {1};
    mote_buffer *typed = NULL, *made = NULL;
    bool good =
        !mote_buffer_create(more_ctx, from, COUNT, 0, &typed) &&
        !mote_buffer_create(more_ctx, to, COUNT, 0, &made) &&
        !mote_buffer_write(typed, 0, COUNT, values, MOTE_FLOAT64, 1, more_queue, 0, NULL, NULL) &&
        !mote_buffer_read(typed, 0, COUNT, source, from, 1, more_queue, 0, NULL, NULL) &&
        !mote_buffer_write(made, 0, COUNT, source, from, 0, more_queue, 0, NULL, NULL) &&
        !mote_buffer_read(made, 0, COUNT, device, to, 1, more_queue, 0, NULL, NULL) &&
        !mote_buffer_write(made, 0, COUNT, source, from, 1, more_queue, 0, NULL, NULL) &&
        !mote_buffer_read(made, 0, COUNT, host, to, 1, more_queue, 0, NULL, NULL);
    snprintf(more_message, sizeof(more_message), "%s to %s: %s", mote_type_name(from),
             mote_type_name(to),
             good ? "the device converts otherwise than the host" : mote_last_error());
    more_count(good && memcmp(device, host, COUNT * mote_type_size(to)) == 0, "conversion");
    mote_buffer_release(typed);
    mote_buffer_release(made);
}

static void convert_all(void)
{
    static const mote_type pairs[][2] = {
        {MOTE_INT32, MOTE_BOOL},     {MOTE_FLOAT32, MOTE_BOOL},    {MOTE_BOOL, MOTE_FLOAT32},
        {MOTE_INT64, MOTE_FLOAT32},  {MOTE_FLOAT64, MOTE_FLOAT32}, {MOTE_FLOAT32, MOTE_INT32},
        {MOTE_FLOAT64, MOTE_UINT64}, {MOTE_INT64, MOTE_INT32},     {MOTE_UINT32, MOTE_UINT8},
        {MOTE_BOOL, MOTE_INT32},     {MOTE_UINT8, MOTE_BOOL},
    };
    for (size_t k = 0; k < sizeof(pairs) / sizeof(pairs[0]); k++)
        convert(pairs[k][0], pairs[k][1]);
}

static void usual(void)
{
    for (size_t i = 0; i < mote_pixels_case_count(); i++)
        cut_apart(mote_pixels_case_at(i));
    reduce_all();
    convert_all();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"usual", usual},
                 {"coordination", cases_coordination},
                 {"lists", cases_lists},
                 {"pixels", cases_pixels}};
    if (mote_context_open(NULL, &more_ctx) || mote_context_queue(more_ctx, 0, &more_queue)) {
        puts(mote_last_error());
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (strcmp(parts[i].name, argc > 1 ? argv[1] : "usual") == 0)
            parts[i].run();
    printf("%d cases, %d differ\n", ran, failed);
    clReleaseCommandQueue(more_queue);
    mote_context_release(more_ctx);
    return failed || ran < 10 ? EXIT_FAILURE : EXIT_SUCCESS;
}
