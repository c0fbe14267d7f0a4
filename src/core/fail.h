/* SPDX-License-Identifier: Apache-2.0 */
/* Failing with a sentence. */
#ifndef MOTE_CORE_FAIL_H
#define MOTE_CORE_FAIL_H

#include <stdbool.h>

#include "mote/status.h"

#if defined(__GNUC__)
#define MOTE_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define MOTE_PRINTF(f, a)
#endif

/* Records the sentence as this thread's last error, logs it at error level, and returns `status`.
 * The sentence may have any length: it is truncated only if memory for it runs out. */
mote_status mote_fail(mote_status status, const char *format, ...) MOTE_PRINTF(2, 3);

/* For a failed OpenCL call: "FUNCTION: clName failed with CL_CODE (-5)"; returns `code`. */
mote_status mote_fail_cl(cl_int code, const char *function, const char *cl_name);

/* Saves the thread's sentence while a callback of the caller runs, so that a failure inside the
 * callback does not change what the interrupted call reports. The callback still sees the sentence,
 * and pointers to it stay valid. */
typedef struct mote_held_sentence {
    char *owned, *outer;
    char brief[512];
} mote_held_sentence;
void mote_sentence_hold(mote_held_sentence *held);
void mote_sentence_restore(const mote_held_sentence *held);

/* Returns whether this code means that the device's memory is exhausted. */
bool mote_is_memory_code(cl_int code);

#endif
