/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in CSV and JSON files, as the commands on lists write them.
 *
 * CSV has a header. If its first column is named "list", it is the number of the list that a line
 * belongs to, and never decreases; the other columns are values. JSON has numbers, lists of
 * numbers, or lists of rows of equal length. Whole numbers are int64, others float64. */
#ifndef MOTE_TOOL_IO_ARRAYS_TEXT_H
#define MOTE_TOOL_IO_ARRAYS_TEXT_H

#include "../tool.h"
#include "tool/formats/npy.h"

/* Reads the values or, with `offsets`, the offsets of the lists that the file has; the values if it
 * has none. TOOL_GO_ON, or TOOL_INPUT after a message that names file and line. */
int arrays_read_csv(const char *path, bool offsets, mote_npy *array);
int arrays_read_json(const char *path, bool offsets, mote_npy *array);

#endif
