/* SPDX-License-Identifier: Apache-2.0 */
/* The work of the worker: it clusters each block with the hits of open clusters. */
#include "../clusters/job.h"

#include <stdlib.h>
#include <string.h>

bool hits_reserve(hit_arrays *hits, size_t more)
{
    size_t count = hits->n + more, reserved[5];
    for (int k = 0; k < 5; k++)
        reserved[k] = hits->reserved;
    if (!hits_grow(&hits->module, &reserved[0], count, sizeof(*hits->module)) ||
        !hits_grow(&hits->x, &reserved[1], count, sizeof(*hits->x)) ||
        !hits_grow(&hits->y, &reserved[2], count, sizeof(*hits->y)) ||
        !hits_grow(&hits->t, &reserved[3], count, sizeof(*hits->t)) ||
        !hits_grow(&hits->charge, &reserved[4], count, sizeof(*hits->charge)))
        return false;
    hits->reserved = reserved[0];
    return true;
}

uint64_t hits_take_time(hit_past *past, uint64_t disorder, int64_t t)
{
    uint64_t behind = past->any && t < past->latest ? (uint64_t)past->latest - (uint64_t)t : 0;
    if (!past->any || t > past->latest)
        past->latest = t;
    past->last = t;
    past->any = true;
    return behind > disorder ? behind : 0;
}

int64_t hits_complete(const hit_past *past, uint64_t disorder)
{
    uint64_t room = (uint64_t)past->latest - (uint64_t)INT64_MIN;
    return !past->any || disorder > room ? INT64_MIN : (int64_t)((uint64_t)past->latest - disorder);
}

void hits_free(hit_arrays *hits)
{
    free(hits->module);
    free(hits->x);
    free(hits->y);
    free(hits->t);
    free(hits->charge);
    *hits = (hit_arrays){0};
}

void hit_stream_free(hit_stream *s)
{
    hits_free(&s->hits);
    free(s->narrow);
    free(s->index);
    free(s->number);
    free(s->label);
    free(s->ids);
    free(s->held);
    free(s->waiting);
    free(s->numbers);
    for (size_t k = 0; k < s->n_modules; k++)
        free(s->modules[k].drawn);
    free(s->modules);
    free(s->table);
    *s = (hit_stream){0};
}

/* Returns the place of a module among those so far, or where it belongs. */
static size_t place_of(const hit_stream *s, uint32_t id)
{
    size_t low = 0, high = s->n_ids;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int compare_ids(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Merges the `count` new ids behind those so far, which may repeat but are not among those. */
static bool merge_ids(hit_stream *s, size_t count)
{
    uint32_t *added = malloc(count * sizeof(*added));
    if (!added)
        return false;
    memcpy(added, s->ids + s->n_ids, count * sizeof(*added));
    qsort(added, count, sizeof(*added), compare_ids);
    size_t different = 0;
    for (size_t k = 0; k < count; k++)
        if (!k || added[k] != added[k - 1])
            added[different++] = added[k];
    size_t left = s->n_ids;
    s->n_ids += different;
    for (size_t to = s->n_ids; different; to--)
        s->ids[to - 1] =
            left && s->ids[left - 1] > added[different - 1] ? s->ids[--left] : added[--different];
    free(added);
    return true;
}

/* Adds the modules of the hits from `begin` on to those so far. */
static bool find_modules(hit_stream *s, size_t begin)
{
    size_t count = 0;
    for (size_t i = begin; i < s->hits.n; i++) {
        uint32_t id = s->hits.module[i];
        if (i > begin && id == s->hits.module[i - 1])
            continue;
        size_t at = place_of(s, id);
        if (at < s->n_ids && s->ids[at] == id)
            continue;
        if (!hits_grow(&s->ids, &s->ids_reserved, s->n_ids + count + 1, sizeof(*s->ids)))
            return false;
        s->ids[s->n_ids + count++] = id;
    }
    return !count || merge_ids(s, count);
}

/* Appends a block to the hits that are to be clustered. */
static bool append(hit_stream *s, const hit_arrays *block)
{
    hit_arrays *hits = &s->hits;
    size_t begin = hits->n, count = begin + block->n;
    size_t reserved[3] = {s->index_reserved, s->index_reserved, s->index_reserved};
    if (!hits_reserve(hits, block->n) ||
        !hits_grow(&s->index, &reserved[0], count, sizeof(*s->index)) ||
        !hits_grow(&s->number, &reserved[1], count, sizeof(*s->number)) ||
        !hits_grow(&s->label, &reserved[2], count, sizeof(*s->label)))
        return false;
    s->index_reserved = reserved[0];
    if (block->n) {
        memcpy(hits->module + begin, block->module, block->n * sizeof(*hits->module));
        memcpy(hits->x + begin, block->x, block->n * sizeof(*hits->x));
        memcpy(hits->y + begin, block->y, block->n * sizeof(*hits->y));
        memcpy(hits->t + begin, block->t, block->n * sizeof(*hits->t));
        memcpy(hits->charge + begin, block->charge, block->n * sizeof(*hits->charge));
    }
    hits->n = count;
    for (size_t i = begin; i < count; i++) {
        s->index[i] = s->taken++;
        s->rows = hits->x[i] >= s->rows ? hits->x[i] + 1u : s->rows;
        s->columns = hits->y[i] >= s->columns ? hits->y[i] + 1u : s->columns;
    }
    return find_modules(s, begin) && (!s->waits || hit_order_wait(s, hits, begin));
}

static bool call_library(device_worker *w, const hit_options *options, const hit_block *block,
                         bool last, hit_stream *s, mote_pixels_time_host_result *result)
{
    mote_pixels_time_host_args args;
    size_t n = s->hits.n;
    if (n >> 31) {
        tool_fail(TOOL_INPUT,
                  "%zu hits belong to clusters that may be incomplete, but fewer than 2^31 are "
                  "possible: give a smaller --time-window or --disorder",
                  n);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        s->number[i] = i && s->hits.module[i] == s->hits.module[i - 1]
                           ? s->number[i - 1]
                           : (uint32_t)place_of(s, s->hits.module[i]);
    mote_pixels_time_host_args_init(&args);
    args.n = n;
    args.module_id32 = s->number;
    args.x = s->hits.x;
    args.y = s->hits.y;
    args.t = s->hits.t;
    args.charge32 = s->hits.charge;
    args.n_modules = (uint32_t)s->n_ids;
    args.rows = s->rows ? s->rows : 1;
    args.columns = s->columns ? s->columns : 1;
    args.radius = options->radius ? (uint32_t)options->radius : MOTE_PIXELS_SAME_PIXEL;
    args.window = (int64_t)options->window;
    args.streaming = !last;
    args.complete = block->complete;
    args.cluster_id = s->label;
    double start = tool_seconds();
    mote_status status = mote_pixels_cluster_time_host(w->ctx, w->host, &args, result);
    w->device_s += tool_seconds() - start;
    return !status || failure_of_library(&w->failure, status);
}

static uint32_t pixel_of(const hit_arrays *hits, size_t i)
{
    return (uint32_t)hits->y[i] << 16 | hits->x[i];
}

/* Passes the complete clusters on, with the place of their first hits. */
static bool add_clusters(hit_stream *s, const mote_pixels_time_host_result *result,
                         const hit_cluster *open, text_buffer *lines)
{
    size_t n = result->n_clusters;
    uint32_t *pixel = malloc((n + 1) * sizeof(*pixel));
    if (!pixel)
        return false;
    memset(pixel, 0xff, n * sizeof(*pixel));
    for (size_t i = 0; i < s->hits.n; i++) {
        int32_t c = s->label[i];
        if (c < 0)
            continue;
        uint32_t here = pixel_of(&s->hits, i);
        if (s->hits.t[i] == result->first[c] && here < pixel[c])
            pixel[c] = here;
        if (s->waits)
            s->waiting[s->waiting_begin + (s->index[i] - s->waiting_first)].cluster =
                s->arrivals + (uint64_t)c;
    }
    bool good = true;
    for (size_t c = 0; c < n && good; c++) {
        hit_cluster cluster = {.first = result->first[c],
                               .last = result->last[c],
                               .module = s->ids[result->module[c]],
                               .pixel = pixel[c],
                               .first_digi = s->index[result->properties[c].first_digi],
                               .arrival = s->arrivals++,
                               .record = result->properties[c]};
        good = hit_order_add(s, &cluster, open, lines);
    }
    free(pixel);
    return good;
}

/* Finds the first hit of open clusters, in the order of clusters. Returns false if there is none.
 */
static bool find_open(const hit_stream *s, hit_cluster *first)
{
    const hit_arrays *h = &s->hits;
    bool any = false;
    for (size_t i = 0; i < h->n; i++) {
        if (s->label[i] >= 0)
            continue;
        uint32_t pixel = pixel_of(h, i);
        bool earlier = !any || h->t[i] < first->first;
        if (!earlier && h->t[i] == first->first)
            earlier =
                h->module[i] != first->module ? h->module[i] < first->module : pixel < first->pixel;
        if (earlier)
            *first = (hit_cluster){.first = h->t[i], .module = h->module[i], .pixel = pixel};
        any = true;
    }
    return any;
}

/* Keeps only the hits of open clusters. */
static void keep_open(hit_stream *s)
{
    hit_arrays *h = &s->hits;
    size_t n = 0;
    for (size_t i = 0; i < h->n; i++) {
        if (s->label[i] >= 0)
            continue;
        h->module[n] = h->module[i];
        h->x[n] = h->x[i];
        h->y[n] = h->y[i];
        h->t[n] = h->t[i];
        h->charge[n] = h->charge[i];
        s->index[n++] = s->index[i];
    }
    h->n = s->open = n;
}

bool hits_work(device_worker *w, size_t slot)
{
    clusters_job *job = w->workers->job;
    clusters_batch *batch = &job->batches[slot];
    hit_stream *s = job->stream;
    mote_pixels_time_host_result result;
    text_buffer *clusters = job->outs[OUT_CLUSTERS] ? &batch->lines[OUT_CLUSTERS] : NULL;
    hit_cluster first = {0};
    uint64_t before = s->released;
    bool open = false;
    if (batch->hits.n_packets && !hits_decode(w, s, job->options->hits.disorder, &batch->hits))
        return false;
    if (s->past.any) /* the hits are packets */
        batch->hits.complete = hits_complete(&s->past, job->options->hits.disorder);
    batch->counts = (clusters_counts){.digis = batch->hits.hits.n, .invalid = batch->hits.skipped};
    bool good = append(s, &batch->hits.hits);
    /* Hits that stay open would be clustered again with each block. */
    if (good && !batch->last && s->hits.n - s->open < s->open)
        return true;
    mote_pixels_time_host_result_init(&result);
    if (good && s->hits.n) {
        if (!call_library(w, &job->options->hits, &batch->hits, batch->last, s, &result))
            return false;
        open = find_open(s, &first);
        good = add_clusters(s, &result, open ? &first : NULL, clusters);
        keep_open(s);
    }
    good = good && hit_order_release(s, open ? &first : NULL, clusters,
                                     job->outs[OUT_LABELS] ? &batch->lines[OUT_LABELS] : NULL);
    batch->counts.clusters = s->released - before;
    return good || failure_set(&w->failure, TOOL_INPUT, "out of memory for hits of open clusters");
}
