/* SPDX-License-Identifier: Apache-2.0 */
/* mote parents: the list of each element. */
#include "commands.h"
#include "jagged/elements.h"

enum { ID_STRATEGY = 300, ID_ABSOLUTE, ID_LENGTH, ID_STARTS, ID_STOPS };

static const tool_option parents_table[] = {
    {ID_STRATEGY, "strategy", "auto|search|event|balanced",
     "how the work is shared out (default: auto); the results are\n"
     "the same"},
    {ID_ABSOLUTE, "absolute", NULL,
     "one label for each of the positions 0 .. N - 1 of --length,\n"
     "-1 where there is no list"},
    {ID_LENGTH, "length", "N", "elements of the content; a list that ends beyond is an error"},
    {ID_STARTS, "starts", "S.npy",
     "where the lists start, instead of OFFSETS: in any order,\n"
     "with gaps, which get -1; needs --stops and --length"},
    {ID_STOPS, "stops", "T.npy", "where the lists stop"},
    {0, NULL, NULL, NULL},
};

static int parents_option(void *state, int id, const char *value)
{
    jagged_elements *elements = state;
    if (id == ID_STRATEGY)
        return jagged_strategy(value, &elements->strategy);
    if (id == ID_ABSOLUTE)
        elements->absolute = true;
    else if (id == ID_STARTS)
        elements->lists.starts = value;
    else if (id == ID_STOPS)
        elements->lists.stops = value;
    if (id != ID_LENGTH)
        return TOOL_GO_ON;
    elements->has_length = true;
    return tool_number("--length", value, 0, UINT64_MAX / 16, &elements->length);
}

static int check_options(const jagged_elements *elements)
{
    const jagged_lists *lists = &elements->lists;
    if (lists->starts && !elements->has_length)
        return tool_fail(TOOL_USAGE, "--starts and --stops need --length N");
    if (lists->starts && elements->strategy == MOTE_JAGGED_SEARCH)
        return tool_fail(TOOL_USAGE, "--strategy search needs lists in order, which --starts and "
                                     "--stops do not promise: use auto, event or balanced");
    if (elements->absolute && !elements->has_length)
        return tool_fail(TOOL_USAGE, "--absolute needs --length N");
    if (elements->has_length && !elements->absolute && !lists->starts)
        return tool_fail(TOOL_USAGE, "--length belongs to --absolute, or to --starts and --stops");
    return TOOL_GO_ON;
}

static int parents_run(const tool_command *self, int argc, char **argv)
{
    jagged_elements elements = {.call = mote_jagged_parents_host, .columns = "list,parent"};
    int first;
    int code = tool_parse(self, argc, argv, &elements.common, parents_option, &elements, &first);
    if (code == TOOL_GO_ON)
        code = jagged_lists_operand(&elements.lists, argc, argv, first);
    if (code == TOOL_GO_ON)
        code = check_options(&elements);
    return code == TOOL_GO_ON ? jagged_elements_run(self, &elements) : code;
}

const tool_command tool_parents = {
    .name = "parents",
    .arguments = "OFFSETS.npy",
    .summary = "offsets to the list number of each element",
    .about =
        "Gives each element of a jagged array the number of its list, from 0. OFFSETS has one\n"
        "value more than there are lists (int32, uint32 or int64): list k owns the positions\n"
        "OFFSETS[k] .. OFFSETS[k+1]-1, and the result begins with position OFFSETS[0]. It has\n"
        "the type of OFFSETS.\n\n" JAGGED_FILES,
    .examples = "mote parents offsets.npy -o parents.npy\n"
                "mote parents --starts starts.npy --stops stops.npy --length 1000 -o parents.npy",
    .options = parents_table,
    .run = parents_run,
};
