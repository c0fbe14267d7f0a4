/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/coordination/row.h"

#include <string.h>

/* The least number of operations of a pair, each of which could be an fma. A pair beyond d_max
 * needs the difference of coordinates (3), the nearest image (3; in double 6), the square (3) and a
 * comparison. A pair within d_max also needs, for its value, the rest of the image (3), u^2, 1 +
 * u^3 and its reciprocal (3, and the unit in double), stretch and sum (2); for derivatives, g with
 * its limit (3), g d (3), the sums of both atoms (3 each) and the virial (6). */
static const int beyond[2] = {10, 13};
static const int within[2][2] = {{18, 36}, {22, 40}};

static bool in_double(const mote_atoms_way *way)
{
    return way->precision == MOTE_PRECISION_DOUBLE;
}

static bool by_cells(const mote_atoms_way *way)
{
    return way->method == MOTE_COORDINATION_CELLS;
}

double mote_atoms_pairs(const mote_atoms_set *set, const mote_atoms_way *way)
{
    double n = (double)set->n;

    return by_cells(way) ? (double)set->near.pairs : n * (n - 1) / 2;
}

/* Returns the least number of operations of a call. */
static double operations(const mote_atoms_set *set, const mote_atoms_way *way)
{
    bool is_double = in_double(way);
    double near = (double)(by_cells(way) ? set->near.pairs : set->all.pairs);

    return near * within[is_double][way->derivatives] +
           (mote_atoms_pairs(set, way) - near) * beyond[is_double];
}

static void name_way(const mote_atoms_way *way, char *out, size_t size)
{
    static const char *const precisions[] = {"mixed", "single", "double"};

    snprintf(out, size, "%s, %s, %s%s", by_cells(way) ? "cells" : "all_pairs",
             precisions[way->precision], way->derivatives ? "all" : "value",
             way->moves  ? ", skin, moves"
             : way->skin ? ", skin"
                         : "");
}

static mote_bench_target target_of(const mote_bench_state *bench, const mote_atoms_row *row,
                                   const char *way)
{
    return mote_bench_target_of(bench,
                                (mote_bench_line){.area = "coordination",
                                                  .call = "compute",
                                                  .set = row->set->name,
                                                  .way = way,
                                                  .scale = 1,
                                                  .peer_us = row->peer_us,
                                                  .pairs = mote_atoms_pairs(row->set, &row->way)});
}

void mote_atoms_row_head(const mote_bench_state *bench, const mote_atoms_limit *limit)
{
    const double *rate = limit->rate;

    if (bench->options->table)
        fprintf(bench->options->table,
                "coordination: 6/12, r_0 = 0.3, 33.4 atoms a unit of volume in a periodic cube; "
                "microseconds\n"
                "all_pairs with the automatic d_max, cells with d_max = %g, whose pairs are those "
                "within it;\n"
                "all = value, virial, derivatives; skin = %g, lists of partners are kept, or made "
                "in every call (moves); whole = arrays of the host, from the third call "
                "on%s\n"
                "limit = %.1f fma a nanosecond in float, %.1f in double, by a kernel of nothing "
                "else; a pair\n"
                "within d_max needs %d operations for its value, %d for all; in double %d, %d; a "
                "pair beyond it %d; in double %d\n"
                "%-8s %-32s %13s %11s %25s %11s %11s %8s %6s%s\n",
                MOTE_ATOMS_NEAR, MOTE_ATOMS_SKIN,
                bench->options->peers ? "; x peer = best of native / device" : "", rate[0], rate[1],
                within[0][0], within[0][1], within[1][0], within[1][1], beyond[0], beyond[1],
                "atoms", "way", "pairs", "device", "10 % .. 90 %", "in a row", "whole", "Gpair/s",
                "%", mote_bench_extra_head(bench->options, true).text);
    if (bench->options->json)
        fprintf(bench->options->json,
                "{\"area\":\"coordination\",\"limit\":\"fma\",\"float_per_ns\":%.3f,"
                "\"double_per_ns\":%.3f}\n",
                rate[0], rate[1]);
}

void mote_atoms_row_print(const mote_bench_state *bench, const mote_atoms_limit *limit,
                          const mote_atoms_row *row)
{
    const mote_bench_options *o = bench->options;
    double pairs = mote_atoms_pairs(row->set, &row->way), us = row->times.device.median;
    double rate = limit->rate[in_double(&row->way)];
    double least = rate > 0 ? operations(row->set, &row->way) / rate : 0; /* nanoseconds */
    char way[40];

    ++*bench->rows;
    name_way(&row->way, way, sizeof(way));
    mote_bench_target target = target_of(bench, row, way);
    if (o->table) {
        fprintf(o->table, "%-8s %-32s %13.0f %11.1f %11.1f ..%11.1f %11.1f %11.1f %8.3f %6.1f%s\n",
                row->set->name, way, pairs, us, row->times.device.low, row->times.device.high,
                row->times.in_a_row, row->whole.median, pairs / us * 1e-3, least / us * 0.1,
                mote_bench_extra_of(o, row->peer_us / us, &target, true).text);
        fflush(o->table);
    }
    if (o->point)
        o->point(&(mote_bench_point){.area = "coordination",
                                     .call = by_cells(&row->way) ? "cells" : "all_pairs",
                                     .way = strchr(way, ' ') + 1,
                                     .pairs = true,
                                     .size = pairs,
                                     .n = pairs,
                                     .us = us,
                                     .limit_us = least * 1e-3,
                                     .bandwidth = &bench->bandwidth},
                 o->point_user);
    if (o->json)
        fprintf(o->json,
                "{\"area\":\"coordination\",\"call\":\"compute\",\"set\":\"%s\",\"way\":\"%s\","
                "\"pairs\":%.0f,\"device_us\":%.3f,\"device_us_10\":%.3f,\"device_us_90\":%.3f,"
                "\"in_a_row_us\":%.3f,\"whole_us\":%.3f,\"limit_us\":%.3f,\"peer_us\":%.3f,"
                "\"target_us\":%g,\"whole_target_us\":%g,\"runs\":%zu,\"checked\":%s}\n",
                row->set->name, way, pairs, us, row->times.device.low, row->times.device.high,
                row->times.in_a_row, row->whole.median, least * 1e-3, row->peer_us, target.us,
                target.whole_us, row->times.runs, o->no_check ? "false" : "true");
}

/* Copies a text for a JSON string; blanks replace quotes, backslashes and control characters. */
static void plain(const char *from, char *to, size_t size)
{
    size_t k = 0;

    for (; *from && k + 1 < size; from++)
        to[k++] = *from == '"' || *from == '\\' || *from < ' ' ? ' ' : *from;
    to[k] = '\0';
}

void mote_atoms_row_skip(const mote_bench_state *bench, const mote_atoms_set *set,
                         const mote_atoms_way *way, const char *why)
{
    const mote_bench_options *o = bench->options;
    char name[40] = "every way", text[300];

    ++*bench->rows;
    if (way)
        name_way(way, name, sizeof(name));
    plain(why, text, sizeof(text));
    if (o->table)
        fprintf(o->table, "%-8s %-32s %s\n", set->name, name, text);
    if (o->json)
        fprintf(o->json,
                "{\"area\":\"coordination\",\"call\":\"compute\",\"set\":\"%s\",\"way\":\"%s\","
                "\"left_out\":\"%s\"}\n",
                set->name, name, text);
}

void mote_atoms_row_peer(const mote_bench_state *bench, const mote_atoms_set *set,
                         const mote_atoms_way *way, const char *name, double us)
{
    const mote_bench_options *o = bench->options;
    const char *type = in_double(way) ? "double" : "float";
    const char *outputs = way->derivatives ? "all" : "value";
    double pairs = mote_atoms_pairs(set, way);
    char text[64];

    snprintf(text, sizeof(text), "%s, %s, %s", name, type, outputs);
    if (o->table) {
        fprintf(o->table, "%-8s %-32s %13.0f %11.1f %51s %8.3f  native\n", set->name, text, pairs,
                us, "", pairs / us * 1e-3);
        fflush(o->table);
    }
    if (o->json)
        fprintf(o->json,
                "{\"area\":\"coordination\",\"set\":\"%s\",\"peer\":\"%s\",\"type\":\"%s\","
                "\"outputs\":\"%s\",\"pairs\":%.0f,\"us\":%.3f}\n",
                set->name, name, type, outputs, pairs, us);
}
