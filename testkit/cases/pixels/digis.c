/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/pixels/digis.h"

#include <stdlib.h>
#include <string.h>

#include "mote/pixels.h"

void mote_digis_init(mote_digis *digis, uint32_t n_modules, uint32_t rows, uint32_t columns)
{
    *digis = (mote_digis){
        .n_modules = n_modules,
        .rows = rows,
        .columns = columns,
        .invalid_module_id = MOTE_PIXELS_INVALID_MODULE_U16,
        .module_type = MOTE_UINT16,
        .adc_type = MOTE_UINT16,
    };
}

void mote_digis_free(mote_digis *digis)
{
    free(digis->module_id);
    free(digis->x);
    free(digis->y);
    free(digis->adc);
    free(digis->event_offsets);
    mote_digis_init(digis, digis->n_modules, digis->rows, digis->columns);
}

static bool grow(void **array, size_t count, size_t element)
{
    void *larger = realloc(*array, count * element);

    if (larger)
        *array = larger;
    return larger != NULL;
}

static bool grow_digis(mote_digis *digis, size_t count)
{
    if (!grow((void **)&digis->module_id, count, sizeof(*digis->module_id)) ||
        !grow((void **)&digis->x, count, sizeof(*digis->x)) ||
        !grow((void **)&digis->y, count, sizeof(*digis->y)) ||
        !grow((void **)&digis->adc, count, sizeof(*digis->adc)))
        return false;
    digis->reserved = count;
    return true;
}

bool mote_digis_reserve(mote_digis *digis, size_t n)
{
    size_t want = digis->n + n;

    if (digis->failed || want < n || want > UINT32_MAX) {
        digis->failed = true;
        return false;
    }
    if (want <= digis->reserved)
        return true;
    size_t count = digis->reserved + digis->reserved / 2;

    if (!grow_digis(digis, count > want ? count : want))
        digis->failed = true;
    return !digis->failed;
}

void mote_digis_push(mote_digis *digis, uint32_t module, uint32_t x, uint32_t y, uint32_t adc)
{
    size_t i = digis->n;

    if (i == digis->reserved && !mote_digis_reserve(digis, i < 64 ? 64 : i / 2))
        return;
    digis->module_id[i] = module;
    digis->x[i] = (uint16_t)x;
    digis->y[i] = (uint16_t)y;
    digis->adc[i] = adc;
    digis->n++;
}

void mote_digis_push_invalid(mote_digis *digis)
{
    mote_digis_push(digis, digis->invalid_module_id, 0, 0, 0);
}

static bool reserve_events(mote_digis *digis)
{
    if (digis->n_events + 2 <= digis->reserved_events)
        return true;
    size_t count = digis->reserved_events + digis->reserved_events / 2 + 4;

    if (digis->failed ||
        !grow((void **)&digis->event_offsets, count, sizeof(*digis->event_offsets))) {
        digis->failed = true;
        return false;
    }
    digis->reserved_events = count;
    return true;
}

void mote_digis_end_event(mote_digis *digis)
{
    if (!reserve_events(digis))
        return;
    digis->event_offsets[0] = 0;
    digis->n_events++;
    digis->event_offsets[digis->n_events] = (uint32_t)digis->n;
}

void mote_digis_append_event(mote_digis *digis, const mote_digis *from, size_t event)
{
    size_t first = from->event_offsets[event];
    size_t n = from->event_offsets[event + 1] - first;

    if (n == 0 || !mote_digis_reserve(digis, n))
        return;
    memcpy(digis->module_id + digis->n, from->module_id + first, n * sizeof(*from->module_id));
    memcpy(digis->x + digis->n, from->x + first, n * sizeof(*from->x));
    memcpy(digis->y + digis->n, from->y + first, n * sizeof(*from->y));
    memcpy(digis->adc + digis->n, from->adc + first, n * sizeof(*from->adc));
    digis->n += n;
}

static void copy_shape(const mote_digis *digis, mote_digis *out)
{
    mote_digis_init(out, digis->n_modules, digis->rows, digis->columns);
    out->invalid_module_id = digis->invalid_module_id;
    out->module_type = digis->module_type;
    out->adc_type = digis->adc_type;
}

static bool copy_events(const mote_digis *digis, size_t first, size_t last, mote_digis *out)
{
    copy_shape(digis, out);
    for (size_t event = first; event < last; event++) {
        mote_digis_append_event(out, digis, event);
        mote_digis_end_event(out);
    }
    if (!out->failed)
        return true;
    mote_digis_free(out);
    return false;
}

bool mote_digis_copy(const mote_digis *digis, mote_digis *out)
{
    return copy_events(digis, 0, digis->n_events, out);
}

bool mote_digis_event(const mote_digis *digis, size_t event, mote_digis *out)
{
    return copy_events(digis, event, event + 1, out);
}

void mote_digis_exchange(mote_digis *digis, size_t i, size_t j)
{
    uint32_t module = digis->module_id[i], adc = digis->adc[i];
    uint16_t x = digis->x[i], y = digis->y[i];

    digis->module_id[i] = digis->module_id[j];
    digis->x[i] = digis->x[j];
    digis->y[i] = digis->y[j];
    digis->adc[i] = digis->adc[j];
    digis->module_id[j] = module;
    digis->x[j] = x;
    digis->y[j] = y;
    digis->adc[j] = adc;
}

void mote_digis_shuffle(mote_digis *digis, size_t first, size_t last, mote_rng *rng)
{
    for (size_t i = last; i > first + 1; i--)
        mote_digis_exchange(digis, i - 1, first + mote_rng_below(rng, (uint32_t)(i - first)));
}

void mote_digis_permute(mote_digis *digis, uint64_t seed, uint32_t *from)
{
    mote_rng rng;

    mote_rng_seed(&rng, seed);
    for (size_t i = 0; from && i < digis->n; i++)
        from[i] = (uint32_t)i;
    for (size_t event = 0; event < digis->n_events; event++) {
        size_t first = digis->event_offsets[event];

        for (size_t i = digis->event_offsets[event + 1]; i > first + 1; i--) {
            size_t j = first + mote_rng_below(&rng, (uint32_t)(i - first));

            mote_digis_exchange(digis, i - 1, j);
            if (from) {
                uint32_t old = from[i - 1];

                from[i - 1] = from[j];
                from[j] = old;
            }
        }
    }
}
