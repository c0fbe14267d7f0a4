/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL does not support fork(): the threads of drivers do not exist in the child, and a call
 * would wait for them forever. */
#ifndef MOTE_CORE_FORK_H
#define MOTE_CORE_FORK_H

#include <stdbool.h>

#include "mote/status.h"

/* Records that this process uses OpenCL from now on. */
void mote_fork_watch(void);

/* Returns whether this process was forked from one that had used OpenCL. Then no OpenCL function
 * may be called, nothing may be released, and no lock may be taken that another thread may have
 * held. */
bool mote_is_forked(void);

/* Fails in such a process, with a sentence that begins with `function`; otherwise records the
 * use. */
mote_status mote_check_process(const char *function);

#endif
