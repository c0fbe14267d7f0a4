// SPDX-License-Identifier: Apache-2.0
/**
 * @file hpp/event.hpp
 * @brief For mote.hpp: queues, events, and lists of events to wait for.
 */
#ifndef MOTE_HPP_EVENT_HPP
#define MOTE_HPP_EVENT_HPP

#include "handle.hpp"

#include <initializer_list>
#include <vector>

namespace mote
{

/** A command queue, released with its owner. */
class queue : public detail::owner<_cl_command_queue, clReleaseCommandQueue>
{
  public:
    /** Takes over a reference, as clCreateCommandQueue() returns it. */
    explicit queue(cl_command_queue handle) noexcept : owner(handle)
    {
    }

    /** Waits until everything on the queue is done. */
    void finish() const
    {
        check_cl(clFinish(get()), "clFinish");
    }
};

/** An event, released with its owner; empty where a call enqueued nothing. */
class event : public detail::owner<_cl_event, clReleaseEvent>
{
  public:
    event() = default;

    /** Takes over a reference, as an enqueuing function returns it. */
    explicit event(cl_event handle) noexcept : owner(handle)
    {
    }

    /** Waits until it is complete. */
    void wait() const
    {
        cl_event handle = get();
        if (handle)
            check_cl(clWaitForEvents(1, &handle), "clWaitForEvents");
    }
};

/** Events to wait for: one, {a, b}, or any container of events. Empty events are ignored. It holds
 * no references: the events must outlive it. */
class events
{
  public:
    events() = default;

    template <typename One,
              typename = std::enable_if_t<std::is_convertible_v<const One &, borrowed<cl_event>>>>
    /** One event. */
    events(const One &one)
    {
        add(borrowed<cl_event>(one));
    }

    /** Some events. */
    events(std::initializer_list<borrowed<cl_event>> list)
    {
        for (const borrowed<cl_event> &one : list)
            add(one);
    }

    template <typename Range,
              typename Iterator = decltype(std::begin(std::declval<const Range &>())),
              typename = std::enable_if_t<std::is_convertible_v<
                  typename std::iterator_traits<Iterator>::reference, borrowed<cl_event>>>>
    /** Collects the events of a container. */
    events(const Range &range)
    {
        for (const auto &one : range)
            add(borrowed<cl_event>(one));
    }

    /** Returns the number of events. */
    cl_uint count() const noexcept
    {
        return static_cast<cl_uint>(list_.size());
    }

    /** The events as C functions take them; NULL for none. */
    const cl_event *list() const noexcept
    {
        return list_.empty() ? nullptr : list_.data();
    }

  private:
    void add(cl_event one)
    {
        if (one)
            list_.push_back(one);
    }

    std::vector<cl_event> list_;
};

} // namespace mote

#endif
