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
#define MOST_FRAMES 4

enum { OFFSETS = OTHER + 1, PARTNER, SHIFT, DISTANCE, DISPLACEMENT }; /* the fields */

typedef struct notes {
    double box[9 * MOST_FRAMES];
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

/* Draws the number of frames. The boxes of later frames are larger. */
static void choose_frames(trial_call *c)
{
    mote_neighbours_args *a = (mote_neighbours_args *)(void *)&c->args;
    notes *own = (notes *)(void *)&c->own;

    a->frames = mote_rng_below(&c->rng, 3) ? 0 : 1 + mote_rng_below(&c->rng, MOST_FRAMES);
    for (size_t k = 9; k < 9 * MOST_FRAMES; k++)
        own->box[k] = (double)(float)(own->box[k - 9] * 1.2);
}

static size_t frames_of(const trial_call *c)
{
    const mote_neighbours_args *a = (const mote_neighbours_args *)(const void *)&c->args;

    return a->frames ? a->frames : 1;
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
    choose_frames(c);
    n = n / frames_of(c) * frames_of(c);
    m = m / frames_of(c) * frames_of(c);
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

/* Returns the number of pairs for which all outputs have room. */
static size_t capacity_of(const trial_call *c)
{
    size_t least = c->array[PARTNER].type ? SIZE_MAX : 0;

    for (size_t k = PARTNER; k <= DISPLACEMENT; k++) {
        size_t room = c->array[k].count / (k == SHIFT || k == DISPLACEMENT ? 3 : 1);
        least = c->array[k].type && room < least ? room : least;
    }
    return least;
}

/* Draws the capacities of outputs. */
static void shorten(trial_call *c, size_t needed)
{
    const notes *own = (const notes *)(const void *)&c->own;

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
    }
}

/* Appends the lists of a frame to those of earlier frames, and frees them. */
static bool append(mote_neighbours_result *all, size_t *entries, mote_neighbours_result *one,
                   size_t n)
{
    size_t count = all->count + one->count;
    int64_t *offsets = realloc(all->offsets, (*entries + n + 1) * sizeof(*offsets));
    mote_neighbour *neighbours = realloc(all->neighbours, (count + 1) * sizeof(*neighbours));

    all->offsets = offsets ? offsets : all->offsets;
    all->neighbours = neighbours ? neighbours : all->neighbours;
    if (offsets && neighbours) {
        for (size_t i = 0; i <= n; i++)
            offsets[*entries + i] = (int64_t)all->count + one->offsets[i];
        if (one->count)
            memcpy(neighbours + all->count, one->neighbours, one->count * sizeof(*neighbours));
        *entries += n;
        all->count = count;
    }
    free(one->offsets);
    free(one->neighbours);
    return offsets && neighbours;
}

/* Lists the neighbours of all frames. */
static bool list_frames(const trial_call *c, mote_neighbours_result *all)
{
    const mote_neighbours_args *a = (const mote_neighbours_args *)(const void *)&c->args;
    const notes *own = (const notes *)(const void *)&c->own;
    double *positions = positions_widened(&c->array[POSITIONS]);
    double *other = c->array[OTHER].type ? positions_widened(&c->array[OTHER]) : NULL;
    size_t n = c->array[POSITIONS].count / 3 / frames_of(c), entries = 0;
    size_t m = c->array[OTHER].count / 3 / frames_of(c);
    bool good = positions && (other || !c->array[OTHER].type);

    for (size_t f = 0; good && f < frames_of(c); f++) {
        mote_neighbours_result one = {0};
        const mote_neighbours_task task = {.positions = positions + 3 * n * f,
                                           .other = other ? other + 3 * m * f : NULL,
                                           .n = n,
                                           .m = m,
                                           .cutoff = a->cutoff,
                                           .box = own->box + 9 * f,
                                           .pbc = a->pbc,
                                           .half = a->half != 0,
                                           .in_float = c->loose};
        good = mote_oracle_neighbours(&task, &one) && append(all, &entries, &one, n);
    }
    free(positions);
    free(other);
    return good;
}

static void expect(trial_call *c, const mote_neighbours_result *result, size_t n)
{
    size_t least, stored = 0;

    shorten(c, result->count);
    least = capacity_of(c);
    for (size_t i = 0; i <= n; i++) {
        put(&c->array[OFFSETS], i, result->offsets[i], 0);
        if ((size_t)result->offsets[i] <= least)
            stored = (size_t)result->offsets[i];
    }
    /* The call on plain arrays only counts if there is no array of partners. */
    if (result->count > least && (c->array[PARTNER].type || !c->on_host)) {
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

/* Draws the positions of a list in a frame. */
static void draw_frame(trial_call *c, size_t k, size_t frame)
{
    const notes *own = (const notes *)(const void *)&c->own;
    trial_array part = c->array[k];

    part.count /= frames_of(c);
    part.data = (char *)part.data + frame * part.count * mote_type_size(part.type);
    positions_draw(c, own->box + 9 * frame, &part);
}

static bool fill_neighbours(trial_call *c, char *message, size_t size)
{
    const mote_neighbours_args *a = (const mote_neighbours_args *)(const void *)&c->args;
    size_t n = c->array[POSITIONS].count / 3;
    mote_neighbours_result result = {0};

    for (size_t f = 0; f < frames_of(c); f++)
        for (size_t k = POSITIONS; k <= OTHER; k++)
            if (c->array[k].type)
                draw_frame(c, k, f);
    if (c->spoilt)
        positions_spoil(c, a->pbc);
    if (c->told)
        return true;
    bool good = list_frames(c, &result);
    if (good)
        expect(c, &result, n);
    else
        snprintf(message, size, "out of memory");
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
    double box[9 * MOST_FRAMES] = {0};

    if (a.size != sizeof(a))
        return mote_neighbours(ctx, queue, args, num_wait, wait, event);
    if (a.box)
        memcpy(box, a.box, 9 * (a.frames ? a.frames : 1) * sizeof(*box));
    a.box = a.box ? box : NULL;
    mote_status status = mote_neighbours(ctx, queue, &a, num_wait, wait, event);
    memset(box, TRIAL_POISON, sizeof(box));
    return status;
}

static mote_status run_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_neighbours_args *a = (const mote_neighbours_args *)(const void *)&c->args;
    const trial_array *array = c->array;
    mote_neighbours_host_args args;

    mote_neighbours_host_args_init(&args);
    args.positions_type = array[POSITIONS].type;
    args.positions = arrays[POSITIONS];
    args.n = array[POSITIONS].count / 3;
    args.other_type = array[OTHER].type;
    args.other = arrays[OTHER];
    args.m = array[OTHER].count / 3;
    args.cutoff = a->cutoff;
    args.box = a->box;
    args.pbc = a->pbc;
    args.half = a->half;
    args.frames = a->frames;
    args.offsets_type = array[OFFSETS].type;
    args.offsets = arrays[OFFSETS];
    args.capacity = capacity_of(c);
    args.partner = arrays[PARTNER];
    args.shift = arrays[SHIFT];
    args.distance_type = array[DISTANCE].type;
    args.distance = arrays[DISTANCE];
    args.displacement_type = array[DISPLACEMENT].type;
    args.displacement = arrays[DISPLACEMENT];
    return mote_neighbours_host(c->ctx, host, &args);
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
    .run_host = run_host,
    .is_near = is_near,
    .borders = positions_borders,
    .tunes = tunes,
    .programs = programs,
};
