/* SPDX-License-Identifier: Apache-2.0 */
/* mote rdf: what its parts share. The threads of tool/coordination/ read the frames; workers count
 * distances on their devices and keep the counts there until the end. */
#ifndef MOTE_TOOL_RDF_RDF_H
#define MOTE_TOOL_RDF_RDF_H

#include "../coordination/options.h"

/* How g(r) is normalised. */
typedef enum rdf_norm { RDF_RDF, RDF_GROMACS, RDF_NONE } rdf_norm;

typedef struct rdf_options {
    coordination_state state; /* groups and inputs */
    double r_min, r_max, width;
    uint64_t bins;
    uint32_t block[2]; /* of A and of B; 0 = no blocks */
    int norm;
} rdf_options;

typedef struct rdf_job {
    coordination_job base; /* first, because the workers have its address */
    rdf_options *options;
    int64_t *counts;                /* of all workers that have ended */
    double sum_volume, sum_density; /* of the collected frames: V and 1 / V */
    bool own_images;                /* an atom and its own image may count */
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

/* Writes the table, and opens and writes the picture, if it is wanted. The caller completes both.
 * Returns TOOL_GO_ON or an exit code after a message. */
int rdf_write(rdf_job *job, out_file **picture);

#endif
