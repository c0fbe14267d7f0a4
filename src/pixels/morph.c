/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/morph.h"
#include "core/fail.h"

#define ELEMENT_ALL   511u
#define ELEMENT_CROSS 186u
#define PIXELS_MOST   ((uint64_t)1 << 28)
#define IMAGES_MOST   ((size_t)1 << 26) /* largest number of words of all images */

static mote_status check_element(const mote_call *call, const char *name, uint32_t element)
{
    if (element <= ELEMENT_ALL)
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                     "%s: %s = %u: a structuring element has 9 bits, so that it is at most %u",
                     call->name, name, (unsigned)element, ELEMENT_ALL);
}

mote_status mote_pixels_check_morph(const mote_call *call, mote_pixels_cluster_args *a)
{
    if (a->morph.type == MOTE_TYPE_NONE && (a->morph_dilation || a->morph_erosion))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: a structuring element is set, but morph, which marks modules, is "
                         "missing",
                         call->name);
    mote_status st = check_element(call, "morph_dilation", a->morph_dilation);
    if (!st)
        st = check_element(call, "morph_erosion", a->morph_erosion);
    if (!st && a->morph.count && (uint64_t)a->rows * a->columns > PIXELS_MOST)
        st = mote_fail(MOTE_ERROR_UNSUPPORTED,
                       "%s: modules of %u x %u pixels are too large for morph: they must have at "
                       "most 2^28 pixels",
                       call->name, (unsigned)a->rows, (unsigned)a->columns);
    if (a->morph_dilation == 0)
        a->morph_dilation = ELEMENT_ALL;
    if (a->morph_erosion == 0)
        a->morph_erosion = ELEMENT_CROSS;
    return st;
}

size_t mote_pixels_tiles(const mote_pixels_cluster_args *a, size_t columns, size_t more)
{
    size_t row = 1;
    while (row <= ((size_t)a->rows + 7) / 8)
        row *= 2;
    return row * (((size_t)a->columns + 7) / 8 + columns) + more;
}

/* Returns the number of tiles of an image. */
static size_t image_tiles(const mote_pixels_cluster_args *a)
{
    return mote_pixels_tiles(a, 4, 16);
}

size_t mote_pixels_image_words(const mote_pixels_cluster_args *a)
{
    return MOTE_PIXELS_IMAGE_MORE_WORDS + MOTE_PIXELS_IMAGE_TILE_WORDS * image_tiles(a);
}

size_t mote_pixels_images(const mote_pixels_cluster_args *a, size_t wanted)
{
    size_t most = IMAGES_MOST / mote_pixels_image_words(a);
    most += most == 0;
    return wanted < most ? wanted : most;
}

void mote_pixels_morph_arguments(mote_launch *launch, const mote_pixels_plan *plan)
{
    const mote_pixels_cluster_args *a = &plan->args;
    if (plan->images == 0)
        return;
    mote_launch_view(launch, "morph", &a->morph);
    mote_launch_view(launch, "images", &plan->image_memory);
    mote_launch_u32(launch, "image_tiles", (uint32_t)image_tiles(a));
    mote_launch_u32(launch, "dilation", a->morph_dilation);
    mote_launch_u32(launch, "erosion", a->morph_erosion);
}
