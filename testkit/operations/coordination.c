/* SPDX-License-Identifier: Apache-2.0 */
/* mote_coordination_compute() and mote_coordination_host(). */
#include "testkit/operations/coordination.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Represents a large number in every float type. */
#define POISON 0x7e

coordination_notes *trial_coordination_of(trial_call *c)
{
    return (coordination_notes *)(void *)&c->own;
}

const coordination_notes *trial_coordination_notes(const trial_call *c)
{
    return (const coordination_notes *)(const void *)&c->own;
}

static const trial_coordination_given *given(const trial_call *c)
{
    return c->given;
}

static mote_type real(bool is32)
{
    return is32 ? MOTE_FLOAT32 : MOTE_FLOAT64;
}

size_t trial_coordination_wide(const trial_call *c)
{
    return c->on_host || mote_context_device(c->ctx)->has_fp64 ? 1 : 2;
}

static size_t stride(bool by_4)
{
    return by_4 ? 4 : 3;
}

static void put(const trial_array *to, size_t i, double value)
{
    if (to->type == MOTE_FLOAT32)
        ((float *)to->data)[i] = (float)value;
    else
        ((double *)to->data)[i] = value;
}

/* ---- the call -------------------------------------------------------------------------------- */

static void take_given(trial_call *c)
{
    const mote_coordination_options *options = given(c)->options;

    trial_coordination_of(c)->options = *options;
    c->gated = options->gated;
    c->workspace = options->workspace;
    c->silent = options->silent;
    c->again = c->on_host;
    c->spoilt = false;
}

/* Restricts the options to those that plain arrays have, too. */
static void fit_host(mote_coordination_options *options)
{
    *options =
        (mote_coordination_options){.precision = options->precision,
                                    .method = options->method,
                                    .skin = options->skin,
                                    .of = options->of,
                                    .positions32 = options->positions32,
                                    .derivatives32 = options->derivatives32,
                                    .without = options->without,
                                    .weights = options->weights ? MOTE_FLOAT64 : MOTE_TYPE_NONE};
}

static void set_array(trial_call *c, size_t k, bool wanted, mote_type type, size_t count)
{
    if (wanted)
        c->array[k] = (trial_array){.type = type, .count = count};
}

static void choose(trial_call *c)
{
    coordination_notes *drawn = trial_coordination_of(c);
    mote_coordination_args *a = (mote_coordination_args *)(void *)&c->args;
    mote_coordination_options *options = &drawn->options;

    if (given(c))
        take_given(c);
    else
        trial_coordination_draw(c);
    if (c->on_host)
        fit_host(options);
    const mote_system *s = given(c) ? given(c)->system : NULL;
    size_t n = s ? s->n_atoms : drawn->recipe.n_atoms,
           frames = s ? s->frames : drawn->recipe.frames;
    size_t entries = s ? mote_system_entries(s) : mote_recipe_entries(&drawn->recipe);
    size_t rows = options->of == MOTE_DERIVATIVES_ATOM ? n : entries;
    mote_type sum = real(trial_coordination_wide(c) == 2);

    c->promise = TRIAL_ON_ONE_DEVICE;
    c->again = c->again && !options->accumulate;
    a->frames = frames;
    a->position_stride = options->positions_by_4 ? 4 : 0;
    a->derivative_stride = options->derivatives_by_4 ? 4 : 0;
    a->derivatives_of = options->of;
    a->accumulate = options->accumulate;
    a->factor = options->factor;
    set_array(c, POSITIONS, true, real(options->positions32),
              frames * n * stride(options->positions_by_4));
    set_array(c, BOX, options->box_device, options->box_device, 9 * frames);
    set_array(c, VALUE, !(options->without & MOTE_WITHOUT_VALUE), sum,
              trial_coordination_wide(c) * frames);
    set_array(c, VIRIAL, !(options->without & MOTE_WITHOUT_VIRIAL), sum,
              trial_coordination_wide(c) * 9 * frames);
    set_array(c, DERIVATIVES, !(options->without & MOTE_WITHOUT_DERIVATIVES),
              real(options->derivatives32), frames * rows * stride(options->derivatives_by_4));
    set_array(c, COORDINATION, !(options->without & MOTE_WITHOUT_COORDINATION) && !options->weights,
              real(options->coordination32), frames * entries);
    set_array(c, WEIGHTS, options->weights, options->weights, frames * entries);
}

/* Creates a plan of lists that are only needed now, if the data is not made yet. */
static mote_status open(const trial_call *c, void *args)
{
    mote_coordination_args *a = args;
    const coordination_notes *drawn = trial_coordination_notes(c);
    mote_system made = {0};
    mote_coordination *plan = NULL;
    double large;

    if (given(c) && given(c)->plan) {
        a->plan = given(c)->plan;
        return MOTE_SUCCESS;
    }
    if (!drawn->system && !trial_coordination_make(c, &made, &large))
        return MOTE_ERROR_OUT_OF_HOST_MEMORY;
    mote_status status = mote_coordination_share_of(c->ctx, drawn->system ? drawn->system : &made,
                                                    &drawn->options, drawn->share, &plan);
    mote_system_free(&made);
    a->plan = plan;
    return status;
}

static void close(const trial_call *c, void *args)
{
    mote_coordination_args *a = args;

    if (!given(c) || !given(c)->plan)
        mote_coordination_release((mote_coordination *)a->plan);
}

/* ---- data ------------------------------------------------------------------------------------ */

/* Fills groups of `stride` numbers, three of which are copied from `from`, if it is given. */
static void fill_by_3(const trial_array *to, const double *from, size_t stride)
{
    for (size_t i = 0; to->type && i < to->count; i++)
        put(to, i,
            from && i % stride < 3 ? from[i / stride * 3 + i % stride] : mote_coordination_base(i));
}

/* Makes positions of atoms in lists infinite. */
static void corrupt(trial_call *c, coordination_notes *drawn)
{
    static const double values[] = {NAN, INFINITY, -INFINITY};
    mote_system *s = drawn->system;
    uint32_t entries = (uint32_t)mote_system_entries(s), lowest = UINT32_MAX;

    for (uint32_t k = 1 + mote_rng_below(&c->rng, 3); k > 0; k--) {
        uint32_t frame = mote_rng_below(&c->rng, (uint32_t)s->frames);
        uint32_t atom = mote_system_atom(s, mote_rng_below(&c->rng, entries));
        uint32_t at = frame * (uint32_t)s->n_atoms + atom;
        s->positions[3 * (size_t)at + mote_rng_below(&c->rng, 3)] =
            values[mote_rng_below(&c->rng, 3)];
        lowest = at < lowest ? at : lowest;
    }
    drawn->bad = true;
    c->told = MOTE_ERROR_POSITION;
    c->told_index = lowest;
}

static bool fill(trial_call *c, char *message, size_t size)
{
    coordination_notes *drawn = trial_coordination_of(c);
    const mote_coordination_options *options = &drawn->options;
    mote_system *s = calloc(1, sizeof(*s));
    double large;

    (void)message, (void)size;
    if (!s || !trial_coordination_make(c, s, &large)) {
        free(s);
        return false;
    }
    drawn->system = s;
    drawn->may_refuse =
        options->box_device && options->precision != MOTE_PRECISION_DOUBLE &&
        (large > 100.0 || large < 0.01 || trial_coordination_is_steep(&s->function));
    if (c->spoilt && !drawn->may_refuse && s->n_atoms > 2 && s->frames)
        corrupt(c, drawn);
    c->unspecified = drawn->bad || (drawn->may_refuse && c->silent);
    if (!drawn->bad && !(given(c) && given(c)->result)) {
        drawn->truth = calloc(1, sizeof(*drawn->truth));
        if (!drawn->truth || !mote_truth_make(drawn->truth, s, mote_coordination_blur(s, options)))
            return false;
    }
    if (!options->box_device && s->pbc != MOTE_PBC_NONE)
        ((mote_coordination_args *)(void *)&c->args)->box = s->box;
    fill_by_3(&c->array[POSITIONS], s->positions, stride(options->positions_by_4));
    for (size_t i = 0; i < c->array[BOX].count; i++)
        put(&c->array[BOX], i, s->box[i]);
    for (size_t i = 0; i < c->array[WEIGHTS].count; i++)
        put(&c->array[WEIGHTS], i, mote_system_weight(i));
    fill_by_3(&c->array[DERIVATIVES], NULL, 3);
    for (size_t k = VALUE; k <= COORDINATION; k++)
        if (c->array[k].type && k != DERIVATIVES)
            memset(c->array[k].data, POISON, c->array[k].count * mote_type_size(c->array[k].type));
    return true;
}

static void drop(trial_call *c)
{
    coordination_notes *drawn = trial_coordination_of(c);

    if (drawn->system)
        mote_system_free(drawn->system);
    if (drawn->truth)
        mote_truth_free(drawn->truth);
    free(drawn->system);
    free(drawn->truth);
    drawn->system = NULL;
    drawn->truth = NULL;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void init(void *args)
{
    mote_coordination_args_init(args);
}

/* The box may be changed as soon as the call has returned. */
static mote_status enqueue(mote_context *ctx, cl_command_queue queue, const void *args,
                           cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    mote_coordination_args a = *(const mote_coordination_args *)args;
    size_t bytes = 9 * a.frames * sizeof(double);
    double *box = a.box ? malloc(bytes + 1) : NULL;

    if (a.box && !box)
        return MOTE_ERROR_OUT_OF_HOST_MEMORY;
    if (box)
        a.box = memcpy(box, a.box, bytes);
    mote_status status = mote_coordination_compute(ctx, queue, &a, num_wait, wait, event);
    if (box)
        memset(box, POISON, bytes);
    free(box);
    return status;
}

TRIAL_WORKSPACE_SIZE(coordination, mote_coordination_workspace_size)

/* Makes a second call, whose outputs must have the same bits. */
static mote_status run_again(const trial_call *c, mote_host *host,
                             const mote_coordination_host_args *args, void *const *arrays)
{
    mote_coordination_host_args again = *args;
    unsigned char *first[WEIGHTS] = {0};
    bool same = true;

    for (size_t k = VALUE; k <= COORDINATION; k++) {
        size_t bytes = c->array[k].count * mote_type_size(c->array[k].type);
        first[k] = malloc(bytes + 1);
        if (first[k] && arrays[k]) {
            memcpy(first[k], arrays[k], bytes);
            memset(arrays[k], POISON, bytes);
        }
    }
    again.same_positions = 1;
    mote_status status = mote_coordination_host(c->ctx, host, &again);
    for (size_t k = VALUE; k <= COORDINATION; k++) {
        size_t bytes = c->array[k].count * mote_type_size(c->array[k].type);
        same = same && first[k] && (!arrays[k] || memcmp(first[k], arrays[k], bytes) == 0);
        free(first[k]);
    }
    return status || same ? status : MOTE_ERROR_INTERNAL;
}

static mote_status run_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_coordination_args *a = (const mote_coordination_args *)(const void *)&c->args;
    const mote_coordination_options *options = &trial_coordination_notes(c)->options;
    mote_coordination_host_args args;
    mote_host *made = NULL;

    mote_coordination_host_args_init(&args);
    args.plan = a->plan;
    args.frames = a->frames;
    args.positions64 = options->positions32 ? NULL : arrays[POSITIONS];
    args.positions32 = options->positions32 ? arrays[POSITIONS] : NULL;
    args.box = a->box;
    args.value = arrays[VALUE];
    args.virial = arrays[VIRIAL];
    args.derivatives64 = options->derivatives32 ? NULL : arrays[DERIVATIVES];
    args.derivatives32 = options->derivatives32 ? arrays[DERIVATIVES] : NULL;
    args.derivatives_of = a->derivatives_of;
    args.coordination = arrays[COORDINATION];
    args.weights = arrays[WEIGHTS];
    mote_status status = host || !c->again ? MOTE_SUCCESS : mote_host_create(c->ctx, NULL, &made);
    host = host ? host : made;
    if (!status)
        status = mote_coordination_host(c->ctx, host, &args);
    if (!status && c->again)
        status = run_again(c, host, &args, arrays);
    mote_host_release(made);
    return status;
}

static const size_t borders[] = {1, 3, 28, 120, 2016, 8128, 0};

static const char *const tunes[] = {
    "coordination.form=cpu",
    "coordination.form=gpu",
    "coordination.form=cpu,coordination.cells_across=2,coordination.cells_fine=3,"
    "coordination.items=3,coordination.private_sums=0,coordination.frames=2,coordination.sort_"
    "shares=5",
    "coordination.form=cpu,coordination.skip=1,coordination.cpu_entries=4,coordination.cpu_block="
    "24",
    "coordination.form=gpu,coordination.symmetric=0,coordination.group=64,coordination.tile=24",
    "coordination.form=gpu,coordination.symmetric=1,coordination.skip=1,coordination.entries_per_"
    "item=1,"
    "coordination.group=16",
    "coordination.form=gpu,coordination.cells=90,coordination.slices=4,coordination.group=16,"
    "coordination.frames=2,coordination.skip=1,coordination.sort_below=0,coordination.skin_list=7",
    NULL,
};

/* The decisions are the function, its expression or exponent, the other exponent, its shape, the
 * method, the box, the lists, the precision, the outputs, the rows of derivatives, weights, and
 * whether there is a skin. */
static const trial_program programs[] = {
    TRIAL_PROGRAM("mixed precision", 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0),
    TRIAL_PROGRAM("an expression, cells, weights", 8, 1, 0, 0, 2, 2, 3, 0, 0, 1, 7, 0),
    TRIAL_PROGRAM("cells", 2, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0),
    TRIAL_PROGRAM("lists kept with a skin", 0, 0, 0, 0, 2, 2, 2, 0, 0, 0, 0, 1),
    TRIAL_PROGRAM("double precision", 0, 0, 0, 0, 1, 2, 3, 2, 0, 1, 0, 0),
    TRIAL_PROGRAM("single precision, pairs", 1, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0),
    TRIAL_PROGRAM("cells in double precision", 2, 0, 0, 6, 2, 2, 2, 2, 0, 0, 0, 0),
    TRIAL_PROGRAM("an expression in squares", 8, 2, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0),
    TRIAL_PROGRAM("an infinite function", 3, 0, 0, 0, 3, 2, 0, 0, 0, 0, 0, 0),
    TRIAL_PROGRAM("weights of pairs", 4, 0, 0, 0, 1, 0, 4, 0, 0, 1, 6, 0),
    TRIAL_PROGRAM("the value alone", 0, 0, 0, 0, 1, 1, 0, 0, 9, 0, 0, 0),
    TRIAL_END,
};

const trial_operation trial_coordination = {
    .name = "coordination",
    .call = "mote_coordination_compute",
    .number = MOTE_OPERATION_COORDINATION,
    .workspace_at = offsetof(mote_coordination_args, workspace),
    .error_at = offsetof(mote_coordination_args, error),
    .init = init,
    .choose = choose,
    .fill = fill,
    .enqueue = enqueue,
    .workspace_size = workspace_size_coordination,
    .run_host = run_host,
    .judge = trial_coordination_judge,
    .open = open,
    .close = close,
    .drop = drop,
    .borders = borders,
    .whole = 1,
    .tunes = tunes,
    .programs = programs,
};
