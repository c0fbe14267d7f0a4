/* SPDX-License-Identifier: Apache-2.0 */
/* Copies lists to rows of k elements. Every list is checked by the work-item that processes the
 * first element of its row.
 *
 * Form: both.
 * Defines: VALUE (uchar, ushort, uint or ulong, for values of that size), INDEX, INDEX_SIGNED,
 * INDEX_LONG (jagged/lists.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "common/sweep.clh"
#include "jagged/lists.clh"

typedef struct pad_input {
    const __global INDEX *offsets, *starts; /* if starts is 0, all rows begin at `start` */
    const __global VALUE *values;
    ulong n, start;
    volatile __global uint *error;
} pad_input;

/* A list, and the place in the list of an element of its row. A bad list is empty. A place before
 * the list wraps around, so that it is not below `length`. */
typedef struct pad_row {
    const __global VALUE *values; /* the first value of the list */
    ulong length, place;
} pad_row;

/* Returns the list of row i, and the place in the list of the row's element j. */
inline pad_row pad_row_of(const pad_input *in, uint i, ulong j)
{
    const INDEX begin = in->offsets[i], end = in->offsets[i + 1];
    pad_row r;
    r.values = in->values;
    r.length = 0;
    if (list_is_right(begin, end, list_limit(0, in->n))) {
        r.values += begin;
        r.length = (ulong)(end - begin);
    } else if (j == 0) {
        list_check(in->error, i, begin, end, list_limit(0, in->n));
    }
    if (in->starts)
        r.place = (ulong)in->starts[i] + j;
    else
        r.place = in->start + ((long)in->start < 0 ? r.length : 0) + j;
    return r;
}

#ifdef CPU_FORM
/* Writes `count` elements of a row. */
inline void pad_write(const pad_row *r, __global VALUE *result, ulong count, VALUE fill)
{
    const ulong before = (long)r->place < 0 ? min(count, 0 - r->place) : 0;
    const ulong place = r->place + before;
    const ulong end = place < r->length ? before + min(count - before, r->length - place) : before;
    const __global VALUE *values = r->values + place;
    for (ulong u = 0; u < before; u++)
        result[u] = fill;
    for (ulong u = before; u < end; u++)
        result[u] = values[u - before];
    for (ulong u = end; u < count; u++)
        result[u] = fill;
}
#endif

/* Writes the rows. If k is 0, the kernel only checks the lists. */
__kernel void pad(const __global INDEX *restrict offsets, ulong offsets_at, uint m,
                  const __global VALUE *restrict values, ulong values_at, ulong n, ulong start,
                  const __global INDEX *restrict starts, ulong starts_at, ulong k, ulong fill,
                  __global VALUE *restrict result, ulong result_at, volatile __global uint *error,
                  ulong error_at)
{
    const pad_input in = {
        offsets + offsets_at, starts ? starts + starts_at : 0, values + values_at, n, start,
        error + error_at};
    const ulong width = max(k, (ulong)1);
    sweep s = sweep_of(m * width);
    ulong i = s.at / width, j = s.at - i * width;
    result += result_at;
#ifdef CPU_FORM
    while (s.at < s.end) {
        const pad_row r = pad_row_of(&in, (uint)i, j);
        const ulong count = min(width - j, s.end - s.at);
        if (k)
            pad_write(&r, result + s.at, count, (VALUE)fill);
        s.at += count;
        i++;
        j = 0;
    }
#else
    const ulong rows = s.step / width, rest = s.step - rows * width;
    for (; s.at < s.end; s.at += s.step) {
        const pad_row r = pad_row_of(&in, (uint)i, j);
        if (k)
            result[s.at] = r.place < r.length ? r.values[r.place] : (VALUE)fill;
        i += rows;
        j += rest;
        if (j >= width) {
            j -= width;
            i++;
        }
    }
#endif
}
