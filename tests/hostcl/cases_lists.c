/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of many blocks, without an error word, without double precision; decreasing offsets, which
 * only the error word must report. */
#include "cases.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/guard.h"

static const mote_lists_case shapes[] = {
    {"one of 70000", {MOTE_LENGTH_ONE_HUGE, 9, 20, 70000, 0}, 3, 0},
    {"two of 9000", {MOTE_LENGTH_CONSTANT, 2, 9000, 0, 0}, 0, 5},
    {"around 32", {MOTE_LENGTH_BOUNDARY, 60, 0, 32, 0}, 0, 0},
    {"few each", {MOTE_LENGTH_POISSON, 300, 3, 0, 0}, 2, 0},
};
#define SHAPES (sizeof(shapes) / sizeof(shapes[0]))

static void long_lists(bool narrow)
{
    static const struct {
        mote_reduction reduction;
        mote_type type;
    } questions[] = {
        {MOTE_REDUCE_SUM, MOTE_FLOAT32},    {MOTE_REDUCE_PROD, MOTE_FLOAT32},
        {MOTE_REDUCE_SUM, MOTE_INT32},      {MOTE_REDUCE_COUNT, MOTE_FLOAT32},
        {MOTE_REDUCE_MAX, MOTE_FLOAT64},    {MOTE_REDUCE_ARGMIN, MOTE_INT64},
        {MOTE_REDUCE_ARGMAX, MOTE_FLOAT32}, {MOTE_REDUCE_MIN, MOTE_BOOL},
        {MOTE_REDUCE_ALL, MOTE_INT32},      {MOTE_REDUCE_COUNTNONZERO, MOTE_FLOAT64},
    };
    for (size_t q = 0; q < (narrow ? 2 : sizeof(questions) / sizeof(questions[0])); q++)
        for (size_t k = 0; k < 2 * SHAPES; k++)
            more_reduce((uint8_t[]){(uint8_t)questions[q].type, (uint8_t)questions[q].reduction, 0,
                                    k % 2 ? MOTE_NAN_SKIP : MOTE_NAN_PROPAGATE,
                                    k % 4 == 1 ? MOTE_INT64 : MOTE_INT32,
                                    MOTE_JAGGED_VALIDATE_TOUCHED},
                        &(trial_lists_given){.shape = &shapes[k % SHAPES], .fault = -1}, q + 7 * k);
}

/* The operation on the lists. */
typedef enum kind { GATHERED, PAIRS, PRODUCT, PARENTS, INDICES, KINDS } kind;

typedef struct arrays {
    mote_guard in, values, offsets, one, two, word;
} arrays;

static mote_status enqueue(kind what, const arrays *a, mote_jagged_validate validate, bool silent)
{
    mote_jagged_gather_by_parent_args gather;
    mote_jagged_combinations_args both;
    mote_jagged_parents_args parents;
    mote_jagged_local_index_args index;
    mote_jagged_gather_by_parent_args_init(&gather);
    mote_jagged_combinations_args_init(&both);
    mote_jagged_parents_args_init(&parents);
    mote_jagged_local_index_args_init(&index);
    gather.offsets = both.offsets_a = parents.offsets = index.offsets = a->in.view;
    gather.values = a->values.view;
    gather.result = both.first = parents.parents = index.local_index = a->one.view;
    both.offsets = a->offsets.view;
    both.second = a->two.view;
    both.second.offset += 1; /* with a different alignment */
    both.second.count = both.first.count -= 1;
    if (what == PRODUCT)
        both.offsets_b = a->in.view;
    gather.validate = both.validate = parents.validate = index.validate = validate;
    parents.strategy = index.strategy = MOTE_JAGGED_BALANCED;
    if (!silent)
        gather.error = both.error = parents.error = index.error = a->word.view.mem;
    index.error_keep = 1;
    gather.error_offset = both.error_offset = parents.error_offset = index.error_offset =
        a->word.view.offset * sizeof(uint32_t);
    return what == GATHERED
               ? mote_jagged_gather_by_parent(more_ctx, more_queue, &gather, 0, NULL, NULL)
           : what == PAIRS   ? mote_jagged_pairs(more_ctx, more_queue, &both, 0, NULL, NULL)
           : what == PRODUCT ? mote_jagged_product(more_ctx, more_queue, &both, 0, NULL, NULL)
           : what == PARENTS ? mote_jagged_parents(more_ctx, more_queue, &parents, 0, NULL, NULL)
                             : mote_jagged_local_index(more_ctx, more_queue, &index, 0, NULL, NULL);
}

static bool create(arrays *a, mote_type type, size_t m, const int64_t *offsets, size_t n)
{
    int32_t narrow[16];
    mote_error_word clear;
    memset(&clear, 0xff, sizeof(clear));
    for (size_t k = 0; k <= m; k++)
        narrow[k] = (int32_t)offsets[k];
    const void *contents = type == MOTE_INT64 ? (const void *)offsets : narrow;
    return !mote_guard_create(&a->in, more_ctx, more_queue, "lists", type, m + 1, contents) &&
           !mote_guard_create(&a->values, more_ctx, more_queue, "values", type, m, offsets) &&
           !mote_guard_create(&a->offsets, more_ctx, more_queue, "offsets", type, m + 1, NULL) &&
           !mote_guard_create(&a->one, more_ctx, more_queue, "first", type, n, NULL) &&
           !mote_guard_create(&a->two, more_ctx, more_queue, "second", type, n, NULL) &&
           !mote_guard_create(&a->word, more_ctx, more_queue, "error word", MOTE_UINT32,
                              MOTE_ERROR_SLOTS, &clear);
}

/* Only outputs may be written, and an error must be reported unless `silent` is set. */
static void hostile(kind what, mote_type type, size_t m, const int64_t *offsets, size_t n,
                    mote_jagged_validate validate, bool silent)
{
    arrays a = {0};
    mote_error_word word = {0};
    mote_guard *const all[] = {&a.in, &a.values, &a.offsets, &a.one, &a.two};
    snprintf(more_message, sizeof(more_message), "nothing is told");
    bool good = create(&a, type, m, offsets, n);
    if (good && enqueue(what, &a, validate, silent)) {
        snprintf(more_message, sizeof(more_message), "%s", mote_last_error());
        good = false;
    }
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
        good = good && mote_guard_read(all[k], more_queue, NULL, 0, NULL, more_message,
                                       sizeof(more_message));
    }
    good = good &&
           mote_guard_read(&a.word, more_queue, &word, 0, NULL, more_message, sizeof(more_message));
    more_count(good && (silent || mote_error_decode(&word, NULL)), "offsets that go back");
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
        mote_guard_release(all[k]);
    mote_guard_release(&a.word);
}

static void hostile_all(void)
{
    static const int64_t offsets[][8] = {{5, 7, 3, 3, 9, 4, 4, 2},
                                         {900, 0, 0, 0, 0, 0, 0, 0},
                                         {0, 40, 90, 80, 90, 2000000000, 30, 31},
                                         {0, -1, 5, -9, 2000, 17, 18, 700}};
    static const int64_t right[] = {0, 9, 20, 20, 33, 40, 41, 60};
    for (size_t k = 0; k < 4 * KINDS; k++)
        for (size_t t = 0; t < 2; t++)
            hostile((kind)(k % KINDS), t ? MOTE_INT64 : MOTE_INT32, 7, offsets[k / KINDS], 1000,
                    k % 2 ? MOTE_JAGGED_VALIDATE_FULL : MOTE_JAGGED_VALIDATE_DEFAULT, false);
    for (size_t k = 0; k < KINDS; k++) {
        hostile((kind)k, MOTE_INT32, 7, offsets[k % 4], 1000, MOTE_JAGGED_VALIDATE_DEFAULT, true);
        hostile((kind)k, MOTE_INT32, 7, right, 1000, MOTE_JAGGED_VALIDATE_DEFAULT, true);
    }
    hostile(PARENTS, MOTE_INT32, 0, right, 1000, MOTE_JAGGED_VALIDATE_DEFAULT, true);
}

void cases_lists(void)
{
    const char *tune = getenv("MOTE_TUNE");
    bool narrow = tune && strstr(tune, "jagged_reduce.fp64=0");
    long_lists(narrow);
    if (!narrow)
        hostile_all();
}
