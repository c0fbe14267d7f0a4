/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <stdio.h>

#include "testkit/cases/pixels/cases.h"

enum { AUTO, UNION_FIND, HISTOGRAM, DECODED, APART };

/* What decides which kernels a case needs. */
typedef struct kernels {
    mote_pixels_order order;
    bool plain; /* repeated pixels are dropped, ids have 16 bits */
    bool wide;  /* charges of 32 bits */
    bool cut;
    bool large;   /* for a set: has large modules; for a line: needs both kinds of sets */
    bool decoded; /* dead pixels, or charges of adc counts */
} kernels;

static const kernels in_any_order = {.order = MOTE_ORDER_ANY, .plain = true};
static const kernels in_order = {.order = MOTE_ORDER_CONTIGUOUS, .plain = true};
static const kernels with_cut = {.order = MOTE_ORDER_ANY, .plain = true, .cut = true};
static const kernels with_wide_cut = {
    .order = MOTE_ORDER_ANY, .plain = true, .wide = true, .cut = true, .large = true};
static const kernels decoded = {
    .order = MOTE_ORDER_ANY, .plain = true, .cut = true, .decoded = true};

#define MOST_KERNELS 3

/* How each line computes, and the kernels it may need. */
static const struct {
    mote_pixels_strategy strategy;
    unsigned how;
    const kernels *with[MOST_KERNELS + 1];
} ways[] = {
    [AUTO] = {MOTE_PIXELS_AUTO, 0, {&in_any_order, &in_order, &with_wide_cut}},
    [UNION_FIND] = {MOTE_PIXELS_UNION_FIND, 0, {&in_any_order, &in_order}},
    [HISTOGRAM] = {MOTE_PIXELS_HISTOGRAM, 0, {&in_any_order}},
    [DECODED] = {MOTE_PIXELS_AUTO, 0, {&decoded}},
    [APART] = {MOTE_PIXELS_AUTO, MOTE_RUN_APART, {&with_cut}},
};

static kernels kernels_of(const mote_digis *digis, const mote_pixels_options *options)
{
    return (kernels){
        .order = options->order,
        .plain = options->duplicates == MOTE_DUPLICATES_DROP && digis->module_type != MOTE_UINT32,
        .wide = digis->adc_type == MOTE_UINT32,
        .cut = options->charge_cut || options->charge_cut_inner || options->charge_cuts,
        .large = (uint64_t)digis->rows * digis->columns > 1u << 20,
        .decoded = options->mask || options->gain};
}

static bool may_need(int which, kernels k)
{
    for (const kernels *const *w = ways[which].with; *w; w++)
        if ((*w)->order == k.order && (*w)->plain == k.plain && (*w)->wide == k.wide &&
            (*w)->cut == k.cut && (*w)->decoded == k.decoded && ((*w)->large || !k.large))
            return true;
    return false;
}

/* A cut by its own call means the same as the fused one only when the labels tell which charges
 * count. */
static bool belongs(int which, const mote_digis *digis, const mote_pixels_options *options)
{
    uint32_t index;
    if (!may_need(which, kernels_of(digis, options)))
        return false;
    return which != APART || mote_pixels_find_error(digis, options, &index) == MOTE_SUCCESS;
}

static size_t count(int which)
{
    (void)which;
    return mote_pixels_case_count();
}

static selftest_outcome check(selftest_device *device, int which, size_t k)
{
    const mote_pixels_case *each = mote_pixels_case_at(k);
    mote_digis digis;
    mote_pixels_options options;
    if (!each->small)
        return SELFTEST_NOT_HERE;
    if (mote_pixels_case_make(each, &digis, &options)) {
        bool here = belongs(which, &digis, &options);
        mote_digis_free(&digis);
        mote_pixels_options_free(&options);
        if (!here)
            return SELFTEST_NOT_HERE;
    }
    char message[400];
    if (mote_pixels_case_check(device->ctx, device->queue, each, ways[which].strategy,
                               ways[which].how, message, sizeof(message)))
        return SELFTEST_AGREES;
    snprintf(device->message, sizeof(device->message), "case %s: %s", each->name, message);
    return SELFTEST_DIFFERS;
}

const selftest_line selftest_pixels[] = {
    {"pixels cluster, auto", AUTO, count, check, false},
    {"pixels cluster, union_find", UNION_FIND, count, check, true},
    {"pixels cluster, histogram", HISTOGRAM, count, check, true},
    {"pixels cluster, dead pixels", DECODED, count, check, true},
    {"pixels charge_cut, cluster_start", APART, count, check, true},
    {NULL, 0, NULL, NULL, false},
};
