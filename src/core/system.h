/* SPDX-License-Identifier: Apache-2.0 */
/* Access to the operating system: environment variables and whole files. */
#ifndef MOTE_CORE_SYSTEM_H
#define MOTE_CORE_SYSTEM_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* Returns the value of an environment variable. Returns NULL if it is not set, or if the process
 * has more rights than its caller (set-user-ID, file capabilities), because variables choose the
 * code that runs. */
const char *mote_variable(const char *name);

/* Reads from an open file until it ends or `room` bytes are read, even if a single read() returns
 * fewer. Returns false on failure, with errno. Inline, because the command reads files with it,
 * too. */
static inline bool mote_read_whole(int file, void *bytes, size_t room, size_t *length)
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

#endif
