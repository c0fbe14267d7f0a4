/* SPDX-License-Identifier: Apache-2.0 */
/* Compares random sums, minima and maxima of rows, scans and bins with the oracles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/guard.h"
#include "testkit/cases/reduce/run.h"
#include "core/call.h"
#include "property/property.h"
#include "reduce/bin_by_key.h"
#include "reduce/scan.h"
#include "reduce/sum_plan.h"
#include "shared/sums.h"

#define FAMILIES 3 /* families of sums, and so of programs, that draws of one context share */
#define FEW      20000

static size_t one_of(mote_rng *rng, const size_t *from, size_t count)
{
    return from[mote_rng_below(rng, (uint32_t)count)];
}

#define ONE_OF(rng, ...)                                                                           \
    one_of(rng, (const size_t[]){__VA_ARGS__}, sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t))

/* Draws a size: of any magnitude up to 2^20, or near a size at which the layout of sums changes. */
static size_t draw_size(mote_rng *rng)
{
    if (mote_rng_below(rng, 2)) {
        int64_t border = (int64_t)ONE_OF(rng, 4, 16, MOTE_SUM_LANES, 2 * MOTE_SUM_LANES,
                                         MOTE_SUM_TILE - MOTE_SUM_LANES, MOTE_SUM_TILE,
                                         2 * MOTE_SUM_TILE, 5 * MOTE_SUM_TILE);
        int64_t size = border + mote_rng_between(rng, -33, 33);

        return size > 0 ? (size_t)size : 0;
    }
    uint32_t bits = mote_rng_below(rng, mote_rng_below(rng, 20) ? 15 : 21);

    return mote_rng_below(rng, (uint32_t)1 << bits);
}

static void tune_more(mote_rng *rng, char *text, size_t size)
{
    snprintf(text, size,
             "reduce.sum_group=%zu,reduce.sum_groups=%zu,reduce.sum_items=%zu,"
             "reduce.sum_once=%zu,reduce.scan_one_group=%zu,reduce.scan_group=%zu,"
             "reduce.scan_groups_a_unit=%zu,reduce.bin_group=%zu,reduce.bin_columns_group=%zu%s",
             ONE_OF(rng, 16, 64, 128, 256, 512, 1024), ONE_OF(rng, 1, 2, 64),
             ONE_OF(rng, 1, 3, 4, 16), ONE_OF(rng, 0, 3, 2048), ONE_OF(rng, 0, 100, 8192),
             ONE_OF(rng, 1, 64, 256), ONE_OF(rng, 1, 24), ONE_OF(rng, 32, 96, 256),
             ONE_OF(rng, 32, 64, 256), mote_rng_below(rng, 3) ? "" : ",reduce.fp64=0");
}

static void tune(mote_rng *rng, const char *form, char *text, size_t size)
{
    int used = form ? snprintf(text, size, "reduce.form=%s", form) : 0;

    if (!form)
        text[0] = 0;
    if (mote_rng_below(rng, 2))
        return;
    if (form)
        used += snprintf(text + used, size - (size_t)used, ",");
    tune_more(rng, text + used, size - (size_t)used);
}

/* ---- sums, minima and maxima ----------------------------------------------------------------- */

/* A reduction of values of `type`. The oracle computes it with the same values in task.type. */
typedef struct family {
    mote_type type;
    mote_reduce_task task;
    mote_type result;
} family;

static bool is_narrow(const family *f)
{
    return f->type != f->task.type;
}

static bool is_float(mote_type type)
{
    return type == MOTE_FLOAT16 || type == MOTE_FLOAT32 || type == MOTE_FLOAT64;
}

static family draw_family(mote_rng *rng, bool has_fp64)
{
    static const mote_type types[] = {MOTE_FLOAT32, MOTE_FLOAT64, MOTE_INT32,  MOTE_INT64,
                                      MOTE_FLOAT32, MOTE_FLOAT64, MOTE_BOOL,   MOTE_INT8,
                                      MOTE_UINT8,   MOTE_INT16,   MOTE_UINT16, MOTE_UINT32,
                                      MOTE_UINT64,  MOTE_FLOAT16};
    static const mote_reduction reductions[] = {MOTE_REDUCE_SUM, MOTE_REDUCE_SUM, MOTE_REDUCE_MIN,
                                                MOTE_REDUCE_MAX};
    size_t k = mote_rng_below(rng, sizeof(types) / sizeof(types[0]));
    mote_type type = types[!has_fp64 && types[k] == MOTE_FLOAT64 ? 0 : k];
    family f = {.type = type};

    f.task.type = k < 6 ? type : type == MOTE_FLOAT16 ? MOTE_FLOAT32 : MOTE_INT64;
    f.task.reduction = reductions[mote_rng_below(rng, 4)];
    f.task.accumulation = (mote_accumulation)mote_rng_below(rng, 3);
    f.task.nan = (mote_nan_policy)mote_rng_below(rng, 2);
    f.task.has_fp64 = has_fp64;
    f.result = mote_reduce_widest_result(&f.task);
    if (f.task.type == MOTE_FLOAT32 && f.task.reduction == MOTE_REDUCE_SUM)
        f.result = has_fp64 && mote_rng_below(rng, 2) ? MOTE_FLOAT64 : MOTE_FLOAT32;
    if (is_narrow(&f) && f.task.reduction != MOTE_REDUCE_SUM)
        f.result = type;
    else if (f.task.reduction == MOTE_REDUCE_SUM && !is_float(type))
        f.result = MOTE_TYPE_NONE; /* the default result type, uint64 or int64 */
    return f;
}

/* Converts element i to the oracle's wider type, keeping the order of values. */
static void widen(const family *f, const void *from, size_t i, void *to, size_t k)
{
    size_t size = mote_type_size(f->type), unused = 8 * (sizeof(uint64_t) - size);
    uint64_t bits = 0;

    memcpy(&bits, (const char *)from + i * size, size);
    if (f->type == MOTE_FLOAT16)
        ((float *)to)[k] = (float)mote_half_number((uint16_t)bits);
    else if (f->type == MOTE_BOOL)
        ((int64_t *)to)[k] = bits != 0;
    else if (f->type == MOTE_INT8 || f->type == MOTE_INT16)
        ((int64_t *)to)[k] = (int64_t)(bits << unused) / ((int64_t)1 << unused);
    else if (f->type == MOTE_UINT64 && f->task.reduction != MOTE_REDUCE_SUM)
        ((int64_t *)to)[k] = (int64_t)(bits ^ (uint64_t)1 << 63);
    else
        ((int64_t *)to)[k] = (int64_t)bits;
}

/* True if a result computed from narrow values equals the oracle's from wide values. */
static bool same_narrow(const family *f, const void *got, size_t row, const mote_reduce_result *r)
{
    bool extreme = f->task.reduction != MOTE_REDUCE_SUM;
    double real = f->result == MOTE_FLOAT64 ? r->f64 : (double)r->f32, x;
    int64_t whole;
    float half;

    if (f->type != MOTE_FLOAT16) {
        if (extreme)
            widen(f, got, row, &whole, 0);
        else
            whole = ((const int64_t *)got)[row];
        return whole == r->integer;
    }
    if (extreme)
        widen(f, got, row, &half, 0);
    x = extreme                     ? (double)half
        : f->result == MOTE_FLOAT64 ? ((const double *)got)[row]
                                    : (double)((const float *)got)[row];
    return (isnan(x) && isnan(real)) || memcmp(&x, &real, sizeof(x)) == 0;
}

static mote_status call_host(property_draw *draw, const family *f, const mote_reduce_case *c,
                             const void *values, void *result)
{
    mote_reduce_host_args args;

    mote_reduce_host_args_init(&args);
    args.values = values;
    args.type = f->type;
    args.rows = c->rows;
    args.n = c->n;
    args.reduction = f->task.reduction;
    args.accumulation = f->task.accumulation;
    args.nan = f->task.nan;
    args.result = result;
    args.result_type = f->result;
    return mote_reduce_host(draw->ctx, NULL, &args);
}

static bool compare_narrow(const family *f, const mote_reduce_case *c, const void *values,
                           const void *result, char *message, size_t size)
{
    char *wide = malloc((c->n + 1) * sizeof(int64_t));
    bool good = wide != NULL;
    size_t row = 0;

    for (; good && row < c->rows; row++) {
        mote_reduce_result r;

        for (size_t i = 0; i < c->n; i++)
            widen(f, values, row * c->n + i, wide, i);
        mote_reduce_oracle(&f->task, wide, c->n, &r);
        good = same_narrow(f, result, row, &r);
    }
    if (!good)
        snprintf(message, size, "%s of %zu x %zu %s differs in row %zu",
                 mote_reduction_name(f->task.reduction), c->rows, c->n, mote_type_name(f->type),
                 row - 1);
    free(wide);
    return good;
}

/* Runs a reduction of plain arrays, which may have any type. */
static bool run_host(property_draw *draw, const family *f, const mote_reduce_case *c)
{
    size_t count = c->rows * c->n, element = mote_type_size(f->type);
    char *memory = malloc((count + c->shift + 1) * element);
    void *result = calloc(c->rows + 1, sizeof(double));
    bool good = memory && result;

    if (good) {
        char *values = memory + c->shift * element;
        mote_status status;

        if (is_narrow(f))
            for (size_t i = 0; i < count * element; i++)
                values[i] = (char)(mote_rng_next(&draw->rng) >> 32);
        else
            mote_reduce_fill(c->kind, f->type, count, &draw->rng, values);
        status = call_host(draw, f, c, values, result);
        if (status)
            snprintf(draw->message, sizeof(draw->message), "%s", mote_last_error());
        good = !status &&
               (is_narrow(f)
                    ? compare_narrow(f, c, values, result, draw->message, sizeof(draw->message))
                    : mote_reduce_compare(c, values, result, NULL, draw->message,
                                          sizeof(draw->message)));
    }
    free(memory);
    free(result);
    return good;
}

static bool draw_sum(property_draw *draw, const family *f)
{
    mote_rng *rng = &draw->rng;
    size_t n = draw_size(rng), most = 1 + FEW / (n + 1);
    bool single = f->result == MOTE_FLOAT32 && f->task.reduction == MOTE_REDUCE_SUM;
    mote_reduce_case c = {.task = f->task,
                          .rows = mote_rng_below(rng, 2) ? 1 : mote_rng_below(rng, (uint32_t)most),
                          .n = n,
                          .kind = (mote_reduce_kind)mote_rng_below(rng, MOTE_SUM_KINDS),
                          .seed = draw->seed,
                          .result = f->result,
                          .shift = mote_rng_below(rng, 6),
                          .low = single && mote_rng_below(rng, 2),
                          .gated = mote_rng_below(rng, 2),
                          .workspace = mote_rng_below(rng, 4) == 0};

    if (is_narrow(f) || mote_rng_below(rng, 4) == 0) {
        c.rows += c.rows == 0; /* 0 rows mean one row */
        c.n += is_narrow(f) && c.n == 0;
        return run_host(draw, f, &c);
    }
    return mote_reduce_run(draw->ctx, draw->queue, &c, draw->message, sizeof(draw->message));
}

/* ---- scans and bins, which other areas call -------------------------------------------------- */

typedef struct words {
    uint32_t *in, *expected[2];
    mote_guard from, to[2];
    size_t n;
    uint32_t bins;
} words;

static mote_status scan(mote_call *call, const words *w)
{
    mote_view scratch;
    size_t count = mote_scan_u32_scratch(call->ctx, w->n);
    mote_status status = mote_call_scratch(call, count * sizeof(uint32_t), NULL, &scratch);
    return status ? status : mote_scan_u32(call, &w->from.view, &w->to[0].view, &scratch, true);
}

static mote_status bin(mote_call *call, const words *w)
{
    mote_bin_by_key args = {.n = w->n,
                            .n_bins = w->bins,
                            .key = w->from.view,
                            .sorted_key = w->to[0].view,
                            .index = w->to[1].view};
    size_t count = mote_bin_by_key_scratch(call->ctx, w->n, w->bins);
    mote_status status = mote_call_scratch(call, count * sizeof(uint32_t), NULL, &args.scratch);
    return status ? status : mote_bin_by_key_run(call, &args);
}

static void expect_scan(words *w)
{
    for (size_t i = 0; i < w->n; i++)
        w->expected[0][i + 1] = w->expected[0][i] + w->in[i];
}

/* Computes the expected order: the elements of each bin in input order, bin after bin, then the
 * elements without a bin. */
static bool expect_bins(words *w)
{
    uint32_t *start = calloc((size_t)w->bins + 2, sizeof(*start));

    if (!start)
        return false;
    for (size_t i = 0; i < w->n; i++)
        start[(w->in[i] < w->bins ? w->in[i] : w->bins) + 1]++;
    for (uint32_t b = 0; b <= w->bins; b++)
        start[b + 1] += start[b];
    for (size_t i = 0; i < w->n; i++) {
        uint32_t place = start[w->in[i] < w->bins ? w->in[i] : w->bins]++;

        w->expected[0][place] = w->in[i];
        w->expected[1][place] = (uint32_t)i;
    }
    free(start);
    return true;
}

static bool words_make(property_draw *draw, words *w)
{
    uint32_t most = mote_rng_below(&draw->rng, 2) ? w->bins : UINT32_MAX;
    bool runs = mote_rng_below(&draw->rng, 2);

    w->in = calloc(w->n + 1, sizeof(uint32_t));
    w->expected[0] = calloc(w->n + 1, sizeof(uint32_t));
    w->expected[1] = calloc(w->n + 1, sizeof(uint32_t));
    if (!w->in || !w->expected[0] || !w->expected[1])
        return false;
    for (size_t i = 0; i < w->n; i++)
        w->in[i] = runs && i > 0 && mote_rng_below(&draw->rng, 30)
                       ? w->in[i - 1]
                       : mote_rng_below(&draw->rng, most);
    return !mote_guard_create(&w->from, draw->ctx, draw->queue, "input", MOTE_UINT32, w->n,
                              w->in) &&
           !mote_guard_create(&w->to[0], draw->ctx, draw->queue, "output", MOTE_UINT32,
                              w->n + !w->bins, NULL) &&
           !mote_guard_create(&w->to[1], draw->ctx, draw->queue, "positions", MOTE_UINT32,
                              w->bins ? w->n : 0, NULL);
}

/* Runs a scan if there are no bins, else a distribution over bins. */
static bool words_run(property_draw *draw, words *w)
{
    mote_call call;
    cl_event done = NULL;
    mote_status status =
        mote_call_begin(&call, "draw", draw->ctx, draw->queue, false, 0, NULL, &done);
    bool good = true;

    if (!status)
        status = mote_call_end(&call, w->bins ? bin(&call, w) : scan(&call, w));
    if (status) {
        snprintf(draw->message, sizeof(draw->message), "%s", mote_last_error());
        return false;
    }
    if (w->bins)
        good = expect_bins(w);
    else
        expect_scan(w);
    for (int k = 0; good && k < 2; k++)
        good = mote_guard_unchanged(&w->to[k], draw->queue, w->expected[k], done != NULL,
                                    done ? &done : NULL, draw->message, sizeof(draw->message));
    good = good && mote_guard_unchanged(&w->from, draw->queue, w->in, done != NULL,
                                        done ? &done : NULL, draw->message, sizeof(draw->message));
    if (done)
        clReleaseEvent(done);
    return good;
}

static bool draw_words(property_draw *draw, bool bins)
{
    words w = {.n = draw_size(&draw->rng)};

    if (bins)
        w.bins = 1 + mote_rng_below(&draw->rng, (uint32_t)1 << mote_rng_below(&draw->rng, 18));
    bool good = words_make(draw, &w) && words_run(draw, &w);
    size_t used = strlen(draw->message);

    if (!good)
        snprintf(draw->message + used, sizeof(draw->message) - used, " (%s of %zu, %u bins)",
                 bins ? "bins" : "scan", w.n, (unsigned)w.bins);
    mote_guard_release(&w.from);
    mote_guard_release(&w.to[0]);
    mote_guard_release(&w.to[1]);
    free(w.in);
    free(w.expected[0]);
    free(w.expected[1]);
    return good;
}

static bool draw(property_draw *draw)
{
    bool has_fp64 = mote_reduce_has_fp64(draw->ctx);
    uint32_t what = mote_rng_below(&draw->rng, 10);
    mote_rng shared;
    family f = {0};

    mote_rng_seed(&shared, draw->seed / PROPERTY_DRAWS_A_CONTEXT);
    for (uint32_t k = 0, last = mote_rng_below(&draw->rng, FAMILIES); k <= last; k++)
        f = draw_family(&shared, has_fp64);
    return what < 8 ? draw_sum(draw, &f) : draw_words(draw, what == 9);
}

int main(int argc, char **argv)
{
    const property_area area = {"reduce", tune, draw};
    return property_main(argc, argv, &area);
}
