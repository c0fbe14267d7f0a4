/* SPDX-License-Identifier: Apache-2.0 */
/* Positions of clusters: expected results, and arguments of calls. */
#ifndef MOTE_TESTKIT_CASES_PIXELS_POSITIONS_H
#define MOTE_TESTKIT_CASES_PIXELS_POSITIONS_H

#include "testkit/guard.h"
#include "testkit/reference/pixels/oracle.h"

#define MOTE_POSITION_OUTPUTS 9

/* Fills in the positions of a result that has labels and starts; false if memory ran out. */
bool mote_pixels_positions_oracle(const mote_digis *digis, const mote_pixels_options *options,
                                  mote_pixels_result *result);

/* origin_x, origin_y, pitch_x, pitch_y of a module, if the options require them. */
void mote_pixels_module_geometry(uint32_t module, float geometry[4]);

/* Outputs in the order of the fields of mote_pixels_position, and geometries. */
typedef struct mote_pixels_positions_device {
    mote_guard out[MOTE_POSITION_OUTPUTS], geometry[4];
} mote_pixels_positions_device;

/* Allocates room for `count` positions; returns an OpenCL code if it fails. */
cl_int mote_pixels_positions_create(mote_pixels_positions_device *device, mote_context *ctx,
                                    cl_command_queue queue, const mote_digis *digis,
                                    const mote_pixels_options *options, size_t count);
void mote_pixels_positions_release(mote_pixels_positions_device *device);

/* Asks for them. */
void mote_pixels_positions_arguments(const mote_pixels_positions_device *device,
                                     const mote_pixels_options *options,
                                     mote_pixels_cluster_args *args);

/* Reads result->n_total positions; with bad data, only checks the memory around them. */
bool mote_pixels_positions_read(const mote_pixels_positions_device *device, cl_command_queue queue,
                                bool bad_data, mote_pixels_result *result, char *message,
                                size_t size);

/* Describes the first difference. */
bool mote_pixels_positions_compare(const mote_pixels_result *expected,
                                   const mote_pixels_result *got, char *message, size_t size);

#endif
