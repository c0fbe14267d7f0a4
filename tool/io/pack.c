/* SPDX-License-Identifier: Apache-2.0 */
#include "pack.h"

#include <stdlib.h>

#ifdef MOTE_TOOL_ZLIB

#include <limits.h>
#include <zlib.h>

#define PIECE ((size_t)1 << 16)
#define GZIP  (15 + 16) /* the largest window, in gzip's frame */

struct pack_state {
    z_stream stream;
    pack_sink sink;
    void *user;
    unsigned char piece[PIECE];
};

bool pack_is_there(void)
{
    return true;
}

pack_state *pack_open(pack_sink sink, void *user)
{
    pack_state *state = calloc(1, sizeof(*state));
    if (!state)
        return NULL;
    state->sink = sink;
    state->user = user;
    if (deflateInit2(&state->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) == Z_OK)
        return state;
    free(state);
    return NULL;
}

void pack_close(pack_state *state)
{
    if (state)
        deflateEnd(&state->stream);
    free(state);
}

/* Runs the compressor until it has no more output. */
static void run(pack_state *state, int mode)
{
    z_stream *stream = &state->stream;
    do {
        stream->next_out = state->piece;
        stream->avail_out = (uInt)PIECE;
        deflate(stream, mode);
        state->sink(state->user, (const char *)state->piece, PIECE - stream->avail_out);
    } while (stream->avail_out == 0);
}

void pack_bytes(pack_state *state, const char *bytes, size_t count)
{
    while (count) {
        size_t part = count < INT_MAX ? count : INT_MAX;
        state->stream.next_in = (z_const Bytef *)bytes;
        state->stream.avail_in = (uInt)part;
        run(state, Z_NO_FLUSH);
        bytes += part;
        count -= part;
    }
}

void pack_end(pack_state *state)
{
    state->stream.next_in = NULL;
    state->stream.avail_in = 0;
    run(state, Z_FINISH);
}

#else

bool pack_is_there(void)
{
    return false;
}

pack_state *pack_open(pack_sink sink, void *user)
{
    (void)sink;
    (void)user;
    return NULL;
}

void pack_close(pack_state *state)
{
    (void)state;
}

void pack_bytes(pack_state *state, const char *bytes, size_t count)
{
    (void)state;
    (void)bytes;
    (void)count;
}

void pack_end(pack_state *state)
{
    (void)state;
}

#endif
