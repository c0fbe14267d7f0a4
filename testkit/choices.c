/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/operation.h"

static unsigned lowest(uint32_t set)
{
    unsigned bit = 0;
    while (bit < 31 && !(set >> bit & 1))
        bit++;
    return bit;
}

/* The values of the set take turns. */
static unsigned by_turn(uint32_t set, size_t turn)
{
    unsigned value = lowest(set);

    for (uint32_t rest = set; set && turn > 0; turn--) {
        rest &= ~((uint32_t)1 << value);
        rest = rest ? rest : set;
        value = lowest(rest);
    }
    return value;
}

unsigned trial_choose(trial_call *c, uint32_t set)
{
    trial_choices *choices = c->choices;
    size_t k = choices->used++;
    bool turns = choices->whole && k >= choices->whole;
    unsigned value = k < choices->fixed ? choices->value[k] : lowest(set);

    if (k >= choices->fixed && turns)
        value = by_turn(set, choices->turn / (k - choices->whole + 1));
    else if (k >= choices->fixed && choices->rng && set)
        do
            value = mote_rng_below(choices->rng, 32);
        while (!(set >> value & 1));
    choices->value[k] = (uint8_t)value;
    choices->higher[k] = turns ? 0 : (uint32_t)(set & ~(((uint64_t)2 << value) - 1));
    c->impossible = c->impossible || !(set >> value & 1);
    return value;
}

bool trial_choices_next(trial_choices *choices)
{
    for (size_t k = choices->used; k-- > 0;)
        if (choices->higher[k]) {
            choices->value[k] = (uint8_t)lowest(choices->higher[k]);
            choices->fixed = k + 1;
            choices->turn++;
            return true;
        }
    return false;
}
