/* SPDX-License-Identifier: Apache-2.0 */
/* Modules with more digis than a group has registers for, together with small ones, with all
 * options of a call. */
#include "simulated.h"

#include <stdio.h>
#include <stdlib.h>

#define MODULES 5
#define ROWS    90 /* the last word of a column has 26 rows */
#define COLUMNS 200

typedef enum pattern {
    FIELD,   /* most pixels of a block, some of them twice: few clusters */
    LINES,   /* rows and columns that cross: most runs touch two others */
    CHECKER, /* one run per pixel, too many for the registers: processed in global memory */
    TWICE,   /* every pixel twice, so that no run remains */
    COPIES   /* one pixel repeated many times, and a few near it */
} pattern;

typedef enum cut { NO_CUT, ONE_CUT, INNER_CUT, MODULE_CUTS, HIGH_CUT } cut;

typedef struct dense_case {
    const char *name;
    pattern pattern;
    cut cut;
    uint32_t connectivity, threshold, events;
    unsigned how;
    bool any, wide, mask, lines, outside;
} dense_case;

#define CASE(title, kind) .name = title, .pattern = kind

static const dense_case cases[] = {
    {CASE("field", FIELD)},
    {CASE("field of two events, any order, cut", FIELD), .cut = ONE_CUT, .events = 2, .any = true},
    {CASE("lines, 4-connected, threshold, length on the device", LINES), .cut = INNER_CUT,
     .connectivity = 4, .threshold = 9000, .events = 2, .how = MOTE_RUN_N_DEVICE},
    {CASE("lines, any order, a cut for each module", LINES), .cut = MODULE_CUTS, .events = 2,
     .how = MOTE_RUN_WORKSPACE, .any = true},
    {CASE("field, any order, dead pixels, charges of lines", FIELD), .cut = ONE_CUT,
     .connectivity = 4, .threshold = 9000, .any = true, .mask = true, .lines = true},
    {CASE("lines, dead pixels, charges of lines, labels alone", LINES), .cut = INNER_CUT,
     .how = MOTE_RUN_LABELS, .mask = true, .lines = true},
    {CASE("field, 32-bit ids, in place", FIELD), .connectivity = 4, .threshold = 9000,
     .how = MOTE_RUN_ALIAS, .wide = true},
    {CASE("every pixel twice", TWICE)},
    {CASE("every pixel twice, any order, cut", TWICE), .cut = ONE_CUT, .any = true},
    {CASE("copies of one pixel", COPIES)},
    {CASE("no charge reaches the threshold", FIELD), .threshold = 60000},
    {CASE("a run a pixel", CHECKER), .connectivity = 4},
    {CASE("a run a pixel, any order, cut", CHECKER), .cut = ONE_CUT, .any = true},
    {CASE("a cut above every charge", FIELD), .cut = HIGH_CUT},
    {CASE("a digi outside", FIELD), .outside = true},
    {CASE("a digi outside, any order, cut", LINES), .cut = ONE_CUT, .any = true, .outside = true},
};

static bool fires(pattern p, uint32_t x, uint32_t y, mote_rng *rng)
{
    if (p == FIELD)
        return mote_rng_below(rng, 8) > 0;
    if (p == LINES)
        return y % 4 == 0 || x % 3 == 0;
    return p != CHECKER || (x + y) % 2;
}

/* Appends a module of at least `digis` digis, including invalid ones. */
static void push_dense(mote_digis *digis, const dense_case *c, uint32_t module, uint32_t count,
                       mote_rng *rng)
{
    uint32_t pushed = 0;
    for (uint32_t i = 0; pushed < count; i++) {
        uint32_t x = i % 83 + 5, y = i / 83, adc = mote_rng_below(rng, 60000);
        if (c->pattern == COPIES && i > 3)
            x = y = 7;
        if (!fires(c->pattern, x, y, rng))
            continue;
        mote_digis_push(digis, module, x, y, adc);
        pushed++;
        if (c->pattern == TWICE || (c->pattern == FIELD && i % 90 == 0)) {
            mote_digis_push(digis, module, x, y, adc / 2);
            pushed++;
        }
        if (i % 50 == 0)
            mote_digis_push_invalid(digis);
    }
}

/* A few digis in a row, so that a label or a count of another module would be detected. */
static void push_few(mote_digis *digis, uint32_t module, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        mote_digis_push(digis, module, i * 3 % ROWS, i * 5 % COLUMNS, 30000 + i);
}

static void make_digis(mote_digis *digis, const dense_case *c, uint32_t count, mote_rng *rng)
{
    mote_digis_init(digis, MODULES, ROWS, COLUMNS);
    if (c->wide) {
        digis->module_type = MOTE_UINT32;
        digis->invalid_module_id = UINT32_MAX - 1;
    }
    for (uint32_t e = 0; e < (c->events ? c->events : 1); e++) {
        push_few(digis, 0, 3);
        push_dense(digis, c, 1 + 2 * e, count, rng);
        push_few(digis, 2, 40);
        push_dense(digis, c, 3 - 2 * e, count / 5, rng);
        push_few(digis, 4, 2);
        mote_digis_end_event(digis);
    }
    size_t at = digis->n / 2;
    while (c->outside && digis->module_id[at] != 1)
        at--;
    if (c->outside)
        digis->x[at] = ROWS;
    if (c->any)
        mote_digis_permute(digis, count, NULL);
}

static bool make_options(mote_pixels_options *o, const dense_case *c, mote_rng *rng)
{
    size_t words = (size_t)MODULES * COLUMNS * ((ROWS + 31) / 32);
    *o = (mote_pixels_options){.order = c->any ? MOTE_ORDER_ANY : MOTE_ORDER_CONTIGUOUS,
                               .connectivity = c->connectivity,
                               .adc_threshold = c->threshold};
    if (c->cut == ONE_CUT || c->cut == INNER_CUT)
        o->charge_cut = 55000;
    if (c->cut == INNER_CUT) {
        o->charge_cut_inner = 40000;
        o->inner_modules = 2;
    }
    if (c->cut == HIGH_CUT)
        o->charge_cut = UINT64_C(1) << 40;
    o->charge_cuts = c->cut == MODULE_CUTS ? malloc(MODULES * sizeof(uint32_t)) : NULL;
    o->mask = c->mask ? malloc(words * sizeof(uint32_t)) : NULL;
    o->gain = c->lines ? malloc(MODULES * sizeof(float)) : NULL;
    o->pedestal = c->lines ? malloc(MODULES * sizeof(float)) : NULL;
    for (uint32_t m = 0; m < MODULES; m++) {
        if (o->charge_cuts)
            o->charge_cuts[m] = 50000 + 20000 * m;
        if (o->gain)
            o->gain[m] = 1.5f + (float)m / 4;
        if (o->pedestal)
            o->pedestal[m] = 100.0f * (float)m;
    }
    for (size_t k = 0; o->mask && k < words; k++)
        o->mask[k] = 1u << mote_rng_below(rng, 32);
    return !(c->mask && !o->mask) && !(c->lines && !(o->gain && o->pedestal)) &&
           !(c->cut == MODULE_CUTS && !o->charge_cuts);
}

static bool check(mote_context *ctx, cl_command_queue queue, const dense_case *c, uint32_t count)
{
    char message[1024] = "no memory";
    mote_pixels_options options;
    mote_digis digis;
    mote_rng rng;

    mote_rng_seed(&rng, count);
    bool good = make_options(&options, c, &rng);
    make_digis(&digis, c, count, &rng);
    good = good && !digis.failed &&
           mote_pixels_check(ctx, queue, &digis, &options, c->how, message, sizeof(message));
    if (!good)
        printf("%s: %s\n", c->name, message);
    mote_digis_free(&digis);
    mote_pixels_options_free(&options);
    return good;
}

void simulated_dense(mote_context *ctx, cl_command_queue queue, uint32_t digis, int *ran,
                     int *failed)
{
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        ++*ran;
        *failed += !check(ctx, queue, &cases[k], digis);
    }
}
