/* SPDX-License-Identifier: Apache-2.0 */
#include "core/log.h"
#include "core/system.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lock guards `logger`; `wanted` is a copy of its level that is read without the lock. */
static struct {
    mote_log_fn fn;
    void *user;
} logger;
static atomic_int wanted = MOTE_LOG_NONE;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Set while this thread is inside the callback: messages of functions that the callback calls are
 * not logged, so it cannot recurse. */
static _Thread_local bool inside;

static const char *const level_names[] = {"none", "error", "warn", "info", "debug"};

void mote_log_stderr(mote_log_level level, const char *message, void *user)
{
    (void)user;
    fprintf(stderr, "mote: %s: %s\n", level_names[level], message);
}

/* Returns the level that MOTE_LOG selects; an unknown word counts as warn and is reported. */
static mote_log_level environment_level(void)
{
    const char *text = mote_variable("MOTE_LOG");
    if (!text || !*text)
        return MOTE_LOG_NONE;
    for (int i = 0; i <= MOTE_LOG_DEBUG; i++)
        if (strcmp(text, level_names[i]) == 0)
            return (mote_log_level)i;
    fprintf(stderr,
            "mote: warn: MOTE_LOG=%s is not one of none, error, warn, info, debug: using warn\n",
            text);
    return MOTE_LOG_WARN;
}

static void set(mote_log_level level, mote_log_fn fn, void *user)
{
    pthread_mutex_lock(&lock);
    logger.fn = fn;
    logger.user = user;
    atomic_store(&wanted, (int)level);
    pthread_mutex_unlock(&lock);
}

static void set_from_environment(void)
{
    set(environment_level(), mote_log_stderr, NULL);
}

void mote_log_lock(void)
{
    pthread_mutex_lock(&lock);
}

void mote_log_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void mote_log_set(mote_log_level level, mote_log_fn fn, void *user)
{
    /* The environment is read first, so that a first message cannot replace the callback that is
     * set here. */
    pthread_once(&once, set_from_environment);
    if (!fn) {
        set_from_environment();
        return;
    }
    int number = (int)level;
    if (number < MOTE_LOG_NONE)
        number = MOTE_LOG_NONE;
    if (number > MOTE_LOG_DEBUG)
        number = MOTE_LOG_DEBUG;
    set((mote_log_level)number, fn, user);
}

static void deliver(mote_log_level level, const char *message)
{
    pthread_mutex_lock(&lock);
    mote_log_fn fn = logger.fn;
    void *user = logger.user;
    bool still = (int)level <= atomic_load(&wanted);
    pthread_mutex_unlock(&lock);
    if (!fn || !still)
        return;
    mote_held_sentence held;
    mote_sentence_hold(&held);
    inside = true;
    fn(level, message, user);
    inside = false;
    mote_sentence_restore(&held);
}

void mote_log(mote_log_level level, const char *format, ...)
{
    pthread_once(&once, set_from_environment);
    if ((int)level > atomic_load(&wanted) || inside)
        return;
    char brief[512];
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(brief, sizeof(brief), format, list);
    va_end(list);
    char *whole = NULL;
    if (length >= (int)sizeof(brief))
        whole = malloc((size_t)length + 1);
    if (whole)
        vsnprintf(whole, (size_t)length + 1, format, again);
    va_end(again);
    if (length >= 0)
        deliver(level, whole ? whole : brief);
    free(whole);
}
