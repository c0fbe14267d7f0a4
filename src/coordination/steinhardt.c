/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/steinhardt.h"
#include "core/fail.h"
#include "core/log.h"
#include "core/size.h"
#include "operations.h"

#include <math.h>

#define MOST_L       6
#define SEARCH_BYTES ((2 * MOST_L + 2) * sizeof(double)) /* local memory of a work-item */
#define MOST_TEAM    ((size_t)8)  /* there are about as many rows of cells around an entry */
#define SEARCH_EACH  ((size_t)16) /* entries that make a work-item worthwhile in the CPU form */
#define ENTRY_EACH   ((size_t)256)
#define LEAST_MOMENT 2
#define MOST_MOMENT  64 /* also the most moments of a call */

#define REALS (MOTE_TYPE_BIT(MOTE_FLOAT32) | MOTE_TYPE_BIT(MOTE_FLOAT64))

typedef mote_steinhardt_plan plan;

/* ---- arguments ------------------------------------------------------------------------------- */

/* Returns whether local averages have a switching function of their own. */
static bool has_local_function(const mote_steinhardt_args *a)
{
    const mote_switch *f = &a->local_function;
    return a->local &&
           (f->kind != MOTE_SWITCH_RATIONAL || f->r_0 != 0.0 || f->d_0 != 0.0 || f->d_max != 0.0);
}

static mote_status check_views(const mote_call *call, const plan *p)
{
    const mote_steinhardt_args *a = &p->args;
    const size_t n = p->cells.n, values = p->values;
    const mote_view_rule views[] = {
        {"positions", &a->positions, REALS, VIEW_ANY_COUNT, 0},
        {"weights", &a->weights, REALS, n, VIEW_OPTIONAL | VIEW_EXACT},
        {"order", &a->order, REALS, n, VIEW_OPTIONAL | VIEW_EXACT | VIEW_WRITES},
        {"components", &a->components, REALS, n * (4 * (size_t)a->l + 2),
         VIEW_OPTIONAL | VIEW_EXACT | VIEW_WRITES},
        {"value", &a->value, REALS, values, VIEW_OPTIONAL | VIEW_EXACT | VIEW_WRITES},
        {"derivatives", &a->derivatives, REALS, 3 * n * values,
         VIEW_OPTIONAL | VIEW_EXACT | VIEW_WRITES},
        {"virial", &a->virial, REALS, 9 * values, VIEW_OPTIONAL | VIEW_EXACT | VIEW_WRITES},
    };
    const size_t count = sizeof(views) / sizeof(views[0]);
    mote_status st = mote_check_views(call, views, count);
    return st ? st : mote_neighbour_cells_check_types(call, &p->cells, views, count);
}

static mote_status check_moments(const mote_call *call, const mote_steinhardt_args *a)
{
    if (a->n_moments < 1 || a->n_moments > MOST_MOMENT || !a->moments)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: there are %zu moments%s, but 1 to %d are needed", call->name,
                         a->n_moments, a->moments ? "" : " in an array that is NULL", MOST_MOMENT);
    for (size_t k = 0; k < a->n_moments; k++)
        if (a->moments[k] < LEAST_MOMENT || a->moments[k] > MOST_MOMENT)
            return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                             "%s: moments[%zu] is %u, but must be from %d to %d", call->name, k,
                             (unsigned)a->moments[k], LEAST_MOMENT, MOST_MOMENT);
    return MOTE_SUCCESS;
}

static mote_status check_parts(const mote_call *call, const plan *p)
{
    const mote_steinhardt_args *a = &p->args;
    const size_t n = p->cells.n;
    if (n && a->n_centres > n)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: n_centres is %zu, but there are %zu entries", call->name,
                         a->n_centres, n);
    if (n && a->first_neighbour >= n)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: first_neighbour is %zu, but there are %zu entries", call->name,
                         a->first_neighbour, n);
    if (n && a->local && (a->first_neighbour || (a->n_centres && a->n_centres < n)))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: local averages are those of all entries, but n_centres is %zu and "
                         "first_neighbour is %zu",
                         call->name, a->n_centres, a->first_neighbour);
    return MOTE_SUCCESS;
}

static mote_status check_options(const mote_call *call, plan *p)
{
    const mote_steinhardt_args *a = &p->args;
    if (a->l != 3 && a->l != 4 && a->l != 6)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: l is %u, but must be 3, 4 or 6",
                         call->name, (unsigned)a->l);
    mote_status st =
        MOTE_CHECK_CHOICE(call->name, "reduction", a->reduction, mote_steinhardt_reduction);
    if (!st && a->reduction == MOTE_STEINHARDT_MOMENTS)
        st = check_moments(call, a);
    p->values = a->reduction == MOTE_STEINHARDT_MOMENTS ? a->n_moments : 1;
    return st;
}

static mote_status check_distance(const mote_call *call, mote_switch *function, const char *what,
                                  mote_switch_numbers *numbers)
{
    mote_status st = mote_switch_complete_for(call->name, function);
    if (!st && isinf(function->d_max))
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                       "%s: the %s is infinite, but needs a finite d_max", call->name, what);
    if (!st)
        mote_switch_get_numbers(function, numbers);
    return st;
}

static mote_status check_functions(const mote_call *call, plan *p)
{
    mote_steinhardt_args *a = &p->args;
    mote_status st = check_distance(call, &a->function, "switching function", &p->function);
    p->apart = has_local_function(a);
    if (!st && p->apart)
        st = check_distance(call, &a->local_function, "function of local averages",
                            &p->local_function);
    if (!st && mote_steinhardt_has_threshold(a))
        st = mote_switch_complete_for(call->name, &a->threshold);
    if (!st && mote_steinhardt_has_threshold(a))
        mote_switch_get_numbers(&a->threshold, &p->threshold);
    return st;
}

static uint32_t flag_of(const mote_view *view, uint32_t flag)
{
    return view->type == MOTE_FLOAT64 ? flag : 0;
}

static void make_plan(const mote_context *ctx, plan *p)
{
    const mote_steinhardt_args *a = &p->args;
    mote_neighbour_cells *cells = &p->cells;
    size_t most = MOTE_NEIGHBOURS_PER_UNIT * ctx->device.compute_units;
    mote_neighbour_cells_plan(ctx, cells, SEARCH_BYTES, 0);
    cells->team = min_size(cells->team, MOST_TEAM);
    cells->params.flags |= MOTE_NEIGHBOURS_FINE;
    p->pitch = 2 * (size_t)a->l + 2;
    p->slopes = a->derivatives.type || a->virial.type;
    p->centres = a->n_centres ? min_size(a->n_centres, cells->n) : cells->n;
    p->parts = a->first_neighbour > 0 || p->centres < cells->n;
    p->groups = cells->cpu ? clamp(div_ceil(cells->n, ENTRY_EACH), 1, most)
                           : div_ceil(cells->n, cells->local);
    p->searching = cells->cpu ? clamp(div_ceil(cells->n, SEARCH_EACH), 1, most)
                              : div_ceil(cells->n, cells->searching / cells->team);
    p->flags = flag_of(&a->weights, MOTE_STEINHARDT_WIDE_WEIGHTS) |
               flag_of(&a->order, MOTE_STEINHARDT_WIDE_ORDER) |
               flag_of(&a->components, MOTE_STEINHARDT_WIDE_COMPONENTS) |
               flag_of(&a->value, MOTE_STEINHARDT_WIDE_VALUE) |
               flag_of(&a->derivatives, MOTE_STEINHARDT_WIDE_DERIVATIVES) |
               flag_of(&a->virial, MOTE_STEINHARDT_WIDE_VIRIAL);
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_steinhardt_args *a = &p->args;
    mote_neighbour_cells *cells = &p->cells;
    mote_neighbour_cells_set(call->ctx, cells, &a->positions, &(mote_view){0}, 1);
    mote_status st = check_options(call, p);
    if (!st)
        st = check_views(call, p);
    if (!st)
        st = mote_neighbour_cells_check(call, cells);
    if (!st)
        st = check_parts(call, p);
    if (!st)
        st = check_functions(call, p);
    const double d_max =
        p->apart ? fmax(a->function.d_max, a->local_function.d_max) : a->function.d_max;
    const mote_neighbours_range range = {"d_max", d_max, a->box, a->pbc};
    if (!st)
        st = mote_neighbours_box(call, &range, cells->as_double, &cells->params);
    if (st)
        return st;
    make_plan(call->ctx, p);
    if (2.0000001 * range.cutoff > mote_neighbours_reduce(&range, p->lattice))
        p->flags |= MOTE_STEINHARDT_SEVERAL;
    mote_log(MOTE_LOG_DEBUG, "%s: %s form, %zu entries", call->name, cells->cpu ? "CPU" : "GPU",
             cells->n);
    return MOTE_SUCCESS;
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    const bool local = p->args.local != 0, many = p->args.reduction == MOTE_STEINHARDT_MOMENTS;
    const size_t n = p->cells.n, numbers = n * p->pitch;
    mote_type real = p->cells.as_double ? MOTE_FLOAT64 : MOTE_FLOAT32;
    if (n)
        mote_neighbour_cells_carve(call, &p->cells, carve);
    p->sums = mote_carve_take(carve, numbers, real);
    p->back = many ? mote_carve_take(carve, numbers, real) : p->sums;
    if (local)
        p->units = mote_carve_take(carve, numbers, real);
    if (local)
        p->means = mote_carve_take(carve, numbers, real);
    if (many)
        p->kept = mote_carve_take(carve, n, real);
    if (many)
        p->by_order = mote_carve_take(carve, n, real);
    if (p->apart)
        p->ends = mote_carve_take(carve, n, real);
    if (p->apart)
        p->added = mote_carve_take(carve, 3 * n, real);
    p->terms = mote_carve_take(carve, p->groups, real);
    p->virials =
        mote_carve_take(carve, MOTE_STEINHARDT_VIRIAL * p->searching * (p->apart ? 2 : 1), real);
    p->totals = mote_carve_take(carve, MOTE_STEINHARDT_VIRIAL + 1, real);
}

const mote_descriptor mote_steinhardt_operation = {
    MOTE_DESCRIBE(mote_steinhardt, mote_steinhardt_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_steinhardt_args),
    MOTE_DESCRIBE_ERROR(mote_steinhardt_args),
    .check = check,
    .carve = carve_plan,
    .launch = mote_steinhardt_launch,
};
MOTE_DEFINE_CALL(mote_steinhardt, mote_steinhardt_args, mote_steinhardt_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_steinhardt_workspace_size, mote_steinhardt_args,
                           mote_steinhardt_operation)
