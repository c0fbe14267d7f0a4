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

static void start_inner(mote_steinhardt_args &args)
{
    args.function.size = sizeof args.function;
    args.threshold.size = sizeof args.threshold;
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

#define INITIALISER(name) good = starts_clean(#name, name) && good;

int main()
{
    bool good = true;
#include "initialisers.inc" // INITIALISER(name) for each that the headers declare
    if (std::strcmp(mote_version(), MOTE_VERSION_STRING) != 0) {
        std::printf("library %s, header %s\n", mote_version(), MOTE_VERSION_STRING);
        good = false;
    }
    return good ? 0 : 1;
}
