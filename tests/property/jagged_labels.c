/* SPDX-License-Identifier: Apache-2.0 */
/* Compares labels, counts and offsets in device memory with plain loops. */
#include "property/jagged.h"

/* A length of 0 means that offsets are not compared with it. Returns as jagged_find_error(). */
static bool check_content(jagged_work *w, size_t most)
{
    return w->lists.content || jagged_find_error(w, most);
}

bool jagged_draw_parents(property_draw *draw, const jagged_family *f, size_t most)
{
    jagged_work w;
    mote_jagged_parents_args args;

    if (!jagged_begin(&w, draw, f, most))
        return true;
    bool near = w.lists.content < ((size_t)1 << 20) + most;

    mote_jagged_parents_args_init(&args);
    args.absolute = near && jagged_chance(&w, 3) == 0;
    args.strategy = (mote_jagged_strategy)jagged_chance(&w, 4);
    args.content_length = w.lists.content;
    if (!args.absolute && !check_content(&w, most))
        return jagged_leave(&w);
    args.validate = jagged_validate(&w);
    size_t n = args.absolute ? w.lists.content : jagged_capacity(&w, w.n, most);
    void *expected = jagged_results(&w, f->index, n > w.n ? n : w.n);

    args.content_length *= !args.absolute;
    if (!w.lists.status && expected)
        mote_oracle_parents(&w.lists, args.absolute != 0, n > w.n ? n : w.n, expected);
    args.offsets = jagged_offsets(&w, &w.lists);
    args.parents = trial_output(&w.t, "parents", f->index, n, expected);
    TRIAL_ERROR(&w.t, &args);
    JAGGED_WORKSPACE(&w, &args, mote_jagged_parents_workspace_size);
    return jagged_end(&w, JAGGED_CALL(&w, mote_jagged_parents, &args));
}

bool jagged_draw_local_index(property_draw *draw, const jagged_family *f, size_t most)
{
    jagged_work w;
    mote_jagged_local_index_args args;

    if (!jagged_begin(&w, draw, f, most))
        return true;
    mote_jagged_local_index_args_init(&args);
    args.strategy = (mote_jagged_strategy)jagged_chance(&w, 4);
    args.content_length = w.lists.content;
    if (!check_content(&w, most))
        return jagged_leave(&w);
    args.validate = jagged_validate(&w);
    size_t n = jagged_capacity(&w, w.n, most);
    void *expected = jagged_results(&w, f->index, n > w.n ? n : w.n);

    if (!w.lists.status && expected)
        mote_oracle_local_index(&w.lists, n > w.n ? n : w.n, expected);
    args.offsets = jagged_offsets(&w, &w.lists);
    args.local_index = trial_output(&w.t, "local_index", f->index, n, expected);
    TRIAL_ERROR(&w.t, &args);
    JAGGED_WORKSPACE(&w, &args, mote_jagged_local_index_workspace_size);
    return jagged_end(&w, JAGGED_CALL(&w, mote_jagged_local_index, &args));
}

bool jagged_draw_spans(property_draw *draw, const jagged_family *f, size_t most)
{
    jagged_work w;
    mote_jagged_parents_args args;

    if (!jagged_begin_spans(&w, draw, f, most))
        return true;
    size_t n = w.lists.content;
    void *expected = jagged_results(&w, f->index, n);
    bool overlaps = w.lists.status == MOTE_ERROR_OVERLAP;

    mote_jagged_parents_args_init(&args);
    args.strategy = (mote_jagged_strategy[]){MOTE_JAGGED_AUTO, MOTE_JAGGED_EVENT,
                                             MOTE_JAGGED_BALANCED}[jagged_chance(&w, 3)];
    args.validate = MOTE_JAGGED_VALIDATE_FULL;
    args.overlap =
        overlaps || jagged_chance(&w, 2) ? MOTE_JAGGED_OVERLAP_CHECK : MOTE_JAGGED_OVERLAP_IGNORE;
    if (!w.lists.status && expected)
        mote_oracle_parents(&w.lists, true, n, expected);
    args.starts = trial_input(&w.t, "starts", f->index, w.m, w.lists.starts);
    args.stops = trial_input(&w.t, "stops", f->index, w.m, w.lists.stops);
    args.parents = trial_output(&w.t, "parents", f->index, n, expected);
    TRIAL_ERROR(&w.t, &args);
    JAGGED_WORKSPACE(&w, &args, mote_jagged_parents_workspace_size);
    return jagged_end(&w, JAGGED_CALL(&w, mote_jagged_parents, &args));
}

bool jagged_draw_counts(property_draw *draw, const jagged_family *f, size_t most)
{
    jagged_work w;
    mote_jagged_counts_args args;
    bool spans = mote_rng_below(&draw->rng, 2) != 0;

    if (!(spans ? jagged_begin_spans : jagged_begin)(&w, draw, f, most))
        return true;
    void *expected = jagged_results(&w, f->index, w.m);

    mote_jagged_counts_args_init(&args);
    jagged_find_error(&w, most);
    if (!w.lists.status && expected)
        mote_oracle_counts(&w.lists, expected);
    if (spans) {
        args.starts = trial_input(&w.t, "starts", f->index, w.m, w.lists.starts);
        args.stops = trial_input(&w.t, "stops", f->index, w.m, w.lists.stops);
    } else {
        args.offsets = jagged_offsets(&w, &w.lists);
    }
    args.counts = trial_output(&w.t, "counts", f->index, w.m, expected);
    TRIAL_ERROR(&w.t, &args);
    return jagged_end(&w, JAGGED_CALL(&w, mote_jagged_counts, &args));
}

/* Makes one count negative or too large for the type. */
static void spoil_counts(jagged_work *w, void *counts)
{
    size_t k = jagged_chance(w, (uint32_t)w->m);

    mote_index_set(counts, w->f->index, k,
                   w->f->index == MOTE_UINT32 || jagged_chance(w, 2)
                       ? mote_index_most(w->f->index)
                       : -1 - (int64_t)jagged_chance(w, 9));
}

bool jagged_draw_from_counts(property_draw *draw, const jagged_family *f, size_t most)
{
    jagged_work w;
    mote_jagged_offsets_from_counts_args args;

    if (!jagged_begin(&w, draw, f, most))
        return true;
    void *counts = jagged_results(&w, f->index, w.m),
         *expected = jagged_results(&w, f->index, w.m + 1);

    mote_jagged_offsets_from_counts_args_init(&args);
    if (counts && expected) {
        bool spoilt = w.lists.status != MOTE_SUCCESS;

        for (size_t k = 0; spoilt && k < w.m; k++)
            mote_index_set(counts, f->index, k, jagged_chance(&w, 9));
        if (spoilt && w.m)
            spoil_counts(&w, counts);
        else if (!spoilt)
            mote_oracle_counts(&w.lists, counts);
        w.t.status = mote_oracle_offsets_from_counts(f->index, w.m, counts, expected, &w.t.index);
        w.t.anything = w.t.status != MOTE_SUCCESS;
    }
    args.counts = trial_input(&w.t, "counts", f->index, w.m, counts);
    args.offsets = trial_output(&w.t, "offsets", f->index, w.m + 1, expected);
    TRIAL_ERROR(&w.t, &args);
    JAGGED_WORKSPACE(&w, &args, mote_jagged_offsets_from_counts_workspace_size);
    return jagged_end(&w, JAGGED_CALL(&w, mote_jagged_offsets_from_counts, &args));
}

bool jagged_draw_from_parents(property_draw *draw, const jagged_family *f, size_t most)
{
    jagged_work w;
    mote_jagged_offsets_from_parents_args args;

    if (!jagged_begin(&w, draw, f, most))
        return true;
    bool spoilt = w.lists.status != MOTE_SUCCESS;
    size_t n = spoilt ? jagged_chance(&w, 2000) : w.n;
    void *parents = jagged_results(&w, f->index, n),
         *expected = jagged_results(&w, f->index, w.m + 1);

    mote_jagged_offsets_from_parents_args_init(&args);
    if (parents && expected) {
        for (size_t i = 0; spoilt && i < n; i++)
            mote_index_set(parents, f->index, i,
                           (int64_t)(i * w.m / n) +
                               (jagged_chance(&w, 200) ? 0 : (int64_t)jagged_chance(&w, 9) - 4));
        if (!spoilt)
            mote_oracle_parents(&w.lists, false, n, parents);
        w.t.status =
            mote_oracle_offsets_from_parents(f->index, n, parents, w.m, expected, &w.t.index);
        w.t.anything = w.t.status != MOTE_SUCCESS;
    }
    args.parents = trial_input(&w.t, "parents", f->index, n, parents);
    args.offsets = trial_output(&w.t, "offsets", f->index, w.m + 1, expected);
    TRIAL_ERROR(&w.t, &args);
    return jagged_end(&w, JAGGED_CALL(&w, mote_jagged_offsets_from_parents, &args));
}
