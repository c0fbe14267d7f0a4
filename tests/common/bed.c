/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bed.h"

#include <stdlib.h>

void bed_ok(mote_status status)
{
    ck_assert_msg(!status, "%s: %s", mote_status_name(status), mote_last_error());
}

void bed_open(bed *b, const char *tune)
{
    *b = (bed){0};
    if (tune)
        ck_assert_int_eq(setenv("MOTE_TUNE", tune, 1), 0);
    else
        unsetenv("MOTE_TUNE");
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
