/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the operations that testkit/operation.h describes. */
#include "tables.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIZE      9000
#define SIZE_ONCE 300 /* size of calls that are swept once */
#define SEEDS     100

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
    else if (out)
        view = fault_in_out(b, f->name, a->type, a->count, a->before);
    else
        view = fault_in(b, f->name, a->type, a->count, a->data);
    if (!b->call.on_host)
        memcpy(b->args.bytes + f->at, &view, sizeof(view));
    /* Outputs that an operation judges itself need only be the same in every call. */
    if (out && expects && !a->open && !b->call.operation->judge)
        fault_expect(b, a->data);
}

/* `error_offset` follows `error`. */
static void add_error(fault_bed *b)
{
    unsigned char *at = b->args.bytes + b->call.operation->error_at;
    if (b->call.operation->error_at && !b->call.on_host)
        fault_error(b, (cl_mem *)(void *)at, (size_t *)(void *)(at + sizeof(cl_mem)), b->call.told);
}

/* Draws a call. Returns the sum of the logarithms of the lengths of its arrays: the largest sum
 * belongs to a call with many arrays, none of which is short. */
static double draw(fault_bed *b, const fault_operation *op, trial_choices *choices, uint64_t seed)
{
    double sum = 0.0;
    b->call = (trial_call){.operation = op->described,
                           .ctx = b->ctx,
                           .choices = choices,
                           .seed = seed,
                           .size = op->flags & FAULT_ONCE ? SIZE_ONCE : SIZE,
                           .most = SIZE,
                           .on_host = op->run == run_plain,
                           .telling = true};
    if (!trial_draw(&b->call) || (op->wanted && !op->wanted(&b->call)))
        return -1.0;
    for (size_t k = 0; k < MOTE_FIELDS_MOST; k++)
        sum += b->call.array[k].type ? log1p((double)b->call.array[k].count) : 0.0;
    return sum;
}

static void describe(fault_bed *b, const fault_operation *op)
{
    const trial_choices first = op->described->programs[0].choices;
    trial_choices choices;
    uint64_t best = 0;
    double most = -1.0;
    memset(b->plain, 0, sizeof(b->plain));
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        choices = first;
        double sum = draw(b, op, &choices, seed);
        best = sum > most ? seed : best;
        most = sum > most ? sum : most;
    }
    ck_assert_msg(best > 0, "%s: no such call", op->name);
    choices = first;
    draw(b, op, &choices, best);
    ck_assert_msg(trial_fill(&b->call, b->message, sizeof(b->message)), "%s", b->message);
    memcpy(b->args.bytes, &b->call.args, sizeof(b->call.args));
    for (size_t k = 0; b->call.fields->fields[k].name; k++)
        if (b->call.array[k].type)
            add(b, k, !b->corrupt.array);
    add_error(b);
    trial_drop(&b->call);
}

void fault_setup(fault_bed *b, const fault_operation *op)
{
    if (op->described)
        describe(b, op);
    else if (op->setup)
        op->setup(b);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The arrays of a reduction are its values, results and low parts. */
static bool is_one_row(const trial_call *c)
{
    return c->array[0].type && c->array[1].count == 1;
}

#define ROOM 80

/* fault_described_make() adds the others. */
fault_operation fault_described[ROOM] = {
    {.name = "mote_reduce, one row",
     .run = run_described,
     .size = size_described,
     .described = &trial_reduce,
     .operation = MOTE_OPERATION_REDUCE,
     .wanted = is_one_row},
};
size_t fault_described_count = 1;

static char names[ROOM][80];

/* Returns whether a table has a row whose name begins with the name of the call. */
static bool is_in(const fault_operation *rows, size_t count, const char *call)
{
    size_t length = strlen(call), k = 0;
    while (k < count && (strncmp(rows[k].name, call, length) != 0 ||
                         (rows[k].name[length] && rows[k].name[length] != ',')))
        k++;
    return k < count;
}

/* Adds a row for the call, or for that on plain arrays, unless another table has one. A call that
 * needs an object, such as a plan, has one. */
static void add_row(const trial_operation *described, bool plain)
{
    size_t k = fault_described_count;
    ck_assert_uint_lt(k, ROOM);
    if (described->open)
        return;
    snprintf(names[k], sizeof(names[k]), "%s%s", described->call, plain ? "_host" : "");
    if (is_in(fault_jagged, fault_jagged_count, names[k]) ||
        is_in(fault_pixels, fault_pixels_count, names[k]) ||
        is_in(fault_coordination, fault_coordination_count, names[k]))
        return;
    fault_described[fault_described_count++] =
        (fault_operation){.name = names[k],
                          .run = plain ? run_plain : run_described,
                          .size = plain || !described->workspace_size ? NULL : size_described,
                          .described = described,
                          .operation = plain ? 0 : described->number,
                          .flags = (plain ? FAULT_WAITS | FAULT_LENDS : 0) |
                                   (described->many_calls ? FAULT_ONCE : 0)};
}

void fault_described_make(void)
{
    for (size_t k = 0; trial_operations[k]; k++) {
        add_row(trial_operations[k], false);
        if (trial_operations[k]->run_host)
            add_row(trial_operations[k], true);
    }
}
