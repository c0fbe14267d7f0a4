/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/jagged/segments_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/guard.h"

#define FAR 1000000

/* Returns a value whose sums or products are rounded. The exponents of summands span fifty binary
 * digits; factors are near 1. */
static double pick_rounded(bool product, mote_rng *rng)
{
    double x = (double)(mote_rng_next(rng) >> 11) / 0x1p53;

    if (product)
        return 1 + (x - 0.5) / 256;
    return ldexp((1 + x) * (mote_rng_below(rng, 2) ? 1 : -1), (int)mote_rng_between(rng, -40, 8));
}

static double pick_float(mote_jagged_segments_values kind, bool product, mote_rng *rng)
{
    static const double special[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 0.5};

    if (kind == MOTE_SEGMENTS_SPECIAL && mote_rng_below(rng, 40) == 0)
        return special[mote_rng_below(rng, 8)];
    if (kind == MOTE_SEGMENTS_ROUNDED)
        return pick_rounded(product, rng);
    if (kind == MOTE_SEGMENTS_TIES)
        return (double)mote_rng_between(rng, -1, 1) * (mote_rng_below(rng, 2) ? 1.0 : -1.0);
    return (double)mote_rng_between(rng, -1000000, 1000000) / 997.0;
}

static uint64_t pick_integer(mote_jagged_segments_values kind, mote_type type, mote_rng *rng)
{
    if (kind == MOTE_SEGMENTS_TIES)
        return (uint64_t)mote_rng_between(rng, -1, 1);
    if (kind == MOTE_SEGMENTS_SPECIAL && mote_rng_below(rng, 9) == 0)
        return ((uint64_t)1 << (8 * mote_type_size(type) - 1)) - mote_rng_below(rng, 2);
    return mote_rng_next(rng);
}

/* Of moderate size, but for the special ones. */
static uint16_t pick_half(mote_jagged_segments_values kind, bool product, mote_rng *rng)
{
    static const uint16_t special[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00,
                                       0xfc00, 0x7e01, 0xfd00, 0x0001, 0x83ff};
    uint64_t bits = mote_rng_next(rng);

    if (kind == MOTE_SEGMENTS_SPECIAL && mote_rng_below(rng, 40) == 0)
        return special[mote_rng_below(rng, 10)];
    if (kind == MOTE_SEGMENTS_TIES)
        return special[mote_rng_below(rng, 4)];
    if (kind == MOTE_SEGMENTS_ROUNDED && product)
        return (uint16_t)(0x3bfc + bits % 9); /* from 1 - 2^-9 to 1 + 2^-8 */
    return (uint16_t)((bits & 0x83ff) | (8 + mote_rng_below(rng, 14)) << 10);
}

static void set_value(void *values, mote_type type, size_t i, mote_jagged_segments_values kind,
                      bool product, mote_rng *rng)
{
    uint64_t bits = pick_integer(kind, type, rng);
    double number = pick_float(kind, product, rng);

    if (type == MOTE_BOOL)
        ((uint8_t *)values)[i] = bits % 4 == 0 ? (uint8_t)(bits >> 8) : 0;
    else if (type == MOTE_FLOAT32)
        ((float *)values)[i] = (float)number;
    else if (type == MOTE_FLOAT64)
        ((double *)values)[i] = number;
    else if (type == MOTE_FLOAT16)
        ((uint16_t *)values)[i] = pick_half(kind, product, rng);
    else if (mote_type_size(type) == 1)
        ((uint8_t *)values)[i] = (uint8_t)bits;
    else if (mote_type_size(type) == 2)
        ((uint16_t *)values)[i] = (uint16_t)bits;
    else if (mote_type_size(type) == 4)
        ((uint32_t *)values)[i] = (uint32_t)bits;
    else
        ((uint64_t *)values)[i] = bits;
}

/* Makes the last values of every other list, on average, much larger than the rest, so that the
 * result shows the order in which they are added. */
static void weigh_ends(const mote_jagged_segments_trial *t, mote_rng *rng)
{
    int64_t first = t->what.base_first ? mote_index_get(t->lists.offsets, t->lists.type, 0) : 0;
    char *values = (char *)t->memory + t->shift * mote_type_size(t->what.type);

    for (size_t k = 0; k < t->lists.count; k++) {
        int64_t begin, end, count = mote_rng_below(rng, 2) * mote_rng_below(rng, 64);

        mote_case_lists_bounds(&t->lists, k, &begin, &end);
        for (int64_t i = end - 1; i >= begin && end - i <= count; i--)
            if (t->what.type == MOTE_FLOAT32)
                ((float *)values)[i - first] *= 0x1p7f;
            else if (t->what.type == MOTE_FLOAT64)
                ((double *)values)[i - first] *= 0x1p7;
    }
}

bool mote_jagged_segments_trial_fill(mote_jagged_segments_trial *trial,
                                     mote_jagged_segments_values kind, uint64_t seed)
{
    size_t size = mote_type_size(trial->what.type);
    int64_t first = mote_index_get(trial->lists.offsets, trial->lists.type, 0);
    bool product = trial->what.reduction == MOTE_REDUCE_PROD;
    mote_rng rng;

    trial->what.base_first = trial->what.base_first || first > FAR;
    trial->n = trial->lists.content;
    if (trial->what.base_first && first > 0 && (size_t)first <= trial->n)
        trial->n -= (size_t)first;
    trial->memory = malloc((trial->n + trial->shift + 1) * size);
    if (!trial->memory)
        return false;
    mote_rng_seed(&rng, seed);
    for (size_t i = 0; i < trial->n + trial->shift; i++)
        set_value(trial->memory, trial->what.type, i, kind, product, &rng);
    if (kind == MOTE_SEGMENTS_ROUNDED && !product && !trial->lists.status)
        weigh_ends(trial, &rng);
    trial->what.values = (const char *)trial->memory + trial->shift * size;
    return true;
}

void mote_jagged_segments_trial_free(mote_jagged_segments_trial *trial)
{
    free(trial->memory);
    mote_case_lists_free(&trial->lists);
    *trial = (mote_jagged_segments_trial){0};
}

/* A run: each view is all of its array but the trial's shift. */
typedef struct run {
    const mote_jagged_segments_trial *trial;
    cl_command_queue queue;
    mote_guard offsets, values, result, word, workspace;
    char *all_offsets; /* with what lies before them */
    cl_event done;
    char *message;
    size_t size;
} run;

static mote_view view_of(const run *r, const mote_guard *guard)
{
    mote_view view = guard->view;

    view.offset += r->trial->shift;
    view.count -= r->trial->shift;
    return view;
}

static bool create(run *r, mote_context *ctx)
{
    const mote_jagged_segments_trial *t = r->trial;
    size_t shift = t->shift, count = t->lists.count + 1, size = mote_type_size(t->lists.type);

    r->all_offsets = calloc(count + shift, size);
    if (!r->all_offsets)
        return false;
    memcpy(r->all_offsets + shift * size, t->lists.offsets, count * size);
    return !mote_guard_create(&r->offsets, ctx, r->queue, "offsets", t->lists.type, count + shift,
                              r->all_offsets) &&
           !mote_guard_create(&r->values, ctx, r->queue, "values", t->what.type, t->n + shift,
                              t->memory) &&
           !mote_guard_create(&r->result, ctx, r->queue, "result", t->what.result,
                              count - 1 + shift, NULL) &&
           !mote_guard_create(&r->word, ctx, r->queue, "error word", MOTE_UINT32, MOTE_ERROR_SLOTS,
                              NULL);
}

static mote_status call(run *r, mote_context *ctx, cl_event gate)
{
    const mote_jagged_segments_trial *t = r->trial;
    mote_jagged_segments_args args;
    size_t bytes = 0;

    mote_jagged_segments_args_init(&args);
    args.offsets = view_of(r, &r->offsets);
    args.values = view_of(r, &r->values);
    args.result = view_of(r, &r->result);
    args.base_first = t->what.base_first;
    args.reduction = t->what.reduction;
    args.nan = t->what.nan;
    args.validate = t->validate;
    if (!t->silent) {
        args.error = r->word.view.mem;
        args.error_offset = r->word.view.offset * sizeof(uint32_t);
    }
    mote_status status = mote_prepare(ctx, MOTE_OPERATION_JAGGED_SEGMENTS, &args);

    if (!status && t->workspace) {
        status = mote_jagged_segments_workspace_size(ctx, &args, &bytes);
        if (!status)
            status = mote_guard_create(&r->workspace, ctx, r->queue, "workspace", MOTE_UINT32,
                                       (bytes + 3) / 4, NULL);
        args.workspace = r->workspace.view;
    }
    return status ? status : mote_jagged_segments(ctx, r->queue, &args, 1, &gate, &r->done);
}

static bool check_error(const run *r)
{
    const mote_jagged_segments_trial *t = r->trial;
    mote_error_word word;
    uint32_t index = t->lists.index;

    if (t->silent)
        return true;
    if (!mote_guard_read(&r->word, r->queue, &word, 1, &r->done, r->message, r->size))
        return false;
    mote_status told = mote_error_decode(&word, &index);

    if (t->any_error ? !told == !t->lists.status
                     : told == t->lists.status && index == t->lists.index)
        return true;
    snprintf(r->message, r->size, "the error word reports %s of list %u, not %s of list %u",
             mote_status_name(told), (unsigned)index, mote_status_name(t->lists.status),
             (unsigned)t->lists.index);
    return false;
}

/* Within what accumulating values of up to 1010 in two floats, and rounding, may change. */
static bool near(const run *r, size_t k, const void *got, const void *expected)
{
    float a, b;
    int64_t begin, end;

    if (!r->trial->loose)
        return false;
    memcpy(&a, got, sizeof(a));
    memcpy(&b, expected, sizeof(b));
    mote_case_lists_bounds(&r->trial->lists, k, &begin, &end);
    return fabs((double)a - (double)b) <= 2e-7 * fabs((double)b) + 1e-9 * (double)(end - begin);
}

static bool compare(const run *r, const unsigned char *got, const unsigned char *expected)
{
    size_t size = mote_type_size(r->trial->what.result);

    for (size_t k = 0; k < r->trial->lists.count; k++) {
        unsigned long long bits[2] = {0};

        memcpy(&bits[0], got + k * size, size);
        memcpy(&bits[1], expected + k * size, size);
        if (bits[0] == bits[1] || near(r, k, got + k * size, expected + k * size))
            continue;
        snprintf(r->message, r->size, "result[%zu] of %zu is 0x%llx, not 0x%llx", k,
                 r->trial->lists.count, bits[0], bits[1]);
        return false;
    }
    return true;
}

/* Of wrong lists the result is anything. */
static bool check_result(const run *r)
{
    const mote_jagged_segments_trial *t = r->trial;
    size_t shift = t->shift * mote_type_size(t->what.result);
    unsigned char *got = malloc(r->result.bytes + 1);
    unsigned char *expected = malloc(t->lists.count * sizeof(int64_t) + 1);
    bool good = got && expected &&
                mote_guard_read(&r->result, r->queue, got, 1, &r->done, r->message, r->size);

    for (size_t i = 0; good && i < shift; i++)
        if (got[i] != 0xA5) {
            snprintf(r->message, r->size, "result: memory before the view was written");
            good = false;
        }
    if (good && !t->lists.status) {
        mote_oracle_segments(&t->lists, &t->what, expected);
        good = compare(r, got + shift, expected);
    }
    free(got);
    free(expected);
    return good;
}

static bool check(const run *r)
{
    return check_error(r) && check_result(r) &&
           mote_guard_unchanged(&r->offsets, r->queue, r->all_offsets, 1, &r->done, r->message,
                                r->size) &&
           mote_guard_unchanged(&r->values, r->queue, r->trial->memory, 1, &r->done, r->message,
                                r->size) &&
           mote_guard_read(&r->workspace, r->queue, NULL, 1, &r->done, r->message, r->size);
}

bool mote_jagged_segments_trial_run(mote_context *ctx, cl_command_queue queue,
                                    const mote_jagged_segments_trial *trial, char *message,
                                    size_t size)
{
    run r = {.trial = trial, .queue = queue, .message = message, .size = size};
    cl_int code;
    cl_event gate = clCreateUserEvent(mote_context_cl(ctx), &code);
    bool good = !code && create(&r, ctx);

    snprintf(message, size, "no memory");
    if (good && call(&r, ctx, gate)) {
        snprintf(message, size, "%s", mote_last_error());
        good = false;
    }
    if (!code) {
        clSetUserEventStatus(gate, CL_COMPLETE);
        clReleaseEvent(gate);
    }
    good = good && check(&r);
    if (r.done)
        clReleaseEvent(r.done);
    mote_guard_release(&r.offsets);
    mote_guard_release(&r.values);
    mote_guard_release(&r.result);
    mote_guard_release(&r.word);
    mote_guard_release(&r.workspace);
    free(r.all_offsets);
    return good;
}
