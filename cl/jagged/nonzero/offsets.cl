/* SPDX-License-Identifier: Apache-2.0 */
/* The number of values kept before each offset: from the number before its block, and the block's
 * marks. Every list is checked.
 *
 * Form: both.
 * Defines: INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "common/sweep.clh"
#include "jagged/nonzero/nonzero.clh"

#if INDEX_LONG
typedef ulong kept_t;
#else
typedef uint kept_t;
#endif

/* Marks before bit `r` of a word; r may be beyond the word. */
inline uint marks_before(uint word, uint from, uint r)
{
    uint bits = r > from ? min(r - from, 32u) : 0;
    return popcount(bits < 32 ? word & ((1u << bits) - 1) : word);
}

typedef struct marks_input {
    const __global uint4 *marks;
    const __global kept_t *blocks;
} marks_input;

/* Returns how many values before position `at` are kept. */
inline kept_t kept_before(const marks_input *in, ulong at)
{
    uint r = at % NONZERO_BLOCK;
    kept_t kept = in->blocks[at / NONZERO_BLOCK];
    if (r > 0) {
        uint4 word = in->marks[at / NONZERO_BLOCK];
        kept += marks_before(word.x, 0, r) + marks_before(word.y, 32, r) +
                marks_before(word.z, 64, r) + marks_before(word.w, 96, r);
    }
    return kept;
}

__kernel void nonzero_offsets(const __global INDEX *restrict offsets, ulong offsets_at, uint m,
                              ulong n, const __global uint4 *restrict marks, ulong marks_at,
                              const __global kept_t *restrict blocks, ulong blocks_at,
                              __global INDEX *restrict out, ulong out_at,
                              volatile __global uint *error, ulong error_at)
{
    const marks_input in = {marks + marks_at / 4, blocks + blocks_at};
    offsets += offsets_at;
    out += out_at;
    error += error_at;
#ifdef CPU_FORM
    INDEX last = 0; /* no value is kept before position 0 */
    kept_t kept = 0;
#endif
    for (sweep s = sweep_of((ulong)m + 1); s.at < s.end; s.at += s.step) {
        INDEX offset = offsets[s.at];
        if (s.at < m)
            list_check(error, (uint)s.at, offset, offsets[s.at + 1], (position_t)n);
#ifdef CPU_FORM
        if (offset != last)
            kept = kept_before(&in, min((ulong)(position_t)offset, n));
        last = offset;
        out[s.at] = (INDEX)kept;
#else
        out[s.at] = (INDEX)kept_before(&in, min((ulong)(position_t)offset, n));
#endif
    }
}
