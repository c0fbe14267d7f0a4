/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces read() in programs linked with --wrap=read: a read may be interrupted or return fewer
 * bytes than requested, as POSIX allows. The code under test must work nevertheless. */
#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

#define MOST ((size_t)1000)

ssize_t __real_read(int file, void *to, size_t room);
ssize_t __wrap_read(int file, void *to, size_t room);
ssize_t __wrap_read(int file, void *to, size_t room)
{
    static atomic_uint calls;
    unsigned call = atomic_fetch_add(&calls, 1);
    if (call % 3 == 0) {
        errno = EINTR;
        return -1;
    }
    size_t some = call % 7 ? MOST : 1;
    return __real_read(file, to, room < some ? room : some);
}
