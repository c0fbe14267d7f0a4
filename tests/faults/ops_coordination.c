/* SPDX-License-Identifier: Apache-2.0 */
#include "tables.h"

#include <check.h>
#include <stdio.h>

#define ATOMS  ((size_t)60)
#define FRAMES ((size_t)2)
#define A      ((size_t)21)
#define B      ((size_t)21)

static double positions[FRAMES * ATOMS * 3], boxes[FRAMES * 9];
static uint32_t group_a[A], group_b[B];

static void fill(void)
{
    for (size_t i = 0; i < FRAMES * ATOMS * 3; i++)
        positions[i] = (double)(i * 7919 % 1000) * 0.002;
    for (size_t i = 0; i < FRAMES * 9; i++)
        boxes[i] = i % 9 % 4 == 0 ? 2.0 : i % 9 == 3 ? 0.3 : 0.0;
    for (uint32_t i = 0; i < A; i++) {
        group_a[i] = 2 * i;
        group_b[i] = i + 5;
    }
}

/* The method of the next plan. */
static mote_coordination_method method = MOTE_COORDINATION_ALL_PAIRS;
static uint32_t shares = 1;
static bool is_custom;

static void plan_args(mote_coordination_plan_args *args, mote_coordination_mode mode, mote_pbc pbc)
{
    fill();
    mote_coordination_plan_args_init(args);
    mote_switch_init(&args->function);
    args->function.r_0 = 0.4;
    args->function.d_max = 0.9;
    if (is_custom) {
        args->function.kind = MOTE_SWITCH_CUSTOM;
        snprintf(args->function.func, sizeof(args->function.func), "1/(1+x^6)");
    }
    args->method = method;
    args->share = shares - 1;
    args->shares = shares;
    args->mode = mode;
    args->n_atoms = ATOMS;
    args->pbc = pbc;
    if (mode == MOTE_COORDINATION_SELF)
        return;
    args->group_a = group_a;
    args->n_a = A;
    args->group_b = group_b;
    args->n_b = B;
}

static mote_coordination *make_plan(fault_bed *b, mote_coordination_mode mode, mote_pbc pbc)
{
    mote_coordination_plan_args args;
    mote_coordination *plan = NULL;
    plan_args(&args, mode, pbc);
    ck_assert_msg(!mote_coordination_create(b->ctx, &args, &plan), "%s", mote_last_error());
    b->kept = plan;
    return plan;
}

static void release_plan(fault_bed *b)
{
    mote_coordination_release(b->kept);
}

static mote_coordination_args *compute(fault_bed *b, mote_coordination_mode mode, mote_pbc pbc)
{
    FAULT_ARGS(b, mote_coordination_args, args);
    args->plan = make_plan(b, mode, pbc);
    args->frames = FRAMES;
    args->positions = fault_in(b, "positions", MOTE_FLOAT64, FRAMES * ATOMS * 3, positions);
    args->box = pbc ? boxes : NULL;
    args->value = fault_out(b, "value", MOTE_FLOAT64, FRAMES);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
    return args;
}

static void itself(fault_bed *b)
{
    mote_coordination_args *args = compute(b, MOTE_COORDINATION_SELF, MOTE_PBC_ORTHORHOMBIC);
    args->derivatives = fault_out(b, "derivatives", MOTE_FLOAT32, FRAMES * ATOMS * 3);
    args->virial = fault_out(b, "virial", MOTE_FLOAT64, FRAMES * 9);
}

static void two_groups(fault_bed *b)
{
    mote_coordination_args *args = compute(b, MOTE_COORDINATION_TWO, MOTE_PBC_TRICLINIC);
    size_t entries = mote_coordination_entries(args->plan);
    args->box = NULL;
    args->box_device = fault_in(b, "box", MOTE_FLOAT64, FRAMES * 9, boxes);
    args->coordination = fault_out(b, "coordination", MOTE_FLOAT32, FRAMES * entries);
    args->derivatives_of = MOTE_DERIVATIVES_ATOM;
    args->derivatives = fault_out(b, "derivatives", MOTE_FLOAT64, FRAMES * ATOMS * 3);
}

static void cells(fault_bed *b)
{
    method = MOTE_COORDINATION_CELLS;
    itself(b);
    method = MOTE_COORDINATION_ALL_PAIRS;
}

static void cells_of_two(fault_bed *b)
{
    method = MOTE_COORDINATION_CELLS;
    two_groups(b);
    method = MOTE_COORDINATION_ALL_PAIRS;
}

static void weigh(fault_bed *b)
{
    mote_coordination_args *args = (mote_coordination_args *)(void *)&b->args;
    args->weights = fault_in(b, "weights", MOTE_FLOAT64, FRAMES * ATOMS, positions);
}

static void weighted(fault_bed *b)
{
    itself(b);
    weigh(b);
}

static void weighted_cells(fault_bed *b)
{
    cells(b);
    weigh(b);
}

/* The last of two shares has three parts. */
static void share(fault_bed *b)
{
    shares = 2;
    itself(b);
    shares = 1;
}

static void weighted_share(fault_bed *b)
{
    share(b);
    weigh(b);
}

/* A switching function whose text becomes part of the kernels. */
static void expression(fault_bed *b)
{
    is_custom = true;
    itself(b);
    is_custom = false;
}

static void pairs(fault_bed *b)
{
    compute(b, MOTE_COORDINATION_PAIR, MOTE_PBC_NONE);
}

static void host_frames(fault_bed *b)
{
    FAULT_ARGS(b, mote_coordination_host_args, args);
    args->plan = make_plan(b, MOTE_COORDINATION_TWO, MOTE_PBC_TRICLINIC);
    size_t entries = mote_coordination_entries(args->plan);
    args->frames = FRAMES;
    args->positions64 = fault_host_in(b, "positions", sizeof(positions), positions);
    args->box = fault_host_in(b, "box", sizeof(boxes), boxes);
    args->value = fault_host_out(b, "value", FRAMES * sizeof(double));
    args->virial = fault_host_out(b, "virial", FRAMES * 9 * sizeof(double));
    args->derivatives64 = fault_host_out(b, "derivatives", FRAMES * entries * 3 * sizeof(double));
    args->coordination = fault_host_out(b, "coordination", FRAMES * entries * sizeof(double));
}

static mote_status create(fault_bed *b)
{
    mote_coordination_plan_args args;
    mote_coordination *plan = NULL;
    plan_args(&args, MOTE_COORDINATION_TWO, MOTE_PBC_NONE);
    mote_status status = mote_coordination_create(b->ctx, &args, &plan);
    b->made = plan;
    return status;
}

static mote_status create_share(fault_bed *b)
{
    mote_coordination_plan_args args;
    mote_coordination *plan = NULL;
    shares = 2;
    plan_args(&args, MOTE_COORDINATION_SELF, MOTE_PBC_NONE);
    shares = 1;
    mote_status status = mote_coordination_create(b->ctx, &args, &plan);
    b->made = plan;
    return status;
}

static void uncreate(fault_bed *b)
{
    mote_coordination_release(b->made);
}

static mote_status parse(fault_bed *b)
{
    mote_switch function;
    (void)b;
    return mote_switch_parse("RATIONAL R_0=0.3 NN=6 MM=12 D_MAX=1.0", &function);
}

FAULT_ENQUEUES(mote_coordination_compute, mote_coordination_args)
FAULT_HOST(mote_coordination_host, mote_coordination_host_args)

static mote_status size(fault_bed *b)
{
    size_t bytes = 0;
    return mote_coordination_workspace_size(
        b->ctx, (const mote_coordination_args *)(const void *)&b->args, &bytes);
}

#define ROW(made_by)                                                                               \
    {                                                                                              \
        .name = "mote_coordination_compute, " #made_by, .setup = made_by,                          \
        .run = run_mote_coordination_compute, .size = size,                                        \
        .operation = MOTE_OPERATION_COORDINATION, .cleanup = release_plan                          \
    }

const fault_operation fault_coordination[] = {
    ROW(itself),
    ROW(two_groups),
    ROW(share),
    ROW(pairs),
    ROW(expression),
    ROW(weighted),
    ROW(weighted_cells),
    ROW(weighted_share),
    ROW(cells),
    ROW(cells_of_two),
    {.name = "mote_coordination_host",
     .setup = host_frames,
     .run = run_mote_coordination_host,
     .cleanup = release_plan,
     .flags = FAULT_WAITS},
    {.name = "mote_coordination_create", .run = create, .undo = uncreate, .flags = FAULT_WAITS},
    {.name = "mote_coordination_create, share",
     .run = create_share,
     .undo = uncreate,
     .flags = FAULT_WAITS},
    {.name = "mote_switch_parse", .run = parse},
};
const size_t fault_coordination_count = sizeof(fault_coordination) / sizeof(fault_coordination[0]);
