/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fork.h"
#include "core/fail.h"
#include "core/log.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_bool used, forked;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A rejected call takes only the log's lock: no other thread may hold it in the child.
 */
static void before(void)
{
    mote_log_lock();
}

static void in_parent(void)
{
    mote_log_unlock();
}

static void in_child(void)
{
    mote_log_unlock();
    atomic_store(&forked, atomic_load(&used));
}

static void register_handlers(void)
{
    pthread_atfork(before, in_parent, in_child);
}

void mote_fork_watch(void)
{
    pthread_once(&once, register_handlers);
    atomic_store(&used, true);
}

bool mote_is_forked(void)
{
    return atomic_load_explicit(&forked, memory_order_relaxed);
}

mote_status mote_check_process(const char *function)
{
    if (mote_is_forked())
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: this process was forked from one that had used OpenCL, whose drivers "
                         "do not survive fork(): start workers with spawn (a new process), or "
                         "fork before the first call",
                         function);
    mote_fork_watch();
    return MOTE_SUCCESS;
}
