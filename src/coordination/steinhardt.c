/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/neighbours_cells.h"
#include "coordination/plan.h"
#include "core/error.h"
#include "core/fail.h"
#include "core/log.h"
#include "core/size.h"
#include "mote/steinhardt.h"
#include "operations.h"
#include "shared/steinhardt.h"

#include "cl_sources.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_L       6
#define SEARCH_BYTES ((2 * MOST_L + 2) * sizeof(double)) /* of local memory for each work-item */
#define MOST_TEAM    ((size_t)8)  /* there are about as many rows of cells around an entry */
#define SEARCH_EACH  ((size_t)16) /* entries that make a work-item worthwhile in the CPU form */
#define ENTRY_EACH   ((size_t)256)
#define LEAST        1e-6 /* the least distance of a pair that counts, in units of d_max */

#define REALS (MOTE_TYPE_BIT(MOTE_FLOAT32) | MOTE_TYPE_BIT(MOTE_FLOAT64))

typedef struct plan {
    mote_steinhardt_args args;
    mote_neighbour_cells cells;
    mote_switch_numbers function, threshold;
    bool slopes;       /* derivatives or the virial are wanted */
    double lattice[9]; /* reduced vectors of the box, or 0 */
    uint32_t flags;
    size_t pitch;             /* numbers of an entry in the arrays below */
    size_t groups, searching; /* groups of launches over entries, and of searches */
    mote_view sums, units, means, terms, virials, totals;
} plan;

/* The programs of a call. */
typedef struct programs {
    char *pairs, *entries; /* defines */
    mote_steinhardt_params of_pairs, of_entries;
} programs;

/* ---- arguments ------------------------------------------------------------------------------- */

static bool has_threshold(const mote_steinhardt_args *a)
{
    return a->reduction >= MOTE_STEINHARDT_LESS_THAN;
}

static mote_status check_views(const mote_call *call, const plan *p)
{
    const mote_steinhardt_args *a = &p->args;
    const size_t n = p->cells.n;
    const mote_view_rule views[] = {
        {"positions", &a->positions, REALS, VIEW_ANY_COUNT, 0},
        {"weights", &a->weights, REALS, n, VIEW_OPTIONAL | VIEW_EXACT},
        {"order", &a->order, REALS, n, VIEW_OPTIONAL | VIEW_EXACT | VIEW_WRITES},
        {"components", &a->components, REALS, n * (4 * (size_t)a->l + 2),
         VIEW_OPTIONAL | VIEW_EXACT | VIEW_WRITES},
        {"value", &a->value, REALS, 1, VIEW_OPTIONAL | VIEW_EXACT | VIEW_WRITES},
        {"derivatives", &a->derivatives, REALS, 3 * n, VIEW_OPTIONAL | VIEW_EXACT | VIEW_WRITES},
        {"virial", &a->virial, REALS, 9, VIEW_OPTIONAL | VIEW_EXACT | VIEW_WRITES},
    };
    const size_t count = sizeof(views) / sizeof(views[0]);
    mote_status st = mote_check_views(call, views, count);
    return st ? st : mote_neighbour_cells_check_types(call, &p->cells, views, count);
}

static mote_status check_options(const mote_call *call, const mote_steinhardt_args *a)
{
    if (a->l != 3 && a->l != 4 && a->l != 6)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: l is %u, but must be 3, 4 or 6",
                         call->name, (unsigned)a->l);
    return MOTE_CHECK_CHOICE(call->name, "reduction", a->reduction, mote_steinhardt_reduction);
}

static mote_status check_functions(const mote_call *call, plan *p)
{
    mote_steinhardt_args *a = &p->args;
    mote_status st = mote_switch_complete_for(call->name, &a->function);
    if (!st && isinf(a->function.d_max))
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                       "%s: the switching function is infinite, but needs a finite d_max",
                       call->name);
    if (!st && has_threshold(a))
        st = mote_switch_complete_for(call->name, &a->threshold);
    if (st)
        return st;
    mote_switch_get_numbers(&a->function, &p->function);
    if (has_threshold(a))
        mote_switch_get_numbers(&a->threshold, &p->threshold);
    return MOTE_SUCCESS;
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
    mote_neighbour_cells_set(call->ctx, cells, &a->positions, &(mote_view){0});
    mote_status st = check_options(call, a);
    if (!st)
        st = check_views(call, p);
    if (!st)
        st = mote_neighbour_cells_check(call, cells);
    if (!st)
        st = check_functions(call, p);
    const mote_neighbours_range range = {"d_max", a->function.d_max, a->box, a->pbc};
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
    const bool local = p->args.local != 0;
    const size_t n = p->cells.n, numbers = n * p->pitch;
    mote_type real = p->cells.as_double ? MOTE_FLOAT64 : MOTE_FLOAT32;
    if (n)
        mote_neighbour_cells_carve(call, &p->cells, carve);
    p->sums = mote_carve_take(carve, numbers, real);
    p->units = mote_carve_take(carve, local ? numbers : 0, real);
    p->means = mote_carve_take(carve, local ? numbers : 0, real);
    p->terms = mote_carve_take(carve, p->groups, real);
    p->virials = mote_carve_take(carve, MOTE_STEINHARDT_VIRIAL * p->searching, real);
    p->totals = mote_carve_take(carve, MOTE_STEINHARDT_VIRIAL + 1, real);
}

/* ---- programs -------------------------------------------------------------------------------- */

/* Computes the defines and the parameters of a switching function. The caller frees the defines. */
static mote_status make_function(const mote_call *call, const plan *p, const mote_switch *function,
                                 const mote_switch_numbers *numbers, char **defines,
                                 mote_steinhardt_params *params)
{
    const bool as_double = p->cells.as_double;
    const mote_coordination lone = {
        .ctx = call->ctx, .function = *function, .numbers = *numbers, .pbc = MOTE_PBC_NONE};
    mote_kernel_constants constants;
    if (mote_kernel_constants_make(&lone, as_double, &constants))
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "%s: out of host memory", call->name);
    *defines = constants.defines;
    params->function = constants.params;
    mote_coordination_put(params->slope, constants.derivative_scale, as_double);
    return MOTE_SUCCESS;
}

static mote_status make_programs(const mote_call *call, const plan *p, programs *of)
{
    const mote_steinhardt_args *a = &p->args;
    const bool mean = a->reduction == MOTE_STEINHARDT_MEAN && p->cells.n;
    const double least = LEAST * a->function.d_max;
    of->of_pairs.n = of->of_entries.n = (uint32_t)p->cells.n;
    of->of_pairs.flags = of->of_entries.flags = p->flags;
    mote_coordination_put(of->of_entries.scale, mean ? 1.0 / (double)p->cells.n : 1.0,
                          p->cells.as_double);
    mote_coordination_put(of->of_pairs.least, least * least, p->cells.as_double);
    for (size_t k = 0; k < 9; k++)
        mote_coordination_put(of->of_pairs.lattice + 2 * k, p->lattice[k], p->cells.as_double);
    mote_status st = make_function(call, p, &a->function, &p->function, &of->pairs, &of->of_pairs);
    if (!st && has_threshold(a))
        st = make_function(call, p, &a->threshold, &p->threshold, &of->entries, &of->of_entries);
    return st;
}

/* ---- launches -------------------------------------------------------------------------------- */

typedef struct run {
    mote_call *call;
    const plan *p;
    const programs *of;
} run;

static void begin_pairs(mote_launch *launch, const run *r, const char *kernel)
{
    const plan *p = r->p;
    const mote_neighbour_cells *cells = &p->cells;
    char defines[MOTE_COORDINATION_DEFINES + 64], shape[48] = "-DCPU_FORM";
    if (!cells->cpu)
        snprintf(shape, sizeof(shape), "-DWG=%zu -DTEAM=%zu", cells->searching, cells->team);
    snprintf(defines, sizeof(defines), "%s -DDEGREE=%u -DLOCAL=%d %s", r->of->pairs,
             (unsigned)p->args.l, p->args.local != 0, shape);
    mote_launch_begin(launch, r->call, &mote_cl_coordination_steinhardt_pairs, defines, kernel);
    mote_neighbour_cells_set_search(launch, cells);
    mote_launch_struct(launch, "order", &r->of->of_pairs, sizeof(r->of->of_pairs));
}

static mote_status run_pairs(mote_launch *launch, const run *r)
{
    const mote_neighbour_cells *cells = &r->p->cells;
    return mote_launch_run(launch, r->p->searching, cells->cpu ? 1 : cells->searching);
}

static void begin_entries(mote_launch *launch, const run *r, const char *kernel)
{
    const plan *p = r->p;
    const mote_neighbour_cells *cells = &p->cells;
    char defines[MOTE_COORDINATION_DEFINES + 96], precision[16];
    const int term = has_threshold(&p->args) ? (int)p->args.reduction : MOTE_STEINHARDT_SUMS;
    snprintf(precision, sizeof(precision), "-DDOUBLE=%d", cells->as_double);
    snprintf(defines, sizeof(defines), "%s -DWG=%zu -DDEGREE=%u -DLOCAL=%d -DTERM=%d%s",
             r->of->entries ? r->of->entries : precision, cells->local, (unsigned)p->args.l,
             p->args.local != 0, term, cells->cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(launch, r->call, &mote_cl_coordination_steinhardt_entries, defines, kernel);
    mote_launch_struct(launch, "p", &r->of->of_entries, sizeof(r->of->of_entries));
}

static mote_status launch_moments(const run *r)
{
    const plan *p = r->p;
    mote_launch launch;
    begin_pairs(&launch, r, "steinhardt_moments");
    mote_launch_view(&launch, "out", &p->sums);
    mote_launch_bytes(&launch, 32 * (uint64_t)p->cells.n);
    return run_pairs(&launch, r);
}

static mote_status launch_order(const run *r)
{
    const plan *p = r->p;
    mote_launch launch;
    begin_entries(&launch, r, "steinhardt_order");
    mote_launch_view(&launch, "sorted", &p->cells.sorted);
    mote_launch_view(&launch, "sums", &p->sums);
    mote_launch_view(&launch, "units", &p->units);
    mote_launch_view(&launch, "means", &p->means);
    mote_launch_view(&launch, "weights", &p->args.weights);
    mote_launch_view(&launch, "order", &p->args.order);
    mote_launch_view(&launch, "components", &p->args.components);
    mote_launch_view(&launch, "partial", &p->terms);
    mote_launch_bytes(&launch, 8 * (uint64_t)p->cells.n);
    return mote_launch_run(&launch, p->groups, p->cells.local);
}

static mote_status launch_average(const run *r, const mote_view *out)
{
    mote_launch launch;
    begin_pairs(&launch, r, "steinhardt_average");
    mote_launch_view(&launch, "units", &r->p->units);
    mote_launch_view(&launch, "out", out);
    mote_launch_bytes(&launch, 32 * (uint64_t)r->p->cells.n);
    return run_pairs(&launch, r);
}

static mote_status launch_local(const run *r)
{
    const plan *p = r->p;
    mote_launch launch;
    mote_status st = launch_average(r, &p->means);
    if (st)
        return st;
    begin_entries(&launch, r, "steinhardt_local");
    mote_launch_view(&launch, "sorted", &p->cells.sorted);
    mote_launch_view(&launch, "sums", &p->sums);
    mote_launch_view(&launch, "units", &p->units);
    mote_launch_view(&launch, "means", &p->means);
    mote_launch_view(&launch, "weights", &p->args.weights);
    mote_launch_view(&launch, "order", &p->args.order);
    mote_launch_view(&launch, "partial", &p->terms);
    mote_launch_bytes(&launch, 8 * (uint64_t)p->cells.n);
    st = mote_launch_run(&launch, p->groups, p->cells.local);
    if (!st && p->slopes)
        st = launch_average(r, &p->sums);
    if (st || !p->slopes)
        return st;
    begin_entries(&launch, r, "steinhardt_project");
    mote_launch_view(&launch, "sums", &p->sums);
    mote_launch_view(&launch, "units", &p->units);
    mote_launch_view(&launch, "means", &p->means);
    mote_launch_bytes(&launch, 8 * (uint64_t)p->cells.n);
    return mote_launch_run(&launch, p->groups, p->cells.local);
}

static mote_status launch_derivatives(const run *r)
{
    const plan *p = r->p;
    mote_launch launch;
    begin_pairs(&launch, r, "steinhardt_derivatives");
    mote_launch_view(&launch, "back", &p->sums);
    mote_launch_view(&launch, "units", &p->units);
    mote_launch_view(&launch, "derivatives", &p->args.derivatives);
    mote_launch_view(&launch, "partial", &p->virials);
    mote_launch_bytes(&launch, 32 * (uint64_t)p->cells.n);
    return run_pairs(&launch, r);
}

static mote_status launch_finish(const run *r)
{
    const plan *p = r->p;
    mote_launch launch;
    begin_entries(&launch, r, "steinhardt_finish");
    mote_launch_view(&launch, "totals", &p->totals);
    mote_launch_view(&launch, "terms", &p->terms);
    mote_launch_u32(&launch, "term_groups", p->cells.n ? (uint32_t)p->groups : 0);
    mote_launch_view(&launch, "value", &p->args.value);
    mote_launch_view(&launch, "virials", &p->virials);
    mote_launch_u32(&launch, "virial_groups", p->cells.n && p->slopes ? (uint32_t)p->searching : 0);
    mote_launch_view(&launch, "virial", &p->args.virial);
    mote_launch_last(&launch);
    return mote_launch_run(&launch, 1, p->cells.local);
}

static mote_status launch_pairs(const run *r)
{
    const plan *p = r->p;
    mote_status st = mote_neighbour_cells_sort(r->call, &p->cells);
    if (!st)
        st = launch_moments(r);
    if (!st)
        st = launch_order(r);
    if (!st && p->args.local)
        st = launch_local(r);
    if (!st && p->slopes)
        st = launch_derivatives(r);
    return st;
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    programs of = {0};
    const run r = {call, p, &of};
    mote_status st = mote_error_clear(call);
    if (!st)
        st = make_programs(call, p, &of);
    if (!st && p->cells.n)
        st = launch_pairs(&r);
    if (!st && (p->args.value.type || p->args.virial.type))
        st = launch_finish(&r);
    free(of.pairs);
    free(of.entries);
    return st;
}

const mote_descriptor mote_steinhardt_operation = {
    MOTE_DESCRIBE(mote_steinhardt, mote_steinhardt_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_steinhardt_args),
    MOTE_DESCRIBE_ERROR(mote_steinhardt_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_steinhardt, mote_steinhardt_args, mote_steinhardt_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_steinhardt_workspace_size, mote_steinhardt_args,
                           mote_steinhardt_operation)
