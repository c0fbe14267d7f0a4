/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* secure_getenv */
#include "core/system.h"

#include <errno.h>
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

bool mote_read_whole(int file, void *bytes, size_t room, size_t *length)
{
    *length = 0;
    while (*length < room) {
        ssize_t got = read(file, (char *)bytes + *length, room - *length);
        if (got == 0)
            break;
        if (got > 0)
            *length += (size_t)got;
        else if (errno != EINTR)
            return false;
    }
    return true;
}
