/* SPDX-License-Identifier: Apache-2.0 */
/* mote clusters --time-window: hits of a stream, and clusters that are complete.
 *
 * The reading thread divides the stream into blocks of hits. One worker clusters each block
 * together with the hits of clusters that were still open, so that memory depends on the window and
 * the disorder, but not on the length of the stream. */
#ifndef MOTE_TOOL_HITS_HITS_H
#define MOTE_TOOL_HITS_HITS_H

#include "../common/buffer.h"
#include "../common/device_workers.h"
#include "../io/digis_read.h"
#include "../io/svg.h"

/* Options of the command line for streams. */
typedef struct hit_options {
    bool given; /* --time-window was given */
    uint64_t window, radius, disorder;
    uint64_t block; /* hits that are read together */
} hit_options;

/* Statistics of the hits so far. */
typedef struct hit_past {
    bool any;       /* there was a hit */
    int64_t latest; /* highest time */
    int64_t last;   /* time of the last hit */
} hit_past;

#define HITS_TOO_EARLY                                                                             \
    "time %lld is %llu ticks earlier than a hit before it, and --disorder promises at most %llu: " \
    "give --disorder %llu or more"

/* Registers the time of the next hit. If it is earlier than a preceding hit by more than `disorder`
 * ticks, returns the number of ticks, otherwise 0. */
uint64_t hits_take_time(hit_past *past, uint64_t disorder, int64_t t);

/* Returns the time before which no hits are missing. */
int64_t hits_complete(const hit_past *past, uint64_t disorder);

/* Hits in the order of the input. */
typedef struct hit_arrays {
    size_t n, reserved;
    uint32_t *module;
    uint16_t *x, *y;
    int64_t *t;
    uint32_t *charge;
} hit_arrays;

/* Makes room for `more` hits; false if memory ran out. */
bool hits_reserve(hit_arrays *hits, size_t more);
void hits_free(hit_arrays *hits);

/* Hits that were read together. */
typedef struct hit_block {
    hit_arrays hits;
    int64_t complete; /* all hits with earlier times have been read */
    uint64_t skipped; /* rows or packets that are not hits */
    /* Packets of Timepix3, from which the worker makes the hits; NULL = none. */
    uint64_t *packets;
    uint16_t *chip; /* one for each packet */
    size_t n_packets;
    uint64_t *place;  /* position of each packet in its file, in bytes */
    const char *name; /* of the file */
} hit_block;

/* A cluster without open hits. Clusters are ordered by `first`, `module` and `pixel`. */
typedef struct hit_cluster {
    int64_t first, last; /* lowest and highest time */
    uint32_t module;
    uint32_t pixel;      /* column and row of its first hit: column * 65536 + row */
    uint64_t first_digi; /* lowest index of its hits in the stream */
    uint64_t arrival;    /* running number, in the order in which clusters became complete */
    mote_pixels_cluster_record record;
} hit_cluster;

/* A hit that waits for the number of its cluster. */
typedef struct hit_waiting {
    int64_t t;
    uint64_t cluster; /* its arrival; HIT_OPEN if the cluster is open */
    uint32_t module, charge;
    uint16_t x, y;
} hit_waiting;

#define HIT_OPEN UINT64_MAX

/* The final number of a cluster, as long as hits wait for it. */
typedef struct hit_number {
    uint64_t number; /* HIT_OPEN: not known */
    int64_t first;
    uint32_t left; /* hits that wait */
} hit_number;

/* A module that --svg may draw: its first hits in the order of the input. */
typedef struct hit_module {
    uint32_t module;
    uint64_t hits; /* of the whole stream */
    size_t n, reserved;
    svg_hit *drawn;
} hit_module;

/* The state of the worker. */
typedef struct hit_stream {
    hit_arrays hits;  /* hits of open clusters, then new ones, in the order of the input */
    uint64_t *index;  /* place of each in the stream */
    uint32_t *number; /* dense number of each one's module */
    int32_t *label;
    size_t index_reserved;
    size_t open;      /* hits of open clusters */
    uint64_t taken;   /* hits of the stream so far */
    hit_past past;    /* of hits that were packets */
    uint16_t *narrow; /* modules and charges of hits from packets */
    size_t narrow_reserved;
    uint32_t *ids; /* modules so far, ascending */
    size_t n_ids, ids_reserved;
    uint32_t rows, columns;
    uint64_t arrivals; /* complete clusters so far */
    uint64_t released; /* clusters that have a number */

    /* A heap of complete clusters that come after a cluster which is open. */
    hit_cluster *held;
    size_t n_held, held_reserved;

    bool waits; /* hits wait for numbers, which --labels and --svg need */
    hit_waiting *waiting;
    size_t waiting_begin, waiting_end, waiting_reserved;
    uint64_t waiting_first; /* place in the stream of waiting[waiting_begin] */
    hit_number *numbers;
    size_t numbers_begin, numbers_end, numbers_reserved;
    uint64_t numbers_first; /* arrival of numbers[numbers_begin] */

    bool draws, has_module; /* draw one module; the module was chosen by the user */
    uint32_t module;
    hit_module *modules; /* in the order in which clusters of them got numbers */
    size_t n_modules, modules_reserved;
    uint32_t *table; /* finds a module by hashing: 1 more than its place in `modules`, or 0 */
    size_t table_size;
} hit_stream;

void hit_stream_free(hit_stream *stream);

/* Makes room in an array for `count` elements of `bytes` bytes; false if memory ran out. */
bool hits_grow(void *array, size_t *reserved, size_t count, size_t bytes);

/* ---- csv.c: hits from text --------------------------------------------------------------- */

/* Reads the header. Returns TOOL_GO_ON, or TOOL_INPUT after a message; close it in both cases. */
int hits_csv_open(in_lines *in, const digi_options *options, digi_csv *csv);

/* Appends the next hit, or counts a row that is none. Returns TOOL_GO_ON, TOOL_DONE at the end, or
 * TOOL_INPUT after a message. */
int hits_csv_next(digi_csv *csv, hit_block *block);

/* ---- packets.c: hits from packets of Timepix3 ------------------------------------------------ */

/* A file of packets, which consists of chunks. */
typedef struct hit_packets {
    in_lines *in;
    uint16_t chip; /* of the chunk that is being read */
    size_t left;   /* its packets that have not been read */
} hit_packets;

/* Returns whether the input begins with a chunk. */
bool hits_are_packets(in_lines *in);

/* Appends packets until the block has `most`. Returns TOOL_GO_ON, TOOL_DONE at the end, or
 * TOOL_INPUT after a message. */
int hits_packets_next(hit_packets *file, hit_block *block, size_t most);

/* Makes the hits of a block from its packets. False: the reason is in worker->failure. */
bool hits_decode(device_worker *worker, hit_stream *stream, uint64_t disorder, hit_block *block);

void hits_block_free(hit_block *block);

/* ---- order.c: numbers of clusters and lines of results ---------------------------------- */

/* Adds hits to those that wait for numbers. */
bool hit_order_wait(hit_stream *stream, const hit_arrays *hits, size_t begin);

/* Adds a complete cluster, and numbers it if it comes before `open`, the first hit of the clusters
 * that are open (NULL: none). Clusters that become complete together are added in order. */
bool hit_order_add(hit_stream *stream, const hit_cluster *cluster, const hit_cluster *open,
                   text_buffer *clusters);

/* Numbers the remaining clusters that come before `open`. Formats the lines of clusters that get a
 * number, as does hit_order_add(), and of hits whose clusters have one; NULL for lines that are not
 * needed. */
bool hit_order_release(hit_stream *stream, const hit_cluster *open, text_buffer *clusters,
                       text_buffer *labels);

/* ---- picture.c ------------------------------------------------------------------------------ */

/* Adds a hit of a cluster; false if memory ran out. */
bool hit_picture_add(hit_stream *stream, const hit_waiting *hit, int64_t first);

/* Draws the module. Returns TOOL_GO_ON, or prints a message and returns an exit code. */
int hit_picture_draw(const hit_stream *stream, out_file *out);

#endif
