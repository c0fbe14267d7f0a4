/* SPDX-License-Identifier: Apache-2.0 */
/* groups_leave() of cl/jagged/groups.clh, behind whose last barrier work-items part, in a loop of
 * which only some rounds call it: what follows is one place for all again. */
#include <stdio.h>

#include "cl_sources.h"
#include "common/suite.h"
#include "reduce/words.h"

#define GROUPS 3

extern const mote_source mote_cl_jagged_meet;

static void run(bed *b, size_t local, const mote_view *parts, const mote_view *left, uint32_t most)
{
    char defines[32];
    mote_call call;
    mote_launch l;
    snprintf(defines, sizeof(defines), "-DWG=%zu", local);
    bed_ok(mote_call_begin(&call, "test", b->ctx, b->in_order, false, 0, NULL, NULL));
    mote_launch_begin(&l, &call, &mote_cl_jagged_meet, defines, "try_meet");
    mote_launch_mem(&l, parts->mem);
    mote_launch_u32(&l, (uint32_t)parts->count);
    mote_launch_mem(&l, left->mem);
    mote_launch_u32(&l, most);
    bed_ok(mote_call_end(&call, mote_launch_run(&l, GROUPS, local)));
}

/* A group's round: the counter, one word, then the pairs of group and part. */
static void check_round(const uint32_t *left, uint32_t group, uint32_t parts, uint32_t most)
{
    ck_assert_uint_eq(left[0], parts);
    ck_assert_uint_eq(left[1], parts ? 0 : 2);
    for (uint32_t k = 0; k < most; k++) {
        ck_assert_uint_eq(left[2 * k + 2], k < parts ? group : 0);
        ck_assert_msg(left[2 * k + 3] == (k < parts ? k : 0), "group %u, %u parts: part %u is %u",
                      (unsigned)group, (unsigned)parts, (unsigned)k, (unsigned)left[2 * k + 3]);
    }
}

START_TEST(meet)
{
    static const uint32_t locals[] = {16, 64};
    const uint32_t local = locals[_i], parts[] = {local / 2 + 1, 0, local, 1, 2 * local + 3};
    const uint32_t rounds = sizeof(parts) / sizeof(parts[0]), most = 2 * local + 3;
    const size_t each = 2 * ((size_t)most + 1), count = GROUPS * rounds * each;
    bed b;
    bed_open(&b, "");
    uint32_t *zeros = calloc(count, sizeof(*zeros));
    ck_assert_ptr_nonnull(zeros);
    mote_view in = words_create(&b, parts, rounds, 0), out = words_create(&b, zeros, count, 0);
    run(&b, local, &in, &out, most);
    uint32_t *left = words_read(&b, &out);
    for (uint32_t k = 0; k < GROUPS * rounds; k++)
        check_round(left + k * each, k / rounds, parts[k % rounds], most);
    free(left);
    free(zeros);
    words_free(&in);
    words_free(&out);
    bed_close(&b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("jagged_meet");
    tcase_add_loop_test(suite_case(suite, "meet", NULL), meet, 0, 2);
    return suites_run(&suite, 1);
}
