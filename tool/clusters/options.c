/* SPDX-License-Identifier: Apache-2.0 */
/* The options of mote clusters. */
#include "clusters/options.h"
#include "io/file_type.h"
#include "io/refuse_overwrite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ID_LABELS = 300,
    ID_SVG,
    ID_SVG_EVENT,
    ID_EVENT,
    ID_MODULE,
    ID_SIZE,
    ID_INVALID,
    ID_DUPLICATES,
    ID_THRESHOLD,
    ID_CUT,
    ID_INNER,
    ID_CONNECTIVITY,
    ID_STRATEGY,
    ID_SCALE,
    ID_PART,
    ID_COLUMNS,
    ID_MASK,
    ID_MORPH,
    ID_ELEMENTS,
    ID_WINDOW,
    ID_GAIN,
    ID_FORMAT,
    ID_INPUT_FORMAT,
    ID_PITCH,
    ID_ORIGIN
};

const tool_option clusters_table[] = {
    {ID_LABELS, "labels", "FILE",
     "write one CSV line for each digi, in the order of the\n"
     "input, with its cluster"},
    {ID_SVG, "svg", "FILE", "draw one module"},
    {ID_SVG_EVENT, "svg-event", "FILE",
     "draw all modules of an event, each in a panel; if there\n"
     "are more than 200, those with the most digis"},
    {ID_EVENT, "event", "E",
     "event that --svg and --svg-event draw, by its number in\n"
     "the outputs (default: the one with the most digis)"},
    {ID_MODULE, "module", "ID",
     "module that --svg draws (default: the one with the most\n"
     "digis)"},
    {ID_WINDOW, "window", "X:X,Y:Y", "rows and columns that --svg shows, from first to last"},
    {ID_SIZE, "size", "ROWSxCOLUMNS",
     "size of a module: x < ROWS, y < COLUMNS (default: the size\n"
     "in the .bin file, or the largest x and y plus 1)"},
    {ID_INVALID, "invalid-module", "ID",
     "ignore digis of this module\n"
     "(default: 65534 for .bin, none for CSV)"},
    {ID_DUPLICATES, "duplicates", "drop|first|sum|max",
     "repeated pixels: drop all copies (default), keep the\n"
     "first, or make them one pixel with the sum or max of\n"
     "charges"},
    {ID_THRESHOLD, "threshold", "ADC", "ignore digis with a charge below ADC"},
    {ID_CUT, "charge-cut", "Q[,OUTER]",
     "drop clusters with a charge below Q; with OUTER, Q applies\n"
     "to module ids below --inner-modules, and OUTER to all\n"
     "others"},
    {ID_INNER, "inner-modules", "N", "see --charge-cut"},
    {ID_CONNECTIVITY, "connectivity", "8|4",
     "pixels that touch: those that share a corner or a side (8,\n"
     "default), or only those that share a side (4)"},
    {ID_STRATEGY, "strategy", "auto|union_find|histogram",
     "method that joins touching pixels (default: auto, the\n"
     "fastest); histogram is the method of CMS; all methods find\n"
     "the same clusters"},
    {ID_SCALE, "adc-scale", "S",
     "multiply charges by S before they are rounded to integers\n"
     "(default: 1; for fractions, a power of two)"},
    {ID_COLUMNS, "columns", "LIST",
     "columns of CSV that have other names: module=NAME, x=, y=,\n"
     "adc=, event=, run=, lumi= or none=NAME, separated by\n"
     "commas; for hits with times also t=, ftoa= or pixel="},
    {HITS_TIME_WINDOW, "time-window", "TICKS",
     "the inputs are one stream of hits with times; hits touch\n"
     "if their times differ by at most TICKS, and their rows and\n"
     "columns by at most --radius"},
    {HITS_RADIUS, "radius", "R",
     "with --time-window: largest difference in rows and in\n"
     "columns of hits that touch (default: 1; at most 15); with\n"
     "0, only hits of the same pixel touch"},
    {HITS_DISORDER, "disorder", "TICKS",
     "a hit is at most TICKS earlier than any hit before it\n"
     "(default: 1000000)"},
    {HITS_TIME_SCALE, "time-scale", "S",
     "multiply times, which may be fractions, by S and round\n"
     "them to ticks (default: times are whole ticks)"},
    {HITS_BLOCK, "block", "HITS",
     "number of hits of the stream that are processed together\n"
     "(default: 1048576); results do not depend on it"},
    {ID_MASK, "mask", "FILE",
     "CSV of dead pixels (module_id,x,y); their digis are\n"
     "dropped"},
    {ID_GAIN, "gain", "FILE",
     "CSV of gains and pedestals (module_id,gain,pedestal): the\n"
     "charge is gain (adc - pedestal), rounded down, at least 0"},
    {ID_MORPH, "morph", "FILE",
     "file with one module id in each line; clusters of these\n"
     "modules are formed on the morphological closing of their\n"
     "pixels, so that small gaps do not divide them"},
    {ID_ELEMENTS, "morph-elements", "D,E",
     "3 x 3 pixels of the dilation and of the erosion of\n"
     "--morph, row by row (default: 111111111,010111010)"},
    {ID_INPUT_FORMAT, "input-format", "csv|bin|tpx3",
     "format of the inputs (default: by the ending of each name;\n"
     "for a pipe, by its first bytes)"},
    {ID_FORMAT, "format", "csv|acts",
     "format of the clusters; acts: measurements, which Acts\n"
     "reads (requires one event, --pitch, and --duplicates drop\n"
     "or first)"},
    {ID_PITCH, "pitch", "PX,PY",
     "distances between rows and between columns in mm, for\n"
     "--format acts"},
    {ID_ORIGIN, "origin", "X,Y",
     "position of the outer corner of pixel 0,0 in mm (default:\n"
     "the middle of a module of --size is at 0,0)"},
    {ID_PART, "part", "K/N|auto", PART_HELP},
    {0, NULL, NULL, NULL},
};

static int take_cut(clusters_options *options, const char *value)
{
    char first[64];
    size_t length = strcspn(value, ",");
    if (length >= sizeof(first))
        return tool_fail(TOOL_USAGE, "--charge-cut: '%s' is not a number of at least 0", value);
    memcpy(first, value, length);
    first[length] = '\0';
    options->has_inner_cut = value[length] == ',';
    long double *one = options->has_inner_cut ? &options->inner_cut : &options->cut;
    int code = tool_real("--charge-cut", first, one);
    if (code == TOOL_GO_ON && options->has_inner_cut)
        code = tool_real("--charge-cut", value + length + 1, &options->cut);
    return code;
}

static int take_threshold(clusters_options *options, const char *value)
{
    int code = tool_real("--threshold", value, &options->threshold);
    if (code == TOOL_GO_ON && options->threshold > 4294967295.0L)
        return tool_fail(TOOL_USAGE, "--threshold: '%s' is above 4294967295", value);
    return code;
}

static int take_scale(clusters_options *options, const char *value)
{
    int code = tool_real("--adc-scale", value, &options->digis.adc_scale);
    if (code == TOOL_GO_ON &&
        !(options->digis.adc_scale >= 1e-30L && options->digis.adc_scale <= 1e30L))
        return tool_fail(TOOL_USAGE, "--adc-scale: '%s' is not a number from 1e-30 to 1e30", value);
    return code;
}

static int take_picture(clusters_options *options, int id, const char *value)
{
    if (id == ID_EVENT) {
        options->has_event = true;
        return tool_number("--event", value, 0, UINT64_MAX, &options->event);
    }
    options->has_module = true;
    return tool_number("--module", value, 0, UINT64_MAX, &options->module);
}

static int take_window(clusters_options *options, const char *value)
{
    svg_window *w = &options->window;
    int end = 0;
    w->given = true;
    if (strspn(value, "0123456789:,") == strlen(value) &&
        sscanf(value, "%5u:%5u,%5u:%5u%n", &w->x_min, &w->x_max, &w->y_min, &w->y_max, &end) == 4 &&
        !value[end] && w->x_min <= w->x_max && w->y_min <= w->y_max)
        return TOOL_GO_ON;
    return tool_fail(TOOL_USAGE,
                     "--window: '%s' is not X:X,Y:Y, the first and last row and column, as "
                     "10:40,0:99",
                     value);
}

static int take_pair(const char *name, const char *value, double *pair)
{
    int end = 0;
    bool good = strspn(value, "0123456789+-.eE,") == strlen(value) &&
                sscanf(value, "%lf,%lf%n", &pair[0], &pair[1], &end) == 2 && !value[end] &&
                isfinite(pair[0]) && isfinite(pair[1]);
    if (good)
        return TOOL_GO_ON;
    return tool_fail(TOOL_USAGE, "%s: '%s' is not two numbers in mm, as 0.05,0.1", name, value);
}

static int take_place(clusters_options *options, int id, const char *value)
{
    if (id == ID_ORIGIN) {
        options->has_origin = true;
        return take_pair("--origin", value, options->origin);
    }
    options->has_pitch = true;
    int code = take_pair("--pitch", value, options->pitch);
    if (code == TOOL_GO_ON && !(options->pitch[0] > 0.0 && options->pitch[1] > 0.0))
        return tool_fail(TOOL_USAGE, "--pitch: '%s' is not above 0", value);
    return code;
}

static int take_word(clusters_options *options, int id, const char *value)
{
    static const char *const policies[] = {"drop", "first", "sum", "max", NULL};
    static const char *const connectivities[] = {"8", "4", NULL};
    static const char *const strategies[] = {"auto", "union_find", "histogram", NULL};
    if (id == ID_DUPLICATES)
        return tool_word("--duplicates", value, policies, &options->duplicates);
    if (id == ID_FORMAT) {
        static const char *const formats[] = {"csv", "acts", NULL};
        int format = 0;
        if (strcmp(value, "bin") == 0)
            return tool_fail(TOOL_USAGE, "--format is of the clusters: the one of inputs is "
                                         "--input-format bin");
        int code = tool_word("--format", value, formats, &format);
        options->acts = format == 1;
        return code;
    }
    if (id == ID_INPUT_FORMAT) {
        static const char *const formats[] = {"csv", "bin", "tpx3", NULL};
        int format = 0;
        int code = tool_word("--input-format", value, formats, &format);
        options->digis.format = (enum digi_format)(DIGIS_CSV + format);
        return code;
    }
    if (id == ID_STRATEGY)
        return tool_word("--strategy", value, strategies, &options->strategy);
    int place = 0;
    int code = tool_word("--connectivity", value, connectivities, &place);
    options->connectivity = place ? 4 : 8;
    return code;
}

int clusters_option(void *state, int id, const char *value)
{
    clusters_options *options = state;
    for (int k = 0; clusters_table[k].name; k++)
        options->used |= clusters_table[k].id == id ? 1u << k : 0;
    if (id >= HITS_TIME_WINDOW)
        return hits_option(options, id, value);
    if (id == ID_LABELS)
        options->labels = tool_output(value);
    else if (id == ID_SVG)
        return tool_picture("--svg", value, &options->svg);
    else if (id == ID_SVG_EVENT)
        return tool_picture("--svg-event", value, &options->svg_event);
    else if (id == ID_EVENT || id == ID_MODULE)
        return take_picture(options, id, value);
    else if (id == ID_SIZE)
        return tool_size("--size", value, &options->digis.rows, &options->digis.columns);
    else if (id == ID_PITCH || id == ID_ORIGIN)
        return take_place(options, id, value);
    else if (id == ID_DUPLICATES || id == ID_CONNECTIVITY || id == ID_STRATEGY || id == ID_FORMAT ||
             id == ID_INPUT_FORMAT)
        return take_word(options, id, value);
    else if (id == ID_PART)
        return part_take(value, &options->part);
    else if (id == ID_THRESHOLD)
        return take_threshold(options, value);
    else if (id == ID_CUT)
        return take_cut(options, value);
    else if (id == ID_SCALE)
        return take_scale(options, value);
    else if (id == ID_COLUMNS)
        return digi_columns_parse(value, &options->columns);
    else if (id == ID_WINDOW)
        return take_window(options, value);
    else if (id == ID_MASK)
        options->mask = (char *)(uintptr_t)value;
    else if (id == ID_GAIN)
        options->gain = (char *)(uintptr_t)value;
    else if (id == ID_MORPH)
        options->morph = (char *)(uintptr_t)value;
    else if (id == ID_ELEMENTS)
        return modules_elements(value, options->morph_elements);
    if (id == ID_INVALID) {
        options->digis.has_invalid = true;
        return tool_number("--invalid-module", value, 0, UINT64_MAX,
                           &options->digis.invalid_module);
    }
    if (id == ID_INNER) {
        options->has_inner_modules = true;
        return tool_number("--inner-modules", value, 1, UINT64_MAX, &options->inner_modules);
    }
    return TOOL_GO_ON;
}

/* Every measurement needs a position. */
static int check_acts(clusters_options *options)
{
    const digi_options *digis = &options->digis;
    if (!options->acts)
        return options->has_pitch || options->has_origin
                   ? tool_fail(TOOL_USAGE, "--pitch and --origin are for --format acts")
                   : TOOL_GO_ON;
    if (!options->has_pitch)
        return tool_fail(TOOL_USAGE, "--format acts gives places in mm: give --pitch PX,PY");
    if (!options->has_origin && !digis->rows)
        return tool_fail(TOOL_USAGE, "--format acts gives places in mm: give --origin X,Y, or "
                                     "--size ROWSxCOLUMNS of modules with their middle at 0,0");
    if (options->part.n)
        return tool_fail(TOOL_USAGE, "--format acts is for one event: leave out --part");
    if (options->duplicates == MOTE_DUPLICATES_SUM || options->duplicates == MOTE_DUPLICATES_MAX)
        return tool_fail(TOOL_USAGE, "--format acts needs the charge of each pixel for variances: "
                                     "with it --duplicates is drop or first");
    if (!options->has_origin) {
        options->origin[0] = -0.5 * digis->rows * options->pitch[0];
        options->origin[1] = -0.5 * digis->columns * options->pitch[1];
    }
    return TOOL_GO_ON;
}

#define AS_CSV "let the name end in .csv"

static int check_pictures(const clusters_options *options)
{
    if ((options->has_module || options->window.given) && !options->svg)
        return tool_fail(TOOL_USAGE,
                         "--module and --window choose what --svg FILE draws: give --svg");
    if (options->has_event && !options->svg && !options->svg_event)
        return tool_fail(TOOL_USAGE, "--event chooses what --svg FILE or --svg-event FILE draws: "
                                     "give one of them");
    if (options->part.n && options->svg)
        return tool_fail(TOOL_USAGE, "--svg draws one module of all events: leave out --part");
    if (options->part.n && options->svg_event)
        return tool_fail(TOOL_USAGE, "--svg-event draws one of all events: leave out --part");
    return TOOL_GO_ON;
}

int clusters_check_options(clusters_options *options, int argc, char **argv, int first)
{
    if (first >= argc)
        return tool_fail(TOOL_USAGE, "no input file given (see mote clusters --help)");
    options->inputs = argv + first;
    options->n_inputs = (size_t)(argc - first);
    int code;
    options->digis.leave_room = options->duplicates == MOTE_DUPLICATES_SUM;
    options->digis.columns_given = &options->columns;
    options->digis.number_modules = options->mask || options->gain || options->morph;
    options->digis.needs_charges = options->threshold > 0.0L || options->cut > 0.0L ||
                                   options->inner_cut > 0.0L || options->gain ||
                                   options->duplicates == MOTE_DUPLICATES_MAX;
    if (options->has_inner_cut && !options->has_inner_modules)
        return tool_fail(TOOL_USAGE, "--charge-cut INNER,OUTER needs --inner-modules N");
    if (options->has_inner_modules && !options->has_inner_cut)
        return tool_fail(TOOL_USAGE, "--inner-modules needs --charge-cut INNER,OUTER");
    if (options->morph_elements[0] && !options->morph)
        return tool_fail(TOOL_USAGE, "--morph-elements is for marked modules: give --morph FILE");
    code = output_refuse_foreign(options->common.output, false, AS_CSV);
    if (code == TOOL_GO_ON)
        code = output_refuse_foreign(options->labels, false, AS_CSV);
    if (code == TOOL_GO_ON)
        code = hits_check_options(options);
    if (code == TOOL_GO_ON)
        code = check_pictures(options);
    if (code == TOOL_GO_ON)
        code = check_acts(options);
    if (code == TOOL_GO_ON)
        code = part_check(&options->part, &options->common);
    if (code == TOOL_GO_ON)
        code = part_rename(&options->part, "clusters", &options->common.output);
    if (code == TOOL_GO_ON)
        code = part_rename(&options->part, "labels", &options->labels);
    if (code != TOOL_GO_ON)
        return code;
    size_t n_stdin = 0;
    for (size_t i = 0; i < options->n_inputs; i++)
        n_stdin += strcmp(options->inputs[i], "-") == 0;
    n_stdin += options->mask && strcmp(options->mask, "-") == 0;
    n_stdin += options->gain && strcmp(options->gain, "-") == 0;
    n_stdin += options->morph && strcmp(options->morph, "-") == 0;
    if (n_stdin > 1)
        return tool_fail(TOOL_USAGE, "'-' (standard input) can be read only once");
    const char *outputs[] = {options->common.output, options->labels, options->svg,
                             options->svg_event, options->common.trace};
    char *tables[3];
    size_t n_tables = 0;
    if (options->mask)
        tables[n_tables++] = options->mask;
    if (options->gain)
        tables[n_tables++] = options->gain;
    if (options->morph)
        tables[n_tables++] = options->morph;
    code = same_refuse(tables, n_tables, outputs, 5);
    return code == TOOL_GO_ON ? same_refuse(options->inputs, options->n_inputs, outputs, 5) : code;
}
