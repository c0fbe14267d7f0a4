/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/jagged/lists.h"

/* Returns a list with at least one element, searched from a random index on; count if there is
 * none. */
static size_t filled_list(const mote_case_lists *lists, size_t from, size_t to, mote_rng *rng)
{
    size_t span = to - from, start = mote_rng_below(rng, (uint32_t)span);

    for (size_t i = 0; i < span; i++) {
        size_t k = from + (start + i) % span;
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        if (end > begin)
            return k;
    }
    return lists->count;
}

static bool note(mote_case_lists *lists, mote_status status, size_t index)
{
    lists->status = status;
    lists->index = (uint32_t)index;
    return true;
}

/* Only the first offset can be negative if no offset before it decreases. */
static bool make_negative(mote_case_lists *lists, mote_rng *rng)
{
    size_t k = lists->offsets ? 0 : filled_list(lists, 0, lists->count, rng);

    if (lists->type == MOTE_UINT32 || k == lists->count)
        return false;
    mote_index_set(lists->offsets ? lists->offsets : lists->starts, lists->type, k,
                   -1 - (int64_t)mote_rng_below(rng, 1000));
    return note(lists, MOTE_ERROR_OFFSETS_NEGATIVE, k);
}

static bool make_decreasing(mote_case_lists *lists, mote_rng *rng)
{
    size_t k = mote_rng_below(rng, (uint32_t)lists->count);
    int64_t begin, end;

    mote_case_lists_bounds(lists, k, &begin, &end);
    /* A negative start or count is reported for the next list, whose beginning is checked.
     */
    if (lists->type != MOTE_UINT32 && mote_rng_below(rng, 4) == 0)
        begin = 0;
    else if (begin == 0)
        return false;
    uint32_t room = begin > 1000 || begin == 0 ? 1000 : (uint32_t)begin;

    end = begin - 1 - (int64_t)mote_rng_below(rng, room);
    if (lists->offsets) {
        mote_index_set(lists->offsets, lists->type, k + 1, end);
        return note(lists, MOTE_ERROR_OFFSETS_NOT_MONOTONIC, k);
    }
    mote_index_set(lists->stops, lists->type, k, end);
    return note(lists, MOTE_ERROR_STOP_BEFORE_START, k);
}

/* The content ends before this list does; with starts and stops, other lists may end after it,
 * too. */
static bool make_beyond(mote_case_lists *lists, mote_rng *rng)
{
    size_t k = filled_list(lists, 0, lists->count, rng);
    int64_t begin, end;

    if (k == lists->count)
        return false;
    mote_case_lists_bounds(lists, k, &begin, &end);
    lists->content = (size_t)end - 1;
    for (size_t lower = k; lists->starts && lower-- > 0;) {
        mote_case_lists_bounds(lists, lower, &begin, &end);
        if (end > begin && (size_t)end > lists->content)
            k = lower;
    }
    return note(lists, MOTE_ERROR_OFFSETS_OUT_OF_RANGE, k);
}

static bool make_far_beyond(mote_case_lists *lists, mote_rng *rng)
{
    size_t k = mote_rng_below(rng, (uint32_t)lists->count);
    int64_t far = mote_index_most(lists->type) / 2 + 1;

    if ((int64_t)lists->content >= far)
        return false;
    if (lists->offsets)
        mote_index_set(lists->offsets, lists->type, k + 1, far);
    else
        mote_index_set(lists->stops, lists->type, k, far);
    return note(lists, MOTE_ERROR_OFFSETS_OUT_OF_RANGE, k);
}

/* A list receives one element of a list with a lower number. */
static bool make_overlap(mote_case_lists *lists, mote_rng *rng)
{
    if (lists->offsets || lists->count < 2)
        return false;
    size_t k = 1 + mote_rng_below(rng, (uint32_t)lists->count - 1);
    size_t lower = filled_list(lists, 0, k, rng);
    int64_t begin, end;

    if (lower == lists->count)
        return false;
    mote_case_lists_bounds(lists, lower, &begin, &end);
    begin += (int64_t)mote_rng_below(rng, (uint32_t)(end - begin));
    mote_index_set(lists->starts, lists->type, k, begin);
    mote_index_set(lists->stops, lists->type, k, begin + 1);
    return note(lists, MOTE_ERROR_OVERLAP, k);
}

bool mote_case_lists_spoil(mote_case_lists *lists, mote_lists_fault fault, uint64_t seed)
{
    mote_rng rng;

    mote_rng_seed(&rng, seed);
    if (lists->count == 0)
        return false;
    switch (fault) {
    case MOTE_FAULT_NEGATIVE:
        return make_negative(lists, &rng);
    case MOTE_FAULT_DECREASING:
        return make_decreasing(lists, &rng);
    case MOTE_FAULT_BEYOND:
        return make_beyond(lists, &rng);
    case MOTE_FAULT_FAR_BEYOND:
        return make_far_beyond(lists, &rng);
    default:
        return make_overlap(lists, &rng);
    }
}
