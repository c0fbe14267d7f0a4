/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/pixels/draw.h"

#include <stdlib.h>

#include "testkit/cases/pixels/decode.h"
#include "testkit/cases/pixels/patterns.h"

#define MOST_SLOTS   ((size_t)200000)
#define MOST_PATTERN 12000           /* most pixels of a module that a pattern fills */
#define LARGE        ((size_t)50000) /* digis of a batch that is spread over all modules */

#define ONE_OF(rng, array) (array)[mote_rng_below(rng, sizeof(array) / sizeof((array)[0]))]

/* True with a probability of 1/times. */
static bool once(mote_rng *rng, uint32_t times)
{
    return mote_rng_below(rng, times) == 0;
}

/* Draws the number of digis of a module, often near the size of a band, strip, tile or pack, or
 * near the capacity of a work-item's memory. */
static uint32_t draw_count(mote_rng *rng, uint32_t most)
{
    static const uint32_t borders[] = {0,    1,    2,    7,    8,    9,    15,   16,   17,   31,
                                       32,   33,   63,   64,   65,   127,  128,  129,  191,  255,
                                       256,  257,  511,  512,  513,  767,  1023, 1024, 1025, 2048,
                                       3072, 6143, 6144, 6145, 8191, 8192, 8193, 9000};
    uint32_t count = once(rng, 2) ? ONE_OF(rng, borders) : mote_rng_below(rng, 40);
    return count < most ? count : mote_rng_below(rng, most + 1);
}

/* Draws a charge of any magnitude. */
static uint32_t draw_adc(mote_rng *rng, const mote_digis *digis)
{
    uint32_t most = digis->adc_type == MOTE_UINT16 ? UINT16_MAX : UINT32_MAX;
    uint32_t kind = mote_rng_below(rng, 16);
    if (kind == 0)
        return most - mote_rng_below(rng, 2);
    if (kind < 4)
        return (uint32_t)mote_rng_next(rng) & most >> mote_rng_below(rng, 16);
    return kind == 4 ? 0 : mote_rng_below(rng, 3000);
}

/* Adds `count` digis of a module at random pixels, either of the whole module (sparse) or of a
 * small window (dense, with duplicates). */
static void push_window(mote_rng *rng, mote_digis *digis, uint32_t module, uint32_t count)
{
    uint32_t rows = digis->rows, columns = digis->columns, x = 0, y = 0;
    if (once(rng, 2)) { /* a window with about as many pixels as digis */
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

/* Adds up to `most` digis of a module, and invalid ones among them. */
static void push_module(mote_rng *rng, mote_digis *digis, uint32_t module, size_t most)
{
    size_t first = digis->n, end = first + most;
    bool small =
        (uint64_t)digis->rows * digis->columns <= (most < MOST_PATTERN ? most : MOST_PATTERN);
    uint32_t count = draw_count(rng, (uint32_t)most);
    if (small && once(rng, 3))
        mote_pattern_push(digis, module, (mote_pattern)mote_rng_below(rng, MOTE_PATTERNS), rng);
    else if (once(rng, 4))
        push_path(rng, digis, module, count);
    else
        push_window(rng, digis, module, count);
    for (size_t i = first; once(rng, 3) && i < digis->n && digis->n < end; i++)
        if (once(rng, 20))
            mote_digis_push_invalid(digis);
    if (digis->n > first && once(rng, 4)) { /* duplicates */
        for (uint32_t again = mote_rng_below(rng, 20); again > 0 && digis->n < end; again--) {
            size_t i = first + mote_rng_below(rng, (uint32_t)(digis->n - first));
            mote_digis_push(digis, digis->module_id[i], digis->x[i], digis->y[i],
                            draw_adc(rng, digis));
        }
    }
    mote_digis_shuffle(digis, first, digis->n, rng);
}

/* Adds an event of `n` digis. Few or many consecutive modules have digis, and the digis of each
 * module are contiguous. The remaining digis are invalid. */
static void push_event(mote_rng *rng, mote_digis *digis, size_t n)
{
    uint32_t modules = digis->n_modules, used = 1 + mote_rng_below(rng, once(rng, 3) ? 200 : 8);
    uint32_t module = once(rng, 3) ? modules - 1 : mote_rng_below(rng, modules);
    size_t first = digis->n, end = first + n;
    bool whole = !once(rng, 4); /* use more modules before invalid digis are added */
    while (once(rng, 3) && digis->n < first + n / 2)
        mote_digis_push_invalid(digis);
    for (uint32_t m = 0; m < modules && (m < used || whole) && digis->n < end && !digis->failed;
         m++) {
        push_module(rng, digis, module, end - digis->n);
        module = module ? module - 1 : modules - 1;
    }
    while (digis->n < end && !digis->failed)
        mote_digis_push_invalid(digis);
    mote_digis_end_event(digis);
}

/* Adds an event of `n` digis in all modules, enough for the kernels for large batches. */
static void push_large(mote_rng *rng, mote_digis *digis, size_t n, bool contiguous)
{
    uint32_t modules = digis->n_modules;
    for (size_t i = 0; i < n; i++)
        mote_digis_push(digis,
                        contiguous ? (uint32_t)(i * modules / n) : mote_rng_below(rng, modules),
                        mote_rng_below(rng, digis->rows), mote_rng_below(rng, digis->columns),
                        mote_rng_below(rng, 3000));
    mote_digis_end_event(digis);
}

void mote_draw_topology(mote_rng *rng, unsigned shape, size_t n, bool mask, mote_digis *digis)
{
    static const struct {
        uint32_t rows, columns;
    } shapes[MOTE_DRAW_SHAPES] = {{160, 416}, {33, 65},  {9, 8},       {1, 100},
                                  {63, 1},    {2, 3},    {256, 31},    {257, 256},
                                  {64, 416},  {7, 4000}, {4000, 160},  {65536, 2},
                                  {1, 65536}, {32, 255}, {4000, 4000}, {65536, 65536}};
    static const uint32_t counts[] = {1, 2, 3, 15, 100, 1856, 2000, 4095, 4096, 6144, 6145, 60000};
    static const uint32_t events[] = {1, 1, 1, 2, 3, 17, 64, 300};
    uint32_t rows = shapes[shape].rows, columns = shapes[shape].columns;
    digis->n_modules = ONE_OF(rng, counts);
    if (mask && (uint64_t)rows * columns > 20000)
        rows = 160, columns = 64;
    if (mask && digis->n_modules > 100)
        digis->n_modules = 100;
    if (n >= LARGE)
        rows = 160, columns = 416, digis->n_modules = once(rng, 2) ? 1856 : 15;
    digis->rows = rows;
    digis->columns = columns;
    digis->n_events = n >= LARGE ? 1 : ONE_OF(rng, events);
    while (digis->n_events * digis->n_modules > MOST_SLOTS)
        digis->n_events = digis->n_events / 2 + 1;
    digis->invalid_module_id = digis->module_type == MOTE_UINT32 ? MOTE_PIXELS_INVALID_MODULE_U32
                                                                 : MOTE_PIXELS_INVALID_MODULE_U16;
    if (once(rng, 4)) /* an invalid id among the modules' numbers, or above them */
        digis->invalid_module_id = 1 + mote_rng_below(rng, digis->n_modules + 5);
}

bool mote_draw_digis(mote_rng *rng, size_t n, bool contiguous, mote_digis *digis)
{
    size_t events = digis->n_events;
    digis->n_events = 0;
    for (size_t e = 0; e < events; e++) {
        size_t rest = n - digis->n, part = 2 * rest / (events - e);
        if (e + 1 < events)
            rest = mote_rng_below(rng, (uint32_t)part + 1);
        rest = rest < n - digis->n ? rest : n - digis->n;
        if (n >= LARGE)
            push_large(rng, digis, rest, contiguous);
        else
            push_event(rng, digis, rest);
    }
    if (!contiguous && once(rng, 2))
        mote_digis_permute(digis, mote_rng_next(rng), NULL);
    return !digis->failed;
}

bool mote_draw_cuts(mote_rng *rng, const mote_digis *digis, mote_pixels_options *o)
{
    o->charge_cuts = malloc(digis->n_modules * sizeof(uint32_t));
    for (uint32_t m = 0; o->charge_cuts && m < digis->n_modules; m++)
        o->charge_cuts[m] = mote_rng_below(rng, 6000);
    return o->charge_cuts != NULL;
}

bool mote_draw_lines(mote_rng *rng, const mote_digis *digis, unsigned kinds, mote_pixels_options *o)
{
    static const float gains[] = {1.0f, 0.5f, 1.37f, 0.0f, -1.0f, 1e-38f, 1e7f};
    static const float pedestals[] = {0.0f, 100.0f, -77.25f, 3000.0f, 1e-39f};
    size_t bytes = digis->n_modules * sizeof(float);
    o->gain = kinds & 1 ? malloc(bytes) : NULL;
    o->pedestal = kinds & 2 ? malloc(bytes) : NULL;
    for (uint32_t m = 0; m < digis->n_modules; m++) {
        if (o->gain)
            o->gain[m] = ONE_OF(rng, gains);
        if (o->pedestal)
            o->pedestal[m] = ONE_OF(rng, pedestals);
    }
    return (o->gain || !(kinds & 1)) && (o->pedestal || !(kinds & 2));
}

bool mote_draw_mask(mote_rng *rng, const mote_digis *digis, mote_pixels_options *o)
{
    size_t words = mote_case_mask_words(digis);
    o->mask = malloc(words * sizeof(uint32_t));
    for (size_t k = 0; o->mask && k < words; k++)
        o->mask[k] = once(rng, 3) ? (uint32_t)mote_rng_next(rng) & (uint32_t)mote_rng_next(rng) : 0;
    return o->mask != NULL;
}

bool mote_draw_morph(mote_rng *rng, const mote_digis *digis, mote_pixels_options *o)
{
    o->morph = malloc(digis->n_modules);
    for (uint32_t m = 0; o->morph && m < digis->n_modules; m++)
        o->morph[m] = once(rng, 2) ? 0 : (uint8_t)(1 + mote_rng_below(rng, 255));
    return o->morph != NULL;
}

void mote_draw_error(mote_rng *rng, unsigned kinds, mote_digis *digis)
{
    uint32_t kind = mote_rng_below(rng, 4);
    if (digis->n == 0)
        kind = 3;
    while (kinds && !(kinds >> kind & 1))
        kind = (kind + 1) % 4;
    size_t i = digis->n ? mote_rng_below(rng, (uint32_t)digis->n) : 0;
    if (kind == 0 && digis->n)
        digis->module_id[i] = digis->n_modules +
                              mote_rng_below(rng, once(rng, 2) ? 1 : UINT16_MAX - digis->n_modules);
    else if (kind == 1 && digis->n && digis->rows < 65536)
        digis->x[i] = (uint16_t)(digis->rows + mote_rng_below(rng, 65536 - digis->rows));
    else if (kind == 2 && digis->n && digis->columns < 65536)
        digis->y[i] = (uint16_t)(digis->columns + mote_rng_below(rng, 65536 - digis->columns));
    else if (kind == 3)
        digis->event_offsets[mote_rng_below(rng, (uint32_t)digis->n_events + 1)] =
            mote_rng_below(rng, (uint32_t)digis->n + 3);
}
