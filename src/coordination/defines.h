/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the -D options of a launch. Every launch builds its options again, so this code avoids
 * snprintf(): three calls of it took a third of a call's time on the host. */
#ifndef MOTE_COORDINATION_DEFINES_H
#define MOTE_COORDINATION_DEFINES_H

#include "coordination/job.h"

typedef struct mote_defines {
    size_t length;
    char text[MOTE_COORDINATION_DEFINES + 256];
} mote_defines;

/* Begins the options with the precision of the pairs and the kind of box. */
void mote_defines_begin(mote_defines *defines, const mote_coordination_job *job);

/* Begins the options with these and all others that describe the function of the plan, the
 * requested outputs, and weights. */
void mote_defines_begin_pairs(mote_defines *defines, const mote_coordination_job *job);

/* Adds an option, such as " -DWG=", with its value. */
void mote_defines_add(mote_defines *defines, const char *option, size_t value);

/* Adds a text. */
void mote_defines_text(mote_defines *defines, const char *text);

#endif
