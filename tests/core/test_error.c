/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of error words to statuses and sentences. */
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
        MOTE_ERROR_CLUSTER_ID,
        MOTE_ERROR_OFFSETS_NEGATIVE,
        MOTE_ERROR_OFFSETS_NOT_MONOTONIC,
        MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
        MOTE_ERROR_STOP_BEFORE_START,
        MOTE_ERROR_OVERLAP,
        MOTE_ERROR_PARENTS,
        MOTE_ERROR_POSITION,
        MOTE_ERROR_BOX,
        MOTE_ERROR_EDGES,
        MOTE_ERROR_PACKET,
    };
    for (uint32_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
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
    word.slot[MOTE_SLOT_MODULE] = MOTE_ERROR_SLOT_CLEAR;
    bed_refused(mote_error_decode(&word, &index), MOTE_ERROR_CAPACITY, "1");
    word.slot[MOTE_SLOT_POSITION] = 7;
    bed_refused(mote_error_decode(&word, &index), MOTE_ERROR_POSITION, "7");
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

/* Slots without a kind belong to no error: for example in a word that was never cleared. */
START_TEST(unknown_slot)
{
    mote_error_word word = clear();
    uint32_t index = 1;
    word.slot[MOTE_ERROR_SLOTS - 1] = 7;
    bed_refused(mote_error_decode(&word, &index), MOTE_ERROR_INTERNAL, "slot 31");
    ck_assert_uint_eq(index, 7);
}
END_TEST

START_TEST(made_clear)
{
    bed b;
    cl_mem word = NULL;
    call_bed_open(&b, NULL);
    bed_ok(mote_error_create(mote_context_cl(b.ctx), &word));
    bed_ok(mote_error_read(b.in_order, word, 0, NULL, 0, NULL));
    clReleaseMemObject(word);
    bed_refused(mote_error_create(NULL, &word), MOTE_ERROR_INVALID_ARGUMENT, "context is NULL");
    ck_assert_ptr_null(word);
    bed_refused(mote_error_create(mote_context_cl(b.ctx), NULL), MOTE_ERROR_INVALID_ARGUMENT,
                "word is NULL");
    call_bed_close(&b);
}
END_TEST

static void count_lists(bed *b, cl_mem memory, size_t offsets_at, uint32_t keep)
{
    mote_jagged_counts_args args;
    mote_jagged_counts_args_init(&args);
    args.offsets = (mote_view){memory, offsets_at, 4, MOTE_INT32};
    args.counts = (mote_view){memory, 8, 3, MOTE_INT32};
    args.error = memory;
    args.error_offset = 256;
    args.error_keep = keep;
    bed_ok(mote_jagged_counts(b->ctx, b->in_order, &args, 0, NULL, NULL));
}

/* A word that is kept reports the first of several calls that found an error. */
START_TEST(kept_over_calls)
{
    int32_t words[96] = {0, 1, 1, 2,
                         0, 3, 4, 2}; /* offsets: valid ones, and ones with the bad list 2 */
    uint32_t index = 0;
    cl_int code;
    bed b;
    call_bed_open(&b, NULL);
    for (int i = 64; i < 96; i++)
        words[i] = -1;
    cl_mem memory = clCreateBuffer(mote_context_cl(b.ctx), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   sizeof(words), words, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    count_lists(&b, memory, 0, 1);
    bed_ok(mote_error_read(b.in_order, memory, 256, NULL, 0, NULL));
    count_lists(&b, memory, 4, 1);
    count_lists(&b, memory, 0, 1);
    bed_refused(mote_error_read(b.in_order, memory, 256, &index, 0, NULL),
                MOTE_ERROR_OFFSETS_NOT_MONOTONIC, "list 2");
    ck_assert_uint_eq(index, 2);
    count_lists(&b, memory, 0, 0);
    bed_ok(mote_error_read(b.in_order, memory, 256, NULL, 0, NULL));
    clReleaseMemObject(memory);
    call_bed_close(&b);
}
END_TEST

START_TEST(read_from_device)
{
    bed b;
    cl_int code;
    mote_error_word words[3] = {clear(), clear(), clear()};
    uint32_t index = 0;
    call_bed_open(&b, NULL);
    words[1].slot[MOTE_SLOT_MODULE] = 12;
    cl_mem mem = clCreateBuffer(mote_context_cl(b.ctx), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                sizeof(words), words, &code);
    cl_command_queue foreign = NULL;
    bed_ok(mote_context_queue(b.other, 0, &foreign));
    bed_ok(mote_error_read(b.in_order, mem, 0, &index, 0, NULL));
    bed_refused(mote_error_read(b.in_order, mem, 128, &index, 0, NULL), MOTE_ERROR_MODULE, "12");
    ck_assert_uint_eq(index, 12);
    bed_ok(mote_error_read(b.any_order, mem, 256, NULL, 0, NULL));
    bed_refused(mote_error_read(b.in_order, mem, 260, &index, 0, NULL), MOTE_ERROR_INVALID_VIEW,
                "260");
    bed_refused(mote_error_read(b.in_order, mem, SIZE_MAX - 3, &index, 0, NULL),
                MOTE_ERROR_INVALID_VIEW, "384");
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
    SUITE_TEST(every_slot),       SUITE_TEST(first_kind_wins), SUITE_TEST(lowest_list_wins),
    SUITE_TEST(unknown_slot),     SUITE_TEST(made_clear),      SUITE_TEST(kept_over_calls),
    SUITE_TEST(read_from_device),
};

SUITE_MAIN("error", tests)
