/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts elements into bins by counting: the stable order of n elements by a small key. */
#ifndef MOTE_REDUCE_BIN_BY_KEY_H
#define MOTE_REDUCE_BIN_BY_KEY_H

#include "core/call.h"

/* All views are of MOTE_UINT32; none may overlap another. Elements of one bin keep their order;
 * elements with keys from n_bins on belong to no bin and come last, in the order of the input. n <
 * 2^31. */
typedef struct mote_bin_by_key {
    size_t n;
    uint32_t n_bins;
    mote_view key;        /* n */
    mote_view sorted_key; /* n */
    mote_view index;      /* n elements: input position of each sorted element */
    mote_view scratch;    /* as many elements as mote_bin_by_key_scratch() returns */
    mote_view guard;      /* optional, 1: if it is 0 on the device, the launches do nothing */
} mote_bin_by_key;

/* Returns the number of elements of MOTE_UINT32 that are needed as scratch to sort n elements. */
size_t mote_bin_by_key_scratch(const mote_context *ctx, size_t n, uint32_t n_bins);

/* Enqueues the sort as the next launches of `call`: on GPUs three launches for up to 4096 bins,
 * else three for each 12 bits of the key at most; on CPUs two, or two for each 11 bits if there are
 * too many bins for the number of elements. n = 0 enqueues nothing. Deterministic: yes. */
mote_status mote_bin_by_key_run(mote_call *call, const mote_bin_by_key *args);

#endif
