/* SPDX-License-Identifier: Apache-2.0 */
/* Searches each key of a group in turn, and its values beside the default. */
#ifndef MOTE_TOOL_TUNE_SEARCH_H
#define MOTE_TOOL_TUNE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "groups.h"

#define TUNE_TEXT 256

/* The result for a group. */
typedef struct tune_found {
    bool timed;           /* the time was sufficient to measure it */
    char text[TUNE_TEXT]; /* the faster values as "key=value,..."; "" for the default */
    double usual_us, us;  /* times of a call with the default, and with the values */
    bool lost;            /* values were discarded, because they are slower on the second set */
    unsigned wrong;       /* number of values whose results were wrong */
} tune_found;

/* Measures a group on a device until the clock of tool_seconds() shows `end`. Returns TOOL_DONE, or
 * prints a message and returns an exit code. */
int tune_search(const char *device, const tune_group *group, double end, tune_found *found);

#endif
