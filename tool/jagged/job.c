/* SPDX-License-Identifier: Apache-2.0 */
#include "job.h"

#include "../progress.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "testkit/cases/jagged/lists.h"

void jagged_input(jagged_job *job, const char *path)
{
    if (path)
        job->inputs[job->n_inputs++] = (char *)path;
}

int jagged_begin(jagged_job *job)
{
    job->start = tool_seconds();
    progress_start(NULL, !job->common->quiet);
    size_t n_stdin = 0;
    for (size_t i = 0; i < job->n_inputs; i++)
        n_stdin += strcmp(job->inputs[i], "-") == 0;
    if (n_stdin > 1)
        return tool_fail(TOOL_USAGE, "'-' (standard input) can be read only once");
    return jagged_open(job->common, job->extras, job->lines, job->inputs, job->n_inputs, &job->to);
}

static int read_array(jagged_job *job, const char *path, bool offsets, mote_npy *array)
{
    double start = tool_seconds();
    progress_step("reading", array_name(path));
    int code = array_read(path, offsets, array);
    job->timing.read_s += tool_seconds() - start;
    job->timing.bytes += array->count * mote_type_size(array->type);
    return code;
}

int jagged_read(jagged_job *job, const char *path, mote_npy *array)
{
    return read_array(job, path, false, array);
}

int jagged_read_line(jagged_job *job, const char *path, const mote_type *types, mote_npy *array)
{
    int code = jagged_read(job, path, array);
    return code == TOOL_GO_ON ? array_expect(path, array, types) : code;
}

int jagged_lists_operand(jagged_lists *lists, int argc, char **argv, int first)
{
    bool split = lists->starts || lists->stops;
    if (split && !(lists->starts && lists->stops))
        return tool_fail(TOOL_USAGE, "--starts S.npy and --stops T.npy go together");
    if (split)
        return tool_no_operands(argc, argv, first);
    if (first == argc)
        return tool_fail(TOOL_USAGE, "no OFFSETS.npy given (see mote %s --help)", argv[0]);
    lists->offsets = argv[first];
    return tool_no_operands(argc, argv, first + 1);
}

static int read_offsets(jagged_job *job, jagged_lists *lists)
{
    int code = read_array(job, lists->offsets, true, &lists->first);
    if (code == TOOL_GO_ON)
        code = array_expect(lists->offsets, &lists->first, array_indices);
    if (code != TOOL_GO_ON)
        return code;
    if (!lists->first.count)
        return tool_fail(TOOL_INPUT, "%s: is empty, expected one offset more than there are lists",
                         array_name(lists->offsets));
    lists->count = lists->first.count - 1;
    lists->offset_values = lists->first.values;
    return TOOL_GO_ON;
}

static int read_starts(jagged_job *job, jagged_lists *lists)
{
    int code = jagged_read_line(job, lists->starts, array_indices, &lists->first);
    if (code == TOOL_GO_ON)
        code = jagged_read_line(job, lists->stops, array_indices, &lists->stop);
    if (code != TOOL_GO_ON)
        return code;
    const char *starts = array_name(lists->starts), *stops = array_name(lists->stops);
    if (lists->first.type != lists->stop.type)
        return tool_fail(TOOL_INPUT, "%s: holds %s, expected %s as in %s", stops,
                         mote_type_name(lists->stop.type), mote_type_name(lists->first.type),
                         starts);
    if (lists->first.count != lists->stop.count)
        return tool_fail(TOOL_INPUT, "%s: has %zu value%s, expected %zu as in %s", stops,
                         lists->stop.count, tool_plural(lists->stop.count), lists->first.count,
                         starts);
    lists->count = lists->first.count;
    lists->start_values = lists->first.values;
    lists->stop_values = lists->stop.values;
    return TOOL_GO_ON;
}

int jagged_lists_read(jagged_job *job, jagged_lists *lists)
{
    int code = lists->offsets ? read_offsets(job, lists) : read_starts(job, lists);
    lists->type = lists->first.type;
    return code;
}

const char *jagged_lists_name(const jagged_lists *lists)
{
    return array_name(lists->offsets ? lists->offsets : lists->starts);
}

const char *jagged_lists_blame(const jagged_lists *lists)
{
    const char *sentence = tool_sentence();
    const char *starts = strstr(sentence, "starts["), *stops = strstr(sentence, "stops[");
    return lists->stops && stops && (!starts || stops < starts) ? array_name(lists->stops)
                                                                : jagged_lists_name(lists);
}

void jagged_lists_free(jagged_lists *lists)
{
    mote_npy_free(&lists->first);
    mote_npy_free(&lists->stop);
}

size_t jagged_lists_span(const jagged_lists *lists)
{
    int64_t first = mote_index_get(lists->offset_values, lists->type, 0);
    int64_t last = mote_index_get(lists->offset_values, lists->type, lists->count);
    return first >= 0 && last > first ? (size_t)(last - first) : 0;
}

int jagged_make(jagged_job *job, const char *name, mote_type type, size_t count)
{
    job->result = (mote_npy){.type = type, .n_dims = 1, .shape = {count, 1}, .count = count};
    return array_make(name, &job->result);
}

int jagged_device(jagged_job *job)
{
    int code = tool_open_device(job->common, &job->ctx);
    if (code == TOOL_DONE)
        progress_step("computing on", mote_context_device(job->ctx)->name);
    if (code == TOOL_DONE)
        job->call = building_begin(job->ctx);
    return code == TOOL_DONE ? TOOL_GO_ON : code;
}

int jagged_called(jagged_job *job, const char *name, mote_status status)
{
    job->timing.device_s = tool_seconds() - job->call.start;
    building_end(&job->call);
    job->call.built = UINT_MAX; /* of several calls, only the first one is measured */
    return status == MOTE_SUCCESS ? TOOL_GO_ON : tool_fail_input(name, status);
}

static void report(const jagged_job *job)
{
    const mote_device_info *device = mote_context_device(job->ctx);
    char time[80];
    tool_summary(job->common, "%s; %s (%s); %s", job->summary, device->name, device->spec,
                 building_text(tool_seconds() - job->start, time, sizeof(time)));
    tool_timing_print(job->common, job->command, device->spec, &job->timing);
}

int jagged_end(jagged_job *job, int code)
{
    double writing = tool_seconds();
    const char *output = job->common->output;
    progress_step("writing", output ? output : "the result");
    if (code == TOOL_GO_ON) {
        jagged_write(job->to.outs[0], job->to.formats[0], &job->result, &job->table);
        if (job->to.outs[1] && job->draw)
            job->draw(job->to.outs[1], job);
        else if (job->to.outs[1])
            jagged_write(job->to.outs[1], job->to.formats[1], &job->offsets,
                         &(jagged_table){.columns = job->extras[0].columns});
        if (job->to.outs[2])
            jagged_write(
                job->to.outs[2], job->to.formats[2], &job->lengths,
                &(jagged_table){.columns = job->extras[1].columns, .offsets = &job->offsets});
        code = out_finish(job->to.outs, JAGGED_OUTPUTS);
        progress_end();
        job->timing.write_s = tool_seconds() - writing;
        if (code == TOOL_DONE && !out_reader_left())
            report(job);
    } else {
        out_discard(job->to.outs, JAGGED_OUTPUTS);
    }
    progress_end();
    mote_npy_free(&job->result);
    mote_npy_free(&job->offsets);
    mote_npy_free(&job->lengths);
    mote_context_release(job->ctx);
    return code;
}
