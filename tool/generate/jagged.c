/* SPDX-License-Identifier: Apache-2.0 */
/* mote generate jagged: offsets of lists, and values for them. */
#include "kinds.h"

#include "../jagged/write.h"
#include "../progress.h"

#include "testkit/cases/jagged/lists.h"

/* Values are multiples of 1 / 64 below 64: the same on every machine, and short as text. */
#define VALUE_STEPS 64

/* The offsets, and the values if an output for them is open. */
typedef struct jagged_arrays {
    mote_npy arrays[2];
    jagged_outputs to;
} jagged_arrays;

static int make_values(const generate_options *options, jagged_arrays *made)
{
    const mote_npy *offsets = &made->arrays[0];
    size_t n = (size_t)mote_index_get(offsets->values, offsets->type, offsets->count - 1);
    mote_npy *values = &made->arrays[1];
    *values = (mote_npy){.type = MOTE_FLOAT32, .n_dims = 1, .shape = {n, 1}, .count = n};
    int code = array_make("--values", values);
    mote_rng rng;
    mote_rng_seed(&rng, ~options->seed);
    for (size_t i = 0; i < n && code == TOOL_GO_ON; i++)
        ((float *)values->values)[i] =
            (float)mote_rng_below(&rng, VALUE_STEPS * VALUE_STEPS) / VALUE_STEPS;
    return code;
}

static int make(const generate_options *options, jagged_arrays *made)
{
    static const mote_type types[] = {MOTE_INT32, MOTE_UINT32, MOTE_INT64};
    mote_lengths how = {.kind = (mote_length_kind)options->spread,
                        .lists = (size_t)options->lists,
                        .mean = options->mean,
                        .seed = options->seed};
    mote_npy *offsets = &made->arrays[0];
    *offsets = (mote_npy){.type = types[options->dtype],
                          .n_dims = 1,
                          .shape = {how.lists + 1, 1},
                          .count = how.lists + 1};
    int code = array_make("--lists", offsets);
    progress_step("making", "lists");
    if (code == TOOL_GO_ON && !mote_lengths_fill(&how, offsets->type, 0, offsets->values))
        code = tool_fail(TOOL_USAGE, "--dtype %s cannot hold offsets of so many elements",
                         mote_type_name(offsets->type));
    return code == TOOL_GO_ON && made->to.outs[1] ? make_values(options, made) : code;
}

static int write(const generate_options *options, jagged_arrays *made)
{
    static const jagged_table tables[] = {{.columns = "offset"}, {.columns = "value"}};
    const mote_npy *offsets = &made->arrays[0];
    double start = tool_seconds();
    for (int k = 0; k < 2; k++)
        if (made->to.outs[k])
            jagged_write(made->to.outs[k], made->to.formats[k], &made->arrays[k], &tables[k]);
    int code = out_finish(made->to.outs, 2);
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
    jagged_arrays made = {0};
    progress_start(NULL, !options->common.quiet);
    const jagged_extra extras[JAGGED_EXTRAS] = {{"--values", options->values, "value"},
                                                {NULL, NULL, NULL}};
    int code = jagged_open(&options->common, extras, false, NULL, 0, &made.to);
    if (code == TOOL_GO_ON)
        code = make(options, &made);
    if (code == TOOL_GO_ON)
        code = write(options, &made);
    else
        out_discard(made.to.outs, 2);
    progress_end();
    for (int k = 0; k < 2; k++)
        mote_npy_free(&made.arrays[k]);
    return code;
}
