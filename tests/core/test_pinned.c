/* SPDX-License-Identifier: Apache-2.0 */
/* Pinned memory for callers. Some tests treat the device as a GPU, for which the driver allocates
 * it. */
#include <string.h>

#include "call_bed.h"
#include "common/suite.h"
#include "core/pinned.h"
#include "faults/inject.h"

static bed b;

static void setup(void)
{
    call_bed_open(&b, NULL);
    fault_reset();
}

static void teardown(void)
{
    fault_reset();
    call_bed_close(&b);
    ck_assert_int_eq(fault_live(FAULT_MEM), 0);
}

START_TEST(pinned_memory)
{
    for (int class = MOTE_DEVICE_GPU; class <= MOTE_DEVICE_CPU; class ++) {
        void *first = &b, *second = NULL;
        b.ctx->device.device_class = (mote_device_class) class;
        bed_refused(mote_host_alloc(b.ctx, 0, &first), MOTE_ERROR_INVALID_ARGUMENT, "bytes is 0");
        ck_assert_ptr_null(first);
        bed_refused(mote_host_alloc(NULL, 1, &first), MOTE_ERROR_INVALID_ARGUMENT, "ctx");
        bed_refused(mote_host_alloc(b.ctx, 1, NULL), MOTE_ERROR_INVALID_ARGUMENT, "out");
        bed_refused(mote_host_alloc(b.ctx, SIZE_MAX, &first), MOTE_ERROR_OUT_OF_HOST_MEMORY,
                    "18446744073709551615");
        bed_ok(mote_host_alloc(b.ctx, 1, &first));
        bed_ok(mote_host_alloc(b.ctx, 5000, &second));
        memset(first, 1, 1);
        memset(second, 2, 5000);
        mote_host_free(b.ctx, &b); /* not pinned memory: only logs a message */
        mote_host_free(b.ctx, first);
        mote_host_free(b.ctx, NULL);
        ck_assert_int_eq(*(char *)second, 2); /* still valid; freed together with the context */
    }
}
END_TEST

/* A lack of pinned memory is reported, whether the driver allocates it with the buffer or when the
 * buffer is mapped, and whichever error code it returns. */
START_TEST(no_pinned_memory)
{
    static const cl_int codes[] = {CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, CL_MAP_FAILURE,
                                   CL_MEM_OBJECT_ALLOCATION_FAILURE};
    static const fault_call calls[] = {FAULT_clCreateBuffer, FAULT_clEnqueueMapBuffer};
    b.ctx->device.device_class = MOTE_DEVICE_GPU;
    for (size_t i = 0; i < 8; i++) {
        void *memory = &b;
        fault_fail(calls[i / 4], 1, 1, codes[i % 4]);
        bed_refused(mote_host_alloc(b.ctx, 5000, &memory), MOTE_ERROR_OUT_OF_HOST_MEMORY,
                    "no pinned host memory for 5000 bytes");
        ck_assert_ptr_null(memory);
        fault_reset();
    }
    fault_fail(FAULT_clEnqueueMapBuffer, 1, 1, CL_DEVICE_NOT_AVAILABLE);
    bed_refused(mote_host_alloc(b.ctx, 5000, &(void *){NULL}), CL_DEVICE_NOT_AVAILABLE,
                "clEnqueueMapBuffer");
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(pinned_memory), SUITE_TEST(no_pinned_memory)};

SUITE_MAIN_FIXTURE("pinned", tests, setup, teardown)
