/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of -d for commands that use several devices. The words of -d are separated by commas:
 * `*` means all devices, `gpu:*` and `cpu:*` mean all devices of a kind, and `PLATFORM:*` means all
 * devices of a platform. A device that is named twice gets two contexts. */
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

/* Finds the devices that `spec` selects (NULL: MOTE_DEVICE, else the best device). A single device
 * is looked up only when it is opened. Returns TOOL_GO_ON, or prints a message and returns an exit
 * code. */
int devices_find(const char *spec, device_list *devices);

/* Opens the devices in parallel; on failure, *failure describes the first device that failed. */
bool devices_open(device_list *devices, tool_failure *failure);
void devices_close(device_list *devices);

/* Returns whether all devices have the same name, vendor and driver, so that they give the same
 * bits. */
bool devices_are_alike(const device_list *devices);
bool devices_have_fp64(const device_list *devices);

/* "NAME (SPEC)" or "2 x NAME (SPEC, SPEC)"; different devices follow each other. */
void devices_text(const device_list *devices, char *text, size_t size);

/* Returns the device strings, separated by commas, which the caller frees; NULL if memory ran out.
 */
char *devices_specs(const device_list *devices, const char *between);

#endif
