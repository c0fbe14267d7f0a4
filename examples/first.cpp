// SPDX-License-Identifier: Apache-2.0
#include <mote/mote.hpp>

#include <cstdio>

int main()
try {
    const uint16_t module[] = {0, 0, 0, 1, 1}, x[] = {10, 11, 40, 3, 4}, y[] = {7, 8, 9, 5, 6};
    int32_t cluster[5];
    auto args = mote::init<mote_pixels_host_args>();
    args.n = 5;
    args.module_id16 = module, args.x = x, args.y = y;
    args.n_modules = 2, args.rows = 160, args.columns = 416;
    args.cluster_id = cluster;

    mote::context ctx; // the best GPU, else the CPU
    mote::pixels_cluster_host(ctx, args);
    for (int i = 0; i < 5; i++)
        std::printf("digi %d: module %d, cluster %d\n", i, module[i], cluster[i]);
} catch (const mote::error &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
