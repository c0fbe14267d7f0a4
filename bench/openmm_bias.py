#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the steps a second of OpenMM without a bias, with one on a coordination number in several ways, and with one
on an order parameter.

All simulations of a system run in turn, --rounds times, so that changes of the machine's speed affect all of them.
Each line of output is one simulation: system, atoms, bias, median of the steps a second, part of the unbiased speed,
and the energy of the bias at its end, which shows that all methods compute the same coordination number.
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
ORDER = "CUBIC D_0=0.3 D_MAX=0.35"  # of oxygens in water, in nm


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


def water(atoms, method=openmm.NonbondedForce.CutoffPeriodic):
    """Makes rigid TIP3P water, by default with a reaction field; its oxygens are the group."""
    molecules = atoms // 3
    edge = (molecules / 33.4) ** (1 / 3)
    side = int(numpy.ceil(molecules ** (1 / 3)))
    grid = numpy.stack(numpy.meshgrid(*[numpy.arange(side)] * 3, indexing="ij"), -1)
    oxygens = (grid.reshape(-1, 3)[:molecules] + 0.5) * edge / side
    arms = numpy.array([[0, 0, 0], [0.09572, 0, 0], [-0.023999, 0.092663, 0]])
    turns = numpy.linalg.qr(numpy.random.default_rng(1).normal(size=(molecules, 3, 3)))[0]
    pairs = openmm.NonbondedForce()
    pairs.setNonbondedMethod(method)
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


def water_pme(atoms):
    """Makes the same water with PME."""
    return water(atoms, openmm.NonbondedForce.PME)


def plugin(system, group, target):
    """Biases by a MoteCoordinationForce: all data stays on the device."""
    import mote_openmm
    return mote_openmm.MoteCoordinationForce(FUNCTION, "0.5*k*(n-n0)^2", first=group, periodic=True,
                                             parameters={"k": STIFFNESS, "n0": target})


def order(system, group, _):
    """Biases the mean q6 by the plugin."""
    import mote_openmm
    return mote_openmm.MoteCoordinationForce(ORDER, "0.5*k*(n-n0)^2", first=group, periodic=True, degree=6,
                                             parameters={"k": 1000, "n0": 0.3})


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


SYSTEMS = {"argon": (argon, 0.002), "water": (water, 0.001), "water_pme": (water_pme, 0.001)}
BIASES = {"none": None, "plugin": plugin, "python": python, "custom": custom, "order": order}
DEFAULT = ["none", "plugin", "python", "custom"]


class Simulation:
    """One system with one bias, or none."""

    def __init__(self, kind, atoms, bias, args):
        make, timestep = SYSTEMS[kind]
        system, positions, group = make(atoms)
        if BIASES[bias]:
            force = BIASES[bias](system, group, 3.0 * len(group))
            force.setForceGroup(1)
            system.addForce(force)
        temperature = 100 if kind == "argon" else 300
        self.integrator = openmm.LangevinMiddleIntegrator(temperature, 20, timestep)
        self.integrator.setRandomNumberSeed(1)
        self.context = openmm.Context(system, self.integrator, openmm.Platform.getPlatformByName("OpenCL"),
                                      {"Precision": args.precision})
        self.context.setPositions(positions)
        self.context.setVelocitiesToTemperature(temperature, 1)
        self.rates = []
        self.run(args.warm)
        self.steps = max(10, int(20 * args.seconds / self.run(20)))

    def run(self, steps):
        """Returns the seconds of these steps, at whose end the host waits for the device."""
        begin = time.perf_counter()
        self.integrator.step(steps)
        self.energy()
        return time.perf_counter() - begin

    def energy(self):
        """Returns the energy of the bias."""
        energy = self.context.getState(energy=True, groups={1}).getPotentialEnergy()
        return energy.value_in_unit(unit.kilojoule_per_mole)

    def measure(self):
        """Adds a measurement."""
        self.rates.append(self.steps / self.run(self.steps))


def main():
    """Runs the simulations that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", choices=SYSTEMS, default="argon")
    parser.add_argument("--atoms", type=int, nargs="+", default=[25000, 100000, 200000])
    parser.add_argument("--biases", choices=BIASES, nargs="+", default=DEFAULT)
    parser.add_argument("--precision", choices=("single", "mixed", "double"), default="mixed")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each simulation")
    parser.add_argument("--warm", type=int, default=300, help="steps before the first one")
    args = parser.parse_args()
    for atoms in args.atoms:
        simulations = {bias: Simulation(args.system, atoms, bias, args) for bias in args.biases}
        for _ in range(args.rounds):
            for simulation in simulations.values():
                simulation.measure()
        unbiased = simulations.get("none")
        for bias, simulation in simulations.items():
            rate = numpy.median(simulation.rates)
            part = f"{100 * rate / numpy.median(unbiased.rates):5.1f} %" if unbiased else "      "
            print(f"{args.system} {args.precision} {atoms:7} {bias:7} {rate:9.1f} steps/s {part}"
                  f"  energy of the bias {simulation.energy():.6g} kJ/mol", flush=True)


if __name__ == "__main__":
    sys.exit(main())
