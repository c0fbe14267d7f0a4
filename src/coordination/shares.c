/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of a plan's pairs, which depend only on the lists, so that devices of any kind can compute
 * one each.
 *
 * Each run of `shares` neighbouring entries has one entry of each share, in its own order, so that
 * shares are similar, however the atoms are ordered. With two lists, a share contains its entries
 * of the longer list with all entries of the other list; in mode PAIR it contains its pairs. In
 * mode SELF, a share contains the pairs among its own entries, and those with the entries of the
 * next shares, half way around all shares; if the number of shares is even, the opposite share is
 * divided in two. */
#include "coordination/shares.h"

#include <stdlib.h>

#include "core/fail.h"
#include "shared/coordination_params.h"

#define CALLER "mote_coordination_create"

typedef enum list { LIST_NONE, LIST_A, LIST_B } list;

/* Returns the share of entry `place` of a list. */
static uint32_t share_of(uint32_t place, uint32_t shares)
{
    uint32_t run = place / shares, mix = run * 0x9e3779b9u;
    mix = (mix ^ mix >> 16) * 0x85ebca6bu;
    mix ^= mix >> 13;
    return (uint32_t)(((uint64_t)place % shares + mix % shares) % shares);
}

/* Returns the list of part `part` that contains an entry of a plan in mode SELF. Part 0 has the
 * pairs among the share's entries, part 1 their pairs with other entries, and part 2 the remaining
 * pairs with the opposite share. */
static list list_of_self(const mote_coordination *plan, size_t part, uint32_t place)
{
    uint32_t shares = plan->shares;
    uint32_t ahead = (share_of(place, shares) + shares - plan->share) % shares;
    bool opposite = 2 * ahead == shares, lower = plan->share < shares / 2;
    bool second_half = place / shares % 2;
    if (part < 2 && ahead == 0)
        return LIST_A;
    if (part == 1)
        return 2 * ahead < shares || (opposite && lower && !second_half) ? LIST_B : LIST_NONE;
    if (part == 2 && opposite)
        return LIST_B;
    return part == 2 && ahead == 0 && second_half ? LIST_A : LIST_NONE;
}

static list list_of(const mote_coordination *plan, size_t part, uint32_t entry)
{
    bool of_b = entry >= plan->n_a, longer_b = plan->n_b > plan->n_a;
    uint32_t place = of_b ? entry - plan->n_a : entry;
    if (plan->mode == MOTE_COORDINATION_SELF)
        return list_of_self(plan, part, place);
    bool is_cut = plan->mode == MOTE_COORDINATION_PAIR || of_b == longer_b;
    if (is_cut && share_of(place, plan->shares) != plan->share)
        return LIST_NONE;
    return of_b ? LIST_B : LIST_A;
}

/* The tables of a part: the atoms of its entries, A before B; the entries of the plan that they
 * come from; and for each entry of the plan its index here. */
typedef struct tables {
    uint32_t *atoms, *origins, *places;
} tables;

static bool make_tables(tables *t, size_t entries)
{
    t->atoms = malloc((entries + 1) * sizeof(uint32_t));
    t->origins = calloc(entries + 1, sizeof(uint32_t));
    t->places = malloc((entries + 1) * sizeof(uint32_t));
    for (size_t k = 0; t->places && k <= entries; k++)
        t->places[k] = MOTE_COORDINATION_NO_ENTRY;
    return t->atoms && t->origins && t->places;
}

static void free_tables(tables *t)
{
    free(t->atoms);
    free(t->origins);
    free(t->places);
}

static void fill(const mote_coordination *plan, size_t part, mote_coordination_plan_args *args,
                 const tables *t)
{
    uint32_t entries = plan->n_a + plan->n_b, used = 0;
    for (list which = LIST_A; which <= LIST_B; which++) {
        uint32_t first = used;
        for (uint32_t k = 0; k < entries; k++)
            if (list_of(plan, part, k) == which) {
                t->places[k] = used;
                t->origins[used] = k;
                t->atoms[used++] = plan->host_atoms ? plan->host_atoms[k] : k;
            }
        *(which == LIST_A ? &args->n_a : &args->n_b) = used - first;
    }
    args->group_a = t->atoms;
    args->group_b = t->atoms + args->n_a;
}

static mote_status make_part(mote_coordination *plan, size_t part, mote_coordination_mode mode)
{
    size_t entries = (size_t)plan->n_a + plan->n_b;
    mote_coordination_plan_args args = {.size = sizeof(args),
                                        .function = plan->function,
                                        .mode = mode,
                                        .n_atoms = plan->n_atoms,
                                        .pbc = plan->pbc,
                                        .precision = plan->precision,
                                        .method = plan->method,
                                        .skin = plan->skin};
    mote_coordination *made = NULL;
    mote_status st = MOTE_SUCCESS;
    tables t;
    if (!make_tables(&t, entries)) {
        st = mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY,
                       CALLER ": no host memory for a share of %zu entries", entries);
    } else {
        fill(plan, part, &args, &t);
        st = mote_coordination_make(plan->ctx, &args, &made);
    }
    if (made)
        plan->parts[plan->n_parts++] = made;
    if (!st)
        st = mote_coordination_upload(plan->ctx, t.places, entries + 1, &made->places);
    if (!st)
        st =
            mote_coordination_upload(plan->ctx, t.origins, args.n_a + args.n_b + 1, &made->origins);
    free_tables(&t);
    return st;
}

mote_status mote_coordination_divide(mote_coordination *plan, uint32_t share, uint32_t shares)
{
    plan->share = share;
    plan->shares = shares;
    if (plan->mode != MOTE_COORDINATION_SELF)
        return make_part(plan, 0, plan->mode);
    mote_status st = make_part(plan, 0, MOTE_COORDINATION_SELF);
    if (!st)
        st = make_part(plan, 1, MOTE_COORDINATION_TWO);
    if (!st && shares % 2 == 0 && share >= shares / 2)
        st = make_part(plan, 2, MOTE_COORDINATION_TWO);
    return st;
}
