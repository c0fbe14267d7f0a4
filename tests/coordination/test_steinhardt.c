/* SPDX-License-Identifier: Apache-2.0 */
/* mote_steinhardt() on crystals, whose order parameters are known, in special cases, and with
 * combinations of arguments that it rejects. tests/trials compares it with the reference. */
#include "harness.h"

#include <math.h>
#include <string.h>

#define MOST_ATOMS 300

static const char *const forms[] = {"coordination.form=cpu", "coordination.form=gpu"};

/* A crystal of atoms whose nearest neighbours are at distance 1, and its order parameters in
 * Steinhardt's normalisation. */
typedef struct crystal {
    const char *name;
    double cell[3];
    size_t atoms, copies[3];
    double place[4][3]; /* in units of the cell */
    double q4, q6;
} crystal;

#define ROOT_2     1.4142135623730951
#define ROOT_3     1.7320508075688772
#define ROOT_8_3   1.6329931618554521
#define TWO_ROOT_3 1.1547005383792517

static const crystal crystals[] = {
    {"simple cubic", {1, 1, 1}, 1, {3, 4, 5}, {{0}}, 0.7637626158, 0.3535533906},
    {"body-centred cubic",
     {TWO_ROOT_3, TWO_ROOT_3, TWO_ROOT_3},
     2,
     {3, 3, 4},
     {{0}, {0.5, 0.5, 0.5}},
     0.5091750772,
     0.6285393611},
    {"face-centred cubic",
     {ROOT_2, ROOT_2, ROOT_2},
     4,
     {2, 3, 3},
     {{0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}},
     0.1909406540,
     0.5745242597},
    {"hexagonal close-packed",
     {1, ROOT_3, ROOT_8_3},
     4,
     {4, 2, 2},
     {{0}, {0.5, 0.5, 0}, {0.5, 5.0 / 6, 0.5}, {0, 1.0 / 3, 0.5}},
     0.0972222222,
     0.4847616868},
};

/* The memory of a call, in float32. */
typedef struct memory {
    size_t n;
    float positions[3 * MOST_ATOMS], order[MOST_ATOMS], derivatives[3 * MOST_ATOMS];
    float value, virial[9];
} memory;

static size_t make_crystal(const crystal *c, float *positions, double *box)
{
    size_t n = 0;

    for (size_t k = 0; k < c->copies[0] * c->copies[1] * c->copies[2] * c->atoms; k++, n++) {
        size_t at = k / c->atoms;
        size_t copy[3] = {at % c->copies[0], at / c->copies[0] % c->copies[1],
                          at / c->copies[0] / c->copies[1]};
        for (size_t axis = 0; axis < 3; axis++)
            positions[3 * n + axis] =
                (float)(((double)copy[axis] + c->place[k % c->atoms][axis]) * c->cell[axis]);
    }
    for (size_t k = 0; k < 9; k++)
        box[k] = k % 4 == 0 ? (double)c->copies[k / 3] * c->cell[k / 3] : 0.0;
    return n;
}

/* Sets a function that is 1 for nearest neighbours and 0 for all others. */
static void set_function(mote_steinhardt_args *args)
{
    mote_steinhardt_args_init(args);
    args->function.r_0 = 0.02;
    args->function.d_0 = 1.05;
    args->function.d_max = 1.12;
}

static cl_mem buffer(bed *b, size_t bytes, const void *data)
{
    cl_int code;
    cl_mem mem = clCreateBuffer(mote_context_cl(b->ctx), data ? CL_MEM_COPY_HOST_PTR : 0,
                                bytes ? bytes : 1, (void *)(uintptr_t)data, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return mem;
}

static void read_back(bed *b, const mote_view *view, void *to)
{
    if (view->count)
        ck_assert_int_eq(clEnqueueReadBuffer(b->in_order, view->mem, CL_TRUE, 0,
                                             view->count * sizeof(float), to, 0, NULL, NULL),
                         CL_SUCCESS);
}

/* Calls with all outputs of n atoms. */
static void run(bed *b, mote_steinhardt_args *args, memory *m)
{
    mote_view *const views[] = {&args->order, &args->value, &args->derivatives, &args->virial};
    void *const to[] = {m->order, &m->value, m->derivatives, m->virial};
    const size_t counts[] = {m->n, 1, 3 * m->n, 9};

    cl_mem in = buffer(b, 3 * m->n * sizeof(float), m->n ? m->positions : NULL);
    args->positions = mote_view_make(in, 3 * m->n, MOTE_FLOAT32);
    for (size_t k = 0; k < COUNT(views); k++) {
        memset(to[k], 0x5a, counts[k] * sizeof(float));
        cl_mem out = buffer(b, counts[k] * sizeof(float), counts[k] ? to[k] : NULL);
        *views[k] = mote_view_make(out, counts[k], MOTE_FLOAT32);
    }
    bed_ok(mote_steinhardt(b->ctx, b->in_order, args, 0, NULL, NULL));
    for (size_t k = 0; k < COUNT(views); k++) {
        read_back(b, views[k], to[k]);
        clReleaseMemObject(views[k]->mem);
    }
    clReleaseMemObject(in);
}

static void check_near(const char *what, double got, double expected, double allowed)
{
    ck_assert_msg(fabs(got - expected) <= allowed, "%s: %.9g, not %.9g", what, got, expected);
}

static void check_orders(const crystal *c, const memory *m, double expected)
{
    for (size_t k = 0; k < m->n; k++)
        check_near(c->name, m->order[k], expected, 2e-6);
}

/* All atoms of a crystal are equal, so no force acts on them, and their local averages are 1. */
START_TEST(lattices)
{
    static const double pi = 3.14159265358979323846;
    static memory m;
    mote_steinhardt_args args;
    double box[9];
    bed b;

    bed_open(&b, forms[_i]);
    for (size_t c = 0; c < COUNT(crystals); c++) {
        m.n = make_crystal(&crystals[c], m.positions, box);
        set_function(&args);
        args.box = box;
        args.pbc = MOTE_NEIGHBOURS_XYZ;
        if (_i == 0) {
            args.l = 4;
            run(&b, &args, &m);
            check_orders(&crystals[c], &m, crystals[c].q4 * sqrt(9.0 / (4.0 * pi)));
        }
        args.l = 6;
        run(&b, &args, &m);
        check_orders(&crystals[c], &m, crystals[c].q6 * sqrt(13.0 / (4.0 * pi)));
        check_near("the mean", m.value, m.order[0], 2e-6);
        for (size_t k = 0; k < 3 * m.n; k++)
            check_near("a derivative", m.derivatives[k], 0.0, 2e-5);
        args.reduction = MOTE_STEINHARDT_SUM;
        run(&b, &args, &m);
        check_near("the sum", m.value, (double)m.n * (double)m.order[0], 1e-3);
    }
    args.local = 1;
    run(&b, &args, &m);
    check_orders(&crystals[3], &m, 1.0);
    bed_close(&b);
}
END_TEST

/* The symmetry of a cubic lattice makes q3 exactly 0. Neither it (in the CPU form) nor the local
 * average, whose vectors have no direction (in the GPU form), has derivatives. */
START_TEST(symmetry)
{
    static memory m;
    mote_steinhardt_args args;
    double box[9];
    bed b;

    bed_open(&b, forms[_i]);
    m.n = make_crystal(&crystals[0], m.positions, box);
    set_function(&args);
    args.box = box;
    args.pbc = MOTE_NEIGHBOURS_XYZ;
    args.l = 3;
    args.local = (uint32_t)_i;
    run(&b, &args, &m);
    check_orders(&crystals[0], &m, 0.0);
    for (size_t k = 0; k < 3 * m.n; k++)
        check_near("a derivative", m.derivatives[k], 0.0, 1e-5);
    for (size_t k = 0; k < 9; k++)
        check_near("the virial", m.virial[k], 0.0, 1e-4);
    bed_close(&b);
}
END_TEST

/* An atom without neighbours, two atoms in one place, and pairs: an order parameter of an atom with
 * one neighbour does not depend on the direction. */
START_TEST(few_atoms)
{
    static const double pi = 3.14159265358979323846;
    static memory m;
    static const float positions[] = {0, 0, 0, 0, 0,  0, 5, 5,  5,    9,   0,
                                      0, 9, 0, 1, 20, 1, 0, 20, 0.6f, 0.8f};
    const double alone = sqrt(13.0 / (4.0 * pi));
    const double expected[] = {0, 0, 0, alone, alone, alone, alone};
    mote_steinhardt_args args;
    bed b;

    bed_open(&b, forms[_i]);
    memcpy(m.positions, positions, sizeof(positions));
    for (int local = 0; local < 2; local++) {
        set_function(&args);
        args.l = 6;
        args.local = (uint32_t)local;
        m.n = COUNT(expected);
        run(&b, &args, &m);
        for (size_t k = 0; k < m.n; k++)
            check_near("an order parameter", m.order[k],
                       local && expected[k] > 0 ? 1.0 : expected[k], 2e-6);
        for (size_t k = 0; k < 3 * m.n; k++)
            check_near("a derivative", m.derivatives[k], 0.0, 1e-5);
        m.n = 0;
        run(&b, &args, &m);
        check_near("the value of no atoms", m.value, 0.0, 0.0);
        check_near("their virial", m.virial[8], 0.0, 0.0);
    }
    bed_close(&b);
}
END_TEST

/* Sums are added up in the same order in every call. */
START_TEST(same_bits)
{
    static const double box[9] = {3, 0, 0, 1, 3, 0, 0, -1, 3};
    static memory m, again;
    mote_steinhardt_args args;
    bed b;

    bed_open(&b, forms[_i]);
    for (size_t k = 0; k < 3 * (m.n = MOST_ATOMS); k++)
        m.positions[k] =
            (float)fmod((double)(k + 1) * 0.7548776662466927 * (double)(k % 7 + 1), 3.0);
    set_function(&args);
    args.function.d_0 = 0;
    args.function.r_0 = 0.6;
    args.box = box;
    args.pbc = MOTE_NEIGHBOURS_XYZ;
    args.l = 6;
    args.local = 1;
    run(&b, &args, &m);
    for (int turn = 0; turn < 5; turn++) {
        again = m;
        run(&b, &args, &again);
        ck_assert_mem_eq(&again, &m, sizeof(m));
    }
    bed_close(&b);
}
END_TEST

START_TEST(arguments)
{
    static const double cube[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const struct {
        uint32_t l;
        int reduction;
        double d_max, threshold;
        const double *box;
        uint32_t pbc;
        const char *says;
    } rows[] = {
        {5, 0, 1, 0, NULL, 0, "l is 5"},
        {0, 0, 1, 0, NULL, 0, "l is 0"},
        {6, 5, 1, 0, NULL, 0, "reduction"},
        {6, 4, 1, 0, NULL, 0, "there are 0 moments"},
        {6, 0, INFINITY, 0, NULL, 0, "finite d_max"},
        {6, 0, -1, 0, NULL, 0, "d_max"},
        {6, 2, 1, 0, NULL, 0, "r_0"},
        {6, 3, 1, -1, NULL, 0, "r_0"},
        {6, 0, 1, 0, NULL, 1, "box is NULL"},
        {6, 0, 200, 0, cube, 7, "images of the box"},
        {6, 0, 1e120, 0, NULL, 0, "d_max is 1e+120"},
    };
    bed b;

    bed_open(&b, NULL);
    for (size_t k = 0; k < COUNT(rows); k++) {
        mote_steinhardt_args args;
        size_t bytes;
        mote_steinhardt_args_init(&args);
        args.positions = mote_view_make(NULL, 6, MOTE_FLOAT32);
        args.function.r_0 = 0.5;
        args.function.d_max = rows[k].d_max;
        args.threshold.r_0 = rows[k].threshold;
        args.threshold.d_max = INFINITY;
        args.l = rows[k].l;
        args.reduction = (mote_steinhardt_reduction)rows[k].reduction;
        args.box = rows[k].box;
        args.pbc = rows[k].pbc;
        ck_assert_int_eq(mote_steinhardt_workspace_size(b.ctx, &args, &bytes),
                         MOTE_ERROR_INVALID_ARGUMENT);
        ck_assert_msg(strstr(mote_last_error(), rows[k].says) != NULL, "%s", mote_last_error());
    }
    bed_close(&b);
}
END_TEST

/* Tests arguments of centres, neighbours, moments and local averages that are out of range, or
 * exclude each other. */
START_TEST(special_arguments)
{
    static const uint32_t powers[] = {2, 64}, low[] = {2, 1}, high[] = {65};
    mote_steinhardt_args good = MOTE_STEINHARDT_ARGS_INIT, a;
    size_t bytes;
    bed b;

    bed_open(&b, NULL);
    good.positions = mote_view_make(NULL, 6, MOTE_FLOAT32);
    good.function.r_0 = 0.5;
    good.function.d_max = 1;
    good.l = 6;
    good.n_centres = 2;
    good.first_neighbour = 1;
    good.moments = powers;
    good.n_moments = 2;
    good.reduction = MOTE_STEINHARDT_MOMENTS;
    ck_assert_int_eq(mote_steinhardt_workspace_size(b.ctx, &good, &bytes), MOTE_SUCCESS);
    const struct {
        mote_steinhardt_args args;
        const char *says;
    } rows[] = {
        {(a = good, a.n_centres = 3, a), "n_centres is 3"},
        {(a = good, a.first_neighbour = 2, a), "first_neighbour is 2"},
        {(a = good, a.local = 1, a), "local averages are those of all entries"},
        {(a = good, a.local = 1, a.first_neighbour = 0, a.n_centres = 1, a), "n_centres is 1"},
        {(a = good, a.moments = low, a), "moments[1] is 1"},
        {(a = good, a.moments = high, a.n_moments = 1, a), "moments[0] is 65"},
        {(a = good, a.n_moments = 65, a), "there are 65 moments"},
        {(a = good, a.moments = NULL, a), "an array that is NULL"},
        {(a = good, a.local = 1, a.first_neighbour = 0, a.local_function.r_0 = 0.5,
          a.local_function.d_max = INFINITY, a),
         "function of local averages is infinite"},
        {(a = good, a.local = 1, a.first_neighbour = 0, a.local_function.d_max = 1, a), "r_0"},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        ck_assert_int_eq(mote_steinhardt_workspace_size(b.ctx, &rows[k].args, &bytes),
                         MOTE_ERROR_INVALID_ARGUMENT);
        ck_assert_msg(strstr(mote_last_error(), rows[k].says) != NULL, "%s", mote_last_error());
    }
    bed_close(&b);
}
END_TEST

Suite *steinhardt_suite(void)
{
    static const char *const names[] = {"cpu", "gpu"};
    Suite *suite = suite_create("steinhardt");

    for (int form = 0; form < (int)COUNT(forms); form++) {
        TCase *one = tcase_create(names[form]);
        tcase_add_loop_test(one, lattices, form, form + 1);
        tcase_add_loop_test(one, symmetry, form, form + 1);
        tcase_add_loop_test(one, few_atoms, form, form + 1);
        tcase_add_loop_test(one, same_bits, form, form + 1);
        if (form == 0)
            tcase_add_test(one, arguments);
        if (form == 0)
            tcase_add_test(one, special_arguments);
        suite_add_tcase(suite, one);
    }
    return suite;
}
