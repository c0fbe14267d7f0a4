/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that are built for the first time: from source, and from the cache on disk. Each run has
 * its own context and one small kernel. */
#include "tables.h"

#include "core/program.h"
#include "core/temporary.h"

#include "cl_sources.h"

#include <stdlib.h>

static char folder[TEMPORARY_ROOM];

static mote_status build(fault_bed *b)
{
    mote_kernel_lease lease = {0};
    mote_context *ctx = NULL;
    mote_status status =
        mote_context_create(mote_context_cl(b->ctx), mote_context_device(b->ctx)->device, &ctx);
    if (!status)
        status = mote_kernel_acquire(ctx, &mote_cl_common_error_merge, "", "error_merge", &lease);
    mote_kernel_give_back(&lease);
    mote_context_release(ctx);
    return status;
}

static void make_folder(fault_bed *b)
{
    (void)b;
    temporary_make(folder);
    setenv("MOTE_CACHE_DIR", folder, 1);
    setenv("MOTE_CACHE", "on", 1);
}

static void remove_folder(fault_bed *b)
{
    (void)b;
    setenv("MOTE_CACHE", "off", 1);
    unsetenv("MOTE_CACHE_DIR");
    temporary_remove(folder);
}

/* The call creates the folder again. */
static mote_status store(fault_bed *b)
{
    temporary_remove(folder);
    return build(b);
}

/* clang-format off */
const fault_operation fault_build[] = {
    {.name = "a program into the cache", .setup = make_folder, .run = store, .cleanup = remove_folder, .flags = FAULT_ALONE},
    {.name = "a program from the cache", .setup = make_folder, .run = build, .cleanup = remove_folder, .flags = FAULT_ALONE},
};
/* clang-format on */
const size_t fault_build_count = sizeof(fault_build) / sizeof(fault_build[0]);
