/* SPDX-License-Identifier: Apache-2.0 */
/* PLUMED's side of MOTE_Q and MOTE_LOCAL_Q. */
#include "order.h"
#include "numbers_colvar.h"

namespace PLMD
{
namespace
{

//+PLUMEDOC COLVAR MOTE_Q
/*
Functions of Steinhardt's order parameters of single atoms, by the library mote (OpenCL).

The order parameters are those of Q3, Q4 and Q6, with L as the degree. Each atom of SPECIES has one,
over the other atoms of SPECIES; with SPECIESA and SPECIESB each atom of SPECIESA has one, over the
atoms of SPECIESB. The components are those of MOTE_COORDINATIONNUMBER. The switching function needs
a D_MAX.

\par Examples

\plumedfile
LOAD FILE=mote_plumed.so
q: MOTE_Q L=6 SPECIES=1-1000 SWITCH={CUBIC D_0=0.3 D_MAX=0.4} MEAN
RESTRAINT ARG=q.mean AT=0.3 KAPPA=100000
\endplumedfile
*/
//+ENDPLUMEDOC

//+PLUMEDOC COLVAR MOTE_LOCAL_Q
/*
Functions of local averages of Steinhardt's order parameters, by the library mote (OpenCL).

The local average of an atom of SPECIES is that of LOCAL_Q3, LOCAL_Q4 and LOCAL_Q6, with L as the
degree: the products of its normalized vector with those of its neighbors, averaged with the
switching function LOCAL_SWITCH. SWITCH is that of the vectors, as in Q6. LOCAL_SWITCH can be left
out if both are equal. The components are those of MOTE_COORDINATIONNUMBER.

\par Examples

\plumedfile
LOAD FILE=mote_plumed.so
ice: MOTE_LOCAL_Q L=6 SPECIES=1-1000 SWITCH={CUBIC D_0=0.3 D_MAX=0.4} MORE_THAN={RATIONAL R_0=0.5}
PRINT ARG=ice.morethan FILE=colvar
\endplumedfile
*/
//+ENDPLUMEDOC

class MoteQ : public MoteNumbers
{
  public:
    explicit MoteQ(const ActionOptions &ao) : Action(ao), MoteNumbers(ao)
    {
        make(false);
    }
    static void registerKeywords(Keywords &keys);

  protected:
    struct local {
    };
    MoteQ(const ActionOptions &ao, local) : Action(ao), MoteNumbers(ao)
    {
        make(true);
    }
    static void register_degree(Keywords &keys);

  private:
    void make(bool averages);
};

class MoteLocalQ : public MoteQ
{
  public:
    explicit MoteLocalQ(const ActionOptions &ao) : Action(ao), MoteQ(ao, local())
    {
    }
    static void registerKeywords(Keywords &keys);
};

PLUMED_REGISTER_ACTION(MoteQ, "MOTE_Q")
PLUMED_REGISTER_ACTION(MoteLocalQ, "MOTE_LOCAL_Q")

void MoteQ::register_degree(Keywords &keys)
{
    MoteNumbers::registerKeywords(keys);
    keys.add("compulsory", "L", "6", "The degree of the spherical harmonics: 3, 4 or 6");
}

void MoteQ::registerKeywords(Keywords &keys)
{
    register_degree(keys);
    declare_species(keys);
}

void MoteLocalQ::registerKeywords(Keywords &keys)
{
    register_degree(keys);
    keys.add("optional", "LOCAL_SWITCH",
             "The switching function of the averages; without it that of the vectors, SWITCH");
}

void MoteQ::make(bool averages)
{
    mote_plumed::options given;
    std::vector<AtomNumber> of, over;
    std::vector<unsigned> centres, neighbors;
    parse("L", given.l);
    given.local = averages;
    if (given.l != 3 && given.l != 4 && given.l != 6)
        error("L must be 3, 4 or 6");
    if (averages) {
        parseAtomList("SPECIES", of);
        parse("LOCAL_SWITCH", given.local_function);
    } else {
        read_species(of, over);
    }
    read_components();
    for (const AtomNumber atom : of)
        centres.push_back(atom.index());
    for (const AtomNumber atom : over)
        neighbors.push_back(atom.index());
    try {
        mote_plumed::arrange(centres, neighbors, given);
    } catch (const mote::error &found) {
        error(found.what());
    }
    std::vector<AtomNumber> atoms;
    for (const unsigned index : given.group_a)
        atoms.push_back(AtomNumber::index(index));
    given.group_a.clear();
    read(given, atoms, {});
    begin_numbers(given, given.centres,
                  [&] { return std::make_unique<mote_plumed::order>(given); });
}

} // namespace
} // namespace PLMD
