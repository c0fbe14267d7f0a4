/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file log.h
 * @brief Messages and records of launches and builds, delivered to callbacks: the library itself
 * prints nothing.
 *
 * Messages have a level. Without a callback they are dropped, unless the environment variable
 * MOTE_LOG is error, warn, info or debug: then a ready-made logger writes them to stderr, one line
 * "mote: LEVEL: MESSAGE" each. MOTE_LOG is read at the first message and whenever a callback is
 * removed; a value that is not one of these words (nor "none") counts as warn, with a warning.
 *
 * A launch callback sees every kernel the library enqueues, with its event: profilers use it. A
 * build callback sees each build of a program from its source, before and after: programs can use
 * it to show that they wait for a first call.
 *
 * The callbacks belong to the process, not to a context. A message costs nothing when its level is
 * not wanted; with a launch callback every launch creates an event, which takes time.
 *
 * A callback may call every function of the library, also on the context of the call that it
 * interrupts: no lock is held while it runs, and nothing waits for it. It must not use the
 * interrupted call's mote_host, change that call's arguments, or release or tune its context.
 * Messages and records that a callback causes on its own thread are not delivered to a callback of
 * the same kind, and a failure inside it does not change what mote_last_error() reports to the
 * interrupted call's caller. If a callback needs a program that is being built at that moment, it
 * builds the program a second time. A callback must return: it may neither throw an exception nor
 * leave by longjmp().
 */
#ifndef MOTE_LOG_H
#define MOTE_LOG_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The importance of a message. */
typedef enum mote_log_level {
    MOTE_LOG_NONE = 0,
    MOTE_LOG_ERROR = 1, /**< something failed; the same sentence is in mote_last_error() */
    MOTE_LOG_WARN = 2,  /**< the call works, but more slowly or differently than requested */
    MOTE_LOG_INFO = 3,  /**< decisions a user may want to know: device, fallback taken */
    MOTE_LOG_DEBUG = 4  /**< every variant chosen and why, every build and cache hit */
} mote_log_level;

/** Returns a value's name ("debug"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_log_level_name(mote_log_level level);

/**
 * Receives one message.
 *
 * level: its importance. message: the text without a newline at its end, valid during the call; a
 * build log has newlines inside. user: as given to mote_log_set().
 * Threads: called on the thread that the message comes from, possibly on several at the same time.
 */
typedef void (*mote_log_fn)(mote_log_level level, const char *message, void *user);

/**
 * Sets the process-wide message callback.
 *
 * level: the highest level delivered; MOTE_LOG_NONE delivers nothing, numbers beyond the levels
 * count as the nearest one. fn: the callback; NULL restores MOTE_LOG (or silence), whatever the
 * level. user: handed back to fn; must live until another callback is set and running calls have
 * returned. Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API void mote_log_set(mote_log_level level, mote_log_fn fn, void *user);

/**
 * The ready-made callback: one line "mote: LEVEL: MESSAGE" to stderr, whatever MOTE_LOG says when
 * it is given to mote_log_set(). user: not used.
 *
 * Threads: any. Since: 0.1.
 */
MOTE_API void mote_log_stderr(mote_log_level level, const char *message, void *user);

/** One enqueued kernel, clearing of an error word, or copy of a host call's array, as the launch
 * callback sees it. */
typedef struct mote_launch_record {
    size_t size;        /**< sizeof(mote_launch_record) of the library */
    const char *kernel; /**< its name, static; "error_clear" for the clearing of an error word,
                           "copy to device" or "copy to host" for copies */
    cl_event event;     /**< its event: retain it to keep it beyond the callback */
    size_t global;      /**< work-items; 0 for copies */
    size_t local;       /**< work-group size; 0 for copies */
    uint64_t bytes;     /**< least bytes that it must move, 0 when not stated; for copies, all */
} mote_launch_record;

/** Receives one record for each kernel or copy, on the thread that enqueued it; valid during the
 * call. */
typedef void (*mote_launch_fn)(const mote_launch_record *record, void *user);

/**
 * Sets the process-wide launch callback.
 *
 * Events have times (clGetEventProfilingInfo) when their queue has CL_QUEUE_PROFILING_ENABLE. The
 * library's own queues, those of a mote_host without a queue of the caller, have it when they were
 * made while a launch callback was set.
 * fn: the callback, NULL for none (the default; then in-order queues need no inner events).
 * user: handed back to fn. Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API void mote_launch_callback_set(mote_launch_fn fn, void *user);

/** A build of a program from its source, as the build callback sees it. */
typedef struct mote_build_record {
    size_t size;        /**< sizeof(mote_build_record) of the library */
    const char *source; /**< the program's source, as "reduce/sum.cl" */
    const char *device; /**< the device's name */
    double seconds;     /**< below 0 before the build; after it, its duration, including the time to
                             store the program */
    int failed;         /**< after the build: not 0 when the driver refused the source */
} mote_build_record;

/**
 * Receives two records for each build, before and after it, on the thread that builds; valid during
 * the call. Threads that build different programs may call it at the same time.
 */
typedef void (*mote_build_fn)(const mote_build_record *record, void *user);

/**
 * Sets the process-wide build callback. Programs loaded from the cache are not reported.
 *
 * Some drivers compile after the build: PoCL compiles a kernel at its first launch or, with
 * MOTE_CACHE=on, partly at the build. The record's `seconds` do not include the time of compiling
 * at a launch.
 *
 * fn: the callback, NULL for none (the default). user: handed back to fn; must live until another
 * callback is set and running builds have ended. Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API void mote_build_callback_set(mote_build_fn fn, void *user);

#ifdef __cplusplus
}
#endif

#endif
