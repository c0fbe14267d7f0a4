/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what every sub-command shares: exit codes, common options, messages. */
#ifndef MOTE_TOOL_TOOL_H
#define MOTE_TOOL_TOOL_H

#include <stdbool.h>
#include <stdio.h>
#include "mote/mote.h"

/* Exit codes; TOOL_GO_ON is not one: it means that the run continues. */
enum tool_exit {
    TOOL_GO_ON = -1,
    TOOL_DONE = 0,
    TOOL_USAGE = 1,   /* bad usage */
    TOOL_INPUT = 2,   /* bad input */
    TOOL_DEVICE = 3,  /* no usable device, no memory, or OpenCL failed */
    TOOL_OUTPUT = 4,  /* output cannot be written */
    TOOL_DISAGREE = 5 /* selftest: a device and an oracle differ */
};

/* Options that every sub-command accepts. */
typedef struct tool_common {
    const char *device; /* NULL stands for MOTE_DEVICE or the best device */
    const char *output; /* NULL = stdout */
    bool quiet;
    bool verbose;
    bool timing;
    bool profile;
    const char *trace; /* NULL = none */
    uint64_t run; /* hash of the command's options without --part and options that name files */
} tool_common;

/* Seconds and bytes for --timing. */
typedef struct tool_timing {
    double read_s, device_s, write_s;
    uint64_t bytes;
    const char *more; /* further members of the JSON line, or NULL */
} tool_timing;

#if defined(__GNUC__)
#define TOOL_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define TOOL_PRINTF(f, a)
#endif

/* Sets the name that begins every message, for example "mote clusters". */
void tool_name_set(const char *command);

/* Prints "mote COMMAND: sentence" on stderr and returns `code`. */
int tool_fail(int code, const char *format, ...) TOOL_PRINTF(2, 3);

/* After this call, the first tool_fail() of this thread is stored in the struct and none is
 * printed; NULL ends that. */
struct tool_failure;
void tool_keep_failures(struct tool_failure *failure);

/* Prints a note, unless -q. */
void tool_note(const tool_common *common, const char *format, ...) TOOL_PRINTF(2, 3);

/* Prints the summary of a run, unless -q, and appends the names of the written files. */
void tool_summary(const tool_common *common, const char *format, ...) TOOL_PRINTF(2, 3);

/* Separates the lines of a message. Any other line break in a message is quoted text and is
 * escaped. */
#define TOOL_LINE_BREAK '\x1e'

/* Prints text that may be shown on a terminal. Control characters and bytes that are not UTF-8 are
 * shown as escape sequences of C. The character `line_break` begins a new, indented line. */
void tool_print_text(FILE *file, const char *text, char line_break);

/* Reports a failed library call with the library's message; returns the exit code that fits
 * `status`. */
int tool_fail_library(mote_status status);

/* Returns the message of the last failure in this thread without the name of the function. */
const char *tool_sentence(void);

/* Replaces the line breaks of a compiler's log or of a list of devices in `sentence` by
 * TOOL_LINE_BREAK, so that the message keeps its lines. */
void tool_keep_lines(mote_status status, char *sentence);

/* Returns the exit code that fits `status`. */
int tool_code_of(mote_status status);

/* Prints the message of a call that has read the input `name`, which the message names if it is
 * invalid, and returns the exit code. */
int tool_fail_input(const char *name, mote_status status);

/* Prints the JSON line of --timing on stderr, if the option is given. */
void tool_timing_print(const tool_common *common, const char *command, const char *device,
                       const tool_timing *timing);

/* "" for one, else "s". */
const char *tool_plural(uint64_t count);

/* Returns the seconds of a monotonic clock. */
double tool_seconds(void);

/* Opens the device that the options name; returns TOOL_DONE, or prints a message and returns an
 * exit code. */
int tool_open_device(const tool_common *common, mote_context **ctx);

/* Reports that there is no device at all; returns TOOL_DEVICE. */
int tool_no_device(void);

/* For -v: failures of the library then name its functions. */
void tool_name_functions(void);

/* For -v: prints the library's messages on stderr, and each warning once. */
void tool_log_to_stderr(void);

#endif
