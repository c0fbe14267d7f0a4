/* SPDX-License-Identifier: Apache-2.0 */
/* The main thread's work: it writes the results of the workers in order. */
#include "job.h"
#include "../progress.h"

#define PIECE_DIGIS ((size_t)1 << 16)

void clusters_write_headers(clusters_job *job)
{
    if (!part_is_first(&job->options->part))
        return;
    bool hits = job->options->hits.given;
    if (job->outs[OUT_CLUSTERS])
        out_print(job->outs[OUT_CLUSTERS], "%s%s\n",
                  job->options->acts
                      ? "measurement_id,geometry_id,local_key,local0,local1,phi,theta,time,"
                        "var_local0,var_local1,var_phi,var_theta,var_time,"
                        "global_x,global_y,global_z"
                      : "event,module_id,cluster_id,size,charge,x,y,x_min,x_max,y_min,y_max,"
                        "first_digi,x_var,y_var",
                  hits ? ",t_first,t_last" : "");
    if (job->outs[OUT_LABELS])
        out_print(job->outs[OUT_LABELS], "event,module_id,x,y,adc,cluster_id%s\n",
                  hits ? ",t" : "");
}

static void write_lines(out_file *out, text_buffer *lines)
{
    if (out)
        out_bytes(out, lines->bytes, lines->used);
    lines->used = 0;
}

/* Writes the labels of a file whose digis are not in the order of the input. */
static int write_labels(clusters_job *job, const clusters_file *file)
{
    out_file *out = job->outs[OUT_LABELS];
    size_t n = file->digis.n;
    text_buffer lines = {0};
    bool good = true;
    for (size_t row = 0; row < n && good && !out_is_closed(out); row += PIECE_DIGIS) {
        size_t end = n - row < PIECE_DIGIS ? n : row + PIECE_DIGIS;
        good = clusters_label_lines(file, row, end, &lines);
        write_lines(out, &lines);
    }
    buffer_free(&lines);
    return good ? TOOL_GO_ON : tool_fail(TOOL_OUTPUT, "out of memory for lines of labels");
}

/* The module with more digis is kept, or the first of equal ones. */
static void take_picture(clusters_job *job, clusters_batch *batch)
{
    if (batch->picture.digis > job->picture.digis) {
        svg_module_free(&job->picture.module);
        job->picture = batch->picture;
    } else {
        svg_module_free(&batch->picture.module);
    }
    batch->picture = (clusters_picture){0};
}

/* Keeps the sheet of a batch if its event has more digis than the kept one. */
static void take_sheet(clusters_job *job, clusters_batch *batch)
{
    if (batch->sheet.event.n > job->sheet.event.n) {
        svg_event_free(&job->sheet.event);
        job->sheet = batch->sheet;
    } else {
        svg_event_free(&batch->sheet.event);
    }
    batch->sheet = (clusters_sheet){0};
}

/* If an input is read in parts, only its last part has the size of its modules. */
static void widen_pictures(clusters_job *job, const clusters_file *file)
{
    if (job->picture.digis && job->picture.input == file->input) {
        job->picture.module.rows = file->digis.rows;
        job->picture.module.columns = file->digis.columns;
    }
    if (job->sheet.event.n && job->sheet.input == file->input) {
        job->sheet.event.rows = file->digis.rows;
        job->sheet.event.columns = file->digis.columns;
    }
}

/* Checks whether no results can be delivered any more, or a write has failed. */
static int check_outputs(clusters_job *job)
{
    bool all_closed = true;
    for (int i = 0; i < OUT_COUNT; i++) {
        if (!job->outs[i])
            continue;
        all_closed = all_closed && out_is_closed(job->outs[i]);
        int code = out_check(job->outs[i]);
        if (code != TOOL_GO_ON)
            return code;
    }
    return all_closed ? TOOL_DONE : TOOL_GO_ON;
}

static int write_batch(clusters_job *job, clusters_batch *batch)
{
    int code = TOOL_GO_ON;
    if (job->outs[OUT_CLUSTERS] && job->options->acts &&
        job->counts.events + batch->counts.events > 1)
        return tool_fail(TOOL_INPUT,
                         "%s: a second event, but --format acts has one event in a "
                         "file, as Acts has: run each event on its own",
                         job->options->inputs[batch->file->input]);
    for (int i = 0; i < OUT_SVG; i++)
        write_lines(job->outs[i], &batch->lines[i]);
    if (batch->file) {
        take_picture(job, batch);
        take_sheet(job, batch);
        widen_pictures(job, batch->file);
    }
    job->counts.digis += batch->counts.digis;
    job->counts.events += batch->counts.events;
    job->counts.modules += batch->counts.modules;
    job->counts.clusters += batch->counts.clusters;
    job->counts.invalid += batch->counts.invalid;
    job->counts.masked += batch->counts.masked;
    job->counts.below += batch->counts.below;
    job->counts.repeated += batch->counts.repeated;
    job->counts.cut += batch->counts.cut;
    if (batch->file && batch->last) {
        job->counts.lost += batch->file->digis.lost;
        job->counts.changed += batch->file->digis.changed;
        if (job->outs[OUT_LABELS] && batch->file->digis.place)
            code = write_labels(job, batch->file);
        clusters_file_free(batch->file);
    }
    batch->file = NULL;
    return code == TOOL_GO_ON ? check_outputs(job) : code;
}

int clusters_write(clusters_job *job)
{
    int code = TOOL_GO_ON;
    size_t slot;
    while (code == TOOL_GO_ON && pipeline_collect(&job->pipeline, &slot)) {
        clusters_batch *batch = &job->batches[slot];
        double part = job->bytes_total ? (double)batch->bytes / (double)job->bytes_total : -1.0;
        double start = tool_seconds();
        code = write_batch(job, batch);
        job->timing.write_s += tool_seconds() - start;
        pipeline_collected(&job->pipeline);
        progress_show(part, job->stream ? job->counts.digis : job->counts.events);
    }
    return code;
}
