/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting elements into bins by counting: the stable order of n elements by a small key. */
#ifndef MOTE_REDUCE_BIN_BY_KEY_H
#define MOTE_REDUCE_BIN_BY_KEY_H

#include "core/call.h"

/* All views are of MOTE_UINT32; none may overlap another. Elements of one bin keep their order;
 * keys from n_bins on belong to no bin and come last, all of them in the order of the input. n <
 * 2^31. */
typedef struct mote_bin_by_key {
    size_t n;
    uint32_t n_bins;
    mote_view key;        /* n */
    mote_view sorted_key; /* n */
    mote_view index;      /* n: input position of each sorted element */
    mote_view scratch;    /* mote_bin_by_key_scratch() */
} mote_bin_by_key;

/* Elements of MOTE_UINT32 that sorting n elements needs as scratch. */
size_t mote_bin_by_key_scratch(const mote_context *ctx, size_t n, uint32_t n_bins);

/* Enqueues the sort as the next launches of `call`: three on GPUs up to 4096 bins, else three for
 * each 12 bits of the key at most; two on CPUs, for each 11 bits when there are more bins than
 * elements are worth. n = 0 enqueues nothing. Deterministic: yes. */
mote_status mote_bin_by_key_run(mote_call *call, const mote_bin_by_key *args);

#endif
