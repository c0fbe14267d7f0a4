/* SPDX-License-Identifier: Apache-2.0 */
/* Describes mote_jagged_run_lengths() and mote_jagged_run_lengths_host(). */
#include <string.h>

#include "testkit/operations/jagged.h"
#include "testkit/reference/jagged/oracle.h"

enum { OFFSETS, VALUES, KEPT, POSITIONS, RUN_VALUES, LENGTHS };

static bool is_float(mote_type type)
{
    return type == MOTE_FLOAT16 || type == MOTE_FLOAT32 || type == MOTE_FLOAT64;
}

static void choose_run_lengths(trial_call *c)
{
    mote_jagged_run_lengths_args *a = (mote_jagged_run_lengths_args *)(void *)&c->args;
    mote_type type = trial_choose(c, c->fields->fields[VALUES].types);
    bool lengths, values = trial_choose(c, 3);

    a->equal_nan = trial_choose(c, is_float(type) ? 3 : 1);
    trial_lists *l = trial_lists_choose(c, false, false);
    a->validate = trial_lists_validate(c);
    lengths = c->telling || mote_rng_below(&c->rng, 4);
    c->array[OFFSETS] = c->array[KEPT] = (trial_array){.type = l->type, .count = l->m + 1};
    c->array[VALUES] = (trial_array){.type = type, .count = l->content};
    if (!values || lengths)
        c->array[POSITIONS] = trial_lists_part(c, l->type);
    if (lengths)
        c->array[LENGTHS] = c->array[POSITIONS];
    if (values)
        c->array[RUN_VALUES] = trial_lists_part(c, type);
    if (c->on_host && values && lengths) /* one capacity */
        c->array[RUN_VALUES].count = c->array[POSITIONS].count;
}

/* Fills the values, many of which are equal to the value before them. */
static void fill_values(trial_call *c)
{
    static const uint32_t others[] = {1, 2, 100};
    const trial_array *values = &c->array[VALUES];
    mote_jagged_reduce_what what = {.type = values->type};
    uint32_t other = others[mote_rng_below(&c->rng, 3)];
    size_t size = mote_type_size(values->type);
    char *data = values->data;

    mote_jagged_values_fill(&trial_lists_of(c)->made, &what,
                            c->telling ? MOTE_VALUES_TIES
                                       : (mote_jagged_values)mote_rng_below(&c->rng, 3),
                            values->count, &c->rng, data);
    for (size_t i = 1; i < values->count; i++)
        if (mote_rng_below(&c->rng, other))
            memcpy(data + i * size, data + (i - 1) * size, size);
}

static bool fill_run_lengths(trial_call *c, char *message, size_t size)
{
    const mote_jagged_run_lengths_args *a =
        (const mote_jagged_run_lengths_args *)(const void *)&c->args;
    trial_lists *l = trial_lists_of(c);
    trial_array *values = &c->array[VALUES], *positions = &c->array[POSITIONS];
    trial_array *runs = &c->array[RUN_VALUES], *lengths = &c->array[LENGTHS];

    (void)message, (void)size;
    if (!trial_lists_make(c))
        return false;
    if (l->made.content < values->count)
        values->count = l->made.content;
    fill_values(c);
    trial_lists_expect(c, values->count, false);
    if (c->told)
        return trial_lists_end(c);
    size_t needed =
        mote_oracle_runs(&l->made, values->data, values->type, a->equal_nan, c->array[KEPT].data,
                         positions->data, lengths->data, positions->count, runs->data, runs->count);
    if (positions->type)
        trial_lists_expect_room(c, POSITIONS, needed);
    if (runs->type)
        trial_lists_expect_room(c, RUN_VALUES, needed);
    if (lengths->count && needed > lengths->count)
        lengths->open = 1;
    return trial_lists_end(c);
}

static mote_status run_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_jagged_run_lengths_args *a =
        (const mote_jagged_run_lengths_args *)(const void *)&c->args;
    mote_jagged_run_lengths_host_args args;

    mote_jagged_run_lengths_host_args_init(&args);
    TRIAL_LISTS_HOST(args, c, arrays);
    args.equal_nan = a->equal_nan;
    args.offsets_out = arrays[KEPT];
    args.capacity = c->array[arrays[RUN_VALUES] ? RUN_VALUES : POSITIONS].count;
    args.positions = arrays[POSITIONS];
    args.run_values = arrays[RUN_VALUES];
    args.lengths = arrays[LENGTHS];
    return mote_jagged_run_lengths_host(c->ctx, host, &args);
}

static const trial_program programs[] = {
    TRIAL_PROGRAM("float32", MOTE_FLOAT32, 1, 0, MOTE_INT64, MOTE_JAGGED_VALIDATE_FULL),
    TRIAL_PROGRAM("float16, equal NaN", MOTE_FLOAT16, 0, 1, MOTE_INT32),
    TRIAL_PROGRAM("int64", MOTE_INT64, 1, 0, MOTE_UINT32),
    TRIAL_PROGRAM("float64, equal NaN", MOTE_FLOAT64, 1, 1, MOTE_INT32),
    TRIAL_PROGRAM("bool", MOTE_BOOL, 0, 0, MOTE_INT64),
    TRIAL_END,
};

static const trial_program selftest[] = {
    TRIAL_PROGRAM("jagged run lengths", MOTE_FLOAT32, 1, 0, MOTE_INT32),
    TRIAL_END,
};

TRIAL_FUNCTIONS(run_lengths, mote_jagged_run_lengths, mote_jagged_run_lengths_args)
TRIAL_WORKSPACE_SIZE(run_lengths, mote_jagged_run_lengths_workspace_size)

const trial_operation trial_run_lengths = {
    TRIAL_OPERATION(run_lengths, mote_jagged_run_lengths, mote_jagged_run_lengths_args,
                    MOTE_OPERATION_JAGGED_RUN_LENGTHS),
    TRIAL_WORKSPACE(run_lengths, mote_jagged_run_lengths_args),
    .run_host = run_host,
    .borders = trial_lists_borders,
    .tunes = trial_lists_tunes,
    .programs = programs,
    .selftest = selftest,
};
