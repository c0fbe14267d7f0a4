// SPDX-License-Identifier: Apache-2.0
#include "opencl_call.h"

namespace mote_openmm
{

mote_precision library_call::precision() const
{
    switch (force_.precision) {
    case MoteCoordinationForce::Single:
        return MOTE_PRECISION_SINGLE;
    case MoteCoordinationForce::Mixed:
        return MOTE_PRECISION_MIXED;
    case MoteCoordinationForce::Double:
        return MOTE_PRECISION_DOUBLE;
    default:
        return fine_ ? MOTE_PRECISION_DOUBLE : MOTE_PRECISION_MIXED;
    }
}

/* Calls that are enqueued retain their scratch. */
void library_call::reserve(size_t bytes)
{
    if (bytes > 4 * scratch_.size())
        scratch_.resize((bytes + 3) / 4);
}

mote_coordination_args library_call::number(const mote::coordination &plan, const arrays &of,
                                            bool forces) const
{
    auto args = mote::init<mote_coordination_args>();
    args.plan = plan;
    args.positions = of.positions;
    args.value = of.value;
    if (forces)
        args.derivatives = of.derivatives;
    /* If each atom is in the groups once, the atoms are in the order of the entries. */
    args.derivatives_of =
        plan.entries() == force_.atoms.size() ? MOTE_DERIVATIVES_ENTRY : MOTE_DERIVATIVES_ATOM;
    return args;
}

mote_steinhardt_args library_call::order(const arrays &of, const double *box, bool forces) const
{
    auto args = mote::init<mote_steinhardt_args>();
    args.positions = of.positions;
    args.function = force_.function;
    args.threshold = force_.threshold;
    args.l = force_.degree;
    args.local = force_.local;
    args.reduction = force_.reduction;
    args.box = force_.periodic ? box : nullptr;
    args.pbc = force_.periodic ? MOTE_NEIGHBOURS_XYZ : 0;
    args.value = of.value;
    if (forces)
        args.derivatives = of.derivatives;
    return args;
}

const mote::coordination &library_call::plan(mote_pbc shape, const arrays &of)
{
    if (plans_[shape])
        return *plans_[shape];
    auto args = mote::init<mote_coordination_plan_args>();
    args.function = force_.function;
    args.mode = force_.mode;
    args.n_atoms = force_.atoms.size();
    if (force_.mode != MOTE_COORDINATION_SELF || force_.a.size() != force_.atoms.size())
        args.group_a = force_.a.data(), args.n_a = force_.a.size();
    args.group_b = force_.b.data(), args.n_b = force_.b.size();
    args.pbc = shape;
    args.precision = precision();
    mote::coordination made(ctx_, args);
    for (const bool forces : {true, false}) {
        const mote_coordination_args with = number(made, of, forces);
        size_t bytes = 0;
        mote::check(mote_coordination_workspace_size(ctx_, &with, &bytes));
        reserve(bytes);
    }
    mote::prepare(ctx_, MOTE_OPERATION_COORDINATION, number(made, of, true));
    plans_[shape] = std::move(made);
    return *plans_[shape];
}

void library_call::prepare(const arrays &of, bool triclinic)
{
    if (!force_.degree) {
        plan(!force_.periodic ? MOTE_PBC_NONE
             : triclinic      ? MOTE_PBC_TRICLINIC
                              : MOTE_PBC_ORTHORHOMBIC,
             of);
        return;
    }
    const double d = force_.function.d_max, box[9] = {4 * d, 0, 0, 0, 4 * d, 0, 0, 0, 4 * d};
    const mote_steinhardt_args with = order(of, box, true);
    size_t bytes = 0;
    mote::check(mote_steinhardt_workspace_size(ctx_, &with, &bytes));
    reserve(bytes);
    mote::prepare(ctx_, MOTE_OPERATION_STEINHARDT, with);
}

mote::event library_call::enqueue(const mote::queue &queue, const arrays &of, const double *box,
                                  bool forces, bool errors, const mote::event &after)
{
    if (force_.degree) {
        mote_steinhardt_args args = order(of, box, forces);
        args.workspace = scratch_;
        args.error = errors ? error_.get() : nullptr;
        return mote::steinhardt(ctx_, queue, args, after);
    }
    const bool cuboid = box[3] == 0.0 && box[6] == 0.0 && box[7] == 0.0;
    mote_coordination_args args = number(plan(!force_.periodic ? MOTE_PBC_NONE
                                              : cuboid         ? MOTE_PBC_ORTHORHOMBIC
                                                               : MOTE_PBC_TRICLINIC,
                                              of),
                                         of, forces);
    args.box = force_.periodic ? box : nullptr;
    args.workspace = scratch_;
    args.error = errors ? error_.get() : nullptr;
    return mote::coordination_compute(ctx_, queue, args, after);
}

void library_call::check(const mote::queue &queue)
{
    try {
        error_.check(queue);
    } catch (const mote::data_error &found) {
        if (found.status() != MOTE_ERROR_POSITION || found.index() >= force_.atoms.size())
            throw;
        throw mote::error(MOTE_ERROR_POSITION, "particle " +
                                                   std::to_string(force_.atoms[found.index()]) +
                                                   " has a position that is not finite");
    }
}

} // namespace mote_openmm
