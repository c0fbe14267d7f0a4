/* SPDX-License-Identifier: Apache-2.0 */
/* mote rdf: the radial distribution function of the frames of a trajectory. */
#include "commands.h"
#include "progress.h"
#include "common/building.h"
#include "common/share.h"
#include "rdf/rdf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_RMAX = ID_OTHERS, ID_RMIN, ID_BINS, ID_WIDTH, ID_EXCLUDE, ID_NORM };

/* ---- options --------------------------------------------------------------------------------- */

static const tool_option rdf_list[] = {
    {ID_RMAX, "rmax", "R", "the largest distance"},
    {ID_RMIN, "rmin", "R", "the smallest distance (default: 0)"},
    {ID_BINS, "bins", "N", "the number of bins (default: 100)"},
    {ID_WIDTH, "width", "W",
     "the width of a bin, instead of --bins; the last bin ends at or\n"
     "before --rmax"},
    OPTION_GROUP_A,
    {ID_GROUP_B, "group-b", "LIST", "count the pairs of an atom of A and an atom of B instead"},
    {ID_EXCLUDE, "exclude", "A,B",
     "exclude pairs within a molecule that has A consecutive atoms\n"
     "of group A and B of group B; with one group, give one number"},
    {ID_NORM, "norm", "rdf|gromacs|none",
     "rdf (default): the number of pairs divided by that of an ideal\n"
     "gas with as many pairs in the mean volume, as MDAnalysis does;\n"
     "gromacs: divided by the mean density of the second group, as\n"
     "gmx rdf does; none: the mean number of pairs in a frame"},
    OPTION_NAMES,
    OPTIONS_OF_SPACE,
    {ID_SVG, "svg", "FILE", "draw g(r) and n(r)"},
    OPTIONS_OF_FRAMES,
    {ID_PART, "part", "K/N|auto", PART_HELP},
    {0, NULL, NULL, NULL},
};

static int take_length(const char *option, const char *value, double *length)
{
    long double number = 0.0L;
    int code = tool_real(option, value, &number);
    *length = (double)number;
    if (code == TOOL_GO_ON && !isfinite(*length))
        return tool_fail(TOOL_USAGE, "%s: '%s' is too large", option, value);
    return code;
}

/* A or A,B. */
static int take_blocks(const char *value, uint32_t block[2])
{
    char first[32];
    const char *comma = strchr(value, ',');
    size_t length = comma ? (size_t)(comma - value) : strlen(value);
    uint64_t number[2] = {0, 0};
    if (length >= sizeof(first))
        return tool_fail(TOOL_USAGE, "--exclude: '%.60s' is not A,B or one number", value);
    memcpy(first, value, length);
    first[length] = '\0';
    int code = tool_number("--exclude", first, 1, UINT32_MAX, &number[0]);
    if (code == TOOL_GO_ON && comma)
        code = tool_number("--exclude", comma + 1, 1, UINT32_MAX, &number[1]);
    block[0] = (uint32_t)number[0];
    block[1] = (uint32_t)number[1];
    return code;
}

static int rdf_option(void *user, int id, const char *value)
{
    static const char *const norms[] = {"rdf", "gromacs", "none", NULL};
    rdf_options *options = user;
    int code;
    switch (id) {
    case ID_RMAX:
        return take_length("--rmax", value, &options->r_max);
    case ID_RMIN:
        return take_length("--rmin", value, &options->r_min);
    case ID_WIDTH:
        code = take_length("--width", value, &options->width);
        return code == TOOL_GO_ON && options->width == 0.0
                   ? tool_fail(TOOL_USAGE, "--width %s: it must be above 0", value)
                   : code;
    case ID_BINS:
        return tool_number("--bins", value, 1, RDF_MOST_BINS, &options->bins);
    case ID_EXCLUDE:
        return take_blocks(value, options->block);
    case ID_NORM:
        return tool_word("--norm", value, norms, &options->norm);
    default:
        return coordination_option(&options->state, id, value);
    }
}

static int check_bins(rdf_options *options)
{
    if (!(options->r_max > 0.0))
        return tool_fail(TOOL_USAGE, "give --rmax R, the largest distance, above 0");
    if (!(options->r_min < options->r_max))
        return tool_fail(TOOL_USAGE, "--rmin %g is not below --rmax %g", options->r_min,
                         options->r_max);
    if (options->bins && options->width > 0.0)
        return tool_fail(TOOL_USAGE, "give --bins or --width, not both");
    if (options->width > 0.0) {
        double bins = floor((options->r_max - options->r_min) / options->width + 1e-9);
        if (!(bins >= 1.0 && bins <= (double)RDF_MOST_BINS))
            return tool_fail(TOOL_USAGE, "--width %g gives %g bins: there must be from 1 to %d",
                             options->width, bins, (int)RDF_MOST_BINS);
        options->bins = (uint64_t)bins;
        options->r_max = options->r_min + bins * options->width;
    }
    if (!options->bins)
        options->bins = 100;
    return TOOL_GO_ON;
}

static int check_groups(rdf_options *options)
{
    coordination_state *state = &options->state;
    coordination_cv *cv = &state->cv;
    bool two = cv->group_b.n_ranges > 0;
    if (two && !cv->group_a.n_ranges)
        return tool_fail(TOOL_USAGE, "--group-b needs --group-a");
    if (two && options->block[0] && !options->block[1])
        return tool_fail(TOOL_USAGE, "--exclude needs two numbers, A,B, with --group-b");
    if (!two && options->block[1] && options->block[1] != options->block[0])
        return tool_fail(TOOL_USAGE, "--exclude: both numbers must be equal without --group-b");
    cv->label = strdup("rdf");
    int code = cv->label ? coordination_add(&state->options, cv, "--group-a", TOOL_USAGE)
                         : tool_fail(TOOL_INPUT, "out of memory");
    if (code != TOOL_GO_ON)
        return code;
    cv = &state->options.cvs[0];
    state->options.rules.names = cv->group_a.named || cv->group_b.named;
    coordination_print *print = coordination_add_print(&state->options);
    const char *output = state->options.common.output;
    code = part_rename(&state->options.part, "counts", &output);
    if (code != TOOL_GO_ON)
        return code;
    if (print && output)
        print->path = strdup(output);
    return print && (!output || print->path) ? TOOL_GO_ON : tool_fail(TOOL_INPUT, "out of memory");
}

/* ---- running --------------------------------------------------------------------------------- */

static double volume_of(const double *a)
{
    const double *b = a + 3, *c = a + 6;
    return fabs(a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                a[2] * (b[0] * c[1] - b[1] * c[0]));
}

/* Returns the length of the shortest sum of lattice vectors, each of which is taken at most once.
 */
static double shortest_of(const double *box)
{
    double least = INFINITY;
    for (int k = 0; k < 13; k++) { /* one of each pair of opposite sums */
        double v[3];
        for (int x = 0; x < 3; x++)
            v[x] = (k % 3 - 1) * box[x] + (k / 3 % 3 - 1) * box[3 + x] + (k / 9 - 1) * box[6 + x];
        least = fmin(least, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    return least;
}

/* Adds the volumes of the frames of a batch. */
static int add_volumes(rdf_job *job, const coordination_batch *batch)
{
    bool bounded = batch->pbc != MOTE_PBC_NONE && batch->periodic == MOTE_TRAJECTORY_ALL;
    if (job->options->norm == RDF_NONE)
        return TOOL_GO_ON;
    if (!bounded)
        return tool_fail(TOOL_INPUT,
                         "frame %llu has no volume, because it does not repeat along all axes: "
                         "give --box and leave out --periodic, or give --norm none",
                         (unsigned long long)batch->number[0]);
    for (size_t k = 0; k < batch->frames; k++) {
        double volume = volume_of(batch->box + 9 * k);
        job->sums.own_images |= shortest_of(batch->box + 9 * k) < job->options->r_max;
        rdf_add_volume(&job->sums, volume);
        if (job->base.options->part.n && !rdf_keep_volume(job, volume))
            return tool_fail(TOOL_INPUT, "out of memory");
    }
    return TOOL_GO_ON;
}

/* Collects the frames that have been counted. */
static int collect(coordination_job *base)
{
    rdf_job *job = (rdf_job *)base;
    size_t slot;
    int code = TOOL_GO_ON;
    while (code == TOOL_GO_ON && pipeline_collect(&base->pipeline, &slot)) {
        const coordination_batch *batch = &base->batches[slot];
        double part = base->bytes_total ? (double)batch->bytes / (double)base->bytes_total : -1.0;
        code = add_volumes(job, batch);
        base->frames += batch->frames;
        pipeline_collected(&base->pipeline);
        progress_show(part, base->frames);
    }
    return code;
}

static void print_summary(const rdf_job *job, double seconds)
{
    const coordination_job *base = &job->base;
    const tool_common *common = &base->options->common;
    char text[600], time[80], rate[40] = "", groups[80];
    bool at_work;
    uint64_t rated = base->frames - base->workers.units_built;
    double besides = seconds - building_seconds(&at_work);
    size_t n_a = rdf_first(job), n_b = rdf_groups(job)->group_b.count;
    devices_text(&base->workers.devices, text, sizeof(text));
    if (*base->note)
        tool_note(common, "%s", base->note);
    snprintf(groups, sizeof(groups), "%zu", n_a);
    if (rdf_is_two(job))
        snprintf(groups, sizeof(groups), "%zu and %zu", n_a, n_b);
    if (rated && besides > 0.0)
        snprintf(rate, sizeof(rate), ", %.4g frames/s", (double)rated / besides);
    tool_summary(common,
                 "%llu frame%s of %zu atom%s (%s), %s in the groups; %llu bins to %g; %s; %s%s",
                 (unsigned long long)base->frames, tool_plural(base->frames), base->n_atoms,
                 tool_plural(base->n_atoms), coordination_pbc_name(base->trajectory.frame.pbc),
                 groups, (unsigned long long)job->options->bins, job->options->r_max, text,
                 building_text(seconds, time, sizeof(time)), rate);
    char *specs = devices_specs(&base->workers.devices, ",");
    tool_timing_print(common, "rdf", specs ? specs : "", &base->timing);
    free(specs);
}

/* Writes the table and the picture that the options name, or, for a share, its sums. */
static int write_results(rdf_job *job, out_file **picture)
{
    coordination_plot plot = {.n_cvs = 2, .timed = true};
    bool draws = job->base.options->svg;
    job->sums.frames = job->base.frames;
    job->sums.n_a = job->sums.frames ? rdf_first(job) : 0;
    job->sums.n_b = job->sums.frames ? rdf_groups(job)->group_b.count : 0;
    if (job->base.options->part.n) {
        rdf_write_share(job, job->table.out);
        return TOOL_GO_ON;
    }
    int code = rdf_write(&job->sums, &job->table, draws ? &plot : NULL);
    if (code == TOOL_GO_ON && draws)
        code = rdf_draw(job, &plot, picture);
    plot_free(&plot);
    return code;
}

/* A failed run writes nothing. */
static int finish(rdf_job *job, int code)
{
    coordination_job *base = &job->base;
    const tool_failure *read = &base->read_failure, *compute = &base->workers.failure;
    double start = tool_seconds();
    if (code == TOOL_GO_ON && compute->code != TOOL_GO_ON)
        code = tool_fail(compute->code, "%s", compute->text);
    if (code == TOOL_GO_ON && read->code != TOOL_GO_ON)
        code = tool_fail(read->code, "%s", read->text);
    progress_last_step("writing", "the results");
    out_file *outs[] = {job->table.out, NULL};
    if (code == TOOL_GO_ON)
        code = write_results(job, &outs[1]);
    if (code == TOOL_GO_ON)
        code = out_finish(outs, 2);
    else
        out_discard(outs, 2);
    job->table.out = NULL;
    base->timing.write_s += tool_seconds() - start;
    return code;
}

/* Counts depend on the precision of the devices. */
static int complete_share(rdf_job *job)
{
    coordination_job *base = &job->base;
    share_add_option(&base->run, "devices' precision",
                     devices_have_fp64(&base->workers.devices) ? "double" : "single");
    return part_complete(&base->options->part, "rdf", base->total, base->run);
}

/* Counts the frames. A share of a short trajectory may have none. */
static int count_frames(rdf_job *job, bool empty)
{
    coordination_job *base = &job->base;
    if (!empty)
        return coordination_run_threads(base, collect);
    tool_note(&base->options->common, "no frame for share %llu of %llu: there are %llu",
              (unsigned long long)base->options->part.k, (unsigned long long)base->options->part.n,
              (unsigned long long)base->total);
    return workers_open(&base->workers) ? TOOL_GO_ON : base->workers.failure.code;
}

static int run_prepared(rdf_job *job, double begun)
{
    coordination_job *base = &job->base;
    bool empty = false;
    int code = coordination_take_part(base, &empty);
    if (code == TOOL_GO_ON && !empty)
        code = coordination_open(base);
    job->table.whole = true;
    if (code == TOOL_GO_ON)
        code = table_open(&job->table, base->options->prints[0].path);
    if (code == TOOL_GO_ON)
        code = finish(job, count_frames(job, empty));
    if (job->table.out)
        out_discard(&job->table.out, 1);
    progress_end();
    if (code == TOOL_DONE)
        code = complete_share(job);
    if (code == TOOL_DONE && !out_reader_left() && !empty)
        print_summary(job, tool_seconds() - begun);
    return code;
}

static int run_job(rdf_options *options)
{
    rdf_job job = {.options = options};
    double begun = tool_seconds();
    int code = coordination_begin(&job.base, &options->state.options, rdf_compute, rdf_end);
    job.sums = (rdf_sums){.r_min = options->r_min,
                          .r_max = options->r_max,
                          .bins = options->bins,
                          .block = {options->block[0], options->block[1]},
                          .norm = options->norm,
                          .two = rdf_is_two(&job),
                          .counts = calloc(options->bins, sizeof(*job.sums.counts))};
    if (code == TOOL_GO_ON && !job.sums.counts)
        code =
            tool_fail(TOOL_INPUT, "out of memory for %llu bins", (unsigned long long)options->bins);
    if (code == TOOL_GO_ON)
        code = run_prepared(&job, begun);
    coordination_release(&job.base);
    free(job.sums.counts);
    free(job.volumes);
    return code;
}

static int rdf_run(const tool_command *self, int argc, char **argv)
{
    rdf_options options = {
        .state.options = {.format = MOTE_TRAJECTORY_ANY, .end = UINT64_MAX, .stride = 1}};
    coordination_state *state = &options.state;
    int first;
    int code = tool_parse(self, argc, argv, &state->options.common, rdf_option, &options, &first);
    if (code == TOOL_GO_ON)
        code = coordination_check_frames(state, "rdf", argc, argv, first);
    if (code == TOOL_GO_ON)
        code = check_bins(&options);
    if (code == TOOL_GO_ON)
        code = part_check(&state->options.part, &state->options.common);
    if (code == TOOL_GO_ON)
        code = check_groups(&options);
    if (code == TOOL_GO_ON)
        code = coordination_check_names(state);
    if (code == TOOL_GO_ON)
        code = run_job(&options);
    coordination_options_free(state);
    return code;
}

const tool_command tool_rdf = {
    .name = "rdf",
    .arguments = "TRAJECTORY...",
    .inputs = "xyz extxyz gro pdb ent xtc trr dcd lammpstrj dump",
    .summary = "compute the radial distribution function of a trajectory's frames",
    .about =
        "Computes the radial distribution function: it counts the distances of all pairs of\n"
        "atoms of group A, or of an atom of A and an atom of B, in all periodic images up to\n"
        "--rmax. TRAJECTORY is as for mote coordination; several form one sequence of frames.\n\n"
        "The output has a line for each bin: its middle r, g(r), and n(r), the mean number of\n"
        "partners of an atom of A from --rmin up to the end of the bin. If the name given with\n"
        "-o ends in .csv, the output is CSV; if it ends in .npy, an array (bins x 3);\n"
        "otherwise, a table as PLUMED writes it. Nothing is written unless all frames are\n"
        "valid.\n\n"
        "An atom that is in A and in B counts at distance 0. --rmin excludes it; if A and B are\n"
        "the same list, --exclude 1,1 excludes it, too.",
    .examples =
        "mote rdf run.xtc --rmax 1.5 --bins 300 -o rdf.csv --svg rdf.svg\n"
        "mote rdf run.xtc --names run.gro --group-a name:OW --group-b 'name:HW*' --exclude 1,2 "
        "--rmax 1",
    .options = rdf_list,
    .run = rdf_run,
};
