/* SPDX-License-Identifier: Apache-2.0 */
#include "pending_call.h"

#include <time.h>

void held_begin(bed *b, held *h)
{
    *h = (held){.gate = bed_gate(b), .error = bed_error_word(b)};
}

void held_run(bed *b, held *h, mote_status called, mote_status status, uint32_t index,
              const char *label)
{
    bed_open_gate(h->gate);
    ck_assert_msg(!called, "%s: %s: %s", label, mote_status_name(called), mote_last_error());
    ck_assert_ptr_nonnull(h->done);
    bed_expect_error(b, &h->error, status, index, h->done, label);
}

void held_margins(bed *b, const held *h, mote_guard *array, const char *label)
{
    char message[MESSAGE_SIZE] = "";

    ck_assert_msg(mote_guard_read(array, b->in_order, NULL, 1, &h->done, message, sizeof(message)),
                  "%s: %s", label, message);
    mote_guard_release(array);
}

void held_expect(bed *b, const held *h, mote_guard *out, const void *expected, mote_status status,
                 const char *label)
{
    if (status)
        held_margins(b, h, out, label);
    else
        bed_expect(b, out, expected, h->done, label);
}

mote_guard held_workspace(bed *b, size_t bytes)
{
    return bed_array(b, "workspace", MOTE_UINT32, bytes / sizeof(uint32_t), NULL);
}

void held_end(held *h)
{
    clReleaseEvent(h->done);
}

uint64_t fresh_seed(void)
{
    static uint64_t seed;

    if (!seed)
        seed = (uint64_t)time(NULL) << 20;
    return ++seed;
}

void *make_array(size_t count, mote_type type)
{
    void *memory = calloc(count + 1, mote_type_size(type));

    ck_assert_ptr_nonnull(memory);
    return memory;
}
