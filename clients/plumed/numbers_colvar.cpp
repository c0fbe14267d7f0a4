/* SPDX-License-Identifier: Apache-2.0 */
#include "numbers_colvar.h"

#include <algorithm>

namespace PLMD
{

static void declare(Keywords &keys, const char *name, const char *keyword, const char *text)
{
#if PLUMED_VERSION_MINOR >= 11
    keys.addOutputComponent(name, keyword, "scalar", text);
#else
    keys.addOutputComponent(name, keyword, text);
#endif
}

void MoteNumbers::registerKeywords(Keywords &keys)
{
    MoteColvar::registerKeywords(keys);
    keys.add("atoms", "SPECIES", "The atoms that have a number, each over the others");
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

void MoteNumbers::add(const std::string &part, const mote_plumed::number_function &function)
{
    components.push_back({part, function, 0.0});
    addComponentWithDerivatives(part);
    componentIsNotPeriodic(part);
}

/* KEYWORD=, or KEYWORD1=, KEYWORD2=, .. */
void MoteNumbers::read_numbered(const std::string &keyword, const std::string &part)
{
    std::string words;
    parse(keyword, words);
    if (!words.empty())
        add(part, mote_plumed::function_with(keyword, words));
    for (int number = 1; parseNumbered(keyword, number, words); number++)
        add(part + "-" + std::to_string(number), mote_plumed::function_with(keyword, words));
}

void MoteNumbers::read_components()
{
    try {
        take_components();
    } catch (const mote::error &found) {
        error(found.what());
    }
}

void MoteNumbers::take_components()
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

void MoteNumbers::read_species(std::vector<AtomNumber> &of, std::vector<AtomNumber> &over)
{
    std::vector<AtomNumber> a;
    parseAtomList("SPECIES", of);
    parseAtomList("SPECIESA", a);
    parseAtomList("SPECIESB", over);
    if (of.empty() == (a.empty() || over.empty()) || a.empty() != over.empty())
        error("give SPECIES, or SPECIESA and SPECIESB");
    of.insert(of.end(), a.begin(), a.end());
}

void MoteNumbers::begin_numbers(const mote_plumed::options &given, size_t count,
                                const std::function<std::unique_ptr<mote_plumed::variable>()> &make)
{
    begin(given, make);
    gives_numbers = given.l > 0; /* processes without a device have no variable */
    numbers.resize(count);
    weights.resize(getNumberOfAtoms());
    entries.resize(getNumberOfAtoms());
    sums.resize(9 + 3 * getNumberOfAtoms());
}

/* One component's derivatives. If the variable gives numbers, they are also set. */
void MoteNumbers::weigh(component &of)
{
    of.value = of.function(numbers, weights.data());
    together([&] {
        variable->weighted(&getPositions()[0][0], &getBox()[0][0], weights.data(), &sums[9],
                           &sums[0], entries.data());
    });
    collect(sums);
    Value *value = getPntrToComponent(of.name);
    Tensor of_box;
    for (unsigned k = 0; k < 9; k++)
        of_box[k / 3][k % 3] = sums[k];
    for (unsigned i = 0; i < getNumberOfAtoms(); i++)
        setAtomsDerivatives(value, i, Vector(sums[9 + 3 * i], sums[10 + 3 * i], sums[11 + 3 * i]));
    setBoxDerivatives(value, of_box);
}

void MoteNumbers::calculate()
{
    /* Weights of a mean or a sum do not depend on the numbers. */
    const bool weighs = gives_numbers && components.size() == 1 &&
                        (components[0].name == "mean" || components[0].name == "sum");
    together([&] {
        const double *box = &getBox()[0][0];
        prepare(variable->shape(box));
        if (!weighs)
            variable->numbers(&getPositions()[0][0], box, entries.data());
    });
    tell();
    if (weighs)
        weigh(components[0]);
    collect(entries);
    std::copy_n(entries.begin(), numbers.size(), numbers.begin());
    if (weighs)
        components[0].value = components[0].function(numbers, weights.data());
    for (component &of : components) {
        if (!weighs)
            weigh(of);
        getPntrToComponent(of.name)->set(of.value);
    }
}

/* The second list of atoms. */
void MoteNumbers::declare_species(Keywords &keys)
{
    keys.add("atoms", "SPECIESA", "The atoms that have a number, each over those of SPECIESB");
    keys.add("atoms", "SPECIESB", "The atoms that are counted about those of SPECIESA");
}

} // namespace PLMD
