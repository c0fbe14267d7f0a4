/* SPDX-License-Identifier: Apache-2.0 */
/* Host memory that copies faster: mapped CL_MEM_ALLOC_HOST_PTR buffers. On a CPU device, where a
 * copy stays in the same memory, it is plain aligned memory. */
#ifndef MOTE_CORE_PINNED_H
#define MOTE_CORE_PINNED_H

#include "core/context.h"

/* One piece; all members are zero if there is none. `mem` is NULL for plain memory. */
typedef struct mote_pinned {
    cl_mem mem;
    void *memory;
    size_t bytes;
} mote_pinned;

/* Bytes of OpenCL's largest type, which buffers of a device are aligned to. */
#define MOTE_ALIGNMENT ((size_t)128)

/* Plain memory with this alignment, to be freed by free(); NULL if memory runs out. */
void *mote_aligned(size_t bytes);

/* Allocates a piece: on a CPU device aligned plain memory. `name` is the public function. Blocks
 * while mapping. */
mote_status mote_pinned_make(mote_context *ctx, cl_command_queue queue, const char *name,
                             size_t bytes, mote_pinned *pinned);

/* Releases a piece after the commands on the in-order `queue` that use it. */
void mote_pinned_unmake(cl_command_queue queue, mote_pinned *pinned);

/* The pieces that mote_host_alloc() has returned. */
mote_pinned_list *mote_pinned_list_create(void);
void mote_pinned_list_release(mote_pinned_list *list);

/* Returns whether the range is inside memory of mote_host_alloc(). */
bool mote_pinned_list_holds(mote_pinned_list *list, const void *memory, size_t bytes);

#endif
