/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file shared/pixels_params.h
 * @brief Parameters of every pixel kernel, passed by value: 32-bit scalars only.
 */
#ifndef MOTE_SHARED_PIXELS_PARAMS_H
#define MOTE_SHARED_PIXELS_PARAMS_H

#ifdef __OPENCL_VERSION__
#define MOTE_PARAM_U32 uint
#else
#include <stdint.h>
#define MOTE_PARAM_U32 uint32_t
#endif

typedef struct mote_pixels_params {
    MOTE_PARAM_U32 n;         /**< digis, capacity when n_device is given */
    MOTE_PARAM_U32 positions; /**< n, or more if digis have been moved */
    MOTE_PARAM_U32 n_events;  /**< events; 1 without event offsets */
    MOTE_PARAM_U32 n_modules;
    MOTE_PARAM_U32 rows;
    MOTE_PARAM_U32 columns;
    MOTE_PARAM_U32 invalid_module;
    MOTE_PARAM_U32 invalid_cluster; /**< bits of the int32 label */
    MOTE_PARAM_U32 threshold;       /**< digis with a smaller adc are dropped */
    MOTE_PARAM_U32 diagonal;        /**< all bits set: 8-connected; 0: 4-connected */
    MOTE_PARAM_U32 words_per_column;
    MOTE_PARAM_U32 words;        /**< 32-pixel words of a module */
    MOTE_PARAM_U32 top_words;    /**< words of the highest level of its bit tree */
    MOTE_PARAM_U32 segments_max; /**< modules that a work-group processes at once */
    MOTE_PARAM_U32 spill_words;  /**< scratch words for each digi */
    MOTE_PARAM_U32 cut_low;      /**< charge cut, 64 bits */
    MOTE_PARAM_U32 cut_high;
    MOTE_PARAM_U32 inner_cut_low;
    MOTE_PARAM_U32 inner_cut_high;
    MOTE_PARAM_U32 inner_modules;
    MOTE_PARAM_U32 flags; /**< MOTE_PIXELS_HAS_* */
} mote_pixels_params;

#define MOTE_PIXELS_PARAMS_BYTES 84

#define MOTE_PIXELS_HAS_EVENTS 1u  /* event offsets are given */
#define MOTE_PIXELS_HAS_N      2u  /* n_device is given */
#define MOTE_PIXELS_HAS_CUT    4u  /* some charge cut */
#define MOTE_PIXELS_HAS_CUTS   8u  /* a cut for each module */
#define MOTE_PIXELS_HAS_ERROR  16u /* an error word is given */

#ifndef __OPENCL_VERSION__
#ifdef __cplusplus
static_assert(sizeof(mote_pixels_params) == MOTE_PIXELS_PARAMS_BYTES, "layout");
#else
_Static_assert(sizeof(mote_pixels_params) == MOTE_PIXELS_PARAMS_BYTES, "layout");
#endif
#endif

/* Bins of the histogram by column, and words of a deferred pack: begin, end, key. */
#define MOTE_PIXELS_COLUMN_BINS 512
#define MOTE_PIXELS_SPILL_ENTRY 3

/* Indices in the list of deferred packs: the number of digis, and the first event offset. The packs
 * are stored after the event offsets. */
#define MOTE_PIXELS_PACKS_DIGIS  3
#define MOTE_PIXELS_PACKS_EVENTS 4

/* Words of scratch after those of all positions, for packs without digis. */
#define MOTE_PIXELS_SPILL_NONE 16

/* The number of words of the image of a marked module (cl/pixels/label/morph.clh): for each tile,
 * and in addition. */
#define MOTE_PIXELS_IMAGE_TILE_WORDS 70
#define MOTE_PIXELS_IMAGE_MORE_WORDS 1

/* Modules whose counters fit the local memory of by_slices.cl, 24 KiB. */
#define MOTE_PIXELS_TALLY_MODULES 6144

/* Modules and digis of one event whose totals one_event.cl computes: both numbers are in one word.
 */
#define MOTE_PIXELS_EVENT_MODULES 4095
#define MOTE_PIXELS_EVENT_DIGIS   0xfffff

/* Digis of a cluster that a group of its own measures (cl/pixels/clusters/measure.cl). */
#define MOTE_PIXELS_LONG_CLUSTER 4096

/* Logarithms of the number of digis of a tile for each work-item, and of the number of parts that a
 * merging joins (cl/pixels/clusters/digis_order.cl). */
#define MOTE_PIXELS_TILE_BITS  1
#define MOTE_PIXELS_MERGE_BITS 6

#endif
