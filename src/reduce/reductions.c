/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reductions.h"
#include "core/check.h"
#include "core/fail.h"
#include "core/text.h"
#include "core/type.h"

#define ROW(member, word, whole, kernel, how, of_integers, of_floats, about)                       \
    [MOTE_REDUCE_##member] = {                                                                     \
        "MOTE_REDUCE_" #member, word, whole, kernel, how, of_integers, of_floats, about},
static const mote_reduction_row reductions[] = {MOTE_REDUCTIONS(ROW)};

/* Bits of a row's set of types that stand for a type of the call, such as the type of its values.
 */
#define MARKS (MOTE_RESULT_AS_VALUES | MOTE_RESULT_AS_OFFSETS | MOTE_RESULT_ADDED)

const mote_reduction_row *mote_reduction_find(mote_reduction reduction)
{
    return (size_t)reduction < MOTE_REDUCTION_COUNT ? &reductions[reduction] : NULL;
}

const char *mote_reduction_name(mote_reduction reduction)
{
    const mote_reduction_row *row = mote_reduction_find(reduction);
    return row ? row->word : NULL;
}

const char *mote_reduction_about(mote_reduction reduction)
{
    const mote_reduction_row *row = mote_reduction_find(reduction);
    return row ? row->about : NULL;
}

static uint32_t bit_of(mote_type type)
{
    return mote_type_in(~(MARKS | MOTE_TYPE_BIT(MOTE_TYPE_NONE)), type);
}

static mote_type added(mote_type values)
{
    return values == MOTE_FLOAT16          ? MOTE_FLOAT32
           : mote_type_is_float(values)    ? values
           : mote_type_is_unsigned(values) ? MOTE_UINT64
                                           : MOTE_INT64;
}

uint32_t mote_reduction_results(mote_reduction reduction, mote_type values, mote_type offsets)
{
    const mote_reduction_row *row = mote_reduction_find(reduction);
    uint32_t types = !row ? 0 : mote_type_is_float(values) ? row->of_floats : row->of_integers;
    if (!bit_of(values))
        types &= MOTE_RESULT_AS_OFFSETS;
    if (types & MOTE_RESULT_AS_VALUES)
        types |= bit_of(values);
    if (types & MOTE_RESULT_AS_OFFSETS)
        types |= bit_of(offsets);
    if (types & MOTE_RESULT_ADDED)
        types |= bit_of(added(values));
    return types & ~MARKS;
}

mote_type mote_reduction_usual_result(mote_reduction reduction, mote_type values, mote_type offsets)
{
    uint32_t types = mote_reduction_results(reduction, values, offsets);
    unsigned type = 0;
    while (types >> type > 1 && !(types >> type & 1))
        type++;
    return types ? (mote_type)type : MOTE_TYPE_NONE;
}

mote_status mote_reduction_check_whole(const char *function, mote_reduction reduction)
{
    const mote_reduction_row *row = mote_reduction_find(reduction);
    mote_text words = {0};
    if (row && row->whole)
        return MOTE_SUCCESS;
    for (size_t k = 0; k < MOTE_REDUCTION_COUNT; k++)
        if (reductions[k].whole)
            mote_text_add(&words, "%s%s (%zu)", words.length ? " or " : "", reductions[k].name, k);
    mote_status st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: reduction is %d, but must be %s",
                               function, (int)reduction, mote_text_get(&words));
    mote_text_free(&words);
    return st;
}
