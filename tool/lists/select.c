/* SPDX-License-Identifier: Apache-2.0 */
/* Runs filter, nonzero, run-lengths, unique, slice, topk, pad and quantile, which select values of
 * lists. */
#include "lists.h"

#include "../io/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/jagged/lists.h"
#include "testkit/cases/jagged/values.h"

#define COLUMN_ROOM  32 /* bytes for the name of a column, or more */
#define MOST_COLUMNS 1000000

/* Makes room for a result with new lists that has at most as many elements as there are values. */
static int make_room(jagged_job *job, const lists_work *work, mote_type type)
{
    const char *name = jagged_lists_name(&work->lists[0]);
    job->offsets = work->lists[0].first;
    job->table.offsets = &job->offsets;
    int code = array_make(name, &job->offsets);
    return code == TOOL_GO_ON ? jagged_make(job, name, type, work->arrays[0].count) : code;
}

static void set_count(mote_npy *array, size_t count)
{
    array->count = array->shape[0] = count;
}

/* Handles the status of the call; then the last offset is the number of results. */
static int called(jagged_job *job, const lists_work *work, mote_status status)
{
    const mote_npy *offsets = &job->offsets;
    int code = jagged_called(job, jagged_lists_name(&work->lists[0]), status);
    if (code == TOOL_GO_ON)
        set_count(&job->result,
                  (size_t)mote_index_get(offsets->values, offsets->type, work->lists[0].count));
    return code;
}

/* ---- filter and nonzero ---------------------------------------------------------------------- */

/* Keeps the elements whose mask is not 0, or their positions if there are no elements. */
static int keep(jagged_job *job, lists_work *work, const mote_npy *mask, const mote_npy *elements)
{
    int code = make_room(job, work, elements ? elements->type : work->lists[0].type);
    if (code != TOOL_GO_ON)
        return code;
    mote_jagged_nonzero_host_args args;
    mote_jagged_nonzero_host_args_init(&args);
    LISTS_SET(args, work);
    LISTS_SET_VALUES(args, mask);
    args.elements_type = elements ? elements->type : MOTE_TYPE_NONE;
    args.elements = elements ? elements->values : NULL;
    args.offsets_out = job->offsets.values;
    args.capacity = job->result.count;
    *(elements ? &args.filtered : &args.positions) = job->result.values;
    return called(job, work, mote_jagged_nonzero_host(job->ctx, NULL, &args));
}

int lists_filter(jagged_job *job, lists_work *work)
{
    const mote_npy *values = &work->arrays[0], *mask = &work->arrays[1];
    if (mask->count != values->count)
        return tool_fail(TOOL_INPUT, "%s: has %zu value%s, expected %zu as in %s",
                         array_name(work->names[2]), mask->count, tool_plural(mask->count),
                         values->count, array_name(work->names[1]));
    return keep(job, work, mask, values);
}

int lists_nonzero(jagged_job *job, lists_work *work)
{
    return keep(job, work, &work->arrays[0], NULL);
}

/* ---- run-lengths and unique ------------------------------------------------------------------ */

/* Finds the runs of `values`, which are work->arrays[0] or an array of the same type and length. */
static int find_runs(jagged_job *job, lists_work *work, const void *values, bool equal_nan)
{
    mote_npy positions = {.type = work->lists[0].type, .count = work->arrays[0].count};
    const char *name = jagged_lists_name(&work->lists[0]);
    int code = make_room(job, work, work->arrays[0].type);
    job->lengths = job->result;
    job->lengths.values = NULL;
    job->lengths.type = positions.type;
    if (code == TOOL_GO_ON)
        code = array_make(name, &job->lengths);
    if (code == TOOL_GO_ON)
        code = array_make(name, &positions);
    if (code != TOOL_GO_ON)
        return code;
    mote_jagged_run_lengths_host_args args;
    mote_jagged_run_lengths_host_args_init(&args);
    LISTS_SET(args, work);
    LISTS_SET_VALUES(args, &work->arrays[0]);
    args.values = values;
    args.equal_nan = equal_nan;
    args.offsets_out = job->offsets.values;
    args.capacity = job->result.count;
    args.positions = positions.values;
    args.run_values = job->result.values;
    args.lengths = job->lengths.values;
    code = called(job, work, mote_jagged_run_lengths_host(job->ctx, NULL, &args));
    set_count(&job->lengths, job->result.count);
    mote_npy_free(&positions);
    return code;
}

int lists_run_lengths(jagged_job *job, lists_work *work)
{
    job->table.beside = &job->lengths;
    return find_runs(job, work, work->arrays[0].values, false);
}

/* Makes an array of the same shape as the values, and of a type. */
static int make_sorted(const lists_work *work, mote_type type, mote_npy *sorted)
{
    *sorted = work->arrays[0];
    sorted->type = type;
    return array_make(jagged_lists_name(&work->lists[0]), sorted);
}

int lists_unique(jagged_job *job, lists_work *work)
{
    mote_npy sorted;
    int code = make_sorted(work, work->arrays[0].type, &sorted);
    if (code == TOOL_GO_ON)
        code = jagged_called(job, jagged_lists_name(&work->lists[0]),
                             lists_sort_call(job, work, false, sorted.values, NULL));
    if (code == TOOL_GO_ON)
        code = find_runs(job, work, sorted.values, true);
    mote_npy_free(&sorted);
    return code;
}

/* ---- slice and topk -------------------------------------------------------------------------- */

/* Slices lists of elements of the result's type. */
static mote_status slice(jagged_job *job, const lists_work *work, const void *values, int64_t start,
                         int64_t stop)
{
    mote_jagged_slice_host_args args;
    mote_jagged_slice_host_args_init(&args);
    LISTS_SET(args, work);
    args.values_type = job->result.type;
    args.values = values;
    args.values_length = work->arrays[0].count;
    args.start = start;
    args.stop = stop;
    args.offsets_out = job->offsets.values;
    args.capacity = job->result.count;
    args.sliced = job->result.values;
    return mote_jagged_slice_host(job->ctx, NULL, &args);
}

int lists_slice(jagged_job *job, lists_work *work)
{
    const mote_npy *values = &work->arrays[0];
    int code = make_room(job, work, values->type);
    return code == TOOL_GO_ON
               ? called(job, work, slice(job, work, values->values, work->start, work->stop))
               : code;
}

int lists_topk(jagged_job *job, lists_work *work)
{
    mote_type type = work->indices ? work->lists[0].type : work->arrays[0].type;
    mote_npy sorted;
    int code = make_sorted(work, type, &sorted);
    if (code == TOOL_GO_ON)
        code = make_room(job, work, type);
    if (code == TOOL_GO_ON) {
        mote_status status =
            lists_sort_call(job, work, work->descending, work->indices ? NULL : sorted.values,
                            work->indices ? sorted.values : NULL);
        if (status == MOTE_SUCCESS)
            status = slice(job, work, sorted.values, 0, (int64_t)work->k);
        code = called(job, work, status);
    }
    mote_npy_free(&sorted);
    return code;
}

/* ---- pad ------------------------------------------------------------------------------------- */

static int wrong_fill(const lists_work *work)
{
    const mote_npy *values = &work->arrays[0];
    return tool_fail(TOOL_USAGE, "--fill: '%s' is no %s, the type of %s", work->fill,
                     mote_type_name(values->type), array_name(work->names[1]));
}

/* Returns the bits of the float16 that is nearest to a number; of two, the even one. */
static uint16_t nearest_half(double number)
{
    const uint16_t sign = signbit(number) ? 0x8000 : 0, infinite = 0x7c00, nan = 0x7e00;
    uint16_t best = 0;
    double least = INFINITY;
    if (!(fabs(number) < 65520)) /* the middle between the largest number and the next power */
        return sign | (isnan(number) ? nan : infinite);
    for (uint16_t half = 0; half < infinite; half++) {
        double distance = fabs(mote_jagged_value(&half, MOTE_FLOAT16, 0) - fabs(number));
        if (distance < least || (distance == least && !(half & 1))) {
            least = distance;
            best = half;
        }
    }
    return sign | best;
}

/* Converts --fill to the type of the values, which an integer must fit exactly. */
static int make_fill(const lists_work *work, uint64_t *bits)
{
    mote_type type = work->arrays[0].type;
    char *end = NULL;
    errno = 0;
    bool whole = type != MOTE_FLOAT16 && type != MOTE_FLOAT32 && type != MOTE_FLOAT64;
    double number = whole ? 0 : strtod(work->fill, &end);
    float single = (float)number;
    uint16_t half = type == MOTE_FLOAT16 ? nearest_half(number) : 0;
    bool is_unsigned = type == MOTE_UINT64;
    if (whole)
        *bits =
            is_unsigned ? strtoull(work->fill, &end, 10) : (uint64_t)strtoll(work->fill, &end, 10);
    else if (type == MOTE_FLOAT64)
        memcpy(bits, &number, sizeof(number));
    else if (type == MOTE_FLOAT32)
        memcpy(bits, &single, sizeof(single));
    else
        memcpy(bits, &half, sizeof(half));
    if (end == work->fill || *end || (whole && errno))
        return wrong_fill(work);
    if (!whole)
        return TOOL_GO_ON;
    if (is_unsigned)
        return strchr(work->fill, '-') ? wrong_fill(work) : TOOL_GO_ON;
    return (double)(int64_t)*bits == mote_jagged_value(bits, type, 0) &&
                   (type != MOTE_BOOL || *bits < 2)
               ? TOOL_GO_ON
               : wrong_fill(work);
}

/* Names the columns of a table with a row for each list: "list,PREFIX0,PREFIX1,..." */
static int name_columns(jagged_job *job, lists_work *work, size_t count)
{
    if (job->to.formats[0] != JAGGED_CSV || work->n_quantiles == 1)
        return TOOL_GO_ON;
    if (count > MOST_COLUMNS)
        return tool_fail(TOOL_USAGE, "%zu columns of CSV: at most %d, write .npy", count,
                         MOST_COLUMNS);
    size_t room = sizeof("list") + count * COLUMN_ROOM;
    work->columns = malloc(room);
    if (!work->columns)
        return tool_fail(TOOL_DEVICE, "no memory for the names of %zu columns", count);
    char *at = stpcpy(work->columns, "list");
    for (size_t i = 0; i < count; i++)
        at = work->n_quantiles ? text_exact(stpcpy(at, ",q"), work->quantiles[i])
                               : at + sprintf(at, ",%zu", i);
    *at = '\0';
    job->table.columns = work->columns;
    return TOOL_GO_ON;
}

/* Makes room for `count` results for each list, and names their columns. */
static int make_rows(jagged_job *job, lists_work *work, mote_type type, size_t count)
{
    size_t m = work->lists[0].count, most = count ? SIZE_MAX / count : SIZE_MAX;
    int code =
        jagged_make(job, jagged_lists_name(&work->lists[0]), type, m > most ? SIZE_MAX : m * count);
    job->table.offsets = NULL;
    job->result.n_dims = 2;
    job->result.shape[0] = m;
    job->result.shape[1] = count;
    return code == TOOL_GO_ON ? name_columns(job, work, count) : code;
}

int lists_pad(jagged_job *job, lists_work *work)
{
    const mote_npy *values = &work->arrays[0];
    uint64_t fill = 0;
    work->n_quantiles = 0;
    int code = work->fill ? make_fill(work, &fill) : TOOL_GO_ON;
    if (code == TOOL_GO_ON)
        code = make_rows(job, work, values->type, (size_t)work->k);
    if (code != TOOL_GO_ON)
        return code;
    mote_jagged_pad_host_args args;
    mote_jagged_pad_host_args_init(&args);
    LISTS_SET(args, work);
    LISTS_SET_VALUES(args, values);
    args.start = work->start;
    args.k = (size_t)work->k;
    args.fill = &fill;
    args.result = job->result.values;
    return jagged_called(job, jagged_lists_name(&work->lists[0]),
                         mote_jagged_pad_host(job->ctx, NULL, &args));
}

/* ---- quantile -------------------------------------------------------------------------------- */

int lists_quantile(jagged_job *job, lists_work *work)
{
    mote_type type = work->arrays[0].type;
    bool single = type == MOTE_FLOAT16 || type == MOTE_FLOAT32;
    mote_npy sorted;
    int code = make_sorted(work, type, &sorted);
    if (code == TOOL_GO_ON)
        code = make_rows(job, work, single ? MOTE_FLOAT32 : MOTE_FLOAT64, work->n_quantiles);
    if (work->n_quantiles == 1)
        job->result.n_dims = 1;
    if (code == TOOL_GO_ON) {
        mote_jagged_quantile_host_args args;
        mote_jagged_quantile_host_args_init(&args);
        LISTS_SET(args, work);
        LISTS_SET_VALUES(args, &sorted);
        args.quantiles = work->quantiles;
        args.count = work->n_quantiles;
        args.result = job->result.values;
        mote_status status = lists_sort_call(job, work, false, sorted.values, NULL);
        if (status == MOTE_SUCCESS)
            status = mote_jagged_quantile_host(job->ctx, NULL, &args);
        code = jagged_called(job, jagged_lists_name(&work->lists[0]), status);
    }
    mote_npy_free(&sorted);
    return code;
}
