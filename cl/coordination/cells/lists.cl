/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts a launch's entries by cell if there are too many for coordination/cells/sort.cl:
 * coordination/cells/key.cl has counted the entries of each cell and linked them, and a scan has
 * converted counts to starts. Each entry counts how many entries of its cell precede it, so that
 * the order is always the same.
 *
 * Form: GPU.
 * Defines: WG, DOUBLE (coordination/real.clh), PBC (coordination/image.clh). */
#include "coordination/image.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void cells_lists(
    const __global uint *key, ulong key_at, const __global uint *heads, ulong heads_at,
    const __global uint *link, ulong link_at, const __global uint *starts, ulong starts_at,
    const __global coord *loaded, ulong loaded_at, __global uint *order, ulong order_at,
    __global coord *sorted, ulong sorted_at, uint count)
{
    uint k = get_global_id(0);
    if (k < count) {
        uint own = key[key_at + k], place = starts[starts_at + own];
        coord4 c = ((const __global coord4 *)(loaded + loaded_at))[k];
        for (uint other = heads[heads_at + own]; other; other = link[link_at + other - 1])
            place += other <= k;
        order[order_at + place] = k;
        ((__global coord4 *)(sorted + sorted_at))[place] = c;
    }
}
