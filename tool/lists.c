/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the commands on the values of lists, which tool/lists/table.c describes: reads their options
 * and inputs. */
#include "lists/lists.h"
#include "commands.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int take_range(const char *value, lists_work *work)
{
    int end = 0;
    work->has_range = sscanf(value, "%lf,%lf%n", &work->low, &work->high, &end) == 2 &&
                      !value[end] && work->low < work->high && isfinite(work->high - work->low);
    return work->has_range
               ? TOOL_GO_ON
               : tool_fail(TOOL_USAGE,
                           "--range: '%s' is not LOW,HIGH: two finite numbers, the lower one first",
                           value);
}

/* Reads up to LISTS_MOST_QUANTILES numbers, with commas between them. */
static int take_quantiles(const char *value, lists_work *work)
{
    const char *at = value;
    char *end;
    work->n_quantiles = 0;
    do {
        double q = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(q >= 0 && q <= 1) ||
            work->n_quantiles == LISTS_MOST_QUANTILES)
            return tool_fail(TOOL_USAGE,
                             "--quantiles: '%s' is not Q[,Q...]: up to %d numbers from 0 to 1",
                             value, LISTS_MOST_QUANTILES);
        work->quantiles[work->n_quantiles++] = q;
        at = end + 1;
    } while (*end);
    return TOOL_GO_ON;
}

/* Reads an index in a list, which may be negative. */
static int take_index(const char *option, const char *value, int64_t *index)
{
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    *index = number;
    return end != value && !*end && !errno
               ? TOOL_GO_ON
               : tool_fail(TOOL_USAGE, "%s: '%s' is not an index, which may be negative", option,
                           value);
}

/* Reads the options that select elements of lists. */
static int take_selection(lists_work *work, int id, const char *value)
{
    if (id == 'k')
        return tool_number("--number", value, 0, INT64_MAX, &work->k);
    if (id == 'n')
        return tool_number("--elements", value, 2, 4, &work->n);
    if (id == ID_START)
        return take_index("--start", value, &work->start);
    if (id == ID_STOP)
        return take_index("--stop", value, &work->stop);
    if (id == ID_QUANTILES)
        return take_quantiles(value, work);
    work->fill = value;
    return TOOL_GO_ON;
}

static int lists_option(void *state, int id, const char *value)
{
    static const char *const ops[] = {"sum", "prod", "min", "max", NULL};
    lists_work *work = state;
    if (id == ID_OP) {
        work->choice.op = value;
        return tool_word("--op", value, ops, &work->choice.reduction);
    }
    if (id == ID_OUT)
        return reduce_take_out(value, &work->choice);
    if (id == ID_RANGE)
        return take_range(value, work);
    if (id == ID_SVG)
        return tool_picture("--svg", value, &work->picture);
    if (id == ID_BINS) {
        work->has_bins = true;
        return tool_number("--bins", value, 1, INT32_MAX - 1, &work->bins);
    }
    if (id == 'k' || id == 'n' || (id >= ID_START && id <= ID_QUANTILES))
        return take_selection(work, id, value);
    if (id == ID_OFFSETS)
        work->offsets_output = tool_output(value);
    else if (id == ID_LENGTHS)
        work->lengths_output = tool_output(value);
    else if (id == ID_EDGES)
        work->edges = value;
    else if (id == ID_WEIGHTS)
        work->weights = value;
    else if (id == ID_DESCENDING)
        work->descending = true;
    else if (id == ID_SMALLEST)
        work->descending = false;
    else if (id == ID_INDICES)
        work->indices = true;
    else
        work->exclusive = true;
    return TOOL_GO_ON;
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Returns whether -k is an option of the command; it then has no default. */
static bool takes_k(const tool_command *command)
{
    const tool_option *option = command->options;
    while (option && option->name && option->id != 'k')
        option++;
    return option && option->name;
}

static int check_words(const lists_operation *operation, lists_work *work, int argc, char **argv,
                       int first)
{
    int count = (int)strlen(operation->operands), given = argc - first;
    if (given < count)
        return tool_fail(TOOL_USAGE, "expected %s (see mote %s --help)",
                         operation->command->arguments, operation->command->name);
    if (operation->more)
        count = given < LISTS_MOST_OPERANDS ? given : LISTS_MOST_OPERANDS;
    for (int k = 0; k < count; k++)
        work->names[k] = argv[first + k];
    if (work->k == UINT64_MAX && takes_k(operation->command))
        return tool_fail(TOOL_USAGE, "-k is missing (see mote %s --help)",
                         operation->command->name);
    if (work->edges && (work->has_bins || work->has_range))
        return tool_fail(TOOL_USAGE, "--edges gives all edges: leave out --bins and --range");
    return tool_no_operands(argc, argv, first + count);
}

/* Reads arrays of any shape whose number of values is checked already. */
static int read_weights(jagged_job *job, lists_work *work)
{
    static const mote_type types[] = {MOTE_FLOAT32, MOTE_FLOAT64, MOTE_TYPE_NONE};
    mote_npy *weights = &work->weights_array;
    int code = jagged_read(job, work->weights, weights);
    if (code == TOOL_GO_ON)
        code = array_expect_type(work->weights, weights, types);
    if (code == TOOL_GO_ON && weights->count != work->arrays[0].count)
        code = tool_fail(TOOL_INPUT, "%s: has %zu value%s, expected %zu as in %s",
                         array_name(work->weights), weights->count, tool_plural(weights->count),
                         work->arrays[0].count, array_name(work->names[0]));
    return code;
}

static int read_edges(jagged_job *job, lists_work *work)
{
    mote_type type = work->arrays[0].type;
    bool listed = type == MOTE_FLOAT32 || type == MOTE_FLOAT64;
    const mote_type types[] = {MOTE_FLOAT32, MOTE_FLOAT64, listed ? MOTE_TYPE_NONE : type,
                               MOTE_TYPE_NONE};
    mote_npy *edges = &work->edges_array;
    int code = jagged_read_line(job, work->edges, types, edges);
    if (code == TOOL_GO_ON && edges->count < 2)
        code = tool_fail(TOOL_INPUT, "%s: has %zu value%s, expected at least 2 edges",
                         array_name(work->edges), edges->count, tool_plural(edges->count));
    return code;
}

static int read_inputs(jagged_job *job, const lists_operation *operation, lists_work *work)
{
    mote_npy *values = work->arrays;
    int code = TOOL_GO_ON;
    size_t letters = strlen(operation->operands);
    for (size_t k = 0; k < LISTS_MOST_OPERANDS && work->names[k] && code == TOOL_GO_ON; k++) {
        const char *name = work->names[k];
        if (k >= letters || operation->operands[k] == 'o') {
            jagged_lists *lists = &work->lists[work->n_lists++];
            lists->offsets = name;
            code = jagged_lists_read(job, lists);
        } else if (k == 0) { /* not in lists, so it may have any shape */
            code = jagged_read(job, name, values);
            if (code == TOOL_GO_ON)
                code = array_expect_type(name, values, reduce_types);
        } else {
            code = jagged_read_line(job, name, reduce_types, values++);
        }
    }
    if (code == TOOL_GO_ON && work->edges)
        code = read_edges(job, work);
    return code == TOOL_GO_ON && work->weights ? read_weights(job, work) : code;
}

static void summarise(jagged_job *job, const lists_work *work)
{
    size_t values = work->arrays[0].count, lists = work->lists[0].count;
    if (work->n_lists)
        snprintf(job->summary, sizeof(job->summary), "%zu list%s, %zu result%s", lists,
                 tool_plural(lists), job->result.shape[0], tool_plural(job->result.shape[0]));
    else
        snprintf(job->summary, sizeof(job->summary), "%zu bin%s, %zu value%s", job->result.count,
                 tool_plural(job->result.count), values, tool_plural(values));
}

int lists_run(const tool_command *self, int argc, char **argv)
{
    lists_work work = {.choice = {.op = "sum", .reduction = MOTE_REDUCE_SUM},
                       .descending = self == &tool_topk,
                       .n = 2,
                       .k = UINT64_MAX, /* not given */
                       .stop = INT64_MAX,
                       .quantiles = {0.5},
                       .n_quantiles = 1};
    const lists_operation *operation = lists_operations;
    while (operation->command != self)
        operation++;
    int first;
    int code = tool_parse(self, argc, argv, &work.common, lists_option, &work, &first);
    if (code == TOOL_GO_ON)
        code = check_words(operation, &work, argc, argv, first);
    if (code != TOOL_GO_ON)
        return code;
    jagged_job job = {.common = &work.common,
                      .command = self->name,
                      .extras = {{"--offsets", work.offsets_output, "offset"},
                                 {"--lengths", work.lengths_output, "list,length"}},
                      .table = {.columns = work.weights ? "low,high,sum" : operation->columns,
                                .relative = operation->compute == lists_gather}};
    if (self == &tool_histogram) {
        job.extras[0] = (jagged_extra){"--svg", work.picture, NULL};
        job.draw = lists_draw;
    }
    if (self == &tool_unique)
        job.extras[1] = (jagged_extra){"--counts", work.lengths_output, "list,count"};
    if (operation->operands[0] == 'o')
        job.table.offsets = &work.lists[0].first;
    for (int k = 0; k < LISTS_MOST_OPERANDS; k++)
        jagged_input(&job, work.names[k]);
    jagged_input(&job, work.edges);
    jagged_input(&job, work.weights);
    code = jagged_begin(&job);
    if (code == TOOL_GO_ON)
        code = read_inputs(&job, operation, &work);
    if (code == TOOL_GO_ON)
        code = jagged_device(&job);
    if (code == TOOL_GO_ON)
        code = operation->compute(&job, &work);
    summarise(&job, &work);
    code = jagged_end(&job, code);
    for (int k = 0; k < LISTS_MOST_OPERANDS; k++) {
        jagged_lists_free(&work.lists[k]);
        mote_npy_free(&work.arrays[k]);
    }
    free(work.columns);
    mote_npy_free(&work.edges_array);
    mote_npy_free(&work.weights_array);
    mote_npy_free(&work.shown);
    return code;
}
