/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <stdio.h>

#include "cases/pixels/cases.h"

enum { AUTO, UNION_FIND, HISTOGRAM, APART };

/* What decides which kernels a case needs. */
typedef struct kernels {
    mote_pixels_order order;
    mote_pixels_duplicates duplicates;
    bool wide, cut, large;
} kernels;

#define MOST_KERNELS 4

/* How each line computes, and the kernels it may need. */
static const struct {
    mote_pixels_strategy strategy;
    unsigned how;
    kernels with[MOST_KERNELS];
    size_t n;
} ways[] = {
    [AUTO] = {MOTE_PIXELS_AUTO,
              0,
              {{MOTE_ORDER_ANY, MOTE_DUPLICATES_DROP, false, false, false},
               {MOTE_ORDER_ANY, MOTE_DUPLICATES_SUM, false, false, false},
               {MOTE_ORDER_ANY, MOTE_DUPLICATES_DROP, true, true, true},
               {MOTE_ORDER_CONTIGUOUS, MOTE_DUPLICATES_DROP, false, false, false}},
              4},
    [UNION_FIND] = {MOTE_PIXELS_UNION_FIND,
                    0,
                    {{MOTE_ORDER_ANY, MOTE_DUPLICATES_DROP, false, false, false},
                     {MOTE_ORDER_CONTIGUOUS, MOTE_DUPLICATES_DROP, false, false, false}},
                    2},
    [HISTOGRAM] = {MOTE_PIXELS_HISTOGRAM,
                   0,
                   {{MOTE_ORDER_ANY, MOTE_DUPLICATES_DROP, false, false, false}},
                   1},
    [APART] = {MOTE_PIXELS_AUTO,
               MOTE_RUN_APART,
               {{MOTE_ORDER_ANY, MOTE_DUPLICATES_DROP, false, true, false}},
               1},
};

static kernels kernels_of(const mote_digis *digis, const mote_pixels_options *options)
{
    return (kernels){.order = options->order,
                     .duplicates = options->duplicates,
                     .wide = digis->module_type == MOTE_UINT32 || digis->adc_type == MOTE_UINT32,
                     .cut =
                         options->charge_cut || options->charge_cut_inner || options->charge_cuts,
                     .large = (uint64_t)digis->rows * digis->columns > 1u << 20};
}

static bool may_need(int which, kernels k)
{
    for (size_t i = 0; i < ways[which].n; i++) {
        const kernels *w = &ways[which].with[i];
        if (w->order == k.order && w->duplicates == k.duplicates && w->wide == k.wide &&
            w->cut == k.cut && (w->large || !k.large))
            return true;
    }
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
    {"pixels cluster, auto", AUTO, count, check},
    {"pixels cluster, union_find", UNION_FIND, count, check},
    {"pixels cluster, histogram", HISTOGRAM, count, check},
    {"pixels charge_cut, cluster_start", APART, count, check},
    {NULL, 0, NULL, NULL},
};
