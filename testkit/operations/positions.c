/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/operations/positions.h"
#include "testkit/reference/coordination/neighbours.h"

#include <math.h>
#include <stdlib.h>

#define MOST_TESTED 3e5  /* largest number of images of pairs in the oracle's loops */
#define LONG_LIST   1500 /* more neighbours than a team of work-items keeps in local memory */

enum { UNIFORM, ONE_PLACE, LATTICE, FAR_OUT, MIXED_SCALES, KINDS }; /* kinds of positions */

const size_t positions_borders[] = {1, 4, 9, 1024, 4096, 16384, 65536, 0};

static double within(mote_rng *rng, double low, double high)
{
    return low + (high - low) * ((double)(mote_rng_next(rng) >> 11) * 0x1p-53);
}

bool positions_fp64(mote_context *ctx)
{
    mote_neighbours_args args;
    size_t bytes;

    mote_neighbours_args_init(&args);
    args.positions.type = MOTE_FLOAT64;
    args.offsets.type = MOTE_INT32;
    args.offsets.count = 1;
    args.cutoff = 1;
    return mote_neighbours_workspace_size(ctx, &args, &bytes) != MOTE_ERROR_UNSUPPORTED;
}

size_t positions_numbers(trial_call *c, bool two, size_t *m)
{
    c->kind = mote_rng_below(&c->rng, KINDS);
    size_t n = (size_t)sqrt((double)trial_size(c));
    if (c->kind == ONE_PLACE && n > 150)
        n = 150;
    *m = n;
    if (two)
        *m = mote_rng_below(&c->rng, 4) ? n / 2 + mote_rng_below(&c->rng, (uint32_t)n + 1) : 0;
    return n;
}

uint32_t positions_box(trial_call *c, double *box)
{
    bool triclinic = mote_rng_below(&c->rng, 2), flat = mote_rng_below(&c->rng, 4) == 0;
    uint32_t pbc = mote_rng_below(&c->rng, 16);

    pbc = pbc < 8 ? pbc : MOTE_NEIGHBOURS_XYZ;
    for (int k = 0; k < 9; k++)
        box[k] = k % 4 == 0   ? within(&c->rng, 0.5, 2.0)
                 : !triclinic ? 0.0
                              : within(&c->rng, -0.7, 0.7);
    if (triclinic && mote_rng_below(&c->rng, 4) == 0)
        box[0] = -box[0];
    for (int k = 0; k < 3 && flat && triclinic; k++)
        box[6 + k] = box[6 + k] * 0.02 + box[k] * 3.0 - box[3 + k];
    for (int k = 0; k < 9; k++) {
        if (!(pbc >> k / 3 & 1) && mote_rng_below(&c->rng, 3) == 0)
            box[k] = 0.0;
        box[k] = (double)(float)box[k];
    }
    return pbc;
}

double positions_cutoff(trial_call *c, const double *box, uint32_t pbc, size_t n, size_t m)
{
    double heights[3], wanted = within(&c->rng, 0.1, 30.0), images = INFINITY;
    double most = MOST_TESTED / (double)(n * m + 1), cutoff;

    if (mote_rng_below(&c->rng, 6) == 0)
        wanted = within(&c->rng, 100.0, fmin(LONG_LIST, POSITIONS_PAIRS / 2.0 / (double)(n + 1)));

    mote_neighbours_heights(box, pbc, heights);
    cutoff = cbrt(wanted / 4.0 / (double)(m + 1));
    if (c->kind == LATTICE)
        cutoff = ceil(4.0 * cutoff) / 4.0;
    for (cutoff /= 0.7; images > 1.0 && images > most;) {
        images = 1.0;
        cutoff *= 0.7;
        for (int k = 0; k < 3; k++)
            images *= heights[k] > 0 ? 2.0 * cutoff / heights[k] + 0.01 : 1.0;
    }
    return cutoff;
}

void positions_draw(trial_call *c, const double *box, const trial_array *to)
{
    double range = c->kind == FAR_OUT ? pow(10.0, within(&c->rng, 0.0, 4.0)) : 1.0;
    double scale = c->kind == MIXED_SCALES ? within(&c->rng, 0.0, 8.0) : 0.0;
    double place[3] = {within(&c->rng, -1, 1), within(&c->rng, -1, 1), within(&c->rng, -1, 1)};

    for (size_t i = 0; i < to->count / 3; i++) {
        double f[3], factor = pow(10.0, -within(&c->rng, 0.0, scale));
        for (int k = 0; k < 3; k++) {
            f[k] = within(&c->rng, -range, range) * (scale > 0.0 ? factor : 1.0);
            if (range < 2.0)
                f[k] = fabs(f[k]);
            if (c->kind == LATTICE)
                f[k] = floor(8.0 * f[k]) / 8.0;
            if (c->kind == ONE_PLACE)
                f[k] = place[k];
        }
        for (int k = 0; k < 3; k++) {
            double x = f[0] * box[k] + f[1] * box[3 + k] + f[2] * box[6 + k];
            if (to->type == MOTE_FLOAT64)
                ((double *)to->data)[3 * i + (size_t)k] = x;
            else
                ((float *)to->data)[3 * i + (size_t)k] = (float)x;
        }
    }
}

void positions_spoil(trial_call *c, uint32_t pbc)
{
    static const double values[] = {NAN, INFINITY, -INFINITY, 1e30};
    size_t n = c->array[POSITIONS].count / 3, count = n + c->array[OTHER].count / 3;

    for (uint32_t turn = 1 + mote_rng_below(&c->rng, 3); n && turn > 0; turn--) {
        size_t at = mote_rng_below(&c->rng, (uint32_t)count);
        const trial_array *to = &c->array[at < n ? POSITIONS : OTHER];
        size_t k = 3 * (at < n ? at : at - n) + mote_rng_below(&c->rng, 3);
        double value = values[mote_rng_below(&c->rng, pbc == MOTE_NEIGHBOURS_XYZ ? 4 : 3)];
        if (to->type == MOTE_FLOAT64)
            ((double *)to->data)[k] = value;
        else
            ((float *)to->data)[k] = (float)value;
        if (c->told == MOTE_SUCCESS || at < c->told_index)
            c->told_index = (uint32_t)at;
        c->told = MOTE_ERROR_POSITION;
        c->unspecified = true;
    }
}

double *positions_widened(const trial_array *from)
{
    double *to = malloc((from->count + 1) * sizeof(*to));

    for (size_t k = 0; to && k < from->count; k++)
        to[k] = from->type == MOTE_FLOAT64 ? ((const double *)from->data)[k]
                                           : (double)((const float *)from->data)[k];
    return to;
}
