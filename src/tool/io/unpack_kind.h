/* SPDX-License-Identifier: Apache-2.0 */
/* The programs that pack files: how their files begin, and the libraries that unpack them. */
#ifndef MOTE_TOOL_IO_UNPACK_KIND_H
#define MOTE_TOOL_IO_UNPACK_KIND_H

#include <stdbool.h>
#include <stddef.h>

/* What is unpacked from, and where to; a step takes from both. */
typedef struct unpack_bytes {
    const unsigned char *from;
    size_t left;
    unsigned char *to;
    size_t room;
} unpack_bytes;

typedef enum unpack_result {
    UNPACK_GOOD,
    UNPACK_ENDED, /* the end of a member: others may follow */
    UNPACK_DAMAGED,
    UNPACK_NO_MEMORY,
    UNPACK_TOO_LARGE
} unpack_result;

typedef struct unpack_kind {
    const char *ending, *program;
    const char *library; /* NULL: never unpacked */
    unsigned char magic[6];
    size_t length;  /* of the magic */
    size_t piece;   /* bytes that are unpacked before the source is asked again, which is where a
                       run can be ended: a byte of bzip2 may stand for 20 000 */
    bool has_level; /* a digit from 1 to 9 follows, and what begins a block */
    void *(*open)(void); /* NULL: built without the library */
    void (*close)(void *decoder);
    bool (*again)(void *decoder); /* for another member */
    unpack_result (*step)(void *decoder, unpack_bytes *bytes);
    bool (*pending)(const void *decoder); /* more may come out without anything going in */
} unpack_kind;

extern const unpack_kind unpack_kind_list[];
extern const size_t unpack_kinds;

typedef enum unpack_fit { UNPACK_NO, UNPACK_PERHAPS, UNPACK_YES } unpack_fit;

/* Whether data that begin with these bytes are of a kind. */
unpack_fit unpack_fits(const unpack_kind *kind, const unsigned char *bytes, size_t count);

#endif
