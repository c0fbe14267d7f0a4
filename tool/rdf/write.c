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

void rdf_add_volume(rdf_sums *sums, double volume)
{
    sums->sum_volume += volume;
    sums->sum_density += 1.0 / volume;
}

/* Returns the number of pairs of two groups that are not in the same block. */
static double count_pairs(const rdf_sums *sums)
{
    double n_a = (double)sums->n_a, n_b = sums->two ? (double)sums->n_b : n_a;
    double a = sums->block[0], b = sums->two ? sums->block[1] : a;
    if (!sums->block[0])
        return sums->two || sums->own_images ? n_a * n_b : n_a * (n_a - 1.0);
    /* All blocks but the last of each group are full. */
    double full = smaller_of(floor(n_a / a), floor(n_b / b));
    double rest = smaller_of(a, n_a - full * a) * smaller_of(b, n_b - full * b);
    return n_a * n_b - full * a * b - rest;
}

/* Returns the factor by which a number of pairs in a unit of volume becomes g. */
static double factor_of(const rdf_sums *sums)
{
    double frames = (double)sums->frames;
    double n_a = (double)sums->n_a, n_b = sums->two ? (double)sums->n_b : n_a;
    if (sums->norm == RDF_GROMACS)
        return 1.0 / (n_a * n_b * sums->sum_density);
    return sums->sum_volume / frames / count_pairs(sums) / frames;
}

static double edge(const rdf_sums *sums, size_t k)
{
    return k == sums->bins
               ? sums->r_max
               : sums->r_min + (double)k * ((sums->r_max - sums->r_min) / (double)sums->bins);
}

/* Computes r, g and n of a bin; `below` is the number of pairs in this bin and in all bins before
 * it. */
static void compute_row(const rdf_sums *sums, size_t k, int64_t below, double factor, double *row)
{
    double low = edge(sums, k), high = edge(sums, k + 1), count = (double)sums->counts[k];
    double shell = 4.0 / 3.0 * PI * (high - low) * (high * high + high * low + low * low);
    double frames = (double)sums->frames, n_a = (double)sums->n_a;
    row[0] = 0.5 * (low + high);
    row[1] = sums->norm == RDF_NONE ? count / frames
             : sums->counts[k]      ? count / shell * factor
                                    : 0.0;
    row[2] = n_a > 0.0 ? (double)below / (frames * n_a) : 0.0;
}

int rdf_write(const rdf_sums *sums, coordination_table *table, coordination_plot *plot)
{
    static const char *const norms[] = {"rdf", "gromacs", "none"};
    char frames[32];
    int64_t below = 0;
    table->frames = sums->bins;
    table->shape[0] = 3;
    table_head(table, sums->norm == RDF_NONE ? "r count n" : "r g n");
    snprintf(frames, sizeof(frames), "%llu", (unsigned long long)sums->frames);
    table_set(table, "frames", frames);
    table_set(table, "norm", norms[sums->norm]);
    double factor = sums->norm == RDF_NONE ? 0.0 : factor_of(sums);
    for (size_t k = 0; k < sums->bins; k++) {
        double row[3];
        below += sums->counts[k];
        compute_row(sums, k, below, factor, row);
        table_reals(table, row, 3);
        table_end_line(table);
        if (plot && !plot_add(plot, row[0], row + 1, 1))
            return tool_fail(TOOL_OUTPUT, "out of memory for the picture");
    }
    return TOOL_GO_ON;
}

int rdf_draw(const rdf_job *job, const coordination_plot *plot, out_file **picture)
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
