/* SPDX-License-Identifier: Apache-2.0 */
/* Host memory that copies faster: mapped CL_MEM_ALLOC_HOST_PTR buffers. On a CPU device, where a
 * copy stays in the same memory, it is plain aligned memory. */
#ifndef MOTE_CORE_PINNED_H
#define MOTE_CORE_PINNED_H

#include "core/context.h"

/* One piece; all zero is none. `mem` is NULL for plain memory. */
typedef struct mote_pinned {
    cl_mem mem;
    void *memory;
    size_t bytes;
} mote_pinned;

/* Bytes of OpenCL's largest type, which buffers of a device are aligned to. */
#define MOTE_ALIGNMENT ((size_t)128)

/* Plain memory aligned to that, which free() takes; NULL when there is none. */
void *mote_aligned(size_t bytes);

/* Makes a piece: on a CPU device plain memory aligned so. `name` is the public function. Blocks
 * while mapping. */
mote_status mote_pinned_make(mote_context *ctx, cl_command_queue queue, const char *name,
                             size_t bytes, mote_pinned *pinned);

/* Releases a piece after what the in-order `queue` still does with it. */
void mote_pinned_unmake(cl_command_queue queue, mote_pinned *pinned);

/* The pieces that mote_host_alloc() lent. */
mote_pinned_list *mote_pinned_list_create(void);
void mote_pinned_list_release(mote_pinned_list *list);

/* Whether the range lies in memory of mote_host_alloc(). */
bool mote_pinned_list_holds(mote_pinned_list *list, const void *memory, size_t bytes);

#endif
