/* SPDX-License-Identifier: Apache-2.0 */
/* Host calls for positions that are on the device already: part of the suite `host`. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/context.h"

static void count_copies(const mote_launch_record *record, void *user)
{
    if (strcmp(record->kernel, "copy to device") == 0)
        *(size_t *)user += record->bytes;
}

/* Values of both plans for the same positions; returns how many bytes went to the device. */
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

/* The device is taken for a GPU, to which arrays are copied. */
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
    size_t once =
        b.ctx->device.has_fp64 ? each : 2 * each; /* else the host moves them for a plan */
    ck_assert_uint_eq(call_two(&b, host, plans, args, 1, again), once);
    ck_assert_mem_eq(values, again, sizeof(values));
    /* What another call has put there, or a failure has left there, is not taken for them. */
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

void tcase_add_same_positions(TCase *cpu)
{
    tcase_add_test(cpu, same_positions);
}
