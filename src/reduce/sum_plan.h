/* SPDX-License-Identifier: Apache-2.0 */
/* How rows are summed: the virtual layout, the kernels' form and the launches. */
#ifndef MOTE_REDUCE_SUM_PLAN_H
#define MOTE_REDUCE_SUM_PLAN_H

#include "core/call.h"
#include "mote/reduce.h"

typedef struct mote_reduce_plan {
    mote_type values, result;
    mote_type acc;    /* of an accumulator's parts */
    size_t acc_parts; /* 2: with its rounding errors */
    uint32_t rows;
    uint64_t n;           /* values in a row */
    uint64_t block;       /* values in a block */
    uint32_t blocks;      /* of a row, at least 1 */
    bool cpu;             /* CPU form */
    bool is_short;        /* several rows a work-group */
    size_t local;         /* work-items of a group */
    size_t groups;        /* over blocks, or over short rows */
    size_t finish_groups; /* 0: a row has one block */
    bool once;            /* the last group of the first launch does what that one would, where
                             the call has words that are zero */
    uint32_t levels;      /* GPU form: a row has 2^levels times four lanes in use */
    uint32_t finish_levels;
    char defines[128];
} mote_reduce_plan;

/* Whether kernels may use double precision: the device has it, and MOTE_TUNE's reduce.fp64 lets. */
bool mote_reduce_has_fp64(const mote_context *ctx);

/* args: checked, with rows that are not 0. values: their type. Fails when there are more blocks
 * than can be numbered. */
mote_status mote_reduce_plan_make(const mote_call *call, const mote_reduce_args *args,
                                  mote_type values, mote_reduce_plan *plan);

/* Takes scratch for the sums of blocks; the NULL view where a row has one block. */
mote_view mote_reduce_plan_carve(const mote_reduce_plan *plan, mote_carve *carve);

/* Makes the launches ready. */
mote_status mote_reduce_plan_run(mote_call *call, const mote_reduce_plan *plan,
                                 const mote_reduce_args *args, const mote_view *sums);

#endif
