/* SPDX-License-Identifier: Apache-2.0 */
#include "unfinished.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FILES 8

static const char *volatile names[MOST_FILES];

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
#define ENDING_SIGNALS (sizeof(ending_signals) / sizeof(ending_signals[0]))

static void remove_and_end(int number)
{
    for (int i = 0; i < MOST_FILES; i++)
        if (names[i])
            unlink(names[i]);
    signal(number, SIG_DFL);
    raise(number);
}

void unfinished_watch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = remove_and_end;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        struct sigaction old;
        sigaction(ending_signals[i], NULL, &old);
        if (old.sa_handler != SIG_IGN) /* nohup stays nohup */
            sigaction(ending_signals[i], &action, NULL);
    }
}

/* Signals wait while list and folder change together. */
static void hold_signals(int how)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < ENDING_SIGNALS; i++)
        sigaddset(&set, ending_signals[i]);
    sigprocmask(how, &set, NULL);
}

static int free_place(void)
{
    for (int i = 0; i < MOST_FILES; i++)
        if (!names[i])
            return i;
    return -1;
}

/* mkstemp gives 0600; the result gets what the old file had, or what open() would have given. */
static void usual_mode(int fd, const char *path)
{
    struct stat old;
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = stat(path, &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask;
    (void)fchmod(fd, mode);
}

int unfinished_make(const char *path, char *temp)
{
    int place = free_place();
    if (place < 0) {
        errno = EMFILE;
        return -1;
    }
    sprintf(temp, "%s.XXXXXX", path);
    hold_signals(SIG_BLOCK);
    int fd = mkstemp(temp);
    if (fd >= 0)
        names[place] = temp;
    int error = errno;
    hold_signals(SIG_UNBLOCK);
    errno = error;
    if (fd >= 0)
        usual_mode(fd, path);
    return fd;
}

int unfinished_settle(const char *temp, const char *path)
{
    hold_signals(SIG_BLOCK);
    int result = path ? rename(temp, path) : unlink(temp);
    int error = errno;
    for (int i = 0; i < MOST_FILES; i++)
        if (names[i] == temp && result == 0)
            names[i] = NULL;
    hold_signals(SIG_UNBLOCK);
    errno = error;
    return result;
}
