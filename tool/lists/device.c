/* SPDX-License-Identifier: Apache-2.0 */
/* Runs gather, filter, nonzero, pairs and product, whose calls take device buffers. */
#include "lists.h"

#include <string.h>

#include "testkit/cases/jagged/lists.h"

#define MOST_BUFFERS 8
#define NO_CONTENT   INT64_MAX /* for lists that may end at any position */

/* ---- arrays of the device -------------------------------------------------------------------- */

/* The buffers of one call, and the first error. */
typedef struct device_arrays {
    mote_context *ctx;
    mote_host *host;
    mote_buffer *buffers[MOST_BUFFERS];
    size_t n;
    cl_mem error;
    mote_status status;
} device_arrays;

/* Creates an array of undefined contents, number arrays->n - 1; it is absent after an error. */
static mote_view make_room(device_arrays *arrays, mote_type type, size_t count)
{
    if (arrays->status == MOTE_SUCCESS)
        arrays->status =
            mote_buffer_create(arrays->ctx, type, count, 0, &arrays->buffers[arrays->n]);
    if (arrays->status != MOTE_SUCCESS)
        return (mote_view){.type = type};
    return mote_buffer_view(arrays->buffers[arrays->n++]);
}

static mote_view upload(device_arrays *arrays, const mote_npy *array)
{
    mote_view view = make_room(arrays, array->type, array->count);
    if (arrays->status == MOTE_SUCCESS && array->count)
        arrays->status =
            mote_buffer_write(arrays->buffers[arrays->n - 1], 0, array->count, array->values,
                              array->type, true, mote_host_queue(arrays->host), 0, NULL, NULL);
    return view;
}

/* Copies the first values of array number k to an array of the host. */
static void download(device_arrays *arrays, size_t k, const mote_npy *array)
{
    if (arrays->status == MOTE_SUCCESS && array->count)
        arrays->status =
            mote_buffer_read(arrays->buffers[k], 0, array->count, array->values, array->type, true,
                             mote_host_queue(arrays->host), 0, NULL, NULL);
}

static void begin(device_arrays *arrays, const jagged_job *job)
{
    *arrays = (device_arrays){.ctx = job->ctx};
    arrays->status = mote_host_create(job->ctx, NULL, &arrays->host);
    arrays->error = make_room(arrays, MOTE_UINT32, MOTE_ERROR_SLOTS).mem;
}

/* Handles the status of the call, and the error that its kernels found. */
static void called(device_arrays *arrays, mote_status status)
{
    if (status == MOTE_SUCCESS)
        status = mote_error_read(mote_host_queue(arrays->host), arrays->error, 0, NULL, 0, NULL);
    arrays->status = status;
}

static int end(device_arrays *arrays, jagged_job *job, const char *name, int code)
{
    if (code == TOOL_GO_ON)
        code = jagged_called(job, name, arrays->status);
    for (size_t k = 0; k < arrays->n; k++)
        mote_buffer_release(arrays->buffers[k]);
    mote_host_release(arrays->host);
    return code;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static int64_t offset(const jagged_lists *lists, size_t k)
{
    return mote_index_get(lists->offset_values, lists->type, k);
}

/* The messages are those of the library's calls on plain arrays. */
static int check_lists(const jagged_lists *lists, int64_t content)
{
    const char *name = jagged_lists_name(lists);
    for (size_t k = 0; k < lists->count; k++) {
        long long from = offset(lists, k), to = offset(lists, k + 1);
        if (from < 0)
            return tool_fail(TOOL_INPUT, "%s: list %zu: offsets[%zu] = %lld is negative", name, k,
                             k, from);
        if (to < from)
            return tool_fail(TOOL_INPUT, "%s: list %zu: offsets[%zu] = %lld < offsets[%zu] = %lld",
                             name, k, k + 1, to, k, from);
        if (to > content)
            return tool_fail(TOOL_INPUT,
                             "%s: list %zu: offsets[%zu] = %lld is beyond the content, which has "
                             "%lld elements",
                             name, k, k + 1, to, (long long)content);
    }
    return TOOL_GO_ON;
}

/* Returns the number of elements from the first offset to the last. */
static size_t span(const jagged_lists *lists)
{
    return (size_t)(offset(lists, lists->count) - offset(lists, 0));
}

/* Counts the combinations of all lists; returns TOOL_INPUT after a message if the number does not
 * fit into their type.
 */
static int count_combinations(const jagged_lists *a, const jagged_lists *b, size_t *count)
{
    uint64_t most = (uint64_t)mote_index_most(a->type), sum = 0;
    for (size_t k = 0; k < a->count; k++) {
        uint64_t n = (uint64_t)(offset(a, k + 1) - offset(a, k)), other = n - (n > 0);
        if (b)
            other = (uint64_t)(offset(b, k + 1) - offset(b, k));
        else if (n % 2)
            other /= 2;
        else
            n /= 2;
        if (n && other > (most - sum) / n)
            return tool_fail(TOOL_INPUT,
                             "%s: list %zu: %s cannot count the %s of the lists up to "
                             "this one",
                             jagged_lists_name(a), k, mote_type_name(a->type),
                             b ? "combinations" : "pairs");
        sum += n * other;
    }
    *count = (size_t)sum;
    return TOOL_GO_ON;
}

/* Makes room for the offsets of the lists that the result forms. */
static int make_offsets(jagged_job *job, const jagged_lists *lists)
{
    job->offsets = lists->first;
    job->table.offsets = &job->offsets;
    return array_make(jagged_lists_name(lists), &job->offsets);
}

/* ---- gather ---------------------------------------------------------------------------------- */

int lists_gather(jagged_job *job, lists_work *work)
{
    const mote_npy *values = &work->arrays[0];
    const char *name = jagged_lists_name(&work->lists);
    if (values->count != work->lists.count)
        return tool_fail(TOOL_INPUT, "%s: has %zu value%s, expected %zu: one for each list of %s",
                         array_name(work->names[1]), values->count, tool_plural(values->count),
                         work->lists.count, name);
    int code = check_lists(&work->lists, NO_CONTENT);
    if (code == TOOL_GO_ON)
        code = jagged_make(job, name, values->type, span(&work->lists));
    if (code != TOOL_GO_ON)
        return code;
    device_arrays arrays;
    begin(&arrays, job);
    mote_jagged_gather_by_parent_args args;
    mote_jagged_gather_by_parent_args_init(&args);
    args.offsets = upload(&arrays, &work->lists.first);
    args.values = upload(&arrays, values);
    args.result = make_room(&arrays, values->type, job->result.count);
    args.error = arrays.error;
    if (arrays.status == MOTE_SUCCESS)
        called(&arrays, mote_jagged_gather_by_parent(job->ctx, mote_host_queue(arrays.host), &args,
                                                     0, NULL, NULL));
    download(&arrays, arrays.n - 1, &job->result);
    return end(&arrays, job, name, code);
}

/* ---- filter and nonzero ---------------------------------------------------------------------- */

/* Keeps the elements whose mask is not 0, or their positions if there are no elements. */
static int keep(jagged_job *job, lists_work *work, const mote_npy *mask, const mote_npy *elements)
{
    const char *name = jagged_lists_name(&work->lists);
    int code = check_lists(&work->lists, (int64_t)mask->count);
    if (code == TOOL_GO_ON)
        code = make_offsets(job, &work->lists);
    if (code != TOOL_GO_ON)
        return code;
    device_arrays arrays;
    begin(&arrays, job);
    mote_jagged_nonzero_args args;
    mote_jagged_nonzero_args_init(&args);
    args.offsets = upload(&arrays, &work->lists.first);
    args.values = upload(&arrays, mask);
    if (elements)
        args.elements = upload(&arrays, elements);
    mote_type type = elements ? elements->type : work->lists.type;
    mote_view *result = elements ? &args.filtered : &args.positions;
    *result = make_room(&arrays, type, span(&work->lists));
    args.offsets_out = make_room(&arrays, work->lists.type, job->offsets.count);
    args.error = arrays.error;
    if (arrays.status == MOTE_SUCCESS)
        called(&arrays,
               mote_jagged_nonzero(job->ctx, mote_host_queue(arrays.host), &args, 0, NULL, NULL));
    download(&arrays, arrays.n - 1, &job->offsets);
    if (arrays.status == MOTE_SUCCESS)
        code = jagged_make(
            job, name, type,
            (size_t)mote_index_get(job->offsets.values, job->offsets.type, work->lists.count));
    if (code == TOOL_GO_ON)
        download(&arrays, arrays.n - 2, &job->result);
    return end(&arrays, job, name, code);
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

/* ---- pairs and product ----------------------------------------------------------------------- */

/* Copies array number k of the device to one of the two columns of the result. */
static int put_column(jagged_job *job, device_arrays *arrays, size_t k, size_t column)
{
    mote_npy part = {.type = job->result.type, .count = job->result.count / 2};
    int code = array_make("the result", &part);
    if (code != TOOL_GO_ON)
        return code;
    download(arrays, k, &part);
    size_t size = mote_type_size(part.type);
    char *to = (char *)job->result.values + column * size;
    for (size_t i = 0; i < part.count && arrays->status == MOTE_SUCCESS; i++)
        memcpy(to + 2 * i * size, (const char *)part.values + i * size, size);
    mote_npy_free(&part);
    return TOOL_GO_ON;
}

static int combine(jagged_job *job, const jagged_lists *a, const jagged_lists *b)
{
    size_t count = 0;
    int code = check_lists(a, NO_CONTENT);
    if (code == TOOL_GO_ON && b)
        code = check_lists(b, NO_CONTENT);
    if (code == TOOL_GO_ON)
        code = count_combinations(a, b, &count);
    if (code == TOOL_GO_ON)
        code = make_offsets(job, a);
    if (code == TOOL_GO_ON)
        code = jagged_make(job, jagged_lists_name(a), a->type,
                           count <= SIZE_MAX / 2 ? 2 * count : SIZE_MAX);
    if (code != TOOL_GO_ON)
        return code;
    job->result.n_dims = 2;
    job->result.shape[0] = count;
    job->result.shape[1] = 2;
    device_arrays arrays;
    begin(&arrays, job);
    mote_jagged_combinations_args args;
    mote_jagged_combinations_args_init(&args);
    args.offsets_a = upload(&arrays, &a->first);
    if (b)
        args.offsets_b = upload(&arrays, &b->first);
    args.first = make_room(&arrays, a->type, count);
    args.second = make_room(&arrays, a->type, count);
    args.offsets = make_room(&arrays, a->type, job->offsets.count);
    args.error = arrays.error;
    if (arrays.status == MOTE_SUCCESS)
        called(&arrays, (b ? mote_jagged_product : mote_jagged_pairs)(
                            job->ctx, mote_host_queue(arrays.host), &args, 0, NULL, NULL));
    download(&arrays, arrays.n - 1, &job->offsets);
    for (size_t k = 0; k < 2 && arrays.status == MOTE_SUCCESS && code == TOOL_GO_ON; k++)
        code = put_column(job, &arrays, arrays.n - 3 + k, k);
    return end(&arrays, job, jagged_lists_name(a), code);
}

int lists_pairs(jagged_job *job, lists_work *work)
{
    return combine(job, &work->lists, NULL);
}

int lists_product(jagged_job *job, lists_work *work)
{
    const jagged_lists *a = &work->lists, *b = &work->other;
    const char *name_a = jagged_lists_name(a), *name_b = jagged_lists_name(b);
    if (a->type != b->type)
        return tool_fail(TOOL_INPUT, "%s: holds %s, expected %s as in %s", name_b,
                         mote_type_name(b->type), mote_type_name(a->type), name_a);
    if (a->count != b->count)
        return tool_fail(TOOL_INPUT, "%s: has %zu offsets, expected %zu as in %s", name_b,
                         b->count + 1, a->count + 1, name_a);
    return combine(job, a, b);
}
