// SPDX-License-Identifier: Apache-2.0
// Times CMS's CUDA kernels for pixel clusters on the events of a .bin file, on the first CUDA device, and prints a JSON
// line. The kernels are not part of this project: they are headers of a public repository.
//
//     git clone https://github.com/cms-patatrack/pixeltrack-standalone && git -C pixeltrack-standalone checkout 26c034aa
//     nvcc -O3 -std=c++17 -arch=native --expt-relaxed-constexpr -I pixeltrack-standalone/src/cuda -o cms bench/peers/cms.cu
//     cms NAME FILE.bin
//
// The headers need Boost's. The kernels know modules of 160 rows and 416 columns with at most 4000 digis, and fewer than
// 2000 modules; an event with more digis in a module can end in an illegal access to memory. The time of an event
// contains clearing the counters, countModules, findClus and clusterChargeCut. It is the median of single calls between
// two CUDA events, with the device occupied until all is enqueued; the line shows the mean over the file's events.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "CUDADataFormats/gpuClusteringConstants.h"
#include "plugin-SiPixelClusterizer/gpuClustering.h"
#include "plugin-SiPixelClusterizer/gpuClusterChargeCut.h"

#include "times.cuh"

constexpr int threads = 256;
constexpr uint32_t invalid = 65534; // the module id of invalid digis in .bin files

// Arrays of the device for one event.
struct Event {
    uint32_t n;
    uint16_t *given, *id, *x, *y, *charge;
    int32_t *cluster;
    uint32_t *starts, *clusters, *modules;
};

static void fail(const char *path, const char *what)
{
    std::fprintf(stderr, "cms: %s: %s\n", path, what);
    std::exit(1);
}

template <typename T> static T *allocate(size_t n)
{
    T *at;
    TRY(cudaMalloc(&at, (n ? n : 1) * sizeof(T)));
    return at;
}

static uint16_t *upload(const std::vector<uint16_t> &values)
{
    uint16_t *at = allocate<uint16_t>(values.size());
    TRY(cudaMemcpy(at, values.data(), values.size() * sizeof(uint16_t), cudaMemcpyHostToDevice));
    return at;
}

static std::vector<uint16_t> read_column(FILE *file, uint32_t n, const char *path)
{
    std::vector<uint16_t> column(n);
    if (std::fread(column.data(), sizeof(uint16_t), n, file) != n)
        fail(path, "the file is shorter than its header states");
    return column;
}

static Event read_event(FILE *file, const char *path)
{
    Event e = {};
    if (std::fread(&e.n, sizeof(e.n), 1, file) != 1)
        fail(path, "the file is shorter than its header states");
    std::vector<uint16_t> id = read_column(file, e.n, path);
    for (uint16_t &module : id)
        module = module == invalid ? gpuClustering::InvId : module;
    e.given = upload(id);
    e.id = upload(id);
    e.x = upload(read_column(file, e.n, path));
    e.y = upload(read_column(file, e.n, path));
    e.charge = upload(read_column(file, e.n, path));
    e.cluster = allocate<int32_t>(e.n);
    e.starts = allocate<uint32_t>(gpuClustering::MaxNumModules + 1);
    e.clusters = allocate<uint32_t>(gpuClustering::MaxNumModules);
    e.modules = allocate<uint32_t>(gpuClustering::MaxNumModules);
    return e;
}

static void run(const Event &e)
{
    using namespace gpuClustering;
    const int blocks = (int(std::max(e.n, MaxNumModules)) + threads - 1) / threads;

    TRY(cudaMemsetAsync(e.starts, 0, sizeof(uint32_t)));
    TRY(cudaMemsetAsync(e.clusters, 0, MaxNumModules * sizeof(uint32_t)));
    countModules<<<blocks, threads>>>(e.id, e.starts, e.cluster, int(e.n));
    findClus<<<MaxNumModules, threads>>>(e.id, e.x, e.y, e.starts, e.clusters, e.modules, e.cluster, int(e.n));
    clusterChargeCut<<<MaxNumModules, threads>>>(e.id, e.charge, e.starts, e.clusters, e.modules, e.cluster, e.n);
    TRY(cudaGetLastError());
}

// Returns the median time of an event in microseconds. The cut removes digis, which are restored before each run.
static double time_event(const Event &e)
{
    return median_time(
        [&] { TRY(cudaMemcpy(e.id, e.given, e.n * sizeof(uint16_t), cudaMemcpyDeviceToDevice)); }, [&] { run(e); });
}

int main(int argc, char **argv)
{
    uint32_t head[5];
    double sum = 0;

    if (argc != 3) {
        std::fprintf(stderr, "usage: cms NAME FILE.bin\n");
        return 2;
    }
    FILE *file = std::fopen(argv[2], "rb");
    if (!file || std::fread(head, sizeof(uint32_t), 5, file) != 5 || head[0] != 0x47494450u)
        fail(argv[2], "not a readable .bin file");
    if (head[2] >= gpuClustering::MaxNumModules || head[3] > 160 || head[4] > 416)
        fail(argv[2], "CMS's kernels know fewer than 2000 modules of 160 rows and 416 columns");
    for (uint32_t k = 0; k < head[1]; k++)
        sum += time_event(read_event(file, argv[2]));
    std::printf("{\"system\":\"CMS\",\"set\":\"%s\",\"call\":\"clusters\",\"us\":%.3f}\n", argv[1], sum / head[1]);
    return 0;
}
