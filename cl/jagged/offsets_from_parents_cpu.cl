/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets from labels, for CPUs: few work-items, each with an equal share of elements and lists
 * together.
 *
 * Defines: INDEX... */
#include "jagged/labels.clh"

/* How many elements lie before a place. */
inline ulong find_place(const labels *in, ulong place)
{
    ulong lo = place_least(in, place), hi = place_most(in, place);
    while (lo < hi) {
        ulong mid = lo + (hi - lo) / 2;
        if (place_behind(in, place, mid))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Stores an element number for lists first .. end - 1. */
inline void fill(__global INDEX *offsets, long first, long end, ulong element)
{
    for (; first < end; first++)
        offsets[first] = (INDEX)element;
}

__kernel void offsets_from_parents(const __global INDEX *restrict parents, ulong parents_at,
                                   ulong n, uint m, ulong each, uint rounds,
                                   __global INDEX *restrict offsets, ulong offsets_at,
                                   volatile __global uint *error, ulong error_at)
{
    const labels in = {parents + parents_at, n, m};
    const ulong all = n + m + 1, place = min(each * get_global_id(0), all);
    const ulong place_end = min(place + each, all);
    const ulong end = find_place(&in, place_end);
    ulong i = find_place(&in, place);
    const long list_end = place_end - end;
    long next = place - i; /* the lists before it are written, the last of them perhaps for now */
    int before = label_before(&in, i);
    offsets += offsets_at;
    if (next < list_end)
        offsets[next++] = (INDEX)i;
    /* Each element moves the end of its list on; only lists in between take a loop. */
    for (; i < end; i++) {
        int label = label_of(&in, i);
        if (label_bad(&in, before, label)) {
            error_report(error + error_at, MOTE_SLOT_PARENTS, (uint)i);
            break;
        }
        before = label;
        if (label >= next) {
            fill(offsets, next, min((long)label + 1, list_end), i);
            next = label + 1;
        }
        if (label + 1 < list_end) {
            offsets[label + 1] = (INDEX)(i + 1);
            next = max(next, (long)label + 2);
        }
    }
    fill(offsets, next, list_end, end);
}
