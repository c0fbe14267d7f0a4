/* SPDX-License-Identifier: Apache-2.0 */
/* Compares random calls of mote_coordination_compute() and mote_coordination_host() with an oracle
 * in long double: functions of every kind, boxes of every shape and many sizes, and all
 * combinations of arguments. */
#include "property/property.h"

#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void tune(mote_rng *rng, const char *form, char *text, size_t size)
{
    static const struct {
        const char *key;
        int64_t least, most;
    } keys[] = {
        {"symmetric", 0, 1},      {"preload", 0, 1},
        {"skip", 0, 1},           {"items", 1, 9},
        {"cpu_entries", 1, 4},    {"cpu_block", 16, 200},
        {"private_sums", 0, 1},   {"cells", 1, 400},
        {"cells_fine", 1, 12},    {"cells_across", 1, 4},
        {"slices", 1, 7},         {"sort_below", 0, 100},
        {"sort_shares", 1, 5},    {"sort_group", 8, 100},
        {"group", 8, 96},         {"entries_per_item", 1, 4},
        {"tile", 8, 100},         {"teams", 1, 4},
        {"block_units", 1, 3},    {"groups", 1, 40},
        {"preload_group", 8, 64}, {"frames", 1, 3},
        {"finish_group", 8, 64},  {"finish_batch", 1, 5},
        {"skin_list", 1, 20},
    };
    const char *of = form ? form : "";
    size_t length = (size_t)snprintf(text, size, "%s%s", form ? "coordination.form=" : "", of);
    for (size_t k = 0, some = mote_rng_below(rng, 2) ? COUNT(keys) : 0; k < some; k++) {
        int64_t value = mote_rng_between(rng, keys[k].least, keys[k].most);
        if (mote_rng_below(rng, 4) == 0 && length < size)
            length += (size_t)snprintf(text + length, size - length, "%scoordination.%s=%d",
                                       length ? "," : "", keys[k].key, (int)value);
    }
}

static bool draw(property_draw *draw)
{
    return property_draw_call(draw, "coordination", (size_t)1 << 20);
}

int main(int argc, char **argv)
{
    static const property_area area = {"coordination", tune, draw};

    return property_main(argc, argv, &area);
}
