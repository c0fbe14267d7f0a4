/* SPDX-License-Identifier: Apache-2.0 */
/* mote parents: the list of each element. */
#include "commands.h"
#include "jagged/elements.h"

enum { ID_STRATEGY = 300, ID_ABSOLUTE, ID_LENGTH, ID_STARTS, ID_STOPS };

static const tool_option parents_table[] = {
    {ID_STRATEGY, "strategy", "auto|search|event|balanced",
     "method that distributes the work (default: auto); all methods\n"
     "give the same results"},
    {ID_ABSOLUTE, "absolute", NULL,
     "write one label for each of the positions 0 .. N - 1 of\n"
     "--length: -1 for positions in no list"},
    {ID_LENGTH, "length", "N",
     "number of elements of the content; a list that ends beyond N\n"
     "is an error"},
    {ID_STARTS, "starts", "S.npy",
     "starts of the lists, instead of OFFSETS: in any order, with\n"
     "gaps, whose elements get -1; requires --stops and --length"},
    {ID_STOPS, "stops", "T.npy", "stops of the lists"},
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
    .summary = "write the list number of each element",
    .about =
        "Writes the number of its list, counted from 0, for each element of a jagged array.\n"
        "List k contains the positions OFFSETS[k] .. OFFSETS[k+1]-1, so OFFSETS (int32, uint32\n"
        "or int64) have one value more than there are lists. The result, in the type of\n"
        "OFFSETS, begins with position OFFSETS[0].\n\n" JAGGED_FILES,
    .examples = "mote parents offsets.npy -o parents.npy\n"
                "mote parents --starts starts.npy --stops stops.npy --length 1000 -o parents.npy",
    .options = parents_table,
    .run = parents_run,
};
