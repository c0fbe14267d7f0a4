/* SPDX-License-Identifier: Apache-2.0 */
#include "digis.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_DIGIS ((size_t)1 << 12)
/* Ids below this number modules directly: tables of that length are faster than sorting ids. */
#define MOST_SMALL_MODULES 131072u

void digi_set_free(digi_set *set)
{
    free(set->module32);
    free(set->module64);
    free(set->x);
    free(set->y);
    free(set->adc);
    free(set->value);
    free(set->event_offsets);
    free(set->place);
    free(set->module_ids);
    free(set->event_number);
    memset(set, 0, sizeof(*set));
}

static bool grow_array(void *array, size_t count, size_t bytes)
{
    void **place = array;
    void *more = count <= SIZE_MAX / bytes ? realloc(*place, count * bytes) : NULL;
    if (more)
        *place = more;
    return more != NULL;
}

bool digi_set_grow(digi_set *set, bool values)
{
    if (set->n == set->reserved) {
        size_t count = set->reserved ? 2 * set->reserved : FIRST_DIGIS;
        if (!grow_array(&set->module64, count, sizeof(*set->module64)) ||
            !grow_array(&set->x, count, sizeof(*set->x)) ||
            !grow_array(&set->y, count, sizeof(*set->y)) ||
            !grow_array(&set->adc, count, sizeof(*set->adc)) ||
            (set->value && !grow_array(&set->value, count, sizeof(*set->value))))
            return false;
        set->reserved = count;
    }
    if (values && !set->value) {
        set->value = malloc(set->reserved * sizeof(*set->value));
        if (!set->value)
            return false;
        for (size_t i = 0; i < set->n; i++)
            set->value[i] = set->adc[i];
    }
    return true;
}

void digi_scale_values(digi_set *set, const digi_options *options)
{
    set->scale = 1.0;
    if (!set->value)
        return;
    double largest = 0.0;
    for (size_t i = 0; i < set->n; i++)
        largest = set->value[i] > largest ? set->value[i] : largest;
    /* Calibrated charges have to fit, too. */
    double decoded = options->most_gain * (largest + options->most_pedestal);
    int exponent;
    frexp(fmin(fmax(largest, decoded), DBL_MAX), &exponent);
    int shift = (options->leave_room ? 24 : 31) - exponent;
    set->scale = ldexp(1.0, shift < 1000 ? shift : 1000);
    for (size_t i = 0; i < set->n; i++)
        set->adc[i] = (uint32_t)llround(set->value[i] * set->scale);
}

void digi_count_losses(digi_set *set)
{
    for (size_t i = 0; set->value && i < set->n; i++) {
        double value = set->value[i], kept = set->adc[i] / set->scale;
        set->lost += kept == 0.0 && value > 0.0;
        set->changed += kept != 0.0 && fabs(kept - value) > 0.001 * value;
    }
}

bool digi_is_invalid(const digi_set *set, size_t i)
{
    if (!set->has_invalid)
        return false;
    return set->module32 ? set->module32[i] == MOTE_PIXELS_INVALID_MODULE_U32
                         : set->module64[i] == set->invalid64;
}

uint64_t digi_module(const digi_set *set, size_t i)
{
    if (digi_is_invalid(set, i))
        return set->invalid_module;
    return set->module32 ? digi_module_at(set, set->module32[i]) : set->module64[i];
}

uint64_t digi_module_at(const digi_set *set, size_t k)
{
    return set->module_ids ? set->module_ids[k] : k;
}

static int by_id(const void *a, const void *b)
{
    const uint64_t *p = a, *q = b;
    return *p < *q ? -1 : *p > *q;
}

size_t digi_modules_below(const digi_set *set, uint64_t id)
{
    size_t low = 0, high = set->n_modules;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (digi_module_at(set, middle) < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Lists the distinct ids of a set in ascending order, so that module k has the k-th smallest id. */
static bool list_modules(digi_set *set)
{
    set->module_ids = malloc((set->n + 1) * sizeof(*set->module_ids));
    set->module32 = malloc((set->n + 1) * sizeof(*set->module32));
    if (!set->module_ids || !set->module32)
        return false;
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < set->n; i++)
        if (!(set->has_invalid && set->module64[i] == set->invalid_module) &&
            (count == 0 || set->module64[i] != set->module_ids[count - 1]))
            set->module_ids[count++] = set->module64[i];
    qsort(set->module_ids, count, sizeof(*set->module_ids), by_id);
    for (size_t k = 0; k < count; k++)
        if (kept == 0 || set->module_ids[k] != set->module_ids[kept - 1])
            set->module_ids[kept++] = set->module_ids[k];
    set->n_modules = (uint32_t)kept;
    for (size_t i = 0; i < set->n; i++) {
        bool invalid = set->has_invalid && set->module64[i] == set->invalid_module;
        set->module32[i] = invalid ? MOTE_PIXELS_INVALID_MODULE_U32
                                   : (uint32_t)digi_modules_below(set, set->module64[i]);
    }
    set->n_modules = kept ? set->n_modules : 1;
    free(set->module64);
    set->module64 = NULL;
    return true;
}

static bool is_used(const digi_set *set, uint64_t id)
{
    for (size_t i = 0; i < set->n; i++)
        if (set->module64[i] == id)
            return true;
    return false;
}

/* For the library, 0 means "no invalid module", so such digis get an unused id. */
static void move_invalid_zero(digi_set *set)
{
    set->invalid64 = set->has_invalid ? set->invalid_module : 0;
    if (!set->has_invalid || set->invalid_module != 0)
        return;
    set->invalid64 = UINT64_MAX;
    while (is_used(set, set->invalid64))
        set->invalid64--;
    for (size_t i = 0; i < set->n; i++)
        if (set->module64[i] == 0)
            set->module64[i] = set->invalid64;
}

bool digi_number_modules(digi_set *set, bool all)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < set->n; i++)
        if (set->module64[i] > largest &&
            !(set->has_invalid && set->module64[i] == set->invalid_module))
            largest = set->module64[i];
    if (largest >= MOST_SMALL_MODULES && all)
        return list_modules(set);
    if (largest >= MOST_SMALL_MODULES) {
        move_invalid_zero(set);
        return true;
    }
    set->module32 = malloc((set->n + 1) * sizeof(*set->module32));
    if (!set->module32)
        return false;
    for (size_t i = 0; i < set->n; i++) {
        bool invalid = set->has_invalid && set->module64[i] == set->invalid_module;
        set->module32[i] = invalid ? MOTE_PIXELS_INVALID_MODULE_U32 : (uint32_t)set->module64[i];
    }
    free(set->module64);
    set->module64 = NULL;
    set->n_modules = (uint32_t)largest + 1;
    return true;
}

int digi_event_compare(const digi_event *a, const digi_event *b)
{
    for (int k = 0; k < EVENT_KEYS; k++)
        if (a->key[k] != b->key[k])
            return a->key[k] < b->key[k] ? -1 : 1;
    return 0;
}

static int by_event(const void *a, const void *b)
{
    const digi_stretch *p = a, *q = b;
    int order = digi_event_compare(&p->event, &q->event);
    return order ? order : p->begin < q->begin ? -1 : p->begin > q->begin;
}

/* Puts the elements of an array, `bytes` each, into the order of the stretches. */
static bool reorder(void *array, size_t bytes, const digi_set *set, const digi_stretch *stretches,
                    size_t n)
{
    void **place = array;
    if (!*place)
        return true;
    char *moved = malloc(set->n * bytes), *to = moved;
    if (!moved)
        return false;
    const char *old = *place;
    for (size_t k = 0; k < n; k++) {
        memcpy(to, old + stretches[k].begin * bytes, stretches[k].count * bytes);
        to += stretches[k].count * bytes;
    }
    free(*place);
    *place = moved;
    return true;
}

static bool sort_by_event(digi_set *set, digi_stretch *stretches, size_t n)
{
    uint32_t at = 0;
    qsort(stretches, n, sizeof(*stretches), by_event);
    set->place = malloc(set->n * sizeof(*set->place));
    if (!set->place)
        return false;
    for (size_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < stretches[k].count; i++)
            set->place[stretches[k].begin + i] = at++;
    return reorder(&set->module64, sizeof(*set->module64), set, stretches, n) &&
           reorder(&set->x, sizeof(*set->x), set, stretches, n) &&
           reorder(&set->y, sizeof(*set->y), set, stretches, n) &&
           reorder(&set->adc, sizeof(*set->adc), set, stretches, n) &&
           reorder(&set->value, sizeof(*set->value), set, stretches, n);
}

/* Finds where the events begin. */
static bool mark_events(digi_set *set, const digi_stretch *stretches, size_t n, bool numbers)
{
    size_t digis = 0;
    set->event_offsets = malloc((n + 1) * sizeof(*set->event_offsets));
    set->event_number = numbers ? malloc((n + 1) * sizeof(*set->event_number)) : NULL;
    if (!set->event_offsets || (numbers && !set->event_number))
        return false;
    set->n_events = 0;
    for (size_t k = 0; k < n; k++) {
        if (k == 0 || digi_event_compare(&stretches[k].event, &stretches[k - 1].event) != 0) {
            if (numbers)
                set->event_number[set->n_events] = stretches[k].event.key[EVENT_NUMBER];
            set->event_offsets[set->n_events++] = digis;
        }
        digis += stretches[k].count;
    }
    set->event_offsets[set->n_events] = digis;
    return true;
}

bool digi_group_events(digi_set *set, digi_stretch *stretches, size_t n, bool numbers)
{
    bool ascending = true;
    for (size_t k = 1; k < n && ascending; k++)
        ascending = digi_event_compare(&stretches[k - 1].event, &stretches[k].event) < 0;
    return (ascending || sort_by_event(set, stretches, n)) &&
           mark_events(set, stretches, n, numbers);
}
