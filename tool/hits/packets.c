/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files of packets of Timepix3, and decodes the packets on the device. */
#include "hits.h"

#include <inttypes.h>
#include <stdlib.h>

#define WORD  ((size_t)8) /* bytes of a packet, and of the header of a chunk */
#define MAGIC 0x33585054u /* "TPX3" */
#define KINDS 0xcf4u      /* a bit for each kind of packet */
#define SIDE  256
#define FIRST (INT64_C(1) << 33) /* a reference with which the first time is not negative */

static uint64_t word_at(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (size_t k = WORD; k-- > 0;)
        word = word << 8 | bytes[k];
    return word;
}

static unsigned kind_of(uint64_t packet)
{
    return (unsigned)(packet >> 60);
}

bool hits_are_packets(in_lines *in)
{
    const unsigned char *head;
    return mote_lines_peek(&in->lines, WORD, &head) == MOTE_LINES_LINE &&
           (word_at(head) & UINT32_MAX) == MAGIC;
}

/* Reports that the file does not go on as its bytes so far promise. */
static int fail(const hit_packets *file, const char *what)
{
    return tool_fail(TOOL_INPUT, "%s: byte %zu: %s", file->in->name,
                     mote_lines_place(&file->in->lines), what);
}

/* Reads the header of a chunk. */
static int next_chunk(hit_packets *file)
{
    const unsigned char *head;
    mote_lines_status status = mote_lines_peek(&file->in->lines, 1, &head);
    if (status == MOTE_LINES_END)
        return TOOL_DONE;
    if (status == MOTE_LINES_LINE)
        status = mote_lines_peek(&file->in->lines, WORD, &head);
    if (status == MOTE_LINES_END)
        return fail(file, "the file ends inside the header of a chunk");
    if (status != MOTE_LINES_LINE)
        return in_lines_fail(file->in, status);
    uint64_t header = word_at(head);
    size_t bytes = (size_t)(header >> 48);
    if ((header & UINT32_MAX) != MAGIC)
        return fail(file, "expected the header of a chunk, which begins with TPX3");
    if (bytes % WORD)
        return fail(file, "the size of this chunk is not a multiple of 8 bytes");
    mote_lines_take(&file->in->lines, WORD);
    file->chip = (uint16_t)(header >> 32 & 0xff);
    file->left = bytes / WORD;
    return TOOL_GO_ON;
}

/* Appends packets of the chunk. */
static int take_packets(hit_packets *file, hit_block *block, size_t count)
{
    const unsigned char *bytes;
    uint64_t place = mote_lines_place(&file->in->lines);
    mote_lines_status status = mote_lines_peek(&file->in->lines, count * WORD, &bytes);
    if (status == MOTE_LINES_END)
        return fail(file, "the file ends inside this chunk");
    if (status != MOTE_LINES_LINE)
        return in_lines_fail(file->in, status);
    for (size_t k = 0; k < count; k++) {
        block->packets[block->n_packets] = word_at(bytes + k * WORD);
        block->chip[block->n_packets] = file->chip;
        block->place[block->n_packets++] = place + k * WORD;
    }
    mote_lines_take(&file->in->lines, count * WORD);
    file->left -= count;
    return TOOL_GO_ON;
}

int hits_packets_next(hit_packets *file, hit_block *block, size_t most)
{
    int code = TOOL_GO_ON;
    if (!block->packets) {
        block->packets = malloc(most * sizeof(*block->packets));
        block->chip = malloc(most * sizeof(*block->chip));
        block->place = malloc(most * sizeof(*block->place));
    }
    if (!block->packets || !block->chip || !block->place)
        return tool_fail(TOOL_INPUT, "out of memory for %zu packets: give a smaller --block", most);
    while (code == TOOL_GO_ON && block->n_packets < most) {
        size_t room = most - block->n_packets;
        code = file->left ? take_packets(file, block, file->left < room ? file->left : room)
                          : next_chunk(file);
    }
    return code;
}

/* Reports the first packet of an unknown kind. */
static void fail_packet(const hit_block *block)
{
    size_t i = 0;
    while (KINDS >> kind_of(block->packets[i]) & 1)
        i++;
    tool_fail(TOOL_INPUT,
              "%s: packet %" PRIu64 " (byte %" PRIu64 "), 0x%016" PRIx64
              ", is of kind 0x%X, which Timepix3 does not send",
              block->name, block->place[i] / WORD, block->place[i], block->packets[i],
              kind_of(block->packets[i]));
}

/* Reports a hit that is earlier than promised. */
static void fail_order(const hit_block *block, size_t hit, uint64_t behind, uint64_t disorder)
{
    size_t i = 0;
    for (size_t hits = 0;; i++) {
        hits += kind_of(block->packets[i]) >> 1 == 5;
        if (hits > hit)
            break;
    }
    tool_fail(TOOL_INPUT, "%s: packet %" PRIu64 " (byte %" PRIu64 "): " HITS_TOO_EARLY, block->name,
              block->place[i] / WORD, block->place[i], (long long)block->hits.t[hit],
              (unsigned long long)behind, (unsigned long long)disorder, (unsigned long long)behind);
}

/* Copies what the device has as 16 bits, and checks the order. */
static bool take_hits(hit_stream *s, uint64_t disorder, hit_block *block)
{
    hit_arrays *hits = &block->hits;
    for (size_t i = 0; i < hits->n; i++) {
        hits->module[i] = s->narrow[i];
        hits->charge[i] = s->narrow[block->n_packets + i];
        uint64_t behind = hits_take_time(&s->past, disorder, hits->t[i]);
        if (behind) {
            fail_order(block, i, behind, disorder);
            return false;
        }
    }
    return true;
}

bool hits_decode(device_worker *w, hit_stream *s, uint64_t disorder, hit_block *block)
{
    mote_pixels_timepix3_host_args args;
    uint32_t n_hits = 0;
    size_t n = block->n_packets;
    block->hits.n = 0;
    s->rows = s->columns = SIDE;
    if (!hits_reserve(&block->hits, n) ||
        !hits_grow(&s->narrow, &s->narrow_reserved, 2 * n, sizeof(*s->narrow)))
        return failure_set(&w->failure, TOOL_INPUT, "out of memory for hits");
    mote_pixels_timepix3_host_args_init(&args);
    args.n = n;
    args.packets = block->packets;
    args.chip = block->chip;
    args.reference = s->past.any ? s->past.last : FIRST;
    args.module_id = s->narrow;
    args.charge = s->narrow + n;
    args.x = block->hits.x;
    args.y = block->hits.y;
    args.t = block->hits.t;
    args.n_hits = &n_hits;
    double start = tool_seconds();
    mote_status status = mote_pixels_decode_timepix3_host(w->ctx, w->host, &args);
    w->device_s += tool_seconds() - start;
    if (status == MOTE_ERROR_PACKET) {
        fail_packet(block);
        return false;
    }
    if (status)
        return failure_of_library(&w->failure, status);
    block->hits.n = n_hits;
    block->skipped = n - n_hits;
    return take_hits(s, disorder, block);
}

void hits_block_free(hit_block *block)
{
    hits_free(&block->hits);
    free(block->packets);
    free(block->chip);
    free(block->place);
}
