# SPDX-License-Identifier: Apache-2.0
"""Tests coordination: numbers against plain loops over pairs, inputs, options."""
import os
import random
import threading

from coordination_oracle import (HEADER, ORTHO, TRICLINIC, SMALL, atoms, colvar, coordination, rational, table,
                                 xyz)
from driver import Case, long, main


class Numbers(Case):
    def near(self, found, expected, tolerance):
        self.assertEqual(len(found), len(expected))
        scale = max([1.0] + [abs(x) for x in expected])
        for a, b in zip(found, expected):
            self.assertLessEqual(abs(a - b), tolerance * scale, (found, expected))

    def run_all(self, frames, boxes, options, tolerance=1e-7, **lists):
        """Compares every output of a run with the oracle."""
        path = self.write("t.xyz", xyz(frames, boxes))
        out = self.good("coordination", "-q", path, *SMALL, "--virial", "--derivatives",
                        self.path("d"), "--per-atom", self.path("s"), *options).out
        rows, derivatives, numbers = colvar(out), table(self.read("d")), table(self.read("s"))
        entries = lists.get("a", list(range(len(frames[0])))) + lists.get("b", [])
        for f, positions in enumerate(frames):
            value, virial, slopes, each = coordination(positions, boxes and boxes[f], **lists)
            self.assertEqual(rows[f][0], f)
            self.near(rows[f][1:2], [value], tolerance)
            self.near(rows[f][2:], virial, tolerance)
            for e, atom in enumerate(entries):
                line, number = derivatives[f * len(entries) + e], numbers[f * len(entries) + e]
                self.assertEqual(line[:3], [f, e, atom + 1])
                self.assertEqual(number[:3], [f, e, atom + 1])
                self.near(line[3:], slopes[e], tolerance)
                self.near(number[3:], [each[e]], tolerance)
        self.assertEqual(len(derivatives), len(frames) * len(entries))
        self.assertEqual(len(numbers), len(derivatives))
        return out

    def test_all_outputs(self):
        chance = random.Random()
        frames = [atoms(11, chance) for _ in range(3)]
        boxes = [TRICLINIC, [[2 * x for x in v] for v in TRICLINIC], TRICLINIC]
        out = self.run_all(frames, boxes, [])
        for f in range(3):
            alone = self.run_all(frames[f:f + 1], [boxes[f]], [])
            self.assertEqual(alone.splitlines()[3].split()[1:], out.splitlines()[3 + f].split()[1:])
        self.assertEqual(out.splitlines()[:3], [
            HEADER + " vir_xx vir_xy vir_xz vir_yx vir_yy vir_yz vir_zx vir_zy vir_zz",
            "#! SET precision double", f"#! SET d_max {0.3 * 1e-5**(1 / -6):.17g}"])

    def test_groups(self):
        chance = random.Random()
        frames = [atoms(7, chance)]
        self.run_all(frames, [TRICLINIC], ["--group-a", "2,1,5,5", "--group-b", "3-7:2,1"],
                     a=[1, 0, 4, 4], b=[2, 4, 6, 0])

    def value(self, positions, box, *options, tolerance=1e-8, **how):
        out = self.good("coordination", "-q", "-", *options, stdin=xyz([positions], box and [box])).out
        expected = coordination(positions, box, **how)[0]
        self.near([colvar(out)[0][1]], [expected], tolerance)
        return out

    def test_kinds_of_boxes(self):
        """Frames with different kinds of boxes give the same bytes, alone or beside each other."""
        chance = random.Random()
        boxes = [None, ORTHO, ORTHO, None, ORTHO]
        frames = [atoms(9, chance) for _ in boxes]
        path = self.write("t.xyz", xyz(frames, boxes))
        rows = self.good("coordination", "-q", path, *SMALL).out.splitlines()[3:]
        for f, (positions, box) in enumerate(zip(frames, boxes)):
            alone = self.value(positions, box, *SMALL).splitlines()[3]
            self.assertEqual(rows[f].split(), [str(f), alone.split()[1]])

    def test_keywords(self):
        """Pairs, odd exponents, d_0 and mixed precision are in one run, because kernels take long to build."""
        out = self.value(atoms(6, random.Random()), None, "--r0", 0.25, "--nn", 5, "--mm", 8, "--d0",
                         0.05, "--dmax", 0.75, "--precision", "mixed", "--pair", "--group-a", "1-4",
                         "--group-b", "6,5,4,4", tolerance=2e-6, a=[0, 1, 2, 3], b=[5, 4, 3, 3],
                         pair=True, function=lambda r: rational(r, 0.25, 5, 8, 0.05, 0.75))
        self.assertEqual(out.splitlines()[1:3], ["#! SET precision mixed", "#! SET d_max 0.75"])

    def test_unit_of_files_without_one(self):
        """Lengths of plain XYZ are read in the unit that is asked for, and a message says so."""
        text = xyz([atoms(2, random.Random())])
        says = "standard input states no unit of length: its lengths are read as nm"
        for options, said in [(("--length-unit", "nm"), True), ((), False)]:
            self.assertEqual(says in self.good("coordination", "-", "--r0", 0.25, *options, stdin=text).err, said)

    def test_increasing(self):
        for exponents, warned in [((2, 1), True), ((1, 2), False)]:
            err = self.good("coordination", "-", "--r0", 0.25, "--nn", exponents[0], "--mm", exponents[1],
                            stdin=xyz([atoms(2, random.Random())])).err
            self.assertEqual("the function increases, because nn = 2 is above mm = 1" in err, warned, err)

    def test_precision_of_large_boxes(self):
        """Above 16384 r_0 all precisions give the results of double, as documented in the help."""
        path = self.write("t.xyz", xyz([atoms(9, random.Random())], [[[9000, 0, 0], [0, 9000, 0], [0, 0, 9000]]]))
        found = {name: self.good("coordination", "-q", path, "--r0", 0.3, "--precision", name).out.splitlines()
                 for name in ["double", "mixed", "single"]}
        for name, lines in found.items():
            self.assertEqual(lines[1], "#! SET precision " + name)
            self.assertEqual(lines[3:], found["double"][3:])
        self.assertIn("boxes above 16384 r_0 are computed in double", self.good("coordination", "--help").out)

    @long
    def test_expressions(self):
        """PLUMED's words give the numbers of the rational function, and the same bytes as decimal numbers."""
        text = xyz([atoms(6, random.Random())])
        same = [self.good("coordination", "-q", "-", *options, stdin=text).out for options in [
            ("--r0", "1/4", "--nn", "2*3", "--mm", "2^4/2", "--d0", "-(1/8)", "--dmax", "sqrt(0.25)"),
            ("--r0", "0.25", "--nn", "6", "--mm", "8", "--d0", "-0.125", "--dmax", "0.5")]]
        self.assertEqual(same[0], same[1])
        for wrong, says in [(("--r0", "-pi"), "--r0: '-pi' must be above 0"),
                            (("--r0", "1/0"), "--r0: '1/0' is not a number of at least 0"),
                            (("--r0", "1/4 NN=8"), "--r0: '1/4 NN=8' is not a number"),
                            (("--r0", "1", "--nn", "7/2"), "--nn: '7/2' is not a whole number"),
                            (("--r0", "1", "--mm", "-2*3"), "--mm: '-2*3' is not a whole number")]:
            self.bad(1, [says], "coordination", "-", *wrong, stdin=text)

    def test_switch(self):
        def cut(r):
            return (1 / (1 + (r / 0.3)**6), 0.0) if r <= 0.75 else (0.0, 0.0)

        out = self.value(atoms(8, random.Random()), None, "--switch",
                         "RATIONAL R_0=0.3 D_MAX=0.75 NOSTRETCH", function=cut)
        self.assertEqual(out.splitlines()[1:3], ["#! SET precision double", "#! SET d_max 0.75"])

    def test_benchmark_system(self):
        path = self.path("a.xyz")
        self.good("generate", "atoms", "-q", "-n", 1000, "-o", path)
        value = colvar(self.good("coordination", "-q", path, *SMALL).out)[0][1]
        self.assertLess(abs(value - 2976.46448911), 1e-8)

    def test_few_atoms(self):
        for n in [0, 1]:
            text = xyz([[[0.1, 0.2, 0.3]] * n] * 2)
            out = self.good("coordination", "-q", "-", *SMALL, stdin=text).out
            self.assertEqual(out.splitlines()[3:], ["0 0", "1 0"])
        out = self.good("coordination", "-q", "-", *SMALL, stdin=xyz([[[0.5] * 3] * 5])).out
        self.near(colvar(out)[0], [0, 10], 1e-14)


class Inputs(Case):
    def run_text(self, text, *options):
        return self.good("coordination", "-q", "-", *SMALL, *options, stdin=text).out

    @long
    def test_formats_agree(self):
        outs = set()
        for name in ["a.xyz", "a.extxyz", "a.gro"]:
            self.good("generate", "atoms", "-q", "-n", 40, "--frames", 3, "-o", self.path(name))
            out = self.good("coordination", "-q", self.path(name), *SMALL).out
            outs.add(tuple((row[0], round(row[1], 8)) for row in colvar(out)))
        self.assertEqual(len(outs), 1)

    @long
    def test_lines(self):
        text = xyz([[[0.1, 0.2, 0.3], [0.4, 0.2, 0.3]]] * 2)
        expected = self.run_text(text)
        for same in [text.replace("\n", "\r\n"), text.rstrip("\n"), text + "\n\n", "\ufeff" + text,
                     text.replace("X ", "   Ne\t")]:
            self.assertEqual(self.run_text(same), expected)

    def test_nopbc(self):
        plain, boxed = xyz([[[0.1] * 3, [0.9] * 3]]), xyz([[[0.1] * 3, [0.9] * 3]], [ORTHO])
        self.assertNotEqual(self.run_text(boxed), self.run_text(plain))
        self.assertEqual(self.run_text(boxed, "--nopbc"), self.run_text(plain))

    @long
    def test_times(self):
        atom = "    1WATER  OW1    1   0.126   1.624   1.679\n"
        text = "".join(f"{title}\n1\n{atom}0 0 0\n" for title in ["a t= 2.5", "b", "c, t= -1e3 step= 4"])
        out = self.good("coordination", "-q", self.write("t.gro", text), *SMALL).out
        self.assertEqual([row[0] for row in colvar(out)], [2.5, 1, -1000])
        text = f"x t= 200.00002\n1\n{atom}0 0 0\n"
        out = self.good("coordination", "-q", self.write("t.gro", text), *SMALL, "--derivatives",
                        self.path("d"), "--virial").out
        self.assertEqual(out.splitlines()[-1].split()[0], "200.00002")
        self.assertNotIn("-0", out.split("\n", 3)[3].split() + self.read("d").split())

    def test_streams(self):
        text = xyz([[[0.1, 0.2, 0.3], [0.4, 0.2, 0.3]]])
        expected = self.run_text(text)
        self.assertEqual(self.good("coordination", "-q", "/dev/stdin", *SMALL, stdin=text).out, expected)
        fifo = self.path("pipe")
        os.mkfifo(fifo)
        writer = threading.Thread(target=lambda: open(fifo, "w", encoding="utf-8").write(text))
        writer.start()
        self.assertEqual(self.good("coordination", "-q", fifo, *SMALL).out, expected)
        writer.join()

    def listed(self, *lists):
        """Returns the atoms that lists stand for, as the per-atom output names them."""
        path = self.write("t.xyz", xyz([atoms(9, random.Random(), 5.0)], [TRICLINIC]))
        self.good("coordination", "-q", path, *SMALL, *lists, "-o", self.path("c"), "--virial",
                  "--derivatives", self.path("d"), "--per-atom", self.path("s"))
        return [row[2] for row in table(self.read("s"))]

    @long
    def test_lists(self):
        for text, expected in [("3", [3]), ("2-5", [2, 3, 4, 5]), ("9-1:-4", [9, 5, 1]),
                               ("1,5,6-10:3", [1, 5, 6, 9]), ("4-4", [4]), ("7,7,2", [7, 7, 2])]:
            self.assertEqual(self.listed("--group-a", text), expected, text)
        file = self.write("list", "1, 5\n\t6-9:3\r\n9-8:-1\n")
        self.assertEqual(self.listed("--group-a", "@" + file), [1, 5, 6, 9, 9, 8])
        self.assertEqual(self.listed("--group-a", "1-2", "--group-b", "@" + file)[:3], [1, 2, 1])

    @long
    def test_refused_lists(self):
        path = self.write("t.xyz", xyz([atoms(9, random.Random())]))
        for words, text in [("'x' is neither an atom number", "x"), ("atoms count from 1", "0-3"),
                            ("runs backwards", "5-3"), ("runs forwards", "3-5:-1"),
                            ("stride of 0", "1-5:0"), ("list of atoms is empty", ""),
                            ("list of atoms is empty", " , "), ("is neither", "1-"),
                            ("is neither", "1-3:"), ("is neither", "99999999999"),
                            ("is neither", "1.5"), ("is neither", "-3"),
                            ("'@water' is not known here", "1,@water"),
                            (["PLUMED's @mdatoms is not supported", "@./mdatoms"], "@mdatoms"),
                            ("PLUMED's @ndx:a.ndx is", "@ndx:a.ndx"), ("there is no atom 10", "2,8-10"),
                            ("the frames have 9 atoms", "2147483647"),
                            ("there is no atom 2147483647", "1-2147483647")]:
            result = self.bad(1, words, "coordination", path, *SMALL, "--group-a", text)
            self.assertIn("--group-a: ", result.err)
        for words, text in [("list:2: '3-x'", "1\n3-x"), ("list: the list of atoms is empty", "\n"),
                            ("list:3: there is no atom 11", "1\n2\n3-12:4\n")]:
            self.bad(2, words, "coordination", path, *SMALL, "--group-a",
                     "@" + self.write("list", text))
        self.bad(2, "No such file", "coordination", path, *SMALL, "--group-a", "@no-such-file")
        self.bad(1, "--pair needs two lists of one length, but --group-a has 2 atoms and --group-b has 1",
                 "coordination", path, *SMALL, "--pair", "--group-a", "1,2", "--group-b", "3")


class Usage(Case):
    def test_refused(self):
        path = self.write("t.xyz", xyz([[[0.1] * 3]]))
        for words, options in [
                ("give --r0 R, or --switch TEXT", []), ("--r0: '0' must be above 0", ["--r0", 0]),
                ("--r0: '-1' is not a number", ["--r0", -1]), ("--r0: 'x'", ["--r0", "x"]),
                ("nn and mm are both 6", [*SMALL, "--mm", 6]),
                ("d_max is 0.1, but must be above d_0 = 0.2", [*SMALL, "--d0", 0.2, "--dmax", 0.1]),
                ("--nn: '0'", [*SMALL, "--nn", 0]), ("--dmax: '0' must be", [*SMALL, "--dmax", 0]),
                ("--switch says all that --r0", [*SMALL, "--switch", "EXP R_0=1"]),
                ("--switch says all that", ["--switch", "EXP R_0=1", "--mm", 8]),
                ("--switch: 'GAUSIAN' is no switching function: did you mean GAUSSIAN?",
                 ["--switch", "GAUSIAN R_0=1"]),
                ("did you mean D_MAX?", ["--switch", "EXP R_0=1 DMAX=2"]),
                ("at character 3, 'y'", ["--switch", "CUSTOM FUNC=1-y R_0=1"]),
                ("--method cells needs a finite d_max",
                 ["--method", "cells", "--switch", "RATIONAL R_0=1"]),
                ("did you mean 'all-pairs'?", [*SMALL, "--method", "allpairs"]),
                ("mixed, single, double; did you mean 'double'?", [*SMALL, "--precision", "doubl"]),
                ("a.json: the output is not written as .json", [*SMALL, "-o", self.path("a.json")]),
                ("--pair needs --group-a and --group-b", [*SMALL, "--pair", "--group-a", 1]),
                ("--group-b needs --group-a", [*SMALL, "--group-b", 1]),
                ("read only once", [*SMALL, "--group-a", "@-", "--group-b", "@-"]),
                ("read only once", [*SMALL, "-", "-"])]:
            self.bad(1, words, "coordination", path, *options, stdin="1")
        self.bad(1, "no trajectory given", "coordination", *SMALL)

    def test_names(self):
        path = self.write("t.xyz", xyz([[[0.1] * 3]]))
        os.symlink("t.xyz", self.path("c.part"))
        for outputs in [["-o", path], ["--derivatives", path], ["-o", self.path("c")]]:
            self.bad(1, "is an input and an output", "coordination", path, *SMALL, *outputs)
        atoms = self.write("atoms", "1-2")
        for option in ["-o", "--derivatives"]:
            self.bad(1, "atoms is an input and an output", "coordination", path, *SMALL, "--group-a",
                     "@" + atoms, option, atoms)
        self.assertEqual(self.read("atoms"), "1-2")
        for a, b in [("x", "x"), ("x", "x.part")]:
            self.bad(1, "two outputs", "coordination", path, *SMALL, "-o", self.path(a), "--per-atom",
                     self.path(b))
        self.assertEqual(self.files(), ["atoms", "c.part", "t.xyz"])
        self.bad(2, "must end in .xyz, .extxyz, .gro, .pdb, .xtc, .trr, .dcd or .lammpstrj", "coordination",
                 self.write("t.txt", ""), *SMALL)
        self.bad(2, "the file is empty", "coordination", self.write("t.xyz.xz", ""), *SMALL)
        self.bad(2, "no.xyz: cannot be read: No such file", "coordination", self.path("no.xyz"), *SMALL)
        self.bad(2, "cannot be read: Is a directory", "coordination", self.folder, *SMALL)


if __name__ == "__main__":
    main()
