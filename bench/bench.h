/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmark that `mote bench` and mote-bench run.
 *
 * Device time is that of one call on an in-order profiling queue: on GPUs between two markers
 * around it, on a queue that is kept busy until all is enqueued; elsewhere from the first START to
 * the last END of its kernels. "back to back" is many calls enqueued, then one wait, divided;
 * "whole call" is the host layer with plain arrays by the host's clock. Results are checked against
 * the oracle before they are timed. A program that has native peers passes them; they run in the
 * same process on the same inputs. */
#ifndef MOTE_BENCH_BENCH_H
#define MOTE_BENCH_BENCH_H

#include <stdio.h>

#include "testkit/reference/pixels/oracle.h"
#include "bench/bandwidth.h"
#include "bench/timing.h"

/* One event in the form that native code reads. */
typedef struct mote_pixels_native {
    size_t n;
    const uint16_t *module_id, *x, *y, *adc;
    uint32_t n_modules, rows, columns;
    uint16_t invalid_module_id;
    uint32_t charge_cut, charge_cut_inner, inner_modules;
} mote_pixels_native;

/* Native code for the same job: labels of one event and clusters of each module (zeroed before).
 * Digis of a module are consecutive, repeated pixels are dropped. Returns the number of clusters
 * that pass the cut, or SIZE_MAX if memory ran out. */
typedef size_t (*mote_pixels_peer_fn)(const mote_pixels_native *event, int32_t *cluster_id,
                                      uint32_t *n_clusters);

typedef struct mote_pixels_peer {
    const char *name;
    mote_pixels_peer_fn run;
} mote_pixels_peer;

/* Native code for jagged arrays, on all cores if possible: the parents of the elements of m lists
 * (offsets[0] is 0), or the sum of each list. */
typedef void (*mote_jagged_parents_peer_fn)(const int32_t *offsets, size_t m, int32_t *parents);
typedef void (*mote_jagged_reduce_peer_fn)(const int32_t *offsets, size_t m, const float *values,
                                           float *sums);

/* Another reduction of each list, with results of its default type. A table of these ends at the
 * first row without a function. */
typedef void (*mote_jagged_reduction_peer_fn)(const int32_t *offsets, size_t m, const float *values,
                                              void *results);

typedef struct mote_jagged_reduction_peer {
    mote_reduction reduction;
    mote_jagged_reduction_peer_fn run;
} mote_jagged_reduction_peer;

/* Arrays of the host for native code of the other calls on lists; offsets_b has lists + 1 elements,
 * outputs have as many elements as results, and counts has one for each list. */
typedef struct mote_lists_native {
    size_t lists, n;
    const int32_t *offsets, *counts, *parents, *offsets_b;
    const float *values, *list_values;
    int32_t *made_offsets, *first, *second;
} mote_lists_native;

typedef void (*mote_lists_peer_fn)(const mote_lists_native *arrays);

typedef enum mote_lists_native_call {
    MOTE_NATIVE_COUNTS,
    MOTE_NATIVE_FROM_COUNTS,
    MOTE_NATIVE_FROM_PARENTS,
    MOTE_NATIVE_NONZERO,
    MOTE_NATIVE_GATHER, /* `first` is the bits of float32 */
    MOTE_NATIVE_PRODUCT,
    MOTE_NATIVE_PAIRS,
    MOTE_NATIVE_SCAN,   /* the same */
    MOTE_NATIVE_FILTER, /* the same; the values are the mask, too */
    MOTE_NATIVE_SORT,   /* the same */
    MOTE_NATIVE_CALLS   /* other calls follow, without native code */
} mote_lists_native_call;

/* Native code for the sum of n values of float32, and of float64. */
typedef struct mote_reduce_peer {
    const char *name;
    double (*f32)(const float *values, size_t n);
    double (*f64)(const double *values, size_t n);
} mote_reduce_peer;

/* Native code for counts, or sums of weights, in bins; false if memory runs out. */
typedef bool (*mote_histogram_peer_fn)(const float *values, const float *weights, size_t n,
                                       const float *edges, size_t bins, double *result);

/* Atoms in a cubic box in the form that native code reads: coordinates of one of the two types, x,
 * y, z of each atom; s = stretch / (1 + (r / r_0)^6) + shift up to d_max. */
typedef struct mote_coordination_native {
    size_t n;
    const float *positions32;
    const double *positions64;
    double side, r_0, d_max, stretch, shift;
    bool derivatives; /* derivatives and virial; otherwise the value only */
} mote_coordination_native;

typedef struct mote_coordination_native_out {
    double value, virial[9];
    void *derivatives; /* n x 3, in the type of the positions */
} mote_coordination_native_out;

/* Native code for coordination numbers; returns false if memory ran out. */
typedef bool (*mote_coordination_peer_fn)(const mote_coordination_native *in,
                                          mote_coordination_native_out *out);

typedef struct mote_coordination_peer {
    const char *name;
    bool cells; /* evaluates neighbouring atoms only */
    mote_coordination_peer_fn f32, f64;
} mote_coordination_peer;

#define MOTE_BENCH_MOST_PEERS 3

/* Missing functions are NULL. */
typedef struct mote_bench_peers {
    mote_pixels_peer pixels[MOTE_BENCH_MOST_PEERS]; /* ratios refer to the first one */
    const char *parents_name[MOTE_BENCH_MOST_PEERS];
    mote_jagged_parents_peer_fn parents[MOTE_BENCH_MOST_PEERS];
    mote_jagged_parents_peer_fn local_index[MOTE_BENCH_MOST_PEERS]; /* named as parents */
    const char *reduce_name[MOTE_BENCH_MOST_PEERS];
    mote_jagged_reduce_peer_fn reduce[MOTE_BENCH_MOST_PEERS];
    const char *reductions_name[MOTE_BENCH_MOST_PEERS];
    const mote_jagged_reduction_peer *reductions[MOTE_BENCH_MOST_PEERS]; /* tables */
    mote_lists_peer_fn lists[MOTE_NATIVE_CALLS];                         /* on all cores */
    mote_reduce_peer sums[MOTE_BENCH_MOST_PEERS];
    mote_histogram_peer_fn histogram; /* on all cores */
    mote_coordination_peer coordination[MOTE_BENCH_MOST_PEERS];
} mote_bench_peers;

/* A line of the benchmark, for a program that sets targets. */
typedef struct mote_bench_line {
    const char *area, *call, *set, *way;
    bool gpu;
    cl_uint compute_units;
    unsigned scale; /* factor by which the set was reduced */
    double peer_us; /* the best time of native code in the same run; 0 = not timed */
    double pairs;   /* of atoms */
} mote_bench_line;

/* The target of a line; 0 = none. */
typedef struct mote_bench_target {
    double us, whole_us; /* upper limits: on the device, by the host layer */
    double rate;         /* lower limit: 10^9 elements per second on the device */
} mote_bench_target;

typedef mote_bench_target (*mote_bench_target_fn)(const mote_bench_line *line);

/* A measured call as a point of a picture. */
typedef struct mote_bench_point {
    const char *area, *call, *way;
    bool pairs;          /* `size` counts pairs of atoms; else bytes */
    double size;         /* the least bytes that the call moves, or its pairs */
    double n;            /* the digis, elements, or pairs of atoms that the call works on */
    double us, limit_us; /* time of the call, and the least time that the device needs */
    mote_bytes bytes;    /* 0 for pairs */
    const mote_bandwidth *bandwidth;
} mote_bench_point;

/* The result of a benchmark; the numbers are the exit codes of the command. */
typedef enum mote_bench_status {
    MOTE_BENCH_OK = 0,
    MOTE_BENCH_USAGE = 1,   /* an option's word is unknown */
    MOTE_BENCH_INPUT = 2,   /* a file of `data` is bad */
    MOTE_BENCH_DEVICE = 3,  /* no device, or a call failed */
    MOTE_BENCH_OUTPUT = 4,  /* a file cannot be written */
    MOTE_BENCH_DISAGREE = 5 /* a result differs from the oracle */
} mote_bench_status;

/* Runs a call once on poisoned outputs and compares them with the oracle. */
typedef mote_bench_status (*mote_bench_check_fn)(void *job);

typedef void (*mote_bench_point_fn)(const mote_bench_point *point, void *user);

/* A call that another program times, with several tunings of its context. */
typedef struct mote_bench_trial {
    const char *area, *call, *set, *way;
    mote_context *ctx;
    cl_command_queue queue;
    mote_timed_fn run; /* for mote_time_call() */
    mote_bench_check_fn check;
    void *job;
} mote_bench_trial;

typedef mote_bench_status (*mote_bench_trial_fn)(const mote_bench_trial *trial, void *user);

/* A part of the benchmark, selected by the words of the options. */
typedef struct mote_bench_choice {
    const char *area, *set, *only, *event, *way;
} mote_bench_choice;

typedef struct mote_bench_options {
    const char *device; /* device string, NULL = default */
    const char *area;  /* "pixels", "jagged", "reduce", "histogram" or "coordination"; NULL = all */
    const char *data;  /* folder with ttbar.bin, phase2.bin, hi.bin, patho.bin; NULL = generators */
    const char *set;   /* name of one of an area's sets; NULL = all */
    const char *only;  /* calls of the jagged area, or "companions", methods of coordination,
                          or rows of pixels, separated by commas; NULL = all */
    const char *way;   /* the name of a call's variant for trials, except for pixels and calls on
                          lists that have one; NULL = all */
    const char *dump;  /* folder that receives the offsets of each set of lists; NULL = none */
    const char *event; /* "one", "batch", "both" or NULL = both */
    const char *order; /* "contiguous", "any", "both" or NULL = both */
    /* In place of the words above: these choices, up to one without an area, quick on CPUs; lines
     * that the device cannot run are omitted. */
    const mote_bench_choice *choices;
    const char *strategy;      /* "union_find", "histogram", "both"; NULL = both on GPUs */
    bool quick;                /* fewer events and runs */
    bool no_check;             /* do not compare with the oracle first */
    FILE *table;               /* output of the table; NULL = none */
    FILE *json;                /* output of JSON lines; NULL = none */
    mote_bench_point_fn point; /* receives each measured call with point_user; NULL = none */
    void *point_user;
    /* Receives each call with trial_user and times it; nothing is printed. */
    mote_bench_trial_fn trial;
    void *trial_user;
    const mote_bench_peers *peers; /* NULL = none */
    mote_bench_target_fn target;   /* NULL = none: no column of targets */
} mote_bench_options;

/* Runs the requested areas. On failure `message` describes the error. */
mote_bench_status mote_bench(const mote_bench_options *options, char *message, size_t size);

/* The state that an area receives. */
typedef struct mote_bench {
    const mote_bench_options *options;
    mote_context *ctx;
    cl_command_queue queue; /* in order, profiling */
    mote_bandwidth bandwidth;
    double peer_us; /* time of native code on the current set; 0 = not timed */
    size_t *rows;   /* rows printed so far, including those that state why they were omitted */
    char *message;
    size_t size;
} mote_bench_state;

/* The areas' functions, and the names of their sets, ended by NULL. */
mote_bench_status mote_bench_pixels(mote_bench_state *bench);
mote_bench_status mote_bench_jagged(mote_bench_state *bench);
mote_bench_status mote_bench_reduce(mote_bench_state *bench);
mote_bench_status mote_bench_histogram(mote_bench_state *bench);
mote_bench_status mote_bench_coordination(mote_bench_state *bench);
const char *mote_bench_pixels_set(size_t k);
const char *mote_bench_pixels_call(size_t k);
const char *mote_bench_jagged_set(size_t k);
const char *mote_bench_jagged_call(size_t k);
const char *mote_bench_reduce_set(size_t k);
const char *mote_bench_histogram_set(size_t k);
const char *mote_bench_coordination_set(size_t k);
const char *mote_bench_coordination_call(size_t k);

#endif
