/* SPDX-License-Identifier: Apache-2.0 */
/* Describes mote_jagged_pad(), mote_jagged_slice() and mote_jagged_quantile(), for arrays of the
 * device and of the host. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/reductions.h"
#include "testkit/operations/jagged.h"
#include "testkit/reference/jagged/oracle.h"

/* One type of each size, because values are only copied. */
#define MOVED (BIT(MOTE_UINT8) | BIT(MOTE_INT16) | BIT(MOTE_FLOAT32) | BIT(MOTE_FLOAT64))

/* Draws a place near an end of a list or, rarely, far beyond it. */
static int64_t draw_place(trial_call *c)
{
    static const int64_t far[] = {INT64_MIN, INT64_MAX, -1000000, 1000000};
    uint32_t kind = mote_rng_below(&c->rng, 16);

    return kind < 4 ? far[kind] : (int64_t)mote_rng_below(&c->rng, 13) - 6;
}

/* Makes the lists, and fills the values with random bits. */
static bool make_values(trial_call *c, trial_array *values)
{
    trial_lists *l = trial_lists_of(c);

    if (!trial_lists_make(c))
        return false;
    if (l->made.content < values->count)
        values->count = l->made.content;
    mote_jagged_values_bits(values->type, values->count, &c->rng, values->data);
    trial_lists_expect(c, values->count, false);
    return true;
}

/* ---- pad ------------------------------------------------------------------------------------- */

enum { OFFSETS, VALUES, STARTS, PADDED };

static const uint64_t fills[] = {0, 0x8192a3b4c5d6e7f8, UINT64_MAX};

static void choose_pad(trial_call *c)
{
    mote_jagged_pad_args *a = (mote_jagged_pad_args *)(void *)&c->args;
    mote_type type = trial_choose(c, MOVED);
    trial_lists *l = trial_lists_choose(c, false, false);

    uint32_t kind = mote_rng_below(&c->rng, 8);
    if (kind > 0)
        a->k = kind > 1 ? 1 + mote_rng_below(&c->rng, 9)
                        : mote_rng_below(&c->rng, l->m < 9999 ? 300 : 3);
    if (c->telling)
        a->k += 3;
    else
        a->start = draw_place(c);
    uint32_t fill = mote_rng_below(&c->rng, 4);
    a->fill = fill < 3 ? &fills[fill] : NULL;
    c->array[OFFSETS] = (trial_array){.type = l->type, .count = l->m + 1};
    c->array[VALUES] = (trial_array){.type = type, .count = l->content};
    if (mote_rng_below(&c->rng, 2))
        c->array[STARTS] = (trial_array){.type = l->type, .count = l->m};
    c->array[PADDED] = (trial_array){.type = type, .count = l->m * a->k};
}

static bool fill_pad(trial_call *c, char *message, size_t size)
{
    const mote_jagged_pad_args *a = (const mote_jagged_pad_args *)(const void *)&c->args;
    trial_lists *l = trial_lists_of(c);
    trial_array *values = &c->array[VALUES], *starts = &c->array[STARTS];

    (void)message, (void)size;
    if (!make_values(c, values))
        return false;
    for (size_t i = 0; i < starts->count; i++)
        mote_index_set(starts->data, l->type, i, (int64_t)mote_rng_below(&c->rng, 9) - 2);
    if (!c->told)
        mote_oracle_pad(&l->made, values->data, mote_type_size(values->type), a->start,
                        starts->type ? starts->data : NULL, a->k, a->fill ? a->fill : &fills[0],
                        c->array[PADDED].data);
    return trial_lists_end(c);
}

static mote_status run_pad_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_jagged_pad_args *a = (const mote_jagged_pad_args *)(const void *)&c->args;
    mote_jagged_pad_host_args args;

    mote_jagged_pad_host_args_init(&args);
    TRIAL_LISTS_HOST(args, c, arrays);
    args.start = a->start;
    args.starts = arrays[STARTS];
    args.k = a->k;
    args.fill = a->fill;
    args.result = arrays[PADDED];
    return mote_jagged_pad_host(c->ctx, host, &args);
}

/* ---- slice ----------------------------------------------------------------------------------- */

enum { KEPT = 2, SLICED, POSITIONS };
enum { ELEMENTS, INDICES, BOTH }; /* the requested outputs */

static void choose_slice(trial_call *c)
{
    mote_jagged_slice_args *a = (mote_jagged_slice_args *)(void *)&c->args;
    mote_type type = trial_choose(c, MOVED);
    trial_lists *l = trial_lists_choose(c, false, false);
    unsigned outputs = mote_rng_below(&c->rng, BOTH + 1);
    bool part = mote_rng_below(&c->rng, 3) == 0 && !c->telling;
    size_t room = part ? mote_rng_below(&c->rng, (uint32_t)l->elements + 1) : l->elements;

    a->start = c->telling ? 0 : draw_place(c);
    a->stop = c->telling || mote_rng_below(&c->rng, 3) == 0 ? INT64_MAX : draw_place(c);
    c->array[OFFSETS] = c->array[KEPT] = (trial_array){.type = l->type, .count = l->m + 1};
    c->array[VALUES] = (trial_array){.type = type, .count = l->content};
    if (outputs != INDICES)
        c->array[SLICED] = (trial_array){.type = type, .count = room, .room = l->elements};
    if (outputs != ELEMENTS)
        c->array[POSITIONS] = (trial_array){.type = l->type, .count = room, .room = l->elements};
}

static bool fill_slice(trial_call *c, char *message, size_t size)
{
    const mote_jagged_slice_args *a = (const mote_jagged_slice_args *)(const void *)&c->args;
    trial_lists *l = trial_lists_of(c);
    trial_array *values = &c->array[VALUES], *sliced = &c->array[SLICED];
    trial_array *positions = &c->array[POSITIONS];

    (void)message, (void)size;
    if (!make_values(c, values))
        return false;
    if (c->told)
        return trial_lists_end(c);
    size_t field = sliced->type ? SLICED : POSITIONS;
    size_t needed =
        mote_oracle_slice(&l->made, values->data, mote_type_size(values->type), a->start, a->stop,
                          c->array[KEPT].data, sliced->type ? sliced->data : NULL,
                          positions->type ? positions->data : NULL, c->array[field].count);
    trial_lists_expect_room(c, field, needed);
    return trial_lists_end(c);
}

static mote_status run_slice_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_jagged_slice_args *a = (const mote_jagged_slice_args *)(const void *)&c->args;
    mote_jagged_slice_host_args args;

    mote_jagged_slice_host_args_init(&args);
    TRIAL_LISTS_HOST(args, c, arrays);
    args.start = a->start;
    args.stop = a->stop;
    args.offsets_out = arrays[KEPT];
    args.capacity = c->array[arrays[SLICED] ? SLICED : POSITIONS].count;
    args.sliced = arrays[SLICED];
    args.positions = arrays[POSITIONS];
    return mote_jagged_slice_host(c->ctx, host, &args);
}

/* ---- quantile -------------------------------------------------------------------------------- */

enum { QUANTILES = 2 };

static const double quantiles[] = {0.5,   0,   1,   0.25, 0.75, 0.1,  1.0 / 3,
                                   0.999, 0.7, 0.9, 1e-9, 0.05, 0.95, 0.6};
#define MANY (sizeof(quantiles) / sizeof(quantiles[0]))

static void choose_quantile(trial_call *c)
{
    mote_jagged_quantile_args *a = (mote_jagged_quantile_args *)(void *)&c->args;
    uint32_t narrow = BIT(MOTE_FLOAT16) | BIT(MOTE_FLOAT32);
    bool fp64 = trial_lists_has_fp64(c->ctx);
    mote_type type = trial_choose(c, fp64 ? c->fields->fields[VALUES].types : narrow);
    trial_lists *l = trial_lists_choose(c, false, false);

    a->count = mote_rng_below(&c->rng, 8) ? 1 + mote_rng_below(&c->rng, 3)
                                          : mote_rng_below(&c->rng, MANY + 1);
    if (c->telling && a->count == 0)
        a->count = 1;
    a->quantiles = quantiles + mote_rng_below(&c->rng, (uint32_t)(MANY - a->count) + 1);
    c->kind = mote_rng_below(&c->rng, MOTE_VALUES_KINDS + 1);
    if (c->telling)
        c->kind = MOTE_VALUES_PLAIN;
    c->promise = BIT(type) & narrow ? TRIAL_EVERYWHERE : TRIAL_WITH_FP64;
    c->array[OFFSETS] = (trial_array){.type = l->type, .count = l->m + 1};
    c->array[VALUES] = (trial_array){.type = type, .count = l->content};
    c->array[QUANTILES] = (trial_array){.type = BIT(type) & narrow ? MOTE_FLOAT32 : MOTE_FLOAT64,
                                        .count = l->m * a->count};
}

/* Fills the values, and sorts them unless an error in the lists is expected. Returns false if
 * memory runs out. */
static bool fill_sorted(trial_call *c, trial_array *values)
{
    const mote_case_lists *made = &trial_lists_of(c)->made;
    const size_t bytes = values->count * mote_type_size(values->type);
    mote_jagged_reduce_what what = {
        .values = values->data, .type = values->type, .reduction = MOTE_REDUCE_MIN};

    if (c->kind == MOTE_VALUES_KINDS)
        mote_jagged_values_bits(values->type, values->count, &c->rng, values->data);
    else
        mote_jagged_values_fill(made, &what, (mote_jagged_values)c->kind, values->count, &c->rng,
                                values->data);
    if (c->told)
        return true;
    void *sorted = malloc(bytes + 1);
    bool good =
        sorted && mote_oracle_sort(made, &what, values->count, false, sorted, MOTE_TYPE_NONE, NULL);
    if (good)
        memcpy(values->data, sorted, bytes);
    free(sorted);
    return good;
}

static bool fill_quantile(trial_call *c, char *message, size_t size)
{
    const mote_jagged_quantile_args *a = (const mote_jagged_quantile_args *)(const void *)&c->args;
    trial_lists *l = trial_lists_of(c);
    trial_array *values = &c->array[VALUES];

    if (!make_values(c, values))
        return false;
    bool good = fill_sorted(c, values);
    if (!good)
        snprintf(message, size, "out of memory");
    else if (!c->told)
        mote_oracle_quantile(&l->made, values->data, values->type, a->quantiles, a->count,
                             c->array[QUANTILES].type, c->array[QUANTILES].data);
    return trial_lists_end(c) && good;
}

static mote_status run_quantile_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_jagged_quantile_args *a = (const mote_jagged_quantile_args *)(const void *)&c->args;
    mote_jagged_quantile_host_args args;

    mote_jagged_quantile_host_args_init(&args);
    TRIAL_LISTS_HOST(args, c, arrays);
    args.quantiles = a->quantiles;
    args.count = a->count;
    args.result = arrays[QUANTILES];
    return mote_jagged_quantile_host(c->ctx, host, &args);
}

/* ---------------------------------------------------------------------------------------------- */

/* Sizes near the ends of vectors, work-groups and tiles. */
static const size_t borders[] = {1, 16, 256, 1024, 4096, 0};

static const char *const forms[] = {"jagged.form=cpu", "jagged.form=gpu", NULL};

static const char *const slice_tunes[] = {
    "jagged.form=cpu,reduce.form=cpu",
    "jagged.form=gpu,reduce.form=gpu",
    "jagged.form=cpu,jagged.items=3",
    NULL,
};

static const char *const quantile_tunes[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=gpu,jagged_reduce.fp64=0",
    NULL,
};

static const trial_program moved_programs[] = {
    TRIAL_PROGRAM("float32", MOTE_FLOAT32, MOTE_INT64),
    TRIAL_END,
};

static const trial_program quantile_programs[] = {
    TRIAL_PROGRAM("float32", MOTE_FLOAT32, MOTE_INT64),
    TRIAL_PROGRAM("float64", MOTE_FLOAT64, MOTE_INT32),
    TRIAL_END,
};

TRIAL_FUNCTIONS(pad, mote_jagged_pad, mote_jagged_pad_args)
TRIAL_FUNCTIONS(slice, mote_jagged_slice, mote_jagged_slice_args)
TRIAL_FUNCTIONS(quantile, mote_jagged_quantile, mote_jagged_quantile_args)
TRIAL_WORKSPACE_SIZE(slice, mote_jagged_slice_workspace_size)

static const trial_program pad_selftest[] = {
    TRIAL_PROGRAM("jagged pad", MOTE_FLOAT32, MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_pad = {
    TRIAL_OPERATION(pad, mote_jagged_pad, mote_jagged_pad_args, MOTE_OPERATION_JAGGED_PAD),
    .run_host = run_pad_host,
    .borders = borders,
    .tunes = forms,
    .programs = moved_programs,
    .selftest = pad_selftest,
};

static const trial_program slice_selftest[] = {
    TRIAL_PROGRAM("jagged slice", MOTE_FLOAT32, MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_slice = {
    TRIAL_OPERATION(slice, mote_jagged_slice, mote_jagged_slice_args, MOTE_OPERATION_JAGGED_SLICE),
    TRIAL_WORKSPACE(slice, mote_jagged_slice_args),
    .run_host = run_slice_host,
    .borders = borders,
    .tunes = slice_tunes,
    .programs = moved_programs,
    .selftest = slice_selftest,
};

static const trial_program quantile_selftest[] = {
    TRIAL_PROGRAM("jagged quantile", MOTE_FLOAT32, MOTE_INT32),
    TRIAL_END,
};

const trial_operation trial_quantile = {
    TRIAL_OPERATION(quantile, mote_jagged_quantile, mote_jagged_quantile_args,
                    MOTE_OPERATION_JAGGED_QUANTILE),
    .run_host = run_quantile_host,
    .borders = borders,
    .tunes = quantile_tunes,
    .programs = quantile_programs,
    .selftest = quantile_selftest,
};
