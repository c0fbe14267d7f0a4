/* SPDX-License-Identifier: Apache-2.0 */
/* Computes neighbour lists by plain loops over all pairs and images, according to the contract of
 * mote/neighbours.h. */
#ifndef MOTE_TESTKIT_REFERENCE_NEIGHBOURS_H
#define MOTE_TESTKIT_REFERENCE_NEIGHBOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mote_neighbours_task {
    const double *positions, *other; /* 3 n and 3 m; `other` is NULL if there is one list */
    size_t n, m;
    double cutoff;
    const double *box; /* 9 elements */
    uint32_t pbc;
    bool half;
    bool in_float; /* computes like a device without double precision */
} mote_neighbours_task;

typedef struct mote_neighbour {
    int64_t j;
    int32_t shift[3];
    double d[3], distance;
} mote_neighbour;

typedef struct mote_neighbours_result {
    int64_t *offsets; /* n + 1 elements */
    mote_neighbour *neighbours;
    size_t count, room;
} mote_neighbours_result;

/* Computes the heights of a box, which are the distances between its opposite faces. Axes that do
 * not repeat have height 0. */
void mote_neighbours_heights(const double *box, uint32_t pbc, double *heights);

/* Computes the lists. Returns false if memory runs out. The caller frees both arrays in any
 * case. */
bool mote_oracle_neighbours(const mote_neighbours_task *task, mote_neighbours_result *result);

/* The bins of a histogram of distances; task.cutoff is the upper edge of the last one. */
typedef struct mote_distances {
    double r_min;
    size_t bins;
    size_t block, block_other; /* entries of the blocks that are left out; 0: none */
} mote_distances;

/* Adds the numbers of pairs in each bin to `counts`, according to the contract of
 * mote/pair_histogram.h. Returns false if memory runs out. */
bool mote_oracle_distances(const mote_neighbours_task *task, const mote_distances *bins,
                           int64_t *counts);

#endif
