/* SPDX-License-Identifier: Apache-2.0 */
/* Errors that only the device can see: positions and boxes that are not finite. */
#include "harness.h"

#include <math.h>
#include <string.h>

static const char *const forms[] = {"coordination.form=cpu", "coordination.form=gpu"};

/* Runs a system with bad data, and checks the error word. */
static void check_error(bed *b, const mote_system *s, const mote_coordination_options *options,
                        mote_status status, uint32_t index)
{
    char message[MESSAGE_SIZE];
    mote_coordination *plan;
    mote_coordination_result result;
    bed_ok(mote_coordination_plan_of(b->ctx, s, options->precision, options->method, &plan));
    ck_assert_msg(mote_coordination_run(b->ctx, b->any_order, s, plan, options, &result, message,
                                        sizeof(message)),
                  "%s", message);
    ck_assert_msg(result.status == status, "%s, not %s", mote_status_name(result.status),
                  mote_status_name(status));
    ck_assert_uint_eq(result.index, index);
    mote_coordination_result_free(&result);
    mote_coordination_release(plan);
}

static mote_system make(mote_pbc pbc, mote_groups_kind groups)
{
    mote_system s;
    mote_system_recipe recipe = {.n_atoms = 70,
                                 .frames = 4,
                                 .lattice = MOTE_LATTICE_ORTHORHOMBIC,
                                 .groups = groups,
                                 .pbc = pbc,
                                 .function = functions[0],
                                 .seed = 12};
    ck_assert(mote_system_random(&s, &recipe));
    return s;
}

/* If several atoms are bad, the one with the lowest number is reported; numbers count through all
 * frames. */
START_TEST(bad_positions)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 18; k++) {
        mote_system s = make((mote_pbc)(k % 3), MOTE_GROUPS_ALL);
        mote_coordination_options options = {.precision = (mote_precision)(k / 3 % 3),
                                             .method = methods[(size_t)k / 9],
                                             .positions32 = k % 2,
                                             .positions_by_4 = k % 4 == 1};
        s.positions[3 * (2 * 70 + 13) + (size_t)k % 3] = bad[k / 2 % 3];
        s.positions[3 * (3 * 70 + 2)] = NAN;
        s.positions[3 * (2 * 70 + 14) + 1] = INFINITY;
        check_error(&b, &s, &options, MOTE_ERROR_POSITION, 2 * 70 + 13);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Atoms in no list may have any position: results do not change. */
START_TEST(bad_positions_of_others)
{
    bed b;
    bed_open(&b, forms[_i]);
    for (int k = 0; k < 9; k++) {
        static const uint32_t some[] = {4, 9, 2, 9, 31}, others[] = {30, 4, 5, 6, 7};
        static const mote_groups_kind groups[] = {MOTE_GROUPS_SELF, MOTE_GROUPS_TWO,
                                                  MOTE_GROUPS_PAIR};
        mote_system s = make((mote_pbc)(k % 3), groups[k / 3]);
        bool used[70] = {false};
        ck_assert(mote_system_group(&s, false, some, COUNT(some)));
        if (s.mode != MOTE_COORDINATION_SELF)
            ck_assert(mote_system_group(&s, true, others, COUNT(others)));
        for (size_t e = 0; e < mote_system_entries(&s); e++)
            used[mote_system_atom(&s, e)] = true;
        for (size_t i = 0; i < s.frames * 70; i++)
            if (!used[i % 70])
                s.positions[3 * i + i % 3] = i % 2 ? NAN : INFINITY;
        mote_coordination_options options = {.precision = (mote_precision)(k % 3),
                                             .of = (mote_derivatives_of)(k % 2)};
        options.method = methods[(size_t)k % COUNT(methods)];
        check_run(&b, b.in_order, "positions of others", &s, &options);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

/* Boxes on the device: the lowest bad frame is reported; unused numbers may have any value. */
START_TEST(bad_boxes)
{
    static const struct {
        mote_pbc pbc;
        size_t place;
        double value;
        bool bad;
    } boxes[] = {
        {MOTE_PBC_ORTHORHOMBIC, 0, 0.0, true},       {MOTE_PBC_ORTHORHOMBIC, 4, NAN, true},
        {MOTE_PBC_ORTHORHOMBIC, 8, -INFINITY, true}, {MOTE_PBC_ORTHORHOMBIC, 1, NAN, false},
        {MOTE_PBC_TRICLINIC, 1, NAN, true},          {MOTE_PBC_TRICLINIC, 4, 0.0, true},
        {MOTE_PBC_TRICLINIC, 6, INFINITY, true},
    };
    bed b;
    bed_open(&b, forms[_i]);
    for (size_t k = 0; k < 3 * COUNT(boxes); k++) {
        size_t c = k % COUNT(boxes);
        mote_system s = make(boxes[c].pbc, MOTE_GROUPS_ALL);
        mote_coordination_options options = {.precision = (mote_precision)(k / COUNT(boxes)),
                                             .method = methods[k % COUNT(methods)],
                                             .box_device = k % 2 ? MOTE_FLOAT32 : MOTE_FLOAT64};
        for (size_t f = 1; f < 4; f += 2)
            s.box[9 * f + boxes[c].place] = boxes[c].value;
        if (boxes[c].bad)
            check_error(&b, &s, &options, MOTE_ERROR_BOX, 1);
        else
            check_run(&b, b.in_order, "boxes", &s, &options);
        mote_system_free(&s);
    }
    bed_close(&b);
}
END_TEST

Suite *data_suite(void)
{
    Suite *suite = suite_create("data");
    for (int form = 0; form < 2; form++) {
        TCase *cases = tcase_create(form ? "gpu" : "cpu");
        tcase_add_loop_test(cases, bad_positions, form, form + 1);
        tcase_add_loop_test(cases, bad_positions_of_others, form, form + 1);
        tcase_add_loop_test(cases, bad_boxes, form, form + 1);
        tcase_set_timeout(cases, 0);
        suite_add_tcase(suite, cases);
    }
    return suite;
}
