/* SPDX-License-Identifier: Apache-2.0 */
#include "colvar.h"

#include <chrono>
#include <cstdio>
#include <string>

namespace PLMD
{

static std::string kinds()
{
    std::string names;
    for (int kind = 0; mote_switch_kind_name(static_cast<mote_switch_kind>(kind)); kind++)
        names += (kind ? ", " : "") +
                 std::string(mote_switch_kind_name(static_cast<mote_switch_kind>(kind)));
    return names;
}

void MoteColvar::registerKeywords(Keywords &keys)
{
    Colvar::registerKeywords(keys);
    keys.add("optional", "SWITCH",
             "A switching function, such as {GAUSSIAN R_0=0.3 D_MAX=1.0}, of one of the kinds " +
                 kinds() + ". It replaces R_0, D_0, NN, MM and D_MAX");
    keys.add("compulsory", "R_0", "The r_0 parameter of the rational switching function");
    keys.add("compulsory", "D_0", "0.0", "The d_0 parameter of the rational switching function");
    keys.add("compulsory", "NN", "6", "The n parameter of the rational switching function");
    keys.add("compulsory", "MM", "0",
             "The m parameter of the rational switching function; 0 means 2*NN");
    keys.add("optional", "D_MAX",
             "The distance beyond which pairs do not count; without it where the rational "
             "switching function is 0.00001");
    keys.add(
        "optional", "DEVICE",
        "The OpenCL device: gpu, cpu, a platform and a number such as nvidia:0, or a part of a "
        "name. The default is the variable MOTE_DEVICE of the environment, else the best GPU, "
        "else the CPU");
    keys.addFlag("NLIST", false, "Accepted and not needed: neighbors are found at every step");
    keys.addFlag("NLISTCELLS", false, "Accepted and not needed, as NLIST");
    keys.add("optional", "NL_CUTOFF", "Accepted and not needed, as NLIST");
    keys.add("optional", "NL_STRIDE", "Accepted and not needed, as NLIST");
    keys.addFlag("SERIAL", false, "Accepted and not needed");
}

void MoteColvar::register_precision(Keywords &keys)
{
    keys.add("optional", "PRECISION",
             "double, mixed (pairs in single precision, sums in double) or single. The default is "
             "double where the device has it, else mixed");
    keys.add("optional", "SKIN",
             "On a GPU, lists of neighbors within D_MAX + SKIN are kept until an atom has moved by "
             "half of SKIN");
    keys.addFlag(
        "SHARES", false,
        "Share the pairs out among the MPI processes, of which process K takes the K-th of "
        "the words of DEVICE that commas separate");
}

void MoteColvar::together(const std::function<void()> &work)
{
    std::string sentence;
    try {
        if (calculates)
            work();
    } catch (const std::exception &found) {
        sentence = found.what();
    }
    std::vector<int> lengths(comm.Get_size());
    lengths[comm.Get_rank()] = static_cast<int>(sentence.size());
    comm.Sum(lengths);
    for (size_t rank = 0; rank < lengths.size(); rank++) {
        if (!lengths[rank])
            continue;
        sentence.resize(lengths[rank]);
        comm.Bcast(sentence, static_cast<int>(rank));
        plumed_merror("action " + getName() + " with label " + getLabel() + ": " + sentence);
    }
}

void MoteColvar::read_function(mote_plumed::options &given)
{
    parse("SWITCH", given.function);
    parse("D_MAX", given.d_max);
    if (!given.function.empty()) {
        if (given.d_max != 0.0)
            error("give D_MAX inside of SWITCH");
        return;
    }
    parse("R_0", given.r_0);
    parse("D_0", given.d_0);
    parse("NN", given.nn);
    parse("MM", given.mm);
}

void MoteColvar::read_lists()
{
    bool lists = false, cells = false, serial = false;
    double cutoff = 0.0;
    int stride = 0;
    parseFlag("NLIST", lists);
    parseFlag("NLISTCELLS", cells);
    parseFlag("SERIAL", serial);
    parse("NL_CUTOFF", cutoff);
    parse("NL_STRIDE", stride);
    if (lists || cells || serial || cutoff != 0.0 || stride != 0)
        log << "  neighbor lists and SERIAL are not needed and have no effect: neighbors within "
               "D_MAX are found at every step\n";
}

void MoteColvar::read(mote_plumed::options &given, std::vector<AtomNumber> a,
                      const std::vector<AtomNumber> &b)
{
    bool no_pbc = false;
    parseFlag("NOPBC", no_pbc);
    read_function(given);
    read_lists();
    parse("DEVICE", given.device);
    if (!given.l) {
        parse("PRECISION", given.precision);
        parse("SKIN", given.skin);
        parseFlag("SHARES", shares);
    }
    checkRead();
    for (const AtomNumber atom : a)
        given.group_a.push_back(atom.index());
    for (const AtomNumber atom : b)
        given.group_b.push_back(atom.index());
    given.pbc = !no_pbc;
    given.rank = comm.Get_rank();
    given.shares = shares ? comm.Get_size() : 1;
    calculates = shares || given.rank == 0;
    a.insert(a.end(), b.begin(), b.end());
    requestAtoms(a);
}

void MoteColvar::describe(const mote_plumed::options &given)
{
    if (given.l)
        log.printf("  %s of degree %u of %zu atoms, of which %zu are neighbors\n",
                   given.local ? "local averages" : "order parameters", given.l, given.centres,
                   given.group_a.size() - given.first_neighbour);
    else
        log.printf("  %zu atoms in the first group, %zu in the second%s\n", given.group_a.size(),
                   given.group_b.size(), given.pair ? ", in pairs" : "");
    log << "  " << (given.pbc ? "using" : "without") << " periodic boundary conditions\n";
    if (!shares && comm.Get_size() > 1)
        log << "  calculated by the first process\n";
    if (shares)
        log.printf("  share %u of the pairs, of %u\n", given.rank, given.shares);
    if (!calculates) {
        log << "\n\n"; /* all processes must log as many lines as the first one, which writes its
                          own */
        return;
    }
    const mote_switch &f = variable->function();
    const mote_device_info &device = variable->context().device();
    log.printf("  switching function %s with r_0 %g, d_0 %g, d_max %g\n",
               mote_switch_kind_name(f.kind), f.r_0, f.d_0, f.d_max);
    log.printf("  on %s (%s), %s precision, mote %s\n", device.name, device.spec,
               mote_precision_name(variable->precision()), mote_version());
}

void MoteColvar::prepare(mote_pbc shape)
{
    const auto begin = std::chrono::steady_clock::now();
    if (!variable->prepare(shape))
        return;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    char text[128];
    std::snprintf(text, sizeof(text), "  kernels for boxes of shape %s made ready in %.2f s\n",
                  mote_pbc_name(shape), took.count());
    made_ready = text;
}

/* Writes the message of the first process to the log, if there is one; the other processes wait for
 * it. */
void MoteColvar::tell()
{
    int lines = made_ready.empty() ? 0 : 1;
    comm.Bcast(lines, 0);
    if (lines) {
        log << (made_ready.empty() ? "\n" : made_ready);
        log.flush();
    }
    made_ready.clear();
}

void MoteColvar::begin(const mote_plumed::options &given,
                       const std::function<std::unique_ptr<mote_plumed::variable>()> &make)
{
    together([&] { variable = make(); });
    describe(given);
    for (const mote_pbc shape : {MOTE_PBC_ORTHORHOMBIC, MOTE_PBC_TRICLINIC}) {
        together([&] { prepare(given.pbc ? shape : MOTE_PBC_NONE); });
        tell();
    }
}

void MoteColvar::collect(std::vector<double> &results)
{
    if (shares)
        comm.Sum(results);
    else
        comm.Bcast(results, 0);
}

} // namespace PLMD
