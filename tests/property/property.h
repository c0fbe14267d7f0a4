/* SPDX-License-Identifier: Apache-2.0 */
/* Property tests: an area draws random calls and compares their results with an oracle.
 *
 *   property-AREA [--seconds S] [--draws N] [--seed SEED] [--form cpu|gpu]
 *
 * Draw k has the seed SEED + k, which determines everything in it, so `--seed SEED --draws 1`
 * repeats a failed draw; a draw that does not end within minutes fails, too. Draws whose seeds
 * agree after division by PROPERTY_DRAWS_A_CONTEXT share a context and its tuning. MOTE_DEVICE
 * selects the device. */
#ifndef MOTE_TESTS_PROPERTY_H
#define MOTE_TESTS_PROPERTY_H

#include <stdbool.h>

#include "testkit/operation.h"

#define PROPERTY_DRAWS_A_CONTEXT 64

typedef struct property_draw {
    mote_rng rng; /* seeded with `seed` */
    uint64_t seed;
    const char *tune; /* the tuning of the context */
    mote_context *ctx;
    cl_command_queue queue; /* in-order, or out-of-order if the device supports it */
    char message[2048];     /* the reason of a failure, and everything that was drawn */
} property_draw;

typedef struct property_area {
    const char *name; /* such as "jagged" */
    /* Writes a text for MOTE_TUNE that changes thresholds and variants. `form` is "cpu", "gpu" or
     * NULL for the device's own form. Some keys change programs, which must then be built, so about
     * half of all texts should hold the form alone. */
    void (*tune)(mote_rng *rng, const char *form, char *text, size_t size);
    /* Draws and runs one call, and compares its results. On a difference, returns false with a
     * sentence in `message`. */
    bool (*draw)(property_draw *draw);
} property_area;

/* Draws and runs a call of up to `most` elements. Its operation is one of the described operations
 * of the area. All draws of a context use a few families of programs. */
bool property_draw_call(property_draw *draw, const char *area, size_t most);

/* Runs the program. Returns the exit status: 0 if at least one draw was made and all agree. */
int property_main(int argc, char **argv, const property_area *area);

#endif
