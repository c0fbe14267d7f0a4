/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the threads of a job, from its beginning to its end. */
#include "job.h"

#include "../progress.h"

#include <stdlib.h>

int coordination_begin(coordination_job *job, coordination_options *options,
                       bool (*work)(device_worker *worker, size_t slot),
                       void (*end)(device_worker *worker))
{
    int code = TOOL_GO_ON;
    *job = (coordination_job){
        .options = options, .input = -1, .wake = {-1, -1}, .read_failure.code = TOOL_GO_ON};
    job->workers = (device_workers){.pipeline = &job->pipeline,
                                    .each = 1,
                                    .job = job,
                                    .work = work,
                                    .end = end,
                                    .failure.code = TOOL_GO_ON};
    progress_start("frame", !options->common.quiet);
    job->batches =
        workers_prepare(&job->workers, options->common.device, 2, sizeof(*job->batches), &code);
    return code;
}

static bool start(pthread_t *thread, void *(*run)(void *), void *user)
{
    return pthread_create(thread, NULL, run, user) == 0;
}

/* Runs the threads until all frames are written or one of the threads fails. */
int coordination_run_threads(coordination_job *job, int (*write)(coordination_job *job))
{
    pthread_t reading, computing;
    if (!start(&reading, coordination_read, job))
        return tool_fail(TOOL_DEVICE, "no thread can be started");
    bool two = start(&computing, workers_run, &job->workers);
    int code = two ? write(job) : tool_fail(TOOL_DEVICE, "no thread can be started");
    pipeline_stop(&job->pipeline);
    coordination_give_up(job);
    pthread_join(reading, NULL);
    if (two)
        pthread_join(computing, NULL);
    job->timing.device_s = job->workers.device_s;
    return code;
}

void coordination_release(coordination_job *job)
{
    progress_end();
    for (size_t i = 0; job->batches && i < job->pipeline.slots; i++) {
        coordination_batch *batch = &job->batches[i];
        double *const arrays[] = {batch->positions,   batch->box,    batch->time,
                                  batch->value,       batch->virial, batch->derivatives,
                                  batch->coordination};
        for (size_t k = 0; k < sizeof(arrays) / sizeof(arrays[0]); k++)
            free(arrays[k]);
        free(batch->number);
    }
    free(job->batches);
    free(job->tables);
    plot_free(&job->plot);
    free(job->outs);
    coordination_close(job);
    devices_close(&job->workers.devices);
    if (job->pipeline.slots)
        pipeline_free(&job->pipeline);
}
