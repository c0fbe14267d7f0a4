/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS, NUMBERS, WEIGHTS, DERIVATIVES, VIRIAL, ARRAYS };

/* The atoms of a call are those of list A only, then those of both lists, then those of B only. */
struct order_arrays {
    size_t count, centres, first; /* atoms of a call */
    size_t *atom;                 /* the atom of each of them */
    size_t *entry;                /* its first entry of the lists */
    double *host;                 /* three numbers of each */
    mote_buffer *buffer[ARRAYS];
    cl_mem error;
    uint32_t wrong; /* the first atom of the last call whose position is invalid */
};

void order_free(order_arrays *a)
{
    if (!a)
        return;
    for (int k = 0; k < ARRAYS; k++)
        mote_buffer_release(a->buffer[k]);
    if (a->error)
        clReleaseMemObject(a->error);
    free(a->atom);
    free(a->entry);
    free(a->host);
    free(a);
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Returns the atom of an entry. */
static size_t atom_at(const coordination_cv *cv, size_t entry)
{
    size_t n_a = cv_atoms(cv);
    if (entry >= n_a)
        return cv->group_b.atoms[entry - n_a];
    return cv->group_a.atoms ? cv->group_a.atoms[entry] : entry;
}

static void add_atom(order_arrays *a, size_t atom, size_t entry)
{
    a->atom[a->count] = atom;
    a->entry[a->count++] = entry;
}

/* Sets the atoms of a call. Bits of `lists` say in which lists an atom is. Returns an atom that a
 * list has twice, or SIZE_MAX. */
static size_t arrange(order_arrays *a, const coordination_cv *cv, unsigned char *lists)
{
    size_t n_a = cv_atoms(cv);
    bool two = n_a < cv->entries;
    for (size_t i = 0; i < cv->entries; i++) {
        unsigned char *in = &lists[atom_at(cv, i)], bit = i < n_a ? 1 : 2;
        if (*in & bit)
            return atom_at(cv, i);
        *in |= bit;
    }
    for (size_t i = 0; i < n_a && two; i++)
        if (!(lists[atom_at(cv, i)] & 2))
            add_atom(a, atom_at(cv, i), i);
    a->first = a->count;
    for (size_t i = 0; i < n_a; i++)
        if (!two || lists[atom_at(cv, i)] & 2)
            add_atom(a, atom_at(cv, i), i);
    a->centres = a->count;
    for (size_t i = n_a; i < cv->entries; i++)
        if (!(lists[atom_at(cv, i)] & 1))
            add_atom(a, atom_at(cv, i), i);
    return SIZE_MAX;
}

static bool out_of_memory(device_worker *w)
{
    return failure_set(&w->failure, TOOL_DEVICE, "out of memory");
}

static bool make_lists(device_worker *w, order_arrays *a, const coordination_cv *cv)
{
    const coordination_job *job = w->workers->job;
    char text[400];
    a->atom = calloc(cv->entries + 1, sizeof(*a->atom));
    a->entry = calloc(cv->entries + 1, sizeof(*a->entry));
    a->host = calloc(3 * cv->entries + 1, sizeof(*a->host));
    unsigned char *lists = calloc(job->n_atoms + 1, 1);
    bool good = a->atom && a->entry && a->host && lists;
    size_t twice = good ? arrange(a, cv, lists) : SIZE_MAX;
    free(lists);
    if (!good)
        return out_of_memory(w);
    if (twice == SIZE_MAX)
        return true;
    snprintf(text, sizeof(text), "%.300s: atom %zu is twice in a list of order parameters",
             cv->label, twice + 1);
    return failure_set(&w->failure, TOOL_USAGE, text);
}

static bool make(device_worker *w, const coordination_cv *cv, order_arrays **made)
{
    order_arrays *a = *made = calloc(1, sizeof(*a));
    if (!a)
        return out_of_memory(w);
    if (!make_lists(w, a, cv))
        return false;
    const mote_type real = mote_context_device(w->ctx)->has_fp64 ? MOTE_FLOAT64 : MOTE_FLOAT32;
    const size_t sizes[ARRAYS] = {3 * a->count, a->count, a->count, 3 * a->count, 9};
    mote_status status = mote_error_create(mote_context_cl(w->ctx), &a->error);
    for (int k = 0; k < ARRAYS && !status; k++)
        status = mote_buffer_create(w->ctx, real, sizes[k], 0, &a->buffer[k]);
    return !status || failure_of_library(&w->failure, status);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static mote_status write_array(device_worker *w, order_arrays *a, int which, const double *from)
{
    return mote_buffer_write(a->buffer[which], 0, mote_buffer_size(a->buffer[which]), from,
                             MOTE_FLOAT64, 1, mote_host_queue(w->host), 0, NULL, NULL);
}

static mote_status read_array(device_worker *w, order_arrays *a, int which, double *to)
{
    return mote_buffer_read(a->buffer[which], 0, mote_buffer_size(a->buffer[which]), to,
                            MOTE_FLOAT64, 1, mote_host_queue(w->host), 0, NULL, NULL);
}

/* One frame on the device. */
static mote_status run(device_worker *w, order_arrays *a, const coordination_cv *cv,
                       const coordination_batch *batch, size_t frame, bool weighted)
{
    mote_steinhardt_args args;
    mote_steinhardt_args_init(&args);
    args.positions = mote_buffer_view(a->buffer[POSITIONS]);
    args.function = cv->function;
    args.l = cv->order.l;
    args.local = cv->order.local;
    args.local_function = cv->order.local_function;
    args.reduction = MOTE_STEINHARDT_SUM;
    args.n_centres = a->centres;
    args.first_neighbour = a->first;
    args.order = mote_buffer_view(a->buffer[NUMBERS]);
    args.error = a->error;
    if (!cv->no_pbc && batch->pbc != MOTE_PBC_NONE) {
        args.box = batch->box + 9 * frame;
        args.pbc = batch->periodic;
    }
    if (weighted) {
        args.weights = mote_buffer_view(a->buffer[WEIGHTS]);
        args.derivatives = mote_buffer_view(a->buffer[DERIVATIVES]);
        args.virial = mote_buffer_view(a->buffer[VIRIAL]);
    }
    cl_command_queue queue = mote_host_queue(w->host);
    mote_status status = mote_steinhardt(w->ctx, queue, &args, 0, NULL, NULL);
    return status ? status : mote_error_read(queue, a->error, 0, &a->wrong, 0, NULL);
}

/* Copies numbers of the atoms of a call to their entries; the others of an atom's entries have 0.
 */
static void scatter(const order_arrays *a, const coordination_cv *cv, size_t each, double *to)
{
    memset(to, 0, each * cv->entries * sizeof(*to));
    for (size_t i = 0; i < a->count; i++)
        memcpy(to + each * a->entry[i], a->host + each * i, each * sizeof(*to));
}

static mote_status compute_frame(device_worker *w, order_arrays *a, const coordination_batch *batch,
                                 size_t number, size_t frame, const double *weights)
{
    const coordination_job *job = w->workers->job;
    const coordination_cv *cv = &job->options->cvs[number], *lists = cv_lists(cv);
    const double *positions = batch->positions + 3 * job->n_atoms * frame;
    size_t most = job->most_frames, n = lists->entries;
    for (size_t i = 0; i < a->count; i++)
        memcpy(a->host + 3 * i, positions + 3 * a->atom[i], 3 * sizeof(double));
    mote_status status = write_array(w, a, POSITIONS, a->host);
    for (size_t i = 0; weights && i < a->count; i++)
        a->host[i] = weights[n * frame + a->entry[i]];
    if (weights && !status)
        status = write_array(w, a, WEIGHTS, a->host);
    if (!status)
        status = run(w, a, lists, batch, frame, weights != NULL);
    if (!status && !weights) {
        status = read_array(w, a, NUMBERS, a->host);
        scatter(a, lists, 1, batch->coordination + most * lists->first + n * frame);
    }
    if (!status && weights && batch->derivatives) {
        status = read_array(w, a, DERIVATIVES, a->host);
        scatter(a, lists, 3, batch->derivatives + 3 * (most * cv->first + n * frame));
    }
    if (!status && weights && batch->virial)
        status = read_array(w, a, VIRIAL, batch->virial + 9 * (most * number + frame));
    return status;
}

/* Adds the frame to the library's message, and the atom whose position is invalid. Readers reject
 * positions that are not finite. */
static bool fail_frame(device_worker *w, const order_arrays *a, const coordination_batch *batch,
                       size_t frame, mote_status status)
{
    const coordination_job *job = w->workers->job;
    unsigned long long number = batch->number[frame];
    char text[sizeof(w->failure.text)];
    coordination_fail(w, status);
    if (status == MOTE_ERROR_BOX && job->options->rules.box)
        return false;
    snprintf(text, sizeof(text), "frame %llu: %.1300s", number, w->failure.text);
    if (status == MOTE_ERROR_POSITION && a->wrong < a->count) {
        size_t atom = a->atom[a->wrong];
        const double *x = batch->positions + 3 * (job->n_atoms * frame + atom);
        snprintf(text, sizeof(text),
                 "frame %llu: atom %zu at (%g, %g, %g) is too many boxes away: move its image to "
                 "the box",
                 number, atom + 1, x[0], x[1], x[2]);
    }
    return failure_set(&w->failure, w->failure.code, text);
}

bool order_compute(device_worker *w, order_arrays **arrays, const coordination_batch *batch,
                   size_t number, const double *weights)
{
    const coordination_job *job = w->workers->job;
    mote_status status = MOTE_SUCCESS;
    if (!*arrays && !make(w, cv_lists(&job->options->cvs[number]), arrays))
        return false;
    double start = tool_seconds();
    size_t f = 0;
    while (f < batch->frames && !(status = compute_frame(w, *arrays, batch, number, f, weights)))
        f++;
    w->device_s += tool_seconds() - start;
    return !status || fail_frame(w, *arrays, batch, f, status);
}
