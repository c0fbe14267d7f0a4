/* SPDX-License-Identifier: Apache-2.0 */
#include "tables.h"

#define COUNT ((size_t)3)
#define N     ((size_t)9000)

static float values[COUNT * N];

static void fill(void)
{
    for (size_t i = 0; i < COUNT * N; i++)
        values[i] = (float)(i % 97) - 40.5f;
}

static void one_row(fault_bed *b)
{
    FAULT_ARGS(b, mote_reduce_args, args);
    fill();
    args->values = fault_in(b, "values", MOTE_FLOAT32, N, values);
    args->result = fault_out(b, "result", MOTE_FLOAT64, 1);
}

static void rows(fault_bed *b)
{
    FAULT_ARGS(b, mote_reduce_args, args);
    fill();
    args->rows = COUNT;
    args->values = fault_in(b, "values", MOTE_FLOAT32, COUNT * N, values);
    args->result = fault_out(b, "result", MOTE_FLOAT32, COUNT);
    args->result_low = fault_out(b, "result_low", MOTE_FLOAT32, COUNT);
}

static void host_rows(fault_bed *b)
{
    FAULT_ARGS(b, mote_reduce_host_args, args);
    fill();
    args->type = MOTE_FLOAT32;
    args->rows = COUNT;
    args->n = N;
    args->values = fault_host_in(b, "values", COUNT * N * sizeof(float), values);
    args->result = fault_host_out(b, "result", COUNT * sizeof(double));
}

FAULT_ENQUEUES(mote_reduce, mote_reduce_args)
FAULT_ENQUEUES(mote_reduce_rows, mote_reduce_args)
FAULT_SIZES(mote_reduce, mote_reduce_args)
FAULT_HOST(mote_reduce_host, mote_reduce_host_args)

const fault_operation fault_reduce[] = {
    FAULT_SIZED_ROW(one_row, mote_reduce, MOTE_OPERATION_REDUCE),
    FAULT_ROW(rows, mote_reduce_rows, MOTE_OPERATION_REDUCE),
    FAULT_HOST_ROW(host_rows, mote_reduce_host),
};
const size_t fault_reduce_count = sizeof(fault_reduce) / sizeof(fault_reduce[0]);
