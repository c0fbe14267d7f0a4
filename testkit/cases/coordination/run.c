/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/coordination/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes a large number of any float. */
#define POISON 0x7e

/* An array on the device, and what was put there. */
typedef struct array {
    mote_guard guard;
    void *contents;
} array;

typedef struct run {
    mote_context *ctx;
    cl_command_queue queue;
    const mote_system *system;
    const mote_coordination *plan;
    const mote_coordination_how *how;
    size_t rows; /* of derivatives, in a frame */
    bool fp64;
    array positions, box, weights;                         /* in */
    array value, virial, derivatives, coordination, error; /* out */
    mote_guard workspace;
    cl_event gate, done;
    mote_coordination_result *result;
    char *message;
    size_t size;
} run;

static bool fail(run *r, const char *what, mote_status status)
{
    snprintf(r->message, r->size, "%s failed with %s: %s", what, mote_status_name(status),
             mote_last_error());
    return false;
}

double mote_coordination_base(size_t i)
{
    return (double)(i % 9) * 0.5 - 1.75;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static void put(void *to, mote_type type, size_t i, double value)
{
    if (type == MOTE_FLOAT32)
        ((float *)to)[i] = (float)value;
    else
        ((double *)to)[i] = value;
}

static double get(const void *from, mote_type type, size_t i)
{
    return type == MOTE_FLOAT32 ? (double)((const float *)from)[i] : ((const double *)from)[i];
}

static bool create(run *r, array *a, const char *name, mote_type type, size_t count)
{
    if (count == 0)
        return true;
    cl_int code = mote_guard_create(&a->guard, r->ctx, r->queue, name, type, count, a->contents);
    return code ? fail(r, name, code) : true;
}

/* Makes room for contents, full of poison. */
static bool make_contents(array *a, mote_type type, size_t count)
{
    a->contents = malloc(count * mote_type_size(type) + 1);
    if (a->contents)
        memset(a->contents, POISON, count * mote_type_size(type));
    return a->contents;
}

/* Groups of `stride` numbers, three of which are `from`'s, or the base's without `from`. */
static bool create_by_3(run *r, array *a, const char *name, mote_type type, const double *from,
                        size_t groups, size_t stride)
{
    if (!make_contents(a, type, groups * stride))
        return false;
    for (size_t g = 0; g < groups; g++)
        for (size_t k = 0; k < stride; k++) {
            size_t i = g * stride + k;
            double base = mote_coordination_base(i);
            put(a->contents, type, i, from && k < 3 ? from[3 * g + k] : base);
        }
    return create(r, a, name, type, groups * stride);
}

static bool create_plain(run *r, array *a, const char *name, mote_type type, const double *from,
                         size_t count)
{
    if (!make_contents(a, type, count))
        return false;
    for (size_t i = 0; from && i < count; i++)
        put(a->contents, type, i, from[i]);
    return create(r, a, name, type, count);
}

static mote_type real(bool is32)
{
    return is32 ? MOTE_FLOAT32 : MOTE_FLOAT64;
}

static bool create_weights(run *r)
{
    size_t count = r->system->frames * mote_system_entries(r->system);
    if (!make_contents(&r->weights, r->how->weights, count))
        return false;
    for (size_t i = 0; i < count; i++)
        put(r->weights.contents, r->how->weights, i, mote_system_weight(i));
    return create(r, &r->weights, "weights", r->how->weights, count);
}

static bool create_inputs(run *r)
{
    const mote_system *s = r->system;
    const mote_coordination_how *how = r->how;
    return create_by_3(r, &r->positions, "positions", real(how->positions32), s->positions,
                       s->frames * s->n_atoms, how->positions_by_4 ? 4 : 3) &&
           (!how->box_device ||
            create_plain(r, &r->box, "box_device", how->box_device, s->box, 9 * s->frames)) &&
           (!how->weights || create_weights(r));
}

static bool create_outputs(run *r)
{
    const mote_coordination_how *how = r->how;
    size_t frames = r->system->frames, entries = mote_system_entries(r->system);
    size_t wide = r->fp64 ? 1 : 2; /* two floats stand for a double */
    mote_type sum = real(!r->fp64);
    bool good = create_plain(r, &r->error, "error word", MOTE_UINT32, NULL, MOTE_ERROR_SLOTS);
    if (good && !(how->without & MOTE_WITHOUT_VALUE))
        good = create_plain(r, &r->value, "value", sum, NULL, wide * frames);
    if (good && !(how->without & MOTE_WITHOUT_VIRIAL))
        good = create_plain(r, &r->virial, "virial", sum, NULL, wide * 9 * frames);
    if (good && !(how->without & MOTE_WITHOUT_DERIVATIVES))
        good = create_by_3(r, &r->derivatives, "derivatives", real(how->derivatives32), NULL,
                           frames * r->rows, how->derivatives_by_4 ? 4 : 3);
    if (good && !(how->without & MOTE_WITHOUT_COORDINATION) && !how->weights)
        good = create_plain(r, &r->coordination, "coordination", real(how->coordination32), NULL,
                            frames * entries);
    return good;
}

/* ---- the call -------------------------------------------------------------------------------- */

static void make_args(run *r, mote_coordination_args *args)
{
    const mote_coordination_how *how = r->how;
    mote_coordination_args_init(args);
    args->plan = r->plan;
    args->frames = r->system->frames;
    args->positions = r->positions.guard.view;
    args->position_stride = how->positions_by_4 ? 4 : 0;
    if (!how->box_device && r->system->pbc != MOTE_PBC_NONE)
        args->box = r->system->box;
    args->box_device = r->box.guard.view;
    args->value = r->value.guard.view;
    args->virial = r->virial.guard.view;
    args->derivatives = r->derivatives.guard.view;
    args->derivative_stride = how->derivatives_by_4 ? 4 : 0;
    args->derivatives_of = how->of;
    args->accumulate = how->accumulate;
    args->factor = how->factor;
    args->coordination = r->coordination.guard.view;
    args->weights = r->weights.guard.view;
    if (how->silent)
        return;
    args->error = r->error.guard.view.mem;
    args->error_offset = r->error.guard.margin;
}

static bool give_workspace(run *r, mote_coordination_args *args)
{
    size_t bytes = 0;
    mote_status status = mote_coordination_workspace_size(r->ctx, args, &bytes);
    if (status)
        return fail(r, "mote_coordination_workspace_size", status);
    status = mote_guard_create(&r->workspace, r->ctx, r->queue, "workspace", MOTE_UINT32,
                               (bytes + 3) / 4, NULL);
    args->workspace = r->workspace.view;
    return status ? fail(r, "workspace", status) : true;
}

/* The box may be changed as soon as the call has returned. */
static bool enqueue(run *r)
{
    mote_coordination_args args;
    double *box = malloc(9 * r->system->frames * sizeof(double) + 1);
    bool good = box;
    make_args(r, &args);
    if (good && args.box) {
        memcpy(box, args.box, 9 * r->system->frames * sizeof(double));
        args.box = box;
    }
    if (good && r->how->workspace)
        good = give_workspace(r, &args);
    mote_status status = MOTE_SUCCESS;
    if (good)
        status = mote_coordination_compute(r->ctx, r->queue, &args, r->gate ? 1 : 0,
                                           r->gate ? &r->gate : NULL, &r->done);
    if (box)
        memset(box, POISON, 9 * r->system->frames * sizeof(double));
    free(box);
    return status ? fail(r, "mote_coordination_compute", status) : good;
}

/* Completes the gate whatever happened, so that nothing hangs. */
static bool enqueue_gated(run *r)
{
    cl_int code = CL_SUCCESS;
    if (r->how->gated)
        r->gate = clCreateUserEvent(mote_context_cl(r->ctx), &code);
    if (code)
        return fail(r, "clCreateUserEvent", code);
    bool good = enqueue(r);
    if (r->gate)
        clSetUserEventStatus(r->gate, CL_COMPLETE);
    return good;
}

/* ---- what came back -------------------------------------------------------------------------- */

/* An output's numbers over its contents; false when something around it was written. */
static bool fetch(run *r, array *a)
{
    return mote_guard_read(&a->guard, r->queue, a->contents, r->done ? 1 : 0,
                           r->done ? &r->done : NULL, r->message, r->size);
}

static bool read_plain(run *r, array *a, size_t count, size_t wide, double **out)
{
    if (!a->contents)
        return true;
    *out = calloc(count + 1, sizeof(double));
    if (!*out || !fetch(r, a))
        return false;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < wide; k++)
            (*out)[i] += get(a->contents, a->guard.view.type, wide * i + k);
    return true;
}

static bool read_derivatives(run *r)
{
    array *a = &r->derivatives;
    size_t stride = r->how->derivatives_by_4 ? 4 : 3, groups = r->system->frames * r->rows;
    if (!a->contents)
        return true;
    double *out = r->result->derivatives = calloc(3 * groups + 1, sizeof(double));
    if (!out || !fetch(r, a))
        return false;
    for (size_t i = 0; i < groups * stride; i++) {
        double value = get(a->contents, a->guard.view.type, i);
        if (i % stride < 3) {
            out[i / stride * 3 + i % stride] = value;
        } else if (value != mote_coordination_base(i)) {
            snprintf(r->message, r->size, "the fourth component of derivative %zu was written",
                     i / stride);
            return false;
        }
    }
    return true;
}

static bool check_input(run *r, const array *a)
{
    return !a->contents ||
           mote_guard_unchanged(&a->guard, r->queue, a->contents, 0, NULL, r->message, r->size);
}

static bool read_all(run *r)
{
    mote_coordination_result *out = r->result;
    size_t wide = r->fp64 ? 1 : 2;
    mote_error_word word;
    bool good =
        fetch(r, &r->error) && read_plain(r, &r->value, out->frames, wide, &out->value) &&
        read_plain(r, &r->virial, 9 * out->frames, wide, &out->virial) && read_derivatives(r) &&
        read_plain(r, &r->coordination, out->frames * out->entries, 1, &out->coordination) &&
        mote_guard_read(&r->workspace, r->queue, NULL, 0, NULL, r->message, r->size) &&
        check_input(r, &r->positions) && check_input(r, &r->box) && check_input(r, &r->weights);
    if (good && !r->how->silent) {
        memcpy(&word, r->error.contents, sizeof(word));
        out->status = mote_error_decode(&word, &out->index);
    }
    return good;
}

mote_status mote_coordination_plan_of(mote_context *ctx, const mote_system *s,
                                      mote_precision precision, mote_coordination_method method,
                                      mote_coordination **plan)
{
    const mote_coordination_how how = {.precision = precision, .method = method};
    return mote_coordination_share_of(ctx, s, &how, 0, plan);
}

mote_status mote_coordination_share_of(mote_context *ctx, const mote_system *s,
                                       const mote_coordination_how *how, uint32_t share,
                                       mote_coordination **plan)
{
    mote_coordination_plan_args args;
    mote_coordination_plan_args_init(&args);
    args.function = s->function;
    args.mode = s->mode;
    args.n_atoms = s->n_atoms;
    args.group_a = s->group_a;
    args.n_a = s->n_a;
    args.group_b = s->group_b;
    args.n_b = s->n_b;
    args.pbc = s->pbc;
    args.precision = how->precision;
    args.method = how->method;
    args.share = share;
    args.shares = how->shares;
    return mote_coordination_create(ctx, &args, plan);
}

static void release(array *a)
{
    mote_guard_release(&a->guard);
    free(a->contents);
}

bool mote_coordination_run(mote_context *ctx, cl_command_queue queue, const mote_system *s,
                           const mote_coordination *plan, const mote_coordination_how *how,
                           mote_coordination_result *result, char *message, size_t size)
{
    run r = {.ctx = ctx, .queue = queue, .system = s, .plan = plan, .how = how, .result = result};
    r.message = message;
    r.size = size;
    r.fp64 = mote_context_device(ctx)->has_fp64;
    r.rows = how->of == MOTE_DERIVATIVES_ATOM ? s->n_atoms : mote_system_entries(s);
    *result = (mote_coordination_result){
        .frames = s->frames, .rows = r.rows, .entries = mote_system_entries(s)};
    snprintf(message, size, "out of memory");
    bool good = create_inputs(&r) && create_outputs(&r) && enqueue_gated(&r) && read_all(&r);
    if (r.done)
        clReleaseEvent(r.done);
    if (r.gate)
        clReleaseEvent(r.gate);
    array *const all[] = {&r.positions, &r.box,         &r.weights,      &r.value,
                          &r.virial,    &r.derivatives, &r.coordination, &r.error};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
        release(all[k]);
    mote_guard_release(&r.workspace);
    return good;
}

static void add(double *to, const double *from, size_t count)
{
    for (size_t i = 0; to && i < count; i++)
        to[i] += from[i];
}

void mote_coordination_result_add(mote_coordination_result *to,
                                  const mote_coordination_result *result)
{
    add(to->value, result->value, to->frames);
    add(to->virial, result->virial, 9 * to->frames);
    add(to->derivatives, result->derivatives, 3 * to->frames * to->rows);
    add(to->coordination, result->coordination, to->frames * to->entries);
    if (!to->status)
        to->status = result->status;
}

void mote_coordination_result_free(mote_coordination_result *result)
{
    free(result->value);
    free(result->virial);
    free(result->derivatives);
    free(result->coordination);
    *result = (mote_coordination_result){0};
}
