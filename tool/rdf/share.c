/* SPDX-License-Identifier: Apache-2.0 */
/* The sums of a share of the frames as a text, which mote merge adds up. It contains the volume of
 * each frame, so that the merged sums have the same rounding errors as those of one run. */
#include "rdf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool rdf_keep_volume(rdf_job *job, double volume)
{
    if ((job->n_volumes & (job->n_volumes - 1)) == 0) {
        size_t room = job->n_volumes ? 2 * job->n_volumes : 1;
        double *more = realloc(job->volumes, room * sizeof(*more));
        if (!more)
            return false;
        job->volumes = more;
    }
    job->volumes[job->n_volumes++] = volume;
    return true;
}

void rdf_write_share(const rdf_job *job, out_file *out)
{
    const rdf_sums *s = &job->sums;
    out_print(out, "mote counts 1\nrange %.17g %.17g\nbins %" PRIu64 "\nexclude %u %u\n", s->r_min,
              s->r_max, s->bins, (unsigned)s->block[0], (unsigned)s->block[1]);
    out_print(out, "norm %d\ngroups %d %" PRIu64 " %" PRIu64 "\nimages %d\n", s->norm, 1 + s->two,
              s->n_a, s->n_b, s->own_images);
    out_print(out, "frames %" PRIu64 "\nvolumes %zu\n", s->frames, job->n_volumes);
    for (size_t k = 0; k < job->n_volumes; k++)
        out_print(out, "%.17g\n", job->volumes[k]);
    for (size_t k = 0; k < s->bins; k++)
        out_print(out, "%" PRId64 "\n", s->counts[k]);
}

/* Reads the lines in front of the volumes. */
static bool read_head(FILE *file, rdf_sums *s, uint64_t *volumes)
{
    int groups, images, version, end = 0;
    int fields = fscanf(file,
                        "mote counts %d range %lf %lf bins %" SCNu64 " exclude %" SCNu32 " %" SCNu32
                        " norm %d groups %d %" SCNu64 " %" SCNu64 " images %d frames %" SCNu64
                        " volumes %" SCNu64 "%n",
                        &version, &s->r_min, &s->r_max, &s->bins, &s->block[0], &s->block[1],
                        &s->norm, &groups, &s->n_a, &s->n_b, &images, &s->frames, volumes, &end);
    s->two = groups == 2;
    s->own_images = images == 1;
    return fields == 13 && end && version == 1 && s->bins >= 1 && s->bins <= RDF_MOST_BINS &&
           s->norm >= RDF_RDF && s->norm <= RDF_NONE;
}

static bool add(FILE *file, rdf_sums *sums)
{
    rdf_sums own = {0};
    uint64_t volumes;
    bool good = read_head(file, &own, &volumes) && (!sums->bins || sums->bins == own.bins);
    if (good && !sums->bins) {
        *sums = own;
        sums->counts = calloc(own.bins, sizeof(*sums->counts));
        good = sums->counts;
    } else if (good) {
        sums->frames += own.frames;
        sums->own_images |= own.own_images;
    }
    for (uint64_t k = 0; k < volumes && good; k++) {
        double volume;
        good = fscanf(file, "%lf", &volume) == 1;
        if (good)
            rdf_add_volume(sums, volume);
    }
    for (uint64_t k = 0; good && k < own.bins; k++) {
        int64_t count;
        good = fscanf(file, "%" SCNd64, &count) == 1;
        if (good)
            sums->counts[k] += count;
    }
    return good;
}

int rdf_add_share(const char *path, rdf_sums *sums)
{
    FILE *file = fopen(path, "r");
    bool good = file && add(file, sums);
    if (file)
        fclose(file);
    return good
               ? TOOL_GO_ON
               : tool_fail(TOOL_INPUT, "%s: not the counts of a share, which mote rdf wrote", path);
}
