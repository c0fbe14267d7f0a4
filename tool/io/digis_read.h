/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the digis of a file in either format, some events at a time. Digis of a PDIG file, or of a
 * CSV file whose events ascend, are in memory only as long as they are needed. */
#ifndef MOTE_TOOL_IO_DIGIS_READ_H
#define MOTE_TOOL_IO_DIGIS_READ_H

#include "digis_csv.h"
#include "digis_pdig.h"

typedef struct digi_reader {
    bool is_pdig;
    in_lines in;
    digi_csv csv;
    digi_pdig pdig;
} digi_reader;

/* Returns the format according to the options or the name, or DIGIS_ANY if neither determines
 * it. */
enum digi_format digi_format_of(const char *path, const digi_options *options);

/* Determines the format of the file from the options, its name or, for a stream, its first bytes,
 * and begins to read it; `wake` as in in_lines_open(). Returns TOOL_GO_ON, or TOOL_INPUT after a
 * message; the caller closes the reader in either case. The struct must stay where it is. */
int digi_open(const char *path, const digi_options *options, int wake, digi_reader *reader);
void digi_close(digi_reader *reader);

/* Reads the next events: TOOL_GO_ON with a set to be freed, TOOL_DONE after the last event, or
 * TOOL_INPUT after a message. */
int digi_next(digi_reader *reader, digi_set *set);

/* Determines the number of events in a file and reads no more than necessary for that. Returns
 * TOOL_DONE, or TOOL_INPUT after a message. */
int digi_count_events(const char *path, const digi_options *options, uint64_t *count);

#endif
