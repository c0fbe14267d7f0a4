/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/jagged/oracle.h"

#include <stdlib.h>
#include <string.h>

static mote_status fault_of(const mote_case_lists *lists, size_t k, size_t content)
{
    int64_t begin, end;

    mote_case_lists_bounds(lists, k, &begin, &end);
    if (begin < 0)
        return MOTE_ERROR_OFFSETS_NEGATIVE;
    if (end < begin)
        return lists->offsets ? MOTE_ERROR_OFFSETS_NOT_MONOTONIC : MOTE_ERROR_STOP_BEFORE_START;
    /* With starts and stops, a list without elements may begin anywhere. */
    if (content != MOTE_NO_CONTENT && (uint64_t)end > content && (lists->offsets || end > begin))
        return MOTE_ERROR_OFFSETS_OUT_OF_RANGE;
    return MOTE_SUCCESS;
}

/* Returns whether list k has an element that is already marked in `owned`; marks its elements. */
static bool take(const mote_case_lists *lists, size_t k, unsigned char *owned)
{
    bool shared = false;
    int64_t begin, end;

    mote_case_lists_bounds(lists, k, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        shared = shared || owned[i];
        owned[i] = 1;
    }
    return shared;
}

mote_status mote_oracle_find_error(const mote_case_lists *lists, size_t content, bool overlap,
                                   uint32_t *index)
{
    unsigned char *owned = overlap && content != MOTE_NO_CONTENT ? calloc(content + 1, 1) : NULL;
    mote_status status = MOTE_SUCCESS;

    for (size_t k = 0; k < lists->count && !status; k++) {
        status = fault_of(lists, k, content);
        if (!status && owned && take(lists, k, owned))
            status = MOTE_ERROR_OVERLAP;
        if (status)
            *index = (uint32_t)k;
    }
    free(owned);
    return status;
}

void mote_oracle_parents(const mote_case_lists *lists, bool absolute, size_t n, void *parents)
{
    int64_t shift =
        absolute || !lists->offsets ? 0 : mote_index_get(lists->offsets, lists->type, 0);

    for (size_t i = 0; i < n; i++)
        mote_index_set(parents, lists->type, i, -1);
    for (size_t k = 0; k < lists->count; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        for (int64_t i = begin; i < end; i++)
            mote_index_set(parents, lists->type, (size_t)(i - shift), (int64_t)k);
    }
}

void mote_oracle_local_index(const mote_case_lists *lists, size_t n, void *local_index)
{
    int64_t shift = mote_index_get(lists->offsets, lists->type, 0);

    for (size_t i = 0; i < n; i++)
        mote_index_set(local_index, lists->type, i, -1);
    for (size_t k = 0; k < lists->count; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        for (int64_t i = begin; i < end; i++)
            mote_index_set(local_index, lists->type, (size_t)(i - shift), i - begin);
    }
}

void mote_oracle_counts(const mote_case_lists *lists, void *counts)
{
    for (size_t k = 0; k < lists->count; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        mote_index_set(counts, lists->type, k, end - begin);
    }
}

mote_status mote_oracle_offsets_from_counts(mote_type type, size_t m, const void *counts,
                                            void *offsets, uint32_t *index)
{
    int64_t at = 0;

    mote_index_set(offsets, type, 0, 0);
    for (size_t k = 0; k < m; k++) {
        int64_t count = mote_index_get(counts, type, k);

        *index = (uint32_t)k;
        if (count < 0)
            return MOTE_ERROR_OFFSETS_NEGATIVE;
        if (count > mote_index_most(type) - at)
            return MOTE_ERROR_OFFSETS_OUT_OF_RANGE;
        at += count;
        mote_index_set(offsets, type, k + 1, at);
    }
    return MOTE_SUCCESS;
}

mote_status mote_oracle_offsets_from_parents(mote_type type, size_t n, const void *parents,
                                             size_t m, void *offsets, uint32_t *index)
{
    int64_t last = 0;
    size_t k = 0;

    for (size_t i = 0; i < n; i++) {
        int64_t label = mote_index_get(parents, type, i);

        if (label < last || (uint64_t)label >= m) {
            *index = (uint32_t)i;
            return MOTE_ERROR_PARENTS;
        }
        for (last = label; k <= (size_t)label; k++)
            mote_index_set(offsets, type, k, (int64_t)i);
    }
    for (; k <= m; k++)
        mote_index_set(offsets, type, k, (int64_t)n);
    return MOTE_SUCCESS;
}

void mote_oracle_gather(const mote_case_lists *lists, const void *values, size_t size, void *result)
{
    char *to = result;

    for (size_t k = 0; k < lists->count; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        for (int64_t i = begin; i < end; i++, to += size)
            memcpy(to, (const char *)values + k * size, size);
    }
}
