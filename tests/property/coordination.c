/* SPDX-License-Identifier: Apache-2.0 */
/* Compares random calls of mote_coordination_compute() and mote_coordination_host() with an oracle
 * in long double: functions of every kind, boxes of every shape and many sizes, and all
 * combinations of arguments. */
#include "property/coordination_draw.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what must hold -------------------------------------------------------------------------- */

static bool fail(property_draw *draw, const char *format, ...)
{
    va_list list;
    size_t length = strlen(draw->message);
    va_start(list, format);
    vsnprintf(draw->message + length, sizeof(draw->message) - length, format, list);
    va_end(list);
    return false;
}

/* Checks that the derivatives of a frame add up to 0. This holds whichever images are chosen,
 * because the derivatives of a pair's two atoms are opposite. */
static bool check_cancel(property_draw *draw, const mote_system *s, const mote_truth *truth,
                         const mote_coordination_how *how, const double *derivatives)
{
    size_t entries = truth->entries;
    size_t rows = how->of == MOTE_DERIVATIVES_ATOM ? s->n_atoms : entries;
    double factor = how->factor != 0.0 ? fabs(how->factor) : 1.0;
    double error =
        mote_coordination_relative(how->precision) + (how->derivatives32 ? FLT_EPSILON : 0.0);
    for (size_t k = 0; derivatives && k < 3 * s->frames; k++) {
        long double sum = 0.0L;
        double size = 0.0;
        for (size_t i = 0; i < rows; i++)
            sum += derivatives[3 * (k / 3 * rows + i) + k % 3];
        for (size_t i = 0; i < entries; i++) {
            const mote_true_sum *d = &truth->derivatives[3 * (k / 3 * entries + i) + k % 3];
            size += d->size + d->blur; /* a term may be as large as its blur lets it be */
        }
        if (!(fabsl(sum) <= error * factor * size + 1e-30))
            return fail(draw, "component %zu of frame %zu: derivatives add up to %Lg, of %g", k % 3,
                        k / 3, sum, factor * size);
    }
    return true;
}

static bool check_device(property_draw *draw, const mote_system *s, const mote_truth *truth,
                         const mote_coordination_how *how, bool may_refuse)
{
    mote_coordination_result sum = {0};
    char message[1024] = "";
    bool good = true;
    for (uint32_t share = 0; good && share < (how->shares ? how->shares : 1); share++) {
        mote_coordination *plan = NULL;
        mote_coordination_result result = {0};
        good = !mote_coordination_share_of(draw->ctx, s, how, share, &plan) &&
               mote_coordination_run(draw->ctx, draw->queue, s, plan, how, &result, message,
                                     sizeof(message));
        if (!good && !plan)
            snprintf(message, sizeof(message), "%s", mote_last_error());
        mote_coordination_release(plan);
        if (share == 0) {
            sum = result;
        } else {
            if (good)
                mote_coordination_result_add(&sum, &result);
            mote_coordination_result_free(&result);
        }
    }
    bool refused = good && may_refuse && (sum.status == MOTE_ERROR_BOX || how->silent);
    if (good && !refused)
        good = mote_coordination_compare(s, truth, how, &sum,
                                         mote_coordination_relative(how->precision), NULL, message,
                                         sizeof(message));
    if (!good)
        fail(draw, "device: %s", message);
    if (good && !refused && !how->accumulate)
        good = check_cancel(draw, s, truth, how, sum.derivatives);
    mote_coordination_result_free(&sum);
    return good;
}

/* All outputs of a call on host arrays. */
typedef struct outputs {
    double *value, *virial, *derivatives, *coordination;
} outputs;

static double *poisoned(size_t count)
{
    double *numbers = malloc(count * sizeof(*numbers) + 1);
    if (numbers)
        memset(numbers, 0x7e, count * sizeof(*numbers));
    return numbers;
}

static void free_outputs(outputs *o)
{
    free(o->value);
    free(o->virial);
    free(o->derivatives);
    free(o->coordination);
}

static bool make_outputs(outputs *o, const mote_truth *truth, const mote_coordination_how *how,
                         size_t rows)
{
    *o = (outputs){0};
    bool good = true;
    if (!(how->without & MOTE_WITHOUT_VALUE))
        good = (o->value = poisoned(truth->frames));
    if (good && !(how->without & MOTE_WITHOUT_VIRIAL))
        good = (o->virial = poisoned(9 * truth->frames));
    if (good && !(how->without & MOTE_WITHOUT_DERIVATIVES))
        good = (o->derivatives = poisoned(3 * rows * truth->frames));
    if (good && !(how->without & MOTE_WITHOUT_COORDINATION) && !how->weights)
        good = (o->coordination = poisoned(truth->frames * truth->entries));
    return good;
}

static bool call_host(property_draw *draw, mote_host *host, const mote_system *s,
                      const mote_coordination *plan, const mote_coordination_how *how,
                      const double *weights, bool again, outputs *o)
{
    mote_coordination_host_args args;
    mote_coordination_host_args_init(&args);
    args.plan = plan;
    args.frames = s->frames;
    args.positions64 = s->positions;
    args.box = s->pbc == MOTE_PBC_NONE ? NULL : s->box;
    args.value = o->value;
    args.virial = o->virial;
    args.derivatives64 = o->derivatives;
    args.derivatives_of = how->of;
    args.coordination = o->coordination;
    args.weights = weights;
    args.same_positions = again;
    return !mote_coordination_host(draw->ctx, host, &args) ||
           fail(draw, "host: %s", mote_last_error());
}

static bool same(const double *a, const double *b, size_t count)
{
    return !a || !memcmp(a, b, count * sizeof(*a));
}

/* Calls twice, the second time with same_positions, and checks that the bits are the same. */
static bool run_host(property_draw *draw, const mote_system *s, const mote_truth *truth,
                     const mote_coordination_how *how, const mote_coordination *plan,
                     mote_host *host, outputs *first, outputs *second)
{
    size_t frames = s->frames, entries = truth->entries;
    size_t rows = how->of == MOTE_DERIVATIVES_ATOM ? s->n_atoms : entries;
    double *weights = how->weights ? poisoned(frames * entries) : NULL;
    char message[1024];
    for (size_t i = 0; weights && i < frames * entries; i++)
        weights[i] = mote_system_weight(i);
    bool good = make_outputs(first, truth, how, rows) && make_outputs(second, truth, how, rows) &&
                call_host(draw, host, s, plan, how, weights, false, first) &&
                call_host(draw, host, s, plan, how, weights, true, second);
    free(weights);
    if (!good)
        return false;
    mote_coordination_result r = {.frames = frames,
                                  .rows = rows,
                                  .entries = entries,
                                  .value = first->value,
                                  .virial = first->virial,
                                  .derivatives = first->derivatives,
                                  .coordination = first->coordination};
    if (!mote_coordination_compare(s, truth, how, &r, mote_coordination_relative(how->precision),
                                   NULL, message, sizeof(message)))
        return fail(draw, "host: %s", message);
    if (!same(first->value, second->value, frames) ||
        !same(first->virial, second->virial, 9 * frames) ||
        !same(first->derivatives, second->derivatives, 3 * frames * rows) ||
        !same(first->coordination, second->coordination, frames * entries))
        return fail(draw, "host: other bits with same_positions");
    return check_cancel(draw, s, truth, how, first->derivatives);
}

static bool check_host(property_draw *draw, const mote_system *s, const mote_truth *truth,
                       const mote_coordination_how *given)
{
    mote_coordination_how how = {.precision = given->precision,
                                 .method = given->method,
                                 .of = given->of,
                                 .without = given->without,
                                 .weights = given->weights};
    mote_coordination *plan = NULL;
    mote_host *host = NULL;
    outputs first = {0}, second = {0};
    bool good = !mote_coordination_share_of(draw->ctx, s, &how, 0, &plan) &&
                !mote_host_create(draw->ctx, NULL, &host);
    if (!good)
        fail(draw, "host: %s", mote_last_error());
    good = good && run_host(draw, s, truth, &how, plan, host, &first, &second);
    free_outputs(&first);
    free_outputs(&second);
    mote_host_release(host);
    mote_coordination_release(plan);
    return good;
}

/* ---- draws ----------------------------------------------------------------------------------- */

static void describe(property_draw *draw, const mote_system *s, const mote_coordination_how *how,
                     double large)
{
    const mote_switch *f = &s->function;
    fail(draw,
         "; %s nn %d mm %d r_0 %.17g d_0 %.17g d_max %.17g a %g b %g beta %g lambda %g ref %g "
         "func '%s' no_stretch %u; %zu atoms, %zu entries (%zu of B), %zu frames, mode %s; box %s "
         "of "
         "%g times, first %g %g %g; %s, method %s, derivatives of %s, without %u, weights %d, "
         "shares "
         "%u, box_device %d",
         mote_switch_kind_name(f->kind), (int)f->nn, (int)f->mm, f->r_0, f->d_0, f->d_max, f->a,
         f->b, f->beta, f->lambda, f->ref, f->func, (unsigned)f->no_stretch, s->n_atoms,
         mote_system_entries(s), s->n_b, s->frames, mote_coordination_mode_name(s->mode),
         mote_pbc_name(s->pbc), large, s->box[0], s->box[4], s->box[8],
         mote_precision_name(how->precision), mote_coordination_method_name(how->method),
         mote_derivatives_of_name(how->of), how->without, (int)how->weights, (unsigned)how->shares,
         (int)how->box_device);
}

static bool check_draw(property_draw *draw, mote_system *s, const mote_coordination_how *how,
                       double large)
{
    mote_truth truth;
    mote_system copy;
    /* Boxes in device memory are rejected if float32 cannot resolve fractions of them. */
    bool may_refuse = how->box_device && how->precision != MOTE_PRECISION_DOUBLE &&
                      (large > 100.0 || large < 0.01 || s->function.r_0 > 100.0 ||
                       s->function.d_max < 0.1 * s->function.r_0);
    if (!mote_system_copy(&copy, s))
        return fail(draw, "out of memory");
    mote_system_round(&copy, how->positions32, how->box_device == MOTE_FLOAT32);
    copy.weighted = how->weights != MOTE_TYPE_NONE;
    bool good = mote_truth_make(&truth, &copy, mote_coordination_blur(&copy, how));
    if (good) {
        good = check_device(draw, &copy, &truth, how, may_refuse);
        if (good && !how->positions32 && !how->shares && how->box_device != MOTE_FLOAT32)
            good = check_host(draw, &copy, &truth, how);
        mote_truth_free(&truth);
    }
    mote_system_free(&copy);
    if (!good)
        describe(draw, s, how, large);
    return good;
}

static bool draw_call(property_draw *draw)
{
    mote_rng rng;
    mote_system s;
    draw_kinds kinds;
    double large;
    mote_rng_seed(&rng, draw->seed / DRAWS_OF_A_KIND);
    draw_the_kinds(&rng, &kinds);
    if (!draw_system(&draw->rng, &kinds, &s, &large))
        return true;
    draw_how(&draw->rng, &kinds.how, &s);
    if (!mote_coordination_how_fit(draw->ctx, &kinds.how)) {
        mote_system_free(&s);
        return true;
    }
    bool good = check_draw(draw, &s, &kinds.how, large);
    mote_system_free(&s);
    return good;
}

int main(int argc, char **argv)
{
    static const property_area area = {"coordination", draw_tune, draw_call};
    return property_main(argc, argv, &area);
}
