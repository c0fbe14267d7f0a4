// SPDX-License-Identifier: Apache-2.0
// A C++17 program over mote.hpp: owners, containers, exceptions. It prints what went wrong.
#include <mote/mote.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>

static int failures;

static void expect(bool good, const char *what)
{
    if (!good)
        std::printf("wrong: %s\n", what);
    failures += !good;
}

// True when the call throws this status, with a sentence.
template <typename Call> static bool throws(mote_status status, const Call &call)
{
    try {
        call();
    } catch (const mote::error &e) {
        return e.status() == status && std::strlen(e.what()) > 20 &&
               std::strstr(e.what(), mote_status_name(status)) == e.what();
    }
    return false;
}

static void check_failures(const mote::context &ctx, const mote::queue &queue)
{
    expect(throws(MOTE_ERROR_NO_DEVICE, [] { mote::context("no such device"); }), "no device");
    auto args = mote::init<mote_reduce_args>();
    args.size = 0;
    auto unset = [&] { mote::reduce(ctx, queue, args); };
    expect(throws(MOTE_ERROR_INVALID_STRUCT, unset), "a structure without a size");
    expect(throws(MOTE_ERROR_INVALID_ARGUMENT, [] { mote::switch_parse("RATIONEL R_0=1"); }),
           "a wrong word");
    std::vector<float> values(7), rows(2), none;
    auto uneven = [&] { mote::reduce_host(ctx, MOTE_REDUCE_SUM, values, rows); };
    auto nothing = [&] { mote::reduce_host(ctx, MOTE_REDUCE_SUM, values, none); };
    expect(throws(MOTE_ERROR_INVALID_ARGUMENT, uneven), "rows of unequal length");
    expect(throws(MOTE_ERROR_INVALID_ARGUMENT, nothing), "no rows");
    std::vector<int32_t> offsets{0, 2, 1}, counts(2), empty;
    auto decreasing = [&] { mote::jagged_counts_host(ctx, offsets, counts); };
    auto missing = [&] { mote::jagged_counts_host(ctx, empty, counts); };
    auto too_short = [&] { mote::jagged_counts_host(ctx, offsets, empty); };
    expect(throws(MOTE_ERROR_OFFSETS_NOT_MONOTONIC, decreasing), "decreasing offsets");
    expect(throws(MOTE_ERROR_INVALID_ARGUMENT, missing), "no offsets");
    expect(throws(MOTE_ERROR_INVALID_ARGUMENT, too_short), "counts too short");
    auto huge = [&] { mote::pinned<double> all(ctx, static_cast<std::size_t>(-1) / 4); };
    expect(throws(MOTE_ERROR_OUT_OF_HOST_MEMORY, huge), "a size beyond size_t");
}

// What was moved from is empty and may be destroyed, what was moved to works.
static void check_moves(const mote::context &ctx)
{
    mote::context first("cpu"), second = std::move(first);
    expect(!first.get() && second.device().device_class == MOTE_DEVICE_CPU, "a moved context");
    mote::queue queue = ctx.queue(), moved = std::move(queue);
    mote::buffer<int32_t> a(ctx, moved, std::array<int32_t, 3>{{1, 2, 3}}), b = std::move(a);
    expect(!a.get() && b.size() == 3 && b.to_vector(moved)[2] == 3, "a moved buffer");
    mote::pinned<float> c(ctx, 5), d(ctx, 0);
    c[4] = 2.5f;
    d = std::move(c);
    expect(d.size() == 5 && d[4] == 2.5f && c.size() == 0, "pinned memory, moved");
}

static void check_buffers(const mote::context &ctx, const mote::queue &queue)
{
    const double values[] = {1.5, -2, 3e9};
    mote::buffer<int32_t> buffer(ctx, 3);
    buffer.write(queue, values);
    expect(buffer.to_vector(queue) == std::vector<int32_t>{1, -2, 2147483647}, "conversion");
    mote::event kept = buffer.resize(1000, queue);
    std::array<float, 2> part{};
    buffer.read(queue, part, 1, kept);
    expect(buffer.size() == 1000 && buffer.reserved() >= 1000 && part[0] == -2, "a kept resize");
    buffer.resize(0);
    expect(buffer.size() == 0 && buffer.to_vector(queue).empty(), "an empty buffer");
    mote_view view = mote::view<uint16_t>(buffer.view().mem, 4, 2);
    expect(view.type == MOTE_UINT16 && view.count == 4 && view.offset == 2, "a view");
}

static void check_lists(const mote::context &ctx)
{
    mote::host host(ctx);
    const std::vector<int64_t> offsets{0, 2, 2, 5};
    std::vector<int64_t> parents(5), local(5), counts(3), back(4), again(4);
    mote::jagged_parents_host(ctx, offsets, parents, host);
    mote::jagged_local_index_host(ctx, offsets, local, host);
    mote::jagged_counts_host(ctx, offsets, counts, host);
    mote::jagged_offsets_from_counts_host(ctx, counts, back, host);
    mote::jagged_offsets_from_parents_host(ctx, parents, again);
    expect(parents == std::vector<int64_t>{0, 0, 2, 2, 2}, "parents");
    expect(local == std::vector<int64_t>{0, 1, 0, 1, 2}, "local index");
    expect(counts == std::vector<int64_t>{2, 0, 3}, "counts");
    expect(back == offsets && again == offsets, "offsets");
    const float content[] = {1, 2, 4, 8, 16};
    double sums[3];
    mote::jagged_reduce_host(ctx, MOTE_REDUCE_SUM, offsets, content, sums, host);
    expect(sums[0] == 3 && sums[1] == 0 && sums[2] == 28, "sums");
    float rows[1];
    mote::reduce_host(ctx, MOTE_REDUCE_MAX, mote::span<const float>(content, 4), rows);
    expect(rows[0] == 8, "a span's maximum");
}

static void check_errors_in_data(const mote::context &ctx, const mote::queue &queue)
{
    mote::error_word word(ctx);
    mote::buffer<uint32_t> offsets(ctx, queue, std::vector<uint32_t>{0, 2, 1, 3}), counts(ctx, 3);
    auto args = mote::init<mote_jagged_counts_args>();
    args.offsets = offsets, args.counts = counts, args.error = word;
    mote::prepare(ctx, MOTE_OPERATION_JAGGED_COUNTS, args);
    mote::event first = mote::jagged_counts(ctx, queue, args);
    mote::event second = mote::jagged_counts(ctx, queue, args, {first, mote::event()});
    bool found = false;
    try {
        word.check(queue, std::vector<cl_event>{first, second});
    } catch (const mote::data_error &e) {
        found = e.status() == MOTE_ERROR_OFFSETS_NOT_MONOTONIC && e.index() == 1;
    }
    expect(found, "an error of the data");
    offsets.write(queue, std::vector<uint32_t>{0, 1, 1, 3});
    word.check(queue, mote::jagged_counts(ctx, queue, args, second));
    expect(counts.to_vector(queue) == std::vector<uint32_t>{1, 0, 2}, "counts after it");
}

int main()
try {
    static_assert(mote::type_of<bool> == MOTE_BOOL && mote::type_of<uint8_t> == MOTE_UINT8);
    static_assert(mote::type_of<double> == MOTE_FLOAT64 && mote::type_of<int64_t> == MOTE_INT64);
    static_assert(mote::type_of<int8_t> == MOTE_INT8 && mote::type_of<short> == MOTE_INT16);
    static_assert(!std::is_copy_constructible_v<mote::context>, "one owner");
    mote::context ctx;
    mote::queue queue = ctx.queue();
    expect(!mote::devices().empty() && ctx.memory().size == sizeof(mote_memory), "devices");
    check_failures(ctx, queue);
    check_moves(ctx);
    check_buffers(ctx, queue);
    check_lists(ctx);
    check_errors_in_data(ctx, queue);
    ctx.trim();
    queue.finish();
    return failures != 0;
} catch (const std::exception &e) {
    std::printf("not expected: %s\n", e.what());
    return 1;
}
