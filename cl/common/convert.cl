/* SPDX-License-Identifier: Apache-2.0 */
/* Converts elements of FROM_T to TO_T: values that fit are converted as in C, other values to the
 * nearest representable value, and NaN to 0 in integers and bool. src/core/convert.c gives the same
 * bits.
 *
 * Form: both.
 * Defines: FROM_T, TO_T (OpenCL C types), FROM_KIND, TO_KIND (KIND_*), WG.
 * Optional: TO_MIN, TO_MAX, TO_LIMIT (TO_MAX + 1 as a float; to integers), FP64 (a double on
 * either side), CPU_FORM (a work-item converts one long range instead of every n-th element). */
#define KIND_BOOL     0
#define KIND_UNSIGNED 1
#define KIND_SIGNED   2
#define KIND_FLOAT    3

#ifdef FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#if TO_KIND == KIND_BOOL && FROM_KIND != KIND_FLOAT
static TO_T convert_value(FROM_T v)
{
    return (TO_T)(v != 0 ? 1 : 0);
}
#elif TO_KIND == KIND_BOOL
static TO_T convert_value(FROM_T v)
{
    return (TO_T)(v == v && v != (FROM_T)0 ? 1 : 0);
}
#elif TO_KIND == KIND_FLOAT && FROM_KIND == KIND_BOOL
static TO_T convert_value(FROM_T v)
{
    return v != 0 ? (TO_T)1 : (TO_T)0;
}
#elif TO_KIND == KIND_FLOAT
static TO_T convert_value(FROM_T v)
{
    return (TO_T)v;
}
#elif FROM_KIND == KIND_FLOAT
static TO_T convert_value(FROM_T v)
{
    if (v != v)
        return (TO_T)0;
    if (v <= (FROM_T)TO_MIN)
        return (TO_T)TO_MIN;
    return v >= (FROM_T)TO_LIMIT ? (TO_T)TO_MAX : (TO_T)v;
}
#elif FROM_KIND == KIND_SIGNED
static TO_T convert_value(FROM_T v)
{
    if (v < 0)
        return (long)v < (long)TO_MIN ? (TO_T)TO_MIN : (TO_T)v;
    return (ulong)v > (ulong)TO_MAX ? (TO_T)TO_MAX : (TO_T)v;
}
#elif FROM_KIND == KIND_UNSIGNED
static TO_T convert_value(FROM_T v)
{
    return (ulong)v > (ulong)TO_MAX ? (TO_T)TO_MAX : (TO_T)v;
}
#else
static TO_T convert_value(FROM_T v)
{
    return (TO_T)(v != 0 ? 1 : 0);
}
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void convert(
    const __global FROM_T *restrict in, ulong in_at, __global TO_T *restrict out, ulong out_at,
    ulong n)
{
    ulong items = get_global_size(0), item = get_global_id(0);
#ifdef CPU_FORM
    ulong each = n / items + (n % items != 0);
    ulong begin = min(item * each, n), end = min(begin + each, n), step = 1;
#else
    ulong begin = item, end = n, step = items;
#endif
    for (ulong i = begin; i < end; i += step)
        out[out_at + i] = convert_value(in[in_at + i]);
}
