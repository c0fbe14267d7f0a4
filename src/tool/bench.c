/* SPDX-License-Identifier: Apache-2.0 */
/* mote bench: what this device reaches, beside its own bandwidth. */
#include "commands.h"
#include "io/out.h"
#include "io/same.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"

enum { ID_JSON = 300, ID_QUICK };

static const tool_option bench_table[] = {
    {ID_JSON, "json", "FILE", "also one JSON line for each measurement"},
    {ID_QUICK, "quick", NULL, "fewer inputs and runs"},
    {0, NULL, NULL, NULL},
};

typedef struct bench_options {
    tool_common common;
    const char *json, *area;
    bool quick;
} bench_options;

/* What a benchmark prints, kept until it is complete. */
typedef struct bench_text {
    FILE *file;
    char *bytes;
    size_t count;
    out_file *out;
} bench_text;

static int bench_option(void *state, int id, const char *value)
{
    bench_options *options = state;
    if (id == ID_JSON)
        options->json = tool_output(value);
    else
        options->quick = true;
    return TOOL_GO_ON;
}

static int open_text(const char *path, bench_text *text)
{
    int code = out_open(path, &text->out);
    if (code != TOOL_DONE)
        return code;
    text->file = open_memstream(&text->bytes, &text->count);
    return text->file ? TOOL_DONE : tool_fail(TOOL_OUTPUT, "%s: out of memory", path);
}

/* Hands the kept text to its output. */
static void close_text(bench_text *text)
{
    if (text->file && fclose(text->file) == 0 && text->out)
        out_bytes(text->out, text->bytes, text->count);
    free(text->bytes);
    text->file = NULL;
    text->bytes = NULL;
}

static int finish(bench_text *texts, int code)
{
    out_file *outs[] = {texts[0].out, texts[1].out};
    close_text(&texts[0]);
    close_text(&texts[1]);
    if (code == TOOL_DONE)
        return out_finish(outs, 2);
    out_discard(outs, 2);
    return code;
}

/* On a terminal or a pipe the table grows line by line; a file gets it when it is complete. */
static int measure(const bench_options *options)
{
    bench_text texts[2] = {{0}, {0}};
    int code = TOOL_DONE;
    if (options->common.output)
        code = open_text(options->common.output, &texts[0]);
    if (code == TOOL_DONE && options->json)
        code = open_text(options->json, &texts[1]);
    if (code == TOOL_DONE) {
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
        mote_bench_options work = {.device = options->common.device,
                                   .area = options->area,
                                   .quick = options->quick,
                                   .table = options->common.output ? texts[0].file : stdout,
                                   .json = texts[1].file};
        char message[400] = "";
        code = (int)mote_bench(&work, message, sizeof(message));
        if (code != TOOL_DONE)
            tool_fail(code, "%s", message);
    }
    return finish(texts, code);
}

static int take_area(bench_options *options, int argc, char **argv, int first)
{
    if (first == argc)
        return TOOL_GO_ON;
    options->area = argv[first];
    return tool_no_operands(argc, argv, first + 1);
}

static int bench_run(const tool_command *self, int argc, char **argv)
{
    bench_options options = {0};
    int first;
    int code = tool_parse(self, argc, argv, &options.common, bench_option, &options, &first);
    if (code == TOOL_GO_ON)
        code = take_area(&options, argc, argv, first);
    if (code == TOOL_GO_ON && (options.common.profile || options.common.trace))
        code = tool_fail(TOOL_USAGE, "--profile and --trace: mote bench times its calls itself");
    const char *outputs[] = {options.common.output, options.json};
    if (code == TOOL_GO_ON)
        code = same_refuse(NULL, 0, outputs, 2);
    if (code != TOOL_GO_ON)
        return code;
    double start = tool_seconds();
    code = measure(&options);
    tool_timing timing = {.device_s = tool_seconds() - start};
    if (code == TOOL_DONE)
        tool_timing_print(&options.common, "bench",
                          options.common.device ? options.common.device : "", &timing);
    return code;
}

const tool_command tool_bench = {
    .name = "bench",
    .arguments = "[AREA]",
    .summary = "measure this device",
    .about =
        "Measures the primitives of an area (pixels, jagged, reduce, coordination; default: all)\n"
        "on the device, beside the best that it copies, fills and reads in the same run. Results "
        "are\n"
        "compared with serial code first.",
    .options = bench_table,
    .run = bench_run,
};
