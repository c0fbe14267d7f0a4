/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_gather_by_parent(), mote_jagged_product(), mote_jagged_pairs() and
 * mote_jagged_nonzero(). */
#include <string.h>

#include "testkit/cases/jagged/values.h"
#include "testkit/operations/jagged.h"
#include "testkit/reference/jagged/oracle.h"

/* ---- gather ---------------------------------------------------------------------------------- */

enum { OFFSETS, VALUES, GATHERED, ELEMENTS };

static bool has_fp64(mote_context *ctx)
{
    return mote_context_device(ctx)->has_fp64;
}

/* The call gathers values, or subtracts the value of its list from each element. */
static void choose_gather(trial_call *c)
{
    mote_jagged_gather_by_parent_args *a = (mote_jagged_gather_by_parent_args *)(void *)&c->args;
    bool differences = trial_choose(c, has_fp64(c->ctx) ? 3 : 1) != 0;
    mote_type type = trial_choose(c, c->fields->fields[VALUES].types);
    trial_lists *l = trial_lists_choose(c, true, false);

    a->validate = trial_lists_validate(c);
    a->squared = differences && trial_choose(c, 3);
    c->array[OFFSETS] = (trial_array){.type = l->type, .count = l->m + 1};
    c->array[VALUES] = (trial_array){.type = differences ? MOTE_FLOAT64 : type, .count = l->m};
    c->array[GATHERED] = trial_lists_capacity(c, c->array[VALUES].type, l->elements);
    if (differences)
        c->array[ELEMENTS] =
            (trial_array){.type = type, .count = c->array[GATHERED].count, .room = l->elements};
    c->promise = differences ? TRIAL_WITH_FP64 : TRIAL_EVERYWHERE;
}

/* Random bits can be NaN, so the values are numbers of several magnitudes instead. */
static void fill_differences(trial_call *c)
{
    const mote_jagged_gather_by_parent_args *a =
        (const mote_jagged_gather_by_parent_args *)(const void *)&c->args;
    const trial_array *elements = &c->array[ELEMENTS];
    double *values = c->array[VALUES].data, *rest = c->array[GATHERED].data;
    mote_case_lists *lists = &trial_lists_of(c)->made;
    mote_jagged_reduce_what what = {.type = elements->type};

    mote_jagged_values_fill(lists, &what, MOTE_VALUES_PLAIN, elements->room, &c->rng,
                            elements->data);
    for (size_t k = 0; k < c->array[VALUES].count; k++)
        values[k] = (double)(int64_t)mote_rng_next(&c->rng) / 3 / (double)(1ull << (k % 8 * 8));
    for (size_t k = 0, at = 0; k < lists->count && !c->unspecified; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        for (int64_t i = begin; i < end; i++, at++) {
            double x = mote_jagged_value(elements->data, elements->type, at) - values[k];
            rest[at] = a->squared ? x * x : x;
        }
    }
}

static bool fill_gather(trial_call *c, char *message, size_t size)
{
    trial_lists *l = trial_lists_of(c);
    const trial_array *values = &c->array[VALUES];

    (void)message, (void)size;
    if (!trial_lists_make(c))
        return false;
    trial_lists_expect(c, MOTE_NO_CONTENT, false);
    if (!c->told)
        trial_lists_expect_room(c, GATHERED, mote_case_lists_elements(&l->made));
    if (c->array[ELEMENTS].type) {
        fill_differences(c);
    } else {
        mote_jagged_values_bits(values->type, values->count, &c->rng, values->data);
        if (!c->unspecified)
            mote_oracle_gather(&l->made, values->data, mote_type_size(values->type),
                               c->array[GATHERED].data);
    }
    return trial_lists_end(c);
}

/* ---- combinations ---------------------------------------------------------------------------- */

enum { OFFSETS_A, OFFSETS_B, COMBINED, FIRST, SECOND };

static void choose_combinations(trial_call *c, bool pairs)
{
    mote_jagged_combinations_args *a = (mote_jagged_combinations_args *)(void *)&c->args;
    size_t needed;
    trial_lists *l = trial_lists_choose_few(c, pairs, &needed);
    trial_array offsets = {.type = l->type, .count = l->m + 1};

    a->validate = trial_lists_validate(c);
    c->array[OFFSETS_A] = c->array[COMBINED] = offsets;
    if (!pairs)
        c->array[OFFSETS_B] = offsets;
    c->array[FIRST] = c->array[SECOND] = trial_lists_capacity(c, l->type, needed);
}

static void choose_pairs(trial_call *c)
{
    choose_combinations(c, true);
}

static void choose_product(trial_call *c)
{
    choose_combinations(c, false);
}

/* Returns the number of combinations. If the type of the offsets cannot count them, the first list
 * for which this holds is the expected error. If a bad list follows it, the call may report either
 * list. */
static long double count_combinations(trial_call *c, const mote_case_lists *a,
                                      const mote_case_lists *b, size_t lists)
{
    long double sum = 0;

    for (size_t k = 0; k < lists; k++) {
        int64_t begin, end, begin_b, end_b;

        mote_case_lists_bounds(a, k, &begin, &end);
        mote_case_lists_bounds(b, k, &begin_b, &end_b);
        long double length = (long double)(end - begin), other = (long double)(end_b - begin_b);

        sum += a == b ? length * (length - 1) / 2 : length * other;
        if (sum > (long double)mote_index_most(a->type)) {
            c->told_any = c->told_any || c->told;
            c->told = MOTE_ERROR_OFFSETS_OUT_OF_RANGE;
            c->told_index = (uint32_t)k;
            c->unspecified = true;
            break;
        }
    }
    return sum;
}

static void expect_combinations(trial_call *c, const mote_case_lists *a, const mote_case_lists *b)
{
    const trial_array *first = &c->array[FIRST];
    long double needed = count_combinations(c, a, b, c->told ? c->told_index : a->count);

    if (c->told || needed <= (long double)first->count)
        return;
    c->told = MOTE_ERROR_CAPACITY;
    c->told_index = needed < UINT32_MAX - 1 ? (uint32_t)needed : UINT32_MAX - 1;
    c->told_any = false;
    c->unspecified = needed > (long double)first->room; /* too many for plain loops */
}

static void copy_offsets(const trial_array *to, const mote_case_lists *from)
{
    memcpy(to->data, from->offsets, to->count * mote_type_size(to->type));
}

/* Either array of a product may have the given lists, or the fault. */
static bool fill_combinations(trial_call *c, char *message, size_t size)
{
    trial_lists *l = trial_lists_of(c);
    const trial_array *first = &c->array[FIRST];
    mote_lists_case shape = {.lengths = l->other};
    mote_case_lists other = {0};
    bool pairs = !c->array[OFFSETS_B].type, swap = !pairs && mote_rng_below(&c->rng, 2);
    const mote_case_lists *a = swap ? &other : &l->made, *b = swap || pairs ? &l->made : &other;

    (void)message, (void)size;
    if (!trial_lists_make(c) ||
        (!pairs && !mote_lists_case_make(&shape, l->type, l->other.seed, &other)))
        return trial_lists_end(c), false;
    copy_offsets(&c->array[OFFSETS_A], a);
    if (!pairs)
        copy_offsets(&c->array[OFFSETS_B], b);
    trial_lists_expect(c, MOTE_NO_CONTENT, false);
    expect_combinations(c, a, b);
    if (!c->unspecified && pairs)
        mote_oracle_pairs(a, c->array[COMBINED].data, first->data, c->array[SECOND].data,
                          first->count);
    else if (!c->unspecified)
        mote_oracle_product(a, b, c->array[COMBINED].data, first->data, c->array[SECOND].data,
                            first->count);
    mote_case_lists_free(&other);
    return trial_lists_end(c);
}

/* ---- nonzero --------------------------------------------------------------------------------- */

enum { KEPT = 2, POSITIONS, CONTENT, FILTERED };

/* Makes room for the elements that are kept, or for some of them. */
static trial_array kept_array(trial_call *c, mote_type type)
{
    size_t elements = trial_lists_of(c)->elements;
    bool part = mote_rng_below(&c->rng, 3) == 0 && !c->telling;

    return (trial_array){.type = type,
                         .count = part ? mote_rng_below(&c->rng, (uint32_t)elements + 1) : elements,
                         .room = elements};
}

static void choose_nonzero(trial_call *c)
{
    mote_jagged_nonzero_args *a = (mote_jagged_nonzero_args *)(void *)&c->args;
    mote_type type = trial_choose(c, c->fields->fields[VALUES].types);
    trial_lists *l = trial_lists_choose(c, false, false);

    a->validate = trial_lists_validate(c);
    mote_type moved = trial_choose(c, BIT(MOTE_TYPE_NONE) | BIT(MOTE_UINT8) | BIT(MOTE_INT16) |
                                          BIT(MOTE_FLOAT32) | BIT(MOTE_FLOAT64));
    c->array[OFFSETS] = c->array[KEPT] = (trial_array){.type = l->type, .count = l->m + 1};
    c->array[VALUES] = (trial_array){.type = type, .count = l->content};
    if (!moved || mote_rng_below(&c->rng, 3))
        c->array[POSITIONS] = kept_array(c, l->type);
    if (moved) {
        c->array[CONTENT] = (trial_array){.type = moved, .count = l->content};
        c->array[FILTERED] = kept_array(c, moved);
    }
}

static bool fill_nonzero(trial_call *c, char *message, size_t size)
{
    trial_lists *l = trial_lists_of(c);
    trial_array *values = &c->array[VALUES], *positions = &c->array[POSITIONS];
    trial_array *content = &c->array[CONTENT], *filtered = &c->array[FILTERED];

    (void)message, (void)size;
    if (!trial_lists_make(c))
        return false;
    if (l->made.content < values->count)
        values->count = l->made.content;
    mote_jagged_values_bits(values->type, values->count, &c->rng, values->data);
    if (content->type) {
        content->count = values->count;
        mote_jagged_values_bits(content->type, content->count, &c->rng, content->data);
    }
    trial_lists_expect(c, values->count, false);
    if (c->told)
        return trial_lists_end(c);
    size_t needed = mote_oracle_nonzero(&l->made, values->data, values->type, c->array[KEPT].data,
                                        positions->data, positions->count);
    if (positions->type)
        trial_lists_expect_room(c, POSITIONS, needed);
    if (content->type) {
        mote_oracle_filter(&l->made, values->data, values->type, content->data,
                           mote_type_size(content->type), filtered->data, filtered->count);
        trial_lists_expect_room(c, FILTERED, needed);
    }
    return trial_lists_end(c);
}

/* ---------------------------------------------------------------------------------------------- */

static const char *const tunes[] = {"jagged.form=cpu,reduce.form=cpu",
                                    "jagged.form=gpu,reduce.form=gpu",
                                    "jagged.form=gpu,jagged.group=36,jagged.tile=60,"
                                    "reduce.scan_one_group=0",
                                    "jagged.form=gpu,jagged.variant=2,jagged.tiles=3",
                                    "jagged.form=gpu,jagged.nonzero_groups_a_unit=1",
                                    "jagged.form=cpu,jagged.items=3",
                                    NULL};

static const trial_program gather_programs[] = {
    TRIAL_PROGRAM("float32", 0, MOTE_FLOAT32, MOTE_INT64, MOTE_JAGGED_VALIDATE_FULL),
    TRIAL_PROGRAM("bool", 0, MOTE_BOOL, MOTE_INT32),
    TRIAL_PROGRAM("differences, float32", 1, MOTE_FLOAT32, MOTE_UINT32),
    TRIAL_PROGRAM("int64", 0, MOTE_INT64, MOTE_UINT32),
    TRIAL_PROGRAM("squares of differences, bool", 1, MOTE_BOOL, MOTE_INT32,
                  MOTE_JAGGED_VALIDATE_TOUCHED, 1),
    TRIAL_END,
};

static const trial_program combinations_programs[] = {
    TRIAL_PROGRAM("int32", MOTE_INT32),
    TRIAL_PROGRAM("int64", MOTE_INT64, MOTE_JAGGED_VALIDATE_FULL),
    TRIAL_PROGRAM("uint32", MOTE_UINT32),
    TRIAL_END,
};

static const trial_program nonzero_programs[] = {
    TRIAL_PROGRAM("float32", MOTE_FLOAT32, MOTE_INT64, MOTE_JAGGED_VALIDATE_FULL),
    TRIAL_PROGRAM("bool", MOTE_BOOL, MOTE_INT32),
    TRIAL_PROGRAM("float16", MOTE_FLOAT16, MOTE_UINT32),
    TRIAL_PROGRAM("filter, float32 by bool", MOTE_BOOL, MOTE_INT64, MOTE_JAGGED_VALIDATE_FULL,
                  MOTE_FLOAT32),
    TRIAL_PROGRAM("int64", MOTE_INT64, MOTE_INT32),
    TRIAL_PROGRAM("filter, bytes by float64", MOTE_FLOAT64, MOTE_INT32,
                  MOTE_JAGGED_VALIDATE_TOUCHED, MOTE_UINT8),
    TRIAL_END,
};

TRIAL_FUNCTIONS(gather, mote_jagged_gather_by_parent, mote_jagged_gather_by_parent_args)
TRIAL_FUNCTIONS(product, mote_jagged_product, mote_jagged_combinations_args)
TRIAL_FUNCTIONS(pairs, mote_jagged_pairs, mote_jagged_combinations_args)
TRIAL_FUNCTIONS(nonzero, mote_jagged_nonzero, mote_jagged_nonzero_args)
TRIAL_WORKSPACE_SIZE(gather, mote_jagged_gather_by_parent_workspace_size)
TRIAL_WORKSPACE_SIZE(combinations, mote_jagged_combinations_workspace_size)
TRIAL_WORKSPACE_SIZE(nonzero, mote_jagged_nonzero_workspace_size)

static const trial_program gather_selftest[] = {
    TRIAL_PROGRAM("jagged gather_by_parent", 0, MOTE_INT32, MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_gather = {
    TRIAL_OPERATION(gather, mote_jagged_gather_by_parent, mote_jagged_gather_by_parent_args,
                    MOTE_OPERATION_JAGGED_GATHER_BY_PARENT),
    TRIAL_WORKSPACE(gather, mote_jagged_gather_by_parent_args),
    .borders = trial_lists_borders,
    .tunes = tunes,
    .programs = gather_programs,
    .selftest = gather_selftest,
};

#define COMBINATIONS(which, operation)                                                             \
    .name = #which, .call = "mote_jagged_" #which, .number = operation,                            \
    .workspace_at = offsetof(mote_jagged_combinations_args, workspace),                            \
    .error_at = offsetof(mote_jagged_combinations_args, error), .init = init_##which,              \
    .choose = choose_##which, .fill = fill_combinations, .enqueue = enqueue_##which,               \
    .workspace_size = workspace_size_combinations, .borders = trial_lists_borders, .tunes = tunes, \
    .programs = combinations_programs, .selftest = which##_selftest

static const trial_program product_selftest[] = {
    TRIAL_PROGRAM("jagged product", MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_product = {COMBINATIONS(product, MOTE_OPERATION_JAGGED_PRODUCT)};

static const trial_program pairs_selftest[] = {
    TRIAL_PROGRAM("jagged pairs", MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_pairs = {COMBINATIONS(pairs, MOTE_OPERATION_JAGGED_PAIRS)};

static const trial_program nonzero_selftest[] = {
    TRIAL_PROGRAM("jagged nonzero", MOTE_INT32, MOTE_INT32),
    TRIAL_PROGRAM("jagged nonzero, filter", MOTE_INT32, MOTE_INT32, MOTE_JAGGED_VALIDATE_TOUCHED,
                  MOTE_FLOAT32),
    TRIAL_END,
};

const trial_operation trial_nonzero = {
    TRIAL_OPERATION(nonzero, mote_jagged_nonzero, mote_jagged_nonzero_args,
                    MOTE_OPERATION_JAGGED_NONZERO),
    TRIAL_WORKSPACE(nonzero, mote_jagged_nonzero_args),
    .borders = trial_lists_borders,
    .tunes = tunes,
    .programs = nonzero_programs,
    .selftest = nonzero_selftest,
};
