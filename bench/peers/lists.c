/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/lists.h"
#include "bench/peers/threads.h"

#include <stdlib.h>
#include <string.h>

#define MOST_THREADS 256

static int threads(void)
{
    int most = omp_get_max_threads();

    return most < MOST_THREADS ? most : MOST_THREADS;
}

static size_t share(size_t n, int part, int parts)
{
    return (size_t)((double)n * part / parts);
}

/* The first list that begins at `at` or later; m if there is none. */
static size_t list_at(const int32_t *offsets, size_t m, size_t at)
{
    size_t low = 0, high = m;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if ((size_t)offsets[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The bounds of this thread's lists, so that all threads have equal numbers of elements. */
static size_t first_list(const mote_lists_native *a, int part, int parts)
{
    if (part == 0 || part == parts)
        return part ? a->lists : 0;
    return list_at(a->offsets, a->lists, share(a->n, part, parts));
}

/* Replaces the threads' sums by the sums before each thread. */
static void sum_up(size_t *sums, int parts)
{
    size_t before = 0;

    for (int part = 0; part < parts; part++) {
        size_t sum = sums[part];

        sums[part] = before;
        before += sum;
    }
}

void mote_peer_counts(const mote_lists_native *a)
{
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < a->lists; k++)
        a->first[k] = a->offsets[k + 1] - a->offsets[k];
}

void mote_peer_from_counts(const mote_lists_native *a)
{
    static size_t sums[MOST_THREADS];

#pragma omp parallel num_threads(threads())
    {
        int part = omp_get_thread_num(), parts = omp_get_num_threads();
        size_t begin = share(a->lists, part, parts), end = share(a->lists, part + 1, parts);
        int32_t sum = 0;

        for (size_t k = begin; k < end; k++)
            sum += a->counts[k];
        sums[part] = (size_t)sum;
#pragma omp barrier
#pragma omp single
        sum_up(sums, parts);
        sum = (int32_t)sums[part];
        for (size_t k = begin; k < end; k++) {
            a->made_offsets[k] = sum;
            sum += a->counts[k];
        }
        if (part == parts - 1)
            a->made_offsets[a->lists] = sum;
    }
}

void mote_peer_from_parents(const mote_lists_native *a)
{
#pragma omp parallel num_threads(threads())
    {
        int part = omp_get_thread_num(), parts = omp_get_num_threads();
        size_t begin = share(a->n, part, parts), end = share(a->n, part + 1, parts);
        int32_t next = begin ? a->parents[begin - 1] + 1 : 0;

        for (size_t i = begin; i < end; i++)
            for (; next <= a->parents[i]; next++)
                a->made_offsets[next] = (int32_t)i;
        if (part == parts - 1)
            for (; (size_t)next <= a->lists; next++)
                a->made_offsets[next] = (int32_t)a->n;
    }
}

static size_t count_kept(const float *values, int32_t begin, int32_t end)
{
    size_t kept = 0;

    for (int32_t i = begin; i < end; i++)
        kept += values[i] != 0;
    return kept;
}

void mote_peer_nonzero(const mote_lists_native *a)
{
    static size_t sums[MOST_THREADS];

#pragma omp parallel num_threads(threads())
    {
        int part = omp_get_thread_num(), parts = omp_get_num_threads();
        size_t begin = first_list(a, part, parts), end = first_list(a, part + 1, parts);

        sums[part] = count_kept(a->values, a->offsets[begin], a->offsets[end]);
#pragma omp barrier
#pragma omp single
        sum_up(sums, parts);
        int32_t at = (int32_t)sums[part];

        for (size_t k = begin; k < end; k++) {
            a->made_offsets[k] = at;
            for (int32_t i = a->offsets[k]; i < a->offsets[k + 1]; i++)
                if (a->values[i] != 0)
                    a->first[at++] = i;
        }
        if (part == parts - 1)
            a->made_offsets[a->lists] = at;
    }
}

/* No branch depends on values, except at the end of a thread's part, because another thread writes
 * after it. */
void mote_peer_filter(const mote_lists_native *a)
{
    static size_t sums[MOST_THREADS];

#pragma omp parallel num_threads(threads())
    {
        int part = omp_get_thread_num(), parts = omp_get_num_threads();
        size_t begin = first_list(a, part, parts), end = first_list(a, part + 1, parts);
        size_t kept = count_kept(a->values, a->offsets[begin], a->offsets[end]);

        sums[part] = kept;
#pragma omp barrier
#pragma omp single
        sum_up(sums, parts);
        size_t at = sums[part], stop = at + kept;

        for (size_t k = begin; k < end; k++) {
            a->made_offsets[k] = (int32_t)at;
            for (int32_t i = a->offsets[k]; i < a->offsets[k + 1]; i++) {
                if (at < stop)
                    memcpy(a->first + at, a->values + i, sizeof(float));
                at += a->values[i] != 0;
            }
        }
        if (part == parts - 1)
            a->made_offsets[a->lists] = (int32_t)at;
    }
}

void mote_peer_gather(const mote_lists_native *a)
{
    float *result = (float *)a->first;

#pragma omp parallel num_threads(threads())
    {
        int part = omp_get_thread_num(), parts = omp_get_num_threads();
        size_t end = first_list(a, part + 1, parts);

        for (size_t k = first_list(a, part, parts); k < end; k++)
            for (int32_t i = a->offsets[k]; i < a->offsets[k + 1]; i++)
                result[i] = a->list_values[k];
    }
}

static int32_t length(const int32_t *offsets, size_t k)
{
    return offsets[k + 1] - offsets[k];
}

static size_t product_of(const mote_lists_native *a, size_t k)
{
    return (size_t)length(a->offsets, k) * (size_t)length(a->offsets_b, k);
}

static size_t pairs_of(const mote_lists_native *a, size_t k)
{
    size_t l = (size_t)length(a->offsets, k);

    return l * (l - (l > 0)) / 2;
}

static size_t fill_product(const mote_lists_native *a, size_t k, size_t at)
{
    for (int32_t i = a->offsets[k]; i < a->offsets[k + 1]; i++)
        for (int32_t j = a->offsets_b[k]; j < a->offsets_b[k + 1]; j++, at++) {
            a->first[at] = i;
            a->second[at] = j;
        }
    return at;
}

static size_t fill_pairs(const mote_lists_native *a, size_t k, size_t at)
{
    for (int32_t i = a->offsets[k]; i < a->offsets[k + 1]; i++)
        for (int32_t j = i + 1; j < a->offsets[k + 1]; j++, at++) {
            a->first[at] = i;
            a->second[at] = j;
        }
    return at;
}

/* Counts the combinations of each thread's lists first, then writes all of them. */
static void combine(const mote_lists_native *a, size_t (*count)(const mote_lists_native *, size_t),
                    size_t (*fill)(const mote_lists_native *, size_t, size_t))
{
    static size_t sums[MOST_THREADS];

#pragma omp parallel num_threads(threads())
    {
        int part = omp_get_thread_num(), parts = omp_get_num_threads();
        size_t begin = first_list(a, part, parts), end = first_list(a, part + 1, parts), at = 0;

        for (size_t k = begin; k < end; k++)
            at += count(a, k);
        sums[part] = at;
#pragma omp barrier
#pragma omp single
        sum_up(sums, parts);
        at = sums[part];
        for (size_t k = begin; k < end; k++) {
            a->made_offsets[k] = (int32_t)at;
            at = fill(a, k, at);
        }
        if (part == parts - 1)
            a->made_offsets[a->lists] = (int32_t)at;
    }
}

void mote_peer_product(const mote_lists_native *a)
{
    combine(a, product_of, fill_product);
}

void mote_peer_pairs(const mote_lists_native *a)
{
    combine(a, pairs_of, fill_pairs);
}

/* Adds in double, one element after another. */
void mote_peer_scan(const mote_lists_native *a)
{
    float *result = (float *)a->first;

#pragma omp parallel num_threads(threads())
    {
        int part = omp_get_thread_num(), parts = omp_get_num_threads();
        size_t end = first_list(a, part + 1, parts);

        for (size_t k = first_list(a, part, parts); k < end; k++) {
            double sum = 0;

            for (int32_t i = a->offsets[k]; i < a->offsets[k + 1]; i++) {
                sum += (double)a->values[i];
                result[i] = (float)sum;
            }
        }
    }
}

#define INSERTED 16 /* elements that are sorted by insertion */

static void insert(float *x, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        float value = x[i];
        size_t k = i;

        for (; k > 0 && value < x[k - 1]; k--)
            x[k] = x[k - 1];
        x[k] = value;
    }
}

/* No branch depends on values, as long as both halves have elements. */
static void merge(const float *from, size_t mid, size_t end, float *to)
{
    size_t i = 0, j = mid, at = 0;

    while (i < mid && j < end) {
        bool second = from[j] < from[i];

        to[at++] = second ? from[j] : from[i];
        i += !second;
        j += second;
    }
    memcpy(to + at, from + i, (mid - i) * sizeof(*to));
    memcpy(to + at + (mid - i), from + j, (end - j) * sizeof(*to));
}

/* Sorts x; `room` has as many elements. */
static void sort_list(float *x, float *room, size_t n)
{
    float *from = x, *to = room;

    for (size_t i = 0; i < n; i += INSERTED)
        insert(x + i, n - i < INSERTED ? n - i : INSERTED);
    for (size_t width = INSERTED; width < n; width *= 2) {
        float *other = from;

        for (size_t i = 0; i < n; i += 2 * width) {
            size_t end = n - i < 2 * width ? n - i : 2 * width;

            merge(from + i, end < width ? end : width, end, to + i);
        }
        from = to;
        to = other;
    }
    if (from != x)
        memcpy(x, from, n * sizeof(*x));
}

void mote_peer_sort(const mote_lists_native *a)
{
    float *result = (float *)a->first;

#pragma omp parallel num_threads(threads())
    {
        int part = omp_get_thread_num(), parts = omp_get_num_threads();
        size_t begin = first_list(a, part, parts), end = first_list(a, part + 1, parts), most = 1;

        for (size_t k = begin; k < end; k++) {
            size_t length = (size_t)(a->offsets[k + 1] - a->offsets[k]);

            most = length > most ? length : most;
        }
        float *room = malloc(most * sizeof(*room));
        for (size_t k = begin; room && k < end; k++) {
            size_t length = (size_t)(a->offsets[k + 1] - a->offsets[k]);
            float *list = result + a->offsets[k];

            memcpy(list, a->values + a->offsets[k], length * sizeof(*list));
            sort_list(list, room, length);
        }
        free(room);
    }
}
