/* SPDX-License-Identifier: Apache-2.0 */
/* Coordination with every switching function, crowded cells, atoms far from each other, and invalid
 * boxes. */
#include "cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "testkit/cases/coordination/cases.h"

#define SIZE .size = sizeof(mote_switch)

static void check(const mote_system_recipe *recipe, const mote_coordination_options *options,
                  const char *name)
{
    const mote_coordination_case c = {name, *recipe, *options};
    more_count(
        mote_coordination_case_check(more_ctx, more_queue, &c, more_message, sizeof(more_message)),
        name);
}

static void every_function(void)
{
    const size_t rare = mote_coordination_rare_function_count;
    for (size_t k = 0; k < mote_coordination_function_count + rare; k++) {
        mote_system_recipe recipe = {.n_atoms = 20,
                                     .frames = 1,
                                     .layout = k % 2 ? MOTE_LAYOUT_GRID : MOTE_LAYOUT_CLUSTERED,
                                     .function = k < rare ? mote_coordination_rare_functions[k]
                                                          : mote_coordination_functions[k - rare],
                                     .seed = k};
        mote_coordination_options options = {.precision = k % 2 ? MOTE_PRECISION_DOUBLE
                                                                : MOTE_PRECISION_MIXED};
        check(&recipe, &options, "every function");
    }
    for (int nn = 2; nn <= 12; nn += 2) {
        mote_system_recipe recipe = {.n_atoms = 20,
                                     .frames = 1,
                                     .layout = MOTE_LAYOUT_GRID,
                                     .function = {SIZE, .r_0 = 0.15, .nn = nn},
                                     .seed = (uint64_t)nn};
        mote_coordination_options options = {.precision = MOTE_PRECISION_DOUBLE};
        check(&recipe, &options, "every exponent");
    }
}

static const mote_switch near = {SIZE, .r_0 = 0.02, .d_max = 0.05};

/* Makes many atoms in one cell, and few in a box much larger than cells. */
static void cells(void)
{
    static const mote_layout layouts[] = {MOTE_LAYOUT_EQUAL, MOTE_LAYOUT_CLUSTERED,
                                          MOTE_LAYOUT_UNIFORM};
    for (size_t k = 0; k < 9; k++) {
        mote_system_recipe recipe = {.n_atoms = 300,
                                     .frames = 1 + k % 2,
                                     .layout = layouts[k % 3],
                                     .lattice =
                                         k / 3 == 1 ? MOTE_LATTICE_CUBE : MOTE_LATTICE_TRICLINIC,
                                     .groups = (mote_groups_kind)(k % 4),
                                     .pbc = (mote_pbc)(k / 3),
                                     .function = near,
                                     .seed = k};
        mote_coordination_options options = {.method = MOTE_COORDINATION_CELLS,
                                             .precision = k % 2 ? MOTE_PRECISION_DOUBLE
                                                                : MOTE_PRECISION_MIXED,
                                             .silent = k % 3 == 1,
                                             .without = k % 4 == 3 ? MOTE_WITHOUT_VALUE : 0};
        check(&recipe, &options, "cells");
    }
}

/* Enough entries for several strips and groups; clusters that are beyond d_max of each other. */
static void pairs(void)
{
    for (size_t k = 0; k < 6; k++) {
        mote_system_recipe recipe = {.n_atoms = k < 2 ? 1300 : 150,
                                     .frames = 1,
                                     .layout = k % 2 ? MOTE_LAYOUT_CLUSTERED : MOTE_LAYOUT_UNIFORM,
                                     .groups = k == 3   ? MOTE_GROUPS_TWO
                                               : k == 4 ? MOTE_GROUPS_OVERLAP
                                                        : MOTE_GROUPS_ALL,
                                     .function = near,
                                     .seed = k};
        mote_coordination_options options = {
            .method = MOTE_COORDINATION_ALL_PAIRS,
            .precision = k % 3 == 2 ? MOTE_PRECISION_DOUBLE : MOTE_PRECISION_SINGLE,
            .accumulate = k % 2,
            .of = k % 2 ? MOTE_DERIVATIVES_ATOM : MOTE_DERIVATIVES_ENTRY,
            .silent = k == 2};
        check(&recipe, &options, "pairs");
    }
}

/* Two lists, one of which (`b`: the second) has nearly all atoms, all in a few cells. */
static void crowd(uint32_t atoms, bool b, mote_coordination_method method)
{
    enum { MOST = 17000, FEW = 5 };
    static uint32_t many[MOST];
    static const uint32_t few[FEW] = {0, 1, 2, 3, 4};
    const mote_coordination_options options = {.method = method,
                                               .precision = MOTE_PRECISION_DOUBLE};
    mote_system s;
    snprintf(more_message, sizeof(more_message), "no memory");
    bool good = mote_system_make(&s, atoms, 1);
    for (uint32_t i = 0; i < atoms - FEW; i++)
        many[i] = FEW + i;
    good =
        good && mote_system_group(&s, !b, few, FEW) && mote_system_group(&s, b, many, atoms - FEW);
    for (size_t i = 0; good && i < (size_t)3 * atoms; i++)
        s.positions[i] = (double)(i * 7919 % 1000) * 2e-5;
    if (good) {
        s.mode = MOTE_COORDINATION_TWO;
        s.function = near;
        good = mote_coordination_check_system(more_ctx, more_queue, &s, &options, more_message,
                                              sizeof(more_message));
        mote_system_free(&s);
    }
    more_count(good, "crowd");
}

/* Invalid boxes on the device, for which only the error word is specified. */
static void no_boxes(void)
{
    for (size_t k = 0; k < 8; k++) {
        mote_system s;
        mote_coordination *plan = NULL;
        mote_coordination_result result = {0};
        mote_coordination_options options = {.box_device = MOTE_FLOAT64};
        bool good = mote_system_make(&s, 12, 2);
        if (!good)
            return;
        s.function = near;
        s.pbc = k < 4 ? MOTE_PBC_ORTHORHOMBIC : MOTE_PBC_TRICLINIC;
        double *box = s.box + 9;
        if (k < 3)
            box[4 * k] = 0.0;
        else if (k < 5)
            box[k] = k == 3 ? INFINITY : NAN;
        else if (k < 6)
            box[3] = box[4] = box[5] = 0.0;
        else
            box[k == 6 ? 0 : 8] = k == 6 ? 1e200 : 1e-200;
        if (k == 3)
            box[0] = INFINITY;
        good = !mote_coordination_plan_of(more_ctx, &s, options.precision, options.method, &plan) &&
               mote_coordination_run(more_ctx, more_queue, &s, plan, &options, &result,
                                     more_message, sizeof(more_message));
        if (good && result.status != MOTE_ERROR_BOX) {
            snprintf(more_message, sizeof(more_message), "box %zu: %s", k,
                     mote_status_name(result.status));
            good = false;
        }
        more_count(good, "no box");
        mote_coordination_release(plan);
        mote_coordination_result_free(&result);
        mote_system_free(&s);
    }
}

void cases_coordination(void)
{
    every_function();
    cells();
    pairs();
    crowd(17000, true, MOTE_COORDINATION_CELLS);
    crowd(200, true, MOTE_COORDINATION_ALL_PAIRS);
    crowd(200, false, MOTE_COORDINATION_ALL_PAIRS);
    no_boxes();
}
