/* SPDX-License-Identifier: Apache-2.0 */
/* PLUMED's side of MOTE_COORDINATIONNUMBER. */
#include "coordination.h"
#include "numbers_colvar.h"

namespace PLMD
{
namespace
{

//+PLUMEDOC COLVAR MOTE_COORDINATIONNUMBER
/*
Functions of the coordination numbers of single atoms, by the library mote (OpenCL).

Each atom of SPECIES has a coordination number, the sum of a switching function over the other atoms
of SPECIES; with SPECIESA and SPECIESB each atom of SPECIESA has one, over the atoms of SPECIESB.
The components are functions of all these numbers, as in COORDINATIONNUMBER: mean, sum, central
moments, smooth and sharp extremes, and how many numbers are below, above or between limits. The
numbers themselves are not an output.

Each component requires one pass over the pairs, in addition to the one that computes the numbers.

\par Examples

\plumedfile
LOAD FILE=mote_plumed.so
n: MOTE_COORDINATIONNUMBER SPECIES=1-1000 R_0=0.3 MEAN MOMENTS=2,3 LESS_THAN={RATIONAL R_0=4}
PRINT ARG=n.mean,n.moment-2,n.moment-3,n.lessthan FILE=colvar
\endplumedfile
*/
//+ENDPLUMEDOC

class MoteCoordinationNumber : public MoteNumbers
{
  public:
    explicit MoteCoordinationNumber(const ActionOptions &ao);
    static void registerKeywords(Keywords &keys);
};

PLUMED_REGISTER_ACTION(MoteCoordinationNumber, "MOTE_COORDINATIONNUMBER")

void MoteCoordinationNumber::registerKeywords(Keywords &keys)
{
    MoteNumbers::registerKeywords(keys);
    register_precision(keys);
    declare_species(keys);
}

MoteCoordinationNumber::MoteCoordinationNumber(const ActionOptions &ao)
    : Action(ao), MoteNumbers(ao)
{
    mote_plumed::options given;
    std::vector<AtomNumber> of, over;
    read_species(of, over);
    read_components();
    given.of_atoms = true;
    read(given, of, over);
    begin_numbers(given, of.size(),
                  [&] { return std::make_unique<mote_plumed::coordination>(given); });
}

} // namespace
} // namespace PLMD
