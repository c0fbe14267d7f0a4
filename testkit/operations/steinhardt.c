/* SPDX-License-Identifier: Apache-2.0 */
/* Describes mote_steinhardt(). The size of a call is its number of pairs of entries. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/operations/positions.h"
#include "testkit/reference/coordination/steinhardt.h"

#define BIT(number) (1u << (number))
#define FIRST(n)    ((1u << (n)) - 1)

enum {
    WEIGHTS = OTHER,
    ORDER,
    COMPONENTS,
    VALUE,
    DERIVATIVES,
    VIRIAL,
    END
}; /* after the positions */

typedef struct notes {
    double box[9];
    uint32_t moments[2];
    mote_steinhardt_truth *truth;
} notes;

static double within(mote_rng *rng, double low, double high)
{
    return low + (high - low) * ((double)(mote_rng_next(rng) >> 11) * 0x1p-53);
}

/* Draws a switching function: a function of squares, or one that is 1 up to d_0. */
static void draw_function(trial_call *c, mote_switch *function, unsigned kind, double d_max)
{
    function->kind = kind == 0 ? MOTE_SWITCH_RATIONAL : MOTE_SWITCH_CUBIC;
    function->d_max = d_max;
    if (kind == 0)
        function->r_0 = d_max * within(&c->rng, 0.3, 0.8);
    else
        function->d_0 = d_max * within(&c->rng, 0.1, 0.6);
}

/* Draws what makes a call special: centres and neighbours, or two functions for local averages. */
static void draw_special(trial_call *c, mote_steinhardt_args *a, unsigned kind, size_t n)
{
    if (a->local) {
        draw_function(c, &a->local_function, !kind, a->function.d_max * within(&c->rng, 0.6, 1.0));
        if (mote_rng_below(&c->rng, 2)) { /* the other one is longer */
            double d_max = a->function.d_max;
            a->function.d_max = a->local_function.d_max;
            a->local_function.d_max = d_max;
        }
        return;
    }
    a->n_centres = n ? 1 + mote_rng_below(&c->rng, (uint32_t)n) : 0;
    a->first_neighbour = n ? mote_rng_below(&c->rng, (uint32_t)n) : 0;
}

static void draw_moments(trial_call *c, mote_steinhardt_args *a, uint32_t *moments)
{
    a->reduction = MOTE_STEINHARDT_MOMENTS;
    a->moments = moments;
    a->n_moments = 1 + mote_rng_below(&c->rng, 2);
    for (int k = 0; k < 2; k++)
        moments[k] = 2 + mote_rng_below(&c->rng, 4);
}

static void draw_threshold(trial_call *c, mote_steinhardt_args *a)
{
    a->threshold.kind = MOTE_SWITCH_RATIONAL;
    a->threshold.r_0 = within(&c->rng, 0.3, 0.6);
    a->threshold.d_max = INFINITY;
}

/* Returns an optional array of real numbers. */
static trial_array optional(trial_call *c, uint32_t reals, bool wanted, size_t count)
{
    bool wide = reals & BIT(MOTE_FLOAT64) && mote_rng_below(&c->rng, 2);

    if (!wanted)
        return (trial_array){.type = MOTE_TYPE_NONE};
    return (trial_array){.type = wide ? MOTE_FLOAT64 : MOTE_FLOAT32, .count = count};
}

static void choose_steinhardt(trial_call *c)
{
    static const uint32_t degrees[] = {6, 4, 3};
    mote_steinhardt_args *a = (mote_steinhardt_args *)(void *)&c->args;
    notes *drawn = (notes *)(void *)&c->own;
    uint32_t reals = BIT(MOTE_FLOAT32) | (positions_fp64(c->ctx) ? BIT(MOTE_FLOAT64) : 0);
    unsigned kind = trial_choose(c, FIRST(2));
    a->l = degrees[trial_choose(c, FIRST(3))];
    a->local = trial_choose(c, FIRST(2));
    unsigned term = trial_choose(c, FIRST(4));
    bool special = trial_choose(c, FIRST(2));
    uint32_t without = c->telling ? 0 : mote_rng_below(&c->rng, 64);
    size_t m, n = positions_numbers(c, false, &m);
    bool wide = reals & BIT(MOTE_FLOAT64) && mote_rng_below(&c->rng, 2);

    a->reduction = term ? (mote_steinhardt_reduction)(MOTE_STEINHARDT_SUM + term)
                        : (mote_steinhardt_reduction)mote_rng_below(&c->rng, 2);
    if (term == 3)
        draw_moments(c, a, drawn->moments);
    a->pbc = positions_box(c, drawn->box);
    a->box = drawn->box;
    double d_max = positions_cutoff(c, drawn->box, a->pbc, n, m);
    draw_function(c, &a->function, kind, 0.997 * d_max);
    if (special)
        draw_special(c, a, kind, n);
    if (term == 1 || term == 2)
        draw_threshold(c, a);
    size_t values = term == 3 ? a->n_moments : 1;
    c->array[POSITIONS] = (trial_array){.type = wide ? MOTE_FLOAT64 : MOTE_FLOAT32, .count = 3 * n};
    c->array[WEIGHTS] = optional(c, reals, !(without & 1), n);
    c->array[ORDER] = optional(c, reals, !(without & 2), n);
    c->array[COMPONENTS] = optional(c, reals, !(without & 4), n * (4 * (size_t)a->l + 2));
    c->array[VALUE] = optional(c, reals, !(without & 8), values);
    c->array[DERIVATIVES] = optional(c, reals, !(without & 16), 3 * n * values);
    c->array[VIRIAL] = optional(c, reals, !(without & 32), 9 * values);
    c->promise = TRIAL_ON_ONE_DEVICE;
}

/* Makes positions invalid. The array that has the place of a second list must be absent. */
static void corrupt(trial_call *c, uint32_t pbc)
{
    const trial_array weights = c->array[WEIGHTS];

    c->array[WEIGHTS] = (trial_array){.type = MOTE_TYPE_NONE};
    positions_spoil(c, pbc);
    c->array[WEIGHTS] = weights;
}

static bool fill_steinhardt(trial_call *c, char *message, size_t size)
{
    const mote_steinhardt_args *a = (const mote_steinhardt_args *)(const void *)&c->args;
    notes *drawn = (notes *)(void *)&c->own;
    trial_array *weights = &c->array[WEIGHTS];

    positions_draw(c, drawn->box, &c->array[POSITIONS]);
    for (size_t k = 0; k < weights->count; k++)
        if (weights->type == MOTE_FLOAT64)
            ((double *)weights->data)[k] = within(&c->rng, -1.0, 2.0);
        else
            ((float *)weights->data)[k] = (float)within(&c->rng, -1.0, 2.0);
    if (c->spoilt)
        corrupt(c, a->pbc);
    if (c->told)
        return true;
    mote_steinhardt_task task = {
        .n = c->array[POSITIONS].count / 3, .args = a, .in_float = !positions_fp64(c->ctx)};
    double *positions = positions_widened(&c->array[POSITIONS]);
    double *factors = positions_widened(weights);
    for (int k = 0; k < 9; k++)
        task.box[k] = a->pbc >> k / 3 & 1 ? drawn->box[k] : 0.0;
    task.positions = positions;
    task.weights = weights->type ? factors : NULL;
    drawn->truth = calloc(1, sizeof(*drawn->truth));
    bool good = drawn->truth && positions && factors && mote_oracle_steinhardt(&task, drawn->truth);
    if (!good)
        snprintf(message, size, "out of memory");
    else
        c->unspecified = drawn->truth->doubtful;
    free(positions);
    free(factors);
    return good;
}

static void drop(trial_call *c)
{
    notes *drawn = (notes *)(void *)&c->own;

    if (drawn->truth)
        mote_steinhardt_truth_free(drawn->truth);
    free(drawn->truth);
    drawn->truth = NULL;
}

/* ---- comparison ------------------------------------------------------------------------------ */

/* Compares an array, whose numbers may also differ by the rounding errors of its type. */
static bool is_same(const trial_call *c, size_t field, const void *array,
                    const mote_steinhardt_number *expected, char *message, size_t size)
{
    const trial_array *a = &c->array[field];

    for (size_t k = 0; k < a->count; k++) {
        bool wide = a->type == MOTE_FLOAT64;
        double got = wide ? ((const double *)array)[k] : (double)((const float *)array)[k];
        double allowed = expected[k].error + 1e-30 +
                         (wide ? 1e-15 : 1e-7) * fabs(expected[k].value) + (wide ? 0 : 1e-37);
        if (fabs(got - expected[k].value) <= allowed)
            continue;
        snprintf(message, size, "%s[%zu] of %zu is %.17g, not %.17g +- %.3g",
                 c->fields->fields[field].name, k, a->count, got, expected[k].value, allowed);
        return false;
    }
    return true;
}

static bool judge(const trial_call *c, mote_status told, uint32_t index, const void *const *arrays,
                  char *message, size_t size)
{
    const notes *drawn = (const notes *)(const void *)&c->own;
    const mote_steinhardt_truth *truth = drawn->truth;

    if (!c->silent && (told != c->told || (told && index != c->told_index))) {
        snprintf(message, size, "the error is %s of %u, not %s of %u", mote_status_name(told),
                 (unsigned)index, mote_status_name(c->told), (unsigned)c->told_index);
        return false;
    }
    if (c->unspecified)
        return true;
    const mote_steinhardt_number *const expected[END] = {
        [ORDER] = truth->order,   [COMPONENTS] = truth->components,   [VALUE] = truth->values,
        [VIRIAL] = truth->virial, [DERIVATIVES] = truth->derivatives,
    };
    for (size_t k = ORDER; k < END; k++)
        if (c->array[k].type && !is_same(c, k, arrays[k], expected[k], message, size))
            return false;
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void init_steinhardt(void *args)
{
    mote_steinhardt_args_init(args);
}

/* Enqueues the call, and overwrites the box and the powers as soon as the call has returned, as a
 * caller may do. Arguments of another version, whose size differs, are passed unchanged. */
static mote_status enqueue_steinhardt(mote_context *ctx, cl_command_queue queue, const void *args,
                                      cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    mote_steinhardt_args a = *(const mote_steinhardt_args *)args;
    double box[9] = {0};
    uint32_t moments[2] = {0};

    if (a.size != sizeof(a))
        return mote_steinhardt(ctx, queue, args, num_wait, wait, event);
    if (a.box)
        memcpy(box, a.box, sizeof(box));
    a.box = a.box ? box : NULL;
    if (a.moments && a.n_moments <= 2)
        memcpy(moments, a.moments, sizeof(moments));
    a.moments = a.moments ? moments : NULL;
    mote_status status = mote_steinhardt(ctx, queue, &a, num_wait, wait, event);
    memset(box, TRIAL_POISON, sizeof(box));
    memset(moments, TRIAL_POISON, sizeof(moments));
    return status;
}

TRIAL_WORKSPACE_SIZE(steinhardt, mote_steinhardt_workspace_size)

/* Sizes near the squares of the numbers of entries that a group or a work-item processes. */
static const size_t borders[] = {1, 4, 9, 256, 1024, 16384, 65536, 0};

static const char *const tunes[] = {"coordination.form=cpu", "coordination.form=gpu",
                                    "coordination.form=gpu,coordination.team=3,reduce.fp64=0",
                                    "coordination.form=cpu,reduce.fp64=0", NULL};

/* The decisions are the function, l, local averages, what is added up, and special calls. */
static const trial_program programs[] = {
    TRIAL_PROGRAM("q6, less than", 0, 0, 0, 1, 0),
    TRIAL_PROGRAM("local q4 of two functions, more than", 1, 1, 1, 2, 1),
    TRIAL_PROGRAM("q3 of centres, moments", 0, 2, 0, 3, 1),
    TRIAL_PROGRAM("local q6", 1, 0, 1, 0, 0),
    TRIAL_END,
};

const trial_operation trial_steinhardt = {
    TRIAL_OPERATION(steinhardt, mote_steinhardt, mote_steinhardt_args, MOTE_OPERATION_STEINHARDT),
    TRIAL_WORKSPACE(steinhardt, mote_steinhardt_args),
    .judge = judge,
    .drop = drop,
    .borders = borders,
    .whole = 2,
    .tunes = tunes,
    .programs = programs,
};
