/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the expected measurements of clusters. */
#ifndef MOTE_TESTKIT_REFERENCE_PIXELS_MEASURE_ORACLE_H
#define MOTE_TESTKIT_REFERENCE_PIXELS_MEASURE_ORACLE_H

#include "testkit/reference/pixels/oracle.h"

/* Edges of all designs along one axis; offsets NULL: there are none. */
typedef struct mote_measure_edges {
    const uint32_t *offsets;
    const float *edges;
} mote_measure_edges;

/* A call whose data are good. */
typedef struct mote_measure_task {
    const mote_digis *digis;
    const mote_pixels_options *options; /* weight, duplicates, and charges of digis */
    size_t clusters;
    const uint32_t *offsets, *list; /* digis of each cluster */
    const uint32_t *design;         /* may be NULL, like the shifts */
    mote_measure_edges rows, columns;
    const float *shift_x, *shift_y;
    const float *var_table[2]; /* by rows and by columns; may be NULL */
    uint32_t var_sizes[2];     /* of each design in the tables */
    bool widths;
} mote_measure_task;

typedef struct mote_measurement {
    uint32_t module;
    float x, y, x_var, y_var;
    uint32_t rows, columns;
} mote_measurement;

/* Computes the measurement of cluster k. Returns false if memory runs out. */
bool mote_oracle_measure(const mote_measure_task *task, size_t k, mote_measurement *result);

#endif
