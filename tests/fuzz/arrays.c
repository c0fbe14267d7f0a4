/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in NPY, CSV and JSON files, and JSON of any kind. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "tool/formats/npy.h"
#include "tool/io/arrays_text.h"

fuzz_target fuzz_npy, fuzz_arrays, fuzz_json;

/* The head that would be written for an array describes the same array. */
static void check_head(const mote_npy *array)
{
    unsigned char head[MOTE_NPY_HEAD_BYTES];
    char text[300] = "";
    mote_npy again;
    mote_npy_layout layout;
    mote_npy_head(array, head);
    FUZZ_CHECK(mote_npy_parse((const char *)head + 10, sizeof(head) - 10, &again, &layout, text,
                              sizeof(text)),
               "its own head: %s", text);
    FUZZ_CHECK(!layout.big_endian && !layout.by_columns, "its own head has another layout");
    FUZZ_CHECK(again.type == array->type && again.n_dims == array->n_dims &&
                   again.count == array->count && again.shape[0] == array->shape[0] &&
                   again.shape[1] == array->shape[1],
               "its own head describes another array");
}

/* Compares the values with the bytes of the file, one by one. */
static void check_values(const mote_npy *array, const uint8_t *data, size_t size)
{
    size_t width = mote_type_size(array->type), rows = array->shape[0], columns = array->shape[1];
    size_t head = data[6] == 1 ? 10 : 12, length = size - array->count * width - head;
    char text[300] = "";
    mote_npy same;
    mote_npy_layout layout;
    FUZZ_CHECK(
        mote_npy_parse((const char *)data + head, length, &same, &layout, text, sizeof(text)),
        "its head is bad by itself: %s", text);
    for (size_t i = 0; i < array->count; i++) {
        size_t place = layout.by_columns ? i % columns * rows + i / columns : i;
        const uint8_t *from = data + size - array->count * width + place * width;
        const uint8_t *value = (const uint8_t *)array->values + i * width;
        for (size_t k = 0; k < width; k++)
            FUZZ_CHECK(value[k] == from[layout.big_endian ? width - 1 - k : k], "value %zu", i);
    }
}

/* Reads the file once as a pipe of unknown length, and once as a regular file. */
void fuzz_npy(const uint8_t *data, size_t size)
{
    char first[300] = "", second[300] = "";
    mote_npy array, again;
    char nothing = 0;
    FILE *pipe = size ? fmemopen((void *)(uintptr_t)data, size, "rb") : fmemopen(&nothing, 1, "rb");
    FILE *file = fuzz_file(data, size);
    FUZZ_CHECK(pipe, "no memory");
    if (!size)
        fseek(pipe, 0, SEEK_END);
    mote_npy_status status = mote_npy_read(pipe, &array, first, sizeof(first));
    FUZZ_CHECK(mote_npy_read(file, &again, second, sizeof(second)) == status, "%s, but %s", first,
               second);
    fclose(pipe);
    fclose(file);
    FUZZ_CHECK((status == MOTE_NPY_OK) == !*first, "status %d says %s", (int)status, first);
    FUZZ_CHECK(strcmp(first, second) == 0, "%s, but %s", first, second);
    FUZZ_CHECK(array.count == again.count && array.type == again.type, "two readings differ");
    if (status == MOTE_NPY_OK) {
        size_t bytes = array.count * mote_type_size(array.type);
        FUZZ_CHECK(bytes < size, "%zu bytes from %zu", bytes, size);
        FUZZ_CHECK(memcmp(array.values, again.values, bytes) == 0, "two readings differ");
        check_values(&array, data, size);
        check_head(&array);
    }
    mote_npy_free(&array);
    mote_npy_free(&again);
}

typedef int (*text_reader)(const char *path, bool offsets, mote_npy *array);

/* Offsets, if the file has lists, are those of its rows. */
static void check_text(text_reader reader, const char *path)
{
    mote_npy values, offsets;
    fuzz_forget();
    int code = reader(path, false, &values);
    FUZZ_CHECK((code == TOOL_GO_ON) == !*fuzz_message(), "status %d says %s", code, fuzz_message());
    FUZZ_CHECK(reader(path, true, &offsets) == code, "two readings differ");
    if (code == TOOL_GO_ON) {
        FUZZ_CHECK(values.values && values.count == values.shape[0] * values.shape[1], "no shape");
        const int64_t *at = offsets.values;
        bool lists = offsets.type == MOTE_INT64 && offsets.count && at[0] == 0 &&
                     at[offsets.count - 1] == (int64_t)values.shape[0];
        for (size_t k = 1; lists && k < offsets.count; k++)
            lists = at[k - 1] <= at[k];
        FUZZ_CHECK(lists || offsets.count == values.count, "neither offsets nor values");
    }
    mote_npy_free(&values);
    mote_npy_free(&offsets);
}

void fuzz_arrays(const uint8_t *data, size_t size)
{
    char path[40];
    FILE *file = fuzz_file(data, size);
    snprintf(path, sizeof(path), "/dev/fd/%d", fileno(file));
    check_text(arrays_read_csv, path);
    check_text(arrays_read_json, path);
    fclose(file);
}

static size_t walk(const mote_json *value)
{
    size_t count = 0, children = 0;
    for (const mote_json *at = value->first; at; at = at->next, children++)
        count += walk(at);
    FUZZ_CHECK(children == value->count, "%zu elements, not %zu", children, value->count);
    FUZZ_CHECK(mote_json_at(value, children) == NULL, "an element behind the last");
    mote_json_number(value, 0.0L);
    mote_json_member(value, "key");
    return count + 1;
}

void fuzz_json(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    mote_json *value = mote_json_read(text);
    if (value)
        FUZZ_CHECK(walk(value) <= size, "more values than bytes");
    mote_json_free(value);
    free(text);
}
