/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination.h"

#include <cmath>
#include <unordered_map>

namespace mote_plumed
{

namespace
{

std::vector<std::uint32_t> first_places(const options &given)
{
    std::unordered_map<unsigned, std::uint32_t> first;
    std::vector<std::uint32_t> places;
    for (const std::vector<unsigned> *group : {&given.group_a, &given.group_b})
        for (const unsigned atom : *group)
            places.push_back(
                first.emplace(atom, static_cast<std::uint32_t>(places.size())).first->second);
    return places;
}

mote_coordination_mode read_mode(const options &given)
{
    if (given.group_a.empty())
        throw wrong("GROUPA has no atoms");
    if (given.pair && given.group_b.empty())
        throw wrong("PAIR needs GROUPB, with as many atoms as GROUPA");
    if (given.pair)
        return MOTE_COORDINATION_PAIR;
    return given.group_b.empty() ? MOTE_COORDINATION_SELF : MOTE_COORDINATION_TWO;
}

} // namespace

coordination::coordination(const options &given)
    : variable(given), mode_(read_mode(given)), of_atoms_(given.of_atoms),
      share_(given.shares > 1 ? given.rank : 0), shares_(given.shares), skin_(given.skin),
      n_a_(given.group_a.size()), places_(first_places(given))
{
    if (!(skin_ >= 0.0 && std::isfinite(skin_)))
        throw wrong("SKIN is " + std::to_string(skin_) + ", but must be a length of at least 0");
    host_.emplace(*context_);
}

/* The atoms of a plan are indices of the entries, because PLUMED passes positions entry by
 * entry. */
mote_coordination_plan_args coordination::plan_args(mote_pbc shape) const
{
    auto args = mote::init<mote_coordination_plan_args>();
    args.function = function_;
    args.mode = mode_;
    args.n_atoms = entries();
    args.group_a = places_.data();
    args.n_a = n_a_;
    args.n_b = entries() - n_a_;
    args.group_b = args.n_b ? places_.data() + n_a_ : nullptr;
    args.pbc = shape;
    args.precision = precision_;
    args.share = share_;
    args.shares = shares_;
    args.skin = skin_;
    return args;
}

/* Returns the arguments of mote_coordination_host(), but without memory. */
mote_coordination_args coordination::call_args(const mote_coordination *plan,
                                               bool wants_numbers) const
{
    auto args = mote::init<mote_coordination_args>();
    const bool wide = context_->device().has_fp64;
    const mote_type real = wide ? MOTE_FLOAT64 : MOTE_FLOAT32;
    const size_t halves = wide ? 1 : 2;
    args.plan = plan;
    args.positions = mote_view_make(nullptr, 3 * entries(), real);
    if (wants_numbers) {
        args.coordination = mote_view_make(nullptr, entries(), real);
        return args;
    }
    if (of_atoms_)
        args.weights = mote_view_make(nullptr, entries(), real);
    else
        args.value = mote_view_make(nullptr, halves, real);
    args.virial = mote_view_make(nullptr, 9 * halves, real);
    args.derivatives = mote_view_make(nullptr, 3 * entries(), real);
    return args;
}

bool coordination::prepare(mote_pbc shape)
{
    if (plans_[shape])
        return false;
    mote::coordination plan(*context_, plan_args(shape));
    mote::prepare(*context_, MOTE_OPERATION_COORDINATION, call_args(plan, false));
    if (of_atoms_)
        mote::prepare(*context_, MOTE_OPERATION_COORDINATION, call_args(plan, true));
    plans_[shape] = std::move(plan);
    return true;
}

mote_coordination_host_args coordination::host_args(const double *positions, const double *box)
{
    const mote_pbc kind = shape(box);
    prepare(kind);
    auto args = mote::init<mote_coordination_host_args>();
    args.plan = *plans_[kind];
    args.positions64 = positions;
    args.box = box;
    return args;
}

double coordination::compute(const double *positions, const double *box, double *derivatives,
                             double *virial)
{
    double value = 0.0;
    mote_coordination_host_args args = host_args(positions, box);
    args.value = &value;
    args.virial = virial;
    args.derivatives64 = derivatives;
    mote::coordination_host(*context_, args, *host_);
    return value;
}

void coordination::numbers(const double *positions, const double *box, double *numbers)
{
    mote_coordination_host_args args = host_args(positions, box);
    args.coordination = numbers;
    mote::coordination_host(*context_, args, *host_);
}

void coordination::weighted(const double *positions, const double *box, const double *weights,
                            double *derivatives, double *virial, double *)
{
    mote_coordination_host_args args = host_args(positions, box);
    args.weights = weights;
    args.same_positions = 1;
    args.virial = virial;
    args.derivatives64 = derivatives;
    mote::coordination_host(*context_, args, *host_);
}

} // namespace mote_plumed
