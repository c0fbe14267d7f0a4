/* SPDX-License-Identifier: Apache-2.0 */
#include "unfinished.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FILES UNFINISHED_MOST

/* Read by the handler, changed while signals are held. */
static struct {
    const char *volatile name;
    int fd;
    off_t length; /* above 0: cut to this, not removed */
} files[MOST_FILES];

static pthread_t owner;
static char note[600];

/* What ends a run that somebody, a shell or a batch system has had enough of. */
static const int ending_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                     SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2};
#define ENDING_SIGNALS (sizeof(ending_signals) / sizeof(ending_signals[0]))

/* The files must not grow any more: the thread that writes them is the one that ends them. */
static void settle_and_end(int number)
{
    if (!pthread_equal(pthread_self(), owner)) {
        pthread_kill(owner, number);
        return;
    }
    bool kept = false;
    for (int i = 0; i < MOST_FILES; i++) {
        if (!files[i].name)
            continue;
        bool cut = files[i].length > 0 && ftruncate(files[i].fd, files[i].length) == 0;
        if (!cut)
            unlink(files[i].name);
        kept = kept || cut;
    }
    if (kept && write(STDERR_FILENO, note, strlen(note)) < 0)
        kept = false; /* no reader is left */
    signal(number, SIG_DFL);
    raise(number);
}

void unfinished_watch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = settle_and_end;
    owner = pthread_self();
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        struct sigaction old;
        sigaction(ending_signals[i], NULL, &old);
        if (old.sa_handler != SIG_IGN) /* nohup stays nohup */
            sigaction(ending_signals[i], &action, NULL);
    }
}

static sigset_t not_held; /* what the caller of the program may have blocked stays blocked */

/* Signals wait while list and folder change together. */
static void hold_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < ENDING_SIGNALS; i++)
        sigaddset(&set, ending_signals[i]);
    pthread_sigmask(SIG_BLOCK, &set, &not_held);
}

static void let_signals_come(void)
{
    pthread_sigmask(SIG_SETMASK, &not_held, NULL);
}

static int free_place(void)
{
    for (int i = 0; i < MOST_FILES; i++)
        if (!files[i].name)
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

/* A left-over of the same name goes; folders and the like do not. */
static int open_part(const char *temp)
{
    struct stat info;
    if (lstat(temp, &info) == 0 && (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode)))
        unlink(temp);
    return open(temp, O_WRONLY | O_CREAT | O_EXCL, 0600);
}

/* Makes the file by its complete name, or by a pattern. */
static int make(const char *path, char *temp, bool part)
{
    int place = free_place();
    if (place < 0) {
        errno = EMFILE;
        return -1;
    }
    hold_signals();
    int fd = part ? open_part(temp) : mkstemp(temp);
    if (fd >= 0) {
        files[place].name = temp;
        files[place].fd = fd;
        files[place].length = 0;
    }
    int error = errno;
    let_signals_come();
    errno = error;
    if (fd >= 0)
        usual_mode(fd, path);
    return fd;
}

int unfinished_make(const char *path, char *temp)
{
    sprintf(temp, "%s.XXXXXX", path);
    return make(path, temp, false);
}

int unfinished_make_part(const char *path, char *temp)
{
    sprintf(temp, "%s.part", path);
    return make(path, temp, true);
}

void unfinished_hold(void)
{
    hold_signals();
}

void unfinished_keep(const unfinished_length *lengths, size_t count, const char *text)
{
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < MOST_FILES; i++)
            if (files[i].name == lengths[k].temp)
                files[i].length = (off_t)lengths[k].length;
    snprintf(note, sizeof(note), "%s", text);
    let_signals_come();
}

int unfinished_settle(const char *temp, const char *path)
{
    hold_signals();
    int result = path ? rename(temp, path) : unlink(temp);
    int error = errno;
    for (int i = 0; i < MOST_FILES; i++)
        if (files[i].name == temp && (result == 0 || !path)) /* given up: the name is freed */
            files[i].name = NULL;
    let_signals_come();
    errno = error;
    return result;
}
