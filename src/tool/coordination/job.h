/* SPDX-License-Identifier: Apache-2.0 */
/* mote coordination: what its parts share.
 *
 * Threads pass batches of frames on: one reads, one for each device computes, and the main one,
 * which signals interrupt, writes. */
#ifndef MOTE_TOOL_COORDINATION_JOB_H
#define MOTE_TOOL_COORDINATION_JOB_H

#include "groups.h"
#include "unpack.h"
#include "../common/crew.h"
#include "../io/out.h"

#include "formats/trajectory/trajectory.h"

/* The command line. */
typedef struct coordination_options {
    tool_common common;
    const char *input;
    mote_switch function; /* completed */
    coordination_group group_a, group_b;
    bool pair, no_pbc, virial;
    bool has_precision;
    mote_precision precision;
    mote_coordination_method method;
    const char *derivatives, *per_atom;
    mote_trajectory_format format; /* MOTE_TRAJECTORY_ANY: by the name, else by how it begins */
    uint64_t begin, end, stride;   /* frames begin, begin + stride, ... below end */
} coordination_options;

typedef struct coordination_batch {
    size_t frames;     /* filled so far */
    mote_pbc pbc;      /* the same for all of them */
    double *positions; /* the input: room for as many frames as a batch may have */
    double *box;
    double *time;
    uint64_t bytes; /* of the input read when it was handed over */
    double *value;  /* the results; NULL = not wanted */
    double *virial;
    double *derivatives;
    double *coordination;
} coordination_batch;

enum { OUT_COLVAR, OUT_DERIVATIVES, OUT_PER_ATOM, OUT_COUNT };

typedef struct coordination_job {
    coordination_options *options; /* the reading thread fills in the lists */
    pipeline pipeline;
    coordination_batch *batches; /* by slot */
    tool_timing timing;

    /* Of the reading thread, others after the first batch. */
    mote_trajectory trajectory;
    unpack_state *unpack;
    int input;   /* descriptor */
    int wake[2]; /* a pipe: closing its end lets the thread wait for the input no longer */
    bool given_up;
    coordination_batch *filling;
    size_t most_frames; /* of a batch */
    size_t n_atoms;
    size_t entries;
    tool_failure read_failure;

    device_crew crew;
    mote_precision precision; /* known when the devices are open */

    /* Of the main thread. */
    out_file *outs[OUT_COUNT]; /* NULL = not wanted */
    uint64_t bytes_total;      /* of the input, where known */
    uint64_t frames;           /* written */
} coordination_job;

/* Opens the trajectory; TOOL_GO_ON or an exit code after a message. */
int coordination_open(coordination_job *job);
void coordination_close(coordination_job *job);

/* The reading thread ends soon, also when the input gives nothing. */
void coordination_give_up(coordination_job *job);

/* The reading thread; gets the job and returns NULL. */
void *coordination_read(void *job);

/* What the crew does. */
bool coordination_ready(device_crew *crew);
bool coordination_compute(crew_worker *worker, size_t slot);
void coordination_end(crew_worker *worker);

/* Writes what is computed until all is written or something failed; TOOL_GO_ON or TOOL_OUTPUT after
 * a message. */
int coordination_write(coordination_job *job);

/* The lattice's kind in words. */
const char *coordination_pbc_name(mote_pbc pbc);

#endif
