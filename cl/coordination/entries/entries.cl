/* SPDX-License-Identifier: Apache-2.0 */
/* Converts the positions of all entries to coordinates, for methods that read them often.
 *
 * With PLANES, x, y, z and atom of a frame's entries are separate planes, in which each list is
 * padded with entries at 0; otherwise the four numbers of an entry are adjacent.
 *
 * `clear` is set to 0, for the next launches.
 *
 * With KEPT, call number `call` of a plan with a skin is marked in `state` if lists of partners
 * must be made: if those of the call before are not complete, if the box has changed, or if an
 * entry is too far from `reference`, its coordinates when the lists were made.
 *
 * Form: both.
 * Defines: WG, PLANES (1: see above), EXTENT (1: each group leaves the corners of its
 * coordinates), DOUBLE (coordination/real.clh), PBC (coordination/image.clh). Optional: KEPT (1:
 * see above). */
#include "coordination/entries/load.clh"
#include "coordination/cells/kept.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void entries(
    mote_coordination_params p, mote_coordination_frame given, const __global uint *frames,
    ulong frames_at, const __global float *positions, ulong positions_at,
    const __global uint *atoms, __global coord *out, ulong out_at, uint each, __global uint *bad,
    ulong bad_at, __global real *extents, ulong extents_at, __global uint *clear, ulong clear_at,
    ulong clear_count CHECK_ARGUMENTS)
{
#if EXTENT
    __local real4 low[WG], high[WG];
    real4 least = (real4)(HUGE_LENGTH), most = (real4)(-HUGE_LENGTH);
#endif
    __local uint worst;
    uint lid = get_local_id(0), group = get_group_id(0) % p.bad_each;
    uint number = get_group_id(0) / p.bad_each, own_worst = MOTE_COORDINATION_NO_ATOM;
    mote_coordination_frame frame = given;
    if (PBC != MOTE_COORDINATION_NONE && !(p.flags & MOTE_COORDINATION_IS_GIVEN))
        frame = FRAMES(frames, frames_at)[p.first_frame + number];
    source from = source_of(&p, &frame, positions, positions_at, atoms, p.first_frame + number);
#if defined(KEPT)
    volatile __local uint any_moved;
    cell c_now = cell_of(&frame, &p);
    bool moved = state[KEPT_MADE] + 1 != call || (lid == 0 && !is_kept_frame(&frame, state));
#endif
#if PLANES
    uint all = p.plane;
    out += out_at + 4 * (ulong)p.plane * number;
#else
    uint all = from.entries;
    __global coord4 *out4 = (__global coord4 *)(out + out_at) + (ulong)all * number;
#endif
    for (ulong k = get_global_id(0); k < clear_count; k += get_global_size(0))
        clear[clear_at + k] = 0;
    uint begin = min(group * each, all), end = min(begin + each, all);
    for (uint k = begin + lid; k < end; k += WG) {
#if PLANES
        uint of_b = k >= p.skip, entry = of_b ? p.n_a + (k - p.skip) : k;
        coord4 c = (coord4)(0);
        if (of_b ? entry < from.entries : entry < p.n_a)
            c = load_entry(&from, entry, &own_worst);
        out[k] = c.x;
        out[p.plane + k] = c.y;
        out[2 * (ulong)p.plane + k] = c.z;
        out[3 * (ulong)p.plane + k] = c.w;
#else
        coord4 c = load_entry(&from, k, &own_worst);
        out4[k] = c;
#if defined(KEPT)
        moved |= has_moved(((const __global coord4 *)reference)[k], c, &c_now, &limits);
#endif
#if EXTENT
        least = fmin(least, (real4)(c.x, c.y, c.z, 0));
        most = fmax(most, (real4)(c.x, c.y, c.z, 0));
#endif
#endif
    }
#if EXTENT
    low[lid] = least;
    high[lid] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < WG; step *= 2) {
        if (lid % (2 * step) == 0 && lid + step < WG) {
            low[lid] = fmin(low[lid], low[lid + step]);
            high[lid] = fmax(high[lid], high[lid + step]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        REALS4(extents, extents_at)[2 * get_group_id(0)] = low[0];
        REALS4(extents, extents_at)[2 * get_group_id(0) + 1] = high[0];
    }
#endif
    write_worst(own_worst, &worst, bad + bad_at + get_group_id(0));
#if defined(KEPT)
    end_check(moved, &any_moved, state, call);
#endif
}
