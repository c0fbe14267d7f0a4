/* SPDX-License-Identifier: Apache-2.0 */
/* The collective variable of the PLUMED action compared with plain loops. */
#include "coordination.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <random>

#include "assert_fails.h"
#include "common/suite.h"

using mote_plumed::coordination;
using mote_plumed::options;

namespace
{
constexpr double no_box[9] = {};
constexpr double cuboid[9] = {1.9, 0, 0, 0, 2.1, 0, 0, 0, 2.3};
constexpr double skewed[9] = {2.0, 0, 0, 0.7, 2.0, 0, -0.6, 0.8, 2.1};

struct sums {
    double value = 0.0;
    double virial[9] = {};
    std::vector<double> derivatives;
};

std::vector<double> random_positions(size_t count)
{
    static const unsigned seed = std::random_device{}();
    static std::mt19937_64 source(seed);
    [[maybe_unused]] static const int shown = std::printf("# seed %u\n", seed);
    std::uniform_real_distribution<double> coordinate(-1.0, 2.0);
    std::vector<double> positions(3 * count);
    for (double &x : positions)
        x = coordinate(source);
    return positions;
}

/* The shortest of all images up to three boxes away. */
void nearest(const double *box, double *d)
{
    const double from[3] = {d[0], d[1], d[2]};
    double least = std::numeric_limits<double>::infinity();
    for (int n = 0; n < 343; n++) {
        const int shift[3] = {n % 7 - 3, n / 7 % 7 - 3, n / 49 - 3};
        double image[3];
        for (int k = 0; k < 3; k++)
            image[k] = from[k] + shift[0] * box[k] + shift[1] * box[3 + k] + shift[2] * box[6 + k];
        const double length = std::hypot(image[0], image[1], image[2]);
        if (length < least) {
            least = length;
            std::copy(image, image + 3, d);
        }
    }
}

/* One pair of entries, added up as in PLUMED. */
void add_pair(const mote_switch &function, const std::vector<double> &positions, const double *box,
              size_t i, size_t j, sums &to)
{
    double d[3], slope = 0.0;
    for (size_t k = 0; k < 3; k++)
        d[k] = positions[3 * j + k] - positions[3 * i + k];
    nearest(box, d);
    const double r = std::hypot(d[0], d[1], d[2]);
    to.value += mote_switch_value(&function, r, &slope);
    for (size_t k = 0; k < 3; k++) {
        const double step = r > 0.0 ? slope / r * d[k] : 0.0;
        to.derivatives[3 * i + k] -= step;
        to.derivatives[3 * j + k] += step;
        for (size_t l = 0; l < 3; l++)
            to.virial[3 * k + l] -= step * d[l];
    }
}

sums expect(const options &given, const mote_switch &function, const std::vector<double> &positions,
            const double *box)
{
    std::vector<unsigned> atoms = given.group_a;
    const size_t n_a = atoms.size(), n_b = given.group_b.size();
    atoms.insert(atoms.end(), given.group_b.begin(), given.group_b.end());
    sums to;
    to.derivatives.assign(3 * atoms.size(), 0.0);
    for (size_t i = 0; i < n_a; i++) {
        const size_t first = given.pair ? n_a + i : n_b ? n_a : i + 1;
        const size_t last = given.pair ? n_a + i + 1 : n_b ? n_a + n_b : n_a;
        for (size_t j = first; j < last; j++)
            if (atoms[i] != atoms[j])
                add_pair(function, positions, given.pbc ? box : no_box, i, j, to);
    }
    return to;
}

sums run(coordination &variable, const std::vector<double> &positions, const double *box)
{
    sums got;
    got.derivatives.assign(positions.size(), std::nan(""));
    got.value = variable.compute(positions.data(), box, got.derivatives.data(), got.virial);
    return got;
}

void compare(const sums &got, const sums &expected)
{
    double scale = 1.0;
    for (const double d : expected.derivatives)
        scale = std::max(scale, std::fabs(d));
    ck_assert_double_eq_tol(got.value, expected.value, 1e-12 * std::max(1.0, expected.value));
    for (size_t i = 0; i < got.derivatives.size(); i++)
        ck_assert_double_eq_tol(got.derivatives[i], expected.derivatives[i], 1e-12 * scale);
    for (size_t k = 0; k < 9; k++)
        ck_assert_double_eq_tol(got.virial[k], expected.virial[k],
                                1e-12 * scale * got.derivatives.size());
}

/* Positions of entries: an atom that is listed twice has one position. */
std::vector<double> entry_positions(const options &given)
{
    const std::vector<double> atoms = random_positions(64);
    std::vector<double> positions;
    for (const std::vector<unsigned> *group : {&given.group_a, &given.group_b})
        for (const unsigned atom : *group)
            positions.insert(positions.end(), &atoms[3 * atom], &atoms[3 * atom] + 3);
    return positions;
}

options make_options()
{
    options given;
    for (unsigned atom = 0; atom < 40; atom++)
        given.group_a.push_back(7 * atom % 64);
    given.r_0 = 0.35;
    given.function = "RATIONAL R_0=0.35"; /* functions without d_max have no kernels for cells */
    given.device = suite_device();
    given.precision = "double";
    return given;
}

/* Returns a function of the numbers with a finite d_max. */
options make_numbers()
{
    options given = make_options();
    given.function.clear();
    return given;
}

void compare_shapes(const options &given)
{
    coordination variable(given);
    for (const double *box : {no_box, cuboid, skewed, cuboid}) {
        const std::vector<double> positions = entry_positions(given);
        compare(run(variable, positions, box), expect(given, variable.function(), positions, box));
    }
}

void assert_refused(const options &given, const char *text)
{
    assert_fails([&] { coordination variable(given); }, text);
}

} // namespace

START_TEST(self_group)
{
    options given = make_options();
    compare_shapes(given);
    given.pbc = false; /* boxes are ignored */
    compare_shapes(given);
}
END_TEST

START_TEST(repeated_atoms)
{
    options given = make_options();
    given.group_a.insert(given.group_a.end(), {3, 7, 7, 14});
    compare_shapes(given);
}
END_TEST

START_TEST(overlapping_groups)
{
    options given = make_options();
    given.group_b = {7, 1, 2, 63, 7, 14, 30};
    compare_shapes(given);
}
END_TEST

/* The results of all processes add up to the whole. */
START_TEST(shares)
{
    options given = make_options();
    const std::vector<double> positions = entry_positions(given);
    given.shares = 3;
    sums total;
    total.derivatives.assign(positions.size(), 0.0);
    for (given.rank = 0; given.rank < given.shares; given.rank++) {
        coordination variable(given);
        const sums got = run(variable, positions, cuboid);
        total.value += got.value;
        for (size_t k = 0; k < 9; k++)
            total.virial[k] += got.virial[k];
        for (size_t i = 0; i < positions.size(); i++)
            total.derivatives[i] += got.derivatives[i];
    }
    const mote_switch function = coordination(make_options()).function();
    compare(total, expect(given, function, positions, cuboid));
}
END_TEST

START_TEST(pairs)
{
    options given = make_options();
    given.group_b = given.group_a;
    std::rotate(given.group_b.begin(), given.group_b.begin() + 3, given.group_b.end());
    given.group_b[5] = given.group_a[5];
    given.pair = true;
    compare_shapes(given);
}
END_TEST

START_TEST(group_of_one)
{
    options given = make_options();
    given.group_a = {5};
    coordination variable(given);
    const sums got = run(variable, {0.1, 0.2, 0.3}, cuboid);
    compare(got, expect(given, variable.function(), {0.1, 0.2, 0.3}, cuboid));
}
END_TEST

/* Positions scale with the box: dV/dh, times h, is the virial. */
START_TEST(signs)
{
    const options given = make_options();
    coordination variable(given);
    const std::vector<double> positions = entry_positions(given);
    const sums at = run(variable, positions, cuboid);
    const double step = 1e-6;
    double strained[2];
    for (int side = 0; side < 2; side++) {
        const double factor = side ? 1.0 + step : 1.0 - step;
        std::vector<double> moved = positions;
        double box[9];
        for (size_t i = 0; i < moved.size(); i += 3)
            moved[i] *= factor;
        std::copy(cuboid, cuboid + 9, box);
        box[0] *= factor;
        strained[side] = run(variable, moved, box).value;
    }
    ck_assert_double_eq_tol(-at.virial[0], (strained[1] - strained[0]) / (2.0 * step), 1e-4);
    std::vector<double> moved = positions;
    moved[4] += step;
    const double after = run(variable, moved, cuboid).value;
    ck_assert_double_eq_tol(at.derivatives[4], (after - at.value) / step, 1e-3);
}
END_TEST

START_TEST(shapes_and_words)
{
    const double nearly[9] = {2, 1e-15, 0, 0, 2, 0, -1e-15, 0, 2};
    ck_assert_int_eq(mote_plumed::shape_of(no_box), MOTE_PBC_NONE);
    ck_assert_int_eq(mote_plumed::shape_of(cuboid), MOTE_PBC_ORTHORHOMBIC);
    ck_assert_int_eq(mote_plumed::shape_of(nearly), MOTE_PBC_ORTHORHOMBIC);
    ck_assert_int_eq(mote_plumed::shape_of(skewed), MOTE_PBC_TRICLINIC);
    const std::vector<std::string> expected = {"gpu", "Tesla V", "pocl:0"};
    ck_assert(mote_plumed::split(" gpu,,Tesla V, pocl:0 ,") == expected);
    ck_assert(mote_plumed::split("").empty());
}
END_TEST

START_TEST(functions)
{
    options given = make_numbers();
    given.nn = 4;
    given.d_0 = 0.1;
    const mote_switch numbers = coordination(given).function();
    ck_assert_int_eq(numbers.mm, 8);
    ck_assert_double_eq_tol(numbers.d_max, 0.1 + 0.35 * std::pow(1e-5, -0.25), 1e-12);
    given.d_max = 0.8;
    ck_assert_double_eq(coordination(given).function().d_max, 0.8);
    given.function = "GAUSSIAN R_0=0.2 D_MAX=0.9";
    const mote_switch text = coordination(given).function();
    ck_assert_int_eq(text.kind, MOTE_SWITCH_GAUSSIAN);
    ck_assert_double_eq(text.d_max, 0.9);
}
END_TEST

START_TEST(precisions)
{
    options given = make_options();
    given.precision = "";
    const coordination any(given);
    const bool wide = any.context().device().has_fp64;
    ck_assert_int_eq(any.precision(), wide ? MOTE_PRECISION_DOUBLE : MOTE_PRECISION_MIXED);
    given.precision = "single";
    ck_assert_int_eq(coordination(given).precision(), MOTE_PRECISION_SINGLE);
    given.precision = "half";
    assert_refused(given, "PRECISION=half is none of mixed, single, double");
}
END_TEST

START_TEST(wrong_input)
{
    const std::vector<std::pair<std::function<void(options &)>, const char *>> faults = {
        {[](options &o) { o.group_a.clear(); }, "GROUPA has no atoms"},
        {[](options &o) { o.pair = true; }, "PAIR needs GROUPB"},
        {[](options &o) { o.r_0 = 0.0; }, "r_0 is 0, but must be above 0"},
        {[](options &o) { o.mm = 6; }, "nn and mm are both 6"},
        {[](options &o) { o.function = "GAUSIAN R_0=1"; }, "did you mean GAUSSIAN?"},
        {[](options &o) { o.function = "EXP"; }, "EXP needs R_0"},
        {[](options &o) { o.skin = -0.1; }, "SKIN is -0.1"},
        {[](options &o) { o.device = "no such device"; }, "no such device"},
    };
    for (const auto &fault : faults) {
        options given = make_numbers();
        fault.first(given);
        assert_refused(given, fault.second);
    }
    options given = make_options();
    given.pair = true;
    given.group_b = {1, 2};
    coordination variable(given);
    try {
        variable.prepare(MOTE_PBC_NONE);
        ck_abort_msg("prepared");
    } catch (const mote::error &) {
    }
}
END_TEST

START_TEST(wrong_steps)
{
    const options given = make_options();
    coordination variable(given);
    const std::vector<double> positions = entry_positions(given);
    const double flat[9] = {2, 0, 0, 0, 0, 0, 0, 0, 2};
    const double plane[9] = {2, 1, 0, 4, 2, 0, 0, 0, 2};
    const double endless[9] = {2, 0, 0, 0, INFINITY, 0, 0, 0, 2};
    std::vector<double> lost = positions;
    lost[11] = std::nan("");
    const std::pair<const double *, const std::vector<double> *> steps[] = {
        {flat, &positions}, {plane, &positions}, {endless, &positions}, {cuboid, &lost}};
    for (const auto &step : steps) {
        mote_status status = MOTE_SUCCESS;
        std::string sentence;
        try {
            run(variable, *step.second, step.first);
        } catch (const mote::error &found) {
            status = found.status();
            sentence = found.what();
        }
        ck_assert_int_eq(status, step.second == &lost ? MOTE_ERROR_POSITION : MOTE_ERROR_BOX);
        ck_assert_msg(sentence.find(": mote_coordination_host: ") != std::string::npos, "'%s'",
                      sentence.c_str());
    }
    compare(run(variable, positions, skewed),
            expect(given, variable.function(), positions, skewed));
}
END_TEST

/* The first step of a simulation neither builds kernels nor waits for builds. */
START_TEST(prepared)
{
    const options given = make_numbers();
    coordination variable(given);
    mote_memory before, after;
    mote_memory_init(&before);
    mote_memory_init(&after);
    ck_assert(variable.prepare(MOTE_PBC_ORTHORHOMBIC));
    ck_assert(!variable.prepare(MOTE_PBC_ORTHORHOMBIC));
    ck_assert_int_eq(mote_context_memory(variable.context(), &before), MOTE_SUCCESS);
    run(variable, entry_positions(given), cuboid);
    ck_assert_int_eq(mote_context_memory(variable.context(), &after), MOTE_SUCCESS);
    ck_assert_uint_eq(before.programs, after.programs);
    ck_assert_uint_gt(before.programs, 0);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST_LONG(prepared),       SUITE_TEST(self_group),
    SUITE_TEST_LONG(repeated_atoms), SUITE_TEST_LONG(overlapping_groups),
    SUITE_TEST_LONG(shares),         SUITE_TEST_LONG(pairs),
    SUITE_TEST(group_of_one),        SUITE_TEST(signs),
    SUITE_TEST(shapes_and_words),    SUITE_TEST(functions),
    SUITE_TEST(precisions),          SUITE_TEST(wrong_input),
    SUITE_TEST(wrong_steps)};
SUITE_MAIN("plumed", tests)
