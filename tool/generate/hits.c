/* SPDX-License-Identifier: Apache-2.0 */
/* mote generate hits: a simulated stream of hits with times. */
#include "kinds.h"

#include "../io/out.h"
#include "../io/text.h"
#include "../progress.h"

#include <stdlib.h>
#include <string.h>

#include "testkit/reference/pixels/timepix3_oracle.h"
#include "testkit/rng.h"

#define SIDE       256u
#define SMALL      8u  /* most clusters have at most this number of hits */
#define LARGE_ONCE 20u /* one cluster in this number may be larger */
#define TICKS      16u /* mean time between two hits of a chip: 40 million hits a second */
#define SPREAD     24u /* of the times in a cluster */
#define CHUNK_HITS 1000u

/* A hit that has not been written. Hits are written in the order of (key, number), where the key is
 * the time plus a delay of at most the disorder. */
typedef struct waiting_hit {
    int64_t key;
    uint64_t number;
    mote_timepix3_hit hit;
    uint32_t chip;
} waiting_hit;

typedef struct stream {
    const generate_options *options;
    out_file *out;
    mote_rng rng;
    uint64_t made, written, clusters;
    int64_t parts; /* of which a tick has as many as there are chips, until the next cluster */
    int64_t time;  /* when the next cluster begins */
    waiting_hit *heap;
    size_t n, reserved;
    bool packets;
    uint64_t chunk[CHUNK_HITS];
    size_t chunk_hits;
    uint32_t chunk_chip;
} stream;

static bool is_before(const waiting_hit *a, const waiting_hit *b)
{
    return a->key != b->key ? a->key < b->key : a->number < b->number;
}

static bool push(stream *s, const waiting_hit *hit)
{
    if (s->n == s->reserved) {
        size_t count = s->n ? 2 * s->n : 4096;
        waiting_hit *more = realloc(s->heap, count * sizeof(*more));
        if (!more)
            return false;
        s->heap = more;
        s->reserved = count;
    }
    size_t at = s->n++;
    for (; at && is_before(hit, &s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = *hit;
    return true;
}

static waiting_hit pop(stream *s)
{
    waiting_hit first = s->heap[0], moved = s->heap[--s->n];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < s->n; at = child) {
        child += child + 1 < s->n && is_before(&s->heap[child + 1], &s->heap[child]);
        if (!is_before(&s->heap[child], &moved))
            break;
        s->heap[at] = s->heap[child];
    }
    s->heap[at] = moved;
    return first;
}

static char *put_word(char *at, uint64_t word)
{
    for (int k = 0; k < 8; k++)
        *at++ = (char)(word >> 8 * k & 0xff);
    return at;
}

static void write_chunk(stream *s)
{
    if (!s->chunk_hits)
        return;
    uint64_t bytes = 8 * s->chunk_hits;
    out_used(s->out, put_word(out_room(s->out, 8),
                              bytes << 48 | (uint64_t)s->chunk_chip << 32 | 0x33585054));
    for (size_t k = 0; k < s->chunk_hits; k++)
        out_used(s->out, put_word(out_room(s->out, 8), s->chunk[k]));
    s->chunk_hits = 0;
}

static void write_hit(stream *s, const waiting_hit *w)
{
    s->written++;
    if (s->packets) {
        if (s->chunk_hits == CHUNK_HITS || s->chunk_chip != w->chip)
            write_chunk(s);
        s->chunk_chip = w->chip;
        s->chunk[s->chunk_hits++] = mote_timepix3_packet(&w->hit);
        return;
    }
    const uint32_t fields[] = {w->hit.x, w->hit.y};
    char *at = text_whole(out_room(s->out, 5 * TEXT_ROOM), w->chip);
    for (int k = 0; k < 2; k++) {
        *at++ = ',';
        at = text_whole(at, fields[k]);
    }
    *at++ = ',';
    at = text_signed(at, w->hit.t);
    *at++ = ',';
    at = text_whole(at, w->hit.charge);
    *at++ = '\n';
    out_used(s->out, at);
}

/* Moves to the next pixel of a track and turns back at the edge of the chip. */
static uint16_t step(mote_rng *rng, uint16_t at, int *way)
{
    if ((*way < 0 && at == 0) || (*way > 0 && at == SIDE - 1))
        *way = -*way;
    return mote_rng_below(rng, 3) ? (uint16_t)(at + *way) : at;
}

/* Makes the hits of one cluster, which is a track of neighbouring pixels. */
static bool make_cluster(stream *s)
{
    mote_rng *rng = &s->rng;
    uint32_t most = (uint32_t)s->options->most;
    if (most > SMALL && mote_rng_below(rng, LARGE_ONCE))
        most = SMALL;
    uint32_t size = 1 + mote_rng_below(rng, most), chips = (uint32_t)s->options->chips;
    waiting_hit w = {.chip = mote_rng_below(rng, chips)};
    int x_way = mote_rng_below(rng, 2) ? 1 : -1, y_way = mote_rng_below(rng, 2) ? 1 : -1;
    w.hit.x = (uint16_t)mote_rng_below(rng, SIDE);
    w.hit.y = (uint16_t)mote_rng_below(rng, SIDE);
    for (uint32_t k = 0; k < size && s->made < s->options->hits; k++) {
        w.hit.t = s->time + (int64_t)mote_rng_below(rng, SPREAD);
        w.hit.charge = (uint16_t)(1 + mote_rng_below(rng, 200));
        w.key = w.hit.t + mote_rng_between(rng, 0, (int64_t)s->options->disorder);
        w.number = s->made++;
        if (!push(s, &w))
            return false;
        w.hit.x = step(rng, w.hit.x, &x_way);
        w.hit.y = step(rng, w.hit.y, &y_way);
    }
    s->clusters++;
    s->parts += mote_rng_between(rng, 0, 2 * (int64_t)size * TICKS);
    s->time = s->parts / chips;
    return true;
}

/* Writes the hits that come before all hits of later clusters. */
static void write_ready(stream *s)
{
    bool ended = s->made == s->options->hits;
    while (s->n && (ended || s->heap[0].key < s->time)) {
        waiting_hit w = pop(s);
        write_hit(s, &w);
        if (s->written % 65536 == 0)
            progress_show((double)s->written / (double)s->options->hits, s->written);
    }
}

static int write_stream(stream *s)
{
    const char *path = s->options->common.output;
    double start = tool_seconds();
    int code = out_open(path, &s->out);
    bool good = true;
    if (code != TOOL_DONE)
        return code;
    if (!s->packets)
        out_text(s->out, "module_id,x,y,t,adc\n");
    while (good && s->made < s->options->hits && !out_is_closed(s->out)) {
        good = make_cluster(s);
        write_ready(s);
    }
    write_chunk(s);
    if (good) {
        code = out_finish(&s->out, 1);
    } else {
        out_discard(&s->out, 1);
        code = tool_fail(TOOL_OUTPUT, "out of memory: give a smaller --disorder");
    }
    tool_timing timing = {.write_s = tool_seconds() - start};
    if (code == TOOL_DONE && !out_reader_left()) {
        tool_summary(&s->options->common, "%llu hit%s made as %llu track%s, on %llu chip%s",
                     (unsigned long long)s->made, tool_plural(s->made),
                     (unsigned long long)s->clusters, tool_plural(s->clusters),
                     (unsigned long long)s->options->chips, tool_plural(s->options->chips));
        tool_timing_print(&s->options->common, "generate", "", &timing);
    }
    return code;
}

int generate_hits(const generate_options *options)
{
    const char *output = options->common.output;
    stream s = {.options = options};
    s.packets = output && tool_ends_with(output, ".tpx3");
    if (output && !s.packets && strncmp(output, "/dev/", 5) != 0 && !tool_ends_with(output, ".csv"))
        return tool_fail(TOOL_USAGE, "-o %s: the name must end in .csv or .tpx3", output);
    mote_rng_seed(&s.rng, options->seed);
    progress_start("hit", !options->common.quiet);
    int code = write_stream(&s);
    progress_end();
    free(s.heap);
    return code;
}
