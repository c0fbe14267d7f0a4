// SPDX-License-Identifier: Apache-2.0
/* Computes the force on the platforms Reference and CPU: all pairs, one after the other, in
 * double. */
#include "reference_order.h"

#include <cmath>
#include <optional>

#include <openmm/KernelFactory.h>
#include <openmm/OpenMMException.h>
#include <openmm/reference/ReferencePlatform.h>

namespace mote_openmm
{

namespace
{

using OpenMM::Vec3;

double evaluate(const Lepton::ParsedExpression &expression, const definition &force, double n,
                OpenMM::ContextImpl &context)
{
    std::map<std::string, double> variables = {{"n", n}};
    for (const std::string &parameter : force.names)
        variables[parameter] = context.getParameter(parameter);
    return expression.evaluate(variables);
}

/* OpenMM's boxes are reduced: after rounding, the nearest image is at most one box away. */
Vec3 nearest(Vec3 d, const Vec3 *box)
{
    for (int k = 2; k >= 0; k--)
        d -= box[k] * std::round(d[k] / box[k][k]);
    Vec3 best = d;
    for (int image = 0; image < 27; image++) {
        const Vec3 other =
            d + box[0] * (image % 3 - 1) + box[1] * (image / 3 % 3 - 1) + box[2] * (image / 9 - 1);
        if (other.dot(other) < best.dot(best))
            best = other;
    }
    return best;
}

struct frame {
    const std::vector<Vec3> &positions;
    const Vec3 *box;                /* nullptr: none */
    std::vector<Vec3> *derivatives; /* of each particle, or nullptr */
};

class reference_kernel : public kernel
{
  public:
    explicit reference_kernel(const OpenMM::Platform &on) : kernel(Name(), on)
    {
    }
    void initialize(const OpenMM::System &system, const definition &force) override;
    double execute(OpenMM::ContextImpl &context, bool forces, bool energy) override;
    double number(OpenMM::ContextImpl &context) override;

  private:
    double compute(OpenMM::ContextImpl &context, std::vector<Vec3> *derivatives) const;
    double pair(const frame &of, std::uint32_t i, std::uint32_t j) const;
    double order(const frame &of) const;

    std::optional<definition> force_;
};

void reference_kernel::initialize(const OpenMM::System &, const definition &force)
{
    force_ = force;
}

double reference_kernel::pair(const frame &of, std::uint32_t i, std::uint32_t j) const
{
    const auto p = static_cast<size_t>(force_->atoms[i]), q = static_cast<size_t>(force_->atoms[j]);
    if (p == q)
        return 0.0;
    Vec3 d = of.positions[q] - of.positions[p];
    if (of.box)
        d = nearest(d, of.box);
    double slope = 0.0;
    const double r = std::sqrt(d.dot(d));
    const double s = mote_switch_value(&force_->function, r, &slope);
    if (of.derivatives && slope != 0.0) {
        (*of.derivatives)[p] -= d * (slope / r);
        (*of.derivatives)[q] += d * (slope / r);
    }
    return s;
}

/* Each atom of an order parameter is in the group once, so that places are entries. */
double reference_kernel::order(const frame &of) const
{
    const std::vector<int> &atoms = force_->atoms;
    const double least = 1e-6 * force_->function.d_max;
    std::vector<std::vector<neighbour>> neighbours(atoms.size());
    for (size_t i = 0; i < atoms.size(); i++) {
        for (size_t j = 0; j < atoms.size(); j++) {
            neighbour to = {};
            to.place = j;
            to.away = of.positions[static_cast<size_t>(atoms[j])] -
                      of.positions[static_cast<size_t>(atoms[i])];
            if (of.box)
                to.away = nearest(to.away, of.box);
            const double r = std::sqrt(to.away.dot(to.away));
            if (i == j || r < least || r > force_->function.d_max)
                continue;
            to.weight = mote_switch_value(&force_->function, r, &to.slope);
            neighbours[i].push_back(to);
        }
    }
    std::vector<Vec3> by_place(of.derivatives ? atoms.size() : 0);
    const double n = order_parameter(*force_, neighbours, of.derivatives ? &by_place : nullptr);
    for (size_t k = 0; k < by_place.size(); k++)
        (*of.derivatives)[static_cast<size_t>(atoms[k])] = by_place[k];
    return n;
}

double reference_kernel::compute(OpenMM::ContextImpl &context, std::vector<Vec3> *derivatives) const
{
    const auto &data =
        *static_cast<OpenMM::ReferencePlatform::PlatformData *>(context.getPlatformData());
    const frame of = {*data.positions, force_->periodic ? data.periodicBoxVectors : nullptr,
                      derivatives};
    double n = 0.0;
    for (const int atom : force_->atoms) {
        const Vec3 &x = of.positions[static_cast<size_t>(atom)];
        if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2]))
            throw mote::error(MOTE_ERROR_POSITION, "particle " + std::to_string(atom) +
                                                       " has a position that is not finite");
    }
    if (force_->degree)
        return order(of);
    const std::vector<std::uint32_t> &a = force_->a, &b = force_->b;
    for (size_t i = 0; i < a.size(); i++) {
        if (force_->mode == MOTE_COORDINATION_PAIR)
            n += pair(of, a[i], b[i]);
        else if (force_->mode == MOTE_COORDINATION_TWO)
            for (const std::uint32_t j : b)
                n += pair(of, a[i], j);
        else
            for (size_t j = i + 1; j < a.size(); j++)
                n += pair(of, a[i], a[j]);
    }
    return n;
}

double reference_kernel::execute(OpenMM::ContextImpl &context, bool forces, bool)
{
    const auto &data =
        *static_cast<OpenMM::ReferencePlatform::PlatformData *>(context.getPlatformData());
    std::vector<Vec3> derivatives(forces ? data.forces->size() : 0);
    const double n = compute(context, forces ? &derivatives : nullptr);
    const double slope = evaluate(force_->derivative, *force_, n, context);
    for (size_t k = 0; k < derivatives.size(); k++)
        (*data.forces)[k] -= derivatives[k] * slope;
    return evaluate(force_->energy, *force_, n, context);
}

double reference_kernel::number(OpenMM::ContextImpl &context)
{
    return compute(context, nullptr);
}

class factory : public OpenMM::KernelFactory
{
  public:
    OpenMM::KernelImpl *createKernelImpl(std::string, const OpenMM::Platform &platform,
                                         OpenMM::ContextImpl &) const override
    {
        return new reference_kernel(platform);
    }
};

} // namespace

} // namespace mote_openmm

extern "C" MOTE_OPENMM_API void registerPlatforms()
{
}

/* The CPU platform is a Reference platform, too. */
extern "C" MOTE_OPENMM_API void registerKernelFactories()
{
    for (int k = 0; k < OpenMM::Platform::getNumPlatforms(); k++) {
        OpenMM::Platform &platform = OpenMM::Platform::getPlatform(k);
        if (dynamic_cast<OpenMM::ReferencePlatform *>(&platform))
            platform.registerKernelFactory(mote_openmm::kernel::Name(), new mote_openmm::factory);
    }
}
