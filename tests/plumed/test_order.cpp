/* SPDX-License-Identifier: Apache-2.0 */
/* Order parameters of the PLUMED actions MOTE_Q and MOTE_LOCAL_Q: their lists of atoms, values of
 * known arrangements, and derivatives with respect to positions and box. */
#include "order.h"

#include <algorithm>
#include <cmath>

#include "assert_fails.h"
#include "common/suite.h"
#include "numbers.h"

using mote_plumed::options;
using mote_plumed::order;

namespace
{

options make_options(const std::vector<unsigned> &of, const std::vector<unsigned> &over)
{
    options given;
    mote_plumed::arrange(of, over, given);
    given.l = 6;
    given.function = "CUBIC D_0=0.3 D_MAX=0.7";
    given.device = suite_device();
    return given;
}

/* A system in which each step of a test is one call. */
struct simulation {
    std::vector<double> positions;
    double box[9] = {1.5, 0, 0, 0.2, 1.4, 0, -0.3, 0.1, 1.6};
    mote_plumed::number_function function = mote_plumed::central_moment(3);

    explicit simulation(size_t atoms)
    {
        for (size_t k = 0; k < 3 * atoms; k++)
            positions.push_back(std::fmod(0.754877666 * double(k + 1) * double(k % 3 + 1), 1.5));
    }

    double value(order &variable, size_t centres, double *weights)
    {
        std::vector<double> numbers(positions.size() / 3), unused(positions.size() / 3);
        variable.numbers(positions.data(), box, numbers.data());
        numbers.resize(centres);
        return function(numbers, weights ? weights : unused.data());
    }
};

void check_derivatives(const options &given)
{
    const double step = 1e-5;
    const size_t n = given.group_a.size();
    simulation s(n);
    order variable(given);
    std::vector<double> weights(n), derivatives(3 * n), numbers(n);
    double virial[9], side[2];
    s.value(variable, given.centres, weights.data());
    variable.weighted(s.positions.data(), s.box, weights.data(), derivatives.data(), virial,
                      numbers.data());
    for (const size_t number : {size_t{4}, 3 * n - 2}) {
        for (const int k : {0, 1}) {
            s.positions[number] += k ? 2.0 * step : -step;
            side[k] = s.value(variable, given.centres, nullptr);
        }
        s.positions[number] -= step;
        ck_assert_double_eq_tol(derivatives[number], (side[1] - side[0]) / (2.0 * step), 1e-6);
    }
    for (const int k : {0, 1}) {
        simulation strained = s;
        const double factor = k ? 1.0 + step : 1.0 - step;
        for (size_t i = 0; i < strained.positions.size(); i++)
            strained.positions[i] *= i % 3 == 2 ? factor : 1.0;
        for (size_t i = 2; i < 9; i += 3)
            strained.box[i] *= factor;
        side[k] = strained.value(variable, given.centres, nullptr);
    }
    ck_assert_double_eq_tol(-virial[8], (side[1] - side[0]) / (2.0 * step), 1e-6);
}

std::vector<unsigned> range(unsigned first, unsigned end)
{
    std::vector<unsigned> atoms;
    for (unsigned atom = first; atom < end; atom++)
        atoms.push_back(atom);
    return atoms;
}

} // namespace

START_TEST(lists)
{
    options given;
    mote_plumed::arrange({7, 3, 5}, {}, given);
    ck_assert(given.group_a == std::vector<unsigned>({7, 3, 5}));
    ck_assert_uint_eq(given.centres, 3);
    ck_assert_uint_eq(given.first_neighbour, 0);
    mote_plumed::arrange({7, 3, 5}, {3, 9, 1}, given);
    ck_assert(given.group_a == std::vector<unsigned>({7, 5, 3, 9, 1}));
    ck_assert_uint_eq(given.centres, 3);
    ck_assert_uint_eq(given.first_neighbour, 2);
    assert_fails([&] { mote_plumed::arrange({7, 3, 7}, {}, given); }, "atom 8 is twice in a list");
    assert_fails([&] { mote_plumed::arrange({7}, {2, 2}, given); }, "atom 3 is twice in a list");
    assert_fails([&] { mote_plumed::arrange({}, {}, given); }, "no atoms");
}
END_TEST

/* Six neighbours on the axes, one without neighbours, and no box. */
START_TEST(octahedron)
{
    std::vector<double> positions = {0, 0, 0, 9, 9, 9};
    const double none[9] = {}, q6 = 0.353553390593274 * std::sqrt(13.0 / 4.0 / std::acos(-1.0));
    for (const double side : {-0.25, 0.25})
        for (size_t axis = 0; axis < 3; axis++)
            for (size_t k = 0; k < 3; k++)
                positions.push_back(k == axis ? side : 0.0);
    options given = make_options({0, 1}, range(2, 8));
    order variable(given);
    std::vector<double> numbers(8, std::nan(""));
    ck_assert(variable.prepare(MOTE_PBC_TRICLINIC));
    ck_assert(!variable.prepare(MOTE_PBC_NONE));
    variable.numbers(positions.data(), none, numbers.data());
    ck_assert_double_eq_tol(numbers[0], q6, 1e-6);
    for (size_t k = 1; k < 8; k++)
        ck_assert_double_eq(numbers[k], 0.0);
}
END_TEST

START_TEST(one_list)
{
    check_derivatives(make_options(range(0, 30), {}));
}
END_TEST

START_TEST(two_lists)
{
    check_derivatives(make_options(range(0, 12), range(8, 30)));
}
END_TEST

START_TEST(averages)
{
    options given = make_options(range(0, 30), {});
    given.local = true;
    given.local_function = "RATIONAL R_0=0.4 D_MAX=0.8";
    check_derivatives(given);
}
END_TEST

START_TEST(wrong_input)
{
    options given = make_options(range(0, 4), {});
    given.function = "RATIONAL R_0=0.4";
    assert_fails([&] { order(given).prepare(MOTE_PBC_NONE); }, "finite d_max");
    given = make_options(range(0, 4), range(4, 9));
    given.local = true;
    assert_fails([&] { order variable(given); }, "need one list of atoms");
    given = make_options(range(0, 2), {});
    order variable(given);
    const double flat[9] = {2, 0, 0, 0, 0, 0, 0, 0, 2}, none[9] = {};
    const std::vector<double> lost = {0, 0, 0, 1, std::nan(""), 1};
    std::vector<double> numbers(2);
    assert_fails([&] { variable.numbers(lost.data(), none, numbers.data()); }, "osition");
    assert_fails([&] { variable.numbers(lost.data(), flat, numbers.data()); }, "box");
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(lists),    SUITE_TEST(octahedron),
                                   SUITE_TEST(one_list), SUITE_TEST_LONG(two_lists),
                                   SUITE_TEST(averages), SUITE_TEST(wrong_input)};
SUITE_MAIN("plumed_order", tests)
