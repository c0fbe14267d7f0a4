// SPDX-License-Identifier: Apache-2.0
#include "reference_order.h"

#include <array>
#include <cmath>
#include <complex>

namespace mote_openmm
{

namespace
{

using complex = std::complex<double>;
using OpenMM::Vec3;

constexpr size_t most = 7; /* components with m from 0 to 6; those with -m follow from them */

/* The components of an atom, or derivatives with respect to them. */
using components = std::array<complex, most>;

/* The real part of the sum over all m of conj(a) b. */
double product(const components &a, const components &b)
{
    double sum = (std::conj(a[0]) * b[0]).real();
    for (size_t m = 1; m < most; m++)
        sum += 2.0 * (std::conj(a[m]) * b[m]).real();
    return sum;
}

void add(components &to, double factor, const components &of)
{
    for (size_t m = 0; m < most; m++)
        to[m] += factor * of[m];
}

/* A spherical harmonic at a unit vector, and its gradient with respect to the three coordinates, in
 * which it is a polynomial. */
struct harmonic {
    complex value;
    std::array<complex, 3> gradient;
};

/* Legendre's polynomial of a degree: its coefficients from the constant one on. */
std::array<double, most> legendre(std::uint32_t degree)
{
    if (degree == 3)
        return {0, -1.5, 0, 2.5};
    if (degree == 4)
        return {0.375, 0, -3.75, 0, 4.375};
    return {-0.3125, 0, 6.5625, 0, -19.6875, 0, 14.4375};
}

std::array<double, most> differentiated(const std::array<double, most> &of)
{
    std::array<double, most> result = {};
    for (size_t k = 1; k < most; k++)
        result[k - 1] = static_cast<double>(k) * of[k];
    return result;
}

double evaluated(const std::array<double, most> &of, double z)
{
    double value = 0.0;
    for (size_t k = most; k-- > 0;)
        value = value * z + of[k];
    return value;
}

/* Y_lm(u) = N P_l^(m)(z) (-x - i y)^m, where P_l^(m) is the m-th derivative of Legendre's
 * polynomial. */
std::array<harmonic, most> harmonics(std::uint32_t degree, const Vec3 &u)
{
    std::array<harmonic, most> found = {};
    std::array<double, most> polynomial = legendre(degree);
    const complex w(-u[0], -u[1]);
    complex power = 1.0, below = 0.0; /* w^m, and its derivative with respect to w */
    double norm = (2.0 * degree + 1.0) / (4.0 * std::acos(-1.0));
    for (std::uint32_t m = 0; m <= degree; m++) {
        const double n = std::sqrt(norm), p = n * evaluated(polynomial, u[2]);
        polynomial = differentiated(polynomial);
        found[m].value = p * power;
        found[m].gradient = {-p * below, complex(0.0, -1.0) * p * below,
                             n * evaluated(polynomial, u[2]) * power};
        norm /= (degree + m + 1.0) * (m < degree ? degree - m : 1.0);
        below = static_cast<double>(m + 1) * power;
        power *= w;
    }
    return found;
}

/* An atom's sums over its neighbours, in the words of mote/steinhardt.h. */
struct atom {
    components q = {}, unit = {}; /* q_lm and n_lm */
    components mean = {};         /* sum of s n_lm over the neighbours */
    components by_unit = {};      /* derivatives of n with respect to the parts of n_lm */
    double weights = 0.0;         /* sum of s */
    double length = 0.0;          /* q_l; 0 without neighbours */
    double x = 0.0, by_x = 0.0;

    bool alone() const
    {
        return std::fabs(weights) < 1e-30;
    }
    bool directed() const
    {
        return std::fabs(length) >= 1e-12;
    }
};

using lists = std::vector<std::vector<neighbour>>;

void sum_components(std::uint32_t degree, const std::vector<neighbour> &around, atom &of)
{
    for (const neighbour &to : around) {
        const double r = std::sqrt(to.away.dot(to.away));
        const auto y = harmonics(degree, to.away / r);
        of.weights += to.weight;
        for (size_t m = 0; m < most; m++)
            of.q[m] += to.weight * y[m].value;
    }
    if (of.alone())
        return;
    for (complex &component : of.q)
        component /= of.weights;
    of.length = std::copysign(std::sqrt(product(of.q, of.q)), of.weights);
    if (of.directed())
        add(of.unit, 1.0 / of.length, of.q);
    of.x = of.length;
}

void average(const lists &neighbours, std::vector<atom> &atoms)
{
    for (size_t i = 0; i < atoms.size(); i++) {
        for (const neighbour &to : neighbours[i])
            add(atoms[i].mean, to.weight, atoms[to.place].unit);
        atoms[i].x =
            atoms[i].alone() ? 0.0 : product(atoms[i].unit, atoms[i].mean) / atoms[i].weights;
    }
}

/* Adds up n, and stores its derivative with respect to each x. */
double reduce(const definition &force, std::vector<atom> &atoms)
{
    const double scale =
        force.reduction == MOTE_STEINHARDT_MEAN ? 1.0 / static_cast<double>(atoms.size()) : 1.0;
    double sum = 0.0;
    for (atom &of : atoms) {
        double term = of.x, slope = 1.0;
        if (force.reduction >= MOTE_STEINHARDT_LESS_THAN) {
            term = mote_switch_value(&force.threshold, std::fmax(of.x, 0.0), &slope);
            if (of.x < 0.0)
                slope = 0.0;
        }
        if (force.reduction == MOTE_STEINHARDT_MORE_THAN)
            term = 1.0 - term, slope = -slope;
        sum += scale * term;
        of.by_x = scale * slope;
    }
    return sum;
}

/* Stores the derivatives of the averages n with respect to n_lm of each atom, which contributes to
 * its own average and to the averages of its neighbours. */
void differentiate_averages(const lists &neighbours, std::vector<atom> &atoms)
{
    for (size_t i = 0; i < atoms.size(); i++) {
        if (atoms[i].alone())
            continue;
        const double factor = atoms[i].by_x / atoms[i].weights;
        add(atoms[i].by_unit, factor, atoms[i].mean);
        for (const neighbour &to : neighbours[i])
            add(atoms[to.place].by_unit, factor * to.weight, atoms[i].unit);
    }
}

/* The derivatives of n with respect to the real and imaginary parts of an atom's q_lm. */
components by_components(bool local, const atom &of)
{
    components result = {};
    if (!of.directed())
        return result;
    if (!local) {
        add(result, of.by_x, of.unit);
        return result;
    }
    add(result, 1.0 / of.length, of.by_unit);
    add(result, -product(of.unit, of.by_unit) / of.length, of.unit);
    return result;
}

/* Adds the derivatives with respect to the vectors from atom i to its neighbours. */
void add_derivatives(const definition &force, const lists &neighbours,
                     const std::vector<atom> &atoms, size_t i, std::vector<Vec3> &derivatives)
{
    const atom &of = atoms[i];
    if (of.alone())
        return;
    const components by_q = by_components(force.local, of);
    const double own = product(by_q, of.q);
    for (const neighbour &to : neighbours[i]) {
        const double r = std::sqrt(to.away.dot(to.away));
        const Vec3 u = to.away / r;
        const auto y = harmonics(force.degree, u);
        double by_weight = -own;
        Vec3 by_u;
        for (size_t m = 0; m < most; m++) {
            const complex factor = (m ? 2.0 : 1.0) * std::conj(by_q[m]);
            by_weight += (factor * y[m].value).real();
            for (int k = 0; k < 3; k++)
                by_u[k] += (factor * y[m].gradient[static_cast<size_t>(k)]).real();
        }
        if (force.local)
            by_weight += of.by_x * (product(of.unit, atoms[to.place].unit) - of.x);
        const Vec3 across = by_u - u * u.dot(by_u);
        const Vec3 by_away = (u * (to.slope * by_weight) + across * (to.weight / r)) / of.weights;
        derivatives[to.place] += by_away;
        derivatives[i] -= by_away;
    }
}

} // namespace

double order_parameter(const definition &force, const lists &neighbours,
                       std::vector<Vec3> *derivatives)
{
    std::vector<atom> atoms(neighbours.size());
    for (size_t i = 0; i < atoms.size(); i++)
        sum_components(force.degree, neighbours[i], atoms[i]);
    if (force.local)
        average(neighbours, atoms);
    const double n = reduce(force, atoms);
    if (!derivatives)
        return n;
    if (force.local)
        differentiate_averages(neighbours, atoms);
    for (size_t i = 0; i < atoms.size(); i++)
        add_derivatives(force, neighbours, atoms, i, *derivatives);
    return n;
}

} // namespace mote_openmm
