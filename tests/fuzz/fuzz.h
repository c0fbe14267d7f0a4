/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzing of everything that parses: one target a format, all in one program. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/fail.h"

/* Reads one input. Besides what the sanitizers see, a target checks what its parser promises. */
typedef void fuzz_target(const uint8_t *data, size_t size);

typedef struct fuzz_entry {
    const char *name;
    fuzz_target *run;
} fuzz_entry;

/* What this program can fuzz; ends with a NULL. */
extern const fuzz_entry fuzz_table[];

/* Ends the run with a sentence and the input kept when `good` is false. */
#define FUZZ_CHECK(good, ...)                                                                      \
    do {                                                                                           \
        if (!(good))                                                                               \
            fuzz_stop(__FILE__, __LINE__, __VA_ARGS__);                                            \
    } while (0)
_Noreturn void fuzz_stop(const char *file, int line, const char *format, ...) MOTE_PRINTF(3, 4);

/* A copy that ends with a zero, of exactly that many bytes, so that reading beyond is seen; the
 * caller frees it. */
char *fuzz_text(const uint8_t *data, size_t size);

/* The input as a regular file, standing at its beginning; the caller closes it. */
FILE *fuzz_file(const uint8_t *data, size_t size);

/* What tool_fail() was last called with; "" when it was not since fuzz_forget(). */
const char *fuzz_message(void);
void fuzz_forget(void);

#endif
