/* SPDX-License-Identifier: Apache-2.0 */
/* The common parts of the actions: input, device, processes, log. */
#ifndef MOTE_CLIENTS_PLUMED_COLVAR_H
#define MOTE_CLIENTS_PLUMED_COLVAR_H

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "variable.h"

#include "colvar/Colvar.h"
#include "config/version.h"
#include "core/ActionRegister.h"
#include "tools/Communicator.h"

namespace PLMD
{

class MoteColvar : public Colvar
{
  protected:
    using Colvar::Colvar;
    static void registerKeywords(Keywords &keys);

    /* PRECISION, SKIN and SHARES, which order parameters do not have. */
    static void register_precision(Keywords &keys);

    /* Reads all keywords except those of atoms, and requests the atoms: entries of both groups.
     * Values must exist before this call, since they get room for derivatives when atoms are
     * requested. */
    void read(mote_plumed::options &given, std::vector<AtomNumber> a,
              const std::vector<AtomNumber> &b);

    /* Makes the variable, and builds the kernels that a step may need; writes this to the log. */
    void begin(const mote_plumed::options &given,
               const std::function<std::unique_ptr<mote_plumed::variable>()> &make);

    /* Builds the kernels of a step; tell() reports this when all processes have finished their
     * work. */
    void prepare(mote_pbc shape);
    void tell();

    /* Runs `work` on those processes that calculate. If one of them fails, all do, so that none
     * waits for it. */
    void together(const std::function<void()> &work);

    /* Distributes the results of one process, or the sum of all, to all processes. */
    void collect(std::vector<double> &results);

    bool calculates = true; /* this process has a device */
    bool shares = false;    /* all processes calculate, each a part of the pairs */
    std::unique_ptr<mote_plumed::variable> variable;

  private:
    void read_function(mote_plumed::options &given);
    void read_lists();
    void describe(const mote_plumed::options &given);

    std::string made_ready; /* a line for the log */
};

} // namespace PLMD

#endif
