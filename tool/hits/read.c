/* SPDX-License-Identifier: Apache-2.0 */
/* The reading thread: it divides the stream into blocks of hits. */
#include "../clusters/job.h"
#include "../io/arrays.h"
#include "../io/kind.h"
#include "../progress.h"

#include <string.h>
#include <sys/stat.h>

/* The stream so far. */
typedef struct reader {
    clusters_job *job;
    clusters_batch *batch; /* the block that is being filled; NULL = none */
    int64_t latest;        /* highest time */
    bool any;              /* there was a hit */
    in_lines in;
    digi_csv csv;
} reader;

static bool need_block(reader *r)
{
    size_t slot;
    if (r->batch)
        return true;
    if (!pipeline_fill(&r->job->pipeline, &slot))
        return false;
    r->batch = &r->job->batches[slot];
    r->batch->hits.hits.n = 0;
    return true;
}

static void pass_block(reader *r, bool last)
{
    uint64_t disorder = r->job->options->hits.disorder;
    uint64_t room = (uint64_t)r->latest - (uint64_t)INT64_MIN;
    r->batch->hits.complete =
        !r->any || disorder > room ? INT64_MIN : (int64_t)((uint64_t)r->latest - disorder);
    r->batch->last = last;
    r->batch->bytes = r->job->bytes_read + in_lines_taken(&r->in);
    r->batch = NULL;
    pipeline_filled(&r->job->pipeline);
}

/* Checks the last hit of the block: how much it is earlier than others before it. */
static int check_order(reader *r)
{
    const hit_arrays *hits = &r->batch->hits.hits;
    int64_t t = hits->t[hits->n - 1];
    uint64_t disorder = r->job->options->hits.disorder;
    uint64_t behind = r->any && t < r->latest ? (uint64_t)r->latest - (uint64_t)t : 0;
    if (behind > disorder)
        return tool_fail(TOOL_INPUT,
                         "%s:%zu: time %lld is %llu ticks earlier than a hit before it, and "
                         "--disorder promises at most %llu: give --disorder %llu or more",
                         r->in.name, r->csv.csv.line, (long long)t, (unsigned long long)behind,
                         (unsigned long long)disorder, (unsigned long long)behind);
    if (!r->any || t > r->latest)
        r->latest = t;
    r->any = true;
    return TOOL_GO_ON;
}

static int read_rows(reader *r)
{
    int code = TOOL_GO_ON;
    while (code == TOOL_GO_ON && need_block(r)) {
        hit_arrays *hits = &r->batch->hits.hits;
        while (code == TOOL_GO_ON && hits->n < r->job->options->hits.block) {
            code = hits_csv_next(&r->csv, hits);
            if (code == TOOL_GO_ON)
                code = check_order(r);
        }
        if (code == TOOL_GO_ON)
            pass_block(r, false);
    }
    return code == TOOL_GO_ON ? TOOL_INPUT : code;
}

static int open_input(reader *r, const char *path)
{
    const digi_options *options = &r->job->options->digis;
    struct stat info;
    enum digi_format format = digi_format_of(path, options);
    int code =
        format == DIGIS_ANY ? input_refuse_foreign(path, "write the hits as CSV") : TOOL_GO_ON;
    if (code == TOOL_GO_ON && format == DIGIS_BIN)
        code = tool_fail(TOOL_INPUT,
                         "%s: digis of a .bin file have no times, which --time-window "
                         "needs",
                         path);
    if (code == TOOL_GO_ON && format == DIGIS_ANY && !input_is_stream(path) &&
        stat(path, &info) == 0 && S_ISREG(info.st_mode))
        code = tool_fail(TOOL_INPUT,
                         "%s: the name must end in .csv, .tsv, .txt or .t3pa, or these and "
                         ".gz, .bz2 or .xz, or --input-format say what it is",
                         path);
    if (code == TOOL_GO_ON)
        code = in_lines_open(path, r->job->wake[0], &r->in);
    return code == TOOL_GO_ON ? hits_csv_open(&r->in, options, &r->csv) : code;
}

static bool read_input(reader *r, const char *path)
{
    clusters_job *job = r->job;
    double start = tool_seconds();
    progress_step("reading", array_name(path));
    r->in = (in_lines){.fd = -1};
    int code = open_input(r, path);
    if (code == TOOL_GO_ON)
        code = read_rows(r);
    if (!job->ignored[0])
        memcpy(job->ignored, r->csv.ignored, sizeof(job->ignored));
    job->bytes_read += in_lines_taken(&r->in);
    digi_csv_close(&r->csv);
    in_lines_close(&r->in);
    r->in = (in_lines){.fd = -1};
    job->timing.read_s += tool_seconds() - start;
    return code == TOOL_DONE;
}

void *hits_read(void *user)
{
    clusters_job *job = user;
    const clusters_options *options = job->options;
    reader r = {.job = job, .in = {.fd = -1}};
    bool good = true;
    tool_keep_failures(&job->read_failure);
    for (size_t i = 0; i < options->n_inputs && good; i++)
        good = read_input(&r, options->inputs[i]);
    if (good && need_block(&r))
        pass_block(&r, true);
    tool_keep_failures(NULL);
    pipeline_end(&job->pipeline);
    return NULL;
}
