#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Melts ice by a restraint on the mean of Steinhardt's q6.

    python3 melt_ice.py FOLDER [CELLS [STEPS [SEED]]]

Water is the monatomic model mW (V. Molinero, E. Moore, J. Phys. Chem. B 113 (2009) 4008), here as
CELLS^3 cells of cubic ice (8 molecules each) at 250 K, below its melting point. In the first third
of the run a harmonic restraint moves the mean q6 from that of ice to that of a liquid, in the
second third it stays there, and in the last one there is no restraint. The program prints the mean
q6 and the number of molecules in ice, also those of a run without a restraint. FOLDER receives
melt_ice.svg and plumed.dat, the input of PLUMED for the same restraint by MOTE_Q. Needs the packages
mote and numpy.
"""

import math
import pathlib
import sys

import mote
import numpy

# mW in nm, ps, u and kJ/mol
EPSILON, SIGMA, REACH, LAMBDA, GAMMA = 25.894776, 0.23925, 1.8, 23.15, 1.2
A, B = 7.049556277, 0.6022245584
CELL, MASS = 0.6358, 18.0154
KT, FRICTION, STEP = 0.0083144626 * 250, 2.0, 0.005

SWITCH = "CUBIC D_0=0.3 D_MAX=0.4"  # the nearest neighbours
IN_ICE = "RATIONAL R_0=0.5 NN=12"   # of the local average
KAPPA, LIQUID = 1e5, 0.42             # kJ/mol; a mean q6 of disorder


def ice(cells):
    """Returns the positions of cubic ice, whose molecules have the places of atoms of diamond."""
    face = numpy.array([[0, 0, 0], [0, 2, 2], [2, 0, 2], [2, 2, 0]])
    basis = numpy.concatenate([face, face + 1]) * CELL / 4
    corners = numpy.stack(numpy.meshgrid(*[numpy.arange(cells)] * 3, indexing="ij"), -1).reshape(-1, 1, 3)
    return (corners * CELL + basis).reshape(-1, 3)


def add(forces, index, vectors):
    """Adds vectors to the forces of molecules."""
    for k in range(3):
        forces[:, k] += numpy.bincount(index, vectors[:, k], len(forces))


def water(x, box):
    """Returns the energy of mW and its forces."""
    reach = REACH * SIGMA
    pairs = mote.neighbours(x, 0.9999 * reach, box)
    d, unit = pairs.d, pairs.D / pairs.d[:, None]
    forces = numpy.zeros_like(x)
    # each pair is there twice
    gap = d - reach
    edge = numpy.exp(SIGMA / gap)
    power = B * (SIGMA / d) ** 4
    energy = A * EPSILON / 2 * ((power - 1) * edge).sum()
    slope = A * EPSILON * edge * (-4 * power / d - (power - 1) * SIGMA / gap ** 2)
    add(forces, pairs.i, slope[:, None] * unit)
    # all pairs of two neighbours of a molecule
    count = numpy.bincount(pairs.i, minlength=len(x))
    first = numpy.repeat(numpy.arange(len(d)), count[pairs.i])
    begin = numpy.cumsum(count) - count
    place = numpy.arange(len(first)) - numpy.repeat(numpy.cumsum(count[pairs.i]) - count[pairs.i], count[pairs.i])
    second = begin[pairs.i[first]] + place
    first, second = first[first < second], second[first < second]
    edge = numpy.exp(GAMMA * SIGMA / gap)
    steep = -GAMMA * SIGMA / gap ** 2
    cosine = (unit[first] * unit[second]).sum(axis=1)
    away = cosine + 1 / 3
    terms = LAMBDA * EPSILON * away * edge[first] * edge[second]
    energy += (terms * away).sum()
    for one, other in ((first, second), (second, first)):
        turn = 2 / d[one][:, None] * (unit[other] - cosine[:, None] * unit[one])
        push = terms[:, None] * (turn + (away * steep[one])[:, None] * unit[one])
        add(forces, pairs.j[one], -push)
        add(forces, pairs.i[one], push)
    return energy, forces


def restraint(x, box, target):
    """Returns the mean q6, and the forces of a harmonic restraint on it."""
    q = mote.steinhardt(x, 6, SWITCH, box, derivatives=True)
    return q.value, KAPPA * (target - q.value) * q.derivatives


def in_ice(x, box):
    """Returns a smooth number of molecules whose neighbourhoods are those of a crystal."""
    return mote.steinhardt(x, 6, SWITCH, box, local=True, reduction="more_than", threshold=IN_ICE).value


def target_at(step, steps, begin):
    """Returns the target of the restraint, or None without one."""
    if step > 2 * steps // 3:
        return None
    return begin + (LIQUID - begin) * min(1.0, 3 * step / steps)


def simulate(cells, steps, seed, restrained):
    """Returns time, mean q6, molecules in ice and target of 100 frames, by Langevin dynamics."""
    rng = numpy.random.default_rng(seed)
    x, box = ice(cells), [cells * CELL] * 3
    v = rng.normal(0, math.sqrt(KT / MASS), x.shape)
    begin, frames = None, []
    stays = math.exp(-FRICTION * STEP)
    forces = water(x, box)[1]
    for step in range(steps + 1):
        target = target_at(step, steps, begin or 0) if restrained and begin else None
        frame = step % max(1, steps // 100) == 0
        value, push = restraint(x, box, target if target is not None else 0) if restrained or frame else (0, 0)
        begin = begin or value
        total = forces if target is None else forces + push
        if frame:
            frames.append((step * STEP, value, in_ice(x, box), target if target is not None else math.nan))
        v += STEP / (2 * MASS) * total
        x += STEP / 2 * v
        v = stays * v + math.sqrt((1 - stays ** 2) * KT / MASS) * rng.normal(size=x.shape)
        x += STEP / 2 * v
        forces = water(x, box)[1]
        v += STEP / (2 * MASS) * (forces if target is None else forces + push)
    return numpy.array(frames)


# ---- output ------------------------------------------------------------------------------------

def panel(top, label, most, time, lines):
    """Returns one panel of the picture as SVG."""
    parts = [f'<path class="axis" d="M60 {top}V{top + 150}H560"/>',
             f'<text x="60" y="{top - 8}">{label}</text>']
    for part in (0, 0.5, 1):
        parts.append(f'<text x="54" y="{top + 154 - 150 * part:.0f}" text-anchor="end">{most * part:g}</text>')
    for name, row in lines:
        points = " ".join(f"{60 + 500 * t / time[-1]:.1f},{top + 150 - 150 * y / most:.1f}"
                          for t, y in zip(time, row) if not math.isnan(y))
        parts.append(f'<polyline class="{name}" points="{points}"/>')
    return "\n".join(parts)


def draw(path, restrained, free, molecules):
    """Writes the picture."""
    time = restrained[:, 0]
    names = [("restrained", "with restraint"), ("free", "without"), ("target", "target")]
    legend = "".join(f'<polyline class="{name}" points="{70 + 130 * k},14 {95 + 130 * k},14"/>'
                     f'<text x="{100 + 130 * k}" y="18">{text}</text>' for k, (name, text) in enumerate(names))
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 580 460" width="580" role="img">'
        "<title>Ice that melts under a restraint on the mean of q6</title><style>text{font:12px sans-serif}"
        "polyline{fill:none;stroke-width:2}.axis{fill:none;stroke:#222222}.restrained{stroke:#cc3311}"
        ".free{stroke:#0077bb}.target{stroke:#888888;stroke-dasharray:4 3}</style>"
        '<rect width="100%" height="100%" fill="#ffffff"/>' + legend + "\n"
        + panel(50, "mean q6", 0.8, time, [("free", free[:, 1]), ("restrained", restrained[:, 1]),
                                          ("target", restrained[:, 3])]) + "\n"
        + panel(250, "molecules in ice", molecules, time, [("free", free[:, 2]),
                                                          ("restrained", restrained[:, 2])])
        + f'\n<text x="60" y="420">0</text><text x="560" y="420" text-anchor="end">{time[-1]:g} ps</text>'
        "</svg>\n", encoding="utf-8")


def plumed(molecules, steps, begin):
    """Returns the input of PLUMED for the same restraint."""
    third = steps // 3
    return (f"LOAD FILE=mote_plumed.so\n"
            f"q: MOTE_Q L=6 SPECIES=1-{molecules} SWITCH={{{SWITCH}}} MEAN\n"
            f"MOVINGRESTRAINT ARG=q.mean STEP0=0 AT0={begin:.4f} KAPPA0={KAPPA:g} "
            f"STEP1={third} AT1={LIQUID} STEP2={2 * third} AT2={LIQUID} STEP3={2 * third + 1} KAPPA3=0\n"
            f"PRINT ARG=q.mean FILE=colvar\n")


def main(folder, cells="3", steps="6000", seed="1"):
    """Runs both simulations."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    cells, steps, seed = int(cells), int(steps), int(seed)
    molecules = 8 * cells ** 3
    restrained, free = (simulate(cells, steps, seed, with_it) for with_it in (True, False))
    print(f"{molecules} molecules, {steps} steps of {STEP} ps, {KT / 0.0083144626:.0f} K")
    print("time/ps     mean q6  in ice    without restraint")
    for row, other in list(zip(restrained, free))[::max(1, len(free) // 10)]:
        print(f"{row[0]:7.2f}  {row[1]:10.4f}  {row[2]:6.1f}  {other[1]:10.4f}  {other[2]:6.1f}")
    draw(folder / "melt_ice.svg", restrained, free, molecules)
    (folder / "plumed.dat").write_text(plumed(molecules, steps, restrained[0][1]), encoding="utf-8")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
