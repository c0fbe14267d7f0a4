/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/jagged/reduce_oracle.h"

#include "testkit/cases/reduce/data.h"

#include <math.h>

/* A list: values first .. first + count - 1. */
typedef struct one_list {
    const mote_jagged_reduce_what *what;
    size_t first, count;
} one_list;

static bool is_float(mote_type type)
{
    return type == MOTE_FLOAT16 || type == MOTE_FLOAT32 || type == MOTE_FLOAT64;
}

/* Returns an unsigned 64-bit number, by its bits. */
int64_t mote_oracle_integer(const mote_jagged_reduce_what *what, size_t i)
{
    switch (what->type) {
    case MOTE_BOOL:
        return ((const uint8_t *)what->values)[i] != 0;
    case MOTE_INT8:
        return ((const int8_t *)what->values)[i];
    case MOTE_UINT8:
        return ((const uint8_t *)what->values)[i];
    case MOTE_INT16:
        return ((const int16_t *)what->values)[i];
    case MOTE_UINT16:
        return ((const uint16_t *)what->values)[i];
    case MOTE_INT32:
        return ((const int32_t *)what->values)[i];
    case MOTE_UINT32:
        return ((const uint32_t *)what->values)[i];
    default:
        return ((const int64_t *)what->values)[i];
    }
}

double mote_oracle_number(const mote_jagged_reduce_what *what, size_t i)
{
    if (what->type == MOTE_FLOAT32)
        return (double)((const float *)what->values)[i];
    if (what->type == MOTE_FLOAT16)
        return mote_half_number(((const uint16_t *)what->values)[i]);
    if (what->type == MOTE_UINT64)
        return (double)((const uint64_t *)what->values)[i];
    return is_float(what->type) ? ((const double *)what->values)[i]
                                : (double)mote_oracle_integer(what, i);
}

static double nothing(const one_list *s)
{
    return s->what->reduction == MOTE_REDUCE_PROD ? 1 : 0;
}

static double join(const one_list *s, double a, double b)
{
    return s->what->reduction == MOTE_REDUCE_PROD ? a * b : a + b;
}

/* Accumulates element i of the list. */
static double take(const one_list *s, double a, size_t i)
{
    double x = mote_oracle_number(s->what, s->first + i);

    return join(s, a, s->what->nan == MOTE_NAN_SKIP && isnan(x) ? nothing(s) : x);
}

/* Combines lane j with lane j + lanes / 2, and so on. */
static double halve(const one_list *s, double *lane, size_t lanes)
{
    for (size_t step = lanes / 2; step > 0; step /= 2)
        for (size_t j = 0; j < step; j++)
            lane[j] = join(s, lane[j], lane[j + step]);
    return lane[0];
}

static void clear(const one_list *s, double *lane, size_t lanes)
{
    for (size_t j = 0; j < lanes; j++)
        lane[j] = nothing(s);
}

/* Accumulates elements begin .. end - 1, in eight lanes. */
static double chunk(const one_list *s, size_t begin, size_t end)
{
    double lane[8];

    clear(s, lane, 8);
    for (size_t i = begin; i < end; i++)
        lane[(i - begin) % 8] = take(s, lane[(i - begin) % 8], i);
    return halve(s, lane, 8);
}

/* Accumulates up to 16 chunks of 256 elements. */
static double block(const one_list *s, size_t begin, size_t end)
{
    double part[16];

    clear(s, part, 16);
    for (size_t c = 0; begin + 256 * c < end; c++) {
        size_t from = begin + 256 * c;

        part[c] = chunk(s, from, end - from < 256 ? end : from + 256);
    }
    return halve(s, part, 16);
}

static double layout(const one_list *s)
{
    double lane[256], a = nothing(s);

    if (s->count <= 32) {
        for (size_t i = 0; i < s->count; i++)
            a = take(s, a, i);
        return a;
    }
    clear(s, lane, 256);
    for (size_t b = 0; b * 4096 < s->count; b++) {
        size_t from = b * 4096, end = s->count - from < 4096 ? s->count : from + 4096;

        lane[b % 256] = join(s, lane[b % 256], block(s, from, end));
    }
    return halve(s, lane, 256);
}

/* The number of values that are not skipped. */
static size_t taken(const one_list *s)
{
    size_t count = 0;

    for (size_t i = 0; i < s->count; i++)
        count += s->what->nan != MOTE_NAN_SKIP || !isnan(mote_oracle_number(s->what, s->first + i));
    return count;
}

void mote_oracle_store_float(void *result, mote_type type, size_t k, double x)
{
    if (type == MOTE_FLOAT32)
        ((float *)result)[k] = isnan(x) ? NAN : (float)x;
    else
        ((double *)result)[k] = isnan(x) ? (double)NAN : x;
}

static void sum_integers(const one_list *s, int64_t *result)
{
    bool sum = s->what->reduction == MOTE_REDUCE_SUM;
    uint64_t a = !sum;

    for (size_t i = 0; i < s->count; i++) {
        uint64_t x = (uint64_t)mote_oracle_integer(s->what, s->first + i);

        a = sum ? a + x : a * x;
    }
    *result = (int64_t)a;
}

/* Returns whether value i is a better result than value j, which precedes it. */
bool mote_oracle_better(const mote_jagged_reduce_what *what, size_t i, size_t j)
{
    bool most = what->reduction == MOTE_REDUCE_MAX || what->reduction == MOTE_REDUCE_ARGMAX;

    if (is_float(what->type)) {
        double x = mote_oracle_number(what, i), y = mote_oracle_number(what, j);

        if (isnan(x) || isnan(y))
            return !isnan(y);
        return most ? x > y : x < y;
    }
    if (what->type == MOTE_UINT64) {
        uint64_t x = (uint64_t)mote_oracle_integer(what, i),
                 y = (uint64_t)mote_oracle_integer(what, j);

        return most ? x > y : x < y;
    }
    return most ? mote_oracle_integer(what, i) > mote_oracle_integer(what, j)
                : mote_oracle_integer(what, i) < mote_oracle_integer(what, j);
}

/* Returns the position of the result in the list; -1 if there is none. */
static int64_t find_best(const one_list *s)
{
    int64_t best = -1;

    for (size_t i = 0; i < s->count; i++) {
        bool skip = s->what->nan == MOTE_NAN_SKIP && is_float(s->what->type) &&
                    isnan(mote_oracle_number(s->what, s->first + i));

        if (!skip &&
            (best < 0 || mote_oracle_better(s->what, s->first + i, s->first + (size_t)best)))
            best = (int64_t)i;
    }
    return best;
}

/* Returns the largest number of a type of integers, or the smallest, by its bits. */
static uint64_t limit(mote_type type, bool largest)
{
    unsigned bits = 8 * (unsigned)mote_type_size(type);
    bool is_signed =
        type == MOTE_INT8 || type == MOTE_INT16 || type == MOTE_INT32 || type == MOTE_INT64;

    if (type == MOTE_BOOL)
        return largest;
    if (is_signed)
        return largest ? ((uint64_t)1 << (bits - 1)) - 1 : (uint64_t)-1 << (bits - 1);
    return largest ? UINT64_MAX >> (64 - bits) : 0;
}

static void store_bits(void *result, mote_type type, size_t k, uint64_t bits)
{
    switch (mote_type_size(type)) {
    case 1:
        ((uint8_t *)result)[k] = (uint8_t)bits;
        break;
    case 2:
        ((uint16_t *)result)[k] = (uint16_t)bits;
        break;
    case 4:
        ((uint32_t *)result)[k] = (uint32_t)bits;
        break;
    default:
        ((uint64_t *)result)[k] = bits;
    }
}

/* Returns the bits of a float16: one of the values, or the result for none. */
static uint64_t half_bits(const mote_jagged_reduce_what *what, size_t best)
{
    if (best == SIZE_MAX)
        return what->reduction == MOTE_REDUCE_MAX ? 0xfc00 : 0x7c00;
    uint16_t bits = ((const uint16_t *)what->values)[best];

    return (bits & 0x7fff) > 0x7c00 ? 0x7e00 : bits;
}

void mote_oracle_store_extreme(const mote_jagged_reduce_what *what, size_t best, size_t k,
                               void *result)
{
    bool most = what->reduction == MOTE_REDUCE_MAX, none = best == SIZE_MAX;

    if (what->type == MOTE_FLOAT16)
        store_bits(result, what->type, k, half_bits(what, best));
    else if (is_float(what->type))
        mote_oracle_store_float(result, what->type, k,
                                !none  ? mote_oracle_number(what, best)
                                : most ? -INFINITY
                                       : INFINITY);
    else
        store_bits(result, what->type, k,
                   none ? limit(what->type, !most) : (uint64_t)mote_oracle_integer(what, best));
}

static void store_extreme(const one_list *s, size_t k, void *result)
{
    int64_t best = find_best(s);

    mote_oracle_store_extreme(s->what, best < 0 ? SIZE_MAX : s->first + (size_t)best, k, result);
}

static size_t count_nonzero(const one_list *s)
{
    size_t count = 0;

    for (size_t i = 0; i < s->count; i++)
        if (is_float(s->what->type))
            count += mote_oracle_number(s->what, s->first + i) != 0;
        else
            count += mote_oracle_integer(s->what, s->first + i) != 0;
    return count;
}

static void reduce(const one_list *s, mote_type index, size_t k, void *result)
{
    switch (s->what->reduction) {
    case MOTE_REDUCE_SUM:
    case MOTE_REDUCE_PROD:
        if (is_float(s->what->type))
            mote_oracle_store_float(result, s->what->result, k, layout(s));
        else
            sum_integers(s, (int64_t *)result + k);
        break;
    case MOTE_REDUCE_MEAN:
        mote_oracle_store_float(result, s->what->result, k, layout(s) / (double)taken(s));
        break;
    case MOTE_REDUCE_VAR:
    case MOTE_REDUCE_STD:
        mote_oracle_store_float(result, s->what->result, k,
                                mote_oracle_variance(s->what, s->first, s->count));
        break;
    case MOTE_REDUCE_MIN:
    case MOTE_REDUCE_MAX:
        store_extreme(s, k, result);
        break;
    case MOTE_REDUCE_ARGMIN:
    case MOTE_REDUCE_ARGMAX:
        mote_index_set(result, index, k, find_best(s));
        break;
    case MOTE_REDUCE_COUNT:
        mote_index_set(result, index, k, (int64_t)s->count);
        break;
    case MOTE_REDUCE_COUNTNONZERO:
        mote_index_set(result, index, k, (int64_t)count_nonzero(s));
        break;
    case MOTE_REDUCE_ANY:
        ((uint8_t *)result)[k] = count_nonzero(s) > 0;
        break;
    case MOTE_REDUCE_ALL:
        ((uint8_t *)result)[k] = count_nonzero(s) == s->count;
        break;
    }
}

void mote_oracle_jagged_reduce(const mote_case_lists *lists, const mote_jagged_reduce_what *what,
                               void *result)
{
    int64_t shift = what->base_first ? mote_index_get(lists->offsets, lists->type, 0) : 0;

    for (size_t k = 0; k < lists->count; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        reduce(&(one_list){what, (size_t)(begin - shift), (size_t)(end - begin)}, lists->type, k,
               result);
    }
}

mote_type mote_jagged_reduce_result_type(mote_reduction reduction, mote_type values,
                                         mote_type offsets)
{
    uint32_t types = mote_reduction_results(reduction, values, offsets);
    unsigned type = MOTE_BOOL;

    while (types >> type > 1 && !(types >> type & 1))
        type++;
    return (mote_type)type;
}

bool mote_jagged_reduce_rounds(mote_reduction reduction, mote_type values)
{
    bool taken = reduction == MOTE_REDUCE_MIN || reduction == MOTE_REDUCE_MAX;

    return !taken && is_float(mote_jagged_reduce_result_type(reduction, values, MOTE_INT32));
}
