/* SPDX-License-Identifier: Apache-2.0 */
/* MOTE_CL_DIR: kernels read from disk instead of the embedded text, for work on them. */
#ifndef MOTE_CORE_SOURCE_DIR_H
#define MOTE_CORE_SOURCE_DIR_H

#include "core/program.h"
#include "core/text.h"

/* Appends to `text` what cl/embed.py would embed for `source`, read below `folder` (a checkout's
 * cl/; headers of mote are looked up in FOLDER/../include). MOTE_ERROR_BUILD names the file and
 * what is wrong with it; MOTE_ERROR_OUT_OF_HOST_MEMORY. */
mote_status mote_source_read(const char *folder, const mote_source *source, mote_text *text);

#endif
