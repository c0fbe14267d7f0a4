/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of the two CSV outputs. */
#include "job.h"
#include "../io/text.h"

#include <math.h>

#define ROW_BYTES ((size_t)512)

static char *whole_field(char *at, uint64_t value)
{
    at = text_whole(at, value);
    *at++ = ',';
    return at;
}

static char *real_field(char *at, double value)
{
    at = text_real(at, value);
    *at++ = ',';
    return at;
}

static char *charge_field(char *at, const digi_set *set, uint64_t charge)
{
    if (!set || !set->value)
        return whole_field(at, charge);
    return real_field(at, (double)charge / set->scale);
}

char *clusters_record_fields(char *at, const digi_set *set,
                             const mote_pixels_cluster_record *record, uint64_t first_digi)
{
    mote_pixels_moments moments = mote_pixels_mean(record);
    at = whole_field(at, record->size);
    at = charge_field(at, set, mote_pixels_charge(record));
    at = real_field(at, moments.x);
    at = real_field(at, moments.y);
    at = whole_field(at, record->x_min);
    at = whole_field(at, record->x_max);
    at = whole_field(at, record->y_min);
    at = whole_field(at, record->y_max);
    at = whole_field(at, first_digi);
    at = real_field(at, moments.x_var);
    return text_real(at, moments.y_var);
}

static bool cluster_line(text_buffer *lines, const digi_set *set, uint64_t event, uint64_t module,
                         size_t cluster, const mote_pixels_cluster_record *record)
{
    char *at = buffer_room(lines, ROW_BYTES);
    if (!at)
        return false;
    at = whole_field(at, event);
    at = whole_field(at, module);
    at = whole_field(at, cluster);
    at = clusters_record_fields(at, set, record, record->first_digi);
    *at++ = '\n';
    buffer_used(lines, at);
    return true;
}

bool clusters_cluster_lines(clusters_batch *batch)
{
    const mote_pixels_host_result *result = batch->result;
    size_t slot = 0;
    for (size_t e = batch->event_begin; e < batch->event_end; e++) {
        uint64_t event = clusters_event(batch->file, e);
        for (size_t k = 0; k < result->n_modules; k++, slot++) {
            size_t begin = result->cluster_start[slot], end = result->cluster_start[slot + 1];
            for (size_t c = begin; c < end; c++)
                if (!cluster_line(&batch->lines[OUT_CLUSTERS], &batch->file->digis, event,
                                  clusters_module(batch, k), c - begin, &result->properties[c]))
                    return false;
        }
    }
    return true;
}

/* The event of digi i, searched from a guess that is nearly always correct. */
static size_t event_of(const digi_set *set, size_t i, size_t guess)
{
    if (i < set->event_offsets[guess] || i >= set->event_offsets[guess + 1]) {
        size_t low = 0, high = set->n_events - 1;
        while (low < high) {
            size_t middle = low + (high - low + 1) / 2;
            if (set->event_offsets[middle] <= i)
                low = middle;
            else
                high = middle - 1;
        }
        guess = low;
    }
    return guess;
}

/* The charge as it is in the file. */
static char *adc_field(char *at, const digi_set *set, size_t i)
{
    if (!set->value)
        return whole_field(at, set->adc[i]);
    double value = set->value[i];
    return value < 0x1p64 && value == floor(value) ? whole_field(at, (uint64_t)value)
                                                   : real_field(at, value);
}

bool clusters_label_lines(const clusters_file *file, size_t begin, size_t end, text_buffer *lines)
{
    const digi_set *set = &file->digis;
    size_t event = 0;
    for (size_t row = begin; row < end; row++) {
        size_t i = set->place ? set->place[row] : row;
        char *at = buffer_room(lines, ROW_BYTES);
        if (!at)
            return false;
        event = event_of(set, i, event);
        at = whole_field(at, clusters_event(file, event));
        at = whole_field(at, digi_module(set, i));
        at = whole_field(at, set->x[i]);
        at = whole_field(at, set->y[i]);
        at = adc_field(at, set, i);
        at = text_signed(at, file->label[i]);
        *at++ = '\n';
        buffer_used(lines, at);
    }
    return true;
}
