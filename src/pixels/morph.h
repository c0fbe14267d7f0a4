/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares clustering on the closing of a module's pixels (cl/pixels/label/morph.clh). */
#ifndef MOTE_PIXELS_MORPH_H
#define MOTE_PIXELS_MORPH_H

#include "pixels/cluster_plan.h"

/* Checks the structuring elements and the size of modules, and fills in the defaults. */
mote_status mote_pixels_check_morph(const mote_call *call, mote_pixels_cluster_args *a);

/* Returns the number of tiles of 8 x 8 pixels for a module, each column of them padded to a power
 * of two, with some columns around the module and some tiles at the ends. */
size_t mote_pixels_tiles(const mote_pixels_cluster_args *a, size_t columns, size_t more);

/* Returns the number of images that memory is used for, at least 1 and at most `wanted`. */
size_t mote_pixels_images(const mote_pixels_cluster_args *a, size_t wanted);

/* Returns the number of words of an image. */
size_t mote_pixels_image_words(const mote_pixels_cluster_args *a);

/* Appends the arguments of a kernel that uses images. */
void mote_pixels_morph_arguments(mote_launch *launch, const mote_pixels_plan *plan);

#endif
