/* SPDX-License-Identifier: Apache-2.0 */
#include "checks.h"

#include <math.h>

/* A value; every so-manyth is 0, some of a kind that is easily taken for another. */
static void set_value(void *values, mote_type type, size_t i, uint32_t every, mote_rng *rng)
{
    static const double odd[] = {NAN, -0.0, INFINITY, 1e-40, 4.9e-324, -1, 3};
    static const uint16_t odd_halves[] = {0x7e00, 0x8000, 0x7c00, 0x0001, 0x8001, 0xbc00, 0x4200};
    bool zero = mote_rng_below(rng, every) == 0;
    uint64_t bits = mote_rng_next(rng);

    if (type == MOTE_FLOAT32)
        ((float *)values)[i] = zero ? 0.0f : (float)odd[bits % 7];
    else if (type == MOTE_FLOAT64)
        ((double *)values)[i] = zero ? 0.0 : odd[bits % 7];
    else if (type == MOTE_FLOAT16)
        ((uint16_t *)values)[i] = zero ? 0 : odd_halves[bits % 7];
    else if (mote_type_size(type) == 1)
        ((uint8_t *)values)[i] = zero ? 0 : (uint8_t)(bits % 255 + 1);
    else if (mote_type_size(type) == 2)
        ((uint16_t *)values)[i] = zero ? 0 : (uint16_t)(bits & 0xff00);
    else if (mote_type_size(type) == 8)
        ((uint64_t *)values)[i] = zero ? 0 : bits & 0xffffffff00000000u;
    else
        ((uint32_t *)values)[i] = zero ? 0 : (uint32_t)bits;
}

void *make_values(size_t n, mote_type type, uint32_t every, uint64_t seed)
{
    void *values = make_array(n, type);
    mote_rng rng;

    mote_rng_seed(&rng, seed);
    for (size_t i = 0; i < n; i++)
        set_value(values, type, i, every, &rng);
    return values;
}

void check_nonzero(bed *b, cl_command_queue queue, const nonzero_case *c)
{
    mote_type type = c->lists->type;
    size_t m = c->lists->count;
    uint32_t index = 0;
    mote_status status = mote_oracle_find_error(c->lists, c->n, false, &index);
    void *offsets = make_array(m + 1, type), *positions = make_array(c->capacity, type);
    mote_guard in = bed_array(b, "offsets", type, m + 1, c->lists->offsets), scratch = {0};
    mote_guard values = bed_array(b, "values", c->type, c->n, c->values);
    mote_guard out = bed_array(b, "offsets_out", type, m + 1, NULL);
    mote_guard kept = bed_array(b, "positions", type, c->capacity, NULL);
    mote_jagged_nonzero_args args;
    held h;

    memset(positions, 0xA5, c->capacity * mote_type_size(type));
    if (!status)
        index = (uint32_t)mote_oracle_nonzero(c->lists, c->values, c->type, offsets, positions,
                                              c->capacity);
    bool bad = status != MOTE_SUCCESS;
    if (!bad && index > c->capacity)
        status = MOTE_ERROR_CAPACITY;
    mote_jagged_nonzero_args_init(&args);
    held_begin(b, &h);
    args.offsets = in.view;
    args.values = values.view;
    args.offsets_out = out.view;
    args.positions = kept.view;
    HELD_ERROR(&h, &args);
    if (c->workspace) {
        size_t bytes = 0;

        bed_ok(mote_jagged_nonzero_workspace_size(b->ctx, &args, &bytes));
        scratch = held_workspace(b, bytes);
        args.workspace = scratch.view;
    }
    held_run(b, &h, mote_jagged_nonzero(b->ctx, queue, &args, 1, &h.gate, &h.done), status, index,
             c->label);
    bed_unchanged(b, &in, c->lists->offsets, h.done, c->label);
    bed_unchanged(b, &values, c->values, h.done, c->label);
    if (c->workspace)
        held_margins(b, &h, &scratch, c->label);
    held_expect(b, &h, &out, offsets, bad ? status : MOTE_SUCCESS, c->label);
    held_expect(b, &h, &kept, positions, bad ? status : MOTE_SUCCESS, c->label);
    held_end(&h);
    free(offsets);
    free(positions);
}

void check_gather(bed *b, cl_command_queue queue, const mote_case_lists *lists,
                  mote_type value_type, size_t capacity, mote_jagged_validate validate,
                  const char *label)
{
    size_t m = lists->count, size = mote_type_size(value_type);
    uint32_t index = 0;
    mote_status status = mote_oracle_find_error(lists, MOTE_NO_CONTENT, false, &index);
    size_t n = status ? 0 : mote_case_lists_elements(lists), room = n > capacity ? n : capacity;
    unsigned char *values = make_array(m, value_type), *expected = make_array(room, value_type);
    mote_jagged_gather_by_parent_args args;
    mote_rng rng;
    held h;

    mote_rng_seed(&rng, fresh_seed());
    for (size_t i = 0; i < m * size; i++)
        values[i] = (unsigned char)mote_rng_next(&rng);
    memset(expected, 0xA5, room * size);
    if (!status)
        mote_oracle_gather(lists, values, size, expected);
    bool bad = status != MOTE_SUCCESS;
    if (n > capacity) {
        status = MOTE_ERROR_CAPACITY;
        index = (uint32_t)n;
    }
    mote_guard in = bed_array(b, "offsets", lists->type, m + 1, lists->offsets);
    mote_guard from = bed_array(b, "values", value_type, m, values);
    mote_guard out = bed_array(b, "result", value_type, capacity, NULL);
    mote_jagged_gather_by_parent_args_init(&args);
    held_begin(b, &h);
    args.offsets = in.view;
    args.values = from.view;
    args.result = out.view;
    args.validate = validate;
    HELD_ERROR(&h, &args);
    held_run(b, &h, mote_jagged_gather_by_parent(b->ctx, queue, &args, 1, &h.gate, &h.done), status,
             index, label);
    bed_unchanged(b, &in, lists->offsets, h.done, label);
    bed_unchanged(b, &from, values, h.done, label);
    held_expect(b, &h, &out, expected, bad ? status : MOTE_SUCCESS, label);
    held_end(&h);
    free(values);
    free(expected);
}

/* Makes element i of any type from a random number; gives the number that it is. */
static double put_element(void *elements, mote_type type, size_t i, uint64_t random)
{
    static const uint16_t halves[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0xc600, 0x3800};
    static const double numbers[] = {0, 1, 2, 3, 4, 5, -6, 0.5};
    const unsigned char *bytes = (const unsigned char *)&random;
    float real = (float)(int32_t)random / 7;
    double wide = (double)(int64_t)random / 7;
    size_t size = mote_type_size(type);
    void *at = (char *)elements + i * size;

    if (type == MOTE_BOOL)
        *(uint8_t *)at = (uint8_t)(random % 3); /* 2 is true, too, and as much as 1 */
    else if (type == MOTE_FLOAT16)
        *(uint16_t *)at = halves[random & 7];
    else if (type == MOTE_FLOAT32)
        *(float *)at = real;
    else
        memcpy(at, type == MOTE_FLOAT64 ? (const unsigned char *)&wide : bytes, size);
    switch (type) {
    case MOTE_INT8:
        return *(int8_t *)at;
    case MOTE_BOOL:
        return *(uint8_t *)at != 0;
    case MOTE_UINT8:
        return *(uint8_t *)at;
    case MOTE_INT16:
        return *(int16_t *)at;
    case MOTE_UINT16:
        return *(uint16_t *)at;
    case MOTE_INT32:
        return *(int32_t *)at;
    case MOTE_UINT32:
        return *(uint32_t *)at;
    case MOTE_INT64:
        return (double)*(int64_t *)at;
    case MOTE_UINT64:
        return (double)*(uint64_t *)at;
    case MOTE_FLOAT16:
        return numbers[random & 7];
    case MOTE_FLOAT32:
        return real;
    default:
        return wide;
    }
}

void check_differences(bed *b, cl_command_queue queue, const mote_case_lists *lists,
                       mote_type element_type, bool squared, const char *label)
{
    if (!mote_context_device(b->ctx)->has_fp64) {
        printf("# left out without double precision: %s\n", label);
        return;
    }
    size_t m = lists->count, n = mote_case_lists_elements(lists), at = 0;
    double *values = make_array(m, MOTE_FLOAT64), *expected = make_array(n, MOTE_FLOAT64);
    void *elements = make_array(n, element_type);
    mote_jagged_gather_by_parent_args args;
    mote_rng rng;
    held h;

    mote_rng_seed(&rng, fresh_seed());
    for (size_t k = 0; k < m; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        /* From 2^61 to 42, so that small elements are seen, too. */
        values[k] = (double)(int64_t)mote_rng_next(&rng) / 3 / (double)(1ull << (k % 8 * 8));
        for (int64_t i = begin; i < end; i++, at++) {
            double rest = put_element(elements, element_type, at, mote_rng_next(&rng)) - values[k];
            expected[at] = squared ? rest * rest : rest;
        }
    }
    mote_guard in = bed_array(b, "offsets", lists->type, m + 1, lists->offsets);
    mote_guard from = bed_array(b, "values", MOTE_FLOAT64, m, values);
    mote_guard each = bed_array(b, "elements", element_type, n, elements);
    mote_guard out = bed_array(b, "result", MOTE_FLOAT64, n, NULL);
    mote_jagged_gather_by_parent_args_init(&args);
    held_begin(b, &h);
    args.offsets = in.view;
    args.values = from.view;
    args.elements = each.view;
    args.result = out.view;
    args.squared = squared;
    HELD_ERROR(&h, &args);
    held_run(b, &h, mote_jagged_gather_by_parent(b->ctx, queue, &args, 1, &h.gate, &h.done),
             MOTE_SUCCESS, 0, label);
    bed_unchanged(b, &in, lists->offsets, h.done, label);
    bed_unchanged(b, &from, values, h.done, label);
    bed_unchanged(b, &each, elements, h.done, label);
    held_expect(b, &h, &out, expected, MOTE_SUCCESS, label);
    held_end(&h);
    free(values);
    free(elements);
    free(expected);
}

static mote_status call_it(bed *b, cl_command_queue queue, const combine_case *c,
                           const mote_jagged_combinations_args *args, held *h)
{
    if (c->b)
        return mote_jagged_product(b->ctx, queue, args, 1, &h->gate, &h->done);
    return mote_jagged_pairs(b->ctx, queue, args, 1, &h->gate, &h->done);
}

void check_combine(bed *b, cl_command_queue queue, const combine_case *c)
{
    mote_type type = c->a->type;
    size_t m = c->a->count, n = 0, bytes = 0;
    void *offsets = make_array(m + 1, type), *first = make_array(c->capacity, type);
    void *second = make_array(c->capacity, type);
    mote_guard in_a = bed_array(b, "offsets_a", type, m + 1, c->a->offsets), in_b = {0};
    mote_guard out = bed_array(b, "offsets", type, m + 1, NULL), scratch = {0};
    mote_guard one = bed_array(b, "first", type, c->capacity, NULL);
    mote_guard two = bed_array(b, "second", type, c->capacity, NULL);
    mote_status status = c->status;
    uint32_t index = c->index;
    mote_jagged_combinations_args args;
    held h;

    memset(first, 0xA5, c->capacity * mote_type_size(type));
    memset(second, 0xA5, c->capacity * mote_type_size(type));
    if (!status && c->b)
        n = mote_oracle_product(c->a, c->b, offsets, first, second, c->capacity);
    else if (!status)
        n = mote_oracle_pairs(c->a, offsets, first, second, c->capacity);
    if (n > c->capacity) {
        status = MOTE_ERROR_CAPACITY;
        index = (uint32_t)n;
    }
    mote_jagged_combinations_args_init(&args);
    held_begin(b, &h);
    args.offsets_a = in_a.view;
    if (c->b) {
        in_b = bed_array(b, "offsets_b", type, m + 1, c->b->offsets);
        args.offsets_b = in_b.view;
    }
    args.offsets = out.view;
    args.first = one.view;
    args.second = two.view;
    HELD_ERROR(&h, &args);
    bed_ok(mote_jagged_combinations_workspace_size(b->ctx, &args, &bytes));
    if (c->workspace) {
        scratch = held_workspace(b, bytes);
        args.workspace = scratch.view;
    }
    held_run(b, &h, call_it(b, queue, c, &args, &h), status, index, c->label);
    bed_unchanged(b, &in_a, c->a->offsets, h.done, c->label);
    if (c->b)
        bed_unchanged(b, &in_b, c->b->offsets, h.done, c->label);
    if (c->workspace)
        held_margins(b, &h, &scratch, c->label);
    held_expect(b, &h, &out, offsets, c->status, c->label);
    held_expect(b, &h, &one, first, c->status, c->label);
    held_expect(b, &h, &two, second, c->status, c->label);
    held_end(&h);
    free(offsets);
    free(first);
    free(second);
}
