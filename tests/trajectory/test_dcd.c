/* SPDX-License-Identifier: Apache-2.0 */
/* DCD files: record markers, titles, and the three conventions for a frame's cell. */
#include "binary.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DCD     MOTE_TRAJECTORY_DCD
#define AUTO    MOTE_DCD_CELL_AUTO
#define SHAPE   MOTE_DCD_CELL_SHAPE
#define COSINES MOTE_DCD_CELL_COSINES
#define DEGREES MOTE_DCD_CELL_DEGREES

static mote_rng rng;

static void seed(void)
{
    uint64_t number = (uint64_t)time(NULL);
    printf("# seed %llu\n", (unsigned long long)number);
    mote_rng_seed(&rng, number);
}

static void check_file(const binary_dcd_head *head, binary file, const double *cell,
                       const double *box)
{
    float p[2][3 * 30];
    bool big = file.big;
    binary_dcd(&file, head);
    for (size_t f = 0; f < 2; f++) {
        for (size_t i = 0; i < 3 * head->n; i++)
            p[f][i] =
                f && i < 3 * (head->n - head->n_free) ? p[0][i] : (float)(100 * f + i) * 0.125f;
        binary_dcd_frame(&file, head, f == 0, cell, p[f]);
    }
    text_reader reader;
    text_open_binary(&reader, DCD, &file, big ? 3 : 0);
    for (size_t f = 0; f < 2; f++) {
        const double *found = text_next(&reader, head->n);
        const mote_trajectory_frame *frame = &reader.trajectory.frame;
        for (size_t i = 0; i < 3 * head->n; i++)
            ck_assert(found[i] == (double)p[f][i]);
        for (int k = 0; box && k < 9; k++)
            ck_assert_msg(fabs(frame->box[k] - box[k]) < 1e-12, "box[%d] = %g", k, frame->box[k]);
        ck_assert_int_eq(frame->pbc, !box            ? MOTE_PBC_NONE
                                     : box[3] != 0.0 ? MOTE_PBC_TRICLINIC
                                                     : MOTE_PBC_ORTHORHOMBIC);
        ck_assert_int_eq(frame->has_time, head->delta > 0.0f);
    }
    text_end(&reader);
    free(file.bytes);
}

static void check_dcd(const binary_dcd_head *head, bool big, const double *cell, const double *box)
{
    for (int wide = 0; wide < 2; wide++)
        check_file(head, (binary){.big = big, .wide = wide}, cell, box);
}

START_TEST(frames)
{
    static const double right[6] = {3, 90, 4, 90, 90, 5}, cosines[6] = {3, 0, 4, 0, 0, 5};
    static const double triclinic[6] = {2, 60, 4, 90, 90, 5},
                        tilted_cosines[6] = {2, 0.5, 4, 0, 0, 5};
    static const double none[6] = {0, 90, 0, 90, 90, 0};
    static const double straight[9] = {3, 0, 0, 0, 4, 0, 0, 0, 5};
    const double tilted[9] = {2, 0, 0, 2, sqrt(12.0), 0, 0, 0, 5};
    const binary_dcd_head plain = {.n = 30, .n_free = 30, .delta = 0.5f, .first = 10, .every = 5};
    binary_dcd_head head = {.n = 30, .n_free = 30, .charmm = true, .cell = true, .delta = 0.5f};
    head.every = 1;
    for (int big = 0; big < 2; big++) {
        check_dcd(&plain, big, NULL, NULL);
        check_dcd(&head, big, right, straight);
        check_dcd(&head, big, cosines, straight);
        check_dcd(&head, big, triclinic, tilted);
        check_dcd(&head, big, tilted_cosines, tilted);
        check_dcd(&head, big, none, NULL);
    }
    head.fourth = true;
    head.n_free = 12;
    check_dcd(&head, false, right, straight);
    head.cell = false;
    head.delta = 0.0f;
    check_dcd(&head, true, NULL, NULL);
}
END_TEST

/* Tests titles of any length, and titles of three lines with record markers for two. */
START_TEST(lengths_of_titles)
{
    static const struct {
        uint32_t bytes, length;
    } titles[] = {{4, 0}, {84, 0}, {4 + 800, 0}, {244, 164}, {100, 0}, {1, 0}, {404, 164}};
    const double cell[6] = {3, 90, 4, 90, 90, 5}, box[9] = {3, 0, 0, 0, 4, 0, 0, 0, 5};
    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
        for (int big = 0; big < 2; big++) {
            const binary_dcd_head head = {.n = 30,
                                          .n_free = 30,
                                          .charmm = true,
                                          .cell = true,
                                          .title_bytes = titles[i].bytes,
                                          .title_length = titles[i].length};
            check_dcd(&head, big, cell, box);
        }
}
END_TEST

/* A source that returns the head of a file and then fails with `error` or, if that is 0, returns
 * zeros indefinitely. */
typedef struct long_source {
    mote_lines_text head;
    int error;
} long_source;

static long read_long(void *user, char *to, size_t bytes)
{
    long_source *source = user;
    if (source->head.left)
        return mote_lines_from_text(&source->head, to, bytes);
    errno = source->error;
    if (errno)
        return -1;
    memset(to, 0, bytes);
    return (long)bytes;
}

/* Opens a file with a head, the record marker `length` of the title, and the bytes of a
 * long_source. Expects the error `sentence`. */
static void expect_bad_title(bool wide, uint64_t length, int error, const char *sentence)
{
    const binary_dcd_head head = {.charmm = true};
    binary file = {.wide = wide};
    long_source source = {.error = error};
    mote_trajectory t;
    binary_dcd(&file, &head);
    file.count = wide ? 100 : 92;
    binary_word(&file, (uint32_t)length);
    if (wide)
        binary_word(&file, (uint32_t)(length >> 32));
    source.head = (mote_lines_text){(const char *)file.bytes, file.count, 0};
    mote_trajectory_open(&t, DCD, "t", read_long, &source);
    ck_assert_int_eq(mote_trajectory_next(&t), MOTE_TRAJECTORY_BAD);
    ck_assert_msg(strstr(t.message, sentence), "'%s' is not in '%s'", sentence, t.message);
    ck_assert_msg(t.lines.bytes < (size_t)1 << 23, "%zu bytes were read", t.lines.bytes);
    mote_trajectory_close(&t);
    free(file.bytes);
}

/* A damaged record marker causes no large allocation, and the error says why a title cannot be
 * read. */
START_TEST(bad_titles)
{
    text_reader reader;
    const binary_dcd_head head = {.charmm = true};
    binary file = {0};
    expect_bad_title(true, (uint64_t)1 << 26, 0, "at most 1048576 were expected");
    expect_bad_title(true, UINT64_MAX, 0, "a record of 18446744073709551615 bytes, but at most");
    expect_bad_title(false, (uint64_t)1 << 26, 0, "at most 1048576 were expected");
    expect_bad_title(false, 1 << 20, 0, "the title, a record of 1048576 bytes, ends with another");
    expect_bad_title(false, 164, EIO, strerror(EIO));
    binary_dcd(&file, &head);
    file.count = 200;
    text_open_binary(&reader, DCD, &file, 0);
    ck_assert_int_eq(mote_trajectory_next(&reader.trajectory), MOTE_TRAJECTORY_BAD);
    const char *message = reader.trajectory.message;
    ck_assert_msg(strstr(message, "the file ends inside frame 0; the title was"), "%s", message);
    text_close(&reader);
    free(file.bytes);
}
END_TEST

/* ---- cells of DCD ---------------------------------------------------------------------------- */

/* A random cell for each convention: its six numbers and its lattice vectors. */
typedef struct cell_case {
    double number[MOTE_DCD_CELLS][6];
    double rows[MOTE_DCD_CELLS][9];
} cell_case;

static double uniform(double from, double to)
{
    return from + (to - from) * mote_rng_below(&rng, 1u << 30) / (double)(1u << 30);
}

/* Draws a cell with angles between `least` and 180 - `least` degrees. Its shape matrix is positive
 * definite. */
static void random_cell(double least, cell_case *c)
{
    double a[3], angle[3], cosine[3], volume;
    do {
        volume = 1.0;
        for (int k = 0; k < 3; k++) {
            a[k] = uniform(15.0, 90.0);
            angle[k] = uniform(least, 180.0 - least);
            cosine[k] = cos(angle[k] * acos(-1.0) / 180.0);
            volume -= cosine[k] * cosine[k];
        }
        volume += 2.0 * cosine[0] * cosine[1] * cosine[2];
    } while (volume < 0.1);
    const double degrees[6] = {a[0], angle[2], a[1], angle[1], angle[0], a[2]};
    const double cosines[6] = {a[0], cosine[2], a[1], cosine[1], cosine[0], a[2]};
    /* Cosines scaled by 0.3, so that the angles are nearer to 90 degrees. */
    const double shape[6] = {a[0],
                             0.3 * sqrt(a[0] * a[1]) * cosine[2],
                             a[1],
                             0.3 * sqrt(a[0] * a[2]) * cosine[1],
                             0.3 * sqrt(a[1] * a[2]) * cosine[0],
                             a[2]};
    const double rows[9] = {shape[0], shape[1], shape[3], shape[1], shape[2],
                            shape[4], shape[3], shape[4], shape[5]};
    double sine = sin(angle[2] * acos(-1.0) / 180.0);
    double across = (cosine[0] - cosine[1] * cosine[2]) / sine;
    const double box[9] = {a[0],
                           0,
                           0,
                           a[1] * cosine[2],
                           a[1] * sine,
                           0,
                           a[2] * cosine[1],
                           a[2] * across,
                           a[2] * sqrt(volume) / sine};
    memcpy(c->number[SHAPE], shape, sizeof(shape));
    memcpy(c->number[COSINES], cosines, sizeof(cosines));
    memcpy(c->number[DEGREES], degrees, sizeof(degrees));
    memcpy(c->rows[SHAPE], rows, sizeof(rows));
    memcpy(c->rows[COSINES], box, sizeof(box));
    memcpy(c->rows[DEGREES], box, sizeof(box));
}

/* Opens a file of frames that have these cells and no atoms. */
static void open_cells(text_reader *reader, binary *file, uint32_t version, const char *title,
                       mote_dcd_cell asked, const double (*cells)[6], size_t count)
{
    const binary_dcd_head head = {.charmm = true, .cell = true, .version = version, .title = title};
    *file = (binary){.big = mote_rng_below(&rng, 2), .wide = mote_rng_below(&rng, 2)};
    binary_dcd(file, &head);
    for (size_t f = 0; f < count; f++)
        binary_dcd_frame(file, &head, f == 0, cells[f], NULL);
    text_open_binary(reader, DCD, file, 0);
    reader->trajectory.rules.dcd_cell = asked;
}

static void check_cell(uint32_t version, const char *title, mote_dcd_cell asked, mote_dcd_cell kind,
                       const cell_case *c, bool doubt)
{
    text_reader reader;
    binary file;
    open_cells(&reader, &file, version, title, asked, &c->number[kind], 1);
    text_next(&reader, 0);
    const double *found = reader.trajectory.frame.box, *n = c->number[kind];
    for (int k = 0; k < 9; k++)
        ck_assert_msg(fabs(found[k] - c->rows[kind][k]) < 1e-9,
                      "version %u, '%s', %s (%g %g %g %g %g %g): box[%d] = %.9g, not %.9g", version,
                      title, mote_dcd_cell_name(kind), n[0], n[1], n[2], n[3], n[4], n[5], k,
                      found[k], c->rows[kind][k]);
    ck_assert_msg(!*reader.trajectory.note == !doubt, "version %u, '%s': note '%s'", version, title,
                  reader.trajectory.note);
    text_end(&reader);
    free(file.bytes);
}

START_TEST(random_cells)
{
    static const uint32_t charmm[] = {25, 34, 41, 46};
    seed();
    for (int round = 0; round < 500; round++) {
        cell_case c;
        random_cell(35.0, &c);
        for (size_t v = 0; v < sizeof(charmm) / sizeof(charmm[0]); v++)
            check_cell(charmm[v], "* CHARMM", AUTO, SHAPE, &c, false);
        check_cell(24, "Cpptraj generated dcd file.", AUTO, SHAPE, &c, false);
        check_cell(24, "REMARKS CREATED BY NAMD", AUTO, COSINES, &c, false);
        check_cell(24, "Created by DCD plugin", AUTO, COSINES, &c, false);
        check_cell(24, "Created by OpenMM", AUTO, DEGREES, &c, false);
        for (uint32_t version = 19; version <= 41; version++) {
            check_cell(version, "NAMD OpenMM", SHAPE, SHAPE, &c, false);
            check_cell(version, "cpptraj", COSINES, COSINES, &c, false);
            check_cell(version, "cpptraj", DEGREES, DEGREES, &c, false);
        }
        check_cell(24, "", AUTO, COSINES, &c, true);
    }
}
END_TEST

/* Tests cells that fit only one convention, and cells that fit several. */
START_TEST(doubts)
{
    static const struct {
        uint32_t version;
        const char *title;
        double number[6];
        mote_dcd_cell kind;
        bool doubt;
    } cells[] = {{24, "", {26.943, -5.3886, 26.943, -5.3886, -5.3886, 26.943}, SHAPE, false},
                 {24, "", {30.0253, 6.4143, 31.2236, 2.4451, 3.7889, 33.0942}, SHAPE, false},
                 {24, "", {30, 0.5, 31, 0, 0, 32}, COSINES, true},
                 {24, "by cpptraj", {30, 0.5, 31, 0, 0, 32}, SHAPE, false},
                 {22, "", {30, 0.5, 31, 0, 0, 32}, SHAPE, true},
                 {21, "", {30, 0.5, 31, 0, 0, 32}, COSINES, true},
                 {36, "", {30, 0.5, 31, 0, 0, 32}, SHAPE, false},
                 {36, "", {30, 90, 31, 90, 90, 32}, DEGREES, false},
                 {24, "", {1000, 90, 1000, 90, 90, 1000}, DEGREES, false},
                 {36, "", {1000, 90, 1000, 90, 90, 1000}, DEGREES, false},
                 {24, "", {100, 70, 100, 80, 75, 100}, DEGREES, false},
                 {24, "", {300, 70, 300, 80, 75, 300}, DEGREES, true},
                 {36, "", {300, 70, 300, 80, 75, 300}, SHAPE, false},
                 {24, "", {30, 0, 31, 0, 0, 32}, AUTO, false},
                 {36, "", {30, 0, 31, 0, 0, 32}, AUTO, false},
                 {24, "", {30, 6.1e-17, 31, -0.0, -6.1e-17, 32}, AUTO, false},
                 {22, "", {30, 0, 31, 6.1e-17, -0.0, 32}, AUTO, false},
                 {24, "", {30, 1e-6, 31, 0, 0, 32}, COSINES, true}};
    seed();
    for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
        text_reader reader;
        binary file;
        open_cells(&reader, &file, cells[i].version, cells[i].title, AUTO, &cells[i].number, 1);
        text_next(&reader, 0);
        ck_assert_msg(reader.trajectory.dcd.kind == cells[i].kind, "cell %zu: %s", i,
                      mote_dcd_cell_name(reader.trajectory.dcd.kind));
        ck_assert_msg(!*reader.trajectory.note == !cells[i].doubt, "cell %zu: '%s'", i,
                      reader.trajectory.note);
        text_end(&reader);
        free(file.bytes);
    }
}
END_TEST

static void expect_bad_cell(uint32_t version, mote_dcd_cell asked, const double (*cells)[6],
                            size_t count, const char *sentence)
{
    text_reader reader;
    binary file;
    open_cells(&reader, &file, version, "", asked, cells, count);
    for (size_t f = 0; f + 1 < count; f++)
        text_next(&reader, 0);
    ck_assert_int_eq(mote_trajectory_next(&reader.trajectory), MOTE_TRAJECTORY_BAD);
    ck_assert_msg(strstr(reader.trajectory.message, sentence), "'%s' is not in '%s'", sentence,
                  reader.trajectory.message);
    text_close(&reader);
    free(file.bytes);
}

/* A cell that does not fit the convention of the file, or the requested one, is an error. */
START_TEST(bad_cells)
{
    static const double cosines[6] = {30, 0.5, 31, 0, 0, 32}, right[6] = {30, 90, 31, 90, 90, 32};
    static const double wild[6] = {30, 200, 31, 200, 5, 32}, flat[6] = {30, 30, 30, 30, 30, 30};
    static const double straight[6] = {30, 0, 31, 0, 0, 32}, negative[6] = {30, 0.1, -31, 0, 0, 32};
    double changed[3][6];
    memcpy(changed[0], straight, sizeof(straight));
    memcpy(changed[1], cosines, sizeof(cosines));
    memcpy(changed[2], right, sizeof(right));
    seed();
    expect_bad_cell(24, AUTO, &wild, 1,
                    "frame 0: its cell (30 200 31 200 5 32) is neither a shape matrix nor");
    expect_bad_cell(36, AUTO, &negative, 1, "is neither a shape matrix nor");
    expect_bad_cell(36, SHAPE, &flat, 1, "is none in shape, as is asked for: --dcd-cell decides");
    expect_bad_cell(24, DEGREES, &cosines, 1, "is none in degrees, as is asked for");
    expect_bad_cell(24, COSINES, &right, 1, "is none in cosines, as is asked for");
    changed[0][1] = -6.1e-17; /* fits both conventions, so the next frame is free to differ */
    expect_bad_cell(24, AUTO, (const double(*)[6])changed, 3,
                    "frame 2: its cell (30 90 31 90 90 32) is none in cosines, as those of frames "
                    "before it are: --dcd-cell decides");
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(frames),     SUITE_TEST(lengths_of_titles),
                                   SUITE_TEST(bad_titles), SUITE_TEST(random_cells),
                                   SUITE_TEST(doubts),     SUITE_TEST(bad_cells)};
SUITE_MAIN("dcd", tests)
