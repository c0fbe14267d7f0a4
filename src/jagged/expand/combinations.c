/* SPDX-License-Identifier: Apache-2.0 */
/* Implements mote_jagged_product(), mote_jagged_pairs() and mote_jagged_combinations(), which
 * compute the offsets first and then the combinations. */
#include "core/fail.h"
#include "jagged/expand/balanced.h"
#include "jagged/lengths/compact.h"
#include "jagged/expand/element_index.h"
#include "operations.h"

#include "cl_sources.h"

#include <stdio.h>

#define MOST 4 /* largest number of elements of a combination */

typedef struct plan {
    mote_jagged_combinations_args args;
    mote_lists lists;
    bool product;
    unsigned n; /* number of elements of a combination */
    mote_compact compact;
    mote_balanced_plan shares;
} plan;

static bool present(const mote_view *view)
{
    return view->mem || view->offset || view->count || view->type;
}

/* Finds the number of elements of a combination: from the number of arrays if the combinations are
 * a product, else from n. They are a product if `product` is set, or if an array besides offsets_a
 * is given. */
static mote_status find_n(const mote_call *call, plan *p)
{
    const mote_jagged_combinations_args *a = &p->args;
    p->product =
        p->product || present(&a->offsets_b) || present(&a->offsets_c) || present(&a->offsets_d);
    if (!p->product && (a->n == 1 || a->n > MOST))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: n is %u: combinations have 2, 3 or 4 elements", call->name,
                         (unsigned)a->n);
    if (p->product && a->n)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: n is %u, and offsets_b, offsets_c or offsets_d is given: n is for "
                         "combinations of the elements of one list",
                         call->name, (unsigned)a->n);
    p->n = a->n ? a->n : 2;
    if (p->product)
        p->n = 2u + present(&a->offsets_c) + present(&a->offsets_d);
    return MOTE_SUCCESS;
}

static mote_status check_views(const mote_call *call, const plan *p)
{
    const mote_jagged_combinations_args *a = &p->args;
    const mote_view *const out[] = {&a->first, &a->second, &a->third, &a->fourth};
    static const char *const names[] = {"first", "second", "third", "fourth"};
    size_t m = p->lists.count;
    uint32_t types = mote_lists_types(&p->lists);
    for (unsigned i = 1; i < MOST; i++) {
        if (i >= p->n && present(out[i]))
            return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                             "%s: %s is given, but combinations have %u elements", call->name,
                             names[i], p->n);
        if (i < p->n && out[i]->count != a->first.count)
            return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                             "%s: first has room for %zu elements and %s for %zu: give both the "
                             "same",
                             call->name, a->first.count, names[i], out[i]->count);
    }
    const unsigned others = p->product ? p->n : 1;
    const mote_view_rule views[] = {
        {"offsets_a", &a->offsets_a, MOTE_JAGGED_INDEX, m + 1, VIEW_EXACT},
        {"offsets_b", &a->offsets_b, types, m + 1, VIEW_EXACT | VIEW_OPTIONAL_IF(others < 2)},
        {"offsets_c", &a->offsets_c, types, m + 1, VIEW_EXACT | VIEW_OPTIONAL_IF(others < 3)},
        {"offsets_d", &a->offsets_d, types, m + 1, VIEW_EXACT | VIEW_OPTIONAL_IF(others < 4)},
        {"offsets", &a->offsets, types, m + 1, VIEW_EXACT | VIEW_WRITES},
        {"first", &a->first, types, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"second", &a->second, types, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"third", &a->third, types, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"fourth", &a->fourth, types, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static mote_status check(mote_call *call, void *call_plan)
{
    static const int of[2][MOST + 1] = {
        {[2] = MOTE_LENGTH_OF_PAIRS, MOTE_LENGTH_OF_TRIPLES, MOTE_LENGTH_OF_QUADRUPLES},
        {[2] = MOTE_LENGTH_OF_PRODUCT, MOTE_LENGTH_OF_PRODUCT_3, MOTE_LENGTH_OF_PRODUCT_4}};
    plan *p = call_plan;
    const mote_jagged_combinations_args *a = &p->args;
    mote_status st = MOTE_CHECK_CHOICE(call->name, "validate", a->validate, mote_jagged_validate);
    if (!st)
        st = find_n(call, p);
    if (!st)
        st = mote_lists_of_offsets(call, &a->offsets_a, &p->lists);
    if (!st)
        st = check_views(call, p);
    p->compact = (mote_compact){.of = of[p->product][p->n],
                                .lists = p->lists.count,
                                .a = a->offsets_a,
                                .b = a->offsets_b,
                                .c = a->offsets_c,
                                .d = a->offsets_d,
                                .offsets = a->offsets,
                                .error = call->error};
    return st;
}

static mote_status check_product(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    p->product = true;
    mote_status st = check(call, p);
    if (!st && p->n > 2)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: offsets_c is given: call mote_jagged_combinations()", call->name);
    return st;
}

static mote_status check_pairs(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    mote_status st = check(call, p);
    if (!st && p->product)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: offsets_b must be absent: pairs are of the lists of a alone",
                         call->name);
    if (!st && p->n > 2)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: n is %u: call mote_jagged_combinations()", call->name, p->n);
    return st;
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    mote_compact_carve(call->ctx, &p->compact, carve);
    const mote_balanced_job job = {
        .lists = &p->lists, .n = p->args.first.count, .inside = true, .reads = true};
    p->shares = mote_balanced_make(call->ctx, &job);
}

static mote_status launch_fill(mote_call *call, const plan *p)
{
    const mote_jagged_combinations_args *a = &p->args;
    size_t size = mote_type_size(p->lists.type);
    const bool many = p->n > 2;
    char defines[32];
    const mote_balanced_kernel kernel = {
        .gpu = many ? &mote_cl_jagged_expand_combine_many : &mote_cl_jagged_expand_combine,
        .cpu = many ? &mote_cl_jagged_expand_combine_many_cpu : &mote_cl_jagged_expand_combine_cpu,
        .defines = defines,
        .name = many ? "combine_many" : "combine",
        .bytes = (p->n * (uint64_t)a->first.count + 2 * (uint64_t)p->lists.count) * size};
    const mote_list_bounds_input input = {
        .offsets = a->offsets, .length = SIZE_MAX, .error = p->compact.error};
    mote_launch launch;
    if (many)
        snprintf(defines, sizeof(defines), "-DMANY=%u -DPRODUCT=%d", p->n, p->product);
    else
        snprintf(defines, sizeof(defines), "-DPAIRS=%d", !p->product);
    mote_balanced_begin(&launch, call, &p->shares, &kernel, &input);
    mote_launch_view(&launch, "a", &a->offsets_a);
    mote_launch_view(&launch, "b", &a->offsets_b);
    if (many) {
        mote_launch_view(&launch, "c", &a->offsets_c);
        mote_launch_view(&launch, "d", &a->offsets_d);
    }
    mote_launch_view(&launch, "first", &a->first);
    mote_launch_view(&launch, "second", &a->second);
    if (many) {
        mote_launch_view(&launch, "third", &a->third);
        mote_launch_view(&launch, "fourth", &a->fourth);
    }
    return mote_balanced_run(&launch, &p->shares);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    mote_status st = mote_compact_run(call, &p->compact, false);
    return st ? st : launch_fill(call, p);
}

const mote_descriptor mote_jagged_product_operation = {
    MOTE_DESCRIBE(mote_jagged_product, mote_jagged_combinations_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_combinations_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_combinations_args),
    .check = check_product,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_product, mote_jagged_combinations_args, mote_jagged_product_operation)

const mote_descriptor mote_jagged_pairs_operation = {
    MOTE_DESCRIBE(mote_jagged_pairs, mote_jagged_combinations_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_combinations_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_combinations_args),
    .check = check_pairs,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_pairs, mote_jagged_combinations_args, mote_jagged_pairs_operation)

const mote_descriptor mote_jagged_combinations_operation = {
    MOTE_DESCRIBE(mote_jagged_combinations, mote_jagged_combinations_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_combinations_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_combinations_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_combinations, mote_jagged_combinations_args,
                 mote_jagged_combinations_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_jagged_combinations_workspace_size, mote_jagged_combinations_args,
                           mote_jagged_combinations_operation)
