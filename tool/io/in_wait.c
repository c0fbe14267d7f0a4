/* SPDX-License-Identifier: Apache-2.0 */
#include "in_wait.h"

#include <errno.h>
#include <poll.h>

int in_wait(int fd, int wake, int ms)
{
    struct pollfd states[] = {{.fd = fd, .events = POLLIN}, {.fd = wake}};
    int ready;
    do
        ready = poll(states, 2, ms);
    while (ready < 0 && errno == EINTR);
    if (states[1].revents)
        return -1;
    return ready != 0;
}
