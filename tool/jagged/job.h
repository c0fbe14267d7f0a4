/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that go from NPY files to lists, or to results of lists, share. */
#ifndef MOTE_TOOL_JAGGED_JOB_H
#define MOTE_TOOL_JAGGED_JOB_H

#include "../common/building.h"
#include "../io/arrays.h"
#include "../option.h"
#include "write.h"

#define JAGGED_MOST_INPUTS 3

/* The end of --help: the formats of inputs and of the output. */
#define JAGGED_FILES                                                                               \
    "Inputs and the result are NPY, CSV or JSON, as their names end; - is NPY on standard "        \
    "input.\n"                                                                                     \
    "A CSV or JSON file of lists serves as OFFSETS and as VALUES. A terminal shows the first\n"    \
    "lists or values as text."

typedef struct jagged_job {
    const tool_common *common;
    const char *command;
    char *inputs[JAGGED_MOST_INPUTS];
    size_t n_inputs;
    bool lines;                 /* as in jagged_open(); set before jagged_begin() */
    const char *offsets_output; /* where new offsets go, set before; NULL = nowhere */
    jagged_outputs to;          /* the result, and the new offsets */
    mote_npy result, offsets;   /* offsets: of lists that the result forms, if they are new */
    jagged_table table;
    mote_context *ctx;
    tool_timing timing;
    double start;
    building_call call;
    char summary[200]; /* what was done, for the note at the end */
} jagged_job;

/* Where the lists are: offsets, or starts and stops (paths, NULL = not given). */
typedef struct jagged_lists {
    const char *offsets, *starts, *stops;
    mote_npy first, stop;                                   /* offsets or starts; stops */
    mote_type type;                                         /* of all of them */
    size_t count;                                           /* m */
    const void *offset_values, *start_values, *stop_values; /* NULL = not given */
} jagged_lists;

/* Names an input, to be called before jagged_begin(); NULL is skipped. */
void jagged_input(jagged_job *job, const char *path);

/* Checks inputs against the output and opens it: TOOL_GO_ON, or an exit code after a message. */
int jagged_begin(jagged_job *job);

/* Takes the operand OFFSETS, or none when there are starts and stops; TOOL_GO_ON or TOOL_USAGE. */
int jagged_lists_operand(jagged_lists *lists, int argc, char **argv, int first);

/* Reads lists, any array, or a one-dimensional array of one of `types`. */
int jagged_lists_read(jagged_job *job, jagged_lists *lists);
int jagged_read(jagged_job *job, const char *path, mote_npy *array);
int jagged_read_line(jagged_job *job, const char *path, const mote_type *types, mote_npy *array);

/* The name that messages about the lists begin with. */
const char *jagged_lists_name(const jagged_lists *lists);

/* The name of the file that the library's last sentence is about: the one it names first. */
const char *jagged_lists_blame(const jagged_lists *lists);
void jagged_lists_free(jagged_lists *lists);

/* Makes room for `count` results; the message begins with what asks for so many. */
int jagged_make(jagged_job *job, const char *name, mote_type type, size_t count);

/* Opens the device for the call that follows: TOOL_GO_ON, or an exit code after a message. */
int jagged_device(jagged_job *job);

/* Takes the time and the status of that call: TOOL_GO_ON, or an exit code after a message that
 * begins with the input's name when the input is bad. */
int jagged_called(jagged_job *job, const char *name, mote_status status);

/* Writes the result when `code` is TOOL_GO_ON, says what was done, frees all. Returns the exit
 * code. */
int jagged_end(jagged_job *job, int code);

#endif
