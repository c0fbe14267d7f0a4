/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes that are accepted, rejected and inverted. */
#include "harness.h"

#include <math.h>
#include <string.h>

#include "coordination/box.h"

static const struct {
    mote_pbc pbc;
    double box[9];
    const char *says; /* NULL: good */
} boxes[] = {
    {MOTE_PBC_NONE, {NAN}, NULL},
    {MOTE_PBC_ORTHORHOMBIC, {1, NAN, 0, 5, 1, 0, 0, INFINITY, 1}, NULL},
    {MOTE_PBC_ORTHORHOMBIC, {-1, 0, 0, 0, 1e-300, 0, 0, 0, 1e300}, NULL},
    {MOTE_PBC_ORTHORHOMBIC, {1, 0, 0, 0, 0, 0, 0, 0, 1}, "side of length 0"},
    {MOTE_PBC_ORTHORHOMBIC, {1, 0, 0, 0, 1, 0, 0, 0, NAN}, "is not finite"},
    {MOTE_PBC_ORTHORHOMBIC, {INFINITY, 0, 0, 0, 1, 0, 0, 0, 1}, "is not finite"},
    {MOTE_PBC_TRICLINIC, {1, 0, 0, 0, 1, 0, 0, 0, 1}, NULL},
    {MOTE_PBC_TRICLINIC, {0, 1, 0, 1, 0, 0, 0, 0, 1}, NULL},
    {MOTE_PBC_TRICLINIC, {1e200, 0, 0, 0, 1e200, 1e200, 0, 0, 1e200}, NULL},
    {MOTE_PBC_TRICLINIC, {1e-200, 0, 0, 0, 1e-200, 1e-200, 0, 0, 1e-200}, NULL},
    {MOTE_PBC_TRICLINIC, {1, 0, 0, 1000, 1, 0, 1000, 1000, 1}, NULL},
    {MOTE_PBC_TRICLINIC, {1, 0, 0, 0, 0, 0, 0, 0, 1}, "vector of length 0"},
    {MOTE_PBC_TRICLINIC, {1, 0, 0, 0, 1, NAN, 0, 0, 1}, "is not finite"},
    {MOTE_PBC_TRICLINIC, {1.7e308, 1.7e308, 0, 0, 1, 0, 0, 0, 1}, "is too large"},
    {MOTE_PBC_TRICLINIC, {1, 2, 3, 4, 5, 6, 7, 8, 9}, "in a plane"},
    {MOTE_PBC_TRICLINIC, {1, 0, 0, 1, 1e-14, 0, 0, 0, 1}, "in a plane"},
};

/* The box under test is the third of three. */
START_TEST(checked)
{
    double three[27] = {[0] = 1, [4] = 1, [8] = 1, [9] = 1, [13] = 1, [17] = 1};
    memcpy(three + 18, boxes[_i].box, sizeof(boxes[_i].box));
    mote_status status = mote_box_check("caller", boxes[_i].pbc, three, 3);
    ck_assert_int_eq(status, boxes[_i].says ? MOTE_ERROR_BOX : MOTE_SUCCESS);
    if (boxes[_i].says) {
        ck_assert_ptr_nonnull(strstr(mote_last_error(), "caller: frame 2: the box ("));
        ck_assert_msg(strstr(mote_last_error(), boxes[_i].says), "%s", mote_last_error());
    }
}
END_TEST

START_TEST(inverted)
{
    for (size_t b = 0; b < COUNT(boxes); b++) {
        double inverse[9];
        const double *box = boxes[b].box;
        if (boxes[b].says || boxes[b].pbc != MOTE_PBC_TRICLINIC)
            continue;
        mote_box_invert(boxes[b].pbc, box, inverse);
        for (int i = 0; i < 9; i++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum += box[i / 3 * 3 + k] * inverse[3 * k + i % 3];
            ck_assert_double_eq_tol(sum, i % 4 == 0, 1e-9);
        }
    }
    const double side[9] = {-4, 7, 7, 7, 2, 7, 7, 7, 0.5};
    const double expected[9] = {-0.25, 0, 0, 0, 0.5, 0, 0, 0, 2};
    double inverse[9];
    mote_box_invert(MOTE_PBC_ORTHORHOMBIC, side, inverse);
    ck_assert_mem_eq(inverse, expected, sizeof(expected));
}
END_TEST

Suite *box_suite(void)
{
    Suite *suite = suite_create("box");
    TCase *cases = tcase_create("box");
    tcase_add_loop_test(cases, checked, 0, (int)COUNT(boxes));
    tcase_add_test(cases, inverted);
    suite_add_tcase(suite, cases);
    return suite;
}
