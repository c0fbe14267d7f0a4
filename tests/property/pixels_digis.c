/* SPDX-License-Identifier: Apache-2.0 */
#include "property/pixels.h"

#include <stdlib.h>

#include "testkit/cases/pixels/decode.h"
#include "testkit/cases/pixels/patterns.h"

#define MOST_SLOTS   ((size_t)200000)
#define MOST_PATTERN 12000 /* most pixels of a module that a pattern fills */

/* Draws the number of digis of a module, often near the size of a band, strip, tile or pack, or
 * near the capacity of a work-item's memory. */
static uint32_t draw_count(mote_rng *rng, uint32_t most)
{
    static const uint32_t borders[] = {0,    1,    2,    7,    8,    9,    15,   16,   17,   31,
                                       32,   33,   63,   64,   65,   127,  128,  129,  191,  255,
                                       256,  257,  511,  512,  513,  767,  1023, 1024, 1025, 2048,
                                       3072, 6143, 6144, 6145, 8191, 8192, 8193, 9000};
    uint32_t count = pixels_once(rng, 2) ? PIXELS_ONE_OF(rng, borders) : mote_rng_below(rng, 40);
    return count < most ? count : mote_rng_below(rng, most + 1);
}

/* Draws a charge of any magnitude. */
static uint32_t draw_adc(mote_rng *rng, const mote_digis *digis)
{
    uint32_t most = digis->adc_type == MOTE_UINT16 ? UINT16_MAX : UINT32_MAX;
    uint32_t kind = mote_rng_below(rng, 16);
    if (kind == 0)
        return most - mote_rng_below(rng, 2);
    return kind == 1 ? 0 : mote_rng_below(rng, 3000);
}

/* Adds `count` digis of a module at random pixels, either of the whole module (sparse) or of a
 * small window (dense, with duplicates). */
static void push_window(mote_rng *rng, mote_digis *digis, uint32_t module, uint32_t count)
{
    uint32_t rows = digis->rows, columns = digis->columns, x = 0, y = 0;
    if (pixels_once(rng, 2)) { /* a window with about as many pixels as digis */
        uint32_t side = 1;
        while ((uint64_t)side * side < (uint64_t)count * (1 + mote_rng_below(rng, 3)))
            side++;
        uint32_t high = side < rows ? side : rows, wide = side < columns ? side : columns;
        x = mote_rng_below(rng, rows - high + 1);
        y = mote_rng_below(rng, columns - wide + 1);
        rows = high;
        columns = wide;
    }
    for (uint32_t i = 0; i < count; i++)
        mote_digis_push(digis, module, x + mote_rng_below(rng, rows),
                        y + mote_rng_below(rng, columns), draw_adc(rng, digis));
}

/* Adds digis along a random path of neighbouring pixels. */
static void push_path(mote_rng *rng, mote_digis *digis, uint32_t module, uint32_t count)
{
    uint32_t x = mote_rng_below(rng, digis->rows), y = mote_rng_below(rng, digis->columns);
    for (uint32_t i = 0; i < count; i++) {
        mote_digis_push(digis, module, x, y, draw_adc(rng, digis));
        uint32_t step = mote_rng_below(rng, 4);
        if (step < 2)
            x = step ? (x + 1 < digis->rows ? x + 1 : x) : (x ? x - 1 : x);
        else
            y = step > 2 ? (y + 1 < digis->columns ? y + 1 : y) : (y ? y - 1 : y);
    }
}

static void push_module(mote_rng *rng, mote_digis *digis, uint32_t module, uint32_t most)
{
    size_t first = digis->n;
    bool small =
        (uint64_t)digis->rows * digis->columns <= (most < MOST_PATTERN ? most : MOST_PATTERN);
    uint32_t count = draw_count(rng, most);
    if (small && pixels_once(rng, 3))
        mote_pattern_push(digis, module, (mote_pattern)mote_rng_below(rng, MOTE_PATTERNS), rng);
    else if (pixels_once(rng, 4))
        push_path(rng, digis, module, count);
    else
        push_window(rng, digis, module, count);
    for (size_t i = first; pixels_once(rng, 3) && i < digis->n; i++)
        if (pixels_once(rng, 20))
            mote_digis_push_invalid(digis);
    if (digis->n > first && pixels_once(rng, 4)) { /* duplicates */
        uint32_t again = mote_rng_below(rng, 20);
        while (again-- > 0) {
            size_t i = first + mote_rng_below(rng, (uint32_t)(digis->n - first));
            mote_digis_push(digis, digis->module_id[i], digis->x[i], digis->y[i],
                            draw_adc(rng, digis));
        }
    }
    mote_digis_shuffle(digis, first, digis->n, rng);
}

/* Adds an event with few or many consecutive modules, each of them once. */
static void push_event(mote_rng *rng, mote_digis *digis, uint32_t most)
{
    uint32_t modules = digis->n_modules,
             used = 1 + mote_rng_below(rng, pixels_once(rng, 3) ? 200 : 8);
    uint32_t module = pixels_once(rng, 3) ? modules - 1 : mote_rng_below(rng, modules);
    size_t first = digis->n;
    used = used < modules ? used : modules;
    for (; pixels_once(rng, 3) && digis->n < first + most / 2;)
        mote_digis_push_invalid(digis);
    for (uint32_t m = 0; m < used && digis->n < first + most; m++) {
        push_module(rng, digis, module, (uint32_t)(most - (digis->n - first)));
        module = module ? module - 1 : modules - 1;
    }
    mote_digis_end_event(digis);
}

static void draw_topology(mote_rng *rng, const pixels_epoch *epoch, bool large, mote_digis *digis)
{
    static const uint32_t sides[] = {1,  2,  3,  7,   8,   9,   31,  32,  33,
                                     63, 64, 65, 100, 160, 255, 256, 257, 416};
    static const uint32_t counts[] = {1, 2, 3, 15, 100, 1856, 2000, 4095, 4096, 6144, 6145, 60000};
    uint32_t rows = PIXELS_ONE_OF(rng, sides), columns = PIXELS_ONE_OF(rng, sides);
    if (pixels_once(rng, 12))
        rows = pixels_once(rng, 2) ? 65536 : 4000;
    if (pixels_once(rng, 12))
        columns = pixels_once(rng, 2) ? 65536 : 4000;
    /* The mask needs a bit for each pixel of each module, so modules are small and few with a
     * mask. */
    uint32_t modules = PIXELS_ONE_OF(rng, counts);
    if (epoch->mask && (uint64_t)rows * columns > 20000)
        rows = 160, columns = 64;
    if (epoch->mask && modules > 100)
        modules = 100;
    if (large)
        rows = 160, columns = 416, modules = pixels_once(rng, 2) ? 1856 : 15;
    mote_digis_init(digis, modules, rows, columns);
    digis->adc_type = epoch->adc == MOTE_UINT32 ? MOTE_UINT32 : MOTE_UINT16;
    if (epoch->id == MOTE_UINT32) {
        digis->module_type = MOTE_UINT32;
        digis->invalid_module_id = MOTE_PIXELS_INVALID_MODULE_U32;
    }
    if (pixels_once(rng, 4)) /* an invalid id among the modules' numbers, or above them */
        digis->invalid_module_id = 1 + mote_rng_below(rng, modules + 5);
}

/* Adds digis in all modules, enough for the kernels for large batches. */
static void push_large(mote_rng *rng, mote_digis *digis, bool contiguous)
{
    uint32_t modules = digis->n_modules, each = (100000 + mote_rng_below(rng, 500000)) / modules;
    for (uint32_t m = 0; m < modules; m++)
        for (uint32_t i = 0; i < each; i++)
            mote_digis_push(digis, contiguous ? m : mote_rng_below(rng, modules),
                            mote_rng_below(rng, digis->rows), mote_rng_below(rng, digis->columns),
                            mote_rng_below(rng, 3000));
    mote_digis_end_event(digis);
}

bool pixels_draw_digis(mote_rng *rng, const pixels_epoch *epoch, bool large,
                       const mote_pixels_options *options, mote_digis *digis)
{
    static const uint32_t counts[] = {1, 1, 1, 2, 3, 17, 64, 300};
    bool contiguous = options->order == MOTE_ORDER_CONTIGUOUS;
    draw_topology(rng, epoch, large, digis);
    uint32_t events = large ? 1 : PIXELS_ONE_OF(rng, counts);
    while ((uint64_t)events * digis->n_modules > MOST_SLOTS)
        events = events / 2 + 1;
    for (uint32_t e = 0; e < events; e++)
        if (large)
            push_large(rng, digis, contiguous);
        else
            push_event(rng, digis, pixels_once(rng, 8) ? 20000 / events : 1500 / events + 1);
    if (!contiguous && pixels_once(rng, 2))
        mote_digis_permute(digis, mote_rng_next(rng), NULL);
    return !digis->failed;
}

static void draw_cuts(mote_rng *rng, const mote_digis *digis, mote_pixels_options *o)
{
    static const uint64_t cuts[] = {1, 2000, 4000, 65535, 65536, 100000, UINT64_C(1) << 40};
    o->charge_cut = PIXELS_ONE_OF(rng, cuts);
    if (pixels_once(rng, 3)) {
        o->charge_cut_inner = PIXELS_ONE_OF(rng, cuts);
        o->inner_modules = mote_rng_below(rng, digis->n_modules) + 1;
    }
    if (pixels_once(rng, 3) && !o->charge_cut_inner) {
        o->charge_cut = 0;
        o->charge_cuts = malloc(digis->n_modules * sizeof(uint32_t));
        for (uint32_t m = 0; o->charge_cuts && m < digis->n_modules; m++)
            o->charge_cuts[m] = mote_rng_below(rng, 6000);
    }
}

static void draw_lines(mote_rng *rng, const mote_digis *digis, mote_pixels_options *o)
{
    static const float gains[] = {1.0f, 0.5f, 1.37f, 0.0f, -1.0f, 1e-38f, 1e7f};
    static const float pedestals[] = {0.0f, 100.0f, -77.25f, 3000.0f, 1e-39f};
    uint32_t kinds = 1 + mote_rng_below(rng, 3);
    o->gain = kinds & 1 ? malloc(digis->n_modules * sizeof(float)) : NULL;
    o->pedestal = kinds & 2 ? malloc(digis->n_modules * sizeof(float)) : NULL;
    for (uint32_t m = 0; m < digis->n_modules; m++) {
        if (o->gain)
            o->gain[m] = PIXELS_ONE_OF(rng, gains);
        if (o->pedestal)
            o->pedestal[m] = PIXELS_ONE_OF(rng, pedestals);
    }
    o->charge_min = pixels_once(rng, 2) ? mote_rng_below(rng, 200) : 0;
}

bool pixels_draw_options(mote_rng *rng, const pixels_epoch *epoch, const mote_digis *digis,
                         mote_pixels_options *o)
{
    static const uint32_t thresholds[] = {1, 100, 1500, 65535, 65536};
    bool charges = epoch->adc != MOTE_TYPE_NONE;
    o->duplicates = epoch->duplicates;
    o->without_adc = !charges;
    o->connectivity = 4 * mote_rng_below(rng, 3);
    o->invalid_cluster_id = pixels_once(rng, 2) ? 0 : -9999;
    o->weight = charges ? (mote_pixels_weight)mote_rng_below(rng, 2) : MOTE_PIXELS_WEIGHT_NONE;
    o->local = pixels_once(rng, 3);
    o->float_numbers = pixels_once(rng, 2);
    if (charges && pixels_once(rng, 4))
        o->adc_threshold = PIXELS_ONE_OF(rng, thresholds);
    if (charges && epoch->cuts)
        draw_cuts(rng, digis, o);
    if (charges && epoch->lines)
        draw_lines(rng, digis, o);
    if (epoch->mask) {
        size_t words = mote_case_mask_words(digis);
        o->mask = malloc(words * sizeof(uint32_t));
        for (size_t k = 0; o->mask && k < words; k++)
            o->mask[k] = pixels_once(rng, 3)
                             ? (uint32_t)mote_rng_next(rng) & (uint32_t)mote_rng_next(rng)
                             : 0;
    }
    return !epoch->mask || o->mask;
}

void pixels_spoil(mote_rng *rng, mote_digis *digis)
{
    uint32_t kind = mote_rng_below(rng, 4);
    if (digis->n == 0)
        kind = 3;
    size_t i = digis->n ? mote_rng_below(rng, (uint32_t)digis->n) : 0;
    if (kind == 0)
        digis->module_id[i] =
            digis->n_modules +
            mote_rng_below(rng, pixels_once(rng, 2) ? 2 : UINT16_MAX - digis->n_modules);
    else if (kind == 1 && digis->rows < 65536)
        digis->x[i] = (uint16_t)(digis->rows + mote_rng_below(rng, 65536 - digis->rows));
    else if (kind == 2 && digis->columns < 65536)
        digis->y[i] = (uint16_t)(digis->columns + mote_rng_below(rng, 65536 - digis->columns));
    else if (kind == 3)
        digis->event_offsets[mote_rng_below(rng, (uint32_t)digis->n_events + 1)] =
            mote_rng_below(rng, (uint32_t)digis->n + 3);
}
