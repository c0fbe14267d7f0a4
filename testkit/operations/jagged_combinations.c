/* SPDX-License-Identifier: Apache-2.0 */
/* Describes mote_jagged_product(), mote_jagged_pairs(), mote_jagged_combinations() and
 * mote_jagged_combinations_host(). */
#include <string.h>

#include "testkit/operations/jagged.h"
#include "testkit/reference/jagged/oracle.h"

/* The fields of mote_jagged_combinations(). The other calls have only the fields up to SECOND. */
enum { OFFSETS_A, OFFSETS_B, COMBINED, FIRST, SECOND, OFFSETS_C, OFFSETS_D, THIRD, FOURTH };

/* The fields of the arrays whose lists are combined, and the fields of a combination's elements. */
static const int inputs[] = {OFFSETS_A, OFFSETS_B, OFFSETS_C, OFFSETS_D};
static const int outputs[] = {FIRST, SECOND, THIRD, FOURTH};

static void choose(trial_call *c, bool product, unsigned n)
{
    mote_jagged_combinations_args *a = (mote_jagged_combinations_args *)(void *)&c->args;
    size_t needed;
    trial_lists *l = trial_lists_choose_few(c, product, n, &needed);
    trial_array offsets = {.type = l->type, .count = l->m + 1};
    trial_array room = trial_lists_capacity(c, l->type, needed);

    a->validate = trial_lists_validate(c);
    c->array[COMBINED] = offsets;
    for (unsigned i = 0; i < n; i++) {
        if (product || i == 0)
            c->array[inputs[i]] = offsets;
        c->array[outputs[i]] = room;
    }
}

static void choose_pairs(trial_call *c)
{
    choose(c, false, 2);
}

static void choose_product(trial_call *c)
{
    choose(c, true, 2);
}

static void choose_combinations(trial_call *c)
{
    mote_jagged_combinations_args *a = (mote_jagged_combinations_args *)(void *)&c->args;
    bool product = trial_choose(c, 3);
    unsigned n = trial_choose(c, BIT(3) | BIT(4));

    a->n = product ? 0 : n;
    choose(c, product, n);
}

/* Returns the number of elements of a combination. */
static unsigned find_n(const trial_call *c)
{
    unsigned n = 2;

    while (n < 4 && c->array[outputs[n]].type)
        n++;
    return n;
}

/* Returns the number of combinations of the lists with number k. */
static long double count_list(const mote_case_lists *const *arrays, bool product, unsigned n,
                              size_t k)
{
    long double count = 1;

    for (unsigned i = 0; i < n; i++) {
        int64_t begin, end;

        mote_case_lists_bounds(arrays[i], k, &begin, &end);
        long double length = (long double)(end - begin);
        count = product ? count * length : count * (length - i) / (i + 1);
    }
    return count;
}

/* Sets the error that must be reported. If the type of the offsets cannot count the combinations,
 * the error names the list at which the count becomes too large. If a bad list follows this list,
 * the call may report either of them. */
static void expect(trial_call *c, const mote_case_lists *const *arrays, bool product, unsigned n)
{
    const trial_array *first = &c->array[FIRST];
    size_t lists = c->told ? c->told_index : arrays[0]->count;
    long double needed = 0;

    for (size_t k = 0; k < lists; k++) {
        needed += count_list(arrays, product, n, k);
        if (needed > (long double)mote_index_most(arrays[0]->type)) {
            c->told_any = c->told_any || c->told;
            c->told = MOTE_ERROR_OFFSETS_OUT_OF_RANGE;
            c->told_index = (uint32_t)k;
            c->unspecified = true;
            break;
        }
    }
    if (c->told || needed <= (long double)first->count)
        return;
    c->told = MOTE_ERROR_CAPACITY;
    c->told_index = needed < UINT32_MAX - 1 ? (uint32_t)needed : UINT32_MAX - 1;
    c->told_any = false;
    c->unspecified = needed > (long double)first->room; /* too many for plain loops */
}

/* Fills the arrays. In a product, every second array has the lists that were drawn, with their
 * fault if there is one; the other arrays have other lists. */
static bool fill(trial_call *c, char *message, size_t size)
{
    trial_lists *l = trial_lists_of(c);
    mote_lists_case shape = {.lengths = l->other};
    mote_case_lists other = {0};
    bool product = c->array[OFFSETS_B].type, swap = product && mote_rng_below(&c->rng, 2);
    const mote_case_lists *arrays[4];
    void *out[4];
    unsigned n = find_n(c);

    (void)message, (void)size;
    if (!trial_lists_make(c) ||
        (product && !mote_lists_case_make(&shape, l->type, l->other.seed, &other)))
        return trial_lists_end(c), false;
    for (unsigned i = 0; i < n; i++) {
        const trial_array *to = &c->array[inputs[i]];

        arrays[i] = product && i % 2 != swap ? &other : &l->made;
        out[i] = c->array[outputs[i]].data;
        if (to->type)
            memcpy(to->data, arrays[i]->offsets, to->count * mote_type_size(to->type));
    }
    trial_lists_expect(c, MOTE_NO_CONTENT, false);
    expect(c, arrays, product, n);
    if (!c->unspecified)
        mote_oracle_combinations(arrays, product, n, c->array[COMBINED].data, out,
                                 c->array[FIRST].count);
    mote_case_lists_free(&other);
    return trial_lists_end(c);
}

static mote_status run_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_jagged_combinations_args *a =
        (const mote_jagged_combinations_args *)(const void *)&c->args;
    mote_jagged_combinations_host_args args;

    mote_jagged_combinations_host_args_init(&args);
    args.offsets_type = c->array[OFFSETS_A].type;
    args.lists = c->array[OFFSETS_A].count - 1;
    args.offsets_a = arrays[OFFSETS_A];
    args.offsets_b = arrays[OFFSETS_B];
    args.offsets_c = arrays[OFFSETS_C];
    args.offsets_d = arrays[OFFSETS_D];
    args.n = a->n;
    args.offsets = arrays[COMBINED];
    args.capacity = c->array[FIRST].count;
    args.first = arrays[FIRST];
    args.second = arrays[SECOND];
    args.third = arrays[THIRD];
    args.fourth = arrays[FOURTH];
    return mote_jagged_combinations_host(c->ctx, host, &args);
}

static const trial_program two_programs[] = {
    TRIAL_PROGRAM("int32", MOTE_INT32),
    TRIAL_PROGRAM("int64", MOTE_INT64, MOTE_JAGGED_VALIDATE_FULL),
    TRIAL_PROGRAM("uint32", MOTE_UINT32),
    TRIAL_END,
};

/* The first decision is 1 for products and 0 for combinations of one list. The second is n. */
static const trial_program many_programs[] = {
    TRIAL_PROGRAM("three of a list, int32", 0, 3, MOTE_INT32),
    TRIAL_PROGRAM("product of four, int64", 1, 4, MOTE_INT64, MOTE_JAGGED_VALIDATE_FULL),
    TRIAL_PROGRAM("four of a list, uint32", 0, 4, MOTE_UINT32),
    TRIAL_PROGRAM("product of three, int32", 1, 3, MOTE_INT32),
    TRIAL_PROGRAM("three of a list, int64", 0, 3, MOTE_INT64, MOTE_JAGGED_VALIDATE_FULL),
    TRIAL_END,
};

#define COMBINATIONS(which, operation, decisions)                                                  \
    .name = #which, .call = "mote_jagged_" #which, .number = operation,                            \
    .workspace_at = offsetof(mote_jagged_combinations_args, workspace),                            \
    .error_at = offsetof(mote_jagged_combinations_args, error), .init = init_##which,              \
    .choose = choose_##which, .fill = fill, .run_host = run_host, .enqueue = enqueue_##which,      \
    .workspace_size = workspace_size_combinations, .borders = trial_lists_borders,                 \
    .tunes = trial_lists_tunes, .programs = decisions, .selftest = which##_selftest

TRIAL_FUNCTIONS(product, mote_jagged_product, mote_jagged_combinations_args)
TRIAL_FUNCTIONS(pairs, mote_jagged_pairs, mote_jagged_combinations_args)
TRIAL_FUNCTIONS(combinations, mote_jagged_combinations, mote_jagged_combinations_args)
TRIAL_WORKSPACE_SIZE(combinations, mote_jagged_combinations_workspace_size)

static const trial_program product_selftest[] = {
    TRIAL_PROGRAM("jagged product", MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_product = {
    COMBINATIONS(product, MOTE_OPERATION_JAGGED_PRODUCT, two_programs)};

static const trial_program pairs_selftest[] = {
    TRIAL_PROGRAM("jagged pairs", MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_pairs = {
    COMBINATIONS(pairs, MOTE_OPERATION_JAGGED_PAIRS, two_programs)};

static const trial_program combinations_selftest[] = {
    TRIAL_PROGRAM("jagged combinations of three", 0, 3, MOTE_INT32),
    TRIAL_VARIANT("jagged combinations of four", 0, 4, MOTE_INT32),
    TRIAL_VARIANT("jagged product of three", 1, 3, MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_combinations = {
    COMBINATIONS(combinations, MOTE_OPERATION_JAGGED_COMBINATIONS, many_programs)};
