/* SPDX-License-Identifier: Apache-2.0 */
/* Expected results of pixel clustering: plain serial loops over sorted pixels, for any input.
 *
 * The same structure holds the results of a device, so that the two can be compared. */
#ifndef MOTE_TESTKIT_REFERENCE_PIXELS_ORACLE_H
#define MOTE_TESTKIT_REFERENCE_PIXELS_ORACLE_H

#include "testkit/cases/pixels/digis.h"
#include "mote/pixels.h"

/* Options of a call, besides the digis. Zero is the default of every member. */
typedef struct mote_pixels_options {
    mote_pixels_order order;
    mote_pixels_strategy strategy;
    mote_pixels_duplicates duplicates;
    uint32_t connectivity; /* 8, 4, or 0 for 8 */
    uint32_t adc_threshold;
    int32_t invalid_cluster_id; /* 0 = -1 */
    uint64_t charge_cut, charge_cut_inner;
    uint32_t inner_modules;
    uint32_t *charge_cuts; /* NULL, or n_modules values owned by the options */
    bool without_adc;      /* no charges are passed: all charges are 0 */
    mote_pixels_weight weight;
    bool local;             /* positions in the geometry of mote_pixels_module_geometry() */
    bool float_numbers;     /* charges and sizes of positions as float32 */
    uint32_t *mask;         /* NULL, or dead pixels as in the arguments, owned by the options */
    float *gain, *pedestal; /* NULL, or n_modules values owned by the options */
    uint32_t charge_min;
    uint8_t *morph; /* NULL, or n_modules values owned by the options */
    uint32_t morph_dilation, morph_erosion;
} mote_pixels_options;

/* The positions of one cluster: numbers are uint32, or the bits of a float32. */
typedef struct mote_pixels_position {
    float x, y, x_var, y_var, xy_cov;
    uint32_t charge, charge_min, charge_max, size;
} mote_pixels_position;

/* Frees the arrays that options own. */
void mote_pixels_options_free(mote_pixels_options *options);

/* Everything a call gives. Arrays that were not requested are NULL. */
typedef struct mote_pixels_result {
    size_t n, n_slots;  /* digis; events x modules */
    size_t n_total;     /* number of clusters in the batch */
    mote_status status; /* error in the data (error word); MOTE_SUCCESS if there was none */
    uint32_t index;     /* its lowest index */
    int32_t *cluster_id;
    uint32_t *module_id_out;
    uint32_t *n_clusters;
    uint32_t *cluster_start;                /* n_slots + 1 */
    mote_pixels_cluster_record *properties; /* n_total */
    mote_pixels_position *positions;        /* n_total */
} mote_pixels_result;

/* Frees the arrays; the result is then empty. */
void mote_pixels_result_free(mote_pixels_result *result);

/* Allocates every array of a result for these digis, except properties; false if memory ran out.
 */
bool mote_pixels_result_create(mote_pixels_result *result, const mote_digis *digis);

/* Computes the result, or only status and index if the data are bad. Returns false if memory ran
 * out; the caller frees the result in both cases. */
bool mote_pixels_oracle(const mote_digis *digis, const mote_pixels_options *options,
                        mote_pixels_result *result);

/* A record without digis, and a function that adds a digi to a record. */
extern const mote_pixels_cluster_record mote_pixels_record_empty;
void mote_pixels_record_add(mote_pixels_cluster_record *r, uint32_t x, uint32_t y, uint64_t charge,
                            uint32_t digi);

/* Computes for each of `count` pixels, x | y << 16, the number of its part of the closing of all
 * these pixels. Pixels of one cluster have the same number. Returns false if memory runs out. */
bool mote_pixels_closed_parts(const mote_pixels_options *options, const uint32_t *pixels,
                              size_t count, uint32_t *parts);

/* Searches for bad data: returns status and lowest index of the first kind of error. */
mote_status mote_pixels_find_error(const mote_digis *digis, const mote_pixels_options *options,
                                   uint32_t *index);

/* Returns true if every array of `got` equals the expected one; otherwise describes the first
 * difference. */
bool mote_pixels_compare(const mote_digis *digis, const mote_pixels_result *expected,
                         const mote_pixels_result *got, char *message, size_t size);

#endif
