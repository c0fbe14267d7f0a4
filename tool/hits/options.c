/* SPDX-License-Identifier: Apache-2.0 */
/* The options of streams. */
#include "../clusters/options.h"

#include <stdlib.h>
#include <string.h>

static int take_scale(clusters_options *options, const char *value)
{
    long double *scale = &options->digis.time_scale;
    int code = tool_real("--time-scale", value, scale);
    if (code == TOOL_GO_ON && !(*scale >= 1e-30L && *scale <= 1e30L))
        return tool_fail(TOOL_USAGE, "--time-scale: '%s' is not a number from 1e-30 to 1e30",
                         value);
    return code;
}

int hits_option(clusters_options *options, int id, const char *value)
{
    hit_options *hits = &options->hits;
    if (id == HITS_RADIUS)
        return tool_number("--radius", value, 0, 15, &hits->radius);
    if (id == HITS_DISORDER)
        return tool_number("--disorder", value, 0, UINT64_MAX, &hits->disorder);
    if (id == HITS_BLOCK)
        return tool_number("--block", value, 1, (uint64_t)1 << 30, &hits->block);
    if (id == HITS_TIME_SCALE)
        return take_scale(options, value);
    hits->given = true;
    return tool_number("--time-window", value, 0, INT64_MAX, &hits->window);
}

/* Returns whether an option applies to digis and to streams. */
static bool is_shared(const char *name)
{
    static const char *const both[] = {"labels", "svg",     "module",
                                       "size",   "columns", "input-format"};
    for (size_t k = 0; k < sizeof(both) / sizeof(both[0]); k++)
        if (strcmp(name, both[k]) == 0)
            return true;
    return false;
}

int hits_check_options(clusters_options *options)
{
    bool given = options->hits.given;
    for (int k = 0; clusters_table[k].name; k++) {
        const char *name = clusters_table[k].name;
        bool of_streams = clusters_table[k].id >= HITS_TIME_WINDOW;
        if (!(options->used >> k & 1))
            continue;
        if (given && !of_streams && !is_shared(name))
            return tool_fail(TOOL_USAGE, "--%s does not apply to the hits of --time-window", name);
        if (!given && of_streams)
            return tool_fail(TOOL_USAGE, "--%s is for hits in time: give --time-window TICKS",
                             name);
    }
    options->columns.time = given;
    for (int k = COLUMN_TIME; k < COLUMN_KINDS && !given; k++)
        if (options->columns.name[k][0])
            return tool_fail(TOOL_USAGE, "--columns: t=, ftoa=, pixel= and overflow= are for hits "
                                         "in time: give --time-window TICKS");
    if (given && options->has_module && options->module > UINT32_MAX)
        return tool_fail(TOOL_USAGE,
                         "--module: %llu is above 4294967295, the highest module of hits in time",
                         (unsigned long long)options->module);
    const char *device = options->common.device;
    if (given && devices_are_several(device ? device : getenv("MOTE_DEVICE")))
        return tool_fail(TOOL_USAGE, "--time-window uses one device: give one of them to -d");
    return TOOL_GO_ON;
}
