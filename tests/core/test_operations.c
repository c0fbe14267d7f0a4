/* SPDX-License-Identifier: Apache-2.0 */
/* The list of operations, and how mote_prepare() distinguishes their arguments. */
#include <string.h>

#include "common/suite.h"
#include "operations.h"

typedef struct row {
    mote_operation number;
    const mote_descriptor *operation;
} row;

#define ROW(number, descriptor) {number, &descriptor},
static const row rows[] = {MOTE_OPERATIONS(ROW)};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

START_TEST(every_number_has_one_descriptor)
{
    const mote_descriptor *by_number[ROWS + 1] = {0};
    for (size_t i = 0; i < ROWS; i++) {
        const mote_descriptor *o = rows[i].operation;
        size_t number = (size_t)rows[i].number;
        ck_assert_msg(number >= 1 && number <= ROWS && !by_number[number], "%zu", number);
        by_number[number] = o;
        ck_assert_str_eq(strstr(o->name, "mote_"), o->name);
        ck_assert_str_eq(strstr(o->init, "_args_init"), "_args_init");
        ck_assert_uint_ge(o->plan_size, o->args_size);
        ck_assert_uint_le(o->plan_size, MOTE_PLAN_BYTES);
        ck_assert_uint_lt(o->workspace_at, o->args_size);
        ck_assert_uint_lt(o->error_offset_at, o->args_size);
        ck_assert(o->check && o->launch && (!o->error_at == !o->error_offset_at));
    }
}
END_TEST

/* Tests each operation with each structure, as its initialiser sets it. */
START_TEST(structures_are_told_apart)
{
    mote_context *ctx;
    unsigned char args[MOTE_PLAN_BYTES] = {0};
    ck_assert_int_eq(mote_context_open(NULL, &ctx), MOTE_SUCCESS);
    for (size_t i = 0; i < ROWS * ROWS; i++) {
        const mote_descriptor *takes = rows[i / ROWS].operation, *given = rows[i % ROWS].operation;
        if (takes->args_size == given->args_size)
            continue;
        memcpy(args, &given->args_size, sizeof(given->args_size));
        ck_assert_int_eq(mote_prepare(ctx, rows[i / ROWS].number, args), MOTE_ERROR_INVALID_STRUCT);
        ck_assert_ptr_nonnull(strstr(mote_last_error(), takes->init));
        ck_assert_msg(strstr(mote_last_error(), "_args_init() sets it"), "%s", mote_last_error());
    }
    ck_assert_int_eq(mote_prepare(ctx, rows[0].number, NULL), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_prepare(ctx, (mote_operation)0, args), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_prepare(ctx, (mote_operation)(ROWS + 1), args),
                     MOTE_ERROR_INVALID_ARGUMENT);
    mote_context_release(ctx);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(every_number_has_one_descriptor),
    SUITE_TEST(structures_are_told_apart),
};

SUITE_MAIN("operations", tests)
