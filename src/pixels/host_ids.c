/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/host_ids.h"
#include "core/fail.h"
#include "mote/pixels.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT 256

/* Lists one id of each run of equal ids: there are few runs, because a module's digis usually
 * follow each other. */
static size_t list_runs(const uint64_t *id, size_t n, uint64_t invalid, uint64_t *list)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if ((i == 0 || id[i] != id[i - 1]) && (invalid == 0 || id[i] != invalid) &&
            (count == 0 || id[i] != list[count - 1]))
            list[count++] = id[i];
    return count;
}

/* Sorts by one byte, keeping the order of equal bytes; returns false if all bytes are equal. */
static bool sort_digit(const uint64_t *from, uint64_t *to, size_t count, unsigned shift)
{
    size_t place[DIGIT] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++)
        place[from[i] >> shift & (DIGIT - 1)]++;
    if (place[from[0] >> shift & (DIGIT - 1)] == count)
        return false;
    for (size_t d = 0; d < DIGIT; d++) {
        size_t here = place[d];
        place[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++)
        to[place[from[i] >> shift & (DIGIT - 1)]++] = from[i];
    return true;
}

/* Sorts the list and removes duplicates; returns the new length. */
static size_t sort_distinct(uint64_t *list, uint64_t *spare, size_t count)
{
    uint64_t *from = list, *to = spare;
    size_t kept = 0;
    for (unsigned shift = 0; count > 0 && shift < 64; shift += 8)
        if (sort_digit(from, to, count, shift)) {
            uint64_t *other = from;
            from = to;
            to = other;
        }
    for (size_t i = 0; i < count; i++)
        if (i == 0 || from[i] != from[i - 1])
            spare[kept++] = from[i];
    memcpy(list, spare, kept * sizeof(*list));
    return kept;
}

/* Returns the index of an id in the list. If the caller's array has changed since its ids were
 * listed, the id may be missing: the result is then the index of another id, or 0. */
static uint32_t find(const uint64_t *list, size_t count, uint64_t id)
{
    size_t low = 0, high = count ? count - 1 : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static void fill_places(const uint64_t *id, size_t n, uint64_t invalid,
                        const mote_pixels_places *places)
{
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && id[i] == id[i - 1])
            places->place[i] = places->place[i - 1];
        else if (invalid != 0 && id[i] == invalid)
            places->place[i] = MOTE_PIXELS_INVALID_MODULE_U32;
        else
            places->place[i] = find(places->id, places->count, id[i]);
    }
}

mote_status mote_pixels_compress_ids(mote_host *host, size_t place_slot, size_t id_slot,
                                     const uint64_t *id, size_t n, uint64_t invalid,
                                     mote_pixels_places *places)
{
    void *place, *list;
    *places = (mote_pixels_places){0};
    mote_status st = mote_host_plain(host, place_slot, n * sizeof(uint32_t), &place);
    if (!st)
        st = mote_host_plain(host, id_slot, n * sizeof(uint64_t), &list);
    if (st)
        return st;
    places->place = place;
    places->id = list;
    size_t count = list_runs(id, n, invalid, list);
    uint64_t *spare = malloc((count + 1) * sizeof(*spare));
    if (!spare)
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY,
                         "mote_pixels_cluster_host: no host memory to sort %zu module ids", count);
    places->count = sort_distinct(list, spare, count);
    free(spare);
    fill_places(id, n, invalid, places);
    return MOTE_SUCCESS;
}
