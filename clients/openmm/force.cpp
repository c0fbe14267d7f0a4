// SPDX-License-Identifier: Apache-2.0
/* The force as its users see it. */
#include "impl.h"

#include <cstdio>

#include <openmm/OpenMMException.h>

namespace mote_openmm
{

namespace
{

template <typename List> auto &at(List &list, int index)
{
    if (index < 0 || static_cast<size_t>(index) >= list.size())
        throw OpenMM::OpenMMException("MoteCoordinationForce has no global parameter " +
                                      std::to_string(index));
    return list[static_cast<size_t>(index)];
}

} // namespace

MoteCoordinationForce::MoteCoordinationForce(const std::string &function, const std::string &energy)
    : function_(function), energy_(energy)
{
    setName("MoteCoordinationForce");
}

int MoteCoordinationForce::addGlobalParameter(const std::string &parameter, double default_value)
{
    parameters_.emplace_back(parameter, default_value);
    return getNumGlobalParameters() - 1;
}

const std::string &MoteCoordinationForce::getGlobalParameterName(int index) const
{
    return at(parameters_, index).first;
}

double MoteCoordinationForce::getGlobalParameterDefaultValue(int index) const
{
    return at(parameters_, index).second;
}

void MoteCoordinationForce::setGlobalParameterDefaultValue(int index, double default_value)
{
    at(parameters_, index).second = default_value;
}

double MoteCoordinationForce::getCoordinationNumber(OpenMM::Context &context)
{
    return dynamic_cast<impl &>(getImplInContext(context)).number(getContextImpl(context));
}

OpenMM::ForceImpl *MoteCoordinationForce::createImpl() const
{
    return new impl(*this);
}

} // namespace mote_openmm

/* This function is for programs in other languages, which hold OpenMM's objects as pointers: the
 * force must belong to the context's System. Returns 0, or 1 and a message of at most size - 1
 * bytes. */
extern "C" MOTE_OPENMM_API int mote_openmm_coordination_number(OpenMM::Force *force,
                                                               OpenMM::Context *context,
                                                               double *number, char *sentence,
                                                               size_t size)
{
    try {
        auto *own = dynamic_cast<mote_openmm::MoteCoordinationForce *>(force);
        if (!own)
            throw OpenMM::OpenMMException("this force is no MoteCoordinationForce");
        *number = own->getCoordinationNumber(*context);
        return 0;
    } catch (const std::exception &found) {
        std::snprintf(sentence, size, "%s", found.what());
        return 1;
    }
}
