/* SPDX-License-Identifier: Apache-2.0 */
/* Writes results of jagged arrays as NPY, CSV, JSON, plain lines, or their first lines for a
 * terminal. */
#ifndef MOTE_TOOL_JAGGED_WRITE_H
#define MOTE_TOOL_JAGGED_WRITE_H

#include "../io/arrays.h"

typedef enum jagged_format {
    JAGGED_NPY,
    JAGGED_CSV,
    JAGGED_JSON,
    JAGGED_LINES, /* one value on each line, floats with 17 digits */
    JAGGED_SHOWN, /* the first lists or values, and how many more there are */
    JAGGED_SVG    /* a picture, which the command draws itself */
} jagged_format;

/* Further columns that CSV, JSON and terminals show beside the values of an array. */
typedef struct jagged_table {
    const char *columns; /* header of CSV; each line begins with the number of its list if the
                            header begins with "list" */
    const double *edges; /* edges of the bins that the values belong to, one more than values; NULL
                            if there are none */
    const mote_npy *offsets; /* the lists that the values form; NULL if there are none */
    bool relative;           /* true: values[0] is at offsets[0], not at position 0 */
    const mote_npy *beside; /* one more column, an array of as many values; NULL if there is none */
} jagged_table;

/* A further output of a command: its option, the path that was given or NULL, and the header of
 * CSV; NULL stands for a picture. */
typedef struct jagged_extra {
    const char *option, *path, *columns;
} jagged_extra;

/* The output of a command, and its further outputs. */
#define JAGGED_EXTRAS  2
#define JAGGED_OUTPUTS (1 + JAGGED_EXTRAS)
typedef struct jagged_outputs {
    jagged_format formats[JAGGED_OUTPUTS];
    out_file *outs[JAGGED_OUTPUTS]; /* NULL = not wanted */
} jagged_outputs;

/* Opens the output, and the further outputs that are wanted. The extensions of their names
 * determine their formats; no output may be one of the inputs. `lines`: the output is JAGGED_LINES
 * unless its name has the extension of another format. Returns TOOL_GO_ON, or prints a message and
 * returns an exit code. */
int jagged_open(const tool_common *common, const jagged_extra extras[JAGGED_EXTRAS], bool lines,
                char *const *inputs, size_t n_inputs, jagged_outputs *to);

/* Writes an array of one dimension, or, instead of each value, a row of an array of two dimensions.
 */
void jagged_write(out_file *out, jagged_format format, const mote_npy *array,
                  const jagged_table *table);

#endif
