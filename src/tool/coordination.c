/* SPDX-License-Identifier: Apache-2.0 */
/* mote coordination: coordination numbers of the frames of a trajectory. */
#include "commands.h"
#include "progress.h"
#include "coordination/job.h"
#include "io/same.h"

#include <math.h>
#include <signal.h>
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
    ID_PER_ATOM
};

static char switch_help[400];

/* Names the kinds of the library's table, three a line. */
static void describe_switches(void)
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

static const tool_option coordination_table[] = {
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
    {0, NULL, NULL, NULL},
};

/* The command line as it is read. */
typedef struct coordination_state {
    coordination_options options;
    bool keywords; /* one of --r0 --nn --mm --d0 --dmax */
    bool has_r0;
    const char *text; /* of --switch */
    int n_stdin;
} coordination_state;

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

static int coordination_option(void *user, int id, const char *value)
{
    coordination_state *state = user;
    coordination_options *options = &state->options;
    if (id >= ID_R0 && id <= ID_DMAX)
        return take_keyword(state, id, value);
    if (id == ID_GROUP_A || id == ID_GROUP_B)
        return take_list(state, id, value);
    if (id == ID_PRECISION || id == ID_METHOD)
        return take_word(options, id, value);
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

static int check_options(coordination_state *state, int argc, char **argv, int first)
{
    coordination_options *options = &state->options;
    const coordination_group *a = &options->group_a, *b = &options->group_b;
    if (first >= argc)
        return tool_fail(TOOL_USAGE, "no trajectory given (see mote coordination --help)");
    int code = tool_no_operands(argc, argv, first + 1);
    if (code != TOOL_GO_ON)
        return code;
    options->input = argv[first];
    if (options->pair && !(a->n_ranges && b->n_ranges))
        return tool_fail(TOOL_USAGE, "--pair needs --group-a and --group-b");
    if (b->n_ranges && !a->n_ranges)
        return tool_fail(TOOL_USAGE, "--group-b needs --group-a");
    if (state->n_stdin && strcmp(options->input, "-") == 0)
        return tool_fail(TOOL_USAGE, "'-' (standard input) can be read only once");
    code = check_function(state);
    return code == TOOL_GO_ON ? check_names(options) : code;
}

/* ---- running
 * ------------------------------------------------------------------------------------- */

static int open_outputs(coordination_job *job)
{
    const coordination_options *options = job->options;
    int code = out_open_part(options->common.output, &job->outs[OUT_COLVAR]);
    if (code == TOOL_DONE && options->derivatives)
        code = out_open_part(options->derivatives, &job->outs[OUT_DERIVATIVES]);
    if (code == TOOL_DONE && options->per_atom)
        code = out_open_part(options->per_atom, &job->outs[OUT_PER_ATOM]);
    return code == TOOL_DONE ? TOOL_GO_ON : code;
}

static bool start(pthread_t *thread, void *(*run)(void *), coordination_job *job)
{
    return pthread_create(thread, NULL, run, job) == 0;
}

/* Runs the threads until all frames are written or one of the threads cannot go on. */
static int run_threads(coordination_job *job)
{
    pthread_t reading, computing;
    if (!start(&reading, coordination_read, job))
        return tool_fail(TOOL_DEVICE, "no thread can be started");
    bool two = start(&computing, coordination_compute, job);
    int code = two ? coordination_write(job) : tool_fail(TOOL_DEVICE, "no thread can be started");
    ring_stop(&job->ring);
    coordination_give_up(job);
    pthread_join(reading, NULL);
    if (two)
        pthread_join(computing, NULL);
    progress_hide();
    return code;
}

/* The complete frames are kept when only the next one was bad. */
static int finish(coordination_job *job, int code)
{
    const coordination_failure *read = &job->read_failure, *compute = &job->compute_failure;
    double start_s = tool_seconds();
    bool nothing = job->ring.done[RING_READ] == 0; /* not even one frame was read */
    if (code == TOOL_GO_ON && compute->code != TOOL_GO_ON && !nothing)
        code = tool_fail(compute->code, "%s", compute->text);
    bool keep = code == TOOL_GO_ON && job->frames > 0;
    if (code == TOOL_GO_ON && read->code != TOOL_GO_ON && !out_reader_left())
        code = tool_fail(read->code, "%s%s", read->text,
                         keep ? "; the frames before it are complete" : "");
    if (keep) {
        int written = out_finish(job->outs, OUT_COUNT);
        code = code == TOOL_GO_ON || written != TOOL_DONE ? written : code;
    } else {
        out_discard(job->outs, OUT_COUNT);
    }
    job->timing.write_s += tool_seconds() - start_s;
    if (code == TOOL_GO_ON && compute->code != TOOL_GO_ON)
        code = tool_fail(compute->code, "%s", compute->text);
    return code == TOOL_GO_ON ? TOOL_DONE : code;
}

static void print_summary(const coordination_job *job, double seconds)
{
    static const char *const names[] = {"mixed", "single", "double"};
    const mote_device_info *device = mote_context_device(job->ctx);
    size_t n_atoms = job->n_atoms;
    tool_note(&job->options->common,
              "%llu frame%s of %zu atom%s (%s), %zu in the lists; d_max %g, %s precision; %s (%s); "
              "%.3f s, %.4g frames/s",
              (unsigned long long)job->frames, tool_plural(job->frames), n_atoms,
              tool_plural(n_atoms), coordination_pbc_name(job->trajectory.frame.pbc), job->entries,
              job->options->function.d_max, names[job->precision], device->name, device->spec,
              seconds, (double)job->frames / seconds);
    tool_timing_print(&job->options->common, "coordination", device->spec, &job->timing);
}

static void release(coordination_job *job)
{
    for (int i = 0; i < 3; i++)
        mote_coordination_release(job->plans[i]);
    mote_host_release(job->host);
    mote_context_release(job->ctx);
    coordination_close(job);
    ring_free(&job->ring);
}

static int run_job(coordination_options *options)
{
    coordination_job job = {.options = options,
                            .input = -1,
                            .wake = {-1, -1},
                            .read_failure.code = TOOL_GO_ON,
                            .compute_failure.code = TOOL_GO_ON};
    double begun = tool_seconds();
    ring_init(&job.ring);
    int code = coordination_open(&job);
    if (code == TOOL_GO_ON)
        code = open_outputs(&job);
    if (code == TOOL_GO_ON) {
        progress_start("frames", !options->common.quiet && !options->common.verbose);
        code = run_threads(&job);
        code = finish(&job, code);
    }
    out_discard(job.outs, OUT_COUNT);
    if (code == TOOL_DONE && !out_reader_left())
        print_summary(&job, tool_seconds() - begun);
    release(&job);
    return code;
}

static int coordination_run(const tool_command *self, int argc, char **argv)
{
    coordination_state state = {.keywords = false};
    int first;
    mote_switch_init(&state.options.function);
    describe_switches();
    int code =
        tool_parse(self, argc, argv, &state.options.common, coordination_option, &state, &first);
    if (code == TOOL_GO_ON)
        code = check_options(&state, argc, argv, first);
    if (code == TOOL_GO_ON)
        code = run_job(&state.options);
    group_free(&state.options.group_a);
    group_free(&state.options.group_b);
    return code;
}

const tool_command tool_coordination = {
    .name = "coordination",
    .arguments = "TRAJECTORY",
    .summary = "coordination numbers of a trajectory's frames",
    .about =
        "Counts the pairs of atoms, each by a switching function of its distance that falls from "
        "1\n"
        "to 0: all pairs of the group A, or those of an atom of A and one of B. TRAJECTORY is\n"
        "FILE.xyz (comment: 3 box lengths, 9 numbers, Lattice=\"...\" of extended XYZ, or none of\n"
        "these for no box), FILE.gro, or - for XYZ on standard input. Lengths have its unit.\n\n"
        "The output is one line a frame as in PLUMED's COLVAR files: time (t= of a GRO title, "
        "else\n"
        "the number of the frame from 0) and coordination number. Files are written as FILE.part\n"
        "and renamed at the end; an interrupted run leaves FILE.part with complete frames.",
    .options = coordination_table,
    .run = coordination_run,
};
