/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/bandwidth.h"

static const profile_kernel *sorted_from;

/* Sorts the longest first. */
static int by_time(const void *a, const void *b)
{
    const profile_kernel *p = sorted_from + *(const size_t *)a;
    const profile_kernel *q = sorted_from + *(const size_t *)b;
    return (p->ns < q->ns) - (p->ns > q->ns);
}

/* Measures the rate of a copy on the device in GB/s, bytes read and written; returns 0 if that is
 * impossible. */
static double measure_copy(const profile_device *device)
{
    mote_context *ctx = NULL;
    cl_command_queue queue = NULL;
    double rate = 0.0;
    if (!mote_context_create(device->context, device->id, &ctx) &&
        !mote_context_queue(ctx, CL_QUEUE_PROFILING_ENABLE, &queue))
        rate = mote_bandwidth_measure(ctx, queue, true).memory[MOTE_TRAFFIC_COPY].gb_s;
    if (queue)
        clReleaseCommandQueue(queue);
    mote_context_release(ctx);
    return rate;
}

static void print_kernel(const profile_kernel *k, double busy_ns, double copy_rate)
{
    char bytes[32] = "-", rate[32] = "-", share[32] = "-";
    double gb_s = k->ns > 0.0 ? k->bytes / k->ns : 0.0;
    if (!k->unsaid) {
        snprintf(bytes, sizeof(bytes), "%.3f", 1e-6 * k->bytes);
        snprintf(rate, sizeof(rate), "%.1f", gb_s);
        if (copy_rate > 0.0 && !k->copies)
            snprintf(share, sizeof(share), "%.1f %%", 100.0 * gb_s / copy_rate);
    }
    fprintf(stderr, "  %-32s %9llu %12.3f %7.1f %% %12s %9s %10s\n", k->name,
            (unsigned long long)k->launches, 1e-6 * k->ns,
            busy_ns > 0.0 ? 100.0 * k->ns / busy_ns : 0.0, bytes, rate, share);
}

static void print_device(const profile_record *r, size_t device, const size_t *order)
{
    const profile_device *d = &r->devices[device];
    double copy_rate = measure_copy(d);
    fprintf(stderr, "%s: %.3f ms on the device\n", d->name, 1e-6 * d->busy_ns);
    fprintf(stderr, "  %-32s %9s %12s %9s %12s %9s %10s\n", "kernel", "launches", "ms", "of time",
            "MB", "GB/s", "of a copy");
    for (size_t i = 0; i < r->n_kernels; i++)
        if (r->kernels[order[i]].device == device)
            print_kernel(&r->kernels[order[i]], d->busy_ns, copy_rate);
    if (copy_rate > 0.0)
        fprintf(stderr,
                "  A copy in this device's memory moves %.1f GB/s, bytes read and written.\n",
                copy_rate);
}

void profile_table(const profile_record *r)
{
    size_t *order = malloc((r->n_kernels + 1) * sizeof(*order));
    for (size_t i = 0; order && i < r->n_kernels; i++)
        order[i] = i;
    if (order) {
        sorted_from = r->kernels;
        qsort(order, r->n_kernels, sizeof(*order), by_time);
        for (size_t d = 0; d < r->n_devices; d++)
            print_device(r, d, order);
    }
    if (r->n_devices && order)
        fputs("  MB are the least that a kernel must move, - where it does not say; caches can "
              "make it faster\n  than a copy.\n",
              stderr);
    if (!r->n_devices)
        fputs("No kernel was launched.\n", stderr);
    if (r->untimed)
        fprintf(stderr, "  %zu launch%s without times.\n", r->untimed,
                r->untimed == 1 ? " is" : "es are");
    free(order);
}
