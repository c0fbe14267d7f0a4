/* SPDX-License-Identifier: Apache-2.0 */
/* mote merge: the outputs of all shares of a run, put together. */
#include "commands.h"
#include "common/part.h"
#include "common/share.h"
#include "io/refuse_overwrite.h"
#include "progress.h"
#include "rdf/rdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMED 20 /* largest number of missing shares that a message names */

typedef struct merge_share {
    const char *path;
    tool_share share;
} merge_share;

static int by_place(const void *a, const void *b)
{
    const merge_share *p = a, *q = b;
    return p->share.k < q->share.k ? -1 : p->share.k > q->share.k;
}

/* Checks that two shares belong to one output of one run. */
static int compare(const merge_share *first, const merge_share *other)
{
    const tool_share *a = &first->share, *b = &other->share;
    if (strcmp(a->command, b->command) != 0 || strcmp(a->output, b->output) != 0)
        return tool_fail(TOOL_INPUT, "%s is %s of mote %s, but %s is %s of mote %s", first->path,
                         a->output, a->command, other->path, b->output, b->command);
    if (a->n != b->n)
        return tool_fail(TOOL_INPUT, "%s is one of %llu shares, but %s one of %llu", first->path,
                         (unsigned long long)a->n, other->path, (unsigned long long)b->n);
    if (a->run != b->run || a->total != b->total)
        return tool_fail(TOOL_INPUT,
                         "%s and %s come from different runs: inputs, options or versions of mote "
                         "differ",
                         first->path, other->path);
    return TOOL_GO_ON;
}

/* Checks that `shares`, which contains `count` shares in ascending order, is complete. */
static int find_missing(const merge_share *shares, size_t count)
{
    uint64_t n = shares[0].share.n, missing = n - count;
    char names[MOST_NAMED * 24] = "";
    size_t used = 0, named = 0, i = 0;
    if (!missing)
        return TOOL_GO_ON;
    for (uint64_t k = 1; k <= n && named < MOST_NAMED; k++) {
        if (i < count && shares[i].share.k == k)
            i++;
        else
            used +=
                (size_t)snprintf(names + used, sizeof(names) - used, "%s%llu/%llu",
                                 named++ ? ", " : "", (unsigned long long)k, (unsigned long long)n);
    }
    return tool_fail(TOOL_INPUT,
                     "%llu of %llu shares %s missing: run --part %s%s again, then merge",
                     (unsigned long long)missing, (unsigned long long)n,
                     missing == 1 ? "is" : "are", names, missing > named ? ", ..." : "");
}

static int check(merge_share *shares, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int code = share_read(shares[i].path, &shares[i].share);
        if (code == TOOL_GO_ON)
            code = compare(&shares[0], &shares[i]);
        if (code != TOOL_GO_ON)
            return code;
    }
    qsort(shares, count, sizeof(*shares), by_place);
    for (size_t i = 1; i < count; i++)
        if (shares[i].share.k == shares[i - 1].share.k)
            return tool_fail(TOOL_INPUT, "%s and %s are both share %llu of %llu",
                             shares[i - 1].path, shares[i].path,
                             (unsigned long long)shares[i].share.k,
                             (unsigned long long)shares[i].share.n);
    return find_missing(shares, count);
}

/* Copies the shares to the output or, if their sums are given, adds them up. */
static int copy(const merge_share *shares, size_t count, out_file *out, rdf_sums *sums,
                tool_timing *timing)
{
    for (size_t i = 0; i < count && !out_is_closed(out); i++) {
        const tool_share *s = &shares[i].share;
        uint64_t bytes, hash;
        int code = share_copy(shares[i].path, sums ? NULL : out, TOOL_INPUT, &bytes, &hash);
        if (code == TOOL_GO_ON && (bytes != s->bytes || hash != s->hash))
            code = tool_fail(
                TOOL_INPUT, "%s: not the %llu bytes that its run wrote: run --part %llu/%llu again",
                shares[i].path, (unsigned long long)s->bytes, (unsigned long long)s->k,
                (unsigned long long)s->n);
        if (code == TOOL_GO_ON)
            code = sums ? rdf_add_share(shares[i].path, sums) : out_check(out);
        if (code != TOOL_GO_ON)
            return code;
        timing->bytes += bytes;
        progress_show((double)(i + 1) / (double)count, i + 1);
    }
    return TOOL_GO_ON;
}

static int merge(const tool_common *common, merge_share *shares, size_t count)
{
    tool_timing timing = {0};
    double start = tool_seconds();
    coordination_table table = {.whole = true};
    rdf_sums sums = {0};
    int code = check(shares, count);
    if (code != TOOL_GO_ON)
        return code;
    bool adds = strcmp(shares[0].share.command, "rdf") == 0;
    code = adds ? table_open(&table, common->output) : out_open(common->output, &table.out);
    if (code != TOOL_DONE && code != TOOL_GO_ON)
        return code;
    progress_start("share", !common->quiet);
    code = copy(shares, count, table.out, adds ? &sums : NULL, &timing);
    if (code == TOOL_GO_ON && adds)
        code = rdf_write(&sums, &table, NULL);
    progress_end();
    free(sums.counts);
    if (code != TOOL_GO_ON) {
        out_discard(&table.out, 1);
        return code;
    }
    code = out_finish(&table.out, 1);
    timing.write_s = tool_seconds() - start;
    if (code == TOOL_DONE && !out_reader_left()) {
        tool_summary(common, "%zu share%s, %llu bytes: %s of mote %s, %llu in all", count,
                     tool_plural(count), (unsigned long long)timing.bytes, shares[0].share.output,
                     shares[0].share.command, (unsigned long long)shares[0].share.total);
        tool_timing_print(common, "merge", "", &timing);
    }
    return code;
}

static int no_option(void *state, int id, const char *value)
{
    (void)state;
    (void)id;
    (void)value;
    return TOOL_GO_ON;
}

static int merge_run(const tool_command *self, int argc, char **argv)
{
    tool_common common = {0};
    int first;
    int code = tool_parse(self, argc, argv, &common, no_option, NULL, &first);
    if (code != TOOL_GO_ON)
        return code;
    merge_share *shares = calloc((size_t)argc, sizeof(*shares));
    if (!shares)
        return tool_fail(TOOL_DEVICE, "out of memory");
    size_t count = 0;
    for (int i = first; i < argc; i++)
        if (!tool_ends_with(argv[i], ".share"))
            shares[count++].path = argv[i];
    const char *const outputs[] = {common.output, common.trace};
    code = same_refuse(argv + first, (size_t)(argc - first), outputs, 2);
    if (code == TOOL_GO_ON)
        code = count ? merge(&common, shares, count)
                     : tool_fail(TOOL_USAGE, "no share given (see mote merge --help)");
    free(shares);
    return code;
}

const tool_command tool_merge = {
    .name = "merge",
    .arguments = "SHARE...",
    .summary = "join the outputs of all shares of --part",
    .about =
        "Joins the outputs of all shares of --part, of mote clusters or mote coordination, in\n"
        "their order, or adds up the counts of mote rdf. The result has the same bytes as the\n"
        "output of a run without --part and with the same -o.\n"
        "SHARE is a file that such a run wrote, such as colvar.*-of-8; the file NAME.share must\n"
        "be in the same folder as NAME. Names that end in .share are skipped.\n\n"
        "Each share must be there once and complete, and all shares must belong to the same\n"
        "output of the same run. Otherwise the exit status is 2, and the message names the\n"
        "shares to run again.",
    .examples = "mote merge clusters.*-of-16.csv -o clusters.csv\n"
                "mote merge colvar.*-of-8 -o colvar",
    .options = NULL,
    .run = merge_run,
};
