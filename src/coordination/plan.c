/* SPDX-License-Identifier: Apache-2.0 */
/* A plan's lists, in memory of the host and of the device, and its constants. */
#include "coordination/plan.h"

#include <stdlib.h>

#include "coordination/kept.h"
#include "coordination/switch_custom.h"
#include "core/fail.h"
#include "core/fork.h"

#define CALLER "mote_coordination_create"

/* Arrays of the host: the atoms of all entries, then the index of each atom's entry. */
typedef struct lists {
    uint32_t *atoms, *start, *entries;
} lists;

static void free_lists(lists *l)
{
    free(l->atoms);
    free(l->start);
    free(l->entries);
}

static void fill_atoms(lists *l, const mote_coordination *plan,
                       const mote_coordination_plan_args *a)
{
    for (uint32_t i = 0; i < plan->n_a; i++)
        l->atoms[i] = a->group_a ? a->group_a[i] : i;
    for (uint32_t i = 0; i < plan->n_b; i++)
        l->atoms[plan->n_a + i] = a->group_b[i];
}

/* Checks the copied lists, which no other thread can change. */
static mote_status check_atoms(const lists *l, const mote_coordination *plan)
{
    for (uint32_t i = 0; i < plan->n_a + plan->n_b; i++)
        if (l->atoms[i] >= plan->n_atoms)
            return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                             CALLER ": %s[%u] is %u, but there are %u atoms, from 0",
                             i < plan->n_a ? "group_a" : "group_b",
                             (unsigned)(i < plan->n_a ? i : i - plan->n_a), (unsigned)l->atoms[i],
                             (unsigned)plan->n_atoms);
    return MOTE_SUCCESS;
}

/* Sorts the entries by atom (counting sort). */
static void fill_index(lists *l, const mote_coordination *plan)
{
    uint32_t entries = plan->n_a + plan->n_b;
    for (uint32_t i = 0; i < entries; i++)
        l->start[l->atoms[i] + 1]++;
    for (uint32_t k = 0; k < plan->n_atoms; k++)
        l->start[k + 1] += l->start[k];
    for (uint32_t i = 0; i < entries; i++)
        l->entries[l->start[l->atoms[i]]++] = i;
    for (uint32_t k = plan->n_atoms; k > 0; k--)
        l->start[k] = l->start[k - 1];
    l->start[0] = 0;
}

/* An atom's entries are in order, so that the first entry of a common atom is in A and its last one
 * in B. */
static bool find_repeats(const lists *l, const mote_coordination *plan)
{
    for (uint32_t k = 0; k < plan->n_atoms; k++) {
        uint32_t begin = l->start[k], end = l->start[k + 1];
        if (begin == end)
            continue;
        uint32_t first = l->entries[begin], last = l->entries[end - 1];
        if (plan->mode == MOTE_COORDINATION_SELF ? first != last
                                                 : first < plan->n_a && last >= plan->n_a)
            return true;
    }
    return false;
}

mote_status mote_coordination_upload(mote_context *ctx, const uint32_t *values, size_t count,
                                     cl_mem *mem)
{
    cl_int code = CL_SUCCESS;
    *mem = clCreateBuffer(ctx->cl, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, count * sizeof(*values),
                          (void *)values, &code);
    if (!code)
        return MOTE_SUCCESS;
    *mem = NULL;
    if (mote_is_memory_code(code))
        return mote_fail(MOTE_ERROR_OUT_OF_DEVICE_MEMORY,
                         CALLER ": no device memory for a list of %zu bytes on %s",
                         count * sizeof(*values), ctx->device.name);
    return mote_fail_cl(code, CALLER, "clCreateBuffer");
}

static mote_status make_lists(mote_coordination *plan, const mote_coordination_plan_args *a)
{
    size_t entries = (size_t)plan->n_a + plan->n_b, atoms = plan->n_atoms;
    lists l = {.atoms = malloc((entries + 1) * sizeof(uint32_t)),
               .start = calloc(atoms + 1, sizeof(uint32_t)),
               .entries = malloc((entries + 1) * sizeof(uint32_t))};
    mote_status st = MOTE_SUCCESS;
    if (!l.atoms || !l.start || !l.entries) {
        st = mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY,
                       CALLER ": no host memory for lists of %zu entries", entries);
    } else {
        fill_atoms(&l, plan, a);
        st = check_atoms(&l, plan);
    }
    if (!st) {
        fill_index(&l, plan);
        plan->repeated = find_repeats(&l, plan);
        st = mote_coordination_upload(plan->ctx, l.atoms, entries + 1, &plan->atoms);
        if (!st)
            st = mote_coordination_upload(plan->ctx, l.start, atoms + 1, &plan->atom_start);
        if (!st)
            st = mote_coordination_upload(plan->ctx, l.entries, entries + 1, &plan->atom_entries);
        plan->host_atoms = l.atoms;
        l.atoms = NULL;
    }
    free_lists(&l);
    return st;
}

/* Computes the constants of both precisions: a plan in float32 computes in double precision if a
 * box needs it. */
static mote_status make_constants(mote_coordination *plan)
{
    mote_status st = MOTE_SUCCESS;
    for (int as_double = 0; !st && as_double <= 1; as_double++)
        st = mote_kernel_constants_make(plan, as_double, &plan->constants[as_double]);
    return st;
}

mote_status mote_coordination_make(mote_context *ctx, const mote_coordination_plan_args *a,
                                   mote_coordination **out)
{
    mote_coordination *plan = malloc(sizeof(*plan));
    if (!plan)
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, CALLER ": out of host memory");
    bool all = !a->group_a;
    *plan = (mote_coordination){.ctx = ctx,
                                .function = a->function,
                                .mode = a->mode,
                                .pbc = a->pbc,
                                .precision = a->precision,
                                .method = a->method,
                                .skin = a->skin,
                                .n_atoms = (uint32_t)a->n_atoms,
                                .n_a = (uint32_t)(all ? a->n_atoms : a->n_a),
                                .n_b = (uint32_t)a->n_b};
    mote_switch_get_numbers(&plan->function, &plan->numbers);
    mote_status st = MOTE_SUCCESS;
    if (plan->precision != MOTE_PRECISION_DOUBLE)
        st = mote_switch_custom_check_narrow(CALLER, &plan->function);
    if (!st && (!all || a->mode != MOTE_COORDINATION_SELF))
        st = make_lists(plan, a);
    if (!st)
        st = make_constants(plan);
    if (!st && a->shares <= 1) /* otherwise, its parts keep lists */
        st = mote_kept_make(plan);
    if (st)
        mote_coordination_release(plan);
    else
        *out = plan;
    return st;
}

void mote_coordination_release(mote_coordination *plan)
{
    if (!plan || mote_is_forked())
        return;
    const cl_mem mems[] = {plan->atoms, plan->atom_start, plan->atom_entries, plan->places,
                           plan->origins};
    for (size_t k = 0; k < plan->n_parts; k++)
        mote_coordination_release(plan->parts[k]);
    for (size_t k = 0; k < sizeof(mems) / sizeof(mems[0]); k++)
        if (mems[k])
            clReleaseMemObject(mems[k]);
    mote_kept_release(plan->kept);
    free(plan->host_atoms);
    for (int as_double = 0; as_double < 2; as_double++)
        free(plan->constants[as_double].defines);
    free(plan);
}

size_t mote_coordination_entries(const mote_coordination *plan)
{
    return plan ? (size_t)plan->n_a + plan->n_b : 0;
}

const mote_switch *mote_coordination_function(const mote_coordination *plan)
{
    return plan ? &plan->function : NULL;
}
