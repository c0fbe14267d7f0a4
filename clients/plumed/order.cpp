/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace mote_plumed
{

namespace
{

std::unordered_set<unsigned> set_of(const std::vector<unsigned> &atoms)
{
    std::unordered_set<unsigned> set;
    for (const unsigned atom : atoms)
        if (!set.insert(atom).second)
            throw wrong("atom " + std::to_string(atom + 1) + " is twice in a list");
    return set;
}

mote_switch read_local(const std::string &words)
{
    return words.empty() ? mote::init<mote_switch>() : mote::switch_parse(words);
}

} // namespace

void arrange(const std::vector<unsigned> &of, const std::vector<unsigned> &over, options &given)
{
    const std::unordered_set<unsigned> centres = set_of(of), neighbours = set_of(over);
    if (of.empty())
        throw wrong("there are no atoms with an order parameter");
    given.group_a.clear();
    std::copy_if(of.begin(), of.end(), std::back_inserter(given.group_a),
                 [&](unsigned atom) { return !over.empty() && !neighbours.count(atom); });
    given.first_neighbour = given.group_a.size();
    std::copy_if(of.begin(), of.end(), std::back_inserter(given.group_a),
                 [&](unsigned atom) { return over.empty() || neighbours.count(atom); });
    given.centres = given.group_a.size();
    std::copy_if(over.begin(), over.end(), std::back_inserter(given.group_a),
                 [&](unsigned atom) { return !centres.count(atom); });
}

/* ---- arrays -------------------------------------------------------------------------------- */

device_array::device_array(const mote::context &context, size_t count)
{
    mote_buffer *made = nullptr;
    const mote_type real = context.device().has_fp64 ? MOTE_FLOAT64 : MOTE_FLOAT32;
    mote::check(mote_buffer_create(context, real, count, 0, &made));
    buffer_.reset(made);
}

mote_view device_array::view() const
{
    return mote_buffer_view(buffer_.get());
}

void device_array::write(cl_command_queue queue, const double *from)
{
    mote::check(mote_buffer_write(buffer_.get(), 0, mote_buffer_size(buffer_.get()), from,
                                  MOTE_FLOAT64, 1, queue, 0, nullptr, nullptr));
}

void device_array::read(cl_command_queue queue, double *to) const
{
    mote::check(mote_buffer_read(buffer_.get(), 0, mote_buffer_size(buffer_.get()), to,
                                 MOTE_FLOAT64, 1, queue, 0, nullptr, nullptr));
}

/* ---- order parameters ---------------------------------------------------------------------- */

order::order(const options &given)
    : variable(given), queue_(context_->queue()), local_function_(read_local(given.local_function)),
      l_(given.l), local_(given.local), centres_(given.centres),
      first_neighbour_(given.first_neighbour), positions_(*context_, 3 * given.group_a.size()),
      weights_(*context_, given.group_a.size()), numbers_(*context_, given.group_a.size()),
      derivatives_(*context_, 3 * given.group_a.size()), virial_(*context_, 9), error_(*context_)
{
    if (local_ && (first_neighbour_ > 0 || centres_ < given.group_a.size()))
        throw wrong("local averages need one list of atoms, SPECIES");
}

mote_steinhardt_args order::call_args(bool weighted) const
{
    auto args = mote::init<mote_steinhardt_args>();
    args.positions = positions_.view();
    args.function = function_;
    args.local_function = local_function_;
    args.l = l_;
    args.local = local_;
    args.reduction = MOTE_STEINHARDT_SUM;
    args.n_centres = centres_;
    args.first_neighbour = first_neighbour_;
    args.order = numbers_.view();
    args.error = error_;
    if (weighted) {
        args.weights = weights_.view();
        args.derivatives = derivatives_.view();
        args.virial = virial_.view();
    }
    return args;
}

bool order::prepare(mote_pbc)
{
    if (prepared_)
        return false;
    for (const bool weighted : {false, true})
        mote::prepare(*context_, MOTE_OPERATION_STEINHARDT, call_args(weighted));
    prepared_ = true;
    return true;
}

void order::run(const double *positions, const double *box, bool weighted, double *numbers)
{
    mote_steinhardt_args args = call_args(weighted);
    positions_.write(queue_, positions);
    if (shape(box) != MOTE_PBC_NONE) {
        args.box = box;
        args.pbc = MOTE_NEIGHBOURS_XYZ;
    }
    mote::steinhardt(*context_, queue_, args);
    error_.check(queue_);
    numbers_.read(queue_, numbers);
}

void order::numbers(const double *positions, const double *box, double *numbers)
{
    run(positions, box, false, numbers);
}

void order::weighted(const double *positions, const double *box, const double *weights,
                     double *derivatives, double *virial, double *numbers)
{
    weights_.write(queue_, weights);
    run(positions, box, true, numbers);
    derivatives_.read(queue_, derivatives);
    virial_.read(queue_, virial);
}

} // namespace mote_plumed
