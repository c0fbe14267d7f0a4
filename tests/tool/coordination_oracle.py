# SPDX-License-Identifier: Apache-2.0
"""Computes coordination numbers by plain loops over pairs, and writes the input files."""
import itertools
import math

HEADER = "#! FIELDS time cn"
SMALL = ["--r0", 0.3]


def rational(r, r0=0.3, nn=6, mm=12, d0=0.0, dmax=None):
    """Returns value and derivative of the stretched function, with the automatic d_max if none is given."""
    def plain(distance):
        x = (distance - d0) / r0
        if x <= 0:
            return 1.0
        if x == 1:
            return nn / mm
        # Near 1, the difference to a power of x would lose digits that the slope needs.
        return math.expm1(nn * math.log(x)) / math.expm1(mm * math.log(x))

    dmax = dmax or d0 + r0 * 1e-5**(1 / (nn - mm))
    stretch = 1 / (plain(0) - plain(dmax))
    if r > dmax:
        return 0.0, 0.0
    h = 1e-6
    slope = (plain(r + h) - plain(r - h)) / (2 * h) if r > d0 + h else 0.0
    return (plain(r) - plain(dmax)) * stretch, slope * stretch


def nearest(d, box):
    """Returns the shortest of the images of d. box: None or three rows."""
    if not box:
        return d
    images = []
    for n in itertools.product(range(-3, 4), repeat=3):
        images.append([d[k] + sum(n[i] * box[i][k] for i in range(3)) for k in range(3)])
    return min(images, key=lambda v: sum(c * c for c in v))


def pairs_of(a, b, pair):
    """Returns the entry numbers of the pairs that count; b is None for one group."""
    if pair:
        return [(k, len(a) + k) for k in range(len(a))]
    if b is None:
        return list(itertools.combinations(range(len(a)), 2))
    return [(i, len(a) + j) for i in range(len(a)) for j in range(len(b))]


def coordination(positions, box, a=None, b=None, pair=False, function=rational):
    """Returns value, virial, derivatives and the numbers of the entries; lists count from 0."""
    a = list(range(len(positions))) if a is None else a
    entries = a + (b or [])
    value, virial = 0.0, [0.0] * 9
    derivatives = [[0.0] * 3 for _ in entries]
    numbers = [0.0] * len(entries)
    for i, j in pairs_of(a, b, pair):
        p, q = positions[entries[i]], positions[entries[j]]
        if entries[i] == entries[j]:
            continue
        d = nearest([q[k] - p[k] for k in range(3)], box)
        r = math.sqrt(sum(c * c for c in d))
        s, slope = function(r)
        value += s
        numbers[i] += s
        numbers[j] += s
        for k in range(3):
            derivatives[i][k] -= slope / r * d[k]
            derivatives[j][k] += slope / r * d[k]
            for m in range(3):
                virial[3 * k + m] -= slope / r * d[k] * d[m]
    return value, virial, derivatives, numbers


def atoms(n, chance, side=0.9):
    return [[chance.uniform(0, side) for _ in range(3)] for _ in range(n)]


def xyz(frames, boxes=None):
    lines = []
    for f, positions in enumerate(frames):
        box = boxes[f] if boxes else None
        lines += [str(len(positions)), " ".join(f"{x:.17g}" for row in box for x in row) if box else ""]
        lines += ["X " + " ".join(f"{x:.17g}" for x in p) for p in positions]
    return "\n".join(lines) + "\n"


def colvar(text):
    """Returns the lines of numbers after the header."""
    return [[float(x) for x in line.split()] for line in text.splitlines() if line[0] != "#"]


def table(text):
    return [[int(x) for x in line.split()[:3]] + [float(x) for x in line.split()[3:]]
            for line in text.splitlines() if line[0] != "#"]


ORTHO = [[1.0, 0, 0], [0, 1.1, 0], [0, 0, 0.95]]
TRICLINIC = [[1.0, 0.2, -0.1], [-0.3, 1.1, 0.25], [0.2, -0.15, 0.95]]


def gro(positions, names, box):
    lines = ["title", str(len(positions))]
    lines += ["    1RES  %5s%5d" % (names[i % len(names)], i + 1) + "".join("%15.9f" % x for x in p)
              for i, p in enumerate(positions)]
    return "\n".join([*lines, " ".join(map(str, box))]) + "\n"


def pdb(positions, names, box):
    """Returns one frame of a PDB file; lengths are in nm, and in Angstrom in the file."""
    lines = ["CRYST1" + "".join(f"{10 * side:9.3f}" for side in box) + "  90.00" * 3]
    lines += [f"ATOM  {i % 99999 + 1:5d} {names[i % len(names)]:<4} MOL A   1    "
              + "".join(f"{10 * x:8.3f}" for x in p) for i, p in enumerate(positions)]
    return "\n".join(lines + ["END"]) + "\n"


def lammps(positions, names, box):
    """Returns one frame of a dump of LAMMPS in Angstrom, with the atoms in another order than that of their ids."""
    lines = [f"{i + 1} {names[i % len(names)]} " + " ".join(f"{x / side!r}" for x, side in zip(p, box))
             for i, p in enumerate(positions)]
    return "\n".join(["ITEM: UNITS", "real", "ITEM: TIMESTEP", "0", "ITEM: NUMBER OF ATOMS", str(len(lines)),
                      "ITEM: BOX BOUNDS pp pp pp", *(f"0 {10 * side!r}" for side in box),
                      "ITEM: ATOMS id element xs ys zs", *reversed(lines)]) + "\n"
