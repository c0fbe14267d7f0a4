/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments that are rejected before anything is enqueued, with a sentence that names them. */
#include <string.h>

#include "call_bed.h"
#include "core/check.h"
#include "common/suite.h"

typedef struct trial_args {
    size_t size;
    uint64_t a, b;
} trial_args;

static bed b;
static mote_call call;
static cl_mem room; /* 400 bytes */

static void setup(void)
{
    cl_int code;
    call_bed_open(&b, NULL);
    bed_ok(mote_call_begin(&call, "mote_trial", b.ctx, b.in_order, false, 0, NULL, NULL));
    room = clCreateBuffer(mote_context_cl(b.ctx), CL_MEM_READ_WRITE, 400, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
}

static void teardown(void)
{
    clReleaseMemObject(room);
    bed_ok(mote_call_end(&call, MOTE_SUCCESS));
    call_bed_close(&b);
}

static mote_status check_args(const void *args, trial_args *copy)
{
    memset(copy, 0xee, sizeof(*copy));
    return mote_check_args("mote_trial", "mote_trial_args_init", args, copy, sizeof(*copy));
}

START_TEST(arguments)
{
    struct {
        trial_args args;
        uint64_t more;
    } longer = {{.size = sizeof(longer), .a = 1, .b = 2}, 0};
    trial_args args = {.size = 0, .a = 3, .b = 4}, copy;
    bed_refused(check_args(NULL, &copy), MOTE_ERROR_INVALID_ARGUMENT, "mote_trial: args is NULL");
    bed_refused(check_args(&args, &copy), MOTE_ERROR_INVALID_STRUCT, "mote_trial_args_init()");
    args.size = sizeof(size_t) - 1;
    bed_refused(check_args(&args, &copy), MOTE_ERROR_INVALID_STRUCT, "mote_trial_args_init()");
    args.size = SIZE_MAX / 2;
    bed_refused(check_args(&args, &copy), MOTE_ERROR_INVALID_STRUCT, "mote_trial_args_init()");
    args.size = sizeof(args);
    bed_ok(check_args(&args, &copy));
    ck_assert_mem_eq(&copy, &args, sizeof(args));
    args.size = offsetof(trial_args, b);
    bed_ok(check_args(&args, &copy));
    ck_assert_uint_eq(copy.a, 3);
    ck_assert_uint_eq(copy.b, 0);
    bed_ok(check_args(&longer, &copy));
    ck_assert_uint_eq(copy.b, 2);
    ck_assert_uint_eq(copy.size, sizeof(copy));
    longer.more = UINT64_C(1) << 56;
    bed_refused(check_args(&longer, &copy), MOTE_ERROR_INVALID_STRUCT, "byte 31");
}
END_TEST

static mote_view_rule rule_of(size_t count)
{
    return (mote_view_rule){
        .name = "field",
        .types = MOTE_TYPE_BIT(MOTE_UINT16) | MOTE_TYPE_BIT(MOTE_UINT32),
        .count = count,
    };
}

static mote_status view(const mote_view_rule *rule, cl_mem mem, size_t offset, size_t count,
                        mote_type type)
{
    const mote_view v = {.mem = mem, .offset = offset, .count = count, .type = type};
    mote_view_rule of_view = *rule;
    of_view.view = &v;
    return mote_check_view(&call, &of_view);
}

START_TEST(views)
{
    mote_view_rule rule = rule_of(100);
    bed_ok(view(&rule, room, 0, 100, MOTE_UINT32));
    bed_ok(view(&rule, room, 100, 100, MOTE_UINT16));
    bed_refused(view(&rule, room, 1, 100, MOTE_UINT32), MOTE_ERROR_INVALID_VIEW, "400 bytes");
    bed_refused(view(&rule, room, SIZE_MAX, 100, MOTE_UINT32), MOTE_ERROR_INVALID_VIEW, "field");
    bed_refused(view(&rule, room, SIZE_MAX / 4, 100, MOTE_UINT32), MOTE_ERROR_INVALID_VIEW,
                "field");
    bed_refused(view(&rule, room, 0, SIZE_MAX / 4 + 2, MOTE_UINT32), MOTE_ERROR_INVALID_VIEW,
                "field");
    bed_refused(view(&rule, room, 0, 99, MOTE_UINT32), MOTE_ERROR_INVALID_ARGUMENT,
                "99 elements, but at least 100");
    bed_refused(view(&rule, room, 0, 100, MOTE_FLOAT64), MOTE_ERROR_INVALID_TYPE,
                "float64 (type 9), but must be uint16 or uint32");
    bed_refused(view(&rule, room, 0, 100, (mote_type)77), MOTE_ERROR_INVALID_TYPE, "77");
    bed_refused(view(&rule, room, 0, 100, (mote_type)-1), MOTE_ERROR_INVALID_TYPE, "unknown type");
    bed_refused(view(&rule, NULL, 0, 100, MOTE_UINT32), MOTE_ERROR_INVALID_VIEW, "mem is NULL");
    bed_refused(view(&rule, NULL, 0, 0, MOTE_TYPE_NONE), MOTE_ERROR_INVALID_ARGUMENT, "missing");
    rule.flags |= VIEW_EXACT;
    bed_refused(view(&rule, room, 0, 101, MOTE_UINT16), MOTE_ERROR_INVALID_ARGUMENT, "exactly 100");
    rule.flags |= VIEW_OPTIONAL;
    bed_ok(view(&rule, NULL, 0, 0, MOTE_TYPE_NONE));
    rule = rule_of(SIZE_MAX);
    bed_ok(view(&rule, NULL, 0, 0, MOTE_TYPE_NONE));
    bed_ok(view(&rule, room, 0, 7, MOTE_UINT32));
    bed_ok(view(&rule, NULL, 0, 0, MOTE_UINT32));
}
END_TEST

START_TEST(view_memory)
{
    cl_int code;
    cl_mem reads = clCreateBuffer(mote_context_cl(b.ctx), CL_MEM_READ_ONLY, 400, NULL, &code);
    cl_mem writes = clCreateBuffer(mote_context_cl(b.ctx), CL_MEM_WRITE_ONLY, 400, NULL, &code);
    cl_mem other = clCreateBuffer(mote_context_cl(b.other), CL_MEM_READ_WRITE, 400, NULL, &code);
    mote_view_rule rule = rule_of(100);
    bed_ok(view(&rule, reads, 0, 100, MOTE_UINT32));
    bed_refused(view(&rule, writes, 0, 100, MOTE_UINT32), MOTE_ERROR_INVALID_VIEW, "is read");
    bed_refused(view(&rule, other, 0, 100, MOTE_UINT32), MOTE_ERROR_WRONG_CONTEXT, "field");
    rule.flags |= VIEW_WRITES;
    bed_ok(view(&rule, writes, 0, 100, MOTE_UINT32));
    bed_refused(view(&rule, reads, 0, 100, MOTE_UINT32), MOTE_ERROR_INVALID_VIEW, "is written");
    bed_refused(mote_check_error_word(&call, reads, 0), MOTE_ERROR_INVALID_VIEW, "error");
    bed_refused(mote_check_error_word(&call, other, 0), MOTE_ERROR_WRONG_CONTEXT, "error");
    bed_ok(mote_check_error_word(&call, NULL, 3));
    bed_ok(mote_check_error_word(&call, room, 272));
    bed_refused(mote_check_error_word(&call, room, 276), MOTE_ERROR_INVALID_VIEW, "276");
    bed_refused(mote_check_error_word(&call, room, SIZE_MAX - 3), MOTE_ERROR_INVALID_VIEW,
                "error_offset");
    bed_refused(mote_check_error_word(&call, room, 2), MOTE_ERROR_INVALID_ARGUMENT,
                "multiple of 4");
    clReleaseMemObject(reads);
    clReleaseMemObject(writes);
    clReleaseMemObject(other);
}
END_TEST

START_TEST(preparing_takes_views_without_memory)
{
    mote_view_rule rule = rule_of(100);
    mote_call prepare;
    bed_ok(mote_call_begin(&prepare, "mote_prepare", b.ctx, NULL, true, 0, NULL, NULL));
    const mote_view there = {.count = 100, .type = MOTE_UINT32},
                    few = {.count = 9, .type = MOTE_UINT32};
    rule.view = &there;
    bed_ok(mote_check_view(&prepare, &rule));
    rule.view = &few;
    bed_refused(mote_check_view(&prepare, &rule), MOTE_ERROR_INVALID_ARGUMENT, "field");
    bed_ok(mote_call_end(&prepare, MOTE_SUCCESS));
}
END_TEST

/* Checks two views, of which the second one is an output. */
static mote_status two_views(const mote_view *x, const mote_view *y)
{
    const mote_view_rule both[] = {{"first", x, MOTE_TYPE_BIT(MOTE_UINT32), VIEW_ANY_COUNT, 0},
                                   {"second", y,
                                    MOTE_TYPE_BIT(MOTE_UINT16) | MOTE_TYPE_BIT(MOTE_UINT32),
                                    VIEW_ANY_COUNT, VIEW_WRITES}};
    return mote_check_views(&call, both, 2);
}

static mote_status apart(cl_mem a, size_t a_offset, cl_mem c, size_t c_offset)
{
    const mote_view x = {.mem = a, .offset = a_offset, .count = 10, .type = MOTE_UINT32};
    const mote_view y = {.mem = c, .offset = c_offset, .count = 10, .type = MOTE_UINT16};
    return two_views(&x, &y);
}

START_TEST(overlaps)
{
    cl_int code;
    size_t align = 0;
    cl_mem large = clCreateBuffer(mote_context_cl(b.ctx), CL_MEM_READ_WRITE, 4096, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    cl_uint bits = 0;
    clGetDeviceInfo(mote_context_device(b.ctx)->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(bits),
                    &bits, NULL);
    align = bits / 8;
    const cl_buffer_region region = {.origin = align, .size = 1024};
    cl_mem part = clCreateSubBuffer(large, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    bed_ok(apart(room, 0, room, 20));
    bed_refused(apart(room, 0, room, 19), MOTE_ERROR_INVALID_VIEW, "first");
    bed_ok(apart(room, 5, room, 0));
    bed_refused(apart(room, 4, room, 0), MOTE_ERROR_INVALID_VIEW, "second");
    bed_ok(apart(room, 0, large, 0));
    bed_refused(apart(large, align / 4, part, 0), MOTE_ERROR_INVALID_VIEW, "overlap");
    bed_ok(apart(large, align / 4, part, 20));
    const mote_view none = {.mem = room, .offset = 0, .count = 0, .type = MOTE_UINT32};
    const mote_view all = {.mem = room, .offset = 0, .count = 100, .type = MOTE_UINT32};
    bed_ok(two_views(&none, &all));
    call.error = (mote_view){part, 10, MOTE_ERROR_SLOTS, MOTE_UINT32};
    bed_refused(apart(room, 0, large, align / 2 + 40), MOTE_ERROR_INVALID_VIEW, "and error (bytes");
    bed_refused(apart(large, align / 4 + 10, room, 0), MOTE_ERROR_INVALID_VIEW, "first (bytes");
    bed_ok(apart(large, align / 4, room, 0));
    call.error = (mote_view){0};
    clReleaseMemObject(part);
    clReleaseMemObject(large);
}
END_TEST

START_TEST(types)
{
    static const size_t sizes[] = {0, 1, 1, 2, 4, 4, 8, 8, 4, 8, sizeof(mote_pixels_cluster_record),
                                   1, 2, 2};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        ck_assert_uint_eq(mote_type_size((mote_type)i), sizes[i]);
    ck_assert_uint_eq(mote_type_size((mote_type)14), 0);
    ck_assert_uint_eq(mote_type_size((mote_type)-1), 0);
    ck_assert_str_eq(mote_type_name(MOTE_INT64), "int64");
    ck_assert_str_eq(mote_type_name((mote_type)-1), "unknown type");
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(arguments),   SUITE_TEST(views),
    SUITE_TEST(view_memory), SUITE_TEST(preparing_takes_views_without_memory),
    SUITE_TEST(overlaps),    SUITE_TEST(types),
};

SUITE_MAIN_FIXTURE("check", tests, setup, teardown)
