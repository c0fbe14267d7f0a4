/* SPDX-License-Identifier: Apache-2.0 */
/* Variances in the virtual layout of mote/jagged.h. */
#include "testkit/reference/jagged/reduce_oracle.h"

#include <math.h>

typedef struct list {
    const mote_jagged_reduce_what *what;
    size_t first; /* in values */
} list;

/* The number of some values, their mean as a value plus the difference from it, and the sum of the
 * squares of their differences from the mean. */
typedef struct part {
    double first, mean, squares;
    size_t count;
} part;

/* Accumulates elements begin, begin + step, ... below end. */
static part run(const list *s, size_t begin, size_t end, size_t step)
{
    double sum = 0;
    part p = {0};

    for (size_t i = begin; i < end; i += step) {
        double x = mote_oracle_number(s->what, s->first + i);

        if (isnan(x) && s->what->nan == MOTE_NAN_SKIP)
            continue;
        if (p.count++ == 0)
            p.first = x;
        sum += x - p.first;
        p.squares += (x - p.first) * (x - p.first);
    }
    if (p.count > 0) {
        p.mean = sum / (double)p.count;
        p.squares -= sum * p.mean;
        p.squares = p.squares < 0 ? 0 : p.squares;
    }
    return p;
}

static part join(part a, part b)
{
    size_t count = a.count + b.count;

    if (a.count == 0 || b.count == 0)
        return a.count ? a : b;
    double apart = (b.first - a.first) + (b.mean - a.mean);
    double shift = apart * ((double)b.count / (double)count);

    return (part){.first = a.first,
                  .mean = a.mean + shift,
                  .squares = a.squares + b.squares + shift * (apart * (double)a.count),
                  .count = count};
}

/* Combines part j with part j + parts / 2, and so on. */
static part halve(part *p, size_t parts)
{
    for (size_t step = parts / 2; step > 0; step /= 2)
        for (size_t j = 0; j < step; j++)
            p[j] = join(p[j], p[j + step]);
    return p[0];
}

/* Accumulates up to 16 chunks of 256 elements, each in eight lanes. */
static part block(const list *s, size_t begin, size_t end)
{
    part chunk[16] = {0};

    for (size_t c = 0; begin + 256 * c < end; c++) {
        size_t from = begin + 256 * c;
        part lane[8];

        for (size_t j = 0; j < 8; j++)
            lane[j] = run(s, from + j, end - from < 256 ? end : from + 256, 8);
        chunk[c] = halve(lane, 8);
    }
    return halve(chunk, 16);
}

double mote_oracle_variance(const mote_jagged_reduce_what *what, size_t first, size_t count)
{
    const list s = {what, first};
    part lane[256] = {0};

    if (count <= 32)
        lane[0] = run(&s, 0, count, 1);
    for (size_t b = 0; b * 4096 < count && count > 32; b++) {
        size_t from = b * 4096, end = count - from < 4096 ? count : from + 4096;

        lane[b % 256] = join(lane[b % 256], block(&s, from, end));
    }
    part all = halve(lane, 256);
    size_t divisor = all.count > what->ddof ? all.count - what->ddof : 0;
    double variance = all.squares / (double)divisor;

    return what->reduction == MOTE_REDUCE_STD ? sqrt(variance) : variance;
}
