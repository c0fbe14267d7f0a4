/* SPDX-License-Identifier: Apache-2.0 */
/* mote coordination: its options. */
#include "options.h"

#include "../io/same.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ID_R0 = 300,
    ID_NN,
    ID_MM,
    ID_D0,
    ID_DMAX,
    ID_SWITCH,
    ID_GROUP_A,
    ID_GROUP_B,
    ID_PAIR,
    ID_NOPBC,
    ID_PRECISION,
    ID_METHOD,
    ID_VIRIAL,
    ID_DERIVATIVES,
    ID_PER_ATOM,
    ID_FORMAT,
    ID_BEGIN,
    ID_END,
    ID_STRIDE
};

static char switch_help[400];

void coordination_describe(void)
{
    const char *name = mote_switch_kind_name((mote_switch_kind)0);
    size_t used = (size_t)snprintf(switch_help, sizeof(switch_help),
                                   "any switching function in PLUMED's words instead, such as\n"
                                   "\"GAUSSIAN R_0=0.3 D_MAX=1.0\", of");
    for (int k = 0; name && used < sizeof(switch_help); k++) {
        const char *next = mote_switch_kind_name((mote_switch_kind)(k + 1));
        used += (size_t)snprintf(switch_help + used, sizeof(switch_help) - used, "%s%s%s%s",
                                 k % 6 == 2 ? "\n" : " ", next || k == 0 ? "" : "or ", name,
                                 next ? "," : "");
        name = next;
    }
}

const tool_option coordination_table[] = {
    {ID_R0, "r0", "R", "rational function (1-x^nn)/(1-x^mm), x = (r-d0)/r0"},
    {ID_NN, "nn", "N", "its exponents nn and mm (default: 6, and mm = 2 nn)"},
    {ID_MM, "mm", "M", "see --nn"},
    {ID_D0, "d0", "D", "distance up to which a pair counts fully (default: 0)"},
    {ID_DMAX, "dmax", "D",
     "distance from which on it does not count (default: where the\n"
     "function is 0.00001); the function is stretched to reach 0"},
    {ID_SWITCH, "switch", "TEXT", switch_help},
    {ID_GROUP_A, "group-a", "LIST",
     "the atoms, from 1: 1-108 or 1,5,9-20:2 or @FILE with such\n"
     "words (default: all)"},
    {ID_GROUP_B, "group-b", "LIST", "count pairs of an atom of A and one of B instead"},
    {ID_PAIR, "pair", NULL, "count pairs of the first of A and of B, the second, ..."},
    {ID_NOPBC, "nopbc", NULL, "ignore the boxes"},
    {ID_PRECISION, "precision", "NAME",
     "double (default where the device has it), mixed (pairs in\n"
     "single precision, sums not), or single"},
    {ID_METHOD, "method", "NAME", "auto (default), all-pairs or cells: how pairs are found"},
    {ID_VIRIAL, "virial", NULL, "nine more fields, vir_xx to vir_zz"},
    {ID_DERIVATIVES, "derivatives", "FILE", "lines: frame, list entry, atom, and the derivatives"},
    {ID_PER_ATOM, "per-atom", "FILE", "lines: frame, list entry, atom, and its own number"},
    {ID_FORMAT, "format", "NAME",
     "of TRAJECTORY: xyz, gro, xtc, trr or dcd (default: by its\n"
     "name, else by how it begins)"},
    {ID_BEGIN, "begin", "N", "the first frame, counted from 0 (default: 0)"},
    {ID_END, "end", "N", "the frame to stop before (default: none)"},
    {ID_STRIDE, "stride", "N", "take every N-th frame (default: 1)"},
    {0, NULL, NULL, NULL},
};

/* ---- options
 * ------------------------------------------------------------------------------------- */

static int take_length(const char *option, const char *value, bool negative, double *length)
{
    long double number = 0.0L;
    bool minus = negative && *value == '-';
    int code = tool_real(option, value + minus, &number);
    *length = minus ? -(double)number : (double)number;
    if (code == TOOL_GO_ON && !isfinite(*length))
        return tool_fail(TOOL_USAGE, "%s: '%s' is too large", option, value);
    if (code == TOOL_GO_ON && !negative && *length <= 0.0)
        return tool_fail(TOOL_USAGE, "%s: '%s' must be above 0", option, value);
    return code;
}

static int take_keyword(coordination_state *state, int id, const char *value)
{
    mote_switch *f = &state->options.function;
    uint64_t number = 0;
    int code;
    state->keywords = true;
    if (id == ID_R0) {
        state->has_r0 = true;
        return take_length("--r0", value, false, &f->r_0);
    }
    if (id == ID_D0)
        return take_length("--d0", value, true, &f->d_0);
    if (id == ID_DMAX)
        return take_length("--dmax", value, false, &f->d_max);
    code = tool_number(id == ID_NN ? "--nn" : "--mm", value, id == ID_NN, INT32_MAX, &number);
    *(id == ID_NN ? &f->nn : &f->mm) = (int32_t)number;
    return code;
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

static int take_frames(coordination_options *options, int id, const char *value)
{
    if (id == ID_BEGIN)
        return tool_number("--begin", value, 0, INT64_MAX, &options->begin);
    if (id == ID_END)
        return tool_number("--end", value, 1, INT64_MAX, &options->end);
    return tool_number("--stride", value, 1, INT64_MAX, &options->stride);
}

static int take_list(coordination_state *state, int id, const char *list)
{
    coordination_options *options = &state->options;
    state->n_stdin += strcmp(list, "@-") == 0;
    if (state->n_stdin > 1)
        return tool_fail(TOOL_USAGE, "'-' (standard input) can be read only once");
    if (id == ID_GROUP_A)
        return group_take(&options->group_a, "--group-a", list);
    return group_take(&options->group_b, "--group-b", list);
}

int coordination_option(void *user, int id, const char *value)
{
    coordination_state *state = user;
    coordination_options *options = &state->options;
    if (id >= ID_R0 && id <= ID_DMAX)
        return take_keyword(state, id, value);
    if (id == ID_GROUP_A || id == ID_GROUP_B)
        return take_list(state, id, value);
    if (id == ID_PRECISION || id == ID_METHOD)
        return take_word(options, id, value);
    if (id == ID_FORMAT)
        return take_format(options, value);
    if (id >= ID_BEGIN && id <= ID_STRIDE)
        return take_frames(options, id, value);
    if (id == ID_SWITCH)
        state->text = value;
    else if (id == ID_PAIR)
        options->pair = true;
    else if (id == ID_NOPBC)
        options->no_pbc = true;
    else if (id == ID_VIRIAL)
        options->virial = true;
    else if (id == ID_DERIVATIVES)
        options->derivatives = tool_output(value);
    else if (id == ID_PER_ATOM)
        options->per_atom = tool_output(value);
    return TOOL_GO_ON;
}

static int check_function(coordination_state *state)
{
    mote_switch *f = &state->options.function;
    if (state->text && state->keywords)
        return tool_fail(TOOL_USAGE,
                         "--switch says all that --r0, --nn, --mm, --d0 and --dmax say: "
                         "give the one or the others");
    if (!state->text && !state->has_r0)
        return tool_fail(TOOL_USAGE, "give --r0 R, or --switch TEXT for another function (see mote "
                                     "coordination --help)");
    mote_status status = state->text ? mote_switch_parse(state->text, f) : mote_switch_complete(f);
    if (status)
        return tool_fail(TOOL_USAGE, "%s%s", state->text ? "--switch: " : "", tool_sentence());
    if (state->options.method == MOTE_COORDINATION_CELLS && isinf(f->d_max))
        return tool_fail(TOOL_USAGE, "--method cells needs a finite d_max: give D_MAX in --switch");
    return TOOL_GO_ON;
}

/* Parts of outputs are outputs too. */
static int check_names(coordination_options *options)
{
    const char *const names[] = {options->common.output, options->derivatives, options->per_atom};
    const char *outputs[2 * OUT_COUNT];
    char *parts[OUT_COUNT];
    for (int i = 0; i < OUT_COUNT; i++) {
        parts[i] = names[i] && *names[i] ? out_part_name(names[i]) : NULL;
        outputs[i] = names[i];
        outputs[OUT_COUNT + i] = parts[i];
    }
    const char *const files[] = {options->input, options->group_a.path, options->group_b.path};
    char *inputs[3];
    size_t n_inputs = 0;
    for (int i = 0; i < 3; i++)
        if (files[i])
            inputs[n_inputs++] = (char *)files[i];
    int code = same_refuse(inputs, n_inputs, outputs, 2 * OUT_COUNT);
    for (int i = 0; i < OUT_COUNT; i++)
        free(parts[i]);
    return code;
}

int coordination_check(coordination_state *state, int argc, char **argv, int first)
{
    coordination_options *options = &state->options;
    const coordination_group *a = &options->group_a, *b = &options->group_b;
    if (first >= argc)
        return tool_fail(TOOL_USAGE, "no trajectory given (see mote coordination --help)");
    int code = tool_no_operands(argc, argv, first + 1);
    if (code != TOOL_GO_ON)
        return code;
    options->input = argv[first];
    if (options->end <= options->begin)
        return tool_fail(TOOL_USAGE, "--end %llu leaves no frame from --begin %llu on",
                         (unsigned long long)options->end, (unsigned long long)options->begin);
    if (options->pair && !(a->n_ranges && b->n_ranges))
        return tool_fail(TOOL_USAGE, "--pair needs --group-a and --group-b");
    if (b->n_ranges && !a->n_ranges)
        return tool_fail(TOOL_USAGE, "--group-b needs --group-a");
    if (state->n_stdin && strcmp(options->input, "-") == 0)
        return tool_fail(TOOL_USAGE, "'-' (standard input) can be read only once");
    code = check_function(state);
    return code == TOOL_GO_ON ? check_names(options) : code;
}
