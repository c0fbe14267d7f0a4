/* SPDX-License-Identifier: Apache-2.0 */
#include "core/log.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* The lock guards the pair; `wanted` lets a launch without a callback skip it. */
static mote_launch_fn callback;
static void *callback_user;
static atomic_int wanted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void mote_launch_callback_set(mote_launch_fn fn, void *user)
{
    pthread_mutex_lock(&lock);
    callback = fn;
    callback_user = user;
    atomic_store(&wanted, fn != NULL);
    pthread_mutex_unlock(&lock);
}

int mote_launch_callback_wanted(void)
{
    return atomic_load(&wanted);
}

void mote_launch_callback_call(const mote_launch_record *record)
{
    pthread_mutex_lock(&lock);
    mote_launch_fn fn = callback;
    void *user = callback_user;
    pthread_mutex_unlock(&lock);
    if (fn)
        fn(record, user);
}
