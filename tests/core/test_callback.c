/* SPDX-License-Identifier: Apache-2.0 */
/* What a message callback may do. */
#include <stdint.h>
#include <unistd.h>

#include "call_bed.h"
#include "common/suite.h"
#include "faults/inject.h"
#include "mote/log.h"

static bed b;
static size_t heard;

static void use_the_library(mote_log_level level, const char *message, void *user)
{
    void *memory = NULL;
    (void)level, (void)message, (void)user;
    heard++;
    bed_memory(b.ctx);
    bed_ok(mote_context_trim(b.ctx));
    bed_ok(mote_host_alloc(b.ctx, 1, &memory));
    mote_host_free(b.ctx, memory);
}

/* No lock is held while a callback runs: else it would wait for ever. */
START_TEST(a_callback_may_call)
{
    mote_scratch_block *first, *second;
    void *memory;
    cl_mem mem;
    int fresh;
    call_bed_open(&b, NULL);
    alarm(60);
    mote_log_set(MOTE_LOG_DEBUG, use_the_library, NULL);
    bed_ok(mote_scratch_acquire(b.ctx, "trial", b.in_order, true, 1024, &first, &mem, &fresh));
    ck_assert_uint_eq(heard, 1);
    fault_fail(FAULT_clCreateBuffer, 1, 2, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    bed_refused(mote_scratch_acquire(b.ctx, "trial", b.in_order, true, 999, &second, &mem, &fresh),
                MOTE_ERROR_OUT_OF_DEVICE_MEMORY, "in use");
    ck_assert_uint_eq(heard, 2);
    bed_refused(mote_host_alloc(b.ctx, SIZE_MAX, &memory), MOTE_ERROR_OUT_OF_HOST_MEMORY, "");
    ck_assert_uint_eq(heard, 3);
    mote_host_free(b.ctx, &memory);
    ck_assert_uint_eq(heard, 4);
    mote_log_set(MOTE_LOG_NONE, NULL, NULL);
    alarm(0);
    mote_scratch_drop(b.ctx, first);
    call_bed_close(&b);
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(a_callback_may_call)};

SUITE_MAIN("callback", tests)
