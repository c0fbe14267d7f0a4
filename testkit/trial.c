/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(trial *t, const char *what)
{
    snprintf(t->message, t->message_size, "%s: %s", what, mote_last_error());
    t->failed = true;
    return false;
}

void trial_begin(trial *t, mote_context *ctx, cl_command_queue queue, size_t shift, char *message,
                 size_t size)
{
    cl_int code;

    *t = (trial){
        .ctx = ctx, .queue = queue, .shift = shift, .message = message, .message_size = size};
    t->gate = clCreateUserEvent(mote_context_cl(ctx), &code);
    if (code ||
        mote_guard_create(&t->word, ctx, queue, "error word", MOTE_UINT32, MOTE_ERROR_SLOTS, NULL))
        fail(t, "error word");
}

mote_view trial_add(trial *t, const trial_contents *c)
{
    size_t size = mote_type_size(c->type), k = t->arrays++;
    size_t before = t->shift * size, bytes = c->count * size;
    unsigned char *image = k < TRIAL_ARRAYS ? malloc(before + bytes + 1) : NULL;

    if (!image) {
        fail(t, c->name);
        return (mote_view){0};
    }
    memset(image, TRIAL_POISON, before);
    if (c->from && bytes)
        memcpy(image + before, c->from, bytes);
    t->array[k].image = image;
    t->array[k].output = c->output;
    t->array[k].open = c->open;
    if (mote_guard_create(&t->array[k].guard, t->ctx, t->queue, c->name, c->type,
                          c->count + t->shift, c->from ? image : NULL))
        fail(t, c->name);
    if (c->expected && bytes)
        memcpy(image + before, c->expected, bytes);
    mote_view view = t->array[k].guard.view;

    view.offset += t->shift;
    view.count = c->count;
    return view;
}

mote_view trial_workspace(trial *t, size_t bytes)
{
    if (mote_guard_create(&t->workspace, t->ctx, t->queue, "workspace", MOTE_UINT32,
                          (bytes + 3) / 4, NULL))
        fail(t, "workspace");
    return t->workspace.view;
}

static bool check_word(trial *t)
{
    mote_error_word word;
    uint32_t index = t->index;

    if (!mote_guard_read(&t->word, t->queue, &word, 1, &t->done, t->message, t->message_size))
        return false;
    mote_status told = mote_error_decode(&word, &index);
    if (t->judge) {
        t->status = t->any_error ? MOTE_SUCCESS : told;
        t->index = index;
        return true;
    }
    if (t->any_error)
        return true;
    if (told == t->status && (!told || index == t->index))
        return true;
    snprintf(t->message, t->message_size, "the error word reports %s of %u, not %s of %u",
             mote_status_name(told), (unsigned)index, mote_status_name(t->status),
             (unsigned)t->index);
    return false;
}

static bool is_nan(mote_type type, const unsigned char *bytes)
{
    float single;
    double wide;

    memcpy(&single, bytes, type == MOTE_FLOAT32 ? sizeof(single) : 0);
    memcpy(&wide, bytes, type == MOTE_FLOAT64 ? sizeof(wide) : 0);
    return type == MOTE_FLOAT32 ? single != single : type == MOTE_FLOAT64 && wide != wide;
}

size_t trial_differs(mote_type type, const void *got, const void *expected, size_t count,
                     const trial_leeway *leeway)
{
    const unsigned char *a = got, *b = expected;
    size_t size = mote_type_size(type), k = 0;

    if (memcmp(a, b, count * size) == 0)
        return count;
    for (; k < count; k++, a += size, b += size)
        if (memcmp(a, b, size) != 0 && !(leeway->any_nan && is_nan(type, a) && is_nan(type, b)) &&
            !(leeway->is_near && leeway->is_near(leeway->about, k, a, b)))
            break;
    return k;
}

/* Compares an array with the expected bytes. If outputs are unspecified, only the bytes before the
 * view of an output are compared. */
static bool check_array(trial *t, size_t k)
{
    const mote_guard *guard = &t->array[k].guard;
    size_t size = mote_type_size(guard->view.type);
    unsigned char *got = t->array[k].got = malloc(guard->bytes + 1);
    bool output = t->array[k].output;
    bool good =
        got && mote_guard_read(guard, t->queue, got, 1, &t->done, t->message, t->message_size);
    size_t before = t->shift * size;
    size_t end =
        output && (t->anything || t->judge) ? t->shift : guard->view.count - t->array[k].open;
    static const trial_leeway none;
    size_t at =
        good ? trial_differs(guard->view.type, got, t->array[k].image, t->shift, &none) : end;
    if (good && at == t->shift)
        at += trial_differs(guard->view.type, got + before, t->array[k].image + before,
                            end - t->shift, output ? &t->leeway : &none);

    if (at < end) {
        unsigned long long was = 0, should = 0;
        size_t first = at * size, shown = size < sizeof(was) ? size : sizeof(was);

        while (size > shown && memcmp(got + first, t->array[k].image + first, shown) == 0)
            first += shown; /* of a record, the part that differs */
        memcpy(&was, got + first, shown);
        memcpy(&should, t->array[k].image + first, shown);
        snprintf(t->message, t->message_size, "%s[%lld] of %zu is 0x%llx, not 0x%llx", guard->name,
                 (long long)at - (long long)t->shift, guard->view.count - t->shift, was, should);
        good = false;
    }
    return good;
}

bool trial_end(trial *t, mote_status called)
{
    bool good = !t->failed && (called == MOTE_SUCCESS || fail(t, "the call"));

    if (good && !t->done)
        good = fail(t, "no event");
    if (t->gate) {
        clSetUserEventStatus(t->gate, CL_COMPLETE);
        clReleaseEvent(t->gate);
    }
    good = good && check_word(t);
    for (size_t k = 0; k < t->arrays && k < TRIAL_ARRAYS; k++)
        good = good && check_array(t, k);
    good = good && (!t->judge || t->judge(t));
    for (size_t k = 0; k < t->arrays && k < TRIAL_ARRAYS; k++) {
        free(t->array[k].image);
        free(t->array[k].got);
        mote_guard_release(&t->array[k].guard);
    }
    good = good &&
           mote_guard_read(&t->workspace, t->queue, NULL, 1, &t->done, t->message, t->message_size);
    if (t->done)
        clReleaseEvent(t->done);
    mote_guard_release(&t->word);
    mote_guard_release(&t->workspace);
    return good;
}
