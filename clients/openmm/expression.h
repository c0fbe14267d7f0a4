// SPDX-License-Identifier: Apache-2.0
#ifndef MOTE_CLIENTS_OPENMM_EXPRESSION_H
#define MOTE_CLIENTS_OPENMM_EXPRESSION_H

#include <map>
#include <string>

#include <lepton/ParsedExpression.h>

namespace mote_openmm
{

/* Translates the expression to OpenCL C. names: the replacement of each variable. Numbers and
 * results are of type `wide`; OpenMM's own generator rounds numbers to float in single precision,
 * which is too coarse for targets of large coordination numbers. */
std::string opencl_text(const Lepton::ParsedExpression &expression,
                        const std::map<std::string, std::string> &names);

} // namespace mote_openmm

#endif
