/* SPDX-License-Identifier: Apache-2.0 */
/* Computes coordination numbers as a collective variable: the part of the PLUMED action that does
 * not depend on PLUMED. */
#ifndef MOTE_CLIENTS_PLUMED_COORDINATION_H
#define MOTE_CLIENTS_PLUMED_COORDINATION_H

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mote/mote.hpp>

namespace mote_plumed
{

/* The parameters of a line of input. Lengths have the unit of the positions. */
struct options {
    std::vector<unsigned> group_a, group_b; /* atoms by their numbers in the simulation */
    bool pair = false;
    bool pbc = true;
    std::string function; /* the words of SWITCH; if empty, the following five numbers define the
                             function */
    double r_0 = 0.0, d_0 = 0.0;
    double d_max = 0.0; /* 0: automatic */
    int nn = 6, mm = 0;
    /* A string as for mote_context_open(); rank K uses the K-th of several words. */
    std::string device;
    std::string precision; /* double, mixed or single; empty: double if the device supports it */
    double skin = 0.0;     /* above 0: GPUs keep lists of partners from step to step */
    unsigned rank = 0;     /* chooses among several devices */
    unsigned shares = 1;   /* if above 1: compute the share number `rank` of the pairs */
    bool of_atoms = false; /* numbers() and weighted() are used instead of compute() */
};

/* Returns the shape of a box of nine numbers, rows = lattice vectors, by PLUMED's rule. All 0:
 * none. */
mote_pbc shape_of(const double *box);

/* Returns the words between commas, without blanks around them; an empty text has none. */
std::vector<std::string> split(const std::string &text);

/* One collective variable on one device. Entries are those of group_a, then of group_b. Every
 * function throws mote::error. Threads: one at a time. */
class coordination
{
  public:
    explicit coordination(const options &given);

    /* Creates the plan and builds the kernels for boxes of a shape; returns false if they
     * existed. */
    bool prepare(mote_pbc shape);

    /* Returns the shape of the box of a step, which is none if the input has NOPBC. */
    mote_pbc shape(const double *box) const;

    /* Returns the value. positions, derivatives: entries x 3; box, virial: 3 x 3. */
    double compute(const double *positions, const double *box, double *derivatives, double *virial);

    /* Computes the coordination number of each entry: with one group over the other entries, else
     * over the other group. */
    void numbers(const double *positions, const double *box, double *numbers);

    /* Computes derivatives and virial of a function of these numbers, given its derivative by each.
     * positions are those of the last call of numbers() and must be unchanged. */
    void weighted(const double *positions, const double *box, const double *weights,
                  double *derivatives, double *virial);

    size_t entries() const
    {
        return places_.size();
    }
    /* Completed. */
    const mote_switch &function() const
    {
        return function_;
    }
    const mote::context &context() const
    {
        return *context_;
    }
    mote_precision precision() const
    {
        return precision_;
    }

  private:
    mote_coordination_plan_args plan_args(mote_pbc shape) const;
    mote_coordination_args call_args(const mote_coordination *plan, bool wants_numbers) const;
    mote_coordination_host_args host_args(const double *positions, const double *box);

    std::shared_ptr<const mote::context> context_; /* outlives host and plans */
    std::optional<mote::host> host_;
    std::array<std::optional<mote::coordination>, 3> plans_; /* for each shape */
    mote_switch function_;
    mote_precision precision_ = MOTE_PRECISION_MIXED;
    mote_coordination_mode mode_ = MOTE_COORDINATION_SELF;
    bool pbc_ = true, of_atoms_ = false;
    unsigned share_ = 0, shares_ = 1;
    double skin_ = 0.0;
    size_t n_a_ = 0;
    std::vector<std::uint32_t> places_; /* for each entry: the first entry of the same atom */
};

} // namespace mote_plumed

#endif
