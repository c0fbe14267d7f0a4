/* SPDX-License-Identifier: Apache-2.0 */
/* Order parameters of single atoms, in place of coordination numbers. */
#ifndef MOTE_TOOL_COORDINATION_ORDER_H
#define MOTE_TOOL_COORDINATION_ORDER_H

#include "job.h"

/* Arrays of a worker for the order parameters of one list; NULL: none yet. */
typedef struct order_arrays order_arrays;

/* Computes the order parameters of all frames of a batch, or if `weights` is not NULL, the
 * derivatives and virials of their weighted sums, if wanted. cv is the number's; `number` is its
 * place. */
bool order_compute(device_worker *w, order_arrays **arrays, const coordination_batch *batch,
                   size_t number, const double *weights);

void order_free(order_arrays *arrays);

#endif
