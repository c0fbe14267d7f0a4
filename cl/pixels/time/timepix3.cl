/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes packets of Timepix3 detectors to hits.
 *
 * timepix3_flags flags the packets that are hits. After a scan of these flags, timepix3_hits writes
 * the hits, with times modulo 2^34. timepix3_carries finds how many periods of 2^34 ticks each hit
 * lies after the hit before it: -1, 0 or 1. After a scan of these numbers, timepix3_times adds the
 * periods to the times. `place` has n + 1 elements.
 *
 * Form: both.
 * Defines: WG. Optional: CPU_FORM. */
#define PERIOD_BITS 34
#define PERIOD_MASK ((1UL << PERIOD_BITS) - 1)
#define SKIPPED     0xf4u /* a bit for each kind of packet that is not a hit */

#include "common/error.clh"
#include "common/sweep.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void timepix3_flags(
    ulong n, const __global ulong *packets, ulong packets_at, __global uint *flags, ulong flags_at,
    volatile __global uint *error, ulong error_at)
{
    if (error)
        error += error_at;
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint kind = (uint)(packets[packets_at + s.at] >> 60);
        const bool is_hit = kind >> 1 == 5;
        flags[flags_at + s.at] = is_hit;
        if (!is_hit && !(SKIPPED >> kind & 1))
            error_report(error, MOTE_SLOT_PACKET, (uint)s.at);
    }
}

/* Writes the hits that fit into the outputs. Outputs that are not wanted are NULL. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void timepix3_hits(
    ulong n, const __global ulong *packets, ulong packets_at, const __global ushort *chip,
    ulong chip_at, const __global uint *place, ulong place_at, uint capacity, uint has_results,
    __global ushort *module_id, ulong module_id_at, __global ushort *x, ulong x_at,
    __global ushort *y, ulong y_at, __global long *t, ulong t_at, __global ushort *charge,
    ulong charge_at, __global uint *n_hits, ulong n_hits_at, volatile __global uint *error,
    ulong error_at)
{
    place += place_at;
    if (get_global_id(0) == 0) {
        n_hits[n_hits_at] = place[n];
        if (has_results && place[n] > capacity)
            error_report(error ? error + error_at : error, MOTE_SLOT_CAPACITY, place[n]);
    }
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint k = place[s.at];
        if (place[s.at + 1] == k || k >= capacity)
            continue;
        const ulong packet = packets[packets_at + s.at];
        const uint address = (uint)(packet >> 44) & 0xffff;
        const ulong coarse = (packet & 0xffff) << 14 | (packet >> 30 & 0x3fff);
        if (module_id)
            module_id[module_id_at + k] = chip ? chip[chip_at + s.at] : 0;
        if (x)
            x[x_at + k] = (ushort)((address >> 3 & 63) << 2 | (address & 3));
        if (y)
            y[y_at + k] = (ushort)(address >> 9 << 1 | (address >> 2 & 1));
        if (t)
            t[t_at + k] = (long)((coarse * 16 - (packet >> 16 & 15)) & PERIOD_MASK);
        if (charge)
            charge[charge_at + k] = (ushort)(packet >> 20 & 0x3ff);
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void timepix3_carries(
    ulong n, const __global long *t, ulong t_at, const __global uint *n_hits, ulong n_hits_at,
    uint capacity, ulong reference, __global uint *carries, ulong carries_at)
{
    const uint count = min(n_hits[n_hits_at], capacity);
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        long periods = 0;
        if (s.at < count) {
            const long at = t[t_at + s.at];
            const long before = s.at ? t[t_at + s.at - 1] : (long)(reference & PERIOD_MASK);
            const long change = (at - before) << (64 - PERIOD_BITS) >> (64 - PERIOD_BITS);
            periods = (before + change - at) >> PERIOD_BITS;
        }
        carries[carries_at + s.at] = (uint)(int)periods;
    }
}

/* place[k + 1] is the sum of the carries of the hits up to k, modulo 2^32. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void timepix3_times(
    ulong n, const __global uint *place, ulong place_at, const __global uint *n_hits,
    ulong n_hits_at, uint capacity, ulong reference, __global long *t, ulong t_at)
{
    const ulong count = min(n_hits[n_hits_at], capacity);
    for (sweep s = sweep_of(min(n, count)); s.at < s.end; s.at += s.step) {
        const ulong periods = (ulong)(long)(int)place[place_at + s.at + 1];
        t[t_at + s.at] =
            (long)((ulong)t[t_at + s.at] + (periods << PERIOD_BITS) + (reference & ~PERIOD_MASK));
    }
}
