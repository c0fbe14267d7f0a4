/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of a batch in plain arrays, in parts of whole events: while one part is clustered, the
 * next one is copied to the device and the labels of the previous one are copied back. */
#ifndef MOTE_PIXELS_HOST_BATCH_H
#define MOTE_PIXELS_HOST_BATCH_H

#include "core/host_job.h"
#include "mote/pixels.h"

/* Slots of a mote_host: device memory, and plain memory if stated. */
enum {
    SLOT_MODULE, /* plain: indices of 64-bit ids */
    SLOT_X,      /* plain: the distinct ids */
    SLOT_Y,
    SLOT_ADC,
    SLOT_EVENTS, /* plain: event offsets of parts */
    SLOT_CUTS,
    SLOT_LABELS,
    SLOT_COUNTS,
    SLOT_STARTS,
    SLOT_RECORDS,
    SLOT_ERROR,
    SLOT_MASK,
    SLOT_GAIN,
    SLOT_PEDESTAL,
    SLOT_MORPH,
    SLOT_DIGIS, /* two slots: offsets and lists */
    SLOT_POSITIONS = SLOT_DIGIS + 2
};

/* Returns whether a call without a result is processed in parts. */
bool mote_pixels_batch_wanted(const mote_context *ctx, const mote_pixels_host_args *args);

/* Runs the batch and fills the caller's labels and counts. ids: in the width that the device reads.
 * options: the device's arguments except digis, offsets, outputs and error word. word: receives the
 * errors of the parts, with indices in the whole batch. */
mote_status mote_pixels_batch_run(mote_host_job *job, const mote_pixels_host_args *args,
                                  const void *ids, mote_type id_type,
                                  const mote_pixels_cluster_args *options, mote_error_word *word);

#endif
