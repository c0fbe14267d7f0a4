/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts the coordinates of a launch's entries by cell, each of the four numbers as a plane, ended
 * by PADDING entries at 0, and finds where each cell begins. For CPUs: few work-items, each with a
 * run of entries.
 *
 * Form: CPU.
 * Defines: DOUBLE (coordination/real.clh), PBC (coordination/image.clh). */
#include "coordination/image.clh"

#define PADDING MOTE_COORDINATION_PADDING

inline void put_coordinates(__global coord *sorted, ulong plane, ulong k, coord4 c)
{
    sorted[k] = c.x;
    sorted[plane + k] = c.y;
    sorted[2 * plane + k] = c.z;
    sorted[3 * plane + k] = c.w;
}

/* `count` entries, `bins` cells: the numbers of all frames and lists together. A work-item
 * processes `each` entries. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void cells_place(
    mote_coordination_params p, const __global uint *key, ulong key_at, const __global uint *order,
    ulong order_at, const __global coord *loaded, ulong loaded_at, __global coord *sorted,
    ulong sorted_at, __global uint *starts, ulong starts_at, uint count, uint bins, uint each)
{
    const __global coord4 *from = (const __global coord4 *)(loaded + loaded_at);
    uint begin = min((uint)get_group_id(0) * each, count), end = min(begin + each, count);
    key += key_at;
    sorted += sorted_at;
    uint cell = begin ? key[begin - 1] + 1 : 0;
    for (uint k = begin; k < end; k++) {
        for (uint own = key[k]; cell <= own; cell++)
            starts[starts_at + cell] = k;
        put_coordinates(sorted, p.plane, k, from[order[order_at + k]]);
    }
    if (end == count && begin < end) {
        for (; cell <= bins; cell++)
            starts[starts_at + cell] = count;
        for (uint k = 0; k < PADDING; k++)
            put_coordinates(sorted, p.plane, (ulong)count + k, (coord4)(0));
    }
}
