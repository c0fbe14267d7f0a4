/* SPDX-License-Identifier: Apache-2.0 */
/* The reading thread: it divides the stream into blocks of hits. */
#include "../clusters/job.h"
#include "../io/arrays.h"
#include "../io/file_type.h"
#include "../progress.h"

#include <string.h>
#include <sys/stat.h>

/* The stream so far. */
typedef struct reader {
    clusters_job *job;
    clusters_batch *batch; /* the block that is being filled; NULL = none */
    hit_past past;
    in_lines in;
    digi_csv csv;
    hit_packets packets;
    bool is_csv, is_packets; /* whether an input was CSV, and whether one had packets */
} reader;

static bool need_block(reader *r)
{
    size_t slot;
    if (r->batch)
        return true;
    if (!pipeline_fill(&r->job->pipeline, &slot))
        return false;
    r->batch = &r->job->batches[slot];
    r->batch->hits.hits.n = r->batch->hits.n_packets = 0;
    r->batch->hits.skipped = 0;
    r->batch->hits.name = r->in.name;
    return true;
}

static void pass_block(reader *r, bool last)
{
    r->batch->hits.complete = hits_complete(&r->past, r->job->options->hits.disorder);
    r->batch->last = last;
    r->batch->bytes = r->job->bytes_read + in_lines_taken(&r->in);
    r->batch = NULL;
    pipeline_filled(&r->job->pipeline);
}

/* Reads the next row; checks how much its hit is earlier than others before it. */
static int read_row(reader *r)
{
    hit_block *block = &r->batch->hits;
    uint64_t disorder = r->job->options->hits.disorder, behind = 0;
    size_t n = block->hits.n;
    int code = hits_csv_next(&r->csv, block);
    if (code == TOOL_GO_ON && block->hits.n > n)
        behind = hits_take_time(&r->past, disorder, block->hits.t[n]);
    if (!behind)
        return code;
    return tool_fail(TOOL_INPUT, "%s:%zu: " HITS_TOO_EARLY, r->in.name, r->csv.csv.line,
                     (long long)block->hits.t[n], (unsigned long long)behind,
                     (unsigned long long)disorder, (unsigned long long)behind);
}

/* Reads blocks until the end of the input. */
static int read_blocks(reader *r, bool packets)
{
    const size_t most = r->job->options->hits.block;
    int code = TOOL_GO_ON;
    while (code == TOOL_GO_ON && need_block(r)) {
        hit_block *block = &r->batch->hits;
        double start = tool_seconds();
        if (packets)
            code = hits_packets_next(&r->packets, block, most);
        while (!packets && code == TOOL_GO_ON && block->hits.n < most)
            code = read_row(r);
        r->job->timing.read_s += tool_seconds() - start;
        /* A block has packets of one file. */
        if (code == TOOL_GO_ON || (code == TOOL_DONE && packets))
            pass_block(r, false);
    }
    return code == TOOL_GO_ON ? TOOL_INPUT : code;
}

/* Reads the header, if the input has one. */
static int begin_input(reader *r, const char *path, enum digi_format format, bool *packets)
{
    *packets = format == DIGIS_TIMEPIX3 || (format == DIGIS_ANY && hits_are_packets(&r->in));
    r->is_packets = r->is_packets || *packets;
    r->is_csv = r->is_csv || !*packets;
    if (r->is_csv && r->is_packets)
        return tool_fail(TOOL_INPUT, "%s: inputs are either all CSV or all packets of Timepix3",
                         path);
    const digi_options *digis = &r->job->options->digis;
    if (*packets && (digis->rows || digis->time_scale > 0.0L))
        return tool_fail(TOOL_INPUT,
                         "%s: --%s is for CSV: packets of Timepix3 are of 256 x 256 pixels, with "
                         "times in ticks",
                         path, digis->rows ? "size" : "time-scale");
    r->packets = (hit_packets){.in = &r->in};
    return *packets ? TOOL_GO_ON : hits_csv_open(&r->in, digis, &r->csv);
}

static int open_input(reader *r, const char *path, bool *packets)
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
                         "%s: the name must end in .csv, .tsv, .txt, .t3pa or .tpx3, or "
                         "these and .gz, .bz2 or .xz, or --input-format say what it is",
                         path);
    if (code == TOOL_GO_ON)
        code = in_lines_open(path, r->job->wake[0], &r->in);
    return code == TOOL_GO_ON ? begin_input(r, path, format, packets) : code;
}

static bool read_input(reader *r, const char *path)
{
    clusters_job *job = r->job;
    bool packets = false;
    progress_step("reading", array_name(path));
    r->in = (in_lines){.fd = -1};
    int code = open_input(r, path, &packets);
    if (code == TOOL_GO_ON)
        code = read_blocks(r, packets);
    if (!job->ignored[0])
        memcpy(job->ignored, r->csv.ignored, sizeof(job->ignored));
    job->bytes_read += in_lines_taken(&r->in);
    digi_csv_close(&r->csv);
    in_lines_close(&r->in);
    r->in = (in_lines){.fd = -1};
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
