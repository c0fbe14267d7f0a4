/* SPDX-License-Identifier: Apache-2.0 */
/* mote coordination: what its parts share.
 *
 * Threads pass on batches of frames: one thread reads, one for each device computes, and the main
 * thread, which signals interrupt, writes. */
#ifndef MOTE_TOOL_COORDINATION_JOB_H
#define MOTE_TOOL_COORDINATION_JOB_H

#include "cv.h"
#include "plot.h"
#include "table.h"
#include "../io/unpack.h"
#include "../common/device_workers.h"
#include "../common/part.h"
#include "../io/out.h"

#include "tool/formats/trajectory/trajectory.h"

/* A table of coordination numbers: a line for every stride-th frame. */
typedef struct coordination_print {
    char *path; /* NULL = stdout */
    uint64_t stride;
    char format[24]; /* format of numbers, as "%f"; empty: as many digits as they have */
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
    bool plumed;             /* tables have PLUMED's format */
    const char *plumed_file; /* file with the numbers to compute; NULL = options describe them */
    bool virial;
    bool has_precision;
    mote_precision precision;
    mote_coordination_method method;
    const char *derivatives, *per_atom, *svg, *names;
    mote_trajectory_format format; /* MOTE_TRAJECTORY_ANY: by the name, else by the first bytes */
    uint64_t begin, end, stride;   /* frames begin, begin + stride, ... below end */
    mote_trajectory_rules rules;
    double box[9];     /* of the rules */
    double time_scale; /* factor of the files' times in ps; 0 = 1 */
    tool_part part;
    const char *time_unit; /* NULL = ps */
} coordination_options;

typedef struct coordination_batch {
    size_t frames;     /* filled so far */
    mote_pbc pbc;      /* the same for all of them */
    unsigned periodic; /* the same: bits of the lattice vectors along which they repeat */
    double *positions; /* the input: room for the largest number of frames of a batch */
    double *box;
    double *time;
    uint64_t *number; /* of the frame, from 0 */
    bool timed;       /* all times come from the files */
    uint64_t bytes;   /* bytes of the input that had been read when it was passed on */
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

    /* Used by the reading thread, by others after the first batch. */
    mote_trajectory trajectory; /* the current one */
    mote_trajectory named;      /* the file of --names */
    size_t current;             /* which input it is */
    uint64_t frames_before;     /* of the inputs before it */
    size_t bytes_before;
    unpack_state *unpack;
    int input;   /* descriptor */
    int wake[2]; /* a pipe: closing its end wakes the thread from waiting for the input */
    bool given_up;
    bool counting; /* the frames are only counted */
    coordination_batch *filling;
    size_t most_frames; /* of a batch */
    size_t n_atoms;
    size_t entries; /* number of entries in the lists of all numbers */
    size_t numbers; /* number of coordination numbers of single atoms; several functions of the same
                       atoms share them */
    bool functions; /* there are functions of numbers of single atoms */
    double unit;    /* of the first input, as mote_trajectory has it */
    bool warned;    /* the message about a long d_max has been prepared */
    char warning[300];
    char note[400]; /* note of the first file that has one */
    tool_failure read_failure;

    device_workers workers;
    mote_precision precision; /* known when the devices are open */

    /* Used by the main thread. */
    coordination_table *tables; /* of prints, then derivatives and numbers of atoms if requested */
    coordination_table *derivatives, *per_atom; /* two of them, or NULL */
    out_file **outs;                            /* of all tables */
    size_t n_outs;
    uint64_t bytes_total;   /* bytes of the inputs, if known */
    uint64_t frames;        /* written */
    uint64_t total;         /* with --part, frames of all shares */
    uint64_t run;           /* the same for all of them */
    coordination_plot plot; /* of --svg */
} coordination_job;

/* Begins a job whose workers call these functions, and finds the devices. Returns TOOL_GO_ON, or an
 * exit code after a message; coordination_release() is to be called in any case. */
int coordination_begin(coordination_job *job, coordination_options *options,
                       bool (*work)(device_worker *worker, size_t slot),
                       void (*end)(device_worker *worker));
void coordination_release(coordination_job *job);

/* Reads, computes and calls `write`, which collects the frames in this thread, until all frames are
 * collected or one of the threads fails. Returns the code of `write`. */
int coordination_run_threads(coordination_job *job, int (*write)(coordination_job *job));

/* Opens the first trajectory. Returns TOOL_GO_ON, or prints a message and returns an exit code. */
int coordination_open(coordination_job *job);
void coordination_close(coordination_job *job);

/* For the reading thread: the next frame of all inputs, read or skipped as trajectory.skip
 * specifies; errors are in read_failure. */
mote_trajectory_status coordination_next(coordination_job *job);

/* Its number, from 0, over all inputs. */
uint64_t coordination_frame(const coordination_job *job);

/* Returns the number of bytes read from the inputs so far. */
size_t coordination_bytes(const coordination_job *job);

/* Reads the first frame of the file of --names. Returns TOOL_GO_ON, or prints a message and returns
 * an exit code. */
int coordination_names(coordination_job *job);

/* Passes on the batch that is being filled, because it is full or the input delivers nothing for a
 * while. */
void coordination_hand_over(coordination_job *job);

/* With --part: counts the frames and narrows the options to those of the share; `empty`: it has
 * none. Returns TOOL_GO_ON, or prints a message and returns an exit code. */
int coordination_take_part(coordination_job *job, bool *empty);

/* Makes the reading thread end soon, even if the input delivers nothing. */
void coordination_give_up(coordination_job *job);

/* Runs as the reading thread; gets the job and returns NULL. */
void *coordination_read(void *job);

/* Functions of the workers. */
bool coordination_ready(device_workers *workers);
bool coordination_compute(device_worker *worker, size_t slot);

/* Stores the library's message; returns false. */
bool coordination_fail(device_worker *worker, mote_status status);

void coordination_end(device_worker *worker);

/* Writes computed frames until all are written or an error occurs; TOOL_GO_ON or TOOL_OUTPUT after
 * a message. */
int coordination_write(coordination_job *job);

/* Returns whether some output still has a reader. */
bool coordination_is_wanted(const coordination_job *job);

/* Writes the picture of --svg and completes it. Returns TOOL_GO_ON, or prints a message and returns
 * an exit code. */
int coordination_picture(coordination_job *job);

/* Returns the lattice's kind in words. */
const char *coordination_pbc_name(mote_pbc pbc);

#endif
