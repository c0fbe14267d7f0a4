/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for secure_getenv() */
#endif
#include "core/system.h"

#include <stdlib.h>
#include <unistd.h>

const char *mote_variable(const char *name)
{
#ifdef MOTE_HAS_SECURE_GETENV
    return secure_getenv(name);
#else
    return geteuid() == getuid() && getegid() == getgid() ? getenv(name) : NULL;
#endif
}
