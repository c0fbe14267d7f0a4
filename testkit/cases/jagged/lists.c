/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/jagged/lists.h"

#include <stdlib.h>
#include <string.h>

#define LENGTHS(KIND, LISTS, MEAN, SIZE)                                                           \
    {                                                                                              \
        .kind = MOTE_LENGTH_##KIND, .lists = (LISTS), .mean = (MEAN), .size = (SIZE)               \
    }

static const mote_lists_case cases[] = {
    {"seed document", LENGTHS(SEED, 3, 0, 0), 0, 0},
    {"seed document from 5", LENGTHS(SEED, 3, 0, 0), 5, 4},
    {"seed document from 4096", LENGTHS(SEED, 3, 0, 0), 4096, 1},
    {"seed document from 100001", LENGTHS(SEED, 3, 0, 0), 100001, 0},
    {"no lists", LENGTHS(CONSTANT, 0, 0, 0), 0, 0},
    {"no lists, content of 4", LENGTHS(CONSTANT, 0, 0, 0), 0, 4},
    {"no lists from 5", LENGTHS(CONSTANT, 0, 0, 0), 5, 2},
    {"one empty", LENGTHS(CONSTANT, 1, 0, 0), 0, 0},
    {"one empty from 4096", LENGTHS(CONSTANT, 1, 0, 0), 4096, 0},
    {"three empty", LENGTHS(CONSTANT, 3, 0, 0), 5, 3},
    {"70000 empty", LENGTHS(CONSTANT, 70000, 0, 0), 0, 7},
    {"one list of 1", LENGTHS(CONSTANT, 1, 1, 0), 0, 0},
    {"one list of 7", LENGTHS(CONSTANT, 1, 7, 0), 0, 2},
    {"one list of 100003", LENGTHS(CONSTANT, 1, 100003, 0), 3, 0},
    {"257 ones", LENGTHS(CONSTANT, 257, 1, 0), 0, 0},
    {"20000 ones", LENGTHS(CONSTANT, 20000, 1, 0), 1, 1},
    {"32 x 31", LENGTHS(CONSTANT, 32, 31, 0), 0, 0},
    {"33 x 97", LENGTHS(CONSTANT, 33, 97, 0), 100001, 0},
    {"64 x 64", LENGTHS(CONSTANT, 64, 64, 0), 0, 0},
    {"9 x 1024", LENGTHS(CONSTANT, 9, 1024, 0), 0, 5},
    {"5 x 4097", LENGTHS(CONSTANT, 5, 4097, 0), 0, 0},
    {"3 x 70001", LENGTHS(CONSTANT, 3, 70001, 0), 0, 0},
    {"alternate empty", LENGTHS(ALTERNATE, 1000, 3, 0), 0, 0},
    {"alternate empty from 100001", LENGTHS(ALTERNATE, 1001, 5, 0), 100001, 6},
    {"around 32", LENGTHS(BOUNDARY, 60, 0, 32), 0, 0},
    {"around 64", LENGTHS(BOUNDARY, 60, 0, 64), 2, 0},
    {"around 256", LENGTHS(BOUNDARY, 40, 0, 256), 0, 1},
    {"around 4096", LENGTHS(BOUNDARY, 9, 0, 4096), 0, 0},
    {"prime runs", LENGTHS(PRIMES, 300, 0, 131), 11, 0},
    {"lead of 300", LENGTHS(LEAD, 320, 3, 300), 0, 0},
    {"lead of 70000", LENGTHS(LEAD, 70010, 3, 70000), 0, 0},
    {"trail of 300", LENGTHS(TRAIL, 320, 3, 300), 0, 0},
    {"trail of 70000", LENGTHS(TRAIL, 70010, 3, 70000), 4, 3},
    {"lead and trail", LENGTHS(ENDS, 700, 4, 300), 5, 0},
    {"poisson 0.1", LENGTHS(POISSON, 50000, 0.1, 0), 0, 0},
    {"poisson 1", LENGTHS(POISSON, 30000, 1, 0), 6, 0},
    {"poisson 32", LENGTHS(POISSON, 320, 32, 0), 0, 9},
    {"poisson 100", LENGTHS(POISSON, 2000, 100, 0), 0, 0},
    {"power law", LENGTHS(POWER, 3000, 20, 0), 7, 0},
    {"one huge among a power law", LENGTHS(ONE_HUGE, 3001, 4, 60000), 0, 2},
    {"filled by a tenth", LENGTHS(FILLED, 60000, 0.1, 0), 0, 0},
    {"filled by a thousandth", LENGTHS(FILLED, 80000, 0.001, 0), 3, 0},
    {"two huge, 70000 empty between", LENGTHS(TWO_HUGE, 70002, 0, 50000), 0, 0},
    {"from the end of int32", LENGTHS(SEED, 7, 0, 0), INT32_MAX - 40, 0},
    {"from the end of uint32", LENGTHS(SEED, 7, 0, 0), (int64_t)UINT32_MAX - 99, 0},
    {"from 2^40", LENGTHS(ALTERNATE, 7, 2, 0), (int64_t)1 << 40, 0},
};

size_t mote_lists_case_count(void)
{
    return sizeof(cases) / sizeof(cases[0]);
}

const mote_lists_case *mote_lists_case_at(size_t k)
{
    return &cases[k];
}

void mote_case_lists_free(mote_case_lists *lists)
{
    free(lists->offsets);
    free(lists->starts);
    free(lists->stops);
    *lists = (mote_case_lists){0};
}

void mote_case_lists_bounds(const mote_case_lists *lists, size_t k, int64_t *begin, int64_t *end)
{
    if (lists->offsets) {
        *begin = mote_index_get(lists->offsets, lists->type, k);
        *end = mote_index_get(lists->offsets, lists->type, k + 1);
    } else {
        *begin = mote_index_get(lists->starts, lists->type, k);
        *end = mote_index_get(lists->stops, lists->type, k);
    }
}

size_t mote_case_lists_elements(const mote_case_lists *lists)
{
    size_t sum = 0;

    for (size_t k = 0; k < lists->count; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        sum += (size_t)(end - begin);
    }
    return sum;
}

bool mote_lists_case_make(const mote_lists_case *c, mote_type type, uint64_t seed,
                          mote_case_lists *out)
{
    mote_lengths lengths = c->lengths;
    size_t m = lengths.lists;

    lengths.seed = seed;
    *out = (mote_case_lists){.type = type, .count = m};
    out->offsets = malloc((m + 1) * sizeof(int64_t));
    if (!out->offsets || !mote_lengths_fill(&lengths, type, c->first, out->offsets)) {
        mote_case_lists_free(out);
        return false;
    }
    out->content = (size_t)mote_index_get(out->offsets, type, m) + c->tail;
    return true;
}

static void shuffle(uint32_t *order, size_t count, mote_rng *rng)
{
    for (size_t k = 0; k < count; k++)
        order[k] = (uint32_t)k;
    for (size_t k = count; k > 1; k--) {
        size_t other = mote_rng_below(rng, (uint32_t)k);
        uint32_t swapped = order[k - 1];

        order[k - 1] = order[other];
        order[other] = swapped;
    }
}

/* Places the lists of `in` one after the other; list number order[k] is the k-th. */
static void place(const mote_case_lists *in, const uint32_t *order, mote_rng *rng,
                  mote_case_lists *out)
{
    int64_t at = mote_rng_below(rng, 3);

    for (size_t k = 0; k < in->count; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(in, k, &begin, &end);
        int64_t start = begin == end ? mote_rng_between(rng, 0, 2 * at + 5) : at;

        mote_index_set(out->starts, out->type, order[k], start);
        mote_index_set(out->stops, out->type, order[k], start + (end - begin));
        if (begin != end)
            at += end - begin + (mote_rng_below(rng, 3) == 0 ? mote_rng_below(rng, 9) : 0);
    }
    out->content = (size_t)at + mote_rng_below(rng, 4);
}

/* Allocates as many lists of the same type by starts and stops. */
static bool spans_create(const mote_case_lists *offsets, mote_case_lists *out)
{
    *out = (mote_case_lists){.type = offsets->type, .count = offsets->count};
    out->starts = malloc((out->count + 1) * sizeof(int64_t));
    out->stops = malloc((out->count + 1) * sizeof(int64_t));
    if (out->starts && out->stops)
        return true;
    mote_case_lists_free(out);
    return false;
}

bool mote_case_lists_split(const mote_case_lists *offsets, mote_case_lists *out)
{
    size_t element = mote_type_size(offsets->type);

    if (!spans_create(offsets, out))
        return false;
    memcpy(out->starts, offsets->offsets, out->count * element);
    memcpy(out->stops, (const char *)offsets->offsets + element, out->count * element);
    out->content = offsets->content;
    return true;
}

bool mote_case_lists_scatter(const mote_case_lists *offsets, uint64_t seed, mote_case_lists *out)
{
    uint32_t *order = malloc((offsets->count + 1) * sizeof(uint32_t));
    mote_rng rng;
    bool good = spans_create(offsets, out) && order;

    mote_rng_seed(&rng, seed);
    if (good) {
        shuffle(order, offsets->count, &rng);
        place(offsets, order, &rng, out);
    } else {
        mote_case_lists_free(out);
    }
    free(order);
    return good;
}
