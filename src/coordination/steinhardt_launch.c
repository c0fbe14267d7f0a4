/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/steinhardt.h"
#include "core/error.h"
#include "core/fail.h"

#include "cl_sources.h"

#include <stdio.h>
#include <stdlib.h>

#define LEAST 1e-6 /* the least distance of a pair that counts, in units of d_max */

typedef mote_steinhardt_plan plan;

/* A program of the kernels over pairs, or over entries. */
typedef struct program {
    char *defines;
    mote_steinhardt_params params;
} program;

/* The programs of a call. `apart` has the switching function of local averages, if they have their
 * own. `weighed` has the slopes of a moment as weights. */
typedef struct programs {
    program pairs, apart, entries, weighed;
} programs;

typedef struct run {
    mote_call *call;
    const plan *p;
    const programs *built;
} run;

/* ---- programs -------------------------------------------------------------------------------- */

/* Computes the defines and the parameters of a switching function. The caller frees the defines. */
static mote_status make_function(const mote_call *call, const plan *p, const mote_switch *function,
                                 const mote_switch_numbers *numbers, program *built)
{
    const bool as_double = p->cells.as_double;
    const mote_coordination lone = {
        .ctx = call->ctx, .function = *function, .numbers = *numbers, .pbc = MOTE_PBC_NONE};
    mote_kernel_constants constants;
    if (mote_kernel_constants_make(&lone, as_double, &constants))
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "%s: out of host memory", call->name);
    built->defines = constants.defines;
    built->params.function = constants.params;
    mote_coordination_put(built->params.slope, constants.derivative_scale, as_double);
    return MOTE_SUCCESS;
}

static void put_scalars(const plan *p, program *built, double scale, double d_max)
{
    const double least = LEAST * d_max;
    const bool as_double = p->cells.as_double;
    built->params.n = (uint32_t)p->cells.n;
    built->params.centres = (uint32_t)p->centres;
    built->params.first = (uint32_t)p->args.first_neighbour;
    built->params.flags = p->flags;
    mote_coordination_put(built->params.scale, scale, as_double);
    mote_coordination_put(built->params.least, least * least, as_double);
    for (size_t k = 0; k < 9; k++)
        mote_coordination_put(built->params.lattice + 2 * k, p->lattice[k], as_double);
}

static mote_status make_programs(const mote_call *call, const plan *p, programs *built)
{
    const mote_steinhardt_args *a = &p->args;
    const bool mean = a->reduction == MOTE_STEINHARDT_MEAN && p->cells.n;
    const uint32_t wide = p->cells.as_double ? ~0u : 0;
    put_scalars(p, &built->pairs, 1.0, a->function.d_max);
    put_scalars(p, &built->apart, 1.0, a->local_function.d_max);
    put_scalars(p, &built->entries, mean ? 1.0 / (double)p->centres : 1.0, 0.0);
    put_scalars(p, &built->weighed, 1.0, 0.0);
    /* These programs have arrays of the call instead of those of the caller. */
    built->apart.params.flags &= ~(uint32_t)MOTE_STEINHARDT_WIDE_DERIVATIVES;
    built->apart.params.flags |= wide & MOTE_STEINHARDT_WIDE_DERIVATIVES;
    built->weighed.params.flags &= ~(uint32_t)MOTE_STEINHARDT_WIDE_WEIGHTS;
    built->weighed.params.flags |= wide & MOTE_STEINHARDT_WIDE_WEIGHTS;
    mote_status st = make_function(call, p, &a->function, &p->function, &built->pairs);
    if (!st && p->apart)
        st = make_function(call, p, &a->local_function, &p->local_function, &built->apart);
    if (!st && mote_steinhardt_has_threshold(a))
        st = make_function(call, p, &a->threshold, &p->threshold, &built->entries);
    return st;
}

/* ---- launches -------------------------------------------------------------------------------- */

static const program *averages(const run *r)
{
    return r->p->apart ? &r->built->apart : &r->built->pairs;
}

static void begin_pairs(mote_launch *launch, const run *r, const program *built, const char *kernel)
{
    const plan *p = r->p;
    const mote_neighbour_cells *cells = &p->cells;
    const int local = !p->args.local         ? 0
                      : !p->apart            ? MOTE_STEINHARDT_ONE_FUNCTION
                      : built == averages(r) ? MOTE_STEINHARDT_OF_AVERAGES
                                             : MOTE_STEINHARDT_OF_COMPONENTS;
    char defines[MOTE_COORDINATION_DEFINES + 80], shape[48] = "-DCPU_FORM";
    if (!cells->cpu)
        snprintf(shape, sizeof(shape), "-DWG=%zu -DTEAM=%zu", cells->searching, cells->team);
    snprintf(defines, sizeof(defines), "%s -DDEGREE=%u -DLOCAL=%d -DPARTS=%d %s", built->defines,
             (unsigned)p->args.l, local, p->parts, shape);
    mote_launch_begin(launch, r->call, &mote_cl_coordination_steinhardt_pairs, defines, kernel);
    mote_neighbour_cells_set_search(launch, cells);
    mote_launch_struct(launch, "order", &built->params, sizeof(built->params));
}

static mote_status run_pairs(mote_launch *launch, const run *r)
{
    const mote_neighbour_cells *cells = &r->p->cells;
    mote_launch_bytes(launch, 32 * (uint64_t)cells->n);
    return mote_launch_run(launch, r->p->searching, cells->cpu ? 1 : cells->searching);
}

static void begin_entries(mote_launch *launch, const run *r, const program *built,
                          const char *kernel)
{
    const plan *p = r->p;
    const mote_neighbour_cells *cells = &p->cells;
    char defines[MOTE_COORDINATION_DEFINES + 96], precision[16];
    const int term = built->defines ? (int)p->args.reduction : MOTE_STEINHARDT_SUMS;
    snprintf(precision, sizeof(precision), "-DDOUBLE=%d", cells->as_double);
    snprintf(defines, sizeof(defines), "%s -DWG=%zu -DDEGREE=%u -DLOCAL=%d -DTERM=%d%s",
             built->defines ? built->defines : precision, cells->local, (unsigned)p->args.l,
             p->args.local != 0, term, cells->cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(launch, r->call, &mote_cl_coordination_steinhardt_entries, defines, kernel);
    mote_launch_struct(launch, "p", &built->params, sizeof(built->params));
}

static mote_status run_entries(mote_launch *launch, const run *r)
{
    mote_launch_bytes(launch, 8 * (uint64_t)r->p->cells.n);
    return mote_launch_run(launch, r->p->groups, r->p->cells.local);
}

static mote_status launch_moments(const run *r)
{
    mote_launch launch;
    begin_pairs(&launch, r, &r->built->pairs, "steinhardt_moments");
    mote_launch_view(&launch, "out", &r->p->sums);
    return run_pairs(&launch, r);
}

static mote_status launch_order(const run *r, const program *built, const mote_view *weights)
{
    const plan *p = r->p;
    mote_launch launch;
    begin_entries(&launch, r, built, "steinhardt_order");
    mote_launch_view(&launch, "sorted", &p->cells.sorted);
    mote_launch_view(&launch, "sums", &p->sums);
    mote_launch_view(&launch, "back", &p->back);
    mote_launch_view(&launch, "units", &p->units);
    mote_launch_view(&launch, "means", &p->means);
    mote_launch_view(&launch, "weights", weights);
    mote_launch_view(&launch, "order", &p->args.order);
    mote_launch_view(&launch, "components", &p->args.components);
    mote_launch_view(&launch, "kept", &p->kept);
    mote_launch_view(&launch, "partial", &p->terms);
    return run_entries(&launch, r);
}

static mote_status launch_average(const run *r, const mote_view *out, const mote_view *ends)
{
    mote_launch launch;
    begin_pairs(&launch, r, averages(r), "steinhardt_average");
    mote_launch_view(&launch, "units", &r->p->units);
    mote_launch_view(&launch, "out", out);
    mote_launch_view(&launch, "ends", ends);
    return run_pairs(&launch, r);
}

static mote_status launch_local(const run *r, const program *built, const mote_view *weights)
{
    const plan *p = r->p;
    mote_launch launch;
    begin_entries(&launch, r, built, "steinhardt_local");
    mote_launch_view(&launch, "sorted", &p->cells.sorted);
    mote_launch_view(&launch, "sums", &p->sums);
    mote_launch_view(&launch, "ends", &p->ends);
    mote_launch_view(&launch, "units", &p->units);
    mote_launch_view(&launch, "means", &p->means);
    mote_launch_view(&launch, "weights", weights);
    mote_launch_view(&launch, "order", &p->args.order);
    mote_launch_view(&launch, "kept", &p->kept);
    mote_launch_view(&launch, "partial", &p->terms);
    return run_entries(&launch, r);
}

/* Computes b and c of local averages. */
static mote_status launch_project(const run *r)
{
    const plan *p = r->p;
    mote_launch launch;
    mote_status st = launch_average(r, &p->back, &(mote_view){0});
    if (st)
        return st;
    begin_entries(&launch, r, &r->built->entries, "steinhardt_project");
    mote_launch_view(&launch, "sums", &p->sums);
    mote_launch_view(&launch, "ends", &p->ends);
    mote_launch_view(&launch, "back", &p->back);
    mote_launch_view(&launch, "units", &p->units);
    mote_launch_view(&launch, "means", &p->means);
    return run_entries(&launch, r);
}

/* ---- derivatives ----------------------------------------------------------------------------- */

/* Returns the part of a view that belongs to a value. */
static mote_view part_of(const mote_view *view, size_t value, size_t count)
{
    mote_view part = *view;
    part.offset += view->mem ? value * count : 0;
    part.count = view->mem ? count : 0;
    return part;
}

static mote_status launch_gradient(const run *r, const program *built, const mote_view *derivatives,
                                   const mote_view *added, size_t first_group)
{
    const plan *p = r->p;
    const size_t size = MOTE_STEINHARDT_VIRIAL * p->searching;
    const mote_view partial = part_of(&p->virials, first_group, size);
    mote_launch launch;
    begin_pairs(&launch, r, built, "steinhardt_derivatives");
    mote_launch_view(&launch, "back", &p->back);
    mote_launch_view(&launch, "units", &p->units);
    mote_launch_view(&launch, "derivatives", derivatives);
    mote_launch_view(&launch, "added", added);
    mote_launch_view(&launch, "partial", &partial);
    return run_pairs(&launch, r);
}

/* Computes the derivatives of a value. */
static mote_status launch_derivatives(const run *r, size_t value)
{
    const plan *p = r->p;
    const mote_view derivatives = part_of(&p->args.derivatives, value, 3 * p->cells.n);
    mote_status st = p->args.local ? launch_project(r) : MOTE_SUCCESS;
    if (!st && p->apart)
        st = launch_gradient(r, averages(r), &p->added, &(mote_view){0}, 1);
    return st ? st : launch_gradient(r, &r->built->pairs, &derivatives, &p->added, 0);
}

static mote_status launch_finish(const run *r, size_t value, const mote_view *sum)
{
    const plan *p = r->p;
    const size_t virial_groups = p->cells.n && p->slopes ? p->searching * (p->apart ? 2 : 1) : 0;
    const mote_view virial = part_of(&p->args.virial, value, 9);
    mote_launch launch;
    begin_entries(&launch, r, &r->built->entries, "steinhardt_finish");
    mote_launch_view(&launch, "totals", &p->totals);
    mote_launch_view(&launch, "terms", &p->terms);
    mote_launch_u32(&launch, "term_groups", p->cells.n ? (uint32_t)p->groups : 0);
    mote_launch_view(&launch, "value", sum);
    mote_launch_view(&launch, "virials", &p->virials);
    mote_launch_u32(&launch, "virial_groups", (uint32_t)virial_groups);
    mote_launch_view(&launch, "virial", &virial);
    if (value + 1 == p->values)
        mote_launch_last(&launch);
    return mote_launch_run(&launch, 1, p->cells.local);
}

/* Computes a moment, and its derivatives with respect to the order parameters. */
static mote_status launch_moment(const run *r, size_t number)
{
    const plan *p = r->p;
    const mote_view value = part_of(&p->args.value, number, 1);
    mote_launch launch;
    begin_entries(&launch, r, &r->built->entries, "steinhardt_moment");
    mote_launch_view(&launch, "kept", &p->kept);
    mote_launch_view(&launch, "weights", &p->args.weights);
    mote_launch_view(&launch, "slopes", &p->by_order);
    mote_launch_u32(&launch, "power", p->args.moments[number]);
    mote_launch_view(&launch, "value", &value);
    return mote_launch_run(&launch, 1, p->cells.local);
}

/* Computes a moment of order parameters that are known. */
static mote_status launch_one_moment(const run *r, size_t number)
{
    const plan *p = r->p;
    const program *built = &r->built->weighed;
    mote_status st = launch_moment(r, number);
    if (!st && p->slopes && p->cells.n) {
        st = p->args.local ? launch_local(r, built, &p->by_order)
                           : launch_order(r, built, &p->by_order);
        if (!st)
            st = launch_derivatives(r, number);
    }
    return st || !p->args.virial.type ? st : launch_finish(r, number, &(mote_view){0});
}

/* Computes the order parameters. */
static mote_status launch_pairs(const run *r)
{
    const plan *p = r->p;
    mote_status st = mote_neighbour_cells_sort(r->call, &p->cells);
    if (!st)
        st = launch_moments(r);
    if (!st)
        st = launch_order(r, &r->built->entries, &p->args.weights);
    if (!st && p->args.local)
        st = launch_average(r, &p->means, &p->ends);
    if (!st && p->args.local)
        st = launch_local(r, &r->built->entries, &p->args.weights);
    return st;
}

static mote_status launch_values(const run *r)
{
    const plan *p = r->p;
    mote_status st = p->cells.n ? launch_pairs(r) : MOTE_SUCCESS;
    if (p->args.reduction == MOTE_STEINHARDT_MOMENTS) {
        for (size_t k = 0; !st && k < p->values; k++)
            st = launch_one_moment(r, k);
        return st;
    }
    if (!st && p->slopes && p->cells.n)
        st = launch_derivatives(r, 0);
    if (!st && (p->args.value.type || p->args.virial.type))
        st = launch_finish(r, 0, &p->args.value);
    return st;
}

mote_status mote_steinhardt_launch(mote_call *call, const void *call_plan)
{
    programs built = {0};
    const run r = {call, call_plan, &built};
    mote_status st = mote_error_clear(call);
    if (!st)
        st = make_programs(call, r.p, &built);
    if (!st)
        st = launch_values(&r);
    free(built.pairs.defines);
    free(built.apart.defines);
    free(built.entries.defines);
    return st;
}
