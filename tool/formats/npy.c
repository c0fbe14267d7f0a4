/* SPDX-License-Identifier: Apache-2.0 */
#include "tool/formats/npy.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PREFIX_BYTES 8
#define MOST_HEADER  ((size_t)1 << 16)
#define FIRST_BYTES  ((size_t)1 << 20) /* allocated before any bytes of a pipe have been read */

#if defined(__BYTE_ORDER__)
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "values are read and written as they are");
#endif

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

typedef struct npy_source {
    FILE *file;
    uint64_t position;
    mote_npy_layout layout;
    char *message;
    size_t size;
} npy_source;

static mote_npy_status io_error(const npy_source *source)
{
    snprintf(source->message, source->size, "cannot read at byte %llu: %s",
             (unsigned long long)source->position, strerror(errno));
    return MOTE_NPY_IO;
}

static mote_npy_status ends(const npy_source *source, const char *what, size_t missing)
{
    snprintf(source->message, source->size,
             "the file ends at byte %llu inside %s: %zu more byte%s expected",
             (unsigned long long)source->position, what, missing, missing == 1 ? "" : "s");
    return MOTE_NPY_BAD;
}

static mote_npy_status fetch(npy_source *source, void *out, size_t bytes, const char *what)
{
    size_t got = fread(out, 1, bytes, source->file);

    source->position += got;
    if (got == bytes)
        return MOTE_NPY_OK;
    return ferror(source->file) ? io_error(source) : ends(source, what, bytes - got);
}

static mote_npy_status check_magic(const npy_source *source, const unsigned char *bytes, size_t got)
{
    if (got == sizeof(magic) && memcmp(bytes, magic, sizeof(magic)) == 0)
        return MOTE_NPY_OK;
    if (got == 0)
        snprintf(source->message, source->size, "not an NPY file: it is empty");
    else if (got >= 4 && memcmp(bytes, "PK\3\4", 4) == 0)
        snprintf(source->message, source->size,
                 "not an NPY file but an archive of them (.npz): unpack it with unzip");
    else
        snprintf(source->message, source->size,
                 "not an NPY file: it does not begin with \\x93NUMPY, as what numpy.save writes");
    return MOTE_NPY_BAD;
}

/* Leaves the file at the header's text, whose length is within bounds. */
static mote_npy_status read_prefix(npy_source *source, size_t *length)
{
    unsigned char bytes[PREFIX_BYTES] = {0};
    size_t got = fread(bytes, 1, sizeof(magic), source->file);

    source->position = got;
    if (got < sizeof(magic) && ferror(source->file))
        return io_error(source);
    mote_npy_status status = check_magic(source, bytes, got);

    if (!status)
        status = fetch(source, bytes, 2, "the version");
    if (status)
        return status;
    if (bytes[0] < 1 || bytes[0] > 3 || bytes[1] != 0) {
        snprintf(source->message, source->size,
                 "NPY version %u.%u is not known, expected 1.0, 2.0 or 3.0", bytes[0], bytes[1]);
        return MOTE_NPY_BAD;
    }
    size_t width = bytes[0] == 1 ? 2 : 4;

    status = fetch(source, bytes, width, "the header's length");
    *length = 0;
    for (size_t i = width; i--;)
        *length = *length << 8 | bytes[i];
    if (!status && *length > MOST_HEADER) {
        snprintf(source->message, source->size,
                 "the header says it has %zu bytes, expected at most %zu", *length, MOST_HEADER);
        status = MOTE_NPY_BAD;
    }
    return status;
}

static mote_npy_status read_header(npy_source *source, mote_npy *array)
{
    size_t length = 0;
    mote_npy_status status = read_prefix(source, &length);

    if (status)
        return status;
    char *text = malloc(length + 1);

    if (!text) {
        snprintf(source->message, source->size, "no memory for a header of %zu bytes", length);
        return MOTE_NPY_NO_MEMORY;
    }
    status = fetch(source, text, length, "the header");
    if (!status &&
        !mote_npy_parse(text, length, array, &source->layout, source->message, source->size))
        status = MOTE_NPY_BAD;
    free(text);
    return status;
}

/* Determines the number of bytes of a regular file after the header; returns false if that is
 * unknown. Files that the kernel generates report a length of 0. */
static bool known_length(const npy_source *source, uint64_t *bytes)
{
    struct stat info;
    off_t position = ftello(source->file);

    if (position < 0 || fstat(fileno(source->file), &info) != 0 || !S_ISREG(info.st_mode) ||
        info.st_size < position)
        return false;
    *bytes = (uint64_t)(info.st_size - position);
    return true;
}

static mote_npy_status goes_on(const npy_source *source)
{
    snprintf(source->message, source->size,
             "the file goes on after its last value, which ends at byte %llu",
             (unsigned long long)source->position);
    return MOTE_NPY_BAD;
}

/* Before reading, the length of a regular file shows whether it contains the values of the
 * shape. */
static mote_npy_status check_length(npy_source *source, size_t bytes, size_t *reserve)
{
    uint64_t left;

    *reserve = bytes < FIRST_BYTES ? bytes : FIRST_BYTES;
    if (!known_length(source, &left))
        return MOTE_NPY_OK;
    *reserve = bytes;
    if (left < bytes) {
        source->position += left;
        return ends(source, "the values", bytes - (size_t)left);
    }
    if (left > bytes) {
        source->position += bytes;
        return goes_on(source);
    }
    return MOTE_NPY_OK;
}

static mote_npy_status fill(npy_source *source, mote_npy *array, size_t bytes, size_t reserve)
{
    size_t got = 0;

    for (;;) {
        void *more = realloc(array->values, reserve ? reserve : 1);

        if (!more) {
            snprintf(source->message, source->size, "no memory for %zu values (%zu bytes)",
                     array->count, bytes);
            return MOTE_NPY_NO_MEMORY;
        }
        array->values = more;
        size_t n = fread((char *)array->values + got, 1, reserve - got, source->file);

        got += n;
        source->position += n;
        if (got < reserve)
            return ferror(source->file) ? io_error(source)
                                        : ends(source, "the values", bytes - got);
        if (got == bytes)
            return MOTE_NPY_OK;
        reserve = bytes - got < got ? bytes : 2 * got;
    }
}

static mote_npy_status read_values(npy_source *source, mote_npy *array)
{
    size_t bytes = array->count * mote_type_size(array->type), reserve = 0;
    mote_npy_status status = check_length(source, bytes, &reserve);

    if (!status)
        status = fill(source, array, bytes, reserve);
    if (!status && getc(source->file) != EOF)
        status = goes_on(source);
    if (!status && ferror(source->file))
        status = io_error(source);
    return status;
}

static void swap_bytes(mote_npy *array)
{
    size_t size = mote_type_size(array->type);
    unsigned char *at = array->values;

    for (size_t i = 0; i < array->count; i++, at += size)
        for (size_t low = 0, high = size - 1; low < high; low++, high--) {
            unsigned char byte = at[low];

            at[low] = at[high];
            at[high] = byte;
        }
}

/* Converts an array from Fortran order to C order. */
static mote_npy_status transpose(const npy_source *source, mote_npy *array)
{
    size_t size = mote_type_size(array->type), rows = array->shape[0], columns = array->shape[1];
    const char *from = array->values;
    char *to = malloc(array->count * size);

    if (!to) {
        snprintf(source->message, source->size,
                 "no memory for %zu values (%zu bytes) in C order beside those in Fortran order",
                 array->count, array->count * size);
        return MOTE_NPY_NO_MEMORY;
    }
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++)
            memcpy(to + (row * columns + column) * size, from + (column * rows + row) * size, size);
    free(array->values);
    array->values = to;
    return MOTE_NPY_OK;
}

/* Converts the values to little-endian byte order and C order. */
static mote_npy_status settle(const npy_source *source, mote_npy *array)
{
    if (source->layout.big_endian)
        swap_bytes(array);
    if (source->layout.by_columns && array->count && array->shape[0] > 1 && array->shape[1] > 1)
        return transpose(source, array);
    return MOTE_NPY_OK;
}

mote_npy_status mote_npy_read(FILE *file, mote_npy *array, char *message, size_t size)
{
    npy_source source = {.file = file, .message = message, .size = size};

    *array = (mote_npy){0};
    mote_npy_status status = read_header(&source, array);

    if (!status)
        status = read_values(&source, array);
    if (!status)
        status = settle(&source, array);
    if (status)
        mote_npy_free(array);
    return status;
}

void mote_npy_free(mote_npy *array)
{
    free(array->values);
    *array = (mote_npy){0};
}

static const char *descr_of(mote_type type)
{
    switch (type) {
    case MOTE_BOOL:
        return "|b1";
    case MOTE_INT8:
        return "|i1";
    case MOTE_UINT8:
        return "|u1";
    case MOTE_INT16:
        return "<i2";
    case MOTE_UINT16:
        return "<u2";
    case MOTE_INT32:
        return "<i4";
    case MOTE_UINT32:
        return "<u4";
    case MOTE_INT64:
        return "<i8";
    case MOTE_UINT64:
        return "<u8";
    case MOTE_FLOAT16:
        return "<f2";
    case MOTE_FLOAT32:
        return "<f4";
    default:
        return "<f8";
    }
}

/* numpy fills version 1 headers up to a multiple of 64 bytes. Two dimensions of 20 digits each
 * leave room in 128 bytes, and less than 64 bytes never suffice: version 2 is not needed. */
void mote_npy_head(const mote_npy *array, unsigned char head[MOTE_NPY_HEAD_BYTES])
{
    char shape[64] = "()";

    if (array->n_dims == 1)
        snprintf(shape, sizeof(shape), "(%zu,)", array->shape[0]);
    else if (array->n_dims == 2)
        snprintf(shape, sizeof(shape), "(%zu, %zu)", array->shape[0], array->shape[1]);
    memset(head, ' ', MOTE_NPY_HEAD_BYTES);
    memcpy(head, magic, sizeof(magic));
    head[6] = 1;
    head[7] = 0;
    head[8] = MOTE_NPY_HEAD_BYTES - 10;
    head[9] = 0;
    char *text = (char *)head + 10;
    int length = snprintf(text, MOTE_NPY_HEAD_BYTES - 10,
                          "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                          descr_of(array->type), shape);

    text[length] = ' ';
    head[MOTE_NPY_HEAD_BYTES - 1] = '\n';
}
