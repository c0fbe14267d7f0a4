/* SPDX-License-Identifier: Apache-2.0 */
/* mote_scan_u32() compared with a plain loop, in both forms. */
#include "common/suite.h"
#include "words.h"
#include "reduce/scan.h"

/* The two forms with default values, and with smaller groups. */
static const char *const tunes[] = {
    "reduce.form=gpu",
    "reduce.form=cpu",
    "reduce.form=gpu,reduce.scan_group=64,reduce.scan_one_group=0",
    "reduce.form=gpu,reduce.scan_group=1,reduce.scan_one_group=100",
};

#define FORMS 2
#define TUNES (sizeof(tunes) / sizeof(tunes[0]))

static const size_t sizes[] = {0,   1,    2,    3,    4,    5,    63,   64,   65,   255,  256,  257,
                               511, 1023, 1024, 1025, 4095, 4096, 4097, 8191, 8192, 8193, 70001};

static void enqueue(bed *b, cl_command_queue queue, const mote_view *in, const mote_view *out)
{
    mote_call call;
    mote_view scratch;
    cl_event event = NULL;
    bed_ok(mote_call_begin(&call, "test", b->ctx, queue, false, 0, NULL, &event));
    size_t words = mote_scan_u32_scratch(b->ctx, in->count);
    mote_status status = mote_call_scratch(&call, words * sizeof(uint32_t), NULL, &scratch);
    if (!status)
        status = mote_scan_u32(&call, in, out, &scratch, true);
    bed_ok(mote_call_end(&call, status));
    ck_assert_int_eq(clWaitForEvents(1, &event), CL_SUCCESS);
    clReleaseEvent(event);
}

/* mask: the bits of the values; with all of them the sums wrap. */
static void check(bed *b, cl_command_queue queue, size_t count, size_t offset, uint32_t mask)
{
    uint32_t state = 12345 + (uint32_t)count, sum = 0;
    uint32_t *values = malloc((count + 1) * sizeof(*values));
    ck_assert_ptr_nonnull(values);
    for (size_t i = 0; i < count; i++)
        values[i] = words_random(&state) & mask;
    mote_view in = words_create(b, values, count, offset);
    mote_view out = words_create(b, NULL, count + 1, offset ? offset + 2 : 0);
    enqueue(b, queue, &in, &out);
    uint32_t *result = words_read(b, &out);
    for (size_t i = 0; i <= count; i++) {
        ck_assert_msg(result[i] == sum, "sum %zu of %zu is %u, not %u", i, count,
                      (unsigned)result[i], (unsigned)sum);
        if (i < count)
            sum += values[i];
    }
    free(result);
    free(values);
    words_free(&in);
    words_free(&out);
}

START_TEST(test_sizes)
{
    bed b;
    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
        check(&b, k % 2 ? b.in_order : b.any_order, sizes[k], k % 3 == 2 ? 5 : 0, 0xff);
    bed_close(&b);
}
END_TEST

START_TEST(test_wraps)
{
    bed b;
    bed_open(&b, tunes[_i]);
    check(&b, b.in_order, 20000, 0, 0xffffffff);
    check(&b, b.any_order, 20000, 7, 0xffffffff);
    bed_close(&b);
}
END_TEST

START_TEST(test_large)
{
    bed b;
    bed_open(&b, tunes[_i]);
    check(&b, b.any_order, 1000003, 4, 0xffff);
    bed_close(&b);
}
END_TEST

/* Insufficient room is an error of the caller, reported before anything runs. */
START_TEST(test_refuses)
{
    bed b;
    mote_call call;
    bed_open(&b, tunes[_i]);
    mote_view in = words_create(&b, NULL, 100000, 0), out = words_create(&b, NULL, 100001, 0);
    const mote_view none = {.type = MOTE_UINT32};
    bed_ok(mote_call_begin(&call, "test", b.ctx, b.in_order, false, 0, NULL, NULL));
    ck_assert_int_eq(mote_scan_u32(&call, &in, &in, &out, true), MOTE_ERROR_INTERNAL);
    if (mote_scan_u32_scratch(b.ctx, in.count) > 0)
        ck_assert_int_eq(mote_scan_u32(&call, &in, &out, &none, true), MOTE_ERROR_INTERNAL);
    ck_assert(!call.enqueued);
    bed_ok(mote_call_end(&call, MOTE_SUCCESS));
    words_free(&in);
    words_free(&out);
    bed_close(&b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reduce_scan");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *groups = suite_case(suite, "groups", SUITE_THOROUGH);
    suite_split(forms, groups, test_sizes, FORMS, TUNES);
    suite_split(forms, groups, test_wraps, FORMS, TUNES);
    suite_split(forms, groups, test_large, FORMS, TUNES);
    suite_split(forms, groups, test_refuses, FORMS, TUNES);
    return suites_run(&suite, 1);
}
