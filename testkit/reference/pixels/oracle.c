/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels are sorted by (module, y, x, index); equal neighbours are copies; a pixel is joined with
 * those of its own and the previous column. A root is always the lowest pixel of its cluster. */
#include "testkit/cases/pixels/decode.h"
#include "testkit/cases/pixels/positions.h"
#include "testkit/reference/pixels/union_find.h"

#include <stdlib.h>
#include <string.h>

#define DROPPED UINT32_MAX

/* One digi in sorted order. */
typedef struct entry {
    uint64_t key; /* module, y, x from the high bits down */
    uint32_t digi;
    uint32_t pixel; /* its pixel, or DROPPED */
} entry;

/* One pixel of the module after duplicates are resolved. */
typedef struct pixel {
    uint64_t key, charge;
    uint32_t first_digi;
    uint32_t cluster; /* roots: position in the event's records */
} pixel;

typedef struct work {
    const mote_digis *digis;
    const mote_pixels_options *options;
    mote_pixels_result *result;
    entry *entries;
    pixel *pixels;
    uint32_t *parents; /* of pixels */
    mote_pixels_cluster_record *records;
    uint32_t *kept; /* number after the cut in its module, or DROPPED */
    size_t n_entries, n_pixels, n_records;
    size_t n_total; /* number of clusters kept so far */
} work;

static uint32_t charge_of(const work *w, uint32_t digi)
{
    return mote_case_charge(w->digis, w->options, digi);
}

static int compare_entries(const void *a, const void *b)
{
    const entry *left = a, *right = b;

    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return (left->digi > right->digi) - (left->digi < right->digi);
}

/* Sorts the digis of an event that are valid, not dead and reach the threshold. */
static void sort_event(work *w, uint32_t first, uint32_t last)
{
    const mote_digis *d = w->digis;

    w->n_entries = 0;
    for (uint32_t i = first; i < last; i++) {
        if (d->module_id[i] == d->invalid_module_id || mote_case_dead(d, w->options, i) ||
            charge_of(w, i) < w->options->adc_threshold)
            continue;
        w->entries[w->n_entries++] = (entry){
            .key = (uint64_t)d->module_id[i] << 32 | (uint64_t)d->y[i] << 16 | d->x[i],
            .digi = i,
            .pixel = DROPPED,
        };
    }
    qsort(w->entries, w->n_entries, sizeof(entry), compare_entries);
}

/* Merges the copies `one` .. `end` - 1 to one pixel, or to none. */
static void resolve_copies(work *w, entry *one, const entry *end)
{
    mote_pixels_duplicates policy = w->options->duplicates;
    uint64_t charge = charge_of(w, one->digi);

    if (end - one > 1 && policy == MOTE_DUPLICATES_DROP)
        return;
    one->pixel = (uint32_t)w->n_pixels;
    for (entry *copy = one + 1; copy < end; copy++) {
        uint32_t other = charge_of(w, copy->digi);

        if (policy == MOTE_DUPLICATES_FIRST)
            continue;
        copy->pixel = (uint32_t)w->n_pixels;
        if (policy == MOTE_DUPLICATES_SUM)
            charge += other;
        else if (other > charge)
            charge = other;
    }
    w->pixels[w->n_pixels] = (pixel){
        .key = one->key,
        .first_digi = one->digi,
        .charge = charge,
    };
    w->parents[w->n_pixels] = (uint32_t)w->n_pixels;
    w->n_pixels++;
}

static void find_pixels(work *w)
{
    w->n_pixels = 0;
    for (size_t first = 0, last = 0; first < w->n_entries; first = last) {
        while (last < w->n_entries && w->entries[last].key == w->entries[first].key)
            last++;
        resolve_copies(w, w->entries + first, w->entries + last);
    }
}

/* `low` follows the first pixel of the previous column that can touch pixel i: both only
 * increase. */
static void join_pixels(work *w)
{
    uint32_t reach = w->options->connectivity == 4 ? 0 : 1;
    uint32_t low = 0;

    for (uint32_t i = 0; i < w->n_pixels; i++) {
        uint64_t key = w->pixels[i].key;
        uint32_t x = key & 0xffff, y = key >> 16 & 0xffff;

        if (x > 0 && i > 0 && w->pixels[i - 1].key == key - 1)
            join(w->parents, i, i - 1);
        if (y == 0)
            continue;
        uint64_t column = (key & ~(uint64_t)0xffff) - 0x10000;
        uint64_t from = column + (x > reach ? x - reach : 0);
        uint64_t to = column + (x + reach < 0xffff ? x + reach : 0xffff);

        while (low < i && w->pixels[low].key < from)
            low++;
        for (uint32_t j = low; j < i && w->pixels[j].key <= to; j++)
            join(w->parents, i, j);
    }
}

/* Joins the pixels of each marked module that are in the same part of its closing. */
static bool join_closed(work *w)
{
    uint32_t *pixels = malloc((w->n_pixels + 1) * sizeof(*pixels));
    uint32_t *parts = malloc((w->n_pixels + 1) * sizeof(*parts));
    bool good = pixels && parts;

    for (size_t first = 0, last = 0; good && first < w->n_pixels; first = last) {
        uint32_t module = (uint32_t)(w->pixels[first].key >> 32), count = 0;

        for (; last < w->n_pixels && w->pixels[last].key >> 32 == module; last++)
            pixels[count++] = (uint32_t)w->pixels[last].key;
        if (!w->options->morph[module])
            continue;
        good = mote_pixels_closed_parts(w->options, pixels, count, parts);
        for (uint32_t i = 0; good && i < count; i++)
            for (uint32_t j = i; j-- > 0;)
                if (parts[j] == parts[i]) {
                    join(w->parents, (uint32_t)first + i, (uint32_t)first + j);
                    break;
                }
    }
    free(pixels);
    free(parts);
    return good;
}

/* Adds value to a number of `words` 32-bit words, least significant first. */
static void add_words(uint32_t *number, int words, uint64_t value)
{
    uint64_t carry = 0;

    for (int i = 0; i < words; i++) {
        uint64_t sum = carry + number[i] + (value & 0xffffffffu);

        number[i] = (uint32_t)sum;
        carry = sum >> 32;
        value >>= 32;
    }
}

/* Adds factor x charge to a number of three words. Charges of copies may add up to more than 32
 * bits. */
static void add_product(uint32_t *number, uint64_t factor, uint64_t charge)
{
    add_words(number, 3, factor * (charge & 0xffffffffu));
    add_words(number + 1, 2, factor * (charge >> 32));
}

const mote_pixels_cluster_record mote_pixels_record_empty = {
    .first_digi = UINT32_MAX, .x_min = UINT32_MAX, .y_min = UINT32_MAX};

void mote_pixels_record_add(mote_pixels_cluster_record *r, uint32_t x, uint32_t y, uint64_t charge,
                            uint32_t digi)
{
    r->size++;
    add_words(r->charge, 2, charge);
    add_product(r->sum_x, x, charge);
    add_product(r->sum_y, y, charge);
    add_product(r->sum_xx, (uint64_t)x * x, charge);
    add_product(r->sum_yy, (uint64_t)y * y, charge);
    add_words(r->plain_x, 2, x);
    add_words(r->plain_y, 2, y);
    if (digi < r->first_digi)
        r->first_digi = digi;
    if (x < r->x_min)
        r->x_min = x;
    if (x > r->x_max)
        r->x_max = x;
    if (y < r->y_min)
        r->y_min = y;
    if (y > r->y_max)
        r->y_max = y;
}

static void sum_properties(work *w, uint32_t event_first)
{
    w->n_records = 0;
    for (uint32_t i = 0; i < w->n_pixels; i++) {
        uint32_t root = root_of(w->parents, i);

        if (root == i) {
            w->pixels[i].cluster = (uint32_t)w->n_records;
            w->records[w->n_records++] = mote_pixels_record_empty;
        }
        const pixel *p = &w->pixels[i];
        mote_pixels_record_add(&w->records[w->pixels[root].cluster], p->key & 0xffff,
                               p->key >> 16 & 0xffff, p->charge, p->first_digi - event_first);
    }
}

static uint64_t cut_of(const mote_pixels_options *options, uint32_t module)
{
    if (options->charge_cuts)
        return options->charge_cuts[module];
    return module < options->inner_modules ? options->charge_cut_inner : options->charge_cut;
}

/* Numbers the clusters that pass the cut; roots are in the order of (module, y, x). */
static bool number_clusters(work *w, uint32_t *n_clusters)
{
    mote_pixels_result *result = w->result;
    mote_pixels_cluster_record *larger =
        realloc(result->properties, (w->n_total + w->n_records + 1) * sizeof(*larger));

    if (!larger)
        return false;
    result->properties = larger;
    for (uint32_t i = 0; i < w->n_pixels; i++) {
        if (w->parents[i] != i)
            continue;
        uint32_t cluster = w->pixels[i].cluster;
        uint32_t module = (uint32_t)(w->pixels[i].key >> 32);
        const mote_pixels_cluster_record *record = &w->records[cluster];
        uint64_t charge = (uint64_t)record->charge[1] << 32 | record->charge[0];

        w->kept[cluster] = DROPPED;
        if (charge >= cut_of(w->options, module)) {
            w->kept[cluster] = n_clusters[module]++;
            result->properties[w->n_total++] = *record;
        }
    }
    return true;
}

static void label_digis(work *w)
{
    for (size_t i = 0; i < w->n_entries; i++) {
        const entry *e = &w->entries[i];

        if (e->pixel == DROPPED)
            continue;
        uint32_t number = w->kept[w->pixels[root_of(w->parents, e->pixel)].cluster];

        if (number != DROPPED) {
            w->result->cluster_id[e->digi] = (int32_t)number;
            w->result->module_id_out[e->digi] = w->digis->module_id[e->digi];
        }
    }
}

static bool run_event(work *w, size_t event)
{
    uint32_t first = w->digis->event_offsets[event];

    sort_event(w, first, w->digis->event_offsets[event + 1]);
    find_pixels(w);
    join_pixels(w);
    if (w->options->morph && !join_closed(w))
        return false;
    sum_properties(w, first);
    if (!number_clusters(w, w->result->n_clusters + event * w->digis->n_modules))
        return false;
    label_digis(w);
    return true;
}

static bool run_events(work *w)
{
    mote_pixels_result *result = w->result;
    int32_t dropped = w->options->invalid_cluster_id ? w->options->invalid_cluster_id : -1;

    for (size_t i = 0; i < w->digis->n; i++) {
        result->cluster_id[i] = dropped;
        result->module_id_out[i] = w->digis->invalid_module_id;
    }
    for (size_t event = 0; event < w->digis->n_events; event++)
        if (!run_event(w, event))
            return false;
    for (size_t slot = 0; slot < result->n_slots; slot++)
        result->cluster_start[slot + 1] = result->cluster_start[slot] + result->n_clusters[slot];
    result->n_total = w->n_total;
    return true;
}

bool mote_pixels_oracle(const mote_digis *digis, const mote_pixels_options *options,
                        mote_pixels_result *result)
{
    work w = {.digis = digis, .options = options, .result = result};

    if (!mote_pixels_result_create(result, digis))
        return false;
    result->status = mote_pixels_find_error(digis, options, &result->index);
    if (result->status)
        return result->status != MOTE_ERROR_OUT_OF_HOST_MEMORY;
    w.entries = malloc((digis->n + 1) * sizeof(*w.entries));
    w.pixels = malloc((digis->n + 1) * sizeof(*w.pixels));
    w.parents = malloc((digis->n + 1) * sizeof(*w.parents));
    w.records = malloc((digis->n + 1) * sizeof(*w.records));
    w.kept = malloc((digis->n + 1) * sizeof(*w.kept));
    bool done = w.entries && w.pixels && w.parents && w.records && w.kept && run_events(&w) &&
                mote_pixels_positions_oracle(digis, options, result);

    free(w.entries);
    free(w.pixels);
    free(w.parents);
    free(w.records);
    free(w.kept);
    return done;
}
