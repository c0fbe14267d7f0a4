/* SPDX-License-Identifier: Apache-2.0 */
#include "jagged/list_fault.h"
#include "core/error.h"
#include "core/fail.h"
#include "core/host_job.h"

static long long value(const mote_host_lists *lists, const void *array, size_t k)
{
    return (long long)mote_host_index(array, lists->type, k);
}

/* Returns the name of the offsets, or of the array that stands in for them. */
static const char *name_of(const mote_host_lists *lists, const char *otherwise)
{
    const char *name = lists->offsets_name ? lists->offsets_name : "offsets";
    return lists->offsets ? name : otherwise;
}

static mote_status fail_negative(const char *name, const mote_host_lists *lists, size_t k)
{
    const void *array = lists->offsets ? lists->offsets : lists->starts;
    const char *what = name_of(lists, "starts");
    if (lists->counts) {
        array = lists->counts;
        what = "counts";
    }
    return mote_fail(MOTE_ERROR_OFFSETS_NEGATIVE, "%s: list %zu: %s[%zu] = %lld is negative", name,
                     k, what, k, value(lists, array, k));
}

static mote_status fail_order(const char *name, const mote_host_lists *lists, size_t k)
{
    if (lists->starts)
        return mote_fail(MOTE_ERROR_STOP_BEFORE_START,
                         "%s: list %zu: stops[%zu] = %lld < starts[%zu] = %lld", name, k, k,
                         value(lists, lists->stops, k), k, value(lists, lists->starts, k));
    const char *what = name_of(lists, NULL);
    return mote_fail(MOTE_ERROR_OFFSETS_NOT_MONOTONIC,
                     "%s: list %zu: %s[%zu] = %lld < %s[%zu] = %lld", name, k, what, k + 1,
                     value(lists, lists->offsets, k + 1), what, k, value(lists, lists->offsets, k));
}

static mote_status fail_beyond(const char *name, const mote_host_lists *lists, size_t k)
{
    bool spans = !lists->offsets;
    if (!spans && lists->content == MOTE_HOST_NO_CONTENT)
        return mote_fail(MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
                         "%s: list %zu: %s cannot count the combinations of the lists up to this "
                         "one: %s",
                         name, k, mote_type_name(lists->type),
                         lists->type == MOTE_INT64 ? "split the array" : "use offsets of int64");
    return mote_fail(MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
                     "%s: list %zu: %s[%zu] = %lld is beyond the content, which has %zu elements",
                     name, k, name_of(lists, "stops"), spans ? k : k + 1,
                     spans ? value(lists, lists->stops, k) : value(lists, lists->offsets, k + 1),
                     lists->content);
}

/* Finds the list at which the sum of the lengths exceeds the type. */
static mote_status fail_sum(const char *name, const mote_host_lists *lists, size_t k)
{
    uint64_t sum = 0;
    for (size_t i = 0; i <= k; i++)
        sum += lists->counts ? (uint64_t)value(lists, lists->counts, i)
                             : (uint64_t)value(lists, lists->stops, i) -
                                   (uint64_t)value(lists, lists->starts, i);
    return mote_fail(MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
                     "%s: list %zu: offsets[%zu] would be %llu, which is more than %s can hold",
                     name, k, k + 1, (unsigned long long)sum, mote_type_name(lists->type));
}

/* Returns the lowest of the lists below k that share an element with it; there is one. */
static mote_status fail_overlap(const char *name, const mote_host_lists *lists, size_t k)
{
    long long start = value(lists, lists->starts, k), stop = value(lists, lists->stops, k);
    size_t other = 0;
    while (other < k && !(value(lists, lists->starts, other) < stop &&
                          value(lists, lists->stops, other) > start &&
                          value(lists, lists->starts, other) < value(lists, lists->stops, other)))
        other++;
    return mote_fail(MOTE_ERROR_OVERLAP,
                     "%s: list %zu: starts[%zu] = %lld to stops[%zu] = %lld overlaps list %zu: "
                     "starts[%zu] = %lld to stops[%zu] = %lld",
                     name, k, k, start, k, stop, other, other, value(lists, lists->starts, other),
                     other, value(lists, lists->stops, other));
}

/* If a label has changed since the device read it, only its position is reported. */
static mote_status fail_parents(const char *name, const mote_host_lists *lists, size_t i,
                                const mote_error_word *word)
{
    long long label = value(lists, lists->parents, i);
    long long before = i > 0 ? value(lists, lists->parents, i - 1) : 0;
    if (label < 0)
        return mote_fail(MOTE_ERROR_PARENTS, "%s: element %zu: parents[%zu] = %lld is negative",
                         name, i, i, label);
    if ((unsigned long long)label >= lists->count)
        return mote_fail(MOTE_ERROR_PARENTS,
                         "%s: element %zu: parents[%zu] = %lld is not below the number of lists, "
                         "%zu",
                         name, i, i, label, lists->count);
    if (label >= before)
        return mote_error_decode(word, NULL);
    return mote_fail(MOTE_ERROR_PARENTS,
                     "%s: element %zu: parents[%zu] = %lld < parents[%zu] = %lld", name, i, i,
                     label, i - 1, before);
}

mote_status mote_lists_fault(const char *name, const mote_host_lists *lists,
                             const mote_error_word *word)
{
    size_t slot = mote_error_slot(word);
    if (slot == MOTE_ERROR_SLOTS)
        return MOTE_SUCCESS;
    size_t k = word->slot[slot];
    if (slot == MOTE_SLOT_OFFSETS_NEGATIVE)
        return fail_negative(name, lists, k);
    if (slot == MOTE_SLOT_OFFSETS_NOT_MONOTONIC || slot == MOTE_SLOT_STOP_BEFORE_START)
        return fail_order(name, lists, k);
    if (slot == MOTE_SLOT_OFFSETS_OUT_OF_RANGE)
        return !lists->offsets && lists->content == MOTE_HOST_NO_CONTENT
                   ? fail_sum(name, lists, k)
                   : fail_beyond(name, lists, k);
    if (slot == MOTE_SLOT_OVERLAP)
        return fail_overlap(name, lists, k);
    return slot == MOTE_SLOT_PARENTS ? fail_parents(name, lists, k, word)
                                     : mote_error_decode(word, NULL);
}
