/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_parents() and mote_jagged_local_index(), and the same on plain arrays. */
#include "testkit/operations/jagged.h"
#include "testkit/reference/jagged/oracle.h"

enum { OFFSETS, STARTS, STOPS, PARENTS }; /* the fields of parents */
enum { LOCAL_INDEX = 1 };                 /* the fields of the local index, after the offsets */

#define ANY_STRATEGY 15u

static void choose_parents(trial_call *c)
{
    mote_jagged_parents_args *a = (mote_jagged_parents_args *)(void *)&c->args;
    unsigned form = trial_choose(c, BIT(TRIAL_RELATIVE) | BIT(TRIAL_ABSOLUTE) | BIT(TRIAL_SPANS));
    trial_lists *l = trial_lists_choose(c, form == TRIAL_RELATIVE, form == TRIAL_SPANS);

    a->absolute = form == TRIAL_ABSOLUTE;
    a->strategy = (mote_jagged_strategy)trial_choose(
        c, form == TRIAL_SPANS ? ANY_STRATEGY & ~BIT(MOTE_JAGGED_SEARCH) : ANY_STRATEGY);
    a->validate = trial_lists_validate(c);
    if (form == TRIAL_SPANS) {
        a->overlap = (mote_jagged_overlap)trial_choose(c, BIT(MOTE_JAGGED_OVERLAP_IGNORE) |
                                                              BIT(MOTE_JAGGED_OVERLAP_CHECK));
        c->array[STARTS] = c->array[STOPS] = (trial_array){.type = l->type, .count = l->m};
    } else {
        c->array[OFFSETS] = (trial_array){.type = l->type, .count = l->m + 1};
    }
    c->array[PARENTS] = form == TRIAL_RELATIVE
                            ? trial_lists_capacity(c, l->type, l->elements)
                            : (trial_array){.type = l->type, .count = l->content};
}

static bool fill_parents(trial_call *c, char *message, size_t size)
{
    mote_jagged_parents_args *a = (mote_jagged_parents_args *)(void *)&c->args;
    trial_lists *l = trial_lists_of(c);
    trial_array *parents = &c->array[PARENTS];
    bool check = a->overlap == MOTE_JAGGED_OVERLAP_CHECK, relative = !a->absolute && !l->spans;

    (void)message, (void)size;
    if (!trial_lists_make(c))
        return false;
    size_t content = l->made.content;
    if (relative)
        a->content_length = content;
    else if (!c->telling && content < parents->count)
        parents->count = content;
    trial_lists_expect(c, !relative ? parents->count : content ? content : MOTE_NO_CONTENT, check);
    /* Lists that overlap are not an error if overlaps are not checked: the last list wins. */
    if (relative && !c->told)
        trial_lists_expect_room(c, PARENTS, mote_case_lists_elements(&l->made));
    if (!c->unspecified)
        mote_oracle_parents(&l->made, !relative,
                            parents->count > l->elements || !relative ? parents->count
                                                                      : l->elements,
                            parents->data);
    return trial_lists_end(c);
}

static mote_status parents_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_jagged_parents_args *a = (const mote_jagged_parents_args *)(const void *)&c->args;
    mote_jagged_parents_host_args args;

    mote_jagged_parents_host_args_init(&args);
    args.type = c->array[PARENTS].type;
    args.lists = arrays[OFFSETS] ? c->array[OFFSETS].count - 1 : c->array[STARTS].count;
    args.offsets = arrays[OFFSETS];
    args.starts = arrays[STARTS];
    args.stops = arrays[STOPS];
    args.out = arrays[PARENTS];
    args.n = c->array[PARENTS].count;
    args.absolute = a->absolute;
    args.content_length = a->content_length;
    args.strategy = a->strategy;
    args.overlap = a->overlap;
    return mote_jagged_parents_host(c->ctx, host, &args);
}

static void choose_local_index(trial_call *c)
{
    mote_jagged_local_index_args *a = (mote_jagged_local_index_args *)(void *)&c->args;
    trial_lists *l = trial_lists_choose(c, true, false);

    a->strategy = (mote_jagged_strategy)trial_choose(c, ANY_STRATEGY);
    a->validate = trial_lists_validate(c);
    c->array[OFFSETS] = (trial_array){.type = l->type, .count = l->m + 1};
    c->array[LOCAL_INDEX] = trial_lists_capacity(c, l->type, l->elements);
}

static bool fill_local_index(trial_call *c, char *message, size_t size)
{
    mote_jagged_local_index_args *a = (mote_jagged_local_index_args *)(void *)&c->args;
    trial_lists *l = trial_lists_of(c);
    trial_array *places = &c->array[LOCAL_INDEX];

    (void)message, (void)size;
    if (!trial_lists_make(c))
        return false;
    a->content_length = l->made.content;
    trial_lists_expect(c, l->made.content ? l->made.content : MOTE_NO_CONTENT, false);
    if (!c->told)
        trial_lists_expect_room(c, LOCAL_INDEX, mote_case_lists_elements(&l->made));
    if (!c->unspecified)
        mote_oracle_local_index(&l->made, places->count > l->elements ? places->count : l->elements,
                                places->data);
    return trial_lists_end(c);
}

static mote_status local_index_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_jagged_local_index_args *a =
        (const mote_jagged_local_index_args *)(const void *)&c->args;
    mote_jagged_parents_host_args args;

    mote_jagged_parents_host_args_init(&args);
    args.type = c->array[OFFSETS].type;
    args.lists = c->array[OFFSETS].count - 1;
    args.offsets = arrays[OFFSETS];
    args.out = arrays[LOCAL_INDEX];
    args.n = c->array[LOCAL_INDEX].count;
    args.content_length = a->content_length;
    args.strategy = a->strategy;
    return mote_jagged_local_index_host(c->ctx, host, &args);
}

static const char *const tunes[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=gpu,jagged.tile=100,jagged.tiles=3",
    "jagged.form=gpu,jagged.variant=2",
    "jagged.form=gpu,jagged.variant=2,jagged.interpolate=1,jagged.tile=60",
    "jagged.form=gpu,jagged.variant=3",
    "jagged.form=gpu,jagged.variant=4",
    "jagged.form=gpu,jagged.variant=3,jagged.group=36,jagged.tile=8",
    "jagged.form=gpu,jagged.group=36,jagged.tile=2016,"
    "jagged.tiles=15",
    "jagged.form=cpu,jagged.items=1",
    "jagged.form=cpu,jagged.items=61",
    NULL};

static const trial_program parents_programs[] = {
    TRIAL_PROGRAM("balanced", TRIAL_RELATIVE, MOTE_INT64, MOTE_JAGGED_BALANCED,
                  MOTE_JAGGED_VALIDATE_FULL),
    TRIAL_PROGRAM("starts and stops", TRIAL_SPANS, MOTE_INT32, MOTE_JAGGED_BALANCED,
                  MOTE_JAGGED_VALIDATE_FULL, MOTE_JAGGED_OVERLAP_CHECK),
    TRIAL_PROGRAM("search", TRIAL_ABSOLUTE, MOTE_UINT32, MOTE_JAGGED_SEARCH),
    TRIAL_PROGRAM("event", TRIAL_RELATIVE, MOTE_INT32, MOTE_JAGGED_EVENT),
    TRIAL_PROGRAM("absolute, balanced", TRIAL_ABSOLUTE, MOTE_INT32, MOTE_JAGGED_BALANCED),
    TRIAL_PROGRAM("starts and stops, the last one wins", TRIAL_SPANS, MOTE_INT64,
                  MOTE_JAGGED_EVENT),
    TRIAL_END,
};

static const trial_program local_index_programs[] = {
    TRIAL_PROGRAM("balanced", MOTE_INT32, MOTE_JAGGED_BALANCED),
    TRIAL_PROGRAM("search", MOTE_INT64, MOTE_JAGGED_SEARCH, MOTE_JAGGED_VALIDATE_FULL),
    TRIAL_PROGRAM("event", MOTE_UINT32, MOTE_JAGGED_EVENT),
    TRIAL_PROGRAM("balanced, every offset checked", MOTE_INT64, MOTE_JAGGED_BALANCED,
                  MOTE_JAGGED_VALIDATE_FULL),
    TRIAL_END,
};

TRIAL_FUNCTIONS(parents, mote_jagged_parents, mote_jagged_parents_args)
TRIAL_FUNCTIONS(local_index, mote_jagged_local_index, mote_jagged_local_index_args)
TRIAL_WORKSPACE_SIZE(parents, mote_jagged_parents_workspace_size)
TRIAL_WORKSPACE_SIZE(local_index, mote_jagged_local_index_workspace_size)

static const trial_program parents_selftest[] = {
    TRIAL_PROGRAM("jagged parents, auto", TRIAL_RELATIVE, MOTE_INT32, MOTE_JAGGED_AUTO),
    TRIAL_VARIANT("jagged parents, search", TRIAL_RELATIVE, MOTE_INT32, MOTE_JAGGED_SEARCH),
    TRIAL_VARIANT("jagged parents, event", TRIAL_RELATIVE, MOTE_INT32, MOTE_JAGGED_EVENT),
    TRIAL_VARIANT("jagged parents, balanced", TRIAL_RELATIVE, MOTE_INT32, MOTE_JAGGED_BALANCED),
    TRIAL_PROGRAM("jagged parents, starts and stops", TRIAL_SPANS, MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_parents = {
    TRIAL_OPERATION(parents, mote_jagged_parents, mote_jagged_parents_args,
                    MOTE_OPERATION_JAGGED_PARENTS),
    TRIAL_WORKSPACE(parents, mote_jagged_parents_args),
    .run_host = parents_host,
    .borders = trial_lists_borders,
    .tunes = tunes,
    .programs = parents_programs,
    .selftest = parents_selftest,
    .weight = 2,
};

static const trial_program local_index_selftest[] = {
    TRIAL_PROGRAM("jagged local_index", MOTE_INT64),
    TRIAL_END,
};

const trial_operation trial_local_index = {
    TRIAL_OPERATION(local_index, mote_jagged_local_index, mote_jagged_local_index_args,
                    MOTE_OPERATION_JAGGED_LOCAL_INDEX),
    TRIAL_WORKSPACE(local_index, mote_jagged_local_index_args),
    .run_host = local_index_host,
    .borders = trial_lists_borders,
    .tunes = tunes,
    .programs = local_index_programs,
    .selftest = local_index_selftest,
};
