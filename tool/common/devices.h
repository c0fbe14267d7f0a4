/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of -d for commands that use several: words separated by commas, of which `*` means
 * all devices, `gpu:*` and `cpu:*` all of a kind, and `PLATFORM:*` all of a platform. A device that
 * is named twice gets two contexts. */
#ifndef MOTE_TOOL_COMMON_DEVICES_H
#define MOTE_TOOL_COMMON_DEVICES_H

#include "failure.h"

typedef struct device_list {
    size_t count;
    char **specs;       /* a NULL in it: the library's default */
    mote_context **ctx; /* NULL until opened */
} device_list;

/* The text asks for more than one device, or may do so. */
bool devices_are_several(const char *spec);

/* Finds out which devices `spec` (NULL: MOTE_DEVICE, else the best one) means; a single one is
 * looked for only when it is opened. TOOL_GO_ON, or an exit code after a message. */
int devices_find(const char *spec, device_list *devices);

/* Opens them side by side; on failure the first one's that failed. */
bool devices_open(device_list *devices, tool_failure *failure);
void devices_close(device_list *devices);

/* All of them have the same name, vendor and driver, so that they give the same bits. */
bool devices_are_alike(const device_list *devices);
bool devices_have_fp64(const device_list *devices);

/* "NAME (SPEC)" or "2 x NAME (SPEC, SPEC)", or unlike ones one after another. */
void devices_text(const device_list *devices, char *text, size_t size);

/* Their strings with commas between, to be freed; NULL without memory. */
char *devices_specs(const device_list *devices, const char *between);

#endif
