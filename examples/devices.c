/* SPDX-License-Identifier: Apache-2.0 */
/* All devices of the machine: each has a context and a thread, and takes the next block when it is
 * ready. */
#include <mote/mote.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCKS 6
#define N      100000

typedef struct work {
    pthread_mutex_t lock;
    int next;
    double sums[BLOCKS]; /* each in its place, so the order of the devices does not matter */
} work;

typedef struct worker {
    pthread_t thread;
    work *shared;
    char spec[64];
    mote_status status;
    char sentence[512]; /* the last error belongs to the thread that failed */
} worker;

static int take(work *shared)
{
    pthread_mutex_lock(&shared->lock);
    int block = shared->next < BLOCKS ? shared->next++ : BLOCKS;
    pthread_mutex_unlock(&shared->lock);
    return block;
}

static mote_status add_block(mote_context *ctx, mote_host *host, float *values, int block,
                             double *sum)
{
    for (int i = 0; i < N; i++)
        values[i] = (float)(block * N + i);
    mote_reduce_host_args args;
    mote_reduce_host_args_init(&args);
    args.values = values, args.type = MOTE_FLOAT32, args.n = N;
    args.result = sum, args.result_type = MOTE_FLOAT64;
    return mote_reduce_host(ctx, host, &args);
}

static void *run(void *argument)
{
    worker *w = argument;
    mote_context *ctx = NULL;
    mote_host *host = NULL;
    float *values = malloc(N * sizeof(*values));
    w->status = values ? mote_context_open(w->spec, &ctx) : MOTE_ERROR_OUT_OF_HOST_MEMORY;
    if (!w->status)
        w->status = mote_host_create(ctx, NULL, &host);
    for (int block; !w->status && (block = take(w->shared)) < BLOCKS;)
        w->status = add_block(ctx, host, values, block, &w->shared->sums[block]);
    snprintf(w->sentence, sizeof(w->sentence), "%s", w->status ? mote_last_error() : "");
    mote_host_release(host);
    mote_context_release(ctx);
    free(values);
    return NULL;
}

int main(void)
{
    work shared = {.next = 0};
    mote_device_info *devices = NULL;
    size_t count = 0, started = 0;
    mote_status status = mote_devices(sizeof(*devices), &devices, &count);
    if (status || count == 0) {
        fprintf(stderr, "%s\n", status ? mote_last_error() : "no OpenCL device");
        return EXIT_FAILURE;
    }
    worker *workers = calloc(count, sizeof(*workers));
    int failed = !workers || pthread_mutex_init(&shared.lock, NULL);
    for (; !failed && started < count; started++) {
        worker *w = &workers[started];
        w->shared = &shared;
        snprintf(w->spec, sizeof(w->spec), "%s", devices[started].spec);
        if (pthread_create(&w->thread, NULL, run, w))
            break;
    }
    failed |= started < count;
    for (size_t i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
        if (workers[i].status)
            fprintf(stderr, "%s: %s\n", workers[i].spec, workers[i].sentence);
        failed |= workers[i].status != MOTE_SUCCESS;
    }
    for (int block = 0; block < BLOCKS && !failed; block++)
        printf("%d + ... + %d = %.0f\n", block * N, block * N + N - 1, shared.sums[block]);
    mote_devices_free(devices);
    free(workers);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
