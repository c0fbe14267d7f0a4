/* SPDX-License-Identifier: Apache-2.0 */
/* The area of the benchmark that sums coordination numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/coordination/limit.h"
#include "bench/coordination/row.h"

#define MOST_SECONDS 1.5   /* seconds of one call: longer ones are skipped */
#define QUICK_ATOMS  10000 /* unless a set is named */

/* The table's lines for one system, in this order. */
static const mote_atoms_way ways[] = {
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_SINGLE, false, false, false},
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_SINGLE, true, false, false},
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_MIXED, false, false, false},
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_MIXED, true, false, false},
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_DOUBLE, false, false, false},
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_DOUBLE, true, false, false},
    {MOTE_COORDINATION_CELLS, MOTE_PRECISION_SINGLE, false, false, false},
    {MOTE_COORDINATION_CELLS, MOTE_PRECISION_SINGLE, true, false, false},
    {MOTE_COORDINATION_CELLS, MOTE_PRECISION_MIXED, false, false, false},
    {MOTE_COORDINATION_CELLS, MOTE_PRECISION_MIXED, true, false, false},
    {MOTE_COORDINATION_CELLS, MOTE_PRECISION_DOUBLE, false, false, false},
    {MOTE_COORDINATION_CELLS, MOTE_PRECISION_DOUBLE, true, false, false},
    {MOTE_COORDINATION_CELLS, MOTE_PRECISION_SINGLE, true, true, false},
    {MOTE_COORDINATION_CELLS, MOTE_PRECISION_SINGLE, true, true, true},
    {MOTE_COORDINATION_CELLS, MOTE_PRECISION_DOUBLE, true, true, false},
};

#define N_WAYS (sizeof(ways) / sizeof(ways[0]))

/* The lines that a line with a skin is compared with. */
#define CELLS_SINGLE 7
#define CELLS_DOUBLE 11

/* The speed of the last system's pairs, from which the next system's time is estimated; 0 = not
 * known yet. */
typedef struct paces {
    double own[N_WAYS], native[N_WAYS]; /* pairs a second */
} paces;

static mote_repeats repeats_of(const mote_bench_state *bench)
{
    if (bench->options->quick)
        return (mote_repeats){.warm_up = 2, .runs = 5, .budget = 0.06};
    return mote_bench_repeats(bench);
}

static bool takes_too_long(double pairs, double pace)
{
    return pace > 0 && pairs / pace > MOST_SECONDS;
}

static mote_bench_status fail(const mote_atoms_job *j, mote_bench_status status, const char *what)
{
    snprintf(j->bench->message, j->bench->size, "coordination of %s atoms: %s", j->set->name, what);
    return status;
}

/* ---- the library ----------------------------------------------------------------------------- */

/* Checks both layers before either is timed. MOTE_ERROR_UNSUPPORTED sets `unsupported`. */
static mote_bench_status check(mote_atoms_job *j, bool *unsupported)
{
    char message[300];
    mote_status st = mote_atoms_poison(j) ? mote_atoms_call(j) : CL_OUT_OF_RESOURCES;

    *unsupported = st == MOTE_ERROR_UNSUPPORTED;
    if (*unsupported)
        return MOTE_BENCH_OK;
    if (st || !mote_atoms_fetch(j))
        return fail(j, MOTE_BENCH_DEVICE, mote_last_error());
    if (j->bench->options->no_check)
        return MOTE_BENCH_OK;
    if (!mote_atoms_right(j, message, sizeof(message)))
        return fail(j, MOTE_BENCH_DISAGREE, message);
    j->value = j->virial[0] = NAN;
    memset(j->derivatives, 0xff, 3 * j->set->n * sizeof(double));
    if (mote_atoms_call_whole(j))
        return fail(j, MOTE_BENCH_DEVICE, mote_last_error());
    return mote_atoms_right(j, message, sizeof(message)) ? MOTE_BENCH_OK
                                                         : fail(j, MOTE_BENCH_DISAGREE, message);
}

static mote_bench_status time_way(mote_atoms_job *j, mote_atoms_row *row)
{
    mote_bench_state *bench = j->bench;
    mote_repeats repeats = repeats_of(bench);

    if (mote_time_call(bench->queue, mote_atoms_call, j, repeats, &row->times) ||
        mote_time_whole(mote_atoms_call_whole, j, repeats, &row->whole))
        return fail(j, MOTE_BENCH_DEVICE, mote_last_error());
    return MOTE_BENCH_OK;
}

static mote_bench_status check_alone(void *data)
{
    mote_atoms_job *j = data;
    bool unsupported = false;
    mote_bench_status status = check(j, &unsupported);

    return unsupported ? fail(j, MOTE_BENCH_DEVICE, mote_last_error()) : status;
}

/* Times the call of a row by its name, such as "cells mixed derivatives". */
static mote_bench_status try_way(mote_atoms_job *j, bool *tried)
{
    static const char *const precisions[] = {"mixed", "single", "double"};
    mote_bench_row row = {.area = "coordination", .call = "coordination", .set = j->set->name};
    mote_bench_status status = MOTE_BENCH_OK;

    snprintf(row.way, sizeof(row.way), "%s %s%s",
             j->way.method == MOTE_COORDINATION_CELLS ? "cells" : "all_pairs",
             precisions[j->way.precision],
             j->way.moves         ? " moves"
             : j->way.skin        ? " skin"
             : j->way.derivatives ? " derivatives"
                                  : "");
    *tried = mote_bench_try(j->bench, &row, mote_atoms_call, check_alone, j, &status);
    return status;
}

static mote_bench_status run_way(mote_atoms_job *j, const mote_atoms_limit *limit, size_t k,
                                 paces *known, double peer_us)
{
    mote_bench_state *bench = j->bench;
    mote_atoms_row row = {.set = j->set, .way = ways[k], .peer_us = peer_us};
    double pairs = mote_atoms_pairs(j->set, &ways[k]);
    bool unsupported = false;
    mote_bench_status status = MOTE_BENCH_OK;

    if (takes_too_long(pairs, known->own[k])) {
        mote_atoms_row_skip(bench, j->set, &ways[k], "left out: one call takes too long");
        return MOTE_BENCH_OK;
    }
    mote_status st = mote_atoms_job_plan(j, &ways[k]);

    if (st && st != MOTE_ERROR_UNSUPPORTED)
        return fail(j, MOTE_BENCH_DEVICE, mote_last_error());
    bool tried = false;

    if (!st)
        status = try_way(j, &tried);
    if (tried)
        return status;
    if (!st)
        status = check(j, &unsupported);
    if (st || unsupported) {
        char why[300];

        snprintf(why, sizeof(why), "unsupported: %s", mote_last_error());
        mote_atoms_row_skip(bench, j->set, &ways[k], why);
        return MOTE_BENCH_OK;
    }
    if (!status)
        status = time_way(j, &row);
    if (!status) {
        mote_atoms_row_print(bench, limit, &row);
        known->own[k] = pairs / (row.times.device.median * 1e-6);
    }
    return status;
}

/* ---- native code ----------------------------------------------------------------------------- */

typedef struct native {
    mote_coordination_peer_fn fn;
    mote_coordination_native in;
    mote_coordination_native_out out;
} native;

static mote_status call_native(void *data)
{
    native *p = data;

    return p->fn(&p->in, &p->out) ? MOTE_SUCCESS : MOTE_ERROR_OUT_OF_HOST_MEMORY;
}

static native native_of(mote_atoms_job *j, const mote_coordination_peer *peer)
{
    bool in_double = j->way.precision == MOTE_PRECISION_DOUBLE;
    double d_max = peer->cells ? MOTE_ATOMS_NEAR : 0.3 * pow(1e-5, -1.0 / 6.0);
    double end = 1 / (1 + pow(d_max / 0.3, 6));

    return (native){.fn = in_double ? peer->f64 : peer->f32,
                    .in = {.n = j->set->n,
                           .positions32 = in_double ? NULL : j->positions32,
                           .positions64 = in_double ? j->system.positions : NULL,
                           .side = j->system.box[0],
                           .r_0 = 0.3,
                           .d_max = d_max,
                           .stretch = 1 / (1 - end),
                           .shift = -end / (1 - end),
                           .derivatives = j->way.derivatives},
                    .out = {.derivatives = j->derivatives}};
}

/* Native float sums of a row have larger errors than those of the library. */
static bool native_right(const mote_atoms_job *j, const native *p, bool cells)
{
    const mote_atoms_known *known = cells ? &j->set->near : &j->set->all;
    double relative = p->in.positions64 ? 1e-9 : 1e-4;
    double trace = p->out.virial[0] + p->out.virial[4] + p->out.virial[8];

    return fabs(p->out.value - known->value) <= relative * known->value &&
           (!p->in.derivatives || fabs(trace - known->trace) <= relative * known->trace);
}

static const mote_coordination_peer *peer_of(const mote_bench_state *bench, bool cells)
{
    const mote_bench_peers *peers = bench->options->peers;

    for (int i = 0; peers && i < MOTE_BENCH_MOST_PEERS && peers->coordination[i].name; i++)
        if (peers->coordination[i].cells == cells)
            return &peers->coordination[i];
    return NULL;
}

/* Times the native code that row k is compared with; single and mixed precision share it. */
static mote_bench_status run_native(mote_atoms_job *j, size_t k, paces *known, double *us)
{
    bool cells = ways[k].method == MOTE_COORDINATION_CELLS;
    const mote_coordination_peer *peer = peer_of(j->bench, cells);
    double pairs = mote_atoms_pairs(j->set, &ways[k]);
    mote_spread times = {0};

    *us = 0;
    if (!peer || takes_too_long(pairs, known->native[k]))
        return MOTE_BENCH_OK;
    j->way = ways[k];
    native p = native_of(j, peer);

    if (mote_time_whole(call_native, &p, repeats_of(j->bench), &times))
        return mote_bench_no_memory(j->bench, j->set->name);
    if (!native_right(j, &p, cells)) {
        char what[120];

        snprintf(what, sizeof(what), "%s gives a value of %.12g", peer->name, p.out.value);
        return fail(j, MOTE_BENCH_DISAGREE, what);
    }
    *us = times.low; /* the best time, because other processes also use the machine */
    known->native[k] = pairs / (times.low * 1e-6);
    mote_atoms_row_peer(j->bench, j->set, &ways[k], peer->name, times.low);
    return MOTE_BENCH_OK;
}

/* ---- sets ------------------------------------------------------------------------------------ */

static bool wants_method(const mote_bench_state *bench, mote_coordination_method method)
{
    return mote_bench_wants(bench, method == MOTE_COORDINATION_CELLS ? "cells" : "all_pairs");
}

static mote_bench_status run_set(mote_bench_state *bench, const mote_atoms_set *set,
                                 const mote_atoms_limit *limit, paces *known)
{
    mote_atoms_job j;
    double peer_us[N_WAYS] = {0};
    bool gpu = mote_context_device(bench->ctx)->device_class == MOTE_DEVICE_GPU;
    mote_bench_status status = mote_atoms_job_create(bench, set, &j);

    for (size_t k = 0; k < N_WAYS && !status; k++) {
        bool mixed = ways[k].precision == MOTE_PRECISION_MIXED;

        if (!wants_method(bench, ways[k].method) || (ways[k].skin && !gpu))
            continue;
        if (ways[k].skin)
            peer_us[k] =
                peer_us[ways[k].precision == MOTE_PRECISION_DOUBLE ? CELLS_DOUBLE : CELLS_SINGLE];
        else if (mixed)
            peer_us[k] = peer_us[k - 2];
        else
            status = run_native(&j, k, known, &peer_us[k]);
        if (!status)
            status = run_way(&j, limit, k, known, peer_us[k]);
    }
    mote_atoms_job_release(&j);
    return status;
}

static mote_bench_status run_sums(mote_bench_state *bench)
{
    const char *wanted = bench->options->set;
    bool limits = !bench->options->trial;
    const mote_atoms_limit limit = {{limits ? mote_fma_rate(bench->ctx, bench->queue, false) : 0.0,
                                     limits ? mote_fma_rate(bench->ctx, bench->queue, true) : 0.0}};
    const mote_atoms_set *set;
    mote_bench_status status = MOTE_BENCH_OK;
    paces known = {{0}, {0}};

    mote_atoms_row_head(bench, &limit);
    for (size_t k = 0; !status && (set = mote_atoms_set_at(k)); k++) {
        if (wanted && strcmp(wanted, set->name) != 0)
            continue;
        if (bench->options->quick && !wanted && set->n > QUICK_ATOMS)
            mote_atoms_row_skip(bench, set, NULL, "left out: a quick run");
        else
            status = run_set(bench, set, &limit, &known);
    }
    if (bench->options->table)
        fputc('\n', bench->options->table);
    return status;
}

const char *mote_bench_coordination_call(size_t k)
{
    static const char *const calls[] = {"all_pairs", "cells", "neighbours", "steinhardt", NULL};

    return calls[k];
}

mote_bench_status mote_bench_coordination(mote_bench_state *bench)
{
    bool sums = wants_method(bench, MOTE_COORDINATION_CELLS) ||
                wants_method(bench, MOTE_COORDINATION_ALL_PAIRS);
    mote_bench_status status = sums ? run_sums(bench) : MOTE_BENCH_OK;

    if (!status && mote_bench_wants(bench, "neighbours"))
        status = mote_bench_neighbours(bench);
    return !status && mote_bench_wants(bench, "steinhardt") ? mote_bench_steinhardt(bench) : status;
}
