/* SPDX-License-Identifier: Apache-2.0 */
#include "unpack.h"

#include "unpack_kind.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE ((size_t)1 << 16)

struct unpack_state {
    mote_lines_source source;
    mote_lines_leap leap;
    void *user;
    size_t taken;
    bool known;              /* the format has been recognised */
    const unpack_kind *kind; /* NULL if the data are not packed */
    void *decoder;
    bool between; /* a member has ended, and another one may follow */
    const char *fault;
    char text[160];             /* storage for the text of `fault` */
    unsigned char piece[PIECE]; /* bytes of the source; those from begin to end are unused */
    size_t begin, end;
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
    if (state && state->decoder)
        state->kind->close(state->decoder);
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

/* Appends more bytes of the source to those in `piece`; returns 0 at its end, -1 on failures. */
static long fill(unpack_state *state)
{
    size_t there = state->end - state->begin;
    memmove(state->piece, state->piece + state->begin, there);
    state->begin = 0;
    state->end = there;
    size_t room = PIECE - state->end;
    if (state->kind && room > state->kind->piece)
        room = state->kind->piece;
    long n = take(state, (char *)state->piece + state->end, room);
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

static long fail_kind(unpack_state *state, const char *format)
{
    snprintf(state->text, sizeof(state->text), format, state->kind->program, state->kind->library);
    return fail(state, state->text);
}

/* Returns a format with whose magic number all bytes read so far agree, or NULL. */
static const unpack_kind *may_be_packed(const unpack_state *state)
{
    for (size_t k = 0; k < unpack_kinds; k++)
        if (unpack_fits(&unpack_kind_list[k], state->piece, state->end) == UNPACK_PERHAPS)
            return &unpack_kind_list[k];
    return NULL;
}

/* No other format is as short, so the file was truncated. */
static long fail_head(unpack_state *state)
{
    snprintf(state->text, sizeof(state->text),
             "the packed data end early: the file has only the first %zu byte%s of what %s packs",
             state->end, state->end == 1 ? "" : "s", may_be_packed(state)->program);
    return fail(state, state->text);
}

/* Recognises the format from the first bytes. Reads no more than necessary, so that a slow pipe
 * does not delay the start. */
static long find_out(unpack_state *state)
{
    while (state->end == 0 || may_be_packed(state)) {
        long n = fill(state);
        if (n < 0)
            return n;
        if (n == 0)
            break;
    }
    state->known = true;
    if (state->end && may_be_packed(state))
        return fail_head(state);
    for (size_t k = 0; k < unpack_kinds; k++)
        if (unpack_fits(&unpack_kind_list[k], state->piece, state->end) == UNPACK_YES)
            state->kind = &unpack_kind_list[k];
    if (!state->kind)
        return 0;
    if (!state->kind->library)
        return fail_kind(state, "it is packed by %s, which is not read: unpack it first");
    if (!state->kind->open)
        return fail_kind(state,
                         "it is packed by %s, and this mote was built without %s: unpack it first");
    state->decoder = state->kind->open();
    return state->decoder ? 0 : fail(state, "no memory for unpacking");
}

static long fail_step(unpack_state *state, unpack_result result)
{
    if (result == UNPACK_NO_MEMORY)
        return fail(state, "no memory for unpacking");
    if (result == UNPACK_TOO_LARGE)
        return fail(state, "unpacking needs more than 1 GiB of memory: unpack it first");
    return fail(state, "the packed data are damaged");
}

static long fail_behind(unpack_state *state, unpack_fit fit)
{
    if (fit == UNPACK_PERHAPS)
        return fail(state, "the packed data end early");
    snprintf(state->text, sizeof(state->text),
             "bytes that are not packed by %s follow the packed data, from byte %zu on",
             state->kind->program, state->taken - (state->end - state->begin));
    return fail(state, state->text);
}

/* Prepares for the next member. Returns 1, 0 at the end of the source, or -1 on failures. */
static long next_member(unpack_state *state)
{
    unpack_fit fit = UNPACK_PERHAPS;
    for (long n = 1; fit == UNPACK_PERHAPS && n > 0;) {
        while (state->begin < state->end && state->piece[state->begin] == 0)
            state->begin++; /* zeros fill the last block of a tape */
        fit = unpack_fits(state->kind, state->piece + state->begin, state->end - state->begin);
        n = fit == UNPACK_PERHAPS ? fill(state) : 1;
        if (n < 0)
            return n;
    }
    if (state->begin == state->end)
        return 0;
    if (fit != UNPACK_YES)
        return fail_behind(state, fit);
    return state->kind->again(state->decoder) ? 1 : fail_step(state, UNPACK_NO_MEMORY);
}

static long unpack(unpack_state *state, char *to, size_t bytes)
{
    size_t room = bytes < PIECE ? bytes : PIECE, got = 0;
    while (!got) {
        long n = state->between ? next_member(state)
                 : state->begin < state->end || state->kind->pending(state->decoder) ? 1
                                                                                     : fill(state);
        if (n == 0 && !state->between)
            return fail(state, "the packed data end early");
        if (n <= 0)
            return n;
        unpack_bytes work = {state->piece + state->begin, state->end - state->begin,
                             (unsigned char *)to, room};
        unpack_result result = state->kind->step(state->decoder, &work);
        state->begin = state->end - work.left;
        got = room - work.room;
        state->between = result == UNPACK_ENDED;
        if (result != UNPACK_GOOD && result != UNPACK_ENDED)
            return fail_step(state, result);
    }
    return (long)got;
}

long unpack_read(void *user, char *to, size_t bytes)
{
    unpack_state *state = user;
    if (state->fault)
        return fail(state, state->fault);
    long n = state->known ? 0 : find_out(state);
    if (n < 0)
        return n;
    if (state->kind)
        return unpack(state, to, bytes);
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
    if (!state->known || state->kind || bytes <= there || !state->leap(state->user, bytes - there))
        return false;
    state->taken += bytes - there;
    state->begin = state->end;
    return true;
}
