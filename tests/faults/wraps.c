/* SPDX-License-Identifier: Apache-2.0 */
/* The wrappers, generated from the table: the function that the linker redirects here, and the one
 * that it replaces.
 */
#include "faults/inject.h"

#include <stdlib.h>

#define MORE       cl_uint what, size_t size, void *value, size_t *needed
#define MORE_ARGS  what, size, value, needed
#define WAITS      cl_uint num_wait, const cl_event *wait, cl_event *event
#define WAITS_ARGS num_wait, wait, event
#define CODE       cl_int *code

#define WRAP(type, name, parameters)                                                               \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters

#define CALL_CODE(name, parameters, arguments)                                                     \
    WRAP(cl_int, name, parameters)                                                                 \
    {                                                                                              \
        cl_int failure = fault_enter(FAULT_##name, false, false);                                  \
        return failure ? failure : __real_##name arguments;                                        \
    }

#define CALL_INFO(name, parameters, arguments)                                                     \
    WRAP(cl_int, name, parameters)                                                                 \
    {                                                                                              \
        cl_int failure = fault_enter(FAULT_##name, false, false);                                  \
        if (failure)                                                                               \
            return failure;                                                                        \
        return fault_bad_answer(FAULT_##name, MORE_ARGS) ? CL_SUCCESS : __real_##name arguments;   \
    }

/* It waits even if it must fail, because commands on a real device may use the caller's memory.
 */
#define CALL_WAIT(name, parameters, arguments)                                                     \
    WRAP(cl_int, name, parameters)                                                                 \
    {                                                                                              \
        cl_int failure = fault_enter(FAULT_##name, true, false);                                   \
        if (failure == FAULT_FORBIDDEN)                                                            \
            return failure;                                                                        \
        cl_int code = __real_##name arguments;                                                     \
        return failure ? failure : code;                                                           \
    }

#define CALL_ENQUEUE(name, waits, parameters, arguments)                                           \
    WRAP(cl_int, name, parameters)                                                                 \
    {                                                                                              \
        cl_int failure = fault_enter(FAULT_##name, waits, event != NULL);                          \
        return failure ? failure                                                                   \
                       : fault_made(FAULT_EVENT, event != NULL, __real_##name arguments);          \
    }

#define CALL_MAKE(type, name, handle, waits, parameters, arguments)                                \
    WRAP(type, name, parameters)                                                                   \
    {                                                                                              \
        cl_int failure = fault_enter(FAULT_##name, waits, false);                                  \
        if (failure && code)                                                                       \
            *code = failure;                                                                       \
        if (failure)                                                                               \
            return NULL;                                                                           \
        type made = __real_##name arguments;                                                       \
        fault_made(FAULT_##handle, made != NULL, CL_SUCCESS);                                      \
        return made;                                                                               \
    }

#define CALL_KEEP(name, type, handle)                                                              \
    WRAP(cl_int, name, (type kept))                                                                \
    {                                                                                              \
        cl_int failure = fault_enter(FAULT_##name, false, false);                                  \
        return failure ? failure : fault_made(FAULT_##handle, true, __real_##name(kept));          \
    }

/* It never fails, because a caller could do nothing about it. */
#define CALL_DROP(name, type, handle)                                                              \
    WRAP(cl_int, name, (type dropped))                                                             \
    {                                                                                              \
        return fault_gone(FAULT_##handle, __real_##name(dropped));                                 \
    }

#define CALL_HEAP(name)

#include "calls.inc"

WRAP(void *, malloc, (size_t size))
{
    void *block = fault_starved(FAULT_malloc) ? NULL : __real_malloc(size);
    fault_block_made(block);
    return block;
}

WRAP(void *, calloc, (size_t count, size_t size))
{
    void *block = fault_starved(FAULT_calloc) ? NULL : __real_calloc(count, size);
    fault_block_made(block);
    return block;
}

WRAP(void *, aligned_alloc, (size_t alignment, size_t size))
{
    void *block = fault_starved(FAULT_aligned_alloc) ? NULL : __real_aligned_alloc(alignment, size);
    fault_block_made(block);
    return block;
}

WRAP(void *, realloc, (void *block, size_t size))
{
    if (fault_starved(FAULT_realloc))
        return NULL;
    /* The block is removed from the table before it is freed, because another thread may get the
     * same address at once. */
    bool counted = fault_block_gone(block) || !block;
    void *grown = __real_realloc(block, size);
    if (counted)
        fault_block_made(grown ? grown : block);
    return grown;
}

void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block)
{
    fault_block_gone(block);
    __real_free(block);
}
