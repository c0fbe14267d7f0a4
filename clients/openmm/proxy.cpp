// SPDX-License-Identifier: Apache-2.0
/* Stores the force in XML, by OpenMM's XmlSerializer. */
#include "MoteCoordinationForce.h"

#include <memory>

#include <openmm/OpenMMException.h>
#include <openmm/serialization/SerializationNode.h>
#include <openmm/serialization/SerializationProxy.h>

namespace mote_openmm
{

namespace
{

using OpenMM::SerializationNode;

/* Coordination numbers keep version 1. Plugins that do not know order parameters refuse version 2,
 * since they would read one as a coordination number. */
constexpr int version_of_numbers = 1, version_of_orders = 2;

void write_group(SerializationNode &node, const std::string &name, const std::vector<int> &group)
{
    SerializationNode &list = node.createChildNode(name);
    for (const int particle : group)
        list.createChildNode("Particle").setIntProperty("index", particle);
}

std::vector<int> read_group(const SerializationNode &node, const std::string &name)
{
    std::vector<int> group;
    for (const SerializationNode &particle : node.getChildNode(name).getChildren())
        group.push_back(particle.getIntProperty("index"));
    return group;
}

class proxy : public OpenMM::SerializationProxy
{
  public:
    proxy() : SerializationProxy("MoteCoordinationForce")
    {
    }
    void serialize(const void *object, SerializationNode &node) const override;
    void *deserialize(const SerializationNode &node) const override;
};

void proxy::serialize(const void *object, SerializationNode &node) const
{
    const auto &force = *static_cast<const MoteCoordinationForce *>(object);
    node.setIntProperty("version", force.getDegree() ? version_of_orders : version_of_numbers);
    node.setIntProperty("forceGroup", force.getForceGroup());
    node.setStringProperty("name", force.getName());
    node.setStringProperty("function", force.getSwitchingFunction());
    node.setStringProperty("energy", force.getEnergyFunction());
    node.setBoolProperty("paired", force.getPaired());
    node.setBoolProperty("usesPeriodic", force.usesPeriodicBoundaryConditions());
    node.setIntProperty("precision", force.getPrecision());
    node.setIntProperty("degree", force.getDegree());
    node.setBoolProperty("local", force.getLocal());
    node.setStringProperty("reduction", force.getReduction());
    node.setStringProperty("threshold", force.getThreshold());
    SerializationNode &parameters = node.createChildNode("GlobalParameters");
    for (int k = 0; k < force.getNumGlobalParameters(); k++)
        parameters.createChildNode("Parameter")
            .setStringProperty("name", force.getGlobalParameterName(k))
            .setDoubleProperty("default", force.getGlobalParameterDefaultValue(k));
    write_group(node, "FirstGroup", force.getFirstGroup());
    write_group(node, "SecondGroup", force.getSecondGroup());
}

void *proxy::deserialize(const SerializationNode &node) const
{
    const int version = node.getIntProperty("version");
    if (version != version_of_numbers && version != version_of_orders)
        throw OpenMM::OpenMMException("MoteCoordinationForce: version " + std::to_string(version) +
                                      " of its XML is not known here");
    const int precision = node.getIntProperty("precision", MoteCoordinationForce::FromPlatform);
    if (precision < MoteCoordinationForce::FromPlatform ||
        precision > MoteCoordinationForce::Double)
        throw OpenMM::OpenMMException("MoteCoordinationForce: there is no precision " +
                                      std::to_string(precision));
    auto force = std::make_unique<MoteCoordinationForce>(node.getStringProperty("function"),
                                                         node.getStringProperty("energy"));
    force->setForceGroup(node.getIntProperty("forceGroup", 0));
    force->setName(node.getStringProperty("name", force->getName()));
    force->setPaired(node.getBoolProperty("paired", false));
    force->setUsesPeriodicBoundaryConditions(node.getBoolProperty("usesPeriodic", false));
    force->setPrecision(static_cast<MoteCoordinationForce::Precision>(precision));
    force->setDegree(node.getIntProperty("degree", 0));
    force->setLocal(node.getBoolProperty("local", false));
    force->setReduction(node.getStringProperty("reduction", force->getReduction()));
    force->setThreshold(node.getStringProperty("threshold", ""));
    for (const SerializationNode &parameter : node.getChildNode("GlobalParameters").getChildren())
        force->addGlobalParameter(parameter.getStringProperty("name"),
                                  parameter.getDoubleProperty("default"));
    force->setFirstGroup(read_group(node, "FirstGroup"));
    force->setSecondGroup(read_group(node, "SecondGroup"));
    return force.release();
}

__attribute__((constructor)) void register_proxy()
{
    OpenMM::SerializationProxy::registerProxy(typeid(MoteCoordinationForce), new proxy);
}

} // namespace

} // namespace mote_openmm
