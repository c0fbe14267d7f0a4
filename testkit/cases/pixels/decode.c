/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/pixels/decode.h"

#include <float.h>
#include <math.h>

size_t mote_case_mask_words(const mote_digis *digis)
{
    return (size_t)digis->n_modules * digis->columns * (((size_t)digis->rows + 31) / 32);
}

bool mote_case_dead(const mote_digis *digis, const mote_pixels_options *options, size_t digi)
{
    size_t column = (size_t)digis->module_id[digi] * digis->columns + digis->y[digi];
    size_t bit = column * (((size_t)digis->rows + 31) / 32) * 32 + digis->x[digi];

    return options->mask && (options->mask[bit / 32] >> (bit % 32)) % 2 == 1;
}

static float number(const float *numbers, uint32_t module, float usual)
{
    float value = numbers ? numbers[module] : usual;

    return value > -FLT_MIN && value < FLT_MIN ? 0.0f : value;
}

/* In double, each operation is so exact that rounding its result equals rounding once. */
uint32_t mote_case_charge(const mote_digis *digis, const mote_pixels_options *options, size_t digi)
{
    uint32_t adc = options->without_adc ? 0 : digis->adc[digi], module = digis->module_id[digi];

    if (!options->gain && !options->pedestal)
        return adc;
    float counts = (float)((double)(float)adc - (double)number(options->pedestal, module, 0.0f));
    double charge = (float)((double)number(options->gain, module, 1.0f) * (double)counts);
    double whole = isnan(charge) || charge < 0.0 ? 0.0 : floor(charge);

    whole = whole < 4294967295.0 ? whole : 4294967295.0;
    return whole < options->charge_min ? options->charge_min : (uint32_t)whole;
}
