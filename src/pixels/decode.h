/* SPDX-License-Identifier: Apache-2.0 */
/* The mask of dead pixels and the conversion of adc counts to charge:
 * cl/pixels/input/decode.clh. */
#ifndef MOTE_PIXELS_DECODE_H
#define MOTE_PIXELS_DECODE_H

#include "core/call.h"
#include "mote/pixels.h"

/* Returns the number of words of a mask of this number of modules. */
size_t mote_pixels_mask_words(uint32_t n_modules, uint32_t rows, uint32_t columns);

/* Returns whether charges are computed from adc counts. */
bool mote_pixels_calibrated(const mote_pixels_cluster_args *a);

/* Defines for kernels that use both, or (charges) only the conversion; "" if none is given, and
 * then there are no arguments either. */
const char *mote_pixels_decode_defines(const mote_pixels_cluster_args *a, bool charges);

/* Appends the arguments. */
void mote_pixels_decode_arguments(mote_launch *launch, const mote_pixels_cluster_args *a,
                                  bool charges);

#endif
