/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of trajectories are reported with file, line, frame and atom. */
#include "text.h"

#include <string.h>

#define XYZ MOTE_TRAJECTORY_XYZ
#define GRO MOTE_TRAJECTORY_GRO

typedef struct fault {
    const char *text;
    size_t frames;
    const char *message;
} fault;

#define COUNT(faults) (sizeof(faults) / sizeof((faults)[0]))

static void check(mote_trajectory_format format, const fault *faults, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_bad(format, faults[i].text, faults[i].frames, faults[i].message);
}

START_TEST(counts)
{
    static const fault faults[] = {
        {"", 0, "t:1: the file is empty; a frame was expected"},
        {"\n \n", 0, "t:3: the file is empty; a frame was expected"},
        {"abc\n", 0, "t:1: 'abc' is not the number of atoms of frame 0"},
        {"-3\n", 0, "t:1: '-3' is not the number"},
        {"3 4\n", 0, "t:1: '3 4' is not the number"},
        {"1.0\n", 0, "t:1: '1.0' is not the number"},
        {"\x7f\x01\n", 0, "t:1: '\?\?' is not the number"},
        {"2147483648\n", 0, "t:1: 2147483648 atoms; a frame has at most 2147483647"},
        {"99999999999999999999999999\n", 0, "t:1: 99999999999999999999999999 atoms; a frame"},
        {"99999999999999999999999999999999999999999999\n", 0,
         "t:1: 9999999999999999999999999999999999999... atoms"},
        {"1\n\nA 1 2 3\n2\n\nA 1 2 3\nB 1 2 3\n", 1,
         "t:4: frame 1 has 2 atoms, but those before it have 1"},
        {"2\r\rA 1 2 3\rA 4 5 6\r", 0, "t:1: lines end in CR alone, as on old Macs: save the file"},
        {"1\n\nA 1 2 3\nA 1 2 3\n", 1, "t:4: 'A 1 2 3' is not the number of atoms of frame 1"}};
    check(XYZ, faults, COUNT(faults));
}
END_TEST

START_TEST(ends)
{
    static const fault faults[] = {
        {"3\n", 0, "t:2: the file ends inside frame 0; a comment line with the box was expected"},
        {"2\n\nA 1 2 3\n", 0, "t:4: the file ends inside frame 0, after 1 of 2 atoms"},
        {"2\n\nA 1 2 3", 0, "t:4: the file ends inside frame 0, after 1 of 2 atoms"},
        {"1\n\nA 1 2 3\n1\n\n", 1, "t:6: the file ends inside frame 1, after 0 of 1 atoms"},
        {"1\n\nA 1 2", 0,
         "t:3: frame 0, atom 1: column 4 is missing, where z was expected (the file ends in this "
         "line)"},
        {"1\n\nA 1 2 3e-1x", 0, "t:3: frame 0, atom 1: z is '3e-1x', not a number (the file ends"},
        {"2147483647\n\nA 1 2 3\n", 0,
         "t:4: the file ends inside frame 0, after 1 of 2147483647 atoms"}};
    check(XYZ, faults, COUNT(faults));
}
END_TEST

START_TEST(positions)
{
    static const fault faults[] = {
        {"1\n\nA 1 x 3\n", 0, "t:3: frame 0, atom 1: y is 'x', not a number"},
        {"2\n\nA 1 2 3\nA 1 nan 3\n", 0,
         "t:4: frame 0, atom 2: y is 'nan', not a number, but must be finite"},
        {"1\n\nA 1 2 -inf\n", 0, "t:3: frame 0, atom 1: z is '-inf', infinite, but must be finite"},
        {"1\n\nA 1e999 2 3\n", 0, "t:3: frame 0, atom 1: x is '1e999', infinite"},
        {"1\n\nA 1,0 2 3\n", 0, "t:3: frame 0, atom 1: x is '1,0', not a number"},
        {"1\n\nA\n", 0, "t:3: frame 0, atom 1: column 2 is missing, where x was expected"},
        {"1\n\n\n", 0, "t:3: frame 0, atom 1: the line has 0 columns"},
        {"1\nProperties=a:S:2:pos:R:3\nA 1\n", 0, "t:3: frame 0, atom 1: column 3 is missing"},
        {"1\nProperties=pos:R:3:f:R:3\n1 2 3 4\n", 0,
         "t:3: frame 0, atom 1: the line has 4 columns, but Properties= names 6"},
        {"1\nProperties=a:S:2:pos:R:3\nA\n", 0,
         "t:3: frame 0, atom 1: the line has 1 column, but x, y, z were expected in 3 to 5"}};
    check(XYZ, faults, COUNT(faults));
}
END_TEST

START_TEST(boxes)
{
    static const fault faults[] = {
        {"0\n1 2\n", 0, "t:2: frame 0: the comment '1 2' is neither 3 box lengths nor 9 numbers"},
        {"0\n1 2 3 4\n", 0, "t:2: frame 0: the comment '1 2 3 4' is neither"},
        {"0\n2.0,2.2,2.4\n", 0, "t:2: frame 0: the comment '2.0,2.2,2.4' is neither"},
        {"0\n2.0, 2.2, 2.4\n", 0, "t:2: frame 0: the comment '2.0, 2.2, 2.4' is neither"},
        {"0\n2.0D0 2.2D0\n", 0, "t:2: frame 0: the comment '2.0D0 2.2D0' is neither"},
        {"0\n2;2;2d+1 box\n", 0, "t:2: frame 0: the comment '2;2;2d+1 box' is neither"},
        {"0\n# CELL(abcABC): 9 8 7 90 90 90 Step: 0 cell{angstrom}\n", 0,
         "t:2: frame 0: a cell as i-PI writes it is not read: give --box, or --nopbc to ignore it"},
        {"0\n# CELL[H]: 9 0 0 0 8 0 0 0 7\n", 0, "t:2: frame 0: a cell as i-PI writes it is not"},
        {"0\n1 2 3 nm\n", 0, "t:2: frame 0: the comment '1 2 3 nm' is neither"},
        {"0\n1 2 3 4 5 6 7 8 9 10\n", 0, "t:2: frame 0: the comment '1 2 3 4 5 6 7 8 9 10' is"},
        {"0\n1 0 3\n", 0, "t:2: frame 0: the box (1 0 3) has a length of 0"},
        {"0\n1 -2 3\n", 0, "t:2: frame 0: the box (1 -2 3) has a negative length"},
        {"0\n1 nan 3\n", 0, "t:2: frame 0: the box (1 nan 3) holds a number that is not finite"},
        {"0\n1 2 3 2 4 6 0 0 1\n", 0,
         "t:2: frame 0: the box (1 2 3, 2 4 6, 0 0 1) is singular: its three vectors lie in a "
         "plane"},
        {"0\n1 0 0 0 0 0 0 0 1\n", 0, "t:2: frame 0: the box (1 0 0, 0 0 0, 0 0 1) is singular"},
        {"0\n1 0 0 0 inf 0 0 0 1\n", 0, "t:2: frame 0: the box (1 0 0, 0 inf 0, 0 0 1) holds"},
        {"0\n1 1 1\n0\n1 1 0\n", 1, "t:4: frame 1: the box (1 1 0) has a length of 0"}};
    check(XYZ, faults, COUNT(faults));
}
END_TEST

START_TEST(keys)
{
    static const fault faults[] = {
        {"0\nLattice=\"1 2 3\"\n", 0, "t:2: frame 0: Lattice=\"1 2 3\" is not 9 numbers"},
        {"0\nLattice=\"1 0 0 0 1 0 0 0 x\"\n", 0, "t:2: frame 0: Lattice=\"1 0 0 0 1 0 0 0 x\" is"},
        {"0\nLattice=\"1 0 0 0 1 0 0 0 1 1\"\n", 0, "t:2: frame 0: Lattice="},
        {"0\nLattice=\"1 0 0 0 1 0 0 0 1\n", 0, "t:2: frame 0: a quote does not end"},
        {"0\nLattice=\n", 0, "t:2: frame 0: Lattice=\"\" is not 9 numbers"},
        {"0\nLattice= Properties = pos:R:3\n", 0, "t:2: frame 0: Lattice=\"\" is not 9 numbers"},
        {"0\nLattice=\"1,0,0 0 1 0 0 0 1\"\n", 0, "t:2: frame 0: Lattice=\"1,0,0 0 1 0 0 0 1\" is"},
        {"0\nLattice=[[1, 0, 0], [0, 1, 0], [0, 0, 1]\n", 0, "t:2: frame 0: a quote does not end"},
        {"0\nLattice=\"1 0 0 0 1 0 1 1 0\"\n", 0, "t:2: frame 0: the box (1 0 0, 0 1 0, 1 1 0) is"},
        {"0\npbc=\"T T T\"\n", 0, "t:2: frame 0: periodic by its pbc=, but without Lattice="},
        {"0\npbc=\"T T T\" Lattice=\"0 0 0 0 0 0 0 0 0\"\n", 0,
         "t:2: frame 0: periodic by its pbc=, but Lattice= is 0"},
        {"0\npbc=\"T F T\" Lattice=\"1 0 0 0 1 0 0 0 0\"\n", 0,
         "t:2: frame 0: the vectors (1 0 0, 0 1 0, 0 0 0) of its box do not span the directions"},
        {"0\npbc=\"T T F\" Lattice=\"1 0 0 -2 0 0 0 0 1\"\n", 0,
         "t:2: frame 0: the vectors (1 0 0, -2 0 0, 0 0 1) of its box do not span the directions"},
        {"0\npbc=\"T T\"\n", 0, "t:2: frame 0: pbc=\"T T\" is not three of T and F"},
        {"0\npbc=X\n", 0, "t:2: frame 0: pbc=\"X\" is not three"},
        {"0\npbc = [T, T]\n", 0, "t:2: frame 0: pbc=\"T, T\" is not three"},
        {"0\n'pbc' =T\n", 0, "t:2: frame 0: periodic by its pbc=, but without Lattice="},
        {"0\npbc=\"T T X\"\n", 0, "t:2: frame 0: pbc=\"T T X\" is not three"},
        {"0\nLattice=\"1 0 0 0 1 0 0 0 1\" x=1 Lattice=\"1 0 0 0 1 0 0 0 1\"\n", 0,
         "t:2: frame 0: a key of extended XYZ is given twice"},
        {"0\nlattice=\"1 0 0 0 1 0 0 0 1\" LATTICE=\"1 0 0 0 1 0 0 0 1\"\n", 0,
         "t:2: frame 0: a key of extended XYZ is given twice"},
        {"0\nlattice=\"1 0 0 0 1 0 0 0 1\" Lattice=\"1 2\"\n", 0,
         "t:2: frame 0: Lattice=\"1 2\" is not 9 numbers"},
        {"0\nProperties=species:S:1\n", 0, "t:2: frame 0: Properties=species:S:1 has no pos:R:3"},
        {"0\nProperties=\n", 0, "t:2: frame 0: Properties= has no pos:R:3"},
        {"0\nProperties=pos:R:3:pos:R:3\n", 0,
         "t:2: frame 0: Properties=pos:R:3:pos:R:3 has pos twice"},
        {"0\nProperties=pos:R:2\n", 0, "t:2: frame 0: Properties=pos:R:2 has no pos:R:3"},
        {"0\nProperties=species:S:1:my id:I:1:pos:R:3\n", 0,
         "t:2: frame 0: Properties=species:S:1:my has no pos:R:3; quote it if the name of an array "
         "has a blank"},
        {"0\nProperties=species:S\n", 0,
         "t:2: frame 0: Properties=species:S has no pos:R:3; quote"},
        {"0\nProperties=species:S:x:pos:R:3\n", 0, "t:2: frame 0: Properties="},
        {"0\nProperties=a:S:1000:b:S:1000:pos:R:3\n", 0, "t:2: frame 0: Properties="},
        {"0\nProperties=a:S:99999999999999999999:pos:R:3\n", 0, "t:2: frame 0: Properties="}};
    check(XYZ, faults, COUNT(faults));
}
END_TEST

#define ATOM "    1WATER  OW1    1   0.126   1.624   1.679\n"

START_TEST(gro)
{
    static const fault faults[] = {
        {"", 0, "t:1: the file is empty"},
        {"title\n", 0, "t:2: the file ends inside frame 0; the number of atoms was expected"},
        {"a\r0\r1 1 1", 0, "t:1: lines end in CR alone, as on old Macs: save the file"},
        {"title\nx\n", 0, "t:2: 'x' is not the number of atoms of frame 0"},
        {"title\n\n", 0, "t:2: the line is blank; the number of atoms of frame 0 was expected"},
        {"a\n2\n" ATOM, 0, "t:4: the file ends inside frame 0, after 1 of 2 atoms"},
        {"a\n1\n" ATOM, 0, "t:4: the file ends inside frame 0; the box was expected"},
        {"a\n1\n" ATOM "1 1 1\nb\n2\n", 1, "t:6: frame 1 has 2 atoms, but those before it have 1"},
        {"a\n1\nshort\n", 0, "t:3: frame 0, atom 1: the line has 5 columns, no position"},
        {"a\n1\n    1WATER  OW1    1   1   2   3\n", 0,
         "t:3: frame 0, atom 1: no three numbers in columns of one width behind column 20"},
        {"a\n1\n    1WATER  OW1    1   0.126  1.624   1.679\n", 0,
         "t:3: frame 0, atom 1: no three"},
        {"a\n2\n" ATOM "    1WATER  OW1    2   0.126   1.624   1.6\n", 0,
         "t:4: frame 0, atom 2: the line has 42 columns, but the position takes 44"},
        {"a\n2\n" ATOM "    1WATER  OW1    2   0.126     nan   1.679\n", 0,
         "t:4: frame 0, atom 2: y is 'nan', not a number, but must be finite"},
        {"a\n2\n" ATOM "    1WATER  OW1    2  0.1 26   1.624   1.679\n", 0,
         "t:4: frame 0, atom 2: x is '0.1 26', not a number"},
        {"a\n2\n" ATOM "    1WATER  OW1    2           1.624   1.679\n", 0,
         "t:4: frame 0, atom 2: x is '', not a number"},
        {"a\n1\n" ATOM "1 1\n", 0, "t:4: frame 0: the box '1 1' is neither 3 nor 9 numbers"},
        {"a\n1\n" ATOM "\n", 0, "t:4: frame 0: the box '' is neither 3 nor 9 numbers"},
        {"a\n1\n" ATOM "1 1 1 0 0 0 0 0 0 0\n", 0, "t:4: frame 0: the box '1 1 1 0"},
        {"a\n1\n" ATOM "1 0 1\n", 0, "t:4: frame 0: the box (1 0 1) has a length of 0"},
        {"a\n1\n" ATOM "1 1 1 0 0 1 0 0 x\n", 0, "t:4: frame 0: the box '1 1 1 0 0 1 0 0 x' is"},
        {"a\n1\n" ATOM "1 1 1 1 0 1 0 0 0\n", 0,
         "t:4: frame 0: the box (1 1 0, 1 1 0, 0 0 1) is singular"}};
    check(GRO, faults, COUNT(faults));
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(counts), SUITE_TEST(ends), SUITE_TEST(positions),
                                   SUITE_TEST(boxes),  SUITE_TEST(keys), SUITE_TEST(gro)};
SUITE_MAIN("faults", tests)
