/* SPDX-License-Identifier: Apache-2.0 */
/* Lines for frames that are computed. */
#include "job.h"

#include "../io/text.h"
#include "../progress.h"

#include <stdio.h>
#include <stdlib.h>

#define PIECE 4096 /* entries between two looks at whether anybody still reads */

static const char *const precision_names[] = {"mixed", "single", "double"};

static void write_header(coordination_job *job)
{
    static const char *const names[] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};
    out_file *out = job->outs[OUT_COLVAR];
    out_text(out, "#! FIELDS time cn");
    for (int k = 0; k < 9 && job->options->virial; k++)
        out_print(out, " vir_%s", names[k]);
    out_print(out, "\n#! SET precision %s\n#! SET d_max %.17g\n", precision_names[job->precision],
              job->options->function.d_max);
}

static char *real_field(char *at, double value)
{
    *at++ = ' ';
    return text_exact(at, value + 0.0); /* -0 becomes 0 */
}

/* Times as their file has them: with the fewest digits from which the same number is read. */
static char *time_field(char *at, double value)
{
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(at, TEXT_ROOM, "%.*g", digits, value);
        if (strtod(at, NULL) == value)
            break;
    }
    return at + length;
}

static void write_colvar(const coordination_job *job, const coordination_batch *batch, size_t k)
{
    out_file *out = job->outs[OUT_COLVAR];
    char *at = out_room(out, 12 * TEXT_ROOM);
    at = time_field(at, batch->time[k]);
    at = real_field(at, batch->value[k]);
    for (size_t i = 0; i < 9 && batch->virial; i++)
        at = real_field(at, batch->virial[9 * k + i]);
    *at++ = '\n';
    out_used(out, at);
}

/* The atom of a list entry, from 1. */
static unsigned atom_of(const coordination_job *job, size_t entry)
{
    const coordination_options *options = job->options;
    const coordination_group *a = &options->group_a, *b = &options->group_b;
    size_t n_a = job->entries - b->count;
    if (entry >= n_a)
        return b->atoms[entry - n_a] + 1;
    return a->atoms ? a->atoms[entry] + 1 : (unsigned)entry + 1;
}

/* One line for each list entry: frame, entry, atom, and `each` numbers. */
static void write_entries(const coordination_job *job, out_file *out, uint64_t frame,
                          const double *numbers, size_t each)
{
    for (size_t i = 0; i < job->entries; i++) {
        if (i % PIECE == 0 && out_is_closed(out))
            return;
        char *at = text_whole(out_room(out, 6 * TEXT_ROOM), frame);
        *at++ = ' ';
        at = text_whole(at, i);
        *at++ = ' ';
        at = text_whole(at, atom_of(job, i));
        for (size_t k = 0; k < each; k++)
            at = real_field(at, *numbers++);
        *at++ = '\n';
        out_used(out, at);
    }
}

/* What a signal leaves from now on is all of these frames. */
static void keep(coordination_job *job)
{
    char note[600];
    const char *name = job->options->common.output;
    snprintf(note, sizeof(note),
             "mote coordination: interrupted: %llu complete frame%s in %.400s.part\n",
             (unsigned long long)job->frames, job->frames == 1 ? " is" : "s are",
             name ? name : "FILE");
    out_keep(job->outs, OUT_COUNT, note);
}

/* The number in its file of the k-th frame that is written. */
static uint64_t frame_number(const coordination_job *job, uint64_t k)
{
    return job->options->begin + k * job->options->stride;
}

static int write_batch(coordination_job *job, const coordination_batch *batch)
{
    int code = TOOL_GO_ON;
    if (job->frames == 0)
        write_header(job);
    for (size_t k = 0; k < batch->frames; k++) {
        write_colvar(job, batch, k);
        if (batch->derivatives)
            write_entries(job, job->outs[OUT_DERIVATIVES], frame_number(job, job->frames + k),
                          batch->derivatives + 3 * k * job->entries, 3);
        if (batch->coordination)
            write_entries(job, job->outs[OUT_PER_ATOM], frame_number(job, job->frames + k),
                          batch->coordination + k * job->entries, 1);
    }
    job->frames += batch->frames;
    keep(job);
    for (int i = 0; i < OUT_COUNT && code == TOOL_GO_ON; i++)
        code = job->outs[i] ? out_check(job->outs[i]) : TOOL_GO_ON;
    return code;
}

int coordination_write(coordination_job *job)
{
    size_t slot;
    int code = TOOL_GO_ON;
    while (code == TOOL_GO_ON && !out_reader_left() && pipeline_collect(&job->pipeline, &slot)) {
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
