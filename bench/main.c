/* SPDX-License-Identifier: Apache-2.0 */
/* mote-bench: the benchmark with its native peers. */
#include <errno.h>
#include <string.h>

#include "bench/peers/coordination.h"
#include "bench/peers/histogram.h"
#include "bench/peers/jagged.h"
#include "bench/peers/lists.h"
#include "bench/peers/pixels.h"
#include "bench/peers/reduce.h"
#include "bench/peers/reductions.h"
#include "bench/targets.h"

static const char usage[] =
    "usage: mote-bench [--area pixels|jagged|reduce|histogram|coordination] [--set NAME] [--device "
    "SPEC]\n"
    "                  [--quick] [--json FILE] [--no-check] [--no-peers]\n"
    "                  [--only "
    "parents|local_index|reduce|reductions|companions|CALL|all_pairs|cells\n"
    "                          |neighbours|steinhardt|contiguous|positions|mask|gain|charges32\n"
    "                          |first|sum|max|threshold|morph|any|time|digis|measure]\n"
    "                  [--data DIR] [--event one|batch|both] [--order contiguous|any|both]\n"
    "                  [--strategy union_find|histogram|both] [--dump DIR]\n"
    "Times the kernels of a device and native C on this machine's cores. --only takes names of\n"
    "calls, separated by commas; what follows it is for pixels: DIR holds ttbar.bin,\n"
    "phase2.bin, hi.bin and patho.bin; without it events are generated. --dump writes the\n"
    "offsets of each set of lists to DIR, as int32.\n"
    "A wrong NAME lists the right ones.\n";

static const mote_bench_peers peers = {
    .pixels = {{"seed algorithm", mote_peer_pixels_seed},
               {"grid union-find", mote_peer_pixels_grid},
               {"OpenMP grid", mote_peer_pixels_grid_omp}},
    .parents_name = {"sequential", "OpenMP by list", "OpenMP even split"},
    .parents = {mote_peer_parents_sequential, mote_peer_parents_by_list, mote_peer_parents_even},
    .local_index = {mote_peer_local_sequential, mote_peer_local_by_list, mote_peer_local_even},
    .reductions_name = {"OpenMP by list", "OpenMP even split"},
    .reductions = {mote_peer_reductions_by_list, mote_peer_reductions_even},
    .reduce_name = {"sequential", "OpenMP by list", "OpenMP even split"},
    .reduce = {mote_peer_reduce_lists_sequential, mote_peer_reduce_lists_by_list,
               mote_peer_reduce_lists_even},
    .lists = {[MOTE_NATIVE_COUNTS] = mote_peer_counts,
              [MOTE_NATIVE_FROM_COUNTS] = mote_peer_from_counts,
              [MOTE_NATIVE_FROM_PARENTS] = mote_peer_from_parents,
              [MOTE_NATIVE_NONZERO] = mote_peer_nonzero,
              [MOTE_NATIVE_GATHER] = mote_peer_gather,
              [MOTE_NATIVE_PRODUCT] = mote_peer_product,
              [MOTE_NATIVE_PAIRS] = mote_peer_pairs,
              [MOTE_NATIVE_SCAN] = mote_peer_scan,
              [MOTE_NATIVE_FILTER] = mote_peer_filter,
              [MOTE_NATIVE_SORT] = mote_peer_sort},
    .sums = {{"simd", mote_peer_sum_f32, mote_peer_sum_f64},
             {"OpenMP simd", mote_peer_sum_f32_omp, mote_peer_sum_f64_omp}},
    .histogram = mote_peer_histogram,
    .coordination = {{"OpenMP all pairs", false, mote_peer_pairs_f32, mote_peer_pairs_f64},
                     {"OpenMP cells", true, mote_peer_cells_f32, mote_peer_cells_f64}},
};

typedef struct command {
    mote_bench_options options;
    const char *json;
} command;

/* Returns the member for an option with a value; NULL if the word is not such an option. */
static const char **value_of(command *c, const char *word)
{
    if (strcmp(word, "--area") == 0)
        return &c->options.area;
    if (strcmp(word, "--set") == 0)
        return &c->options.set;
    if (strcmp(word, "--only") == 0)
        return &c->options.only;
    if (strcmp(word, "--data") == 0)
        return &c->options.data;
    if (strcmp(word, "--dump") == 0)
        return &c->options.dump;
    if (strcmp(word, "--event") == 0)
        return &c->options.event;
    if (strcmp(word, "--strategy") == 0)
        return &c->options.strategy;
    if (strcmp(word, "--order") == 0)
        return &c->options.order;
    if (strcmp(word, "--device") == 0)
        return &c->options.device;
    if (strcmp(word, "--json") == 0)
        return &c->json;
    return NULL;
}

static bool parse(command *c, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char **value = value_of(c, argv[i]);

        if (value && i + 1 < argc) {
            *value = argv[++i];
        } else if (strcmp(argv[i], "--quick") == 0) {
            c->options.quick = true;
        } else if (strcmp(argv[i], "--no-check") == 0) {
            c->options.no_check = true;
        } else if (strcmp(argv[i], "--check") == 0) {
            c->options.no_check = false;
        } else if (strcmp(argv[i], "--no-peers") == 0) {
            c->options.peers = NULL;
        } else {
            fprintf(stderr, value ? "mote-bench: %s needs a value\n" : "mote-bench: what is %s?\n",
                    argv[i]);
            return false;
        }
    }
    return true;
}

static int run(command *c)
{
    char message[4096] = "";
    int status = (int)mote_bench(&c->options, message, sizeof(message));

    if (status)
        fprintf(stderr, "mote-bench: %s\n", message);
    return status;
}

int main(int argc, char **argv)
{
    command c = {.options = {.table = stdout, .peers = &peers, .target = mote_target_of}};

    if (!parse(&c, argc, argv)) {
        fputs(usage, stderr);
        return MOTE_BENCH_USAGE;
    }
    if (c.json)
        c.options.json = fopen(c.json, "w");
    if (c.json && !c.options.json) {
        fprintf(stderr, "mote-bench: cannot open %s: %s\n", c.json, strerror(errno));
        return 4;
    }
    int status = run(&c);

    if (c.options.json && fclose(c.options.json) != 0 && !status) {
        fprintf(stderr, "mote-bench: cannot write %s: %s\n", c.json, strerror(errno));
        status = 4;
    }
    return status;
}
