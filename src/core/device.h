/* SPDX-License-Identifier: Apache-2.0 */
/* Device strings: what opens which device. */
#ifndef MOTE_CORE_DEVICE_H
#define MOTE_CORE_DEVICE_H

#include "core/context.h"

/* No name and no list of devices takes so many bytes: a longer answer is a driver's mistake. */
#define MOTE_ANSWER_MAX ((size_t)1 << 20)

/* Writes the usual string of device `index` of its platform, as "pocl:0", into info->spec. */
void mote_device_spec(mote_device_info *info, int index);

/* Replaces the strings that, with these devices around, would open another device than their own.
 */
void mote_device_specs_settle(mote_device_info *devices, size_t count);

/* The device a string means, or NULL. `spec` is not empty. */
const mote_device_info *mote_device_find(const mote_device_info *devices, size_t count,
                                         const char *spec);

/* The device of a class with the most compute units, or NULL; the first of equals. */
const mote_device_info *mote_device_best(const mote_device_info *devices, size_t count,
                                         mote_device_class device_class);

/* mote_devices(), and the status with which a driver made a device be left out, MOTE_SUCCESS for
 * none; its sentence is the thread's last one then. */
mote_status mote_devices_list(mote_device_info **devices, size_t *count, mote_status *trouble);

#endif
