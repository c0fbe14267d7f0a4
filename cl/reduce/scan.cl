/* SPDX-License-Identifier: Apache-2.0 */
/* Exclusive prefix sums of uint that wrap, for GPUs.
 *
 * Form: GPU.
 * Defines: WG. */
#define FOUR_T    uint
#define FOUR_LONG 0
#include "reduce/four.clh"

typedef uint4 scan_four;

typedef struct scan_input {
    const __global uint *in;
    bool fast;
} scan_input;

typedef struct scan_output {
    __global uint *out;
    bool fast;
} scan_output;

inline scan_four scan_load(const scan_input *in, ulong at, ulong end)
{
    return four_load(in->in, at, end, in->fast);
}

inline void scan_store(const scan_output *out, ulong at, ulong end, scan_four values,
                       scan_four before)
{
    four_store(out->out, at, end, out->fast, before);
}

inline void scan_finish(const scan_output *out, ulong count, uint total)
{
    out->out[count] = total;
}

#include "reduce/scan_body.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void scan_sums(
    const __global uint *restrict in, ulong in_at, ulong count, ulong each,
    __global uint *restrict sums, ulong sums_at)
{
    __local uint scratch[SCAN_SCRATCH_WORDS];
    const scan_input input = {in + in_at, four_aligned(in + in_at)};
    scan_sums_body(&input, count, each, sums + sums_at, scratch);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void scan_chunks(
    const __global uint *restrict in, ulong in_at, ulong count, ulong each,
    const __global uint *restrict sums, ulong sums_at, __global uint *restrict out, ulong out_at)
{
    __local uint scratch[SCAN_SCRATCH_WORDS];
    __local uint running[2];
    const scan_input input = {in + in_at, four_aligned(in + in_at)};
    const scan_output output = {out + out_at, four_aligned(out + out_at)};
    scan_chunks_body(&input, count, each, sums + sums_at, &output, scratch, running);
}
