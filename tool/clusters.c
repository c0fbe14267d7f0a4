/* SPDX-License-Identifier: Apache-2.0 */
/* mote clusters: pixel clusters of digis in files. */
#include "commands.h"
#include "progress.h"
#include "clusters/job.h"
#include "clusters/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Workers per GPU: they spend most of their time formatting lines. */
#define WORKERS ((size_t)4)

static int open_outputs(clusters_job *job)
{
    const clusters_options *options = job->options;
    int code = TOOL_DONE;
    if (options->common.output || (!options->labels && !options->svg && !options->svg_event))
        code = out_open(options->common.output, &job->outs[OUT_CLUSTERS]);
    if (code == TOOL_DONE && options->labels)
        code = out_open(options->labels, &job->outs[OUT_LABELS]);
    if (code == TOOL_DONE && options->svg)
        code = out_open(options->svg, &job->outs[OUT_SVG]);
    if (code == TOOL_DONE && options->svg_event)
        code = out_open(options->svg_event, &job->outs[OUT_SVG_EVENT]);
    return code == TOOL_DONE ? TOOL_GO_ON : code;
}

static void find_sizes(clusters_job *job)
{
    const clusters_options *options = job->options;
    uint64_t first = 0;
    for (size_t i = 0; i < options->n_inputs; i++) {
        struct stat info;
        bool foreign = clusters_is_foreign(job, i, first);
        first += job->events_of ? job->events_of[i] : 0;
        if (!foreign && stat(options->inputs[i], &info) == 0 && S_ISREG(info.st_mode))
            job->bytes_total += (uint64_t)info.st_size;
    }
}

/* Pipes may give nothing for a while. Regular files are read while devices are opened. */
static bool may_wait(const clusters_options *options)
{
    bool waits = false;
    for (size_t i = 0; i < options->n_inputs; i++) {
        struct stat info;
        waits = waits || stat(options->inputs[i], &info) != 0 || !S_ISREG(info.st_mode);
    }
    return waits;
}

/* Runs the threads until everything is written or one of them fails. */
static int run_threads(clusters_job *job)
{
    pthread_t reading, working;
    if (may_wait(job->options) && !workers_open(&job->workers))
        return TOOL_GO_ON; /* say_failures() prints the reason */
    if (pipe(job->wake) != 0)
        return tool_fail(TOOL_INPUT, "no pipe can be made: %s", strerror(errno));
    if (pthread_create(&reading, NULL, job->stream ? hits_read : clusters_read, job) != 0)
        return tool_fail(TOOL_DEVICE, "no thread can be started");
    bool two = pthread_create(&working, NULL, workers_run, &job->workers) == 0;
    int code = two ? clusters_write(job) : tool_fail(TOOL_DEVICE, "no thread can be started");
    pipeline_stop(&job->pipeline);
    close(job->wake[1]); /* the reader may be waiting for a pipe that delivers nothing */
    job->wake[1] = -1;
    pthread_join(reading, NULL);
    if (two)
        pthread_join(working, NULL);
    job->timing.device_s = job->workers.device_s;
    job->timing.bytes = job->bytes_read;
    return code;
}

/* Prints the failure that comes first in the order of the input. */
static int say_failures(clusters_job *job, int code)
{
    const tool_failure *read = &job->read_failure, *work = &job->workers.failure;
    bool nothing = pipeline_count(&job->pipeline) == 0; /* not even one batch was read */
    if (code == TOOL_GO_ON && read->code != TOOL_GO_ON && nothing)
        code = tool_fail(read->code, "%s", read->text);
    if (code == TOOL_GO_ON && work->code != TOOL_GO_ON)
        code = tool_fail(work->code, "%s", work->text);
    if (code == TOOL_GO_ON && read->code != TOOL_GO_ON)
        code = tool_fail(read->code, "%s", read->text);
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
        hits_block_free(&batch->hits);
        svg_module_free(&batch->picture.module);
        svg_event_free(&batch->sheet.event);
    }
    clusters_file_free(job->reading);
    modules_free(&job->modules);
    free(job->batches);
    free(job->events_of);
    if (job->pipeline.slots)
        pipeline_free(&job->pipeline);
    svg_module_free(&job->picture.module);
    svg_event_free(&job->sheet.event);
    devices_close(&job->workers.devices);
    for (int k = 0; k < 2; k++)
        if (job->wake[k] >= 0)
            close(job->wake[k]);
}

static int run_prepared(clusters_job *job, double start)
{
    int code = clusters_take_part(job);
    if (code == TOOL_GO_ON)
        code = open_outputs(job);
    if (code == TOOL_GO_ON) {
        find_sizes(job);
        clusters_write_headers(job);
        code = run_threads(job);
        code = say_failures(job, code);
    }
    if (code == TOOL_GO_ON && job->options->svg)
        code = job->stream ? hit_picture_draw(job->stream, job->outs[OUT_SVG])
                           : clusters_picture_draw(job);
    if (code == TOOL_GO_ON && job->options->svg_event)
        code = clusters_sheet_draw(job);
    double writing = tool_seconds();
    progress_last_step("writing", "the results");
    if (code == TOOL_GO_ON)
        code = out_finish(job->outs, OUT_COUNT);
    else
        out_discard(job->outs, OUT_COUNT);
    progress_end();
    if (code == TOOL_DONE)
        code = part_complete(&job->options->part, "clusters", job->total, job->run);
    job->timing.write_s += tool_seconds() - writing;
    if (code == TOOL_DONE && !out_reader_left())
        clusters_summary(job, tool_seconds() - start);
    return code;
}

static int run_job(clusters_options *options)
{
    bool hits = options->hits.given;
    hit_stream stream = {.rows = options->digis.rows,
                         .columns = options->digis.columns,
                         .waits = options->labels || options->svg,
                         .draws = options->svg != NULL,
                         .has_module = options->has_module,
                         .module = (uint32_t)options->module};
    clusters_job job = {.options = options,
                        .wake = {-1, -1},
                        .read_failure.code = TOOL_GO_ON,
                        .stream = hits ? &stream : NULL};
    job.workers = (device_workers){.pipeline = &job.pipeline,
                                   .each = hits ? 1 : WORKERS,
                                   .job = &job,
                                   .work = hits ? hits_work : clusters_work,
                                   .failure.code = TOOL_GO_ON};
    double start = tool_seconds();
    progress_start(hits ? "hit" : "event", !options->common.quiet);
    int code =
        modules_read(options->mask, options->gain, options->morph, &options->digis, &job.modules);
    modules_most(&job.modules, &options->digis);
    if (code == TOOL_GO_ON)
        job.batches =
            workers_prepare(&job.workers, options->common.device, 0, sizeof(*job.batches), &code);
    if (code == TOOL_GO_ON)
        code = run_prepared(&job, start);
    progress_end();
    release(&job);
    hit_stream_free(&stream);
    return code;
}

static int clusters_run(const tool_command *self, int argc, char **argv)
{
    clusters_options options = {.connectivity = 8,
                                .hits = {.radius = 1, .disorder = 1000000, .block = 1 << 20}};
    int first;
    int code = tool_parse(self, argc, argv, &options.common, clusters_option, &options, &first);
    if (code == TOOL_GO_ON)
        code = clusters_check_options(&options, argc, argv, first);
    if (code == TOOL_GO_ON)
        code = run_job(&options);
    part_free(&options.part);
    return code;
}

const tool_command tool_clusters = {
    .name = "clusters",
    .arguments = "INPUT...",
    .inputs = "csv tsv txt bin t3pa tpx3",
    .summary = "group the pixels of digi files into clusters",
    .about =
        "Groups digis, the fired pixels of detector modules, into clusters.\n\n"
        "INPUT is a .csv file, a .bin file of digi events, or - for either on standard input. A\n"
        ".csv file has a header line and one of these sets of columns, in any order:\n"
        "  geometry_id, channel0 (x), channel1 (y), value      (as Acts and traccc write cells)\n"
        "  x, y, and optionally module_id, adc and event       (plain digis; see --columns)\n"
        "Several files are several events. Digis may have any order.\n\n"
        "The output is CSV with one line for each cluster, in ascending order of event, module\n"
        "and cluster number. The clusters of a module are numbered from 0 in the order of their\n"
        "lowest pixel by (y, x): the numbers depend neither on the device nor on the order of\n"
        "the input.\n\n"
        "With --time-window, the inputs are one stream of hits with times: CSV with a column t\n"
        "or ToA, or packets of Timepix3 (.tpx3). Only the hits of clusters that are not\n"
        "complete remain in memory. Clusters are numbered over all modules in the order of\n"
        "their first hits by (t, module, y, x), and have the columns t_first and t_last.",
    .examples = "mote clusters events.csv -o clusters.csv --labels labels.csv --svg module.svg\n"
                "mote clusters run.tpx3 --time-window 64 -o clusters.csv",
    .options = clusters_table,
    .run = clusters_run,
};
