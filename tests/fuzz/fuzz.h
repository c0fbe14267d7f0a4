/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzing of all parsers: one target per format, all in one program. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/fail.h"

/* Reads one input. The sanitizers look for errors in the code, and the target itself checks that
 * the parser's results keep the rules of its header. */
typedef void fuzz_target(const uint8_t *data, size_t size);

typedef struct fuzz_entry {
    const char *name;
    fuzz_target *run;
} fuzz_entry;

/* The targets of this program; the last element is NULL. */
extern const fuzz_entry fuzz_table[];

/* Ends the run with a sentence and keeps the input if `good` is false. */
#define FUZZ_CHECK(good, ...)                                                                      \
    do {                                                                                           \
        if (!(good))                                                                               \
            fuzz_stop(__FILE__, __LINE__, __VA_ARGS__);                                            \
    } while (0)
_Noreturn void fuzz_stop(const char *file, int line, const char *format, ...) MOTE_PRINTF(3, 4);

/* A zero-terminated copy with exactly this number of bytes, so that reads beyond it are detected;
 * the caller frees it. */
char *fuzz_text(const uint8_t *data, size_t size);

/* The input as a regular file at its beginning; the caller closes it. */
FILE *fuzz_file(const uint8_t *data, size_t size);

/* Returns the last message of tool_fail(); "" if there was none since fuzz_forget(). */
const char *fuzz_message(void);
void fuzz_forget(void);

#endif
