/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers the clusters of a stream by their first hits, whatever the order in which they become
 * complete. */
#include "../clusters/job.h"
#include "../io/text.h"

#include <stdlib.h>
#include <string.h>

#define ROW_BYTES ((size_t)640)

bool hits_grow(void *array, size_t *reserved, size_t count, size_t bytes)
{
    void **place = array;
    if (count <= *reserved)
        return true;
    size_t more = count + count / 2 + 1024;
    void *moved = realloc(*place, more * bytes);
    if (!moved)
        return false;
    *place = moved;
    *reserved = more;
    return true;
}

/* Makes room behind `end` for `count` elements of a queue, and moves it to the start of its array
 * when half of the array is free. */
static bool queue_room(void *array, size_t *begin, size_t *end, size_t *reserved, size_t count,
                       size_t bytes)
{
    void **place = array;
    if (*begin && *begin >= *end - *begin) {
        char *at = *place;
        memmove(at, at + *begin * bytes, (*end - *begin) * bytes);
        *end -= *begin;
        *begin = 0;
    }
    return hits_grow(array, reserved, *end + count, bytes);
}

bool hit_order_wait(hit_stream *s, const hit_arrays *hits, size_t begin)
{
    size_t count = hits->n - begin;
    if (!queue_room(&s->waiting, &s->waiting_begin, &s->waiting_end, &s->waiting_reserved, count,
                    sizeof(*s->waiting)))
        return false;
    for (size_t i = begin; i < hits->n; i++)
        s->waiting[s->waiting_end++] = (hit_waiting){.t = hits->t[i],
                                                     .cluster = HIT_OPEN,
                                                     .module = hits->module[i],
                                                     .charge = hits->charge[i],
                                                     .x = hits->x[i],
                                                     .y = hits->y[i]};
    return true;
}

static bool is_before(const hit_cluster *a, const hit_cluster *b)
{
    if (a->first != b->first)
        return a->first < b->first;
    return a->module != b->module ? a->module < b->module : a->pixel < b->pixel;
}

static void sift_down(hit_cluster *heap, size_t n)
{
    hit_cluster moved = heap[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && is_before(&heap[child + 1], &heap[child]);
        if (!is_before(&heap[child], &moved))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

static bool push(hit_stream *s, const hit_cluster *cluster)
{
    if (!hits_grow(&s->held, &s->held_reserved, s->n_held + 1, sizeof(*s->held)))
        return false;
    size_t at = s->n_held++;
    for (; at && is_before(cluster, &s->held[(at - 1) / 2]); at = (at - 1) / 2)
        s->held[at] = s->held[(at - 1) / 2];
    s->held[at] = *cluster;
    return true;
}

static char *field(char *at, uint64_t value)
{
    at = text_whole(at, value);
    *at++ = ',';
    return at;
}

static bool cluster_line(text_buffer *lines, uint64_t number, const hit_cluster *cluster)
{
    char *at = buffer_room(lines, ROW_BYTES);
    if (!at)
        return false;
    at = field(at, 0);
    at = field(at, cluster->module);
    at = field(at, number);
    at = clusters_record_fields(at, NULL, &cluster->record, cluster->first_digi);
    *at++ = ',';
    at = text_signed(at, cluster->first);
    *at++ = ',';
    at = text_signed(at, cluster->last);
    *at++ = '\n';
    buffer_used(lines, at);
    return true;
}

static bool label_line(text_buffer *lines, uint64_t number, const hit_waiting *hit)
{
    char *at = buffer_room(lines, ROW_BYTES);
    if (!at)
        return false;
    at = field(at, 0);
    at = field(at, hit->module);
    at = field(at, hit->x);
    at = field(at, hit->y);
    at = field(at, hit->charge);
    at = field(at, number);
    at = text_signed(at, hit->t);
    *at++ = '\n';
    buffer_used(lines, at);
    return true;
}

/* Formats the lines of hits, in the order of the input, up to the first one whose cluster has no
 * number. */
static bool release_hits(hit_stream *s, text_buffer *labels)
{
    while (s->waiting_begin < s->waiting_end) {
        const hit_waiting *hit = &s->waiting[s->waiting_begin];
        if (hit->cluster == HIT_OPEN)
            break;
        hit_number *n = &s->numbers[s->numbers_begin + (hit->cluster - s->numbers_first)];
        if (n->number == HIT_OPEN)
            break;
        if ((labels && !label_line(labels, n->number, hit)) ||
            (s->draws && !hit_picture_add(s, hit, n->first)))
            return false;
        n->left--;
        s->waiting_begin++;
        s->waiting_first++;
        while (s->numbers_begin < s->numbers_end && !s->numbers[s->numbers_begin].left) {
            s->numbers_begin++;
            s->numbers_first++;
        }
    }
    return true;
}

/* Gives the next number to a cluster. */
static bool give_number(hit_stream *s, const hit_cluster *cluster, text_buffer *clusters)
{
    if (clusters && !cluster_line(clusters, s->released, cluster))
        return false;
    if (s->waits)
        s->numbers[s->numbers_begin + (cluster->arrival - s->numbers_first)].number = s->released;
    s->released++;
    return true;
}

/* Numbers the clusters that are held and come before `limit`. */
static bool release_held(hit_stream *s, const hit_cluster *limit, text_buffer *clusters)
{
    while (s->n_held && (!limit || is_before(&s->held[0], limit))) {
        if (!give_number(s, &s->held[0], clusters))
            return false;
        s->held[0] = s->held[--s->n_held];
        if (s->n_held)
            sift_down(s->held, s->n_held);
    }
    return true;
}

bool hit_order_add(hit_stream *s, const hit_cluster *cluster, const hit_cluster *open,
                   text_buffer *clusters)
{
    if (s->waits) {
        if (!queue_room(&s->numbers, &s->numbers_begin, &s->numbers_end, &s->numbers_reserved, 1,
                        sizeof(*s->numbers)))
            return false;
        s->numbers[s->numbers_end++] = (hit_number){HIT_OPEN, cluster->first, cluster->record.size};
    }
    if (open && !is_before(cluster, open))
        return push(s, cluster);
    return release_held(s, cluster, clusters) && give_number(s, cluster, clusters);
}

bool hit_order_release(hit_stream *s, const hit_cluster *open, text_buffer *clusters,
                       text_buffer *labels)
{
    return release_held(s, open, clusters) && (!s->waits || release_hits(s, labels));
}
