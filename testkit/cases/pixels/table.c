/* SPDX-License-Identifier: Apache-2.0 */
/* The table, with one case per line. Columns of CASE: name, fill, modules, rows, columns, n. */
#include "testkit/cases/pixels/fill.h"
#include "testkit/cases/pixels/patterns.h"

#define CASE(title, function, modules, r, c, count)                                                \
    .name = title, .fill = mote_fill_##function, .n_modules = modules, .rows = r, .columns = c,    \
    .n = count
#define SMALL .small = true

/* Values of n on both sides of every power of two that a work-group may have. */
#define SIZE(count)                                                                                \
    {                                                                                              \
        CASE("size " #count, random, 5, 24, 31, count), SMALL                                      \
    }

/* A pattern in an odd-sized module, in both orders, 8- and 4-connected. */
#define PATTERN(title, kind)                                                                       \
    {CASE("pattern " title, pattern, 7, 37, 29, 0), SMALL, .parameter = kind},                     \
    {                                                                                              \
        CASE("pattern " title " permuted, 4-connected", pattern, 3, 21, 43, 0), SMALL,             \
            .parameter = kind, .permute = true, .options.connectivity = 4                          \
    }

/* Every policy for repeated pixels with one fill function. */
#define POLICIES(title, function, modules, r, c, count)                                            \
    {CASE(title ", drop", function, modules, r, c, count), SMALL, .permute = true},                \
        {CASE(title ", first", function, modules, r, c, count), SMALL, .permute = true,            \
         .options.duplicates = MOTE_DUPLICATES_FIRST},                                             \
        {CASE(title ", sum", function, modules, r, c, count), SMALL, .permute = true,              \
         .options.duplicates = MOTE_DUPLICATES_SUM},                                               \
    {                                                                                              \
        CASE(title ", max", function, modules, r, c, count), SMALL,                                \
            .permute = true, .options.duplicates = MOTE_DUPLICATES_MAX                             \
    }

/* The charge cut that CMS applies to the Phase 1 detector. */
#define CMS_CUT                                                                                    \
    .options.charge_cut = 4000, .options.charge_cut_inner = 2000, .options.inner_modules = 96

/* A threshold and cuts on calibrated charges. */
#define DECODED_CUT                                                                                \
    .options.adc_threshold = 200, .options.charge_cut = 2500, .options.charge_cut_inner = 1700,    \
    .options.inner_modules = 3

static const mote_pixels_case table[] = {
    SIZE(0),
    SIZE(1),
    SIZE(2),
    SIZE(15),
    SIZE(16),
    SIZE(17),
    SIZE(31),
    SIZE(32),
    SIZE(33),
    SIZE(63),
    SIZE(64),
    SIZE(65),
    SIZE(127),
    SIZE(128),
    SIZE(129),
    SIZE(255),
    SIZE(256),
    SIZE(257),
    SIZE(1023),
    SIZE(1024),
    SIZE(1025),
    SIZE(5000),

    PATTERN("snake", MOTE_PATTERN_SNAKE),
    PATTERN("spiral", MOTE_PATTERN_SPIRAL),
    PATTERN("block", MOTE_PATTERN_BLOCK),
    PATTERN("full", MOTE_PATTERN_FULL),
    PATTERN("isolated", MOTE_PATTERN_ISOLATED),
    PATTERN("checkerboard", MOTE_PATTERN_CHECKERBOARD),
    PATTERN("random 40 %", MOTE_PATTERN_RANDOM_40),
    PATTERN("corners", MOTE_PATTERN_CORNERS),
    PATTERN("diagonals", MOTE_PATTERN_DIAGONALS),
    PATTERN("comb", MOTE_PATTERN_COMB),

    POLICIES("crowded", random, 2, 16, 13, 300),
    POLICIES("crowded over words", random, 3, 50, 70, 5500),
    POLICIES("triples, last digi a copy", triples, 4, 33, 17, 500),
    POLICIES("300 copies of one pixel", copies, 3, 8, 8, 300),
    POLICIES("copies around the threshold", copies_threshold, 2, 19, 23, 600),
    {CASE("crowded, sum, 4-connected", random, 3, 20, 20, 900), SMALL, .permute = true,
     .options.duplicates = MOTE_DUPLICATES_SUM, .options.connectivity = 4},
    {CASE("crowded, sum, charge cut", random, 3, 20, 20, 900), SMALL, .permute = true,
     .options.duplicates = MOTE_DUPLICATES_SUM, .options.charge_cut = 4000},
    {CASE("crowded, max, charge cut", random, 3, 20, 20, 900), SMALL, .permute = true,
     .options.duplicates = MOTE_DUPLICATES_MAX, .options.charge_cut = 3000},
    {CASE("crowded, first, threshold and cut", random, 3, 20, 20, 900), SMALL, .permute = true,
     .options.duplicates = MOTE_DUPLICATES_FIRST, .options.charge_cut = 3000,
     .options.adc_threshold = 600},

    {CASE("modules permuted and scattered", grouped, 40, 16, 48, 900), SMALL, .parameter = 3,
     .permute = true},
    {CASE("contiguous modules, three events", grouped, 40, 16, 48, 900), SMALL, .parameter = 3,
     .options.order = MOTE_ORDER_CONTIGUOUS},
    {CASE("contiguous modules, invalid between", grouped, 12, 160, 416, 5000), SMALL,
     .parameter = 2, .options.order = MOTE_ORDER_CONTIGUOUS, .options.charge_cut = 2500},
    {CASE("skewed: half in one module", skewed, 200, 100, 150, 5800), SMALL},
    {CASE("many empty and short events", many_events, 9, 10, 12, 150), SMALL, .parameter = 40},
    {CASE("events of one digi", many_events, 3, 4, 4, 300), SMALL, .parameter = 2},
    {CASE("one module across event borders", border, 4, 30, 40, 20), SMALL,
     .options.order = MOTE_ORDER_CONTIGUOUS},
    {CASE("one module across event borders, any order", border, 4, 30, 40, 20), SMALL},

    {CASE("invalid digis only", invalid_only, 3, 10, 10, 700), SMALL},
    {CASE("invalid digis only, contiguous", invalid_only, 3, 10, 10, 700), SMALL,
     .options.order = MOTE_ORDER_CONTIGUOUS},
    {CASE("an event of invalid digis, then one of five", invalid_only, 3, 10, 10, 699), SMALL,
     .parameter = 5, .options.order = MOTE_ORDER_CONTIGUOUS},
    {CASE("one module, one pixel", random, 1, 1, 1, 3), SMALL,
     .options.duplicates = MOTE_DUPLICATES_SUM},
    {CASE("17 x 33", random, 3, 17, 33, 700), SMALL},
    {CASE("31 x 5", random, 3, 31, 5, 200), SMALL, .options.duplicates = MOTE_DUPLICATES_MAX},
    {CASE("33 x 64", random, 3, 33, 64, 2000), SMALL, .options.connectivity = 4},
    {CASE("1 x 500", random, 3, 1, 500, 600), SMALL, .options.duplicates = MOTE_DUPLICATES_FIRST},
    {CASE("500 x 1", random, 3, 500, 1, 600), SMALL, .options.duplicates = MOTE_DUPLICATES_FIRST},
    {CASE("1 x 65536", random, 2, 1, 65536, 4000), SMALL},
    {CASE("65536 x 1", random, 2, 65536, 1, 4000), SMALL},
    {CASE("ends of a 65536 x 65536 module", extremes, 5, 65536, 65536, 0), SMALL},
    {CASE("random in 65536 x 65536", random, 3, 65536, 65536, 500), SMALL},
    {CASE("corners of a chip", extremes, 1856, 160, 416, 0), SMALL, .permute = true},
    {CASE("4000 x 3000, sparse", random, 2, 4000, 3000, 3000), SMALL, .permute = true},

    {CASE("largest 16-bit module id", extremes, 65534, 16, 16, 0), SMALL},
    {CASE("5000 modules", random, 5000, 12, 9, 5500), SMALL, .permute = true},
    {CASE("32-bit ids, 70 000 modules", random, 70000, 12, 9, 3000), SMALL, .wide_module = true},
    {CASE("32-bit ids, 32-bit charges", skewed, 90, 60, 70, 4000), SMALL, .wide_module = true,
     .wide_adc = true, .options.charge_cut = 1500},
    {CASE("4500 slots in events", grouped, 900, 20, 20, 2500), SMALL, .parameter = 5,
     .permute = true},

    {CASE("CMS's label of dropped digis", random, 4, 20, 20, 800), SMALL,
     .options.invalid_cluster_id = -9999, .options.charge_cut = 2000},
    {CASE("no charges", random, 4, 20, 20, 800), SMALL, .options.without_adc = true},
    {CASE("no charge reaches the threshold", random, 4, 20, 20, 300), SMALL,
     .options.adc_threshold = 3000},
    {CASE("threshold", random, 4, 20, 20, 1500), SMALL, .options.adc_threshold = 1500},
    {CASE("charges at the cut", cut_edge, 6, 10, 90, 240), SMALL},
    {CASE("a cut for each module", module_cuts, 12, 30, 30, 3000), SMALL},
    {CASE("adc 0", zero_adc, 4, 20, 20, 500), SMALL},
    {CASE("adc 0 with a cut of 1", zero_adc, 4, 20, 20, 300), SMALL, .options.charge_cut = 1},
    {CASE("charge above 2^32", huge_adc, 3, 65536, 65536, 3000), SMALL, .wide_adc = true,
     .options.charge_cut = 12884901000u},
    {CASE("cut above every charge", huge_adc, 3, 65536, 65536, 300), SMALL, .wide_adc = true,
     .options.charge_cut = UINT64_MAX},

    {CASE("bad id: n_modules", bad_module, 7, 20, 20, 400), SMALL, .parameter = 7},
    {CASE("bad id: 65535", bad_module, 7, 20, 20, 400), SMALL, .parameter = 65535},
    {CASE("bad id: contiguous", bad_module, 1, 20, 20, 400), SMALL, .parameter = 1,
     .options.order = MOTE_ORDER_CONTIGUOUS},
    {CASE("bad id: 32 bits", bad_module, 7, 20, 20, 400), SMALL, .parameter = UINT32_MAX,
     .wide_module = true},
    {CASE("bad x", bad_coordinate, 5, 20, 30, 400), SMALL},
    {CASE("bad x below the threshold", bad_coordinate, 5, 20, 30, 400), SMALL,
     .options.adc_threshold = 1},
    {CASE("bad y", bad_coordinate, 5, 20, 30, 400), SMALL, .parameter = 1},
    {CASE("bad y, contiguous", bad_coordinate, 1, 20, 30, 400), SMALL, .parameter = 1,
     .options.order = MOTE_ORDER_CONTIGUOUS},
    {CASE("bad event offsets: first is 1", bad_offsets, 5, 20, 30, 100), SMALL},
    {CASE("bad event offsets: falling", bad_offsets, 5, 20, 30, 100), SMALL, .parameter = 1},
    {CASE("bad event offsets: last below n", bad_offsets, 5, 20, 30, 100), SMALL, .parameter = 2},
    {CASE("bad event offsets: 2^32 - 1", bad_offsets, 5, 20, 30, 100), SMALL, .parameter = 3},
    {CASE("a module in two places", second_place, 3, 20, 30, 300), SMALL,
     .options.order = MOTE_ORDER_CONTIGUOUS},
    {CASE("a module in two places, any order", second_place, 3, 20, 30, 300), SMALL},

    {CASE("Phase 1 event", events, 1856, 160, 416, 1), .parameter = 0, CMS_CUT},
    {CASE("Phase 1 events, contiguous", events, 1856, 160, 416, 3), .parameter = 0, CMS_CUT,
     .options.order = MOTE_ORDER_CONTIGUOUS},
    {CASE("Phase 1 events, permuted", events, 1856, 160, 416, 2), .parameter = 0, .permute = true},
    {CASE("Phase 2 event", events, 3892, 1344, 432, 1), .parameter = 1, .options.charge_cut = 4000},
    {CASE("heavy-ion event", events, 1856, 160, 416, 1), .parameter = 2, CMS_CUT,
     .options.order = MOTE_ORDER_CONTIGUOUS},
    {CASE("hard events", patho, 1856, 160, 416, 16)},
    {CASE("hard events, sum", patho, 1856, 160, 416, 32), .options.duplicates = MOTE_DUPLICATES_SUM,
     .permute = true},
    {CASE("classic pattern, pass 0", classic, 1856, 160, 416, 0), CMS_CUT},
    {CASE("classic pattern, pass 1", classic, 1856, 160, 416, 1), CMS_CUT},
    {CASE("classic pattern, pass 2", classic, 1856, 160, 416, 2), CMS_CUT},
    {CASE("classic pattern, pass 3, permuted", classic, 1856, 160, 416, 3), .permute = true},
    {CASE("classic pattern, pass 4", classic, 1856, 160, 416, 4), CMS_CUT},
    {CASE("66 560 digis, 70 000 invalid amid them", invalid_gap, 3, 160, 416, 0),
     .parameter = 70000},
    {CASE("the same, contiguous", invalid_gap, 3, 160, 416, 0), .parameter = 70000,
     .options.order = MOTE_ORDER_CONTIGUOUS},
    {CASE("snake over a quad", pattern, 1, 1344, 432, 0), .parameter = MOTE_PATTERN_SNAKE},
    {CASE("comb over a quad, permuted", pattern, 1, 1344, 432, 0), .parameter = MOTE_PATTERN_COMB,
     .permute = true},
    {CASE("200 000 in one module", random, 1, 500, 600, 200000),
     .options.duplicates = MOTE_DUPLICATES_SUM},

    {CASE("dead pixels", decoded, 6, 37, 29, 500), SMALL, .permute = true,
     .parameter = MOTE_DECODED_MASK},
    {CASE("dead pixels and lines, sum", decoded, 3, 17, 19, 540), SMALL, .permute = true,
     .parameter = MOTE_DECODED_MASK | MOTE_DECODED_LINES, DECODED_CUT,
     .options.duplicates = MOTE_DUPLICATES_SUM},
    {CASE("dead pixels and lines, contiguous, a cut", decoded, 12, 40, 33, 250), SMALL,
     .parameter = MOTE_DECODED_MASK | MOTE_DECODED_LINES | MOTE_DECODED_GROUPED, DECODED_CUT,
     .options.order = MOTE_ORDER_CONTIGUOUS},
    {CASE("dead pixels and lines, any order, a cut", decoded, 4, 12, 9, 39), SMALL,
     .parameter = MOTE_DECODED_MASK | MOTE_DECODED_LINES | MOTE_DECODED_GROUPED, DECODED_CUT,
     .permute = true},
    {CASE("dead pixels, max, no charges but by lines", decoded, 5, 20, 21, 590), SMALL,
     .parameter = MOTE_DECODED_MASK | MOTE_DECODED_LINES, .wide_adc = true,
     .options.duplicates = MOTE_DUPLICATES_MAX, .options.charge_cut = 90000},
    {CASE("lines of odd numbers", decoded, 60, 20, 21, 570), SMALL, .wide_module = true,
     .parameter = MOTE_DECODED_LINES | MOTE_DECODED_HOSTILE, .options.adc_threshold = 31},
    {CASE("lines of odd numbers, first, contiguous", decoded, 60, 20, 21, 570), SMALL,
     .parameter = MOTE_DECODED_LINES | MOTE_DECODED_HOSTILE | MOTE_DECODED_GROUPED,
     .options.duplicates = MOTE_DUPLICATES_FIRST, .options.order = MOTE_ORDER_CONTIGUOUS},
    {CASE("dead pixels of large modules", decoded, 2, 260, 240, 5900), SMALL,
     .parameter = MOTE_DECODED_MASK | MOTE_DECODED_LINES, DECODED_CUT},
    {CASE("dead pixels in 70 x 65536", decoded, 2, 70, 65536, 5900), SMALL,
     .parameter = MOTE_DECODED_MASK, .permute = true},
    {CASE("Phase 1 events, decoded", decoded, 1856, 160, 416, 60000),
     .parameter = MOTE_DECODED_MASK | MOTE_DECODED_LINES | MOTE_DECODED_GROUPED, DECODED_CUT},
};

size_t mote_pixels_case_count(void)
{
    return sizeof(table) / sizeof(table[0]);
}

const mote_pixels_case *mote_pixels_case_at(size_t index)
{
    return &table[index];
}
