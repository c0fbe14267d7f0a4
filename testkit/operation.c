/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COSTLY_TRIAL(name, area, cases) TRIAL(name, area, cases)
#define TRIAL(name, area, cases)        &trial_##name,
const trial_operation *const trial_operations[] = {
#include "testkit/operations.inc"
    NULL};
#undef TRIAL
#define TRIAL(name, area, cases) #area,
static const char *const areas[] = {
#include "testkit/operations.inc"
};
#undef TRIAL

#define HOST_MARGIN ((size_t)512) /* bytes of poison on both sides of a plain array */

const trial_operation *trial_next(const char *area, const trial_operation *at)
{
    size_t k = 0;
    while (at && trial_operations[k] != at)
        k++;
    for (k += at != NULL; trial_operations[k]; k++)
        if (strcmp(areas[k], area) == 0)
            return trial_operations[k];
    return NULL;
}

size_t trial_draw_size(mote_rng *rng, const size_t *borders)
{
    uint32_t count = 0, bits = mote_rng_below(rng, mote_rng_below(rng, 20) ? 15 : 21);

    if (mote_rng_below(rng, 2))
        return mote_rng_below(rng, (uint32_t)1 << bits);
    while (borders[count])
        count++;
    int64_t size = (int64_t)borders[mote_rng_below(rng, count)];
    size += mote_rng_between(rng, -33, 33);
    return size > 0 ? (size_t)size : 0;
}

bool trial_has_fp64(mote_context *ctx)
{
    mote_reduce_args args;
    size_t bytes;

    mote_reduce_args_init(&args);
    args.values.type = args.result.type = MOTE_FLOAT64;
    args.result.count = 1;
    return mote_reduce_workspace_size(ctx, &args, &bytes) != MOTE_ERROR_UNSUPPORTED;
}

size_t trial_size(trial_call *c)
{
    size_t size = c->size == TRIAL_ANY ? trial_draw_size(&c->rng, c->operation->borders) : c->size;
    return c->size == TRIAL_ANY && size > c->most ? size % (c->most + 1) : size;
}

static const mote_fields *find_fields(const char *call)
{
    size_t k = 0;
    while (k < mote_all_fields_count && strcmp(mote_all_fields[k].call, call) != 0)
        k++;
    return k < mote_all_fields_count ? &mote_all_fields[k] : NULL;
}

bool trial_draw(trial_call *c)
{
    c->fields = find_fields(c->operation->call);
    c->choices->used = 0;
    c->impossible = c->any_nan = c->loose = c->told_any = c->unspecified = false;
    c->told = MOTE_SUCCESS;
    memset(c->array, 0, sizeof(c->array));
    memset(&c->own, 0, sizeof(c->own));
    mote_rng_seed(&c->rng, c->seed);
    c->shift =
        mote_rng_below(&c->rng, 2) ? mote_rng_below(&c->rng, 4) : mote_rng_below(&c->rng, 37);
    c->gated = mote_rng_below(&c->rng, 2) && c->gates;
    c->workspace = c->operation->workspace_at && mote_rng_below(&c->rng, 4) == 0;
    c->again = mote_rng_below(&c->rng, 4) == 0;
    c->in_place = false;
    if (c->operation->error_at) {
        c->spoilt = mote_rng_below(&c->rng, 8) == 0 && !c->telling;
        c->silent = mote_rng_below(&c->rng, 9) == 0 && !c->on_host;
    }
    c->operation->init(&c->args);
    c->operation->choose(c);
    return !c->impossible;
}

bool trial_fill(trial_call *c, char *message, size_t size)
{
    snprintf(message, size, "no memory");
    for (size_t k = 0; k < MOTE_FIELDS_MOST; k++) {
        trial_array *a = &c->array[k];
        size_t bytes = ((a->count > a->room ? a->count : a->room) + 1) * mote_type_size(a->type);
        if (!a->type)
            continue;
        a->data = malloc(bytes);
        if (c->fields->fields[k].is & FIELD_READ)
            a->before = calloc(1, bytes);
        if (!a->data || (c->fields->fields[k].is & FIELD_READ && !a->before))
            return false;
        memset(a->data, c->fields->fields[k].is & FIELD_WRITTEN ? TRIAL_POISON : 0, bytes);
    }
    return c->operation->fill(c, message, size);
}

void trial_drop(trial_call *c)
{
    if (c->operation->drop)
        c->operation->drop(c);
    for (size_t k = 0; k < MOTE_FIELDS_MOST; k++) {
        free(c->array[k].data);
        free(c->array[k].before);
        c->array[k].data = c->array[k].before = NULL;
    }
}

static mote_view *view_at(void *args, const mote_field *field)
{
    return (mote_view *)(void *)((unsigned char *)args + field->at);
}

mote_status trial_args(const trial_call *c, void *args)
{
    memcpy(args, &c->args, sizeof(c->args));
    for (size_t k = 0; c->fields->fields[k].name; k++)
        *view_at(args, &c->fields->fields[k]) =
            (mote_view){.count = c->array[k].count, .type = c->array[k].type};
    return c->operation->open ? c->operation->open(c, args) : MOTE_SUCCESS;
}

static trial_leeway leeway(const trial_call *c)
{
    return (trial_leeway){c->any_nan, c->loose ? c->operation->is_near : NULL, c};
}

/* Returns the output that is in the range of the first view, or NULL. */
static const trial_array *find_in_place(const trial_call *c)
{
    for (size_t k = 0; c->in_place && c->fields->fields[k].name; k++)
        if (c->fields->fields[k].is & FIELD_IN_PLACE && c->array[k].type)
            return &c->array[k];
    return NULL;
}

static size_t bytes_of(const trial_array *a)
{
    return a->count * mote_type_size(a->type);
}

/* Copies the outputs, if they are wanted and specified, and judges them. */
static bool judge(const trial_call *c, mote_status told, uint32_t index, const void *const *arrays,
                  char *message, size_t size)
{
    unsigned char *to = told || c->unspecified ? NULL : c->got;

    for (size_t k = 0; to && c->fields->fields[k].name; k++)
        if (c->fields->fields[k].is & FIELD_WRITTEN && c->array[k].type) {
            memcpy(to, arrays[k], bytes_of(&c->array[k]));
            to += bytes_of(&c->array[k]);
        }
    return c->operation->judge(c, told, index, arrays, message, size);
}

/* ---- on device buffers ----------------------------------------------------------------------- */

/* With `again`, a second call waits for the first and computes the same again, unless the first
 * call has changed its inputs. */
static mote_status enqueue(const trial_call *c, trial *t, const void *args)
{
    cl_event first = NULL;
    cl_uint gates = c->gated ? 1 : 0;
    bool again = c->again && !find_in_place(c);
    for (size_t k = 0; c->fields->fields[k].name; k++)
        again = again && !(c->fields->fields[k].is & FIELD_READ);
    mote_status status = c->operation->enqueue(c->ctx, t->queue, args, gates,
                                               gates ? &t->gate : NULL, again ? &first : &t->done);
    if (first) {
        status = c->operation->enqueue(c->ctx, t->queue, args, 1, &first, &t->done);
        clReleaseEvent(first);
    }
    return status;
}

/* Creates the arrays, and sets the views of the arguments. */
static void add_arrays(const trial_call *c, trial *t, void *args)
{
    const trial_array *in_place = find_in_place(c);

    for (size_t k = 0; c->fields->fields[k].name; k++) {
        const mote_field *f = &c->fields->fields[k];
        const trial_array *a = &c->array[k], *to = k == 0 && in_place ? in_place : a;
        bool written = f->is & FIELD_WRITTEN || to != a;
        const trial_contents contents = {
            .name = f->name,
            .type = a->type,
            .count = a->count,
            .open = to->open,
            .from = !(f->is & FIELD_WRITTEN) || c->operation->judge ? a->data : a->before,
            .expected = to->data,
            .output = written};
        if (a == in_place)
            *view_at(args, f) = *view_at(args, &c->fields->fields[0]);
        else if (a->type)
            *view_at(args, f) = trial_add(t, &contents);
    }
}

static bool judge_device(trial *t)
{
    const trial_call *c = t->leeway.about;
    const void *arrays[MOTE_FIELDS_MOST] = {0};

    for (size_t k = 0, at = 0; c->fields->fields[k].name; k++)
        if (c->array[k].type)
            arrays[k] = t->array[at++].got + t->shift * mote_type_size(c->array[k].type);
    return judge(c, t->status, t->index, arrays, t->message, t->message_size);
}

static bool run_device(const trial_call *c, cl_command_queue queue, char *message, size_t size)
{
    trial_call copy = *c;
    mote_status status = MOTE_SUCCESS;
    trial t;

    trial_begin(&t, c->ctx, queue, c->shift, message, size);
    t.status = c->told;
    t.index = c->told_index;
    t.any_error = !c->operation->error_at || c->silent || (c->told && c->told_any);
    t.anything = c->unspecified;
    t.leeway = leeway(c);
    t.judge = c->operation->judge ? judge_device : NULL;
    if (c->operation->error_at && !c->silent) {
        size_t offset = t.word.view.offset * sizeof(uint32_t);
        unsigned char *error = copy.args.bytes + c->operation->error_at;
        memcpy(error, &t.word.view.mem, sizeof(cl_mem));
        memcpy(error + sizeof(cl_mem), &offset, sizeof(offset));
    }
    add_arrays(c, &t, &copy.args);
    if (c->workspace) {
        mote_field place = {"workspace", c->operation->workspace_at, 0, 0};
        size_t bytes = 0;
        status = c->operation->workspace_size(c->ctx, &copy.args, &bytes);
        *view_at(&copy.args, &place) = trial_workspace(&t, bytes);
    }
    if (!status && !t.failed)
        status = enqueue(c, &t, &copy.args);
    return trial_end(&t, status);
}

/* ---- on plain arrays ------------------------------------------------------------------------- */

static bool poisoned(const unsigned char *bytes, size_t count)
{
    size_t k = 0;
    while (k < count && bytes[k] == TRIAL_POISON)
        k++;
    return k == count;
}

static bool check_plain(const trial_call *c, size_t k, const unsigned char *memory, size_t before,
                        char *message, size_t size)
{
    const trial_array *a = &c->array[k];
    size_t bytes = bytes_of(a), at = a->count;
    static const trial_leeway none;
    trial_leeway some = leeway(c);
    bool output = c->fields->fields[k].is & FIELD_WRITTEN;

    if (!output || !(c->unspecified || c->operation->judge))
        at = trial_differs(a->type, memory + before, a->data, a->count - a->open,
                           output ? &some : &none);
    if (at >= a->count - a->open && poisoned(memory, before) &&
        poisoned(memory + before + bytes, HOST_MARGIN))
        return true;
    snprintf(message, size, "%s[%zu] of %zu: %s", c->fields->fields[k].name, at, a->count,
             at < a->count ? "differs" : "memory beside the array was written");
    return false;
}

static bool run_host(const trial_call *c, mote_host *host, char *message, size_t size)
{
    unsigned char *memory[MOTE_FIELDS_MOST] = {0};
    void *arrays[MOTE_FIELDS_MOST] = {0};
    size_t before[MOTE_FIELDS_MOST] = {0};
    bool good = true;

    for (size_t k = 0; c->fields->fields[k].name && good; k++) {
        const trial_array *a = &c->array[k];
        if (!a->type)
            continue;
        before[k] = HOST_MARGIN + c->shift * mote_type_size(a->type);
        memory[k] = malloc(before[k] + bytes_of(a) + HOST_MARGIN);
        good = memory[k] != NULL;
        if (!good)
            break;
        memset(memory[k], TRIAL_POISON, before[k] + bytes_of(a) + HOST_MARGIN);
        arrays[k] = memory[k] + before[k];
        if (!(c->fields->fields[k].is & FIELD_WRITTEN) || c->operation->judge)
            memcpy(arrays[k], a->data, bytes_of(a));
    }
    snprintf(message, size, "no memory");
    mote_status status = good ? c->operation->run_host(c, host, arrays) : MOTE_SUCCESS;
    if (good && status != c->told && !c->operation->judge) {
        snprintf(message, size, "the call gives %s, not %s: %s", mote_status_name(status),
                 mote_status_name(c->told), status ? mote_last_error() : "");
        good = false;
    }
    for (size_t k = 0; k < MOTE_FIELDS_MOST; k++)
        good = good && (!memory[k] || check_plain(c, k, memory[k], before[k], message, size));
    if (good && c->operation->judge)
        good = judge(c, status, 0, (const void *const *)arrays, message, size);
    for (size_t k = 0; k < MOTE_FIELDS_MOST; k++)
        free(memory[k]);
    return good;
}

/* ---- both ------------------------------------------------------------------------------------ */

/* Appends the drawn choices to the message. */
static void explain(const trial_call *c, char *message, size_t size)
{
    size_t used = strlen(message);
#define ADD(...)                                                                                   \
    used += used < size ? (size_t)snprintf(message + used, size - used, __VA_ARGS__) : 0
    ADD(" (%s%s, seed %llu: ", c->fields->call, c->on_host ? " on plain arrays" : "",
        (unsigned long long)c->seed);
    for (size_t k = 0; c->fields->fields[k].name; k++)
        if (c->array[k].type)
            ADD("%s %zu %s, ", c->fields->fields[k].name, c->array[k].count,
                mote_type_name(c->array[k].type));
    for (size_t k = 0; k < MOTE_CHOICES_MOST && c->fields->choices[k].name; k++) {
        uint32_t value;
        memcpy(&value, c->args.bytes + c->fields->choices[k].at, sizeof(value));
        ADD("%s %u, ", c->fields->choices[k].name, (unsigned)value);
    }
    ADD("contents %u, shift %zu%s%s%s%s%s%s)", (unsigned)c->kind, c->shift,
        c->gated ? ", gated" : "", c->workspace ? ", own workspace" : "", c->again ? ", twice" : "",
        c->in_place ? ", in place" : "", c->spoilt ? ", spoilt" : "",
        c->silent ? ", without an error word" : "");
#undef ADD
}

bool trial_run(const trial_call *c, cl_command_queue queue, mote_host *host, char *message,
               size_t size)
{
    trial_call copy = *c;
    bool good = !c->operation->open || !c->operation->open(c, &copy.args);

    if (!good)
        snprintf(message, size, "no object for the call: %s", mote_last_error());
    good = good && (c->on_host ? run_host(&copy, host, message, size)
                               : run_device(&copy, queue, message, size));
    if (c->operation->close)
        c->operation->close(c, &copy.args);
    if (!good)
        explain(c, message, size);
    return good;
}

bool trial_try(trial_call *c, cl_command_queue queue, mote_host *host, char *message, size_t size)
{
    bool good = true;

    if (trial_draw(c)) {
        good = trial_fill(c, message, size);
        if (good)
            good = trial_run(c, queue, host, message, size);
        else
            explain(c, message, size);
    }
    trial_drop(c);
    return good;
}
