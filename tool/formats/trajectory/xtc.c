/* SPDX-License-Identifier: Apache-2.0 */
/* XTC of GROMACS: big endian, single precision, lengths in nm, positions packed as whole numbers of
 * 1 / precision. */
#include "tool/formats/trajectory/inner.h"

#include <math.h>

#define MAGIC       1995u
#define MAGIC_HUGE  2023u /* frames of more than 298 261 617 atoms */
#define HEAD        52    /* bytes after the magic number: atoms, step, time, box, atoms again */
#define PACKED_HEAD 36    /* precision, least, most, index of the small size, bytes */
#define UNPACKED    9     /* frames of up to this number of atoms are not packed */

static bool take_magic(mote_trajectory *t, const unsigned char *head)
{
    uint32_t magic = mote_word(head, true);
    if (magic == MAGIC_HUGE)
        return mote_trajectory_fail(
            t,
            "frame %zu is an XTC frame of the kind for more than 298 261 617 "
            "atoms, which is not read: convert the file to TRR, as by "
            "gmx trjconv -o x.trr",
            t->frames);
    if (magic != MAGIC)
        return mote_trajectory_fail(t, "frame %zu begins with %u, not with %u: %s", t->frames,
                                    magic, MAGIC,
                                    t->frames ? "the file is damaged" : "this is no XTC file");
    return true;
}

/* Time and box. */
static bool take_head(mote_trajectory *t, const unsigned char *head)
{
    double box[9];
    mote_trajectory_time(t, mote_float(head + 8, true));
    for (int k = 0; k < 9; k++)
        box[k] = (double)mote_float(head + 12 + 4 * k, true);
    return mote_trajectory_no_box(t) || mote_trajectory_box(t, box, 9);
}

static bool take_plain(mote_trajectory *t)
{
    const unsigned char *at;
    if (t->skip)
        return mote_trajectory_pass(t, 12 * t->frame.n_atoms, "a block of positions");
    if (!mote_trajectory_bytes(t, 12 * t->frame.n_atoms, "a block of positions", &at) ||
        !mote_trajectory_reserve(t, t->frame.n_atoms))
        return false;
    for (size_t i = 0; i < 3 * t->frame.n_atoms; i++)
        t->frame.positions[i] = (double)mote_float(at + 4 * i, true);
    return true;
}

static bool take_packed(mote_trajectory *t)
{
    const unsigned char *at;
    if (!mote_trajectory_bytes(t, PACKED_HEAD, "the sizes of packed positions", &at))
        return false;
    mote_xtc_packed packed;
    float precision = mote_float(at, true), scale = 1.0f / precision;
    for (int k = 0; k < 3; k++) {
        packed.least[k] = (int32_t)mote_word(at + 4 + 4 * k, true);
        packed.most[k] = (int32_t)mote_word(at + 16 + 4 * k, true);
    }
    packed.small = mote_word(at + 28, true);
    packed.count = mote_word(at + 32, true);
    if (!(precision > 0.0f && isfinite(scale * 4294967296.0f)))
        return mote_trajectory_fail(t, "frame %zu: the precision is %g; it must be above 0",
                                    t->frames, (double)precision);
    if (packed.count > INT32_MAX)
        return mote_trajectory_fail(t, "frame %zu: %zu bytes of packed positions are too many",
                                    t->frames, packed.count);
    size_t padded = (packed.count + 3) & ~(size_t)3;
    if (t->skip)
        return mote_trajectory_pass(t, padded, "a block of packed positions");
    if (!mote_trajectory_bytes(t, padded, "a block of packed positions", &packed.bytes))
        return false;
    /* Each atom needs at least two bits, so memory is proportional to the file. */
    if (t->frame.n_atoms > 4 * packed.count)
        return mote_trajectory_fail(t,
                                    "frame %zu: %zu bytes cannot hold the positions of %zu atoms",
                                    t->frames, packed.count, t->frame.n_atoms);
    if (!mote_trajectory_reserve(t, t->frame.n_atoms))
        return false;
    const char *fault = mote_xtc_unpack(&packed, t->frame.n_atoms, scale, t->frame.positions);
    return !fault || mote_trajectory_fail(t, "frame %zu: %s", t->frames, fault);
}

bool mote_trajectory_xtc(mote_trajectory *t, bool *ended)
{
    const unsigned char *head;
    (void)ended;
    t->unit = MOTE_TRAJECTORY_NM;
    if (!mote_trajectory_bytes(t, 4, "the number that begins a frame", &head) ||
        !take_magic(t, head))
        return false;
    if (!mote_trajectory_bytes(t, HEAD, "the head of a frame", &head))
        return false;
    uint32_t atoms = mote_word(head, true), again = mote_word(head + 48, true);
    if (atoms != again)
        return mote_trajectory_fail(t, "frame %zu has %u atoms in its head, but %u positions",
                                    t->frames, atoms, again);
    if (!mote_trajectory_atoms(t, atoms) || !take_head(t, head))
        return false;
    return atoms <= UNPACKED ? take_plain(t) : take_packed(t);
}
