/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of coordination numbers, and their derivatives with respect to positions and box, of
 * the PLUMED action MOTE_COORDINATIONNUMBER. */
#include "numbers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "assert_fails.h"
#include "common/suite.h"
#include "coordination.h"

using mote_plumed::coordination;
using mote_plumed::number_function;
using mote_plumed::options;

namespace
{

const std::vector<double> some = {3.1, 0.7, 5.9, 4.4, 4.5, 1.2};

double sum_over(const std::vector<double> &numbers, const std::function<double(double)> &of)
{
    double sum = 0.0;
    for (const double n : numbers)
        sum += of(n);
    return sum;
}

/* Checks the value, and compares derivatives with differences. */
void check_function(const number_function &function, const std::vector<double> &numbers,
                    double expected)
{
    std::vector<double> weights(numbers.size(), std::nan("")), unused(numbers.size());
    ck_assert_double_eq_tol(function(numbers, weights.data()), expected,
                            1e-13 * std::max(1.0, std::fabs(expected)));
    for (size_t k = 0; k < numbers.size(); k++) {
        std::vector<double> low = numbers, high = numbers;
        const double step = 1e-5;
        low[k] -= step;
        high[k] += step;
        const double slope =
            (function(high, unused.data()) - function(low, unused.data())) / (2.0 * step);
        ck_assert_double_eq_tol(weights[k], slope, 1e-8 * std::max(1.0, std::fabs(slope)));
    }
}

/* A system in which each step of a test is one call. */
struct simulation {
    options given;
    std::vector<double> positions;
    double box[9] = {1.5, 0, 0, 0.2, 1.4, 0, -0.3, 0.1, 1.6};

    explicit simulation(bool two)
    {
        for (unsigned atom = 0; atom < 30; atom++)
            (two && atom >= 12 ? given.group_b : given.group_a).push_back(atom);
        given.function = "RATIONAL R_0=0.4 D_MAX=0.9";
        given.of_atoms = true;
        given.precision = "double";
        given.device = suite_device();
        for (unsigned k = 0; k < 90; k++)
            positions.push_back(std::fmod(0.754877666 * (k + 1) * (k % 3 + 1), 1.5));
    }

    double value(coordination &variable, const number_function &function, double *weights)
    {
        std::vector<double> entries(variable.entries()), unused(variable.entries());
        variable.numbers(positions.data(), box, entries.data());
        entries.resize(given.group_a.size());
        return function(entries, weights ? weights : unused.data());
    }
};

void check_derivatives(bool two)
{
    simulation s(two);
    coordination variable(s.given);
    const number_function function = mote_plumed::central_moment(3);
    std::vector<double> weights(variable.entries()), derivatives(s.positions.size());
    double virial[9], side[2];
    const double step = 1e-5;
    s.value(variable, function, weights.data());
    variable.weighted(s.positions.data(), s.box, weights.data(), derivatives.data(), virial,
                      nullptr);
    for (const size_t number : {size_t{4}, size_t{50}}) {
        for (const int k : {0, 1}) {
            s.positions[number] += k ? 2.0 * step : -step;
            side[k] = s.value(variable, function, nullptr);
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
        side[k] = strained.value(variable, function, nullptr);
    }
    ck_assert_double_eq_tol(-virial[8], (side[1] - side[0]) / (2.0 * step), 1e-6);
}

} // namespace

START_TEST(values)
{
    using mote_plumed::function_with;
    using mote_plumed::simple_function;
    const double mean = sum_over(some, [](double n) { return n; }) / 6.0;
    check_function(simple_function("MEAN"), some, mean);
    check_function(simple_function("SUM"), some, 6.0 * mean);
    check_function(simple_function("LOWEST"), some, 0.7);
    check_function(simple_function("HIGHEST"), some, 5.9);
    for (const int power : {2, 3, 4, 7})
        check_function(mote_plumed::central_moment(power), some,
                       sum_over(some, [&](double n) { return std::pow(n - mean, power); }) / 6.0);
    check_function(function_with("LESS_THAN", "EXP R_0=3"), some,
                   sum_over(some, [](double n) { return std::exp(-n / 3.0); }));
    check_function(
        function_with("MORE_THAN", "RATIONAL R_0=4 NN=3"), some,
        sum_over(some, [](double n) { return 1.0 - 1.0 / (1.0 + std::pow(n / 4.0, 3)); }));
    check_function(function_with("MIN", "BETA=2"), some,
                   2.0 / std::log(sum_over(some, [](double n) { return std::exp(2.0 / n); })));
    check_function(function_with("MAX", "BETA=0.5"), some,
                   0.5 * std::log(sum_over(some, [](double n) { return std::exp(n / 0.5); })));
    check_function(function_with("ALT_MIN", "BETA=3"), some,
                   -std::log(sum_over(some, [](double n) { return std::exp(-3.0 * n); })) / 3.0);
    check_function(function_with("BETWEEN", "GAUSSIAN LOWER=2 UPPER=4.5 SMEAR=0.2"), some,
                   sum_over(some, [](double n) {
                       const double root = std::sqrt(2.0) * 0.5;
                       return (std::erf((4.5 - n) / root) - std::erf((2.0 - n) / root)) / 2.0;
                   }));
}
END_TEST

/* Arguments at which powers of e would overflow, and numbers that are 0. */
START_TEST(far_values)
{
    const std::vector<double> wide = {1e-3, 400.0, 2.0};
    std::vector<double> weights(3);
    const auto at = [&](const char *keyword, const char *words,
                        const std::vector<double> &numbers) {
        return mote_plumed::function_with(keyword, words)(numbers, weights.data());
    };
    ck_assert_double_eq_tol(at("MIN", "BETA=50", wide), 1e-3, 1e-12);
    ck_assert_double_eq_tol(at("MAX", "BETA=0.1", wide), 400.0, 1e-9);
    ck_assert_double_eq_tol(at("ALT_MIN", "BETA=1e4", wide), 1e-3, 1e-9);
    ck_assert_double_eq(at("MIN", "BETA=50", {1e-310, 1.0, 2.0}), 1e-310);
    ck_assert_double_eq(weights[0], 1.0);
    ck_assert_double_eq(weights[1] + weights[2], 0.0);
    ck_assert_double_eq(at("MIN", "BETA=50", {1.0, 1e-310, 1e-310}), 1e-310);
    ck_assert_double_eq(weights[0], 0.0);
    ck_assert_double_eq(weights[1], 0.5);
    ck_assert_double_eq(at("MAX", "BETA=1e-307", wide), 400.0);
    ck_assert_double_eq(weights[1], 1.0);
    ck_assert_double_eq(weights[0] + weights[2], 0.0);
    ck_assert_double_eq(at("MIN", "BETA=50", {0.0, 1.0, 2.0}), 0.0);
    for (const double weight : weights)
        ck_assert_double_eq(weight, 0.0);
    ck_assert_double_eq(mote_plumed::simple_function("MEAN")({4.0}, weights.data()), 4.0);
    ck_assert_double_eq(mote_plumed::central_moment(2)({4.0}, weights.data()), 0.0);
}
END_TEST

START_TEST(bins)
{
    const std::vector<std::string> three = mote_plumed::bins_of("GAUSSIAN NBINS=3 LOWER=0 UPPER=6");
    ck_assert_uint_eq(three.size(), 3);
    ck_assert_str_eq(three[1].c_str(), "GAUSSIAN LOWER=2 UPPER=4 SMEAR=0.5");
}
END_TEST

START_TEST(wrong_words)
{
    const struct {
        const char *keyword, *words, *sentence;
    } faults[] = {
        {"LESS_THAN", "GAUSIAN R_0=1", "LESS_THAN: "},
        {"LESS_THAN", "GAUSIAN R_0=1", "did you mean GAUSSIAN?"},
        {"MIN", "", "MIN needs BETA"},
        {"MIN", "BETA=0", "MIN: BETA must be above 0"},
        {"MAX", "BETA=1x", "MAX: BETA=1x is not a finite number"},
        {"ALT_MIN", "BETA=1 GAMMA=2", "ALT_MIN: unknown word GAMMA=2"},
        {"BETWEEN", "TRIANGULAR LOWER=0 UPPER=1", "the one kernel that there is"},
        {"BETWEEN", "GAUSSIAN LOWER=1 UPPER=1", "LOWER must be below UPPER"},
        {"BETWEEN", "GAUSSIAN UPPER=1", "BETWEEN needs LOWER"},
        {"OTHER", "", "there is no function OTHER"},
    };
    for (const auto &fault : faults)
        assert_fails([&] { mote_plumed::function_with(fault.keyword, fault.words); },
                     fault.sentence);
    assert_fails([] { mote_plumed::simple_function("MIDDLE"); }, "there is no function MIDDLE");
    assert_fails([] { mote_plumed::central_moment(1); }, "there is no moment 1");
    for (const char *words :
         {"GAUSSIAN NBINS=0 LOWER=0 UPPER=1", "GAUSSIAN NBINS=1.5 LOWER=0 UPPER=1",
          "GAUSSIAN NBINS=2 LOWER=1 UPPER=0", "GAUSSIAN NBINS=10001 LOWER=0 UPPER=1"})
        assert_fails([&] { mote_plumed::bins_of(words); },
                     "NBINS must be a whole number from 1 to 10000");
}
END_TEST

START_TEST(one_group)
{
    check_derivatives(false);
}
END_TEST

START_TEST(two_groups)
{
    check_derivatives(true);
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(values),    SUITE_TEST(far_values),
                                   SUITE_TEST(bins),      SUITE_TEST(wrong_words),
                                   SUITE_TEST(one_group), SUITE_TEST_LONG(two_groups)};
SUITE_MAIN("plumed_numbers", tests)
