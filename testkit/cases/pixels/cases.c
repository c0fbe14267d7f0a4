/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/pixels/cases.h"

#include <stdio.h>

/* Gives the same digis for a name, independent of the cases before it in the table. */
static uint64_t seed_of(const char *name)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    return hash;
}

bool mote_pixels_case_make(const mote_pixels_case *self, mote_digis *digis,
                           mote_pixels_options *options)
{
    mote_rng rng;

    mote_rng_seed(&rng, seed_of(self->name));
    mote_digis_init(digis, self->n_modules, self->rows, self->columns);
    *options = self->options;
    options->weight = (mote_pixels_weight)(seed_of(self->name) & 1);
    options->local = seed_of(self->name) >> 1 & 1;
    options->float_numbers = seed_of(self->name) >> 2 & 1;
    if (self->wide_module) {
        digis->module_type = MOTE_UINT32;
        digis->invalid_module_id = MOTE_PIXELS_INVALID_MODULE_U32;
    }
    if (self->wide_adc)
        digis->adc_type = MOTE_UINT32;
    self->fill(self, digis, options, &rng);
    if (!digis->failed && self->permute)
        mote_digis_permute(digis, mote_rng_next(&rng), NULL);
    if (!digis->failed)
        return true;
    mote_digis_free(digis);
    mote_pixels_options_free(options);
    return false;
}

bool mote_pixels_case_check(mote_context *ctx, cl_command_queue queue, const mote_pixels_case *self,
                            mote_pixels_strategy strategy, unsigned how, char *message, size_t size)
{
    mote_digis digis;
    mote_pixels_options options;

    if (!mote_pixels_case_make(self, &digis, &options)) {
        snprintf(message, size, "no memory to make the case");
        return false;
    }
    options.strategy = strategy;
    bool good = mote_pixels_check(ctx, queue, &digis, &options, how, message, size);

    mote_digis_free(&digis);
    mote_pixels_options_free(&options);
    return good;
}
