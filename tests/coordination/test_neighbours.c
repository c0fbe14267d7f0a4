/* SPDX-License-Identifier: Apache-2.0 */
/* mote_neighbours_host(): results that are known by heart, and the sentences about wrong arguments,
 * data and capacities. tests/trials compares it with the reference. */
#include "harness.h"

#include <math.h>
#include <string.h>

#define N 4 /* entries in two frames */

/* Two entries on a line, in a box that is longer in the second frame. */
static const float line[3 * N] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f,
                                  0.5f, 0.0f, 0.0f, 4.5f, 0.0f, 0.0f};
static const double boxes[18] = {3, 0, 0, 0, 3, 0, 0, 0, 3, 5, 0, 0, 0, 5, 0, 0, 0, 5};

/* Arrays that receive results. */
typedef struct lists {
    int64_t offsets[N + 1], partner[8];
    int32_t shift[24];
    double distance[8];
    float displacement[24];
} lists;

static mote_neighbours_host_args two_frames(lists *to)
{
    mote_neighbours_host_args args;

    memset(to, 0x5a, sizeof(*to));
    mote_neighbours_host_args_init(&args);
    args.positions_type = MOTE_FLOAT32;
    args.positions = line;
    args.n = N;
    args.cutoff = 1.5;
    args.box = boxes;
    args.pbc = MOTE_NEIGHBOURS_XYZ;
    args.frames = 2;
    args.offsets_type = MOTE_INT64;
    args.offsets = to->offsets;
    args.capacity = 8;
    return args;
}

static void check_sentence(mote_status got, mote_status expected, const char *words)
{
    ck_assert_msg(got == expected && strstr(mote_last_error(), words), "%s: %s",
                  mote_status_name(got), mote_last_error());
}

/* In the second frame, the neighbour is an image. Without an array of partners, pairs are only
 * counted. */
START_TEST(frames)
{
    static const int64_t offsets[N + 1] = {0, 1, 2, 3, 4}, partner[N] = {1, 0, 1, 0};
    static const int32_t first[N] = {0, 0, -1, 1};
    static const float along[N] = {1.0f, -1.0f, -1.0f, 1.0f};
    lists got;
    mote_neighbours_host_args args = two_frames(&got);
    mote_host *host;
    bed b;

    bed_open(&b,
             _i ? "coordination.form=gpu,reduce.fp64=0" : "coordination.form=cpu,reduce.fp64=0");
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    bed_ok(mote_neighbours_host(b.ctx, NULL, &args));
    ck_assert_mem_eq(got.offsets, offsets, sizeof(offsets));
    args.partner = got.partner;
    args.shift = got.shift;
    args.displacement_type = MOTE_FLOAT32;
    args.displacement = got.displacement;
    for (size_t room = 8; room > 0; room = room == 8 ? N : 0) {
        args.capacity = room;
        bed_ok(mote_neighbours_host(b.ctx, host, &args));
        ck_assert_mem_eq(got.offsets, offsets, sizeof(offsets));
        ck_assert_mem_eq(got.partner, partner, sizeof(partner));
        for (size_t k = 0; k < N; k++) {
            ck_assert_int_eq(got.shift[3 * k], first[k]);
            ck_assert_float_eq(got.displacement[3 * k], along[k]);
        }
        ck_assert_int_eq(got.shift[3 * N], 0x5a5a5a5a);
    }
    args.capacity = 3;
    check_sentence(mote_neighbours_host(b.ctx, host, &args), MOTE_ERROR_CAPACITY,
                   "room for 3 pairs, but 4");
    ck_assert_mem_eq(got.partner, partner, 3 * sizeof(*partner));
    args.n = args.capacity = 0;
    args.positions = args.box = NULL;
    args.pbc = 0;
    bed_ok(mote_neighbours_host(b.ctx, host, &args));
    ck_assert_int_eq(got.offsets[0], 0);
    mote_host_release(host);
    bed_close(&b);
}
END_TEST

START_TEST(data)
{
    float bad[3 * N];
    double flat[18];
    lists got;
    mote_neighbours_host_args args = two_frames(&got);
    bed b;

    bed_open(&b, NULL);
    memcpy(bad, line, sizeof(bad));
    memcpy(flat, boxes, sizeof(flat));
    bad[7] = NAN;
    flat[17] = 0.0;
    args.positions = bad;
    check_sentence(mote_neighbours_host(b.ctx, NULL, &args), MOTE_ERROR_POSITION,
                   "entry 2 of positions is at (0.5, nan, 0)");
    args.positions = line;
    args.other_type = MOTE_FLOAT32;
    args.other = bad;
    args.m = N;
    check_sentence(mote_neighbours_host(b.ctx, NULL, &args), MOTE_ERROR_POSITION,
                   "entry 2 of other");
    args = two_frames(&got);
    args.box = flat;
    check_sentence(mote_neighbours_host(b.ctx, NULL, &args), MOTE_ERROR_BOX, "(frame 1)");
    bed_close(&b);
}
END_TEST

START_TEST(arguments)
{
    lists got;
    bed b;

    bed_open(&b, NULL);
#define REFUSE(status, words, ...)                                                                 \
    do {                                                                                           \
        mote_neighbours_host_args args = two_frames(&got);                                         \
        __VA_ARGS__;                                                                               \
        check_sentence(mote_neighbours_host(b.ctx, NULL, &args), status, words);                   \
    } while (0)
    REFUSE(MOTE_ERROR_INVALID_ARGUMENT, "positions is NULL", args.positions = NULL);
    REFUSE(MOTE_ERROR_INVALID_ARGUMENT, "offsets is NULL", args.offsets = NULL);
    REFUSE(MOTE_ERROR_INVALID_ARGUMENT, "other is NULL", args.other_type = MOTE_FLOAT32,
           args.m = 2);
    REFUSE(MOTE_ERROR_INVALID_TYPE, "positions_type is", args.positions_type = MOTE_INT32);
    REFUSE(MOTE_ERROR_INVALID_TYPE, "other_type is", args.other = line);
    REFUSE(MOTE_ERROR_INVALID_TYPE, "offsets_type is", args.offsets_type = MOTE_FLOAT32);
    REFUSE(MOTE_ERROR_INVALID_TYPE, "distance_type is", args.distance = got.distance);
    REFUSE(MOTE_ERROR_INVALID_TYPE, "displacement_type is", args.displacement = got.displacement);
    REFUSE(MOTE_ERROR_INVALID_ARGUMENT, "shift is given without partner", args.shift = got.shift);
    REFUSE(MOTE_ERROR_INVALID_ARGUMENT, "multiples of frames, which is 3", args.frames = 3);
    REFUSE(MOTE_ERROR_UNSUPPORTED, "must be below 2^31", args.n = (size_t)1 << 31);
    REFUSE(MOTE_ERROR_INVALID_ARGUMENT, "exceeds all memory", args.capacity = SIZE_MAX);
    REFUSE(MOTE_ERROR_INVALID_ARGUMENT, "cutoff is 0", args.cutoff = 0.0);
#undef REFUSE
    bed_close(&b);
}
END_TEST

Suite *neighbours_suite(void)
{
    Suite *suite = suite_create("neighbours");
    TCase *cases = tcase_create("host");

    tcase_add_loop_test(cases, frames, 0, 2);
    tcase_add_test(cases, data);
    tcase_add_test(cases, arguments);
    suite_add_tcase(suite, cases);
    return suite;
}
