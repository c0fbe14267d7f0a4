/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/row.h"

void mote_bench_row_head(const mote_bench_state *bench, const char *title)
{
    if (!bench->options->table)
        return;
    fprintf(bench->options->table,
            "%s: microseconds; floor = least bytes at the device's bandwidth; x peer = best native "
            "time / device\n"
            "%-20s %-22s %11s %11s %10s %21s %10s %10s %9s %6s %7s %9s\n",
            title, "set", "way", "lists", "elements", "device", "10 % .. 90 %", "in a row", "whole",
            "floor", "%", "x peer", "target");
}

static void set_name(const mote_bench_row *row, char *out, size_t size)
{
    if (row->scale > 1)
        snprintf(out, size, "%s, 1/%u", row->set, row->scale);
    else
        snprintf(out, size, "%s", row->set);
}

/* What was named for an H200 says nothing about a CPU, where native code of the same run counts. */
static double target_of(const mote_bench_state *bench, const mote_bench_row *row)
{
    if (mote_context_device(bench->ctx)->device_class == MOTE_DEVICE_CPU)
        return row->cpu_factor * bench->peer_us;
    return row->scale == 1 ? row->target_us : 0;
}

static void print_table(const mote_bench_state *bench, const mote_bench_row *row, double floor)
{
    double target = target_of(bench, row);
    double us = row->times.device.median;
    char set[40], goal[32] = "-", whole[32] = "-", ratio[32] = "-";

    set_name(row, set, sizeof(set));
    if (target > 0)
        snprintf(goal, sizeof(goal), "<= %.5g", target);
    if (row->whole_us > 0)
        snprintf(whole, sizeof(whole), "%.1f", row->whole_us);
    if (bench->peer_us > 0 && us > 0)
        snprintf(ratio, sizeof(ratio), "%.2f", bench->peer_us / us);
    fprintf(bench->options->table,
            "%-20s %-22s %11zu %11zu %10.1f %9.1f ..%10.1f %10.1f %10s %9.1f %6.1f %7s %9s\n", set,
            row->way, row->lists, row->n, us, row->times.device.low, row->times.device.high,
            row->times.in_a_row, whole, floor, us > 0 ? 100 * floor / us : 0, ratio, goal);
    fflush(bench->options->table);
}

void mote_bench_row_print(const mote_bench_state *bench, const mote_bench_row *row)
{
    double floor = row->gb_s > 0 ? row->bytes / row->gb_s * 1e-3 : 0;

    if (bench->options->table)
        print_table(bench, row, floor);
    if (bench->options->json)
        fprintf(bench->options->json,
                "{\"area\":\"%s\",\"call\":\"%s\",\"set\":\"%s\",\"scale\":%u,\"way\":\"%s\","
                "\"lists\":%zu,\"elements\":%zu,\"device_us\":%.3f,\"device_us_10\":%.3f,"
                "\"device_us_90\":%.3f,\"in_a_row_us\":%.3f,\"whole_us\":%.3f,\"bytes\":%.0f,"
                "\"floor_us\":%.3f,\"peer_us\":%.3f,\"target_us\":%g,\"runs\":%zu,"
                "\"checked\":%s}\n",
                row->area, row->call, row->set, row->scale, row->way, row->lists, row->n,
                row->times.device.median, row->times.device.low, row->times.device.high,
                row->times.in_a_row, row->whole_us, row->bytes, floor, bench->peer_us,
                target_of(bench, row), row->times.runs,
                bench->options->no_check ? "false" : "true");
}

void mote_bench_row_skip(const mote_bench_state *bench, const mote_bench_row *row, const char *why)
{
    char set[40];

    set_name(row, set, sizeof(set));
    if (bench->options->table)
        fprintf(bench->options->table, "%-20s %-22s %11zu %11zu left out: %s\n", set, row->way,
                row->lists, row->n, why);
    if (bench->options->json)
        fprintf(bench->options->json,
                "{\"area\":\"%s\",\"call\":\"%s\",\"set\":\"%s\",\"scale\":%u,\"way\":\"%s\","
                "\"lists\":%zu,\"elements\":%zu,\"left_out\":\"%s\"}\n",
                row->area, row->call, row->set, row->scale, row->way, row->lists, row->n, why);
}

void mote_bench_row_peer(mote_bench_state *bench, const mote_bench_row *row, const char *name,
                         double us)
{
    char set[40];

    set_name(row, set, sizeof(set));
    if (bench->peer_us <= 0 || us < bench->peer_us)
        bench->peer_us = us;
    if (bench->options->table) {
        fprintf(bench->options->table, "%-20s %-22s %11zu %11zu %10.1f   native\n", set, name,
                row->lists, row->n, us);
        fflush(bench->options->table);
    }
    if (bench->options->json)
        fprintf(bench->options->json,
                "{\"area\":\"%s\",\"call\":\"%s\",\"set\":\"%s\",\"scale\":%u,\"peer\":\"%s\","
                "\"lists\":%zu,\"elements\":%zu,\"us\":%.3f}\n",
                row->area, row->call, row->set, row->scale, name, row->lists, row->n, us);
}

mote_repeats mote_bench_repeats(const mote_bench_state *bench)
{
    if (bench->options->quick)
        return (mote_repeats){.warm_up = 3, .runs = 10, .budget = 0.2};
    return (mote_repeats){.warm_up = 10, .runs = 50, .budget = 1.0};
}

mote_bench_status mote_bench_failed(const mote_bench_state *bench, const mote_bench_row *row)
{
    snprintf(bench->message, bench->size, "%s on %s, %s, failed: %s", row->call, row->set, row->way,
             mote_last_error());
    return MOTE_BENCH_DEVICE;
}

mote_bench_status mote_bench_no_memory(const mote_bench_state *bench, const char *set)
{
    snprintf(bench->message, bench->size, "no memory for %s", set);
    return MOTE_BENCH_DEVICE;
}

cl_mem mote_bench_buffer(const mote_bench_state *bench, size_t bytes, const void *contents)
{
    cl_context context = mote_context_cl(bench->ctx);
    cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes ? bytes : 4, NULL, NULL);

    if (!mem || !contents || !bytes)
        return mem;
    if (clEnqueueWriteBuffer(bench->queue, mem, CL_TRUE, 0, bytes, contents, 0, NULL, NULL)) {
        clReleaseMemObject(mem);
        return NULL;
    }
    return mem;
}

bool mote_bench_poison(const mote_bench_state *bench, cl_mem mem, size_t bytes)
{
    static const cl_uint poison = 0xa5a5a5a5u;

    return !clEnqueueFillBuffer(bench->queue, mem, &poison, sizeof(poison), 0, bytes, 0, NULL,
                                NULL);
}

bool mote_bench_read(const mote_bench_state *bench, cl_mem mem, size_t bytes, void *out)
{
    return !clEnqueueReadBuffer(bench->queue, mem, CL_TRUE, 0, bytes, out, 0, NULL, NULL);
}
