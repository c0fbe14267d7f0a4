// SPDX-License-Identifier: Apache-2.0
// All devices of the machine: each has a context and a thread, and takes the next block when it is
// ready.
#include <mote/mote.hpp>

#include <atomic>
#include <cstdio>
#include <future>
#include <numeric>
#include <string>

constexpr int blocks = 6;
constexpr int n = 100000;

static void run(const std::string &spec, std::atomic<int> &next, double *sums)
{
    mote::context ctx(spec.c_str());
    mote::host host(ctx);
    std::vector<float> values(n);
    double sum[1];
    for (int block; (block = next++) < blocks;) {
        std::iota(values.begin(), values.end(), static_cast<float>(block * n));
        mote::reduce_host(ctx, MOTE_REDUCE_SUM, values, sum, host);
        sums[block] = sum[0]; // each in its place, so the order of the devices does not matter
    }
}

int main()
try {
    std::atomic<int> next{0};
    double sums[blocks] = {};
    std::vector<std::future<void>> workers;
    for (const mote_device_info &device : mote::devices())
        workers.push_back(
            std::async(std::launch::async, run, std::string(device.spec), std::ref(next), sums));
    if (workers.empty()) {
        std::fprintf(stderr, "no OpenCL device\n");
        return 1;
    }
    for (std::future<void> &worker : workers) // get() throws what the thread has thrown
        worker.get();
    for (int block = 0; block < blocks; block++)
        std::printf("%d + ... + %d = %.0f\n", block * n, block * n + n - 1, sums[block]);
} catch (const mote::error &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
