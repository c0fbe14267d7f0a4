/* SPDX-License-Identifier: Apache-2.0 */
/* Log messages, and records of launches and builds. */
#ifndef MOTE_CORE_LOG_H
#define MOTE_CORE_LOG_H

#include "mote/log.h"
#include "core/fail.h"

/* Formats the message only if a logger wants its level. */
void mote_log(mote_log_level level, const char *format, ...) MOTE_PRINTF(2, 3);

/* Not 0 when a launch callback is set. */
int mote_launch_callback_wanted(void);

/* Passes one record to the callback, if any. */
void mote_launch_callback_call(const mote_launch_record *record);

/* Passes the record of a build to the build callback, if any. */
void mote_build_callback_call(const mote_build_record *record);

/* Blocks all messages, around fork(). */
void mote_log_lock(void);
void mote_log_unlock(void);

#endif
