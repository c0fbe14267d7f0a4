/* SPDX-License-Identifier: Apache-2.0 */
/* Steps whose order affects the result: v * factor + add, using scratch. */
typedef struct trial_step {
    uint factor;
    uint add;
} trial_step;

__kernel void trial_store(const __global uint *data, ulong data_at, __global uint *scratch,
                          ulong scratch_at, ulong n)
{
    size_t i = get_global_id(0);
    if (i < n)
        scratch[scratch_at + i] += data[data_at + i];
}

__kernel void trial_load(__global uint *data, ulong data_at, __global uint *scratch,
                         ulong scratch_at, ulong n, trial_step step)
{
    size_t i = get_global_id(0);
    if (i < n) {
        data[data_at + i] = scratch[scratch_at + i] * step.factor + step.add;
        scratch[scratch_at + i] = 0;
    }
}

/* Stores whether the optional pointer is given; local memory and one plain number. */
__kernel void trial_optional(__global uint *out, const __global uint *optional, ulong optional_at,
                             __local uint *room, uint value)
{
    room[get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) == 0)
        out[0] = optional ? optional[optional_at] : room[get_local_size(0) - 1] + (uint)optional_at;
}

/* Requires one group size. */
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void trial_group(__global uint *out)
{
    out[get_global_id(0)] = (uint)get_local_size(0);
}

/* A parameter of each kind, and others with which it could be confused. */
__kernel void trial_kinds(const __global uint *in, ulong in_at, __global uint *out, ulong out_at,
                          ulong first, ulong second, uint count, trial_step step,
                          __local uint *room)
{
    uint i = get_local_id(0);
    room[i] = i < count ? in[in_at + i] * step.factor + step.add : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < count)
        out[out_at + i] = room[i] + (uint)(first - second);
}
