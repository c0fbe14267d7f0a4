/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/coordination/system.h"
#include "testkit/cases/coordination/liquid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool mote_system_make(mote_system *s, size_t n_atoms, size_t frames)
{
    *s = (mote_system){.n_atoms = n_atoms, .frames = frames, .pbc = MOTE_PBC_ORTHORHOMBIC};
    mote_switch_init(&s->function);
    s->positions = calloc(frames * n_atoms * 3 + 1, sizeof(double));
    s->box = calloc(frames * 9 + 1, sizeof(double));
    if (!s->positions || !s->box) {
        mote_system_free(s);
        return false;
    }
    for (size_t k = 0; k < 9 * frames; k++)
        s->box[k] = k % 9 % 4 == 0;
    return true;
}

void mote_system_free(mote_system *s)
{
    free(s->positions);
    free(s->box);
    free(s->group_a);
    free(s->group_b);
    *s = (mote_system){0};
}

bool mote_system_group(mote_system *s, bool b, const uint32_t *atoms, size_t count)
{
    uint32_t *copy = calloc(count + 1, sizeof(*copy));
    if (!copy)
        return false;
    if (count)
        memcpy(copy, atoms, count * sizeof(*copy));
    free(b ? s->group_b : s->group_a);
    *(b ? &s->group_b : &s->group_a) = copy;
    *(b ? &s->n_b : &s->n_a) = count;
    return true;
}

bool mote_system_copy(mote_system *copy, const mote_system *s)
{
    if (!mote_system_make(copy, s->n_atoms, s->frames))
        return false;
    copy->pbc = s->pbc;
    copy->mode = s->mode;
    copy->function = s->function;
    copy->weighted = s->weighted;
    memcpy(copy->positions, s->positions, 3 * s->frames * s->n_atoms * sizeof(double));
    memcpy(copy->box, s->box, 9 * s->frames * sizeof(double));
    if ((!s->group_a || mote_system_group(copy, false, s->group_a, s->n_a)) &&
        (!s->group_b || mote_system_group(copy, true, s->group_b, s->n_b)))
        return true;
    mote_system_free(copy);
    return false;
}

static size_t entries_a(const mote_system *s)
{
    return s->group_a ? s->n_a : s->n_atoms;
}

size_t mote_system_entries(const mote_system *s)
{
    return entries_a(s) + (s->mode == MOTE_COORDINATION_SELF ? 0 : s->n_b);
}

uint32_t mote_system_atom(const mote_system *s, size_t entry)
{
    size_t n_a = entries_a(s);
    if (entry >= n_a)
        return s->group_b[entry - n_a];
    return s->group_a ? s->group_a[entry] : (uint32_t)entry;
}

double mote_system_weight(size_t entry)
{
    uint32_t mix = (uint32_t)entry * 0x9e3779b9u;
    return ((double)((mix ^ mix >> 15) % 97) - 40.0) / 16.0;
}

static void round_all(double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (float)values[i];
}

void mote_system_round(mote_system *s, bool positions, bool boxes)
{
    if (positions)
        round_all(s->positions, 3 * s->frames * s->n_atoms);
    if (boxes)
        round_all(s->box, 9 * s->frames);
}

double mote_system_extent(const mote_system *s, size_t frame)
{
    double most = 0.0;
    for (size_t e = 0; e < mote_system_entries(s); e++)
        for (size_t k = 0; k < 3; k++)
            most = fmax(most,
                        fabs(s->positions[3 * (frame * s->n_atoms + mote_system_atom(s, e)) + k]));
    return most;
}

bool mote_system_liquid(mote_system *s, size_t n_atoms)
{
    if (!mote_system_make(s, n_atoms, 1))
        return false;
    mote_liquid liquid = mote_liquid_begin(n_atoms, n_atoms);
    for (size_t i = 0; i < 3 * n_atoms; i++)
        s->positions[i] = mote_liquid_next(&liquid);
    for (size_t k = 0; k < 9; k += 4)
        s->box[k] = liquid.side;
    s->function.r_0 = 0.3;
    return true;
}
