/* SPDX-License-Identifier: Apache-2.0 */
/* mote rdf: what its parts share. The threads of tool/coordination/ read the frames; workers count
 * distances on their devices and keep the counts there until the end. */
#ifndef MOTE_TOOL_RDF_RDF_H
#define MOTE_TOOL_RDF_RDF_H

#include "../coordination/options.h"

#define RDF_MOST_BINS ((uint64_t)1 << 20)

/* How g(r) is normalised. */
typedef enum rdf_norm { RDF_RDF, RDF_GROMACS, RDF_NONE } rdf_norm;

typedef struct rdf_options {
    coordination_state state; /* groups and inputs */
    double r_min, r_max, width;
    uint64_t bins;
    uint32_t block[2]; /* of A and of B; 0 = no blocks */
    int norm;
} rdf_options;

/* What g(r) follows from: the counts of some frames, or of all. */
typedef struct rdf_sums {
    double r_min, r_max;
    uint64_t bins;
    uint32_t block[2];
    int norm;
    bool two;          /* there is a group B */
    uint64_t n_a, n_b; /* atoms of the groups; 0 without frames */
    uint64_t frames;
    bool own_images;                /* an atom and its own image may count */
    double sum_volume, sum_density; /* of the frames: V and 1 / V, which are added in their order */
    int64_t *counts;                /* in each bin */
} rdf_sums;

typedef struct rdf_job {
    coordination_job base; /* first, because the workers have its address */
    rdf_options *options;
    rdf_sums sums;   /* counts of all workers that have ended; the rest of the collected frames */
    double *volumes; /* with --part, of each collected frame; NULL if they are not needed */
    size_t n_volumes;
    coordination_table table;
} rdf_job;

/* The groups, once the first frame is known. A has all atoms if it was not given. */
static inline const coordination_cv *rdf_groups(const rdf_job *job)
{
    return &job->base.options->cvs[0];
}

static inline bool rdf_is_two(const rdf_job *job)
{
    return rdf_groups(job)->group_b.n_ranges > 0;
}

/* Returns the number of entries of A. */
static inline size_t rdf_first(const rdf_job *job)
{
    return rdf_groups(job)->entries - rdf_groups(job)->group_b.count;
}

/* Functions of the workers. */
bool rdf_compute(device_worker *worker, size_t slot);
void rdf_end(device_worker *worker);

/* Adds the volume of a frame. */
void rdf_add_volume(rdf_sums *sums, double volume);

/* Writes the table. With `plot`, also adds its rows there. Returns TOOL_GO_ON or an exit code after
 * a message. */
int rdf_write(const rdf_sums *sums, coordination_table *table, coordination_plot *plot);

/* Opens and writes the picture. The caller completes it. Returns TOOL_GO_ON, or prints a message
 * and returns an exit code. */
int rdf_draw(const rdf_job *job, const coordination_plot *plot, out_file **picture);

/* Keeps the volume of a frame of a share; false if memory ran out. */
bool rdf_keep_volume(rdf_job *job, double volume);

/* Writes the sums of a share of the frames, with all volumes. */
void rdf_write_share(const rdf_job *job, out_file *out);

/* Adds the sums of such a file to those of the shares before it. All members of
 * `sums` must be 0 before the first share. The caller frees sums->counts. Returns TOOL_GO_ON, or
 * TOOL_INPUT after a message. */
int rdf_add_share(const char *path, rdf_sums *sums);

#endif
