/* SPDX-License-Identifier: Apache-2.0 */
/* NPY files, the format of numpy.save. The reader accepts versions 1 to 3, either byte order, C or
 * Fortran order, up to two dimensions, and the types bool, integers of 1 to 8 bytes, float16,
 * float32 and float64. The writer produces version 1 in little-endian byte order and C order.
 *
 *     bytes 93 "NUMPY", u8 major, u8 minor, header length (u16 in version 1, else u32), the header:
 *     a Python dict {'descr': '<f8', 'fortran_order': False, 'shape': (3,)} and white space; values
 *
 * The reader is strict: a header of any other form, missing values and bytes after the last value
 * are errors. For a file, memory is allocated after the shape has been compared with the length of
 * the file. The length of a pipe is unknown, so its memory grows with the bytes that have been
 * read. */
#ifndef MOTE_TOOL_FORMATS_NPY_H
#define MOTE_TOOL_FORMATS_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "mote/buffer.h"

#define MOTE_NPY_MOST_DIMS 2

/* An array: shape[0] x shape[1] if n_dims is 2, shape[0] if it is 1, one value if it is 0. */
typedef struct mote_npy {
    mote_type type;
    unsigned n_dims;
    size_t shape[MOTE_NPY_MOST_DIMS]; /* 1 if there is no such dimension */
    size_t count;                     /* of values */
    void *values;                     /* allocated by malloc; never NULL after reading */
} mote_npy;

typedef enum mote_npy_status {
    MOTE_NPY_OK = 0,
    MOTE_NPY_BAD, /* not an NPY file, or an unsupported one */
    MOTE_NPY_IO,  /* reading or writing failed */
    MOTE_NPY_NO_MEMORY
} mote_npy_status;

/* Reads a file from its current position to its end. On success the caller frees the array;
 * otherwise it is empty and `message` (truncated to `size` bytes) states what was found and what
 * was expected. */
mote_npy_status mote_npy_read(FILE *file, mote_npy *array, char *message, size_t size);

/* Frees the values; the array is then empty. */
void mote_npy_free(mote_npy *array);

/* The bytes before the values: the same bytes as numpy writes, with this constant length for such
 * arrays. */
#define MOTE_NPY_HEAD_BYTES 128
void mote_npy_head(const mote_npy *array, unsigned char head[MOTE_NPY_HEAD_BYTES]);

/* The order of the bytes and elements in a file. */
typedef struct mote_npy_layout {
    bool big_endian;
    bool by_columns; /* Fortran order */
} mote_npy_layout;

/* Parses the text of a header into the array's type, n_dims, shape and count, and into *layout. On
 * an error, returns false and writes a message. */
bool mote_npy_parse(const char *text, size_t length, mote_npy *array, mote_npy_layout *layout,
                    char *message, size_t size);

#endif
