/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL does not survive fork(): drivers' threads are not in the child, and a call waits for them
 * for ever. */
#ifndef MOTE_CORE_FORK_H
#define MOTE_CORE_FORK_H

#include <stdbool.h>

#include "mote/status.h"

/* Notes that this process uses OpenCL from now on. */
void mote_fork_watch(void);

/* Whether this process was forked from one that had used OpenCL; nothing may be asked of OpenCL
 * then, nor released, and no lock be taken that another thread may have held. */
bool mote_is_forked(void);

/* Fails in such a process, with a sentence that begins with `function`; notes the use otherwise. */
mote_status mote_check_process(const char *function);

#endif
