/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file status.h
 * @brief The status that a call returns, the sentence that explains it, and errors found by
 * kernels.
 *
 * Every function that can fail returns a mote_status: 0 for success, an OpenCL error code (-1 to
 * -9999) passed through unchanged, or one of the numbers below -20000, which are frozen. Next to
 * the number there is always a sentence: mote_last_error() gives the offending values and the
 * remedy.
 *
 * A status is for programs, the sentence for people: print mote_status_name() and mote_last_error()
 * together. The sentence is also delivered as a message of level error (log.h). It belongs to the
 * thread that made the failing call; read it before that thread's next call.
 *
 * After fork() in a process that has used OpenCL every call in the child returns
 * MOTE_ERROR_UNSUPPORTED: drivers do not survive it. Start workers as new processes (Python's
 * multiprocessing: spawn), or fork before the first call. Releasing in such a child does nothing.
 *
 * The comment of a function lists the statuses that its arguments and the device can lead to. Any
 * function may also return MOTE_ERROR_OUT_OF_HOST_MEMORY.
 *
 * A call that takes `event` always sets it: after a failure, to an event that covers the part of
 * the call that may still run, or to NULL when nothing was enqueued.
 *
 * Errors in the data that only a kernel can see (a digi outside its module, say) cannot be returned
 * by a call that does not wait. They go to an error word in a caller's buffer; mote_error_read()
 * waits for the word and returns its status and sentence. A call clears the word, so that no view
 * of the call may share bytes with it (MOTE_ERROR_INVALID_VIEW).
 */
#ifndef MOTE_STATUS_H
#define MOTE_STATUS_H

/* OpenCL's headers select 3.0 themselves if no version is defined, but print a note. */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif

#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

#include "layout/error.h"
#include "version.h"

#ifdef __cplusplus
extern "C" {
#endif

/** 0 = success; -1..-9999 = an OpenCL code; -20000 and below = one of mote_status_code. */
typedef int32_t mote_status;

/* clang-format off */
/** The library's own codes. Numbers never change; new codes are added at the end. */
typedef enum mote_status_code {
    MOTE_SUCCESS                    = 0,
    MOTE_ERROR_INVALID_ARGUMENT     = -20000, /**< NULL, 0 or out of range where it must not be */
    MOTE_ERROR_INVALID_STRUCT       = -20001, /**< an argument structure was not initialised */
    MOTE_ERROR_INVALID_TYPE         = -20002, /**< an element type that the call does not accept */
    MOTE_ERROR_INVALID_VIEW         = -20003, /**< a view exceeds its memory, or lacks rights */
    MOTE_ERROR_WRONG_CONTEXT        = -20004, /**< a queue, buffer or event of another context */
    MOTE_ERROR_NO_DEVICE            = -20005, /**< no device, or none that matches */
    MOTE_ERROR_UNSUPPORTED          = -20006, /**< the device or this version cannot do it */
    MOTE_ERROR_OUT_OF_HOST_MEMORY   = -20007,
    MOTE_ERROR_OUT_OF_DEVICE_MEMORY = -20008, /**< scratch did not fit; with its size */
    MOTE_ERROR_BUILD                = -20009, /**< a kernel did not build; with the whole log */
    MOTE_ERROR_CAPACITY             = -20010, /**< an output was too small */
    MOTE_ERROR_INTERNAL             = -20011, /**< a defect of the library: please report it */
    MOTE_ERROR_EVENT_OFFSETS        = -20100, /**< data: event offsets not 0 .. n or decreasing */
    MOTE_ERROR_MODULE               = -20101, /**< data: a module id out of range */
    MOTE_ERROR_COORDINATE           = -20102, /**< data: x or y outside the module */
    MOTE_ERROR_NOT_CONTIGUOUS       = -20103, /**< data: a module's digis are not consecutive */
    MOTE_ERROR_CLUSTER_ID           = -20105, /**< data: a cluster id above the module's clusters */
    MOTE_ERROR_OFFSETS_NEGATIVE     = -20106, /**< data: a negative offset, start or count */
    MOTE_ERROR_OFFSETS_NOT_MONOTONIC = -20107, /**< data: offsets decrease */
    MOTE_ERROR_OFFSETS_OUT_OF_RANGE = -20108, /**< data: a list ends too far */
    MOTE_ERROR_STOP_BEFORE_START    = -20109, /**< data: a list stops before it starts */
    MOTE_ERROR_OVERLAP              = -20110, /**< data: two lists share an element */
    MOTE_ERROR_PARENTS              = -20111, /**< data: parents out of range, or decreasing */
    MOTE_ERROR_POSITION             = -20112, /**< data: a position that is NaN or infinite */
    MOTE_ERROR_BOX                  = -20113, /**< data: a box that is singular or not finite */
    MOTE_ERROR_EDGES                = -20114, /**< data: an edge that is NaN or above the next one */
    MOTE_ERROR_PACKET               = -20115  /**< data: a packet of an unknown kind */
} mote_status_code;
/* clang-format on */

/**
 * The name of a status, for logs.
 *
 * status: any value; OpenCL's codes are named too.
 * Returns: a static string such as "MOTE_ERROR_INVALID_VIEW" or "CL_OUT_OF_RESOURCES"; "unknown
 * status" for a number that has none.
 * Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API const char *mote_status_name(mote_status status);

/**
 * The sentence that explains the last failure of this thread.
 *
 * It names the function, the offending values and the remedy; for a failed build it holds device,
 * driver, options and the whole build log. A call that succeeds does not change it.
 *
 * Returns: a string owned by the library, of any length, valid until the next failing call of the
 * same thread or its end; "" when nothing has failed yet. When no memory is left for a long
 * sentence it is cut to 511 bytes. Threads: each thread has its own. Blocks: no. Since: 0.1.
 */
MOTE_API const char *mote_last_error(void);

/**
 * Makes a buffer with a cleared error word at its beginning.
 *
 * context: the OpenCL context the calls run in. word: receives the buffer, which the caller
 * releases by clReleaseMemObject(); NULL on failure. Returns: MOTE_SUCCESS;
 * MOTE_ERROR_INVALID_ARGUMENT for NULL; an OpenCL code. Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_error_create(cl_context context, cl_mem *word);

/**
 * Waits for an error word and returns what it reports.
 *
 * queue: any queue of the context of the word's buffer; the read waits for the events first. word:
 * a buffer holding a mote_error_word at byte offset `offset` (a multiple of 4). index: receives the
 * offending index (layout/error.h defines its meaning); may be NULL. num_wait, wait: events to wait
 * for, usually the event of the call that was given the word. Returns: MOTE_SUCCESS when the word
 * is clear (*index is not changed); otherwise the status of one kind that is set (layout/error.h
 * defines which), with a sentence naming the index. MOTE_ERROR_INVALID_ARGUMENT for NULL or an
 * offset that is not a multiple of 4; MOTE_ERROR_INVALID_VIEW when the word exceeds its buffer;
 * MOTE_ERROR_WRONG_CONTEXT; an OpenCL code when the read itself fails. Threads: any. Blocks: yes.
 * Since: 0.1.
 */
MOTE_API mote_status mote_error_read(cl_command_queue queue, cl_mem word, size_t offset,
                                     uint32_t *index, cl_uint num_wait, const cl_event *wait);

/**
 * mote_error_read() for an error word that is already on the host.
 *
 * word: the 32 slots. index: as above, may be NULL.
 * Returns: as mote_error_read(). Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_error_decode(const mote_error_word *word, uint32_t *index);

#ifdef __cplusplus
}
#endif

#endif
