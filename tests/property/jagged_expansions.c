/* SPDX-License-Identifier: Apache-2.0 */
/* Compares gathers, combinations and nonzero on device memory with plain loops. */
#include "property/jagged.h"

bool jagged_draw_gather(property_draw *draw, const jagged_family *f, size_t most)
{
    jagged_work w;
    mote_jagged_gather_by_parent_args args;

    if (!jagged_begin(&w, draw, f, most))
        return true;
    if (!jagged_find_error(&w, most))
        return jagged_leave(&w);
    mote_jagged_gather_by_parent_args_init(&args);
    args.validate = jagged_validate(&w);
    size_t n = jagged_capacity(&w, w.n, most);
    void *expected = jagged_results(&w, f->values, n > w.n ? n : w.n);
    void *values = jagged_bytes(&w, f->values, w.m);

    if (!w.lists.status && values && expected)
        mote_oracle_gather(&w.lists, values, mote_type_size(f->values), expected);
    args.offsets = jagged_offsets(&w, &w.lists);
    args.values = trial_input(&w.t, "values", f->values, w.m, values);
    args.result = trial_output(&w.t, "result", f->values, n, expected);
    TRIAL_ERROR(&w.t, &args);
    JAGGED_WORKSPACE(&w, &args, mote_jagged_gather_by_parent_workspace_size);
    return jagged_end(&w, JAGGED_CALL(&w, mote_jagged_gather_by_parent, &args));
}

/* The number of combinations of the first `count` lists. */
static double combinations(const jagged_work *w, size_t count, bool pairs)
{
    double sum = 0;

    for (size_t k = 0; k < count; k++) {
        int64_t begin, end, begin_b, end_b;

        mote_case_lists_bounds(&w->lists, k, &begin, &end);
        double a = (double)(end - begin), b = (a - 1) / 2;

        if (!pairs) {
            mote_case_lists_bounds(&w->other, k, &begin_b, &end_b);
            b = (double)(end_b - begin_b);
        }
        sum += a * b;
    }
    return sum;
}

static bool draw_combine(property_draw *draw, const jagged_family *f, size_t most, bool pairs)
{
    jagged_work w;
    mote_jagged_combinations_args args;

    if (!jagged_begin(&w, draw, f, most / 8))
        return true;
    if (!jagged_find_error(&w, most))
        return jagged_leave(&w);
    if (!pairs) { /* the second array has as many lists, of other lengths */
        mote_lists_case other = jagged_shape(&draw->rng, most / 8);

        other.lengths.lists = w.m;
        other.first = 0;
        w.t.failed = !mote_lists_case_make(&other, f->index, draw->seed, &w.other);
    }
    if (w.t.failed || (!w.lists.status && combinations(&w, w.m, pairs) > 10.0 * (double)most))
        return jagged_leave(&w);
    void *offsets = jagged_results(&w, f->index, w.m + 1);
    size_t n = 0;

    if (!w.lists.status && offsets)
        n = pairs ? mote_oracle_pairs(&w.lists, offsets, NULL, NULL, 0)
                  : mote_oracle_product(&w.lists, &w.other, offsets, NULL, NULL, 0);
    size_t capacity = jagged_capacity(&w, n, most);
    void *first = jagged_results(&w, f->index, capacity),
         *second = jagged_results(&w, f->index, capacity);

    if (!w.lists.status && first && second && pairs)
        mote_oracle_pairs(&w.lists, offsets, first, second, capacity);
    else if (!w.lists.status && first && second)
        mote_oracle_product(&w.lists, &w.other, offsets, first, second, capacity);
    mote_jagged_combinations_args_init(&args);
    args.validate = jagged_validate(&w);
    /* Before the bad list, the number of combinations may exceed the type of offsets. */
    if (w.lists.status)
        w.t.any_error = w.t.any_error ||
                        combinations(&w, w.lists.index, pairs) > (double)mote_index_most(f->index);
    args.offsets_a = jagged_offsets(&w, &w.lists);
    if (!pairs)
        args.offsets_b = jagged_offsets(&w, &w.other);
    args.offsets = trial_output(&w.t, "offsets out", f->index, w.m + 1, offsets);
    args.first = trial_output(&w.t, "first", f->index, capacity, first);
    args.second = trial_output(&w.t, "second", f->index, capacity, second);
    TRIAL_ERROR(&w.t, &args);
    JAGGED_WORKSPACE(&w, &args, mote_jagged_combinations_workspace_size);
    return jagged_end(&w, pairs ? JAGGED_CALL(&w, mote_jagged_pairs, &args)
                                : JAGGED_CALL(&w, mote_jagged_product, &args));
}

bool jagged_draw_pairs(property_draw *draw, const jagged_family *f, size_t most)
{
    return draw_combine(draw, f, most, true);
}

bool jagged_draw_product(property_draw *draw, const jagged_family *f, size_t most)
{
    return draw_combine(draw, f, most, false);
}

bool jagged_draw_nonzero(property_draw *draw, const jagged_family *f, size_t most)
{
    jagged_work w;
    mote_jagged_nonzero_args args;

    if (!jagged_begin(&w, draw, f, most))
        return true;
    if (w.lists.content > ((size_t)1 << 21) + most)
        return jagged_leave(&w);
    size_t content = w.lists.content;
    void *values = jagged_bytes(&w, f->values, content);
    void *offsets = jagged_results(&w, f->index, w.m + 1);
    size_t n = w.lists.status || !values || !offsets
                   ? 0
                   : mote_oracle_nonzero(&w.lists, values, f->values, offsets, NULL, 0);
    size_t capacity = jagged_capacity(&w, n, most);
    void *positions = jagged_results(&w, f->index, capacity);

    if (!w.lists.status && !w.t.failed)
        mote_oracle_nonzero(&w.lists, values, f->values, offsets, positions, capacity);
    mote_jagged_nonzero_args_init(&args);
    args.validate = jagged_validate(&w);
    args.offsets = jagged_offsets(&w, &w.lists);
    args.values = trial_input(&w.t, "values", f->values, content, values);
    args.offsets_out = trial_output(&w.t, "offsets_out", f->index, w.m + 1, offsets);
    args.positions = trial_output(&w.t, "positions", f->index, capacity, positions);
    TRIAL_ERROR(&w.t, &args);
    JAGGED_WORKSPACE(&w, &args, mote_jagged_nonzero_workspace_size);
    return jagged_end(&w, JAGGED_CALL(&w, mote_jagged_nonzero, &args));
}
