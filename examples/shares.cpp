// SPDX-License-Identifier: Apache-2.0
// One coordination number on two devices: each has a share of the pairs, and a thread.
#include <mote/mote.hpp>

#include <cstdio>
#include <future>

constexpr unsigned shares = 2;
constexpr std::size_t atoms = 3000;
constexpr double side = 4.4; // of the box
constexpr double box[9] = {side, 0, 0, 0, side, 0, 0, 0, side};

struct sums {
    double value, virial[9];
};

// Every share has the same plan but for its number.
static sums compute(const std::string &device, unsigned share, const std::vector<double> &positions)
{
    mote::context ctx(device);
    auto setup = mote::init<mote_coordination_plan_args>();
    setup.function = mote::switch_parse("RATIONAL R_0=0.3 D_MAX=0.75");
    setup.n_atoms = atoms, setup.pbc = MOTE_PBC_ORTHORHOMBIC;
    setup.share = share, setup.shares = shares;
    mote::coordination plan(ctx, setup);

    sums of;
    auto args = mote::init<mote_coordination_host_args>();
    args.plan = plan, args.positions64 = positions.data(), args.box = box;
    args.value = &of.value, args.virial = of.virial;
    mote::coordination_host(ctx, args);
    return of;
}

int main()
try {
    std::vector<double> positions;
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < 3 * atoms; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        positions.push_back(double(state >> 11) * 0x1p-53 * side);
    }
    const auto devices = mote::devices();
    std::vector<std::future<sums>> parts;
    for (unsigned s = 0; s < shares; s++) // where there is one device only, it has all shares
        parts.push_back(std::async(std::launch::async, compute, devices.at(s % devices.size()).spec,
                                   s, std::cref(positions)));
    double value = 0, trace = 0;
    for (unsigned s = 0; s < shares; s++) {
        const sums of = parts[s].get();
        std::printf("share %u of %u: %.1f\n", s, shares, of.value);
        value += of.value;
        trace += of.virial[0] + of.virial[4] + of.virial[8];
    }
    std::printf("coordination number %.1f, trace of the virial %.1f\n", value, trace);
} catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
