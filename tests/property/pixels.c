/* SPDX-License-Identifier: Apache-2.0 */
/* Compares random clustering calls with the oracle, bit by bit. */
#include "property/pixels.h"

#include <stdio.h>
#include <stdlib.h>

#include "testkit/cases/pixels/run.h"

#define LARGE_ONCE 150 /* one draw in so many is a large batch */

/* Values of the keys at the limits of their ranges. */
static const struct {
    const char *key;
    unsigned value[7], count;
} keys[] = {
    {"work_group", {16, 32, 48, 64, 128}, 5},
    {"tile", {32, 64, 512, 4096}, 4},
    {"arena", {1024, 2000, 10240, 65536}, 4},
    {"roles", {0, 1, 1}, 3},
    {"tally", {0, 1}, 2},
    {"event", {0, 100, 1048575}, 3},
    {"large_strips", {1, 2, 64}, 3},
    {"positions_group", {0, 1, 16, 64}, 4},
    {"host_digis", {0, 1, 50, 400000}, 4},
    {"cpu_tile", {32, 33, 1024, 100000}, 4},
    {"cpu_items", {1, 3, 64}, 3},
    {"cpu_slices", {0, 1, 2, 7, 64}, 5},
};

static void tune(mote_rng *rng, const char *form, char *text, size_t size)
{
    int used = snprintf(text, size, "%s%s", form ? "pixels.form=" : "", form ? form : "");
    bool alone = pixels_once(rng, 2);
    for (size_t k = 0; !alone && k < sizeof(keys) / sizeof(keys[0]); k++)
        if (pixels_once(rng, 4))
            used += snprintf(text + used, size - (size_t)used, "%spixels.%s=%u", used ? "," : "",
                             keys[k].key, keys[k].value[mote_rng_below(rng, keys[k].count)]);
}

static pixels_epoch epoch_of(uint64_t seed)
{
    static const mote_type charges[] = {MOTE_UINT16, MOTE_UINT16, MOTE_UINT32, MOTE_TYPE_NONE};
    mote_rng rng;
    pixels_epoch e;
    mote_rng_seed(&rng, seed / PROPERTY_DRAWS_A_CONTEXT);
    e.id = pixels_once(&rng, 3) ? MOTE_UINT32 : MOTE_UINT16;
    e.adc = PIXELS_ONE_OF(&rng, charges);
    e.duplicates = pixels_once(&rng, 2) ? MOTE_DUPLICATES_DROP
                                        : (mote_pixels_duplicates)mote_rng_below(&rng, 4);
    if (e.adc == MOTE_TYPE_NONE && e.duplicates == MOTE_DUPLICATES_MAX)
        e.duplicates = MOTE_DUPLICATES_SUM;
    e.cuts = pixels_once(&rng, 2);
    e.mask = pixels_once(&rng, 4);
    e.lines = pixels_once(&rng, 4);
    return e;
}

/* Draws how to call. The charge cut can be a call of its own if data and options are
 * ones that the call accepts. */
static unsigned draw_how(mote_rng *rng, const mote_digis *digis, const mote_pixels_options *o,
                         bool good)
{
    static const unsigned ways[] = {MOTE_RUN_GATED,    MOTE_RUN_ALIAS,  MOTE_RUN_WORKSPACE,
                                    MOTE_RUN_N_DEVICE, MOTE_RUN_LABELS, MOTE_RUN_ONE_EVENT,
                                    MOTE_RUN_BARE};
    unsigned how = 0;
    for (size_t k = 0; k < sizeof(ways) / sizeof(ways[0]); k++)
        how |= pixels_once(rng, 4) ? ways[k] : 0;
    if (!good)
        how &= ~MOTE_RUN_ONE_EVENT; /* without event offsets no error could be found */
    if (good && pixels_once(rng, 8))
        how |= MOTE_RUN_SILENT;
    bool plain = good && digis->n > 0 && !o->without_adc && !o->gain && !o->pedestal &&
                 o->duplicates != MOTE_DUPLICATES_MAX && (o->charge_cut || o->charge_cuts);
    if (plain && pixels_once(rng, 6))
        how = (how & (MOTE_RUN_GATED | MOTE_RUN_SILENT | MOTE_RUN_WORKSPACE)) | MOTE_RUN_APART;
    return how;
}

static void describe(const mote_digis *d, const mote_pixels_options *o, const char *what,
                     char *message, size_t size)
{
    char found[1024];
    snprintf(found, sizeof(found), "%.1000s", message);
    snprintf(message, size,
             "%s: %zu digis of %zu events, %u modules of %u x %u, %u-bit ids, %s order%s, "
             "duplicates %d, connectivity %u, threshold %u, cut %llu%s%s%s%s, invalid id %u: %s",
             what, d->n, d->n_events, d->n_modules, d->rows, d->columns,
             d->module_type == MOTE_UINT16 ? 16 : 32,
             o->order == MOTE_ORDER_CONTIGUOUS ? "contiguous" : "any",
             o->strategy == MOTE_PIXELS_HISTOGRAM ? ", histogram" : "", (int)o->duplicates,
             o->connectivity, o->adc_threshold, (unsigned long long)o->charge_cut,
             o->charge_cuts ? " each" : "", o->mask ? ", mask" : "", o->gain ? ", gain" : "",
             o->pedestal ? ", pedestal" : "", d->invalid_module_id, found);
}

static bool check(property_draw *draw, const mote_digis *digis, const mote_pixels_options *options)
{
    mote_pixels_result expected = {0}, got = {0};
    char what[64] = "host call";
    bool good = mote_pixels_oracle(digis, options, &expected);

    /* Calls on plain arrays report bad event offsets before any kernel runs, and do not return
     * numbers of clusters as floats. */
    if (good && !options->float_numbers && expected.status != MOTE_ERROR_EVENT_OFFSETS &&
        pixels_once(&draw->rng, 3)) {
        good = pixels_check_host(draw->ctx, &draw->rng, digis, options, &expected, draw->message,
                                 sizeof(draw->message));
    } else if (good) {
        unsigned how = draw_how(&draw->rng, digis, options, !expected.status);
        snprintf(what, sizeof(what), "how %u", how);
        good = mote_pixels_run(draw->ctx, draw->queue, digis, options, how, &got, draw->message,
                               sizeof(draw->message)) &&
               mote_pixels_compare(digis, &expected, &got, draw->message, sizeof(draw->message));
    }
    if (!good)
        describe(digis, options, what, draw->message, sizeof(draw->message));
    mote_pixels_result_free(&expected);
    mote_pixels_result_free(&got);
    return good;
}

static bool draw(property_draw *draw)
{
    pixels_epoch epoch = epoch_of(draw->seed);
    mote_rng *rng = &draw->rng;
    mote_pixels_options options = {0};
    mote_digis digis;
    bool large = pixels_once(rng, LARGE_ONCE);

    options.order = pixels_once(rng, 2) ? MOTE_ORDER_ANY : MOTE_ORDER_CONTIGUOUS;
    options.strategy = pixels_once(rng, 6) ? MOTE_PIXELS_HISTOGRAM : MOTE_PIXELS_UNION_FIND;
    bool good = pixels_draw_digis(rng, &epoch, large, &options, &digis) &&
                pixels_draw_options(rng, &epoch, &digis, &options);
    if (good && pixels_once(rng, 6))
        pixels_spoil(rng, &digis);
    if (good)
        good = check(draw, &digis, &options);
    else
        snprintf(draw->message, sizeof(draw->message), "no memory for %zu digis", digis.n);
    mote_digis_free(&digis);
    mote_pixels_options_free(&options);
    return good;
}

int main(int argc, char **argv)
{
    static const property_area area = {"pixels", tune, draw};
    return property_main(argc, argv, &area);
}
