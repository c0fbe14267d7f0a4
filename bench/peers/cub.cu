// SPDX-License-Identifier: Apache-2.0
// Times CUB on lists, on the first CUDA device, and prints a JSON line for each call.
//
//     nvcc -O3 -std=c++17 -arch=native --extended-lambda -o cub bench/peers/cub.cu
//     cub NAME FILE      FILE contains the int32 offsets of lists, as mote-bench --dump writes them
//     cub -              arrays without lists: sums, sorts, scans and histograms of 10^8 values
//
// The values are float32. A time is the median of the times of single calls between two events, on arrays of the device
// and with temporary memory that was allocated before; the device is occupied until all is enqueued. Segmented sums are
// compared with those of the host, and the order of sorted lists is checked.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include <cub/cub.cuh>

#include "times.cuh"

// An array of the device.
template <typename T> struct Array {
    T *at = nullptr;
    size_t n;

    explicit Array(size_t n) : n(n) { TRY(cudaMalloc(&at, (n ? n : 1) * sizeof(T))); }
    Array(const Array &) = delete;
    ~Array() { cudaFree(at); }
    std::vector<T> read() const
    {
        std::vector<T> out(n);
        TRY(cudaMemcpy(out.data(), at, n * sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }
};

// A call of CUB: it states the temporary memory that it needs if the first argument is null.
using Call = std::function<cudaError_t(void *temporary, size_t &bytes)>;

// Prints the median time of a call. `restore` runs before each call and is not timed.
static void time_call(const char *set, const char *call, const Call &run, const std::function<void()> &restore = [] {})
{
    size_t bytes = 0;
    TRY(run(nullptr, bytes));
    Array<char> temporary(bytes);
    float us = median_time(restore, [&] { TRY(run(temporary.at, bytes)); });
    std::printf("{\"system\":\"CUB %d.%d\",\"set\":\"%s\",\"call\":\"%s\",\"us\":%.3f}\n", CUB_VERSION / 100000,
                CUB_VERSION / 100 % 1000, set, call, us);
    std::fflush(stdout);
}

// Multiples of 1/64 below 64, so that float32 sums of short lists are exact.
__global__ void fill_values(float *values, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n)
        values[i] = float((i * 2654435761u >> 12) & 4095) / 64;
}

__global__ void fill_parents(const int32_t *offsets, size_t lists, int32_t *parents)
{
    for (size_t k = blockIdx.x; k < lists; k += gridDim.x)
        for (int32_t i = offsets[k] + threadIdx.x; i < offsets[k + 1]; i += blockDim.x)
            parents[i] = int32_t(k);
}

static void expect(bool right, const char *set, const char *what)
{
    if (right)
        return;
    std::fprintf(stderr, "cub: wrong %s of %s\n", what, set);
    std::exit(1);
}

// Compares each sum with the host's, up to the rounding of float32 sums in any order.
static void check_sums(const char *set, const std::vector<int32_t> &offsets, const std::vector<float> &values,
                       const std::vector<float> &sums)
{
    for (size_t k = 0; k + 1 < offsets.size(); k++) {
        double sum = 0;
        for (int32_t i = offsets[k]; i < offsets[k + 1]; i++)
            sum += values[i];
        expect(std::abs(sum - sums[k]) <= 1e-4 * sum, set, "sum");
    }
}

static std::vector<int32_t> read_offsets(const char *path)
{
    std::vector<int32_t> offsets;
    FILE *file = std::fopen(path, "rb");
    long bytes;

    if (!file || std::fseek(file, 0, SEEK_END) || (bytes = std::ftell(file)) < 8 || std::fseek(file, 0, SEEK_SET)) {
        std::fprintf(stderr, "cub: cannot read %s\n", path);
        std::exit(1);
    }
    offsets.resize(size_t(bytes) / sizeof(int32_t));
    expect(std::fread(offsets.data(), sizeof(int32_t), offsets.size(), file) == offsets.size(), path, "length");
    std::fclose(file);
    return offsets;
}

// Sums, scans and sorts of each list.
static void time_lists(const char *set, const char *path)
{
    const std::vector<int32_t> offsets = read_offsets(path);
    const size_t lists = offsets.size() - 1, n = size_t(offsets.back());
    size_t longest = 0;
    for (size_t k = 0; k < lists; k++)
        longest = std::max(longest, size_t(offsets[k + 1] - offsets[k]));

    Array<int32_t> starts(lists + 1), parents(n), keys(lists), found(1);
    Array<float> values(n), sums(lists), out(n);
    TRY(cudaMemcpy(starts.at, offsets.data(), (lists + 1) * sizeof(int32_t), cudaMemcpyHostToDevice));
    fill_values<<<unsigned((n + 255) / 256), 256>>>(values.at, n);
    fill_parents<<<65535, 128>>>(starts.at, lists, parents.at);
    TRY(cudaDeviceSynchronize());
    const std::vector<float> host = values.read();

    time_call(set, "segmented sum", [&](void *temporary, size_t &bytes) {
        return cub::DeviceSegmentedReduce::Sum(temporary, bytes, values.at, sums.at, int64_t(lists), starts.at,
                                               starts.at + 1);
    });
    check_sums(set, offsets, host, sums.read());
#if CUB_VERSION >= 300600 // the length of the longest list is not in the public interface yet
    TRY(cudaMemset(sums.at, 0xff, lists * sizeof(float)));
    time_call(set, "segmented sum, told the longest list", [&](void *temporary, size_t &bytes) {
        return cub::detail::segmented_reduce::dispatch<float, cub::detail::use_default>(
            temporary, bytes, values.at, sums.at, int64_t(lists), starts.at, starts.at + 1, ::cuda::std::plus<>{}, 0.0f,
            longest, nullptr);
    });
    check_sums(set, offsets, host, sums.read());
#endif
    time_call(set, "sum by key", [&](void *temporary, size_t &bytes) {
        return cub::DeviceReduce::ReduceByKey(temporary, bytes, parents.at, keys.at, values.at, sums.at, found.at,
                                              ::cuda::std::plus<>{}, int(n));
    });
    time_call(set, "scan by key", [&](void *temporary, size_t &bytes) {
        return cub::DeviceScan::InclusiveSumByKey(temporary, bytes, parents.at, values.at, out.at, int(n));
    });
    time_call(set, "segmented sort", [&](void *temporary, size_t &bytes) {
        return cub::DeviceSegmentedSort::SortKeys(temporary, bytes, values.at, out.at, int64_t(n), int64_t(lists),
                                                  starts.at, starts.at + 1);
    });
    std::vector<float> sorted = out.read();
    for (size_t k = 0; k < lists; k++)
        expect(std::is_sorted(sorted.begin() + offsets[k], sorted.begin() + offsets[k + 1]), set, "order");
}

// Whole arrays of the sizes that mote-bench uses.
static void time_arrays()
{
    for (size_t n : {size_t(1) << 20, size_t(1) << 24, size_t(1) << 28}) {
        Array<float> values(n), sum(1);
        char set[32];
        std::snprintf(set, sizeof(set), "2^%d", n == 1 << 20 ? 20 : n == 1 << 24 ? 24 : 28);
        fill_values<<<unsigned((n + 255) / 256), 256>>>(values.at, n);
        time_call(set, "sum", [&](void *temporary, size_t &bytes) {
            return cub::DeviceReduce::Sum(temporary, bytes, values.at, sum.at, int64_t(n));
        });
    }
    const size_t n = 100000000;
    Array<float> values(n), out(n);
    Array<unsigned> counts(1000000);
    fill_values<<<unsigned((n + 255) / 256), 256>>>(values.at, n);
    time_call("1e8", "sort", [&](void *temporary, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(temporary, bytes, values.at, out.at, int64_t(n));
    });
    time_call("1e8", "scan", [&](void *temporary, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(temporary, bytes, values.at, out.at, int64_t(n));
    });
    for (int bins : {100, 4096, 1000000}) {
        char call[48];
        std::snprintf(call, sizeof(call), "histogram of %d bins", bins);
        time_call("1e8", call, [&](void *temporary, size_t &bytes) {
            return cub::DeviceHistogram::HistogramEven(temporary, bytes, values.at, counts.at, bins + 1, 0.0f, 64.0f,
                                                       int64_t(n));
        });
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && std::strcmp(argv[1], "-") == 0) {
        time_arrays();
        return 0;
    }
    if (argc != 3) {
        std::fprintf(stderr, "usage: cub NAME FILE, or cub -\n");
        return 2;
    }
    time_lists(argv[1], argv[2]);
    return 0;
}
