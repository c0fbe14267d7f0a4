// SPDX-License-Identifier: Apache-2.0
// One context, used by four threads at once; each has a mote::host, so a queue, of its own.
#include <mote/mote.hpp>

#include <cstdio>
#include <future>
#include <numeric>

constexpr int threads = 4;
constexpr int n = 100000;

static double sum_from(const mote::context &ctx, int first)
{
    mote::host host(ctx);
    std::vector<float> values(n);
    std::iota(values.begin(), values.end(), static_cast<float>(first));
    double sum[1];
    mote::reduce_host(ctx, MOTE_REDUCE_SUM, values, sum, host);
    return sum[0];
}

int main()
try {
    mote::context ctx;
    std::vector<std::future<double>> sums; // each waits for its thread before ctx is released
    for (int t = 0; t < threads; t++)
        sums.push_back(std::async(std::launch::async, sum_from, std::cref(ctx), t * n));
    for (int t = 0; t < threads; t++) // get() throws what the thread has thrown
        std::printf("%d + ... + %d = %.0f\n", t * n, t * n + n - 1, sums[t].get());
} catch (const mote::error &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
