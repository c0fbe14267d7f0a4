/* SPDX-License-Identifier: Apache-2.0 */
#include "partial_outputs.h"

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

/* The signal handler reads this struct; other threads change it only while signals are held. */
static struct {
    const char *volatile name;
    off_t length; /* above 0: the file is truncated to this length and not removed */
} files[MOST_FILES];

static pthread_t owner;
static char note[600];

/* Signals by which a user, a shell or a batch system ends a run. */
static const int ending_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                     SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2};
#define ENDING_SIGNALS (sizeof(ending_signals) / sizeof(ending_signals[0]))

static sigset_t usual, watched;
static volatile sig_atomic_t ending;

/* The signal by which the watching thread interrupts the owner; nobody else uses it. */
static int settling_signal(void)
{
    return SIGRTMIN;
}

static void mask_end(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, settling_signal());
    pthread_sigmask(how, &set, NULL);
}

/* A signal is held while the list and the folder change together. */
static void hold_end(void)
{
    mask_end(SIG_BLOCK);
}

static void let_end_come(void)
{
    mask_end(SIG_UNBLOCK);
}

/* The files must not grow any more, so the thread that writes them also ends them. */
static void settle_and_end(int settling)
{
    (void)settling;
    bool kept = false;
    for (int i = 0; i < MOST_FILES; i++) {
        if (!files[i].name)
            continue;
        bool cut = files[i].length > 0 && truncate(files[i].name, files[i].length) == 0;
        if (!cut)
            unlink(files[i].name);
        kept = kept || cut;
    }
    if (kept && write(STDERR_FILENO, note, strlen(note)) < 0)
        kept = false; /* no reader is left */
    int number = ending;
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &watched, NULL);
    raise(number);
    _exit(128 + number); /* another thread has caught the signal in between */
}

static void *watch(void *unused)
{
    (void)unused;
    int number;
    while (sigwait(&watched, &number) != 0)
        ;
    ending = number;
    pthread_kill(owner, settling_signal());
    return NULL;
}

/* A thread waits for the signals instead of a handler: PoCL's compiler replaces signal handlers by
 * its own while it works, and some of them lose the signals that they catch. */
void unfinished_watch(void)
{
    pthread_sigmask(SIG_BLOCK, NULL, &usual);
    sigemptyset(&watched);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        struct sigaction old;
        sigaction(ending_signals[i], NULL, &old);
        /* Signals that the caller of the program ignores (nohup) or blocks stay so. */
        if (old.sa_handler != SIG_IGN && !sigismember(&usual, ending_signals[i]))
            sigaddset(&watched, ending_signals[i]);
    }
    owner = pthread_self();
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = settle_and_end;
    sigemptyset(&action.sa_mask);
    sigaction(settling_signal(), &action, NULL);
    let_end_come();
    pthread_sigmask(SIG_BLOCK, &watched, NULL);
    pthread_t watcher;
    if (pthread_create(&watcher, NULL, watch, NULL) == 0)
        pthread_detach(watcher);
    else /* signals end the run at once, and files remain */
        pthread_sigmask(SIG_SETMASK, &usual, NULL);
}

const sigset_t *unfinished_usual_signals(void)
{
    return &usual;
}

bool unfinished_is_due(void)
{
    return ending != 0;
}

static int free_place(void)
{
    for (int i = 0; i < MOST_FILES; i++)
        if (!files[i].name)
            return i;
    return -1;
}

/* mkstemp creates files with mode 0600; the result gets the mode of the old file, or that which
 * open() would have given. */
static void usual_mode(int fd, const char *path)
{
    struct stat old;
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = stat(path, &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask;
    (void)fchmod(fd, mode);
}

/* An existing file of the same name is removed; folders and the like are not. */
static int open_part(const char *temp)
{
    struct stat info;
    if (lstat(temp, &info) == 0 && (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode)))
        unlink(temp);
    return open(temp, O_WRONLY | O_CREAT | O_EXCL, 0600);
}

/* Creates the file by its complete name, or by a pattern. */
static int make(const char *path, char *temp, bool part)
{
    int place = free_place();
    if (place < 0) {
        errno = EMFILE;
        return -1;
    }
    hold_end();
    int fd = part ? open_part(temp) : mkstemp(temp);
    if (fd >= 0) {
        files[place].name = temp;
        files[place].length = 0;
    }
    int error = errno;
    let_end_come();
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
    hold_end();
}

void unfinished_keep(const unfinished_length *lengths, size_t count, const char *text)
{
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < MOST_FILES; i++)
            if (files[i].name == lengths[k].temp)
                files[i].length = (off_t)lengths[k].length;
    /* A terminal may show a line of progress, which is erased. */
    snprintf(note, sizeof(note), "%s%s", isatty(STDERR_FILENO) ? "\r\033[K" : "", text);
    let_end_come();
}

int unfinished_settle(const char *temp, const char *path)
{
    hold_end();
    int result = path ? rename(temp, path) : unlink(temp);
    int error = errno;
    for (int i = 0; i < MOST_FILES; i++)
        if (files[i].name == temp &&
            (result == 0 || !path)) /* the file is given up: the name is freed */
            files[i].name = NULL;
    let_end_come();
    errno = error;
    return result;
}
