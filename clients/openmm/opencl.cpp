// SPDX-License-Identifier: Apache-2.0
/* The force on OpenMM's OpenCL platform: a plugin for Platform::loadPluginLibrary(). */
#include "expression.h"
#include "impl.h"
#include "opencl_kernels.h"

#include <array>
#include <optional>

/* OpenMM's copy of opencl.hpp uses this macro, which OpenCL headers before 3.0 lack. */
#ifndef CL_MAKE_VERSION
#define CL_MAKE_VERSION(major, minor, patch) (((major) << 22) | ((minor) << 12) | (patch))
#endif
#include <openmm/KernelFactory.h>
#include <openmm/common/ComputeForceInfo.h>
#include <openmm/opencl/OpenCLContext.h>

namespace mote_openmm
{

namespace
{

/* Without periodic distances, OpenMM must not wrap the atoms of the groups one by one. */
class together : public OpenMM::ComputeForceInfo
{
  public:
    explicit together(const std::vector<int> &atoms) : atoms_(atoms)
    {
    }
    int getNumParticleGroups() override
    {
        return 1;
    }
    void getParticlesInGroup(int, std::vector<int> &particles) override
    {
        particles = atoms_;
    }
    bool areGroupsIdentical(int, int) override
    {
        return true;
    }

  private:
    std::vector<int> atoms_;
};

/* The pairs are computed on a queue of their own, concurrently with OpenMM's neighbour lists and
 * forces; at the end of these, OpenMM's queue waits for the pairs and adds their results. */
class opencl_kernel : public kernel
{
  public:
    opencl_kernel(const OpenMM::Platform &on, OpenMM::OpenCLContext &cl)
        : kernel(Name(), on), cl_(cl), ctx_(cl.getContext(), cl.getDevice()), queue_(ctx_.queue()),
          error_(ctx_)
    {
    }
    void initialize(const OpenMM::System &system, const definition &force) override;
    double execute(OpenMM::ContextImpl &context, bool forces, bool energy) override;
    double number(OpenMM::ContextImpl &context) override;
    void start(bool forces, bool energy, int groups); /* runs before OpenMM's own work */
    void finish(bool forces, bool energy);            /* after it */

  private:
    mote_type wide() const
    {
        return ctx_.device().has_fp64 ? MOTE_FLOAT64 : MOTE_FLOAT32;
    }
    void allocate(const OpenMM::System &system);
    void compile();
    void link();
    mote_precision precision() const;
    const mote::coordination &plan(mote_pbc shape);
    mote_pbc shape_of(const double *box) const;
    mote_coordination_args call(const mote::coordination &plan, bool forces);
    void enqueue(bool forces, bool errors);
    void check();

    OpenMM::OpenCLContext &cl_;
    mote::context ctx_;
    mote::queue queue_;
    mote::event computed_; /* the call for which finish() has still to wait */
    std::optional<definition> force_;
    std::array<std::optional<mote::coordination>, 3>
        plans_; /* one plan for each shape of the box */
    std::optional<mote::buffer<std::uint32_t>> scratch_;
    mote::error_word error_;
    OpenMM::OpenCLArray place_of_atom_, positions_, derivatives_, value_;
    OpenMM::ComputeKernel gather_, add_;
    bool linked_ = false;
};

class beginning : public OpenMM::ComputeContext::ForcePreComputation
{
  public:
    explicit beginning(opencl_kernel &of) : of_(of)
    {
    }
    void computeForceAndEnergy(bool forces, bool energy, int groups) override
    {
        guarded([&] { of_.start(forces, energy, groups); });
    }

  private:
    opencl_kernel &of_;
};

class ending : public OpenMM::ComputeContext::ForcePostComputation
{
  public:
    explicit ending(opencl_kernel &of) : of_(of)
    {
    }
    double computeForceAndEnergy(bool forces, bool energy, int) override
    {
        guarded([&] { of_.finish(forces, energy); });
        return 0.0;
    }

  private:
    opencl_kernel &of_;
};

void opencl_kernel::initialize(const OpenMM::System &system, const definition &force)
{
    force_ = force;
    if (!force.periodic)
        cl_.addForce(new together(force.atoms));
    cl_.addPreComputation(
        new beginning(*this)); /* the context deletes this object and the next one */
    cl_.addPostComputation(new ending(*this));
    allocate(system);
    compile();
    scratch_.emplace(ctx_);
    plan(force.periodic ? cl_.getBoxIsTriclinic() ? MOTE_PBC_TRICLINIC : MOTE_PBC_ORTHORHOMBIC
                        : MOTE_PBC_NONE);
}

void opencl_kernel::allocate(const OpenMM::System &system)
{
    const int atoms = static_cast<int>(force_->atoms.size());
    const int real = cl_.getUseDoublePrecision() ? 8 : 4;
    const int mixed = cl_.getUseDoublePrecision() || cl_.getUseMixedPrecision() ? 8 : 4;
    positions_.initialize(cl_, atoms, 4 * mixed, "motePositions");
    derivatives_.initialize(cl_, atoms, 4 * real, "moteDerivatives");
    value_.initialize(cl_, 1, 8, "moteValue"); /* a double, or two floats */
    const int particles = system.getNumParticles();
    std::vector<int> places(static_cast<size_t>(particles), -1);
    for (int k = 0; k < atoms; k++)
        places[static_cast<size_t>(force_->atoms[static_cast<size_t>(k)])] = k;
    place_of_atom_.initialize<int>(cl_, particles, "motePlaces");
    place_of_atom_.upload(places);
}

void opencl_kernel::compile()
{
    const bool has_double = wide() == MOTE_FLOAT64;
    std::map<std::string, std::string> names = {{"n", "n"}};
    std::string parameters;
    for (size_t k = 0; k < force_->names.size(); k++) {
        const std::string parameter = "parameter" + std::to_string(k);
        names[force_->names[k]] = parameter;
        parameters += ", wide " + parameter;
    }
    const auto program =
        cl_.compileProgram((has_double ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "") +
                               std::string(opencl_kernels),
                           {{"WIDE", has_double ? "double" : "float"},
                            {"HALVES", has_double ? "1" : "2"},
                            {"PARAMETERS", parameters},
                            {"ENERGY", opencl_text(force_->energy, names)},
                            {"SLOPE", opencl_text(force_->derivative, names)}});
    gather_ = program->createKernel("mote_gather");
    add_ = program->createKernel("mote_add");
}

/* OpenMM creates its buffers of forces and energy after the initialisation of all forces. */
void opencl_kernel::link()
{
    if (linked_)
        return;
    if (!cl_.getLongForceBuffer().isInitialized())
        throw mote::error(MOTE_ERROR_UNSUPPORTED,
                          "OpenMM has no 64-bit force buffer on this device, which has no "
                          "cl_khr_int64_base_atomics");
    gather_->addArg(cl_.getNumAtoms());
    gather_->addArg(cl_.getAtomIndexArray());
    gather_->addArg(place_of_atom_);
    gather_->addArg(cl_.getPosq());
    if (cl_.getUseMixedPrecision())
        gather_->addArg(cl_.getPosqCorrection());
    gather_->addArg(positions_);
    add_->addArg(cl_.getNumAtoms());
    add_->addArg(cl_.getPaddedNumAtoms());
    add_->addArg(); /* forces */
    add_->addArg(); /* energy */
    add_->addArg(cl_.getAtomIndexArray());
    add_->addArg(place_of_atom_);
    add_->addArg(value_);
    add_->addArg(derivatives_);
    add_->addArg(cl_.getLongForceBuffer());
    add_->addArg(cl_.getEnergyBuffer());
    for (size_t k = 0; k < force_->names.size(); k++)
        add_->addArg();
    linked_ = true;
}

mote_precision opencl_kernel::precision() const
{
    switch (force_->precision) {
    case MoteCoordinationForce::Single:
        return MOTE_PRECISION_SINGLE;
    case MoteCoordinationForce::Mixed:
        return MOTE_PRECISION_MIXED;
    case MoteCoordinationForce::Double:
        return MOTE_PRECISION_DOUBLE;
    default:
        return cl_.getUseDoublePrecision() ? MOTE_PRECISION_DOUBLE : MOTE_PRECISION_MIXED;
    }
}

const mote::coordination &opencl_kernel::plan(mote_pbc shape)
{
    if (plans_[shape])
        return *plans_[shape];
    auto args = mote::init<mote_coordination_plan_args>();
    args.function = force_->function;
    args.mode = force_->mode;
    args.n_atoms = force_->atoms.size();
    if (force_->mode != MOTE_COORDINATION_SELF || force_->a.size() != force_->atoms.size())
        args.group_a = force_->a.data(), args.n_a = force_->a.size();
    args.group_b = force_->b.data(), args.n_b = force_->b.size();
    args.pbc = shape;
    args.precision = precision();
    mote::coordination made(ctx_, args);
    for (const bool forces : {true, false}) {
        const mote_coordination_args with = call(made, forces);
        size_t bytes = 0;
        mote::check(mote_coordination_workspace_size(ctx_, &with, &bytes));
        if (bytes > 4 * scratch_->size())
            scratch_->resize((bytes + 3) / 4);
    }
    mote::prepare(ctx_, MOTE_OPERATION_COORDINATION, call(made, true));
    plans_[shape] = std::move(made);
    return *plans_[shape];
}

mote_pbc opencl_kernel::shape_of(const double *box) const
{
    if (!force_->periodic)
        return MOTE_PBC_NONE;
    return box[3] == 0.0 && box[6] == 0.0 && box[7] == 0.0 ? MOTE_PBC_ORTHORHOMBIC
                                                           : MOTE_PBC_TRICLINIC;
}

mote_coordination_args opencl_kernel::call(const mote::coordination &plan, bool forces)
{
    const bool fine = cl_.getUseDoublePrecision();
    const size_t atoms = force_->atoms.size();
    auto args = mote::init<mote_coordination_args>();
    args.plan = plan;
    args.positions =
        mote_view_make(positions_.getDeviceBuffer()(), 4 * atoms,
                       fine || cl_.getUseMixedPrecision() ? MOTE_FLOAT64 : MOTE_FLOAT32);
    args.position_stride = 4;
    args.value = mote_view_make(value_.getDeviceBuffer()(), wide() == MOTE_FLOAT64 ? 1 : 2, wide());
    if (forces)
        args.derivatives = mote_view_make(derivatives_.getDeviceBuffer()(), 4 * atoms,
                                          fine ? MOTE_FLOAT64 : MOTE_FLOAT32);
    args.derivative_stride = 4;
    /* If each atom is in the groups once, the atoms are in the order of the entries. */
    args.derivatives_of = plan.entries() == atoms ? MOTE_DERIVATIVES_ENTRY : MOTE_DERIVATIVES_ATOM;
    return args;
}

/* These are the number and the derivatives by place. One workspace is sufficient, because the queue
 * is in order.
 * Errors are read when the host waits for the device anyway: invalid positions remain invalid. */
void opencl_kernel::enqueue(bool forces, bool errors)
{
    OpenMM::Vec3 rows[3];
    double box[9];
    link();
    cl_.getPeriodicBoxVectors(rows[0], rows[1], rows[2]);
    for (int k = 0; k < 9; k++)
        box[k] = rows[k / 3][k % 3];
    gather_->execute(cl_.getNumAtoms());
    const mote::coordination &of = plan(shape_of(box));
    mote_coordination_args args = call(of, forces);
    args.box = force_->periodic ? box : nullptr;
    args.workspace = *scratch_;
    args.error = errors ? error_.get() : nullptr;
    cl_event gathered = nullptr;
    mote::check_cl(clEnqueueMarkerWithWaitList(cl_.getQueue()(), 0, nullptr, &gathered),
                   "clEnqueueMarkerWithWaitList");
    const mote::event after(gathered);
    mote::check_cl(clFlush(cl_.getQueue()()), "clFlush");
    computed_ = mote::coordination_compute(ctx_, queue_, args, after);
    mote::check_cl(clFlush(queue_), "clFlush");
}

/* Waits for the device. */
void opencl_kernel::check()
{
    try {
        error_.check(queue_);
    } catch (const mote::data_error &found) {
        if (found.status() != MOTE_ERROR_POSITION || found.index() >= force_->atoms.size())
            throw;
        throw mote::error(MOTE_ERROR_POSITION, "particle " +
                                                   std::to_string(force_->atoms[found.index()]) +
                                                   " has a position that is not finite");
    }
}

void opencl_kernel::start(bool forces, bool energy, int groups)
{
    computed_ = mote::event(); /* a step that another force has ended left its own event */
    if ((groups & (1 << force_->owner->getForceGroup())) != 0)
        enqueue(forces, energy);
}

double opencl_kernel::execute(OpenMM::ContextImpl &context, bool, bool)
{
    for (size_t k = 0; k < force_->names.size(); k++) {
        const double parameter = context.getParameter(force_->names[k]);
        if (wide() == MOTE_FLOAT64)
            add_->setArg(static_cast<int>(10 + k), parameter);
        else
            add_->setArg(static_cast<int>(10 + k), static_cast<float>(parameter));
    }
    return 0.0;
}

void opencl_kernel::finish(bool forces, bool energy)
{
    if (!computed_.get())
        return; /* its group of forces is not wanted */
    const cl_event computed = computed_;
    mote::check_cl(clEnqueueBarrierWithWaitList(cl_.getQueue()(), 1, &computed, nullptr),
                   "clEnqueueBarrierWithWaitList");
    computed_ = mote::event();
    add_->setArg(2, static_cast<int>(forces));
    add_->setArg(3, static_cast<int>(energy));
    add_->execute(forces ? cl_.getNumAtoms() : 1);
    if (energy) /* OpenMM will wait for this, too */
        check();
}

double opencl_kernel::number(OpenMM::ContextImpl &)
{
    enqueue(false, true);
    computed_ = mote::event();
    check();
    if (wide() == MOTE_FLOAT64) {
        double value = 0.0;
        value_.download(&value);
        return value;
    }
    float halves[2] = {};
    value_.download(halves);
    return static_cast<double>(halves[0]) + static_cast<double>(halves[1]);
}

class factory : public OpenMM::KernelFactory
{
  public:
    OpenMM::KernelImpl *createKernelImpl(std::string, const OpenMM::Platform &platform,
                                         OpenMM::ContextImpl &context) const override
    {
        auto *data = static_cast<OpenMM::OpenCLPlatform::PlatformData *>(context.getPlatformData());
        if (data->contexts.size() > 1)
            throw OpenMM::OpenMMException(
                "MoteCoordinationForce works on one device only: DeviceIndex names " +
                std::to_string(data->contexts.size()));
        return new opencl_kernel(platform, *data->contexts[0]);
    }
};

} // namespace

} // namespace mote_openmm

extern "C" MOTE_OPENMM_API void registerPlatforms()
{
}

extern "C" MOTE_OPENMM_API void registerKernelFactories()
{
    try {
        OpenMM::Platform::getPlatformByName("OpenCL").registerKernelFactory(
            mote_openmm::kernel::Name(), new mote_openmm::factory);
    } catch (const OpenMM::OpenMMException &) {
        /* OpenMM has no OpenCL platform on this machine. */
    }
}
