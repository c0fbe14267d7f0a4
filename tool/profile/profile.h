/* SPDX-License-Identifier: Apache-2.0 */
/* --profile and --trace: what the device did, kernel by kernel.
 *
 * The library's launch callback passes each launch with its event; the times of complete events are
 * read and the events released while the run continues, so that long runs keep few of them. Nothing
 * is collected unless one of the options is given. */
#ifndef MOTE_TOOL_PROFILE_PROFILE_H
#define MOTE_TOOL_PROFILE_PROFILE_H

#include "../tool.h"

/* Begins to collect, and opens the trace. Returns TOOL_GO_ON, or prints a message and returns an
 * exit code. */
int profile_begin(const tool_common *common);

/* Ends a run that profile_begin() began; `code` is its exit code. If the run has succeeded, its
 * table and its trace are written. Returns `code`, or TOOL_OUTPUT after a message. Does nothing
 * without profile_begin(). */
int profile_end(int code);

#endif
