/* SPDX-License-Identifier: Apache-2.0 */
/* Tests marked modules, whose clusters are formed on the closing of their pixels: known clusters,
 * random digis in every form, and rejected calls. */
#include <stdlib.h>
#include <string.h>

#include "common/suite.h"
#include "harness.h"

#define CROSS 186u

static const char *const forms[] = {
    "pixels.form=cpu", "pixels.form=gpu,pixels.work_group=32,pixels.tile=32,pixels.morph_local=1",
    "pixels.form=gpu,pixels.by_size=1", "pixels.form=cpu,pixels.cpu_tile=32,pixels.cpu_slices=3"};

/* The pixels of a module of 9 x 10 pixels, with one string for each row, and the number of clusters
 * that they form in a marked module and in an unmarked one. */
typedef struct picture {
    const char *name, *row[9];
    uint32_t marked, unmarked, dilation, erosion, connectivity;
} picture;

static const picture pictures[] = {
    {"a gap of one column", {"", "", "##.##", "##.##"}, 1, 2, 0, 0, 0},
    {"a gap of two columns", {"", "###..###", "###..###", "###..###"}, 1, 2, 0, 0, 0},
    {"a gap of three columns", {"", "###...###", "###...###", "###...###"}, 2, 2, 0, 0, 0},
    {"one pixel", {"", "#"}, 1, 1, 0, 0, 0},
    {"two pixels", {"", "#.#"}, 1, 2, 0, 0, 0},
    {"two pixels in a row, closed by crosses", {"", "#.#"}, 2, 2, CROSS, CROSS, 0},
    {"four pixels, closed by crosses", {"", ".#.", "#.#", ".#."}, 1, 4, CROSS, CROSS, 4},
    {"gaps at the edges",
     {"#.#.....#.", "..........", "#.#.......", "..........", "..........", "..........",
      "..........", ".........#", "#.#......."},
     4,
     8,
     0,
     0,
     0},
    {"a whole module",
     {"##########", "##########", "##########", "##########", "##########", "##########",
      "##########", "##########", "##########"},
     1,
     1,
     0,
     0,
     4},
    {"all columns but one",
     {"####.#####", "####.#####", "####.#####", "####.#####", "####.#####", "####.#####",
      "####.#####", "####.#####", "####.#####"},
     1,
     2,
     0,
     0,
     4},
    {"elements that move pixels away", {"", "#....#"}, 2, 2, 1, 1u << 8, 0},
    {"a dilation that is not undone", {"", "#....#"}, 2, 2, 0, 16, 0},
    {"a dilation by all, not undone", {"", "#...#"}, 2, 2, 0, 16, 0},
    {"a dilation that joins", {"", "#..#"}, 1, 2, 0, 16, 4},
};

static void push_picture(mote_digis *digis, const picture *p, uint32_t module)
{
    for (uint32_t x = 0; x < 9; x++)
        for (uint32_t y = 0; p->row[x] && p->row[x][y]; y++)
            if (p->row[x][y] == '#')
                mote_digis_push(digis, module, x, y, 100 + x + y);
}

START_TEST(by_hand)
{
    uint8_t morph[] = {0, 255};
    bed b;

    bed_open(&b, forms[_i]);
    for (size_t i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++) {
        const picture *p = &pictures[i];
        mote_pixels_options options = {.morph = morph,
                                       .charge_cut = 1, /* below all charges */
                                       .morph_dilation = p->dilation,
                                       .morph_erosion = p->erosion,
                                       .connectivity = p->connectivity};
        mote_pixels_result expected = {0};
        mote_digis digis;

        mote_digis_init(&digis, 2, 9, 10);
        push_picture(&digis, p, 0);
        push_picture(&digis, p, 1);
        mote_digis_end_event(&digis);
        ck_assert(mote_pixels_oracle(&digis, &options, &expected));
        ck_assert_msg(expected.n_clusters[0] == p->unmarked && expected.n_clusters[1] == p->marked,
                      "%s: %u clusters, and %u in a marked module", p->name,
                      (unsigned)expected.n_clusters[0], (unsigned)expected.n_clusters[1]);
        options.order = _i % 2 ? MOTE_ORDER_ANY : MOTE_ORDER_CONTIGUOUS;
        check_run(&b, b.in_order, p->name, &digis, &options, 0);
        mote_pixels_result_free(&expected);
        mote_digis_free(&digis);
    }
    bed_close(&b);
}
END_TEST

/* Adds an event in which some modules are full, some are sparse, and some have repeated pixels. */
static void push_event(mote_rng *rng, mote_digis *digis)
{
    uint32_t pixels = digis->rows * digis->columns;

    for (uint32_t m = 0; m < digis->n_modules; m++) {
        uint32_t share = digis->n_modules > 1 ? mote_rng_below(rng, 5) : 1;
        uint32_t most = pixels < 2000 ? pixels : 2000,
                 count = m % 7 || digis->n_modules == 1 ? most * share / 5 : most;

        for (uint32_t i = 0; i < count; i++) {
            uint32_t pixel = m % 7 || digis->n_modules == 1 ? mote_rng_below(rng, pixels) : i;

            mote_digis_push(digis, m, pixel % digis->rows, pixel / digis->rows,
                            mote_rng_below(rng, 3000));
        }
        if (share == 0)
            mote_digis_push_invalid(digis);
    }
    mote_digis_end_event(digis);
}

/* Checks random digis of one or two events in modules of these sizes. No module is marked if
 * `marked` is 0, some are marked if it is 1, and all are marked if it is 2. */
static void check_random(bed *b, uint32_t rows, uint32_t columns, unsigned marked, unsigned turn)
{
    uint32_t modules = rows * columns > 1000000 ? 1 : 20;
    mote_rng rng;
    mote_pixels_options options = {.duplicates = (mote_pixels_duplicates)(turn % 4),
                                   .connectivity = turn % 3 ? 8 : 4,
                                   .charge_cut = turn % 2 ? 4000 : 0,
                                   .order = turn / 4 % 2 ? MOTE_ORDER_CONTIGUOUS : MOTE_ORDER_ANY};
    uint8_t morph[20];
    mote_digis digis;

    mote_rng_seed(&rng, 1000 * rows + columns + turn);
    for (size_t m = 0; m < sizeof(morph); m++)
        morph[m] = marked == 2 || (marked == 1 && mote_rng_below(&rng, 2));
    options.morph = morph;
    if (turn % 2) {
        options.morph_dilation = 1 + mote_rng_below(&rng, 511);
        options.morph_erosion = 1 + mote_rng_below(&rng, 511);
    }
    mote_digis_init(&digis, modules, rows, columns);
    push_event(&rng, &digis);
    if (modules > 1)
        push_event(&rng, &digis);
    if (options.order == MOTE_ORDER_ANY)
        mote_digis_permute(&digis, turn, NULL);
    check_run(b, turn % 2 ? b->any_order : b->in_order, "marked modules", &digis, &options,
              turn % 3 ? MOTE_RUN_GATED : MOTE_RUN_ALIAS);
    mote_digis_free(&digis);
}

START_TEST(random_digis)
{
    static const uint32_t shapes[][2] = {{1, 1}, {8, 8}, {9, 7}, {33, 65}, {1, 200}, {200, 1}};
    bed b;

    bed_open(&b, forms[_i]);
    for (unsigned turn = 0; turn < 16; turn++)
        check_random(&b, shapes[turn % 6][0], shapes[turn % 6][1], turn % 5 == 0 ? 2 : turn % 5 < 4,
                     turn);
    check_random(&b, 160, 416, 1, 0);
    check_random(&b, 8000, 2000, 2, 4); /* without marked modules, work-items would sort */
    bed_close(&b);
}
END_TEST

/* Tests rejected calls, and a part of each message. */
START_TEST(refused)
{
    uint8_t morph[4] = {1, 0, 1, 0};
    mote_pixels_options options = {.morph = morph};
    mote_pixels_cluster_args args;
    mote_pixels_device device;
    mote_digis digis;
    size_t bytes = 0;
    char message[MESSAGE_SIZE] = "";
    bed b;

    bed_open(&b, NULL);
    mote_digis_init(&digis, 4, 33, 5);
    mote_digis_push(&digis, 1, 2, 3, 4);
    mote_digis_end_event(&digis);
    ck_assert(mote_pixels_upload(b.ctx, b.in_order, &digis, &options, 0, &device, message,
                                 sizeof(message)));
    mote_pixels_arguments(&digis, &options, &device, &args);
    args.cluster_id = mote_view_make(NULL, 1, MOTE_INT32);
    args.morph_dilation = args.morph_erosion = 511;
    ck_assert_int_eq(mote_pixels_cluster_workspace_size(b.ctx, &args, &bytes), MOTE_SUCCESS);
    args.morph_erosion = 512;
    check_refused(&b, &args, MOTE_ERROR_INVALID_ARGUMENT, "morph_erosion = 512");
    args.morph_erosion = 0;
    args.morph.count = 3;
    check_refused(&b, &args, MOTE_ERROR_INVALID_ARGUMENT, "morph");
    args.morph = (mote_view){0};
    check_refused(&b, &args, MOTE_ERROR_INVALID_ARGUMENT, "missing");
    args.morph = device.morph.view;
    args.rows = args.columns = 65536;
    check_refused(&b, &args, MOTE_ERROR_UNSUPPORTED, "2^28");
    mote_pixels_device_release(&device);
    mote_digis_free(&digis);
    bed_close(&b);
}
END_TEST

Suite *morph_suite(void)
{
    Suite *suite = suite_create("morph");
    TCase *quick = suite_case(suite, "quick", NULL);
    TCase *other = suite_case(suite, "other", SUITE_THOROUGH);
    TCase *more = suite_case(suite, "more", SUITE_LONG);

    tcase_add_loop_test(quick, by_hand, 0, 1);
    tcase_add_loop_test(other, by_hand, 1, 2);
    tcase_add_loop_test(more, by_hand, 2, 4);
    tcase_add_test(quick, refused);
    tcase_add_loop_test(more, random_digis, 0, 4);
    return suite;
}
