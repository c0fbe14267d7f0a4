/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/coordination/cases.h"

#include <math.h>

#define SIZE .size = sizeof(mote_switch)

const mote_switch mote_coordination_functions[] = {
    {SIZE, .r_0 = 0.15},
    {SIZE, .r_0 = 0.15, .d_max = INFINITY},
    {SIZE, .r_0 = 0.15, .d_max = 0.35, .no_stretch = 1},
    {SIZE, .r_0 = 0.15, .d_max = 0.4, .nn = 6, .mm = 10},
    {SIZE, .r_0 = 0.2, .d_max = INFINITY, .nn = 1, .mm = 3},
    {SIZE, .r_0 = 0.2, .nn = 5, .mm = 11, .d_0 = 0.05},
    {SIZE, .r_0 = 0.2, .nn = 7, .mm = 13, .d_0 = -0.1},
    {SIZE, .r_0 = 0.2, .nn = 12, .mm = 6, .d_max = 0.5},
    {SIZE, .r_0 = 0.3, .nn = 24, .mm = 48, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_EXP, .r_0 = 0.1, .d_0 = 0.05, .d_max = 0.5},
    {SIZE, .kind = MOTE_SWITCH_GAUSSIAN, .r_0 = 0.15, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_GAUSSIAN, .r_0 = 0.1, .d_0 = 0.1, .d_max = 0.4},
    {SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 0.2, .a = 3, .b = 2, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 0.2, .a = 8, .b = 1.5, .d_max = 0.45, .d_0 = -0.05},
    {SIZE, .kind = MOTE_SWITCH_CUBIC, .d_0 = 0.1, .d_max = 0.45},
    {SIZE, .kind = MOTE_SWITCH_TANH, .r_0 = 0.15, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_COSINUS, .r_0 = 0.3, .d_0 = 0.05, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_COSINUS, .r_0 = 0.5, .d_max = 0.4},
    {SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 0.1, .ref = 0.1, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 0.1, .ref = 0.2, .beta = 12, .lambda = 1, .d_max = 0.5},
    {SIZE, .r_0 = 0.06, .d_max = 0.12},
    {SIZE, .r_0 = 0.3, .nn = 9, .mm = 6, .d_max = INFINITY},
    {SIZE, .r_0 = 0.9, .nn = 12, .mm = 6},
    {SIZE, .kind = MOTE_SWITCH_CUSTOM, .r_0 = 0.2, .d_0 = 0.05, .d_max = 0.45,
     .func = "exp(-x) * (1 + sin(2*x)^2) / sqrt(1 + x^5)"},
    {SIZE, .kind = MOTE_SWITCH_CUSTOM, .r_0 = 0.2, .d_max = INFINITY, .func = "1/(1+x2^3)"},
    {SIZE, .kind = MOTE_SWITCH_GAUSSIAN, .r_0 = 0.15, .d_max = 0.44},
};
const size_t mote_coordination_function_count =
    sizeof(mote_coordination_functions) / sizeof(mote_coordination_functions[0]);

/* Most of these functions are stretched far, because d_max is close to 0 or d_0 is far below 0. The
 * last three are a SMAP that needs all digits of 1 + e^z, and functions whose powers or arguments
 * overflow within d_max. */
const mote_switch mote_coordination_rare_functions[] = {
    {SIZE, .r_0 = 0.6, .d_max = 0.35},
    {SIZE, .r_0 = 0.6, .d_0 = -1.0, .d_max = 0.35},
    {SIZE, .r_0 = 0.6, .nn = 5, .mm = 9, .d_max = 0.35},
    {SIZE, .r_0 = 0.35, .nn = 7, .mm = 8, .d_max = 0.45},
    {SIZE, .r_0 = 0.35, .nn = 8, .mm = 7, .d_max = 0.45},
    {SIZE, .r_0 = 0.6, .nn = 5, .mm = 6, .d_0 = -1.0, .d_max = 0.35},
    {SIZE, .kind = MOTE_SWITCH_EXP, .r_0 = 2.0, .d_max = 0.35},
    {SIZE, .kind = MOTE_SWITCH_GAUSSIAN, .r_0 = 0.6, .d_0 = 0.01, .d_max = 0.35},
    {SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 0.6, .a = 3, .b = 2, .d_max = 0.35},
    {SIZE, .kind = MOTE_SWITCH_CUBIC, .d_0 = -1.0, .d_max = 0.35},
    {SIZE, .kind = MOTE_SWITCH_TANH, .r_0 = 1.5, .d_max = 0.35},
    {SIZE, .kind = MOTE_SWITCH_COSINUS, .r_0 = 1.5, .d_max = 0.35},
    {SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 0.1, .beta = 9, .ref = 0.3, .d_max = 0.35},
    {SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 0.3, .a = 3, .b = 90, .d_max = 0.35},
    {SIZE, .r_0 = 0.0005, .nn = 12, .d_max = 0.7, .no_stretch = 1},
    {SIZE, .kind = MOTE_SWITCH_EXP, .r_0 = 1e-18, .d_max = 0.7, .no_stretch = 1},
};
const size_t mote_coordination_rare_function_count =
    sizeof(mote_coordination_rare_functions) / sizeof(mote_coordination_rare_functions[0]);

unsigned mote_coordination_kinds(void)
{
    unsigned kinds = 0;
    while (mote_switch_kind_name((mote_switch_kind)kinds))
        kinds++;
    return kinds;
}

/* A function is given by its index in the first table above. */
typedef struct row {
    const char *name;
    size_t n_atoms, frames;
    mote_layout layout;
    mote_lattice lattice;
    mote_groups_kind groups;
    mote_pbc pbc;
    int function;
    mote_coordination_options options;
} row;

#define ROW(name, n, f, layout, lattice, groups, pbc, function, ...)                               \
    {                                                                                              \
        name, n, f, MOTE_LAYOUT_##layout, MOTE_LATTICE_##lattice, MOTE_GROUPS_##groups,            \
            MOTE_PBC_##pbc, function,                                                              \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* clang-format off */
static const row rows[] = {
    ROW("no atoms", 0, 1, UNIFORM, CUBE, ALL, NONE, 0, 0),
    ROW("one atom", 1, 2, UNIFORM, CUBE, ALL, ORTHORHOMBIC, 0, 0),
    ROW("two atoms", 2, 1, UNIFORM, LEFT, ALL, TRICLINIC, 1, 0),
    ROW("three atoms", 3, 3, OUTSIDE, CUBE, PAIR, NONE, 2, 0),
    ROW("a cube", 33, 1, UNIFORM, CUBE, ALL, ORTHORHOMBIC, 0, 0),
    ROW("a cuboid in single precision", 40, 1, OUTSIDE, ORTHORHOMBIC, SELF, ORTHORHOMBIC, 3,
        .precision = MOTE_PRECISION_SINGLE, .positions32 = true),
    ROW("a cube in double precision", 17, 2, UNIFORM, CUBE, OVERLAP, ORTHORHOMBIC, 5,
        .precision = MOTE_PRECISION_DOUBLE),
    ROW("two lists", 31, 1, UNIFORM, ORTHORHOMBIC, TWO, ORTHORHOMBIC, 9,
        .derivatives_by_4 = true, .workspace = true),
    ROW("derivatives of atoms", 24, 2, UNIFORM, TRICLINIC, OVERLAP, TRICLINIC, 10,
        .of = MOTE_DERIVATIVES_ATOM, .box_device = MOTE_FLOAT64),
    ROW("a skewed box", 21, 2, OUTSIDE, SKEWED, ALL, TRICLINIC, 12,
        .derivatives32 = true, .accumulate = true, .factor = -2.0),
    ROW("a long box in double precision", 16, 1, OUTSIDE, NEEDLE, SELF, TRICLINIC, 14,
        .precision = MOTE_PRECISION_DOUBLE, .positions_by_4 = true),
    ROW("pairs in a left-handed box", 19, 1, UNIFORM, LEFT, PAIR, TRICLINIC, 16,
        .coordination32 = true),
    ROW("atoms at one place", 18, 1, EQUAL, CUBE, ALL, NONE, 6, 0),
    ROW("distances of r_0", 27, 1, GRID, CUBE, ALL, NONE, 4, 0),
    ROW("no derivatives", 20, 1, UNIFORM, CUBE, ALL, ORTHORHOMBIC, 15,
        .without = MOTE_WITHOUT_DERIVATIVES | MOTE_WITHOUT_VIRIAL),
    ROW("pairs far away", 22, 1, UNIFORM, CUBE, TWO, NONE, 18,
        .without = MOTE_WITHOUT_COORDINATION),
    ROW("cells without a box", 60, 2, CLUSTERED, CUBE, ALL, NONE, 20,
        .method = MOTE_COORDINATION_CELLS),
    ROW("cells in a cuboid", 48, 1, OUTSIDE, ORTHORHOMBIC, OVERLAP, ORTHORHOMBIC, 20,
        .method = MOTE_COORDINATION_CELLS, .of = MOTE_DERIVATIVES_ATOM),
    ROW("cells in a long box in double precision", 40, 1, UNIFORM, NEEDLE, SELF, TRICLINIC, 9,
        .method = MOTE_COORDINATION_CELLS, .precision = MOTE_PRECISION_DOUBLE),
    ROW("cells in a left-handed box", 36, 2, UNIFORM, LEFT, TWO, TRICLINIC, 20,
        .method = MOTE_COORDINATION_CELLS, .box_device = MOTE_FLOAT64),
    ROW("lists kept with a skin", 45, 1, UNIFORM, CUBE, OVERLAP, ORTHORHOMBIC, 20,
        .method = MOTE_COORDINATION_CELLS, .skin = 0.05),
    ROW("an expression in a skewed box", 23, 1, OUTSIDE, SKEWED, OVERLAP, TRICLINIC, 23, 0),
    ROW("cells for an expression in double precision", 33, 1, UNIFORM, CUBE, ALL, ORTHORHOMBIC, 23,
        .method = MOTE_COORDINATION_CELLS, .precision = MOTE_PRECISION_DOUBLE),
    ROW("an expression in squares", 21, 1, UNIFORM, CUBE, PAIR, NONE, 24, 0),
    ROW("weights in a cube", 37, 2, UNIFORM, CUBE, ALL, ORTHORHOMBIC, 0, .weights = MOTE_FLOAT64),
    ROW("weights of two lists", 31, 1, UNIFORM, ORTHORHOMBIC, OVERLAP, ORTHORHOMBIC, 9,
        .weights = MOTE_FLOAT32, .of = MOTE_DERIVATIVES_ATOM),
    ROW("weights of pairs", 17, 2, UNIFORM, LEFT, PAIR, TRICLINIC, 16, .weights = MOTE_FLOAT64,
        .precision = MOTE_PRECISION_DOUBLE),
    ROW("weights in cells without a box", 60, 2, CLUSTERED, CUBE, ALL, NONE, 20,
        .method = MOTE_COORDINATION_CELLS, .weights = MOTE_FLOAT32),
    ROW("weights in cells in double precision", 40, 1, UNIFORM, TRICLINIC, OVERLAP, TRICLINIC, 9,
        .method = MOTE_COORDINATION_CELLS, .precision = MOTE_PRECISION_DOUBLE,
        .weights = MOTE_FLOAT64),
    ROW("weights of shares", 33, 2, UNIFORM, CUBE, ALL, ORTHORHOMBIC, 0, .shares = 2,
        .weights = MOTE_FLOAT64),
    ROW("shares in a cube", 33, 2, UNIFORM, CUBE, ALL, ORTHORHOMBIC, 0, .shares = 2),
};
/* clang-format on */

#define ROWS (sizeof(rows) / sizeof(rows[0]))

size_t mote_coordination_case_count(void)
{
    return ROWS;
}

mote_coordination_case mote_coordination_case_at(size_t i)
{
    const row *r = &rows[i];
    return (mote_coordination_case){
        .name = r->name,
        .recipe = {.n_atoms = r->n_atoms,
                   .frames = r->frames,
                   .layout = r->layout,
                   .lattice = r->lattice,
                   .groups = r->groups,
                   .pbc = r->pbc,
                   .function = mote_coordination_functions[r->function],
                   .seed = i},
        .options = r->options,
    };
}

bool mote_coordination_options_fit(mote_context *ctx, mote_coordination_options *options)
{
    if (mote_context_device(ctx)->has_fp64)
        return true;
    options->positions32 = options->derivatives32 = options->coordination32 = true;
    options->box_device = options->box_device ? MOTE_FLOAT32 : MOTE_TYPE_NONE;
    options->weights = options->weights ? MOTE_FLOAT32 : MOTE_TYPE_NONE;
    return options->precision != MOTE_PRECISION_DOUBLE;
}

bool mote_coordination_case_fits(mote_context *ctx, const mote_coordination_case *c)
{
    mote_coordination_options options = c->options;
    return mote_coordination_options_fit(ctx, &options);
}

bool mote_coordination_case_check(mote_context *ctx, cl_command_queue queue,
                                  const mote_coordination_case *c, char *message, size_t size)
{
    mote_system s;
    mote_coordination_options options = c->options;
    mote_coordination_options_fit(ctx, &options);
    if (!mote_system_random(&s, &c->recipe))
        return false;
    bool good = mote_coordination_check_system(ctx, queue, &s, &options, message, size);
    mote_system_free(&s);
    return good;
}
