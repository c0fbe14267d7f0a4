/* SPDX-License-Identifier: Apache-2.0 */
/* The PDIG file format: pixel events, little endian, without padding.
 *
 *     u32 magic ("PDIG" read as bytes P D I G), n_events, n_modules, rows, columns
 *     for each event: u32 n; u16 module_id[n]; u16 x[n]; u16 y[n]; u16 adc[n]
 *
 * Module id 65534 marks an invalid digi. The reader is strict: a wrong magic number, a size out of
 * range, a file that ends early or continues after the last event is an error. Ids and coordinates
 * are not checked, because clustering checks them. Memory grows with the bytes that are read, so
 * that a false count cannot allocate more than the file contains. */
#ifndef MOTE_TESTKIT_CASES_PIXELS_PDIG_H
#define MOTE_TESTKIT_CASES_PIXELS_PDIG_H

#include <stdio.h>

#include "testkit/cases/pixels/digis.h"
#include "tool/formats/trajectory/lines.h"

typedef enum mote_pdig_status {
    MOTE_PDIG_OK = 0,
    MOTE_PDIG_BAD, /* the contents are not a PDIG file, or (writing) do not fit into one */
    MOTE_PDIG_IO,  /* reading or writing failed; errno has the reason */
    MOTE_PDIG_NO_MEMORY,
    MOTE_PDIG_END /* there are no more events */
} mote_pdig_status;

/* A file that is read event by event. */
typedef struct mote_pdig {
    mote_lines *lines;
    char *message; /* the error, truncated to `size` bytes */
    size_t size;
    uint32_t n_events, n_modules, rows, columns; /* numbers in the header */
    uint32_t event;                              /* the next one */
    bool sized;                                  /* its size has been read */
    uint32_t n;
} mote_pdig;

/* The first bytes of a file, as many as needed to recognise a PDIG file. */
#define MOTE_PDIG_HEAD 20
bool mote_pdig_is(const unsigned char *head, size_t bytes);

/* Reads the header. `lines` and `message` must remain valid; nothing needs to be freed. */
mote_pdig_status mote_pdig_open(mote_pdig *pdig, mote_lines *lines, char *message, size_t size);

/* The number of digis of the next event, which is not read yet. After the last event returns
 * MOTE_PDIG_END, if the file ends there. */
mote_pdig_status mote_pdig_look(mote_pdig *pdig, uint32_t *n);

/* Appends the next event to `digis`, which are incomplete unless the result is MOTE_PDIG_OK or
 * MOTE_PDIG_END. */
mote_pdig_status mote_pdig_next(mote_pdig *pdig, mote_digis *digis);

/* Reads a whole file from its current position. On success the caller frees `digis`; otherwise it
 * is empty and `message` (truncated to `size` bytes) states the error, its position and what was
 * expected. */
mote_pdig_status mote_pdig_read(FILE *file, mote_digis *digis, char *message, size_t size);

/* Reads a whole file as mote_pdig_read() does, from a buffer in memory. */
mote_pdig_status mote_pdig_parse(const void *data, size_t bytes, mote_digis *digis, char *message,
                                 size_t size);

/* Writes a whole file. Ids and charges must fit into 16 bits; the invalid id becomes 65534. */
mote_pdig_status mote_pdig_write(FILE *file, const mote_digis *digis, char *message, size_t size);

#endif
