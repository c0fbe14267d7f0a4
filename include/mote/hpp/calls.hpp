// SPDX-License-Identifier: Apache-2.0
/**
 * @file hpp/calls.hpp
 * @brief For mote.hpp: the calls.
 *
 * A call on device memory is mote::NAME(ctx, queue, args, wait), as mote::reduce() for
 * mote_reduce(): it throws mote::error when the C function fails and returns the event that covers
 * the call. After an exception a part of the call may still run: finish the queue before memory is
 * released. A call on arrays of the host ends in _host and blocks.
 */
#ifndef MOTE_HPP_CALLS_HPP
#define MOTE_HPP_CALLS_HPP

#include "memory.hpp"

namespace mote
{

namespace detail
{

/** The initialiser of a structure: one specialisation for each. */
template <typename Args> struct initialiser;

/** A structure whose initialising function mote::init() calls. */
#define MOTE_HPP_INIT(kind)                                                                        \
    template <> struct initialiser<kind> {                                                         \
        MOTE_HPP_INLINE static void run(kind *args)                                                \
        {                                                                                          \
            kind##_init(args);                                                                     \
        }                                                                                          \
    };
MOTE_HPP_INIT(mote_memory)
MOTE_HPP_INIT(mote_tuning)
MOTE_HPP_INIT(mote_switch)
MOTE_HPP_INIT(mote_coordination_plan_args)
MOTE_HPP_INIT(mote_coordination_args)
MOTE_HPP_INIT(mote_coordination_host_args)
MOTE_HPP_INIT(mote_histogram_args)
MOTE_HPP_INIT(mote_histogram_host_args)
MOTE_HPP_INIT(mote_jagged_parents_args)
MOTE_HPP_INIT(mote_jagged_local_index_args)
MOTE_HPP_INIT(mote_jagged_counts_args)
MOTE_HPP_INIT(mote_jagged_offsets_from_counts_args)
MOTE_HPP_INIT(mote_jagged_offsets_from_parents_args)
MOTE_HPP_INIT(mote_jagged_reduce_args)
MOTE_HPP_INIT(mote_jagged_scan_args)
MOTE_HPP_INIT(mote_jagged_sort_args)
MOTE_HPP_INIT(mote_jagged_gather_by_parent_args)
MOTE_HPP_INIT(mote_jagged_combinations_args)
MOTE_HPP_INIT(mote_jagged_nonzero_args)
MOTE_HPP_INIT(mote_jagged_run_lengths_args)
MOTE_HPP_INIT(mote_jagged_parents_host_args)
MOTE_HPP_INIT(mote_jagged_offsets_host_args)
MOTE_HPP_INIT(mote_jagged_reduce_host_args)
MOTE_HPP_INIT(mote_jagged_scan_host_args)
MOTE_HPP_INIT(mote_jagged_sort_host_args)
MOTE_HPP_INIT(mote_jagged_gather_by_parent_host_args)
MOTE_HPP_INIT(mote_jagged_combinations_host_args)
MOTE_HPP_INIT(mote_jagged_nonzero_host_args)
MOTE_HPP_INIT(mote_jagged_run_lengths_host_args)
MOTE_HPP_INIT(mote_jagged_slice_host_args)
MOTE_HPP_INIT(mote_jagged_pad_host_args)
MOTE_HPP_INIT(mote_jagged_quantile_host_args)
MOTE_HPP_INIT(mote_jagged_pad_args)
MOTE_HPP_INIT(mote_jagged_slice_args)
MOTE_HPP_INIT(mote_jagged_quantile_args)
MOTE_HPP_INIT(mote_neighbours_args)
MOTE_HPP_INIT(mote_neighbours_host_args)
MOTE_HPP_INIT(mote_pair_histogram_args)
MOTE_HPP_INIT(mote_pixels_cluster_args)
MOTE_HPP_INIT(mote_pixels_module_start_args)
MOTE_HPP_INIT(mote_pixels_charge_cut_args)
MOTE_HPP_INIT(mote_pixels_cluster_start_args)
MOTE_HPP_INIT(mote_pixels_host_args)
MOTE_HPP_INIT(mote_pixels_host_result)
MOTE_HPP_INIT(mote_pixels_cluster_digis_args)
MOTE_HPP_INIT(mote_pixels_measure_args)
MOTE_HPP_INIT(mote_pixels_measure_host_args)
MOTE_HPP_INIT(mote_pixels_cluster_time_args)
MOTE_HPP_INIT(mote_pixels_time_host_args)
MOTE_HPP_INIT(mote_pixels_time_host_result)
MOTE_HPP_INIT(mote_pixels_timepix3_args)
MOTE_HPP_INIT(mote_pixels_timepix3_host_args)
MOTE_HPP_INIT(mote_reduce_args)
MOTE_HPP_INIT(mote_reduce_host_args)
MOTE_HPP_INIT(mote_steinhardt_args)
#undef MOTE_HPP_INIT

/** Runs an enqueuing function of C. */
template <auto Function, typename Args>
event enqueue(const context &ctx, cl_command_queue queue, const Args &args, const events &wait)
{
    cl_event done = nullptr;
    mote_status status = Function(ctx, queue, &args, wait.count(), wait.list(), &done);
    event owned(done);
    check(status);
    return owned;
}

} // namespace detail

/** Returns an initialised structure: mote::init<mote_reduce_args>(). */
template <typename Args> MOTE_HPP_INLINE Args init()
{
    Args args;
    detail::initialiser<Args>::run(&args);
    return args;
}

/** Builds every kernel and reserves the scratch that a call with these arguments can need. */
template <typename Args>
void prepare(const context &ctx, mote_operation operation, const Args &args)
{
    check(mote_prepare(ctx, operation, &args));
}

/** A call of the same name in C, which throws and returns its event. */
#define MOTE_HPP_CALL(name, kind)                                                                  \
    inline event name(const context &ctx, borrowed<cl_command_queue> queue,                        \
                      const mote_##kind##_args &args, const events &wait = {})                     \
    {                                                                                              \
        return detail::enqueue<mote_##name>(ctx, queue, args, wait);                               \
    }
MOTE_HPP_CALL(coordination_compute, coordination)
MOTE_HPP_CALL(histogram, histogram)
MOTE_HPP_CALL(jagged_parents, jagged_parents)
MOTE_HPP_CALL(jagged_local_index, jagged_local_index)
MOTE_HPP_CALL(jagged_counts, jagged_counts)
MOTE_HPP_CALL(jagged_offsets_from_counts, jagged_offsets_from_counts)
MOTE_HPP_CALL(jagged_offsets_from_parents, jagged_offsets_from_parents)
MOTE_HPP_CALL(jagged_reduce, jagged_reduce)
MOTE_HPP_CALL(jagged_scan, jagged_scan)
MOTE_HPP_CALL(jagged_sort, jagged_sort)
MOTE_HPP_CALL(jagged_gather_by_parent, jagged_gather_by_parent)
MOTE_HPP_CALL(jagged_product, jagged_combinations)
MOTE_HPP_CALL(jagged_pairs, jagged_combinations)
MOTE_HPP_CALL(jagged_combinations, jagged_combinations)
MOTE_HPP_CALL(jagged_nonzero, jagged_nonzero)
MOTE_HPP_CALL(jagged_run_lengths, jagged_run_lengths)
MOTE_HPP_CALL(jagged_pad, jagged_pad)
MOTE_HPP_CALL(jagged_slice, jagged_slice)
MOTE_HPP_CALL(jagged_quantile, jagged_quantile)
MOTE_HPP_CALL(neighbours, neighbours)
MOTE_HPP_CALL(pair_histogram, pair_histogram)
MOTE_HPP_CALL(pixels_cluster, pixels_cluster)
MOTE_HPP_CALL(pixels_module_start, pixels_module_start)
MOTE_HPP_CALL(pixels_charge_cut, pixels_charge_cut)
MOTE_HPP_CALL(pixels_cluster_start, pixels_cluster_start)
MOTE_HPP_CALL(pixels_cluster_digis, pixels_cluster_digis)
MOTE_HPP_CALL(pixels_measure, pixels_measure)
MOTE_HPP_CALL(pixels_cluster_time, pixels_cluster_time)
MOTE_HPP_CALL(pixels_decode_timepix3, pixels_timepix3)
MOTE_HPP_CALL(reduce, reduce)
MOTE_HPP_CALL(reduce_rows, reduce)
MOTE_HPP_CALL(steinhardt, steinhardt)
#undef MOTE_HPP_CALL

/* ---- coordination -------------------------------------------------------------------------- */

/** Parses a switching function in PLUMED's words, such as "GAUSSIAN R_0=0.3 D_MAX=1.0". */
MOTE_HPP_INLINE mote_switch switch_parse(const std::string &text)
{
    mote_switch function = init<mote_switch>();
    check(mote_switch_parse(text.c_str(), &function));
    return function;
}

/** A plan (coordination.h). The context must outlive it. Threads: any number of calls at once;
 * with a skin, one. */
class coordination : public detail::owner<mote_coordination, mote_coordination_release>
{
  public:
    /** Checks groups and function, and uploads them to the device. */
    coordination(const context &ctx, const mote_coordination_plan_args &args)
    {
        mote_coordination *made = nullptr;
        check(mote_coordination_create(ctx, &args, &made));
        handle_.reset(made);
    }

    /** Entries of its lists. */
    std::size_t entries() const noexcept
    {
        return mote_coordination_entries(get());
    }

    /** Returns the completed switching function. */
    const mote_switch &function() const noexcept
    {
        return *mote_coordination_function(get());
    }
};

/** mote_coordination_host(); blocking. */
inline void coordination_host(const context &ctx, const mote_coordination_host_args &args,
                              mote_host *host = nullptr)
{
    check(mote_coordination_host(ctx, host, &args));
}

/* ---- arrays of the host -------------------------------------------------------------------- */

/** mote_pixels_cluster_host() for labels and counts alone; blocking. */
inline void pixels_cluster_host(const context &ctx, const mote_pixels_host_args &args,
                                mote_host *host = nullptr)
{
    check(mote_pixels_cluster_host(ctx, host, &args, nullptr));
}

/** mote_pixels_cluster_host() with its result, which is valid until the host's next call. */
MOTE_HPP_INLINE mote_pixels_host_result pixels_cluster_result(const context &ctx, mote_host *host,
                                                              const mote_pixels_host_args &args)
{
    auto result = init<mote_pixels_host_result>();
    check(mote_pixels_cluster_host(ctx, host, &args, &result));
    return result;
}

/** Computes one result for each of std::size(results) rows of equal length; blocking. */
template <typename Values, typename Results>
void reduce_host(const context &ctx, mote_reduction reduction, const Values &values,
                 Results &&results, mote_host *host = nullptr)
{
    auto args = init<mote_reduce_host_args>();
    args.rows = std::size(results);
    if (args.rows == 0 || std::size(values) % args.rows != 0)
        throw error(MOTE_ERROR_INVALID_ARGUMENT,
                    "mote::reduce_host: " + std::to_string(std::size(values)) + " values are not " +
                        std::to_string(args.rows) + " rows of equal length");
    args.values = std::data(values), args.n = std::size(values) / args.rows;
    args.type = type_of<detail::element_of<const Values>>;
    args.reduction = reduction;
    args.result = std::data(results), args.result_type = type_of<detail::element_of<Results>>;
    check(mote_reduce_host(ctx, host, &args));
}

namespace detail
{

/** Returns the type of both arrays of a call on lists: that of the offsets. */
template <typename A, typename B> constexpr mote_type common_type()
{
    static_assert(std::is_same_v<element_of<A>, element_of<B>>, "both arrays have one type");
    return type_of<element_of<A>>;
}

/** Returns m, the number of lists that m + 1 offsets describe. */
template <typename Offsets> std::size_t lists_of(const Offsets &offsets)
{
    if (std::size(offsets) == 0)
        throw error(MOTE_ERROR_INVALID_ARGUMENT, "m lists have m + 1 offsets; there are none");
    return std::size(offsets) - 1;
}

template <auto Function, typename Offsets, typename Out>
void expand(const context &ctx, const Offsets &offsets, Out &&out, mote_host *host)
{
    auto args = init<mote_jagged_parents_host_args>();
    args.type = common_type<const Offsets, Out>();
    args.lists = lists_of(offsets), args.offsets = std::data(offsets);
    args.out = std::data(out), args.n = std::size(out);
    check(Function(ctx, host, &args));
}

/** lists: the number of lists, which the caller derives from `in` or `out`. */
template <auto Function, typename In, typename Out>
void convert(const context &ctx, const In &in, Out &&out, std::size_t lists, mote_host *host)
{
    auto args = init<mote_jagged_offsets_host_args>();
    args.type = common_type<const In, Out>();
    args.lists = lists, args.in = std::data(in), args.n = std::size(in), args.out = std::data(out);
    check(Function(ctx, host, &args));
}

/** Throws if an output has another length than the input requires. */
inline void need_length(const char *call, std::size_t has, std::size_t needs)
{
    if (has != needs)
        throw error(MOTE_ERROR_INVALID_ARGUMENT,
                    std::string("mote::") + call + ": the output has " + std::to_string(has) +
                        " elements; it needs " + std::to_string(needs));
}

} // namespace detail

/** Computes the list number of each element, from offsets; blocking. */
template <typename Offsets, typename Out>
void jagged_parents_host(const context &ctx, const Offsets &offsets, Out &&parents,
                         mote_host *host = nullptr)
{
    detail::expand<mote_jagged_parents_host>(ctx, offsets, parents, host);
}

/** Computes each element's position in its list; blocking. */
template <typename Offsets, typename Out>
void jagged_local_index_host(const context &ctx, const Offsets &offsets, Out &&local_index,
                             mote_host *host = nullptr)
{
    detail::expand<mote_jagged_local_index_host>(ctx, offsets, local_index, host);
}

/** Computes the length of each list; blocking. */
template <typename Offsets, typename Out>
void jagged_counts_host(const context &ctx, const Offsets &offsets, Out &&counts,
                        mote_host *host = nullptr)
{
    std::size_t lists = detail::lists_of(offsets);
    detail::need_length("jagged_counts_host", std::size(counts), lists);
    detail::convert<mote_jagged_counts_host>(ctx, offsets, counts, lists, host);
}

/** Computes the offsets of lists of these lengths, stored without gaps; blocking. */
template <typename Counts, typename Out>
void jagged_offsets_from_counts_host(const context &ctx, const Counts &counts, Out &&offsets,
                                     mote_host *host = nullptr)
{
    std::size_t lists = std::size(counts);
    detail::need_length("jagged_offsets_from_counts_host", std::size(offsets), lists + 1);
    detail::convert<mote_jagged_offsets_from_counts_host>(ctx, counts, offsets, lists, host);
}

/** Computes the offsets of the lists that have these parents. The length of the offsets determines
 * the number of lists. Blocking.
 */
template <typename Parents, typename Out>
void jagged_offsets_from_parents_host(const context &ctx, const Parents &parents, Out &&offsets,
                                      mote_host *host = nullptr)
{
    std::size_t lists = detail::lists_of(offsets);
    detail::convert<mote_jagged_offsets_from_parents_host>(ctx, parents, offsets, lists, host);
}

/** Computes one result for each list; blocking. */
template <typename Offsets, typename Values, typename Results>
void jagged_reduce_host(const context &ctx, mote_reduction reduction, const Offsets &offsets,
                        const Values &values, Results &&results, mote_host *host = nullptr)
{
    auto args = init<mote_jagged_reduce_host_args>();
    args.offsets_type = type_of<detail::element_of<const Offsets>>;
    args.lists = detail::lists_of(offsets), args.offsets = std::data(offsets);
    detail::need_length("jagged_reduce_host", std::size(results), args.lists);
    args.values_type = type_of<detail::element_of<const Values>>;
    args.values = std::data(values), args.values_length = std::size(values);
    args.reduction = reduction;
    args.result_type = type_of<detail::element_of<Results>>, args.result = std::data(results);
    check(mote_jagged_reduce_host(ctx, host, &args));
}

} // namespace mote

#endif
