/* SPDX-License-Identifier: Apache-2.0 */
/* The common parts of the actions that are functions of one number of each atom. */
#ifndef MOTE_CLIENTS_PLUMED_NUMBERS_COLVAR_H
#define MOTE_CLIENTS_PLUMED_NUMBERS_COLVAR_H

#include "colvar.h"
#include "numbers.h"

namespace PLMD
{

/* Components that are functions of the numbers of the first entries. */
class MoteNumbers : public MoteColvar
{
  public:
    void calculate() override;

  protected:
    explicit MoteNumbers(const ActionOptions &ao) : Action(ao), MoteColvar(ao)
    {
    }
    static void registerKeywords(Keywords &keys);

    static void declare_species(Keywords &keys); /* SPECIESA and SPECIESB */

    /* Reads SPECIES, SPECIESA and SPECIESB; the first list contains the atoms that have a number.
     * */
    void read_species(std::vector<AtomNumber> &of, std::vector<AtomNumber> &over);
    void read_components();

    /* Makes the variable, for some atoms that have a number. */
    void begin_numbers(const mote_plumed::options &given, size_t count,
                       const std::function<std::unique_ptr<mote_plumed::variable>()> &make);

  private:
    struct component {
        std::string name;
        mote_plumed::number_function function;
        double value;
    };

    void add(const std::string &part, const mote_plumed::number_function &function);
    void take_components();
    void read_numbered(const std::string &keyword, const std::string &part);
    void weigh(component &of);

    bool gives_numbers = false;
    std::vector<component> components;
    std::vector<double> numbers;       /* numbers of the first entries */
    std::vector<double> weights;       /* weights of all entries */
    std::vector<double> entries, sums; /* results of the device: numbers; virial, derivatives */
};

} // namespace PLMD

#endif
