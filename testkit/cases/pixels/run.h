/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the device API on a batch, and compares the results with the oracle. */
#ifndef MOTE_TESTKIT_CASES_PIXELS_RUN_H
#define MOTE_TESTKIT_CASES_PIXELS_RUN_H

#include "testkit/guard.h"
#include "testkit/reference/pixels/oracle.h"

/* How to run, in any combination. */
/* Waits for a user event that is completed after the call has returned. */
#define MOTE_RUN_GATED     1u
#define MOTE_RUN_ALIAS     2u   /* module_id_out is the same range as module_id */
#define MOTE_RUN_WORKSPACE 4u   /* with the caller's own workspace */
#define MOTE_RUN_N_DEVICE  8u   /* views longer than the digis; the length is on the device */
#define MOTE_RUN_LABELS    16u  /* cluster_id is the only output */
#define MOTE_RUN_APART     32u  /* no cut: mote_pixels_charge_cut() computes it from other labels */
#define MOTE_RUN_ONE_EVENT 64u  /* no event_offsets when there is one event */
#define MOTE_RUN_SILENT    128u /* no error word */
#define MOTE_RUN_BARE      256u /* positions without properties */
#define MOTE_RUN_HOST      512u /* on plain arrays; numbers of clusters are not floats */
#define MOTE_RUN_STARTS    1024u /* mote_pixels_module_start() alone, with different capacities */

/* The digis of a batch in device memory, in the requested widths. */
typedef struct mote_pixels_device {
    mote_guard module_id, x, y, adc, event_offsets, n_device, charge_cuts, mask, gain, pedestal,
        morph;
    void *host_module_id, *host_adc; /* the uploaded arrays, in the device's width */
} mote_pixels_device;

/* Uploads digis, followed by `extra` arbitrary digis of another module. False with a sentence.
 */
bool mote_pixels_upload(mote_context *ctx, cl_command_queue queue, const mote_digis *digis,
                        const mote_pixels_options *options, size_t extra,
                        mote_pixels_device *device, char *message, size_t size);

/* Releases what mote_pixels_upload() made. */
void mote_pixels_device_release(mote_pixels_device *device);

/* Fills in all arguments except outputs, error word and workspace. */
void mote_pixels_arguments(const mote_digis *digis, const mote_pixels_options *options,
                           const mote_pixels_device *device, mote_pixels_cluster_args *args);

/* Runs mote_pixels_cluster() and compares everything with the oracle: results, or the error and its
 * index, inputs, and memory around all arrays. False with a sentence. */
bool mote_pixels_check(mote_context *ctx, cl_command_queue queue, const mote_digis *digis,
                       const mote_pixels_options *options, unsigned how, char *message,
                       size_t size);

#endif
