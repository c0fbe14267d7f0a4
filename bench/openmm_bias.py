#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the steps a second of OpenMM without a bias, and with one on a coordination number in several ways.

Each line of output is one simulation: system, atoms, bias, steps a second, part of the unbiased
speed, and the number at its end, which shows that all ways compute the same.
"""

import argparse
import sys
import time

import numpy
import openmm
from openmm import unit

R_0, D_MAX = 0.3, 0.75
FUNCTION = f"RATIONAL R_0={R_0} D_MAX={D_MAX} NOSTRETCH"
STIFFNESS = 1e-5  # kJ/mol


def argon(atoms):
    """Makes a liquid of single atoms, all of which are in the group: the largest number of pairs that a bias can
    have."""
    edge = (atoms / 21.0) ** (1 / 3)
    side = int(numpy.ceil(atoms ** (1 / 3)))
    grid = numpy.stack(numpy.meshgrid(*[numpy.arange(side)] * 3, indexing="ij"), -1)
    pairs = openmm.NonbondedForce()
    pairs.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
    pairs.setCutoffDistance(1.0)
    system = openmm.System()
    system.addForce(pairs)
    for _ in range(atoms):
        system.addParticle(39.95)
        pairs.addParticle(0, 0.34, 0.996)
    system.setDefaultPeriodicBoxVectors(*(numpy.eye(3) * edge))
    return system, (grid.reshape(-1, 3)[:atoms] + 0.5) * edge / side, range(atoms)


def water(atoms):
    """Makes rigid TIP3P water with a reaction field; its oxygens are the group."""
    molecules = atoms // 3
    edge = (molecules / 33.4) ** (1 / 3)
    side = int(numpy.ceil(molecules ** (1 / 3)))
    grid = numpy.stack(numpy.meshgrid(*[numpy.arange(side)] * 3, indexing="ij"), -1)
    oxygens = (grid.reshape(-1, 3)[:molecules] + 0.5) * edge / side
    arms = numpy.array([[0, 0, 0], [0.09572, 0, 0], [-0.023999, 0.092663, 0]])
    turns = numpy.linalg.qr(numpy.random.default_rng(1).normal(size=(molecules, 3, 3)))[0]
    pairs = openmm.NonbondedForce()
    pairs.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
    pairs.setCutoffDistance(1.0)
    system = openmm.System()
    system.addForce(pairs)
    for first in range(0, 3 * molecules, 3):
        for mass, charge, sigma, depth in ((15.999, -0.834, 0.315075, 0.635968),
                                           (1.008, 0.417, 1, 0), (1.008, 0.417, 1, 0)):
            system.addParticle(mass)
            pairs.addParticle(charge, sigma, depth)
        for a, b, length in ((0, 1, 0.09572), (0, 2, 0.09572), (1, 2, 0.15139)):
            system.addConstraint(first + a, first + b, length)
            pairs.addException(first + a, first + b, 0, 1, 0)
    system.setDefaultPeriodicBoxVectors(*(numpy.eye(3) * edge))
    positions = oxygens[:, None, :] + numpy.einsum("mij,aj->mai", turns, arms)
    return system, positions.reshape(-1, 3), range(0, 3 * molecules, 3)


def plugin(system, group, target):
    """Biases by a MoteCoordinationForce: all data stays on the device."""
    import mote_openmm
    return mote_openmm.MoteCoordinationForce(FUNCTION, "0.5*k*(n-n0)^2", first=group, periodic=True,
                                             parameters={"k": STIFFNESS, "n0": target})


def python(system, group, target):
    """Biases by a PythonForce that uses the module mote: positions and forces are copied through the host."""
    import mote
    plan = mote.Coordination(FUNCTION, n_atoms=system.getNumParticles(), group_a=list(group),
                             pbc="orthorhombic")

    def bias(state):
        x = state.getPositions(asNumpy=True).value_in_unit(unit.nanometer)
        box = state.getPeriodicBoxVectors(asNumpy=True).value_in_unit(unit.nanometer)
        found = plan(x, box, virial=False, coordination=False)
        forces = -STIFFNESS * (found.value - target) * found.derivatives
        return (STIFFNESS / 2 * (found.value - target) ** 2 * unit.kilojoule_per_mole,
                forces * unit.kilojoule_per_mole / unit.nanometer)

    force = openmm.PythonForce(bias)
    force.setUsesPeriodicBoundaryConditions(True)
    return force


def custom(system, group, target):
    """Biases by OpenMM's own classes: CustomCVForce over CustomNonbondedForce."""
    number = openmm.CustomNonbondedForce(f"1 / (1 + (r / {R_0})^6)")
    number.setNonbondedMethod(openmm.CustomNonbondedForce.CutoffPeriodic)
    number.setCutoffDistance(D_MAX)
    for _ in range(system.getNumParticles()):
        number.addParticle()
    if len(group) < system.getNumParticles():
        number.addInteractionGroup(group, group)
    force = openmm.CustomCVForce("0.5 * k * (n - n0)^2")
    force.addCollectiveVariable("n", number)
    force.addGlobalParameter("k", STIFFNESS)
    force.addGlobalParameter("n0", target)
    return force


SYSTEMS = {"argon": (argon, 0.002), "water": (water, 0.001)}
BIASES = {"none": None, "plugin": plugin, "python": python, "custom": custom}


def measure(kind, atoms, bias, args):
    """Returns the steps a second, and the energy of the bias at the end."""
    make, timestep = SYSTEMS[kind]
    system, positions, group = make(atoms)
    if BIASES[bias]:
        force = BIASES[bias](system, group, 3.0 * len(group))
        force.setForceGroup(1)
        system.addForce(force)
    integrator = openmm.LangevinMiddleIntegrator(100 if kind == "argon" else 300, 20, timestep)
    integrator.setRandomNumberSeed(1)
    context = openmm.Context(system, integrator, openmm.Platform.getPlatformByName("OpenCL"),
                             {"Precision": args.precision})
    context.setPositions(positions)
    context.setVelocitiesToTemperature(100 if kind == "argon" else 300, 1)

    def run(steps):
        begin = time.perf_counter()
        integrator.step(steps)
        energy = context.getState(energy=True, groups={1}).getPotentialEnergy()
        return time.perf_counter() - begin, energy.value_in_unit(unit.kilojoule_per_mole)

    run(args.warm)
    steps = max(10, int(20 * args.seconds / run(20)[0]))
    seconds, energy = run(steps)
    return steps / seconds, energy


def main():
    """Runs the simulations that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", choices=SYSTEMS, default="argon")
    parser.add_argument("--atoms", type=int, nargs="+", default=[25000, 100000, 200000])
    parser.add_argument("--biases", choices=BIASES, nargs="+", default=list(BIASES))
    parser.add_argument("--precision", choices=("single", "mixed", "double"), default="mixed")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    parser.add_argument("--warm", type=int, default=300, help="steps before it")
    args = parser.parse_args()
    for atoms in args.atoms:
        unbiased = None
        for bias in args.biases:
            begin = time.perf_counter()
            rate, energy = measure(args.system, atoms, bias, args)
            unbiased = rate if bias == "none" else unbiased
            part = f"{100 * rate / unbiased:5.1f} %" if unbiased else "      "
            print(f"{args.system} {args.precision} {atoms:7} {bias:7} {rate:9.1f} steps/s {part}"
                  f"  energy of the bias {energy:.6g} kJ/mol"
                  f"  ({time.perf_counter() - begin:.1f} s in all)", flush=True)


if __name__ == "__main__":
    sys.exit(main())
