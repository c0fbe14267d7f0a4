// SPDX-License-Identifier: Apache-2.0
#include "opencl_step.h"
#include "opencl_kernels.h"

namespace mote_openmm
{

namespace
{

constexpr int aside_from = 50000; /* particles for which a queue of its own is worthwhile */

class beginning : public OpenMM::ComputeContext::ForcePreComputation
{
  public:
    explicit beginning(std::shared_ptr<step> of) : of_(std::move(of))
    {
    }
    void computeForceAndEnergy(bool forces, bool energy, int groups) override
    {
        guarded([&] { of_->start(forces, energy, groups); });
    }
    const std::shared_ptr<step> &of() const
    {
        return of_;
    }

  private:
    std::shared_ptr<step> of_;
};

class ending : public OpenMM::ComputeContext::ForcePostComputation
{
  public:
    explicit ending(std::shared_ptr<step> of) : of_(std::move(of))
    {
    }
    double computeForceAndEnergy(bool, bool, int) override
    {
        guarded([&] { of_->finish(); });
        return 0.0;
    }

  private:
    std::shared_ptr<step> of_;
};

/* Returns whether OpenMM's positions have the accuracy of double precision. */
bool fine(OpenMM::OpenCLContext &cl)
{
    return cl.getUseDoublePrecision() || cl.getUseMixedPrecision();
}

mote::queue queue_of(OpenMM::OpenCLContext &cl)
{
    const cl_command_queue queue = cl.getQueue()();
    mote::check_cl(clRetainCommandQueue(queue), "clRetainCommandQueue");
    return mote::queue(queue);
}

} // namespace

/* ---- positions ------------------------------------------------------------------------------- */

gathered::gathered(OpenMM::OpenCLContext &cl, const std::vector<int> &atoms)
    : cl_(cl), atoms_(atoms)
{
    std::vector<int> places(static_cast<size_t>(cl.getNumAtoms()), -1);
    for (size_t k = 0; k < atoms.size(); k++)
        places[static_cast<size_t>(atoms[k])] = static_cast<int>(k);
    place_of_atom_.initialize<int>(cl, places.size(), "motePlaces");
    place_of_atom_.upload(places);
    positions_.initialize(cl, 3 * atoms.size(), fine(cl) ? 8 : 4, "motePositions");
    gather_ = cl.compileProgram(gather_source)->createKernel("mote_gather");
}

mote_view gathered::view()
{
    return mote_view_make(positions_.getDeviceBuffer()(), 3 * atoms_.size(),
                          fine(cl_) ? MOTE_FLOAT64 : MOTE_FLOAT32);
}

void gathered::enqueue()
{
    if (!linked_) {
        gather_->addArg(cl_.getNumAtoms());
        gather_->addArg(cl_.getAtomIndexArray());
        gather_->addArg(place_of_atom_);
        gather_->addArg(cl_.getPosq());
        if (cl_.getUseMixedPrecision())
            gather_->addArg(cl_.getPosqCorrection());
        gather_->addArg(positions_);
        linked_ = true;
    }
    gather_->execute(cl_.getNumAtoms());
}

/* ---- steps ----------------------------------------------------------------------------------- */

step::step(OpenMM::OpenCLContext &cl)
    : cl_(cl), aside_(cl.getNumAtoms() >= aside_from), ctx_(cl.getContext(), cl.getDevice()),
      queue_(aside_ ? ctx_.queue() : queue_of(cl)), scratch_(ctx_)
{
}

std::shared_ptr<step> step::of(OpenMM::OpenCLContext &cl)
{
    for (OpenMM::ComputeContext::ForcePreComputation *computation : cl.getPreComputations())
        if (auto *found = dynamic_cast<beginning *>(computation))
            return found->of();
    const auto made = std::make_shared<step>(cl);
    cl.addPreComputation(new beginning(made));
    cl.addPostComputation(new ending(made));
    return made;
}

std::shared_ptr<gathered> step::positions(const std::vector<int> &atoms)
{
    for (const std::weak_ptr<gathered> &known : positions_)
        if (const auto found = known.lock(); found && found->atoms() == atoms)
            return found;
    const auto made = std::make_shared<gathered>(cl_, atoms);
    positions_.push_back(made);
    return made;
}

/* Errors are read when the host waits for the device anyway: invalid positions remain invalid. */
void step::enqueue()
{
    enqueued_ = true;
    for (const std::weak_ptr<gathered> &known : positions_) {
        const auto of = known.lock();
        for (member *force : wanted_) {
            if (&force->positions() != of.get())
                continue;
            of->enqueue();
            break;
        }
    }
    OpenMM::Vec3 rows[3];
    double box[9];
    cl_.getPeriodicBoxVectors(rows[0], rows[1], rows[2]);
    for (int k = 0; k < 9; k++)
        box[k] = rows[k / 3][k % 3];
    mote::event after;
    if (aside_) {
        cl_event marker = nullptr;
        mote::check_cl(clEnqueueMarkerWithWaitList(cl_.getQueue()(), 0, nullptr, &marker),
                       "clEnqueueMarkerWithWaitList");
        after = mote::event(marker);
        mote::check_cl(clFlush(cl_.getQueue()()), "clFlush");
    }
    for (member *force : wanted_)
        computed_ = force->compute(box, with_forces_, with_energy_, after);
    if (aside_)
        mote::check_cl(clFlush(queue_), "clFlush");
}

void step::start(bool forces, bool energy, int groups)
{
    with_forces_ = forces;
    with_energy_ = energy;
    enqueued_ = false;
    wanted_.clear(); /* an exception of another force may have ended the step before */
    for (member *force : forces_)
        if (force->in(groups))
            wanted_.push_back(force);
    if (aside_ && !wanted_.empty())
        enqueue();
}

void step::proceed()
{
    if (!enqueued_)
        enqueue();
}

void step::finish()
{
    if (wanted_.empty())
        return;
    const cl_event computed = computed_;
    if (aside_)
        mote::check_cl(clEnqueueBarrierWithWaitList(cl_.getQueue()(), 1, &computed, nullptr),
                       "clEnqueueBarrierWithWaitList");
    for (member *force : wanted_)
        force->add(with_forces_, with_energy_);
    if (with_energy_) /* OpenMM will wait for this, too */
        for (member *force : wanted_)
            force->check();
}

void step::compute(member *force)
{
    wanted_ = {force};
    with_forces_ = false;
    with_energy_ = true;
    enqueue();
    wanted_.clear();
}

} // namespace mote_openmm
