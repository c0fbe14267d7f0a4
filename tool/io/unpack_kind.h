/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of packed files: how they are recognised, and the libraries that unpack them. */
#ifndef MOTE_TOOL_IO_UNPACK_KIND_H
#define MOTE_TOOL_IO_UNPACK_KIND_H

#include <stdbool.h>
#include <stddef.h>

/* The input and output buffers of a step, which advances both. */
typedef struct unpack_bytes {
    const unsigned char *from;
    size_t left;
    unsigned char *to;
    size_t room;
} unpack_bytes;

typedef enum unpack_result {
    UNPACK_GOOD,
    UNPACK_ENDED, /* a member has ended, and another one may follow */
    UNPACK_DAMAGED,
    UNPACK_NO_MEMORY,
    UNPACK_TOO_LARGE
} unpack_result;

typedef struct unpack_kind {
    const char *ending, *program;
    const char *library; /* NULL if the format is recognised but not supported */
    unsigned char magic[6];
    size_t length;  /* length of the magic number */
    size_t piece;   /* input bytes of a step A run can be interrupted only between steps, and a byte
                       of bzip2 may expand to 20 000 */
    bool has_level; /* a digit from 1 to 9 and a block's magic number follow */
    void *(*open)(void); /* NULL if built without the library */
    void (*close)(void *decoder);
    bool (*again)(void *decoder); /* prepares for another member */
    unpack_result (*step)(void *decoder, unpack_bytes *bytes);
    bool (*pending)(const void *decoder); /* the decoder has output left without more input */
} unpack_kind;

extern const unpack_kind unpack_kind_list[];
extern const size_t unpack_kinds;

typedef enum unpack_fit { UNPACK_NO, UNPACK_PERHAPS, UNPACK_YES } unpack_fit;

/* Compares the first bytes of data with a format. UNPACK_PERHAPS: more bytes are needed. */
unpack_fit unpack_fits(const unpack_kind *kind, const unsigned char *bytes, size_t count);

#endif
