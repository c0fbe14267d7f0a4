/* SPDX-License-Identifier: Apache-2.0 */
/* MOTE_CL_DIR: kernels that are read from disk instead of the embedded text, for their
 * development. */
#ifndef MOTE_CORE_SOURCE_DIR_H
#define MOTE_CORE_SOURCE_DIR_H

#include "core/program.h"
#include "core/text.h"

/* Appends to `text` the text that cl/embed.py would embed for `source`, read below `folder` (a
 * checkout's cl/; headers of mote are searched in FOLDER/../include). MOTE_ERROR_BUILD names the
 * file and the error; MOTE_ERROR_OUT_OF_HOST_MEMORY is possible, too. */
mote_status mote_source_read(const char *folder, const mote_source *source, mote_text *text);

#endif
