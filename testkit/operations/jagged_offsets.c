/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_counts(), mote_jagged_offsets_from_counts() and mote_jagged_offsets_from_parents(),
 * and the same on plain arrays. */
#include "testkit/operations/jagged.h"
#include "testkit/reference/jagged/oracle.h"

enum { IN, STARTS, STOPS, OUT }; /* the fields; without starts and stops, OUT_OF_PARENTS is next */
enum { OUT_OF_PARENTS = 1 };

/* Draws offsets or counts in half of all draws, otherwise starts and stops. */
static void choose_input(trial_call *c, size_t offsets_more, size_t out_more)
{
    bool spans = trial_choose(c, 3) != 0;
    trial_lists *l = trial_lists_choose(c, true, spans);

    if (spans)
        c->array[STARTS] = c->array[STOPS] = (trial_array){.type = l->type, .count = l->m};
    else
        c->array[IN] = (trial_array){.type = l->type, .count = l->m + offsets_more};
    c->array[OUT] =
        (trial_array){.type = l->type, .count = l->m + out_more, .room = 2 * l->m + out_more};
}

static void choose_counts(trial_call *c)
{
    choose_input(c, 1, 0);
}

static bool fill_counts(trial_call *c, char *message, size_t size)
{
    (void)message, (void)size;
    if (!trial_lists_make(c))
        return false;
    trial_lists_expect(c, MOTE_NO_CONTENT, false);
    if (!c->told)
        mote_oracle_counts(&trial_lists_of(c)->made, c->array[OUT].data);
    return trial_lists_end(c);
}

static void choose_from_counts(trial_call *c)
{
    choose_input(c, 0, 1);
}

/* The counts of the lists are computed into the memory after the expected offsets. */
static bool fill_from_spans(trial_call *c)
{
    trial_lists *l = trial_lists_of(c);
    void *counts = (char *)c->array[OUT].data + (l->m + 1) * mote_type_size(l->type);

    if (!trial_lists_make(c))
        return false;
    trial_lists_expect(c, MOTE_NO_CONTENT, false);
    size_t good = c->told ? c->told_index : l->m;
    l->made.count = good;
    mote_oracle_counts(&l->made, counts);
    uint32_t index;
    mote_status status =
        mote_oracle_offsets_from_counts(l->type, good, counts, c->array[OUT].data, &index);
    if (status) { /* the type cannot count a list before the bad one */
        c->told = status;
        c->told_index = index;
    }
    return true;
}

/* Counts that are small except for one, which is negative or too large for the type. */
static void spoil_counts(trial_call *c)
{
    const trial_lists *l = trial_lists_of(c);
    int64_t most = mote_index_most(l->type);
    bool large = l->type == MOTE_UINT32 || mote_rng_below(&c->rng, 2);

    for (size_t k = 0; k < l->m; k++)
        mote_index_set(c->array[IN].data, l->type, k, mote_rng_below(&c->rng, 9));
    if (l->m)
        mote_index_set(c->array[IN].data, l->type, mote_rng_below(&c->rng, (uint32_t)l->m),
                       large ? most : -1 - (int64_t)mote_rng_below(&c->rng, 9));
}

static bool fill_from_counts(trial_call *c, char *message, size_t size)
{
    trial_lists *l = trial_lists_of(c);
    trial_array *out = &c->array[OUT];
    bool good = true;

    (void)message, (void)size;
    if (l->spans) {
        good = fill_from_spans(c);
    } else if (c->spoilt) {
        spoil_counts(c);
    } else {
        good = mote_lists_case_make(&l->shape, l->type, l->shape.lengths.seed, &l->made);
        if (good)
            mote_oracle_counts(&l->made, c->array[IN].data);
    }
    if (good && !l->spans)
        c->told = mote_oracle_offsets_from_counts(l->type, l->m, c->array[IN].data, out->data,
                                                  &c->told_index);
    c->unspecified = c->told != MOTE_SUCCESS;
    trial_lists_end(c);
    return good;
}

static mote_jagged_offsets_host_args host_args(const trial_call *c, size_t lists,
                                               void *const *arrays, size_t out)
{
    mote_jagged_offsets_host_args args;

    mote_jagged_offsets_host_args_init(&args);
    args.type = c->array[out].type;
    args.lists = lists;
    args.in = arrays[IN];
    args.out = arrays[out];
    return args;
}

static mote_status counts_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    mote_jagged_offsets_host_args args = host_args(c, c->array[OUT].count, arrays, OUT);

    args.starts = arrays[STARTS];
    args.stops = arrays[STOPS];
    return mote_jagged_counts_host(c->ctx, host, &args);
}

static mote_status from_counts_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    mote_jagged_offsets_host_args args = host_args(c, c->array[OUT].count - 1, arrays, OUT);

    args.starts = arrays[STARTS];
    args.stops = arrays[STOPS];
    return mote_jagged_offsets_from_counts_host(c->ctx, host, &args);
}

/* ---- from parents ---------------------------------------------------------------------------- */

static void choose_from_parents(trial_call *c)
{
    trial_lists *l = trial_lists_choose(c, true, false);
    size_t n = c->spoilt ? mote_rng_below(&c->rng, 2000) : l->elements;

    c->array[IN] = (trial_array){.type = l->type, .count = n};
    c->array[OUT_OF_PARENTS] = (trial_array){.type = l->type, .count = l->m + 1};
}

/* Makes a few labels, rarely many, too high or too low. */
static void spoil_labels(trial_call *c)
{
    const trial_lists *l = trial_lists_of(c);
    size_t n = c->array[IN].count;

    for (size_t i = 0; i < n; i++) {
        int64_t off = mote_rng_below(&c->rng, 200) ? 0 : (int64_t)mote_rng_below(&c->rng, 9) - 4;
        mote_index_set(c->array[IN].data, l->type, i, (int64_t)(i * l->m / n) + off);
    }
}

static bool fill_from_parents(trial_call *c, char *message, size_t size)
{
    trial_lists *l = trial_lists_of(c);
    size_t n = c->array[IN].count;

    (void)message, (void)size;
    if (c->spoilt) {
        spoil_labels(c);
    } else {
        if (!mote_lists_case_make(&l->shape, l->type, l->shape.lengths.seed, &l->made))
            return false;
        mote_oracle_parents(&l->made, false, n, c->array[IN].data);
    }
    c->told = mote_oracle_offsets_from_parents(l->type, n, c->array[IN].data, l->m,
                                               c->array[OUT_OF_PARENTS].data, &c->told_index);
    c->unspecified = c->told != MOTE_SUCCESS;
    return trial_lists_end(c);
}

static mote_status from_parents_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    mote_jagged_offsets_host_args args =
        host_args(c, c->array[OUT_OF_PARENTS].count - 1, arrays, OUT_OF_PARENTS);

    args.n = c->array[IN].count;
    return mote_jagged_offsets_from_parents_host(c->ctx, host, &args);
}

static const char *const tunes[] = {"jagged.form=cpu,reduce.form=cpu",
                                    "jagged.form=gpu,reduce.form=gpu",
                                    "jagged.form=gpu,jagged.group=36,reduce.scan_one_group=0",
                                    "jagged.form=gpu,jagged.from_parents_mean=0",
                                    "jagged.form=gpu,jagged.from_parents_mean=1000,"
                                    "jagged.from_parents_span=9",
                                    "jagged.form=cpu,jagged.items=3",
                                    NULL};

static const trial_program input_programs[] = {
    TRIAL_PROGRAM("int64", 0, MOTE_INT64),
    TRIAL_PROGRAM("uint32, starts and stops", 1, MOTE_UINT32),
    TRIAL_PROGRAM("int32", 0, MOTE_INT32),
    TRIAL_PROGRAM("int64, starts and stops", 1, MOTE_INT64),
    TRIAL_END,
};

static const trial_program parents_programs[] = {
    TRIAL_PROGRAM("int32", MOTE_INT32),
    TRIAL_PROGRAM("int64", MOTE_INT64),
    TRIAL_END,
};

TRIAL_FUNCTIONS(counts, mote_jagged_counts, mote_jagged_counts_args)
TRIAL_FUNCTIONS(from_counts, mote_jagged_offsets_from_counts, mote_jagged_offsets_from_counts_args)
TRIAL_FUNCTIONS(from_parents, mote_jagged_offsets_from_parents,
                mote_jagged_offsets_from_parents_args)
TRIAL_WORKSPACE_SIZE(from_counts, mote_jagged_offsets_from_counts_workspace_size)

static const trial_program counts_selftest[] = {
    TRIAL_PROGRAM("jagged counts", 0, MOTE_INT64),
    TRIAL_END,
};

const trial_operation trial_counts = {
    TRIAL_OPERATION(counts, mote_jagged_counts, mote_jagged_counts_args,
                    MOTE_OPERATION_JAGGED_COUNTS),
    .run_host = counts_host,
    .borders = trial_lists_borders,
    .tunes = tunes,
    .programs = input_programs,
    .selftest = counts_selftest,
};

static const trial_program from_counts_selftest[] = {
    TRIAL_PROGRAM("jagged offsets_from_counts", 0, MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_from_counts = {
    TRIAL_OPERATION(from_counts, mote_jagged_offsets_from_counts,
                    mote_jagged_offsets_from_counts_args,
                    MOTE_OPERATION_JAGGED_OFFSETS_FROM_COUNTS),
    TRIAL_WORKSPACE(from_counts, mote_jagged_offsets_from_counts_args),
    .run_host = from_counts_host,
    .borders = trial_lists_borders,
    .tunes = tunes,
    .programs = input_programs,
    .selftest = from_counts_selftest,
};

static const trial_program from_parents_selftest[] = {
    TRIAL_PROGRAM("jagged offsets_from_parents", MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_from_parents = {
    TRIAL_OPERATION(from_parents, mote_jagged_offsets_from_parents,
                    mote_jagged_offsets_from_parents_args,
                    MOTE_OPERATION_JAGGED_OFFSETS_FROM_PARENTS),
    .run_host = from_parents_host,
    .borders = trial_lists_borders,
    .tunes = tunes,
    .programs = parents_programs,
    .selftest = from_parents_selftest,
};
