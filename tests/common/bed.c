/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bed.h"

#include <stdio.h>
#include <stdlib.h>

void bed_ok(mote_status status)
{
    ck_assert_msg(!status, "%s: %s", mote_status_name(status), mote_last_error());
}

/* Sets MOTE_TUNE of one bed: first MOTE_TEST_TUNE, which applies to all beds, then the test's own
 * values, so that the test overrides it. */
static void set_tune(const char *tune)
{
    char both[1024];
    const char *all = getenv("MOTE_TEST_TUNE");
    int length = snprintf(both, sizeof(both), "%s,%s", all ? all : "", tune ? tune : "");
    ck_assert_int_lt(length, (int)sizeof(both));
    ck_assert_int_eq(setenv("MOTE_TUNE", both, 1), 0);
}

/* The OpenCL context of beds that are open one at a time. PoCL reads the bodies of its built-in
 * functions once for each OpenCL context that compiles, which takes half a second. It exists until
 * the process ends.
 */
static cl_context shared;
static size_t open_beds;

mote_status bed_context(const char *device, mote_context **ctx)
{
    static cl_device_id id;
    if (shared)
        return mote_context_create(shared, id, ctx);
    mote_status status = mote_context_open(device, ctx);
    if (status)
        return status;
    shared = mote_context_cl(*ctx);
    id = mote_context_device(*ctx)->device;
    ck_assert_int_eq(clRetainContext(shared), CL_SUCCESS);
    return MOTE_SUCCESS;
}

void bed_open(bed *b, const char *tune)
{
    *b = (bed){0};
    set_tune(tune);
    mote_status status =
        open_beds++ ? mote_context_open(NULL, &b->ctx) : bed_context(NULL, &b->ctx);
    unsetenv("MOTE_TUNE");
    bed_ok(status);
    bed_ok(mote_context_queue(b->ctx, 0, &b->in_order));
    if (mote_context_queue(b->ctx, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &b->any_order)) {
        clRetainCommandQueue(b->in_order);
        b->any_order = b->in_order;
    }
}

void bed_open_other(bed *b)
{
    bed_ok(mote_context_open(NULL, &b->other));
}

void bed_close(bed *b)
{
    open_beds--;
    clReleaseCommandQueue(b->any_order);
    clReleaseCommandQueue(b->in_order);
    if (b->other)
        mote_context_release(b->other);
    mote_context_release(b->ctx);
}
