/* SPDX-License-Identifier: Apache-2.0 */
/* The host layer's arguments: checks, and error messages for bad data. */
#ifndef MOTE_COORDINATION_HOST_H
#define MOTE_COORDINATION_HOST_H

#include "coordination/recentre.h"

#define MOTE_COORDINATION_HOST_NAME "mote_coordination_host"

/* The numbers of a plan that determine the lengths of arrays. */
typedef struct mote_coordination_shape {
    size_t n_atoms, entries;
    mote_pbc pbc;
    const uint32_t *atoms; /* atom of each entry; NULL: all atoms in order */
} mote_coordination_shape;

/* Checks arrays, lengths and boxes, and fills in frames and the shape. */
mote_status mote_coordination_check_host(const mote_context *ctx, mote_coordination_host_args *args,
                                         mote_coordination_shape *shape);

/* A frame of positions64. */
mote_recentre_frame mote_coordination_host_frame(const mote_coordination_host_args *args,
                                                 const mote_coordination_shape *shape,
                                                 size_t frame);

/* Fails with a sentence that names the position that is not finite. */
mote_status mote_coordination_fail_position(const mote_coordination_host_args *args,
                                            const mote_coordination_shape *shape, size_t frame,
                                            size_t atom);

/* Fails with the error that an error word reports, with frame, atom and values. */
mote_status mote_coordination_decode(const mote_coordination_host_args *args,
                                     const mote_coordination_shape *shape,
                                     const mote_error_word *word);

#endif
