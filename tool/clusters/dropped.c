/* SPDX-License-Identifier: Apache-2.0 */
/* The reasons why digis of a batch have no cluster. */
#include "job.h"

#include <stdlib.h>

/* A digi that was dropped although it is valid, not dead and not below the threshold. */
typedef struct dropped_digi {
    uint64_t module;
    uint32_t event, pixel;
    size_t digi;
} dropped_digi;

static int by_pixel(const void *a, const void *b)
{
    const dropped_digi *p = a, *q = b;
    if (p->event != q->event)
        return p->event < q->event ? -1 : 1;
    if (p->module != q->module)
        return p->module < q->module ? -1 : 1;
    return p->pixel < q->pixel ? -1 : p->pixel > q->pixel;
}

static dropped_digi entry_of(const digi_set *set, size_t i, size_t event)
{
    return (dropped_digi){digi_module(set, i), (uint32_t)event,
                          (uint32_t)set->y[i] << 16 | set->x[i], i};
}

/* Adds digi i to the counts if its reason is evident; otherwise returns false. */
static bool count_plain(const clusters_file *file, uint32_t threshold, size_t i,
                        clusters_counts *counts)
{
    const digi_set *set = &file->digis;
    if (digi_is_invalid(set, i))
        counts->invalid++;
    else if (modules_dead(&file->modules, set, i))
        counts->masked++;
    else if (threshold && modules_charge(&file->modules, set, i) < threshold)
        counts->below++;
    else
        return false;
    return true;
}

/* Finds the pixels of dropped digis that also have a digi with a cluster. This digi is the copy
 * that the policy FIRST keeps. */
static void find_kept(const clusters_batch *batch, dropped_digi *list, size_t count, bool *kept)
{
    const digi_set *set = &batch->file->digis;
    for (size_t e = batch->event_begin; e < batch->event_end; e++)
        for (size_t i = set->event_offsets[e]; i < set->event_offsets[e + 1]; i++) {
            if (batch->file->label[i] < 0)
                continue;
            dropped_digi key = entry_of(set, i, e);
            dropped_digi *found = bsearch(&key, list, count, sizeof(*list), by_pixel);
            if (found)
                kept[found - list] = true;
        }
}

/* The remaining digis were dropped as copies or with their clusters. Copies have a pixel in common:
 * for DROP all of them are in the list, for FIRST all except one that is kept or was cut. */
static bool count_copies(clusters_batch *batch, mote_pixels_duplicates policy, dropped_digi *list,
                         size_t count)
{
    bool *kept = calloc(count + 1, sizeof(*kept));
    uint64_t copies = 0;
    if (!kept)
        return false;
    qsort(list, count, sizeof(*list), by_pixel);
    if (policy == MOTE_DUPLICATES_FIRST)
        find_kept(batch, list, count, kept);
    for (size_t k = 0, next; k < count; k = next) {
        bool one = kept[k];
        for (next = k + 1; next < count && by_pixel(&list[next], &list[k]) == 0; next++)
            one = one || kept[next];
        if (policy == MOTE_DUPLICATES_FIRST)
            copies += next - k - (one ? 0 : 1);
        else
            copies += next - k > 1 ? next - k : 0;
    }
    free(kept);
    batch->counts.repeated += copies;
    batch->counts.cut += count - copies;
    return true;
}

bool clusters_count_dropped(const clusters_options *options, clusters_batch *batch,
                            uint32_t threshold)
{
    const digi_set *set = &batch->file->digis;
    mote_pixels_duplicates policy = (mote_pixels_duplicates)options->duplicates;
    bool adds_up = policy == MOTE_DUPLICATES_SUM || policy == MOTE_DUPLICATES_MAX;
    bool cuts = options->cut > 0.0L || options->inner_cut > 0.0L;
    size_t count = 0, reserved = 0;
    dropped_digi *list = NULL;
    bool good = true;
    for (size_t e = batch->event_begin; e < batch->event_end && good; e++)
        for (size_t i = set->event_offsets[e]; i < set->event_offsets[e + 1] && good; i++) {
            if (batch->file->label[i] >= 0 ||
                count_plain(batch->file, threshold, i, &batch->counts))
                continue;
            if (adds_up || !cuts) {
                *(cuts ? &batch->counts.cut : &batch->counts.repeated) += 1;
                continue;
            }
            if (count == reserved) {
                reserved = reserved ? 2 * reserved : 1024;
                dropped_digi *more = realloc(list, reserved * sizeof(*list));
                good = more != NULL;
                list = good ? more : list;
            }
            if (good)
                list[count++] = entry_of(set, i, e);
        }
    good = good && (count == 0 || count_copies(batch, policy, list, count));
    free(list);
    return good;
}
