/* SPDX-License-Identifier: Apache-2.0 */
/* Compares random calls on digis with the oracles, bit by bit. */
#include "property/property.h"

#include <stdio.h>

#define LARGE_ONCE 150 /* one draw in this number is a large batch */

/* Values of the keys at the limits of their ranges. */
static const struct {
    const char *key;
    unsigned value[7], count;
} keys[] = {
    {"work_group", {16, 32, 48, 64, 128}, 5},
    {"tile", {32, 64, 512, 4096}, 4},
    {"arena", {1024, 2000, 10240, 65536}, 4},
    {"by_size", {0, 1, 1}, 3},
    {"group_by_slices", {0, 1}, 2},
    {"group_one_event", {0, 100, 1048575}, 3},
    {"large_strips", {1, 2, 64}, 3},
    {"positions_group", {0, 1, 16, 64}, 4},
    {"host_digis", {0, 1, 50, 400000}, 4},
    {"cpu_tile", {32, 33, 1024, 100000}, 4},
    {"cpu_items", {1, 3, 64}, 3},
    {"cpu_slices", {1, 2, 7, 64}, 4},
};

static void tune(mote_rng *rng, const char *form, char *text, size_t size)
{
    int used = snprintf(text, size, "%s%s", form ? "pixels.form=" : "", form ? form : "");
    bool alone = mote_rng_below(rng, 2);
    for (size_t k = 0; !alone && k < sizeof(keys) / sizeof(keys[0]); k++)
        if (mote_rng_below(rng, 4) == 0)
            used += snprintf(text + used, size - (size_t)used, "%spixels.%s=%u", used ? "," : "",
                             keys[k].key, keys[k].value[mote_rng_below(rng, keys[k].count)]);
}

/* Draws the size of a call. Few calls are large enough for the kernels that process large batches.
 */
static size_t draw_most(mote_rng *rng)
{
    if (mote_rng_below(rng, LARGE_ONCE) == 0)
        return 600000;
    return mote_rng_below(rng, 8) ? 1500 : 20000;
}

static bool draw(property_draw *draw)
{
    return property_draw_call(draw, "pixels", draw_most(&draw->rng));
}

int main(int argc, char **argv)
{
    static const property_area area = {"pixels", tune, draw};
    return property_main(argc, argv, &area);
}
