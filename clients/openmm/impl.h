// SPDX-License-Identifier: Apache-2.0
/* The interface between the force and the kernels of the platforms. */
#ifndef MOTE_CLIENTS_OPENMM_IMPL_H
#define MOTE_CLIENTS_OPENMM_IMPL_H

#include "MoteCoordinationForce.h"

#include <lepton/ParsedExpression.h>
#include <mote/mote.hpp>
#include <openmm/Kernel.h>
#include <openmm/KernelImpl.h>
#include <openmm/Platform.h>
#include <openmm/System.h>
#include <openmm/internal/ContextImpl.h>
#include <openmm/internal/ForceImpl.h>

namespace mote_openmm
{

/* A force that has been checked. */
struct MOTE_OPENMM_API definition {
    /* Throws OpenMMException if the force is invalid. */
    definition(const MoteCoordinationForce &force, int n_particles);

    const MoteCoordinationForce *owner; /* outlives the context */
    mote_switch function;
    mote_coordination_mode mode;
    bool periodic;
    std::uint32_t degree; /* 0: n is a coordination number */
    bool local;
    mote_steinhardt_reduction reduction;
    mote_switch threshold; /* for less_than and more_than */
    MoteCoordinationForce::Precision precision;
    std::vector<int> atoms;              /* particles of the groups, each once */
    std::vector<std::uint32_t> a, b;     /* the groups, as places in `atoms` */
    std::vector<std::string> names;      /* global parameters */
    Lepton::ParsedExpression energy;     /* expression of n and the parameters */
    Lepton::ParsedExpression derivative; /* by n */
};

/* The work of a platform for one force. */
class MOTE_OPENMM_API kernel : public OpenMM::KernelImpl
{
  public:
    static std::string Name()
    {
        return "CalcMoteCoordinationForce";
    }
    using KernelImpl::KernelImpl;
    virtual void initialize(const OpenMM::System &system, const definition &force) = 0;

    /* Adds the forces. Returns the energy, unless it is added on the device. */
    virtual double execute(OpenMM::ContextImpl &context, bool forces, bool energy) = 0;
    virtual double number(OpenMM::ContextImpl &context) = 0;
};

class impl : public OpenMM::ForceImpl
{
  public:
    explicit impl(const MoteCoordinationForce &owner) : owner_(owner)
    {
    }
    void initialize(OpenMM::ContextImpl &context) override;
    const MoteCoordinationForce &getOwner() const override
    {
        return owner_;
    }
    void updateContextState(OpenMM::ContextImpl &, bool &) override
    {
    }
    double calcForcesAndEnergy(OpenMM::ContextImpl &context, bool forces, bool energy,
                               int groups) override;
    std::map<std::string, double> getDefaultParameters() override;
    std::vector<std::string> getKernelNames() override;
    double number(OpenMM::ContextImpl &context);

  private:
    const MoteCoordinationForce &owner_;
    OpenMM::Kernel kernel_;
};

/* Runs work that may throw, and adds the name of the force to each exception. */
template <typename Work> auto guarded(Work work)
{
    try {
        return work();
    } catch (const std::exception &found) {
        throw OpenMM::OpenMMException(std::string("MoteCoordinationForce: ") + found.what());
    }
}

} // namespace mote_openmm

#endif
