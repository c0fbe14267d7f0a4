/* SPDX-License-Identifier: Apache-2.0 */
/* mote generate jagged: offsets of lists. */
#include "kinds.h"

#include "../io/arrays.h"
#include "../progress.h"

#include <string.h>

#include "testkit/cases/jagged/lists.h"

static bool has_good_name(const char *path)
{
    return !path || strncmp(path, "/dev/", 5) == 0 || tool_ends_with(path, ".npy");
}

static int write_offsets(const generate_options *options, const mote_npy *offsets)
{
    out_file *out;
    double start = tool_seconds();
    int code = out_open(options->common.output, &out);
    if (code != TOOL_DONE)
        return code;
    array_write(out, offsets);
    code = out_finish(&out, 1);
    tool_timing timing = {.write_s = tool_seconds() - start};
    int64_t elements = mote_index_get(offsets->values, offsets->type, offsets->count - 1);
    if (code == TOOL_DONE && !out_reader_left()) {
        tool_summary(&options->common, "%llu list%s with %lld element%s",
                     (unsigned long long)options->lists, tool_plural(options->lists),
                     (long long)elements, tool_plural((uint64_t)elements));
        tool_timing_print(&options->common, "generate", "", &timing);
    }
    return code;
}

int generate_jagged(const generate_options *options)
{
    static const mote_type types[] = {MOTE_INT32, MOTE_UINT32, MOTE_INT64};
    const char *output = options->common.output;
    if (!has_good_name(output))
        return tool_fail(TOOL_USAGE, "-o %s: the name must end in .npy", output);
    int code = array_refuse_terminal(output);
    if (code != TOOL_GO_ON)
        return code;
    mote_lengths how = {.kind = (mote_length_kind)options->spread,
                        .lists = (size_t)options->lists,
                        .mean = options->mean,
                        .seed = options->seed};
    mote_npy offsets = {.type = types[options->dtype],
                        .n_dims = 1,
                        .shape = {how.lists + 1, 1},
                        .count = how.lists + 1};
    code = array_make("--lists", &offsets);
    if (code != TOOL_GO_ON)
        return code;
    progress_start(NULL, !options->common.quiet);
    progress_step("making", "lists");
    if (mote_lengths_fill(&how, offsets.type, 0, offsets.values))
        code = write_offsets(options, &offsets);
    else
        code = tool_fail(TOOL_USAGE, "--dtype %s cannot hold offsets of so many elements",
                         mote_type_name(offsets.type));
    progress_end();
    mote_npy_free(&offsets);
    return code;
}
