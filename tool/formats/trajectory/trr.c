/* SPDX-License-Identifier: Apache-2.0 */
/* TRR of GROMACS: big endian, single or double precision, lengths in nm; box, then blocks of which
 * only the positions are used. */
#include "tool/formats/trajectory/inner.h"

#include <math.h>

#define MAGIC   1993u
#define NAME    "GMX_trn_file"
#define NUMBERS 13

/* The numbers of the head, in order: the bytes of each block, then counts. */
enum { IR, E, BOX, VIR, PRES, TOP, SYM, X, V, F, ATOMS, STEP, NRE };

static bool take_magic(mote_trajectory *t)
{
    const unsigned char *at;
    if (!mote_trajectory_bytes(t, 12, "the number that begins a frame", &at))
        return false;
    uint32_t magic = mote_word(at, true), bytes = mote_word(at + 8, true);
    if (magic != MAGIC || bytes != sizeof(NAME) - 1)
        return mote_trajectory_fail(t, "frame %zu begins with %u, not with %u: %s", t->frames,
                                    magic, MAGIC,
                                    t->frames ? "the file is damaged" : "this is no TRR file");
    if (!mote_trajectory_bytes(t, bytes, "\"" NAME "\"", &at))
        return false;
    return memcmp(at, NAME, bytes) == 0 ||
           mote_trajectory_fail(t, "frame %zu: \"" NAME "\" was expected", t->frames);
}

/* Returns the number of bytes of a number: 4 or 8. */
static size_t width_of(const uint32_t *numbers)
{
    if (numbers[BOX])
        return numbers[BOX] / 9;
    uint32_t block = numbers[X] ? numbers[X] : numbers[V] ? numbers[V] : numbers[F];
    return numbers[ATOMS] ? block / 3 / numbers[ATOMS] : block ? 0 : 4;
}

static bool check_numbers(mote_trajectory *t, const uint32_t *numbers, size_t *width)
{
    *width = width_of(numbers);
    uint64_t all = 3 * (uint64_t)numbers[ATOMS] * *width;
    bool good = (*width == 4 || *width == 8) && !numbers[IR] && !numbers[E] && !numbers[TOP] &&
                !numbers[SYM];
    for (int k = BOX; k <= PRES; k++)
        good = good && (numbers[k] == 0 || numbers[k] == 9 * *width);
    for (int k = X; k <= F; k++)
        good = good && (numbers[k] == 0 || numbers[k] == all);
    return good || mote_trajectory_fail(t, "frame %zu: the sizes in its head do not fit each other",
                                        t->frames);
}

static double real(const unsigned char *at, size_t width)
{
    return width == 4 ? (double)mote_float(at, true) : mote_double(at, true);
}

static bool take_box(mote_trajectory *t, const uint32_t *numbers, size_t width)
{
    const unsigned char *at;
    double box[9];
    if (!mote_trajectory_bytes(t, numbers[BOX], "the box", &at))
        return false;
    if (!numbers[BOX] || mote_trajectory_no_box(t))
        return true;
    for (size_t k = 0; k < 9; k++)
        box[k] = real(at + k * width, width);
    return mote_trajectory_box(t, box, 9);
}

static bool take_positions(mote_trajectory *t, size_t width)
{
    const unsigned char *at;
    size_t count = 3 * t->frame.n_atoms;
    if (t->skip)
        return mote_trajectory_pass(t, count * width, "a block of positions");
    if (!mote_trajectory_bytes(t, count * width, "a block of positions", &at) ||
        !mote_trajectory_reserve(t, t->frame.n_atoms))
        return false;
    for (size_t i = 0; i < count; i++)
        t->frame.positions[i] = real(at + i * width, width);
    return true;
}

/* Reads one frame; sets *empty if it has no positions, because it contains velocities or forces
 * alone. */
static bool take_frame(mote_trajectory *t, bool *empty)
{
    const unsigned char *at;
    uint32_t numbers[NUMBERS];
    size_t width;
    mote_trajectory_forget(t); /* a frame without positions may have had a box */
    if (!take_magic(t) || !mote_trajectory_bytes(t, 4 * NUMBERS, "the head of a frame", &at))
        return false;
    for (int k = 0; k < NUMBERS; k++)
        numbers[k] = mote_word(at + 4 * k, true);
    if (!check_numbers(t, numbers, &width) || !mote_trajectory_atoms(t, numbers[ATOMS]))
        return false;
    if (!mote_trajectory_bytes(t, 2 * width, "the time", &at))
        return false;
    t->frame.time = real(at, width);
    t->frame.has_time = isfinite(t->frame.time);
    if (width == 4)
        mote_trajectory_time(t, mote_float(at, true));
    *empty = numbers[ATOMS] && !numbers[X];
    return take_box(t, numbers, width) && mote_trajectory_pass(t, numbers[VIR], "the virial") &&
           mote_trajectory_pass(t, numbers[PRES], "the pressure") &&
           (*empty || take_positions(t, width)) &&
           mote_trajectory_pass(t, numbers[V], "velocities") &&
           mote_trajectory_pass(t, numbers[F], "forces");
}

bool mote_trajectory_trr(mote_trajectory *t, bool *ended)
{
    bool empty = false;
    t->unit = MOTE_TRAJECTORY_NM;
    do {
        if (!take_frame(t, &empty))
            return false;
        if (empty && !mote_trajectory_ended(t, ended))
            return false;
    } while (empty && !*ended);
    if (*ended && !t->frames)
        return mote_trajectory_fail(t, "the file holds no positions");
    return true;
}
