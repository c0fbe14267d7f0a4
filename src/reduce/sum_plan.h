/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of row sums: the virtual layout, the kernels' form and the launches. */
#ifndef MOTE_REDUCE_SUM_PLAN_H
#define MOTE_REDUCE_SUM_PLAN_H

#include "core/call.h"
#include "mote/reduce.h"

typedef struct mote_reduce_plan {
    mote_type values, result;
    mote_type acc;    /* type of an accumulator's parts */
    size_t acc_parts; /* 2: with rounding errors */
    uint32_t rows;
    uint64_t n;           /* values in a row */
    uint64_t block;       /* values in a block */
    uint32_t blocks;      /* blocks of a row, at least 1 */
    bool cpu;             /* CPU form */
    bool is_short;        /* a work-group processes several rows */
    size_t local;         /* work-items of a group */
    size_t groups;        /* groups over blocks, or over short rows */
    size_t finish_groups; /* groups that combine blocks; 0: a row has one block */
    bool once; /* the last group of the first launch combines the blocks, if the call has words that
                  are zero */
    uint32_t levels; /* GPU form: a row uses 2^levels times four lanes */
    uint32_t finish_levels;
    char defines[128];
} mote_reduce_plan;

/* Returns whether kernels may use double precision: the device has it, and MOTE_TUNE's reduce.fp64
 * allows it. */
bool mote_reduce_has_fp64(const mote_context *ctx);

/* args: checked, with at least one row. values: their type. Fails if there are more blocks than can
 * be numbered. */
mote_status mote_reduce_plan_make(const mote_call *call, const mote_reduce_args *args,
                                  mote_type values, mote_reduce_plan *plan);

/* Carves scratch for the sums of blocks; the NULL view if a row has one block. */
mote_view mote_reduce_plan_carve(const mote_reduce_plan *plan, mote_carve *carve);

/* Prepares the launches. */
mote_status mote_reduce_plan_run(mote_call *call, const mote_reduce_plan *plan,
                                 const mote_reduce_args *args, const mote_view *sums);

#endif
