/* SPDX-License-Identifier: Apache-2.0 */
/* What a context holds, for its user. */
#include "core/fail.h"
#include "core/program.h"
#include "core/scratch.h"

#include <string.h>

void mote_memory_init(mote_memory *memory)
{
    if (memory)
        *memory = (mote_memory){.size = sizeof(*memory)};
}

mote_status mote_context_memory(mote_context *ctx, mote_memory *memory)
{
    if (!ctx || !memory)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_context_memory: %s is NULL",
                         ctx ? "memory" : "ctx");
    if (memory->size < sizeof(memory->size))
        return mote_fail(MOTE_ERROR_INVALID_STRUCT,
                         "mote_context_memory: memory.size is %zu: call mote_memory_init() first",
                         memory->size);
    mote_memory now = {.size = memory->size};
    mote_scratch_report(ctx, &now);
    now.programs = mote_program_table_count(ctx->programs);
    memcpy(memory, &now, memory->size < sizeof(now) ? memory->size : sizeof(now));
    return MOTE_SUCCESS;
}

mote_status mote_context_trim(mote_context *ctx)
{
    if (!ctx)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_context_trim: ctx is NULL");
    mote_scratch_trim(ctx);
    return MOTE_SUCCESS;
}
