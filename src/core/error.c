/* SPDX-License-Identifier: Apache-2.0 */
/* Error words: a call clears them, and they are read as a status and a sentence. */
#include "core/error.h"
#include "core/fail.h"
#include "core/fork.h"

#include "cl_sources.h"

#include <string.h>

typedef struct slot_text {
    mote_status status;
    const char *what; /* takes the index */
} slot_text;

static const slot_text slots[] = {
    [MOTE_SLOT_EVENT_OFFSETS] = {MOTE_ERROR_EVENT_OFFSETS,
                                 "event offsets must begin with 0, never decrease and end with the "
                                 "number of elements: wrong at event %u"},
    [MOTE_SLOT_MODULE] = {MOTE_ERROR_MODULE, "digi %u has a module id that is neither below the "
                                             "number of modules nor the invalid id"},
    [MOTE_SLOT_COORDINATE] = {MOTE_ERROR_COORDINATE, "digi %u lies outside its module"},
    [MOTE_SLOT_NOT_CONTIGUOUS] = {MOTE_ERROR_NOT_CONTIGUOUS,
                                  "the digis of a module are not consecutive: they begin again at "
                                  "digi %u; MOTE_ORDER_ANY takes such input"},
    [MOTE_SLOT_CAPACITY] = {MOTE_ERROR_CAPACITY,
                            "an output is too small: it must have room for %u elements"},
    [MOTE_SLOT_INTERNAL] = {MOTE_ERROR_INTERNAL, "a kernel gave up at %u: this is a defect of the "
                                                 "library, please report it"},
    [MOTE_SLOT_CLUSTER_ID] = {MOTE_ERROR_CLUSTER_ID, "digi %u has a cluster id that is not below "
                                                     "the number of clusters of its module"},
    [MOTE_SLOT_OFFSETS_NEGATIVE] = {MOTE_ERROR_OFFSETS_NEGATIVE,
                                    "list %u: its offset, start or count is negative"},
    [MOTE_SLOT_OFFSETS_NOT_MONOTONIC] = {MOTE_ERROR_OFFSETS_NOT_MONOTONIC,
                                         "list %u: the offset of its end is less than that of its "
                                         "beginning"},
    [MOTE_SLOT_OFFSETS_OUT_OF_RANGE] = {MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
                                        "list %u ends beyond the content, or beyond what the type "
                                        "of its offset can hold"},
    [MOTE_SLOT_STOP_BEFORE_START] = {MOTE_ERROR_STOP_BEFORE_START,
                                     "list %u stops before it starts"},
    [MOTE_SLOT_OVERLAP] = {MOTE_ERROR_OVERLAP,
                           "list %u shares an element with a list of lower number"},
    [MOTE_SLOT_PARENTS] = {MOTE_ERROR_PARENTS, "parents must be below the number of lists and "
                                               "never decrease: wrong at element %u"},
    [MOTE_SLOT_POSITION] = {MOTE_ERROR_POSITION, "a position is NaN, infinite or too many boxes "
                                                 "away: number %u of the atoms of all frames"},
    [MOTE_SLOT_BOX] = {MOTE_ERROR_BOX, "frame %u has a box that is singular, not finite or out of "
                                       "range: too large or too small for the plan's precision"},
    [MOTE_SLOT_EDGES] =
        {MOTE_ERROR_EDGES,
         "edge %u, or the next one, is NaN or infinite, or the edges decrease there"},
    [MOTE_SLOT_PACKET] = {MOTE_ERROR_PACKET, "packet %u is of no kind that Timepix3 sends"},
};

#define KINDS (sizeof(slots) / sizeof(slots[0]))

_Static_assert(KINDS <= MOTE_ERROR_SLOTS, "a slot for each sentence");

/* A kernel would need a program of its own, which every first call would have to build. */
mote_status mote_error_clear(mote_call *call)
{
    const mote_pending clear = {.lease = {.name = "error_clear"},
                                .groups = MOTE_ERROR_SLOTS,
                                .local = 1,
                                .bytes = sizeof(mote_error_word)};
    mote_status status = MOTE_SUCCESS;
    if (!call->error.mem || call->preparing)
        return status;
    if (call->num_pending == MOTE_CALL_MAX_PENDING)
        status = mote_call_flush(call);
    if (!status)
        call->pending[call->num_pending++] = clear;
    return status;
}

mote_status mote_error_merge(mote_call *call, const mote_view *kept)
{
    mote_launch launch;
    mote_launch_begin(&launch, call, &mote_cl_common_error_merge, "", "error_merge");
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_view(&launch, "kept", kept);
    return mote_launch_run(&launch, 1, MOTE_ERROR_SLOTS);
}

size_t mote_error_slot(const mote_error_word *word)
{
    size_t found = MOTE_SLOT_OFFSETS_NEGATIVE;
    for (size_t i = found + 1; i <= MOTE_SLOT_OVERLAP; i++)
        if (word->slot[i] < word->slot[found])
            found = i;
    if (word->slot[found] != MOTE_ERROR_SLOT_CLEAR)
        return found;
    for (found = 0; found < MOTE_ERROR_SLOTS; found++)
        if (word->slot[found] != MOTE_ERROR_SLOT_CLEAR && found != MOTE_SLOT_CAPACITY)
            return found;
    return word->slot[MOTE_SLOT_CAPACITY] != MOTE_ERROR_SLOT_CLEAR ? MOTE_SLOT_CAPACITY : found;
}

mote_status mote_error_create(cl_context context, cl_mem *word)
{
    mote_error_word clear;
    cl_int code = CL_SUCCESS;
    if (word)
        *word = NULL;
    if (!context || !word)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_error_create: %s is NULL",
                         context ? "word" : "context");
    mote_status status = mote_check_process("mote_error_create");
    if (status)
        return status;
    memset(&clear, 0xff, sizeof(clear)); /* MOTE_ERROR_SLOT_CLEAR */
    *word = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof(clear), &clear,
                           &code);
    if (!code)
        return MOTE_SUCCESS;
    *word = NULL;
    return mote_fail_cl(code, "mote_error_create", "clCreateBuffer");
}

mote_status mote_error_decode(const mote_error_word *word, uint32_t *index)
{
    if (!word)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_error_decode: word is NULL");
    size_t slot = mote_error_slot(word);
    if (slot == MOTE_ERROR_SLOTS)
        return MOTE_SUCCESS;
    if (index)
        *index = word->slot[slot];
    if (slot >= KINDS)
        return mote_fail(MOTE_ERROR_INTERNAL,
                         "slot %zu of the error word is set (to %u), which no kernel does: was the "
                         "word ever cleared?",
                         slot, (unsigned)word->slot[slot]);
    /* The sentences are those of the table, each with one number. */
    return mote_fail(slots[slot].status, slots[slot].what, (unsigned)word->slot[slot]);
}

static mote_status check_place(cl_command_queue queue, cl_mem word, size_t offset)
{
    cl_context of_queue = NULL, of_word = NULL;
    size_t size = 0;
    cl_int code = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(of_queue), &of_queue, NULL);
    if (code)
        return mote_fail_cl(code, "mote_error_read", "clGetCommandQueueInfo");
    code = clGetMemObjectInfo(word, CL_MEM_CONTEXT, sizeof(of_word), &of_word, NULL);
    if (!code)
        code = clGetMemObjectInfo(word, CL_MEM_SIZE, sizeof(size), &size, NULL);
    if (code)
        return mote_fail_cl(code, "mote_error_read", "clGetMemObjectInfo");
    if (of_queue != of_word)
        return mote_fail(MOTE_ERROR_WRONG_CONTEXT,
                         "mote_error_read: queue and word belong to different OpenCL contexts");
    if (offset % sizeof(uint32_t) != 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "mote_error_read: offset %zu is not a multiple of 4", offset);
    if (size < sizeof(mote_error_word) || offset > size - sizeof(mote_error_word))
        return mote_fail(
            MOTE_ERROR_INVALID_VIEW,
            "mote_error_read: the word of %zu bytes at offset %zu passes the buffer of "
            "%zu bytes",
            sizeof(mote_error_word), offset, size);
    return MOTE_SUCCESS;
}

mote_status mote_error_read(cl_command_queue queue, cl_mem word, size_t offset, uint32_t *index,
                            cl_uint num_wait, const cl_event *wait)
{
    if (!queue || !word)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_error_read: %s is NULL",
                         queue ? "word" : "queue");
    mote_status status = mote_check_process("mote_error_read");
    if (!status)
        status = check_place(queue, word, offset);
    if (status)
        return status;
    mote_error_word host;
    cl_int code = clEnqueueReadBuffer(queue, word, CL_TRUE, offset, sizeof(host), &host, num_wait,
                                      wait, NULL);
    if (code)
        return mote_fail_cl(code, "mote_error_read", "clEnqueueReadBuffer");
    return mote_error_decode(&host, index);
}
