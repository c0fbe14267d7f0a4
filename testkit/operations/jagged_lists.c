/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/operations/jagged.h"

#include <math.h>
#include <string.h>

#include "testkit/reference/jagged/oracle.h"

#define MOST ((size_t)1 << 24)

_Static_assert(sizeof(trial_lists) <= TRIAL_OWN_BYTES, "the notes of lists are too large");

const size_t trial_lists_borders[] = {1,    2,    4,    8,    16,   32,   33,   64,
                                      128,  256,  400,  1024, 1280, 2048, 2304, 2560,
                                      2688, 3072, 4096, 6144, 8064, 8192, 0};

const char *const trial_lists_tunes[] = {"jagged.form=cpu,reduce.form=cpu",
                                         "jagged.form=gpu,reduce.form=gpu",
                                         "jagged.form=gpu,jagged.group=36,jagged.tile=60,"
                                         "reduce.scan_one_group=0",
                                         "jagged.form=gpu,jagged.variant=2,jagged.tiles=3",
                                         "jagged.form=gpu,jagged.nonzero_groups_a_unit=1",
                                         "jagged.form=cpu,jagged.items=3",
                                         NULL};

trial_lists *trial_lists_of(trial_call *c)
{
    return (trial_lists *)(void *)&c->own;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Draws lists with up to about `most` elements. */
static mote_lists_case draw_shape(mote_rng *rng, size_t most)
{
    static const double means[] = {0.001, 0.1, 0.5, 1, 2, 3, 5, 16, 24, 31, 100, 400, 1000, 5000};
    static const int64_t firsts[] = {1, 3, 4, 17, 4096, 100001};
    double mean = means[mote_rng_below(rng, sizeof(means) / sizeof(means[0]))];
    int64_t border = (int64_t)trial_lists_borders[mote_rng_below(rng, 22)];
    uint32_t kind = mote_rng_below(rng, MOTE_LENGTH_LAYOUT + 5);
    mote_lists_case c = {.tail = mote_rng_below(rng, 3) ? 0 : mote_rng_below(rng, 50)};
    mote_lengths *l = &c.lengths;
    double each = mean;

    l->kind = (mote_length_kind)(kind < MOTE_LENGTH_LAYOUT ? kind : MOTE_LENGTH_LAYOUT);
    l->size = border;
    if (l->kind == MOTE_LENGTH_FILLED && mean > 1)
        mean = 0.3;
    else if (l->kind == MOTE_LENGTH_BOUNDARY)
        each = (double)border;
    else if (l->kind == MOTE_LENGTH_PRIMES)
        each = (double)border / 2;
    else if (l->kind == MOTE_LENGTH_SEED)
        each = 3;
    else if (l->kind == MOTE_LENGTH_LAYOUT)
        each = 1400 + 2048 * (double)(l->size = mote_rng_below(rng, 4));
    else if (l->kind == MOTE_LENGTH_ONE_HUGE || l->kind == MOTE_LENGTH_TWO_HUGE)
        l->size = mote_rng_below(rng, 2) ? (int64_t)most / 2
                                         : mote_layout_length(mote_rng_below(rng, 2000));
    else if (l->kind >= MOTE_LENGTH_LEAD && l->kind <= MOTE_LENGTH_ENDS)
        l->size = mote_rng_below(rng, (uint32_t)most);
    double lists = (double)most / (each + 0.1);

    l->mean = mean;
    l->lists =
        mote_rng_below(rng, 10) ? mote_rng_below(rng, (uint32_t)lists + 2) : mote_rng_below(rng, 3);
    if (l->kind == MOTE_LENGTH_CONSTANT && l->lists == 1)
        l->mean = (double)mote_layout_length(mote_rng_below(rng, 2000));
    if (mote_rng_below(rng, 2))
        c.first = firsts[mote_rng_below(rng, sizeof(firsts) / sizeof(firsts[0]))];
    return c;
}

/* Draws as many lists, elements, or elements of one list, as the size specifies. */
static mote_lists_case shape_of(const trial_call *c, mote_rng *rng, bool few)
{
    static const double means[] = {5, 32, 100};
    size_t size = c->size;
    double mean = means[mote_rng_below(rng, 3)];
    mote_lists_case of = {.first = mote_rng_below(rng, 2) * 5, .tail = mote_rng_below(rng, 2) * 3};
    mote_lengths *l = &of.lengths;

    if (c->parts) {
        *l = (mote_lengths){.kind = MOTE_LENGTH_EVEN, .lists = c->parts, .size = (int64_t)size};
        return of;
    }
    switch (few ? mote_rng_below(rng, 2) : mote_rng_below(rng, 5)) {
    case 0:
        *l = (mote_lengths){.kind = MOTE_LENGTH_POISSON, .lists = size, .mean = 1};
        break;
    case 1:
        *l = (mote_lengths){.kind = MOTE_LENGTH_FILLED, .lists = size, .mean = 0.3};
        break;
    case 2:
        *l = (mote_lengths){
            .kind = MOTE_LENGTH_POISSON, .lists = 1 + (size_t)((double)size / mean), .mean = mean};
        break;
    case 3:
        *l = (mote_lengths){.kind = MOTE_LENGTH_CONSTANT, .lists = 1, .mean = (double)size};
        break;
    default:
        *l = (mote_lengths){.kind = MOTE_LENGTH_ONE_HUGE,
                            .lists = 3 + mote_rng_below(rng, 40),
                            .mean = 4,
                            .size = (int64_t)size};
    }
    return of;
}

static void choose_shape(trial_call *c, size_t most, bool few)
{
    trial_lists *l = trial_lists_of(c);
    const trial_lists_given *given = c->given;

    if (given) {
        l->shape = *given->shape;
        c->spoilt = given->fault >= 0 || (given->change && !given->good);
    } else if (c->size == TRIAL_ANY) {
        l->shape = draw_shape(&c->rng, most);
    } else {
        l->shape = shape_of(c, &c->rng, few);
    }
    l->shape.lengths.seed = mote_rng_next(&c->rng);
}

trial_lists *trial_lists_choose(trial_call *c, bool far, bool spans)
{
    trial_lists *l = trial_lists_of(c);
    mote_type type = trial_choose(c, BIT(MOTE_INT32) | BIT(MOTE_UINT32) | BIT(MOTE_INT64));

    choose_shape(c, c->most < MOST ? c->most : MOST, false);
    l->type = type;
    l->spans = spans;
    l->m = l->shape.lengths.lists;
    l->elements = (size_t)mote_lengths_add(&l->shape.lengths, &l->shape.lengths).elements;
    if (far && !c->telling && !c->given && mote_rng_below(&c->rng, 16) == 0)
        l->shape.first = mote_index_most(type) - (int64_t)l->elements - mote_rng_below(&c->rng, 9);
    if (spans)
        l->shape.first = 0;
    l->content = (size_t)l->shape.first + l->elements + l->shape.tail;
    if (spans)
        l->content = l->elements + 8 * l->m + 6;
    c->impossible = c->impossible || (int64_t)l->content > mote_index_most(type) ||
                    (!far && l->shape.first > TRIAL_FAR);
    return l;
}

trial_lists *trial_lists_choose_few(trial_call *c, bool product, unsigned n, size_t *combinations)
{
    trial_lists *l = trial_lists_of(c);
    size_t most = (c->most < MOST ? c->most : MOST) / 8 + 1;
    mote_lengths_sums sums;

    l->type = trial_choose(c, BIT(MOTE_INT32) | BIT(MOTE_UINT32) | BIT(MOTE_INT64));
    for (size_t limit = 80 * most + 1000;; most = most / 4 + 1) {
        choose_shape(c, most, true);
        l->other = l->shape.lengths;
        if (product) {
            l->other = draw_shape(&c->rng, most).lengths;
            if (c->size != TRIAL_ANY)
                l->other = l->shape.lengths;
            l->other.lists = l->shape.lengths.lists;
            l->other.seed = mote_rng_next(&c->rng);
        }
        sums = mote_lengths_add(&l->shape.lengths, &l->other);
        *combinations = (size_t)(product ? sums.product[n] : sums.chosen[n]);
        c->impossible = c->impossible || (c->given && *combinations >= limit);
        if (c->size != TRIAL_ANY || c->given)
            break;
        /* The offsets of the other array must be able to count its elements. */
        if (*combinations < limit &&
            mote_lengths_add(&l->other, &l->other).elements <= (double)mote_index_most(l->type))
            break;
    }
    l->m = l->shape.lengths.lists;
    l->elements = (size_t)sums.elements;
    if (!c->telling && !c->given && mote_rng_below(&c->rng, 16) == 0)
        l->shape.first = mote_index_most(l->type) - (int64_t)l->elements;
    l->content = (size_t)l->shape.first + l->elements;
    c->impossible = c->impossible || (int64_t)l->content > mote_index_most(l->type);
    return l;
}

/* ---- arguments ------------------------------------------------------------------------------- */

mote_jagged_validate trial_lists_validate(trial_call *c)
{
    mote_jagged_validate validate = (mote_jagged_validate)trial_choose(
        c, BIT(MOTE_JAGGED_VALIDATE_TOUCHED) | BIT(MOTE_JAGGED_VALIDATE_FULL));

    c->told_any = validate == MOTE_JAGGED_VALIDATE_TOUCHED && !c->on_host;
    return validate;
}

trial_array trial_lists_capacity(trial_call *c, mote_type type, size_t needed)
{
    mote_rng *rng = &c->rng;
    size_t more = mote_rng_below(rng, 3) * mote_rng_below(rng, 50);
    size_t less = 1 + mote_rng_below(rng, (uint32_t)(needed < 99 ? needed + 1 : 99));
    bool exact = c->telling || c->on_host || mote_rng_below(rng, 4);
    size_t count = exact || less > needed ? needed + more : needed - less;

    if (c->spoilt && !c->on_host)
        count = mote_rng_below(rng, (uint32_t)needed + 50);
    return (trial_array){.type = type, .count = count, .room = needed};
}

trial_array trial_lists_part(trial_call *c, mote_type type)
{
    size_t elements = trial_lists_of(c)->elements;
    bool part = mote_rng_below(&c->rng, 3) == 0 && !c->telling;

    return (trial_array){.type = type,
                         .count = part ? mote_rng_below(&c->rng, (uint32_t)elements + 1) : elements,
                         .room = elements};
}

/* ---- data ------------------------------------------------------------------------------------ */

static bool scatter(mote_case_lists *lists, uint64_t seed)
{
    mote_case_lists whole = *lists;
    bool good = mote_case_lists_scatter(&whole, seed, lists);

    mote_case_lists_free(&whole);
    return good;
}

static void copy(const trial_array *to, const void *from)
{
    memcpy(to->data, from, to->count * mote_type_size(to->type));
}

bool trial_lists_make(trial_call *c)
{
    trial_lists *l = trial_lists_of(c);
    uint64_t seed = mote_rng_next(&c->rng);
    const trial_lists_given *given = c->given;
    unsigned fault = mote_rng_below(&c->rng, MOTE_FAULTS), tried = 0;
    bool good = mote_lists_case_make(&l->shape, l->type, l->shape.lengths.seed, &l->made) &&
                (!l->spans || scatter(&l->made, seed));

    if (!good)
        return trial_lists_end(c), false;
    if (given && given->change)
        given->change(&l->made, &c->rng, given->about);
    if (given && given->fault >= 0)
        mote_case_lists_spoil(&l->made, (mote_lists_fault)given->fault, seed);
    while (
        c->spoilt && !given && l->shape.first < TRIAL_FAR && tried < MOTE_FAULTS &&
        !mote_case_lists_spoil(&l->made, (mote_lists_fault)((fault + tried) % MOTE_FAULTS), seed))
        tried++;
    if (!l->spans) {
        copy(&c->array[0], l->made.offsets);
    } else {
        copy(&c->array[1], l->made.starts);
        copy(&c->array[2], l->made.stops);
    }
    return true;
}

void trial_lists_expect(trial_call *c, size_t content, bool overlap)
{
    mote_case_lists *made = &trial_lists_of(c)->made;

    c->told = mote_oracle_find_error(made, content, overlap, &c->told_index);
    c->unspecified = c->told != MOTE_SUCCESS;
    made->status = c->told;
}

void trial_lists_expect_room(trial_call *c, size_t field, size_t needed)
{
    const trial_array *a = &c->array[field];

    if (needed <= a->count)
        return;
    c->told = MOTE_ERROR_CAPACITY;
    c->told_index = (uint32_t)needed;
    c->told_any = false;
    if (needed > a->room) /* a fault has made a list very long */
        c->told_any = c->unspecified = true;
}

bool trial_sums_are_near(int64_t length, const void *got, const void *expected)
{
    float a, b;

    memcpy(&a, got, sizeof(a));
    memcpy(&b, expected, sizeof(b));
    return fabs((double)a - (double)b) <= 2e-7 * fabs((double)b) + 1e-9 * (double)length;
}

bool trial_lists_end(trial_call *c)
{
    mote_case_lists_free(&trial_lists_of(c)->made);
    return true;
}
