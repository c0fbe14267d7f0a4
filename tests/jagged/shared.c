/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a verification case. */
#include "shared.h"

#include <math.h>
#include <stdio.h>

bool shared_text(const shared_case *c, const char *object, const char *key, char *out, size_t size)
{
    const mote_json *at = *object ? mote_json_member(c->json, object) : c->json;

    at = at ? mote_json_member(at, key) : NULL;
    if (!at || !at->text)
        return false;
    snprintf(out, size, "%s", at->text);
    return true;
}

int64_t shared_number(const shared_case *c, const char *key)
{
    char text[64];

    ck_assert_msg(shared_text(c, "num", key, text, sizeof(text)), "%s: no number %s", c->name, key);
    return strtoll(text, NULL, 10);
}

bool shared_array(const shared_case *c, const char *name, mote_npy *array)
{
    char file[128], path[512], full[4096], message[MESSAGE_SIZE] = "";

    *array = (mote_npy){0};
    if (!shared_text(c, "arrays", name, file, sizeof(file)))
        return false;
    snprintf(path, sizeof(path), "cases/jagged/%s/%s", c->name, file);
    shared_path(path, full, sizeof(full));
    FILE *in = fopen(full, "rb");

    ck_assert_msg(in != NULL, "cannot open %s", full);
    mote_npy_status status = mote_npy_read(in, array, message, sizeof(message));

    fclose(in);
    ck_assert_msg(status == MOTE_NPY_OK, "%s: %s", full, message);
    return true;
}

void shared_convert(mote_npy *array, mote_type type)
{
    void *values = malloc((array->count + 1) * sizeof(int64_t));

    ck_assert_ptr_nonnull(values);
    for (size_t k = 0; k < array->count; k++)
        mote_index_set(values, type, k, mote_index_get(array->values, array->type, k));
    free(array->values);
    array->values = values;
    array->type = type;
}

mote_status shared_error(const shared_case *c, uint32_t *index)
{
    static const struct {
        const char *name;
        mote_status status;
    } names[] = {
        {"OFFSETS_NEGATIVE", MOTE_ERROR_OFFSETS_NEGATIVE},
        {"OFFSETS_NOT_MONOTONIC", MOTE_ERROR_OFFSETS_NOT_MONOTONIC},
        {"OFFSETS_OUT_OF_RANGE", MOTE_ERROR_OFFSETS_OUT_OF_RANGE},
        {"STOP_BEFORE_START", MOTE_ERROR_STOP_BEFORE_START},
        {"OUTPUT_TOO_SMALL", MOTE_ERROR_CAPACITY},
        {"INVALID_SIZE", MOTE_ERROR_INVALID_ARGUMENT},
    };
    char text[64];

    *index = 0;
    if (shared_text(c, "", "bad_index", text, sizeof(text)))
        *index = (uint32_t)strtoll(text, NULL, 10);
    if (!shared_text(c, "", "error", text, sizeof(text)))
        return MOTE_SUCCESS;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(text, names[i].name) == 0)
            return names[i].status;
    ck_abort_msg("%s: unknown error %s", c->name, text);
    return MOTE_ERROR_INTERNAL;
}

mote_guard shared_upload(const shared_case *c, const char *name, const mote_npy *array)
{
    if (!array->type)
        return (mote_guard){.name = name};
    return bed_array(c->b, name, array->type, array->count, array->values);
}

mote_view shared_view(const mote_guard *guard)
{
    return guard->view.count ? guard->view : (mote_view){0};
}

void shared_near(const shared_case *c, const char *what, size_t k, double got, double exact,
                 double bound)
{
    bool good =
        isfinite(exact) ? fabs(got - exact) <= bound : (isnan(exact) ? isnan(got) : got == exact);

    ck_assert_msg(good, "%s: %s[%zu] is %.17g, not %.17g within %g", c->name, what, k, got, exact,
                  bound);
}
