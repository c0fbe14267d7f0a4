# SPDX-License-Identifier: Apache-2.0
"""Compares a bias on a coordination number by PythonForce in OpenMM with OpenMM's own CustomCVForce."""

import mote
import numpy
import pytest

openmm = pytest.importorskip("openmm")
unit = pytest.importorskip("openmm.unit")

K, TARGET, R_0 = 0.05, 400.0, 0.35
SIDE, EDGE = 4, 1.8  # atoms along an edge, and its length in nm


def positions(rng):
    """Makes a lattice of argon with random displacements."""
    grid = numpy.stack(numpy.meshgrid(*[numpy.arange(SIDE)] * 3), -1).reshape(-1, 3)
    return (grid + 0.5 + rng.uniform(-0.2, 0.2, grid.shape)) * EDGE / SIDE


def system_of(force):
    """Makes argon in a periodic box, with one more force."""
    system = openmm.System()
    pairs = openmm.NonbondedForce()
    pairs.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
    pairs.setCutoffDistance(0.85)
    for _ in range(SIDE ** 3):
        system.addParticle(39.95)
        pairs.addParticle(0, 0.34, 0.996)
    system.setDefaultPeriodicBoxVectors(*(numpy.eye(3) * EDGE))
    system.addForce(pairs)
    if force is not None:
        force.setForceGroup(1)
        system.addForce(force)
    return system


def mote_force():
    """Makes K / 2 (cn - TARGET)^2 with mote."""
    plan = mote.Coordination(f"RATIONAL R_0={R_0} D_MAX=10 NOSTRETCH", n_atoms=SIDE ** 3,
                             pbc="triclinic", precision="double")

    def bias(state):
        x = state.getPositions(asNumpy=True).value_in_unit(unit.nanometer)
        box = state.getPeriodicBoxVectors(asNumpy=True).value_in_unit(unit.nanometer)
        found = plan(x, box, virial=False, coordination=False)
        off = found.value - TARGET
        return (K / 2 * off ** 2 * unit.kilojoule_per_mole,
                -K * off * found.derivatives * unit.kilojoule_per_mole / unit.nanometer)

    force = openmm.PythonForce(bias)
    force.setUsesPeriodicBoundaryConditions(True)
    return force


def own_force():
    """Makes the same with OpenMM's CustomCVForce."""
    number = openmm.CustomNonbondedForce(f"1 / (1 + (r / {R_0})^6)")
    number.setNonbondedMethod(openmm.CustomNonbondedForce.CutoffPeriodic)
    number.setCutoffDistance(EDGE / 2 - 1e-9)
    for _ in range(SIDE ** 3):
        number.addParticle()
    force = openmm.CustomCVForce(f"{K} / 2 * (cn - {TARGET})^2")
    force.addCollectiveVariable("cn", number)
    return force


def measure(force, start, steps=0):
    """Returns energy and forces of the bias, after some steps."""
    integrator = openmm.VerletIntegrator(0.002)
    context = openmm.Context(system_of(force), integrator,
                             openmm.Platform.getPlatformByName("Reference"))
    context.setPositions(start)
    integrator.step(steps)
    state = context.getState(energy=True, forces=True, positions=True, groups={1})
    return (state.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole),
            state.getForces(asNumpy=True).value_in_unit(unit.kilojoule_per_mole / unit.nanometer),
            state.getPositions(asNumpy=True).value_in_unit(unit.nanometer))


def test_energy_and_forces(rng):
    start = positions(rng)
    box = numpy.eye(3) * EDGE
    inside = mote.Coordination(f"RATIONAL R_0={R_0} D_MAX={EDGE / 2 - 1e-9} NOSTRETCH",
                               n_atoms=SIDE ** 3, pbc="triclinic", precision="double")
    energy, forces, _ = measure(own_force(), start)
    found = inside(start, box)
    assert K / 2 * (found.value - TARGET) ** 2 == pytest.approx(energy, rel=1e-10)
    assert numpy.allclose(-K * (found.value - TARGET) * found.derivatives, forces, rtol=1e-7,
                          atol=1e-7 * abs(forces).max())


def test_python_force(rng):
    start = positions(rng)
    energy, forces, _ = measure(mote_force(), start)
    plan = mote.Coordination(f"RATIONAL R_0={R_0} D_MAX=10 NOSTRETCH", n_atoms=SIDE ** 3,
                             pbc="triclinic", precision="double")
    found = plan(start, numpy.eye(3) * EDGE)
    assert energy == pytest.approx(K / 2 * (found.value - TARGET) ** 2, rel=1e-12)
    assert numpy.allclose(forces, -K * (found.value - TARGET) * found.derivatives, rtol=1e-12)


def test_simulation_is_biased(rng):
    start = positions(rng)
    energy, _, end = measure(mote_force(), start, 100)
    assert energy < measure(mote_force(), start)[0] and not numpy.allclose(start, end)
