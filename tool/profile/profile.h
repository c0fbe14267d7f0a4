/* SPDX-License-Identifier: Apache-2.0 */
/* --profile and --trace: what the device did, kernel by kernel.
 *
 * The library's launch callback hands over each launch with its event; events that are complete are
 * asked for their times and given back while the run goes on, so that long runs keep few of them.
 * Nothing is collected unless one of the options is given. */
#ifndef MOTE_TOOL_PROFILE_PROFILE_H
#define MOTE_TOOL_PROFILE_PROFILE_H

#include "../tool.h"

/* Collects from now on, and opens the trace. TOOL_GO_ON, or an exit code after a message. */
int profile_begin(const tool_common *common);

/* Ends a run that was begun; `code` is its exit code. A run that is done gets its table and its
 * trace. Returns `code`, or TOOL_OUTPUT after a message. Does nothing without profile_begin(). */
int profile_end(int code);

#endif
