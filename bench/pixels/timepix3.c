/* SPDX-License-Identifier: Apache-2.0 */
/* Hits from packets of Timepix3. */
#include <stdlib.h>
#include <string.h>

#include "bench/pixels/sets.h"
#include "bench/row.h"
#include "mote/pixels_time.h"
#include "testkit/reference/pixels/timepix3_oracle.h"
#include "testkit/rng.h"

#define PACKETS     ((size_t)10000000)
#define QUICK_SCALE 16
#define SKIP_ONCE   50 /* one packet in this number is not a hit */

enum { IN_PACKETS, OUT_MODULE, OUT_X, OUT_Y, OUT_T, OUT_CHARGE, OUT_COUNT, ARRAYS };

static const size_t element[ARRAYS] = {8, 2, 2, 2, 8, 2, 0};

typedef struct job {
    mote_bench_state *bench;
    size_t n;
    uint32_t hits;
    void *expected[ARRAYS]; /* and the packets */
    cl_mem mem[ARRAYS];
} job;

const char *mote_bench_timepix3_set(size_t k)
{
    return k == 0 ? "packets-1e7" : NULL;
}

static mote_status call(void *data)
{
    const job *j = data;
    mote_pixels_timepix3_args a;

    mote_pixels_timepix3_args_init(&a);
    a.packets = mote_view_make(j->mem[IN_PACKETS], j->n, MOTE_UINT64);
    a.module_id = mote_view_make(j->mem[OUT_MODULE], j->n, MOTE_UINT16);
    a.x = mote_view_make(j->mem[OUT_X], j->n, MOTE_UINT16);
    a.y = mote_view_make(j->mem[OUT_Y], j->n, MOTE_UINT16);
    a.t = mote_view_make(j->mem[OUT_T], j->n, MOTE_INT64);
    a.charge = mote_view_make(j->mem[OUT_CHARGE], j->n, MOTE_UINT16);
    a.n_hits = mote_view_make(j->mem[OUT_COUNT], 1, MOTE_UINT32);
    return mote_pixels_decode_timepix3(j->bench->ctx, j->bench->queue, &a, 0, NULL, NULL);
}

static void draw_packets(job *j)
{
    uint64_t *packets = j->expected[IN_PACKETS];
    uint16_t *const narrow[] = {j->expected[OUT_X], j->expected[OUT_Y], j->expected[OUT_CHARGE]};
    int64_t at = 0, last = 0;
    mote_rng rng;

    mote_rng_seed(&rng, 38);
    memset(j->expected[OUT_MODULE], 0, j->n * sizeof(uint16_t));
    for (size_t i = 0; i < j->n; i++) {
        uint64_t any = mote_rng_next(&rng);
        mote_timepix3_hit hit = {(uint16_t)(any & 255), (uint16_t)(any >> 8 & 255),
                                 (uint16_t)(any >> 16 & 1023), 0};

        at += (int64_t)(any >> 32 & 31);
        hit.t = at - (int64_t)(any >> 40 & 511);
        packets[i] = mote_timepix3_packet(&hit);
        if (mote_rng_below(&rng, SKIP_ONCE) == 0)
            packets[i] = UINT64_C(6) << 60;
        if (!mote_oracle_timepix3(packets[i], &last, &hit))
            continue;
        narrow[0][j->hits] = hit.x;
        narrow[1][j->hits] = hit.y;
        narrow[2][j->hits] = hit.charge;
        ((int64_t *)j->expected[OUT_T])[j->hits++] = hit.t;
    }
}

static bool check(const job *j)
{
    uint32_t hits = 0;
    char *got = malloc(j->n * 8);
    bool good = got != NULL;

    for (size_t k = OUT_MODULE; k < OUT_COUNT; k++)
        good = good && mote_bench_poison(j->bench, j->mem[k], j->n * element[k]);
    good = good && !call((void *)(uintptr_t)j) &&
           mote_bench_read(j->bench, j->mem[OUT_COUNT], sizeof(hits), &hits) && hits == j->hits;
    for (size_t k = OUT_MODULE; k < OUT_COUNT; k++)
        good = good && mote_bench_read(j->bench, j->mem[k], hits * element[k], got) &&
               memcmp(got, j->expected[k], hits * element[k]) == 0;
    free(got);
    return good;
}

static bool prepare(job *j)
{
    bool good = true;

    for (size_t k = 0; k < OUT_COUNT && good; k++) {
        j->expected[k] = malloc(j->n * element[k]);
        good = j->expected[k] != NULL;
    }
    if (good)
        draw_packets(j);
    for (size_t k = 0; k < ARRAYS && good; k++) {
        size_t bytes = k == OUT_COUNT ? sizeof(uint32_t) : j->n * element[k];

        j->mem[k] = mote_bench_buffer(j->bench, bytes, k == IN_PACKETS ? j->expected[k] : NULL);
        good = j->mem[k] != NULL;
    }
    return good;
}

static mote_bench_status time_it(job *j, unsigned scale)
{
    mote_bench_state *bench = j->bench;
    mote_bench_row row = {
        .area = "pixels",
        .call = "timepix3",
        .set = mote_bench_timepix3_set(0),
        .way = "packets",
        .lists = 1,
        .n = j->n,
        .scale = scale,
        .bytes = {.read = 8 * (double)j->n, .written = 16 * (double)j->hits},
    };

    if (!bench->options->no_check && !check(j)) {
        snprintf(bench->message, bench->size, "%s on %s: wrong result", row.call, row.set);
        return MOTE_BENCH_DISAGREE;
    }
    if (mote_time_call(bench->queue, call, j, mote_bench_repeats(bench), &row.times))
        return mote_bench_failed(bench, &row);
    mote_bench_row_print(bench, &row);
    return MOTE_BENCH_OK;
}

static mote_bench_status run_set(mote_bench_state *bench, size_t number)
{
    unsigned scale = bench->options->quick ? QUICK_SCALE : 1;
    job j = {.bench = bench, .n = PACKETS / scale};
    mote_bench_status status = prepare(&j)
                                   ? time_it(&j, scale)
                                   : mote_bench_no_memory(bench, mote_bench_timepix3_set(number));

    for (size_t k = 0; k < ARRAYS; k++) {
        free(j.expected[k]);
        if (j.mem[k])
            clReleaseMemObject(j.mem[k]);
    }
    return status;
}

mote_bench_status mote_bench_timepix3(mote_bench_state *bench)
{
    bench->peer_us = 0;
    return mote_bench_row_sets(bench, "packets of Timepix3; elements are packets",
                               mote_bench_timepix3_set, run_set);
}
