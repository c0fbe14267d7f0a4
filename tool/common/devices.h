/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of -d for commands that use several: words separated by commas, of which `*` means
 * all devices, `gpu:*` and `cpu:*` all of a kind, and `PLATFORM:*` all of a platform. A device that
 * is named twice gets two contexts. */
#ifndef MOTE_TOOL_COMMON_DEVICES_H
#define MOTE_TOOL_COMMON_DEVICES_H

#include "failure.h"

typedef struct device_list {
    size_t count;
    char **specs;       /* a NULL in it is the library's default */
    mote_context **ctx; /* NULL until opened */
} device_list;

/* Returns whether the text selects, or may select, more than one device. */
bool devices_are_several(const char *spec);

/* Finds out which devices `spec` (NULL: MOTE_DEVICE, else the best one) means; a single one is
 * looked for only when it is opened. TOOL_GO_ON, or an exit code after a message. */
int devices_find(const char *spec, device_list *devices);

/* Opens them in parallel; on failure, *failure is that of the first one that failed. */
bool devices_open(device_list *devices, tool_failure *failure);
void devices_close(device_list *devices);

/* Returns whether all have the same name, vendor and driver, so that they give the same bits. */
bool devices_are_alike(const device_list *devices);
bool devices_have_fp64(const device_list *devices);

/* "NAME (SPEC)" or "2 x NAME (SPEC, SPEC)"; different devices follow each other. */
void devices_text(const device_list *devices, char *text, size_t size);

/* Their device strings, separated by commas, to be freed; NULL if memory ran out. */
char *devices_specs(const device_list *devices, const char *between);

#endif
