/* SPDX-License-Identifier: Apache-2.0 */
#include "jagged/lists.h"
#include "core/fail.h"

static bool present(const mote_view *view)
{
    return view->mem || view->offset || view->count || view->type;
}

static mote_status check_number(const mote_call *call, size_t count)
{
    if (count < MOTE_JAGGED_MOST_LISTS)
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_UNSUPPORTED,
                     "%s: %zu lists: a call takes fewer than 2^31, split the array", call->name,
                     count);
}

mote_status mote_lists_of_offsets(const mote_call *call, const mote_view *offsets,
                                  mote_lists *lists)
{
    if (offsets->count == 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: offsets has no elements: it must have the number of lists + 1, at "
                         "least 1",
                         call->name);
    *lists = (mote_lists){.count = offsets->count - 1, .type = offsets->type};
    return check_number(call, lists->count);
}

static mote_status lists_of_spans(const mote_call *call, const mote_view *starts,
                                  const mote_view *stops, mote_type type, mote_lists *lists)
{
    if (starts->count != stops->count)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: starts has %zu elements and stops %zu: both must have one for each "
                         "list",
                         call->name, starts->count, stops->count);
    if (present(starts) && present(stops) && starts->type != stops->type)
        return mote_fail(MOTE_ERROR_INVALID_TYPE,
                         "%s: starts is %s and stops %s: they must be the "
                         "same type",
                         call->name, mote_type_name(starts->type), mote_type_name(stops->type));
    *lists = (mote_lists){
        .spans = true, .count = starts->count, .type = starts->type ? starts->type : type};
    return check_number(call, lists->count);
}

mote_status mote_lists_make(const mote_call *call, const mote_view *offsets,
                            const mote_view *starts, const mote_view *stops, mote_type type,
                            mote_lists *lists)
{
    bool spans = present(starts) || present(stops);
    if (spans && present(offsets))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: give offsets, or starts and stops, not both", call->name);
    if (present(offsets))
        return mote_lists_of_offsets(call, offsets, lists);
    return lists_of_spans(call, starts, stops, type, lists);
}

mote_status mote_lists_of_counts(const mote_call *call, const mote_view *counts,
                                 const mote_view *starts, const mote_view *stops, mote_type type,
                                 mote_lists *lists)
{
    bool spans = present(starts) || present(stops);
    if (spans && present(counts))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: give counts, or starts and stops, not both", call->name);
    if (spans)
        return lists_of_spans(call, starts, stops, type, lists);
    *lists = (mote_lists){.count = counts->count, .type = counts->type ? counts->type : type};
    return check_number(call, lists->count);
}

uint32_t mote_lists_types(const mote_lists *lists)
{
    uint32_t own = mote_type_in(MOTE_JAGGED_INDEX, lists->type);
    return own ? own : MOTE_JAGGED_INDEX;
}

const char *mote_lists_defines(mote_type type)
{
    if (type == MOTE_INT32)
        return "-DINDEX=int -DINDEX_SIGNED=1 -DINDEX_LONG=0";
    if (type == MOTE_UINT32)
        return "-DINDEX=uint -DINDEX_SIGNED=0 -DINDEX_LONG=0";
    return "-DINDEX=long -DINDEX_SIGNED=1 -DINDEX_LONG=1";
}
