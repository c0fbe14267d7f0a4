/* SPDX-License-Identifier: Apache-2.0 */
/* The case table of coordination through the host layer, with every output, or with weights. */
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/coordination/cases.h"
#include "mixture.h"

typedef struct atoms {
    mote_system system;
    mote_coordination_how how;
    double *weights; /* NULL: none, and coordination numbers instead */
    size_t rows;
} atoms;

static void free_atoms(void *data)
{
    atoms *a = data;
    mote_system_free(&a->system);
    free(a->weights);
    free(a);
}

static mote_status run(const mix_call *call, mix_user *user, void *outputs)
{
    const atoms *a = call->data;
    const mote_system *s = &a->system;
    mote_coordination **plan = &user->plans[call->which];
    mote_coordination_host_args args;
    mote_status status = MOTE_SUCCESS;
    if (!*plan)
        status = mote_coordination_plan_of(user->ctx, s, a->how.precision, a->how.method, plan);
    if (status)
        return status;
    mote_coordination_host_args_init(&args);
    args.plan = *plan;
    args.frames = s->frames;
    args.positions64 = s->positions;
    args.box = s->pbc == MOTE_PBC_NONE ? NULL : s->box;
    args.value = outputs;
    args.virial = args.value + s->frames;
    args.weights = a->weights;
    args.derivatives64 = args.virial + 9 * s->frames;
    if (!a->weights) {
        args.coordination = args.derivatives64;
        args.derivatives64 += s->frames * mote_system_entries(s);
    }
    args.derivatives_of = a->how.of;
    return mote_coordination_host(user->ctx, user->host, &args);
}

static bool make_weights(atoms *a, size_t count)
{
    a->weights = calloc(count, sizeof(*a->weights));
    for (size_t k = 0; a->weights && k < count; k++)
        a->weights[k] = mote_system_weight(k);
    return a->weights;
}

/* NULL when out of memory. */
static atoms *make_atoms(const mote_coordination_case *c)
{
    atoms *a = calloc(1, sizeof(*a));
    if (!a || !mote_system_random(&a->system, &c->recipe)) {
        free(a);
        return NULL;
    }
    size_t entries = mote_system_entries(&a->system);
    a->how = c->how;
    a->rows = a->how.of == MOTE_DERIVATIVES_ATOM ? a->system.n_atoms : entries;
    if (a->how.weights && !make_weights(a, a->system.frames * entries)) {
        free_atoms(a);
        return NULL;
    }
    return a;
}

/* Those that a short run has too: the first, expressions, weights. */
static bool is_short(const mote_coordination_case *c, size_t k)
{
    return k < 5 || c->recipe.function.kind == MOTE_SWITCH_CUSTOM || c->how.weights;
}

static void add(mixture *mix, const mote_coordination_case *c, int plan)
{
    bool weighted = c->how.weights != MOTE_TYPE_NONE;
    atoms *a = make_atoms(c);
    if (!a) {
        mix->failed = true;
        return;
    }
    const mote_system *s = &a->system;
    size_t entries = mote_system_entries(s), numbers = weighted ? 0 : entries;
    mix_call *call = mix_add(mix, "coordination", c->name,
                             s->frames * (10 + numbers + 3 * a->rows) * sizeof(double), NULL);
    if (!call) {
        free_atoms(a);
        return;
    }
    call->bits = MIX_NUMBERS;
    call->run = run;
    call->data = a;
    call->free_data = free_atoms;
    call->which = plan;
}

void mix_add_coordination(mixture *mix, int level)
{
    for (size_t k = 0; k < mote_coordination_case_count() && k < MIX_PLANS; k++) {
        mote_coordination_case c = mote_coordination_case_at(k);
        bool fits = mix->has_fp64 || c.how.precision != MOTE_PRECISION_DOUBLE;
        if (fits && c.recipe.n_atoms > 0 && (level || is_short(&c, k)))
            add(mix, &c, (int)k);
    }
}
