/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MOTE_CORE_BUILD_LOG_H
#define MOTE_CORE_BUILD_LOG_H

#include "mote/status.h"

/* What the compiler said, whole, without blanks at its end; "" when it said nothing. The caller
 * frees it; NULL when memory runs out. */
char *mote_build_log(cl_program program, cl_device_id device);

#endif
