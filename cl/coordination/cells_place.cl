/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the coordinates of a launch's entries into the order of their cells, and finds where each
 * cell begins.
 *
 * With PLANES, x, y, z and atom are planes of their own, ended by PADDING entries at 0; else an
 * entry's four numbers lie together. Defines: PLANES, those of image.clh. */
#include "coordination/image.clh"

#define PADDING 16

inline void put_coordinates(__global coord *sorted, ulong plane, ulong k, coord4 c)
{
#if PLANES
    sorted[k] = c.x;
    sorted[plane + k] = c.y;
    sorted[2 * plane + k] = c.z;
    sorted[3 * plane + k] = c.w;
#else
    ((__global coord4 *)sorted)[k] = c;
#endif
}

/* `count` entries, `bins` cells: those of all frames and lists. */
__kernel void cells_place(mote_coordination_params p, const __global uint *key, ulong key_at,
                          const __global uint *order, ulong order_at,
                          const __global coord *loaded, ulong loaded_at, __global coord *sorted,
                          ulong sorted_at, __global uint *starts, ulong starts_at, uint count,
                          uint bins)
{
    key += key_at;
    sorted += sorted_at;
    for (uint k = get_global_id(0); k <= count; k += get_global_size(0)) {
        uint first = k ? key[k - 1] + 1 : 0, own = k < count ? key[k] : bins;
        for (uint cell = first; cell <= own; cell++)
            starts[starts_at + cell] = k;
        if (k < count)
            put_coordinates(sorted, p.plane, k,
                            ((const __global coord4 *)(loaded + loaded_at))[order[order_at + k]]);
    }
#if PLANES
    for (uint k = get_global_id(0); k < PADDING; k += get_global_size(0))
        put_coordinates(sorted, p.plane, (ulong)count + k, (coord4)(0));
#endif
}
