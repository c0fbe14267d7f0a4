/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "testkit/cases/pixels/events.h"

#define LOST_ONCE 4 /* one digi in this number */

/* Marks `count` modules. Each choice of modules is equally likely. */
static void mark(mote_rng *rng, uint32_t modules, uint32_t count, uint8_t *marks)
{
    for (uint32_t m = 0; m < modules; m++) {
        marks[m] = mote_rng_below(rng, modules - m) < count;
        count -= marks[m];
    }
}

bool mote_case_break(double share, uint64_t seed, mote_digis *digis, uint8_t **marks)
{
    uint32_t modules = digis->n_modules, begin = 0, kept = 0;
    mote_rng rng;

    *marks = calloc((size_t)modules + 1, 1);
    if (!*marks)
        return false;
    mote_rng_seed(&rng, ~seed);
    mark(&rng, modules, (uint32_t)(share * modules + 0.5), *marks);
    for (size_t event = 0; event < digis->n_events; event++) {
        uint32_t end = digis->event_offsets[event + 1];
        for (uint32_t i = begin; i < end; i++) {
            uint32_t module = digis->module_id[i];
            if (module < modules && (*marks)[module] && mote_rng_below(&rng, LOST_ONCE) == 0)
                continue;
            digis->module_id[kept] = module;
            digis->x[kept] = digis->x[i];
            digis->y[kept] = digis->y[i];
            digis->adc[kept++] = digis->adc[i];
        }
        digis->event_offsets[event + 1] = kept;
        begin = end;
    }
    digis->n = kept;
    return true;
}
