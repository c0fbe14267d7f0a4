/* SPDX-License-Identifier: Apache-2.0 */
/* Random calls on lists: tuning, shapes, types, reductions and calls on plain arrays. The other
 * calls on device memory are in jagged_labels.c and jagged_expansions.c. */
#include "property/jagged.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/reductions.h"
#include "testkit/cases/jagged/run.h"
#include "testkit/cases/jagged/segments_run.h"

#define FAMILIES 3 /* families that draws of one context share, so that they need few programs */
#define FEW      ((size_t)20000)

static size_t one_of(mote_rng *rng, const size_t *from, size_t count)
{
    return from[mote_rng_below(rng, (uint32_t)count)];
}

#define ONE_OF(rng, ...)                                                                           \
    one_of(rng, (const size_t[]){__VA_ARGS__}, sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t))

/* ---- tuning ---------------------------------------------------------------------------------- */

/* Values of each key, such as thresholds, sizes of work-groups and variants. */
static const struct {
    const char *key;
    size_t values[6]; /* filled up with the last value */
} keys[] = {
    {"jagged.group", {16, 36, 64, 128, 256, 256}},
    {"jagged.variant", {1, 2, 3, 4, 4, 4}},
    {"jagged.near", {0, 1, 1, 1, 1, 1}},
    {"jagged.tile", {8, 60, 100, 1000, 2016, 8064}},
    {"jagged.tiles", {1, 2, 3, 15, 15, 15}},
    {"jagged.items", {1, 3, 7, 61, 61, 61}},
    {"jagged.cpu_alone", {0, 16, 1000, 65536, 65536, 65536}},
    {"jagged.nonzero_groups_a_unit", {1, 16, 16, 16, 16, 16}},
    {"jagged.from_parents_mean", {0, 1, 4, 1000, 1000, 1000}},
    {"jagged.from_parents_span", {1, 9, 1000, 65536, 65536, 65536}},
    {"segments.group", {16, 64, 72, 128, 512, 512}},
    {"segments.join_group", {24, 64, 256, 256, 256, 256}},
    {"segments.tile", {1024, 2048, 3072, 4096, 4096, 4096}},
    {"segments.tiles", {1, 2, 3, 15, 15, 15}},
    {"segments.alone", {4096, 8192, 60000, 131072, 131072, 131072}},
    {"segments.staged", {0, 1, 2, 3, 3, 3}},
    {"segments.staged_group", {16, 24, 64, 64, 64, 64}},
    {"segments.lists", {4, 20, 64, 1024, 1024, 1024}},
    {"segments.window", {1024, 1280, 2304, 2304, 2304, 2304}},
    {"segments.room", {64, 1280, 2688, 3072, 3072, 3072}},
    {"segments.items", {1, 3, 7, 64, 64, 64}},
    {"reduce.scan_one_group", {0, 100, 8192, 8192, 8192, 8192}},
};

static void tune(mote_rng *rng, const char *form, char *text, size_t size)
{
    bool alone = mote_rng_below(rng, 2) != 0;
    int used = form ? snprintf(text, size, "jagged.form=%s,reduce.form=%s", form, form) : 0;

    if (!form)
        text[0] = 0;
    for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]) && !alone; k++)
        if (mote_rng_below(rng, 3) == 0)
            used += snprintf(text + used, size - (size_t)used, "%s%s=%zu", used ? "," : "",
                             keys[k].key, keys[k].values[mote_rng_below(rng, 6)]);
    if (!alone && mote_rng_below(rng, 16) == 0)
        snprintf(text + used, size - (size_t)used, "%ssegments.fp64=0", used ? "," : "");
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Draws a length at which the layout of sums changes, or the size of a tile, work-group or
 * buffer. */
static int64_t draw_border(mote_rng *rng)
{
    return (int64_t)ONE_OF(rng, 1, 2, 4, 8, 16, 32, 33, 64, 128, 256, 400, 1024, 1280, 2048, 2304,
                           2560, 2688, 3072, 4096, 6144, 8064, 8192);
}

mote_lists_case jagged_shape(mote_rng *rng, size_t most)
{
    static const double means[] = {0.001, 0.1, 0.5, 1, 2, 3, 5, 16, 24, 31, 100, 400, 1000, 5000};
    double mean = means[mote_rng_below(rng, sizeof(means) / sizeof(means[0]))];
    int64_t border = draw_border(rng), half = (int64_t)most / 2;
    uint32_t kind = mote_rng_below(rng, MOTE_LENGTH_LAYOUT + 5);
    mote_lists_case c = {.tail = mote_rng_below(rng, 3) ? 0 : mote_rng_below(rng, 50)};
    mote_lengths *l = &c.lengths;
    double each = mean;

    l->kind = (mote_length_kind)(kind < MOTE_LENGTH_LAYOUT ? kind : MOTE_LENGTH_LAYOUT);
    l->size = border;
    if (l->kind == MOTE_LENGTH_FILLED && mean > 1)
        mean = 0.3;
    else if (l->kind == MOTE_LENGTH_BOUNDARY)
        each = (double)border;
    else if (l->kind == MOTE_LENGTH_PRIMES)
        each = (double)border / 2;
    else if (l->kind == MOTE_LENGTH_SEED)
        each = 3;
    else if (l->kind == MOTE_LENGTH_LAYOUT)
        each = 1400 + 2048 * (double)(l->size = mote_rng_below(rng, 4));
    else if (l->kind == MOTE_LENGTH_ONE_HUGE || l->kind == MOTE_LENGTH_TWO_HUGE)
        l->size = mote_rng_below(rng, 2) ? half : mote_layout_length(mote_rng_below(rng, 2000));
    else if (l->kind >= MOTE_LENGTH_LEAD && l->kind <= MOTE_LENGTH_ENDS)
        l->size = mote_rng_below(rng, (uint32_t)most);
    double lists = (double)most / (each + 0.1);

    l->mean = mean;
    l->lists =
        mote_rng_below(rng, 10) ? mote_rng_below(rng, (uint32_t)lists + 2) : mote_rng_below(rng, 3);
    if (l->kind == MOTE_LENGTH_CONSTANT && l->lists == 1)
        l->mean = (double)mote_layout_length(mote_rng_below(rng, 2000));
    if (mote_rng_below(rng, 2))
        c.first = (int64_t)ONE_OF(rng, 1, 3, 4, 17, 4096, 100001);
    return c;
}

bool jagged_lists(property_draw *draw, mote_type type, size_t most, bool spoilt,
                  mote_case_lists *lists)
{
    mote_lists_case c = jagged_shape(&draw->rng, most);
    uint64_t seed = mote_rng_next(&draw->rng) | 1;

    if (mote_rng_below(&draw->rng, 16) == 0)
        c.first = mote_index_most(type) - (int64_t)most - mote_rng_below(&draw->rng, 9);
    if (!mote_lists_case_make(&c, type, seed, lists))
        return false;
    if (spoilt && c.first < (int64_t)1 << 20)
        mote_case_lists_spoil(lists, (mote_lists_fault)mote_rng_below(&draw->rng, MOTE_FAULTS),
                              seed);
    return true;
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* Draws the kind of values. With `loose`, only kinds for which the wider bounds hold. */
static mote_jagged_segments_values draw_values(mote_rng *rng, const jagged_family *f, bool loose)
{
    if (loose)
        return f->reduction == MOTE_REDUCE_PROD ? MOTE_SEGMENTS_TIES : MOTE_SEGMENTS_PLAIN;
    if (mote_jagged_segments_rounds(f->reduction, f->values) && mote_rng_below(rng, 2))
        return MOTE_SEGMENTS_ROUNDED;
    return (mote_jagged_segments_values)mote_rng_below(rng, MOTE_SEGMENTS_KINDS);
}

static bool run_segments_host(property_draw *draw, const mote_jagged_segments_trial *t)
{
    size_t size = mote_type_size(t->what.result), m = t->lists.count;
    char *got = calloc(m + 1, sizeof(int64_t)), *expected = calloc(m + 1, sizeof(int64_t));
    mote_jagged_segments_host_args args;
    bool good = got && expected;

    mote_jagged_segments_host_args_init(&args);
    args.offsets_type = t->lists.type;
    args.lists = m;
    args.offsets = t->lists.offsets;
    args.values_type = t->what.type;
    args.values = t->what.values;
    args.values_length = t->n;
    args.base_first = t->what.base_first;
    args.reduction = t->what.reduction;
    args.nan = t->what.nan;
    args.result_type = t->what.result;
    args.result = got;
    if (good && mote_jagged_segments_host(draw->ctx, NULL, &args) != t->lists.status) {
        snprintf(draw->message, sizeof(draw->message), "plain arrays: %s", mote_last_error());
        good = false;
    }
    if (good && !t->lists.status) {
        mote_oracle_segments(&t->lists, &t->what, expected);
        for (size_t k = 0; good && k < m; k++) {
            good = memcmp(got + k * size, expected + k * size, size) == 0;
            if (!good)
                snprintf(draw->message, sizeof(draw->message), "plain arrays: list %zu of %zu", k,
                         m);
        }
    }
    free(got);
    free(expected);
    return good;
}

static bool draw_segments(property_draw *draw, const jagged_family *f, size_t most)
{
    mote_rng *rng = &draw->rng;
    bool fp64 = mote_context_device(draw->ctx)->has_fp64 && !strstr(draw->tune, "segments.fp64=0");
    mote_jagged_segments_trial t = {.what = {.type = f->values,
                                             .result = f->result,
                                             .reduction = f->reduction,
                                             .nan = f->nan,
                                             .base_first = mote_rng_below(rng, 3) == 0},
                                    .validate = (mote_jagged_validate)mote_rng_below(rng, 3),
                                    .shift = mote_rng_below(rng, 9),
                                    .workspace = mote_rng_below(rng, 4) == 0,
                                    .silent = mote_rng_below(rng, 9) == 0,
                                    .loose = !fp64 &&
                                             mote_jagged_segments_rounds(f->reduction, f->values)};
    bool host = !t.loose && mote_rng_below(rng, 4) == 0;

    if (!fp64 && (f->values == MOTE_FLOAT64 || f->result == MOTE_FLOAT64))
        return true;
    if (!jagged_lists(draw, f->index, most, mote_rng_below(rng, 8) == 0, &t.lists))
        return true;
    bool good = mote_jagged_segments_trial_fill(&t, draw_values(rng, f, t.loose), draw->seed) &&
                (host ? run_segments_host(draw, &t)
                      : mote_jagged_segments_trial_run(draw->ctx, draw->queue, &t, draw->message,
                                                       sizeof(draw->message)));

    mote_jagged_segments_trial_free(&t);
    return good;
}

/* ---- plain arrays ---------------------------------------------------------------------------- */

static bool draw_host(property_draw *draw, const jagged_family *f, size_t most)
{
    mote_lists_case c = jagged_shape(&draw->rng, most);
    mote_jagged_run run;
    mote_jagged_work work = (mote_jagged_work)mote_rng_below(&draw->rng, MOTE_WORKS);

    if (!mote_jagged_run_make(&run, &c, f->index, draw->seed | 1, work))
        return true;
    void *got = calloc(run.count + 1, sizeof(int64_t));
    void *expected = calloc(run.count + 1, sizeof(int64_t));
    mote_status status = got ? mote_jagged_run_call(&run, draw->ctx, NULL, got) : MOTE_SUCCESS;
    bool good = got && expected && !status;

    if (good) {
        mote_jagged_run_expect(&run, expected);
        good = memcmp(got, expected, run.count * mote_type_size(f->index)) == 0;
    }
    if (!good)
        snprintf(draw->message, sizeof(draw->message), "plain arrays, work %d: %s", (int)work,
                 status ? mote_last_error() : "the result differs");
    free(got);
    free(expected);
    mote_jagged_run_free(&run);
    return good;
}

/* ---- draws ----------------------------------------------------------------------------------- */

static const jagged_draw calls[] = {
    draw_segments,      draw_segments,      draw_segments,           draw_segments,
    draw_segments,      draw_host,          jagged_draw_parents,     jagged_draw_local_index,
    jagged_draw_spans,  jagged_draw_counts, jagged_draw_from_counts, jagged_draw_from_parents,
    jagged_draw_gather, jagged_draw_pairs,  jagged_draw_product,     jagged_draw_nonzero,
};

/* Draws any reduction, or one whose results are rounded. */
static mote_reduction draw_reduction(mote_rng *rng, mote_type values, bool rounded)
{
    mote_reduction found[MOTE_REDUCTION_COUNT];
    uint32_t count = 0;

    for (int r = 0; r < MOTE_REDUCTION_COUNT; r++)
        if (!rounded || mote_jagged_segments_rounds((mote_reduction)r, values))
            found[count++] = (mote_reduction)r;
    return found[mote_rng_below(rng, count)];
}

static jagged_family draw_family(mote_rng *rng)
{
    static const mote_type index[] = {MOTE_INT32, MOTE_UINT32, MOTE_INT64};
    static const mote_type values[] = {
        MOTE_FLOAT32, MOTE_FLOAT64, MOTE_FLOAT16, MOTE_BOOL,   MOTE_INT8,  MOTE_UINT8,
        MOTE_INT16,   MOTE_UINT16,  MOTE_INT32,   MOTE_UINT32, MOTE_INT64, MOTE_UINT64,
    };
    bool rounded = mote_rng_below(rng, 2) != 0; /* float sums, products and means */
    jagged_family f = {
        .call = mote_rng_below(rng, sizeof(calls) / sizeof(calls[0])),
        .index = index[mote_rng_below(rng, 3)],
        .values = values[mote_rng_below(rng, rounded ? 3 : sizeof(values) / sizeof(values[0]))],
        .nan = (mote_nan_policy)mote_rng_below(rng, 2),
    };

    f.reduction = draw_reduction(rng, f.values, rounded);
    uint32_t results = mote_reduction_results(f.reduction, f.values, f.index);

    f.result = mote_jagged_segments_result_type(f.reduction, f.values, f.index);
    for (uint32_t type = 0; type < 32; type++)
        if (results >> type & 1 && mote_rng_below(rng, 2))
            f.result = (mote_type)type;
    return f;
}

/* Draws the size of a call. It is small in most draws, so that many are made. Some draws, more of
 * them on GPUs, are large enough for the variants used by default for large arrays. */
static size_t draw_most(property_draw *draw)
{
    bool gpu = mote_context_device(draw->ctx)->device_class == MOTE_DEVICE_GPU;
    uint32_t rare = mote_rng_below(&draw->rng, gpu ? 200 : 2000);

    if (rare == 0)
        return (size_t)1 << 24;
    if (rare < 5)
        return 3000000;
    if (rare < 40)
        return 300000;
    return mote_rng_below(&draw->rng, 3) ? 1 + mote_rng_below(&draw->rng, FEW) : 500;
}

static bool draw(property_draw *draw)
{
    mote_rng shared;
    jagged_family f = {0};
    char what[256];

    mote_rng_seed(&shared, draw->seed / PROPERTY_DRAWS_A_CONTEXT);
    for (uint32_t k = 0, last = mote_rng_below(&draw->rng, FAMILIES); k <= last; k++)
        f = draw_family(&shared);
    size_t most = draw_most(draw);

    if (calls[f.call](draw, &f, most))
        return true;
    snprintf(what, sizeof(what), " (call %u, %s, %s of %s to %s, nan %d)", (unsigned)f.call,
             mote_type_name(f.index), mote_reduction_name(f.reduction), mote_type_name(f.values),
             mote_type_name(f.result), (int)f.nan);
    strncat(draw->message, what, sizeof(draw->message) - strlen(draw->message) - 1);
    return false;
}

int main(int argc, char **argv)
{
    const property_area area = {"jagged", tune, draw};

    return property_main(argc, argv, &area);
}
