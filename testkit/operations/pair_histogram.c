/* SPDX-License-Identifier: Apache-2.0 */
/* Describes mote_pair_histogram(). The size of a call is its number of pairs of entries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/operations/positions.h"
#include "testkit/reference/coordination/neighbours.h"

#define BIT(number) (1u << (number))
#define IN_LOCAL    2048 /* bins that a group counts in local memory */

enum { COUNTS = OTHER + 1 }; /* the field after the positions */

typedef struct notes {
    double box[9];
} notes;

/* Draws a number of bins: few, many, or near the largest number in local memory. */
static size_t draw_bins(trial_call *c)
{
    switch (mote_rng_below(&c->rng, 4)) {
    case 0:
        return 1 + mote_rng_below(&c->rng, 4);
    case 1:
        return IN_LOCAL - 2 + mote_rng_below(&c->rng, 5);
    default:
        return 1 + mote_rng_below(&c->rng, 600);
    }
}

static void choose_pair_histogram(trial_call *c)
{
    mote_pair_histogram_args *a = (mote_pair_histogram_args *)(void *)&c->args;
    notes *own = (notes *)(void *)&c->own;
    uint32_t reals = BIT(MOTE_FLOAT32) | (positions_fp64(c->ctx) ? BIT(MOTE_FLOAT64) : 0);
    mote_type type = (mote_type)trial_choose(c, reals);
    bool two = mote_rng_below(&c->rng, 2), blocks = mote_rng_below(&c->rng, 2);
    size_t m, n = positions_numbers(c, two, &m);

    a->pbc = positions_box(c, own->box);
    a->box = own->box;
    a->r_max = positions_cutoff(c, own->box, a->pbc, n, m);
    if (mote_rng_below(&c->rng, 2))
        a->r_min = a->r_max * (double)mote_rng_below(&c->rng, 8) / 8.0;
    a->accumulate = mote_rng_below(&c->rng, 2);
    if (blocks) {
        a->block = 1 + mote_rng_below(&c->rng, 5);
        a->block_other = 1 + mote_rng_below(&c->rng, 5);
        if (!two)
            a->block_other = mote_rng_below(&c->rng, 2) ? a->block : 0;
    }
    c->array[POSITIONS] = (trial_array){.type = type, .count = 3 * n};
    if (two) {
        bool wide = reals & BIT(MOTE_FLOAT64) && mote_rng_below(&c->rng, 2);
        c->array[OTHER] = (trial_array){.type = wide ? MOTE_FLOAT64 : MOTE_FLOAT32, .count = 3 * m};
    }
    c->array[COUNTS] = (trial_array){.type = MOTE_INT64, .count = draw_bins(c)};
    c->promise = TRIAL_WITH_FP64;
}

/* Fills the counts before the call, and copies them to the expected counts if the call adds to
 * them. */
static void fill_counts(trial_call *c, bool accumulate)
{
    int64_t *before = c->array[COUNTS].before, *counts = c->array[COUNTS].data;

    for (size_t k = 0; k < c->array[COUNTS].count; k++) {
        before[k] = (int64_t)(mote_rng_next(&c->rng) >> 2);
        counts[k] = accumulate ? before[k] : 0;
    }
}

static bool fill_pair_histogram(trial_call *c, char *message, size_t size)
{
    const mote_pair_histogram_args *a = (const mote_pair_histogram_args *)(const void *)&c->args;
    const notes *own = (const notes *)(const void *)&c->own;
    const trial_array *other = &c->array[OTHER];

    positions_draw(c, own->box, &c->array[POSITIONS]);
    if (other->type)
        positions_draw(c, own->box, other);
    fill_counts(c, a->accumulate);
    if (c->spoilt)
        positions_spoil(c, a->pbc);
    if (c->told)
        return true;
    double *first = positions_widened(&c->array[POSITIONS]);
    double *second = other->type ? positions_widened(other) : NULL;
    const mote_neighbours_task task = {.positions = first,
                                       .other = second,
                                       .n = c->array[POSITIONS].count / 3,
                                       .m = other->count / 3,
                                       .cutoff = a->r_max,
                                       .box = own->box,
                                       .pbc = a->pbc,
                                       .in_float = !positions_fp64(c->ctx)};
    const mote_distances bins = {.r_min = a->r_min,
                                 .bins = c->array[COUNTS].count,
                                 .block = a->block,
                                 .block_other = other->type ? a->block_other : a->block};
    bool good = first && (second || !other->type) &&
                mote_oracle_distances(&task, &bins, c->array[COUNTS].data);
    if (!good)
        snprintf(message, size, "out of memory");
    free(first);
    free(second);
    return good;
}

TRIAL_FUNCTIONS(pair_histogram, mote_pair_histogram, mote_pair_histogram_args)
TRIAL_WORKSPACE_SIZE(pair_histogram, mote_pair_histogram_workspace_size)

static const char *const tunes[] = {
    "coordination.form=cpu",
    "coordination.form=gpu",
    "coordination.form=gpu,coordination.team=8,coordination.sort_below=0",
    "coordination.form=gpu,reduce.form=gpu,reduce.fp64=0",
    "coordination.form=cpu,reduce.fp64=0",
    NULL};

static const trial_program programs[] = {
    TRIAL_PROGRAM("float32", MOTE_FLOAT32),
    TRIAL_PROGRAM("float64", MOTE_FLOAT64),
    TRIAL_END,
};

const trial_operation trial_pair_histogram = {
    TRIAL_OPERATION(pair_histogram, mote_pair_histogram, mote_pair_histogram_args,
                    MOTE_OPERATION_PAIR_HISTOGRAM),
    TRIAL_WORKSPACE(pair_histogram, mote_pair_histogram_args),
    .borders = positions_borders,
    .tunes = tunes,
    .programs = programs,
};
