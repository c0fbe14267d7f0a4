/* SPDX-License-Identifier: Apache-2.0 */
/* mote offsets: where lists begin, from their lengths or their elements' labels. */
#include "commands.h"
#include "jagged/lists_out.h"

enum { ID_COUNTS = 300, ID_PARENTS, ID_SEGMENTS, ID_STARTS, ID_STOPS };

static const tool_option offsets_table[] = {
    {ID_COUNTS, "from-counts", "C.npy", "lengths of the lists"},
    {ID_PARENTS, "from-parents", "P.npy",
     "list numbers of the elements: 0 .. M-1, never decreasing;\n"
     "requires --segments"},
    {ID_SEGMENTS, "segments", "M", "number of lists of --from-parents, including empty lists"},
    {ID_STARTS, "starts", "S.npy",
     "starts of lists with gaps; the offsets are those of the lists\n"
     "without gaps; requires --stops"},
    {ID_STOPS, "stops", "T.npy", "stops of the lists"},
    {0, NULL, NULL, NULL},
};

typedef struct offsets_options {
    jagged_lists_out work;
    const char *counts, *parents;
    bool has_segments;
} offsets_options;

static int offsets_option(void *state, int id, const char *value)
{
    offsets_options *options = state;
    if (id == ID_COUNTS)
        options->counts = value;
    else if (id == ID_PARENTS)
        options->parents = value;
    else if (id == ID_STARTS)
        options->work.lists.starts = value;
    else if (id == ID_STOPS)
        options->work.lists.stops = value;
    if (id != ID_SEGMENTS)
        return TOOL_GO_ON;
    options->has_segments = true;
    return tool_number("--segments", value, 0, INT32_MAX, &options->work.n_lists);
}

static int check_options(offsets_options *options)
{
    const jagged_lists *lists = &options->work.lists;
    bool split = lists->starts || lists->stops;
    if (!options->counts + !options->parents + !split != 2)
        return tool_fail(TOOL_USAGE, "give one of --from-counts, --from-parents, or --starts and "
                                     "--stops");
    if (split && !(lists->starts && lists->stops))
        return tool_fail(TOOL_USAGE, "--starts S.npy and --stops T.npy go together");
    if (options->parents && !options->has_segments)
        return tool_fail(TOOL_USAGE, "--from-parents needs --segments M, the number of lists");
    if (options->has_segments && !options->parents)
        return tool_fail(TOOL_USAGE, "--segments belongs to --from-parents");
    options->work.from_parents = options->parents != NULL;
    options->work.values = options->parents ? options->parents : options->counts;
    options->work.call = options->parents ? mote_jagged_offsets_from_parents_host
                                          : mote_jagged_offsets_from_counts_host;
    return TOOL_GO_ON;
}

static int offsets_run(const tool_command *self, int argc, char **argv)
{
    offsets_options options = {.work = {.one_more = true}};
    int first;
    int code = tool_parse(self, argc, argv, &options.work.common, offsets_option, &options, &first);
    if (code == TOOL_GO_ON)
        code = tool_no_operands(argc, argv, first);
    if (code == TOOL_GO_ON)
        code = check_options(&options);
    return code == TOOL_GO_ON ? jagged_lists_out_run(self, &options.work) : code;
}

const tool_command tool_offsets = {
    .name = "offsets",
    .arguments = "",
    .summary = "write the offsets of lists, from their lengths or the labels of elements",
    .about = "Writes the offsets of the lists of a jagged array, of which the first is 0, in the\n"
             "type of the input: int32, uint32 or int64. There is one offset more than there are\n"
             "lists.\n\n" JAGGED_FILES,
    .examples = "mote offsets --from-counts counts.npy -o offsets.npy\n"
                "mote offsets --from-parents parents.npy --segments 1000 -o offsets.npy",
    .options = offsets_table,
    .run = offsets_run,
};
