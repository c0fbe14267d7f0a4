/* SPDX-License-Identifier: Apache-2.0 */
/* Computes coordination numbers as a collective variable: the part of the PLUMED action that does
 * not depend on PLUMED. */
#ifndef MOTE_CLIENTS_PLUMED_COORDINATION_H
#define MOTE_CLIENTS_PLUMED_COORDINATION_H

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "variable.h"

namespace mote_plumed
{

/* One collective variable on one device. Entries are those of group_a, then of group_b. Every
 * function throws mote::error. Threads: one at a time. */
class coordination : public variable
{
  public:
    explicit coordination(const options &given);

    /* Also creates the plan. */
    bool prepare(mote_pbc shape) override;

    /* Returns the value. positions, derivatives: entries x 3; box, virial: 3 x 3. */
    double compute(const double *positions, const double *box, double *derivatives, double *virial);

    /* With one group, the coordination number of an entry is that over the other entries, else over
     * the other group. */
    void numbers(const double *positions, const double *box, double *numbers) override;
    void weighted(const double *positions, const double *box, const double *weights,
                  double *derivatives, double *virial, double *numbers) override;
    bool gives_numbers() const override
    {
        return false;
    }

    size_t entries() const
    {
        return places_.size();
    }

  private:
    mote_coordination_plan_args plan_args(mote_pbc shape) const;
    mote_coordination_args call_args(const mote_coordination *plan, bool wants_numbers) const;
    mote_coordination_host_args host_args(const double *positions, const double *box);

    std::optional<mote::host> host_;
    std::array<std::optional<mote::coordination>, 3> plans_; /* for each shape */
    mote_coordination_mode mode_ = MOTE_COORDINATION_SELF;
    bool of_atoms_ = false;
    unsigned share_ = 0, shares_ = 1;
    double skin_ = 0.0;
    size_t n_a_ = 0;
    std::vector<std::uint32_t> places_; /* for each entry: the first entry of the same atom */
};

} // namespace mote_plumed

#endif
