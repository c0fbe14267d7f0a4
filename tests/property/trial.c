/* SPDX-License-Identifier: Apache-2.0 */
#include "property/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(trial *t, const char *what)
{
    snprintf(t->draw->message, sizeof(t->draw->message), "%s: %s", what, mote_last_error());
    t->failed = true;
    return false;
}

void trial_begin(trial *t, property_draw *draw)
{
    cl_int code;

    *t = (trial){.draw = draw,
                 .shift = mote_rng_below(&draw->rng, 2) ? 0 : mote_rng_below(&draw->rng, 37)};
    t->gate = clCreateUserEvent(mote_context_cl(draw->ctx), &code);
    if (code || mote_guard_create(&t->word, draw->ctx, draw->queue, "error word", MOTE_UINT32,
                                  MOTE_ERROR_SLOTS, NULL))
        fail(t, "error word");
}

static mote_view add(trial *t, const char *name, mote_type type, size_t count, const void *contents,
                     bool output)
{
    size_t size = mote_type_size(type), k = t->arrays++;
    size_t before = t->shift * size;
    unsigned char *image = k < TRIAL_ARRAYS ? malloc(before + count * size + 1) : NULL;

    if (!image) {
        fail(t, name);
        return (mote_view){0};
    }
    memset(image, TRIAL_POISON, before);
    if (contents && count)
        memcpy(image + before, contents, count * size);
    t->array[k].image = image;
    t->array[k].output = output;
    if (mote_guard_create(&t->array[k].guard, t->draw->ctx, t->draw->queue, name, type,
                          count + t->shift, output ? NULL : image))
        fail(t, name);
    mote_view view = t->array[k].guard.view;

    view.offset += t->shift;
    view.count = count;
    return view;
}

mote_view trial_input(trial *t, const char *name, mote_type type, size_t count, const void *from)
{
    return add(t, name, type, count, from, false);
}

mote_view trial_output(trial *t, const char *name, mote_type type, size_t count,
                       const void *expected)
{
    return add(t, name, type, count, expected, true);
}

mote_view trial_workspace(trial *t, size_t bytes)
{
    if (mote_guard_create(&t->workspace, t->draw->ctx, t->draw->queue, "workspace", MOTE_UINT32,
                          (bytes + 3) / 4, NULL))
        fail(t, "workspace");
    return t->workspace.view;
}

static bool check_word(trial *t)
{
    mote_error_word word;
    uint32_t index = t->index;

    if (!mote_guard_read(&t->word, t->draw->queue, &word, 1, &t->done, t->draw->message,
                         sizeof(t->draw->message)))
        return false;
    mote_status told = mote_error_decode(&word, &index);

    if (t->any_error || (told == t->status && (!told || index == t->index)))
        return true;
    snprintf(t->draw->message, sizeof(t->draw->message),
             "the error word reports %s of %u, not %s of %u", mote_status_name(told),
             (unsigned)index, mote_status_name(t->status), (unsigned)t->index);
    return false;
}

/* Compares an array with the expected bytes. If outputs are unspecified, only the bytes before the
 * view of an output are compared. */
static bool check_array(trial *t, size_t k)
{
    const mote_guard *guard = &t->array[k].guard;
    size_t size = mote_type_size(guard->view.type), before = t->shift * size;
    unsigned char *got = malloc(guard->bytes + 1);
    bool loose = t->array[k].output && t->anything;
    bool good = got && mote_guard_read(guard, t->draw->queue, got, 1, &t->done, t->draw->message,
                                       sizeof(t->draw->message));
    size_t at = 0, end = loose ? before : guard->bytes;

    while (good && at < end && got[at] == t->array[k].image[at])
        at++;
    if (good && at < end) {
        unsigned long long was = 0, should = 0;
        size_t i = at / size;

        memcpy(&was, got + i * size, size);
        memcpy(&should, t->array[k].image + i * size, size);
        snprintf(t->draw->message, sizeof(t->draw->message),
                 "%s[%lld] of %zu is 0x%llx, not 0x%llx", guard->name,
                 (long long)i - (long long)t->shift, guard->view.count - t->shift, was, should);
        good = false;
    }
    free(got);
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
    for (size_t k = 0; k < t->arrays && k < TRIAL_ARRAYS; k++) {
        good = good && check_array(t, k);
        free(t->array[k].image);
        mote_guard_release(&t->array[k].guard);
    }
    good = good && mote_guard_read(&t->workspace, t->draw->queue, NULL, 1, &t->done,
                                   t->draw->message, sizeof(t->draw->message));
    if (t->done)
        clReleaseEvent(t->done);
    mote_guard_release(&t->word);
    mote_guard_release(&t->workspace);
    return good;
}
