/* SPDX-License-Identifier: Apache-2.0 */
/* Every input of every operation gets invalid values: the call ends with an error word or with
 * results, and changes nothing but its outputs. */
#include "tests.h"

#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* The test stops if kernels do not end. */
#define SECONDS 1000

const char *const fault_forms[FAULT_FORMS] = {"cpu", "gpu"};
const char *const fault_form_tunes[FAULT_FORMS] = {
    "reduce.form=cpu,jagged.form=cpu,pixels.form=cpu,coordination.form=cpu",
    "reduce.form=gpu,jagged.form=gpu,pixels.form=gpu,coordination.form=gpu"};

/* Bits of 1, 2, 4 or 8 bytes: as integers the least, the largest and their neighbours; as floats
 * NaN, infinities, the largest and the smallest number. */
static const uint64_t bits[][4] = {
    {0, 0, 0, 0},
    {1, 1, 1, 1},
    {0xff, 0xffff, UINT32_MAX, UINT64_MAX},
    {0xfe, 0xfffe, UINT32_MAX - 1, UINT64_MAX - 1},
    {0x7f, 0x7fff, INT32_MAX, INT64_MAX},
    {0x80, 0x8000, UINT32_C(1) << 31, UINT64_C(1) << 63},
    {0x81, 0x8001, 0x7f800000, UINT64_C(0x7ff0000000000000)},
    {0x82, 0x8002, 0xff800000, UINT64_C(0xfff0000000000000)},
    {0x40, 0x4000, 0x7f7fffff, UINT64_C(0x7fefffffffffffff)},
    {0x41, 0x4001, 0xff7fffff, UINT64_C(0xffefffffffffffff)},
    {0x3f, 0x3fff, 0x00012345, 2000000000},
};

static void put_bits(fault_corruption *corrupt, size_t size, const uint64_t *of)
{
    uint64_t value = of[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
    memcpy(corrupt->value, &value, sizeof(value)); /* the lower bytes come first */
}

/* The inputs of an operation. */
typedef struct fault_inputs {
    const char *name[FAULT_ARRAYS];
    size_t size[FAULT_ARRAYS], length[FAULT_ARRAYS];
    size_t count;
} fault_inputs;

static void find_inputs(fault_bed *b, const fault_operation *op, fault_inputs *inputs)
{
    inputs->count = 0;
    b->corrupt.array = NULL;
    fault_setup(b, op);
    for (size_t i = 0; i < b->count; i++) {
        const fault_array *a = &b->arrays[i];
        size_t size = mote_type_size(a->type);
        if (!a->contents || size == 0 || size > 8 || a->bytes == 0)
            continue;
        inputs->name[inputs->count] = a->name;
        inputs->size[inputs->count] = size;
        inputs->length[inputs->count++] = a->bytes / size;
    }
    if (op->cleanup)
        op->cleanup(b);
    fault_arrays_release(b);
}

static size_t corrupt_runs;

static void spoil_input(fault_bed *b, const fault_operation *op, const char *name, size_t size,
                        size_t length)
{
    const size_t places[] = {0, length / 2, length - 1, SIZE_MAX};
    b->corrupt.array = name;
    b->corrupted = FAULT_TOLD_ANY;
    for (int p = 0; p < COUNT(places); p++)
        for (int v = 0; v < COUNT(bits); v++, corrupt_runs++) {
            b->corrupt.at = places[p];
            put_bits(&b->corrupt, size, bits[v]);
            ck_assert_msg(fault_endure(b, op), "%s[%zu], value %d: %s", name, places[p], v,
                          b->message);
        }
    b->corrupt.array = NULL;
}

static void spoil_all(fault_bed *b, const fault_operation *operations, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fault_inputs inputs;
        if (!operations[i].setup && !operations[i].described)
            continue;
        find_inputs(b, &operations[i], &inputs);
        for (size_t k = 0; k < inputs.count; k++)
            spoil_input(b, &operations[i], inputs.name[k], inputs.size[k], inputs.length[k]);
    }
}

START_TEST(every_input)
{
    fault_bed b;
    alarm(SECONDS);
    corrupt_runs = 0;
    fault_bed_open(&b, fault_form_tunes[_i]);
    spoil_all(&b, fault_described, fault_described_count);
    spoil_all(&b, fault_jagged, fault_jagged_count);
    spoil_all(&b, fault_pixels, fault_pixels_count);
    spoil_all(&b, fault_coordination, fault_coordination_count);
    printf("# %s: %zu ways\n", fault_form_tunes[_i], corrupt_runs);
    ck_assert_msg(fault_bed_close(&b), "%s", b.message);
    alarm(0);
}
END_TEST

/* One wrong element, and the expected error. */
static const struct {
    const char *operation, *array;
    size_t at;
    uint64_t value;
    mote_status told;
} wrongs[] = {
    {"mote_pixels_cluster, plain", "x", 7, 160, MOTE_ERROR_COORDINATE},
    {"mote_pixels_cluster, complete", "y", 299, 416, MOTE_ERROR_COORDINATE},
    {"mote_pixels_cluster, histogram", "x", 0, 65535, MOTE_ERROR_COORDINATE},
    {"mote_pixels_cluster, plain", "module_id", 5, 10, MOTE_ERROR_MODULE},
    {"mote_pixels_cluster, complete", "module_id", 5, 65535, MOTE_ERROR_MODULE},
    {"mote_pixels_cluster, plain", "module_id", 100, 1, MOTE_ERROR_NOT_CONTIGUOUS},
    {"mote_pixels_cluster, plain", "event_offsets", 2, 299, MOTE_ERROR_EVENT_OFFSETS},
    {"mote_pixels_cluster, plain", "event_offsets", 0, 1, MOTE_ERROR_EVENT_OFFSETS},
    {"mote_pixels_cluster, complete", "event_offsets", 1, UINT32_MAX, MOTE_ERROR_EVENT_OFFSETS},
    {"mote_pixels_charge_cut, cut", "cluster_id", 3, 3, MOTE_ERROR_CLUSTER_ID},
    {"mote_jagged_parents, automatic", "offsets", 0, (uint64_t)-5, MOTE_ERROR_OFFSETS_NEGATIVE},
    {"mote_jagged_parents, balanced", "offsets", 60, 3, MOTE_ERROR_OFFSETS_NOT_MONOTONIC},
    {"mote_jagged_parents, by_search", "offsets", 120, INT32_MAX, MOTE_ERROR_OFFSETS_OUT_OF_RANGE},
    {"mote_jagged_parents, spans", "stops", 119, INT32_MAX, MOTE_ERROR_OFFSETS_OUT_OF_RANGE},
    {"mote_jagged_parents, spans", "starts", 60, 3, MOTE_ERROR_OVERLAP},
    {"mote_jagged_reduce, sums", "offsets", 120, INT32_MAX, MOTE_ERROR_OFFSETS_OUT_OF_RANGE},
    {"mote_jagged_reduce, largest", "offsets", 0, (uint64_t)-1, MOTE_ERROR_OFFSETS_NEGATIVE},
    {"mote_jagged_offsets_from_counts, running", "counts", 5, (uint64_t)-1,
     MOTE_ERROR_OFFSETS_NEGATIVE},
    {"mote_jagged_offsets_from_counts, running", "counts", 5, INT32_MAX,
     MOTE_ERROR_OFFSETS_OUT_OF_RANGE},
    {"mote_jagged_offsets_from_parents, labels", "parents", 5, 120, MOTE_ERROR_PARENTS},
    {"mote_jagged_gather_by_parent, gathered", "offsets", 0, (uint64_t)-5,
     MOTE_ERROR_OFFSETS_NEGATIVE},
    {"mote_jagged_product, products", "offsets_a", 0, (uint64_t)-1, MOTE_ERROR_OFFSETS_NEGATIVE},
    {"mote_jagged_nonzero, kept", "offsets", 120, INT32_MAX, MOTE_ERROR_OFFSETS_OUT_OF_RANGE},
    {"mote_coordination_compute, itself", "positions", 4, UINT64_C(0x7ff8000000000000),
     MOTE_ERROR_POSITION},
    {"mote_coordination_compute, two_groups", "positions", 200, UINT64_C(0xfff0000000000000),
     MOTE_ERROR_POSITION},
    {"mote_coordination_compute, two_groups", "box", SIZE_MAX, 0, MOTE_ERROR_BOX},
    {"mote_coordination_compute, cells", "positions", 359, UINT64_C(0x7ff0000000000000),
     MOTE_ERROR_POSITION},
    {"mote_coordination_compute, cells_of_two", "positions", 200, UINT64_C(0x7ff8000000000000),
     MOTE_ERROR_POSITION},
    {"mote_coordination_compute, cells_of_two", "box", SIZE_MAX, 0, MOTE_ERROR_BOX},
    {"mote_coordination_compute, two_groups", "box", 9, UINT64_C(0x7ff8000000000000),
     MOTE_ERROR_BOX},
};

static const fault_operation *find_in(const fault_operation *operations, size_t count,
                                      const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    return NULL;
}

static const fault_operation *find(const char *name)
{
    const fault_operation *op = find_in(fault_pixels, fault_pixels_count, name);
    if (!op)
        op = find_in(fault_jagged, fault_jagged_count, name);
    if (!op)
        op = find_in(fault_coordination, fault_coordination_count, name);
    ck_assert_msg(op != NULL, "no operation \"%s\"", name);
    return op;
}

static void check_wrongs(fault_bed *b, bool simulated)
{
    for (int i = 0; i < COUNT(wrongs); i++) {
        /* If labels decrease, several work-items write the same offsets, whose values no longer
         * matter; a simulator reports this as a race. */
        if (simulated && wrongs[i].told == MOTE_ERROR_PARENTS)
            continue;
        b->corrupt.array = wrongs[i].array;
        b->corrupt.at = wrongs[i].at;
        b->corrupted = wrongs[i].told;
        memcpy(b->corrupt.value, &wrongs[i].value, sizeof(b->corrupt.value));
        ck_assert_msg(fault_try(b, find(wrongs[i].operation)), "%s[%zu]: %s", wrongs[i].array,
                      wrongs[i].at, b->message);
    }
    b->corrupt.array = NULL;
}

static void check_special(fault_bed *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(fault_try(b, &fault_special[i]), "%s", b->message);
}

START_TEST(told)
{
    fault_bed b;
    alarm(SECONDS);
    fault_bed_open(&b, fault_form_tunes[_i]);
    check_wrongs(&b, false);
    check_special(&b, fault_special_count);
    ck_assert_msg(fault_bed_close(&b), "%s", b.message);
    alarm(0);
}
END_TEST

/* The small inputs again, with tuning from the environment. */
START_TEST(simulated)
{
    fault_bed b;
    fault_bed_open(&b, getenv("MOTE_TUNE") ? getenv("MOTE_TUNE") : "");
    check_wrongs(&b, true);
    check_special(&b, fault_special_small);
    ck_assert_msg(fault_bed_close(&b), "%s", b.message);
}
END_TEST

static void add_case(Suite *suite, const char *name, const TTest *test, int tune)
{
    TCase *one = tcase_create(name);
    tcase_set_timeout(one, 0);
    tcase_add_loop_test(one, test, tune, tune + 1);
    suite_add_tcase(suite, one);
}

Suite *fault_suite_simulated(void)
{
    Suite *suite = suite_create("simulated");
    add_case(suite, "simulated", simulated, 0);
    return suite;
}

Suite *fault_suite_corrupt_inputs(void)
{
    Suite *suite = suite_create("corrupt_inputs");
    for (int i = 0; i < FAULT_FORMS; i++) {
        add_case(suite, fault_forms[i], told, i);
        add_case(suite, fault_forms[i], every_input, i);
    }
    return suite;
}
