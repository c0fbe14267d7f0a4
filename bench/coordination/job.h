/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmark's systems of atoms: their sizes, and one call with one set of options. */
#ifndef MOTE_BENCH_COORDINATION_JOB_H
#define MOTE_BENCH_COORDINATION_JOB_H

#include "bench/row.h"
#include "testkit/cases/coordination/system.h"

/* The known results for pairs within one d_max: the value, the trace of the virial, the number of
 * pairs. */
typedef struct mote_atoms_known {
    double value, trace;
    size_t pairs;
} mote_atoms_known;

typedef struct mote_atoms_set {
    const char *name;
    size_t n;
    mote_atoms_known all, near; /* d_max automatic, and MOTE_ATOMS_NEAR */
} mote_atoms_set;

#define MOTE_ATOMS_NEAR 0.75
#define MOTE_ATOMS_SKIN 0.1

const mote_atoms_set *mote_atoms_set_at(size_t k); /* ended by NULL */

typedef struct mote_atoms_way {
    mote_coordination_method method; /* ALL_PAIRS with the automatic d_max, CELLS with NEAR */
    mote_precision precision;
    bool derivatives; /* and virial */
    /* Lists of partners are kept from call to call, or made in every call, because an atom moves.
     */
    bool skin, moves;
} mote_atoms_way;

/* One system on the host and on the device. */
typedef struct mote_atoms_job {
    mote_bench_state *bench;
    const mote_atoms_set *set;
    mote_atoms_way way;
    mote_system system;
    float *positions32;
    bool in_float; /* arrays are float32 */
    cl_mem mem32, mem64, mem_sums, mem_derivatives;
    mote_coordination *plan;
    bool moved; /* the last call had the second array of positions */
    mote_host *host;
    double value, virial[9];
    void *derivatives; /* n x 3 */
} mote_atoms_job;

mote_bench_status mote_atoms_job_create(mote_bench_state *bench, const mote_atoms_set *set,
                                        mote_atoms_job *job);
void mote_atoms_job_release(mote_atoms_job *job);

/* Creates the plan of a row, and replaces the previous one. */
mote_status mote_atoms_job_plan(mote_atoms_job *job, const mote_atoms_way *way);

/* The calls, for mote_time_call() and mote_time_whole(): on arrays of the device, and on arrays of
 * the host. */
mote_status mote_atoms_call(void *job);
mote_status mote_atoms_call_whole(void *job);

/* Reads the outputs of a call on the device, or poisons them before it. */
bool mote_atoms_poison(mote_atoms_job *job);
bool mote_atoms_fetch(mote_atoms_job *job);

/* Compares value, trace and the derivatives of some atoms with the known results; false with a
 * sentence. */
bool mote_atoms_right(const mote_atoms_job *job, char *message, size_t size);

/* Times neighbour lists, of sets of their own. */
mote_bench_status mote_bench_neighbours(mote_bench_state *bench);
mote_bench_status mote_bench_distances(mote_bench_state *bench, const char *set, size_t n);
const char *mote_bench_neighbours_set(size_t k); /* NULL after the last one */
mote_bench_status mote_bench_steinhardt(mote_bench_state *bench);
const char *mote_bench_steinhardt_set(size_t k); /* NULL after the last one */

#endif
