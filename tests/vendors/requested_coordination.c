/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on atoms. */
#include "requested.h"

#include "testkit/cases/coordination/cases.h"
#include "shared/coordination_params.h"

#include <math.h>
#include <stdlib.h>

#define SIZE .size = sizeof(mote_switch)

/* Besides those of the cases, and functions of each kind that are stretched far: other exponents, a
 * fine SMAP, and functions beyond large powers. */
static const mote_switch functions[] = {
    {SIZE, .r_0 = 1.0, .d_max = 0.02, .nn = 6, .mm = 10},
    {SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 0.2, .a = 0.1, .b = 2.0, .d_max = INFINITY},
    {SIZE, .r_0 = 0.0005, .nn = 12, .d_max = 0.7, .no_stretch = 1},
    {SIZE, .kind = MOTE_SWITCH_EXP, .r_0 = 1e-18, .d_max = 0.7, .no_stretch = 1},
};

/* Sizes on both sides of the choices of tiles, separate loading, sorting and skipping; the last one
 * has one short list, for which there are too few tiles. */
static const struct {
    size_t atoms, in_a; /* in_a: entries of list A if there are two lists */
} sizes[] = {{20, 10}, {2000, 1000}, {10000, 5000}, {50000, 25000}, {20000, 8}};

#define MOST_ATOMS 50000

static uint32_t *list; /* all atoms in order */

/* Prepares calls with the value and the outputs in `wanted` (bits: virial, derivatives,
 * coordination numbers), and again with weights unless there are coordination numbers. Without
 * these outputs, the box is in device memory. Otherwise the box is not yet known, so that the
 * kernels of both precisions are prepared. */
static void ask_outputs(mote_context *ctx, const mote_coordination *plan, size_t n, size_t entries,
                        unsigned wanted)
{
    bool wide = mote_context_device(ctx)->has_fp64;
    mote_type real = wide ? MOTE_FLOAT64 : MOTE_FLOAT32;
    mote_coordination_args args;
    mote_coordination_args_init(&args);
    args.plan = plan;
    args.positions = requested_view(MOTE_FLOAT32, 3 * n);
    if (!wanted)
        args.box_device = requested_view(MOTE_FLOAT32, 9);
    args.value = requested_view(real, wide ? 1 : 2);
    if (wanted & 1)
        args.virial = requested_view(real, wide ? 9 : 18);
    if (wanted & 2)
        args.derivatives = requested_view(MOTE_FLOAT32, 3 * entries);
    if (wanted & 4)
        args.coordination = requested_view(MOTE_FLOAT32, entries);
    requested_prepare(ctx, MOTE_OPERATION_COORDINATION, &args);
    if (wanted & 4)
        return;
    args.weights = requested_view(MOTE_FLOAT32, entries);
    requested_prepare(ctx, MOTE_OPERATION_COORDINATION, &args);
}

static void ask_function(mote_context *ctx, const mote_switch *function, size_t n, size_t in_a)
{
    for (unsigned way = 0; way < 3 * 3 * 2 * 3; way++) {
        mote_coordination_plan_args args;
        mote_coordination *plan = NULL;
        mote_coordination_plan_args_init(&args);
        args.function = *function;
        args.n_atoms = n;
        args.pbc = (mote_pbc)(way % 3);
        args.mode = (mote_coordination_mode)(way / 3 % 3);
        args.method = (mote_coordination_method)(1 + way / 9 % 2);
        args.precision = (mote_precision)(way / 18);
        args.group_a = list;
        args.n_a = args.mode == MOTE_COORDINATION_SELF ? n : in_a;
        if (args.mode != MOTE_COORDINATION_SELF) {
            args.group_b = list + in_a;
            args.n_b = args.mode == MOTE_COORDINATION_PAIR ? in_a : n - in_a;
        }
        mote_status status = mote_coordination_create(ctx, &args, &plan);
        if (status == MOTE_ERROR_INVALID_ARGUMENT || status == MOTE_ERROR_UNSUPPORTED)
            continue; /* cells without d_max, or double precision that the device lacks */
        requested_check(status, "mote_coordination_create");
        for (unsigned wanted = 0; wanted < 8; wanted++)
            ask_outputs(ctx, plan, n, mote_coordination_entries(plan), wanted);
        mote_coordination_release(plan);
    }
}

/* Lists that are kept with a skin. */
static void ask_skin(mote_context *ctx, size_t n)
{
    for (unsigned way = 0; way < 3 * 3; way++) {
        mote_coordination_plan_args args;
        mote_coordination *plan = NULL;
        mote_coordination_plan_args_init(&args);
        args.function = mote_coordination_functions[0];
        args.function.d_max = 0.7;
        args.n_atoms = n;
        args.pbc = (mote_pbc)(way % 3);
        args.method = MOTE_COORDINATION_CELLS;
        args.precision = (mote_precision)(way / 3);
        args.skin = 0.1;
        mote_status status = mote_coordination_create(ctx, &args, &plan);
        if (status == MOTE_ERROR_UNSUPPORTED)
            continue;
        requested_check(status, "mote_coordination_create");
        for (unsigned wanted = 0; wanted < 8; wanted += 7)
            ask_outputs(ctx, plan, n, n, wanted);
        mote_coordination_release(plan);
    }
}

void requested_coordination(mote_context *ctx)
{
    list = calloc(MOST_ATOMS, sizeof(*list));
    requested_check(list ? MOTE_SUCCESS : MOTE_ERROR_OUT_OF_HOST_MEMORY, "the list of atoms");
    for (size_t k = 0; k < MOST_ATOMS; k++)
        list[k] = (uint32_t)k;
    for (size_t k = 0; k < ASKED_COUNT(sizes); k++) {
        for (size_t f = 0; f < mote_coordination_function_count; f++)
            ask_function(ctx, &mote_coordination_functions[f], sizes[k].atoms, sizes[k].in_a);
        for (uint32_t kind = 0; kind < mote_coordination_kinds(); kind++) {
            mote_switch far = {SIZE, .kind = (mote_switch_kind)kind, .r_0 = 1.0, .d_max = 0.02};
            far.a = 3.0, far.b = 2.0, far.ref = far.beta = 1.0;
            ask_function(ctx, &far, sizes[k].atoms, sizes[k].in_a);
        }
        for (size_t f = 0; f < ASKED_COUNT(functions); f++)
            ask_function(ctx, &functions[f], sizes[k].atoms, sizes[k].in_a);
        for (int nn = 2; nn <= 12; nn += 2)
            for (int ends = 0; ends < 2; ends++) {
                mote_switch even = {SIZE, .r_0 = 0.2, .nn = nn, .no_stretch = 1};
                even.d_max = ends ? 0.7 : INFINITY;
                ask_function(ctx, &even, sizes[k].atoms, sizes[k].in_a);
            }
    }
    ask_skin(ctx, sizes[1].atoms);
    free(list);
}
