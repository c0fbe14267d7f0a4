/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of mote coordination while it is read. */
#ifndef MOTE_TOOL_COORDINATION_OPTIONS_H
#define MOTE_TOOL_COORDINATION_OPTIONS_H

#include "../option.h"
#include "job.h"

typedef struct coordination_state {
    coordination_options options;
    coordination_cv cv; /* of the options for one number */
    bool keywords;      /* one of --r0 --nn --mm --d0 --dmax */
    bool has_r0;
    const char *text;   /* of --switch */
    const char *plumed; /* an input of PLUMED */
    const char *digits; /* of --fmt */
    int n_stdin;
} coordination_state;

extern const tool_option coordination_list[];

/* Fills in the help of --switch: names the kinds of the library's table, three a line. */
void coordination_describe(void);

/* Reads one option; a tool_option_fn. */
int coordination_option(void *state, int id, const char *value);

/* --box, --periodic and --length-unit: space.c. */
int coordination_box(coordination_options *options, const char *value);
int coordination_periodic(coordination_options *options, const char *value);
int coordination_unit(coordination_options *options, const char *value);

/* Adds a coordination number, or those that it stands for, and takes ownership of the memory of
 * `cv`; TOOL_GO_ON or an exit code after a message. Makes labels unique. */
int coordination_add(coordination_options *options, coordination_cv *cv, const char *where,
                     int code);

/* --cv TEXT. */
int coordination_take_cv(coordination_options *options, const char *text);

/* Adds a table of all numbers, or of those that its caller fills in; NULL if memory ran out. */
coordination_print *coordination_add_print(coordination_options *options);

/* Checks the format of a number, such as "%8.3f"; false if it is invalid. */
bool coordination_digits(const char *text, char format[24]);

/* --plumed FILE: plumed.c. */
int coordination_plumed(coordination_options *options, const char *path);

void coordination_options_free(coordination_state *state);

/* Checks that need all options; TOOL_GO_ON or an exit code after a message. */
int coordination_check(coordination_state *state, int argc, char **argv, int first);

#endif
