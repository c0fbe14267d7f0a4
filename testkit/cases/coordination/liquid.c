/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/coordination/liquid.h"

#include <math.h>

mote_liquid mote_liquid_begin(size_t n_atoms, uint64_t seed)
{
    return (mote_liquid){.state = seed, .side = cbrt((double)n_atoms / 33.4)};
}

double mote_liquid_next(mote_liquid *liquid)
{
    liquid->state = liquid->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(liquid->state >> 11) * 0x1p-53 * liquid->side;
}
