/* SPDX-License-Identifier: Apache-2.0 */
/* PLUMED's side of the action; MOTE_PLUMED_NAME is the name that it is registered by. */
#include "colvar.h"
#include "coordination.h"

#ifndef MOTE_PLUMED_NAME
#define MOTE_PLUMED_NAME "MOTE_COORDINATION"
#endif

namespace PLMD
{
namespace
{

//+PLUMEDOC COLVAR MOTE_COORDINATION
/*
Coordination numbers on a GPU, or on all cores of a CPU, by the library mote (OpenCL).

The variable is the one that COORDINATION calculates: the sum of a switching function over the
pairs of atoms of GROUPA, over those of an atom of GROUPA and one of GROUPB, or with PAIR over the
first atoms of both groups, the second ones, and so on. A pair of an atom with itself does not
count. Boxes may have any shape. Neighbor lists are not needed: NLIST, NLISTCELLS, NL_CUTOFF,
NL_STRIDE and SERIAL are accepted so that inputs of COORDINATION work, and have no effect.

Without SWITCH the function is rational, with R_0, D_0, NN and MM. It ends at D_MAX or, without it,
where it has fallen to 0.00001, and is stretched to be 0 there.

With several MPI processes the first one calculates and sends the result to the others; with SHARES
each has a part of the pairs, on a device of its own.

\par Examples

\plumedfile
LOAD FILE=mote_plumed.so
c: MOTE_COORDINATION GROUPA=1-1000 SWITCH={RATIONAL R_0=0.3 D_MAX=0.75} DEVICE=gpu PRECISION=mixed
PRINT ARG=c FILE=colvar
\endplumedfile
*/
//+ENDPLUMEDOC

class MoteCoordination : public MoteColvar
{
  public:
    explicit MoteCoordination(const ActionOptions &ao);
    static void registerKeywords(Keywords &keys);
    void calculate() override;

  private:
    std::vector<double> sums; /* value, virial, derivatives */
    mote_plumed::coordination *number = nullptr;
};

PLUMED_REGISTER_ACTION(MoteCoordination, MOTE_PLUMED_NAME)

void MoteCoordination::registerKeywords(Keywords &keys)
{
    MoteColvar::registerKeywords(keys);
    register_precision(keys);
    keys.add("atoms", "GROUPA", "The first group of atoms");
    keys.add("atoms", "GROUPB",
             "The second group of atoms; without it the pairs inside of GROUPA count");
    keys.addFlag("PAIR", false,
                 "Only pair the first atom of GROUPA with the first of GROUPB, the second with the "
                 "second, and so on");
#if PLUMED_VERSION_MINOR >= 11
    keys.setValueDescription("scalar", "the coordination number");
#elif PLUMED_VERSION_MINOR >= 10
    keys.setValueDescription("the coordination number");
#endif
}

MoteCoordination::MoteCoordination(const ActionOptions &ao) : Action(ao), MoteColvar(ao)
{
    mote_plumed::options given;
    std::vector<AtomNumber> a, b;
    parseAtomList("GROUPA", a);
    parseAtomList("GROUPB", b);
    parseFlag("PAIR", given.pair);
    addValueWithDerivatives();
    setNotPeriodic();
    read(given, a, b);
    begin(given, [&] {
        auto made = std::make_unique<mote_plumed::coordination>(given);
        number = made.get();
        return made;
    });
    sums.resize(10 + 3 * getNumberOfAtoms());
}

void MoteCoordination::calculate()
{
    together([&] {
        const double *box = &getBox()[0][0];
        prepare(variable->shape(box));
        sums[0] = number->compute(&getPositions()[0][0], box, &sums[10], &sums[1]);
    });
    tell();
    collect(sums);
    Tensor of_box;
    for (unsigned k = 0; k < 9; k++)
        of_box[k / 3][k % 3] = sums[1 + k];
    for (unsigned i = 0; i < getNumberOfAtoms(); i++)
        setAtomsDerivatives(i, Vector(sums[10 + 3 * i], sums[11 + 3 * i], sums[12 + 3 * i]));
    setBoxDerivatives(of_box);
    setValue(sums[0]);
}

} // namespace
} // namespace PLMD
