// SPDX-License-Identifier: Apache-2.0
/* Order parameters in plain loops, for the platforms Reference and CPU. */
#ifndef MOTE_CLIENTS_OPENMM_REFERENCE_ORDER_H
#define MOTE_CLIENTS_OPENMM_REFERENCE_ORDER_H

#include "impl.h"

#include <openmm/Vec3.h>

namespace mote_openmm
{

/* A neighbour of an atom. */
struct neighbour {
    size_t place;
    OpenMM::Vec3 away;    /* its vector from the atom */
    double weight, slope; /* the switching function and its derivative */
};

/* Computes n from the neighbours of each place. Adds the derivatives by place, unless these are
 * nullptr. */
double order_parameter(const definition &force,
                       const std::vector<std::vector<neighbour>> &neighbours,
                       std::vector<OpenMM::Vec3> *derivatives);

} // namespace mote_openmm

#endif
