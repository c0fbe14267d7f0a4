// SPDX-License-Identifier: Apache-2.0
#include "impl.h"

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
      precision(force.getPrecision())
{
    std::unordered_map<int, std::uint32_t> known;
    a = places_of(force.getFirstGroup(), "first", n_particles, atoms, known);
    b = places_of(force.getSecondGroup(), "second", n_particles, atoms, known);
    for (int k = 0; k < force.getNumGlobalParameters(); k++) {
        names.push_back(force.getGlobalParameterName(k));
        if (names.back() == "n")
            throw wrong("n is the coordination number, and no name for a global parameter");
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
