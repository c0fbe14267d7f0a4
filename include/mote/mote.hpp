// SPDX-License-Identifier: Apache-2.0
/**
 * @file mote.hpp
 * @brief mote for C++17: the C interface with owners, exceptions and containers.
 *
 * Link with libmote as from C; this header adds nothing to link. Names are those of C with `mote::`
 * in the place of `mote_`, and so are arguments, results and guarantees: the C headers are the
 * reference.
 *
 * - Failures are exceptions: mote::error carries the status and the sentence.
 * - mote::context, host, queue, event, buffer, pinned, coordination and error_word own what they
 *   hold. They can be moved; where a C function wants the handle they turn into it.
 * - Arguments keep their C structures: `auto args = mote::init<mote_jagged_parents_args>();`
 * - Where a queue, an event or memory is wanted, plain OpenCL handles do, objects of this header,
 *   and objects of <CL/opencl.hpp>, which is not needed.
 * - Arrays of the host are anything with std::data() and std::size(): std::vector, std::array, C
 *   arrays, std::span, mote::span.
 *
 * Threads: as in C. Errors of destructors are not reported.
 */
#ifndef MOTE_MOTE_HPP
#define MOTE_MOTE_HPP

#include "mote.h"

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace mote
{

/* ---- failures ------------------------------------------------------------------------------ */

/** A call failed: what() is the name of the status, a colon and the sentence. */
class error : public std::runtime_error
{
  public:
    /** sentence: mote_last_error() belongs to the thread, so an error is made where it happened. */
    explicit error(mote_status status, const std::string &sentence = mote_last_error())
        : std::runtime_error(std::string(mote_status_name(status)) + ": " + sentence),
          status_(status)
    {
    }

    mote_status status() const noexcept
    {
        return status_;
    }

  private:
    mote_status status_;
};

/** Bad data that a kernel found: index() says where, as layout/error.h explains. */
class data_error : public error
{
  public:
    data_error(mote_status status, uint32_t index) : error(status), index_(index)
    {
    }

    uint32_t index() const noexcept
    {
        return index_;
    }

  private:
    uint32_t index_;
};

/** Throws mote::error unless a function of mote succeeded. */
inline void check(mote_status status)
{
    if (status != MOTE_SUCCESS)
        throw error(status);
}

/** Throws mote::error unless a function of OpenCL succeeded; `what` says which. */
inline void check_cl(cl_int code, const char *what)
{
    if (code != CL_SUCCESS)
        throw error(code, what);
}

/* ---- handles ------------------------------------------------------------------------------- */

/** An OpenCL handle that somebody else owns: a plain one, or what an object's operator() gives. */
template <typename Handle> class borrowed
{
  public:
    borrowed(Handle handle) noexcept : handle_(handle)
    {
    }

    template <typename Object,
              typename = std::enable_if_t<std::is_same_v<
                  std::decay_t<decltype(std::declval<const Object &>()())>, Handle>>>
    borrowed(const Object &object) noexcept : handle_(object())
    {
    }

    operator Handle() const noexcept
    {
        return handle_;
    }

  private:
    Handle handle_;
};

namespace detail
{

template <auto Release> struct releaser {
    template <typename T> void operator()(T *handle) const noexcept
    {
        Release(handle);
    }
};

/** A handle with one owner, which C functions take as it is. */
template <typename T, auto Release> class owner
{
  public:
    T *get() const noexcept
    {
        return handle_.get();
    }

    operator T *() const noexcept
    {
        return handle_.get();
    }

    T *operator()() const noexcept
    {
        return handle_.get();
    }

  protected:
    owner() = default;

    explicit owner(T *handle) noexcept : handle_(handle)
    {
    }

    std::unique_ptr<T, releaser<Release>> handle_;
};

/** The element type of an array, without const. */
template <typename Array>
using element_of =
    std::remove_cv_t<std::remove_reference_t<decltype(*std::data(std::declval<Array &>()))>>;

template <typename T> constexpr mote_type find_type()
{
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "mote has no such element type");
    if (std::is_same_v<T, bool>)
        return MOTE_BOOL;
    if (std::is_floating_point_v<T>)
        return sizeof(T) == 4 ? MOTE_FLOAT32 : MOTE_FLOAT64;
    if (std::is_signed_v<T>)
        return sizeof(T) == 4 ? MOTE_INT32 : sizeof(T) == 8 ? MOTE_INT64 : MOTE_TYPE_NONE;
    return sizeof(T) == 1   ? MOTE_UINT8
           : sizeof(T) == 2 ? MOTE_UINT16
           : sizeof(T) == 4 ? MOTE_UINT32
                            : MOTE_UINT64;
}

} // namespace detail

/** The mote_type of a C++ type, as type_of<float> == MOTE_FLOAT32. */
template <typename T> inline constexpr mote_type type_of = [] {
    constexpr mote_type type = detail::find_type<T>();
    static_assert(type != MOTE_TYPE_NONE, "mote has no such element type");
    return type;
}();

/** A pointer and a length, where no container is at hand. */
template <typename T> class span
{
  public:
    span(T *data, std::size_t size) noexcept : data_(data), size_(size)
    {
    }

    T *data() const noexcept
    {
        return data_;
    }

    std::size_t size() const noexcept
    {
        return size_;
    }

  private:
    T *data_;
    std::size_t size_;
};

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

/** Events to wait for: one, {a, b}, or any container of events. Empty ones are left out. */
class events
{
  public:
    events() = default;

    template <typename One, typename = std::enable_if_t<
                                std::is_convertible_v<const One &, borrowed<cl_event>>>>
    events(const One &one)
    {
        add(borrowed<cl_event>(one));
    }

    events(std::initializer_list<borrowed<cl_event>> list)
    {
        for (const borrowed<cl_event> &one : list)
            add(one);
    }

    template <typename Range, typename Iterator = decltype(std::begin(std::declval<const Range &>())),
              typename = std::enable_if_t<std::is_convertible_v<
                  typename std::iterator_traits<Iterator>::reference, borrowed<cl_event>>>>
    events(const Range &range)
    {
        for (const auto &one : range)
            add(borrowed<cl_event>(one));
    }

    cl_uint count() const noexcept
    {
        return static_cast<cl_uint>(list_.size());
    }

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

/** A device with its programs and scratch memory (context.h). Threads: any number at once. */
class context : public detail::owner<mote_context, mote_context_release>
{
  public:
    /** Opens a device by a device string; nullptr = MOTE_DEVICE, else the best GPU, else the CPU. */
    explicit context(const char *spec = nullptr)
    {
        mote_context *made = nullptr;
        check(mote_context_open(spec, &made));
        handle_.reset(made);
    }

    explicit context(const std::string &spec) : context(spec.c_str())
    {
    }

    /** Wraps an OpenCL context and one of its devices, which are retained. */
    context(borrowed<cl_context> cl, borrowed<cl_device_id> device)
    {
        mote_context *made = nullptr;
        check(mote_context_create(cl, device, &made));
        handle_.reset(made);
    }

    cl_context cl() const noexcept
    {
        return mote_context_cl(get());
    }

    const mote_device_info &device() const noexcept
    {
        return *mote_context_device(get());
    }

    /** A new queue on the device; 0 = in order, no profiling. */
    mote::queue queue(cl_command_queue_properties properties = 0) const
    {
        cl_command_queue made = nullptr;
        check(mote_context_queue(get(), properties, &made));
        return mote::queue(made);
    }

    mote_memory memory() const
    {
        mote_memory report;
        mote_memory_init(&report);
        check(mote_context_memory(get(), &report));
        return report;
    }

    void trim() const
    {
        check(mote_context_trim(get()));
    }
};

/** What the host layer keeps between calls (buffer.h). Threads: one call at a time. */
class host : public detail::owner<mote_host, mote_host_release>
{
  public:
    /** The context must outlive it. queue: an in-order one to use, or nullptr to make one. */
    explicit host(const context &ctx, borrowed<cl_command_queue> queue = nullptr)
    {
        mote_host *made = nullptr;
        check(mote_host_create(ctx, queue, &made));
        handle_.reset(made);
    }
};

/** The properties of every OpenCL device of this machine. */
inline std::vector<mote_device_info> devices()
{
    mote_device_info *list = nullptr;
    std::size_t count = 0;
    check(mote_devices(sizeof(mote_device_info), &list, &count));
    std::unique_ptr<mote_device_info, detail::releaser<mote_devices_free>> owned(list);
    return std::vector<mote_device_info>(list, list + count);
}

/* ---- memory -------------------------------------------------------------------------------- */

/** `count` elements of type T, from element `offset` of an OpenCL buffer on. */
template <typename T> mote_view view(borrowed<cl_mem> mem, std::size_t count, std::size_t offset = 0)
{
    mote_view made = mote_view_make(mem, count, type_of<T>);
    made.offset = offset;
    return made;
}

/** A device buffer that grows (buffer.h). Threads: one at a time. */
template <typename T> class buffer : public detail::owner<mote_buffer, mote_buffer_release>
{
  public:
    /** `count` elements with undefined contents. The context must outlive it. */
    explicit buffer(const context &ctx, std::size_t count = 0, cl_mem_flags flags = 0)
    {
        mote_buffer *made = nullptr;
        check(mote_buffer_create(ctx, type_of<T>, count, flags, &made));
        handle_.reset(made);
    }

    /** The elements of an array of T, written by `queue`; it has been read when this returns. */
    template <typename Array>
    buffer(const context &ctx, borrowed<cl_command_queue> queue, const Array &values)
        : buffer(ctx, std::size(values))
    {
        write(queue, values);
    }

    std::size_t size() const noexcept
    {
        return mote_buffer_size(get());
    }

    std::size_t reserved() const noexcept
    {
        return mote_buffer_reserved(get());
    }

    /** The whole buffer; invalid after the next resize() or reserve(). */
    mote_view view() const noexcept
    {
        return mote_buffer_view(get());
    }

    operator mote_view() const noexcept
    {
        return view();
    }

    /** Changes the size; the contents become undefined when memory is allocated. */
    void resize(std::size_t count)
    {
        check(mote_buffer_resize(get(), count, 0, nullptr, 0, nullptr, nullptr));
    }

    /** Changes the size and keeps the contents, copied by `queue`. */
    event resize(std::size_t count, borrowed<cl_command_queue> queue, const events &wait = {})
    {
        cl_event done = nullptr;
        check(mote_buffer_resize(get(), count, 1, queue, wait.count(), wait.list(), &done));
        return event(done);
    }

    /** Writes an array to the buffer from element `offset` on, converting its type; blocking. */
    template <typename Array>
    void write(borrowed<cl_command_queue> queue, const Array &values, std::size_t offset = 0,
               const events &wait = {})
    {
        check(mote_buffer_write(get(), offset, std::size(values), std::data(values),
                                type_of<detail::element_of<const Array>>, 1, queue, wait.count(),
                                wait.list(), nullptr));
    }

    /** Fills an array from element `offset` on, converting to its type; blocking. */
    template <typename Array>
    void read(borrowed<cl_command_queue> queue, Array &&values, std::size_t offset = 0,
              const events &wait = {}) const
    {
        check(mote_buffer_read(get(), offset, std::size(values), std::data(values),
                               type_of<detail::element_of<Array>>, 1, queue, wait.count(),
                               wait.list(), nullptr));
    }

    /** All elements; blocking. Of bool use read() and an array of unsigned char. */
    std::vector<T> to_vector(borrowed<cl_command_queue> queue, const events &wait = {}) const
    {
        std::vector<T> values(size());
        read(queue, values, 0, wait);
        return values;
    }
};

/** Pinned memory of the host, which copies faster. T is trivial; the elements are not set. */
template <typename T> class pinned
{
  public:
    /** The context must outlive it. */
    pinned(const context &ctx, std::size_t count) : ctx_(ctx), size_(count)
    {
        static_assert(std::is_trivial_v<T>, "pinned memory holds plain data");
        void *made = nullptr;
        if (count > static_cast<std::size_t>(-1) / sizeof(T))
            throw error(MOTE_ERROR_OUT_OF_HOST_MEMORY, "the size of the array passes size_t");
        if (count > 0)
            check(mote_host_alloc(ctx, count * sizeof(T), &made));
        data_ = static_cast<T *>(made);
    }

    pinned(pinned &&other) noexcept
        : ctx_(other.ctx_), data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0))
    {
    }

    pinned &operator=(pinned &&other) noexcept
    {
        std::swap(ctx_, other.ctx_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }

    ~pinned()
    {
        mote_host_free(ctx_, data_);
    }

    T *data() const noexcept
    {
        return data_;
    }

    std::size_t size() const noexcept
    {
        return size_;
    }

    T *begin() const noexcept
    {
        return data_;
    }

    T *end() const noexcept
    {
        return data_ + size_;
    }

    T &operator[](std::size_t k) const noexcept
    {
        return data_[k];
    }

  private:
    mote_context *ctx_;
    T *data_ = nullptr;
    std::size_t size_;
};

/** An error word on the device: give it to calls as `args.error = word`. */
class error_word : public detail::owner<_cl_mem, clReleaseMemObject>
{
  public:
    explicit error_word(const context &ctx)
    {
        cl_mem made = nullptr;
        mote::check(mote_error_create(ctx.cl(), &made));
        handle_.reset(made);
    }

    /** Waits for `wait`, then throws mote::data_error when something was reported. */
    void check(borrowed<cl_command_queue> queue, const events &wait = {}) const
    {
        uint32_t index = 0;
        mote_status status =
            mote_error_read(queue, get(), 0, &index, wait.count(), wait.list());
        if (status <= MOTE_ERROR_EVENT_OFFSETS || status == MOTE_ERROR_CAPACITY)
            throw data_error(status, index);
        mote::check(status);
    }
};

} // namespace mote

#include "mote_calls.hpp"

#endif
