/* SPDX-License-Identifier: Apache-2.0 */
#include "mote/pixels.h"

_Static_assert(sizeof(mote_pixels_cluster_record) == MOTE_PIXELS_CLUSTER_RECORD_BYTES, "layout");

/* A type for every moment and every product computed here, which are below 2^97. */
__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide;

typedef struct axis {
    double mean, variance;
} axis;

static wide words2(const uint32_t *w)
{
    return (wide)w[1] << 32 | w[0];
}

static wide words3(const uint32_t *w)
{
    return (wide)w[2] << 64 | words2(w);
}

uint64_t mote_pixels_charge(const mote_pixels_cluster_record *record)
{
    return record ? (uint64_t)record->charge[1] << 32 | record->charge[0] : 0;
}

/* Moves the origin first to `low`, then to the whole number nearest to the mean. With this origin,
 * the sum of the squares is at least that of the distances, so that the variance loses at most one
 * bit. */
static axis charged_axis(wide charge, wide sum, wide squares, uint32_t low)
{
    wide first = sum - low * charge;
    wide second = squares - 2 * (wide)low * sum + (wide)low * low * charge;
    wide nearest = (2 * first + charge) / (2 * charge);
    signed_wide rest = (signed_wide)(first - nearest * charge);
    double whole = (double)low + (double)nearest;
    double part = (double)rest / (double)charge;
    double square = part * part;
    second = second - 2 * nearest * first + nearest * nearest * charge;
    return (axis){whole + part, (double)second / (double)charge - square};
}

static axis plain_axis(uint32_t size, wide sum, uint32_t low)
{
    wide first = sum - (wide)low * size;
    return (axis){(double)low + (double)first / (double)size, 0.0};
}

mote_pixels_moments mote_pixels_mean(const mote_pixels_cluster_record *record)
{
    axis x, y;
    if (!record || record->size == 0)
        return (mote_pixels_moments){0};
    uint64_t charge = mote_pixels_charge(record);
    if (charge > 0) {
        x = charged_axis(charge, words3(record->sum_x), words3(record->sum_xx), record->x_min);
        y = charged_axis(charge, words3(record->sum_y), words3(record->sum_yy), record->y_min);
    } else {
        x = plain_axis(record->size, words2(record->plain_x), record->x_min);
        y = plain_axis(record->size, words2(record->plain_y), record->y_min);
    }
    return (mote_pixels_moments){x.mean, y.mean, x.variance, y.variance};
}

void mote_pixels_means(const mote_pixels_cluster_record *records, size_t count,
                       mote_pixels_moments *moments)
{
    for (size_t k = 0; records && moments && k < count; k++)
        moments[k] = mote_pixels_mean(&records[k]);
}

/* Fills in all members except the event and the module, which the record does not contain. */
static mote_pixels_cluster_properties properties_of(const mote_pixels_cluster_record *record,
                                                    uint32_t label)
{
    mote_pixels_moments moments = mote_pixels_mean(record);
    return (mote_pixels_cluster_properties){
        .label = label,
        .size = record->size,
        .first_digi = record->first_digi,
        .charge = mote_pixels_charge(record),
        .x = moments.x,
        .y = moments.y,
        .x_var = moments.x_var,
        .y_var = moments.y_var,
        .x_min = record->x_min,
        .x_max = record->x_max,
        .y_min = record->y_min,
        .y_max = record->y_max,
    };
}

void mote_pixels_properties(const mote_pixels_host_result *result,
                            mote_pixels_cluster_properties *properties)
{
    size_t slot = 0;
    for (size_t k = 0; result && properties && k < result->n_clusters; k++) {
        while (result->cluster_start[slot + 1] <= k)
            slot++;
        size_t module = slot % result->n_modules;
        properties[k] =
            properties_of(&result->properties[k], (uint32_t)k - result->cluster_start[slot]);
        properties[k].event = (uint32_t)(slot / result->n_modules);
        properties[k].module = result->module_id ? result->module_id[module] : module;
    }
}
