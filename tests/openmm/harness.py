# SPDX-License-Identifier: Apache-2.0
"""What the tests of the plugin for OpenMM share: they print TAP, and each run has fresh random atoms, whose seed is
the first line.
"""

import os
import random
import sys
import traceback

import mote_openmm
import numpy
import openmm
from openmm import unit

SEED = random.randrange(1 << 32)
RNG = numpy.random.default_rng(SEED)
CUBOID = numpy.diag([2.6, 2.9, 3.1])
SKEWED = numpy.array([[2.6, 0, 0], [0.9, 2.8, 0], [-1.1, 1.2, 3.0]])
FUNCTION = "RATIONAL R_0=0.3 D_MAX=1.1"
BIAS = "0.5*k*(n-n0)^2"
ENERGY = unit.kilojoule_per_mole
ORDER = "CUBIC D_0=0.3 D_MAX=0.8"
LIMITS = {"single": 2e-5, "mixed": 5e-6, "double": 1e-10}  # of forces, relative to the largest
FIXED_POINT = 2.0 ** -32  # OpenMM's OpenCL platform adds each force to an atom in such steps


def force_of(function=FUNCTION, energy=BIAS, first=(), second=(), **others):
    """Makes a force with the parameters of BIAS."""
    others.setdefault("parameters", {"k": 3, "n0": -5})  # numbers are positive: no force vanishes
    return mote_openmm.MoteCoordinationForce(function, energy, first, second, **others)


def system_of(atoms, *forces, box=CUBOID, argon=False):
    """Makes atoms on which only the forces act, or argon."""
    system = openmm.System()
    system.setDefaultPeriodicBoxVectors(*box)
    for _ in range(atoms):
        system.addParticle(39.95)
    if argon:
        pairs = openmm.NonbondedForce()
        pairs.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
        pairs.setCutoffDistance(0.9)
        pairs.setForceGroup(5)
        for _ in range(atoms):
            pairs.addParticle(0, 0.34, 0.996)
        system.addForce(pairs)
    for force in forces:
        system.addForce(force)
    return system


def context_of(system, positions, precision="mixed", platform="OpenCL", integrator=None):
    """Makes a context on a platform; `precision` applies to the OpenCL platform only."""
    made = openmm.Context(system, integrator or openmm.VerletIntegrator(0.002),
                          openmm.Platform.getPlatformByName(platform),
                          {"Precision": precision} if platform == "OpenCL" else {})
    made.setPositions(positions)
    return made


def results(context, groups=-1):
    """Energy and forces."""
    state = context.getState(getEnergy=True, getForces=True, groups=groups)
    return (state.getPotentialEnergy().value_in_unit(ENERGY),
            state.getForces(asNumpy=True).value_in_unit(ENERGY / unit.nanometer))


def compare(found, expected, limit, forces=1):
    """Energies and forces agree, and are not all 0; `forces` of the system act on one atom."""
    scale = abs(expected[1]).max()
    assert scale > 0.1, "the test has no forces"
    assert numpy.isclose(found[0], expected[0], rtol=5 * limit, atol=0), (found[0], expected[0])
    worst = abs(found[1] - expected[1]).max()
    assert worst < limit * scale + forces * FIXED_POINT, (worst, scale)


def reference(system, positions, groups=-1):
    """Returns the same results from the Reference platform."""
    return results(context_of(system, positions, platform="Reference"), groups)


def expect(sentence, work):
    """Expects OpenMM's exception, with words of the sentence."""
    try:
        work()
    except openmm.OpenMMException as error:
        assert sentence in str(error), error
        return
    raise AssertionError(f"no exception says {sentence!r}")


def main(tests):
    """Runs all tests of a module, or those whose names contain one of the arguments."""
    tests = [work for name, work in tests.items() if name.startswith("test_")
             and (len(sys.argv) < 2 or any(part in name for part in sys.argv[1:]))]
    tap = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # OpenMM's warning of implementations that it does not know is not TAP
    print(f"# seed {SEED}, OpenMM {openmm.Platform.getOpenMMVersion()}", file=tap)
    print(f"1..{len(tests)}", file=tap)
    for number, work in enumerate(tests, 1):
        try:
            work()
            print(f"ok {number} - {work.__name__}", file=tap)
        except Exception:  # pylint: disable=broad-except
            print(f"not ok {number} - {work.__name__}", file=tap)
            tap.writelines("# " + line + "\n" for line in traceback.format_exc().splitlines())
