/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/operations/coordination.h"

#include <stdlib.h>

double mote_coordination_base(size_t i)
{
    return (double)(i % 9) * 0.5 - 1.75;
}

mote_status mote_coordination_plan_of(mote_context *ctx, const mote_system *s,
                                      mote_precision precision, mote_coordination_method method,
                                      mote_coordination **plan)
{
    const mote_coordination_options options = {.precision = precision, .method = method};
    return mote_coordination_share_of(ctx, s, &options, 0, plan);
}

mote_status mote_coordination_share_of(mote_context *ctx, const mote_system *s,
                                       const mote_coordination_options *options, uint32_t share,
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
    args.precision = options->precision;
    args.method = options->method;
    args.share = share;
    args.shares = options->shares;
    args.skin = options->skin;
    return mote_coordination_create(ctx, &args, plan);
}

static bool run(mote_context *ctx, cl_command_queue queue, mote_host *host,
                const trial_coordination_given *given, char *message, size_t size)
{
    trial_choices choices = {0};
    trial_call c = {.operation = &trial_coordination,
                    .ctx = ctx,
                    .choices = &choices,
                    .seed = given->system->n_atoms + 1000 * given->system->frames,
                    .size = TRIAL_ANY,
                    .given = given,
                    .on_host = !queue};
    return trial_try(&c, queue, host, message, size);
}

bool mote_coordination_run(mote_context *ctx, cl_command_queue queue, const mote_system *s,
                           const mote_coordination *plan, const mote_coordination_options *options,
                           mote_coordination_result *result, char *message, size_t size)
{
    *result = (mote_coordination_result){0};
    return run(ctx, queue, NULL, &(trial_coordination_given){s, options, plan, result}, message,
               size);
}

bool mote_coordination_check_system(mote_context *ctx, cl_command_queue queue, const mote_system *s,
                                    const mote_coordination_options *options, char *message,
                                    size_t size)
{
    return run(ctx, queue, NULL, &(trial_coordination_given){s, options, NULL, NULL}, message,
               size);
}

bool mote_coordination_check_plain(mote_context *ctx, mote_host *host, const mote_system *s,
                                   const mote_coordination_options *options, char *message,
                                   size_t size)
{
    return run(ctx, NULL, host, &(trial_coordination_given){s, options, NULL, NULL}, message, size);
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
