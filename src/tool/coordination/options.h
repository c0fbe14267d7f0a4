/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of mote coordination as it is read. */
#ifndef MOTE_TOOL_COORDINATION_OPTIONS_H
#define MOTE_TOOL_COORDINATION_OPTIONS_H

#include "../option.h"
#include "job.h"

typedef struct coordination_state {
    coordination_options options;
    bool keywords; /* one of --r0 --nn --mm --d0 --dmax */
    bool has_r0;
    const char *text; /* of --switch */
    int n_stdin;
} coordination_state;

extern const tool_option coordination_table[];

/* Fills in the help of --switch: names the kinds of the library's table, three a line. */
void coordination_describe(void);

/* Takes one option; a tool_option_fn. */
int coordination_option(void *state, int id, const char *value);

/* What only all options together show; TOOL_GO_ON or an exit code after a message. */
int coordination_check(coordination_state *state, int argc, char **argv, int first);

#endif
