// SPDX-License-Identifier: Apache-2.0
// Clustering a batch of two events beside <CL/opencl.hpp>, on an out-of-order queue of one's own.
#define CL_HPP_TARGET_OPENCL_VERSION  120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <mote/mote.hpp>

#include <cstdio>

static const std::vector<uint32_t> event_offsets{0, 5, 8};
static const std::vector<uint16_t> module_id{0, 0, 0, 1, 1, 1, 0, 0};
static const std::vector<uint16_t> x{10, 11, 40, 3, 4, 100, 0, 1};
static const std::vector<uint16_t> y{7, 7, 9, 5, 6, 20, 0, 1};
static const std::vector<uint16_t> adc{900, 1300, 500, 800, 700, 4000, 300, 300};
constexpr unsigned modules = 2;

static int run()
{
    cl::Context context(CL_DEVICE_TYPE_ALL);
    cl::Device device = context.getInfo<CL_CONTEXT_DEVICES>().front();
    cl::CommandQueue queue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    mote::context ctx(context, device);

    // The copy has been made when the event that joins `uploads` is complete.
    std::vector<cl::Event> uploads;
    std::vector<cl::Buffer> memory;
    auto upload = [&](const auto &values) {
        using T = std::decay_t<decltype(values[0])>;
        cl::Buffer buffer(context, CL_MEM_READ_ONLY, values.size() * sizeof(T));
        queue.enqueueWriteBuffer(buffer, CL_FALSE, 0, values.size() * sizeof(T), values.data(),
                                 nullptr, &uploads.emplace_back());
        memory.push_back(buffer);
        return mote::view<T>(buffer, values.size());
    };
    auto args = mote::init<mote_pixels_cluster_args>();
    args.event_offsets = upload(event_offsets);
    args.module_id = upload(module_id);
    args.x = upload(x);
    args.y = upload(y);
    args.adc = upload(adc);
    args.n_modules = modules, args.rows = 160, args.columns = 416;
    args.charge_cut = 1000;
    mote::buffer<int32_t> cluster_id(ctx, x.size());
    mote::buffer<uint32_t> n_clusters(ctx, 2 * modules);
    mote::error_word error(ctx);
    args.cluster_id = cluster_id, args.n_clusters = n_clusters, args.error = error;

    mote::event clustered = mote::pixels_cluster(ctx, queue, args, uploads);
    error.check(queue, clustered);
    std::vector<uint32_t> counts = n_clusters.to_vector(queue, clustered);
    for (unsigned k = 0; k < counts.size(); k++)
        std::printf("event %u, module %u: %u clusters\n", k / modules, k % modules, counts[k]);
    std::vector<int32_t> clusters = cluster_id.to_vector(queue, clustered);
    for (unsigned i = 0; i < clusters.size(); i++)
        std::printf("digi %u: cluster %d\n", i, clusters[i]);

    // A digi outside its module is found on the device: the call succeeds, the error word tells.
    args.rows = 40;
    mote::event last = mote::pixels_cluster(ctx, queue, args);
    try {
        error.check(queue, last);
    } catch (const mote::data_error &e) {
        std::printf("40 rows: %s at digi %u\n", mote_status_name(e.status()), e.index());
    }
    return 0;
}

int main()
try {
    return run();
} catch (const std::exception &e) { // mote::error and cl::Error
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
