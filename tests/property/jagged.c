/* SPDX-License-Identifier: Apache-2.0 */
/* Compares random calls on lists with plain loops. */
#include "property/property.h"

#include <stdio.h>

#define FEW ((size_t)20000)

/* ---- tuning ---------------------------------------------------------------------------------- */

/* Values of each key, such as thresholds, sizes of work-groups and variants. */
static const struct {
    const char *key;
    size_t values[6]; /* padded with the last value */
} keys[] = {
    {"jagged.group", {16, 36, 64, 128, 256, 256}},
    {"jagged.variant", {1, 2, 3, 4, 4, 4}},
    {"jagged.interpolate", {0, 1, 1, 1, 1, 1}},
    {"jagged.tile", {8, 60, 100, 1000, 2016, 8064}},
    {"jagged.tiles", {1, 2, 3, 15, 15, 15}},
    {"jagged.items", {1, 3, 7, 61, 61, 61}},
    {"jagged.cpu_serial_lists", {0, 16, 1000, 65536, 65536, 65536}},
    {"jagged.nonzero_groups_a_unit", {1, 16, 16, 16, 16, 16}},
    {"jagged.sort_mean", {0, 0, 1, 4, 4, 1000}},
    {"jagged.sort_short", {0, 50, 150, 1000, 100000, 100000}},
    {"jagged.from_parents_mean", {0, 1, 4, 1000, 1000, 1000}},
    {"jagged.from_parents_span", {1, 9, 1000, 65536, 65536, 65536}},
    {"jagged_reduce.group", {16, 64, 72, 128, 512, 512}},
    {"jagged_reduce.join_group", {24, 64, 256, 256, 256, 256}},
    {"jagged_reduce.tile", {1024, 2048, 3072, 4096, 4096, 4096}},
    {"jagged_reduce.tiles", {1, 2, 3, 15, 15, 15}},
    {"jagged_reduce.single_group", {4096, 8192, 60000, 131072, 131072, 131072}},
    {"jagged_reduce.staged", {0, 1, 2, 3, 3, 3}},
    {"jagged_reduce.staged_group", {16, 24, 64, 64, 64, 64}},
    {"jagged_reduce.staged_lists", {4, 20, 64, 1024, 1024, 1024}},
    {"jagged_reduce.window", {1024, 1280, 2304, 2304, 2304, 2304}},
    {"jagged_reduce.staged_values", {64, 1280, 2688, 3072, 3072, 3072}},
    {"jagged_reduce.items", {1, 3, 7, 64, 64, 64}},
    {"reduce.scan_one_group", {0, 100, 8192, 8192, 8192, 8192}},
};

static void tune(mote_rng *rng, const char *form, char *text, size_t size)
{
    bool alone = mote_rng_below(rng, 2) != 0;
    int used = form ? snprintf(text, size, "jagged.form=%s,reduce.form=%s", form, form) : 0;

    if (!form)
        text[0] = 0;
    for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]) && !alone; k++)
        if (mote_rng_below(rng, 3) == 0)
            used += snprintf(text + used, size - (size_t)used, "%s%s=%zu", used ? "," : "",
                             keys[k].key, keys[k].values[mote_rng_below(rng, 6)]);
    if (!alone && mote_rng_below(rng, 16) == 0)
        snprintf(text + used, size - (size_t)used, "%sjagged_reduce.fp64=0", used ? "," : "");
}

/* Draws the size of a call. It is small in most draws, so that many are made. Some draws, more of
 * them on GPUs, are large enough for the variants used by default for large arrays. */
static size_t draw_most(property_draw *draw)
{
    bool gpu = mote_context_device(draw->ctx)->device_class == MOTE_DEVICE_GPU;
    uint32_t rare = mote_rng_below(&draw->rng, gpu ? 200 : 2000);

    if (rare == 0)
        return (size_t)1 << 24;
    if (rare < 5)
        return 3000000;
    if (rare < 40)
        return 300000;
    return mote_rng_below(&draw->rng, 3) ? 1 + mote_rng_below(&draw->rng, FEW) : 500;
}

static bool draw(property_draw *draw)
{
    return property_draw_call(draw, "jagged", draw_most(draw));
}

int main(int argc, char **argv)
{
    const property_area area = {"jagged", tune, draw};

    return property_main(argc, argv, &area);
}
