/* SPDX-License-Identifier: Apache-2.0 */
/* Host calls for positions that are already on the device: part of the suite `host`. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "testkit/rng.h"
#include "core/context.h"

static void count_copies(const mote_launch_record *record, void *user)
{
    if (strcmp(record->kernel, "copy to device") == 0)
        *(size_t *)user += record->bytes;
}

/* Values of both plans for the same positions; returns the number of bytes copied to the device. */
static size_t call_two(bed *b, mote_host *host, mote_coordination *const *plans,
                       mote_coordination_host_args args, uint32_t same, double *values)
{
    size_t copied = 0;
    mote_launch_callback_set(count_copies, &copied);
    for (size_t k = 0; k < 2; k++) {
        args.plan = plans[k];
        args.same_positions = k ? same : 0;
        args.value = values + k;
        bed_ok(mote_coordination_host(b->ctx, host, &args));
    }
    mote_launch_callback_set(NULL, NULL);
    return copied;
}

/* The device is treated as a GPU, to which arrays are copied. */
START_TEST(same_positions)
{
    bed b;
    mote_host *host;
    mote_coordination *plans[2];
    mote_system s;
    mote_system_recipe recipe = {.n_atoms = 40, .frames = 1, .pbc = MOTE_PBC_NONE, .seed = 5};
    double values[2], again[2], other[2];
    bed_open(&b, "coordination.form=cpu");
    b.ctx->device.device_class = MOTE_DEVICE_GPU;
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    ck_assert(mote_system_random(&s, &recipe));
    for (int k = 0; k < 2; k++) {
        s.function = functions[k];
        bed_ok(mote_coordination_plan_of(b.ctx, &s, MOTE_PRECISION_MIXED,
                                         MOTE_COORDINATION_ALL_PAIRS, &plans[k]));
    }
    mote_coordination_host_args args;
    mote_coordination_host_args_init(&args);
    args.positions64 = s.positions;
    size_t each = call_two(&b, host, plans, args, 0, values) / 2;
    size_t once = b.ctx->device.has_fp64
                      ? each
                      : 2 * each; /* otherwise the host recentres them for each plan */
    ck_assert_uint_eq(call_two(&b, host, plans, args, 1, again), once);
    ck_assert_mem_eq(values, again, sizeof(values));
    /* Other data that another call or a failure has left in the buffer must not be used as the
     * positions. */
    double *moved = malloc(3 * s.n_atoms * sizeof(*moved));
    ck_assert_ptr_nonnull(moved);
    for (size_t i = 0; i < 3 * s.n_atoms; i++)
        moved[i] = 1.25 * s.positions[i];
    args.positions64 = moved;
    call_two(&b, host, plans, args, 0, other);
    ck_assert(other[0] != values[0] && other[1] != values[1]);
    args.positions64 = s.positions;
    args.same_positions = 1;
    args.plan = plans[0];
    args.value = again;
    bed_ok(mote_coordination_host(b.ctx, host, &args));
    double was = s.positions[0];
    s.positions[0] = NAN;
    args.same_positions = 0;
    ck_assert_int_eq(mote_coordination_host(b.ctx, host, &args), MOTE_ERROR_POSITION);
    s.positions[0] = was;
    args.same_positions = 1;
    args.plan = plans[1];
    args.value = again + 1;
    bed_ok(mote_coordination_host(b.ctx, host, &args));
    ck_assert_mem_eq(values, again, sizeof(values));
    free(moved);
    for (int k = 0; k < 2; k++)
        mote_coordination_release(plans[k]);
    mote_system_free(&s);
    mote_host_release(host);
    bed_close(&b);
}
END_TEST

#define ATOMS ((size_t)6)

/* Runs another operation on the same host object. */
static void add_up(bed *b, mote_host *host, const double *numbers)
{
    mote_reduce_host_args args;
    double sum;
    mote_reduce_host_args_init(&args);
    args.type = MOTE_FLOAT64;
    args.n = 3 * ATOMS;
    args.values = numbers;
    args.result = &sum;
    bed_ok(mote_reduce_host(b->ctx, host, &args));
}

/* The state that persists from call to call. */
typedef struct walk {
    bed bed;
    mote_rng rng;
    mote_host *host;
    mote_coordination *plans[2];
    char *area;
    void *last; /* double positions of the previous call, made with plan `last_plan` */
    size_t last_plan;
} walk;

static void open_walk(walk *w, const char *tune, unsigned long long seed)
{
    bed_open(&w->bed, tune);
    bed_ok(mote_host_create(w->bed.ctx, NULL, &w->host));
    mote_rng_seed(&w->rng, seed);
    w->area = aligned_alloc(128, 4096);
    ck_assert_ptr_nonnull(w->area);
    memset(w->area, 0, 4096);
    for (size_t k = 0; k < 2; k++) {
        mote_coordination_plan_args plan;
        mote_coordination_plan_args_init(&plan);
        bed_ok(mote_switch_parse("RATIONAL R_0=0.3", &plan.function));
        plan.n_atoms = ATOMS - k;
        plan.precision = w->bed.ctx->device.has_fp64 ? MOTE_PRECISION_DOUBLE : MOTE_PRECISION_MIXED;
        bed_ok(mote_coordination_create(w->bed.ctx, &plan, &w->plans[k]));
    }
}

static void close_walk(walk *w)
{
    for (int k = 0; k < 2; k++)
        mote_coordination_release(w->plans[k]);
    mote_host_release(w->host);
    bed_close(&w->bed);
    free(w->area);
}

/* Chooses positions in float or double. They are new unless the call sets same_positions. */
static void choose_positions(walk *w, mote_coordination_host_args *args)
{
    size_t plan = mote_rng_below(&w->rng, 2);
    bool shorter = mote_rng_below(&w->rng, 4) == 0;
    void *at = w->last;
    if (!at || mote_rng_below(&w->rng, 3) == 0)
        at = w->area + 1024 * mote_rng_below(&w->rng, 3) + 8 * mote_rng_below(&w->rng, 2);
    args->same_positions =
        !shorter && at == w->last && plan == w->last_plan && mote_rng_below(&w->rng, 2);
    for (size_t i = 0; i < 3 * ATOMS && !args->same_positions; i++)
        if (shorter)
            ((float *)at)[i] = (float)mote_rng_below(&w->rng, 1000) * 1e-3f;
        else
            ((double *)at)[i] = mote_rng_below(&w->rng, 1000) * 1e-3;
    args->plan = w->plans[plan];
    args->positions32 = shorter ? at : NULL;
    args->positions64 = shorter ? NULL : at;
    w->last = shorter ? NULL : at;
    w->last_plan = plan;
}

/* Makes calls with positions at several addresses, two numbers of atoms and both types, and calls
 * of another operation in between. Tuning decides whether the device uses the arrays in place. */
START_TEST(random_routes)
{
    static const char *const tunes[] = {"coordination.form=cpu",
                                        "coordination.form=cpu,pixels.form=gpu"};
    const char *given = getenv("MOTE_TEST_SEED");
    unsigned long long seed = given ? strtoull(given, NULL, 0) : (unsigned long long)time(NULL);
    walk w = {0};
    printf("# MOTE_TEST_SEED=%llu\n", seed);
    open_walk(&w, tunes[0], seed);
    for (size_t call = 0; call < 400; call++) {
        double value, fresh;
        mote_coordination_host_args args;
        mote_coordination_host_args_init(&args);
        choose_positions(&w, &args);
        bed_ok(mote_context_tune(w.bed.ctx, tunes[mote_rng_below(&w.rng, 2)]));
        args.value = &value;
        bed_ok(mote_coordination_host(w.bed.ctx, w.host, &args));
        args.same_positions = 0;
        args.value = &fresh;
        bed_ok(mote_coordination_host(w.bed.ctx, NULL, &args));
        ck_assert_msg(value == fresh, "call %zu: %.17g instead of %.17g: MOTE_TEST_SEED=%llu", call,
                      value, fresh, seed);
        if (mote_rng_below(&w.rng, 5) == 0) {
            add_up(&w.bed, w.host, (const double *)(const void *)(w.area + 1024));
            w.last = NULL;
        }
    }
    close_walk(&w);
}
END_TEST

void tcase_add_same_positions(TCase *cpu)
{
    tcase_add_test(cpu, same_positions);
    tcase_add_test(cpu, random_routes);
}
