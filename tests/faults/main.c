/* SPDX-License-Identifier: Apache-2.0 */
/* Every operation of every area, in both forms, with every call that it makes failing in turn. */
#include "common/suite.h"
#include "operations.h"
#include "tables.h"
#include "tests.h"

typedef struct fault_area {
    const char *name, *forms[2];
    const fault_operation *operations;
    const size_t *count;
} fault_area;

static const fault_area areas[] = {
    {"core", {"core.form=cpu", "core.form=gpu"}, fault_core, &fault_core_count},
    {"buffer", {"core.form=cpu", "core.form=gpu"}, fault_buffer, &fault_buffer_count},
    {"build", {"core.form=cpu"}, fault_build, &fault_build_count},
    {"described",
     {"reduce.form=cpu,jagged.form=cpu,pixels.form=cpu,coordination.form=cpu",
      "reduce.form=gpu,jagged.form=gpu,pixels.form=gpu,coordination.form=gpu"},
     fault_described,
     &fault_described_count},
    {"jagged",
     {"jagged.form=cpu,reduce.form=cpu,jagged_reduce.single_group=4096",
      "jagged.form=gpu,reduce.form=gpu,jagged_reduce.single_group=4096"},
     fault_jagged,
     &fault_jagged_count},
    {"pixels",
     {"pixels.form=cpu,reduce.form=cpu", "pixels.form=gpu,reduce.form=gpu"},
     fault_pixels,
     &fault_pixels_count},
    {"coordination",
     {"coordination.form=cpu", "coordination.form=gpu"},
     fault_coordination,
     &fault_coordination_count},
};
#define AREAS (sizeof(areas) / sizeof(areas[0]))

START_TEST(sweep)
{
    const fault_area *area = &areas[_i / 2];
    if (area->forms[_i % 2])
        fault_sweep_all(area->forms[_i % 2], area->operations, *area->count);
}
END_TEST

#define PREPARED(number, descriptor) {number, #number},
static const struct {
    mote_operation number;
    const char *name;
} prepared[] = {MOTE_OPERATIONS(PREPARED)};

static bool is_prepared(mote_operation number)
{
    for (size_t a = 0; a < AREAS; a++)
        for (size_t i = 0; i < *areas[a].count; i++)
            if (areas[a].operations[i].operation == number)
                return true;
    return false;
}

START_TEST(every_operation_has_a_row)
{
    for (size_t i = 0; i < sizeof(prepared) / sizeof(prepared[0]); i++)
        ck_assert_msg(is_prepared(prepared[i].number), "no row prepares %s", prepared[i].name);
}
END_TEST

int main(void)
{
    Suite *suites[AREAS + 5];
    size_t count = 0;
    setenv("MOTE_CACHE", "off", 1);
    fault_described_make();
    for (int i = 0; i < (int)AREAS; i++) {
        Suite *suite = suite_create(areas[i].name);
        TCase *one = tcase_create("sweep");
        tcase_set_timeout(one, 0);
        tcase_add_loop_test(one, sweep, 2 * i, 2 * i + 2);
        suite_add_tcase(suite, one);
        suites[count++] = suite;
    }
    TCase *rows = tcase_create("rows");
    tcase_add_test(rows, every_operation_has_a_row);
    suite_add_tcase(suites[0], rows);
    suite_add_tcase(suites[0], fault_case_refusals());
    suites[count++] = fault_suite_planted();
    suites[count++] = fault_suite_bad_answers();
    suites[count++] = fault_suite_devices();
    suites[count++] = fault_suite_corrupt_inputs();
    suites[count++] = fault_suite_simulated();
    return suites_run(suites, count);
}
