/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the operations that testkit/operation.h describes. */
#include "tables.h"

#include <assert.h>
#include <check.h>
#include <string.h>

#define SIZE      9000
#define SIZE_ONCE 300 /* size of calls that are swept once */

static mote_status run_described(fault_bed *b)
{
    return b->call.operation->enqueue(b->ctx, b->queue, &b->args, 0, NULL, &b->event);
}

static mote_status size_described(fault_bed *b)
{
    size_t bytes = 0;
    return b->call.operation->workspace_size(b->ctx, &b->args, &bytes);
}

static mote_status run_plain(fault_bed *b)
{
    return b->call.operation->run_host(&b->call, b->host, b->plain);
}

static void add(fault_bed *b, size_t k, bool expects)
{
    const mote_field *f = &b->call.fields->fields[k];
    const trial_array *a = &b->call.array[k];
    size_t bytes = a->count * mote_type_size(a->type);
    bool out = f->is & FIELD_WRITTEN;
    mote_view view = {0};
    if (b->call.on_host && out)
        b->plain[k] = fault_host_out(b, f->name, bytes);
    else if (b->call.on_host)
        b->plain[k] = (void *)fault_host_in(b, f->name, bytes, a->data);
    else
        view = out ? fault_out(b, f->name, a->type, a->count)
                   : fault_in(b, f->name, a->type, a->count, a->data);
    if (!b->call.on_host)
        memcpy(b->args.bytes + f->at, &view, sizeof(view));
    /* Outputs that an operation judges itself need only be the same in every call. */
    if (out && expects && !b->call.operation->judge)
        fault_expect(b, a->data);
}

static void describe(fault_bed *b, const fault_operation *op)
{
    trial_choices choices = op->described->programs[0].choices;
    bool wanted = false;
    memset(b->plain, 0, sizeof(b->plain));
    for (uint64_t seed = 1; seed < 1000 && !wanted; seed++) {
        b->call = (trial_call){.operation = op->described,
                               .ctx = b->ctx,
                               .choices = &choices,
                               .seed = seed,
                               .size = op->flags & FAULT_ONCE ? SIZE_ONCE : SIZE,
                               .most = SIZE,
                               .on_host = op->run == run_plain,
                               .telling = true};
        wanted = trial_draw(&b->call) && op->wanted(&b->call);
    }
    ck_assert_msg(wanted, "%s: no such call", op->name);
    ck_assert_msg(trial_fill(&b->call, b->message, sizeof(b->message)), "%s", b->message);
    memcpy(b->args.bytes, &b->call.args, sizeof(b->call.args));
    for (size_t k = 0; b->call.fields->fields[k].name; k++)
        if (b->call.array[k].type)
            add(b, k, !b->spoil.array);
    trial_drop(&b->call);
}

void fault_setup(fault_bed *b, const fault_operation *op)
{
    if (op->described)
        describe(b, op);
    else if (op->setup)
        op->setup(b);
}

/* The arrays of a reduction are its values, results and low parts. */
static bool is_one_row(const trial_call *c)
{
    return c->array[0].type && c->array[1].count == 1;
}

static bool is_rows_with_low(const trial_call *c)
{
    return c->array[0].type && c->array[1].count > 1 && c->array[2].type;
}

static bool is_rows(const trial_call *c)
{
    return c->array[0].type && c->array[1].count > 1;
}

/* True if several work-items or groups share the work on an array. */
static bool is_long(const trial_call *c)
{
    size_t k = 0;
    while (k < MOTE_FIELDS_MOST && c->array[k].count <= 8192)
        k++;
    return k < MOTE_FIELDS_MOST;
}

/* Weights are the third array of a histogram. */
static bool has_weights(const trial_call *c)
{
    return is_long(c) && c->array[2].type;
}

static bool is_any(const trial_call *c)
{
    return c->array[0].count > 0;
}

/* Returns whether a search for pairs has all arrays, each with more than 30 elements, and
 * fewer than 1000 entries in the first list. */
static bool has_all_arrays(const trial_call *c)
{
    size_t k = 0;
    while (c->fields->fields[k].name && c->array[k].type && c->array[k].count > 30)
        k++;
    return !c->fields->fields[k].name && c->array[0].count < 3000;
}

/* Returns whether a call for order parameters has derivatives, and few entries. */
static bool has_derivatives(const trial_call *c)
{
    return c->array[0].count > 30 && c->array[0].count < 600 && c->array[5].count > 0;
}

#define DESCRIBED(words, by, number, when)                                                         \
    {                                                                                              \
        .name = words, .run = run_described, .size = size_described, .described = &(by),           \
        .operation = number, .wanted = when                                                        \
    }

#define PLAIN(words, by, when)                                                                     \
    {                                                                                              \
        .name = words, .run = run_plain, .described = &(by), .wanted = when,                       \
        .flags = FAULT_WAITS | FAULT_LENDS                                                         \
    }

#define ROOM 40

/* fault_described_make() adds the operations on lists for which ops_jagged.c has no row. */
fault_operation fault_described[ROOM] = {
    DESCRIBED("mote_reduce, one row", trial_reduce, MOTE_OPERATION_REDUCE, is_one_row),
    DESCRIBED("mote_reduce_rows, rows with low parts", trial_reduce, MOTE_OPERATION_REDUCE,
              is_rows_with_low),
    PLAIN("mote_reduce_host, rows", trial_reduce, is_rows),
    DESCRIBED("mote_histogram, weights", trial_histogram, MOTE_OPERATION_HISTOGRAM, has_weights),
    PLAIN("mote_histogram_host", trial_histogram, is_long),
    {
        .name = "mote_pixels_cluster_time",
        .run = run_described,
        .size = size_described,
        .described = &trial_cluster_time,
        .operation = MOTE_OPERATION_PIXELS_CLUSTER_TIME,
        .wanted = is_any,
        .flags = FAULT_ONCE,
    },
    {
        .name = "mote_pixels_cluster_time_host",
        .run = run_plain,
        .described = &trial_cluster_time,
        .wanted = is_any,
        .flags = FAULT_WAITS | FAULT_LENDS | FAULT_ONCE,
    },
    DESCRIBED("mote_pixels_cluster_digis", trial_cluster_digis, MOTE_OPERATION_PIXELS_CLUSTER_DIGIS,
              is_any),
    DESCRIBED("mote_pixels_measure", trial_measure, MOTE_OPERATION_PIXELS_MEASURE, is_any),
    PLAIN("mote_pixels_measure_host", trial_measure, is_any),
    DESCRIBED("mote_pixels_decode_timepix3", trial_decode_timepix3,
              MOTE_OPERATION_PIXELS_DECODE_TIMEPIX3, is_any),
    PLAIN("mote_pixels_decode_timepix3_host", trial_decode_timepix3, is_any),
    DESCRIBED("mote_neighbours", trial_neighbours, MOTE_OPERATION_NEIGHBOURS, has_all_arrays),
    DESCRIBED("mote_pair_histogram", trial_pair_histogram, MOTE_OPERATION_PAIR_HISTOGRAM,
              has_all_arrays),
    DESCRIBED("mote_steinhardt", trial_steinhardt, MOTE_OPERATION_STEINHARDT, has_derivatives),
};
size_t fault_described_count = 15;

static bool has_row(mote_operation number)
{
    size_t k = 0;
    while (k < fault_jagged_count && fault_jagged[k].operation != number)
        k++;
    return k < fault_jagged_count;
}

void fault_described_make(void)
{
    const trial_operation *at = NULL;

    while ((at = trial_next("jagged", at))) {
        fault_operation *row = fault_described + fault_described_count;
        if (has_row(at->number))
            continue;
        assert(fault_described_count + 1 < ROOM);
        row[0] = (fault_operation)DESCRIBED(at->call, *at, at->number, is_long);
        if (!at->workspace_size)
            row[0].size = NULL;
        row[1] = (fault_operation)PLAIN(at->name, *at, is_long);
        fault_described_count += at->run_host ? 2 : 1;
    }
}
