/* SPDX-License-Identifier: Apache-2.0 */
/* mote clusters: what its parts share.
 *
 * One thread reads files and divides them into batches of events, workers on the devices cluster
 * them and format their lines, and the main thread writes the lines in order. */
#ifndef MOTE_TOOL_CLUSTERS_JOB_H
#define MOTE_TOOL_CLUSTERS_JOB_H

#include "../common/buffer.h"
#include "../common/device_workers.h"
#include "../common/part.h"
#include "../hits/hits.h"
#include "../io/digis_read.h"
#include "../io/out.h"
#include "../io/svg.h"
#include "modules.h"

/* The command line. Charges are in the input's unit. */
typedef struct clusters_options {
    tool_common common;
    digi_options digis;
    hit_options hits;
    uint32_t used; /* a bit for each option that was given, in the order of the table */
    int duplicates, strategy;
    uint32_t connectivity;
    long double threshold;
    long double cut, inner_cut;
    bool has_inner_cut, has_inner_modules;
    uint64_t inner_modules; /* ids below this use inner_cut */
    const char *labels, *svg, *svg_event;
    char *mask, *gain, *morph;
    uint32_t morph_elements[2]; /* of the dilation and of the erosion; 0 = the default */
    digi_columns columns;       /* --columns */
    bool has_event, has_module; /* selection for --svg, and for --svg-event */
    uint64_t event, module;
    svg_window window;
    bool acts; /* --format acts, which needs the next members */
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
    size_t input; /* number of its input */
} clusters_picture;

/* The event that --svg-event draws: the best one so far. */
typedef struct clusters_sheet {
    svg_event event;
    size_t input; /* number of its input */
} clusters_sheet;

/* Events of a file that were read together. */
typedef struct clusters_file {
    digi_set digis;
    int32_t *label;         /* one for each digi */
    modules_arrays modules; /* data of --mask, --gain and --morph for these events */
    size_t first_event;     /* running number of its first event */
    size_t input;           /* number of its input */
} clusters_file;

typedef struct clusters_counts {
    uint64_t digis, events, modules, clusters;
    uint64_t invalid, masked, below, repeated, cut; /* digis without a cluster, by the reason */
    uint64_t lost, changed; /* charges that scaling made 0, or changed by more than 0.1 % */
} clusters_counts;

/* A range of these events that a device processes in one call, and its results. */
typedef struct clusters_batch {
    clusters_file *file;
    size_t event_begin, event_end;
    bool last;                             /* last batch of the events read together */
    uint64_t bytes;                        /* bytes of the inputs, up to its end */
    const mote_pixels_host_result *result; /* while a worker has the batch */
    clusters_counts counts;
    hit_block hits; /* with --time-window, in place of a file */
    clusters_picture picture;
    clusters_sheet sheet;
    text_buffer lines[OUT_SVG]; /* by output */
} clusters_batch;

typedef struct clusters_job {
    const clusters_options *options;
    out_file *outs[OUT_COUNT]; /* NULL = not wanted */
    pipeline pipeline;
    clusters_batch *batches; /* by slot */
    device_workers workers;
    hit_stream *stream; /* with --time-window; used by the worker, and at the end */

    /* With --part: events of each input, of all, and those of the share. */
    uint64_t *events_of;
    uint64_t total, begin, end;
    uint64_t run; /* the same for all shares */

    /* Used by the reading thread. */
    clusters_file *reading; /* some of its batches have not been passed on */
    size_t first_event;
    uint64_t bytes_read;
    tool_failure read_failure;
    int wake[2]; /* a pipe: closing its end wakes the reader from waiting for the input */
    modules_table modules;
    char ignored[200]; /* columns that were not read, in the first file that has any */

    /* Used by the main thread. */
    clusters_picture picture;
    clusters_sheet sheet;
    tool_timing timing;
    clusters_counts counts;
    uint64_t bytes_total; /* bytes of the inputs, if known; for the progress bar */
} clusters_job;

/* With --part: counts the events and finds the share's. Returns TOOL_GO_ON, or prints a message and
 * returns an exit code. */
int clusters_take_part(clusters_job *job);

/* Returns whether none of input i's events belong to the share; `first`: the running number of its
 * first event. */
bool clusters_is_foreign(const clusters_job *job, size_t i, uint64_t first);

/* Runs as the reading thread; gets the job and returns NULL. */
void *clusters_read(void *job);

/* Do the same for the hits of a stream. */
void *hits_read(void *job);
bool hits_work(device_worker *worker, size_t slot);

/* NULL is allowed. */
void clusters_file_free(clusters_file *file);

/* Processes the batch in a slot, on a worker. */
bool clusters_work(device_worker *worker, size_t slot);

/* Writes the results of the workers; TOOL_GO_ON if all are written or after a failure that the job
 * reports, TOOL_DONE if no process reads the results any more, or prints a message and returns an
 * exit code. */
int clusters_write(clusters_job *job);
void clusters_write_headers(clusters_job *job);

/* Counts the digis of a batch without a cluster; threshold: in the integers of the set. False
 * without memory. */
bool clusters_count_dropped(const clusters_options *options, clusters_batch *batch,
                            uint32_t threshold);

/* Returns the number of an event of a file in outputs. */
uint64_t clusters_event(const clusters_file *file, size_t event);

/* Writes the fields of a cluster from its size to y_var, without a comma at the end. The charge is
 * in the unit of the set (NULL: unscaled). Returns the end. */
char *clusters_record_fields(char *at, const digi_set *set,
                             const mote_pixels_cluster_record *record, uint64_t first_digi);

/* Formats the lines of a batch; false if memory ran out. */
bool clusters_cluster_lines(clusters_batch *batch);
/* Formats lines of measurements, for --format acts; false if memory ran out. */
bool clusters_measurement_lines(const clusters_options *options, clusters_batch *batch);
/* Lines of digis in the order of the input; rows begin to end - 1. */
bool clusters_label_lines(const clusters_file *file, size_t begin, size_t end, text_buffer *lines);

/* Searches a batch for the best module to draw; false if memory ran out. */
bool clusters_picture_look(const clusters_options *options, clusters_batch *batch);
/* Draws the best one; fails if the requested module was not found. */
int clusters_picture_draw(clusters_job *job);

/* Do the same for the best event. */
bool clusters_sheet_look(const clusters_options *options, clusters_batch *batch);
int clusters_sheet_draw(clusters_job *job);

/* Prints the summary, and warnings about possible mistakes. */
void clusters_summary(clusters_job *job, double seconds);

/* Id of module slot k of a batch's results. */
uint64_t clusters_module(const clusters_batch *batch, size_t k);

/* Returns the slot of a digi's module; n_modules if it has none. */
size_t clusters_module_slot(const clusters_batch *batch, size_t i);

#endif
