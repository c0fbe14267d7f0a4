// SPDX-License-Identifier: Apache-2.0
#include "impl.h"

#include <cmath>
#include <unordered_map>

#include <lepton/Operation.h>
#include <lepton/Parser.h>

namespace mote_openmm
{

namespace
{

mote::error wrong(const std::string &sentence)
{
    return mote::error(MOTE_ERROR_INVALID_ARGUMENT, sentence);
}

mote_coordination_mode mode_of(const MoteCoordinationForce &force)
{
    const size_t first = force.getFirstGroup().size(), second = force.getSecondGroup().size();
    if (first == 0)
        throw wrong("the first group is empty");
    if (force.getPaired() && first != second)
        throw wrong("paired groups have equal lengths; these have " + std::to_string(first) +
                    " and " + std::to_string(second));
    if (second == 0 && first == 1)
        throw wrong("a single group of one atom has no pairs");
    return force.getPaired() ? MOTE_COORDINATION_PAIR
           : second          ? MOTE_COORDINATION_TWO
                             : MOTE_COORDINATION_SELF;
}

/* Moments are several numbers, so a force cannot reduce to them. */
mote_steinhardt_reduction reduction_of(const std::string &name)
{
    std::string known;
    for (int k = MOTE_STEINHARDT_MEAN; k <= MOTE_STEINHARDT_MORE_THAN; k++) {
        const auto reduction = static_cast<mote_steinhardt_reduction>(k);
        const char *found = mote_steinhardt_reduction_name(reduction);
        if (name == found)
            return reduction;
        known += (k ? ", " : "") + std::string(found);
    }
    throw wrong("the reduction " + name + " is none of " + known);
}

/* Returns the switching function of the reductions that need one. */
mote_switch threshold_of(const MoteCoordinationForce &force)
{
    if (reduction_of(force.getReduction()) < MOTE_STEINHARDT_LESS_THAN)
        return mote::init<mote_switch>();
    if (force.getThreshold().empty())
        throw wrong("the reduction " + force.getReduction() + " needs a threshold");
    return mote::switch_parse(force.getThreshold());
}

void check_order(const definition &of)
{
    if (of.degree != 3 && of.degree != 4 && of.degree != 6)
        throw wrong("the degree of an order parameter is 3, 4 or 6; it is " +
                    std::to_string(static_cast<int>(of.degree)));
    if (of.mode != MOTE_COORDINATION_SELF)
        throw wrong("order parameters have no second group");
    if (of.a.size() != of.atoms.size())
        throw wrong("a group of order parameters names each particle once; " +
                    std::to_string(of.a.size() - of.atoms.size()) + " of " +
                    std::to_string(of.a.size()) + " places name one again");
    if (!std::isfinite(of.function.d_max))
        throw wrong("order parameters need a switching function with D_MAX");
}

/* Returns the group as places in a list of atoms, which has each atom once, and appends new atoms
 * to it. */
std::vector<std::uint32_t> places_of(const std::vector<int> &group, const char *which,
                                     int particles, std::vector<int> &atoms,
                                     std::unordered_map<int, std::uint32_t> &known)
{
    std::vector<std::uint32_t> places;
    for (size_t k = 0; k < group.size(); k++) {
        if (group[k] < 0 || group[k] >= particles)
            throw wrong(std::string("place ") + std::to_string(k) + " of the " + which +
                        " group names particle " + std::to_string(group[k]) + "; the system has " +
                        std::to_string(particles));
        const auto place = static_cast<std::uint32_t>(atoms.size());
        const auto found = known.emplace(group[k], place);
        if (found.second)
            atoms.push_back(group[k]);
        places.push_back(found.first->second);
    }
    return places;
}

/* Checks that every variable is n or a parameter, and that every parameter has one name. */
void check_names(const Lepton::ExpressionTreeNode &node, const std::vector<std::string> &names)
{
    if (node.getOperation().getId() == Lepton::Operation::VARIABLE) {
        const std::string name = node.getOperation().getName();
        bool known = name == "n";
        for (const std::string &parameter : names)
            known |= parameter == name;
        if (!known)
            throw wrong("the energy has the variable " + name +
                        ", which is neither n nor a global parameter");
    }
    for (const Lepton::ExpressionTreeNode &child : node.getChildren())
        check_names(child, names);
}

} // namespace

definition::definition(const MoteCoordinationForce &force, int n_particles)
    : owner(&force), function(mote::switch_parse(force.getSwitchingFunction())),
      mode(mode_of(force)), periodic(force.usesPeriodicBoundaryConditions()),
      degree(static_cast<std::uint32_t>(force.getDegree())), local(force.getLocal()),
      reduction(reduction_of(force.getReduction())), threshold(threshold_of(force)),
      precision(force.getPrecision())
{
    std::unordered_map<int, std::uint32_t> known;
    a = places_of(force.getFirstGroup(), "first", n_particles, atoms, known);
    b = places_of(force.getSecondGroup(), "second", n_particles, atoms, known);
    if (degree)
        check_order(*this);
    for (int k = 0; k < force.getNumGlobalParameters(); k++) {
        names.push_back(force.getGlobalParameterName(k));
        if (names.back() == "n")
            throw wrong("n is the variable of the energy, and no name for a global parameter");
    }
    energy = Lepton::Parser::parse(force.getEnergyFunction()).optimize();
    check_names(energy.getRootNode(), names);
    derivative = energy.differentiate("n").optimize();
}

void impl::initialize(OpenMM::ContextImpl &context)
{
    guarded([&] {
        const definition force(owner_, context.getSystem().getNumParticles());
        kernel_ = context.getPlatform().createKernel(kernel::Name(), context);
        kernel_.getAs<kernel>().initialize(context.getSystem(), force);
    });
}

double impl::calcForcesAndEnergy(OpenMM::ContextImpl &context, bool forces, bool energy, int groups)
{
    if ((groups & (1 << owner_.getForceGroup())) == 0)
        return 0.0;
    return guarded([&] { return kernel_.getAs<kernel>().execute(context, forces, energy); });
}

double impl::number(OpenMM::ContextImpl &context)
{
    return guarded([&] { return kernel_.getAs<kernel>().number(context); });
}

std::map<std::string, double> impl::getDefaultParameters()
{
    std::map<std::string, double> parameters;
    for (int k = 0; k < owner_.getNumGlobalParameters(); k++)
        parameters[owner_.getGlobalParameterName(k)] = owner_.getGlobalParameterDefaultValue(k);
    return parameters;
}

std::vector<std::string> impl::getKernelNames()
{
    return {kernel::Name()};
}

} // namespace mote_openmm
