/* SPDX-License-Identifier: Apache-2.0 */
/* mote clusters: what its parts share.
 *
 * One thread reads files and cuts them into batches of events, workers on the devices cluster them
 * and make their lines, and the main thread writes the lines in order. */
#ifndef MOTE_TOOL_CLUSTERS_JOB_H
#define MOTE_TOOL_CLUSTERS_JOB_H

#include "../common/buffer.h"
#include "../common/crew.h"
#include "../common/part.h"
#include "../io/digis_read.h"
#include "../io/out.h"
#include "../io/svg.h"
#include "modules.h"

/* The command line. Charges are in the input's unit. */
typedef struct clusters_options {
    tool_common common;
    digi_options digis;
    int duplicates, strategy;
    uint32_t connectivity;
    long double threshold;
    long double cut, inner_cut;
    bool has_inner_cut, has_inner_modules;
    uint64_t inner_modules; /* ids below it have inner_cut */
    const char *labels, *svg, *svg_event;
    char *mask, *gain;
    digi_columns columns;       /* --columns */
    bool has_event, has_module; /* what --svg draws, and --svg-event */
    uint64_t event, module;
    svg_window window;
    bool acts; /* --format acts, which needs these */
    bool has_pitch, has_origin;
    double pitch[2], origin[2]; /* of rows and columns, in mm */
    char **inputs;
    size_t n_inputs;
    tool_part part;
} clusters_options;

enum { OUT_CLUSTERS, OUT_LABELS, OUT_SVG, OUT_SVG_EVENT, OUT_COUNT };

/* The module that --svg draws: the best one so far. */
typedef struct clusters_picture {
    svg_module module;
    size_t digis; /* its digis, copies of a pixel included */
    size_t input; /* that it is of */
} clusters_picture;

/* The event that --svg-event draws: the best one so far. */
typedef struct clusters_sheet {
    svg_event event;
    size_t input; /* that it is of */
} clusters_sheet;

/* Events of a file that were read together. */
typedef struct clusters_file {
    digi_set digis;
    int32_t *label;         /* one for each digi */
    modules_arrays modules; /* what --mask and --gain say of them */
    size_t first_event;     /* running number of its first event */
    size_t input;           /* that it is of */
} clusters_file;

typedef struct clusters_counts {
    uint64_t digis, events, modules, clusters;
    uint64_t invalid, masked, below, repeated, cut; /* digis without a cluster, by the reason */
    uint64_t lost, changed; /* charges that scaling made 0, or changed by more than 0.1 % */
} clusters_counts;

/* A stretch of these events that a device works on in one call, and what came out. */
typedef struct clusters_batch {
    clusters_file *file;
    size_t event_begin, event_end;
    bool last;                             /* of what was read together */
    uint64_t bytes;                        /* of the inputs, up to its end */
    const mote_pixels_host_result *result; /* while a worker has the batch */
    clusters_counts counts;
    clusters_picture picture;
    clusters_sheet sheet;
    text_buffer lines[OUT_SVG]; /* by output */
} clusters_batch;

typedef struct clusters_job {
    const clusters_options *options;
    out_file *outs[OUT_COUNT]; /* NULL = not wanted */
    pipeline pipeline;
    clusters_batch *batches; /* by slot */
    device_crew crew;

    /* With --part: events of each input, of all, and those of the share. */
    uint64_t *events_of;
    uint64_t total, begin, end;
    uint64_t run; /* the same for all shares */

    /* Of the reading thread. */
    clusters_file *reading; /* its batches are not all handed over */
    size_t first_event;
    uint64_t bytes_read;
    tool_failure read_failure;
    int wake[2]; /* a pipe: closing its end lets the reader wait for the input no longer */
    modules_table modules;
    char ignored[200]; /* columns that were not read, of the first file that has some */

    /* Of the main thread. */
    clusters_picture picture;
    clusters_sheet sheet;
    tool_timing timing;
    clusters_counts counts;
    uint64_t bytes_total; /* of the inputs to read, where known; for the progress bar */
} clusters_job;

/* With --part: counts the events and finds the share's. TOOL_GO_ON, or an exit code after a
 * message. */
int clusters_take_part(clusters_job *job);

/* None of input i's events belong to the share; `first`: the running number of its first event. */
bool clusters_is_foreign(const clusters_job *job, size_t i, uint64_t first);

/* The reading thread; gets the job and returns NULL. */
void *clusters_read(void *job);

/* NULL is allowed. */
void clusters_file_free(clusters_file *file);

/* What a worker does with the batch in a slot. */
bool clusters_work(crew_worker *worker, size_t slot);

/* Writes what comes from the workers; TOOL_GO_ON when nothing is left or after a failure that the
 * job reports, TOOL_DONE when nobody reads the results any more, or an exit code after a
 * message. */
int clusters_write(clusters_job *job);
void clusters_write_headers(clusters_job *job);

/* Counts a batch's digis without a cluster; threshold: in the integers of the set. False without
 * memory. */
bool clusters_count_dropped(const clusters_options *options, clusters_batch *batch,
                            uint32_t threshold);

/* The number of an event of a file, as outputs have it. */
uint64_t clusters_event(const clusters_file *file, size_t event);

/* Lines of a batch; false without memory. */
bool clusters_cluster_lines(clusters_batch *batch);
/* Lines of measurements, for --format acts; false without memory. */
bool clusters_measurement_lines(const clusters_options *options, clusters_batch *batch);
/* Lines of digis in the order of the input; rows begin to end - 1. */
bool clusters_label_lines(const clusters_file *file, size_t begin, size_t end, text_buffer *lines);

/* Looks for the best module to draw in a batch; false without memory. */
bool clusters_picture_look(const clusters_options *options, clusters_batch *batch);
/* Draws the best one; fails when the module asked for was nowhere. */
int clusters_picture_draw(clusters_job *job);

/* The same of the best event. */
bool clusters_sheet_look(const clusters_options *options, clusters_batch *batch);
int clusters_sheet_draw(clusters_job *job);

/* Prints the summary, and what a user may not have meant. */
void clusters_summary(clusters_job *job, double seconds);

/* Id of module slot k of a batch's results. */
uint64_t clusters_module(const clusters_batch *batch, size_t k);

/* The slot of a digi's module; n_modules when it has none. */
size_t clusters_module_slot(const clusters_batch *batch, size_t i);

#endif
