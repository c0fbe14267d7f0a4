/* SPDX-License-Identifier: Apache-2.0 */
/* mote neighbours: the neighbour lists of one frame. */
#include "commands.h"
#include "progress.h"
#include "coordination/options.h"
#include "io/arrays.h"
#include "io/refuse_overwrite.h"
#include "io/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_CUTOFF = ID_OTHERS, ID_HALF, ID_FRAME, ID_OFFSETS, ID_SHIFTS, ID_DISTANCES, ID_VECTORS };

/* The arrays of the results. */
enum { OFFSETS, PARTNER, SHIFT, DISTANCE, VECTOR, ARRAYS };

typedef struct neighbours_job {
    coordination_state state; /* the inputs */
    double cutoff;
    uint64_t frame;
    bool half;
    const char *names[ARRAYS]; /* of files; the pairs are those of -o */
    mote_npy arrays[ARRAYS];
    mote_context *ctx;
    mote_host *host;
    mote_buffer *positions, *buffers[ARRAYS];
    cl_mem error;
    tool_timing timing;
} neighbours_job;

static const tool_option neighbours_list[] = {
    {ID_CUTOFF, "cutoff", "R", "two atoms are neighbours below this distance"},
    {ID_HALF, "half", NULL,
     "list each pair once: pairs with i < j, and pairs with i = j\n"
     "whose first nonzero S is positive"},
    {ID_FRAME, "frame", "N", "frame to read, counted from 0 (default: 0)"},
    {ID_OFFSETS, "offsets", "FILE.npy", "write the offsets of the atoms' lists: N + 1 numbers"},
    {ID_SHIFTS, "shifts", "FILE.npy", "write the images S: pairs x 3"},
    {ID_DISTANCES, "distances", "FILE.npy", "write the distances d"},
    {ID_VECTORS, "vectors", "FILE.npy", "write the vectors D: pairs x 3"},
    OPTIONS_OF_SPACE,
    OPTION_FORMAT,
    {0, NULL, NULL, NULL},
};

static int take_file(const char *option, const char *value, const char **name)
{
    *name = value;
    return tool_ends_with(value, ".npy")
               ? TOOL_GO_ON
               : tool_fail(TOOL_USAGE, "%s %s: the name must end in .npy", option, value);
}

static int neighbours_option(void *user, int id, const char *value)
{
    neighbours_job *job = user;
    long double number = 0.0L;
    switch (id) {
    case ID_CUTOFF: {
        int code = tool_real("--cutoff", value, &number);
        job->cutoff = (double)number;
        return code;
    }
    case ID_HALF:
        job->half = true;
        return TOOL_GO_ON;
    case ID_FRAME:
        return tool_number("--frame", value, 0, INT64_MAX - 1, &job->frame);
    case ID_OFFSETS:
        return take_file("--offsets", value, &job->names[OFFSETS]);
    case ID_SHIFTS:
        return take_file("--shifts", value, &job->names[SHIFT]);
    case ID_DISTANCES:
        return take_file("--distances", value, &job->names[DISTANCE]);
    case ID_VECTORS:
        return take_file("--vectors", value, &job->names[VECTOR]);
    default:
        return coordination_option(&job->state, id, value);
    }
}

static int check_options(neighbours_job *job, int argc, char **argv, int first)
{
    coordination_options *options = &job->state.options;
    const char *output = options->common.output;
    int code = coordination_check_frames(&job->state, "neighbours", argc, argv, first);
    if (code != TOOL_GO_ON)
        return code;
    if (!(job->cutoff > 0.0 && isfinite(job->cutoff)))
        return tool_fail(TOOL_USAGE, "give --cutoff R, a distance above 0");
    if (output && !tool_ends_with(output, ".npy") && !tool_ends_with(output, ".csv") &&
        !tool_ends_with(output, ".csv.gz") && strncmp(output, "/dev/", 5) != 0)
        return tool_fail(TOOL_USAGE, "-o %s: the name must end in .npy, .csv or .csv.gz", output);
    job->names[PARTNER] = output;
    const char *outputs[ARRAYS + 1] = {options->common.trace};
    memcpy(outputs + 1, job->names, sizeof(job->names));
    return same_refuse(options->inputs, options->n_inputs, outputs, ARRAYS + 1);
}

/* ---- the frame ------------------------------------------------------------------------------- */

/* Reads frames up to the requested one. */
static int read_frame(neighbours_job *job, coordination_job *reader)
{
    mote_trajectory_status status = MOTE_TRAJECTORY_FRAME;
    double start = tool_seconds();
    uint64_t k = 0;
    int code = coordination_open(reader);
    if (code != TOOL_GO_ON)
        return code;
    for (; k <= job->frame && status == MOTE_TRAJECTORY_FRAME; k++) {
        reader->trajectory.skip = k < job->frame;
        status = coordination_next(reader);
    }
    job->timing.read_s = tool_seconds() - start;
    job->timing.bytes = coordination_bytes(reader);
    if (reader->read_failure.code != TOOL_GO_ON)
        return tool_fail(reader->read_failure.code, "%s", reader->read_failure.text);
    if (status != MOTE_TRAJECTORY_FRAME)
        return tool_fail(TOOL_INPUT, "%s: there is no frame %llu: there are %llu, counted from 0",
                         reader->trajectory.name, (unsigned long long)job->frame,
                         (unsigned long long)(k - 1));
    return TOOL_GO_ON;
}

/* ---- the device ------------------------------------------------------------------------------ */

static mote_status make_array(neighbours_job *job, int k, mote_type type, size_t rows,
                              size_t columns, mote_view *view)
{
    mote_npy *array = &job->arrays[k];
    *array = (mote_npy){.type = type,
                        .n_dims = columns > 1 ? 2 : 1,
                        .shape = {rows, columns},
                        .count = rows * columns};
    array->values = malloc(array->count * mote_type_size(type) + 1);
    if (!array->values)
        return MOTE_ERROR_OUT_OF_HOST_MEMORY;
    mote_status st = mote_buffer_create(job->ctx, type, array->count, 0, &job->buffers[k]);
    if (!st)
        *view = mote_buffer_view(job->buffers[k]);
    return st;
}

static mote_status call(neighbours_job *job, const mote_neighbours_args *args)
{
    cl_command_queue queue = mote_host_queue(job->host);
    mote_status st = mote_neighbours(job->ctx, queue, args, 0, NULL, NULL);
    return st ? st : mote_error_read(queue, job->error, 0, NULL, 0, NULL);
}

static mote_status read_array(neighbours_job *job, int k)
{
    const mote_npy *array = &job->arrays[k];
    return mote_buffer_read(job->buffers[k], 0, array->count, array->values, array->type, 1,
                            mote_host_queue(job->host), 0, NULL, NULL);
}

/* Counts the pairs, then makes room for them and lists them. */
static mote_status compute(neighbours_job *job, const mote_trajectory_frame *frame)
{
    mote_type real = mote_context_device(job->ctx)->has_fp64 ? MOTE_FLOAT64 : MOTE_FLOAT32;
    size_t n = frame->n_atoms;
    mote_neighbours_args args;
    mote_neighbours_args_init(&args);
    args.cutoff = job->cutoff;
    args.box = frame->box;
    args.pbc = frame->pbc == MOTE_PBC_NONE ? 0 : frame->periodic;
    args.half = job->half;
    mote_status st = mote_host_create(job->ctx, NULL, &job->host);
    if (!st)
        st = mote_error_create(mote_context_cl(job->ctx), &job->error);
    if (!st)
        st = mote_buffer_create(job->ctx, real, 3 * n, 0, &job->positions);
    if (!st)
        st = mote_buffer_write(job->positions, 0, 3 * n, frame->positions, MOTE_FLOAT64, 1,
                               mote_host_queue(job->host), 0, NULL, NULL);
    if (!st)
        st = make_array(job, OFFSETS, MOTE_INT64, n + 1, 1, &args.offsets);
    if (st)
        return st;
    args.positions = mote_buffer_view(job->positions);
    args.error = job->error;
    st = call(job, &args);
    if (!st || st == MOTE_ERROR_CAPACITY)
        st = read_array(job, OFFSETS);
    if (st)
        return st;
    size_t pairs = (size_t)((int64_t *)job->arrays[OFFSETS].values)[n];
    st = make_array(job, PARTNER, MOTE_INT64, pairs, 1, &args.partner);
    if (!st)
        st = make_array(job, SHIFT, MOTE_INT32, pairs, 3, &args.shift);
    if (!st)
        st = make_array(job, DISTANCE, real, pairs, 1, &args.distance);
    if (!st)
        st = make_array(job, VECTOR, real, pairs, 3, &args.displacement);
    if (!st && pairs)
        st = call(job, &args);
    for (int k = PARTNER; k < ARRAYS && !st && pairs; k++)
        st = read_array(job, k);
    return st;
}

/* ---- results --------------------------------------------------------------------------------- */

static char *put_reals(char *at, const mote_npy *array, size_t row)
{
    size_t columns = array->n_dims == 2 ? array->shape[1] : 1;
    for (size_t k = row * columns; k < (row + 1) * columns; k++) {
        *at++ = ',';
        at = array->type == MOTE_FLOAT64 ? text_exact(at, ((const double *)array->values)[k])
                                         : text_real(at, (double)((const float *)array->values)[k]);
    }
    return at;
}

/* Writes one line for each pair. */
static void write_lines(const neighbours_job *job, out_file *out)
{
    const int64_t *offsets = job->arrays[OFFSETS].values, *partner = job->arrays[PARTNER].values;
    const int32_t *shift = job->arrays[SHIFT].values;
    size_t n = job->arrays[OFFSETS].count - 1;
    out_text(out, "i,j,Sx,Sy,Sz,d,Dx,Dy,Dz\n");
    for (size_t i = 0; i < n && !out_is_closed(out); i++)
        for (int64_t k = offsets[i]; k < offsets[i + 1]; k++) {
            char *at = text_whole(out_room(out, 10 * TEXT_ROOM), i);
            *at++ = ',';
            at = text_whole(at, (uint64_t)partner[k]);
            for (int axis = 0; axis < 3; axis++) {
                *at++ = ',';
                at = text_signed(at, shift[3 * k + axis]);
            }
            at = put_reals(at, &job->arrays[DISTANCE], (size_t)k);
            at = put_reals(at, &job->arrays[VECTOR], (size_t)k);
            *at++ = '\n';
            out_used(out, at);
        }
}

/* Writes the array of pairs, i and j. */
static int write_pairs(const neighbours_job *job, out_file *out)
{
    const int64_t *offsets = job->arrays[OFFSETS].values, *partner = job->arrays[PARTNER].values;
    size_t pairs = job->arrays[PARTNER].count, n = job->arrays[OFFSETS].count - 1;
    mote_npy array = {.type = MOTE_INT64, .n_dims = 2, .shape = {pairs, 2}, .count = 2 * pairs};
    int64_t *values = array.values = malloc((2 * pairs + 1) * sizeof(*values));
    if (!values)
        return tool_fail(TOOL_DEVICE, "out of memory for %zu pairs", pairs);
    for (size_t i = 0; i < n; i++)
        for (int64_t k = offsets[i]; k < offsets[i + 1]; k++) {
            values[2 * k] = (int64_t)i;
            values[2 * k + 1] = partner[k];
        }
    array_write(out, &array);
    free(values);
    return TOOL_GO_ON;
}

static int write_all(neighbours_job *job)
{
    out_file *outs[ARRAYS] = {NULL};
    int code = TOOL_GO_ON;
    for (int k = 0; k < ARRAYS && code == TOOL_GO_ON; k++)
        if (k == PARTNER || job->names[k])
            code = out_open(job->names[k], &outs[k]) == TOOL_DONE ? TOOL_GO_ON : TOOL_OUTPUT;
    for (int k = 0; k < ARRAYS && code == TOOL_GO_ON; k++) {
        if (k == PARTNER && job->names[k] && tool_ends_with(job->names[k], ".npy"))
            code = write_pairs(job, outs[k]);
        else if (k == PARTNER)
            write_lines(job, outs[k]);
        else if (outs[k])
            array_write(outs[k], &job->arrays[k]);
    }
    if (code == TOOL_GO_ON)
        return out_finish(outs, ARRAYS);
    out_discard(outs, ARRAYS);
    return code;
}

static int run_frame(neighbours_job *job, const coordination_job *reader)
{
    const tool_common *common = &job->state.options.common;
    int code = tool_open_device(common, &job->ctx);
    double start = tool_seconds();
    if (code != TOOL_DONE)
        return code;
    mote_status st = compute(job, &reader->trajectory.frame);
    job->timing.device_s = tool_seconds() - start;
    if (st == MOTE_ERROR_OUT_OF_HOST_MEMORY)
        return tool_fail(TOOL_DEVICE, "out of memory for %zu pairs", job->arrays[PARTNER].count);
    if (st)
        return tool_fail_input(reader->trajectory.name, st);
    start = tool_seconds();
    progress_last_step("writing", "the results");
    code = write_all(job);
    job->timing.write_s = tool_seconds() - start;
    progress_end();
    if (code != TOOL_DONE || out_reader_left())
        return code;
    tool_summary(common, "frame %llu of %zu atom%s (%s): %zu pairs within %g; %s",
                 (unsigned long long)job->frame, reader->n_atoms, tool_plural(reader->n_atoms),
                 coordination_pbc_name(reader->trajectory.frame.pbc), job->arrays[PARTNER].count,
                 job->cutoff, mote_context_device(job->ctx)->name);
    tool_timing_print(common, "neighbours", mote_context_device(job->ctx)->spec, &job->timing);
    return code;
}

static void release(neighbours_job *job)
{
    for (int k = 0; k < ARRAYS; k++) {
        mote_npy_free(&job->arrays[k]);
        mote_buffer_release(job->buffers[k]);
    }
    mote_buffer_release(job->positions);
    if (job->error)
        clReleaseMemObject(job->error);
    mote_host_release(job->host);
    mote_context_release(job->ctx);
    coordination_options_free(&job->state);
}

static int neighbours_run(const tool_command *self, int argc, char **argv)
{
    neighbours_job job = {
        .state.options = {.format = MOTE_TRAJECTORY_ANY, .end = UINT64_MAX, .stride = 1}};
    coordination_options *options = &job.state.options;
    coordination_job reader = {
        .options = options, .input = -1, .wake = {-1, -1}, .read_failure.code = TOOL_GO_ON};
    int first;
    int code = tool_parse(self, argc, argv, &options->common, neighbours_option, &job, &first);
    if (code == TOOL_GO_ON)
        code = check_options(&job, argc, argv, first);
    if (code == TOOL_GO_ON) {
        progress_start(NULL, !options->common.quiet);
        code = read_frame(&job, &reader);
        if (code == TOOL_GO_ON)
            code = run_frame(&job, &reader);
        coordination_close(&reader);
        progress_end();
    }
    release(&job);
    return code;
}

const tool_command tool_neighbours = {
    .name = "neighbours",
    .arguments = "TRAJECTORY...",
    .inputs = "xyz extxyz gro pdb ent xtc trr dcd lammpstrj dump",
    .summary = "list all pairs of atoms within a cutoff, with their periodic images",
    .about =
        "Lists the pairs of atoms of one frame that are closer than the cutoff, in all periodic\n"
        "images. The vector from atom i to the image S of atom j is D = x_j - x_i + S box, and\n"
        "d is its length. The list contains (i, j) and (j, i), unless --half is given, and is\n"
        "sorted by i, then j, then S. Atoms are counted from 0. TRAJECTORY is as for mote\n"
        "coordination.\n\n"
        "The output is CSV with all columns. If the name given with -o ends in .npy, it is an\n"
        "array of the pairs i, j; the options below write the other arrays, in the same order.",
    .examples =
        "mote neighbours run.gro --cutoff 0.5 -o pairs.csv\n"
        "mote neighbours run.xtc --frame 10 --cutoff 0.5 --half -o pairs.npy --shifts S.npy",
    .options = neighbours_list,
    .run = neighbours_run,
};
