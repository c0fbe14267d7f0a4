/* SPDX-License-Identifier: Apache-2.0 */
/* mote_pair_histogram() on lattices, whose shells are known, and combinations of arguments that it
 * rejects. tests/trials compares it with the reference. */
#include "harness.h"

#include <math.h>
#include <string.h>

#define SIDE 4 /* atoms along each axis of the cubic lattice */
#define CUBE (SIDE * SIDE * SIDE)

/* The squares of the distances of a lattice, and the number of atoms at each of them around an
 * atom. */
typedef struct shell {
    int square;
    int64_t atoms;
} shell;

/* Distances below 3 in a simple cubic lattice, and in a face-centred one with cells of 2. */
static const shell cubic[] = {{1, 6}, {2, 12}, {3, 8}, {4, 6}, {5, 24}, {6, 24}, {8, 12}};
static const shell face_centred[] = {{2, 12}, {4, 6}, {6, 24}, {8, 12}};

static const char *const forms[] = {"coordination.form=cpu", "coordination.form=gpu"};

/* Makes a buffer with data, which the caller releases. */
static cl_mem buffer(bed *b, const void *data, size_t bytes)
{
    cl_int code;
    cl_mem mem = clCreateBuffer(mote_context_cl(b->ctx), CL_MEM_COPY_HOST_PTR, bytes,
                                (void *)(uintptr_t)data, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return mem;
}

static void read_counts(bed *b, cl_mem from, int64_t *counts, size_t bins)
{
    ck_assert_int_eq(clEnqueueReadBuffer(b->in_order, from, CL_TRUE, 0, bins * sizeof(*counts),
                                         counts, 0, NULL, NULL),
                     CL_SUCCESS);
}

/* Compares counts of `atoms` atoms with shells. Bins are a quarter wide. */
static void check_shells(const int64_t *counts, size_t bins, const shell *shells, size_t n_shells,
                         int64_t atoms, double r_min)
{
    int64_t expected[64] = {0};

    for (size_t k = 0; k < n_shells; k++) {
        double at = (sqrt(shells[k].square) - r_min) * 4.0;
        if (at >= 0.0 && at < (double)bins)
            expected[(size_t)at] += atoms * shells[k].atoms;
    }
    for (size_t k = 0; k < bins; k++)
        ck_assert_msg(counts[k] == expected[k], "bin %zu has %lld pairs, not %lld", k,
                      (long long)counts[k], (long long)expected[k]);
}

static void make_cube(float *positions)
{
    for (int i = 0; i < CUBE; i++) {
        positions[3 * i] = (float)(i % SIDE) - 1e5f * SIDE;
        positions[3 * i + 1] = (float)(i / SIDE % SIDE);
        positions[3 * i + 2] = (float)(i / SIDE / SIDE);
    }
}

/* The range reaches several images of the box, and distances are equal to edges. The second call
 * adds to the counts of the first. */
START_TEST(cubic_lattice)
{
    static const double box[9] = {SIDE, 0, 0, 0, SIDE, 0, 0, 0, SIDE};
    float positions[3 * CUBE];
    int64_t counts[12];
    mote_pair_histogram_args args;
    bed b;

    bed_open(&b, forms[_i]);
    make_cube(positions);
    memset(counts, 0x5a, sizeof(counts));
    cl_mem in = buffer(&b, positions, sizeof(positions)), out = buffer(&b, counts, sizeof(counts));
    mote_pair_histogram_args_init(&args);
    args.positions = mote_view_make(in, 3 * (size_t)CUBE, MOTE_FLOAT32);
    args.r_max = 3.0;
    args.box = box;
    args.pbc = MOTE_NEIGHBOURS_XYZ;
    args.counts = mote_view_make(out, 12, MOTE_INT64);
    for (int64_t turn = 1; turn <= 2; turn++) {
        bed_ok(mote_pair_histogram(b.ctx, b.in_order, &args, 0, NULL, NULL));
        read_counts(&b, out, counts, 12);
        check_shells(counts, 12, cubic, COUNT(cubic), turn * CUBE, 0.0);
        args.accumulate = 1;
    }
    args.accumulate = 0;
    args.r_min = 1.0;
    args.counts.count = 8;
    bed_ok(mote_pair_histogram(b.ctx, b.in_order, &args, 0, NULL, NULL));
    read_counts(&b, out, counts, 8);
    check_shells(counts, 8, cubic, COUNT(cubic), CUBE, 1.0);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    bed_close(&b);
}
END_TEST

/* One atom in the primitive cell of a face-centred lattice: all pairs are its own images, which
 * count with one list, with the same list twice, and not within one block. */
START_TEST(images)
{
    static const double box[9] = {0, 1, 1, 1, 0, 1, 1, 1, 0}, position[3] = {0.25, 3, -7};
    int64_t counts[12] = {0};
    mote_pair_histogram_args args;
    bed b;

    bed_open(&b, forms[_i]);
    if (!mote_context_device(b.ctx)->has_fp64) {
        bed_close(&b);
        return;
    }
    cl_mem in = buffer(&b, position, sizeof(position)), out = buffer(&b, counts, sizeof(counts));
    mote_pair_histogram_args_init(&args);
    args.positions = mote_view_make(in, 3, MOTE_FLOAT64);
    args.r_max = 3.0;
    args.box = box;
    args.pbc = MOTE_NEIGHBOURS_XYZ;
    args.counts = mote_view_make(out, 12, MOTE_INT64);
    bed_ok(mote_pair_histogram(b.ctx, b.in_order, &args, 0, NULL, NULL));
    read_counts(&b, out, counts, 12);
    check_shells(counts, 12, face_centred, COUNT(face_centred), 1, 0.0);
    args.other = args.positions;
    bed_ok(mote_pair_histogram(b.ctx, b.in_order, &args, 0, NULL, NULL));
    read_counts(&b, out, counts, 12);
    ck_assert_int_eq(counts[0], 1);
    counts[0] = 0;
    check_shells(counts, 12, face_centred, COUNT(face_centred), 1, 0.0);
    args.block = args.block_other = 1;
    bed_ok(mote_pair_histogram(b.ctx, b.in_order, &args, 0, NULL, NULL));
    read_counts(&b, out, counts, 12);
    check_shells(counts, 12, NULL, 0, 1, 0.0);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    bed_close(&b);
}
END_TEST

START_TEST(arguments)
{
    static const struct {
        double r_min, r_max;
        size_t bins;
        uint32_t block, block_other;
        bool two;
        const char *says;
    } rows[] = {
        {0.0, 0.0, 4, 0, 0, false, "r_max is 0"},
        {0.0, NAN, 4, 0, 0, false, "r_max is nan"},
        {0.0, INFINITY, 4, 0, 0, false, "r_max is inf"},
        {-1.0, 1.0, 4, 0, 0, false, "r_min is -1"},
        {NAN, 1.0, 4, 0, 0, false, "r_min is nan"},
        {1.0, 1.0, 4, 0, 0, false, "r_min is 1"},
        {0.0, 1.0, 0, 0, 0, false, "counts"},
        {0.0, 1.0, ((size_t)1 << 20) + 1, 0, 0, false, "1048577"},
        {1.0, 1.0 + 1e-15, 4, 0, 0, false, "too narrow"},
        {0.0, 1.0, 4, 2, 3, false, "block_other 3"},
        {0.0, 1.0, 4, 0, 3, false, "block_other 3"},
        {0.0, 1.0, 4, 2, 0, true, "block is 2"},
    };
    bed b;

    bed_open(&b, NULL);
    for (size_t k = 0; k < COUNT(rows); k++) {
        mote_pair_histogram_args args;
        size_t bytes;
        mote_pair_histogram_args_init(&args);
        args.positions = mote_view_make(NULL, 6, MOTE_FLOAT32);
        if (rows[k].two)
            args.other = args.positions;
        args.r_min = rows[k].r_min;
        args.r_max = rows[k].r_max;
        args.block = rows[k].block;
        args.block_other = rows[k].block_other;
        args.counts = mote_view_make(NULL, rows[k].bins, MOTE_INT64);
        ck_assert_int_eq(mote_pair_histogram_workspace_size(b.ctx, &args, &bytes),
                         MOTE_ERROR_INVALID_ARGUMENT);
        ck_assert_msg(strstr(mote_last_error(), rows[k].says) != NULL, "%s", mote_last_error());
    }
    bed_close(&b);
}
END_TEST

Suite *pair_histogram_suite(void)
{
    Suite *suite = suite_create("pair_histogram");
    TCase *lattices = tcase_create("lattices"), *refused = tcase_create("arguments");

    tcase_add_loop_test(lattices, cubic_lattice, 0, COUNT(forms));
    tcase_add_loop_test(lattices, images, 0, COUNT(forms));
    tcase_add_test(refused, arguments);
    suite_add_tcase(suite, lattices);
    suite_add_tcase(suite, refused);
    return suite;
}
