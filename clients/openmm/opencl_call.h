// SPDX-License-Identifier: Apache-2.0
/* The call of mote that computes the number of a force. */
#ifndef MOTE_CLIENTS_OPENMM_OPENCL_CALL_H
#define MOTE_CLIENTS_OPENMM_OPENCL_CALL_H

#include "impl.h"

#include <array>
#include <optional>

namespace mote_openmm
{

/* Results and positions of a force by place. */
struct arrays {
    mote_view positions;   /* x, y, z */
    mote_view value;       /* the number: one value, or two float32 whose sum it is */
    mote_view derivatives; /* x, y, z */
};

class library_call
{
  public:
    /* scratch is shared by the calls on a queue in order. fine: whether OpenMM is in double
     * precision. */
    library_call(mote::context &ctx, mote::buffer<std::uint32_t> &scratch, const definition &force,
                 bool fine)
        : ctx_(ctx), scratch_(scratch), force_(force), fine_(fine), error_(ctx)
    {
    }

    mote_type wide() const
    {
        return ctx_.device().has_fp64 ? MOTE_FLOAT64 : MOTE_FLOAT32;
    }
    /* Values that make up the number. */
    size_t halves() const
    {
        return wide() == MOTE_FLOAT64 || force_.degree ? 1 : 2;
    }

    /* Builds the kernels for the kind of box. */
    void prepare(const arrays &of, bool triclinic);
    /* box: rows. errors: whether check() follows; if not, invalid positions remain unnoticed. */
    mote::event enqueue(const mote::queue &queue, const arrays &of, const double *box, bool forces,
                        bool errors, const mote::event &after);
    /* Waits for the queue, and throws an exception for positions that are not finite. */
    void check(const mote::queue &queue);

  private:
    mote_precision precision() const;
    const mote::coordination &plan(mote_pbc shape, const arrays &of);
    mote_coordination_args number(const mote::coordination &plan, const arrays &of,
                                  bool forces) const;
    mote_steinhardt_args order(const arrays &of, const double *box, bool forces) const;
    void reserve(size_t bytes);

    mote::context &ctx_;
    mote::buffer<std::uint32_t> &scratch_;
    const definition &force_;
    bool fine_;
    mote::error_word error_;
    std::array<std::optional<mote::coordination>, 3> plans_; /* for each shape of the box */
};

} // namespace mote_openmm

#endif
