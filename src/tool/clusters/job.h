/* SPDX-License-Identifier: Apache-2.0 */
/* mote clusters: what its parts share. */
#ifndef MOTE_TOOL_CLUSTERS_JOB_H
#define MOTE_TOOL_CLUSTERS_JOB_H

#include "../io/digis.h"
#include "../io/out.h"
#include "../io/svg.h"

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
    const char *labels, *svg;
    bool has_event, has_module; /* what --svg draws */
    uint64_t event, module;
    char **inputs;
    size_t n_inputs;
} clusters_options;

enum { OUT_CLUSTERS, OUT_LABELS, OUT_SVG, OUT_COUNT };

/* The module that --svg draws: the best one so far. */
typedef struct clusters_picture {
    svg_module module;
    size_t digis; /* its digis, copies of a pixel included */
} clusters_picture;

typedef struct clusters_job {
    const clusters_options *options;
    out_file *outs[OUT_COUNT]; /* NULL = not wanted */
    mote_context *ctx;         /* opened when the first input has been read */
    mote_host *host;
    clusters_picture picture;
    tool_timing timing;
    size_t first_event; /* running number of the file's first event */
    uint64_t n_digis, n_events, n_modules, n_clusters;
    uint64_t bytes_total; /* of all inputs, where known; for the progress bar */
} clusters_job;

/* A stretch of a file's events that the device works on in one call, and what came out. */
typedef struct clusters_batch {
    const digi_set *set;
    size_t event_begin, event_end;
    const int32_t *label; /* one for each digi of the set */
    const mote_pixels_host_result *result;
} clusters_batch;

/* Clusters one file's events, batch by batch, and writes what was asked for. */
int clusters_run_file(clusters_job *job, const digi_set *set);

/* Writing. */
void clusters_write_headers(clusters_job *job);
void clusters_write_clusters(clusters_job *job, const clusters_batch *batch);
void clusters_write_labels(clusters_job *job, const digi_set *set, const int32_t *label);

/* Looks for a better module to draw; TOOL_GO_ON or an exit code after a message. */
int clusters_picture_look(clusters_job *job, const clusters_batch *batch);
/* Draws the best one; fails when the module asked for was nowhere. */
int clusters_picture_draw(clusters_job *job);

/* Id of module slot k of a batch's results. */
uint64_t clusters_module(const clusters_batch *batch, size_t k);

#endif
