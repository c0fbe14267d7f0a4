// SPDX-License-Identifier: Apache-2.0
/**
 * @file hpp/memory.hpp
 * @brief For mote.hpp: views, buffers, pinned memory, error words.
 */
#ifndef MOTE_HPP_MEMORY_HPP
#define MOTE_HPP_MEMORY_HPP

#include "context.hpp"

namespace mote
{

/* ---- memory -------------------------------------------------------------------------------- */

/** `count` elements of type T, from element `offset` of an OpenCL buffer on. */
template <typename T>
mote_view view(borrowed<cl_mem> mem, std::size_t count, std::size_t offset = 0)
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
    template <typename Array, typename = decltype(std::data(std::declval<const Array &>()))>
    buffer(const context &ctx, borrowed<cl_command_queue> queue, const Array &values)
        : buffer(ctx, std::size(values))
    {
        write(queue, values);
    }

    /** The number of elements. */
    std::size_t size() const noexcept
    {
        return mote_buffer_size(get());
    }

    /** The elements that fit without new memory. */
    std::size_t reserved() const noexcept
    {
        return mote_buffer_reserved(get());
    }

    /** The whole buffer; invalid after the next resize() or reserve(). */
    mote_view view() const noexcept
    {
        return mote_buffer_view(get());
    }

    /** view(). */
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
        mote_status status =
            mote_buffer_resize(get(), count, 1, queue, wait.count(), wait.list(), &done);
        event owned(done);
        check(status);
        return owned;
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

    /** All elements; blocking. For bool, use read() and an array of unsigned char. */
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

    /** Moves the memory of `other` here. */
    pinned(pinned &&other) noexcept
        : ctx_(other.ctx_), data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0))
    {
    }

    /** Moves the memory of `other` here. */
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

    /** The first element. */
    T *data() const noexcept
    {
        return data_;
    }

    /** The number of elements. */
    std::size_t size() const noexcept
    {
        return size_;
    }

    /** The first element. */
    T *begin() const noexcept
    {
        return data_;
    }

    /** The end: one past the last element. */
    T *end() const noexcept
    {
        return data_ + size_;
    }

    /** Element k. */
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
    /** A word in which nothing is reported. */
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
        mote_status status = mote_error_read(queue, get(), 0, &index, wait.count(), wait.list());
        if (status <= MOTE_ERROR_EVENT_OFFSETS || status == MOTE_ERROR_CAPACITY)
            throw data_error(status, index);
        mote::check(status);
    }
};

} // namespace mote

#endif
