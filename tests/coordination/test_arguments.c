/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong arguments of plans, and of calls in combination with a plan: each is rejected with a
 * sentence that names it, and nothing is enqueued. tests/faults/test_refusals.c tests all other
 * rejections. */
#include "harness.h"

#include <math.h>
#include <string.h>

#define ATOMS  6
#define FRAMES 2

/* ---- plans ----------------------------------------------------------------------------------- */

static const uint32_t low[] = {0, 1, 2, 3, 4, 5}, high[] = {0, 1, 6, 2, 7, 0};

typedef void corrupt_plan(mote_coordination_plan_args *args);

#define PLAN(name, ...)                                                                            \
    static void name(mote_coordination_plan_args *a)                                               \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

PLAN(plan_size, a->size = 0)
PLAN(plan_function, a->function.size = 0)
PLAN(plan_longer, a->function.size = 4000)
PLAN(plan_r_0, a->function.r_0 = 0.0)
PLAN(plan_mode, a->mode = (mote_coordination_mode)3)
PLAN(plan_pbc, a->pbc = (mote_pbc)-1)
PLAN(plan_precision, a->precision = (mote_precision)3)
PLAN(plan_method, a->method = (mote_coordination_method)3)
PLAN(plan_group_a, a->group_a = high)
PLAN(plan_group_b, a->mode = MOTE_COORDINATION_TWO; a->group_b = high; a->n_b = 6)
PLAN(plan_no_a, a->group_a = NULL)
PLAN(plan_no_b, a->mode = MOTE_COORDINATION_TWO; a->n_b = 6)
PLAN(plan_one_list, a->mode = MOTE_COORDINATION_TWO)
PLAN(plan_one_of_pair, a->mode = MOTE_COORDINATION_PAIR; a->n_a = 0; a->group_a = low)
PLAN(plan_init, mote_coordination_plan_args_init(a); a->function.size -= sizeof(mote_switch))
PLAN(plan_pair, a->mode = MOTE_COORDINATION_PAIR; a->group_b = low; a->n_b = 5)
PLAN(plan_pair_all, a->mode = MOTE_COORDINATION_PAIR; a->group_b = low; a->n_b = 5;
     a->group_a = NULL; a->n_a = 0)
PLAN(plan_cells, a->method = MOTE_COORDINATION_CELLS; a->function.d_max = INFINITY)
PLAN(plan_skin, a->skin = -0.5)
PLAN(plan_skin_nan, a->skin = NAN)
PLAN(plan_many, a->n_atoms = (size_t)1 << 31; a->group_a = NULL; a->n_a = 0)

static const struct {
    corrupt_plan *corrupt;
    mote_status status;
    const char *says, *also;
} plans[] = {
    {plan_size, MOTE_ERROR_INVALID_STRUCT, "mote_coordination_plan_args_init", ""},
    {plan_function, MOTE_ERROR_INVALID_STRUCT, "mote_switch_init", ""},
    {plan_longer, MOTE_ERROR_INVALID_STRUCT, "mote_switch_init", ""},
    {plan_r_0, MOTE_ERROR_INVALID_ARGUMENT, "r_0 is 0", ""},
    {plan_mode, MOTE_ERROR_INVALID_ARGUMENT, "mode", "3"},
    {plan_pbc, MOTE_ERROR_INVALID_ARGUMENT, "pbc", "-1"},
    {plan_precision, MOTE_ERROR_INVALID_ARGUMENT, "precision", "3"},
    {plan_method, MOTE_ERROR_INVALID_ARGUMENT, "method", "3"},
    {plan_group_a, MOTE_ERROR_INVALID_ARGUMENT, "group_a[2]", "6"},
    {plan_group_b, MOTE_ERROR_INVALID_ARGUMENT, "group_b[2]", "6"},
    {plan_no_a, MOTE_ERROR_INVALID_ARGUMENT, "group_a is NULL", "n_a is 6"},
    {plan_no_b, MOTE_ERROR_INVALID_ARGUMENT, "group_b is NULL", "n_b is 6"},
    {plan_one_list, MOTE_ERROR_INVALID_ARGUMENT, "mode TWO", "group_b is NULL"},
    {plan_one_of_pair, MOTE_ERROR_INVALID_ARGUMENT, "mode PAIR", "group_b is NULL"},
    {plan_init, MOTE_ERROR_INVALID_STRUCT, "mote_switch_init", "size is 0"},
    {plan_pair, MOTE_ERROR_INVALID_ARGUMENT, "6", "5"},
    {plan_pair_all, MOTE_ERROR_INVALID_ARGUMENT, "6", "5"},
    {plan_skin, MOTE_ERROR_INVALID_ARGUMENT, "skin is -0.5", "at least 0"},
    {plan_skin_nan, MOTE_ERROR_INVALID_ARGUMENT, "skin is nan", "at least 0"},
    {plan_cells, MOTE_ERROR_INVALID_ARGUMENT, "CELLS", "d_max"},
    {plan_many, MOTE_ERROR_UNSUPPORTED, "2^31", "2147483648"},
};

static void plan_args(mote_coordination_plan_args *args)
{
    mote_coordination_plan_args_init(args);
    args->function = functions[0];
    args->n_atoms = ATOMS;
    args->group_a = low;
    args->n_a = ATOMS;
    args->pbc = MOTE_PBC_TRICLINIC;
}

static void check_sentence(const char *function, const char *says, const char *also)
{
    const char *sentence = mote_last_error();
    ck_assert_msg(strstr(sentence, function) && strstr(sentence, says) && strstr(sentence, also),
                  "'%s' and '%s' are not both in: %s", says, also, sentence);
}

START_TEST(plans_refused)
{
    bed b;
    bed_open(&b, "");
    for (size_t k = 0; k < COUNT(plans); k++) {
        mote_coordination_plan_args args;
        mote_coordination *plan = (mote_coordination *)&b;
        plan_args(&args);
        plans[k].corrupt(&args);
        mote_status status = mote_coordination_create(b.ctx, &args, &plan);
        ck_assert_msg(status == plans[k].status, "plan %zu: %s: %s", k, mote_status_name(status),
                      mote_last_error());
        ck_assert_ptr_null(plan);
        check_sentence("mote_coordination_create: ", plans[k].says, plans[k].also);
    }
    mote_coordination_plan_args args;
    mote_coordination *plan = (mote_coordination *)&b;
    plan_args(&args);
    ck_assert_int_eq(mote_coordination_create(NULL, &args, &plan), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_null(plan);
    ck_assert_int_eq(mote_coordination_create(b.ctx, NULL, &plan), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_coordination_create(b.ctx, &args, NULL), MOTE_ERROR_INVALID_ARGUMENT);
    mote_coordination_release(NULL);
    mote_coordination_plan_args_init(NULL);
    mote_coordination_args_init(NULL);
    mote_coordination_host_args_init(NULL);
    bed_close(&b);
}
END_TEST

/* The lists are copied, the function is completed. */
START_TEST(plans_made)
{
    bed b;
    mote_coordination_plan_args args;
    mote_coordination *plan;
    bed_open(&b, "");
    plan_args(&args);
    bed_ok(mote_coordination_create(b.ctx, &args, &plan));
    ck_assert_uint_eq(mote_coordination_entries(plan), 6);
    ck_assert_int_eq(mote_coordination_function(plan)->mm, 12);
    mote_coordination_release(plan);
    args.group_a = NULL;
    args.n_a = 0;
    args.mode = MOTE_COORDINATION_TWO;
    args.group_b = low;
    args.n_b = 2;
    bed_ok(mote_coordination_create(b.ctx, &args, &plan));
    ck_assert_uint_eq(mote_coordination_entries(plan), 8);
    mote_coordination_release(plan);
    args.group_a = low; /* a list of none */
    bed_ok(mote_coordination_create(b.ctx, &args, &plan));
    ck_assert_uint_eq(mote_coordination_entries(plan), 2);
    mote_coordination_release(plan);
    bed_close(&b);
}
END_TEST

/* ---- calls ----------------------------------------------------------------------------------- */

/* The objects of a call, and many wrong arguments. */
typedef struct stage {
    bed b, other;
    cl_mem big, readonly, foreign; /* `big` has room for every view of one call */
    mote_coordination *plan, *foreign_plan;
    double box[9 * (FRAMES + 1)];
} stage;

static stage *on;

typedef void corrupt_call(mote_coordination_args *args);

#define CALL(name, ...)                                                                            \
    static void name(mote_coordination_args *a)                                                    \
    {                                                                                              \
        (void)a;                                                                                   \
        __VA_ARGS__;                                                                               \
    }

CALL(call_plan, a->plan = NULL)
CALL(call_foreign_plan, a->plan = on->foreign_plan)
CALL(call_stride, a->position_stride = 5)
CALL(call_stride_out, a->derivative_stride = 2)
CALL(call_factor, a->factor = NAN)
CALL(call_positions_4, a->position_stride = 4)
CALL(call_no_box, a->box = NULL)
CALL(call_bad_box, on->box[13] = 0.0)
CALL(call_nan_box, on->box[9] = NAN)
CALL(call_box_type, a->box_device = mote_view_make(on->big, 18, MOTE_UINT32))
CALL(call_box_count, a->box_device = mote_view_make(on->big, 17, MOTE_FLOAT64))
CALL(call_workspace, a->workspace = mote_view_make(on->big, 1, MOTE_UINT32);
     a->workspace.offset = 100000)
CALL(call_error_room, a->error = on->readonly)
CALL(call_frames, a->frames = SIZE_MAX / 2)
CALL(call_more_frames, a->frames = 3)

static const struct {
    corrupt_call *corrupt;
    mote_status status;
    const char *says, *also;
} calls[] = {
    {call_plan, MOTE_ERROR_INVALID_ARGUMENT, "plan", ""},
    {call_foreign_plan, MOTE_ERROR_WRONG_CONTEXT, "plan", ""},
    {call_stride, MOTE_ERROR_INVALID_ARGUMENT, "position_stride", "5"},
    {call_stride_out, MOTE_ERROR_INVALID_ARGUMENT, "derivative_stride", "2"},
    {call_factor, MOTE_ERROR_INVALID_ARGUMENT, "factor", "nan"},
    {call_positions_4, MOTE_ERROR_INVALID_ARGUMENT, "positions", "48"},
    {call_no_box, MOTE_ERROR_INVALID_ARGUMENT, "box is NULL", ""},
    {call_bad_box, MOTE_ERROR_BOX, "frame 1", "length 0"},
    {call_nan_box, MOTE_ERROR_BOX, "frame 1", "nan"},
    {call_box_type, MOTE_ERROR_INVALID_TYPE, "box_device", "uint32"},
    {call_box_count, MOTE_ERROR_INVALID_ARGUMENT, "box_device", "17"},
    {call_workspace, MOTE_ERROR_INVALID_ARGUMENT, "workspace", ""},
    {call_error_room, MOTE_ERROR_INVALID_VIEW, "error", ""},
    {call_frames, 0, "frames", ""},
    {call_more_frames, MOTE_ERROR_INVALID_ARGUMENT, "positions", "54"},
};

static mote_view view_at(size_t offset, size_t count)
{
    mote_view v = mote_view_make(on->big, count, MOTE_FLOAT64);
    v.offset = offset;
    return v;
}

static void call_args(mote_coordination_args *args)
{
    for (size_t k = 0; k < 9 * (FRAMES + 1); k++)
        on->box[k] = k % 9 % 4 == 0;
    mote_coordination_args_init(args);
    args->plan = on->plan;
    args->frames = FRAMES;
    args->positions = view_at(0, 3 * ATOMS * FRAMES);
    args->box = on->box;
    args->value = view_at(1000, FRAMES);
    args->virial = view_at(2000, 9 * FRAMES);
    args->derivatives = view_at(3000, 3 * ATOMS * FRAMES);
    args->coordination = view_at(4000, ATOMS * FRAMES);
}

static cl_mem make_buffer(bed *b, cl_mem_flags flags, size_t bytes)
{
    static const double zeros[65536];
    cl_int code;
    cl_mem mem = clCreateBuffer(mote_context_cl(b->ctx), flags | CL_MEM_COPY_HOST_PTR, bytes,
                                (void *)(uintptr_t)zeros, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return mem;
}

static void open_stage(stage *s)
{
    mote_coordination_plan_args args;
    on = s;
    bed_open(&s->b, "");
    bed_open(&s->other, "");
    s->big = make_buffer(&s->b, CL_MEM_READ_WRITE, sizeof(double) * 65536);
    s->readonly = make_buffer(&s->b, CL_MEM_READ_ONLY, 48);
    s->foreign = make_buffer(&s->other, CL_MEM_READ_WRITE, 4096);
    plan_args(&args);
    bed_ok(mote_coordination_create(s->b.ctx, &args, &s->plan));
    bed_ok(mote_coordination_create(s->other.ctx, &args, &s->foreign_plan));
}

static void close_stage(stage *s)
{
    clReleaseMemObject(s->big);
    clReleaseMemObject(s->readonly);
    clReleaseMemObject(s->foreign);
    mote_coordination_release(s->plan);
    mote_coordination_release(s->foreign_plan);
    bed_close(&s->other);
    bed_close(&s->b);
}

/* The memory is unchanged, and nothing is enqueued. */
static void check_untouched(stage *s)
{
    double *all = NULL;
    cl_int code;
    clFinish(s->b.in_order);
    all = clEnqueueMapBuffer(s->b.in_order, s->big, CL_TRUE, CL_MAP_READ, 0, 65536 * sizeof(double),
                             0, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    for (size_t i = 0; i < 65536; i++)
        ck_assert(all[i] == 0.0);
    clEnqueueUnmapMemObject(s->b.in_order, s->big, all, 0, NULL, NULL);
    clFinish(s->b.in_order);
}

START_TEST(calls_refused)
{
    stage s;
    open_stage(&s);
    for (size_t k = 0; k < COUNT(calls); k++) {
        mote_coordination_args args;
        cl_event event = NULL;
        call_args(&args);
        calls[k].corrupt(&args);
        mote_status status =
            mote_coordination_compute(s.b.ctx, s.b.in_order, &args, 0, NULL, &event);
        ck_assert_msg(calls[k].status ? status == calls[k].status : status != 0, "call %zu: %s: %s",
                      k, mote_status_name(status), mote_last_error());
        ck_assert_ptr_null(event);
        check_sentence("mote_coordination_compute: ", calls[k].says, calls[k].also);
    }
    check_untouched(&s);
    close_stage(&s);
}
END_TEST

/* Tests queues and contexts. */
START_TEST(places_refused)
{
    stage s;
    mote_coordination_args args;
    size_t bytes;
    open_stage(&s);
    call_args(&args);
    bed *b = &s.b;
    ck_assert_int_eq(mote_coordination_compute(b->ctx, b->in_order, NULL, 0, NULL, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_coordination_compute(b->ctx, b->in_order, &args, 1, NULL, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_coordination_workspace_size(b->ctx, &args, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_coordination_workspace_size(NULL, &args, &bytes),
                     MOTE_ERROR_INVALID_ARGUMENT);
    args.position_stride = 7;
    ck_assert_int_eq(mote_coordination_workspace_size(b->ctx, &args, &bytes),
                     MOTE_ERROR_INVALID_ARGUMENT);
    check_sentence("mote_coordination_workspace_size: ", "position_stride", "7");
    check_untouched(&s);
    close_stage(&s);
}
END_TEST

Suite *arguments_suite(void)
{
    Suite *suite = suite_create("arguments");
    TCase *cases = tcase_create("arguments");
    tcase_add_test(cases, plans_refused);
    tcase_add_test(cases, plans_made);
    tcase_add_test(cases, calls_refused);
    tcase_add_test(cases, places_refused);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    return suite;
}
