/* SPDX-License-Identifier: Apache-2.0 */
/* mote coordination: its options. */
#include "options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char switch_help[400];

void coordination_describe(void)
{
    const char *name = mote_switch_kind_name((mote_switch_kind)0);
    size_t used =
        (size_t)snprintf(switch_help, sizeof(switch_help),
                         "any switching function in PLUMED's notation, such as\n"
                         "\"GAUSSIAN R_0=0.3 D_MAX=1.0\"; without D_MAX, it has no cutoff, is\n"
                         "not stretched, and all pairs are evaluated; one of");
    for (int k = 0; name && used < sizeof(switch_help); k++) {
        const char *next = mote_switch_kind_name((mote_switch_kind)(k + 1));
        used += (size_t)snprintf(switch_help + used, sizeof(switch_help) - used, "%s%s%s%s",
                                 k % 6 == 2 ? "\n" : " ", next || k == 0 ? "" : "or ", name,
                                 next ? "," : "");
        name = next;
    }
}

const tool_option coordination_list[] = {
    {ID_R0, "r0", "R",
     "r0 of the rational function (1-x^nn)/(1-x^mm) of x =\n"
     "(r-d0)/r0; numbers may be expressions, such as pi/10"},
    {ID_NN, "nn", "N", "exponent nn (default: 6)"},
    {ID_MM, "mm", "M", "exponent mm (default: 2 nn)"},
    {ID_D0, "d0", "D", "distance up to which a pair counts as 1 (default: 0)"},
    {ID_DMAX, "dmax", "D",
     "distance beyond which pairs do not count (default: where the\n"
     "function is 0.00001); the function is stretched to be 0 there"},
    {ID_SWITCH, "switch", "TEXT", switch_help},
    OPTION_GROUP_A,
    {ID_GROUP_B, "group-b", "LIST", "count the pairs of an atom of A and an atom of B instead"},
    {ID_PAIR, "pair", NULL,
     "count the first atom of A with the first one of B, the second\n"
     "with the second, and so on"},
    {ID_MEAN, "mean", NULL,
     "compute the mean of the coordination numbers of the atoms of\n"
     "A, instead of the sum over pairs: column cn.mean"},
    {ID_MOMENTS, "moments", "LIST",
     "also compute the mean of (n - mean)^k of these numbers for\n"
     "each k of a list such as 2,3 or 2-4"},
    {ID_LESS_THAN, "less-than", "TEXT",
     "also compute the sum of s(n), with a switching function s in\n"
     "PLUMED's notation, such as \"RATIONAL R_0=4\": column\n"
     "cn.lessthan"},
    {ID_MORE_THAN, "more-than", "TEXT", "also compute the sum of 1 - s(n): column cn.morethan"},
    {ID_CV, "cv", "TEXT",
     "a collective variable in PLUMED's notation, such as \"ow:\n"
     "COORDINATION GROUPA=name:O GROUPB=name:H R_0=0.3\",\n"
     "\"n: COORDINATIONNUMBER SPECIES=name:O R_0=0.3 MEAN\" or\n"
     "\"q: MOTE_Q L=6 SPECIES=name:O MEAN SWITCH={CUBIC D_0=0.3\n"
     "D_MAX=0.4}\" (also MOTE_LOCAL_Q, Q3, Q4, Q6); the option may be\n"
     "repeated, and the input is read once"},
    {ID_PLUMED, "plumed", "FILE",
     "compute the variables of a PLUMED input, whose lines\n"
     "COORDINATION, COORDINATIONNUMBER, MOTE_Q, MOTE_LOCAL_Q, Q3,\n"
     "Q4, Q6, PRINT, GROUP and UNITS are read; lengths are in nm\n"
     "unless UNITS states another unit, and numbers are printed as\n"
     "PLUMED prints them"},
    OPTION_NAMES,
    OPTIONS_OF_SPACE,
    {ID_PRECISION, "precision", "double|mixed|single",
     "double (default if the device supports it), mixed (pairs in\n"
     "single precision, sums in double), or single; with mixed and\n"
     "single, frames with boxes above 16384 r_0 are computed in double"},
    {ID_METHOD, "method", "auto|all-pairs|cells", "method that finds pairs (default: auto)"},
    {ID_VIRIAL, "virial", NULL, "add the nine fields vir_xx to vir_zz"},
    {ID_DERIVATIVES, "derivatives", "FILE",
     "write a line for each frame and list entry: frame, entry,\n"
     "atom, and the derivatives"},
    {ID_PER_ATOM, "per-atom", "FILE",
     "write a line for each frame and list entry: frame, entry,\n"
     "atom, and the coordination number of the entry"},
    {ID_SVG, "svg", "FILE", "draw the numbers against time"},
    {ID_DIGITS, "fmt", "FORMAT", "format of numbers, such as %f or %12.6g (default: %.17g)"},
    OPTIONS_OF_FRAMES,
    {ID_PART, "part", "K/N|auto", PART_HELP},
    {0, NULL, NULL, NULL},
};

/* ---- options --------------------------------------------------------------------------------- */

/* Returns whether a value is an expression and not just a decimal number, as PLUMED's parameters
 * may be. */
static bool is_expression(const char *value, double *number)
{
    mote_switch function;
    char text[300], *end;
    (void)strtod(value, &end);
    int length = snprintf(text, sizeof(text), "RATIONAL R_0=1 D_0=%s", value);
    if (!*end || strpbrk(value, " \t\r\n") || length >= (int)sizeof(text) ||
        mote_switch_parse(text, &function))
        return false;
    *number = function.d_0;
    return true;
}

static int take_length(const char *option, const char *value, bool negative, double *length)
{
    long double number = 0.0L;
    bool minus = negative && *value == '-';
    int code = TOOL_GO_ON;
    if (!is_expression(value, length)) {
        code = tool_real(option, value + minus, &number);
        *length = minus ? -(double)number : (double)number;
    }
    if (code == TOOL_GO_ON && !isfinite(*length))
        return tool_fail(TOOL_USAGE, "%s: '%s' is too large", option, value);
    if (code == TOOL_GO_ON && !negative && *length <= 0.0)
        return tool_fail(TOOL_USAGE, "%s: '%s' must be above 0", option, value);
    return code;
}

static int take_exponent(const char *option, const char *value, uint64_t least, int32_t *exponent)
{
    uint64_t whole = 0;
    double number;
    if (is_expression(value, &number) && number == floor(number) && number >= (double)least &&
        number <= INT32_MAX) {
        *exponent = (int32_t)number;
        return TOOL_GO_ON;
    }
    int code = tool_number(option, value, least, INT32_MAX, &whole);
    *exponent = (int32_t)whole;
    return code;
}

static int take_keyword(coordination_state *state, int id, const char *value)
{
    mote_switch *f = &state->cv.function;
    state->keywords = true;
    if (id == ID_R0) {
        state->has_r0 = true;
        return take_length("--r0", value, false, &f->r_0);
    }
    if (id == ID_D0)
        return take_length("--d0", value, true, &f->d_0);
    if (id == ID_DMAX)
        return take_length("--dmax", value, false, &f->d_max);
    return id == ID_NN ? take_exponent("--nn", value, 1, &f->nn)
                       : take_exponent("--mm", value, 0, &f->mm);
}

static int take_word(coordination_options *options, int id, const char *value)
{
    static const char *const precisions[] = {"mixed", "single", "double", NULL};
    static const char *const methods[] = {"auto", "all-pairs", "cells", NULL};
    int place = 0;
    int code;
    if (id == ID_PRECISION) {
        code = tool_word("--precision", value, precisions, &place);
        options->has_precision = true;
        options->precision = (mote_precision)place;
        return code;
    }
    code = tool_word("--method", value, methods, &place);
    options->method = (mote_coordination_method)place;
    return code;
}

static int take_format(coordination_options *options, const char *value)
{
    const char *names[MOTE_TRAJECTORY_FORMATS + 1] = {NULL};
    int place = 0;
    for (int k = 0; k < MOTE_TRAJECTORY_FORMATS; k++)
        names[k] = mote_trajectory_format_name((mote_trajectory_format)k);
    int code = tool_word("--format", value, names, &place);
    options->format = (mote_trajectory_format)place;
    return code;
}

static int take_dcd_cell(coordination_options *options, const char *value)
{
    const char *names[MOTE_DCD_CELLS + 1] = {NULL};
    int place = 0;
    for (int k = 0; k < MOTE_DCD_CELLS; k++)
        names[k] = mote_dcd_cell_name((mote_dcd_cell)k);
    int code = tool_word("--dcd-cell", value, names, &place);
    options->rules.dcd_cell = (mote_dcd_cell)place;
    return code;
}

static int take_frames(coordination_options *options, int id, const char *value)
{
    if (id == ID_BEGIN)
        return tool_number("--begin", value, 0, INT64_MAX, &options->begin);
    if (id == ID_END)
        return tool_number("--end", value, 1, INT64_MAX, &options->end);
    return tool_number("--stride", value, 1, INT64_MAX, &options->stride);
}

static int read_stdin_once(coordination_state *state, bool is_stdin)
{
    state->n_stdin += is_stdin;
    return state->n_stdin > 1 ? tool_fail(TOOL_USAGE, "'-' (standard input) can be read only once")
                              : TOOL_GO_ON;
}

static int take_numbers(coordination_state *state, int id, const char *value)
{
    component_list *list = &state->cv.functions;
    if (id == ID_MEAN)
        return component_add_mean(list, "--mean");
    if (id == ID_MOMENTS)
        return component_add_moments(list, "--moments", TOOL_USAGE, value);
    bool less = id == ID_LESS_THAN;
    return component_add_switch(list, less ? "--less-than" : "--more-than", TOOL_USAGE,
                                less ? COMPONENT_LESS_THAN : COMPONENT_MORE_THAN, 0, value);
}

static int take_list(coordination_state *state, int id, const char *list)
{
    int code = read_stdin_once(state, strcmp(list, "@-") == 0);
    if (code != TOOL_GO_ON)
        return code;
    if (id == ID_GROUP_A)
        return group_take(&state->cv.group_a, "--group-a", TOOL_USAGE, list, NULL);
    return group_take(&state->cv.group_b, "--group-b", TOOL_USAGE, list, NULL);
}

static int take_space(coordination_options *options, int id, const char *value)
{
    if (id == ID_BOX)
        return coordination_box(options, value);
    if (id == ID_PERIODIC)
        return coordination_periodic(options, value);
    return coordination_unit(options, value);
}

int coordination_option(void *user, int id, const char *value)
{
    coordination_state *state = user;
    coordination_options *options = &state->options;
    if (id >= ID_R0 && id <= ID_DMAX)
        return take_keyword(state, id, value);
    if (id == ID_GROUP_A || id == ID_GROUP_B)
        return take_list(state, id, value);
    if (id >= ID_MEAN && id <= ID_MORE_THAN)
        return take_numbers(state, id, value);
    if (id == ID_PRECISION || id == ID_METHOD)
        return take_word(options, id, value);
    if (id == ID_FORMAT)
        return take_format(options, value);
    if (id == ID_DCD_CELL)
        return take_dcd_cell(options, value);
    if (id == ID_PART)
        return part_take(value, &options->part);
    if (id >= ID_BEGIN && id <= ID_STRIDE)
        return take_frames(options, id, value);
    if (id >= ID_BOX && id <= ID_UNIT)
        return take_space(options, id, value);
    if (id == ID_CV)
        return coordination_take_cv(options, value);
    if (id == ID_PLUMED)
        state->plumed = value;
    else if (id == ID_NAMES)
        options->names = value;
    else if (id == ID_SVG)
        return tool_picture("--svg", value, &options->svg);
    else if (id == ID_DIGITS)
        state->digits = value;
    else if (id == ID_SWITCH)
        state->text = value;
    else if (id == ID_PAIR)
        state->cv.pair = true;
    else if (id == ID_NOPBC)
        options->rules.ignore_boxes = true;
    else if (id == ID_VIRIAL)
        options->virial = true;
    else if (id == ID_DERIVATIVES)
        options->derivatives = tool_output(value);
    else if (id == ID_PER_ATOM)
        options->per_atom = tool_output(value);
    return TOOL_GO_ON;
}
