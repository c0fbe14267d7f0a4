/* SPDX-License-Identifier: Apache-2.0 */
/* mote generate events: digis of collision events. */
#include "kinds.h"

#include "../io/out.h"
#include "../io/refuse_overwrite.h"
#include "../io/text.h"
#include "../progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/events.h"
#include "testkit/cases/pixels/pdig.h"

#define OUTPUTS 2

/* Returns the number of digis written. Invalid digis are omitted, because CSV has no id for them
 * that every reader would know. */
static size_t write_csv(out_file *out, const mote_digis *digis)
{
    size_t written = 0;
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
            written++;
        }
        progress_show((double)(e + 1) / (double)digis->n_events, e + 1);
    }
    return written;
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

/* Writes the ids of marked modules, one in each line, as `mote clusters --morph` reads them. */
static void write_marks(out_file *out, const mote_digis *digis, const uint8_t *marks)
{
    for (uint32_t m = 0; m < digis->n_modules; m++)
        if (marks[m])
            out_print(out, "%u\n", (unsigned)m);
}

/* Opens the outputs for the events and the marks. */
static int open_outputs(const generate_options *options, out_file *outs[OUTPUTS])
{
    /* Two outputs cannot share standard output. */
    const bool both = !options->common.output && options->marks;
    const char *const names[] = {both ? "/dev/stdout" : options->common.output, options->marks};
    int code = same_refuse(NULL, 0, names, OUTPUTS);
    for (int k = 0; k < OUTPUTS && code == TOOL_GO_ON; k++)
        if (k == 0 || names[k])
            code = out_open(names[k], &outs[k]) == TOOL_DONE ? TOOL_GO_ON : TOOL_OUTPUT;
    return code;
}

static int write_events(const generate_options *options, const mote_digis *digis,
                        const uint8_t *marks)
{
    const char *path = options->common.output;
    out_file *outs[OUTPUTS] = {NULL, NULL};
    size_t written = digis->n;
    double start = tool_seconds();
    int code = open_outputs(options, outs);
    if (code == TOOL_GO_ON && path && tool_ends_with(path, ".bin"))
        code = write_bin(outs[0], digis);
    else if (code == TOOL_GO_ON)
        written = write_csv(outs[0], digis);
    if (code == TOOL_GO_ON && outs[1])
        write_marks(outs[1], digis, marks);
    if (code == TOOL_GO_ON)
        code = out_finish(outs, OUTPUTS);
    else
        out_discard(outs, OUTPUTS);
    tool_timing timing = {.write_s = tool_seconds() - start};
    if (code == TOOL_DONE && !out_reader_left()) {
        tool_summary(&options->common,
                     "%zu digi%s in %zu event%s of %u module%s, %u x %u pixels each", written,
                     tool_plural(written), digis->n_events, tool_plural(digis->n_events),
                     digis->n_modules, tool_plural(digis->n_modules), digis->rows, digis->columns);
        tool_timing_print(&options->common, "generate", "", &timing);
    }
    return code;
}

static bool has_good_name(const char *path)
{
    return !path || strncmp(path, "/dev/", 5) == 0 || tool_ends_with(path, ".csv") ||
           tool_ends_with(path, ".bin");
}

int generate_events(const generate_options *options)
{
    const char *output = options->common.output;
    if (!has_good_name(output))
        return tool_fail(TOOL_USAGE, "-o %s: the name must end in .csv or .bin", output);
    mote_digis digis;
    uint8_t *marks = NULL;
    char message[200] = "out of memory";
    progress_start("event", !options->common.quiet);
    progress_step("making", "events");
    bool made = mote_case_events(options->topology, (size_t)options->events, options->seed, &digis,
                                 message, sizeof(message));
    bool marked = made && mote_case_break(options->broken, options->seed, &digis, &marks);
    int code =
        marked ? write_events(options, &digis, marks) : tool_fail(TOOL_OUTPUT, "%s", message);
    progress_end();
    if (made)
        mote_digis_free(&digis);
    free(marks);
    return code;
}
