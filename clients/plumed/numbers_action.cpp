/* SPDX-License-Identifier: Apache-2.0 */
/* PLUMED's side of MOTE_COORDINATIONNUMBER. */
#include "colvar.h"
#include "numbers.h"

#include <algorithm>

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

class MoteCoordinationNumber : public MoteColvar
{
  public:
    explicit MoteCoordinationNumber(const ActionOptions &ao);
    static void registerKeywords(Keywords &keys);
    void calculate() override;

  private:
    struct component {
        std::string name;
        mote_plumed::number_function function;
        double value;
    };

    void read_components();
    void add(const std::string &part, const mote_plumed::number_function &function);
    void read_numbered(const std::string &keyword, const std::string &part);
    void weigh(component &of);

    std::vector<component> components;
    std::vector<double> numbers;       /* numbers of the first entries */
    std::vector<double> weights;       /* weights of all entries */
    std::vector<double> entries, sums; /* results of the device: numbers; virial and derivatives */
};

PLUMED_REGISTER_ACTION(MoteCoordinationNumber, "MOTE_COORDINATIONNUMBER")

void declare(Keywords &keys, const char *name, const char *keyword, const char *text)
{
#if PLUMED_VERSION_MINOR >= 11
    keys.addOutputComponent(name, keyword, "scalar", text);
#else
    keys.addOutputComponent(name, keyword, text);
#endif
}

void MoteCoordinationNumber::registerKeywords(Keywords &keys)
{
    MoteColvar::registerKeywords(keys);
    keys.add("atoms", "SPECIES", "The atoms that have a number, each over the others");
    keys.add("atoms", "SPECIESA", "The atoms that have a number, each over those of SPECIESB");
    keys.add("atoms", "SPECIESB", "The atoms that are counted about those of SPECIESA");
    keys.addFlag("MEAN", false, "The mean of the numbers");
    keys.addFlag("SUM", false, "The sum of the numbers");
    keys.addFlag("LOWEST", false, "The lowest of the numbers");
    keys.addFlag("HIGHEST", false, "The highest of the numbers");
    keys.add("optional", "MOMENTS", "Which central moments of the numbers, as 2,3 or 2-4");
    keys.add("optional", "MIN", "BETA / log(sum of exp(BETA / n)), with {BETA=...}");
    keys.add("optional", "MAX", "BETA log(sum of exp(n / BETA)), with {BETA=...}");
    keys.add("optional", "ALT_MIN", "-log(sum of exp(-BETA n)) / BETA, with {BETA=...}");
    keys.add("numbered", "LESS_THAN", "The sum of a switching function of the numbers");
    keys.add("numbered", "MORE_THAN", "The sum of 1 less a switching function of the numbers");
    keys.add("numbered", "BETWEEN",
             "How many numbers are within limits, {GAUSSIAN LOWER=... UPPER=... SMEAR=0.5}");
    keys.add("optional", "HISTOGRAM",
             "BETWEEN for each of 1 to 10000 bins, "
             "{GAUSSIAN NBINS=... LOWER=... UPPER=... SMEAR=0.5}");
    declare(keys, "mean", "MEAN", "the mean of the numbers");
    declare(keys, "sum", "SUM", "the sum of the numbers");
    declare(keys, "lowest", "LOWEST", "the lowest of the numbers");
    declare(keys, "highest", "HIGHEST", "the highest of the numbers");
    declare(keys, "moment", "MOMENTS", "the central moments, as moment-2");
    declare(keys, "min", "MIN", "about the lowest of the numbers, differentiable");
    declare(keys, "max", "MAX", "about the highest of the numbers, differentiable");
    declare(keys, "altmin", "ALT_MIN", "about the lowest of the numbers, differentiable");
    declare(keys, "lessthan", "LESS_THAN", "how many numbers are low");
    declare(keys, "morethan", "MORE_THAN", "how many numbers are high");
    declare(keys, "between", "BETWEEN", "how many numbers are within limits");
}

void MoteCoordinationNumber::add(const std::string &part,
                                 const mote_plumed::number_function &function)
{
    components.push_back({part, function, 0.0});
    addComponentWithDerivatives(part);
    componentIsNotPeriodic(part);
}

/* KEYWORD=, or KEYWORD1=, KEYWORD2=, .. */
void MoteCoordinationNumber::read_numbered(const std::string &keyword, const std::string &part)
{
    std::string words;
    parse(keyword, words);
    if (!words.empty())
        add(part, mote_plumed::function_with(keyword, words));
    for (int number = 1; parseNumbered(keyword, number, words); number++)
        add(part + "-" + std::to_string(number), mote_plumed::function_with(keyword, words));
}

void MoteCoordinationNumber::read_components()
{
    for (const auto &[keyword, part] : std::vector<std::pair<const char *, const char *>>{
             {"MEAN", "mean"}, {"SUM", "sum"}, {"LOWEST", "lowest"}, {"HIGHEST", "highest"}}) {
        bool wanted = false;
        parseFlag(keyword, wanted);
        if (wanted)
            add(part, mote_plumed::simple_function(keyword));
    }
    std::vector<std::string> moments;
    parseVector("MOMENTS", moments);
    Tools::interpretRanges(moments);
    for (const std::string &word : moments) {
        int power = 0;
        if (!Tools::convertNoexcept(word, power))
            error("MOMENTS: " + word + " is not a whole number");
        add("moment-" + std::to_string(power), mote_plumed::central_moment(power));
    }
    for (const auto &[keyword, part] : std::vector<std::pair<const char *, const char *>>{
             {"MIN", "min"}, {"MAX", "max"}, {"ALT_MIN", "altmin"}}) {
        std::string words;
        parse(keyword, words);
        if (!words.empty())
            add(part, mote_plumed::function_with(keyword, words));
    }
    read_numbered("LESS_THAN", "lessthan");
    read_numbered("MORE_THAN", "morethan");
    read_numbered("BETWEEN", "between");
    std::string bins;
    parse("HISTOGRAM", bins);
    if (!bins.empty()) {
        int number = 1;
        for (const std::string &words : mote_plumed::bins_of(bins))
            add("between-" + std::to_string(number++),
                mote_plumed::function_with("BETWEEN", words));
    }
    if (components.empty())
        error("nothing to calculate: give MEAN, SUM, MOMENTS, LESS_THAN, MORE_THAN, BETWEEN, "
              "HISTOGRAM, MIN, MAX, ALT_MIN, LOWEST or HIGHEST");
}

MoteCoordinationNumber::MoteCoordinationNumber(const ActionOptions &ao) : Action(ao), MoteColvar(ao)
{
    mote_plumed::options given;
    std::vector<AtomNumber> species, a, b;
    parseAtomList("SPECIES", species);
    parseAtomList("SPECIESA", a);
    parseAtomList("SPECIESB", b);
    if (species.empty() == (a.empty() || b.empty()) || a.empty() != b.empty())
        error("give SPECIES, or SPECIESA and SPECIESB");
    try {
        read_components();
    } catch (const mote::error &found) {
        error(found.what());
    }
    numbers.resize(species.size() + a.size());
    given.of_atoms = true;
    species.insert(species.end(), a.begin(), a.end());
    read(given, species, b);
    begin(given);
    entries.resize(getNumberOfAtoms());
    weights.resize(getNumberOfAtoms());
    sums.resize(9 + 3 * getNumberOfAtoms());
}

/* One component's derivatives. */
void MoteCoordinationNumber::weigh(component &of)
{
    of.value = of.function(numbers, weights.data());
    together([&] {
        variable->weighted(&getPositions()[0][0], &getBox()[0][0], weights.data(), &sums[9],
                           &sums[0]);
    });
    collect(sums);
    Value *value = getPntrToComponent(of.name);
    Tensor of_box;
    for (unsigned k = 0; k < 9; k++)
        of_box[k / 3][k % 3] = sums[k];
    for (unsigned i = 0; i < getNumberOfAtoms(); i++)
        setAtomsDerivatives(value, i, Vector(sums[9 + 3 * i], sums[10 + 3 * i], sums[11 + 3 * i]));
    setBoxDerivatives(value, of_box);
    value->set(of.value);
}

void MoteCoordinationNumber::calculate()
{
    together([&] {
        const double *box = &getBox()[0][0];
        prepare(variable->shape(box));
        variable->numbers(&getPositions()[0][0], box, entries.data());
    });
    tell();
    collect(entries);
    std::copy_n(entries.begin(), numbers.size(), numbers.begin());
    for (component &of : components)
        weigh(of);
}

} // namespace
} // namespace PLMD
