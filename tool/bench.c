/* SPDX-License-Identifier: Apache-2.0 */
/* mote bench: measures this device's rates, compared with its own bandwidth. */
#include "bench_overview.h"
#include "bench_plot.h"
#include "commands.h"
#include "io/out.h"
#include "io/refuse_overwrite.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"

enum { ID_JSON = 300, ID_QUICK, ID_SVG, ID_ALL };

static const tool_option bench_table[] = {
    {ID_ALL, "all", NULL, "measure all areas in the long table, which takes minutes"},
    {ID_JSON, "json", "FILE", "also write one JSON line for each measurement"},
    {ID_SVG, "svg", "FILE", "also draw rates against sizes, and the limits of the device"},
    {ID_QUICK, "quick", NULL, "measure fewer inputs in the long table, with fewer runs"},
    {0, NULL, NULL, NULL},
};

typedef struct bench_options {
    tool_common common;
    const char *json, *svg, *area;
    bool all, quick;
} bench_options;

/* The output of a benchmark, kept until it is complete. */
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
    else if (id == ID_SVG)
        return tool_picture("--svg", value, &options->svg);
    else if (id == ID_ALL)
        options->all = true;
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

/* Writes the collected text to its output. Returns false if memory ran out while it was
 * collected. */
static bool close_text(bench_text *text)
{
    bool good = !text->file || !ferror(text->file);
    good = (!text->file || fclose(text->file) == 0) && good;
    if (text->file && good)
        out_bytes(text->out, text->bytes, text->count);
    free(text->bytes);
    text->file = NULL;
    text->bytes = NULL;
    return good;
}

/* Closes the texts and completes all three outputs, or none. */
static int finish(bench_text *texts, out_file *picture, int code)
{
    out_file *outs[] = {texts[0].out, texts[1].out, picture};
    bool kept = close_text(&texts[0]);
    kept = close_text(&texts[1]) && kept;
    if (code == TOOL_DONE && !kept)
        code = tool_fail(TOOL_OUTPUT, "out of memory");
    if (code == TOOL_DONE)
        return out_finish(outs, 3);
    out_discard(outs, 3);
    return code;
}

static int run_benchmark(const bench_options *options, FILE *table, FILE *json, bench_plot *plot)
{
    mote_bench_options work = {.device = options->common.device,
                               .area = options->area,
                               .quick = options->quick,
                               .table = table,
                               .json = json,
                               .point = options->svg ? bench_plot_add : NULL,
                               .point_user = plot};
    char message[400] = "";
    bool all = options->all || options->quick || options->area || json || options->svg;
    int code = (int)(all ? mote_bench(&work, message, sizeof(message))
                         : bench_overview(work, message, sizeof(message)));
    return code == TOOL_DONE ? code : tool_fail(code, "%s", message);
}

/* On a terminal or a pipe the table grows line by line; a file gets it when it is complete. */
static int measure(const bench_options *options)
{
    bench_text texts[2] = {{0}, {0}};
    out_file *picture = NULL;
    bench_plot plot = {0};
    int code = TOOL_DONE;
    if (options->common.output)
        code = open_text(options->common.output, &texts[0]);
    if (code == TOOL_DONE && options->json)
        code = open_text(options->json, &texts[1]);
    if (code == TOOL_DONE && options->svg)
        code = out_open(options->svg, &picture);
    if (code == TOOL_DONE) {
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
        code = run_benchmark(options, options->common.output ? texts[0].file : stdout,
                             texts[1].file, &plot);
    }
    if (code == TOOL_DONE && options->svg)
        code = bench_plot_draw(&plot, options->common.device, picture);
    bench_plot_free(&plot);
    return finish(texts, picture, code);
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
    const char *outputs[] = {options.common.output, options.json, options.svg};
    if (code == TOOL_GO_ON)
        code = same_refuse(NULL, 0, outputs, 3);
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
    .arguments = "[pixels|jagged|reduce|histogram|coordination]",
    .summary = "measure the calls on this device",
    .about =
        "Measures the calls on this device, and the rates at which it copies, fills and reads\n"
        "its memory in the same run. Results are compared with serial code first.\n\n"
        "Without AREA and options, it prints a line for each of ten calls, in about 20 seconds\n"
        "on a CPU. With AREA, --all, --quick, --json or --svg, it prints a long table with a\n"
        "line for each call, input and strategy of the area or of all areas.",
    .examples = "mote bench\n"
                "mote bench reduce --json bench.json --svg bench.svg -o bench.txt",
    .options = bench_table,
    .run = bench_run,
};
