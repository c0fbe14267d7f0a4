/* SPDX-License-Identifier: Apache-2.0 */
/* mote generate: reproducible inputs for first experiments and for benchmarks. */
#include "commands.h"
#include "generate/kinds.h"

#include <string.h>

#include "testkit/cases/pixels/topology.h"

enum {
    ID_ATOMS = 'n',
    ID_SEED = 300,
    ID_TOPOLOGY,
    ID_EVENTS,
    ID_BROKEN,
    ID_MARKS,
    ID_FRAMES,
    ID_FORMAT,
    ID_LISTS,
    ID_MEAN,
    ID_SPREAD,
    ID_DTYPE,
    ID_VALUES,
    ID_HITS,
    ID_MOST,
    ID_DISORDER,
    ID_CHIPS
};

#define MOST_MEAN    1000000.0L
#define MOST_OPTIONS 20

static const tool_option generate_table[] = {
    {ID_SEED, "seed", "S",
     "seed of the random numbers (default: 1; for atoms, their\n"
     "number)"},
    {ID_TOPOLOGY, "topology", "phase1|phase2|heavy-ion|ROWSxCOLUMNS",
     "events: detector (default: phase1), or size of its modules"},
    {ID_EVENTS, "events", "N", "events: number of events (default: 1)"},
    {ID_BROKEN, "broken", "SHARE",
     "events: share of damaged modules, from 0 (default) to 1;\n"
     "they lose a quarter of their digis"},
    {ID_MARKS, "marks", "FILE",
     "events: write the ids of the damaged modules, one in each\n"
     "line, for mote clusters --morph"},
    {ID_HITS, "hits", "N", "hits: number of hits (default: 100000)"},
    {ID_MOST, "most", "K", "hits: largest number of hits of a cluster (default: 200)"},
    {ID_DISORDER, "disorder", "TICKS",
     "hits: largest time by which a hit is earlier than a\n"
     "preceding hit, in ticks of 1.5625 ns (default: 640)"},
    {ID_CHIPS, "chips", "C", "hits: number of chips of 256 x 256 pixels (default: 1)"},
    {ID_ATOMS, "atoms", "N", "atoms: number of atoms in a frame (default: 1000)"},
    {ID_FRAMES, "frames", "F", "atoms: number of frames (default: 1)"},
    {ID_FORMAT, "format", "xyz|extxyz|gro",
     "atoms: xyz with the box lengths as the comment (default),\n"
     "extxyz with Lattice=, or gro (default for FILE.gro)"},
    {ID_LISTS, "lists", "M", "jagged: number of lists (default: 1000)"},
    {ID_MEAN, "mean", "K", "jagged: mean number of elements of a list (default: 10)"},
    {ID_SPREAD, "spread", "constant|poisson|power",
     "jagged: lengths of lists: constant (K rounded), poisson\n"
     "(default), or power (a few lists are far longer)"},
    {ID_DTYPE, "dtype", "int32|uint32|int64", "jagged: type of the offsets (default: int64)"},
    {ID_VALUES, "values", "FILE",
     "jagged: write a value for each element to FILE: float32,\n"
     "multiples of 1/64 below 64"},
    {0, NULL, NULL, NULL},
};

/* The kinds of inputs, and the options of each. */
static const struct {
    const char *name;
    int ids[6]; /* ends with 0 */
    int (*run)(const generate_options *options);
} kinds[] = {
    {"events", {ID_TOPOLOGY, ID_EVENTS, ID_BROKEN, ID_MARKS}, generate_events},
    {"hits", {ID_HITS, ID_MOST, ID_DISORDER, ID_CHIPS}, generate_hits},
    {"atoms", {ID_ATOMS, ID_FRAMES, ID_FORMAT}, generate_atoms},
    {"jagged", {ID_LISTS, ID_MEAN, ID_SPREAD, ID_DTYPE, ID_VALUES}, generate_jagged},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

typedef struct generate_state {
    generate_options options;
    bool given[MOST_OPTIONS]; /* in the order of the table */
} generate_state;

static void note_given(generate_state *state, int id)
{
    for (int i = 0; generate_table[i].name; i++)
        if (generate_table[i].id == id)
            state->given[i] = true;
}

static int take_topology(generate_options *options, const char *value)
{
    mote_topology topology;
    char message[200];
    options->topology = value;
    if (!mote_topology_find(value, &topology, message, sizeof(message)))
        return tool_fail(TOOL_USAGE, "--topology: %s", message);
    return TOOL_GO_ON;
}

static int take_broken(generate_options *options, int id, const char *value)
{
    long double share = 0.0L;
    if (id == ID_MARKS) {
        options->marks = tool_output(value);
        return TOOL_GO_ON;
    }
    int code = tool_real("--broken", value, &share);
    if (code == TOOL_GO_ON && !(share >= 0.0L && share <= 1.0L))
        return tool_fail(TOOL_USAGE, "--broken: '%s' is not between 0 and 1", value);
    options->broken = (double)share;
    return code;
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

static int take_atoms(generate_options *options, int id, const char *value)
{
    static const char *const formats[] = {"xyz", "extxyz", "gro", NULL};
    if (id == ID_ATOMS)
        return tool_number("--atoms", value, 0, INT32_MAX, &options->atoms);
    if (id == ID_FRAMES)
        return tool_number("--frames", value, 0, INT32_MAX, &options->frames);
    options->has_format = true;
    return tool_word("--format", value, formats, &options->format);
}

static int take_hits(generate_options *options, int id, const char *value)
{
    if (id == ID_HITS)
        return tool_number("--hits", value, 0, (uint64_t)1 << 40, &options->hits);
    if (id == ID_MOST)
        return tool_number("--most", value, 1, 1000000, &options->most);
    if (id == ID_CHIPS)
        return tool_number("--chips", value, 1, 256, &options->chips);
    return tool_number("--disorder", value, 0, UINT32_MAX - 1, &options->disorder);
}

static int generate_option(void *state, int id, const char *value)
{
    static const char *const spreads[] = {"constant", "poisson", "power", NULL};
    static const char *const types[] = {"int32", "uint32", "int64", NULL};
    generate_options *options = &((generate_state *)state)->options;
    note_given(state, id);
    if (id >= ID_HITS)
        return take_hits(options, id, value);
    if (id == ID_EVENTS)
        return tool_number("--events", value, 1, 1000000, &options->events);
    if (id == ID_ATOMS || id == ID_FRAMES || id == ID_FORMAT)
        return take_atoms(options, id, value);
    if (id == ID_SEED) {
        options->has_seed = true;
        return tool_number("--seed", value, 0, UINT64_MAX, &options->seed);
    }
    if (id == ID_TOPOLOGY)
        return take_topology(options, value);
    if (id == ID_BROKEN || id == ID_MARKS)
        return take_broken(options, id, value);
    if (id == ID_LISTS)
        return tool_number("--lists", value, 0, INT32_MAX, &options->lists);
    if (id == ID_MEAN)
        return take_mean(options, value);
    if (id == ID_SPREAD)
        return tool_word("--spread", value, spreads, &options->spread);
    if (id == ID_VALUES) {
        options->values = tool_output(value);
        return TOOL_GO_ON;
    }
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
    return tool_fail(
        TOOL_USAGE,
        "cannot generate '%s'; this version generates: events, hits, atoms, jagged%s%s%s", name,
        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bool is_own(size_t kind, int id)
{
    for (const int *own = kinds[kind].ids; *own; own++)
        if (*own == id)
            return true;
    return id == ID_SEED;
}

/* Options of another kind are an error. */
static int check_given(const generate_state *state, size_t kind)
{
    for (int i = 0; generate_table[i].name; i++)
        if (state->given[i] && !is_own(kind, generate_table[i].id))
            return tool_fail(TOOL_USAGE, "--%s is not an option of mote generate %s",
                             generate_table[i].name, kinds[kind].name);
    return TOOL_GO_ON;
}

static int generate_run(const tool_command *self, int argc, char **argv)
{
    generate_state state = {.options = {.seed = 1,
                                        .topology = "phase1",
                                        .events = 1,
                                        .hits = 100000,
                                        .most = 200,
                                        .disorder = 640,
                                        .chips = 1,
                                        .atoms = 1000,
                                        .frames = 1,
                                        .lists = 1000,
                                        .mean = 10.0,
                                        .spread = 1,
                                        .dtype = 2}};
    int first;
    size_t kind = 0;
    int code = tool_parse(self, argc, argv, &state.options.common, generate_option, &state, &first);
    if (code == TOOL_GO_ON && first == argc)
        code =
            tool_fail(TOOL_USAGE, "what to generate? mote generate events, hits, atoms, or jagged");
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
    .arguments = "events|hits|atoms|jagged",
    .summary = "generate reproducible inputs",
    .about =
        "events are digis of collision events: charged particles that cross detector modules.\n"
        "The output is CSV, or a digi event file if the name given with -o ends in .bin. CSV\n"
        "omits the few invalid digis that a .bin file has (module 65534).\n\n"
        "hits are a stream of hits with times, as of Timepix detectors, for mote clusters\n"
        "--time-window: tracks of neighbouring pixels. The output is CSV, or packets of\n"
        "Timepix3 if the name given with -o ends in .tpx3.\n\n"
        "atoms are frames of atoms spread evenly over a periodic cube with 33.4 of them in a\n"
        "unit volume, the density of water in nm. The first frame of -n N without --seed is the\n"
        "benchmark system of N atoms.\n\n"
        "jagged are the offsets of lists and, with --values, a value for each element of these\n"
        "lists. The names of the files end in .npy, .csv or .json.\n\n"
        "The same seed generates the same input on every machine.",
    .examples = "mote generate events --topology phase2 --events 10 -o events.csv\n"
                "mote generate jagged --lists 1000 --mean 8 -o offsets.npy --values values.npy",
    .options = generate_table,
    .run = generate_run,
};
