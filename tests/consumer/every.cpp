// SPDX-License-Identifier: Apache-2.0
// A C++17 program that starts every structure with a size through its initialiser.
#include <mote/mote.h>

#include <cstdio>
#include <cstring>

// Structures inside a structure are started with it.
template <typename T> static void start_inner(T &)
{
}

static void start_inner(mote_coordination_plan_args &args)
{
    args.function.size = sizeof args.function;
}

// True when init sets `size` to the structure's own and every other byte to zero.
template <typename T> static bool starts_clean(const char *name, void (*init)(T *))
{
    T value;
    std::memset(&value, 0xA5, sizeof value);
    init(&value);
    T expected;
    std::memset(&expected, 0, sizeof expected);
    expected.size = sizeof value;
    start_inner(expected);
    bool same = std::memcmp(&value, &expected, sizeof value) == 0;
    if (!same)
        std::printf("%s left something unset\n", name);
    return same;
}

#define STARTS_CLEAN(name) starts_clean(#name, name)

int main()
{
    bool good = true;
    good = STARTS_CLEAN(mote_memory_init) && good;
    good = STARTS_CLEAN(mote_pixels_cluster_args_init) && good;
    good = STARTS_CLEAN(mote_pixels_module_start_args_init) && good;
    good = STARTS_CLEAN(mote_pixels_charge_cut_args_init) && good;
    good = STARTS_CLEAN(mote_pixels_cluster_start_args_init) && good;
    good = STARTS_CLEAN(mote_pixels_host_args_init) && good;
    good = STARTS_CLEAN(mote_switch_init) && good;
    good = STARTS_CLEAN(mote_coordination_plan_args_init) && good;
    good = STARTS_CLEAN(mote_coordination_args_init) && good;
    good = STARTS_CLEAN(mote_coordination_host_args_init) && good;
    good = STARTS_CLEAN(mote_jagged_counts_args_init) && good;
    good = STARTS_CLEAN(mote_jagged_offsets_from_counts_args_init) && good;
    good = STARTS_CLEAN(mote_jagged_offsets_from_parents_args_init) && good;
    good = STARTS_CLEAN(mote_jagged_parents_args_init) && good;
    good = STARTS_CLEAN(mote_jagged_local_index_args_init) && good;
    good = STARTS_CLEAN(mote_jagged_parents_host_args_init) && good;
    good = STARTS_CLEAN(mote_reduce_args_init) && good;
    good = STARTS_CLEAN(mote_reduce_host_args_init) && good;
    good = STARTS_CLEAN(mote_jagged_offsets_host_args_init) && good;
    good = STARTS_CLEAN(mote_jagged_nonzero_args_init) && good;
    good = STARTS_CLEAN(mote_jagged_segments_args_init) && good;
    good = STARTS_CLEAN(mote_jagged_segments_host_args_init) && good;
    good = STARTS_CLEAN(mote_jagged_gather_by_parent_args_init) && good;
    good = STARTS_CLEAN(mote_jagged_combinations_args_init) && good;
    if (std::strcmp(mote_version(), MOTE_VERSION_STRING) != 0) {
        std::printf("library %s, header %s\n", mote_version(), MOTE_VERSION_STRING);
        good = false;
    }
    return good ? 0 : 1;
}
