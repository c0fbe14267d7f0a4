/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of valid frames. */
#include "text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define XYZ MOTE_TRAJECTORY_XYZ
#define GRO MOTE_TRAJECTORY_GRO

/* Reads the only frame of a text. */
static mote_trajectory_frame *only_frame(text_reader *reader, mote_trajectory_format format,
                                         const char *text)
{
    text_open(reader, format, text, strlen(text), 3);
    mote_trajectory *t = &reader->trajectory;
    ck_assert_msg(mote_trajectory_next(t) == MOTE_TRAJECTORY_FRAME, "%s", t->message);
    ck_assert_msg(mote_trajectory_next(t) == MOTE_TRAJECTORY_END, "%s", t->message);
    return &t->frame;
}

static void same(const double *found, const double *expected, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(found[i] == expected[i], "[%zu] is %.17g, not %.17g", i, found[i],
                      expected[i]);
}

static mote_pbc box_of(const char *comment, double *box)
{
    text_reader reader;
    char text[512];
    snprintf(text, sizeof(text), "0\n%s\n", comment);
    mote_trajectory_next((text_open(&reader, XYZ, text, strlen(text), 0), &reader.trajectory));
    ck_assert_msg(reader.trajectory.frames == 1, "%s", reader.trajectory.message);
    memcpy(box, reader.trajectory.frame.box, 9 * sizeof(*box));
    mote_pbc pbc = reader.trajectory.frame.pbc;
    text_close(&reader);
    return pbc;
}

START_TEST(positions)
{
    static const double expected[] = {1.5, -2, 3e-3, 0.1, 0.2, 0.3};
    static const char *const texts[] = {"2\n\nA 1.5 -2 3e-3\nB 0.1 0.2 0.3\n",
                                        " 2 \r\n\r\nA\t1.5  -2\t3e-3\r\n  B 0.1 0.2 0.3\r\n",
                                        "2\ntext\nA 1.5 -2 3e-3 9 9 nan\nB 0.1 0.2 0.3 word",
                                        "\xef\xbb\xbf\n2\n\nA 1.5 -2 3e-3\nB .1 .2 .3\n",
                                        "\n\n2\n1 2 3\nA 1.5 -2 3e-3\n1 .1 .2 .3\n\n \n"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        text_reader reader;
        mote_trajectory_frame *f = only_frame(&reader, XYZ, texts[i]);
        ck_assert_uint_eq(f->n_atoms, 2);
        ck_assert(!f->has_time);
        same(f->positions, expected, 6);
        text_close(&reader);
    }
}
END_TEST

START_TEST(no_box)
{
    static const char *const comments[] = {"",
                                           "  ",
                                           "step 5",
                                           "2 steps",
                                           "t= 5 E= 4",
                                           "0 0 0",
                                           "0 0 0 0 0 0 0 0 0",
                                           "1 2 and 3",
                                           "frame=\"1 2 3\"",
                                           "Lattice of 3 4 5",
                                           "pbc=\"F F F\"",
                                           "a nan inf",
                                           "a CELL of i-PI",
                                           "PBC=T pbc=F LATTICE='1 0 0 0 1 0 0 0 1'",
                                           " -7.33636690 ",
                                           "-1.5D+02",
                                           "key=a=b c= d = 3",
                                           "energy = 5 'Lattice' of 3",
                                           "pbc = F Lattice='1 0 0 0 1 0 0 0 1'",
                                           "pbc=[F, F, F] Lattice='1 0 0 0 1 0 0 0 1'",
                                           "Lattice=\"1 0 0 0 1 0 0 0 1\" pbc=\"F f false\""};
    double box[9];
    for (size_t i = 0; i < sizeof(comments) / sizeof(comments[0]); i++)
        ck_assert_msg(box_of(comments[i], box) == MOTE_PBC_NONE, "%s", comments[i]);
}
END_TEST

START_TEST(boxes)
{
    static const double sides[] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
    static const double rows[] = {1, 2, 3, 0, 5, 6, -7, 0, 9};
    double box[9];
    static const char *const straight[] = {"1 2 3",
                                           "1.0D0 0.2d+1 3",
                                           "Lattice = \"1 0 0 0 2 0 0 0 3\"",
                                           "Lattice= \"1 0 0 0 2 0 0 0 3\" x",
                                           "Lattice\t= \t'1 0 0 0 2 0 0 0 3'",
                                           "\"Lattice\"=\"1 0 0 0 2 0 0 0 3\"",
                                           "'lattice' ={1 0 0 0 2 0 0 0 3}",
                                           "Lattice=[1, 0, 0, 0, 2, 0, 0, 0, 3] pbc=[T, T, T]",
                                           "Lattice=[[1,0,0],[0,2,0],[0,0,3]] pbc=T",
                                           "a = [[1, 2], [3]] Lattice=[ [1 0 0] [0 2 0] [0 0 3] ]",
                                           "Lattice=\"1D0, 0, 0, 0, 2.0d+00, 0, 0, 0, 3\" "
                                           "pbc = \"True, TRUE, true\"",
                                           "b= Lattice = '1 0 0 0 2 0 0 0 3'",
                                           "note=5' \"x Lattice='1 0 0 0 2 0 0 0 3'",
                                           "note=\"open Lattice='1 0 0 0 2 0 0 0 3'",
                                           "it's x =[1 Lattice={1 0 0 0 2 0 0 0 3}",
                                           " 1.0\t2 3e0 ",
                                           "1 0 0 0 2 0 0 0 3",
                                           "Lattice=\"1 0 0 0 2 0 0 0 3\"",
                                           "x=3 LATTICE='1 0 0 0 2 0 0 0 3' pbc=\"T T T\"",
                                           "lattice=fcc Lattice='1 0 0 0 2 0 0 0 3' LATTICE=\"",
                                           "PBC=F Lattice='1 0 0 0 2 0 0 0 3' pbc=T Pbc=F pBC=x",
                                           "pbc={1 1 1} lattice={1 0 0 0 2 0 0 0 3} b=\"q=\\\"\""};
    for (size_t i = 0; i < sizeof(straight) / sizeof(straight[0]); i++) {
        ck_assert_int_eq(box_of(straight[i], box), MOTE_PBC_ORTHORHOMBIC);
        same(box, sides, 9);
    }
    ck_assert_int_eq(box_of("1 2 3 0 5 6 -7 0 9", box), MOTE_PBC_TRICLINIC);
    same(box, rows, 9);
    ck_assert_int_eq(box_of("Lattice=\"1 2 3 0 5 6 -7 0 9\"", box), MOTE_PBC_TRICLINIC);
    same(box, rows, 9);
    ck_assert_int_eq(box_of("-1 0 0 0 2 0 0 0 3", box), MOTE_PBC_ORTHORHOMBIC);
}
END_TEST

START_TEST(ignored_boxes)
{
    static const char *const texts[] = {"1\n1 2\nA 1 2 3\n", "1\nLattice=\"1 2\"\nA 1 2 3\n",
                                        "1\n0 1 1\nA 1 2 3\n", "1\npbc=\"T T F\"\nA 1 2 3\n",
                                        "1\n# CELL(abcABC): 9 8 7 90 90 90\nA 1 2 3\n"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        text_reader reader;
        text_open(&reader, XYZ, texts[i], strlen(texts[i]), 0);
        reader.trajectory.rules.ignore_boxes = true;
        ck_assert_int_eq(mote_trajectory_next(&reader.trajectory), MOTE_TRAJECTORY_FRAME);
        ck_assert_int_eq(reader.trajectory.frame.pbc, MOTE_PBC_NONE);
        text_close(&reader);
    }
}
END_TEST

START_TEST(properties)
{
    static const double expected[] = {1, 2, 3};
    static const char *const texts[] = {
        "1\nProperties=species:S:1:pos:R:3\nA 1 2 3\n",
        "1\nProperties=pos:R:3\n1 2 3\n",
        "1\nproperties=none Properties=pos:R:3 PROPERTIES=a:S:1:pos:R:3\n1 2 3\n",
        "1\nproperties=\"id:I:1:species:S:1:pos:R:3:forces:R:3\"\n8 A 1 2 3 x y z\n",
        "1\nProperties=forces:R:3:pos:R:3\n a b c 1 2 3\n",
        "1\nProperties = forces:R:3:pos:R:3\n a b c 1 2 3\n",
        "1\n'Properties' = \"forces:R:3:pos:R:3\" a\n a b c 1.0D0 2d0 30.0d-1\n",
        "1\nProperties=species:S:1:pos:R:3:my id:I:1 pbc=\"F F F\"\nA 1 2 3 7\n",
        "1\nProperties=\"my id:I:1:pos:R:3:id\"\n7 1 2 3\n",
        "1\nt=3 b=\"x y\"\nA 1 2 3\n"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        text_reader reader;
        same(only_frame(&reader, XYZ, texts[i])->positions, expected, 3);
        text_close(&reader);
    }
}
END_TEST

START_TEST(gro_columns)
{
    static const double expected[] = {0.126, 1.624, -1.679, 100.19, 0.661, -10.747};
    static const char *const texts[] = {
        "title, t= 2.5\n 2\n    1WATER  OW1    1   0.126   1.624  -1.679  0.1227 -0.0580  0.0434\n"
        "    1WATER  HW2    2 100.190   0.661 -10.747\n  1.0 2.0 3.0\n",
        "wide t=2.5 step= 9\n2\n    1WATER  OW1    1     0.126000     1.624000    -1.679000\n"
        "    1WATER  HW299999   100.190000     0.661000   -10.747000\n1 2 3 0 0 0 0 0 0\n"};
    static const double sides[] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
    for (size_t i = 0; i < 2; i++) {
        text_reader reader;
        mote_trajectory_frame *f = only_frame(&reader, GRO, texts[i]);
        ck_assert_uint_eq(f->n_atoms, 2);
        same(f->positions, expected, 6);
        ck_assert_int_eq(f->pbc, MOTE_PBC_ORTHORHOMBIC);
        same(f->box, sides, 9);
        ck_assert(f->has_time && f->time == 2.5);
        text_close(&reader);
    }
}
END_TEST

/* Tests numbers without blanks between them. */
START_TEST(gro_full_columns)
{
    static const double expected[] = {-100.126, -999.624, 1000.679};
    text_reader reader;
    mote_trajectory_frame *f = only_frame(
        &reader, GRO, "none\r\n1\r\n    1WATER  OW1    1-100.126-999.6241000.679-1.0\r\n0 0 0\r\n");
    same(f->positions, expected, 3);
    ck_assert_int_eq(f->pbc, MOTE_PBC_NONE);
    ck_assert(!f->has_time);
    text_close(&reader);
}
END_TEST

START_TEST(gro_boxes)
{
    /* xx yy zz xy xz yx yz zx zy */
    static const double rows[] = {1, 4, 5, 6, 2, 7, 8, 9, 3};
    text_reader reader;
    mote_trajectory_frame *f = only_frame(&reader, GRO, "t= x\n0\n1 2 3 4 5 6 7 8 9\n");
    ck_assert_int_eq(f->pbc, MOTE_PBC_TRICLINIC);
    same(f->box, rows, 9);
    ck_assert(!f->has_time);
    text_close(&reader);
}
END_TEST

/* Numbers that are too long for their columns touch and are separated by their decimals. */
START_TEST(gro_touching_boxes)
{
    static const double cubic[] = {1000, 0, 0, 0, 1000.5, 0, 0, 0, 12345.25};
    static const double rows[] = {1000, 0, 0, -1000.5, 1000.5, 0, 2000, -3000, 12345.25};
    static const char *const cubes[] = {"1000.000001000.5000012345.25000",
                                        "1000.000001000.50000 12345.25000 ",
                                        "1000.000  1000.50012345.250"};
    text_reader reader;
    char text[200];
    for (size_t i = 0; i < 3; i++) {
        snprintf(text, sizeof(text), "t\n0\n%s\n", cubes[i]);
        same(only_frame(&reader, GRO, text)->box, cubic, 9);
        text_close(&reader);
    }
    same(only_frame(&reader, GRO,
                    "t\n0\n1000.000001000.5000012345.25000   0.00000   0.00000-1000.50000   "
                    "0.000002000.00000-3000.00000\n")
             ->box,
         rows, 9);
    text_close(&reader);
    text_bad(GRO, "t\n0\n1000.000001000.5000012345.250001.00000\n", 0,
             "t:3: frame 0: the box '1000");
    text_bad(GRO, "t\n0\n1000.0 1000.12 1 2\n", 0, "t:3: frame 0: the box '1000.0 1000.12 1 2' is");
    text_bad(GRO, "t\n0\n1.5001.5x01.500\n", 0, "t:3: frame 0: the box '1.5001.5x01.500' is");
}
END_TEST

START_TEST(many)
{
    text_good(XYZ, "1\n1 1 1\nA 1 2 3\n1\ntext\nA 4 5 6\n\n\n1\n2 2 2 0 1 1 1 0 1\nA 7 8 9", 3);
    text_good(XYZ, "0\n\n0\n1 1 1\n", 2);
    text_good(GRO, "a t= 1\n0\n1 1 1\n\n0\n0 0 0\nb\n 0\n2 2 2\n\n\n", 3);
    text_good(GRO, "\n0\n1 1 1", 1);
}
END_TEST

/* A line full of unclosed brackets takes time proportional to its length. */
START_TEST(unclosed_brackets)
{
    static const char *const words[] = {"a={ ", "a=[ ", "a= {b =[ ", "a=\"\\\" "};
    static char text[(1 << 20) + 32];
    for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
        size_t n = 2, length = strlen(words[k]);
        memcpy(text, "0\n", 3);
        for (; n + length < (1 << 20); n += length)
            memcpy(text + n, words[k], length);
        memcpy(text + n, "\n", 2);
        text_reader reader;
        text_open(&reader, MOTE_TRAJECTORY_XYZ, text, strlen(text), 0);
        clock_t start = clock();
        text_next(&reader, 0);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        ck_assert_msg(seconds < 10.0, "'%s': %g s", words[k], seconds);
        text_end(&reader);
    }
}
END_TEST

/* Memory grows with the atoms that are read. */
START_TEST(large)
{
    enum { ATOMS = 3000 };
    static char text[40 * ATOMS];
    int n = snprintf(text, sizeof(text), "%d\n5 5 5\n", ATOMS);
    for (int i = 0; i < ATOMS; i++)
        n += snprintf(text + n, sizeof(text) - (size_t)n, "A %d.5 %d %d.25\n", i, -i, 7 * i);
    text_reader reader;
    mote_trajectory_frame *f = only_frame(&reader, XYZ, text);
    for (int i = 0; i < ATOMS; i++) {
        const double expected[] = {i + 0.5, -i, 7 * i + 0.25};
        same(f->positions + 3 * i, expected, 3);
    }
    text_close(&reader);
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(positions),
                                   SUITE_TEST(no_box),
                                   SUITE_TEST(boxes),
                                   SUITE_TEST(ignored_boxes),
                                   SUITE_TEST(properties),
                                   SUITE_TEST(gro_columns),
                                   SUITE_TEST(gro_full_columns),
                                   SUITE_TEST(gro_boxes),
                                   SUITE_TEST(gro_touching_boxes),
                                   SUITE_TEST(many),
                                   SUITE_TEST(unclosed_brackets),
                                   SUITE_TEST(large)};
SUITE_MAIN("frames", tests)
