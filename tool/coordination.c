/* SPDX-License-Identifier: Apache-2.0 */
/* mote coordination: coordination numbers of the frames of a trajectory. */
#include "commands.h"
#include "progress.h"
#include "common/building.h"
#include "common/share.h"
#include "coordination/options.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- running --------------------------------------------------------------------------------- */

static int open_tables(coordination_job *job)
{
    const coordination_options *options = job->options;
    size_t most = options->n_prints + 2;
    int code = TOOL_GO_ON;
    job->tables = calloc(most, sizeof(*job->tables));
    job->outs = calloc(most, sizeof(*job->outs));
    if (!job->tables || !job->outs)
        return tool_fail(TOOL_OUTPUT, "out of memory");
    for (size_t i = 0; i < most && code == TOOL_GO_ON; i++) {
        const coordination_print *print = i < options->n_prints ? &options->prints[i] : NULL;
        const char *path = print                    ? print->path
                           : i == options->n_prints ? options->derivatives
                                                    : options->per_atom;
        coordination_table *table = &job->tables[job->n_outs];
        if (!print && !path)
            continue;
        *table = (coordination_table){.padded = print && options->plumed};
        table->format = print && *print->format ? print->format : NULL;
        if (!print)
            *(i == options->n_prints ? &job->derivatives : &job->per_atom) = table;
        code = table_open(table, path);
        job->outs[job->n_outs] = table->out;
        job->n_outs += table->out != NULL;
    }
    return code;
}

/* The complete frames are kept if the next one was bad, or a device failed. */
static int finish(coordination_job *job, int code)
{
    const tool_failure *read = &job->read_failure, *compute = &job->workers.failure;
    double start_s = tool_seconds();
    bool nothing = pipeline_count(&job->pipeline) == 0; /* not even one frame was read */
    bool keep = code == TOOL_GO_ON && job->frames > 0;
    if (keep && compute->code != TOOL_GO_ON)
        code = tool_fail(compute->code, "%s; kept: %llu complete frame%s", compute->text,
                         (unsigned long long)job->frames, tool_plural(job->frames));
    else if (code == TOOL_GO_ON && compute->code != TOOL_GO_ON && !nothing)
        code = tool_fail(compute->code, "%s", compute->text);
    if (code == TOOL_GO_ON && read->code != TOOL_GO_ON && coordination_is_wanted(job))
        code = tool_fail(read->code, "%s%s", read->text,
                         keep ? "; the frames before it are complete" : "");
    if (keep && job->options->svg) {
        int drawn = coordination_picture(job);
        code = code == TOOL_GO_ON ? drawn : code;
    }
    progress_last_step("writing", "the results");
    if (keep) {
        int written = out_finish(job->outs, job->n_outs);
        code = code == TOOL_GO_ON || written != TOOL_DONE ? written : code;
    } else {
        out_discard(job->outs, job->n_outs);
    }
    job->timing.write_s += tool_seconds() - start_s;
    if (code == TOOL_GO_ON && compute->code != TOOL_GO_ON)
        code = tool_fail(compute->code, "%s", compute->text);
    return code == TOOL_GO_ON ? TOOL_DONE : code;
}

static void print_summary(const coordination_job *job, double seconds)
{
    const coordination_options *options = job->options;
    const tool_common *common = &options->common;
    size_t n_atoms = job->n_atoms;
    char text[600], what[160], time[80], rate[40] = "";
    bool at_work;
    uint64_t rated = job->frames - job->workers.units_built;
    double besides = seconds - building_seconds(&at_work);
    devices_text(&job->workers.devices, text, sizeof(text));
    if (options->n_cvs == 1)
        snprintf(what, sizeof(what), "d_max %g", options->cvs[0].function.d_max);
    else
        snprintf(what, sizeof(what), "%zu coordination numbers", options->n_cvs);
    if (*job->warning)
        tool_note(common, "%s", job->warning);
    if (*job->note)
        tool_note(common, "%s", job->note);
    if (rated && besides > 0.0)
        snprintf(rate, sizeof(rate), ", %.4g frames/s", (double)rated / besides);
    tool_summary(common,
                 "%llu frame%s of %zu atom%s (%s), %zu in the lists; %s, %s precision; %s; %s%s",
                 (unsigned long long)job->frames, tool_plural(job->frames), n_atoms,
                 tool_plural(n_atoms), coordination_pbc_name(job->trajectory.frame.pbc),
                 job->entries, what, mote_precision_name(job->precision), text,
                 building_text(seconds, time, sizeof(time)), rate);
    if (!devices_are_alike(&job->workers.devices))
        tool_note(common,
                  "these devices are of several kinds: the last digits of a frame depend on "
                  "the one that computed it");
    char *specs = devices_specs(&job->workers.devices, ",");
    tool_timing_print(common, "coordination", specs ? specs : "", &job->timing);
    free(specs);
}

/* The precision that the devices support belongs to the run, too. */
static int complete_share(coordination_job *job)
{
    const tool_part *part = &job->options->part;
    share_add_option(&job->run, "devices' precision", mote_precision_name(job->precision));
    return part_complete(part, "coordination", job->total, job->run);
}

/* A share of a short trajectory may have no frame: its files are empty. */
static int run_empty(coordination_job *job)
{
    const coordination_options *options = job->options;
    if (!workers_open(&job->workers))
        return tool_fail(job->workers.failure.code, "%s", job->workers.failure.text);
    coordination_ready(&job->workers);
    int code = open_tables(job);
    if (code == TOOL_GO_ON)
        code = out_finish(job->outs, job->n_outs);
    else
        out_discard(job->outs, job->n_outs);
    if (code == TOOL_DONE)
        code = complete_share(job);
    if (code == TOOL_DONE)
        tool_note(&options->common, "no frame for share %llu of %llu: there are %llu",
                  (unsigned long long)options->part.k, (unsigned long long)options->part.n,
                  (unsigned long long)job->total);
    return code;
}

static int run_prepared(coordination_job *job, double begun)
{
    bool empty = false;
    int code = coordination_take_part(job, &empty);
    if (code == TOOL_GO_ON && empty)
        return run_empty(job);
    if (code == TOOL_GO_ON)
        code = coordination_open(job);
    if (code == TOOL_GO_ON)
        code = open_tables(job);
    if (code == TOOL_GO_ON) {
        code = coordination_run_threads(job, coordination_write);
        code = finish(job, code);
    }
    out_discard(job->outs, job->n_outs);
    progress_end();
    if (code == TOOL_DONE)
        code = complete_share(job);
    if (code == TOOL_DONE && !out_reader_left())
        print_summary(job, tool_seconds() - begun);
    return code;
}

static int run_job(coordination_options *options)
{
    coordination_job job;
    double begun = tool_seconds();
    int code = coordination_begin(&job, options, coordination_compute, coordination_end);
    job.workers.ready = coordination_ready;
    if (code == TOOL_GO_ON)
        code = run_prepared(&job, begun);
    coordination_release(&job);
    return code;
}

static int coordination_run(const tool_command *self, int argc, char **argv)
{
    coordination_state state = {
        .options = {.format = MOTE_TRAJECTORY_ANY, .end = UINT64_MAX, .stride = 1}};
    int first;
    mote_switch_init(&state.cv.function);
    coordination_describe();
    int code =
        tool_parse(self, argc, argv, &state.options.common, coordination_option, &state, &first);
    if (code == TOOL_GO_ON)
        code = coordination_check(&state, argc, argv, first);
    if (code == TOOL_GO_ON)
        code = run_job(&state.options);
    coordination_options_free(&state);
    return code;
}

const tool_command tool_coordination = {
    .name = "coordination",
    .arguments = "TRAJECTORY...",
    .inputs = "xyz extxyz gro pdb ent xtc trr dcd lammpstrj dump",
    .summary = "compute the coordination numbers of a trajectory's frames",
    .about =
        "Counts the pairs of atoms in each frame, each by a switching function of its distance\n"
        "that falls from 1 to 0: all pairs of group A, or all pairs of an atom of A and an atom\n"
        "of B.\n\n"
        "TRAJECTORY is FILE.xyz, FILE.gro, FILE.pdb, FILE.lammpstrj, FILE.xtc, FILE.trr,\n"
        "FILE.dcd, one of these compressed by gzip, bzip2 or xz, or - for standard input. The\n"
        "comment of XYZ states the box by 3 lengths, 9 numbers, or Lattice=\"...\" of extended\n"
        "XYZ; otherwise, there is no box. Several trajectories form one sequence of frames.\n\n"
        "All lengths have the unit of the file, or that of --length-unit. GRO, XTC and TRR are\n"
        "in nm; DCD, PDB and extended XYZ are in Angstrom. Plain XYZ states no unit, and dumps\n"
        "of LAMMPS state one only with ITEM: UNITS.\n\n"
        "The output is a COLVAR file as PLUMED writes it, with a line for each frame: the time\n"
        "and the coordination number. The time is that of XTC, TRR and DCD in ps, t= of a\n"
        "title, ITEM: TIME, or else the number of the frame, counted from 0.\n\n"
        "Files are written as FILE.part and renamed at the end; an interrupted run leaves\n"
        "FILE.part with the complete frames.",
    .examples =
        "mote coordination run.xtc --r0 0.3 --dmax 0.75 -o colvar\n"
        "mote coordination run.xtc --names run.gro --group-a name:OW --group-b 'name:HW*' --r0 0.3",
    .options = coordination_list,
    .run = coordination_run,
};
