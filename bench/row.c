/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/row.h"

#include <string.h>

void mote_bench_row_head(const mote_bench_state *bench, const char *title)
{
    if (!bench->options->table)
        return;
    fprintf(bench->options->table,
            "%s: microseconds; floor = least bytes at the device's best rate, an empty launch at "
            "least%s\n"
            "%-20s %-22s %11s %11s %10s %21s %10s %10s %9s %6s%s\n",
            title, bench->options->peers ? "; x peer = best native time / device" : "", "set",
            "way", "lists", "elements", "device", "10 % .. 90 %", "in a row", "whole", "floor", "%",
            mote_bench_extra_head(bench->options, false).text);
}

mote_bench_status mote_bench_row_sets(mote_bench_state *bench, const char *title,
                                      const char *(*name)(size_t k),
                                      mote_bench_status (*run)(mote_bench_state *bench, size_t k))
{
    const char *wanted = bench->options->set;
    mote_bench_status status = MOTE_BENCH_OK;
    bool head = false;

    for (size_t k = 0; name(k) && !status; k++) {
        if (wanted && strcmp(wanted, name(k)) != 0)
            continue;
        if (!head)
            mote_bench_row_head(bench, title);
        head = true;
        status = run(bench, k);
    }
    return status;
}

mote_bench_extra mote_bench_extra_head(const mote_bench_options *options, bool whole)
{
    mote_bench_extra extra;
    snprintf(extra.text, sizeof(extra.text), "%s%s%s", options->peers ? "  x peer" : "",
             options->target ? "       target" : "",
             options->target && whole ? "  whole target" : "");
    return extra;
}

static void add_target(char *text, size_t size, int width, const char *sign, double value)
{
    char words[32] = "-";
    if (value > 0)
        snprintf(words, sizeof(words), "%s %.5g", sign, value);
    size_t used = strlen(text);
    snprintf(text + used, size - used, " %*s", width, words);
}

mote_bench_extra mote_bench_extra_of(const mote_bench_options *options, double ratio,
                                     const mote_bench_target *target, bool whole)
{
    mote_bench_extra extra = {""};
    if (options->peers)
        snprintf(extra.text, sizeof(extra.text), ratio > 0 ? " %7.2f" : "       -", ratio);
    if (options->target)
        add_target(extra.text, sizeof(extra.text), 12,
                   target->rate > 0 ? ">=" : "<=", target->rate > 0 ? target->rate : target->us);
    if (options->target && whole)
        add_target(extra.text, sizeof(extra.text), 13, "<=", target->whole_us);
    return extra;
}

mote_bench_target mote_bench_target_of(const mote_bench_state *bench, mote_bench_line line)
{
    const mote_device_info *d = mote_context_device(bench->ctx);
    line.gpu = d->device_class != MOTE_DEVICE_CPU;
    line.compute_units = d->compute_units;
    return bench->options->target ? bench->options->target(&line) : (mote_bench_target){0};
}

static void set_name(const mote_bench_row *row, char *out, size_t size)
{
    if (row->scale > 1)
        snprintf(out, size, "%s, 1/%u", row->set, row->scale);
    else
        snprintf(out, size, "%s", row->set);
}

static mote_bench_target target_of(const mote_bench_state *bench, const mote_bench_row *row)
{
    return mote_bench_target_of(bench, (mote_bench_line){.area = row->area,
                                                         .call = row->call,
                                                         .set = row->set,
                                                         .way = row->way,
                                                         .scale = row->scale,
                                                         .peer_us = bench->peer_us});
}

static void print_table(const mote_bench_state *bench, const mote_bench_row *row, double floor)
{
    mote_bench_target target = target_of(bench, row);
    double us = row->times.device.median;
    double ratio = us > 0 ? bench->peer_us / us : 0;
    char set[40], whole[32] = "-";

    set_name(row, set, sizeof(set));
    if (row->whole_us > 0)
        snprintf(whole, sizeof(whole), "%.1f", row->whole_us);
    fprintf(bench->options->table,
            "%-20s %-22s %11zu %11zu %10.1f %9.1f ..%10.1f %10.1f %10s %9.1f %6.1f%s\n", set,
            row->way, row->lists, row->n, us, row->times.device.low, row->times.device.high,
            row->times.in_a_row, whole, floor, us > 0 ? 100 * floor / us : 0,
            mote_bench_extra_of(bench->options, ratio, &target, false).text);
    fflush(bench->options->table);
}

void mote_bench_row_print(const mote_bench_state *bench, const mote_bench_row *row)
{
    double floor = mote_bandwidth_floor(&bench->bandwidth, row->bytes);

    ++*bench->rows;
    if (bench->options->table)
        print_table(bench, row, floor);
    if (bench->options->point)
        bench->options->point(&(mote_bench_point){.area = row->area,
                                                  .call = row->call,
                                                  .way = row->way,
                                                  .size = row->bytes.read + row->bytes.written,
                                                  .n = (double)row->n,
                                                  .us = row->times.device.median,
                                                  .limit_us = floor,
                                                  .bytes = row->bytes,
                                                  .bandwidth = &bench->bandwidth},
                              bench->options->point_user);
    if (bench->options->json)
        fprintf(bench->options->json,
                "{\"area\":\"%s\",\"call\":\"%s\",\"set\":\"%s\",\"scale\":%u,\"way\":\"%s\","
                "\"lists\":%zu,\"elements\":%zu,\"device_us\":%.3f,\"device_us_10\":%.3f,"
                "\"device_us_90\":%.3f,\"in_a_row_us\":%.3f,\"whole_us\":%.3f,\"bytes\":%.0f,"
                "\"bytes_written\":%.0f,\"floor_us\":%.3f,\"peer_us\":%.3f,\"target_us\":%g,"
                "\"runs\":%zu,"
                "\"checked\":%s}\n",
                row->area, row->call, row->set, row->scale, row->way, row->lists, row->n,
                row->times.device.median, row->times.device.low, row->times.device.high,
                row->times.in_a_row, row->whole_us, row->bytes.read + row->bytes.written,
                row->bytes.written, floor, bench->peer_us, target_of(bench, row).us,
                row->times.runs, bench->options->no_check ? "false" : "true");
}

void mote_bench_row_skip(const mote_bench_state *bench, const mote_bench_row *row, const char *why)
{
    char set[40];

    ++*bench->rows;
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
                         const mote_spread *times)
{
    const double us = times->median;
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
                "\"lists\":%zu,\"elements\":%zu,\"us\":%.3f,\"us_10\":%.3f}\n",
                row->area, row->call, row->set, row->scale, name, row->lists, row->n, us,
                times->low);
}

bool mote_bench_try(const mote_bench_state *bench, const mote_bench_row *row, mote_timed_fn run,
                    mote_bench_check_fn check, void *job, mote_bench_status *status)
{
    mote_bench_trial trial = {.area = row->area,
                              .call = row->call,
                              .set = row->set,
                              .way = row->way,
                              .ctx = bench->ctx,
                              .queue = bench->queue,
                              .run = run,
                              .check = check,
                              .job = job};

    *status = MOTE_BENCH_OK;
    if (bench->options->way && strcmp(bench->options->way, row->way) != 0)
        return true;
    if (!bench->options->trial)
        return false;
    *status = bench->options->trial(&trial, bench->options->trial_user);
    return true;
}

mote_repeats mote_bench_repeats(const mote_bench_state *bench)
{
    if (bench->options->quick)
        return (mote_repeats){.warm_up = 3, .runs = 10, .budget = 0.2};
    return (mote_repeats){.warm_up = 10, .runs = 50, .budget = 1.0};
}

bool mote_bench_wants(const mote_bench_state *bench, const char *name)
{
    size_t length = strlen(name);

    for (const char *word = bench->options->only; word; word = strchr(word, ',')) {
        word += *word == ',';
        if (strncmp(word, name, length) == 0 && (word[length] == '\0' || word[length] == ','))
            return true;
    }
    return !bench->options->only;
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
