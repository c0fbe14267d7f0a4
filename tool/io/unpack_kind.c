/* SPDX-License-Identifier: Apache-2.0 */
#include "unpack_kind.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef MOTE_TOOL_ZLIB
#include <zlib.h>
#endif
#ifdef MOTE_TOOL_BZIP2
#include <bzlib.h>
#endif
#ifdef MOTE_TOOL_LZMA
#include <lzma.h>
#endif

#define MOST_MEMORY ((uint64_t)1 << 30) /* limit for xz, whose dictionary may need 4 GiB */

/* Set if the last step filled the output buffer, so that more output may be pending. */
typedef struct fullness {
    bool full;
} fullness;

static unsigned as_unsigned(size_t count)
{
    return count < UINT_MAX ? (unsigned)count : UINT_MAX;
}

static bool is_pending(const void *decoder)
{
    return ((const fullness *)decoder)->full;
}

/* ---- gzip ------------------------------------------------------------------------------------ */

#ifdef MOTE_TOOL_ZLIB
typedef struct gzip_decoder {
    fullness state;
    z_stream stream;
} gzip_decoder;

static void *gzip_open(void)
{
    gzip_decoder *d = calloc(1, sizeof(*d));
    if (!d || inflateInit2(&d->stream, 15 + 16) == Z_OK)
        return d;
    free(d);
    return NULL;
}

static void gzip_close(void *decoder)
{
    gzip_decoder *d = decoder;
    inflateEnd(&d->stream);
    free(d);
}

static bool gzip_again(void *decoder)
{
    gzip_decoder *d = decoder;
    return inflateReset(&d->stream) == Z_OK;
}

static unpack_result gzip_step(void *decoder, unpack_bytes *bytes)
{
    gzip_decoder *d = decoder;
    d->stream.next_in = (z_const Bytef *)bytes->from;
    d->stream.avail_in = as_unsigned(bytes->left);
    d->stream.next_out = bytes->to;
    d->stream.avail_out = as_unsigned(bytes->room);
    int code = inflate(&d->stream, Z_NO_FLUSH);
    bytes->left = d->stream.avail_in;
    bytes->room = d->stream.avail_out;
    d->state.full = bytes->room == 0 && code == Z_OK;
    return code == Z_STREAM_END                  ? UNPACK_ENDED
           : code == Z_OK || code == Z_BUF_ERROR ? UNPACK_GOOD
           : code == Z_MEM_ERROR                 ? UNPACK_NO_MEMORY
                                                 : UNPACK_DAMAGED;
}

#define GZIP_DECODER gzip_open, gzip_close, gzip_again, gzip_step, is_pending
#else
#define GZIP_DECODER NULL, NULL, NULL, NULL, NULL
#endif

/* ---- bzip2 ----------------------------------------------------------------------------------- */

#ifdef MOTE_TOOL_BZIP2
typedef struct bzip2_decoder {
    fullness state;
    bool open; /* libbz2 has initialised the stream */
    bz_stream stream;
} bzip2_decoder;

static bool bzip2_again(void *decoder)
{
    bzip2_decoder *d = decoder;
    if (d->open)
        BZ2_bzDecompressEnd(&d->stream);
    d->stream = (bz_stream){0};
    d->open = BZ2_bzDecompressInit(&d->stream, 0, 0) == BZ_OK;
    return d->open;
}

static void bzip2_close(void *decoder)
{
    bzip2_decoder *d = decoder;
    if (d->open)
        BZ2_bzDecompressEnd(&d->stream);
    free(d);
}

static void *bzip2_open(void)
{
    bzip2_decoder *d = calloc(1, sizeof(*d));
    if (!d || bzip2_again(d))
        return d;
    free(d);
    return NULL;
}

static unpack_result bzip2_step(void *decoder, unpack_bytes *bytes)
{
    bzip2_decoder *d = decoder;
    d->stream.next_in = (char *)(uintptr_t)bytes->from; /* libbz2 does not write to it */
    d->stream.avail_in = as_unsigned(bytes->left);
    d->stream.next_out = (char *)bytes->to;
    d->stream.avail_out = as_unsigned(bytes->room);
    int code = BZ2_bzDecompress(&d->stream);
    bytes->left = d->stream.avail_in;
    bytes->room = d->stream.avail_out;
    d->state.full = bytes->room == 0 && code == BZ_OK;
    return code == BZ_STREAM_END  ? UNPACK_ENDED
           : code == BZ_OK        ? UNPACK_GOOD
           : code == BZ_MEM_ERROR ? UNPACK_NO_MEMORY
                                  : UNPACK_DAMAGED;
}

#define BZIP2_DECODER bzip2_open, bzip2_close, bzip2_again, bzip2_step, is_pending
#else
#define BZIP2_DECODER NULL, NULL, NULL, NULL, NULL
#endif

/* ---- xz -------------------------------------------------------------------------------------- */

#ifdef MOTE_TOOL_LZMA
typedef struct xz_decoder {
    fullness state;
    lzma_stream stream;
} xz_decoder;

static bool xz_again(void *decoder)
{
    xz_decoder *d = decoder;
    return lzma_stream_decoder(&d->stream, MOST_MEMORY, 0) == LZMA_OK;
}

static void xz_close(void *decoder)
{
    xz_decoder *d = decoder;
    lzma_end(&d->stream);
    free(d);
}

static void *xz_open(void)
{
    xz_decoder *d = calloc(1, sizeof(*d));
    if (!d)
        return NULL;
    d->stream = (lzma_stream)LZMA_STREAM_INIT;
    if (xz_again(d))
        return d;
    xz_close(d);
    return NULL;
}

static unpack_result xz_step(void *decoder, unpack_bytes *bytes)
{
    xz_decoder *d = decoder;
    d->stream.next_in = bytes->from;
    d->stream.avail_in = bytes->left;
    d->stream.next_out = bytes->to;
    d->stream.avail_out = bytes->room;
    lzma_ret code = lzma_code(&d->stream, LZMA_RUN);
    bytes->left = d->stream.avail_in;
    bytes->room = d->stream.avail_out;
    d->state.full = bytes->room == 0 && code == LZMA_OK;
    return code == LZMA_STREAM_END                     ? UNPACK_ENDED
           : code == LZMA_OK || code == LZMA_BUF_ERROR ? UNPACK_GOOD
           : code == LZMA_MEM_ERROR                    ? UNPACK_NO_MEMORY
           : code == LZMA_MEMLIMIT_ERROR               ? UNPACK_TOO_LARGE
                                                       : UNPACK_DAMAGED;
}

#define XZ_DECODER xz_open, xz_close, xz_again, xz_step, is_pending
#else
#define XZ_DECODER NULL, NULL, NULL, NULL, NULL
#endif

/* ---- all ------------------------------------------------------------------------------------- */

const unpack_kind unpack_kind_list[] = {
    {".gz", "gzip", "zlib", {0x1f, 0x8b}, 2, 1 << 16, false, GZIP_DECODER},
    {".bz2", "bzip2", "libbz2", "BZh", 3, 1 << 12, true, BZIP2_DECODER},
    {".xz", "xz", "liblzma", {0xfd, '7', 'z', 'X', 'Z', 0}, 6, 1 << 14, false, XZ_DECODER},
    {".zst", "zstd", NULL, {0x28, 0xb5, 0x2f, 0xfd}, 4, 0, false, NULL, NULL, NULL, NULL, NULL}};

const size_t unpack_kinds = sizeof(unpack_kind_list) / sizeof(unpack_kind_list[0]);

static unpack_fit begins_with(const unsigned char *bytes, size_t count, const unsigned char *with,
                              size_t length)
{
    if (memcmp(bytes, with, count < length ? count : length) != 0)
        return UNPACK_NO;
    return count < length ? UNPACK_PERHAPS : UNPACK_YES;
}

/* A text may begin with BZh, too, so the bytes after the level are compared as well: the magic
 * number of a block (digits of pi) or, in an empty file, that of the end (digits of its square
 * root). */
static unpack_fit fits_blocks(const unsigned char *bytes, size_t count)
{
    static const unsigned char pi[] = {0x31, 0x41, 0x59, 0x26, 0x53, 0x59};
    static const unsigned char root[] = {0x17, 0x72, 0x45, 0x38, 0x50, 0x90};
    if (!count)
        return UNPACK_PERHAPS;
    if (*bytes < '1' || *bytes > '9')
        return UNPACK_NO;
    unpack_fit full = begins_with(bytes + 1, count - 1, pi, sizeof(pi));
    return full ? full : begins_with(bytes + 1, count - 1, root, sizeof(root));
}

unpack_fit unpack_fits(const unpack_kind *kind, const unsigned char *bytes, size_t count)
{
    unpack_fit fit = begins_with(bytes, count, kind->magic, kind->length);
    if (fit != UNPACK_YES || !kind->has_level)
        return fit;
    return fits_blocks(bytes + kind->length, count - kind->length);
}
