/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/coordination/row.h"

#include <string.h>

/* The least operations of a pair, each of which an fma could be. Value: difference of coordinates
 * (3), nearest image (6; in double 9), square (3), u^2, 1 + u^3, 1 / it (3, and the unit in
 * double), d_max, stretch and sum (3). Besides, g (2 and d_max), g d, the sums of both atoms (3
 * each), virial (6). */
static const int operations[2][2] = {{18, 36}, {22, 40}};

/* Unique pairs a nanosecond that two CPU cores shall reach. */
static const double two_cores[2] = {4.0, 1.2};

/* What native code shall not be faster by. */
#define PEER_SHARE 0.7

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

static void name_way(const mote_atoms_way *way, char *out, size_t size)
{
    static const char *const precisions[] = {"mixed", "single", "double"};

    snprintf(out, size, "%s, %s, %s", by_cells(way) ? "cells" : "all_pairs",
             precisions[way->precision], way->derivatives ? "all" : "value");
}

/* Figures of the H200 are for all outputs; on a CPU native code of the same run counts. */
static double target_of(const mote_bench_state *bench, const mote_atoms_row *row)
{
    const mote_device_info *d = mote_context_device(bench->ctx);
    int type = in_double(&row->way);

    if (d->device_class != MOTE_DEVICE_CPU) {
        const double *us = by_cells(&row->way) ? row->set->cells_us : row->set->all_us;
        return row->way.derivatives ? us[type] : 0;
    }
    double target = row->peer_us / PEER_SHARE;

    if (!by_cells(&row->way) && row->way.derivatives && d->compute_units == 2) {
        double least = mote_atoms_pairs(row->set, &row->way) / two_cores[type] * 1e-3;
        target = target > 0 && target < least ? target : least;
    }
    return target;
}

static double whole_target_of(const mote_bench_state *bench, const mote_atoms_row *row)
{
    bool gpu = mote_context_device(bench->ctx)->device_class != MOTE_DEVICE_CPU;

    return gpu && by_cells(&row->way) && row->way.precision == MOTE_PRECISION_SINGLE &&
                   row->way.derivatives
               ? row->set->whole_us
               : 0;
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
                "all = value, virial, derivatives; whole = arrays of the host, from the third call "
                "on; x peer = best of native / device\n"
                "limit = %.1f fma a nanosecond in float, %.1f in double, by a kernel of nothing "
                "else; a pair needs\n"
                "%d operations for its value, %d for all; in double %d, %d\n"
                "%-8s %-32s %13s %11s %25s %11s %11s %8s %6s %7s %11s %11s\n",
                MOTE_ATOMS_NEAR, rate[0], rate[1], operations[0][0], operations[0][1],
                operations[1][0], operations[1][1], "atoms", "way", "pairs", "device",
                "10 % .. 90 %", "in a row", "whole", "Gpair/s", "%", "x peer", "target",
                "whole t.");
    if (bench->options->json)
        fprintf(bench->options->json,
                "{\"area\":\"coordination\",\"limit\":\"fma\",\"float_per_ns\":%.3f,"
                "\"double_per_ns\":%.3f}\n",
                rate[0], rate[1]);
}

static void at_most(char *out, size_t size, double us)
{
    if (us > 0)
        snprintf(out, size, "<= %.5g", us);
    else
        snprintf(out, size, "-");
}

void mote_atoms_row_print(const mote_bench_state *bench, const mote_atoms_limit *limit,
                          const mote_atoms_row *row)
{
    const mote_bench_options *o = bench->options;
    double pairs = mote_atoms_pairs(row->set, &row->way), us = row->times.device.median;
    double target = target_of(bench, row), whole_target = whole_target_of(bench, row);
    double rate = limit->rate[in_double(&row->way)];
    double least = rate > 0 ? pairs * operations[in_double(&row->way)][row->way.derivatives] / rate
                            : 0; /* nanoseconds */
    char way[40], goal[32], whole_goal[32], ratio[32] = "-";

    name_way(&row->way, way, sizeof(way));
    at_most(goal, sizeof(goal), target);
    at_most(whole_goal, sizeof(whole_goal), whole_target);
    if (row->peer_us > 0)
        snprintf(ratio, sizeof(ratio), "%.2f", row->peer_us / us);
    if (o->table) {
        fprintf(o->table,
                "%-8s %-32s %13.0f %11.1f %11.1f ..%11.1f %11.1f %11.1f %8.3f %6.1f %7s %11s "
                "%11s\n",
                row->set->name, way, pairs, us, row->times.device.low, row->times.device.high,
                row->times.in_a_row, row->whole.median, pairs / us * 1e-3, least / us * 0.1, ratio,
                goal, whole_goal);
        fflush(o->table);
    }
    if (o->json)
        fprintf(o->json,
                "{\"area\":\"coordination\",\"call\":\"compute\",\"set\":\"%s\",\"way\":\"%s\","
                "\"pairs\":%.0f,\"device_us\":%.3f,\"device_us_10\":%.3f,\"device_us_90\":%.3f,"
                "\"in_a_row_us\":%.3f,\"whole_us\":%.3f,\"limit_us\":%.3f,\"peer_us\":%.3f,"
                "\"target_us\":%g,\"whole_target_us\":%g,\"runs\":%zu,\"checked\":%s}\n",
                row->set->name, way, pairs, us, row->times.device.low, row->times.device.high,
                row->times.in_a_row, row->whole.median, least * 1e-3, row->peer_us, target,
                whole_target, row->times.runs, o->no_check ? "false" : "true");
}

/* What may stand in a JSON string. */
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
