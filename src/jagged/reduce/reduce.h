/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of mote_jagged_reduce() share. */
#ifndef MOTE_JAGGED_REDUCE_REDUCE_H
#define MOTE_JAGGED_REDUCE_REDUCE_H

#include "jagged/lists.h"
#include "mote/jagged.h"
#include "reduce/reductions.h"

/* A checked call. */
typedef struct mote_jagged_reduce_job {
    mote_jagged_reduce_args args;
    size_t lists;
    mote_type offsets_type, values_type;
} mote_jagged_reduce_job;

/* Checks the arguments and fills in the other members. */
mote_status mote_jagged_reduce_check(const mote_call *call, mote_jagged_reduce_job *job);

/* Returns whether kernels may use double precision: the device has it, and MOTE_TUNE's
 * jagged_reduce.fp64 allows it.
 */
bool mote_jagged_reduce_has_fp64(const mote_context *ctx);

/* Fails if values or results are float64 and kernels may not use double precision. */
mote_status mote_jagged_reduce_check_fp64(const mote_call *call, const mote_jagged_reduce_job *job);

/* Writes the defines of cl/jagged/reduce/accumulate.clh. */
void mote_jagged_reduce_defines(const mote_context *ctx, const mote_jagged_reduce_job *job,
                                char *text, size_t size);

/* The plan of a call; all zero for COUNT, which needs no plan. */
typedef struct mote_jagged_reduce_plan {
    bool cpu;
    size_t local, groups;
    size_t tile, tiles;             /* coordinates of a tile, tiles of a group */
    size_t noted_groups;            /* groups that share the recorded long lists */
    size_t deep;                    /* reads of a work-item in flight */
    size_t all_tiles;               /* the largest possible number; CPU form: shares */
    bool spreads;                   /* long lists need another launch */
    size_t join_groups, join_local; /* of that launch */
    /* For the launch for lists that fit local memory; 0 groups: it does not exist. */
    size_t staged_local, staged_groups;
    size_t staged_lists, staged_room; /* for a group: lists, values */
    bool staged_quads;
    /* For the launches by windows, for lists of medium length; 0 windows: they do not exist. */
    size_t window, windows;         /* coordinates of a window, largest number of windows */
    size_t find_groups, find_local; /* for the launch that finds the beginnings of windows */
    mote_type offsets_type;
    size_t blocks; /* 64-bit numbers for the results of blocks */
    char defines[384];
} mote_jagged_reduce_plan;

mote_jagged_reduce_plan mote_jagged_reduce_plan_make(const mote_context *ctx,
                                                     const mote_jagged_reduce_job *job);

/* Scratch that the launches of a call share. */
typedef struct mote_jagged_reduce_between {
    mote_view long_lists, blocks, left;
    mote_view window_list, window_offset, window_ended;
} mote_jagged_reduce_between;

mote_jagged_reduce_between mote_jagged_reduce_carve(const mote_jagged_reduce_plan *plan,
                                                    mote_carve *carve);

/* Returns the flags of a kernel. */
uint32_t mote_jagged_reduce_how(const mote_jagged_reduce_args *args);

#endif
