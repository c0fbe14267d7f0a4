/* SPDX-License-Identifier: Apache-2.0 */
/* A batch of pixel events in host memory, which generators, files and oracles use.
 *
 * Ids and charges are stored as 32-bit numbers; module_type and adc_type are their widths on the
 * device (MOTE_UINT16 or MOTE_UINT32). */
#ifndef MOTE_TESTKIT_CASES_PIXELS_DIGIS_H
#define MOTE_TESTKIT_CASES_PIXELS_DIGIS_H

#include <stdbool.h>

#include "testkit/rng.h"
#include "mote/buffer.h"

typedef struct mote_digis {
    size_t n;
    size_t n_events;
    uint32_t *module_id;
    uint16_t *x, *y;
    uint32_t *adc;
    uint32_t *event_offsets; /* n_events + 1 */
    uint32_t n_modules, rows, columns;
    uint32_t invalid_module_id;
    mote_type module_type, adc_type;
    size_t reserved;        /* digis allocated */
    size_t reserved_events; /* event_offsets allocated */
    bool failed;            /* memory ran out: contents are incomplete */
} mote_digis;

/* Starts an empty batch of 16-bit digis with no events and the default invalid id. */
void mote_digis_init(mote_digis *digis, uint32_t n_modules, uint32_t rows, uint32_t columns);

/* Frees the arrays; the batch is then empty. */
void mote_digis_free(mote_digis *digis);

/* Makes room for `n` more digis; false if memory ran out. */
bool mote_digis_reserve(mote_digis *digis, size_t n);

/* Appends one digi to the event being built. If memory runs out, `failed` is set permanently. */
void mote_digis_push(mote_digis *digis, uint32_t module, uint32_t x, uint32_t y, uint32_t adc);

/* Appends one digi of the invalid module. */
void mote_digis_push_invalid(mote_digis *digis);

/* Ends the event being built, which may be empty. */
void mote_digis_end_event(mote_digis *digis);

/* Appends the digis of event `event` of `from` to the event being built. */
void mote_digis_append_event(mote_digis *digis, const mote_digis *from, size_t event);

/* Makes `out` an independent copy; false if memory ran out (out is then empty). */
bool mote_digis_copy(const mote_digis *digis, mote_digis *out);

/* Makes `out` a batch of the single event `event`; false if memory ran out. */
bool mote_digis_event(const mote_digis *digis, size_t event, mote_digis *out);

/* Exchanges two digis. */
void mote_digis_exchange(mote_digis *digis, size_t i, size_t j);

/* Shuffles the digis first .. last - 1. */
void mote_digis_shuffle(mote_digis *digis, size_t first, size_t last, mote_rng *rng);

/* Shuffles every event's digis. If `from` is not NULL, from[i] receives the old index of digi i.
 */
void mote_digis_permute(mote_digis *digis, uint64_t seed, uint32_t *from);

#endif
