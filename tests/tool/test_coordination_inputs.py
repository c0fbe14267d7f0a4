# SPDX-License-Identifier: Apache-2.0
"""Tests coordination: boxes, units, directions, groups by name, and several trajectories."""
import gzip
import itertools
import os
import random
import re
import xml.etree.ElementTree as tree

import npy
from coordination_oracle import TRICLINIC, SMALL, atoms, colvar, coordination, gro, lammps, pdb, rational, xyz
from driver import PACKED, ZLIB, Case, long, main, needs_zlib

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


def along(box, periodic):
    """Returns the nearest image in a system that repeats along some vectors only."""
    def image(d, _):
        ranges = [range(-3, 4) if axis in periodic else [0] for axis in "xyz"]
        images = [[d[k] + sum(n[i] * box[i][k] for i in range(3)) for k in range(3)]
                  for n in itertools.product(*ranges)]
        return min(images, key=lambda v: sum(c * c for c in v))
    return image


def slab_number(positions, box, periodic):
    total, image = 0.0, along(box, periodic)
    for p, q in itertools.combinations(positions, 2):
        d = image([q[k] - p[k] for k in range(3)], None)
        total += rational(sum(c * c for c in d)**0.5)[0]
    return total


class Inputs(Case):
    def setUp(self):
        super().setUp()
        self.random = random.Random(81)
        self.atoms = [[round(x, 6) for x in p] for p in atoms(24, self.random)]

    def numbers(self, *arguments, **options):
        done = self.good("coordination", "-q", *arguments, **options)
        return [row[1] for row in colvar(done.out)]

    def near(self, found, expected, tolerance=1e-9):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b, delta=tolerance * abs(b))


class Boxes(Inputs):
    def test_given(self):
        path = self.write("a.xyz", xyz([self.atoms]))
        other = self.write("b.xyz", xyz([self.atoms], [[[3, 0, 0], [0, 3, 0], [0, 0, 3]]]))
        for text, box in [("0.95 1 1.05", [[0.95, 0, 0], [0, 1, 0], [0, 0, 1.05]]),
                          (",".join(str(x) for row in TRICLINIC for x in row), TRICLINIC)]:
            expected = coordination(self.atoms, box)[0]
            for name in [path, other]:
                self.near(self.numbers(name, *SMALL, "--box", text), [expected])
        for text in ["1 2", "1 2 3 4", "1 2 x", "1 2 inf", "", "1 " * 300]:
            self.bad(1, "--box", "coordination", path, *SMALL, "--box", text)
        for text, words, more in [("1 1 0", "--box: frame 0: the box (1 1 0) has a length of 0", []),
                                  ("1 1 -1", "--box: frame 0: the box (1 1 -1) has a negative length", []),
                                  ("1 0 0 2 0 0 0 0 1", ["--box: frame 0: the box (1 0 0,", "is singular"], []),
                                  ("1 0 0 2 0 0 0 0 1", ["--box: frame 0: ", "do not span"],
                                   ["--periodic", "xy"]),
                                  ("0 0 0", "--box: frame 0 has no box", ["--periodic", "xy"]),
                                  ("1e301 1 1", ["--box: frame 0: the box (1e+301", "is too large"], []),
                                  ("1 1 1e-200", ["--box: frame 0: the box (1 0 0,", "beside r_0 = 0.3, which"],
                                   [])]:
            for name in [path, other, os.path.join(DATA, "liquid.xtc")]:
                done = self.bad(1, words, "coordination", name, *SMALL, "--box", text, *more)
                self.assertNotIn(name, done.err)
        cube = xyz([self.atoms], [[[1, 0, 0], [0, 1, 0], [0, 0, 1]]])
        words = "frame 0: the box (1 0 0, 0 1 0, 0 0 1) must have vectors from 1e+20 to 1e+300 long " \
                "beside r_0 = 1e+150, which may be at most 1e+130 in this box"
        self.bad(2, words, "coordination", "-", "--switch", "EXP R_0=1e150", stdin=cube)
        self.bad(1, "--box: " + words, "coordination", path, "--switch", "EXP R_0=1e150", "--box", "1 1 1")
        self.good("coordination", "-", "--switch", "EXP R_0=9.99e129", stdin=cube)
        self.bad(1, "--nopbc", "coordination", path, *SMALL, "--box", "1 1 1", "--nopbc")

    @long
    def test_directions(self):
        """Tests slabs and rods, upright and skewed, far from the origin, also with cells."""
        skewed = [[1.0, 0.2, -0.1], [-0.3, 1.1, 0.25], [0, 0, 0]]
        for shift in [0, 40]:
            positions = [[p[0], p[1], p[2] * 3 + shift] for p in self.atoms]
            path = self.write("a.xyz", xyz([positions]))
            for box, periodic in [([[1, 0, 0], [0, 0.9, 0], [0, 0, 0]], "xy"),
                                  ([[1, 0, 0], [0, 0.9, 0], [0, 0, 5]], "yx"),
                                  ([[0.8, 0, 0], [0, 0, 0], [0, 0, 1.1]], "xz"),
                                  ([[0, 0, 0], [0, 0, 0], [0, 0, 1.3]], "z"), (skewed, "xy"),
                                  ([[1.0, 0.5, 0.1], [0, 0, 0], [0, 0, 0]], "x")]:
                expected = slab_number(positions, box, periodic)
                text = " ".join(str(x) for row in box for x in row)
                for more in [[], ["--method", "cells"], ["--precision", "mixed"]][:3 if shift else 1]:
                    found = self.numbers(path, *SMALL, "--box", text, "--periodic", periodic, *more)
                    self.assertAlmostEqual(found[0] / expected, 1, delta=1e-9 if "mixed" not in more else 1e-4,
                                           msg=(box, periodic, more))
        for text in ["", "xx", "xw", "none"]:
            self.bad(1, "--periodic", "coordination", path, *SMALL, "--periodic", text)
        self.bad(2, "frame 0 has no box", "coordination", path, *SMALL, "--periodic", "xy")

    @long
    def test_extended(self):
        box = [[1, 0, 0], [0, 0.9, 0], [0, 0, 0]]
        text = xyz([self.atoms]).split("\n")
        for periodic in ["xy", "x"]:
            flags = " ".join("FT"[axis in periodic] for axis in "xyz")
            text[1] = f'Lattice="1 0 0 0 0.9 0 0 0 0" pbc="{flags}"'
            self.near(self.numbers("-", *SMALL, stdin="\n".join(text)),
                      [slab_number(self.atoms, box, periodic)])
            self.near(self.numbers("-", *SMALL, "--box", "1 0.9 5", stdin="\n".join(text)),
                      [slab_number(self.atoms, box, periodic)])
        text[1] = 'Lattice="1 0 0 0 0.9 0 0 0 2" pbc="T T T"'
        self.near(self.numbers("-", *SMALL, "--periodic", "xy", stdin="\n".join(text)),
                  [slab_number(self.atoms, box, "xy")])

    @long
    def test_warning(self):
        path = self.write("a.xyz", xyz([self.atoms] * 3))
        for box, more, warned in [("9 9 4", [], False), ("9 9 4", ["--dmax", 2.001], True),
                                  ("9 9 4", ["--dmax", 2.001, "--periodic", "xy"], False),
                                  ("5 5 5", ["--nopbc"], False)]:
            given = [] if "--nopbc" in more else ["--box", box]
            done = self.good("coordination", path, "--r0", 0.25, *given, *more)
            self.assertEqual("warning: frame 0: the d_max of cn" in done.err, warned, done.err)
            self.assertEqual(done.err.count("\n"), 1 + warned)


class Units(Inputs):
    def test_converted(self):
        """The same atoms are in nm and Angstrom, in formats that define the unit."""
        box = [[0.95, 0, 0], [0, 1, 0], [0, 0, 1.05]]
        expected = coordination(self.atoms, box)[0]
        nm = self.write("a.gro", gro(self.atoms, ["A"], [0.95, 1, 1.05]))
        text = xyz([[[10 * x for x in p] for p in self.atoms]]).split("\n")
        text[1] = 'Lattice="9.5 0 0 0 10 0 0 0 10.5" Properties=species:S:1:pos:R:3'
        angstrom = self.write("a.xyz", "\n".join(text))
        plain = self.write("b.xyz", xyz([self.atoms], [box]))
        sides = [0.95, 1, 1.05]
        dump = self.write("a.lammpstrj", lammps(self.atoms, ["A"], sides))
        self.near(self.numbers(self.write("a.pdb", pdb(self.atoms, ["A"], sides)), "--r0", 3), [expected],
                  tolerance=1e-3)
        done = self.good("coordination", "-", "-q", "--r0", 3, stdin=pdb(self.atoms, ["A"], sides))
        self.assertEqual(done.out.count("\n"), 4)
        for path in [nm, angstrom, dump]:
            self.near(self.numbers(path, "--r0", 0.3, "--length-unit", "nm"), [expected])
            self.near(self.numbers(path, "--r0", 3, "--length-unit", "A"), [expected])
            self.near(self.numbers(path, "--r0", 3, "--length-unit", "A", "--box", "9.5,10,10.5"),
                      [expected])
        self.near(self.numbers(plain, "--r0", 0.3, "--length-unit", "nm"), [expected])
        self.near(self.numbers(nm, "--r0", 0.3), [expected])
        self.near(self.numbers(angstrom, "--r0", 3), [expected])
        both = ["coordination", nm, angstrom, "--r0", 0.3]
        self.bad(2, ["lengths are in Angstrom", "in nm: give --length-unit"], *both)
        self.near(self.numbers(*both[1:], "--length-unit", "nm"), [expected] * 2)
        self.bad(1, "did you mean 'nm'", "coordination", nm, *SMALL, "--length-unit", "nn")

    @long
    def test_binary(self):
        for kind, unit in [("xtc", "A"), ("trr", "A"), ("dcd", "nm")]:
            path = os.path.join(DATA, "liquid." + kind)
            own, other = (0.3, 3) if kind != "dcd" else (3, 0.3)
            self.near(self.numbers(path, "--r0", other, "--length-unit", unit),
                      self.numbers(path, "--r0", own))


class Groups(Inputs):
    NAMES = ["OW", "HW1", "HW2", "CA"]

    def listed(self, path, group, *more):
        self.good("coordination", "-q", path, *SMALL, "--group-a", group, "--per-atom",
                  self.path("s"), *more)
        return [int(line.split()[2]) for line in self.read("s").splitlines() if line[0] != "#"]

    def every(self, *names):
        return [i + 1 for i in range(24) if self.NAMES[i % 4] in names]

    def test_names(self):
        lines = xyz([self.atoms]).replace("X ", "%s ") % tuple(self.NAMES[i % 4] for i in range(24))
        later = ["24", "Properties=pos:R:3:x:I:1:species:S:1"]
        later += [f"{p[0]} {p[1]} {p[2]} 7 {self.NAMES[i % 4]}" for i, p in enumerate(self.atoms)]
        for path in [self.write("a.gro", gro(self.atoms, self.NAMES, [5, 5, 5])),
                     self.write("a.pdb", pdb(self.atoms, self.NAMES, [5, 5, 5])),
                     self.write("a.dump", lammps(self.atoms, self.NAMES, [5, 5, 5])),
                     self.write("a.xyz", lines), self.write("b.xyz", "\n".join(later) + "\n")]:
            self.assertEqual(self.listed(path, "name:OW"), self.every("OW"))
            self.assertEqual(self.listed(path, "name:HW?,2,name:C*"),
                             self.every("HW1", "HW2") + [2] + self.every("CA"))
            self.bad(2 if path == "x" else 1, ["name:XX fits no atom", "OW, HW1, HW2, CA"],
                     "coordination", path, *SMALL, "--group-a", "name:XX")
        self.assertEqual(self.listed(path, "element:ca"), self.every("CA"))
        for name in ["a.gro", "a.pdb"]:
            self.bad(1, "name:O*", "coordination", self.path(name), *SMALL, "--group-a", "element:O")
        self.bad(1, "names nothing", "coordination", path, *SMALL, "--group-a", "name:")
        self.write("words", "1 name:CA")
        self.assertEqual(self.listed(path, "@" + self.path("words")), [1] + self.every("CA"))

    @long
    def test_elements(self):
        names = ["O1", "H", "Cl_2", "C"]
        lines = xyz([self.atoms]).replace("X ", "%s ") % tuple(names[i % 4] for i in range(24))
        path = self.write("a.xyz", lines)
        self.assertEqual(self.listed(path, "element:O"), list(range(1, 24, 4)))
        self.assertEqual(self.listed(path, "element:C"), list(range(4, 25, 4)))
        self.bad(2, "has more than 15 characters", "coordination", "-", *SMALL, "--group-a", "name:O",
                 stdin="1\n\n" + "O" * 16 + " 1 2 3\n")

    @long
    def test_names_of_another_file(self):
        path = os.path.join(DATA, "liquid.xtc")
        names = gro([[0, 0, 0]] * 64, self.NAMES, [0, 0, 0])
        self.bad(1, ["has no names of atoms", "--names"], "coordination", path, *SMALL, "--group-a",
                 "name:OW")
        for name in ["n.gro", "n.gro.gz"] if ZLIB else ["n.gro"]:
            given = self.write(name, gzip.compress(names.encode()) if name[-1] == "z" else names)
            self.assertEqual(self.listed(path, "name:CA", "--names", given, "--end", 1),
                             list(range(4, 65, 4)))
        self.bad(2, "has 2 atoms, but the frames of", "coordination", path, *SMALL, "--group-a",
                 "name:OW", "--names", self.write("m.gro", gro([[0, 0, 0]] * 2, ["OW"], [0, 0, 0])))
        self.bad(2, "has no names", "coordination", path, *SMALL, "--group-a", "name:OW", "--names", path)

    def test_index_files(self):
        path = self.write("a.xyz", xyz([self.atoms]))
        index = self.write("a.ndx", "[ System ] ; [ b ] ; all\n" + " ".join(map(str, range(1, 25))) +
                           ";\n; 3 4 [ empty ]\n"
                           "[Water_&_O]\r\n3 4 5 ;6\r\n  9; x\r\n [ a b ] \n7\n[ empty ]\n[ bad ]\n1 2\nx\n"
                           "[ twice ]\n1\n[ twice ]\n2\n[ far ]\n1\n 25\n")
        self.assertEqual(self.listed(path, f"@{index}:System"), list(range(1, 25)))
        self.assertEqual(self.listed(path, f"@{index}:Water_&_O"), [3, 4, 5, 9])
        self.assertEqual(self.listed(path, f"@{index}:a b"), [7])
        for name, words in [("none", "it has no group 'none'; its groups are System, Water_&_O, a b"),
                            ("", "name one of its groups"), ("empty", "is empty"),
                            ("bad", "a.ndx:12: 'x' is neither"), ("twice", "is there twice"),
                            ("far", "a.ndx:19: there is no atom 25")]:
            self.bad(2, words, "coordination", path, *SMALL, "--group-a", f"@{index}:{name}")
        self.bad(2, "name one of", "coordination", path, *SMALL, "--group-a", "@" + index)
        for text, words in [("1 2 3\n", "has no group"), ("", "e.ndx: the index file is empty"),
                            ("\ufeff\r\n; none\n", "e.ndx: the index file is empty"),
                            ("[ x ]\n1 2\0 3\n", "e.ndx:2: byte 4 of the line is NUL"),
                            ("[ x ]\n1 ; \0 3\n", "e.ndx:2: byte 5 of the line is NUL"),
                            ("[\0 x ]\n1 2 3\n", "e.ndx:1: byte 2 of the line is NUL"),
                            ("[ x ]\n3\n".encode("utf-16"), "e.ndx:1: this text is in UTF-16: save it in UTF-8")]:
            index = self.write("e.ndx", text)
            for group in [f"@{index}:x", f"@{index}"]:
                self.bad(2, words, "coordination", path, *SMALL, "--group-a", group)
        for text in ["\ufeff[ x ]\n3 4\n", "\ufeff\n[ x ]\r\n3 4", "[ y ]\r1\r[ x ]\r3\r4\r"]:
            self.assertEqual(self.listed(path, "@" + self.write("e.ndx", text) + ":x"), [3, 4])
        for text in ["\ufeff3,4", "3\r4\r"]:
            self.assertEqual(self.listed(path, "@" + self.write("words", text)), [3, 4])
        self.bad(2, "cannot be read", "coordination", path, *SMALL, "--group-a", "@no.ndx:x")
        self.write("water-x.ndx", "[ x ]\n7\n")  # begins like a name of PLUMED's
        self.good("coordination", path, *SMALL, "--group-a", "@water-x.ndx:x", cwd=self.folder)

    def test_packed_lists(self):
        path = self.write("a.xyz", xyz([self.atoms]))
        for ending, pack in PACKED.items():
            index = self.write("n2.ndx." + ending, pack(b"[ x ]\n3 4\n[ y ]\n5\n"))
            self.assertEqual(self.listed(path, f"@{index}:x"), [3, 4])
            self.bad(2, "its groups are x, y", "coordination", path, *SMALL, "--group-a", "@" + index)
            words = self.write("words." + ending, pack(b"3,7-9\n"))
            self.assertEqual(self.listed(path, "@" + words), [3, 7, 8, 9])
            cut = self.write("cut", pack(b"3,7-9\n")[:-3])
            self.bad(2, "cut: cannot be read: the packed data end early", "coordination", path, *SMALL,
                     "--group-a", "@" + cut)


class Several(Inputs):
    def test_one_row(self):
        """Numbers of frames continue from file to file; times are those of the files."""
        frames = [atoms(5, self.random) for _ in range(7)]
        expected = [coordination(f, None)[0] for f in frames]
        a, b = self.write("a.xyz", xyz(frames[:3])), self.write("b.xyz", xyz(frames[3:5]))
        c = xyz(frames[5:]).encode()
        c = self.write("c.xyz.gz", gzip.compress(c)) if ZLIB else self.write("c.xyz", c)
        rows = colvar(self.good("coordination", "-q", a, b, c, *SMALL).out)
        self.assertEqual([row[0] for row in rows], list(range(7)))
        self.near([row[1] for row in rows], expected)
        for options, wanted in [(["--begin", 4], [4, 5, 6]), (["--stride", 2, "--begin", 1], [1, 3, 5]),
                                (["--end", 4], [0, 1, 2, 3])]:
            rows = colvar(self.good("coordination", "-q", a, b, "-", *SMALL, *options,
                                    stdin=xyz(frames[5:])).out)
            self.assertEqual([row[0] for row in rows], wanted)
            self.near([row[1] for row in rows], [expected[f] for f in wanted])
        self.bad(2, "there are 7 frames", "coordination", a, b, c, *SMALL, "--begin", 7)

    def test_refused(self):
        a = self.write("a.xyz", xyz([atoms(5, self.random)]))
        b = self.write("b.xyz", xyz([atoms(4, self.random)]))
        done = self.bad(2, ["b.xyz: its frames have 4 atoms, but those of", "have 5"], "coordination",
                        a, b, *SMALL)
        self.assertEqual(len(colvar(done.out)), 1)
        self.bad(2, "no.xyz: cannot be read", "coordination", a, "no.xyz", *SMALL)
        self.bad(2, "trjconv", "coordination", a, "no.nc", *SMALL)
        self.bad(1, "only once", "coordination", "-", "-", *SMALL)
        self.bad(1, "b.xyz", "coordination", a, b, *SMALL, "-o", b)

    @long
    def test_times(self):
        path = os.path.join(DATA, "liquid.xtc")
        rows = colvar(self.good("coordination", "-q", path, path, *SMALL, "--stride", 4).out)
        self.assertEqual([row[0] for row in rows], [0, 0.4, 0.3])


class Tables(Inputs):
    def test_kinds(self):
        path = self.write("a.xyz", xyz([self.atoms, self.atoms[::-1]], [TRICLINIC, TRICLINIC]))
        self.good("coordination", "-q", path, *SMALL, "--virial", "-o", self.path("a"), "--derivatives",
                  self.path("d"), "--per-atom", self.path("s"))
        self.good("coordination", "-q", path, *SMALL, "--virial", "-o", self.path("a.csv"),
                  "--derivatives", self.path("d.csv"), "--per-atom", self.path("s.csv"))
        for name in "ads":
            lines = [line for line in self.read(name).splitlines() if not line.startswith("#! SET")]
            lines[0] = lines[0][len("#! FIELDS "):]
            self.assertEqual("\n".join(lines).replace(" ", ",") + "\n", self.read(name + ".csv"))
        self.good("coordination", "-q", path, *SMALL, "--virial", "-o", self.path("a.npy"),
                  "--derivatives", self.path("d.npy"), "--per-atom", self.path("s.npy"))
        for name, shape, skipped in [("a", (2, 11), 0), ("d", (2, 24, 3), 3), ("s", (2, 24), 3)]:
            _, found, values = npy.load(self.path(name + ".npy"))
            rows = [row[skipped:] for row in colvar(self.read(name))]
            self.assertEqual(found, shape)
            self.assertEqual(values, [x for row in rows for x in row])
        self.bad(4, "regular file", "coordination", path, *SMALL, "--per-atom", "/dev/null",
                 "-o", self.pipe())
        self.bad(1, "arrays are not packed", "coordination", path, *SMALL, "-o", self.path("x.npy.gz"))

    def pipe(self):
        os.symlink("/dev/null", self.path("null.npy"))
        return self.path("null.npy")

    @long
    @needs_zlib
    def test_packed(self):
        path = self.write("a.xyz", xyz([self.atoms] * 3))
        for name, option in [("a.csv", "-o"), ("colvar", "-o"), ("d", "--derivatives")]:
            self.good("coordination", "-q", path, *SMALL, option, self.path(name))
            for _ in range(2):  # the same bytes again
                self.good("coordination", "-q", path, *SMALL, option, self.path(name + ".gz"))
                with open(self.path(name + ".gz"), "rb") as file:
                    packed = file.read()
                self.assertEqual(gzip.decompress(packed).decode(), self.read(name))
            self.assertEqual(packed[4:8], bytes(4))

    def picture(self, *arguments):
        self.good("coordination", "-q", *arguments, "--svg", self.path("p.svg"), "-o", self.path("o"))
        root = tree.parse(self.path("p.svg")).getroot()
        texts = [item.text for item in root.iter("{http://www.w3.org/2000/svg}text")]
        return root, texts

    def test_picture(self):
        """The picture has a panel for each number, a dot for each of a few frames, and units."""
        space = "{http://www.w3.org/2000/svg}"
        root, texts = self.picture(os.path.join(DATA, "liquid.xtc"), *SMALL)
        for text in ["liquid.xtc, 5 frames", "time (ps)", "coordination number", "cn", "0.0", "0.4", "170"]:
            self.assertIn(text, texts)
        self.assertEqual(len(list(root.iter(space + "circle"))), 5)
        name = self.write("a&b<.xyz", xyz([[[0, 0, 0], [0.1 + 0.0001 * k, 0, 0]] for k in range(4000)]))
        root, texts = self.picture(name, "--cv", "a: COORDINATION R_0=0.3", "--cv",
                                   "b: COORDINATION GROUPA=1 R_0=1")
        self.assertIn("a&b<.xyz, 4000 frames", texts)
        self.assertTrue({"a", "b", "frame"} <= set(texts))
        self.assertEqual(len(list(root.iter(space + "circle"))), 0)
        curves = [p for p in root.iter(space + "path") if p.get("class") == "curve"]
        self.assertEqual(len(curves), 2)
        places = re.findall(r"[ML]([-\d.e+]+) ([-\d.e+]+)", curves[0].get("d"))
        self.assertLess(len(places), 3300)
        for x, y in places:
            self.assertTrue(0 < float(x) < 900 and 0 < float(y) < 460, (x, y))
        self.picture(self.write("one.xyz", xyz([[[0, 0, 0]]])), *SMALL)
        self.bad(1, "one.xyz", "coordination", self.path("one.xyz"), *SMALL, "--svg",
                 self.path("one.xyz"))
        self.bad(1, "leave out --part", "coordination", self.path("one.xyz"), *SMALL, "--svg", "x.svg",
                 "--part", "1/2", "-o", self.path("o"))
        self.bad(4, "No space", "coordination", self.path("one.xyz"), *SMALL, "--svg", "/dev/full")

    def test_digits(self):
        path = self.write("a.xyz", xyz([self.atoms]))
        line = self.good("coordination", "-q", path, *SMALL, "--fmt", "%12.4f").out.splitlines()[-1]
        self.assertRegex(line, r"^0 +\d+\.\d{4}$")
        for text in ["%d", "%s", "f", "%f%f", "%.99f", "%99f", "%lf", "%n", "%*f", "%", "", "%f "]:
            self.bad(1, "--fmt", "coordination", path, *SMALL, "--fmt", text)

    def test_head(self):
        path = self.write("a.xyz", xyz([self.atoms]))
        done = self.good("coordination", "-q", path, "--cv", "b: COORDINATION R_0=0.2", "--cv",
                         "a: COORDINATION GROUPA=1-3 GROUPB=4-9 SWITCH={EXP R_0=0.2 D_MAX=0.7}", "--virial",
                         "--per-atom", self.path("s"))
        self.assertRegex(done.out, r"^#! FIELDS time b b\.vir_xx .* b\.vir_zz a a\.vir_xx ")
        self.assertIn("#! SET a.d_max 0.69999999999999996\n", done.out)
        lines = self.read("s").splitlines()
        self.assertEqual(lines[0], "#! FIELDS frame cv entry atom number")
        self.assertEqual([line.split()[:4] for line in (lines[1], lines[25], lines[-1])],
                         [["0", "b", "0", "1"], ["0", "a", "0", "1"], ["0", "a", "8", "9"]])
        self.assertTrue(re.match(r"^0 \S+( \S+){19}$", done.out.splitlines()[-1]))


if __name__ == "__main__":
    main()
