/* SPDX-License-Identifier: Apache-2.0 */
/* Device strings, and the device that each of them opens. */
#ifndef MOTE_CORE_DEVICE_H
#define MOTE_CORE_DEVICE_H

#include "core/context.h"

/* No name and no list of devices has this many bytes: a longer answer is a driver's error. */
#define MOTE_ANSWER_MAX ((size_t)1 << 20)

/* Writes the usual string of device `index` of its platform, as "pocl:0", into info->spec. */
void mote_device_spec(mote_device_info *info, int index);

/* Replaces the strings that, with these devices present, would open another device.
 */
void mote_device_specs_settle(mote_device_info *devices, size_t count);

/* Returns the device that a string names, or NULL. `spec` is not empty. */
const mote_device_info *mote_device_find(const mote_device_info *devices, size_t count,
                                         const char *spec);

/* Returns the device of a class with the most compute units, or NULL; the first one of equal
 * devices. */
const mote_device_info *mote_device_best(const mote_device_info *devices, size_t count,
                                         mote_device_class device_class);

/* mote_devices(), and the status of the driver error that made it omit a device, or MOTE_SUCCESS;
 * the thread's last sentence describes it. */
mote_status mote_devices_list(mote_device_info **devices, size_t *count, mote_status *trouble);

#endif
