/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the single atoms' numbers, as in PLUMED's COORDINATIONNUMBER. */
#ifndef MOTE_TOOL_COORDINATION_COMPONENT_H
#define MOTE_TOOL_COORDINATION_COMPONENT_H

#include "mote/mote.h"

#include <stdbool.h>

typedef enum component_kind {
    COMPONENT_NONE, /* the sum over pairs */
    COMPONENT_MEAN,
    COMPONENT_SUM,
    COMPONENT_MOMENT,    /* mean of (n - mean)^power */
    COMPONENT_LESS_THAN, /* sum of s(n) */
    COMPONENT_MORE_THAN  /* sum of 1 - s(n) */
} component_kind;

typedef struct coordination_component {
    component_kind kind;
    int power;
    mote_switch function; /* of a number, completed */
    char name[32];        /* as "moment-2" */
} coordination_component;

/* The requested functions, in PLUMED's syntax. */
typedef struct component_list {
    coordination_component *component;
    size_t count;
} component_list;

/* Add to a list; TOOL_GO_ON, or the exit code `code` after a message that begins with `where`.
 * moments: "2,3" or "2-4". number: that of LESS_THAN1 and similar keys, 0 for none. */
int component_add_mean(component_list *list, const char *where);
int component_add_sum(component_list *list, const char *where);
int component_add_moments(component_list *list, const char *where, int code, const char *moments);
int component_add_switch(component_list *list, const char *where, int code, component_kind kind,
                         unsigned number, const char *words);

/* Returns the value for the numbers of `count` atoms; weights: unless NULL, its derivative with
 * respect to each. */
double component_value(const coordination_component *component, const double *numbers, size_t count,
                       double *weights);

#endif
