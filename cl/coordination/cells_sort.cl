/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts a launch's entries by cell, after coordination/cells_key.cl has counted each cell's and a
 * scan has turned counts into starts. Entries get their places in a cell in any order; then each
 * finds how many of its cell come before it, so that the order is always the same.
 *
 * Defines: WG, those of image.clh. */
#include "coordination/image.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void cells_scatter(
    const __global uint *key, ulong key_at, const __global uint *slot, ulong slot_at,
    const __global uint *starts, ulong starts_at, __global uint *any, ulong any_at, uint count)
{
    uint k = get_global_id(0);
    if (k < count)
        any[any_at + starts[starts_at + key[key_at + k]] + slot[slot_at + k]] = k;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void cells_order(
    const __global uint *key, ulong key_at, const __global uint *starts, ulong starts_at,
    const __global uint *any, ulong any_at, const __global coord *loaded, ulong loaded_at,
    __global uint *order, ulong order_at, __global coord *sorted, ulong sorted_at, uint count)
{
    uint k = get_global_id(0);
    if (k < count) {
        uint entry = any[any_at + k], own = key[key_at + entry];
        uint begin = starts[starts_at + own], end = starts[starts_at + own + 1], place = begin;
        for (uint j = begin; j < end; j++)
            place += any[any_at + j] < entry;
        order[order_at + place] = entry;
        ((__global coord4 *)(sorted + sorted_at))[place] =
            ((const __global coord4 *)(loaded + loaded_at))[entry];
    }
}
