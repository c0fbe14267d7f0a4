/* SPDX-License-Identifier: Apache-2.0 */
/* Describes mote_pixels_cluster_digis(). */
#include "testkit/operations/pixels.h"

#include <string.h>

#include "testkit/cases/pixels/draw.h"
#include "testkit/reference/pixels/digis_oracle.h"

enum { IDS, X, Y, EVENTS, N_DEVICE, LABELS, STARTS, OFFSETS, DIGIS };

static void choose_digis(trial_call *c)
{
    mote_pixels_cluster_digis_args *a = (mote_pixels_cluster_digis_args *)(void *)&c->args;
    trial_digis *d = trial_digis_choose(c, BIT(MOTE_UINT16), trial_size(c));
    mote_pixels_options *o = &d->options;
    trial_array *array = c->array;
    size_t capacity = d->n + d->extra;

    if (!c->given) {
        o->duplicates = (mote_pixels_duplicates)mote_rng_below(&c->rng, MOTE_DUPLICATES_MAX + 1);
        o->adc_threshold = trial_once(c, 4) ? 500 : 0;
        mote_draw_topology(&c->rng, mote_rng_below(&c->rng, MOTE_DRAW_SHAPES), d->n, false,
                           &d->digis);
    }
    c->in_place = false;
    a->n_modules = d->digis.n_modules;
    a->invalid_module_id = d->digis.invalid_module_id;
    bool one = d->how & MOTE_RUN_ONE_EVENT && d->digis.n_events == 1 && !c->spoilt;
    array[IDS] = trial_digis_each(d, d->digis.module_type);
    array[X] = array[Y] = trial_digis_each(d, MOTE_UINT16);
    if (!one)
        array[EVENTS] = (trial_array){.type = MOTE_UINT32, .count = d->digis.n_events + 1};
    if (d->extra)
        array[N_DEVICE] = (trial_array){.type = MOTE_UINT32, .count = 1};
    array[LABELS] = trial_digis_each(d, MOTE_INT32);
    array[STARTS] = trial_digis_slots(d, 1);
    if (!c->given && !c->telling && capacity && trial_once(c, 6)) /* may be too few */
        capacity = mote_rng_below(&c->rng, (uint32_t)capacity);
    array[OFFSETS] = (trial_array){.type = MOTE_UINT32, .count = capacity + 1};
    array[DIGIS] = trial_digis_each(d, MOTE_UINT32);
    array[DIGIS].open = 0; /* not changed behind the last list */
}

/* Gives a digi a label that no cluster of its module has. */
static void spoil_label(trial_call *c, const trial_digis *d)
{
    int32_t *labels = c->array[LABELS].data;
    const uint32_t *starts = c->array[STARTS].data;
    size_t i = d->n ? mote_rng_below(&c->rng, (uint32_t)d->n) : 0, event = 0;

    if (!d->n || labels[i] < 0)
        return;
    while (d->digis.event_offsets[event + 1] <= i)
        event++;
    const uint32_t *start = starts + event * d->digis.n_modules + d->digis.module_id[i];
    labels[i] = (int32_t)(start[1] - start[0] + mote_rng_below(&c->rng, 3));
    c->told = MOTE_ERROR_CLUSTER_ID;
    c->told_index = (uint32_t)i;
}

/* Fills the inputs and the expected lists of a call whose digis are right. */
static bool fill_lists(trial_call *c, trial_digis *d)
{
    const trial_array *a = c->array;
    size_t capacity = a[OFFSETS].count - 1;
    mote_pixels_result found = {0};
    bool good = mote_pixels_oracle(&d->digis, &d->options, &found);

    if (good && found.status) /* bad data of a kind that the call does not check */
        memset(a[STARTS].data, 0, a[STARTS].count * sizeof(uint32_t));
    if (good && !found.status) {
        trial_digis_copy_bytes(&a[LABELS], found.cluster_id, d->n);
        trial_digis_copy_bytes(&a[STARTS], found.cluster_start, a[STARTS].count);
        good = mote_oracle_cluster_digis(&d->digis, found.cluster_id, found.cluster_start, capacity,
                                         a[OFFSETS].data, a[DIGIS].data);
        if (!c->told && found.n_total > capacity) {
            c->told = MOTE_ERROR_CAPACITY;
            c->told_index = (uint32_t)found.n_total;
        }
    }
    mote_pixels_result_free(&found);
    return good;
}

static bool fill_digis(trial_call *c, char *message, size_t size)
{
    trial_digis *d = trial_digis_of(c);
    trial_array *a = c->array;
    const bool label = c->spoilt && trial_once(c, 2), spoilt = c->spoilt;
    const uint32_t n = (uint32_t)d->n;

    (void)message, (void)size;
    c->spoilt = spoilt && !label;
    bool good = trial_digis_make(c, MOTE_SPOIL_MODULE | MOTE_SPOIL_EVENTS);
    c->spoilt = spoilt;
    if (!good)
        return false;
    trial_digis_copy(&a[IDS], d->digis.module_id, d->n);
    trial_digis_copy_bytes(&a[X], d->digis.x, d->n);
    trial_digis_copy_bytes(&a[Y], d->digis.y, d->n);
    trial_digis_copy_bytes(&a[EVENTS], d->digis.event_offsets, a[EVENTS].count);
    trial_digis_copy_bytes(&a[N_DEVICE], &n, 1);
    memset(a[LABELS].data, 0, a[LABELS].count * sizeof(int32_t)); /* those behind n are not read */
    c->told = mote_pixels_find_error(&d->digis, &d->options, &c->told_index);
    c->unspecified = c->told != MOTE_SUCCESS;
    good = fill_lists(c, d);
    if (good && label && !c->unspecified) {
        spoil_label(c, d);
        c->unspecified = c->told == MOTE_ERROR_CLUSTER_ID;
    }
    return trial_digis_end(c, good);
}

static const char *const tunes[] = {"pixels.form=cpu,reduce.form=cpu,jagged.form=cpu",
                                    "pixels.form=gpu,reduce.form=gpu,jagged.form=gpu", NULL};

static const trial_program digis_programs[] = {
    TRIAL_PROGRAM("16 bits", MOTE_UINT16),
    TRIAL_PROGRAM("32 bits", MOTE_UINT32),
    TRIAL_END,
};

/* Sizes near the end of a group, of a work-item's range in the CPU form and of a chunk of the sort.
 */
static const size_t borders[] = {1, 256, 1024, 2048, 4096, 0};

TRIAL_FUNCTIONS(digis, mote_pixels_cluster_digis, mote_pixels_cluster_digis_args)
TRIAL_WORKSPACE_SIZE(digis, mote_pixels_cluster_digis_workspace_size)

const trial_operation trial_cluster_digis = {
    .name = "cluster_digis",
    .call = "mote_pixels_cluster_digis",
    .number = MOTE_OPERATION_PIXELS_CLUSTER_DIGIS,
    .error_at = offsetof(mote_pixels_cluster_digis_args, error),
    .init = init_digis,
    .choose = choose_digis,
    .fill = fill_digis,
    .enqueue = enqueue_digis,
    TRIAL_WORKSPACE(digis, mote_pixels_cluster_digis_args),
    .borders = borders,
    .tunes = tunes,
    .programs = digis_programs,
};
