/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in NPY, CSV and JSON files. */
#ifndef MOTE_TOOL_IO_ARRAYS_H
#define MOTE_TOOL_IO_ARRAYS_H

#include "../tool.h"
#include "tool/formats/npy.h"
#include "out.h"

/* path "-" = NPY on stdin; else the ending chooses the format. With `offsets`, reads the offsets of
 * the lists of a CSV or JSON file that has lists. TOOL_GO_ON, or TOOL_INPUT (TOOL_DEVICE if memory
 * runs out) after a message; release with mote_npy_free(). */
int array_read(const char *path, bool offsets, mote_npy *array);

/* Returns the name of an input for messages. */
const char *array_name(const char *path);

/* Rejects an array that is not one-dimensional, or whose type is not in the list, which ends with
 * MOTE_TYPE_NONE. */
int array_expect(const char *path, const mote_npy *array, const mote_type *types);
int array_expect_type(const char *path, const mote_npy *array, const mote_type *types);

/* int32, uint32, int64: the types of offsets, counts and parents. */
extern const mote_type array_indices[];

/* Allocates the values of an array whose type and shape are set: TOOL_GO_ON, or TOOL_INPUT after a
 * message that begins with `name`. */
int array_make(const char *name, mote_npy *array);

void array_write(out_file *out, const mote_npy *array);

#endif
