# SPDX-License-Identifier: Apache-2.0
"""Tests coordination: order parameters, as MOTE_Q and MOTE_LOCAL_Q have them."""
import math
import random

from coordination_oracle import atoms, colvar, nearest, rational, xyz
from driver import Case, main

BOX = [[1.5, 0, 0], [0.3, 1.4, 0], [-0.2, 0.1, 1.6]]
SWITCH = "SWITCH={RATIONAL R_0=0.4 D_MAX=0.6}"


def legendre(l, x):
    before, now = 1.0, x
    for k in range(1, l):
        before, now = now, ((2 * k + 1) * x * now - k * before) / (k + 1)
    return now


def stars(positions, of, over, r0, dmax):
    """Returns the neighbours of each atom: their numbers, weights and unit vectors."""
    found = {}
    for i in of:
        near = []
        for j in over:
            d = nearest([positions[j][k] - positions[i][k] for k in range(3)], BOX)
            r = math.sqrt(sum(x * x for x in d))
            if j != i and r < dmax:
                near.append((j, rational(r, r0=r0, dmax=dmax)[0], [x / r for x in d]))
        found[i] = near
    return found


def product(l, one, other):
    """Returns the sum over m of conj(q_lm) q_lm of two atoms, by the addition theorem."""
    total = sum(s * t * legendre(l, sum(a * b for a, b in zip(u, v)))
                for _, s, u in one for _, t, v in other)
    weights = sum(s for _, s, _ in one) * sum(t for _, t, _ in other)
    return (2 * l + 1) / (4 * math.pi) * total / weights


def order(l, positions, of, over):
    near = stars(positions, of, over, 0.4, 0.6)
    return [math.sqrt(product(l, near[i], near[i])) for i in of]


def local(l, positions, every):
    near, ends = stars(positions, every, every, 0.4, 0.6), stars(positions, every, every, 0.3, 0.5)
    norm = order(l, positions, every, every)
    return [sum(s * product(l, near[i], near[j]) / norm[i] / norm[j] for j, s, _ in ends[i]) /
            sum(s for _, s, _ in ends[i]) for i in every]


class Order(Case):
    def setUp(self):
        super().setUp()
        self.frames = [atoms(30, random.Random(seed)) for seed in (5, 6)]
        self.path_in = self.write("a.xyz", xyz(self.frames, [BOX] * 2))

    def columns(self, text):
        names = text.split("\n")[0].split()[2:]
        return {name: [row[k] for row in colvar(text)] for k, name in enumerate(names)}

    def near(self, found, expected, delta=1e-9):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b, delta=delta)

    def test_values(self):
        done = self.good("coordination", "-q", self.path_in, "--cv",
                         f"q: MOTE_Q L=6 {SWITCH} SPECIES=1-30 MEAN SUM MOMENTS=2", "--cv",
                         f"l: MOTE_LOCAL_Q L=4 {SWITCH} LOCAL_SWITCH={{RATIONAL R_0=0.3 D_MAX=0.5}} "
                         "SPECIES=1-30 MORE_THAN={RATIONAL R_0=0.4}", "--cv",
                         f"t: Q3 {SWITCH} SPECIESA=1-4,9 SPECIESB=3-30 SUM", "--cv",
                         "c: COORDINATION R_0=0.3")
        found = self.columns(done.out)
        every = list(range(30))
        for k, frame in enumerate(self.frames):
            six = order(6, frame, every, every)
            mean = sum(six) / 30
            more = [1 - 1 / (1 + (max(x, 0) / 0.4) ** 6) for x in local(4, frame, every)]
            two = order(3, frame, [0, 1, 2, 3, 8], every[2:])
            self.near([found[name][k] for name in ("q.mean", "q.sum", "q.moment-2", "l.morethan", "t.sum")],
                      [mean, 30 * mean, sum((x - mean) ** 2 for x in six) / 30, sum(more), sum(two)])

    def test_derivatives(self):
        """With overlapping lists, the first entry of an atom has its derivative."""
        h, moved = 1e-5, []
        for step in (h, -h):
            frame = [list(x) for x in self.frames[0]]
            frame[3][1] += step
            moved.append(sum(order(3, frame, [0, 1, 2, 3, 8], list(range(2, 30)))))
        self.good("coordination", "-q", self.path_in, "--end", 1, "--cv",
                  f"t: MOTE_Q L=3 {SWITCH} SPECIESA=1-4,9 SPECIESB=3-30 SUM", "--derivatives",
                  self.path("d"), "--per-atom", self.path("n"), "-o", self.path("o"))
        rows = [line.split() for line in self.read("d").splitlines()[1:]]
        self.assertEqual(len(rows), 33)
        self.near([float(rows[3][4])], [(moved[0] - moved[1]) / (2 * h)], 1e-6)
        self.assertEqual([float(x) for x in rows[6][3:]], [0, 0, 0])
        for k in range(3):
            self.assertAlmostEqual(sum(float(row[3 + k]) for row in rows), 0, delta=1e-10)
        self.assertEqual([float(line.split()[3]) for line in self.read("n").splitlines()[6:]], [0] * 28)

    def test_plumed(self):
        plumed = self.write("plumed.dat", f"""
LOAD FILE=mote_plumed.so
q: MOTE_Q SPECIES=1-30 {SWITCH} MEAN
PRINT ARG=q.mean FILE={self.path("a")} FMT=%.12g
s: MOTE_Q SPECIES=1-30 SWITCH={{RATIONAL R_0=0.3 D_MAX=0.5}} MEAN
l: MOTE_LOCAL_Q SPECIES=1-30 SWITCH={{RATIONAL R_0=0.3 D_MAX=0.5}} MEAN
t: MOTE_Q SPECIES=1-30 R_0=0.3 D_MAX=0.5 MEAN NLIST NLISTCELLS NL_CUTOFF=0.7 NL_STRIDE=10 SERIAL DEVICE=gpu
m: MOTE_LOCAL_Q SPECIES=1-30 R_0=0.3 D_MAX=0.5 MEAN NLIST NL_CUTOFF=0.7 NL_STRIDE=10 SERIAL DEVICE=gpu
PRINT ARG=s.mean,t.mean,l.mean,m.mean FILE={self.path("b")} FMT=%.12g
""")
        err = self.good("coordination", self.path_in, "--plumed", plumed).err
        for words in ["plumed.dat:7: NLIST is not needed", "plumed.dat:8: DEVICE has no effect"]:
            self.assertIn(words, err)
        for _, s, t, local, m in colvar(self.read("b")):
            self.assertEqual((s, local), (t, m))
        every = list(range(30))
        self.near([row[1] for row in colvar(self.read("a"))],
                  [sum(order(6, frame, every, every)) / 30 for frame in self.frames])

    def test_refused(self):
        for text, words in [("MOTE_Q L=5 SPECIES=1-4 MEAN " + SWITCH, "L=5 must be 3, 4 or 6"),
                            ("Q6 L=6 SPECIES=1-4 MEAN " + SWITCH, "leave out L"),
                            ("MOTE_Q SPECIES=1-4 MEAN SWITCH={RATIONAL R_0=1}", "needs D_MAX"),
                            ("MOTE_Q SPECIES=1-4 " + SWITCH, "nothing to calculate"),
                            ("MOTE_Q SPECIES=1,2,1 MEAN " + SWITCH, "atom 1 is twice in a list"),
                            ("MOTE_LOCAL_Q SPECIESA=1 SPECIESB=2 MEAN " + SWITCH, "SPECIESA="),
                            ("MOTE_LOCAL_Q SPECIES=1-4 MEAN LOCAL_SWITCH={FOO} " + SWITCH, "FOO")]:
            self.bad(1, words, "coordination", self.path_in, "--cv", "n: " + text)

    def test_far_positions(self):
        path = self.write("far.xyz", xyz([self.frames[0], [(1, 1, 1)] * 6 + [(1e300, 1, 0)] * 24], [BOX] * 2))
        self.bad(2, "frame 1: atom 7 at (1e+300, 1, 0) is too many boxes away", "coordination", path, "--cv",
                 "n: MOTE_Q SPECIES=3-30 MEAN " + SWITCH)


if __name__ == "__main__":
    main()
