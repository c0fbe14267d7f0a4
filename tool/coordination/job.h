/* SPDX-License-Identifier: Apache-2.0 */
/* mote coordination: what its parts share.
 *
 * Threads pass batches of frames on: one reads, one for each device computes, and the main one,
 * which signals interrupt, writes. */
#ifndef MOTE_TOOL_COORDINATION_JOB_H
#define MOTE_TOOL_COORDINATION_JOB_H

#include "cv.h"
#include "plot.h"
#include "table.h"
#include "../io/unpack.h"
#include "../common/crew.h"
#include "../common/part.h"
#include "../io/out.h"

#include "tool/formats/trajectory/trajectory.h"

/* A table of coordination numbers: a line for every stride-th frame. */
typedef struct coordination_print {
    char *path; /* NULL = stdout */
    uint64_t stride;
    char format[24]; /* of numbers, as "%f"; empty: as many digits as they have */
    size_t *cvs;     /* its columns */
    size_t n_cvs;
} coordination_print;

/* The command line. */
typedef struct coordination_options {
    tool_common common;
    char **inputs;
    size_t n_inputs;
    coordination_cv *cvs;
    size_t n_cvs;
    coordination_print *prints;
    size_t n_prints;
    bool plumed;             /* tables are as PLUMED writes them */
    const char *plumed_file; /* which says what is computed; NULL = options do */
    bool virial;
    bool has_precision;
    mote_precision precision;
    mote_coordination_method method;
    const char *derivatives, *per_atom, *svg, *names;
    mote_trajectory_format format; /* MOTE_TRAJECTORY_ANY: by the name, else by how it begins */
    uint64_t begin, end, stride;   /* frames begin, begin + stride, ... below end */
    mote_trajectory_rules rules;
    double box[9];     /* of the rules */
    double time_scale; /* of the files' ps; 0 = 1 */
    tool_part part;
    const char *time_unit; /* NULL = ps */
} coordination_options;

typedef struct coordination_batch {
    size_t frames;     /* filled so far */
    mote_pbc pbc;      /* the same for all of them */
    double *positions; /* the input: room for as many frames as a batch may have */
    double *box;
    double *time;
    uint64_t *number; /* of the frame, from 0 */
    bool timed;       /* all times are those of the files */
    uint64_t bytes;   /* of the input read when it was handed over */
    double *value;    /* the results, number after number; NULL = not wanted */
    double *virial;
    double *derivatives;
    double *coordination;
} coordination_batch;

typedef struct coordination_job {
    coordination_options *options; /* the reading thread fills in the lists */
    pipeline pipeline;
    coordination_batch *batches; /* by slot */
    tool_timing timing;

    /* Of the reading thread, others after the first batch. */
    mote_trajectory trajectory; /* the current one */
    mote_trajectory named;      /* the file of --names */
    size_t current;             /* which input it is */
    uint64_t frames_before;     /* of the inputs before it */
    size_t bytes_before;
    unpack_state *unpack;
    int input;   /* descriptor */
    int wake[2]; /* a pipe: closing its end lets the thread wait for the input no longer */
    bool given_up;
    bool counting; /* the frames are only counted */
    coordination_batch *filling;
    size_t most_frames; /* of a batch */
    size_t n_atoms;
    size_t entries; /* of the lists of all numbers */
    size_t numbers; /* of single atoms; functions of the same ones count once */
    bool functions; /* there are functions of them */
    double unit;    /* of the first input, as mote_trajectory has it */
    bool warned;    /* that a d_max is long */
    char warning[300];
    char note[400]; /* note of the first file that has one */
    tool_failure read_failure;

    device_crew crew;
    mote_precision precision; /* known when the devices are open */

    /* Of the main thread. */
    coordination_table *tables; /* of prints, then derivatives and numbers of atoms if wanted */
    coordination_table *derivatives, *per_atom; /* two of them, or NULL */
    out_file **outs;                            /* of all tables */
    size_t n_outs;
    uint64_t bytes_total;   /* of the inputs, where known */
    uint64_t frames;        /* written */
    uint64_t total;         /* with --part, frames of all shares */
    uint64_t run;           /* the same for all of them */
    coordination_plot plot; /* of --svg */
} coordination_job;

/* Opens the first trajectory; TOOL_GO_ON or an exit code after a message. */
int coordination_open(coordination_job *job);
void coordination_close(coordination_job *job);

/* The reading thread's: the next frame of all inputs, wanted or passed over as trajectory.skip
 * says; what is wrong is in read_failure. */
mote_trajectory_status coordination_next(coordination_job *job);

/* Its number, from 0, over all inputs. */
uint64_t coordination_frame(const coordination_job *job);

/* Bytes taken from the inputs so far. */
size_t coordination_bytes(const coordination_job *job);

/* Reads the first frame of the file of --names; TOOL_GO_ON or an exit code after a message. */
int coordination_names(coordination_job *job);

/* Passes on the batch that is being filled: it is full, or the input gives nothing for a while. */
void coordination_hand_over(coordination_job *job);

/* With --part: counts the frames and narrows the options to those of the share; `empty`: it has
 * none. TOOL_GO_ON, or an exit code after a message. */
int coordination_take_part(coordination_job *job, bool *empty);

/* Makes the reading thread end soon, even if the input delivers nothing. */
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

/* Some output still has a reader. */
bool coordination_is_wanted(const coordination_job *job);

/* The picture of --svg, complete under its name; TOOL_GO_ON or an exit code after a message. */
int coordination_picture(coordination_job *job);

/* The lattice's kind in words. */
const char *coordination_pbc_name(mote_pbc pbc);

#endif
