/* SPDX-License-Identifier: Apache-2.0 */
/* Device buffers that detect writes outside their view.
 *
 * The view is in the middle of a larger memory object. All bytes are filled with 0xA5 before use,
 * and the margins are compared with this value afterwards. */
#ifndef MOTE_TESTKIT_GUARD_H
#define MOTE_TESTKIT_GUARD_H

#include <stdbool.h>

#include "mote/buffer.h"

typedef struct mote_guard {
    const char *name; /* for messages; static */
    mote_view view;
    size_t margin; /* bytes on each side */
    size_t bytes;  /* bytes of the view */
} mote_guard;

/* Creates the buffer and writes `contents` (NULL = poison) into the view; blocking. On failure an
 * OpenCL code is returned and the guard is empty. */
cl_int mote_guard_create(mote_guard *guard, mote_context *ctx, cl_command_queue queue,
                         const char *name, mote_type type, size_t count, const void *contents);

/* Writes contents (NULL = poison) into the view and poison around it again; blocking. */
cl_int mote_guard_refill(const mote_guard *guard, cl_command_queue queue, const void *contents);

/* Releases the buffer, if there is one. */
void mote_guard_release(mote_guard *guard);

/* Reads the view into `out` (NULL = nothing) after the events and checks the margins. Returns false
 * with a sentence in `message` if they were written or the read failed. */
bool mote_guard_read(const mote_guard *guard, cl_command_queue queue, void *out, cl_uint num_wait,
                     const cl_event *wait, char *message, size_t size);

/* Checks the margins as mote_guard_read() does, and that the view still contains `contents`. */
bool mote_guard_unchanged(const mote_guard *guard, cl_command_queue queue, const void *contents,
                          cl_uint num_wait, const cl_event *wait, char *message, size_t size);

#endif
