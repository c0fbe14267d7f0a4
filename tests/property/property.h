/* SPDX-License-Identifier: Apache-2.0 */
/* Property tests: an area draws random calls and compares their results with an oracle.
 *
 *   property-AREA [--seconds S] [--draws N] [--seed SEED] [--form cpu|gpu]
 *
 * Draw k has the seed SEED + k, from which everything in it follows, so `--seed SEED --draws 1`
 * repeats a draw that failed. Draws whose seeds agree after division by PROPERTY_DRAWS_A_CONTEXT
 * share a context and its tuning. The device is that of MOTE_DEVICE. */
#ifndef MOTE_TESTS_PROPERTY_H
#define MOTE_TESTS_PROPERTY_H

#include <stdbool.h>

#include "cases/rng.h"
#include "mote/mote.h"

#define PROPERTY_DRAWS_A_CONTEXT 64

typedef struct property_draw {
    mote_rng rng; /* seeded by the draw's seed */
    uint64_t seed;
    const char *tune; /* MOTE_TUNE of the context */
    mote_context *ctx;
    cl_command_queue queue; /* in-order, or out-of-order where the device has such queues */
    char message[2048];     /* why the draw failed, with everything that was drawn */
} property_draw;

typedef struct property_area {
    const char *name; /* "jagged" */
    /* Writes a text for MOTE_TUNE: borders of choices moved, other variants. `form` is "cpu", "gpu"
     * or NULL for the device's own. A tuning that changes programs costs a build of each, so about
     * half of all texts should hold the form alone. */
    void (*tune)(mote_rng *rng, const char *form, char *text, size_t size);
    /* Draws one call, runs it and compares; false with a sentence in `message`. */
    bool (*draw)(property_draw *draw);
} property_area;

/* The program; its exit status is 0 when all draws agree and at least one was made. */
int property_main(int argc, char **argv, const property_area *area);

#endif
