/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what the commands share that read NPY files and write lists, or results of lists. */
#ifndef MOTE_TOOL_JAGGED_JOB_H
#define MOTE_TOOL_JAGGED_JOB_H

#include "../common/building.h"
#include "../io/arrays.h"
#include "../option.h"
#include "write.h"

#define JAGGED_MOST_INPUTS 4

/* The end of --help: the formats of inputs and of the output. */
#define JAGGED_FILES                                                                               \
    "The ending of a name selects NPY, CSV or JSON for each input and for the result; - is\n"      \
    "NPY on standard input. A CSV or JSON file of lists serves as OFFSETS and as VALUES. On\n"     \
    "a terminal, the first lists or values are shown as text."

typedef struct jagged_job jagged_job;
struct jagged_job {
    const tool_common *common;
    const char *command;
    char *inputs[JAGGED_MOST_INPUTS];
    size_t n_inputs;
    bool lines; /* as in jagged_open(); set it before jagged_begin(), as the next member */
    jagged_extra extras[JAGGED_EXTRAS]; /* outputs for new offsets or a picture, and for
                                           lengths */
    jagged_outputs to;                  /* outputs for the result, the new offsets, the lengths */
    mote_npy result, offsets; /* offsets: those of the lists of the result, if they are new */
    mote_npy lengths;         /* one for each result */
    jagged_table table;
    mote_context *ctx;
    tool_timing timing;
    double start;
    building_call call;
    char summary[200];                                  /* text of the note at the end of the run */
    void (*draw)(out_file *out, const jagged_job *job); /* draws the picture of the first extra */
};

/* The lists: offsets, or starts and stops (paths, NULL if not given). */
typedef struct jagged_lists {
    const char *offsets, *starts, *stops;
    mote_npy first, stop;                                   /* offsets or starts; stops */
    mote_type type;                                         /* the type of all of them */
    size_t count;                                           /* m */
    const void *offset_values, *start_values, *stop_values; /* NULL = not given */
} jagged_lists;

/* Adds the name of an input; call it before jagged_begin(). NULL is ignored. */
void jagged_input(jagged_job *job, const char *path);

/* Compares inputs with the output and opens it: returns TOOL_GO_ON, or prints a message and returns
 * an exit code. */
int jagged_begin(jagged_job *job);

/* Takes the operand OFFSETS, or none if starts and stops are given; returns TOOL_GO_ON or
 * TOOL_USAGE. */
int jagged_lists_operand(jagged_lists *lists, int argc, char **argv, int first);

/* Read lists, any array, or a one-dimensional array of one of `types`. */
int jagged_lists_read(jagged_job *job, jagged_lists *lists);
int jagged_read(jagged_job *job, const char *path, mote_npy *array);
int jagged_read_line(jagged_job *job, const char *path, const mote_type *types, mote_npy *array);

/* Returns the name with which messages about the lists begin. */
const char *jagged_lists_name(const jagged_lists *lists);

/* Returns the name of the file that the library's last message is about, which is the one that it
 * names first. */
const char *jagged_lists_blame(const jagged_lists *lists);
void jagged_lists_free(jagged_lists *lists);

/* Returns the number of elements from the first offset to the last; 0 if the offsets are invalid.
 */
size_t jagged_lists_span(const jagged_lists *lists);

/* Makes room for `count` results; a message begins with `name`, the input that requires this
 * number. */
int jagged_make(jagged_job *job, const char *name, mote_type type, size_t count);

/* Opens the device for the following call: returns TOOL_GO_ON, or prints a message and returns an
 * exit code. */
int jagged_device(jagged_job *job);

/* Handles the time and the status of that call: returns TOOL_GO_ON, or prints a message and returns
 * an exit code, which begins with the input's name if the input is invalid. */
int jagged_called(jagged_job *job, const char *name, mote_status status);

/* Writes the result and the note if `code` is TOOL_GO_ON; frees everything. Returns the exit
 * code. */
int jagged_end(jagged_job *job, int code);

#endif
