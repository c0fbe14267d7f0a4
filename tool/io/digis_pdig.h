/* SPDX-License-Identifier: Apache-2.0 */
/* Reads digis from PDIG files, in parts of whole events. */
#ifndef MOTE_TOOL_IO_DIGIS_PDIG_H
#define MOTE_TOOL_IO_DIGIS_PDIG_H

#include "digis.h"
#include "in_lines.h"

#include "testkit/cases/pixels/pdig.h"

typedef struct digi_pdig {
    in_lines *in;
    const digi_options *options;
    mote_pdig pdig;
    char message[256];
    size_t taken; /* bytes of the parts before */
} digi_pdig;

/* Reads the header. Returns TOOL_GO_ON, or TOOL_INPUT after a message; in the latter case there is
 * nothing to close. */
int digi_pdig_open(in_lines *in, const digi_options *options, digi_pdig *pdig);

/* Reads the next part: returns TOOL_GO_ON with a set that the caller frees, TOOL_DONE after the
 * last part, or TOOL_INPUT after a message that names event and digi. */
int digi_pdig_next(digi_pdig *pdig, digi_set *set);

#endif
