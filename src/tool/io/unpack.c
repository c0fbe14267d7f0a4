/* SPDX-License-Identifier: Apache-2.0 */
#include "unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef MOTE_TOOL_ZLIB
#include <zlib.h>
#endif

#define PIECE   ((size_t)1 << 16)
#define NO_ZLIB "it is packed by gzip, and this mote was built without zlib: unpack it first"

struct unpack_state {
    mote_lines_source source;
    mote_lines_leap leap;
    void *user;
    size_t taken;
    bool known; /* whether it is packed */
    bool packed;
    const char *fault;
    unsigned char piece[PIECE]; /* of the source; begin to end are to be used */
    size_t begin, end;
#ifdef MOTE_TOOL_ZLIB
    z_stream stream;
    bool between; /* at the end of a member: others may follow */
#endif
};

unpack_state *unpack_open(mote_lines_source source, mote_lines_leap leap, void *user)
{
    unpack_state *state = calloc(1, sizeof(*state));
    if (state) {
        state->source = source;
        state->leap = leap;
        state->user = user;
    }
    return state;
}

void unpack_close(unpack_state *state)
{
#ifdef MOTE_TOOL_ZLIB
    if (state && state->packed)
        inflateEnd(&state->stream);
#endif
    free(state);
}

const char *unpack_fault(const unpack_state *state)
{
    return state->fault;
}

size_t unpack_taken(const unpack_state *state)
{
    return state->taken;
}

static long take(unpack_state *state, char *to, size_t bytes)
{
    long n = state->source(state->user, to, bytes);
    if (n > 0)
        state->taken += (size_t)n;
    return n;
}

/* More of the source behind what is there; 0 at its end, -1 on failures. */
static long fill(unpack_state *state)
{
    if (state->begin == state->end)
        state->begin = state->end = 0;
    long n = take(state, (char *)state->piece + state->end, PIECE - state->end);
    if (n > 0)
        state->end += (size_t)n;
    return n;
}

static long fail(unpack_state *state, const char *fault)
{
    state->fault = fault;
    errno = EBADMSG;
    return -1;
}

/* The first two bytes tell. */
static long find_out(unpack_state *state)
{
    while (state->end < 2) {
        long n = fill(state);
        if (n < 0)
            return n;
        if (n == 0)
            break;
    }
    state->known = true;
    state->packed = state->end >= 2 && state->piece[0] == 0x1f && state->piece[1] == 0x8b;
#ifdef MOTE_TOOL_ZLIB
    if (state->packed && inflateInit2(&state->stream, 15 + 16) != Z_OK) {
        state->packed = false;
        return fail(state, "zlib has no memory");
    }
    return 0;
#else
    return state->packed ? fail(state, NO_ZLIB) : 0;
#endif
}

#ifdef MOTE_TOOL_ZLIB
static long unpack(unpack_state *state, char *to, size_t bytes)
{
    z_stream *stream = &state->stream;
    size_t room = bytes < PIECE ? bytes : PIECE;
    stream->next_out = (unsigned char *)to;
    stream->avail_out = (uInt)room;
    while (stream->avail_out == room) {
        if (state->begin == state->end) {
            long n = fill(state);
            if (n == 0 && !state->between)
                return fail(state, "the packed data end early");
            if (n <= 0)
                return n;
        }
        if (state->between) { /* zeros fill the last block of a tape */
            while (state->begin < state->end && state->piece[state->begin] == 0)
                state->begin++;
            if (state->begin == state->end)
                continue;
            inflateReset(stream);
        }
        state->between = false;
        stream->next_in = state->piece + state->begin;
        stream->avail_in = (uInt)(state->end - state->begin);
        int code = inflate(stream, Z_NO_FLUSH);
        state->begin = state->end - stream->avail_in;
        state->between = code == Z_STREAM_END;
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
            return fail(state,
                        code == Z_MEM_ERROR ? "zlib has no memory" : "the packed data are damaged");
    }
    return (long)(room - stream->avail_out);
}
#endif

long unpack_read(void *user, char *to, size_t bytes)
{
    unpack_state *state = user;
    if (state->fault)
        return fail(state, state->fault);
    long n = state->known ? 0 : find_out(state);
    if (n < 0)
        return n;
#ifdef MOTE_TOOL_ZLIB
    if (state->packed)
        return unpack(state, to, bytes);
#endif
    size_t there = state->end - state->begin;
    if (!there)
        return take(state, to, bytes);
    if (there > bytes)
        there = bytes;
    memcpy(to, state->piece + state->begin, there);
    state->begin += there;
    return (long)there;
}

bool unpack_leap(void *user, size_t bytes)
{
    unpack_state *state = user;
    size_t there = state->end - state->begin;
    if (!state->known || state->packed || bytes <= there ||
        !state->leap(state->user, bytes - there))
        return false;
    state->taken += bytes - there;
    state->begin = state->end;
    return true;
}
