/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the groups that are tuned together: a call of the benchmark, and the keys that shape it. */
#ifndef MOTE_TOOL_TUNE_GROUPS_H
#define MOTE_TOOL_TUNE_GROUPS_H

#include "mote/mote.h"

#define TUNE_MOST_KEYS   4
#define TUNE_MOST_VALUES 4

typedef struct tune_key {
    const char *key;
    unsigned values[TUNE_MOST_VALUES]; /* values to try beside the default; 0 ends them */
} tune_key;

typedef struct tune_group {
    mote_device_class device_class;
    const char *name;              /* in the table */
    const char *area, *only, *way; /* names of the benchmark; only: NULL if the area has one call */
    const char *sets[2]; /* sets that are searched; a gain must hold on the second one, too */
    tune_key keys[TUNE_MOST_KEYS]; /* NULL ends the keys */
} tune_group;

extern const tune_group tune_groups[]; /* a name of NULL ends the table */

#endif
