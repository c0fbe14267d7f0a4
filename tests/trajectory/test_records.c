/* SPDX-License-Identifier: Apache-2.0 */
/* PDB and dumps of LAMMPS: frames, boxes, and errors. */
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PDB    MOTE_TRAJECTORY_PDB
#define LAMMPS MOTE_TRAJECTORY_LAMMPS

#define ATOM_1 "ATOM      1  CA AGLY A   1       1.500  -2.000   3.250  1.00  0.00           C\n"
#define ATOM_2 "HETATM    2  OW  HOH B   1    -999.125  10.000   0.125\n"
#define CELL   "CRYST1   10.000   20.000   30.000  90.00  90.00  90.00 P 1           1\n"

static const double atoms[] = {1.5, -2, 3.25, -999.125, 10, 0.125};

static void same(const double *found, const double *expected, size_t count, double tolerance)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(fabs(found[i] - expected[i]) <= tolerance, "[%zu] is %.17g, not %.17g", i,
                      found[i], expected[i]);
}

static void open(text_reader *reader, mote_trajectory_format format, const char *text)
{
    text_open(reader, format, text, strlen(text), 5);
    reader->trajectory.rules.names = true;
}

START_TEST(pdb_frames)
{
    static const char *const texts[] = {
        "REMARK  anything\nTITLE     Water t=   2.50000 step= 5\n" CELL "MODEL        1\n" ATOM_1
        "ANISOU    1\nTER       2\n" ATOM_2 "ENDMDL\nMODEL        2\n" ATOM_1 ATOM_2
        "ENDMDL\nCONECT    1    2\nEND\n",
        CELL ATOM_1 ATOM_2 "END\n" ATOM_1 ATOM_2 "END",
        CELL "MODEL 1\n" ATOM_1 ATOM_2 "MODEL 2\n" ATOM_1 ATOM_2};
    static const double box[] = {10, 0, 0, 0, 20, 0, 0, 0, 30};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        text_reader reader;
        open(&reader, PDB, texts[i]);
        const mote_trajectory *t = &reader.trajectory;
        for (int frame = 0; frame < 2; frame++) {
            same(text_next(&reader, 2), atoms, 6, 0);
            ck_assert_int_eq(t->frame.pbc, MOTE_PBC_ORTHORHOMBIC);
            same(t->frame.box, box, 9, 0);
            ck_assert(t->frame.has_time == (i == 0 && frame == 0));
        }
        ck_assert(t->unit == 0.1);
        ck_assert_str_eq(t->names[0], "CA");
        ck_assert_str_eq(t->names[1], "OW");
        ck_assert_int_eq(mote_trajectory_next(&reader.trajectory), MOTE_TRAJECTORY_END);
        same(t->frame.box, box, 9, 0);
        text_end(&reader);
    }
}
END_TEST

/* A CRYST1 record sets the box of all frames up to the next such record. A cell of 1 by 1 by 1
 * means that there is no box. */
START_TEST(pdb_boxes)
{
    static const char text[] =
        "CRYST110000.00010000.00010000.000  60.00  60.00  90.00 P 1           1\n" ATOM_1
        "END\n" ATOM_1 "END\nCRYST1    1.000    1.000    1.000  90.00  90.00  90.00\n" ATOM_1
        "END\nCRYST1 7 8 9 90 90 90\n" ATOM_1 "END\n"
        "CRYST1    0.000    0.000    0.000  90.00  90.00  90.00 P 1\n" ATOM_1 "END\n";
    static const double tilted[] = {10000, 0, 0, 0, 10000, 0, 5000, 5000, 7071.0678118654752};
    static const double small[] = {7, 0, 0, 0, 8, 0, 0, 0, 9};
    text_reader reader;
    open(&reader, PDB, text);
    const mote_trajectory_frame *f = &reader.trajectory.frame;
    for (int frame = 0; frame < 2; frame++) {
        text_next(&reader, 1);
        ck_assert_int_eq(f->pbc, MOTE_PBC_TRICLINIC);
        same(f->box, tilted, 9, 1e-9);
    }
    text_next(&reader, 1);
    ck_assert_int_eq(f->pbc, MOTE_PBC_NONE);
    text_next(&reader, 1);
    same(f->box, small, 9, 0);
    text_next(&reader, 1);
    ck_assert_int_eq(f->pbc, MOTE_PBC_NONE);
    text_end(&reader);
}
END_TEST

START_TEST(pdb_faults)
{
    text_bad(PDB, "", 0, "t:1: the file is empty");
    text_bad(PDB, "REMARK\nEND\n", 0, "t:3: the file has no line that begins with ATOM or HETATM");
    text_bad(PDB, "ATOM      1  CA  GLY A   1       1.500  -2.000   3.25", 0,
             "t:1: frame 0, atom 1: the line has 53 columns, but the position takes 54 (the file "
             "ends in this line)");
    text_bad(PDB, "ATOM      1  CA  GLY A   1       1.500  -2.0x0   3.250\n", 0,
             "t:1: frame 0, atom 1: y is '-2.0x0', not a number");
    text_bad(PDB, ATOM_1 "END\n" ATOM_1 ATOM_2, 1,
             "t:5: frame 1 has 2 atoms, but those before it have 1");
    text_bad(PDB, "CRYST1 10 20 30 90 90\n" ATOM_1, 0,
             "t:1: frame 0: 'CRYST1 10 20 30 90 90' has no three lengths and three angles");
    text_bad(PDB, "CRYST1 10 20 30 90 90 180\n" ATOM_1, 0,
             "t:1: frame 0: no box has the lengths 10 20 30 and the angles 90 90 180");
    text_bad(PDB, "CRYST1 10 20 30 10 90 10\n" ATOM_1, 0, "t:1: frame 0: no box has the lengths");
    text_bad(PDB, "CRYST1 -1 20 30 90 90 90\n" ATOM_1, 0, "t:1: frame 0: no box has the lengths");
    text_bad(MOTE_TRAJECTORY_XYZ, CELL ATOM_1, 0,
             "t:1: this looks like a file that ends in .pdb: rename it, or say so by --format");
}
END_TEST

#define STEP(n, bounds, rows)                                                                      \
    "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n" n "\nITEM: BOX BOUNDS " bounds "\n" rows
#define CUBE STEP("2", "pp pp pp", "0 10\n-5 15\n1 2.5e1\n")

/* Atoms are returned in the order of their ids, whatever their order in the file is. */
START_TEST(lammps_frames)
{
    static const char *const texts[] = {
        CUBE "ITEM: ATOMS id type x y z vx\n9 2 -999.125 10 0.125 0\n4 1 1.5 -2 3.25 0\n" CUBE
             "ITEM: ATOMS id type x y z vx\n4 1 1.5 -2 3.25 0\n9 2 -999.125 10 0.125 0\n",
        "ITEM: UNITS\nmetal\nITEM: TIME\n2.5\n" CUBE
        "ITEM: ATOMS element zu yu xu x id\nH .125 10 -999.125 1 9\nO 3.25 -2 1.5 1 4\n"
        "ITEM: TIME\n2.5\n" CUBE
        "ITEM: ATOMS element zu yu xu x id\nH .125 10 -999.125 1 9\nO 3.25 -2 1.5 1 4\n",
        STEP("2", "",
             "0 10\n-5 15\n1 25\n") "ITEM: ATOMS type x y z\n1 1.5 -2 3.25\n2 -999.125 10 "
                                    ".125\n" STEP("2", "",
                                                  "0 10\n-5 15\n1 25\n") "ITEM: ATOMS type x y "
                                                                         "z\n1 1.5 -2 3.25\n2 "
                                                                         "-999.125 10 .125"};
    static const double box[] = {10, 0, 0, 0, 20, 0, 0, 0, 24};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        text_reader reader;
        open(&reader, LAMMPS, texts[i]);
        const mote_trajectory *t = &reader.trajectory;
        for (int frame = 0; frame < 2; frame++) {
            same(text_next(&reader, 2), atoms, 6, 0);
            ck_assert_int_eq(t->frame.pbc, MOTE_PBC_ORTHORHOMBIC);
            same(t->frame.box, box, 9, 0);
            ck_assert(t->frame.has_time == (i == 1) && t->unit == (i == 1 ? 0.1 : 0.0));
        }
        ck_assert_str_eq(t->names[0], i == 1 ? "O" : "1");
        ck_assert_str_eq(t->names[1], i == 1 ? "H" : "2");
        ck_assert(!*t->note == (i < 2));
        text_end(&reader);
    }
}
END_TEST

/* Bounds of a tilted box are those of the box around it; fractions of a box are scaled. */
START_TEST(lammps_boxes)
{
    static const char *const texts[] = {
        STEP("1", "xy xz yz pp pp pp", "-3 12 2\n-5 18 -3\n1 25 3\n") "ITEM: ATOMS xs ys zs\n"
                                                                      ".5 .25 -1\n",
        STEP("1", "abc origin pp pp pp", "10 0 0 0\n2 20 0 -5\n-3 3 24 1\n") "ITEM: ATOMS xsu ysu "
                                                                             "zsu\n.5 .25 -1\n"};
    static const double box[] = {10, 0, 0, 2, 20, 0, -3, 3, 24}, position[] = {8.5, -3, -23};
    text_reader reader;
    for (size_t i = 0; i < 2; i++) {
        open(&reader, LAMMPS, texts[i]);
        same(text_next(&reader, 1), position, 3, 1e-12);
        ck_assert_int_eq(reader.trajectory.frame.pbc, MOTE_PBC_TRICLINIC);
        same(reader.trajectory.frame.box, box, 9, 1e-12);
        text_end(&reader);
    }
    open(&reader, LAMMPS, STEP("0", "ff ss fm", "0 1\n0 1\n0 1\n") "ITEM: ATOMS x y z\n");
    text_next(&reader, 0);
    ck_assert_int_eq(reader.trajectory.frame.pbc, MOTE_PBC_NONE);
    text_end(&reader);
    open(&reader, LAMMPS, STEP("1", "pp ff pp", "0 1\n0 2\n0 3\n") "ITEM: ATOMS x y z\n0 0 0\n");
    text_next(&reader, 1);
    ck_assert_uint_eq(reader.trajectory.frame.periodic, 5);
    text_end(&reader);
}
END_TEST

START_TEST(lammps_faults)
{
#define ONE STEP("1", "pp pp pp", "0 1\n0 1\n0 1\n")
    text_bad(LAMMPS, "3\n", 0, "t:1: '3' begins no section of a dump of atoms");
    text_bad(LAMMPS, "ITEM: TIMESTEP\n", 0, "t:2: the file ends inside frame 0; the value of");
    text_bad(LAMMPS, "ITEM: ENTRIES c\n1\n", 0,
             "t:1: 'ITEM: ENTRIES c' begins no section of a dump of atoms");
    text_bad(LAMMPS, "ITEM: ATOMS x y z\n", 0, "t:1: ITEM: ATOMS stands before ITEM: NUMBER OF");
    text_bad(LAMMPS, "ITEM: TIME\nlate\n", 0, "t:2: frame 0: 'late' is not a time");
    text_bad(LAMMPS, STEP("1", "pp pp", "0 1\n"), 0, "t:5: frame 0: the box has 2 boundaries");
    text_bad(LAMMPS, STEP("1", "pp pp pp", "0 1\n0\n"), 0,
             "t:7: frame 0: '0' is not 2 numbers of the box");
    text_bad(LAMMPS, STEP("1", "pp pp pp", "0 1\n0 1\n0 0\n"), 0, "t:8: frame 0: the box (1 0 0");
    text_bad(LAMMPS, ONE "ITEM: ATOMS id x y\n", 0, "t:9: frame 0: no columns x y z, xu yu zu, xs");
    text_bad(LAMMPS, ONE "ITEM: ATOMS id x y z\n1 2 3\n", 0,
             "t:10: frame 0, atom 1: the line has 3 columns, but ITEM: ATOMS names 4");
    text_bad(LAMMPS, ONE "ITEM: ATOMS id x y z\n1 2 3 z\n", 0,
             "t:10: frame 0, atom 1: z is 'z', not a number");
    text_bad(LAMMPS, ONE "ITEM: ATOMS id x y z\n-1 2 3 4\n", 0,
             "t:10: frame 0: '-1' is not the id");
    text_bad(LAMMPS, CUBE "ITEM: ATOMS id x y z\n5 2 3 4\n5 2 3 4\n", 0,
             "t:11: frame 0: two atoms have the id 5");
    text_bad(LAMMPS, ONE "ITEM: ATOMS id x y z\n1 2 3 4\n" ONE "ITEM: ATOMS id x y z\n2 2 3 4\n", 1,
             "t:20: frame 1 has an atom with the id 2, which frame 0 does not have");
    text_bad(LAMMPS, "ITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS xs ys zs\n", 0,
             "t:3: frame 0: positions are fractions of a box, but the frame has none");
    text_bad(LAMMPS, ONE "ITEM: ATOMS x y z\n", 0,
             "t:10: the file ends inside frame 0, after 0 of 1 atoms");
    text_reader reader;
    open(&reader, LAMMPS, "ITEM: UNITS\nsi\n" ONE "ITEM: ATOMS x y z\n1 2 3\n");
    reader.trajectory.rules.unit = 1.0;
    ck_assert_int_eq(mote_trajectory_next(&reader.trajectory), MOTE_TRAJECTORY_BAD);
    ck_assert_ptr_nonnull(strstr(reader.trajectory.message, "style 'si' cannot be converted"));
    text_close(&reader);
}
END_TEST

/* Memory grows with the atoms that are read, in descending order of their ids. */
START_TEST(large)
{
    enum { ATOMS = 5000 };
    static char text[64 * ATOMS];
    int n =
        snprintf(text, sizeof(text), "ITEM: NUMBER OF ATOMS\n%d\nITEM: ATOMS id x y z\n", ATOMS);
    for (int i = ATOMS; i > 0; i--)
        n +=
            snprintf(text + n, sizeof(text) - (size_t)n, "%d %d.5 %d %d.25\n", 3 * i, i, -i, 7 * i);
    text_reader reader;
    text_open(&reader, LAMMPS, text, strlen(text), 0);
    const double *x = text_next(&reader, ATOMS);
    for (int i = 1; i <= ATOMS; i++) {
        const double expected[] = {i + 0.5, -i, 7 * i + 0.25};
        same(x + 3 * i - 3, expected, 3, 0);
    }
    text_end(&reader);
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(pdb_frames),   SUITE_TEST(pdb_boxes),
                                   SUITE_TEST(pdb_faults),   SUITE_TEST(lammps_frames),
                                   SUITE_TEST(lammps_boxes), SUITE_TEST(lammps_faults),
                                   SUITE_TEST(large)};
SUITE_MAIN("records", tests)
