/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes the reader of files compressed by gzip, bzip2 or xz. */
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tool/io/unpack.h"

fuzz_target fuzz_unpack;

#define MOST_BYTES ((size_t)1 << 20) /* limit of unpacked bytes for one input */

/* A summary of the unpacked bytes, and the error if there was one. */
typedef struct unpacked {
    size_t count;
    uint64_t hash;
    char fault[160];
} unpacked;

static unpacked unpack_all(const uint8_t *data, size_t size, size_t piece, size_t room)
{
    static char bytes[1 << 16];
    mote_lines_text text = {(const char *)data, size, piece};
    unpack_state *state = unpack_open(mote_lines_from_text, NULL, &text);
    unpacked u = {.hash = 1469598103934665603u};
    long n = 0;
    FUZZ_CHECK(state, "no memory");
    while (u.count < MOST_BYTES) {
        size_t most = MOST_BYTES - u.count < room ? MOST_BYTES - u.count : room;
        n = unpack_read(state, bytes, most);
        if (n <= 0)
            break;
        FUZZ_CHECK((size_t)n <= most, "%ld bytes for %zu", n, most);
        for (long i = 0; i < n; i++)
            u.hash = (u.hash ^ (unsigned char)bytes[i]) * 1099511628211u;
        u.count += (size_t)n;
    }
    FUZZ_CHECK(n >= 0 || errno == EBADMSG, "errno %d", errno);
    FUZZ_CHECK((n < 0) == (unpack_fault(state) != NULL), "a fault that is none");
    FUZZ_CHECK(unpack_taken(state) <= size, "%zu bytes taken of %zu", unpack_taken(state), size);
    if (n < 0) {
        snprintf(u.fault, sizeof(u.fault), "%s", unpack_fault(state));
        FUZZ_CHECK(unpack_read(state, bytes, room) < 0, "it goes on behind a fault");
    }
    unpack_close(state);
    return u;
}

/* Unpacks the input at once and in small pieces; the results must agree. The number of bytes
 * returned before an error is found may differ. */
void fuzz_unpack(const uint8_t *data, size_t size)
{
    unpacked whole = unpack_all(data, size, 0, 1 << 16), pieces = unpack_all(data, size, 7, 61);
    FUZZ_CHECK(!*whole.fault == !*pieces.fault || whole.count == MOST_BYTES,
               "\"%s\", in pieces \"%s\"", whole.fault, pieces.fault);
    FUZZ_CHECK(*whole.fault || (whole.count == pieces.count && whole.hash == pieces.hash),
               "%zu bytes, in pieces %zu", whole.count, pieces.count);
}
