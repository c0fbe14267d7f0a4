/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of operations: context, queue, and arrays that detect changes. */
#include "bed.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POISON 0xA5          /* as in testkit/guard.c */
#define MARGIN ((size_t)128) /* alignment of the bytes after it equals that of a device buffer */

void fault_bed_open(fault_bed *b, const char *tune)
{
    const char *device = getenv("MOTE_DEVICE");
    *b = (fault_bed){0};
    setenv("MOTE_TUNE", tune, 1);
    unsetenv("MOTE_LOG");
    fault_track(true);
    fault_count_live(b->before);
    ck_assert_msg(!mote_context_open(device ? device : "pocl:0", &b->ctx), "%s", mote_last_error());
    for (int i = 0; i < 2; i++)
        ck_assert_msg(!mote_context_queue(b->ctx, i ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0,
                                          &b->queues[i]),
                      "%s", mote_last_error());
    b->queue = b->queues[0];
}

bool fault_bed_close(fault_bed *b)
{
    for (int i = 0; i < 2; i++) {
        clFinish(b->queues[i]);
        clReleaseCommandQueue(b->queues[i]);
    }
    mote_context_release(b->ctx);
    return fault_check_live(b, b->before);
}

void fault_count_live(int live[FAULT_HANDLES])
{
    fault_mark(); /* so that there always is a sentence */
    for (fault_handle h = FAULT_CONTEXT; h < FAULT_HANDLES; h++)
        live[h] = fault_live(h);
}

bool fault_check_live(fault_bed *b, const int before[FAULT_HANDLES])
{
    int after[FAULT_HANDLES];
    fault_count_live(after);
    for (fault_handle h = FAULT_CONTEXT; h < FAULT_HANDLES; h++)
        if (after[h] != before[h]) {
            snprintf(b->message, sizeof(b->message), "%+d of %s left alive", after[h] - before[h],
                     fault_handle_name(h));
            return false;
        }
    return true;
}

/* Sets a sentence that no operation produces. */
void fault_mark(void)
{
    mote_prepare(NULL, (mote_operation)0, NULL);
}

bool fault_is_marked(void)
{
    return strstr(mote_last_error(), "mote_prepare: operation 0 is not a value") != NULL;
}

static void corrupt(const fault_corruption *how, const fault_array *a)
{
    size_t size = mote_type_size(a->type), all = size ? a->bytes / size : 0;
    if (!how->array || strcmp(how->array, a->name) != 0 || size > sizeof(how->value))
        return;
    for (size_t i = 0; i < all; i++)
        if (how->at == SIZE_MAX || how->at == i)
            memcpy(a->contents + i * size, how->value, size);
}

static fault_array *add(fault_bed *b, const char *name, mote_type type, bool out, size_t bytes,
                        const void *contents)
{
    ck_assert_uint_lt(b->count, FAULT_ARRAYS);
    fault_array *a = &b->arrays[b->count++];
    *a = (fault_array){.name = name, .type = type, .out = out, .bytes = bytes};
    if (contents) {
        a->contents = malloc(bytes + 1);
        ck_assert_ptr_nonnull(a->contents);
        memcpy(a->contents, contents, bytes);
        corrupt(&b->corrupt, a);
    }
    if (out) {
        a->reference = calloc(1, bytes + 1);
        ck_assert_ptr_nonnull(a->reference);
    }
    return a;
}

static mote_view add_view(fault_bed *b, const char *name, bool out, mote_type type, size_t count,
                          const void *contents)
{
    fault_array *a = add(b, name, type, out, count * mote_type_size(type), contents);
    ck_assert_int_eq(mote_guard_create(&a->guard, b->ctx, b->queue, name, type, count, contents),
                     CL_SUCCESS);
    return a->guard.view;
}

mote_view fault_in(fault_bed *b, const char *name, mote_type type, size_t count,
                   const void *contents)
{
    return add_view(b, name, false, type, count, contents);
}

mote_view fault_out(fault_bed *b, const char *name, mote_type type, size_t count)
{
    return add_view(b, name, true, type, count, NULL);
}

mote_view fault_in_out(fault_bed *b, const char *name, mote_type type, size_t count,
                       const void *contents)
{
    return add_view(b, name, true, type, count, contents);
}

void fault_error(fault_bed *b, cl_mem *word, size_t *offset, mote_status expected)
{
    b->error = b->count;
    b->has_error = true;
    b->expected = b->corrupt.array ? b->corrupted : expected;
    const mote_view v = fault_out(b, "error word", MOTE_UINT32, MOTE_ERROR_SLOTS);
    *word = v.mem;
    *offset = v.offset * sizeof(uint32_t);
}

static unsigned char *add_host(fault_bed *b, const char *name, bool out, size_t bytes,
                               const void *contents)
{
    fault_array *a = add(b, name, MOTE_TYPE_NONE, out, bytes, contents);
    a->host = aligned_alloc(MARGIN, (bytes + MARGIN - 1) / MARGIN * MARGIN + 2 * MARGIN);
    ck_assert_ptr_nonnull(a->host);
    return a->host + MARGIN;
}

const void *fault_host_in(fault_bed *b, const char *name, size_t bytes, const void *contents)
{
    return add_host(b, name, false, bytes, contents);
}

void *fault_host_out(fault_bed *b, const char *name, size_t bytes)
{
    return add_host(b, name, true, bytes, NULL);
}

void fault_arrays_refill(fault_bed *b)
{
    for (size_t i = 0; i < b->count; i++) {
        fault_array *a = &b->arrays[i];
        if (a->host) {
            memset(a->host, POISON, a->bytes + 2 * MARGIN);
            if (a->contents)
                memcpy(a->host + MARGIN, a->contents, a->bytes);
        } else
            ck_assert_int_eq(mote_guard_refill(&a->guard, b->queue, a->contents), CL_SUCCESS);
    }
}

void fault_expect(fault_bed *b, const void *contents)
{
    fault_array *a = &b->arrays[b->count - 1];
    memcpy(a->reference, contents, a->bytes);
    a->expected = true;
}

void fault_forget(fault_bed *b)
{
    for (size_t i = 0; i < b->count; i++)
        b->arrays[i].expected = false;
}

static bool poisoned(const unsigned char *bytes, size_t count)
{
    size_t i = 0;
    while (i < count && bytes[i] == POISON)
        i++;
    return i == count;
}

/* Reads the current contents of the array; false with a sentence if memory around it was
 * written. */
static bool read_array(fault_bed *b, const fault_array *a, unsigned char *now)
{
    if (!a->host)
        return mote_guard_read(&a->guard, b->queue, now, 0, NULL, b->message, sizeof(b->message));
    memcpy(now, a->host + MARGIN, a->bytes);
    if (poisoned(a->host, MARGIN) && poisoned(a->host + MARGIN + a->bytes, MARGIN))
        return true;
    snprintf(b->message, sizeof(b->message), "%s: memory beside the array was written", a->name);
    return false;
}

static bool check_array(fault_bed *b, fault_array *a, fault_outputs outputs, unsigned char *now)
{
    if (!read_array(b, a, now))
        return false;
    if (outputs == FAULT_KEPT && a->expected)
        outputs = FAULT_RIGHT;
    const unsigned char *should = a->out && outputs == FAULT_RIGHT ? a->reference : a->contents;
    if (a->out && outputs == FAULT_KEPT)
        memcpy(a->reference, now, a->bytes);
    if (a->out && (outputs == FAULT_KEPT || outputs == FAULT_ANY))
        return true;
    if (should ? memcmp(now, should, a->bytes) == 0 : poisoned(now, a->bytes))
        return true;
    snprintf(b->message, sizeof(b->message), "%s: %s", a->name,
             !a->out                   ? "an input was written"
             : outputs == FAULT_INTACT ? "written, though nothing was enqueued"
                                       : "not what it should be");
    return false;
}

bool fault_arrays_check(fault_bed *b, fault_outputs outputs)
{
    bool good = true;
    for (size_t i = 0; i < b->count && good; i++) {
        fault_array *a = &b->arrays[i];
        unsigned char *now = malloc(a->bytes + 1);
        ck_assert_ptr_nonnull(now);
        good = check_array(b, a, outputs, now);
        free(now);
    }
    return good;
}

mote_status fault_arrays_told(const fault_bed *b)
{
    mote_error_word word;
    memcpy(&word, b->arrays[b->error].reference, sizeof(word));
    return mote_error_decode(&word, NULL);
}

bool fault_arrays_error(fault_bed *b)
{
    if (!b->has_error || b->expected == FAULT_TOLD_ANY)
        return true;
    mote_status told = fault_arrays_told(b);
    if (told == b->expected)
        return true;
    snprintf(b->message, sizeof(b->message), "the error word holds %s instead of %s",
             mote_status_name(told), mote_status_name(b->expected));
    return false;
}

void fault_arrays_release(fault_bed *b)
{
    for (size_t i = 0; i < b->count; i++) {
        fault_array *a = &b->arrays[i];
        mote_guard_release(&a->guard);
        free(a->host);
        free(a->contents);
        free(a->reference);
    }
    b->count = 0;
    b->has_error = false;
    b->expected = MOTE_SUCCESS;
}
