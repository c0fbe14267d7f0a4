/* SPDX-License-Identifier: Apache-2.0 */
/* Writes foreign text into a picture. */
#ifndef MOTE_TOOL_IO_SVG_ESCAPE_H
#define MOTE_TOOL_IO_SVG_ESCAPE_H

#include "out.h"

/* Writes text with the escapes of XML; control characters become "?". */
void svg_escape(out_file *out, const char *text);

#endif
