/* SPDX-License-Identifier: Apache-2.0 */
/* Cases with dead pixels and with calibration of adc counts to charge. */
#include "testkit/cases/pixels/decode.h"
#include "testkit/cases/pixels/fill.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A seventh of the pixels is dead; bits after the last row are set, which must have no effect. */
static bool make_mask(const mote_digis *digis, mote_pixels_options *options, mote_rng *rng)
{
    size_t words = mote_case_mask_words(digis), column = ((size_t)digis->rows + 31) / 32;

    options->mask = malloc((words + 1) * sizeof(uint32_t));
    for (size_t k = 0; options->mask && k < words; k++) {
        uint32_t word = 0;

        for (int b = 0; b < 32; b++)
            word |= (uint32_t)(mote_rng_below(rng, 7) == 0) << b;
        if (k % column == column - 1 && digis->rows % 32)
            word |= UINT32_MAX << digis->rows % 32;
        options->mask[k] = word;
    }
    return options->mask != NULL;
}

static bool make_lines(const mote_digis *digis, mote_pixels_options *options, mote_rng *rng,
                       bool hostile)
{
    static const float odd[] = {NAN,     INFINITY, -INFINITY, 0.0f,     -0.0f,    -1.5f,
                                FLT_MAX, 1e-40f,   -1e-40f,   16777216, -FLT_MAX, FLT_MIN};
    const uint32_t kinds = sizeof(odd) / sizeof(odd[0]);

    options->gain = malloc((digis->n_modules + 1) * sizeof(float));
    options->pedestal = malloc((digis->n_modules + 1) * sizeof(float));
    if (!options->gain || !options->pedestal)
        return false;
    for (uint32_t m = 0; m < digis->n_modules; m++) {
        options->gain[m] = (float)mote_rng_below(rng, 100000) / 37000.0f;
        options->pedestal[m] = (float)mote_rng_below(rng, 100000) / 131.0f - 200.0f;
        if (hostile && mote_rng_below(rng, 2))
            options->gain[m] = odd[mote_rng_below(rng, kinds)];
        if (hostile && mote_rng_below(rng, 2))
            options->pedestal[m] = odd[mote_rng_below(rng, kinds)];
    }
    options->charge_min = 30;
    return true;
}

MOTE_FILL(mote_fill_decoded)
{
    mote_pixels_case grouped = *self;
    bool good = true;

    grouped.parameter = 3;
    if (self->parameter & MOTE_DECODED_GROUPED)
        mote_fill_grouped(&grouped, digis, options, rng);
    else
        mote_fill_random(self, digis, options, rng);
    if (self->parameter & MOTE_DECODED_MASK)
        good = make_mask(digis, options, rng);
    if (self->parameter & MOTE_DECODED_LINES)
        good = make_lines(digis, options, rng, self->parameter & MOTE_DECODED_HOSTILE) && good;
    if (!good)
        digis->failed = true;
}
