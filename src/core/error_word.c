/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error_word.h"

#include "cl_sources.h"

mote_view mote_error_view(cl_mem error, size_t offset)
{
    if (!error)
        return (mote_view){0};
    return (mote_view){error, offset / sizeof(uint32_t), MOTE_ERROR_SLOTS, MOTE_UINT32};
}

mote_status mote_error_clear(mote_call *call, cl_mem error, size_t offset)
{
    mote_view word = mote_error_view(error, offset);
    mote_launch launch;
    if (!error && !call->preparing)
        return MOTE_SUCCESS;
    mote_launch_begin(&launch, call, &mote_cl_common_error_clear, "", "error_clear");
    mote_launch_view(&launch, &word);
    return mote_launch_run(&launch, 1, MOTE_ERROR_SLOTS);
}
