// SPDX-License-Identifier: Apache-2.0
/* The force on OpenMM's OpenCL platform: a plugin for Platform::loadPluginLibrary(). */
#include "expression.h"
#include "opencl_call.h"
#include "opencl_kernels.h"
#include "opencl_step.h"

#include <openmm/KernelFactory.h>
#include <openmm/common/ComputeForceInfo.h>

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

class opencl_kernel : public kernel, public step::member
{
  public:
    opencl_kernel(const OpenMM::Platform &on, OpenMM::OpenCLContext &cl)
        : kernel(Name(), on), cl_(cl), step_(step::of(cl))
    {
    }
    void initialize(const OpenMM::System &system, const definition &force) override;
    double execute(OpenMM::ContextImpl &context, bool forces, bool energy) override;
    double number(OpenMM::ContextImpl &context) override;

    bool in(int groups) const override
    {
        return (groups & (1 << force_->owner->getForceGroup())) != 0;
    }
    gathered &positions() override
    {
        return *positions_;
    }
    mote::event compute(const double *box, bool forces, bool errors,
                        const mote::event &after) override;
    void add(bool forces, bool energy) override;
    void check() override;

  private:
    void compile();
    void link();
    arrays views();

    OpenMM::OpenCLContext &cl_;
    std::shared_ptr<step> step_;
    std::optional<definition> force_;
    std::optional<library_call> call_;
    std::shared_ptr<gathered> positions_;
    OpenMM::OpenCLArray derivatives_, value_;
    OpenMM::ComputeKernel add_;
    bool linked_ = false;
};

void opencl_kernel::initialize(const OpenMM::System &, const definition &force)
{
    force_ = force;
    if (!force.periodic)
        cl_.addForce(new together(force.atoms));
    call_.emplace(step_->context(), step_->scratch(), *force_, cl_.getUseDoublePrecision());
    positions_ = step_->positions(force_->atoms);
    derivatives_.initialize(cl_, 3 * force_->atoms.size(), cl_.getUseDoublePrecision() ? 8 : 4,
                            "moteDerivatives");
    value_.initialize(cl_, 1, 8, "moteValue"); /* a double, or one or two floats */
    compile();
    call_->prepare(views(), cl_.getBoxIsTriclinic());
    step_->add(this);
}

void opencl_kernel::compile()
{
    std::map<std::string, std::string> names = {{"n", "n"}};
    std::string parameters;
    for (size_t k = 0; k < force_->names.size(); k++) {
        const std::string parameter = "parameter" + std::to_string(k);
        names[force_->names[k]] = parameter;
        parameters += ", wide " + parameter;
    }
    const bool as_double = call_->wide() == MOTE_FLOAT64;
    const auto program =
        cl_.compileProgram((as_double ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "") +
                               std::string(add_source),
                           {{"WIDE", as_double ? "double" : "float"},
                            {"HALVES", std::to_string(call_->halves())},
                            {"PARAMETERS", parameters},
                            {"ENERGY", opencl_text(force_->energy, names)},
                            {"SLOPE", opencl_text(force_->derivative, names)}});
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
    add_->addArg(cl_.getNumAtoms());
    add_->addArg(cl_.getPaddedNumAtoms());
    add_->addArg(); /* forces */
    add_->addArg(); /* energy */
    add_->addArg(cl_.getAtomIndexArray());
    add_->addArg(positions_->places());
    add_->addArg(value_);
    add_->addArg(derivatives_);
    add_->addArg(cl_.getLongForceBuffer());
    add_->addArg(cl_.getEnergyBuffer());
    for (size_t k = 0; k < force_->names.size(); k++)
        add_->addArg();
    linked_ = true;
}

arrays opencl_kernel::views()
{
    return {positions_->view(),
            mote_view_make(value_.getDeviceBuffer()(), call_->halves(), call_->wide()),
            mote_view_make(derivatives_.getDeviceBuffer()(), 3 * force_->atoms.size(),
                           cl_.getUseDoublePrecision() ? MOTE_FLOAT64 : MOTE_FLOAT32)};
}

mote::event opencl_kernel::compute(const double *box, bool forces, bool errors,
                                   const mote::event &after)
{
    return call_->enqueue(step_->queue(), views(), box, forces, errors, after);
}

void opencl_kernel::check()
{
    call_->check(step_->queue());
}

double opencl_kernel::execute(OpenMM::ContextImpl &context, bool, bool)
{
    link();
    for (size_t k = 0; k < force_->names.size(); k++) {
        const double parameter = context.getParameter(force_->names[k]);
        if (call_->wide() == MOTE_FLOAT64)
            add_->setArg(static_cast<int>(10 + k), parameter);
        else
            add_->setArg(static_cast<int>(10 + k), static_cast<float>(parameter));
    }
    step_->proceed();
    return 0.0;
}

void opencl_kernel::add(bool forces, bool energy)
{
    add_->setArg(2, static_cast<int>(forces));
    add_->setArg(3, static_cast<int>(energy));
    add_->execute(forces ? cl_.getNumAtoms() : 1);
}

double opencl_kernel::number(OpenMM::ContextImpl &)
{
    step_->compute(this);
    check();
    if (call_->wide() == MOTE_FLOAT64) {
        double value = 0.0;
        value_.download(&value);
        return value;
    }
    float halves[2] = {};
    value_.download(halves);
    return static_cast<double>(halves[0]) +
           (call_->halves() == 2 ? static_cast<double>(halves[1]) : 0.0);
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
