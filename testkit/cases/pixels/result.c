/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/positions.h"

void mote_pixels_options_free(mote_pixels_options *options)
{
    free(options->charge_cuts);
    free(options->mask);
    free(options->gain);
    free(options->pedestal);
    free(options->morph);
    *options = (mote_pixels_options){0};
}

void mote_pixels_result_free(mote_pixels_result *result)
{
    free(result->cluster_id);
    free(result->module_id_out);
    free(result->n_clusters);
    free(result->cluster_start);
    free(result->properties);
    free(result->positions);
    *result = (mote_pixels_result){0};
}

bool mote_pixels_result_create(mote_pixels_result *result, const mote_digis *digis)
{
    size_t n = digis->n, slots = digis->n_events * digis->n_modules;

    *result = (mote_pixels_result){.n = n, .n_slots = slots};
    result->cluster_id = calloc(n + 1, sizeof(*result->cluster_id));
    result->module_id_out = calloc(n + 1, sizeof(*result->module_id_out));
    result->n_clusters = calloc(slots + 1, sizeof(*result->n_clusters));
    result->cluster_start = calloc(slots + 1, sizeof(*result->cluster_start));
    return result->cluster_id && result->module_id_out && result->n_clusters &&
           result->cluster_start;
}

static size_t event_of(const mote_digis *digis, size_t i)
{
    size_t event = 0;

    while (event + 1 < digis->n_events && digis->event_offsets[event + 1] <= i)
        event++;
    return event;
}

static bool compare_digis(const mote_digis *digis, const mote_pixels_result *expected,
                          const mote_pixels_result *got, char *message, size_t size)
{
    for (size_t i = 0; i < expected->n; i++) {
        bool label = got->cluster_id && got->cluster_id[i] != expected->cluster_id[i];
        bool module = got->module_id_out && got->module_id_out[i] != expected->module_id_out[i];

        if (!label && !module)
            continue;
        int length = snprintf(
            message, size, "digi %zu (event %zu, module %u, x %u, y %u, adc %u): ", i,
            event_of(digis, i), digis->module_id[i], digis->x[i], digis->y[i], digis->adc[i]);

        if (length > 0 && (size_t)length < size && label)
            snprintf(message + length, size - (size_t)length, "cluster_id %d, expected %d",
                     got->cluster_id[i], expected->cluster_id[i]);
        else if (length > 0 && (size_t)length < size)
            snprintf(message + length, size - (size_t)length, "module_id_out %u, expected %u",
                     got->module_id_out[i], expected->module_id_out[i]);
        return false;
    }
    return true;
}

static bool compare_slots(const mote_digis *digis, const mote_pixels_result *expected,
                          const mote_pixels_result *got, char *message, size_t size)
{
    for (size_t slot = 0; got->n_clusters && slot < expected->n_slots; slot++)
        if (got->n_clusters[slot] != expected->n_clusters[slot]) {
            snprintf(message, size, "event %zu module %zu: n_clusters %u, expected %u",
                     slot / digis->n_modules, slot % digis->n_modules, got->n_clusters[slot],
                     expected->n_clusters[slot]);
            return false;
        }
    for (size_t slot = 0; got->cluster_start && slot <= expected->n_slots; slot++)
        if (got->cluster_start[slot] != expected->cluster_start[slot]) {
            snprintf(message, size, "cluster_start[%zu] is %u, expected %u", slot,
                     got->cluster_start[slot], expected->cluster_start[slot]);
            return false;
        }
    return true;
}

static bool compare_properties(const mote_pixels_result *expected, const mote_pixels_result *got,
                               char *message, size_t size)
{
    if (!got->properties)
        return true;
    if (got->n_total != expected->n_total) {
        snprintf(message, size, "%zu clusters, expected %zu", got->n_total, expected->n_total);
        return false;
    }
    for (size_t k = 0; k < expected->n_total; k++) {
        uint32_t left[MOTE_PIXELS_CLUSTER_RECORD_BYTES / 4];
        uint32_t right[MOTE_PIXELS_CLUSTER_RECORD_BYTES / 4];

        memcpy(left, &got->properties[k], sizeof(left));
        memcpy(right, &expected->properties[k], sizeof(right));
        for (size_t word = 0; word < MOTE_PIXELS_CLUSTER_RECORD_BYTES / 4; word++)
            if (left[word] != right[word]) {
                snprintf(message, size,
                         "properties of cluster %zu (size %u, charge %llu): word %zu is %u, "
                         "expected %u",
                         k, right[0],
                         (unsigned long long)mote_pixels_charge(&expected->properties[k]), word,
                         left[word], right[word]);
                return false;
            }
    }
    return true;
}

bool mote_pixels_compare(const mote_digis *digis, const mote_pixels_result *expected,
                         const mote_pixels_result *got, char *message, size_t size)
{
    if (got->status != expected->status) {
        snprintf(message, size, "status %s, expected %s", mote_status_name(got->status),
                 mote_status_name(expected->status));
        return false;
    }
    if (expected->status) {
        if (got->index == expected->index)
            return true;
        snprintf(message, size, "%s at index %u, expected %u", mote_status_name(got->status),
                 got->index, expected->index);
        return false;
    }
    if (got->n != expected->n || got->n_slots != expected->n_slots) {
        snprintf(message, size, "%zu digis and %zu slots, expected %zu and %zu", got->n,
                 got->n_slots, expected->n, expected->n_slots);
        return false;
    }
    return compare_digis(digis, expected, got, message, size) &&
           compare_slots(digis, expected, got, message, size) &&
           compare_properties(expected, got, message, size) &&
           mote_pixels_positions_compare(expected, got, message, size);
}
