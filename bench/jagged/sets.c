/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/jagged/sets.h"
#include "bench/reduce/values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTHS(KIND, LISTS, MEAN, SIZE)                                                           \
    {                                                                                              \
        .kind = MOTE_LENGTH_##KIND, .lists = (LISTS), .mean = (MEAN), .size = (SIZE),              \
        .seed = 20260101                                                                           \
    }

static const mote_jagged_set sets[] = {
    {"5000x100", LENGTHS(POISSON, 5000, 100, 0)},
    {"50kx100", LENGTHS(POISSON, 50000, 100, 0)},
    {"1e6x100", LENGTHS(POISSON, 1000000, 100, 0)},
    {"2.7e6x100", LENGTHS(POISSON, 2684355, 100, 0)},
    {"1e7x10", LENGTHS(POISSON, 10000000, 10, 0)},
    {"1e8x1", LENGTHS(POISSON, 100000000, 1, 0)},
    {"100x2.7e6", LENGTHS(POISSON, 100, 2684355, 0)},
    {"power", LENGTHS(ONE_HUGE, 1000000, 27.5, 27500000)},
    {"filled-0.1", LENGTHS(FILLED, 100000000, 0.1, 0)},
    {"filled-0.001", LENGTHS(FILLED, 100000000, 0.001, 0)},
    {"two-huge", LENGTHS(TWO_HUGE, 100000002, 0, 5000000)},
};

#define N_SETS (sizeof(sets) / sizeof(sets[0]))

#define QUICK_SIZE ((double)(1 << 20))
#define CPU_SIZE   1.2e8

size_t mote_jagged_set_count(void)
{
    return N_SETS;
}

const mote_jagged_set *mote_jagged_set_at(size_t k)
{
    return &sets[k];
}

const char *mote_bench_jagged_set(size_t k)
{
    return k < N_SETS ? sets[k].name : NULL;
}

/* Returns the approximate number of lists and elements together. */
static double size_of(const mote_lengths *how)
{
    double lists = (double)how->lists, size = (double)how->size;

    if (how->kind == MOTE_LENGTH_TWO_HUGE)
        return lists + 2 * size;
    return lists * (1 + how->mean) + size;
}

/* Returns the largest set that fits: offsets, an output and a result of 4 bytes each, and
 * scratch. */
static double most_size(const mote_bench_state *bench)
{
    const mote_device_info *d = mote_context_device(bench->ctx);
    double most = (double)d->max_alloc_bytes / 4, all = (double)d->global_bytes / 16;

    most = all < most ? all : most;
    if (d->device_class == MOTE_DEVICE_CPU && most > CPU_SIZE)
        most = CPU_SIZE;
    return bench->options->quick && most > QUICK_SIZE ? QUICK_SIZE : most;
}

static void halve(mote_lengths *how)
{
    if (how->lists > 1000)
        how->lists /= 2;
    else
        how->mean /= 2;
    how->size /= 2;
}

/* Writes the offsets to the file SET.offsets of the folder that --dump names, for other programs on
 * the same lists. */
static mote_bench_status dump(const mote_bench_state *bench, const mote_jagged_input *in)
{
    char path[4096];
    size_t count = in->lists + 1;

    snprintf(path, sizeof(path), "%s/%s.offsets", bench->options->dump, in->set->name);

    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(in->offsets, sizeof(int32_t), count, file) == count;

    if (file && fclose(file) != 0)
        written = false;
    if (!written)
        snprintf(bench->message, bench->size, "cannot write %s: %s", path, strerror(errno));
    return written ? MOTE_BENCH_OK : MOTE_BENCH_OUTPUT;
}

mote_bench_status mote_jagged_input_create(const mote_bench_state *bench,
                                           const mote_jagged_set *set, mote_jagged_input *in)
{
    mote_lengths lengths = set->lengths;
    double most = most_size(bench);

    *in = (mote_jagged_input){.set = set, .scale = 1};
    for (; size_of(&lengths) > most; in->scale *= 2)
        halve(&lengths);
    in->lists = lengths.lists;
    in->offsets = malloc((in->lists + 1) * sizeof(int32_t));
    if (!in->offsets || !mote_lengths_fill(&lengths, MOTE_INT32, 0, in->offsets))
        return mote_bench_no_memory(bench, set->name);
    in->n = (size_t)in->offsets[in->lists];
    for (size_t k = 0; k < in->lists; k++) {
        size_t length = (size_t)(in->offsets[k + 1] - in->offsets[k]);

        in->longest = length > in->longest ? length : in->longest;
        in->filled += length > 0;
    }
    in->mem = mote_bench_buffer(bench, (in->lists + 1) * sizeof(int32_t), in->offsets);
    if (!in->mem)
        return mote_bench_no_memory(bench, set->name);
    return bench->options->dump ? dump(bench, in) : MOTE_BENCH_OK;
}

void mote_jagged_input_release(mote_jagged_input *in)
{
    if (in->mem)
        clReleaseMemObject(in->mem);
    free(in->offsets);
    *in = (mote_jagged_input){0};
}

mote_bench_status mote_jagged_floats_create(const mote_bench_state *bench,
                                            const mote_jagged_input *in, mote_jagged_floats *floats)
{
    size_t bytes = in->n * sizeof(float), results = in->lists * sizeof(float);

    *floats = (mote_jagged_floats){.values = malloc(bytes + 1), .result = malloc(results + 1)};
    if (floats->values) {
        mote_bench_values_f32(floats->values, in->n, 1);
        floats->mem_values = mote_bench_buffer(bench, bytes, floats->values);
    }
    floats->mem_result = mote_bench_buffer(bench, results, NULL);
    return floats->result && floats->mem_values && floats->mem_result
               ? MOTE_BENCH_OK
               : mote_bench_no_memory(bench, in->set->name);
}

void mote_jagged_floats_release(mote_jagged_floats *floats)
{
    if (floats->mem_values)
        clReleaseMemObject(floats->mem_values);
    if (floats->mem_result)
        clReleaseMemObject(floats->mem_result);
    free(floats->values);
    free(floats->result);
    *floats = (mote_jagged_floats){0};
}

mote_bench_row mote_jagged_row(const mote_jagged_input *in, const char *call)
{
    return (mote_bench_row){
        .area = "jagged",
        .call = call,
        .set = in->set->name,
        .lists = in->lists,
        .n = in->n,
        .scale = in->scale,
    };
}
