/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters in the form of measurements that Acts reads: positions in mm on the module, and their
 * variances. */
#include "job.h"
#include "../io/text.h"

#include <stdlib.h>

#define ROW_BYTES ((size_t)256)
/* Bits 1 and 2: local 0 and local 1 are measured. Acts reads and writes it as one byte. */
#define LOCAL_KEY '\x06'

/* Adds up the square of the charge of each digi of each cluster. No two digis are one pixel,
 * because the policies that join copies are rejected for this format. */
static void add_squares(const clusters_batch *batch, double *squares)
{
    const digi_set *set = &batch->file->digis;
    const mote_pixels_host_result *result = batch->result;
    for (size_t e = batch->event_begin; e < batch->event_end; e++)
        for (size_t i = set->event_offsets[e]; i < set->event_offsets[e + 1]; i++) {
            int32_t label = batch->file->label[i];
            if (label < 0)
                continue;
            size_t slot =
                (e - batch->event_begin) * result->n_modules + clusters_module_slot(batch, i);
            double charge = (double)modules_charge(&batch->file->modules, set, i);
            squares[result->cluster_start[slot] + (size_t)label] += charge * charge;
        }
}

static char *real_field(char *at, double value)
{
    *at++ = ',';
    return text_real(at, value);
}

static char *zero_fields(char *at, int count)
{
    for (; count > 0; count--) {
        *at++ = ',';
        *at++ = '0';
    }
    return at;
}

/* A position is the mean of pixels weighted by their charges q; each pixel has the variance of a
 * uniform distribution, so that the variance is pitch^2 / 12 sum(q^2) / sum(q)^2. */
static bool line(const clusters_options *options, text_buffer *lines, uint64_t number,
                 uint64_t module, const mote_pixels_cluster_record *record, double squares)
{
    mote_pixels_moments moments = mote_pixels_mean(record);
    double charge = (double)mote_pixels_charge(record);
    double share = charge > 0.0 ? squares / (charge * charge) : 1.0 / record->size;
    const double *pitch = options->pitch, *origin = options->origin;
    char *at = buffer_room(lines, ROW_BYTES);
    if (!at)
        return false;
    at = text_whole(at, number);
    *at++ = ',';
    at = text_whole(at, module);
    *at++ = ',';
    *at++ = LOCAL_KEY;
    at = real_field(at, origin[0] + (moments.x + 0.5) * pitch[0]);
    at = real_field(at, origin[1] + (moments.y + 0.5) * pitch[1]);
    at = zero_fields(at, 3);
    at = real_field(at, pitch[0] * pitch[0] / 12.0 * share);
    at = real_field(at, pitch[1] * pitch[1] / 12.0 * share);
    at = zero_fields(at,
                     3 + 3); /* Acts requires columns of global positions, but does not read them */
    *at++ = '\n';
    buffer_used(lines, at);
    return true;
}

bool clusters_measurement_lines(const clusters_options *options, clusters_batch *batch)
{
    const mote_pixels_host_result *result = batch->result;
    size_t n_events = batch->event_end - batch->event_begin;
    double *squares = calloc(result->n_clusters + 1, sizeof(*squares));
    bool good = squares != NULL;
    if (good)
        add_squares(batch, squares);
    for (size_t slot = 0; slot < n_events * result->n_modules && good; slot++) {
        uint64_t module = clusters_module(batch, slot % result->n_modules);
        for (size_t c = result->cluster_start[slot]; c < result->cluster_start[slot + 1] && good;
             c++)
            good = line(options, &batch->lines[OUT_CLUSTERS], c, module, &result->properties[c],
                        squares[c]);
    }
    free(squares);
    return good;
}
