/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in CSV and JSON files, as the commands on lists write them.
 *
 * CSV has a header. If the first column is named "list", it contains the number of each line's
 * list, which must not decrease from line to line; the other columns contain values. JSON has
 * numbers, lists of numbers, or lists of rows of equal length. Whole numbers are int64, others
 * float64. */
#ifndef MOTE_TOOL_IO_ARRAYS_TEXT_H
#define MOTE_TOOL_IO_ARRAYS_TEXT_H

#include "../tool.h"
#include "tool/formats/npy.h"

/* Reads the values of a file. If `offsets` is true and the file contains lists, reads their offsets
 * instead. Returns TOOL_GO_ON, or TOOL_INPUT after a message that names the file and line. */
int arrays_read_csv(const char *path, bool offsets, mote_npy *array);
int arrays_read_json(const char *path, bool offsets, mote_npy *array);

#endif
