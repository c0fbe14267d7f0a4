/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bed.h"

#include <stdio.h>
#include <stdlib.h>

void bed_ok(mote_status status)
{
    ck_assert_msg(!status, "%s: %s", mote_status_name(status), mote_last_error());
}

/* MOTE_TUNE of one bed: what the test wants, and what MOTE_TEST_TUNE wants of all of them, which
 * comes first, so that a test has the last word. */
static void set_tune(const char *tune)
{
    char both[1024];
    const char *all = getenv("MOTE_TEST_TUNE");
    int length = snprintf(both, sizeof(both), "%s,%s", all ? all : "", tune ? tune : "");
    ck_assert_int_lt(length, (int)sizeof(both));
    ck_assert_int_eq(setenv("MOTE_TUNE", both, 1), 0);
}

void bed_open(bed *b, const char *tune)
{
    *b = (bed){0};
    set_tune(tune);
    mote_status status = mote_context_open(NULL, &b->ctx);
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
    clReleaseCommandQueue(b->any_order);
    clReleaseCommandQueue(b->in_order);
    if (b->other)
        mote_context_release(b->other);
    mote_context_release(b->ctx);
}
