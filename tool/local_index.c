/* SPDX-License-Identifier: Apache-2.0 */
/* mote local-index: the place of each element in its list. */
#include "commands.h"
#include "jagged/elements.h"

enum { ID_STRATEGY = 300 };

static const tool_option local_index_table[] = {
    {ID_STRATEGY, "strategy", "auto|search|event|balanced",
     "method that distributes the work (default: auto); all methods\n"
     "give the same results"},
    {0, NULL, NULL, NULL},
};

static int local_index_option(void *state, int id, const char *value)
{
    jagged_elements *elements = state;
    (void)id;
    return jagged_strategy(value, &elements->strategy);
}

static int local_index_run(const tool_command *self, int argc, char **argv)
{
    jagged_elements elements = {.call = mote_jagged_local_index_host,
                                .columns = "list,local_index"};
    int first;
    int code =
        tool_parse(self, argc, argv, &elements.common, local_index_option, &elements, &first);
    if (code == TOOL_GO_ON)
        code = jagged_lists_operand(&elements.lists, argc, argv, first);
    return code == TOOL_GO_ON ? jagged_elements_run(self, &elements) : code;
}

const tool_command tool_local_index = {
    .name = "local-index",
    .arguments = "OFFSETS.npy",
    .summary = "write the position of each element in its list",
    .about =
        "Numbers the elements of each list of a jagged array from 0. The result begins with\n"
        "position OFFSETS[0] and has the type of OFFSETS: int32, uint32 or int64.\n\n" JAGGED_FILES,
    .examples = "mote local-index offsets.npy -o index.npy\n"
                "mote local-index offsets.npy -o index.csv",
    .options = local_index_table,
    .run = local_index_run,
};
