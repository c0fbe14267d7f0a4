# SPDX-License-Identifier: Apache-2.0
"""Tests generate jagged and atoms: inputs that are the same for a seed on every machine."""
from driver import Case, main
from npy import INDICES, load, parse

# The first offsets and values are the same on every machine and in all versions.
FIRST_OFFSETS = [0, 8, 19, 30, 43, 53, 65, 75, 88]
FIRST_VALUES = [39.0, 56.921875, 62.359375, 49.921875]


class Jagged(Case):
    def generate(self, *options):
        return parse(self.good("generate", "jagged", "-q", *options).raw)

    def test_spreads(self):
        for spread in ["constant", "poisson", "power"]:
            name, shape, offsets = self.generate("--lists", 4000, "--mean", 12, "--spread", spread)
            self.assertEqual((name, shape, offsets[0]), ("int64", (4001,), 0))
            lengths = [b - a for a, b in zip(offsets, offsets[1:])]
            self.assertGreaterEqual(min(lengths), 0)
            self.assertLess(abs(offsets[-1] / 48000 - 1), 0.3)
            longest = max(lengths)
            self.assertTrue(longest == 12 if spread == "constant" else
                            12 < longest < 40 if spread == "poisson" else longest > 100, longest)

    def test_reproducible(self):
        one = self.generate("--seed", 5)
        self.assertEqual(one, self.generate("--seed", 5, "--spread", "poisson", "--lists", 1000))
        self.assertNotEqual(one, self.generate("--seed", 6))
        self.assertEqual(one[2][:9], FIRST_OFFSETS)
        self.good("generate", "jagged", "--seed", 5, "-o", self.path("g.npy"))
        self.assertEqual(load(self.path("g.npy")), one)

    def test_values(self):
        """Each element has one value, which does not change the offsets."""
        offsets = self.generate("--lists", 8)
        self.assertEqual(self.generate("--lists", 8, "--values", self.path("v.npy")), offsets)
        name, shape, values = load(self.path("v.npy"))
        self.assertEqual((name, shape), ("float32", (offsets[2][-1],)))
        self.assertEqual(values[:4], FIRST_VALUES)
        self.assertTrue(all(0 <= value < 64 and (value * 64).is_integer() for value in values))
        self.good("generate", "jagged", "--lists", 8, "-q", "-o", self.path("o.npy"), "--values", "-")
        self.assertNotEqual(self.generate("--lists", 8, "--seed", 2, "--values", self.path("w.npy")), offsets)
        self.assertNotEqual(load(self.path("w.npy"))[2][:8], values[:8])

    def test_types(self):
        for name in INDICES:
            self.assertEqual(self.generate("--lists", 2, "--mean", 3, "--spread", "constant",
                                           "--dtype", name), (name, (3,), [0, 3, 6]))
        self.assertEqual(self.generate("--lists", 0)[2], [0])
        self.assertEqual(self.generate("--lists", 3, "--mean", 0)[2], [0] * 4)
        self.bad(1, "--dtype int32 cannot hold", "generate", "jagged", "--dtype", "int32",
                 "--lists", 3000, "--mean", 1000000, "--spread", "constant")

    def test_usage(self):
        for words, arguments in [
                (["cannot generate 'jaged'", "did you mean 'jagged'?"], ["jaged"]),
                ("--topology is not an option of mote generate jagged",
                 ["jagged", "--topology", "phase1"]),
                ("--lists is not an option of mote generate events", ["events", "--lists", 3]),
                (["constant, poisson, power", "did you mean 'poisson'?"],
                 ["jagged", "--spread", "poison"]),
                ("--mean", ["jagged", "--mean", -1]), ("--mean", ["jagged", "--mean", "2e6"]),
                ("--lists", ["jagged", "--lists", 2**31]), ("--dtype", ["jagged", "--dtype", "f8"]),
                ("must end in .npy", ["jagged", "-o", "g.txt"]),
                ("--values v.txt: the name must end in .npy", ["jagged", "--values", "v.txt"]),
                ("--values is not an option of mote generate atoms", ["atoms", "--values", "v.npy"])]:
            self.bad(1, words, "generate", *arguments)

    def test_summary(self):
        err = self.good("generate", "jagged", "--spread", "constant", "-o", "/dev/null").err
        self.assertEqual(err, "mote generate: 1000 lists with 10000 elements\n")


def liquid(n, seed, frames=1):
    """Returns side and coordinates of the benchmark system, drawn as its description requires."""
    side = (n / 33.4)**(1 / 3)
    state, drawn = seed, []
    for _ in range(3 * n * frames):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        drawn.append((state >> 11) * 2.0**-53)
    return side, drawn


class Atoms(Case):
    def generate(self, *options):
        return self.good("generate", "atoms", "-q", *options).out

    def near(self, found, expected, tolerance=4e-16):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertLessEqual(abs(float(a) - b), tolerance * max(abs(b), 1e-300))

    def check_frame(self, lines, side, drawn):
        self.near(lines[1].split(), [side] * 3)
        self.near([x for line in lines[2:] for x in line.split()[1:]], [side * u for u in drawn])

    def test_xyz(self):
        side, drawn = liquid(50, 50, 3)
        lines = self.generate("-n", 50, "--frames", 3).splitlines()
        self.assertEqual(len(lines), 3 * 52)
        for f in range(3):
            frame = lines[52 * f:52 * f + 52]
            self.assertEqual(frame[0], "50")
            self.check_frame(frame, side, drawn[150 * f:150 * f + 150])

    def test_seed(self):
        self.assertEqual(self.generate("-n", 7), self.generate("--atoms", 7, "--seed", 7))
        side, drawn = liquid(7, 99)
        self.check_frame(self.generate("-n", 7, "--seed", 99).splitlines(), side, drawn)
        self.good("generate", "atoms", "-n", 7, "-o", self.path("a.xyz"))
        self.assertEqual(self.read("a.xyz"), self.generate("-n", 7))

    def test_extended(self):
        plain = self.generate("-n", 4).splitlines()
        lines = self.generate("-n", 4, "--format", "extxyz").splitlines()
        side = plain[1].split()[0]
        self.assertEqual(lines[1], f'Lattice="{side} 0 0 0 {side} 0 0 0 {side}" '
                                   'Properties=species:S:1:pos:R:3 pbc="T T T"')
        self.assertEqual(lines[2:], plain[2:])
        self.good("generate", "atoms", "-n", 4, "-o", self.path("a.extxyz"))
        self.assertEqual(self.read("a.extxyz").splitlines(), lines)

    def test_gro(self):
        side, drawn = liquid(3, 3, 2)
        self.good("generate", "atoms", "-n", 3, "--frames", 2, "-o", self.path("a.gro"))
        lines = self.read("a.gro").splitlines()
        self.assertEqual(len(lines), 12)
        for f in range(2):
            title, count, *atoms, box = lines[6 * f:6 * f + 6]
            self.assertTrue(title.endswith(f"t= {f}.0"), title)
            self.assertEqual((count, atoms[2][:20]), ("3", "    3SOL     OW    3"))
            found = [float(a[20 + 17 * k:37 + 17 * k]) for a in atoms for k in range(3)]
            for a, u in zip(found, drawn[9 * f:]):
                self.assertLess(abs(a - side * u), 6e-13)
            self.assertLess(abs(float(box.split()[2]) - side), 6e-13)

    def test_sizes(self):
        self.assertEqual(self.generate("-n", 0), "0\n0 0 0\n")
        self.assertEqual(self.generate("-n", 5, "--frames", 0), "")
        lines = self.generate("-n", 100001, "--format", "gro").splitlines()
        self.assertEqual([lines[k][:20] for k in [100000, 100001, 100002]],
                         ["99999SOL     OW99999", "    0SOL     OW    0", "    1SOL     OW    1"])

    def test_usage(self):
        for words, arguments in [
                (["--atoms", "'-3'"], ["-n", -3]), ("--atoms", ["--atoms", 2**31]),
                ("--frames", ["--frames", "x"]),
                (["xyz, extxyz, gro", "did you mean 'gro'?"], ["--format", "gr"]),
                ("must end in .xyz, .extxyz or .gro", ["-o", "a.pdb"]),
                ("different formats", ["-o", "a.gro", "--format", "xyz"]),
                ("different formats", ["-o", "a.xyz", "--format", "gro"]),
                ("--lists is not an option of mote generate atoms", ["--lists", 2])]:
            self.bad(1, words, "generate", "atoms", *arguments)
        self.bad(1, "--atoms is not an option of mote generate jagged", "generate", "jagged", "-n", 3)
        self.bad(4, "No space", "generate", "atoms", "-o", "/dev/full")

    def test_summary(self):
        err = self.good("generate", "atoms", "-n", 1, "-o", "/dev/null").err
        self.assertEqual(err, "mote generate: 1 frame of 1 atom\n")


if __name__ == "__main__":
    main()
