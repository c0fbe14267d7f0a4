/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/decode.h"

size_t mote_pixels_mask_words(uint32_t n_modules, uint32_t rows, uint32_t columns)
{
    return (size_t)n_modules * columns * (((size_t)rows + 31) / 32);
}

bool mote_pixels_calibrated(const mote_pixels_cluster_args *a)
{
    return a->gain.count > 0 || a->pedestal.count > 0;
}

const char *mote_pixels_decode_defines(const mote_pixels_cluster_args *a, bool charges)
{
    bool masked = a->mask.count > 0 && !charges;
    if (mote_pixels_calibrated(a))
        return masked ? " -DMASKED=1 -DCALIBRATED=1" : " -DCALIBRATED=1";
    return masked ? " -DMASKED=1" : "";
}

void mote_pixels_decode_arguments(mote_launch *launch, const mote_pixels_cluster_args *a,
                                  bool charges)
{
    if (!*mote_pixels_decode_defines(a, charges))
        return;
    mote_launch_view(launch, "mask", &a->mask);
    mote_launch_view(launch, "gain", &a->gain);
    mote_launch_view(launch, "pedestal", &a->pedestal);
    mote_launch_u32(launch, "charge_least", a->charge_min);
}
