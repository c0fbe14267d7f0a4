// SPDX-License-Identifier: Apache-2.0
// Times of single calls on the first CUDA device.
#ifndef MOTE_BENCH_PEERS_TIMES_CUH
#define MOTE_BENCH_PEERS_TIMES_CUH

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define TRY(call)                                                                                                     \
    do {                                                                                                              \
        cudaError_t error_ = (call);                                                                                  \
        if (error_ != cudaSuccess) {                                                                                  \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));                                      \
            std::exit(1);                                                                                             \
        }                                                                                                             \
    } while (0)

// Occupies the device while the host enqueues what follows, so that times contain no gaps between launches.
static __global__ void hold(long long cycles)
{
    for (long long begin = clock64(); clock64() - begin < cycles;)
        ;
}

// Returns the median time of 21 calls of `run` in microseconds. `restore` runs before each call and is not timed.
template <typename Restore, typename Run> static float median_time(const Restore &restore, const Run &run)
{
    constexpr int runs = 21;
    std::vector<float> times(runs);
    cudaEvent_t begin, end;

    TRY(cudaEventCreate(&begin));
    TRY(cudaEventCreate(&end));
    for (float &ms : times) {
        restore();
        hold<<<1, 1>>>(1000000);
        TRY(cudaEventRecord(begin));
        run();
        TRY(cudaEventRecord(end));
        TRY(cudaEventSynchronize(end));
        TRY(cudaEventElapsedTime(&ms, begin, end));
    }
    std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
    TRY(cudaEventDestroy(begin));
    TRY(cudaEventDestroy(end));
    return times[runs / 2] * 1000;
}

#endif
