// SPDX-License-Identifier: Apache-2.0
/**
 * @file hpp/handle.hpp
 * @brief For mote.hpp: failures as exceptions, owners of handles, types of elements.
 */
#ifndef MOTE_HPP_HANDLE_HPP
#define MOTE_HPP_HANDLE_HPP

#include "../mote.h"

#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

/**
 * Marks a function that returns a structure of C by value. The size of such a structure depends on
 * the version of the headers. Libraries of one program that were compiled with different versions
 * must not share one copy of the function, so the compiler inlines it even without optimisation.
 */
#if defined(__GNUC__)
#define MOTE_HPP_INLINE [[gnu::always_inline]] inline
#else
#define MOTE_HPP_INLINE inline
#endif

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

    /** The status of the call. */
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
    /** The status and the index from mote_error_read(). */
    data_error(mote_status status, uint32_t index) : error(status), index_(index)
    {
    }

    /** The index of the bad data. */
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

/** Throws mote::error unless a function of OpenCL succeeded; `what` names the function. */
inline void check_cl(cl_int code, const char *what)
{
    if (code != CL_SUCCESS)
        throw error(code, what);
}

/* ---- handles ------------------------------------------------------------------------------- */

/** An OpenCL handle that the caller owns: a plain handle, or the result of an object's
 * operator(). */
template <typename Handle> class borrowed
{
  public:
    /** A plain handle. */
    borrowed(Handle handle) noexcept : handle_(handle)
    {
    }

    /** The handle inside an object of <CL/opencl.hpp> or of mote. */
    template <typename Object,
              typename = std::enable_if_t<
                  std::is_same_v<std::decay_t<decltype(std::declval<const Object &>()())>, Handle>>>
    borrowed(const Object &object) noexcept : handle_(object())
    {
    }

    /** The handle. */
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

/** A handle with one owner; C functions accept it directly. */
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
        return std::numeric_limits<T>::digits == 11   ? MOTE_FLOAT16
               : std::numeric_limits<T>::digits == 24 ? MOTE_FLOAT32
               : std::numeric_limits<T>::digits == 53 ? MOTE_FLOAT64
                                                      : MOTE_TYPE_NONE;
    if (std::is_signed_v<T>)
        return sizeof(T) == 1   ? MOTE_INT8
               : sizeof(T) == 2 ? MOTE_INT16
               : sizeof(T) == 4 ? MOTE_INT32
                                : MOTE_INT64;
    return sizeof(T) == 1   ? MOTE_UINT8
           : sizeof(T) == 2 ? MOTE_UINT16
           : sizeof(T) == 4 ? MOTE_UINT32
                            : MOTE_UINT64;
}

} // namespace detail

/** The mote_type of a C++ type, as type_of<float> == MOTE_FLOAT32. */
template <typename T>
inline constexpr mote_type type_of = [] {
    constexpr mote_type type = detail::find_type<T>();
    static_assert(type != MOTE_TYPE_NONE, "mote has no such element type");
    return type;
}();

/** A pointer and a length, for arrays without a container. */
template <typename T> class span
{
  public:
    /** `size` elements from `data` on. */
    span(T *data, std::size_t size) noexcept : data_(data), size_(size)
    {
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

  private:
    T *data_;
    std::size_t size_;
};

} // namespace mote

#endif
