/* SPDX-License-Identifier: Apache-2.0 */
/* The process-wide callbacks for launches and builds. */
#include "core/log.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The lock guards functions and users; `launch_wanted` lets a launch without a callback skip it. */
static mote_launch_fn launch_fn;
static mote_build_fn build_fn;
static void *launch_user, *build_user;
static atomic_int launch_wanted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Set while this thread runs the callback. Launches and builds that the callback causes are not
 * reported, so that it cannot recurse. */
static _Thread_local bool inside_launch, inside_build;

void mote_launch_callback_set(mote_launch_fn fn, void *user)
{
    pthread_mutex_lock(&lock);
    launch_fn = fn;
    launch_user = user;
    atomic_store(&launch_wanted, fn != NULL);
    pthread_mutex_unlock(&lock);
}

int mote_launch_callback_wanted(void)
{
    return atomic_load(&launch_wanted);
}

void mote_launch_callback_call(const mote_launch_record *record)
{
    pthread_mutex_lock(&lock);
    mote_launch_fn fn = launch_fn;
    void *user = launch_user;
    pthread_mutex_unlock(&lock);
    if (!fn || inside_launch)
        return;
    mote_held_sentence held;
    mote_sentence_hold(&held);
    inside_launch = true;
    fn(record, user);
    inside_launch = false;
    mote_sentence_restore(&held);
}

void mote_build_callback_set(mote_build_fn fn, void *user)
{
    pthread_mutex_lock(&lock);
    build_fn = fn;
    build_user = user;
    pthread_mutex_unlock(&lock);
}

void mote_build_callback_call(const mote_build_record *record)
{
    pthread_mutex_lock(&lock);
    mote_build_fn fn = build_fn;
    void *user = build_user;
    pthread_mutex_unlock(&lock);
    if (!fn || inside_build)
        return;
    mote_held_sentence held;
    mote_sentence_hold(&held);
    inside_build = true;
    fn(record, user);
    inside_build = false;
    mote_sentence_restore(&held);
}
