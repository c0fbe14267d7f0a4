/* SPDX-License-Identifier: Apache-2.0 */
/* Normalises the counts, and writes them as a table and as a picture. */
#include "rdf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static double smaller_of(double a, double b)
{
    return a < b ? a : b;
}

/* Returns the number of pairs of two groups that are not in the same block. */
static double count_pairs(const rdf_job *job)
{
    const rdf_options *options = job->options;
    bool two = rdf_is_two(job);
    double n_a = (double)rdf_first(job), n_b = two ? (double)rdf_groups(job)->group_b.count : n_a;
    double a = options->block[0], b = two ? options->block[1] : a;
    if (!options->block[0])
        return two || job->own_images ? n_a * n_b : n_a * (n_a - 1.0);
    /* All blocks but the last of each group are full. */
    double full = smaller_of(floor(n_a / a), floor(n_b / b));
    double rest = smaller_of(a, n_a - full * a) * smaller_of(b, n_b - full * b);
    return n_a * n_b - full * a * b - rest;
}

/* Returns the factor by which a number of pairs in a unit of volume becomes g. */
static double factor_of(const rdf_job *job)
{
    double frames = (double)job->base.frames;
    double n_a = (double)rdf_first(job);
    double n_b = rdf_is_two(job) ? (double)rdf_groups(job)->group_b.count : n_a;
    if (job->options->norm == RDF_GROMACS)
        return 1.0 / (n_a * n_b * job->sum_density);
    return job->sum_volume / frames / count_pairs(job) / frames;
}

static double edge(const rdf_options *options, size_t k)
{
    return k == options->bins ? options->r_max
                              : options->r_min + (double)k * ((options->r_max - options->r_min) /
                                                              (double)options->bins);
}

/* Computes r, g and n of a bin; `below` is the number of pairs in this bin and in all bins before
 * it. */
static void compute_row(const rdf_job *job, size_t k, int64_t below, double factor, double *row)
{
    const rdf_options *options = job->options;
    double low = edge(options, k), high = edge(options, k + 1), count = (double)job->counts[k];
    double shell = 4.0 / 3.0 * PI * (high - low) * (high * high + high * low + low * low);
    double frames = (double)job->base.frames, n_a = (double)rdf_first(job);
    row[0] = 0.5 * (low + high);
    row[1] = options->norm == RDF_NONE ? count / frames
             : job->counts[k]          ? count / shell * factor
                                       : 0.0;
    row[2] = n_a > 0.0 ? (double)below / (frames * n_a) : 0.0;
}

static int draw(const rdf_job *job, const coordination_plot *plot, out_file **picture)
{
    const coordination_options *options = job->base.options;
    const char *input = options->inputs[0], *slash = strrchr(input, '/');
    const char *const labels[] = {job->options->norm == RDF_NONE ? "pairs in a frame" : "g(r)",
                                  "n(r)"};
    const char *unit = job->base.unit > 0.5   ? "r (nm)"
                       : job->base.unit > 0.0 ? "r (Angstrom)"
                                              : "r";
    char title[300];
    if (options->rules.unit > 0.0)
        unit = options->rules.unit > 0.5 ? "r (nm)" : "r (Angstrom)";
    snprintf(title, sizeof(title), "%.240s%s", slash ? slash + 1 : input,
             options->n_inputs > 1 ? " and others" : "");
    plot_names names = {title, unit, "radial distribution", job->base.frames, labels};
    if (out_open(options->svg, picture) != TOOL_DONE)
        return TOOL_OUTPUT;
    plot_draw(plot, &names, *picture);
    return TOOL_GO_ON;
}

int rdf_write(rdf_job *job, out_file **picture)
{
    static const char *const norms[] = {"rdf", "gromacs", "none"};
    const rdf_options *options = job->options;
    const char *svg = job->base.options->svg;
    coordination_table *table = &job->table;
    coordination_plot plot = {.n_cvs = 2, .timed = true};
    char frames[32];
    int64_t below = 0;
    int code = TOOL_GO_ON;
    table->frames = options->bins;
    table->shape[0] = 3;
    table_head(table, options->norm == RDF_NONE ? "r count n" : "r g n");
    snprintf(frames, sizeof(frames), "%llu", (unsigned long long)job->base.frames);
    table_set(table, "frames", frames);
    table_set(table, "norm", norms[options->norm]);
    double factor = options->norm == RDF_NONE ? 0.0 : factor_of(job);
    for (size_t k = 0; k < options->bins && code == TOOL_GO_ON; k++) {
        double row[3];
        below += job->counts[k];
        compute_row(job, k, below, factor, row);
        table_reals(table, row, 3);
        table_end_line(table);
        if (svg && !plot_add(&plot, row[0], row + 1, 1))
            code = tool_fail(TOOL_OUTPUT, "%s: out of memory", svg);
    }
    if (svg && code == TOOL_GO_ON)
        code = draw(job, &plot, picture);
    plot_free(&plot);
    return code;
}
