/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/jagged/lengths.h"

#include "testkit/cases/jagged/lists.h"
#include "shared/jagged_reduce.h"

/* A Poisson number with a large mean is the sum of several with a mean up to this. */
#define POISSON_PART   32.0
#define POISSON_VALUES 160

/* The value is the first one whose bound is above 32 random bits; `guide` is the index at which the
 * search begins. */
typedef struct poisson {
    unsigned parts;
    uint64_t bound[POISSON_VALUES];
    uint8_t guide[256];
} poisson;

typedef struct source {
    const mote_lengths *how;
    mote_rng rng;
    size_t k;
    int64_t prime;
    poisson poisson;
} source;

static void poisson_set(poisson *p, double mean)
{
    double term[POISSON_VALUES], total = 0, sum = 0;

    p->parts = 1 + (unsigned)(mean / POISSON_PART);
    mean /= (double)p->parts;
    term[0] = 1;
    for (int k = 1; k < POISSON_VALUES; k++)
        term[k] = term[k - 1] * mean / k;
    for (int k = POISSON_VALUES; k-- > 0;)
        total += term[k];
    for (int k = 0; k < POISSON_VALUES; k++) {
        sum += term[k];
        p->bound[k] = (uint64_t)(sum / total * 4294967296.0);
    }
    p->bound[POISSON_VALUES - 1] = (uint64_t)1 << 32;
    for (unsigned byte = 0, k = 0; byte < 256; byte++) {
        while (p->bound[k] <= (uint64_t)byte << 24)
            k++;
        p->guide[byte] = (uint8_t)k;
    }
}

static int64_t poisson_next(const poisson *p, mote_rng *rng)
{
    int64_t sum = 0;

    for (unsigned part = 0; part < p->parts; part++) {
        uint64_t bits = mote_rng_next(rng) >> 32;
        unsigned k = p->guide[bits >> 24];

        while (p->bound[k] <= bits)
            k++;
        sum += k;
    }
    return sum;
}

/* Level j of 16 has probability 2^-(j + 1) and holds lengths of 2^j to 2^(j + 1) units, so every
 * level but the last adds 3/4 of a unit to the mean, the last one 3/2. */
static int64_t power_next(mote_rng *rng, double mean)
{
    uint64_t bits = mote_rng_next(rng);
    double unit = mean / 12.75, scale = 1;

    for (unsigned j = 0; j < 15 && !(bits >> j & 1); j++)
        scale *= 2;
    double within = (double)(bits >> 16 & 0xffffff) / 16777216.0;
    double rounding = (double)(bits >> 40) / 16777216.0;

    double length = unit * scale * (1 + within);

    return (int64_t)(length + rounding);
}

static int64_t boundary_next(mote_rng *rng, int64_t size)
{
    int64_t step = mote_rng_between(rng, -1, 1);

    switch (mote_rng_below(rng, 4)) {
    case 0:
        return mote_rng_below(rng, 2);
    case 1:
        return 2 * size + step;
    default:
        return size + step;
    }
}

static bool is_prime(int64_t n)
{
    for (int64_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return true;
}

static int64_t prime_next(source *s)
{
    do
        s->prime = s->prime < s->how->size ? s->prime + 1 : 2;
    while (!is_prime(s->prime));
    return s->prime;
}

int64_t mote_layout_length(size_t k)
{
    static const int64_t borders[MOTE_LAYOUT_BORDERS] = {
        0,
        MOTE_JAGGED_REDUCE_SERIAL,
        MOTE_JAGGED_REDUCE_CHUNK,
        2 * MOTE_JAGGED_REDUCE_CHUNK,
        MOTE_JAGGED_REDUCE_BLOCK - MOTE_JAGGED_REDUCE_CHUNK,
        MOTE_JAGGED_REDUCE_BLOCK,
    };
    int64_t blocks = (int64_t)(k / MOTE_LAYOUT_LENGTHS), rest = (int64_t)(k % MOTE_LAYOUT_LENGTHS);
    int64_t length = blocks * MOTE_JAGGED_REDUCE_BLOCK + borders[rest % MOTE_LAYOUT_BORDERS] +
                     rest / MOTE_LAYOUT_BORDERS - MOTE_LAYOUT_NEAR;

    return length > 0 ? length : 0;
}

static int64_t layout_next(mote_rng *rng, int64_t size)
{
    return mote_layout_length(
        mote_rng_below(rng, (uint32_t)(MOTE_LAYOUT_LENGTHS * (size_t)(size + 1))));
}

static int64_t even_next(const source *s)
{
    int64_t lists = (int64_t)s->how->lists, k = (int64_t)s->k, rest = s->how->size % lists;

    return s->how->size / lists + ((k + 1) * rest / lists - k * rest / lists);
}

static bool at_empty_end(const source *s)
{
    mote_length_kind kind = s->how->kind;
    size_t size = (size_t)s->how->size;

    return (kind != MOTE_LENGTH_TRAIL && s->k < size) ||
           (kind != MOTE_LENGTH_LEAD && s->how->lists - s->k <= size);
}

static int64_t next_length(source *s)
{
    const mote_lengths *how = s->how;
    size_t lists = how->lists;

    switch (how->kind) {
    case MOTE_LENGTH_CONSTANT:
        return (int64_t)(how->mean + 0.5);
    case MOTE_LENGTH_POISSON:
        return poisson_next(&s->poisson, &s->rng);
    case MOTE_LENGTH_POWER:
        return power_next(&s->rng, how->mean);
    case MOTE_LENGTH_ONE_HUGE:
        return s->k == lists / 2 ? how->size : power_next(&s->rng, how->mean);
    case MOTE_LENGTH_FILLED:
        return (double)(mote_rng_next(&s->rng) >> 32) < how->mean * 4294967296.0;
    case MOTE_LENGTH_TWO_HUGE:
        return s->k == 0 || s->k == lists - 1 ? how->size : 0;
    case MOTE_LENGTH_ALTERNATE:
        return s->k % 2 ? 0 : (int64_t)(how->mean + 0.5);
    case MOTE_LENGTH_BOUNDARY:
        return boundary_next(&s->rng, how->size);
    case MOTE_LENGTH_PRIMES:
        return prime_next(s);
    case MOTE_LENGTH_SEED:
        return s->k % 3 == 1 ? 2 : 3;
    case MOTE_LENGTH_EVEN:
        return even_next(s);
    case MOTE_LENGTH_LAYOUT:
        return layout_next(&s->rng, how->size);
    default:
        return at_empty_end(s) ? 0 : poisson_next(&s->poisson, &s->rng);
    }
}

static void begin(source *s, const mote_lengths *how)
{
    *s = (source){.how = how, .prime = 1};
    mote_rng_seed(&s->rng, how->seed);
    poisson_set(&s->poisson, how->mean);
}

/* Adds `lists` lists of length `length`; the lists of the other array have length `other`. */
static void add(mote_lengths_sums *sums, double lists, double length, double other)
{
    double chosen = length, product = length;

    sums->elements += lists * length;
    for (int n = 2; n <= MOTE_LENGTHS_MOST; n++) {
        chosen = chosen * (length - n + 1) / n;
        product *= n % 2 ? length : other;
        sums->chosen[n] += lists * chosen;
        sums->product[n] += lists * product;
    }
}

/* Adds lengths of the kind EVEN, for both arrays. */
static mote_lengths_sums add_even(const mote_lengths *how)
{
    int64_t lists = (int64_t)how->lists, longer = how->size % lists;
    double each = (double)(how->size / lists);
    mote_lengths_sums sums = {0};

    add(&sums, (double)(lists - longer), each, each);
    add(&sums, (double)longer, each + 1, each + 1);
    return sums;
}

mote_lengths_sums mote_lengths_add(const mote_lengths *how, const mote_lengths *other)
{
    mote_lengths_sums sums = {0};
    source a, b;

    if (how->kind == MOTE_LENGTH_EVEN && other->kind == MOTE_LENGTH_EVEN && how->lists &&
        how->size == other->size)
        return add_even(how);

    begin(&a, how);
    begin(&b, other);
    for (; a.k < how->lists; a.k++, b.k++) {
        double length = (double)next_length(&a);

        add(&sums, 1, length, (double)next_length(&b));
    }
    return sums;
}

bool mote_lengths_fill(const mote_lengths *how, mote_type type, int64_t first, void *offsets)
{
    int64_t at = first, most = mote_index_most(type);
    source s;

    begin(&s, how);
    mote_index_set(offsets, type, 0, first);
    for (; s.k < how->lists; s.k++) {
        int64_t length = next_length(&s);

        if (length > most - at)
            return false;
        at += length;
        mote_index_set(offsets, type, s.k + 1, at);
    }
    return first <= most;
}
