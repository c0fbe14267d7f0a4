/* SPDX-License-Identifier: Apache-2.0 */
/* One context, used by four threads at once; each has a mote_host, so a queue, of its own. */
#include <mote/mote.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define N       100000

typedef struct job {
    pthread_t thread;
    mote_context *ctx;
    int first; /* of the numbers to add */
    double sum;
    mote_status status;
    char sentence[512]; /* the last error belongs to the thread that failed */
} job;

static void *work(void *argument)
{
    job *j = argument;
    mote_host *host = NULL;
    float *values = malloc(N * sizeof(*values));
    mote_reduce_host_args args;
    mote_reduce_host_args_init(&args);
    args.values = values, args.type = MOTE_FLOAT32, args.n = N;
    args.result = &j->sum, args.result_type = MOTE_FLOAT64;
    j->status = values ? mote_host_create(j->ctx, NULL, &host) : MOTE_ERROR_OUT_OF_HOST_MEMORY;
    if (!j->status) {
        for (int i = 0; i < N; i++)
            values[i] = (float)(j->first + i);
        j->status = mote_reduce_host(j->ctx, host, &args);
    }
    snprintf(j->sentence, sizeof(j->sentence), "%s", j->status ? mote_last_error() : "");
    mote_host_release(host);
    free(values);
    return NULL;
}

int main(void)
{
    job jobs[THREADS];
    mote_context *ctx = NULL;
    int failed = 0, started = 0;
    if (mote_context_open(NULL, &ctx)) {
        fprintf(stderr, "%s\n", mote_last_error());
        return EXIT_FAILURE;
    }
    for (int t = 0; t < THREADS; t++) {
        jobs[t] = (job){.ctx = ctx, .first = t * N};
        if (pthread_create(&jobs[t].thread, NULL, work, &jobs[t]))
            break;
        started++;
    }
    for (int t = 0; t < started; t++) {
        pthread_join(jobs[t].thread, NULL);
        if (jobs[t].status)
            fprintf(stderr, "%s: %s\n", mote_status_name(jobs[t].status), jobs[t].sentence);
        else
            printf("%d + ... + %d = %.0f\n", jobs[t].first, jobs[t].first + N - 1, jobs[t].sum);
        failed |= jobs[t].status != MOTE_SUCCESS;
    }
    mote_context_release(ctx); /* when no thread uses it any more */
    return failed || started < THREADS ? EXIT_FAILURE : EXIT_SUCCESS;
}
