/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of a call of mote_steinhardt(), and its launches. */
#ifndef MOTE_COORDINATION_STEINHARDT_H
#define MOTE_COORDINATION_STEINHARDT_H

#include "coordination/neighbours_cells.h"
#include "coordination/plan.h"
#include "mote/steinhardt.h"
#include "shared/steinhardt.h"

typedef struct mote_steinhardt_plan {
    mote_steinhardt_args args;
    mote_neighbour_cells cells;
    mote_switch_numbers function, local_function, threshold;
    bool slopes;       /* derivatives or the virial are wanted */
    bool apart;        /* local averages have a switching function of their own */
    bool parts;        /* not all entries are centres and neighbours */
    double lattice[9]; /* reduced vectors of the box, or 0 */
    uint32_t flags;
    size_t values, centres;
    size_t pitch;                             /* numbers of an entry in the arrays below */
    size_t groups, searching;                 /* groups of launches over entries, and of searches */
    mote_view sums, back, units, means, ends; /* entries.cl explains them */
    mote_view kept, by_order; /* for moments: the order parameters, and derivatives by them */
    mote_view added;          /* derivatives of the switching function of local averages */
    mote_view terms, virials, totals;
} mote_steinhardt_plan;

static inline bool mote_steinhardt_has_threshold(const mote_steinhardt_args *a)
{
    return a->reduction == MOTE_STEINHARDT_LESS_THAN || a->reduction == MOTE_STEINHARDT_MORE_THAN;
}

/* Enqueues all work of a plan. */
mote_status mote_steinhardt_launch(mote_call *call, const void *plan);

#endif
