/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/jagged/reduce_oracle.h"

#include <stdlib.h>

#define RUN    8
#define WIDTH  16
#define LEVELS 16

/* A number, or none if there are no elements. */
typedef struct maybe {
    double number;
    bool some;
} maybe;

/* The nodes of a level in which a list has elements: node k of the array is total[k - first]. */
typedef struct level {
    size_t first, last;
    maybe *total, *before;
} level;

typedef struct scan {
    const mote_jagged_reduce_what *what;
    bool exclusive;
    maybe *room; /* room for the nodes of all levels, twice */
    void *result;
} scan;

static bool is_float(mote_type type)
{
    return type == MOTE_FLOAT16 || type == MOTE_FLOAT32 || type == MOTE_FLOAT64;
}

static maybe join(const scan *s, maybe a, maybe b)
{
    if (!a.some || !b.some)
        return a.some ? a : b;
    a.number = s->what->reduction == MOTE_REDUCE_PROD ? a.number * b.number : a.number + b.number;
    return a;
}

/* +0 or 1, with which an accumulation begins. */
static maybe nothing(const scan *s)
{
    return (maybe){s->what->reduction == MOTE_REDUCE_PROD ? 1 : 0, false};
}

/* Accumulates element i. */
static maybe take(const scan *s, maybe a, size_t i)
{
    a.some = true;
    return join(s, a, (maybe){mote_oracle_number(s->what, i), true});
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static level make_level(size_t first, size_t last, maybe **room)
{
    size_t count = last - first + 1;
    level l = {first, last, *room, *room + count};

    *room += 2 * count;
    return l;
}

/* Computes the totals of all runs of a list, then those of each higher level up to a single
 * node. */
static size_t go_up(const scan *s, size_t begin, size_t end, level *levels)
{
    maybe *room = s->room;
    size_t top = 0;

    levels[0] = make_level(begin / RUN, (end - 1) / RUN, &room);
    for (size_t k = levels[0].first; k <= levels[0].last; k++) {
        maybe a = nothing(s);

        for (size_t i = larger(begin, k * RUN); i < smaller(end, (k + 1) * RUN); i++)
            a = take(s, a, i);
        levels[0].total[k - levels[0].first] = a;
    }
    for (; levels[top].first < levels[top].last; top++) {
        const level *below = &levels[top];
        level *l = &levels[top + 1];

        *l = make_level(below->first / WIDTH, below->last / WIDTH, &room);
        for (size_t k = l->first; k <= l->last; k++)
            l->total[k - l->first] = nothing(s);
        for (size_t k = below->first; k <= below->last; k++) {
            maybe *total = &l->total[k / WIDTH - l->first];
            *total = join(s, *total, below->total[k - below->first]);
        }
    }
    return top;
}

/* Computes the accumulation before each node. */
static void go_down(const scan *s, size_t top, level *levels)
{
    levels[top].before[0] = nothing(s);
    for (; top > 0; top--) {
        const level *above = &levels[top], *l = &levels[top - 1];
        maybe earlier = nothing(s);

        for (size_t k = l->first; k <= l->last; k++) {
            if (k % WIDTH == 0)
                earlier = nothing(s);
            l->before[k - l->first] = join(s, above->before[k / WIDTH - above->first], earlier);
            earlier = join(s, earlier, l->total[k - l->first]);
        }
    }
}

static void scan_floats(const scan *s, size_t begin, size_t end)
{
    level levels[LEVELS];

    go_down(s, go_up(s, begin, end, levels), levels);
    for (size_t k = levels[0].first; k <= levels[0].last; k++) {
        maybe a = nothing(s);

        for (size_t i = larger(begin, k * RUN); i < smaller(end, (k + 1) * RUN); i++) {
            maybe last = a;

            a = take(s, a, i);
            maybe r = join(s, levels[0].before[k - levels[0].first], s->exclusive ? last : a);
            mote_oracle_store_float(s->result, s->what->result, i, r.number);
        }
    }
}

static void scan_integers(const scan *s, size_t begin, size_t end)
{
    bool sum = s->what->reduction == MOTE_REDUCE_SUM;
    uint64_t a = !sum, *result = s->result;

    for (size_t i = begin; i < end; i++) {
        uint64_t x = (uint64_t)mote_oracle_integer(s->what, i), last = a;

        a = sum ? a + x : a * x;
        result[i] = s->exclusive ? last : a;
    }
}

static void scan_extremes(const scan *s, size_t begin, size_t end)
{
    size_t best = SIZE_MAX;

    for (size_t i = begin; i < end; i++) {
        size_t last = best;

        if (best == SIZE_MAX || mote_oracle_better(s->what, i, best))
            best = i;
        mote_oracle_store_extreme(s->what, s->exclusive ? last : best, i, s->result);
    }
}

/* Fills the results of elements in no list. */
static void fill(const scan *s, size_t begin, size_t end)
{
    bool prod = s->what->reduction == MOTE_REDUCE_PROD;

    for (size_t i = begin; i < end; i++)
        if (s->what->reduction > MOTE_REDUCE_PROD)
            mote_oracle_store_extreme(s->what, SIZE_MAX, i, s->result);
        else if (is_float(s->what->type))
            mote_oracle_store_float(s->result, s->what->result, i, prod);
        else
            ((uint64_t *)s->result)[i] = prod;
}

bool mote_oracle_scan(const mote_case_lists *lists, const mote_jagged_reduce_what *what, size_t n,
                      bool exclusive, void *result)
{
    scan s = {what, exclusive, malloc((n / 3 + 100) * sizeof(maybe)), result};
    size_t at = 0;

    for (size_t k = 0; s.room && k < lists->count; k++) {
        int64_t from, to;

        mote_case_lists_bounds(lists, k, &from, &to);
        size_t begin = (size_t)from, end = (size_t)to;
        fill(&s, at, smaller(begin, n));
        at = end;
        if (begin == end)
            continue;
        if (what->reduction > MOTE_REDUCE_PROD)
            scan_extremes(&s, begin, end);
        else if (is_float(what->type))
            scan_floats(&s, begin, end);
        else
            scan_integers(&s, begin, end);
    }
    if (s.room)
        fill(&s, at, n);
    free(s.room);
    return s.room != NULL;
}
