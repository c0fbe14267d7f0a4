/* SPDX-License-Identifier: Apache-2.0 */
/* The members of a mote_context. */
#ifndef MOTE_CORE_CONTEXT_H
#define MOTE_CORE_CONTEXT_H

#include <stdbool.h>
#include "mote/context.h"

typedef struct mote_program_table mote_program_table;
typedef struct mote_scratch_pool mote_scratch_pool;
typedef struct mote_pinned_list mote_pinned_list;
typedef struct mote_tune mote_tune;

struct mote_context {
    cl_context cl;
    mote_device_info device;
    uint32_t quirks;     /* quirks of the driver, core/quirks.h */
    uint32_t capability; /* compute capability of an NVIDIA device: mote_nvidia_capability() */
    uint32_t sub_groups; /* mote_sub_groups, core/sub_groups.h */
    uint32_t width;      /* sub-group width that some kernels request, or 0: core/sub_groups.h */
    mote_tune *tune;     /* values when the context was created, or NULL: no values */
    mote_program_table *programs;
    mote_scratch_pool *scratch;
    mote_pinned_list *pinned;
};

/* Creates a context for `cl` and the device, both of which it retains. */
mote_status mote_context_wrap(const char *name, cl_context cl, const mote_device_info *device,
                              mote_context **out);

/* Fills an info from a device; `spec` is empty if index < 0. */
mote_status mote_device_query(cl_platform_id platform, cl_device_id device, int index,
                              mote_device_info *info);

#endif
