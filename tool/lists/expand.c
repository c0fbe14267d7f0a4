/* SPDX-License-Identifier: Apache-2.0 */
/* Runs gather, pairs, combinations and product. */
#include "lists.h"

#include <string.h>

#include "testkit/cases/jagged/lists.h"

int lists_gather(jagged_job *job, lists_work *work)
{
    const mote_npy *values = &work->arrays[0];
    const jagged_lists *lists = &work->lists[0];
    const char *name = jagged_lists_name(lists);
    if (values->count != lists->count)
        return tool_fail(TOOL_INPUT, "%s: has %zu value%s, expected %zu: one for each list of %s",
                         array_name(work->names[1]), values->count, tool_plural(values->count),
                         lists->count, name);
    size_t n = jagged_lists_span(lists);
    int code = jagged_make(job, name, values->type, n);
    if (code != TOOL_GO_ON)
        return code;
    mote_jagged_gather_by_parent_host_args args;
    mote_jagged_gather_by_parent_host_args_init(&args);
    LISTS_SET(args, work);
    args.values_type = values->type;
    args.values = values->values;
    args.n = n;
    args.result = job->result.values;
    return jagged_called(job, name, mote_jagged_gather_by_parent_host(job->ctx, NULL, &args));
}

/* ---- combinations ---------------------------------------------------------------------------- */

/* Copies columns, one after another, to rows. */
static void make_rows(const mote_npy *columns, mote_npy *rows)
{
    const size_t size = mote_type_size(rows->type), width = rows->shape[1];
    const char *from = columns->values;
    for (size_t k = 0; k < width; k++)
        for (size_t i = 0; i < rows->shape[0]; i++, from += size)
            memcpy((char *)rows->values + (i * width + k) * size, from, size);
}

/* Returns the name of the offsets that the library's last message is about. */
static const char *blame(const lists_work *work)
{
    static const char *const names[] = {NULL, "offsets_b[", "offsets_c[", "offsets_d["};
    size_t k = work->n_lists - 1;
    while (k > 0 && !strstr(tool_sentence(), names[k]))
        k--;
    return jagged_lists_name(&work->lists[k]);
}

static int call(jagged_job *job, const lists_work *work,
                const mote_jagged_combinations_host_args *args)
{
    mote_status status = mote_jagged_combinations_host(job->ctx, NULL, args);
    return jagged_called(job, status ? blame(work) : NULL, status);
}

/* Computes the offsets of the combinations, and then the combinations. */
static int combine(jagged_job *job, const lists_work *work, size_t n)
{
    const jagged_lists *lists = work->lists;
    const char *name = jagged_lists_name(lists);
    job->offsets = lists->first;
    job->table.offsets = &job->offsets;
    int code = array_make(name, &job->offsets);
    if (code != TOOL_GO_ON)
        return code;
    mote_jagged_combinations_host_args args;
    mote_jagged_combinations_host_args_init(&args);
    args.offsets_type = lists->type;
    args.lists = lists->count;
    args.offsets_a = lists->offset_values;
    args.offsets_b = lists[1].offset_values;
    args.offsets_c = lists[2].offset_values;
    args.offsets_d = lists[3].offset_values;
    args.n = work->n_lists == 1 ? (uint32_t)n : 0;
    args.offsets = job->offsets.values;
    code = call(job, work, &args);
    if (code != TOOL_GO_ON)
        return code;
    size_t count = (size_t)mote_index_get(job->offsets.values, lists->type, lists->count);
    code = jagged_make(job, name, lists->type, count > SIZE_MAX / n ? SIZE_MAX : n * count);
    if (code != TOOL_GO_ON)
        return code;
    mote_npy columns = job->result;
    code = array_make(name, &columns);
    job->result.n_dims = 2;
    job->result.shape[0] = count;
    job->result.shape[1] = n;
    void **const out[] = {&args.first, &args.second, &args.third, &args.fourth};
    for (size_t k = 0; k < n && code == TOOL_GO_ON; k++)
        *out[k] = (char *)columns.values + k * count * mote_type_size(lists->type);
    args.capacity = count;
    if (code == TOOL_GO_ON)
        code = call(job, work, &args);
    if (code == TOOL_GO_ON)
        make_rows(&columns, &job->result);
    mote_npy_free(&columns);
    return code;
}

static void name_columns(jagged_job *job, size_t n)
{
    static const char *const columns[] = {"list,first,second", "list,first,second,third",
                                          "list,first,second,third,fourth"};
    job->table.columns = columns[n - 2];
}

int lists_combinations(jagged_job *job, lists_work *work)
{
    name_columns(job, (size_t)work->n);
    return combine(job, work, (size_t)work->n);
}

int lists_product(jagged_job *job, lists_work *work)
{
    const jagged_lists *a = &work->lists[0];
    for (size_t k = 1; k < work->n_lists; k++) {
        const jagged_lists *b = &work->lists[k];
        if (a->type != b->type)
            return tool_fail(TOOL_INPUT, "%s: holds %s, expected %s as in %s", jagged_lists_name(b),
                             mote_type_name(b->type), mote_type_name(a->type),
                             jagged_lists_name(a));
        if (a->count != b->count)
            return tool_fail(TOOL_INPUT, "%s: has %zu offsets, expected %zu as in %s",
                             jagged_lists_name(b), b->count + 1, a->count + 1,
                             jagged_lists_name(a));
    }
    name_columns(job, work->n_lists);
    return combine(job, work, work->n_lists);
}
