/* SPDX-License-Identifier: Apache-2.0 */
#include "damage.h"

#include <string.h>

/* Heads of files are short and most important: half of all damage begins in this number of bytes.
 */
#define HEAD ((size_t)300)

/* splitmix64 (G. Steele, D. Lea and C. Flood, OOPSLA 2014). */
uint64_t damage_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A number below n; 0 for n = 0. */
static size_t below(uint64_t *state, size_t n)
{
    return n ? (size_t)(damage_random(state) % n) : 0;
}

static size_t place(uint64_t *state, size_t length)
{
    return below(state, damage_random(state) & 1 && length > HEAD ? HEAD : length);
}

static void flip_bits(uint64_t *state, unsigned char *data, size_t length)
{
    for (size_t n = 1 + below(state, 8); n > 0; n--)
        data[place(state, length)] ^= (unsigned char)(1u << below(state, 8));
}

/* A 64-bit little-endian number of a kind that lengths should not have. */
static void set_number(uint64_t *state, unsigned char *data, size_t length)
{
    static const uint64_t ends[] = {0,          1,           UINT64_MAX,     INT64_MAX,
                                    UINT32_MAX, 1ull << 63u, UINT64_MAX - 39};
    uint64_t value = ends[below(state, sizeof(ends) / sizeof(ends[0]))] + below(state, 3);
    size_t at = place(state, length) & ~(size_t)7;
    for (size_t k = 0; k < 8 && at + k < length; k++)
        data[at + k] = (unsigned char)(value >> (8 * k));
}

static void overwrite(uint64_t *state, unsigned char *data, size_t length, int random)
{
    size_t at = place(state, length), n = 1 + below(state, length - at);
    for (size_t k = at; k < at + n; k++)
        data[k] = random ? (unsigned char)damage_random(state) : 0;
}

static void copy_stretch(uint64_t *state, unsigned char *data, size_t length)
{
    size_t from = place(state, length), to = place(state, length);
    size_t n = 1 + below(state, length - (from > to ? from : to));
    memmove(data + to, data + from, n);
}

size_t damage(uint64_t *state, unsigned char *data, size_t length)
{
    size_t more = below(state, DAMAGE_ROOM);
    switch (length ? below(state, 7) : 6) {
    case 0:
        flip_bits(state, data, length);
        return length;
    case 1:
        set_number(state, data, length);
        return length;
    case 2:
        overwrite(state, data, length, 1);
        return length;
    case 3: /* a page that was not written to disk */
        overwrite(state, data, length, 0);
        return length;
    case 4:
        copy_stretch(state, data, length);
        return length;
    case 5:
        return place(state, length);
    default:
        for (size_t k = 0; k < more; k++)
            data[length + k] = (unsigned char)damage_random(state);
        return length + more;
    }
}
