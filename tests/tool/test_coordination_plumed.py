# SPDX-License-Identifier: Apache-2.0
"""Tests coordination: several numbers in one reading, by --cv and by inputs of PLUMED."""
import math
import os
import random
import unittest

from coordination_oracle import atoms, colvar, coordination, rational, xyz
from driver import PACKED, Case, long, main

PRELOADED = os.environ.get("MOTE_PRELOADED")


class Numbers(Case):
    def setUp(self):
        super().setUp()
        chance = random.Random(82)
        self.frames = [atoms(12, chance) for _ in range(5)]
        box = [[1.5, 0, 0], [0, 1.4, 0], [0, 0, 1.6]]
        self.box = box
        self.path_in = self.write("a.xyz", xyz(self.frames, [box] * 5))

    def expected(self, a=None, b=None, box=True, **function):
        def count(r):
            return rational(r, **function)
        lists = [[i - 1 for i in group] if group else None for group in (a, b)]
        return [coordination(f, self.box if box else None, *lists, function=count)[0]
                for f in self.frames]

    def near(self, found, expected, delta=1e-9):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b, delta=delta)


class Words(Numbers):
    def test_several(self):
        done = self.good("coordination", "-q", self.path_in, "--cv", "one: COORDINATION R_0=0.2",
                         "--cv", "COORDINATION LABEL=two GROUPA=1-4 GROUPB=5,6 R_0=0.5 NN=8 NOPBC",
                         "--cv", "three: COORDINATION GROUPA=1-4 R_0=1/5 D_0=0.1 MM=0")
        rows = colvar(done.out)
        self.assertTrue(done.out.startswith("#! FIELDS time one two three\n"))
        self.near([row[1] for row in rows], self.expected(r0=0.2))
        self.near([row[2] for row in rows],
                  self.expected([1, 2, 3, 4], [5, 6], box=False, r0=0.5, nn=8, mm=16))
        self.near([row[3] for row in rows], self.expected([1, 2, 3, 4], r0=0.2, d0=0.1))

    @long
    def test_derivatives(self):
        """Each number has the value that it has alone."""
        words = ["GROUPA=1-4 R_0=0.2", "GROUPA=3,3,5 GROUPB=1-12 R_0=0.3"]
        for name in ["d", "s"]:
            option = {"d": "--derivatives", "s": "--per-atom"}[name]
            self.good("coordination", "-q", self.path_in, "--cv", "a: COORDINATION " + words[0], "--cv",
                      "b: COORDINATION " + words[1], option, self.path(name))
            for label, text in zip("ab", words):
                self.good("coordination", "-q", self.path_in, "--cv", "x: COORDINATION " + text, option,
                          self.path("alone"))
                found = [line.split() for line in self.read(name).splitlines()[1:]]
                self.assertEqual([line[:1] + line[2:] for line in found if line[1] == label],
                                 [line.split() for line in self.read("alone").splitlines()[1:]])

    @long
    @unittest.skipUnless(PRELOADED, "a sanitizer's runtime has to be loaded first")
    def test_one_copy(self):
        """A device to which arrays are copied gets the positions once, whatever the number of variables."""
        words, found = [], []
        for name, r0 in [("a", 0.2), ("b", 0.3), ("c", 0.4)]:
            words += ["--cv", f"{name}: COORDINATION R_0={r0}"]
            env = {**os.environ, "LD_PRELOAD": PRELOADED, "MOTE_TEST_GPU": "1",
                   "MOTE_TEST_COPIES": self.path(name), "MOTE_TUNE": "coordination.form=cpu"}
            done = self.good("coordination", "-q", self.path_in, *words, "--derivatives",
                             self.path("d"), "--precision", "mixed", env=env)
            found.append([int(size) for size in self.read(name).split()])
            self.assertEqual(done.out, self.good("coordination", "-q", self.path_in, *words,
                                                 "--precision", "mixed").out)
        frames = 5 * 12 * 3 * 8  # bytes
        self.assertEqual(found, [[frames]] * 3)

    def test_refused(self):
        for text, words in [("COORDINATION R_0=1", "no label"), ("a: DISTANCE ATOMS=1,2", "is not COORD"),
                            ("a: COORDINATION", "give R_0 or SWITCH"), ("", "no label"),
                            ("a: COORDINATION R_0=1 FOO=2", ["'FOO=2'", "GROUPA="]),
                            ("a: COORDINATION R_0=1 R_0=2", "R_0= is given twice"),
                            ("a: COORDINATION R_0=-1", "--cv a: "), ("a: COORDINATION R_0=x", "--cv a: "),
                            ("a: COORDINATION R_0=1 SWITCH={EXP R_0=1}", "SWITCH says all"),
                            ("a: COORDINATION SWITCH={EXP R_0=1", "brace"),
                            ("a: COORDINATION R_0=1 GROUPB=1", "GROUPA is missing"),
                            ("a: COORDINATION R_0=1 GROUPA=1 PAIR", "PAIR needs GROUPB"),
                            ("a: COORDINATION R_0=1 GROUPA=1-2 GROUPB=3 PAIR", "one length"),
                            ("a: COORDINATION R_0=1 GROUPA=0", "--cv a: GROUPA: '0'"),
                            ("a: COORDINATION R_0=1 GROUPA=@mdatoms", "PLUMED's @mdatoms"),
                            ("a: COORDINATION R_0=1 GROUPA=13", "there is no atom 13"),
                            ("a: COORDINATION R_0=1 GROUPA=1,h", "'h' is neither an atom number nor"),
                            ("a/b: COORDINATION R_0=1", "label 'a/b'"),
                            ("a: COORDINATION R_0=1 LABEL=b", "two labels")]:
            self.bad(1, words, "coordination", self.path_in, "--cv", text)
        self.bad(1, "'a' is given twice", "coordination", self.path_in, "--cv", "a: COORDINATION R_0=1",
                 "--cv", "a: COORDINATION R_0=2")
        self.bad(1, "leave out --r0", "coordination", self.path_in, "--cv", "a: COORDINATION R_0=1",
                 "--r0", 1)


def below(n, r0):
    """Returns LESS_THAN's function of a number."""
    return 1 / (1 + (n / r0)**6)


FUNCTIONS = {
    "mean": lambda n: math.fsum(n) / len(n),
    "moment-2": lambda n: math.fsum((k - math.fsum(n) / len(n))**2 for k in n) / len(n),
    "moment-3": lambda n: math.fsum((k - math.fsum(n) / len(n))**3 for k in n) / len(n),
    "lessthan": lambda n: math.fsum(below(k, 2.5) for k in n),
    "lessthan-1": lambda n: math.fsum(below(k, 1.0) for k in n),
    "morethan": lambda n: math.fsum(1 - below(k, 3.0) for k in n),
}
WORDS = ("MORE_THAN={RATIONAL R_0=3} MOMENTS=2-3 LESS_THAN={RATIONAL R_0=2.5} "
         "LESS_THAN1={RATIONAL R_0=1} MEAN")


class Functions(Numbers):
    """Tests functions of single atoms' numbers, as COORDINATIONNUMBER has them."""

    def value(self, name, positions, a, b, box=None):
        def count(r):
            return rational(r, r0=0.3)
        numbers = coordination(positions, box or self.box, a, b, function=count)[3]
        return FUNCTIONS[name](numbers[:len(a)])

    def columns(self, text):
        rows = colvar(text)
        names = text.split("\n")[0].split()[2:]
        return names, {name: [row[k] for row in rows] for k, name in enumerate(names)}

    def test_values(self):
        done = self.good("coordination", "-q", self.path_in, "--cv",
                         "n: COORDINATIONNUMBER SPECIES=1-7,9 R_0=0.3 " + WORDS, "--cv",
                         "m: COORDINATIONNUMBER SPECIESA=1-4 SPECIESB=3-12 R_0=0.3 " + WORDS, "--cv",
                         "c: COORDINATION R_0=0.3")
        names, found = self.columns(done.out)
        order = ["mean", "moment-2", "moment-3", "lessthan", "lessthan-1", "morethan"]
        self.assertEqual(names, ["time"] + [f"{k}.{name}" for k in "nm" for name in order] + ["c"])
        self.near(found["c"], self.expected(r0=0.3))
        for label, a, b in [("n", [0, 1, 2, 3, 4, 5, 6, 8], None), ("m", [0, 1, 2, 3], list(range(2, 12)))]:
            for name in order:
                self.near(found[f"{label}.{name}"], [self.value(name, f, a, b) for f in self.frames])

    @long
    def test_derivatives(self):
        """Compares with finite differences of the plain loops, by positions and box; with two lists."""
        self.good("coordination", "-q", self.path_in, "--cv", "m: COORDINATIONNUMBER SPECIESA=1-4 "
                  "SPECIESB=5-12 R_0=0.3 MEAN MOMENTS=2 LESS_THAN={RATIONAL R_0=2.5}", "--virial",
                  "--derivatives", self.path("d"), "--per-atom", self.path("s"), "-o", self.path("o"))
        names, found = self.columns(self.read("o"))
        lines = [line.split() for line in self.read("d").splitlines()[1:]]
        a, b, h = [0, 1, 2, 3], list(range(4, 12)), 1e-5
        for name in ["mean", "moment-2", "lessthan"]:
            for frame, entry, k in [(0, 0, 0), (2, 3, 1), (4, 9, 2)]:
                sides = []
                for step in [h, -h]:
                    moved = [list(x) for x in self.frames[frame]]
                    moved[entry][k] += step
                    sides.append(self.value(name, moved, a, b))
                row = [line for line in lines if line[:3] == [str(frame), "m." + name, str(entry)]]
                self.assertEqual(len(row), 1)
                self.near([float(row[0][4 + k])], [(sides[0] - sides[1]) / (2 * h)], 1e-6)
            sides = []
            for factor in [1 + h, 1 - h]:
                moved = [[x[0], factor * x[1], x[2]] for x in self.frames[1]]
                box = [[row[0], factor * row[1], row[2]] for row in self.box]
                sides.append(self.value(name, moved, a, b, box))
            self.near([found[f"m.{name}.vir_yy"][1]], [-(sides[0] - sides[1]) / (2 * h)], 1e-6)
        numbers = [line.split() for line in self.read("s").splitlines()[1:]]
        self.assertEqual({line[1] for line in numbers}, {"m"})
        self.assertEqual(len(numbers), 5 * 12)

    @long
    def test_options(self):
        options = ["--mean", "--moments", "2,3", "--less-than", "RATIONAL R_0=2.5", "--more-than",
                   "RATIONAL R_0=3"]
        for lists, words in [([], "SPECIES=1-12"), (["--group-a", "1-4", "--group-b", "5-12"],
                                                    "SPECIESA=1-4 SPECIESB=5-12")]:
            one = self.good("coordination", "-q", self.path_in, *lists, "--r0", 0.3, *options).out
            other = self.good("coordination", "-q", self.path_in, "--cv",
                              f"cn: COORDINATIONNUMBER {words} R_0=0.3 MEAN MOMENTS=2,3 "
                              "LESS_THAN={RATIONAL R_0=2.5} MORE_THAN={RATIONAL R_0=3}").out
            self.assertEqual(one, other)
            self.assertIn(" cn.mean cn.moment-2 cn.moment-3 cn.lessthan cn.morethan\n", one)

    @long
    def test_plumed(self):
        plumed = self.write("plumed.dat", """
n: COORDINATIONNUMBER SPECIES=1-12 R_0=0.3 MEAN MOMENTS=2
PRINT ARG=n.mean,n.none FILE=%s FMT=%%.12g
PRINT ARG=n_moment-2 FILE=%s
PRINT ARG=n.* FILE=%s
""" % (self.path("a"), self.path("b"), self.path("c")))
        done = self.good("coordination", self.path_in, "--plumed", plumed)
        self.assertIn("plumed.dat:3: ARG=n.none is not taken", done.err)
        self.assertEqual([self.read(name).splitlines()[0] for name in "abc"],
                         ["#! FIELDS time n.mean", "#! FIELDS time n.moment-2",
                          "#! FIELDS time n.mean n.moment-2"])
        self.near([row[1] for row in colvar(self.read("a"))],
                  [self.value("mean", f, list(range(12)), None) for f in self.frames])

    @long
    def test_refused(self):
        for text, words in [("SPECIES=1-4", "nothing to calculate"), ("MEAN", "give SPECIES"),
                            ("SPECIESA=1 MEAN", "SPECIESA and SPECIESB"),
                            ("SPECIES=1 SPECIESA=1 SPECIESB=2 MEAN", "give SPECIES"),
                            ("SPECIES=1-4 MOMENTS=1", "'1' is no list of moments"),
                            ("SPECIES=1-4 MOMENTS=2,", "no list of moments"),
                            ("SPECIES=1-4 MOMENTS=3-2", "no list of moments"),
                            ("SPECIES=1-4 MOMENTS=2,1000", "no list of moments"),
                            ("SPECIES=1-4 MOMENTS=2-4,3", "the moment 3 is given twice"),
                            ("SPECIES=1-4 MOMENTS=+2", "no list of moments"),
                            ("SPECIES=1-4 MOMENTS=", "no list of moments"),
                            ("SPECIES=1-4 LESS_THAN={FOO R_0=1}", ["LESS_THAN", "FOO"]),
                            ("SPECIES=1-4 LESS_THAN0={EXP R_0=1}", "does not take 'LESS_THAN0="),
                            ("SPECIES=1-4 MEAN LOWEST", ["'LOWEST'", "MORE_THAN="]),
                            ("SPECIES=1-4 MEAN MEAN", "MEAN is given twice"),
                            ("SPECIES=1-99 MEAN", "there is no atom")]:
            self.bad(1, words, "coordination", self.path_in, "--cv",
                     f"n: COORDINATIONNUMBER R_0=0.3 {text}")
        for options, words in [(["--mean", "--pair", "--group-a", 1, "--group-b", 2], "--pair counts pairs"),
                               (["--moments", "x"], "--moments: 'x'"),
                               (["--less-than", "RATIONAL"], "--less-than: "),
                               (["--more-than", "EXP R_0=1", "--more-than", "EXP R_0=2"], "given twice"),
                               (["--mean", "--cv", "a: COORDINATION R_0=1"], "leave out --r0")]:
            self.bad(1, words, "coordination", self.path_in, "--r0", 0.3, *options)
        self.bad(1, "'n' is given twice", "coordination", self.path_in, "--cv",
                 "n: COORDINATIONNUMBER SPECIES=1-3 R_0=1 MEAN", "--cv", "n: COORDINATION R_0=1")


INPUT = """# a comment
UNITS LENGTH=nm TIME=fs ENERGY=kcal/mol   # more
wat: GROUP ATOMS=1-4
all: COORDINATION R_0=0.2
COORDINATION ...
   LABEL=some GROUPA=wat
   GROUPB=5,6 # the others
   R_0=0.5 NN=8 NLIST NL_CUTOFF=2.0 NL_STRIDE=10
... COORDINATION
gauss: COORDINATION GROUPA=wat ...
  SWITCH={GAUSSIAN R_0=0.2 D_MAX=0.7}
...

d: DISTANCE ATOMS=1,2
RESTRAINT ARG=all AT=1 KAPPA=3
PRINT ARG=all,some,d FILE=%s STRIDE=2
PRINT FMT=%%8.3f ARG=gauss FILE=%s
PRINT ARG=d FILE=nothing
ENDPLUMED
what is here is not read
"""


class Plumed(Numbers):
    def test_input(self):
        plumed = self.write("plumed.dat", INPUT % (self.path("colvar"), self.path("gauss")))
        done = self.good("coordination", self.path_in, "--plumed", plumed)
        self.assertEqual(done.out, "")
        for words in ["plumed.dat:14: DISTANCE is not taken", "plumed.dat:15: RESTRAINT is not taken",
                      "plumed.dat:16: ARG=d is not taken", "plumed.dat:5: NLIST is not needed",
                      "plumed.dat:18: ARG=d is not taken", "3 coordination numbers"]:
            self.assertIn(words, done.err)
        self.assertNotIn("ENDPLUMED", done.err)
        lines = self.read("colvar").splitlines()
        self.assertEqual(lines[0], "#! FIELDS time all some")
        for line in lines[1:]:
            self.assertRegex(line, r"^ \d\.0{6} \d+\.\d{6} \d+\.\d{6}$")
        rows = colvar(self.read("colvar"))
        self.assertEqual([row[0] for row in rows], [0, 2, 4])
        self.near([row[1] for row in rows], self.expected(r0=0.2)[::2], 1e-6)
        self.near([row[2] for row in rows], self.expected([1, 2, 3, 4], [5, 6], r0=0.5, nn=8, mm=16)[::2],
                  1e-6)
        lines = self.read("gauss").splitlines()
        self.assertEqual(len(lines), 6)
        self.assertRegex(lines[1], r"^ 0\.000000 +\d\.\d{3}$")
        self.assertEqual(self.files(), ["a.xyz", "colvar", "gauss", "plumed.dat"])

    @long
    def test_without_print(self):
        plumed = self.write("p", "a: COORDINATION R_0=2\nb: COORDINATION GROUPA=1-3 R_0=1\nUNITS LENGTH=A\n")
        gro = "t= 3\n2\n    1A        A    1   0.000   0.000   0.000\n" \
              "    1A        A    2   0.200   0.000   0.000\n    1A        A    3   9.200   0.000   0.000\n 0 0 0\n"
        gro = gro.replace("\n2\n", "\n3\n")
        done = self.good("coordination", "-q", "-", "--plumed", plumed, stdin=gro)
        expected = rational(2, r0=2)[0]
        self.assertEqual(done.out, "#! FIELDS time a b\n 3.000000 %f %f\n"
                         % (expected, rational(2, r0=1)[0]))
        self.good("coordination", "-q", "-", "--plumed", plumed, "-o", self.path("o"), stdin=gro)
        self.assertEqual(self.read("o"), done.out)

    def test_index(self):
        self.write("i.ndx", "[ x ]\n1 2 3\n")
        text = f"g: GROUP NDX_FILE={self.path('i.ndx')} NDX_GROUP=x\nc: COORDINATION GROUPA=g R_0=0.2\n"
        for packed in [text.encode()] + [pack(text.encode()) for pack in PACKED.values()]:
            for path in ["-", self.write("p", packed)]:
                rows = colvar(self.good("coordination", "-q", self.path_in, "--plumed", path, "--fmt", "%.15g",
                                        stdin=packed).out)
                self.near([row[1] for row in rows], self.expected([1, 2, 3], r0=0.2))

    @long
    def test_edited_groups(self):
        """REMOVE removes one atom of the list for each of its own atoms. SORT and UNIQUE are
        applied afterwards. Lists may mix labels and atoms."""
        self.write("i.ndx", "[ x ]\n9 2 2 3\n")
        lists = {"a": ("ATOMS=1-8 REMOVE=2,4", [1, 3, 5, 6, 7, 8]),
                 "b": ("ATOMS=5,3,3,9,1 REMOVE=3,12 SORT", [1, 3, 5, 9]),
                 "c": ("ATOMS=5,3,3,9,1,9 UNIQUE", [1, 3, 5, 9]),
                 "d": ("ATOMS=a REMOVE=b", [6, 7, 8]),
                 "e": (f"NDX_FILE={self.path('i.ndx')} NDX_GROUP=x REMOVE=d SORT", [2, 2, 3, 9]),
                 "f": ("ATOMS=e REMOVE=2", [2, 3, 9]),
                 "g": ("ATOMS=name:X REMOVE=f", [k for k in range(1, 13) if k not in (2, 3, 9)]),
                 "h": ("ATOMS=b,12,a,b REMOVE=b,7", [12, 1, 3, 5, 6, 8, 1, 3, 5, 9]),
                 "7": ("ATOMS=h,name:X,7", [12, 1, 3, 5, 6, 8, 1, 3, 5, 9, *range(1, 13), 7]),
                 "h,2-4,h,d": (None, [12, 1, 3, 5, 6, 8, 1, 3, 5, 9, 2, 3, 4, 12, 1, 3, 5, 6, 8, 1, 3, 5, 9,
                                      6, 7, 8])}
        lines = "".join(f"{name}: GROUP {words}\n" for name, (words, _) in lists.items() if words)
        lists["7"] = (None, [7])  # as in PLUMED, a number is an atom
        for names, (_, atoms) in lists.items():
            text = lines + f"cn: COORDINATION GROUPA={names} GROUPB=10-12 R_0=0.2\n"
            rows = colvar(self.good("coordination", "-q", self.path_in, "--plumed", "-", "--fmt", "%.15g",
                                    stdin=text).out)
            self.near([row[1] for row in rows], self.expected(atoms, [10, 11, 12], r0=0.2))
        text = "a: GROUP ATOMS=1-3 REMOVE=1-3\nc: COORDINATION GROUPA=a R_0=1\n"
        self.bad(2, "p:2: GROUPA: no atom is left in the list", "coordination", self.path_in, "--plumed",
                 self.write("p", text))
        text = "a: GROUP ATOMS=1-3 REMOVE=13\nc: COORDINATION GROUPA=a R_0=1\n"
        self.bad(2, "there is no atom 13", "coordination", self.path_in, "--plumed", self.write("p", text))

    def test_lines_that_name_lines(self):
        """A GROUP line is read each time it is named, within limits of time and stack. No line can name itself or a
        later one."""
        def lines(n, words):
            return "g0: GROUP ATOMS=1-8\n" + "".join(
                f"g{k}: GROUP " + words.format(k - 1) + "\n" for k in range(1, n)) + \
                f"c: COORDINATION GROUPA=g{n - 1} R_0=0.2\n"

        def run(text):
            return "coordination", "-q", self.path_in, "--fmt", "%.15g", "--plumed", self.write("p", text)

        rows = colvar(self.good(*run(lines(4096, "ATOMS=g{}"))).out)
        self.near([row[1] for row in rows], self.expected(range(1, 9), r0=0.2))
        self.bad(2, ["p:4097: 4097 GROUP lines would be read", "at most 4096", "give @FILE"],
                 *run(lines(100000, "ATOMS=g{}")))
        self.bad(2, "p:13: 8191 GROUP lines would be read", *run(lines(41, "ATOMS=g{0} REMOVE=g{0}")))
        self.bad(2, "p:12: 6141 GROUP lines would be read",
                 *run(lines(11, "ATOMS=g{0},g{0}").replace("GROUPA=g10", "GROUPA=g10,g10,g10")))
        end = "c: COORDINATION GROUPA=g R_0=0.2\n"
        self.bad(2, "p:2: GROUPA: 'g'", *run("g: GROUP ATOMS=1-3 REMOVE=g\n" + end))
        self.bad(2, "p:3: GROUPA: 'h'", *run("g: GROUP ATOMS=1-3 REMOVE=h\nh: GROUP ATOMS=1-3 REMOVE=g\n" + end))

    def test_refused(self):
        one = "c: COORDINATION R_0=1\n"
        for text, words in [("", "no line is COORDINATION"), ("d: DISTANCE ATOMS=1,2\n", "no line is"),
                            ("#\n\0", "p:2: byte 1 of the line is NUL"),
                            ("c: COORDINATION ...\nR_0=1\n", "p:1: no line that begins"),
                            (one + one, "p:2: the label 'c' is given twice"),
                            (one + "PRINT FILE=x\n", "p:2: PRINT needs ARG"),
                            (one + "PRINT ARG=c FMT=%s\n", "p:2: FMT=%s"),
                            (one + "PRINT ARG=c STRIDE=0\n", "p:2: '0' is not a whole number"),
                            (one + "PRINT ARG=c FOO=0\n", "p:2: PRINT does not take 'FOO=0'"),
                            ("UNITS LENGTH=Bohr\n" + one, "LENGTH=Bohr: lengths in nm or A"),
                            ("UNITS TIME=h\n" + one, "TIME=h: times in"),
                            ("GROUP ATOMS=1\n" + one, "GROUP needs a label"),
                            ("g: GROUP ATOMS=1\ng: GROUP ATOMS=2\n" + one, "the label 'g' is given twice"),
                            ("g: GROUP ATOMS=1 NDX_FILE=i NDX_GROUP=a\n" + one, "not both"),
                            ("c: COORDINATION R_0=1 GROUPA=nosuch\n", "p:1: GROUPA: 'nosuch' is neither the label of"),
                            ("g: GROUP ATOMS=1\nc: COORDINATION R_0=1 GROUPA=g,5,h\nh: GROUP ATOMS=1\n",
                             "p:2: GROUPA: 'h' is neither the label of a GROUP line above nor a list"),
                            ("g: GROUP ATOMS=1\nh: GROUP ATOMS=g,99\nc: COORDINATION R_0=1 GROUPA=1,h\n",
                             "p:3: GROUPA: there is no atom 99"),
                            ("# x\n\nc: COORDINATION R_0=1 GROUPA=@water\n", "p:3: GROUPA: PLUMED's @water")]:
            self.bad(2, words, "coordination", self.path_in, "--plumed", self.write("p", text))
        path = self.write("p", one + "PRINT ARG=* FILE=x\n")
        self.bad(1, "leave out -o", "coordination", self.path_in, "--plumed", path, "-o", self.path("o"))
        self.bad(1, "leave out --r0", "coordination", self.path_in, "--plumed", path, "--r0", 1)
        self.bad(1, "leave out --length-unit", "coordination", self.path_in, "--plumed", path,
                 "--length-unit", "A")
        self.bad(2, "cannot be read", "coordination", self.path_in, "--plumed", self.path("no"))
        path = self.write("p", one + f"PRINT ARG=c FILE={self.path_in}\n")
        self.bad(1, "a.xyz", "coordination", self.path_in, "--plumed", path)


if __name__ == "__main__":
    main()
