/* SPDX-License-Identifier: Apache-2.0 */
#include "harness.h"

#include <stdio.h>

const mote_type index_types[INDEX_TYPES] = {MOTE_INT32, MOTE_UINT32, MOTE_INT64};

void split_types(TCase *usual, TCase *rest, const TTest *test, size_t tunes)
{
    for (int i = 0; i < INDEX_TYPES * (int)tunes; i++) {
        bool first = TURN_TYPE(i) == 0 && TURN_TUNE(i) < 2;
        tcase_add_loop_test(first ? usual : rest, test, i, i + 1);
    }
}

mote_guard bed_array(bed *b, const char *name, mote_type type, size_t count, const void *contents)
{
    mote_guard guard;

    ck_assert_int_eq(mote_guard_create(&guard, b->ctx, b->in_order, name, type, count, contents),
                     CL_SUCCESS);
    return guard;
}

static void fail_at(const mote_guard *array, const unsigned char *got,
                    const unsigned char *expected, const char *label)
{
    size_t size = mote_type_size(array->view.type), k = 0;
    unsigned long long bits[2] = {0};

    while (memcmp(got + k * size, expected + k * size, size) == 0)
        k++;
    memcpy(&bits[0], got + k * size, size);
    memcpy(&bits[1], expected + k * size, size);
    ck_abort_msg("%s: %s[%zu] of %zu is 0x%llx, not 0x%llx", label, array->name, k,
                 array->view.count, bits[0], bits[1]);
}

void bed_expect(bed *b, mote_guard *array, const void *expected, cl_event done, const char *label)
{
    char message[MESSAGE_SIZE] = "";
    unsigned char *got = malloc(array->bytes + 1);

    ck_assert_ptr_nonnull(got);
    bool good = mote_guard_read(array, b->in_order, got, done ? 1 : 0, done ? &done : NULL, message,
                                sizeof(message));

    ck_assert_msg(good, "%s: %s", label, message);
    if (array->bytes && memcmp(got, expected, array->bytes) != 0)
        fail_at(array, got, expected, label);
    free(got);
    mote_guard_release(array);
}

void bed_margins(bed *b, mote_guard *array, cl_event done, const char *label)
{
    char message[MESSAGE_SIZE] = "";
    bool good = mote_guard_read(array, b->in_order, NULL, done ? 1 : 0, done ? &done : NULL,
                                message, sizeof(message));

    ck_assert_msg(good, "%s: %s", label, message);
    mote_guard_release(array);
}

void bed_unchanged(bed *b, mote_guard *array, const void *contents, cl_event done,
                   const char *label)
{
    char message[MESSAGE_SIZE] = "";
    bool good = mote_guard_unchanged(array, b->in_order, contents, done ? 1 : 0,
                                     done ? &done : NULL, message, sizeof(message));

    ck_assert_msg(good, "%s: %s", label, message);
    mote_guard_release(array);
}

mote_guard bed_error_word(bed *b)
{
    return bed_array(b, "error word", MOTE_UINT32, MOTE_ERROR_SLOTS, NULL);
}

void bed_expect_error(bed *b, mote_guard *word, mote_status status, uint32_t index, cl_event done,
                      const char *label)
{
    mote_error_word host;
    char message[MESSAGE_SIZE] = "";
    bool good = mote_guard_read(word, b->in_order, &host, done ? 1 : 0, done ? &done : NULL,
                                message, sizeof(message));
    uint32_t found = index;

    ck_assert_msg(good, "%s: %s", label, message);
    mote_status told = mote_error_decode(&host, &found);

    ck_assert_msg(told == status && found == index, "%s: %s at %u, not %s at %u", label,
                  mote_status_name(told), found, mote_status_name(status), index);
    mote_guard_release(word);
}

cl_event bed_gate(bed *b)
{
    cl_int code;
    cl_event gate = clCreateUserEvent(mote_context_cl(b->ctx), &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return gate;
}

void bed_open_gate(cl_event gate)
{
    ck_assert_int_eq(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    clReleaseEvent(gate);
}
