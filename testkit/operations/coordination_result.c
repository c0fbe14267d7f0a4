/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a call, and their comparison. */
#include "testkit/operations/coordination.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double get(const void *from, mote_type type, size_t i)
{
    return type == MOTE_FLOAT32 ? (double)((const float *)from)[i] : ((const double *)from)[i];
}

/* The numbers of an output, each of which is the sum of `wide` floats. Returns NULL if memory runs
 * out. */
static double *take(const trial_call *c, size_t k, const void *got, size_t wide)
{
    size_t count = c->array[k].count / wide;
    double *out = calloc(count + 1, sizeof(double));

    for (size_t i = 0; out && i < count * wide; i++)
        out[i / wide] += get(got, c->array[k].type, i);
    return out;
}

/* Removes the fourth components, which must not change. */
static bool take_by_3(const trial_call *c, double *numbers, char *message, size_t size)
{
    size_t by = trial_coordination_notes(c)->options.derivatives_by_4 ? 4 : 3;

    for (size_t i = 0; i < c->array[DERIVATIVES].count; i++)
        if (i % by < 3) {
            numbers[i / by * 3 + i % by] = numbers[i];
        } else if (numbers[i] != mote_coordination_base(i)) {
            snprintf(message, size, "the fourth component of derivative %zu was written", i / by);
            return false;
        }
    return true;
}

static bool take_all(const trial_call *c, const void *const *arrays, mote_coordination_result *r,
                     char *message, size_t size)
{
    const coordination_notes *drawn = trial_coordination_notes(c);
    double **const to[] = {&r->value, &r->virial, &r->derivatives, &r->coordination};

    r->frames = drawn->system->frames;
    r->entries = mote_system_entries(drawn->system);
    r->rows = drawn->options.of == MOTE_DERIVATIVES_ATOM ? drawn->system->n_atoms : r->entries;
    snprintf(message, size, "out of memory");
    for (size_t k = VALUE; k <= COORDINATION; k++) {
        if (!c->array[k].type)
            continue;
        *to[k - VALUE] = take(c, k, arrays[k], k < DERIVATIVES ? trial_coordination_wide(c) : 1);
        if (!*to[k - VALUE])
            return false;
    }
    return !r->derivatives || take_by_3(c, r->derivatives, message, size);
}

/* Adds the results of the other shares. */
static bool add_shares(const trial_call *c, mote_coordination_result *sum, char *message,
                       size_t size)
{
    const coordination_notes *drawn = trial_coordination_notes(c);
    cl_command_queue queue = NULL;
    bool good = !mote_context_queue(c->ctx, 0, &queue);

    for (uint32_t share = 0; good && share < drawn->options.shares; share++) {
        mote_coordination *plan = NULL;
        mote_coordination_result result = {0};
        if (share == drawn->share)
            continue;
        good = !mote_coordination_share_of(c->ctx, drawn->system, &drawn->options, share, &plan) &&
               mote_coordination_run(c->ctx, queue, drawn->system, plan, &drawn->options, &result,
                                     message, size);
        if (good)
            mote_coordination_result_add(sum, &result);
        else if (!plan)
            snprintf(message, size, "%s", mote_last_error());
        mote_coordination_result_free(&result);
        mote_coordination_release(plan);
    }
    if (queue)
        clReleaseCommandQueue(queue);
    return good;
}

/* Appends the drawn choices. */
static void explain(const trial_call *c, char *message, size_t size)
{
    const coordination_notes *drawn = trial_coordination_notes(c);
    const mote_system *s = drawn->system;
    const mote_coordination_options *options = &drawn->options;
    const mote_switch *f = &s->function;
    size_t used = strlen(message);

    snprintf(message + used, size - used,
             "; %s nn %d mm %d r_0 %.17g d_0 %.17g d_max %.17g a %g b %g beta %g lambda %g ref %g "
             "func '%s' no_stretch %u; %zu atoms, %zu entries (%zu of B), %zu frames, mode %s; "
             "box %s, first %g %g %g; %s, method %s, share %u of %u",
             mote_switch_kind_name(f->kind), (int)f->nn, (int)f->mm, f->r_0, f->d_0, f->d_max, f->a,
             f->b, f->beta, f->lambda, f->ref, f->func, (unsigned)f->no_stretch, s->n_atoms,
             mote_system_entries(s), s->n_b, s->frames, mote_coordination_mode_name(s->mode),
             mote_pbc_name(s->pbc), s->box[0], s->box[4], s->box[8],
             mote_precision_name(options->precision),
             mote_coordination_method_name(options->method), (unsigned)drawn->share,
             (unsigned)options->shares);
}

/* A share detects bad positions only of the atoms in its pairs. */
static bool is_told(const trial_call *c, mote_status told, uint32_t index, char *message,
                    size_t size)
{
    bool share = trial_coordination_notes(c)->options.shares;
    if (c->silent || (share && !told) ||
        (told == c->told && (share || c->on_host || index == c->told_index)))
        return true;
    snprintf(message, size, "the error is %s of %u, not %s of %u", mote_status_name(told),
             (unsigned)index, mote_status_name(c->told), (unsigned)c->told_index);
    return false;
}

bool trial_coordination_judge(const trial_call *c, mote_status told, uint32_t index,
                              const void *const *arrays, char *message, size_t size)
{
    const coordination_notes *drawn = trial_coordination_notes(c);
    const trial_coordination_given *given = c->given;
    mote_coordination_result result = {.status = told, .index = index};
    bool refused = drawn->may_refuse && (told == MOTE_ERROR_BOX || c->silent);
    bool good = take_all(c, arrays, &result, message, size);

    if (given && given->result) {
        *given->result = result;
        return good;
    }
    if (good && told == MOTE_ERROR_INTERNAL) {
        snprintf(message, size, "same_positions changes bits");
        good = false;
    }
    if (good && drawn->bad)
        good = is_told(c, told, index, message, size);
    else if (good && !refused)
        good = (!drawn->options.shares || add_shares(c, &result, message, size)) &&
               mote_coordination_judge(drawn->system, drawn->truth, &drawn->options, &result,
                                       message, size);
    mote_coordination_result_free(&result);
    if (!good)
        explain(c, message, size);
    return good;
}
