# SPDX-License-Identifier: Apache-2.0
"""Tests rdf and neighbours: counts against plain loops over pairs and images, groups, blocks, files, usage."""
import itertools
import math
import random

import npy
from coordination_oracle import ORTHO, TRICLINIC, atoms, colvar, gro, xyz
from driver import Case, main


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def pairs_of(a, b, box, reach, images=2):
    """Yields i, j, S and D of all pairs within a distance; `b` None: of two atoms of a."""
    shifts = list(itertools.product(range(-images, images + 1), repeat=3)) if box else [(0, 0, 0)]
    for (i, x), (j, y) in itertools.product(enumerate(a), enumerate(a if b is None else b)):
        for s in shifts:
            d = [y[k] - x[k] + (sum(s[v] * box[v][k] for v in range(3)) if box else 0) for k in range(3)]
            if dot(d, d) < reach * reach and (b is not None or i != j or any(s)):
                yield i, j, s, d


def distribution(frames, boxes, reach, bins, a=None, b=None, block=None, norm="rdf", least=0.0):
    """Returns rows of r, g and n."""
    counts, sum_volume, sum_density, own = [0] * bins, 0.0, 0.0, False
    width = (reach - least) / bins
    for positions, box in zip(frames, boxes):
        first = [positions[k] for k in a] if a else positions
        second = [positions[k] for k in b] if b else None
        for i, j, _, d in pairs_of(first, second, box, reach):
            if not block or i // block[0] != j // block[1]:
                at = math.floor((math.sqrt(dot(d, d)) - least) / width)
                if 0 <= at < bins:
                    counts[at] += 1
        volume = abs(dot(box[0], cross(box[1], box[2]))) if box else math.inf
        own = own or box and any(0 < dot(v, v) < reach ** 2 for v in (
            [sum(k * a[x] for k, a in zip(steps, box)) for x in range(3)]
            for steps in itertools.product((-1, 0, 1), repeat=3)))
        sum_volume, sum_density = sum_volume + volume, sum_density + 1 / volume
    n_a, n_b = len(first), len(second or first)
    pairs = sum(not block or i // block[0] != j // block[1]
                for i in range(n_a) for j in range(n_b) if second or own or i != j)
    rows, below = [], 0
    for k, count in enumerate(counts):
        low, high = least + k * width, least + (k + 1) * width
        shell = 4 / 3 * math.pi * (high ** 3 - low ** 3)
        below += count
        ideal = {"rdf": pairs / (sum_volume / len(frames)) * len(frames), "gromacs": n_a * n_b * sum_density,
                 "none": len(frames) / shell}[norm]
        rows.append([(low + high) / 2, count / shell / ideal, below / len(frames) / n_a])
    return rows


class Distribution(Case):
    def setUp(self):
        super().setUp()
        self.chance = random.Random()
        self.frames = [atoms(12, self.chance) for _ in range(3)]
        self.boxes = [TRICLINIC, [[1.25 * x for x in v] for v in TRICLINIC], ORTHO]
        self.input = self.write("t.xyz", xyz(self.frames, self.boxes))

    def near(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for row, numbers in zip(found, expected):
            for a, b in zip(row, numbers):
                self.assertLessEqual(abs(a - b), 1e-9 * max(1, abs(b)), (row, numbers))

    def test_like_loops(self):
        for options, how in [([], {}), (["--norm", "gromacs"], {"norm": "gromacs"}),
                             (["--group-a", "1-6", "--group-b", "4-12", "--exclude", "2,3"],
                              {"a": range(6), "b": range(3, 12), "block": (2, 3)}),
                             (["--exclude", "5", "--norm", "none", "--rmin", "0.25"],
                              {"block": (5, 5), "norm": "none", "least": 0.25})]:
            out = self.good("rdf", "-q", self.input, "--rmax", "1.25", "--bins", "7", *options).out
            self.near(colvar(out), distribution(self.frames, self.boxes, 1.25, 7, **how))

    def test_files(self):
        out = self.good("rdf", "-q", self.input, "--rmax", "1.1", "--width", "0.25").out
        self.assertEqual(out.splitlines()[:3], ["#! FIELDS r g n", "#! SET frames 3", "#! SET norm rdf"])
        self.good("rdf", self.input, "--rmax", "1", "--bins", "4", "-o", self.path("a.npy"), "--svg", self.path("a.svg"))
        name, shape, values = npy.load(self.path("a.npy"))
        self.assertEqual((name, shape), ("float64", (4, 3)))
        self.near([values[3 * k:3 * k + 3] for k in range(4)], colvar(out))
        self.assertIn("g(r)</text>", self.read("a.svg"))
        self.assertIn("3 frames", self.read("a.svg"))
        self.good("rdf", self.input, "--rmax", "1", "--bins", "4", "-o", self.path("a.csv"))
        self.assertEqual(self.read("a.csv").replace(",", " ").split("\n")[1:], out.split("\n")[3:])
        some = self.good("rdf", "-q", self.input, "--rmax", "1", "--begin", "1", "--stride", "2").out
        self.near(colvar(some), distribution(self.frames[1:2], self.boxes[1:2], 1.0, 100))

    def test_boxes(self):
        """Without a volume there is no g(r); along axes that do not repeat there are no images."""
        args = [self.input, "--rmax", "1", "--bins", "5"]
        self.bad(2, "frame 0 has no volume", "rdf", *args, "--nopbc", "-o", self.path("no"))
        self.bad(2, "frame 0 has no volume", "rdf", *args, "--periodic", "xy")
        self.assertNotIn("no", self.files())
        out = self.good("rdf", "-q", *args, "--nopbc", "--norm", "none").out
        self.near(colvar(out), distribution(self.frames, [None] * 3, 1.0, 5, norm="none"))

    def test_bad_frame(self):
        text = xyz(self.frames, self.boxes)
        path = self.write("bad.xyz", text[:len(text) - 30])
        self.bad(2, "bad.xyz", "rdf", path, "--rmax", "1", "-o", self.path("no"))
        self.assertNotIn("no", self.files())

    def test_parts(self):
        """The merged counts of shares, of which some may be empty, are the bytes of one run."""
        for n, name, options in [(2, "all.csv", []), (5, "all", ["--norm", "gromacs", "--group-a", "1-6", "--group-b", "4-12"]),
                                 (3, "all.npy", ["--norm", "none", "--exclude", "3"])]:
            words = ["rdf", "-q", self.input, "--rmax", "1.1", "--bins", "9", *options]
            self.good(*words, "-o", self.path(name))
            shares = [self.path(f"s.{k}-of-{n}.txt") for k in range(1, n + 1)]
            for k in range(1, n + 1):
                self.good(*words, "--part", f"{k}/{n}", "-o", self.path("s.txt"))
            self.good("merge", *reversed(shares), "-o", self.path("m" + name))
            with open(self.path(name), "rb") as one, open(self.path("m" + name), "rb") as merged:
                self.assertEqual(one.read(), merged.read())
        self.bad(2, "1 of 3 shares is missing", "merge", *shares[1:])
        self.bad(1, "draws all frames", *words, "--part", "1/3", "--svg", self.path("s.svg"))
        self.bad(1, "writes text", *words, "--part", "1/3", "-o", self.path("s.npy"))
        for k in range(1, 4):
            self.good("coordination", "-q", self.input, "--r0", "0.3", "--part", f"{k}/3", "-o", self.path("c"))
            wrong = self.read(f"c.{k}-of-3.share").replace("command coordination", "command rdf")
            self.write(f"c.{k}-of-3.share", wrong)
        self.bad(2, "not the counts of a share", "merge", *(self.path(f"c.{k}-of-3") for k in range(1, 4)))

    def test_usage(self):
        for words, args in [("--rmax", []), ("--rmin 2", ["--rmax", "1", "--rmin", "2"]),
                            ("--bins or --width", ["--rmax", "1", "--bins", "3", "--width", "1"]),
                            ("--width", ["--rmax", "1", "--width", "2"]), ("above 0", ["--rmax", "1", "--width", "0"]), ("--bins", ["--rmax", "1", "--bins", "0"]),
                            ("--group-b needs", ["--rmax", "1", "--group-b", "1"]),
                            ("equal", ["--rmax", "1", "--exclude", "1,2"]),
                            ("two numbers", ["--rmax", "1", "--exclude", "1", "--group-a", "1", "--group-b", "2"]),
                            ("--exclude", ["--rmax", "1", "--exclude", "x"]),
                            ("--norm", ["--rmax", "1", "--norm", "mean"])]:
            self.bad(1, words, "rdf", self.input, *args)
        self.bad(1, "no trajectory", "rdf", "--rmax", "1")


class Neighbours(Case):
    def test_arrays(self):
        chance = random.Random()
        frames = [atoms(9, chance) for _ in range(2)]
        path = self.write("t.xyz", xyz(frames, [TRICLINIC, ORTHO]))
        names = ["-o", "p.npy", "--offsets", "o.npy", "--shifts", "S.npy", "--distances", "d.npy", "--vectors", "D.npy"]
        named = [self.path(word) if word.endswith(".npy") else word for word in names]
        self.good("neighbours", path, "--cutoff", "1.2", "--frame", "1", *named)
        expected = sorted(pairs_of(frames[1], None, ORTHO, 1.2), key=lambda pair: pair[:3])
        read = {name: npy.load(self.path(name)) for name in names[1::2]}
        n = len(expected)
        self.assertEqual([read[name][:2] for name in names[1::2]],
                         [("int64", (n, 2)), ("int64", (10,)), ("int32", (n, 3)), ("float64", (n,)),
                          ("float64", (n, 3))])
        self.assertEqual(list(read["p.npy"][2]), [k for pair in expected for k in pair[:2]])
        self.assertEqual(list(read["o.npy"][2]), [sum(pair[0] < i for pair in expected) for i in range(10)])
        self.assertEqual(list(read["S.npy"][2]), [k for pair in expected for k in pair[2]])
        for found, numbers in zip(zip(*[iter(read["D.npy"][2])] * 3), expected):
            self.assertLess(max(abs(a - b) for a, b in zip(found, numbers[3])), 1e-12)
        half = self.good("neighbours", "-q", path, "--cutoff", "1.2", "--frame", "1", "--half").out.splitlines()
        self.assertEqual(half[0], "i,j,Sx,Sy,Sz,d,Dx,Dy,Dz")
        self.assertEqual(2 * (len(half) - 1), n)

    def test_bad_use(self):
        path = self.write("t.xyz", xyz([atoms(3, random.Random())]))
        self.bad(1, "--cutoff", "neighbours", path)
        self.bad(1, ".npy", "neighbours", path, "--cutoff", "1", "-o", "x.txt")
        self.bad(1, ".npy", "neighbours", path, "--cutoff", "1", "--shifts", "x.csv")
        self.bad(2, "there is no frame 1", "neighbours", path, "--cutoff", "1", "--frame", "1")
        one = self.write("one.gro", gro([[0.1, 0.2, 0.3]], ["A"], [1.0, 1.0, 1.0]))
        self.assertEqual(len(self.good("neighbours", "-q", one, "--cutoff", "1.1").out.splitlines()), 7)


if __name__ == "__main__":
    main()
