/* SPDX-License-Identifier: Apache-2.0 */
#include "core/check.h"
#include "core/error.h"
#include "core/fail.h"
#include "core/log.h"
#include "core/size.h"
#include "core/tune.h"
#include "mote/histogram.h"
#include "operations.h"
#include "reduce/reductions.h"
#include "reduce/sum_plan.h"
#include "shared/histogram.h"

#include "cl_sources.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define GROUP         ((size_t)512)
#define GROUPS_A_UNIT ((size_t)4)

/* Groups that count run at once: more of them do not fit the registers of NVIDIA's units. */
#define COUNTING_A_UNIT ((size_t)3)

#define ITEMS_PER_UNIT ((size_t)4)       /* CPU form */
#define ITEM_LEAST     ((size_t)4096)    /* CPU form: values, and four for each of its bins */
#define EDGES_A_GROUP  ((size_t)2048)    /* for one part of the edges */
#define MOST_COUNTED   ((size_t)1 << 31) /* by words of 32 bits, which must not wrap */
#define MOST_BINS      ((size_t)INT32_MAX - 1)

#define REALS (MOTE_TYPE_BIT(MOTE_FLOAT32) | MOTE_TYPE_BIT(MOTE_FLOAT64))

typedef struct plan {
    mote_histogram_args args;
    mote_type values, edges, weights; /* types of kernels; NONE: regular edges, no weights */
    bool cpu;
    size_t n, bins;
    size_t local, each, groups; /* each: values of a group, or of a work-item in the CPU form */
    size_t copies;              /* of all sums, in scratch */
    size_t parts;               /* of the edges */
    size_t sum_words;           /* of all sums and flags, which are zeroed */
    mote_view keys, state, sums, flags; /* scratch; flags lie behind the sums */
} plan;

/* ---- arguments ------------------------------------------------------------------------------- */

static mote_status check_views(const mote_call *call, const mote_histogram_args *a)
{
    uint32_t edges = a->values.type ? REALS | mote_type_in(MOTE_REDUCTION_VALUES, a->values.type)
                                    : MOTE_REDUCTION_VALUES;
    uint32_t results = a->weights.type   ? mote_type_in(REALS, a->weights.type)
                       : a->values.count ? MOTE_TYPE_BIT(MOTE_INT64)
                                         : REALS | MOTE_TYPE_BIT(MOTE_INT64);
    const mote_view_rule views[] = {
        {"values", &a->values, MOTE_REDUCTION_VALUES, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"edges", &a->edges, edges, a->result.count + 1, VIEW_EXACT | VIEW_OPTIONAL},
        {"weights", &a->weights, REALS, a->values.count, VIEW_EXACT | VIEW_OPTIONAL},
        {"result", &a->result, results, VIEW_ANY_COUNT, VIEW_WRITES},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static mote_status check_bins(const mote_call *call, const mote_histogram_args *a)
{
    if (a->result.count == 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: result has no elements, but must have one for each of 1 bin or more",
                         call->name);
    if (a->result.count > MOST_BINS)
        return mote_fail(MOTE_ERROR_UNSUPPORTED, "%s: %zu bins: a call takes fewer than 2^31 - 1",
                         call->name, a->result.count);
    if (a->edges.type == MOTE_TYPE_NONE && !(a->low < a->high && isfinite(a->high - a->low)))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: without edges, low = %g and high = %g must be finite, low below "
                         "high, and their difference finite",
                         call->name, a->low, a->high);
    return MOTE_SUCCESS;
}

static mote_status check_fp64(const mote_call *call, const plan *p)
{
    const char *what = p->values == MOTE_FLOAT64    ? "values is float64"
                       : p->edges == MOTE_FLOAT64   ? "edges is float64"
                       : p->edges == MOTE_TYPE_NONE ? "edges is NULL"
                       : p->weights == MOTE_FLOAT64 ? "weights is float64"
                                                    : NULL;
    if (!what || mote_reduce_has_fp64(call->ctx))
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_UNSUPPORTED,
                     "%s: %s, but %s has no double precision: use arrays of float32, also of edges",
                     call->name, what, call->ctx->device.name);
}

/* ---- plan ------------------------------------------------------------------------------------ */

/* The CPU form has sums for each work-item; a work-item has enough values to be worth them. */
static void choose_cpu_form(const mote_context *ctx, plan *p)
{
    size_t most = ITEMS_PER_UNIT * ctx->device.compute_units;
    size_t worth = p->n / max_size(ITEM_LEAST, 4 * p->bins);
    p->local = 1;
    p->groups = max_size(clamp(worth, 1, most), div_ceil(p->n, MOST_COUNTED));
    p->each = div_ceil(p->n, p->groups);
    p->copies = p->groups;
    p->parts = clamp(p->bins / EDGES_A_GROUP, 1, min_size(most, MOTE_HISTOGRAM_MOST_PARTS));
}

static void choose_gpu_form(const mote_context *ctx, plan *p)
{
    p->local =
        mote_tune_size(ctx, "reduce.histogram_group", min_size(ctx->device.max_work_group, GROUP),
                       1, min_size(ctx->device.max_work_group, GROUP));
    size_t tile = p->local * MOTE_HISTOGRAM_ROWS;
    size_t most = (p->weights ? GROUPS_A_UNIT : COUNTING_A_UNIT) * ctx->device.compute_units;
    size_t groups =
        max_size(clamp(div_ceil(p->n, tile), 1, most), div_ceil(p->n, MOST_COUNTED / 2));
    p->each = max_size(div_ceil(div_ceil(p->n, tile), groups), 1) * tile;
    p->groups = max_size(div_ceil(p->n, p->each), 1);
    p->copies = p->weights ? 1 : max_size(div_ceil(p->n, MOST_COUNTED), 1);
    p->parts = clamp(p->bins / EDGES_A_GROUP, 1, MOTE_HISTOGRAM_MOST_PARTS);
}

/* Of all copies of the sums; see cl/reduce/histogram_cpu.cl. */
static size_t words_of_sums(const plan *p)
{
    return p->copies * (p->bins + (p->cpu ? 2 : 0)) * (p->weights ? 2 : 1);
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_histogram_args *a = &p->args;
    mote_status st = check_views(call, a);
    if (!st)
        st = check_bins(call, a);
    if (st)
        return st;
    p->n = a->values.count;
    p->bins = a->result.count;
    p->edges = a->edges.type;
    p->values = a->values.type ? a->values.type : p->edges ? p->edges : MOTE_FLOAT32;
    p->weights = a->result.type == MOTE_INT64 ? MOTE_TYPE_NONE : a->result.type;
    st = check_fp64(call, p);
    if (st)
        return st;
    p->cpu = mote_tune_form(call->ctx, "reduce.form") == MOTE_DEVICE_CPU;
    if (p->cpu)
        choose_cpu_form(call->ctx, p);
    else
        choose_gpu_form(call->ctx, p);
    p->sum_words = words_of_sums(p) + (p->weights ? p->bins : 0);
    mote_log(MOTE_LOG_DEBUG,
             "%s: %s form, %zu values, %zu bins, %zu groups of %zu, %zu copies of the sums",
             call->name, p->cpu ? "CPU" : "GPU", p->n, p->bins, p->groups, p->local, p->copies);
    return MOTE_SUCCESS;
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    (void)call;
    p->keys =
        mote_carve_take(carve, p->bins + 2, p->values == MOTE_FLOAT16 ? MOTE_FLOAT32 : p->values);
    p->state = mote_carve_take(carve, MOTE_HISTOGRAM_PART(p->parts), MOTE_UINT32);
    p->sums = mote_carve_take(carve, p->sum_words, MOTE_UINT32);
    p->flags = p->sums;
    p->flags.offset += words_of_sums(p);
}

/* ---- launches -------------------------------------------------------------------------------- */

static void begin(mote_launch *launch, mote_call *call, const plan *p, const char *kernel)
{
    char defines[96];
    int used = snprintf(defines, sizeof(defines), "-DVALUES=%d -DEDGES=%d -DWEIGHTS=%d",
                        (int)p->values, (int)p->edges, (int)p->weights);
    if (!p->cpu)
        snprintf(defines + used, sizeof(defines) - (size_t)used, " -DWG=%zu", p->local);
    mote_launch_begin(launch, call,
                      p->cpu ? &mote_cl_reduce_histogram_cpu : &mote_cl_reduce_histogram, defines,
                      kernel);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static mote_status launch_prepare(mote_call *call, const plan *p)
{
    const mote_histogram_args *a = &p->args;
    mote_launch launch;
    begin(&launch, call, p, "histogram_prepare");
    mote_launch_view(&launch, "edges", &a->edges);
    mote_launch_u64(&launch, "low", bits_of(a->low));
    mote_launch_u64(&launch, "high", bits_of(a->high));
    mote_launch_u64(&launch, "step", bits_of((a->high - a->low) / (double)p->bins));
    mote_launch_u32(&launch, "bins", (uint32_t)p->bins);
    mote_launch_view(&launch, "keys", &p->keys);
    mote_launch_view(&launch, "state", &p->state);
    mote_launch_view(&launch, "sums", &p->sums);
    mote_launch_u64(&launch, "sum_words", p->sum_words);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(&launch, (p->bins + 1) * mote_type_size(a->edges.type));
    return mote_launch_run(&launch, p->parts, p->local);
}

static mote_status launch_exponent(mote_call *call, const plan *p)
{
    mote_launch launch;
    begin(&launch, call, p, "histogram_exponent");
    mote_launch_view(&launch, "weights", &p->args.weights);
    mote_launch_u64(&launch, "n", p->n);
    mote_launch_view(&launch, "state", &p->state);
    mote_launch_bytes(&launch, (uint64_t)p->n * mote_type_size(p->weights));
    return mote_launch_run(&launch, p->groups, p->local);
}

/* Returns the logarithm of the number of weights, rounded up. */
static uint32_t extra_bits(size_t n)
{
    uint32_t bits = 0;
    while (bits < 62 && (size_t)1 << bits < n)
        bits++;
    return bits;
}

static mote_status launch_count(mote_call *call, const plan *p)
{
    const mote_histogram_args *a = &p->args;
    mote_launch launch;
    begin(&launch, call, p, "histogram_count");
    mote_launch_view(&launch, "values", &a->values);
    mote_launch_u64(&launch, "n", p->n);
    mote_launch_u64(&launch, "each", p->each);
    if (p->weights) {
        mote_launch_view(&launch, "weights", &a->weights);
        mote_launch_u32(&launch, "extra", extra_bits(p->n));
        mote_launch_view(&launch, "flags", &p->flags);
    }
    mote_launch_u32(&launch, "bins", (uint32_t)p->bins);
    mote_launch_view(&launch, "keys", &p->keys);
    mote_launch_view(&launch, "state", &p->state);
    mote_launch_u32(&launch, "parts", (uint32_t)p->parts);
    mote_launch_u32(&launch, "groups_a_copy", (uint32_t)div_ceil(p->groups, p->copies));
    mote_launch_view(&launch, "sums", &p->sums);
    mote_launch_bytes(&launch,
                      p->n * (uint64_t)(mote_type_size(p->values) + mote_type_size(p->weights)));
    return mote_launch_run(&launch, p->groups, p->local);
}

static mote_status launch_finish(mote_call *call, const plan *p)
{
    mote_launch launch;
    size_t most = GROUPS_A_UNIT * call->ctx->device.compute_units;
    begin(&launch, call, p, "histogram_finish");
    mote_launch_u32(&launch, "bins", (uint32_t)p->bins);
    mote_launch_u32(&launch, "copies", (uint32_t)p->copies);
    mote_launch_view(&launch, "sums", &p->sums);
    if (p->cpu || p->weights)
        mote_launch_view(&launch, "state", &p->state);
    if (p->cpu)
        mote_launch_u32(&launch, "parts", (uint32_t)p->parts);
    if (p->weights) {
        mote_launch_view(&launch, "flags", &p->flags);
        mote_launch_u32(&launch, "extra", extra_bits(p->n));
    }
    mote_launch_view(&launch, "result", &p->args.result);
    mote_launch_bytes(&launch, (uint64_t)p->bins * sizeof(int64_t));
    mote_launch_last(&launch);
    return mote_launch_run(
        &launch, min_size(div_ceil(p->bins, p->cpu ? EDGES_A_GROUP : p->local), most), p->local);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    assert(p->each * p->groups >= p->n && p->groups <= UINT32_MAX);
    mote_status st = mote_error_clear(call);
    if (!st)
        st = launch_prepare(call, p);
    if (!st && p->n && p->weights)
        st = launch_exponent(call, p);
    if (!st && p->n)
        st = launch_count(call, p);
    return st ? st : launch_finish(call, p);
}

const mote_descriptor mote_histogram_operation = {
    MOTE_DESCRIBE(mote_histogram, mote_histogram_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_histogram_args),
    MOTE_DESCRIBE_ERROR(mote_histogram_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_histogram, mote_histogram_args, mote_histogram_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_histogram_workspace_size, mote_histogram_args,
                           mote_histogram_operation)
