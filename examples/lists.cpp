// SPDX-License-Identifier: Apache-2.0
// Lists of particles in three events: parents, sums, and all combinations of two kinds.
#include <mote/mote.hpp>

#include <cstdio>

static const std::vector<int32_t> electrons{0, 2, 2, 5}; // offsets: two, none, three
static const std::vector<int32_t> muons{0, 1, 3, 5};     // one, two, two
static const std::vector<float> energy{10, 20, 5, 7, 9};

// The number of the event that each electron belongs to.
static void show_parents(const mote::context &ctx, const mote::queue &queue, mote_view offsets)
{
    mote::buffer<int32_t> parents(ctx, energy.size());
    auto args = mote::init<mote_jagged_parents_args>();
    args.offsets = offsets;
    args.parents = parents;
    mote::jagged_parents(ctx, queue, args);
    int i = 0;
    for (int32_t event : parents.to_vector(queue))
        std::printf("electron %d is of event %d\n", i++, event);
}

// Straight from the offsets: parents are not needed.
static void show_sums(const mote::context &ctx)
{
    std::vector<float> sums(electrons.size() - 1);
    mote::jagged_reduce_host(ctx, MOTE_REDUCE_SUM, electrons, energy, sums);
    int k = 0;
    for (float sum : sums)
        std::printf("event %d: energy %g\n", k++, static_cast<double>(sum));
}

// How many pairs there are is known after a first call, which has no room for any. Where an upper
// bound is known, one call with that capacity is enough.
static void show_pairs(const mote::context &ctx, const mote::queue &queue, mote_view a, mote_view b)
{
    mote::buffer<int32_t> offsets(ctx, electrons.size());
    auto args = mote::init<mote_jagged_combinations_args>();
    args.offsets_a = a, args.offsets_b = b, args.offsets = offsets;
    mote::jagged_product(ctx, queue, args);
    std::vector<int32_t> ends = offsets.to_vector(queue);

    auto count = static_cast<std::size_t>(ends.back());
    mote::buffer<int32_t> first(ctx, count), second(ctx, count);
    args.first = first, args.second = second;
    mote::jagged_product(ctx, queue, args);
    std::vector<int32_t> one = first.to_vector(queue), other = second.to_vector(queue);
    for (std::size_t k = 0, p = 0; k + 1 < ends.size(); k++)
        for (; p < static_cast<std::size_t>(ends[k + 1]); p++)
            std::printf("event %zu: electron %d, muon %d\n", k, one[p], other[p]);
}

int main()
try {
    mote::context ctx;
    mote::queue queue = ctx.queue();
    mote::buffer<int32_t> a(ctx, queue, electrons), b(ctx, queue, muons);
    show_parents(ctx, queue, a);
    show_sums(ctx);
    show_pairs(ctx, queue, a, b);
} catch (const mote::error &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
