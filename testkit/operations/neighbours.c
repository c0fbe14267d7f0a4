/* SPDX-License-Identifier: Apache-2.0 */
/* Describes mote_neighbours(). The size of a call is its number of pairs of entries. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/operations/positions.h"
#include "testkit/reference/coordination/neighbours.h"

#define BIT(number) (1u << (number))
#define ROOM        POSITIONS_PAIRS

enum { OFFSETS = OTHER + 1, PARTNER, SHIFT, DISTANCE, DISPLACEMENT }; /* the fields */

typedef struct notes {
    double box[9];
    bool exact; /* whether the outputs have room for all neighbours */
} notes;

/* ---- decisions ------------------------------------------------------------------------------- */

/* Returns an output with room for all neighbours, which shorten() shortens later. */
static trial_array output(trial_call *c, uint32_t types, size_t each)
{
    mote_type type = types ? (mote_type)0 : MOTE_TYPE_NONE;

    while (types && !type) {
        unsigned drawn = mote_rng_below(&c->rng, 32);
        type = types >> drawn & 1 ? (mote_type)drawn : type;
    }
    return (trial_array){.type = type, .count = type ? each * ROOM : 0};
}

static void choose_neighbours(trial_call *c)
{
    mote_neighbours_args *a = (mote_neighbours_args *)(void *)&c->args;
    notes *own = (notes *)(void *)&c->own;
    uint32_t reals = BIT(MOTE_FLOAT32) | (positions_fp64(c->ctx) ? BIT(MOTE_FLOAT64) : 0);
    uint32_t index = BIT(MOTE_INT32) | BIT(MOTE_UINT32) | BIT(MOTE_INT64);
    mote_type type = (mote_type)trial_choose(c, reals);
    bool two = mote_rng_below(&c->rng, 3) == 0;
    uint32_t without = c->telling ? 0 : mote_rng_below(&c->rng, 10);

    size_t m, n = positions_numbers(c, two, &m);
    a->pbc = positions_box(c, own->box);
    a->cutoff = positions_cutoff(c, own->box, a->pbc, n, m);
    a->box = own->box;
    a->half = !two && mote_rng_below(&c->rng, 2);
    own->exact = c->telling || mote_rng_below(&c->rng, 3) > 0;
    c->array[POSITIONS] = (trial_array){.type = type, .count = 3 * n};
    if (two) {
        c->array[OTHER] = output(c, reals, 0);
        c->array[OTHER].count = 3 * m;
    }
    c->array[OFFSETS] = output(c, index, 0);
    c->array[OFFSETS].count = n + 1;
    if (without != 9)
        c->array[PARTNER] = output(c, BIT(c->array[OFFSETS].type), 1);
    if (without != 9 && !(without & 1))
        c->array[SHIFT] = output(c, BIT(MOTE_INT32), 3);
    if (without != 9 && !(without & 2))
        c->array[DISTANCE] = output(c, reals, 1);
    if (without != 9 && !(without & 4))
        c->array[DISPLACEMENT] = output(c, reals, 3);
    c->loose = !(reals & BIT(MOTE_FLOAT64));
    c->promise = TRIAL_WITH_FP64;
}

/* ---- data ------------------------------------------------------------------------------------ */

static void put(const trial_array *to, size_t k, int64_t whole, double real)
{
    if (to->type == MOTE_FLOAT64)
        ((double *)to->data)[k] = real;
    else if (to->type == MOTE_FLOAT32)
        ((float *)to->data)[k] = (float)real;
    else if (to->type == MOTE_INT64)
        ((int64_t *)to->data)[k] = whole;
    else
        ((int32_t *)to->data)[k] = (int32_t)whole;
}

/* Draws the capacities of outputs, and returns the smallest. */
static size_t shorten(trial_call *c, size_t needed)
{
    const notes *own = (const notes *)(const void *)&c->own;
    size_t least = c->array[PARTNER].type ? SIZE_MAX : 0;

    for (size_t k = PARTNER; k <= DISPLACEMENT; k++) {
        size_t each = k == SHIFT || k == DISPLACEMENT ? 3 : 1;
        size_t room = needed + mote_rng_below(&c->rng, 3) * 5;
        if (!c->array[k].type)
            continue;
        if (!own->exact)
            room = mote_rng_below(&c->rng, (uint32_t)needed + 10);
        room = room < ROOM ? room : ROOM;
        c->array[k].count = each * room;
        if (each > 1 && room < ROOM)
            c->array[k].count += mote_rng_below(&c->rng, 3);
        least = least < room ? least : room;
    }
    return least;
}

static void expect(trial_call *c, const mote_neighbours_result *result, size_t n)
{
    size_t least = shorten(c, result->count), stored = 0;

    for (size_t i = 0; i <= n; i++) {
        put(&c->array[OFFSETS], i, result->offsets[i], 0);
        if ((size_t)result->offsets[i] <= least)
            stored = (size_t)result->offsets[i];
    }
    if (result->count > least) {
        c->told = MOTE_ERROR_CAPACITY;
        c->told_index = (uint32_t)result->count;
    }
    for (size_t k = 0; k < stored; k++) {
        const mote_neighbour *pair = &result->neighbours[k];
        put(&c->array[PARTNER], k, pair->j, 0);
        if (c->array[DISTANCE].type)
            put(&c->array[DISTANCE], k, 0, pair->distance);
        for (size_t axis = 0; axis < 3; axis++) {
            if (c->array[SHIFT].type)
                put(&c->array[SHIFT], 3 * k + axis, pair->shift[axis], 0);
            if (c->array[DISPLACEMENT].type)
                put(&c->array[DISPLACEMENT], 3 * k + axis, 0, pair->d[axis]);
        }
    }
    for (size_t k = PARTNER; k <= DISPLACEMENT && result->count > least; k++)
        c->array[k].open = c->array[k].count - stored * (k == SHIFT || k == DISPLACEMENT ? 3 : 1);
}

static bool fill_neighbours(trial_call *c, char *message, size_t size)
{
    const mote_neighbours_args *a = (const mote_neighbours_args *)(const void *)&c->args;
    const notes *own = (const notes *)(const void *)&c->own;
    size_t n = c->array[POSITIONS].count / 3;
    mote_neighbours_result result = {0};

    positions_draw(c, own->box, &c->array[POSITIONS]);
    if (c->array[OTHER].type)
        positions_draw(c, own->box, &c->array[OTHER]);
    if (c->spoilt)
        positions_spoil(c, a->pbc);
    if (c->told)
        return true;
    double *positions = positions_widened(&c->array[POSITIONS]);
    double *other = c->array[OTHER].type ? positions_widened(&c->array[OTHER]) : NULL;
    const mote_neighbours_task task = {.positions = positions,
                                       .other = other,
                                       .n = n,
                                       .m = c->array[OTHER].count / 3,
                                       .cutoff = a->cutoff,
                                       .box = own->box,
                                       .pbc = a->pbc,
                                       .half = a->half != 0,
                                       .in_float = c->loose};
    bool good =
        positions && (other || !c->array[OTHER].type) && mote_oracle_neighbours(&task, &result);
    if (good)
        expect(c, &result, n);
    else
        snprintf(message, size, "out of memory");
    free(positions);
    free(other);
    free(result.offsets);
    free(result.neighbours);
    return good;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Returns whether two results differ by no more than square roots that are computed without double
 * precision, which are accurate to 3 units in the last place. */
static bool is_near(const void *call, size_t at, const void *got, const void *expected)
{
    float a, b;

    (void)call, (void)at;
    memcpy(&a, got, sizeof(a));
    memcpy(&b, expected, sizeof(b));
    return fabs((double)a - (double)b) <= 4e-7 * fabs((double)b);
}

static void init_neighbours(void *args)
{
    mote_neighbours_args_init(args);
}

/* Enqueues the call, and overwrites the box as soon as the call has returned, as a caller may do.
 * Arguments of another version, whose size differs, are passed unchanged. */
static mote_status enqueue_neighbours(mote_context *ctx, cl_command_queue queue, const void *args,
                                      cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    mote_neighbours_args a = *(const mote_neighbours_args *)args;
    double box[9] = {0};

    if (a.size != sizeof(a))
        return mote_neighbours(ctx, queue, args, num_wait, wait, event);
    if (a.box)
        memcpy(box, a.box, sizeof(box));
    a.box = a.box ? box : NULL;
    mote_status status = mote_neighbours(ctx, queue, &a, num_wait, wait, event);
    memset(box, TRIAL_POISON, sizeof(box));
    return status;
}

TRIAL_WORKSPACE_SIZE(neighbours, mote_neighbours_workspace_size)

static const char *const tunes[] = {
    "coordination.form=cpu",
    "coordination.form=gpu",
    "coordination.form=gpu,coordination.team=8,coordination.sort_below=0",
    "coordination.form=gpu,reduce.form=gpu,reduce.fp64=0",
    "coordination.form=cpu,reduce.fp64=0",
    NULL};

static const trial_program programs[] = {
    TRIAL_PROGRAM("float32", MOTE_FLOAT32),
    TRIAL_PROGRAM("float64", MOTE_FLOAT64),
    TRIAL_END,
};

const trial_operation trial_neighbours = {
    TRIAL_OPERATION(neighbours, mote_neighbours, mote_neighbours_args, MOTE_OPERATION_NEIGHBOURS),
    TRIAL_WORKSPACE(neighbours, mote_neighbours_args),
    .is_near = is_near,
    .borders = positions_borders,
    .tunes = tunes,
    .programs = programs,
};
