/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/pixels/digis_oracle.h"

#include <stdlib.h>

/* One digi of a cluster. */
typedef struct entry {
    uint64_t cluster;
    uint32_t y, x, index;
} entry;

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_entries(const void *left, const void *right)
{
    const entry *a = left, *b = right;

    if (a->cluster != b->cluster)
        return compare_numbers(a->cluster, b->cluster);
    if (a->y != b->y)
        return compare_numbers(a->y, b->y);
    return a->x != b->x ? compare_numbers(a->x, b->x) : compare_numbers(a->index, b->index);
}

bool mote_oracle_cluster_digis(const mote_digis *digis, const int32_t *cluster_id,
                               const uint32_t *cluster_start, size_t capacity, uint32_t *offsets,
                               uint32_t *list)
{
    entry *entries = malloc((digis->n + 1) * sizeof(*entries));
    size_t count = 0, at = 0;

    if (!entries)
        return false;
    for (size_t event = 0; event < digis->n_events; event++)
        for (uint32_t i = digis->event_offsets[event]; i < digis->event_offsets[event + 1]; i++) {
            if (cluster_id[i] < 0)
                continue;
            uint64_t slot = event * digis->n_modules + digis->module_id[i];
            uint64_t cluster = cluster_start[slot] + (uint64_t)cluster_id[i];
            if (cluster < capacity)
                entries[count++] = (entry){cluster, digis->y[i], digis->x[i], i};
        }
    qsort(entries, count, sizeof(*entries), compare_entries);
    for (size_t cluster = 0; cluster <= capacity; cluster++) {
        while (at < count && entries[at].cluster < cluster)
            at++;
        offsets[cluster] = (uint32_t)at;
    }
    for (size_t i = 0; i < count; i++)
        list[i] = entries[i].index;
    free(entries);
    return true;
}
