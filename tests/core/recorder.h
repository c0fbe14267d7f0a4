/* SPDX-License-Identifier: Apache-2.0 */
/* Counts log messages, so that tests can see builds, cache hits and warnings. */
#ifndef TESTS_CORE_RECORDER_H
#define TESTS_CORE_RECORDER_H

#include <pthread.h>
#include <stddef.h>

#include "mote/log.h"

#define RECORDER_MAX 512

/* Records every message up to `level` from now on (the first RECORDER_MAX). */
void recorder_start(mote_log_level level);
void recorder_stop(void);

/* Returns how many messages of `level` (MOTE_LOG_NONE: of any level) contain `words`. */
size_t recorder_count(mote_log_level level, const char *words);

#endif
