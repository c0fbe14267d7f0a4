/* SPDX-License-Identifier: Apache-2.0 */
#include "arrays.h"

#include "arrays_text.h"
#include "file_type.h"
#include "unpack_kind.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const mote_type array_indices[] = {MOTE_INT32, MOTE_UINT32, MOTE_INT64, MOTE_TYPE_NONE};

const char *array_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static FILE *open_input(const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    struct stat info;
    if (file && fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode)) {
        if (file != stdin)
            fclose(file);
        errno = EISDIR;
        return NULL;
    }
    return file;
}

/* Returns the program that packed a file, or NULL. The data of a pipe has been consumed. */
static const char *packed_by(FILE *file)
{
    unsigned char bytes[16];
    ssize_t count = pread(fileno(file), bytes, sizeof(bytes), 0);
    for (size_t k = 0; k < unpack_kinds; k++)
        if (count > 0 && unpack_fits(&unpack_kind_list[k], bytes, (size_t)count) == UNPACK_YES)
            return unpack_kind_list[k].program;
    return NULL;
}

int array_read(const char *path, bool offsets, mote_npy *array)
{
    *array = (mote_npy){0};
    int code = input_refuse_foreign(path, "write its arrays as NPY");
    if (code != TOOL_GO_ON)
        return code;
    if (input_ends_with(path, ".csv"))
        return arrays_read_csv(path, offsets, array);
    if (input_ends_with(path, ".json"))
        return arrays_read_json(path, offsets, array);
    FILE *file = open_input(path);
    if (!file)
        return tool_fail(TOOL_INPUT, "%s: cannot be read: %s", array_name(path), strerror(errno));
    char message[300];
    mote_npy_status status = mote_npy_read(file, array, message, sizeof(message));
    const char *program = status == MOTE_NPY_BAD ? packed_by(file) : NULL;
    if (file != stdin)
        fclose(file);
    if (program)
        return tool_fail(TOOL_INPUT, "%s: not an NPY file: it is packed by %s: unpack it first",
                         array_name(path), program);
    if (status == MOTE_NPY_OK)
        return TOOL_GO_ON;
    return tool_fail(status == MOTE_NPY_NO_MEMORY ? TOOL_DEVICE : TOOL_INPUT, "%s: %s",
                     array_name(path), message);
}

int array_expect_type(const char *path, const mote_npy *array, const mote_type *types)
{
    char list[100] = "";
    for (int i = 0; types[i] != MOTE_TYPE_NONE; i++) {
        if (types[i] == array->type)
            return TOOL_GO_ON;
        const char *before = i == 0 ? "" : types[i + 1] == MOTE_TYPE_NONE ? " or " : ", ";
        strncat(list, before, sizeof(list) - strlen(list) - 1);
        strncat(list, mote_type_name(types[i]), sizeof(list) - strlen(list) - 1);
    }
    return tool_fail(TOOL_INPUT, "%s: holds %s, expected %s", array_name(path),
                     mote_type_name(array->type), list);
}

int array_expect(const char *path, const mote_npy *array, const mote_type *types)
{
    if (array->n_dims != 1)
        return tool_fail(TOOL_INPUT, "%s: has %u dimensions, expected 1", array_name(path),
                         array->n_dims);
    return array_expect_type(path, array, types);
}

int array_make(const char *name, mote_npy *array)
{
    size_t size = mote_type_size(array->type);
    array->values = NULL;
    if (array->count <= (size_t)PTRDIFF_MAX / size)
        array->values = malloc(array->count ? array->count * size : 1);
    if (array->values)
        return TOOL_GO_ON;
    return tool_fail(TOOL_INPUT, "%s: no memory for a result of %zu values of %s", name,
                     array->count, mote_type_name(array->type));
}

void array_write(out_file *out, const mote_npy *array)
{
    unsigned char head[MOTE_NPY_HEAD_BYTES];
    mote_npy_head(array, head);
    out_bytes(out, head, sizeof(head));
    out_bytes(out, array->values, array->count * mote_type_size(array->type));
}
