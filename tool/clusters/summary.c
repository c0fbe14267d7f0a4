/* SPDX-License-Identifier: Apache-2.0 */
/* The messages at the end of a run. */
#include "job.h"

#include "../common/building.h"

#include <stdio.h>
#include <stdlib.h>

/* The reasons why digis have no cluster; "" if all have one. */
static void dropped_text(const clusters_counts *counts, bool hits, char *text, size_t size)
{
    const struct {
        uint64_t count;
        const char *why;
    } all[] = {{counts->invalid, hits ? "rows or packets without a hit" : "invalid"},
               {counts->masked, "masked"},
               {counts->below, "below the threshold"},
               {counts->repeated, "repeated"},
               {counts->cut, "in cut clusters"}};
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
        if (all[k].count && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%llu %s",
                                     used ? ", " : "; dropped: ", (unsigned long long)all[k].count,
                                     all[k].why);
}

/* Warns about possible mistakes of the user. */
static void print_warnings(const clusters_job *job)
{
    const clusters_counts *counts = &job->counts;
    if (job->ignored[0])
        tool_note(&job->options->common, "columns that are not read: %s", job->ignored);
    if (counts->lost || counts->changed)
        tool_note(
            &job->options->common,
            "as integers, %llu charge%s became 0 and %llu changed by more than 0.1 %%: charges "
            "of this file differ too much in size, or --adc-scale is too small",
            (unsigned long long)counts->lost, tool_plural(counts->lost),
            (unsigned long long)counts->changed);
}

/* The counts for --timing. */
static void timing_counts(const clusters_counts *counts, char *text, size_t size)
{
    snprintf(text, size,
             "\"digis\": %llu, \"clusters\": %llu, \"invalid\": %llu, \"masked\": %llu, "
             "\"below_threshold\": %llu, \"repeated\": %llu, \"cut\": %llu",
             (unsigned long long)counts->digis, (unsigned long long)counts->clusters,
             (unsigned long long)counts->invalid, (unsigned long long)counts->masked,
             (unsigned long long)counts->below, (unsigned long long)counts->repeated,
             (unsigned long long)counts->cut);
}

void clusters_summary(clusters_job *job, double seconds)
{
    const clusters_counts *counts = &job->counts;
    char text[600], dropped[200], numbers[300], time[80];
    devices_text(&job->workers.devices, text, sizeof(text));
    dropped_text(counts, job->stream != NULL, dropped, sizeof(dropped));
    timing_counts(counts, numbers, sizeof(numbers));
    print_warnings(job);
    if (job->stream)
        tool_summary(&job->options->common, "%llu hit%s of %zu module%s, %llu cluster%s%s; %s; %s",
                     (unsigned long long)counts->digis, tool_plural(counts->digis),
                     job->stream->n_ids, tool_plural(job->stream->n_ids),
                     (unsigned long long)counts->clusters, tool_plural(counts->clusters), dropped,
                     text, building_text(seconds, time, sizeof(time)));
    else
        tool_summary(
            &job->options->common,
            "%llu digi%s in %llu event%s, %llu module%s with clusters, %llu cluster%s%s; %s; %s",
            (unsigned long long)counts->digis, tool_plural(counts->digis),
            (unsigned long long)counts->events, tool_plural(counts->events),
            (unsigned long long)counts->modules, tool_plural(counts->modules),
            (unsigned long long)counts->clusters, tool_plural(counts->clusters), dropped, text,
            building_text(seconds, time, sizeof(time)));
    job->timing.more = numbers;
    char *specs = devices_specs(&job->workers.devices, ",");
    tool_timing_print(&job->options->common, "clusters", specs ? specs : "", &job->timing);
    free(specs);
}
