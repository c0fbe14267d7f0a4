/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/pixels/sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/decode.h"
#include "testkit/cases/pixels/events.h"
#include "testkit/cases/pixels/patterns.h"
#include "testkit/cases/pixels/pdig.h"
#include "testkit/rng.h"

#define SEED        20260101
#define PIXELS_EACH 1024 /* one pixel in this number is dead */

static const mote_bench_set sets[] = {
    {"ttbar", "phase1", 20, 3, 4000, 2000, 96},
    {"phase2", "phase2", 3, 1, 4000, 0, 0},
    {"hi", "heavy-ion", 3, 1, 4000, 2000, 96},
    {"patho", NULL, 12, 12, 4000, 2000, 96},
};

size_t mote_bench_set_count(void)
{
    return sizeof(sets) / sizeof(sets[0]);
}

const mote_bench_set *mote_bench_set_at(size_t index)
{
    return &sets[index];
}

const char *mote_bench_pixels_set(size_t k)
{
    size_t count = mote_bench_set_count();

    if (k < count)
        return sets[k].name;
    for (k -= count, count = 0; mote_bench_time_set(count);)
        count++;
    return k < count ? mote_bench_time_set(k) : mote_bench_timepix3_set(k - count);
}

mote_pixels_options mote_bench_set_options(const mote_bench_set *set)
{
    return (mote_pixels_options){
        .charge_cut = set->charge_cut,
        .charge_cut_inner = set->charge_cut_inner,
        .inner_modules = set->inner_modules,
    };
}

/* Calls on single events use the batch's mask, because the mask depends on the modules alone. */
bool mote_bench_set_mask(const mote_digis *digis, mote_pixels_options *options)
{
    size_t words = mote_case_mask_words(digis);
    mote_rng rng;

    options->mask = calloc(words + 1, sizeof(*options->mask));
    if (!options->mask)
        return false;
    mote_rng_seed(&rng, SEED);
    for (size_t first = 0; first < words; first += PIXELS_EACH / 32) {
        uint32_t bit = mote_rng_below(&rng, PIXELS_EACH);

        if (first + bit / 32 < words)
            options->mask[first + bit / 32] = 1u << bit % 32;
    }
    return true;
}

bool mote_bench_set_lines(const mote_digis *digis, mote_pixels_options *options)
{
    options->gain = malloc((digis->n_modules + 1) * sizeof(*options->gain));
    options->pedestal = malloc((digis->n_modules + 1) * sizeof(*options->pedestal));
    if (!options->gain || !options->pedestal)
        return false;
    for (uint32_t m = 0; m < digis->n_modules; m++) {
        options->gain[m] = 0.9f + 0.01f * (float)(m % 21);
        options->pedestal[m] = 0.25f * (float)(m % 41) - 5.0f;
    }
    return true;
}

bool mote_bench_set_morph(const mote_digis *digis, mote_pixels_options *options)
{
    options->morph = malloc(digis->n_modules + 1);
    for (uint32_t m = 0; options->morph && m < digis->n_modules; m++)
        options->morph[m] = m % 50 == 7;
    return options->morph != NULL;
}

static mote_bench_status read_set(const char *folder, const char *name, mote_digis *digis,
                                  char *message, size_t size)
{
    char path[4096], reason[512];

    snprintf(path, sizeof(path), "%s/%s.bin", folder, name);
    FILE *file = fopen(path, "rb");

    if (!file) {
        snprintf(message, size, "cannot open %s: %s", path, strerror(errno));
        return MOTE_BENCH_INPUT;
    }
    mote_pdig_status status = mote_pdig_read(file, digis, reason, sizeof(reason));

    fclose(file);
    if (!status)
        return MOTE_BENCH_OK;
    snprintf(message, size, "%s: %s", path, reason);
    return MOTE_BENCH_INPUT;
}

/* Keeps the first `events` events. */
static void cut_short(mote_digis *digis, uint32_t events)
{
    if (digis->n_events <= events)
        return;
    digis->n_events = events;
    digis->n = digis->event_offsets[events];
}

mote_bench_status mote_bench_set_load(const mote_bench_set *set, const mote_bench_options *options,
                                      mote_digis *digis, char *message, size_t size)
{
    uint32_t events = options->quick ? set->quick_events : set->n_events;
    mote_bench_status status = MOTE_BENCH_OK;

    if (options->data)
        status = read_set(options->data, set->name, digis, message, size);
    else if (set->topology)
        status = mote_case_events(set->topology, events, SEED, digis, message, size)
                     ? MOTE_BENCH_OK
                     : MOTE_BENCH_INPUT;
    else if (!mote_case_patho(SEED, options->quick ? 16 : 1, digis)) {
        snprintf(message, size, "no memory for the set %s", set->name);
        status = MOTE_BENCH_INPUT;
    }
    if (!status)
        cut_short(digis, events);
    return status;
}
