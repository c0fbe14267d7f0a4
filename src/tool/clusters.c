/* SPDX-License-Identifier: Apache-2.0 */
/* mote clusters: pixel clusters of digis in files. */
#include "commands.h"
#include "progress.h"
#include "clusters/job.h"
#include "io/same.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Of each GPU: what takes most of their time is making lines. */
#define WORKERS ((size_t)4)

enum {
    ID_LABELS = 300,
    ID_SVG,
    ID_EVENT,
    ID_MODULE,
    ID_SIZE,
    ID_INVALID,
    ID_DUPLICATES,
    ID_THRESHOLD,
    ID_CUT,
    ID_INNER,
    ID_CONNECTIVITY,
    ID_STRATEGY,
    ID_SCALE,
    ID_PART,
    ID_COLUMNS,
    ID_MASK,
    ID_WINDOW,
    ID_GAIN
};

static const tool_option clusters_table[] = {
    {ID_LABELS, "labels", "FILE", "CSV: one line per digi in input order, with its cluster"},
    {ID_SVG, "svg", "FILE", "picture of one module"},
    {ID_EVENT, "event", "E", "draw a module of this event, as outputs number it"},
    {ID_MODULE, "module", "ID", "draw this module (default: the one with the most digis)"},
    {ID_WINDOW, "window", "X:X,Y:Y", "draw these rows and columns, first to last"},
    {ID_SIZE, "size", "ROWSxCOLUMNS",
     "module size: x < ROWS, y < COLUMNS\n"
     "(default: the .bin file's, or the largest found + 1)"},
    {ID_INVALID, "invalid-module", "ID",
     "module id that marks digis to ignore\n"
     "(default: 65534 for .bin, none for CSV)"},
    {ID_DUPLICATES, "duplicates", "POLICY",
     "repeated pixels: drop all copies (default), keep the\n"
     "first, or join them with the sum or max of charges"},
    {ID_THRESHOLD, "threshold", "ADC", "ignore digis with a charge below ADC"},
    {ID_CUT, "charge-cut", "Q[,OUTER]",
     "drop clusters with a charge below Q; with OUTER, Q holds\n"
     "for module ids below --inner-modules, OUTER for others"},
    {ID_INNER, "inner-modules", "N", "see --charge-cut"},
    {ID_CONNECTIVITY, "connectivity", "8|4",
     "pixels that touch: with corners (8, default) or only\n"
     "with sides (4)"},
    {ID_STRATEGY, "strategy", "NAME",
     "auto (default), union_find or histogram: the same\n"
     "clusters by CMS's own method, slower"},
    {ID_SCALE, "adc-scale", "S",
     "multiply charges by S before rounding to integers\n"
     "(default: 1, for fractions a power of two)"},
    {ID_COLUMNS, "columns", "LIST",
     "what columns of a CSV file hold: module=NAME, x=, y=,\n"
     "adc=, event= or none=NAME, separated by commas"},
    {ID_MASK, "mask", "FILE",
     "CSV of dead pixels (module_id,x,y), whose digis are\n"
     "dropped"},
    {ID_GAIN, "gain", "FILE",
     "CSV of lines of modules (module_id,gain,pedestal): the\n"
     "charge is gain (adc - pedestal), rounded down, at least 0"},
    {ID_PART, "part", "K/N|auto", PART_HELP},
    {0, NULL, NULL, NULL},
};

static int take_cut(clusters_options *options, const char *value)
{
    char first[64];
    size_t length = strcspn(value, ",");
    if (length >= sizeof(first))
        return tool_fail(TOOL_USAGE, "--charge-cut: '%s' is not a number of at least 0", value);
    memcpy(first, value, length);
    first[length] = '\0';
    options->has_inner_cut = value[length] == ',';
    long double *one = options->has_inner_cut ? &options->inner_cut : &options->cut;
    int code = tool_real("--charge-cut", first, one);
    if (code == TOOL_GO_ON && options->has_inner_cut)
        code = tool_real("--charge-cut", value + length + 1, &options->cut);
    return code;
}

static int take_threshold(clusters_options *options, const char *value)
{
    int code = tool_real("--threshold", value, &options->threshold);
    if (code == TOOL_GO_ON && options->threshold > 4294967295.0L)
        return tool_fail(TOOL_USAGE, "--threshold: '%s' is above 4294967295", value);
    return code;
}

static int take_scale(clusters_options *options, const char *value)
{
    int code = tool_real("--adc-scale", value, &options->digis.adc_scale);
    if (code == TOOL_GO_ON &&
        !(options->digis.adc_scale >= 1e-30L && options->digis.adc_scale <= 1e30L))
        return tool_fail(TOOL_USAGE, "--adc-scale: '%s' is not a number from 1e-30 to 1e30", value);
    return code;
}

static int take_picture(clusters_options *options, int id, const char *value)
{
    if (id == ID_EVENT) {
        options->has_event = true;
        return tool_number("--event", value, 0, UINT64_MAX, &options->event);
    }
    options->has_module = true;
    return tool_number("--module", value, 0, UINT64_MAX, &options->module);
}

static int take_window(clusters_options *options, const char *value)
{
    svg_window *w = &options->window;
    int end = 0;
    w->given = true;
    if (strspn(value, "0123456789:,") == strlen(value) &&
        sscanf(value, "%5u:%5u,%5u:%5u%n", &w->x_min, &w->x_max, &w->y_min, &w->y_max, &end) == 4 &&
        !value[end] && w->x_min <= w->x_max && w->y_min <= w->y_max)
        return TOOL_GO_ON;
    return tool_fail(TOOL_USAGE,
                     "--window: '%s' is not X:X,Y:Y, the first and last row and column, as "
                     "10:40,0:99",
                     value);
}

static int take_word(clusters_options *options, int id, const char *value)
{
    static const char *const policies[] = {"drop", "first", "sum", "max", NULL};
    static const char *const connectivities[] = {"8", "4", NULL};
    static const char *const strategies[] = {"auto", "union_find", "histogram", NULL};
    if (id == ID_DUPLICATES)
        return tool_word("--duplicates", value, policies, &options->duplicates);
    if (id == ID_STRATEGY)
        return tool_word("--strategy", value, strategies, &options->strategy);
    int place = 0;
    int code = tool_word("--connectivity", value, connectivities, &place);
    options->connectivity = place ? 4 : 8;
    return code;
}

static int clusters_option(void *state, int id, const char *value)
{
    clusters_options *options = state;
    if (id == ID_LABELS)
        options->labels = tool_output(value);
    else if (id == ID_SVG)
        options->svg = tool_output(value);
    else if (id == ID_EVENT || id == ID_MODULE)
        return take_picture(options, id, value);
    else if (id == ID_SIZE)
        return tool_size("--size", value, &options->digis.rows, &options->digis.columns);
    else if (id == ID_DUPLICATES || id == ID_CONNECTIVITY || id == ID_STRATEGY)
        return take_word(options, id, value);
    else if (id == ID_PART)
        return part_take(value, &options->part);
    else if (id == ID_THRESHOLD)
        return take_threshold(options, value);
    else if (id == ID_CUT)
        return take_cut(options, value);
    else if (id == ID_SCALE)
        return take_scale(options, value);
    else if (id == ID_COLUMNS)
        return digi_columns_parse(value, &options->columns);
    else if (id == ID_WINDOW)
        return take_window(options, value);
    else if (id == ID_MASK)
        options->mask = (char *)(uintptr_t)value;
    else if (id == ID_GAIN)
        options->gain = (char *)(uintptr_t)value;
    if (id == ID_INVALID) {
        options->digis.has_invalid = true;
        return tool_number("--invalid-module", value, 0, UINT64_MAX,
                           &options->digis.invalid_module);
    }
    if (id == ID_INNER) {
        options->has_inner_modules = true;
        return tool_number("--inner-modules", value, 1, UINT64_MAX, &options->inner_modules);
    }
    return TOOL_GO_ON;
}

static int check_options(clusters_options *options, int argc, char **argv, int first)
{
    if (first >= argc)
        return tool_fail(TOOL_USAGE, "no input file given (see mote clusters --help)");
    options->inputs = argv + first;
    options->n_inputs = (size_t)(argc - first);
    options->digis.leave_room = options->duplicates == MOTE_DUPLICATES_SUM;
    options->digis.columns_given = &options->columns;
    options->digis.number_modules = options->mask || options->gain;
    options->digis.needs_charges = options->threshold > 0.0L || options->cut > 0.0L ||
                                   options->inner_cut > 0.0L || options->gain ||
                                   options->duplicates == MOTE_DUPLICATES_MAX;
    if (options->has_inner_cut && !options->has_inner_modules)
        return tool_fail(TOOL_USAGE, "--charge-cut INNER,OUTER needs --inner-modules N");
    if (options->has_inner_modules && !options->has_inner_cut)
        return tool_fail(TOOL_USAGE, "--inner-modules needs --charge-cut INNER,OUTER");
    if ((options->has_event || options->has_module || options->window.given) && !options->svg)
        return tool_fail(TOOL_USAGE,
                         "--event, --module and --window choose what --svg FILE draws: give --svg");
    if (options->part.n && options->svg)
        return tool_fail(TOOL_USAGE, "--svg draws one module of all events: leave out --part");
    int code = part_rename(&options->part, "clusters", &options->common.output);
    if (code == TOOL_GO_ON)
        code = part_rename(&options->part, "labels", &options->labels);
    if (code != TOOL_GO_ON)
        return code;
    size_t n_stdin = 0;
    for (size_t i = 0; i < options->n_inputs; i++)
        n_stdin += strcmp(options->inputs[i], "-") == 0;
    n_stdin += options->mask && strcmp(options->mask, "-") == 0;
    n_stdin += options->gain && strcmp(options->gain, "-") == 0;
    if (n_stdin > 1)
        return tool_fail(TOOL_USAGE, "'-' (standard input) can be read only once");
    const char *outputs[] = {options->common.output, options->labels, options->svg};
    char *tables[2];
    size_t n_tables = 0;
    if (options->mask)
        tables[n_tables++] = options->mask;
    if (options->gain)
        tables[n_tables++] = options->gain;
    code = same_refuse(tables, n_tables, outputs, 3);
    return code == TOOL_GO_ON ? same_refuse(options->inputs, options->n_inputs, outputs, 3) : code;
}

static int open_outputs(clusters_job *job)
{
    const clusters_options *options = job->options;
    int code = TOOL_DONE;
    if (options->common.output || (!options->labels && !options->svg))
        code = out_open(options->common.output, &job->outs[OUT_CLUSTERS]);
    if (code == TOOL_DONE && options->labels)
        code = out_open(options->labels, &job->outs[OUT_LABELS]);
    if (code == TOOL_DONE && options->svg)
        code = out_open(options->svg, &job->outs[OUT_SVG]);
    return code == TOOL_DONE ? TOOL_GO_ON : code;
}

static void find_sizes(clusters_job *job)
{
    const clusters_options *options = job->options;
    for (size_t i = 0; i < options->n_inputs; i++) {
        struct stat info;
        if (stat(options->inputs[i], &info) == 0 && S_ISREG(info.st_mode))
            job->bytes_total += (uint64_t)info.st_size;
    }
}

/* Pipes may give nothing for a while. Reading regular files goes on while devices are opened. */
static bool may_wait(const clusters_options *options)
{
    bool waits = false;
    for (size_t i = 0; i < options->n_inputs; i++) {
        struct stat info;
        waits = waits || stat(options->inputs[i], &info) != 0 || !S_ISREG(info.st_mode);
    }
    return waits;
}

/* Runs the threads until everything is written or one of them cannot go on. */
static int run_threads(clusters_job *job)
{
    pthread_t reading, working;
    if (may_wait(job->options) && !crew_open(&job->crew))
        return TOOL_GO_ON; /* say_failures() says why */
    if (pthread_create(&reading, NULL, clusters_read, job) != 0)
        return tool_fail(TOOL_DEVICE, "no thread can be started");
    bool two = pthread_create(&working, NULL, crew_run, &job->crew) == 0;
    int code = two ? clusters_write(job) : tool_fail(TOOL_DEVICE, "no thread can be started");
    pipeline_stop(&job->pipeline);
    pthread_join(reading, NULL);
    if (two)
        pthread_join(working, NULL);
    progress_hide();
    job->timing.device_s = job->crew.device_s;
    job->timing.bytes = job->bytes_read;
    return code;
}

/* Says the failure that came first in the order of the input. */
static int say_failures(clusters_job *job, int code)
{
    const tool_failure *read = &job->read_failure, *work = &job->crew.failure;
    bool nothing = pipeline_count(&job->pipeline) == 0; /* not even one batch was read */
    if (code == TOOL_GO_ON && read->code != TOOL_GO_ON && nothing)
        code = tool_fail(read->code, "%s", read->text);
    if (code == TOOL_GO_ON && work->code != TOOL_GO_ON)
        code = tool_fail(work->code, "%s", work->text);
    if (code == TOOL_GO_ON && read->code != TOOL_GO_ON)
        code = tool_fail(read->code, "%s", read->text);
    return code;
}

/* Finds the devices, and makes room for the batches that keep them busy. */
static int prepare(clusters_job *job)
{
    int code = devices_find(job->options->common.device, &job->crew.devices);
    size_t slots = 2 * job->crew.devices.count * job->crew.each;
    if (code != TOOL_GO_ON)
        return code;
    job->batches = calloc(slots, sizeof(*job->batches));
    if (!pipeline_init(&job->pipeline, slots) || !job->batches)
        code = tool_fail(TOOL_DEVICE, "out of memory");
    return code;
}

static void release(clusters_job *job)
{
    for (size_t i = 0; job->batches && i < job->pipeline.slots; i++) {
        clusters_batch *batch = &job->batches[i];
        if (batch->file && batch->last)
            clusters_file_free(batch->file);
        for (int k = 0; k < OUT_SVG; k++)
            buffer_free(&batch->lines[k]);
        svg_module_free(&batch->picture.module);
    }
    clusters_file_free(job->reading);
    modules_free(&job->modules);
    free(job->batches);
    free(job->events_of);
    if (job->pipeline.slots)
        pipeline_free(&job->pipeline);
    svg_module_free(&job->picture.module);
    devices_close(&job->crew.devices);
}

static int run_prepared(clusters_job *job, double start)
{
    int code = clusters_take_part(job);
    if (code == TOOL_GO_ON)
        code = open_outputs(job);
    if (code == TOOL_GO_ON) {
        find_sizes(job);
        progress_start("events", !job->options->common.quiet);
        clusters_write_headers(job);
        code = run_threads(job);
        code = say_failures(job, code);
    }
    if (code == TOOL_GO_ON && job->options->svg)
        code = clusters_picture_draw(job);
    double writing = tool_seconds();
    if (code == TOOL_GO_ON)
        code = out_finish(job->outs, OUT_COUNT);
    else
        out_discard(job->outs, OUT_COUNT);
    if (code == TOOL_DONE)
        code = part_complete(&job->options->part, "clusters", job->total, job->run);
    job->timing.write_s += tool_seconds() - writing;
    if (code == TOOL_DONE && !out_reader_left())
        clusters_summary(job, tool_seconds() - start);
    return code;
}

static int run_job(clusters_options *options)
{
    clusters_job job = {.options = options, .read_failure.code = TOOL_GO_ON};
    job.crew = (device_crew){.pipeline = &job.pipeline,
                             .each = WORKERS,
                             .job = &job,
                             .work = clusters_work,
                             .failure.code = TOOL_GO_ON};
    double start = tool_seconds();
    int code = modules_read(options->mask, options->gain, &options->digis, &job.modules);
    modules_most(&job.modules, &options->digis);
    if (code == TOOL_GO_ON)
        code = prepare(&job);
    if (code == TOOL_GO_ON)
        code = run_prepared(&job, start);
    release(&job);
    return code;
}

static int clusters_run(const tool_command *self, int argc, char **argv)
{
    clusters_options options = {.connectivity = 8};
    int first;
    int code = tool_parse(self, argc, argv, &options.common, clusters_option, &options, &first);
    if (code == TOOL_GO_ON)
        code = check_options(&options, argc, argv, first);
    if (code == TOOL_GO_ON)
        code = run_job(&options);
    part_free(&options.part);
    return code;
}

const tool_command tool_clusters = {
    .name = "clusters",
    .arguments = "INPUT...",
    .summary = "cluster the pixels of digi files",
    .about = "Groups the fired pixels (digis) of detector modules into clusters.\n\n"
             "INPUT is a .csv file with a header line, columns in any order, with either\n"
             "  geometry_id, channel0 (x), channel1 (y), value      (cells of Acts and traccc)\n"
             "  module_id, x, y, adc, and optionally event          (plain digis; else --columns)\n"
             "or a .bin file of digi events, or - for CSV on standard input. Several files are\n"
             "several events. Digis may come in any order.\n\n"
             "Clusters are written as CSV, one line each, in ascending order of event, module and\n"
             "cluster number. Numbers count from 0 in each module in the order of the cluster's\n"
             "lowest pixel by (y, x): they depend neither on the device nor on the input's order.",
    .options = clusters_table,
    .run = clusters_run,
};
