/* SPDX-License-Identifier: Apache-2.0 */
/* What a device can move at best: fill, copy and read, each in several ways.
 *
 * GPU form: 16 bytes a work-item, one by one or in steps of the whole range. CPU form: each
 * work-item processes its own share by 64 bytes, and bypasses the caches if the compiler
 * supports that.
 *
 * Defines: none. */

#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define STREAM(value, at) __builtin_nontemporal_store(value, at)
#endif
#endif
#ifndef STREAM
#define STREAM(value, at) (*(at) = (value))
#endif

__kernel void empty(__global uint4 *to)
{
}

__kernel void fill_once(__global uint4 *to, ulong n)
{
    size_t i = get_global_id(0);
    if (i < n)
        to[i] = (uint4)(1, 2, 3, 4);
}

__kernel void fill_steps(__global uint4 *to, ulong n)
{
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
        to[i] = (uint4)(1, 2, 3, 4);
}

__kernel void copy_once(__global uint4 *to, ulong n, const __global uint4 *restrict from)
{
    size_t i = get_global_id(0);
    if (i < n)
        to[i] = from[i];
}

__kernel void copy_steps(__global uint4 *to, ulong n, const __global uint4 *restrict from)
{
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
        to[i] = from[i];
}

/* A store that never happens keeps the reads: no element differs from its neighbours like that. */
inline void keep(__global uint4 *to, uint4 seen)
{
    if (all(seen == (uint4)(0x9e3779b9u, 0x7f4a7c15u, 0xf39cc060u, 0x5cedc834u)))
        *to = seen;
}

__kernel void read_four(__global uint4 *to, ulong n, const __global uint4 *restrict from)
{
    size_t step = get_global_size(0), i = get_global_id(0);
    uint4 seen = (uint4)(0);
    for (; i + 3 * step < n; i += 4 * step) {
        uint4 a = from[i], b = from[i + step], c = from[i + 2 * step], d = from[i + 3 * step];
        seen ^= a ^ b ^ c ^ d;
    }
    for (; i < n; i += step)
        seen ^= from[i];
    keep(to, seen);
}

/* Four a work-item and no more, those of a group side by side. */
__kernel void read_block(__global uint4 *to, ulong n, const __global uint4 *restrict from)
{
    size_t step = get_local_size(0), i = 4 * step * get_group_id(0) + get_local_id(0);
    if (i + 3 * step < n)
        keep(to, from[i] ^ from[i + step] ^ from[i + 2 * step] ^ from[i + 3 * step]);
}

/* Each work-item reads eight vectors. */
__kernel void read_eight(__global uint4 *to, ulong n, const __global uint4 *restrict from)
{
    size_t step = get_local_size(0), i = 8 * step * get_group_id(0) + get_local_id(0);
    if (i + 7 * step < n) {
        uint4 a = from[i], b = from[i + step], c = from[i + 2 * step], d = from[i + 3 * step];
        uint4 e = from[i + 4 * step], f = from[i + 5 * step], g = from[i + 6 * step];
        keep(to, a ^ b ^ c ^ d ^ e ^ f ^ g ^ from[i + 7 * step]);
    }
}

__kernel void read_steps(__global uint4 *to, ulong n, const __global uint4 *restrict from)
{
    uint4 seen = (uint4)(0);
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
        seen ^= from[i];
    keep(to, seen);
}

/* Returns the 64-byte blocks of a work-item's share. */
inline size_t share_begin(size_t blocks, size_t item)
{
    return blocks * item / get_global_size(0);
}

__kernel void fill_share(__global uint16 *to, ulong n)
{
    size_t blocks = n / 4, end = share_begin(blocks, get_global_id(0) + 1);
    uint16 value = (uint16)(1);
    for (size_t i = share_begin(blocks, get_global_id(0)); i < end; i++)
        STREAM(value, to + i);
}

__kernel void copy_share(__global uint16 *to, ulong n, const __global uint16 *restrict from)
{
    size_t blocks = n / 4, end = share_begin(blocks, get_global_id(0) + 1);
    for (size_t i = share_begin(blocks, get_global_id(0)); i < end; i++)
        STREAM(from[i], to + i);
}

__kernel void read_share(__global uint16 *to, ulong n, const __global uint16 *restrict from)
{
    size_t blocks = n / 4, end = share_begin(blocks, get_global_id(0) + 1);
    uint16 seen = (uint16)(0);
    for (size_t i = share_begin(blocks, get_global_id(0)); i < end; i++)
        seen ^= from[i];
    keep((__global uint4 *)to, seen.lo.lo ^ seen.lo.hi ^ seen.hi.lo ^ seen.hi.hi);
}
