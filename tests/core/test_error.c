/* SPDX-License-Identifier: Apache-2.0 */
/* From error words to statuses and sentences. */
#include <stdio.h>
#include <string.h>

#include "call_bed.h"
#include "common/suite.h"

static mote_error_word clear(void)
{
    mote_error_word word;
    memset(&word, 0xff, sizeof(word));
    return word;
}

START_TEST(every_slot)
{
    static const mote_status expected[] = {
        MOTE_ERROR_EVENT_OFFSETS,
        MOTE_ERROR_MODULE,
        MOTE_ERROR_COORDINATE,
        MOTE_ERROR_NOT_CONTIGUOUS,
        MOTE_ERROR_CAPACITY,
        MOTE_ERROR_INTERNAL,
        MOTE_ERROR_KEY,
        MOTE_ERROR_CLUSTER_ID,
        MOTE_ERROR_OFFSETS_NEGATIVE,
        MOTE_ERROR_OFFSETS_NOT_MONOTONIC,
        MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
        MOTE_ERROR_STOP_BEFORE_START,
        MOTE_ERROR_OVERLAP,
        MOTE_ERROR_PARENTS,
        MOTE_ERROR_POSITION,
        MOTE_ERROR_BOX,
    };
    for (uint32_t i = 0; i < MOTE_ERROR_SLOTS; i++) {
        mote_error_word word = clear();
        uint32_t index = 1;
        word.slot[i] = 70000 + i;
        char number[16];
        snprintf(number, sizeof(number), "%u", 70000 + i);
        bed_refused(mote_error_decode(&word, &index), expected[i], number);
        ck_assert_uint_eq(index, 70000 + i);
        ck_assert_int_ne(mote_error_decode(&word, NULL), MOTE_SUCCESS);
    }
}
END_TEST

START_TEST(first_kind_wins)
{
    mote_error_word word = clear();
    uint32_t index = 77;
    ck_assert_int_eq(mote_error_decode(&word, &index), MOTE_SUCCESS);
    ck_assert_uint_eq(index, 77);
    word.slot[MOTE_SLOT_CAPACITY] = 1;
    word.slot[MOTE_SLOT_MODULE] = 0;
    bed_refused(mote_error_decode(&word, &index), MOTE_ERROR_MODULE, "digi 0 ");
    ck_assert_uint_eq(index, 0);
    bed_refused(mote_error_decode(NULL, &index), MOTE_ERROR_INVALID_ARGUMENT, "word is NULL");
}
END_TEST

START_TEST(lowest_list_wins)
{
    mote_error_word word = clear();
    uint32_t index = 77;
    word.slot[MOTE_SLOT_OFFSETS_NEGATIVE] = 9;
    word.slot[MOTE_SLOT_OFFSETS_OUT_OF_RANGE] = 4;
    word.slot[MOTE_SLOT_STOP_BEFORE_START] = 4;
    word.slot[MOTE_SLOT_PARENTS] = 1;
    bed_refused(mote_error_decode(&word, &index), MOTE_ERROR_OFFSETS_OUT_OF_RANGE, "list 4 ");
    ck_assert_uint_eq(index, 4);
    word.slot[MOTE_SLOT_CAPACITY] = 12;
    bed_refused(mote_error_decode(&word, &index), MOTE_ERROR_OFFSETS_OUT_OF_RANGE, "list 4 ");
}
END_TEST

START_TEST(read_from_device)
{
    bed b;
    cl_int code;
    mote_error_word words[3] = {clear(), clear(), clear()};
    uint32_t index = 0;
    call_bed_open(&b, NULL);
    words[1].slot[MOTE_SLOT_KEY] = 12;
    cl_mem mem = clCreateBuffer(mote_context_cl(b.ctx), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                sizeof(words), words, &code);
    cl_command_queue foreign = NULL;
    bed_ok(mote_context_queue(b.other, 0, &foreign));
    bed_ok(mote_error_read(b.in_order, mem, 0, &index, 0, NULL));
    bed_refused(mote_error_read(b.in_order, mem, 64, &index, 0, NULL), MOTE_ERROR_KEY, "12");
    ck_assert_uint_eq(index, 12);
    bed_ok(mote_error_read(b.any_order, mem, 128, NULL, 0, NULL));
    bed_refused(mote_error_read(b.in_order, mem, 132, &index, 0, NULL), MOTE_ERROR_INVALID_VIEW,
                "132");
    bed_refused(mote_error_read(b.in_order, mem, SIZE_MAX - 3, &index, 0, NULL),
                MOTE_ERROR_INVALID_VIEW, "192");
    bed_refused(mote_error_read(b.in_order, mem, 2, &index, 0, NULL), MOTE_ERROR_INVALID_ARGUMENT,
                "multiple of 4");
    bed_refused(mote_error_read(NULL, mem, 0, &index, 0, NULL), MOTE_ERROR_INVALID_ARGUMENT,
                "queue");
    bed_refused(mote_error_read(b.in_order, NULL, 0, &index, 0, NULL), MOTE_ERROR_INVALID_ARGUMENT,
                "word");
    bed_refused(mote_error_read(foreign, mem, 0, &index, 0, NULL), MOTE_ERROR_WRONG_CONTEXT,
                "different");
    bed_refused(mote_error_read(b.in_order, mem, 0, &index, 1, NULL), CL_INVALID_EVENT_WAIT_LIST,
                "clEnqueueReadBuffer");
    clReleaseCommandQueue(foreign);
    clReleaseMemObject(mem);
    call_bed_close(&b);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(every_slot),
    SUITE_TEST(first_kind_wins),
    SUITE_TEST(lowest_list_wins),
    SUITE_TEST(read_from_device),
};

SUITE_MAIN("error", tests)
