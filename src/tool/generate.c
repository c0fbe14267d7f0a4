/* SPDX-License-Identifier: Apache-2.0 */
/* mote generate: reproducible inputs for a first try and for benchmarks. */
#include "commands.h"
#include "generate/kinds.h"

#include <string.h>

#include "cases/pixels/topology.h"

enum { ID_SEED = 300, ID_EVENTS_FIRST, ID_TOPOLOGY = ID_EVENTS_FIRST, ID_EVENTS, ID_JAGGED_FIRST };
enum { ID_LISTS = ID_JAGGED_FIRST, ID_MEAN, ID_SPREAD, ID_DTYPE, ID_END };

#define MOST_MEAN 1000000.0L

static const tool_option generate_table[] = {
    {ID_SEED, "seed", "S", "another seed gives another input (default: 1)"},
    {ID_TOPOLOGY, "topology", "NAME",
     "events: phase1 (default), phase2, heavy-ion, or\n"
     "ROWSxCOLUMNS"},
    {ID_EVENTS, "events", "N", "events: how many (default: 1)"},
    {ID_LISTS, "lists", "M", "jagged: number of lists (default: 1000)"},
    {ID_MEAN, "mean", "K", "jagged: mean elements of a list (default: 10)"},
    {ID_SPREAD, "spread", "NAME",
     "jagged: all lists as long (constant, K is rounded), around\n"
     "the mean (poisson, default), or a few far longer (power)"},
    {ID_DTYPE, "dtype", "TYPE", "jagged: int32, uint32 or int64 (default)"},
    {0, NULL, NULL, NULL},
};

/* What can be made, and the ids of the options only it takes. */
static const struct {
    const char *name;
    int first_id, end_id;
    int (*run)(const generate_options *options);
} kinds[] = {
    {"events", ID_EVENTS_FIRST, ID_JAGGED_FIRST, generate_events},
    {"jagged", ID_JAGGED_FIRST, ID_END, generate_jagged},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

typedef struct generate_state {
    generate_options options;
    bool given[ID_END - ID_SEED];
} generate_state;

static int take_topology(generate_options *options, const char *value)
{
    mote_topology topology;
    char message[200];
    options->topology = value;
    if (!mote_topology_find(value, &topology, message, sizeof(message)))
        return tool_fail(TOOL_USAGE, "--topology: %s", message);
    return TOOL_GO_ON;
}

static int take_mean(generate_options *options, const char *value)
{
    long double mean = 0.0L;
    int code = tool_real("--mean", value, &mean);
    if (code == TOOL_GO_ON && mean > MOST_MEAN)
        return tool_fail(TOOL_USAGE, "--mean: '%s' is above %.0Lf", value, MOST_MEAN);
    options->mean = (double)mean;
    return code;
}

static int generate_option(void *state, int id, const char *value)
{
    static const char *const spreads[] = {"constant", "poisson", "power", NULL};
    static const char *const types[] = {"int32", "uint32", "int64", NULL};
    generate_options *options = &((generate_state *)state)->options;
    ((generate_state *)state)->given[id - ID_SEED] = true;
    if (id == ID_EVENTS)
        return tool_number("--events", value, 1, 1000000, &options->events);
    if (id == ID_SEED)
        return tool_number("--seed", value, 0, UINT64_MAX, &options->seed);
    if (id == ID_TOPOLOGY)
        return take_topology(options, value);
    if (id == ID_LISTS)
        return tool_number("--lists", value, 0, INT32_MAX, &options->lists);
    if (id == ID_MEAN)
        return take_mean(options, value);
    if (id == ID_SPREAD)
        return tool_word("--spread", value, spreads, &options->spread);
    return tool_word("--dtype", value, types, &options->dtype);
}

static const char *kind_name_at(const void *list, int i)
{
    (void)list;
    return (size_t)i < KINDS ? kinds[i].name : NULL;
}

static int find_kind(const char *name, size_t *kind)
{
    for (*kind = 0; *kind < KINDS; (*kind)++)
        if (strcmp(name, kinds[*kind].name) == 0)
            return TOOL_GO_ON;
    const char *near = tool_nearest(name, kind_name_at, NULL);
    return tool_fail(TOOL_USAGE,
                     "cannot generate '%s'; this version generates: events, jagged%s%s%s", name,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Options of another kind are a mistake, not noise. */
static int check_given(const generate_state *state, size_t kind)
{
    for (int i = 0; generate_table[i].name; i++) {
        int id = generate_table[i].id;
        bool own = id < ID_EVENTS_FIRST || (id >= kinds[kind].first_id && id < kinds[kind].end_id);
        if (state->given[id - ID_SEED] && !own)
            return tool_fail(TOOL_USAGE, "--%s is not an option of mote generate %s",
                             generate_table[i].name, kinds[kind].name);
    }
    return TOOL_GO_ON;
}

static int generate_run(const tool_command *self, int argc, char **argv)
{
    generate_state state = {.options = {.seed = 1,
                                        .topology = "phase1",
                                        .events = 1,
                                        .lists = 1000,
                                        .mean = 10.0,
                                        .spread = 1,
                                        .dtype = 2}};
    int first;
    size_t kind = 0;
    int code = tool_parse(self, argc, argv, &state.options.common, generate_option, &state, &first);
    if (code == TOOL_GO_ON && first == argc)
        code = tool_fail(TOOL_USAGE, "what to generate? mote generate events, or jagged");
    if (code == TOOL_GO_ON)
        code = find_kind(argv[first], &kind);
    if (code == TOOL_GO_ON)
        code = tool_no_operands(argc, argv, first + 1);
    if (code == TOOL_GO_ON)
        code = check_given(&state, kind);
    return code == TOOL_GO_ON ? kinds[kind].run(&state.options) : code;
}

const tool_command tool_generate = {
    .name = "generate",
    .arguments = "events|jagged",
    .summary = "make reproducible inputs",
    .about =
        "events: digis of collision events, charged particles crossing detector modules. -o\n"
        "FILE.csv or FILE.bin chooses the format; without -o CSV goes to stdout. CSV leaves out\n"
        "the few invalid digis that a .bin file has (module 65534).\n\n"
        "jagged: offsets of lists (NPY), as mote parents and mote segments take them.\n\n"
        "The same seed gives the same input on every machine.",
    .options = generate_table,
    .run = generate_run,
};
