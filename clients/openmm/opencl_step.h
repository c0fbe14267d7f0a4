// SPDX-License-Identifier: Apache-2.0
/* What the forces of one of OpenMM's contexts share in a step: positions, queue and waits. */
#ifndef MOTE_CLIENTS_OPENMM_OPENCL_STEP_H
#define MOTE_CLIENTS_OPENMM_OPENCL_STEP_H

#include "impl.h"

#include <memory>

/* OpenMM's copy of opencl.hpp uses this macro, which OpenCL headers before 3.0 lack. */
#ifndef CL_MAKE_VERSION
#define CL_MAKE_VERSION(major, minor, patch) (((major) << 22) | ((minor) << 12) | (patch))
#endif
#include <openmm/opencl/OpenCLContext.h>

namespace mote_openmm
{

/* The positions of some atoms by place. */
class gathered
{
  public:
    gathered(OpenMM::OpenCLContext &cl, const std::vector<int> &atoms);
    void enqueue();
    mote_view view();

    const std::vector<int> &atoms() const
    {
        return atoms_;
    }
    /* The place of each of OpenMM's atoms, or -1. */
    OpenMM::OpenCLArray &places()
    {
        return place_of_atom_;
    }

  private:
    OpenMM::OpenCLContext &cl_;
    std::vector<int> atoms_;
    OpenMM::OpenCLArray place_of_atom_, positions_;
    OpenMM::ComputeKernel gather_;
    bool linked_ = false;
};

/* The work of a step. On a device that OpenMM keeps busy, the numbers are computed on a queue of
 * their own, at the same time as OpenMM's neighbour lists and forces, and OpenMM's queue waits for
 * them once. Events and flushes for this take the host longer than a small system's kernels take
 * the device, so that those numbers are computed on OpenMM's queue, after its neighbour lists. */
class step
{
  public:
    /* The part of a force. */
    class member
    {
      public:
        virtual ~member() = default;
        virtual bool in(int groups) const = 0;
        virtual gathered &positions() = 0;
        /* Computes the number and its derivatives. */
        virtual mote::event compute(const double *box, bool forces, bool errors,
                                    const mote::event &after) = 0;
        virtual void add(bool forces, bool energy) = 0;
        virtual void check() = 0; /* waits for the device */
    };

    explicit step(OpenMM::OpenCLContext &cl);
    /* Returns the step of a context, which deletes it after its forces. */
    static std::shared_ptr<step> of(OpenMM::OpenCLContext &cl);

    /* Returns the positions of these atoms. Forces on the same atoms share them. */
    std::shared_ptr<gathered> positions(const std::vector<int> &atoms);
    void add(member *force)
    {
        forces_.push_back(force);
    }

    void start(bool forces, bool energy, int groups); /* before OpenMM's neighbour lists */
    void proceed();                                   /* between these and its forces */
    void finish();                                    /* after its forces */
    /* Computes the number of one force, outside of a step. */
    void compute(member *force);

    mote::context &context()
    {
        return ctx_;
    }
    const mote::queue &queue() const
    {
        return queue_;
    }
    mote::buffer<std::uint32_t> &scratch()
    {
        return scratch_;
    }

  private:
    void enqueue();

    OpenMM::OpenCLContext &cl_;
    bool aside_; /* whether numbers have a queue of their own */
    mote::context ctx_;
    mote::queue queue_;
    mote::buffer<std::uint32_t> scratch_; /* one is sufficient, because the queue is in order */
    std::vector<member *> forces_, wanted_;
    std::vector<std::weak_ptr<gathered>> positions_;
    bool with_forces_ = false, with_energy_ = false, enqueued_ = false;
    mote::event computed_; /* the last number */
};

} // namespace mote_openmm

#endif
