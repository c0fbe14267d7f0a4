#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares order parameters in OpenMM with the Reference platform and the module mote, and simulates with a bias."""

import numpy
import openmm
from harness import (CUBOID, ENERGY, LIMITS, ORDER, RNG, SKEWED, compare, context_of, force_of, main, reference, results,
                     system_of)

try:
    import mote
except ImportError:  # the plugin does not need the Python package
    mote = None


def test_order():
    """Tests every degree and reduction of order parameters, and boxes and precisions, with the module mote."""
    atoms = 120
    cases = ((6, False, "mean", "", CUBOID, True), (4, True, "sum", "", SKEWED, True),
             (3, False, "less_than", "RATIONAL R_0=0.3", CUBOID, False),
             (6, True, "more_than", "RATIONAL R_0=0.5", SKEWED, True))
    for (degree, local, reduction, threshold, box, periodic), precision in zip(
            cases, ("mixed", "double", "double", "single")):
        start = RNG.uniform(0, 2.2, (atoms + 20, 3))
        group = RNG.permutation(atoms + 20)[:atoms]
        force = force_of(ORDER, "200*n+n^2", group, periodic=periodic, degree=degree, local=local,
                         reduction=reduction, threshold=threshold)
        system = system_of(atoms + 20, force, box=box)
        expected = reference(system, start)
        compare(results(context_of(system, start, precision)), expected,
                LIMITS[precision] * (10 if precision == "single" else 1))
        if mote is None:
            continue
        found = mote.steinhardt(start[group], degree, ORDER, box if periodic else None, local=local,
                                reduction=reduction, threshold=threshold or None, derivatives=True)
        forces = numpy.zeros_like(start)
        forces[group] = -(200 + 2 * found.value) * found.derivatives
        compare((200 * found.value + found.value ** 2, forces), expected, 1e-9)


def water(side):
    """Makes rigid water: side^3 molecules, a reaction field, and forces that are smooth at the cutoff."""
    edge = side * 0.31
    pairs = openmm.NonbondedForce()
    pairs.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
    pairs.setCutoffDistance(0.45 * edge)
    pairs.setUseSwitchingFunction(True)
    pairs.setSwitchingDistance(0.35 * edge)
    system = openmm.System()
    system.setDefaultPeriodicBoxVectors(*(numpy.eye(3) * edge))
    system.addForce(pairs)
    for first in range(0, 3 * side ** 3, 3):
        for mass, charge, sigma, depth in ((15.999, -0.834, 0.315, 0.636), (1.008, 0.417, 1, 0),
                                           (1.008, 0.417, 1, 0)):
            system.addParticle(mass)
            pairs.addParticle(charge, sigma, depth)
        for a, b, length in ((0, 1, 0.09572), (0, 2, 0.09572), (1, 2, 0.15139)):
            system.addConstraint(first + a, first + b, length)
            pairs.addException(first + a, first + b, 0, 1, 0)
    grid = numpy.stack(numpy.meshgrid(*[numpy.arange(side)] * 3), -1).reshape(-1, 1, 3) * 0.31
    arms = numpy.array([[0, 0, 0], [0.09572, 0, 0], [-0.023999, 0.092663, 0]])
    turns = numpy.linalg.qr(RNG.normal(size=(side ** 3, 3, 3)))[0]
    return system, (grid + numpy.einsum("mij,aj->mai", turns, arms)).reshape(-1, 3)


def test_energy():
    """A bias on the mean q6 of water's oxygens changes q6, and conserves the energy of a simulation."""
    system, start = water(6)
    force = force_of("CUBIC D_0=0.3 D_MAX=0.45", "k*(n-0.2)^2", range(0, len(start), 3), periodic=True,
                     degree=6, parameters={"k": 0})
    force.setForceGroup(1)
    system.addForce(force)
    heat = openmm.LangevinMiddleIntegrator(300, 50, 0.001)
    context = context_of(system, start, "double", integrator=heat)
    heat.step(300)
    state = context.getState(getPositions=True, getVelocities=True)
    free = openmm.VerletIntegrator(0.0005)
    context = context_of(system, state.getPositions(), "double", integrator=free)
    context.setVelocities(state.getVelocities())
    context.setParameter("k", 50000)
    work, total = [], []
    for _ in range(30):
        free.step(5)
        work.append(results(context, 2)[0])
        state = context.getState(getEnergy=True)
        total.append((state.getPotentialEnergy() + state.getKineticEnergy()).value_in_unit(ENERGY))
    assert numpy.ptp(work) > 100 * numpy.ptp(total), (numpy.ptp(work), numpy.ptp(total))


if __name__ == "__main__":
    main(globals())
