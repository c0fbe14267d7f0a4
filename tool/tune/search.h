/* SPDX-License-Identifier: Apache-2.0 */
/* The search: each key of a group in turn, its values beside the default. */
#ifndef MOTE_TOOL_TUNE_SEARCH_H
#define MOTE_TOOL_TUNE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "groups.h"

#define TUNE_TEXT 256

/* What became of a group. */
typedef struct tune_found {
    bool timed;           /* there was time for it */
    char text[TUNE_TEXT]; /* what is faster, as "key=value,..."; "" = the default */
    double usual_us, us;  /* a call with the default, with the values */
    bool lost;            /* values were given up: they are slower on the second set */
    unsigned wrong;       /* values whose results were refused */
} tune_found;

/* Measures a group on a device until the clock of tool_seconds() shows `end`. Returns TOOL_DONE, or
 * an exit code after a message. */
int tune_search(const char *device, const tune_group *group, double end, tune_found *found);

#endif
