/* SPDX-License-Identifier: Apache-2.0 */
/* The file of tuning values: lines of text, a section for each device.
 *
 *     # a comment
 *     [device]
 *     name = NVIDIA H200
 *     platform = NVIDIA CUDA
 *     driver = 550.54
 *     reduce.sum_group = 512
 *
 * A section applies to the device for which all three names are equal. If a line has another form,
 * the parser ignores the section of the line, or the whole file if the line precedes all sections.
 * A line with an unknown key or value is ignored. */
#ifndef MOTE_CORE_TUNE_FILE_H
#define MOTE_CORE_TUNE_FILE_H

#include "core/text.h"
#include "mote/context.h"

#define MOTE_TUNE_FILE_MOST 65536 /* bytes that are read */

/* Stores the values of the tune file for a device in `text`, in the format of MOTE_TUNE; errors are
 * reported at warn level. */
void mote_tune_file_read(const mote_device_info *device, mote_text *text);

/* Stores the values for a device from the bytes of a tune file, which are changed; `bytes[length]`
 * is 0. `path` is for messages. */
void mote_tune_file_parse(char *bytes, size_t length, const char *path,
                          const mote_device_info *device, mote_text *text);

#endif
