/* SPDX-License-Identifier: Apache-2.0 */
/* mote generate: reproducible inputs for a first try and for benchmarks. */
#include "commands.h"
#include "io/out.h"
#include "io/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/pixels/events.h"
#include "cases/pixels/pdig.h"
#include "cases/pixels/topology.h"

enum { ID_TOPOLOGY = 300, ID_EVENTS, ID_SEED };

static const tool_option generate_table[] = {
    {ID_TOPOLOGY, "topology", "NAME", "phase1 (default), phase2, heavy-ion, or ROWSxCOLUMNS"},
    {ID_EVENTS, "events", "N", "number of events (default: 1)"},
    {ID_SEED, "seed", "S", "another seed gives other events (default: 1)"},
    {0, NULL, NULL, NULL},
};

typedef struct generate_options {
    tool_common common;
    const char *topology;
    uint64_t events, seed;
} generate_options;

static int generate_option(void *state, int id, const char *value)
{
    generate_options *options = state;
    if (id == ID_EVENTS)
        return tool_number("--events", value, 1, 1000000, &options->events);
    if (id == ID_SEED)
        return tool_number("--seed", value, 0, UINT64_MAX, &options->seed);
    mote_topology topology;
    char message[200];
    options->topology = value;
    if (!mote_topology_find(value, &topology, message, sizeof(message)))
        return tool_fail(TOOL_USAGE, "--topology: %s", message);
    return TOOL_GO_ON;
}

/* Invalid digis are left out: CSV has no id for them that every reader would know. */
static void write_csv(out_file *out, const mote_digis *digis)
{
    out_text(out, "event,module_id,x,y,adc\n");
    for (size_t e = 0; e < digis->n_events && !out_is_closed(out); e++) {
        for (size_t i = digis->event_offsets[e]; i < digis->event_offsets[e + 1]; i++) {
            if (digis->module_id[i] == digis->invalid_module_id)
                continue;
            const uint32_t fields[] = {digis->module_id[i], digis->x[i], digis->y[i],
                                       digis->adc[i]};
            char *at = text_whole(out_room(out, 5 * TEXT_ROOM), e);
            for (int k = 0; k < 4; k++) {
                *at++ = ',';
                at = text_whole(at, fields[k]);
            }
            *at++ = '\n';
            out_used(out, at);
        }
    }
}

static int write_bin(out_file *out, const mote_digis *digis)
{
    char *bytes = NULL;
    size_t count = 0;
    char message[200] = "out of memory";
    FILE *file = open_memstream(&bytes, &count);
    bool good = file && mote_pdig_write(file, digis, message, sizeof(message)) == MOTE_PDIG_OK;
    good = file && fclose(file) == 0 && good;
    if (good)
        out_bytes(out, bytes, count);
    free(bytes);
    return good ? TOOL_GO_ON : tool_fail(TOOL_OUTPUT, "%s", message);
}

static int write_events(const generate_options *options, const mote_digis *digis)
{
    const char *path = options->common.output;
    out_file *out;
    double start = tool_seconds();
    int code = out_open(path, &out);
    if (code != TOOL_DONE)
        return code;
    code = TOOL_GO_ON;
    if (path && tool_ends_with(path, ".bin"))
        code = write_bin(out, digis);
    else
        write_csv(out, digis);
    if (code == TOOL_GO_ON)
        code = out_finish(&out, 1);
    else
        out_discard(&out, 1);
    tool_timing timing = {.write_s = tool_seconds() - start};
    if (code == TOOL_DONE && !out_reader_left()) {
        tool_note(&options->common, "%zu digi%s in %zu event%s of %u modules, %u x %u pixels each",
                  digis->n, tool_plural(digis->n), digis->n_events, tool_plural(digis->n_events),
                  digis->n_modules, digis->rows, digis->columns);
        tool_timing_print(&options->common, "generate", "", &timing);
    }
    return code;
}

static int check_operand(int argc, char **argv, int first)
{
    if (first == argc)
        return tool_fail(TOOL_USAGE, "what to generate? mote generate events");
    if (strcmp(argv[first], "events") != 0)
        return tool_fail(TOOL_USAGE, "cannot generate '%s'; this version generates: events",
                         argv[first]);
    return tool_no_operands(argc, argv, first + 1);
}

static bool has_good_name(const char *path)
{
    return !path || strncmp(path, "/dev/", 5) == 0 || tool_ends_with(path, ".csv") ||
           tool_ends_with(path, ".bin");
}

static int generate_run(const tool_command *self, int argc, char **argv)
{
    generate_options options = {.topology = "phase1", .events = 1, .seed = 1};
    int first;
    int code = tool_parse(self, argc, argv, &options.common, generate_option, &options, &first);
    if (code == TOOL_GO_ON)
        code = check_operand(argc, argv, first);
    if (code == TOOL_GO_ON && !has_good_name(options.common.output))
        code = tool_fail(TOOL_USAGE, "-o %s: the name must end in .csv or .bin",
                         options.common.output);
    if (code != TOOL_GO_ON)
        return code;
    mote_digis digis;
    char message[200];
    if (!mote_case_events(options.topology, (size_t)options.events, options.seed, &digis, message,
                          sizeof(message)))
        return tool_fail(TOOL_OUTPUT, "%s", message);
    code = write_events(&options, &digis);
    mote_digis_free(&digis);
    return code;
}

const tool_command tool_generate = {
    .name = "generate",
    .arguments = "events",
    .summary = "make reproducible inputs",
    .about =
        "Makes digis of collision events: charged particles crossing detector modules. The same\n"
        "seed gives the same events on every machine. -o FILE.csv or FILE.bin chooses the\n"
        "format; without -o CSV goes to stdout. CSV leaves out the few invalid digis that a\n"
        ".bin file has (module 65534).",
    .options = generate_table,
    .run = generate_run,
};
