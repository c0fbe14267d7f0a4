/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/targets.h"

#include <string.h>

/* Microseconds on an H200, and the allowed ratio of a CPU's time to native code's; 0 = none. A row
 * without a variant is for all of them. */
typedef struct target_row {
    const char *call, *set, *way;
    double us, cpu_factor;
} target_row;

#define NATIVE_CPU 1.1

static const target_row jagged[] = {
    {"parents", "5000x100", "auto, full", 5, NATIVE_CPU},
    {"parents", "50kx100", "auto, full", 9, NATIVE_CPU},
    {"parents", "1e6x100", "auto, full", 118, NATIVE_CPU},
    {"parents", "2.7e6x100", "auto, full", 300, NATIVE_CPU},
    {"parents", "1e7x10", "auto, full", 140, NATIVE_CPU},
    {"parents", "1e8x1", "auto, full", 260, NATIVE_CPU},
    {"parents", "100x2.7e6", "auto, full", 270, NATIVE_CPU},
    {"parents", "power", "auto, full", 68, NATIVE_CPU},
    {"parents", "filled-0.1", "auto, full", 170, NATIVE_CPU},
    {"parents", "filled-0.001", "auto, full", 110, NATIVE_CPU},
    {"parents", "two-huge", "auto, full", 150, NATIVE_CPU},
    {"parents", "5000x100", "auto", 6, NATIVE_CPU},
    {"parents", "50kx100", "auto", 9, NATIVE_CPU},
    {"parents", "1e6x100", "auto", 103, NATIVE_CPU},
    {"parents", "2.7e6x100", "auto", 262, NATIVE_CPU},
    {"parents", "1e7x10", "auto", 115, NATIVE_CPU},
    {"parents", "1e8x1", "auto", 220, NATIVE_CPU},
    {"parents", "100x2.7e6", "auto", 238, NATIVE_CPU},
    {"parents", "power", "auto", 56, NATIVE_CPU},
    {"parents", "filled-0.1", "auto", 125, NATIVE_CPU},
    {"parents", "filled-0.001", "auto", 24, NATIVE_CPU},
    {"parents", "two-huge", "auto", 45, NATIVE_CPU},
    {"local_index", "5000x100", "", 6, 0},
    {"local_index", "50kx100", "", 9, 0},
    {"local_index", "1e6x100", "", 103, 0},
    {"local_index", "2.7e6x100", "", 262, 0},
    {"local_index", "1e7x10", "", 120, 0},
    {"local_index", "1e8x1", "", 230, 0},
    {"local_index", "100x2.7e6", "", 238, 0},
    {"local_index", "power", "", 56, 0},
    {"local_index", "filled-0.1", "", 130, 0},
    {"local_index", "filled-0.001", "", 26, 0},
    {"local_index", "two-huge", "", 48, 0},
    {"reduce", "5000x100", "sum float32", 6, 0},
    {"reduce", "50kx100", "sum float32", 11, 0},
    {"reduce", "1e6x100", "sum float32", 108, 0},
    {"reduce", "2.7e6x100", "sum float32", 275, 0},
    {"reduce", "1e7x10", "sum float32", 122, 0},
    {"reduce", "1e8x1", "sum float32", 305, 0},
    {"reduce", "100x2.7e6", "sum float32", 255, 0},
    {"reduce", "power", "sum float32", 75, 0},
    {"reduce", "filled-0.1", "sum float32", 215, 0},
    {"reduce", "filled-0.001", "sum float32", 210, 0},
    {"reduce", "two-huge", "sum float32", 215, 0},
    {"from_parents", "5000x100", "", 7, NATIVE_CPU},
    {"from_parents", "50kx100", "", 12, NATIVE_CPU},
    {"from_parents", "1e6x100", "", 100, NATIVE_CPU},
    {"from_parents", "2.7e6x100", "", 265, NATIVE_CPU},
    {"from_parents", "1e7x10", "", 120, NATIVE_CPU},
    {"from_parents", "1e8x1", "", 230, NATIVE_CPU},
    {"from_parents", "100x2.7e6", "", 260, NATIVE_CPU},
    {"from_parents", "power", "", 60, NATIVE_CPU},
    {"from_parents", "filled-0.1", "", 120, NATIVE_CPU},
    {"from_parents", "filled-0.001", "", 60, NATIVE_CPU},
    {"from_parents", "two-huge", "", 100, NATIVE_CPU},
    {"from_counts", "1e8x1", "", 300, NATIVE_CPU},
};

static const target_row reduce[] = {
    {"sum", "f32-2^20", "default", 6.1, 0},   {"sum", "f32-2^24", "default", 20.5, 0},
    {"sum", "f32-2^28", "default", 242, 0},   {"sum", "f64-2^28", "default", 476, 0},
    {"sum", "9xf32-2^24", "default", 138, 0}, {"sum", "9xf32-2^26", "default", 570, 0},
};

/* Microseconds per event on an H200, and on two CPU cores; for a batch on an H200 in Gdigi/s. */
typedef struct pixels_row {
    const char *set, *order;
    double one_us, batch_rate, histogram_us, cpu_us;
} pixels_row;

static const pixels_row pixels[] = {
    {"ttbar", "contiguous", 18, 17, 95, 400},    {"ttbar", "any", 28, 12, 0, 460},
    {"phase2", "contiguous", 42, 16, 190, 2700}, {"phase2", "any", 60, 11, 0, 3400},
    {"hi", "contiguous", 47, 13, 500, 2700},     {"hi", "any", 65, 9, 0, 3500},
    {"patho", "contiguous", 60, 6, 0, 0},        {"patho", "any", 90, 4, 0, 0},
};

/* Microseconds on an H200 for all outputs, pairs in float and in double; whole: host arrays, cells
 * in single precision. */
typedef struct atoms_row {
    const char *set;
    double all_us[2], cells_us[2], whole_us, skin_us;
} atoms_row;

static const atoms_row coordination[] = {
    {"1000", {12, 30}, {25, 30}, 60, 14},
    {"10000", {130, 400}, {35, 50}, 100, 20},
    {"50000", {2600, 8000}, {60, 100}, 250, 0},
    {"100000", {10000, 32000}, {90, 180}, 450, 65},
    {"200000", {40000, 125000}, {160, 330}, 900, 115},
};

/* Unique pairs per nanosecond on two CPU cores, in float and in double; and the required part of
 * native code's speed. */
static const double two_cores[2] = {4.0, 1.2};
#define PEER_SHARE 0.7

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static mote_bench_target of_rows(const target_row *rows, size_t n, const mote_bench_line *line)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].call, line->call) == 0 && strcmp(rows[i].set, line->set) == 0 &&
            (!rows[i].way[0] || strcmp(rows[i].way, line->way) == 0)) {
            if (!line->gpu)
                return (mote_bench_target){.us = rows[i].cpu_factor * line->peer_us};
            return (mote_bench_target){.us = line->scale == 1 ? rows[i].us : 0};
        }
    return (mote_bench_target){0};
}

/* The variant is "ORDER one" or "ORDER batch", followed by "histogram" for that strategy. */
static mote_bench_target of_pixels(const mote_bench_line *line)
{
    bool batch = strstr(line->way, " batch"), histogram = strstr(line->way, "histogram");
    for (size_t i = 0; i < COUNT(pixels); i++) {
        const pixels_row *row = &pixels[i];
        if (strcmp(row->set, line->set) || !begins(line->way, row->order))
            continue;
        if (!line->gpu)
            return (mote_bench_target){.us = histogram ? 0 : row->cpu_us};
        if (histogram)
            return (mote_bench_target){.us = batch ? 0 : row->histogram_us};
        return (mote_bench_target){.us = batch ? 0 : row->one_us,
                                   .rate = batch ? row->batch_rate : 0};
    }
    return (mote_bench_target){0};
}

/* The variant is "METHOD, PRECISION, OUTPUTS". */
static mote_bench_target of_atoms(const mote_bench_line *line)
{
    bool all = strstr(line->way, ", all"), cells = begins(line->way, "cells");
    int type = strstr(line->way, "double") ? 1 : 0;
    if (!line->gpu) {
        double us = line->peer_us / PEER_SHARE;
        double least = line->pairs / two_cores[type] * 1e-3;
        bool binds = all && !cells && line->compute_units == 2 && (us <= 0 || least < us);
        return (mote_bench_target){.us = binds ? least : us};
    }
    for (size_t i = 0; all && i < COUNT(coordination); i++)
        if (strcmp(coordination[i].set, line->set) == 0) {
            const atoms_row *row = &coordination[i];
            if (strstr(line->way, "skin"))
                return (mote_bench_target){.us = type || strstr(line->way, "moves") ? 0
                                                                                    : row->skin_us};
            bool whole = cells && strstr(line->way, "single");
            return (mote_bench_target){.us = (cells ? row->cells_us : row->all_us)[type],
                                       .whole_us = whole ? row->whole_us : 0};
        }
    return (mote_bench_target){0};
}

mote_bench_target mote_target_of(const mote_bench_line *line)
{
    if (strcmp(line->area, "jagged") == 0)
        return of_rows(jagged, COUNT(jagged), line);
    if (strcmp(line->area, "reduce") == 0)
        return of_rows(reduce, COUNT(reduce), line);
    return strcmp(line->area, "pixels") == 0 ? of_pixels(line) : of_atoms(line);
}
