/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the exchanges of a band with plain loops, for every kind of function that the device
 * supports. */
#include <stdio.h>

#include "cl_sources.h"
#include "common/suite.h"
#include "core/quirks.h"
#include "core/sub_groups.h"
#include "reduce/words.h"

#define BAND    32
#define GROUPS  5
#define RESULTS (2 + 5 * BAND)

extern const mote_source mote_cl_common_bands;

static void check_lane(const uint32_t *value, uint32_t lane, const uint32_t *result)
{
    uint32_t before = 0;
    for (uint32_t l = 0; l < lane; l++)
        before += value[l];
    ck_assert_uint_eq(result[0], value[lane ^ 1]);
    ck_assert_uint_eq(result[1], before);
    for (uint32_t d = 0; d < BAND; d++) {
        uint32_t bits = 0;
        for (uint32_t l = 0; l < BAND; l++)
            bits |= (value[l] >> d & 1) << l;
        ck_assert_uint_eq(result[2 + 5 * d], value[lane ^ d]);
        ck_assert_uint_eq(result[3 + 5 * d], value[lane >= d ? lane - d : lane]);
        ck_assert_uint_eq(result[4 + 5 * d], value[lane + d < BAND ? lane + d : lane]);
        ck_assert_uint_eq(result[5 + 5 * d], value[d]);
        ck_assert_uint_eq(result[6 + 5 * d], bits);
    }
}

static void run(bed *b, const mote_view *in, const mote_view *out)
{
    mote_call call;
    mote_launch l;
    bed_ok(mote_call_begin(&call, "test", b->ctx, b->in_order, false, 0, NULL, NULL));
    mote_launch_begin(&l, &call, &mote_cl_common_bands, "", "try_band");
    mote_launch_mem(&l, "value", in->mem);
    mote_launch_mem(&l, "result", out->mem);
    mote_launch_u32(&l, "distances", BAND);
    bed_ok(mote_call_end(&call, mote_launch_run(&l, GROUPS, BAND)));
}

/* _i: a mote_sub_groups. */
START_TEST(test_exchanges)
{
    bed b;
    char tune[32];
    uint32_t value[GROUPS * BAND], state = 17;
    snprintf(tune, sizeof(tune), "core.sub_groups=%d", _i);
    bed_open(&b, NULL);
    bool offered =
        _i == MOTE_SUB_GROUPS_NONE || mote_sub_groups_offered(mote_context_device(b.ctx)) >> _i & 1;
    bed_close(&b);
    if (!offered)
        return;
    bed_open(&b, tune);
    ck_assert_int_eq((int)b.ctx->sub_groups, _i);
    for (size_t i = 0; i < GROUPS * BAND; i++)
        value[i] = words_random(&state);
    mote_view in = words_create(&b, value, GROUPS * BAND, 0);
    mote_view out = words_create(&b, NULL, (size_t)GROUPS * BAND * RESULTS, 0);
    run(&b, &in, &out);
    uint32_t *result = words_read(&b, &out);
    for (uint32_t i = 0; i < GROUPS * BAND; i++)
        check_lane(value + i / BAND * BAND, i % BAND, result + (size_t)i * RESULTS);
    free(result);
    words_free(&in);
    words_free(&out);
    bed_close(&b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("common_bands");
    TCase *usual = suite_case(suite, "bands", NULL);
    tcase_add_loop_test(usual, test_exchanges, MOTE_SUB_GROUPS_NONE, MOTE_SUB_GROUPS_AMD + 1);
    return suites_run(&suite, 1);
}
