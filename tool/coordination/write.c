/* SPDX-License-Identifier: Apache-2.0 */
/* Writes lines for computed frames. */
#include "job.h"

#include "../option.h"
#include "../progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE 4096 /* entries between two checks whether a reader remains */

/* ---- heads ----------------------------------------------------------------------------------- */

static const char *const tensor[] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};

/* Returns the names of a table's columns: with one number, the virial's columns have no label. */
static char *name_columns(const coordination_job *job, const coordination_print *print)
{
    const coordination_options *options = job->options;
    size_t each = 0;
    for (size_t k = 0; k < print->n_cvs; k++)
        each += 10 * (strlen(options->cvs[print->cvs[k]].label) + 16);
    char *names = malloc(each + 16), *at = names;
    if (!names)
        return NULL;
    at += sprintf(at, "time");
    for (size_t k = 0; k < print->n_cvs; k++) {
        const char *label = options->cvs[print->cvs[k]].label;
        bool alone = options->n_cvs == 1;
        at += sprintf(at, " %s", label);
        for (int i = 0; i < 9 && options->virial; i++)
            at += sprintf(at, " %s%svir_%s", alone ? "" : label, alone ? "" : ".", tensor[i]);
    }
    return names;
}

static void write_settings(const coordination_job *job, coordination_table *table,
                           const coordination_print *print)
{
    const coordination_options *options = job->options;
    table_set(table, "precision", mote_precision_name(job->precision));
    for (size_t k = 0; k < print->n_cvs; k++) {
        const coordination_cv *cv = &options->cvs[print->cvs[k]];
        char name[320], value[32];
        snprintf(name, sizeof(name), "%.300s%sd_max", options->n_cvs == 1 ? "" : cv->label,
                 options->n_cvs == 1 ? "" : ".");
        snprintf(value, sizeof(value), "%.17g", cv->function.d_max);
        table_set(table, name, value);
    }
}

static void write_heads(coordination_job *job)
{
    const coordination_options *options = job->options;
    bool many = options->n_cvs > 1;
    for (size_t i = 0; i < options->n_prints; i++) {
        const coordination_print *print = &options->prints[i];
        coordination_table *table = &job->tables[i];
        char *names = name_columns(job, print);
        table->shape[0] = 1 + print->n_cvs * (options->virial ? 10 : 1);
        table_head(table, names ? names : "time");
        free(names);
        if (!options->plumed)
            write_settings(job, table, print);
    }
    if (job->derivatives) {
        job->derivatives->shape[0] = job->entries;
        job->derivatives->shape[1] = 3;
        table_head(job->derivatives,
                   many ? "frame cv entry atom dx dy dz" : "frame entry atom dx dy dz");
    }
    if (job->per_atom) {
        job->per_atom->shape[0] = job->numbers;
        table_head(job->per_atom, many ? "frame cv entry atom number" : "frame entry atom number");
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void write_line(const coordination_job *job, coordination_table *table,
                       const coordination_print *print, const coordination_batch *batch, size_t k)
{
    table_time(table, batch->time[k]);
    for (size_t c = 0; c < print->n_cvs; c++) {
        size_t place = print->cvs[c] * job->most_frames + k;
        table_reals(table, batch->value + place, 1);
        if (batch->virial)
            table_reals(table, batch->virial + 9 * place, 9);
    }
    table_end_line(table);
    table_end_frame(table);
}

/* Returns the atom of a list entry, from 1. */
static unsigned atom_of(const coordination_cv *cv, size_t entry)
{
    const coordination_group *a = &cv_lists(cv)->group_a, *b = &cv_lists(cv)->group_b;
    size_t n_a = cv->entries - b->count;
    if (entry >= n_a)
        return b->atoms[entry - n_a] + 1;
    return a->atoms ? a->atoms[entry] + 1 : (unsigned)entry + 1;
}

/* Writes one line for each list entry of a frame: frame, entry, atom, and `each` numbers. */
static void write_entries(const coordination_job *job, coordination_table *table,
                          const coordination_batch *batch, size_t k, size_t each)
{
    const coordination_options *options = job->options;
    for (size_t c = 0; c < options->n_cvs; c++) {
        const coordination_cv *cv = &options->cvs[c];
        const double *numbers = each == 3 ? batch->derivatives : batch->coordination;
        numbers += each * (job->most_frames * cv->first + k * cv->entries);
        if (each == 1 && cv->behind)
            continue;
        /* The numbers of single atoms are labelled by their action. */
        char *label = strndup(cv->label, each == 3 ? strlen(cv->label) : cv_label_length(cv));
        for (size_t i = 0; i < cv->entries; i++) {
            if (i % PIECE == 0 && out_is_closed(table->out))
                break;
            table_whole(table, batch->number[k]);
            if (options->n_cvs > 1)
                table_word(table, label ? label : cv->label);
            table_whole(table, i);
            table_whole(table, atom_of(cv, i));
            table_reals(table, numbers + each * i, each);
            table_end_line(table);
        }
        free(label);
    }
    table_end_frame(table);
}

static bool keep_for_picture(coordination_job *job, const coordination_batch *batch, size_t k)
{
    coordination_plot *plot = &job->plot;
    plot->n_cvs = job->options->n_cvs;
    plot->timed = (plot->timed || !plot->frames) && batch->timed;
    return plot_add(plot, batch->time[k], batch->value + k, job->most_frames);
}

/* Returns the first output of which a signal leaves a part. */
static char *find_part(const coordination_options *options)
{
    char *part = NULL;
    for (size_t i = 0; i < options->n_prints + 2 && !part; i++) {
        const char *path = i < options->n_prints    ? options->prints[i].path
                           : i == options->n_prints ? options->derivatives
                                                    : options->per_atom;
        if (path && !tool_ends_with(path, ".gz"))
            part = out_part_name(path);
    }
    return part;
}

/* From now on, a signal leaves all of these frames. */
static void keep(coordination_job *job)
{
    char note[600] = "";
    char *part = find_part(job->options);
    for (size_t i = 0; i < job->n_outs; i++)
        table_settle(&job->tables[i]);
    FILE *file = fmemopen(note, sizeof(note) - 2, "w");
    if (file) {
        fprintf(file, "mote coordination: interrupted: %llu complete frame%s in ",
                (unsigned long long)job->frames, job->frames == 1 ? " is" : "s are");
        tool_print_text(file, part ? part : "FILE.part", TOOL_LINE_BREAK);
        fclose(file);
    }
    strcat(note, "\n");
    free(part);
    out_keep(job->outs, job->n_outs, note);
}

static int write_batch(coordination_job *job, const coordination_batch *batch)
{
    const coordination_options *options = job->options;
    int code = TOOL_GO_ON;
    if (job->frames == 0 && part_is_first(&job->options->part))
        write_heads(job);
    for (size_t k = 0; k < batch->frames; k++) {
        for (size_t i = 0; i < options->n_prints; i++)
            if (batch->number[k] % options->prints[i].stride == 0)
                write_line(job, &job->tables[i], &options->prints[i], batch, k);
        if (options->svg && !keep_for_picture(job, batch, k))
            return tool_fail(TOOL_OUTPUT, "%s: out of memory for %zu frames", options->svg,
                             job->plot.frames);
        if (job->derivatives)
            write_entries(job, job->derivatives, batch, k, 3);
        if (job->per_atom)
            write_entries(job, job->per_atom, batch, k, 1);
    }
    job->frames += batch->frames;
    keep(job);
    for (size_t i = 0; i < job->n_outs && code == TOOL_GO_ON; i++)
        code = out_check(job->outs[i]);
    return code;
}

int coordination_picture(coordination_job *job)
{
    const coordination_options *options = job->options;
    const char **labels = calloc(options->n_cvs, sizeof(*labels));
    const char *input = options->inputs[0], *slash = strrchr(input, '/');
    char title[300], time[80];
    out_file *out = NULL;
    if (!labels)
        return tool_fail(TOOL_OUTPUT, "%s: out of memory", options->svg);
    for (size_t c = 0; c < options->n_cvs; c++)
        labels[c] = options->cvs[c].label;
    snprintf(title, sizeof(title), "%.240s%s", slash ? slash + 1 : input,
             options->n_inputs > 1 ? " and others" : "");
    snprintf(time, sizeof(time), "time (%s)", options->time_unit ? options->time_unit : "ps");
    plot_names names = {title, job->plot.timed ? time : "frame", "coordination number",
                        job->plot.frames, labels};
    int code = out_open(options->svg, &out);
    if (code == TOOL_DONE) {
        plot_draw(&job->plot, &names, out);
        code = out_finish(&out, 1);
    }
    free(labels);
    return code == TOOL_DONE ? TOOL_GO_ON : code;
}

bool coordination_is_wanted(const coordination_job *job)
{
    bool wanted = job->options->svg != NULL;
    for (size_t i = 0; i < job->n_outs; i++)
        wanted = wanted || !out_is_closed(job->outs[i]);
    return wanted;
}

int coordination_write(coordination_job *job)
{
    size_t slot;
    int code = TOOL_GO_ON;
    while (code == TOOL_GO_ON && coordination_is_wanted(job) &&
           pipeline_collect(&job->pipeline, &slot)) {
        const coordination_batch *batch = &job->batches[slot];
        double start = tool_seconds();
        double part = job->bytes_total ? (double)batch->bytes / (double)job->bytes_total : -1.0;
        code = write_batch(job, batch);
        job->timing.write_s += tool_seconds() - start;
        pipeline_collected(&job->pipeline);
        progress_show(part, job->frames);
    }
    return code;
}
