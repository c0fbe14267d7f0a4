/* SPDX-License-Identifier: Apache-2.0 */
/* mote counts: the length of each list. */
#include "commands.h"
#include "jagged/lists_out.h"

enum { ID_STARTS = 300, ID_STOPS };

static const tool_option counts_table[] = {
    {ID_STARTS, "starts", "S.npy", "starts of the lists, instead of OFFSETS; requires --stops"},
    {ID_STOPS, "stops", "T.npy", "stops of the lists"},
    {0, NULL, NULL, NULL},
};

static int counts_option(void *state, int id, const char *value)
{
    jagged_lists_out *work = state;
    if (id == ID_STARTS)
        work->lists.starts = value;
    else
        work->lists.stops = value;
    return TOOL_GO_ON;
}

static int counts_run(const tool_command *self, int argc, char **argv)
{
    jagged_lists_out work = {.call = mote_jagged_counts_host};
    int first;
    int code = tool_parse(self, argc, argv, &work.common, counts_option, &work, &first);
    if (code == TOOL_GO_ON)
        code = jagged_lists_operand(&work.lists, argc, argv, first);
    return code == TOOL_GO_ON ? jagged_lists_out_run(self, &work) : code;
}

const tool_command tool_counts = {
    .name = "counts",
    .arguments = "OFFSETS.npy",
    .summary = "write the length of each list",
    .about =
        "Writes the number of elements of each list of a jagged array, in the type of OFFSETS:\n"
        "int32, uint32 or int64.\n\n" JAGGED_FILES,
    .examples = "mote counts offsets.npy -o counts.npy\n"
                "mote counts offsets.npy | mote reduce --op max -",
    .options = counts_table,
    .run = counts_run,
};
