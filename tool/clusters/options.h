/* SPDX-License-Identifier: Apache-2.0 */
/* The options of mote clusters: their descriptions, reading one, checking all of them. */
#ifndef MOTE_TOOL_CLUSTERS_OPTIONS_H
#define MOTE_TOOL_CLUSTERS_OPTIONS_H

#include "clusters/job.h"
#include "option.h"

extern const tool_option clusters_table[];

/* The options of streams, and what reads and checks them in tool/hits/. */
enum { HITS_TIME_WINDOW = 400, HITS_RADIUS, HITS_DISORDER, HITS_TIME_SCALE, HITS_BLOCK };
int hits_option(clusters_options *options, int id, const char *value);

/* Refuses options that the other kind of input needs. */
int hits_check_options(clusters_options *options);

/* Stores an option in a clusters_options. */
int clusters_option(void *state, int id, const char *value);

/* Checks that options can be combined; the inputs are the words from `first` on. */
int clusters_check_options(clusters_options *options, int argc, char **argv, int first);

#endif
