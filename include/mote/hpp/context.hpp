// SPDX-License-Identifier: Apache-2.0
/**
 * @file hpp/context.hpp
 * @brief For mote.hpp: devices, contexts, and the state of the host layer.
 */
#ifndef MOTE_HPP_CONTEXT_HPP
#define MOTE_HPP_CONTEXT_HPP

#include "event.hpp"

namespace mote
{

/** A device with its programs and scratch memory (context.h). Threads: any number at once. */
class context : public detail::owner<mote_context, mote_context_release>
{
  public:
    /** Opens a device by a device string; nullptr = MOTE_DEVICE, else the best GPU, else the CPU.
     */
    explicit context(const char *spec = nullptr)
    {
        mote_context *made = nullptr;
        check(mote_context_open(spec, &made));
        handle_.reset(made);
    }

    /** The device that a text names, as mote_context_open(). */
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

    /** OpenCL's context, not retained. */
    cl_context cl() const noexcept
    {
        return mote_context_cl(get());
    }

    /** The device. */
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

    /** The context's scratch memory. */
    MOTE_HPP_INLINE mote_memory memory() const
    {
        mote_memory report;
        mote_memory_init(&report);
        check(mote_context_memory(get(), &report));
        return report;
    }

    /** Replaces the tuning values: mote_context_tune(). */
    void tune(const char *text) const
    {
        check(mote_context_tune(get(), text));
    }

    /** Frees scratch that no call uses. */
    void trim() const
    {
        check(mote_context_trim(get()));
    }
};

/** The state that the host layer keeps between calls (buffer.h). Threads: one call at a time. */
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

/** Returns the properties of every OpenCL device of this machine. */
inline std::vector<mote_device_info> devices()
{
    mote_device_info *list = nullptr;
    std::size_t count = 0;
    check(mote_devices(sizeof(mote_device_info), &list, &count));
    std::unique_ptr<mote_device_info, detail::releaser<mote_devices_free>> owned(list);
    return std::vector<mote_device_info>(list, list + count);
}

} // namespace mote

#endif
