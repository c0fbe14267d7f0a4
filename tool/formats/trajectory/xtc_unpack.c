/* SPDX-License-Identifier: Apache-2.0 */
/* The packed positions of XTC.
 *
 * An atom is three whole numbers above `least`, written as one number in the mixed base of their
 * ranges (or, where a range passes 2^24, one after another). A bit follows: 1 when the kind of run
 * changes, then five bits: 3 x the atoms of the run, plus 0, 1 or 2 for smaller, equal or larger
 * steps from then on. The atoms of a run are steps from the atom before, in the base of the small
 * size. The first atom of a run is swapped with the atom before it, because in water the hydrogen
 * is written first. */
#include "tool/formats/trajectory/inner.h"

#define LEAST_SMALL 9 /* steps never use smaller entries */

/* About 2^(k/3): three numbers below entry k need k bits together. */
static const uint32_t sizes[] = {
    0,        0,        0,       0,       0,       0,       0,       0,       0,       8,
    10,       12,       16,      20,      25,      32,      40,      50,      64,      80,
    101,      128,      161,     203,     256,     322,     406,     512,     645,     812,
    1024,     1290,     1625,    2048,    2580,    3250,    4096,    5060,    6501,    8192,
    10321,    13003,    16384,   20642,   26007,   32768,   41285,   52015,   65536,   82570,
    104031,   131072,   165140,  208063,  262144,  330280,  416127,  524287,  660561,  832255,
    1048576,  1321122,  1664510, 2097152, 2642245, 3329021, 4194304, 5284491, 6658042, 8388607,
    10568983, 13316085, 16777216};
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

/* Reads bits, the most significant bit of a byte first. */
typedef struct bit_reader {
    const unsigned char *at, *end;
    uint64_t window;
    unsigned held; /* bits of the window that have not been returned */
    bool short_of; /* bits after the end were requested */
} bit_reader;

/* n is at most 32. */
static uint32_t take_bits(bit_reader *bits, unsigned n)
{
    while (bits->held < n) {
        bits->short_of = bits->short_of || bits->at == bits->end;
        bits->window = bits->window << 8 | (bits->at < bits->end ? *bits->at++ : 0u);
        bits->held += 8;
    }
    bits->held -= n;
    return (uint32_t)(bits->window >> bits->held & (((uint64_t)1 << n) - 1));
}

static unsigned bit_length(uint64_t value)
{
    unsigned n = 0;
    for (; value; value >>= 1)
        n++;
    return n;
}

/* Reads three numbers in the mixed base of `size`, n bits together: bytes from the least
 * significant one on, the last one with the remaining bits. */
static void take_mixed(bit_reader *bits, unsigned n, const uint32_t size[3], uint32_t out[3])
{
    uint32_t limbs[3] = {0, 0, 0};
    unsigned shift = 0;
    for (; n > shift + 8; shift += 8)
        limbs[shift / 32] |= take_bits(bits, 8) << shift % 32;
    limbs[shift / 32] |= take_bits(bits, n - shift) << shift % 32;
    uint64_t value = (uint64_t)limbs[1] << 32 | limbs[0];
    if (!limbs[2]) {
        out[2] = (uint32_t)(value % size[2]);
        value /= size[2];
        out[1] = (uint32_t)(value % size[1]);
        out[0] = (uint32_t)(value / size[1]);
        return;
    }
    for (int k = 2; k > 0; k--) {
        uint64_t rest = 0;
        for (int limb = 2; limb >= 0; limb--) {
            rest = rest << 32 | limbs[limb];
            limbs[limb] = (uint32_t)(rest / size[k]);
            rest %= size[k];
        }
        out[k] = (uint32_t)rest;
    }
    out[0] = limbs[0];
}

/* The encoding of an atom that is not part of a run. */
typedef struct whole {
    uint32_t size[3], least[3];
    unsigned bits[3], together; /* together 0: separate numbers */
} whole;

static bool describe(const mote_xtc_packed *packed, whole *w)
{
    bool wide = false;
    for (int k = 0; k < 3; k++) {
        int64_t size = (int64_t)packed->most[k] - packed->least[k] + 1;
        if (size < 1 || size > UINT32_MAX)
            return false;
        w->size[k] = (uint32_t)size;
        w->least[k] = (uint32_t)packed->least[k];
        w->bits[k] = bit_length((uint64_t)size);
        wide = wide || size > 0xffffff;
    }
    uint64_t two = (uint64_t)w->size[0] * w->size[1]; /* below 2^48 unless wide */
    uint64_t low = (two & 0xffffffff) * w->size[2], high = (two >> 32) * w->size[2] + (low >> 32);
    w->together = wide ? 0 : high ? 32 + bit_length(high) : bit_length(low);
    return true;
}

static void take_whole(bit_reader *bits, const whole *w, uint32_t out[3])
{
    if (w->together)
        take_mixed(bits, w->together, w->size, out);
    else
        for (int k = 0; k < 3; k++)
            out[k] = take_bits(bits, w->bits[k]);
    for (int k = 0; k < 3; k++)
        out[k] += w->least[k];
}

/* Computes in single precision, as GROMACS does. */
static void put(double *position, const uint32_t whole_number[3], float scale)
{
    for (int k = 0; k < 3; k++)
        position[k] = (double)((float)(int32_t)whole_number[k] * scale);
}

/* Reads a run of `atoms` steps after `last`, which was not stored yet; returns where to
 * continue. */
static double *take_run(bit_reader *bits, size_t atoms, uint32_t small, uint32_t last[3],
                        float scale, double *to)
{
    const uint32_t size[3] = {sizes[small], sizes[small], sizes[small]};
    for (size_t i = 0; i < atoms; i++, to += 3) {
        uint32_t step[3];
        take_mixed(bits, small, size, step);
        for (int k = 0; k < 3; k++)
            step[k] += last[k] - size[k] / 2;
        if (i == 0) {
            put(to, step, scale);
            put(to + 3, last, scale);
            to += 3;
        } else {
            put(to, step, scale);
        }
        memcpy(last, step, sizeof(step));
    }
    return to;
}

const char *mote_xtc_unpack(const mote_xtc_packed *packed, size_t n, float scale, double *positions)
{
    bit_reader bits = {packed->bytes, packed->bytes + packed->count, 0, 0, false};
    double *to = positions, *end = positions + 3 * n;
    uint32_t small = packed->small;
    unsigned run = 0;
    whole w;
    if (!describe(packed, &w))
        return "the range of the packed positions is empty or too large";
    while (to < end) {
        uint32_t atom[3];
        if (small < LEAST_SMALL || small >= SIZES)
            return "the size of steps between packed positions is out of range";
        take_whole(&bits, &w, atom);
        int change = 0;
        if (take_bits(&bits, 1)) {
            run = take_bits(&bits, 5);
            change = (int)(run % 3) - 1;
            run /= 3;
        }
        if ((size_t)(end - to) < 3 * ((size_t)run + 1))
            return "the packed positions are of more atoms than the frame has";
        if (run)
            to = take_run(&bits, run, small, atom, scale, to);
        else
            put(to, atom, scale), to += 3;
        small += (uint32_t)change;
        if (bits.short_of)
            return "the packed positions end early";
    }
    return NULL;
}
