/* SPDX-License-Identifier: Apache-2.0 */
/* Data at the limits, with expected results: not swept for failures. */
#include "tables.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#define ROWS    160
#define COLUMNS 416
#define PIXELS  ((size_t)ROWS * COLUMNS) /* 66 560 */

/* Makes one module with every pixel, or with those of one colour of a chess board. */
static void board(fault_bed *b, mote_pixels_strategy strategy, uint32_t connectivity, bool chess)
{
    FAULT_ARGS(b, mote_pixels_cluster_args, args);
    uint16_t *x = calloc(PIXELS, sizeof(*x)), *y = calloc(PIXELS, sizeof(*y));
    uint16_t *module = calloc(PIXELS, sizeof(*module));
    int32_t *labels = calloc(PIXELS, sizeof(*labels));
    uint32_t n = 0;
    ck_assert(x && y && module && labels);
    for (uint32_t column = 0; column < COLUMNS; column++)
        for (uint32_t row = 0; row < ROWS; row++) {
            if (chess && (row + column) % 2)
                continue;
            x[n] = (uint16_t)row;
            y[n] = (uint16_t)column;
            labels[n] = chess && connectivity == 4 ? (int32_t)n : 0;
            n++;
        }
    const uint32_t clusters = (uint32_t)labels[n - 1] + 1;
    args->module_id = fault_in(b, "module_id", MOTE_UINT16, n, module);
    args->x = fault_in(b, "x", MOTE_UINT16, n, x);
    args->y = fault_in(b, "y", MOTE_UINT16, n, y);
    args->n_modules = 1;
    args->rows = ROWS;
    args->columns = COLUMNS;
    args->strategy = strategy;
    args->connectivity = connectivity;
    args->cluster_id = fault_out(b, "cluster_id", MOTE_INT32, n);
    fault_expect(b, labels);
    args->n_clusters = fault_out(b, "n_clusters", MOTE_UINT32, 1);
    fault_expect(b, &clusters);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
    free(x);
    free(y);
    free(module);
    free(labels);
}

static void full(fault_bed *b)
{
    board(b, MOTE_PIXELS_UNION_FIND, 8, false);
}

static void full_histogram(fault_bed *b)
{
    board(b, MOTE_PIXELS_HISTOGRAM, 8, false);
}

static void chess(fault_bed *b)
{
    board(b, MOTE_PIXELS_UNION_FIND, 4, true);
}

static void diagonals(fault_bed *b)
{
    board(b, MOTE_PIXELS_UNION_FIND, 8, true);
}

/* The number of digis on the device exceeds the capacity. */
static void beyond_room(fault_bed *b)
{
    const uint32_t many = UINT32_MAX;
    board(b, MOTE_PIXELS_UNION_FIND, 8, true);
    mote_pixels_cluster_args *args = (mote_pixels_cluster_args *)(void *)&b->args;
    args->n_device = fault_in(b, "n_device", MOTE_UINT32, 1, &many);
    b->expected = FAULT_TOLD_ANY;
}

static void one_digi(fault_bed *b)
{
    FAULT_ARGS(b, mote_pixels_cluster_args, args);
    const uint16_t zero = 0, last[2] = {65535, 65535};
    const uint32_t one = 1;
    const int32_t label = 0;
    args->module_id = fault_in(b, "module_id", MOTE_UINT16, 1, &zero);
    args->x = fault_in(b, "x", MOTE_UINT16, 1, &last[0]);
    args->y = fault_in(b, "y", MOTE_UINT16, 1, &last[1]);
    args->n_modules = 1;
    args->rows = args->columns = 65536;
    args->cluster_id = fault_out(b, "cluster_id", MOTE_INT32, 1);
    fault_expect(b, &label);
    args->n_clusters = fault_out(b, "n_clusters", MOTE_UINT32, 1);
    fault_expect(b, &one);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

/* MOTE_TEST_LISTS lists, all of them empty except the one before the last. */
static void empty_lists(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_parents_args, args);
    const char *wanted = getenv("MOTE_TEST_LISTS");
    size_t lists = wanted ? strtoul(wanted, NULL, 10) : 1000000;
    int32_t *offsets = calloc(lists + 1, sizeof(*offsets));
    ck_assert_ptr_nonnull(offsets);
    const int32_t parents[3] = {(int32_t)lists - 2, (int32_t)lists - 2, (int32_t)lists - 2};
    offsets[lists - 1] = offsets[lists] = 3;
    args->offsets = fault_in(b, "offsets", MOTE_INT32, lists + 1, offsets);
    args->parents = fault_out(b, "parents", MOTE_INT32, 3);
    fault_expect(b, parents);
    args->validate = MOTE_JAGGED_VALIDATE_FULL;
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
    free(offsets);
}

static void empty_sums(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_reduce_args, args);
    const char *wanted = getenv("MOTE_TEST_LISTS");
    size_t lists = wanted ? strtoul(wanted, NULL, 10) : 1000000;
    int32_t *offsets = calloc(lists + 1, sizeof(*offsets));
    float *sums = calloc(lists, sizeof(*sums));
    const float values[3] = {1.0f, 2.5f, -4.0f};
    ck_assert(offsets && sums);
    offsets[lists - 1] = offsets[lists] = 3;
    sums[lists - 2] = -0.5f;
    args->offsets = fault_in(b, "offsets", MOTE_INT32, lists + 1, offsets);
    args->values = fault_in(b, "values", MOTE_FLOAT32, 3, values);
    args->result = fault_out(b, "result", MOTE_FLOAT32, lists);
    fault_expect(b, sums);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
    free(offsets);
    free(sums);
}

static void one_list(fault_bed *b)
{
    FAULT_ARGS(b, mote_jagged_reduce_args, args);
    const int32_t offsets[2] = {0, 1}, place = 0;
    const float value = NAN;
    args->offsets = fault_in(b, "offsets", MOTE_INT32, 2, offsets);
    args->values = fault_in(b, "values", MOTE_FLOAT32, 1, &value);
    args->reduction = MOTE_REDUCE_ARGMAX;
    args->result = fault_out(b, "result", MOTE_INT32, 1);
    fault_expect(b, &place);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static void one_value(fault_bed *b)
{
    FAULT_ARGS(b, mote_reduce_args, args);
    const float value = -3.25f;
    const double sum = -3.25;
    args->values = fault_in(b, "values", MOTE_FLOAT32, 1, &value);
    args->result = fault_out(b, "result", MOTE_FLOAT64, 1);
    fault_expect(b, &sum);
}

/* Makes one atom, far away, in a box. */
static void one_atom(fault_bed *b)
{
    FAULT_ARGS(b, mote_coordination_args, args);
    static const double box[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double place[3] = {1e30, -1e30, 0.0}, value = 0.0;
    const float none[3] = {0};
    mote_coordination_plan_args plan_args;
    mote_coordination *plan = NULL;
    mote_coordination_plan_args_init(&plan_args);
    mote_switch_init(&plan_args.function);
    plan_args.function.r_0 = 0.4;
    plan_args.n_atoms = 1;
    plan_args.pbc = MOTE_PBC_TRICLINIC;
    ck_assert_msg(!mote_coordination_create(b->ctx, &plan_args, &plan), "%s", mote_last_error());
    b->kept = plan;
    args->plan = plan;
    args->box = box;
    args->positions = fault_in(b, "positions", MOTE_FLOAT64, 3, place);
    args->value = fault_out(b, "value", MOTE_FLOAT64, 1);
    fault_expect(b, &value);
    args->derivatives = fault_out(b, "derivatives", MOTE_FLOAT32, 3);
    fault_expect(b, none);
    fault_error(b, &args->error, &args->error_offset, MOTE_SUCCESS);
}

static void release_plan(fault_bed *b)
{
    mote_coordination_release(b->kept);
}

FAULT_ENQUEUES(mote_pixels_cluster, mote_pixels_cluster_args)
FAULT_ENQUEUES(mote_jagged_parents, mote_jagged_parents_args)
FAULT_ENQUEUES(mote_jagged_reduce, mote_jagged_reduce_args)
FAULT_ENQUEUES(mote_reduce, mote_reduce_args)
FAULT_ENQUEUES(mote_coordination_compute, mote_coordination_args)

/* The first ones are small. */
const fault_operation fault_special[] = {
    FAULT_ROW(one_digi, mote_pixels_cluster, 0),
    FAULT_ROW(one_list, mote_jagged_reduce, 0),
    FAULT_ROW(one_value, mote_reduce, 0),
    {.name = "mote_coordination_compute, one_atom",
     .setup = one_atom,
     .run = run_mote_coordination_compute,
     .cleanup = release_plan},
    FAULT_ROW(full, mote_pixels_cluster, 0),
    FAULT_ROW(full_histogram, mote_pixels_cluster, 0),
    FAULT_ROW(chess, mote_pixels_cluster, 0),
    FAULT_ROW(diagonals, mote_pixels_cluster, 0),
    FAULT_ROW(beyond_room, mote_pixels_cluster, 0),
    FAULT_ROW(empty_lists, mote_jagged_parents, 0),
    FAULT_ROW(empty_sums, mote_jagged_reduce, 0),
};
const size_t fault_special_small = 4;
const size_t fault_special_count = sizeof(fault_special) / sizeof(fault_special[0]);
