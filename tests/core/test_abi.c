/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of another version: structures that are shorter or longer than the library's, the sizes
 * in 0.1, and the names of numbers, whose lists may be longer in later versions. */
#include <stdlib.h>
#include <string.h>

#include "common/suite.h"
#include "core/check.h"
#include "mote/mote.h"

#define POISON 0xa5

/* The sizes in programs compiled with 0.1, on machines with 64-bit pointers. Later versions may
 * only append members. */
static const struct {
    const char *name;
    size_t now, in_0_1;
} sizes[] = {
#include "abi_sizes.inc"
};

START_TEST(structures_only_grow)
{
    for (size_t i = 0; sizeof(void *) == 8 && i < sizeof(sizes) / sizeof(sizes[0]); i++)
        ck_assert_msg(sizes[i].now >= sizes[i].in_0_1, "%s has %zu bytes, but had %zu in 0.1",
                      sizes[i].name, sizes[i].now, sizes[i].in_0_1);
}
END_TEST

/* A structure is read up to its own size, and written up to it. */
START_TEST(shorter_and_longer_results)
{
    struct {
        size_t size;
        uint32_t first, second, more[14];
    } own = {sizeof(own), 1, 2, {3}}, callers;
    memset(&callers, POISON, sizeof(callers));
    callers.size = sizeof(size_t) + sizeof(uint32_t);
    ck_assert_int_eq(mote_check_result("f", "f_init", &callers, sizeof(own)), MOTE_SUCCESS);
    mote_give_result(&callers, &own, sizeof(own));
    ck_assert(callers.first == 1 && callers.second == 0xa5a5a5a5u);
    callers.size = sizeof(callers);
    size_t known = sizeof(size_t) + 2 * sizeof(uint32_t);
    ck_assert_int_eq(mote_check_result("f", "f_init", &callers, known), MOTE_SUCCESS);
    mote_give_result(&callers, &own, known);
    ck_assert(callers.first == 1 && callers.second == 2 && callers.more[0] == 0);
    ck_assert_uint_eq(callers.size, sizeof(callers));
    callers.size = 0;
    ck_assert_int_eq(mote_check_result("f", "f_init", &callers, known), MOTE_ERROR_INVALID_STRUCT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "f_init"));
}
END_TEST

/* The array has the stride of the calling program. */
START_TEST(devices_of_another_stride)
{
    mote_device_info *own, *other;
    size_t count, same;
    ck_assert_int_eq(mote_devices(sizeof(*own), &own, &count), MOTE_SUCCESS);
    ck_assert_uint_gt(count, 0);
    const size_t strides[] = {offsetof(mote_device_info, vendor), sizeof(*own) + 256};
    for (size_t k = 0; k < 2; k++) {
        ck_assert_int_eq(mote_devices(strides[k], &other, &same), MOTE_SUCCESS);
        ck_assert_uint_eq(same, count);
        size_t shared = strides[k] < sizeof(*own) ? strides[k] : sizeof(*own);
        for (size_t i = 0; i < count; i++) {
            const char *there = (const char *)other + i * strides[k];
            ck_assert_mem_eq(there, &strides[k], sizeof(size_t));
            ck_assert_mem_eq(there + sizeof(size_t), (const char *)&own[i] + sizeof(size_t),
                             offsetof(mote_device_info, platform_id) < shared
                                 ? offsetof(mote_device_info, device) - sizeof(size_t)
                                 : shared - sizeof(size_t));
        }
        mote_devices_free(other);
    }
    ck_assert_int_eq(mote_devices(0, &other, &same), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_devices(sizeof(*own) + 1, &other, &same), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_null(other);
    mote_devices_free(own);
}
END_TEST

/* A program of 0.1 has no memory after its own members. */
START_TEST(room_of_a_program_of_0_1)
{
    const float values[] = {1, 2, 4};
    double sum = 0;
    mote_context *ctx;
    mote_reduce_host_args *args = malloc(sizeof(*args) + 64);
    ck_assert_ptr_nonnull(args);
    ck_assert_int_eq(mote_context_open(NULL, &ctx), MOTE_SUCCESS);
    memset((void *)args, POISON, sizeof(*args) + 64);
    *args = (mote_reduce_host_args)MOTE_REDUCE_HOST_ARGS_INIT;
    args->values = values;
    args->type = MOTE_FLOAT32;
    args->n = 3;
    args->result = &sum;
    ck_assert_int_eq(mote_reduce_host(ctx, NULL, args), MOTE_SUCCESS);
    ck_assert(sum == 7);
    args->size += 64;
    ck_assert_int_eq(mote_reduce_host(ctx, NULL, args), MOTE_ERROR_INVALID_STRUCT);
    memset((char *)args + sizeof(*args), 0, 64);
    ck_assert_int_eq(mote_reduce_host(ctx, NULL, args), MOTE_SUCCESS);
    mote_context_release(ctx);
    free(args);
}
END_TEST

/* The numbers that have a name are consecutive. */
#define CHECK_NAMES(type, first, count)                                                            \
    do {                                                                                           \
        for (int n = (first); n < (first) + (count); n++)                                          \
            ck_assert_msg(type##_name((type)n) && *type##_name((type)n), #type " %d", n);          \
        ck_assert_ptr_null(type##_name((type)((first) + (count))));                                \
        ck_assert_ptr_null(type##_name((type)-1));                                                 \
    } while (0)

START_TEST(names_of_numbers)
{
    CHECK_NAMES(mote_device_class, 1, 2);
    CHECK_NAMES(mote_log_level, 0, 5);
    CHECK_NAMES(mote_nan_policy, 0, 2);
    CHECK_NAMES(mote_accumulation, 0, 3);
    CHECK_NAMES(mote_jagged_strategy, 0, 4);
    CHECK_NAMES(mote_jagged_validate, 0, 3);
    CHECK_NAMES(mote_jagged_overlap, 0, 3);
    CHECK_NAMES(mote_pixels_duplicates, 0, 4);
    CHECK_NAMES(mote_pixels_order, 0, 2);
    CHECK_NAMES(mote_pixels_strategy, 0, 3);
    CHECK_NAMES(mote_coordination_mode, 0, 3);
    CHECK_NAMES(mote_pbc, 0, 3);
    CHECK_NAMES(mote_precision, 0, 3);
    CHECK_NAMES(mote_coordination_method, 0, 3);
    CHECK_NAMES(mote_derivatives_of, 0, 2);
    CHECK_NAMES(mote_steinhardt_reduction, 0, 5);
    ck_assert_str_eq(mote_pixels_strategy_name(MOTE_PIXELS_UNION_FIND), "union_find");
    ck_assert_str_eq(mote_pbc_name(MOTE_PBC_TRICLINIC), "triclinic");
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(structures_only_grow),      SUITE_TEST(shorter_and_longer_results),
    SUITE_TEST(devices_of_another_stride), SUITE_TEST(room_of_a_program_of_0_1),
    SUITE_TEST(names_of_numbers),
};

SUITE_MAIN("abi", tests)
