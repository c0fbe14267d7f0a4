#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the plugin for OpenMM with its Reference platform, finite differences and OpenMM's own forces.
"""

import copy

import mote_openmm
import numpy
import openmm
from harness import (BIAS, CUBOID, FUNCTION, LIMITS, ORDER, RNG, SKEWED, compare, context_of, expect, force_of, main,
                     reference, results, system_of)
from openmm import unit


def shapes(atoms):
    """Tests two groups with repeated atoms, the pairs in one, and pairs of equal places."""
    a, b = RNG.integers(0, atoms, 70), RNG.integers(0, atoms, 50)
    return {"self": (RNG.permutation(atoms)[:90], ()), "two": (a, b), "paired": (a[:40], b[:40])}


def test_modes_and_boxes():
    """Tests every way to choose pairs, every kind of box and every precision once."""
    atoms = 120
    near = RNG.uniform(0, 1.6, (atoms, 3))
    groups = shapes(atoms)
    for mode, box, periodic, precision in (("self", CUBOID, True, "mixed"),
                                           ("two", SKEWED, True, "single"),
                                           ("paired", CUBOID, False, "double")):
        first, second = groups[mode]
        start = near + periodic * RNG.integers(-2, 3, (atoms, 3)) @ box
        system = system_of(atoms, force_of(first=first, second=second, periodic=periodic,
                                           paired=mode == "paired"), box=box)
        compare(results(context_of(system, start, precision)), reference(system, start),
                LIMITS[precision])


def test_finite_differences():
    """Forces are the negative slopes of the energy."""
    atoms, step = 40, 1e-5
    start = RNG.uniform(0, 2, (atoms, 3))
    # At D_MAX the slope jumps, by 1e-8 of the largest; nearest images change farther away.
    number = force_of("GAUSSIAN R_0=0.2 D_MAX=1.3", first=range(atoms), periodic=True)
    order = force_of(ORDER, "300*n", range(atoms), periodic=True, degree=4, local=True,
                     reduction="more_than", threshold="RATIONAL R_0=0.5")
    for platform, force in (("Reference", number), ("OpenCL", number), ("OpenCL", order)):
        system = system_of(atoms, copy.deepcopy(force), box=SKEWED)
        context = context_of(system, start, "double", platform)
        forces = results(context)[1]
        for _ in range(10):
            along = RNG.normal(size=start.shape)
            ends = []
            for sign in (1, -1):
                context.setPositions(start + sign * step * along)
                ends.append(results(context)[0])
            slope = (ends[1] - ends[0]) / (2 * step)
            expected = (forces * along).sum()
            assert numpy.isclose(slope, expected, rtol=1e-5, atol=1e-5 * abs(forces).max())


def test_custom_nonbonded():
    """Compares with CustomCVForce over CustomNonbondedForce, and over CustomBondForce for pairs."""
    atoms = 100
    start = RNG.uniform(0, 2.6, (atoms, 3))
    first, second = RNG.permutation(atoms).reshape(2, -1)
    groups = openmm.CustomNonbondedForce("1/(1+(r/0.3)^6)")
    groups.setNonbondedMethod(openmm.CustomNonbondedForce.CutoffPeriodic)
    groups.setCutoffDistance(1.1)
    bonds = openmm.CustomBondForce("step(1.1-r)/(1+(r/0.3)^6)")
    bonds.setUsesPeriodicBoundaryConditions(True)
    for a, b in zip(first, second):
        groups.addParticle()
        groups.addParticle()
        bonds.addBond(int(a), int(b))
    groups.addInteractionGroup(first.tolist(), second.tolist())
    for inner, paired in ((groups, False), (bonds, True)):
        own = openmm.CustomCVForce(BIAS)
        own.addCollectiveVariable("n", inner)
        own.addGlobalParameter("k", 3)
        own.addGlobalParameter("n0", -5)
        expected = reference(system_of(atoms, own), start)
        system = system_of(atoms, force_of(FUNCTION + " NOSTRETCH", first=first, second=second,
                                           paired=paired, periodic=True))
        compare(results(context_of(system, start, "double")), expected, 1e-9)


def test_in_custom_cv():
    """Uses the force as a variable of CustomCVForce."""
    start = RNG.uniform(0, 2.6, (80, 3))
    outer = openmm.CustomCVForce("2*(n+15)^2")
    outer.addCollectiveVariable("n", force_of(energy="n", first=range(80), periodic=True))
    plain = force_of(energy="2*(n+15)^2", first=range(80), periodic=True)
    context = context_of(system_of(80, outer), start, "double")
    alone = system_of(80, plain)
    compare(results(context), reference(alone, start), 1e-9)
    found = outer.getCollectiveVariableValues(context)[0]
    expected = mote_openmm.coordination_number(plain, context_of(alone, start, "double"))
    assert numpy.isclose(found, expected, rtol=1e-12, atol=0) and found > 1


def test_expressions():
    """Tests every function of the expressions, and numbers beyond single precision."""
    start = RNG.uniform(0, 2.6, (60, 3))
    for energy in ("sqrt(n)+exp(-n/50)*log(n)+sin(n)*cos(n/2)+tan(n/900)+sec(n/900)+csc(n/900+1)+cot(n/900+1)",
                   "asin(n/900)+acos(n/900)+atan(n)+atan2(n,3)+sinh(n/90)+cosh(n/90)+tanh(n/90)",
                   "erf(n/50)-erfc(n/60)+step(n-1)*n+delta(n)+(n-3)^2+(n-3)^3+1/n+n^-2+n^1.5+n^k",
                   "min(n,1e6)+max(n,2*n)+abs(3-n)+n*floor(1.5)+ceil(2.5)*n+select(n-1,5*n,n)-n/k",
                   "1000*(n-20.123456789012345)+1e5*(n0-n)"):
        energy = "30*n+" + energy  # no force vanishes because the slopes of the others cancel
        system = system_of(60, force_of(energy=energy, first=range(60), periodic=True))
        compare(results(context_of(system, start, "double")), reference(system, start), 1e-9)
        found = results(context_of(system, start, "single"))
        compare(found, reference(system, start), 2e-4)


def test_reordered():
    """OpenMM moves atoms to other places in memory and wraps them; groups keep their atoms."""
    side, edge = 14, 5.1
    atoms = side ** 3
    grid = numpy.stack(numpy.meshgrid(*[numpy.arange(side)] * 3), -1).reshape(-1, 3)
    start = (RNG.permutation(grid) + RNG.uniform(0.4, 0.6, grid.shape)) * edge / side
    start[:300] += RNG.integers(-2, 3, (300, 3)) * edge
    inside = force_of(first=range(200), second=RNG.integers(0, atoms, 300), periodic=True)
    apart = force_of("RATIONAL R_0=3", "0.01*n", range(250, 600), periodic=False)
    apart.setForceGroup(1)
    system = system_of(atoms, inside, apart, box=numpy.eye(3) * edge, argon=True)
    integrator = openmm.LangevinMiddleIntegrator(90, 1, 0.002)
    context = context_of(system, start, integrator=integrator)
    for steps in (0, 300):
        integrator.step(steps)
        state = context.getState(getPositions=True)
        for group in (1, 2):
            compare(results(context, group), reference(system, state.getPositions(), group), 1e-5)


def test_beside_pme():
    """Forces of charges, which OpenMM may add at the same time on another queue, are not lost."""
    atoms = 216
    grid = numpy.stack(numpy.meshgrid(*[numpy.arange(6)] * 3), -1).reshape(-1, 3)
    start = (grid + RNG.uniform(0.3, 0.7, grid.shape)) * numpy.diag(CUBOID) / 6
    charges = openmm.NonbondedForce()
    charges.setNonbondedMethod(openmm.NonbondedForce.PME)
    charges.setCutoffDistance(0.9)
    charges.setPMEParameters(3.2, 24, 27, 30)
    for atom in range(atoms):
        charges.addParticle(0.4 * (-1) ** atom, 0.2, 0.1)
    bias = force_of(first=range(0, atoms, 2), periodic=True, parameters={"k": 3, "n0": 0})
    bias.setForceGroup(1)
    system = system_of(atoms, charges, bias)
    context = context_of(system, start, "double")
    apart = [results(context, groups) for groups in (1, 2)]
    compare(apart[1], reference(system, start, 2), 1e-10)
    for _ in range(5):
        compare(results(context), [sum(both) for both in zip(*apart)], 1e-9)


def test_barostat():
    """Tests boxes that change, and energies without forces."""
    start = RNG.uniform(0, 2.6, (100, 3))
    system = system_of(100, force_of(first=range(100), periodic=True),
                       openmm.MonteCarloBarostat(1, 300, 1))
    integrator = openmm.VerletIntegrator(0.0005)
    context = context_of(system, start, "double", integrator=integrator)
    integrator.step(20)
    state = context.getState(getPositions=True)
    box = state.getPeriodicBoxVectors(asNumpy=True).value_in_unit(unit.nanometer)
    assert not numpy.allclose(box, CUBOID)
    other = context_of(system, state.getPositions(), platform="Reference")
    other.setPeriodicBoxVectors(*box)
    compare(results(context), results(other), 1e-9)


def test_two_forces():
    """Forces add up, have groups of their own, and their parameters change."""
    start = RNG.uniform(0, 2.6, (90, 3))
    one = force_of(first=range(50), periodic=True, parameters={"k": 3, "n0": 0})
    two = force_of("EXP R_0=0.2 D_MAX=0.9", "q*n", range(40, 90), range(10), periodic=True,
                   parameters={"q": 2})
    two.setForceGroup(3)
    system = system_of(90, one, two)
    for platform in ("OpenCL", "CPU"):
        context = context_of(system, start, "double", platform)
        for groups in (1, 8, 9):
            compare(results(context, groups), reference(system, start, groups), 1e-9, 2)
        before = results(context, 8)
        context.setParameter("q", 5)
        assert numpy.isclose(results(context, 8)[0], 2.5 * before[0])
        assert numpy.allclose(results(context, 8)[1], 2.5 * before[1])


def test_shared_positions():
    """Forces on the same particles share their positions, and in systems of many particles a queue of their own."""
    group = RNG.permutation(60)
    for atoms in (60, 50010):
        start = RNG.uniform(0, 2, (atoms, 3))
        order = force_of(ORDER, "300*n", group, periodic=True, degree=6)
        order.setForceGroup(2)
        system = system_of(atoms, force_of(first=group, periodic=True), order,
                           force_of("EXP R_0=0.2 D_MAX=0.9", "n*k", range(20), group, periodic=True))
        context = context_of(system, start, "double")
        for groups in (-1, 4, 1):
            compare(results(context, groups), reference(system, start, groups), 1e-9, 3)


def test_number():
    """Tests the number itself, and forces that have none."""
    start = RNG.uniform(0, 2.6, (90, 3))
    force = force_of(energy="0", first=range(90), periodic=True)
    system = system_of(90, force)
    numbers = [mote_openmm.coordination_number(force, context_of(system, start, "double", platform))
               for platform in ("OpenCL", "Reference")]
    assert numpy.isclose(*numbers, rtol=1e-12, atol=0) and numbers[0] > 1
    other = openmm.CustomExternalForce("x")
    expect("no MoteCoordinationForce",
           lambda: mote_openmm.coordination_number(other, context_of(system, start)))


def test_serialisation():
    """XML and copies contain all parameters."""
    force = force_of("CUBIC D_0=0.1 D_MAX=0.8", first=[4, 2, 2], second=[1, 0, 3], paired=True,
                     periodic=True, precision="double", parameters={"k": 1 / 3, "n0": -1e-9},
                     degree=4, local=True, reduction="more_than", threshold="EXP R_0=0.4")
    force.setForceGroup(7)
    force.setName("a name")
    text = openmm.XmlSerializer.serialize(force)
    again = openmm.XmlSerializer.deserialize(text)
    assert openmm.XmlSerializer.serialize(again) == text
    assert openmm.XmlSerializer.serialize(copy.deepcopy(force)) == text
    assert again.getForceGroup() == 7 and again.getName() == "a name"
    assert again.usesPeriodicBoundaryConditions()
    for word in ("CUBIC D_0=0.1", BIAS, ".3333333333333333", "-1e-09", 'degree="4"', 'local="1"',
                 'reduction="more_than"', "EXP R_0=0.4"):
        assert word in text, word
    start = RNG.uniform(0, 1, (5, 3))
    system = system_of(5, force_of(energy="9*n", first=[0, 1], second=[2, 3, 4]))
    clone = openmm.XmlSerializer.deserialize(openmm.XmlSerializer.serialize(system))
    assert reference(clone, start)[0] == reference(system, start)[0]
    system = system_of(5, force_of(ORDER, "9*n", range(5), degree=6, reduction="sum"))
    clone = openmm.XmlSerializer.deserialize(openmm.XmlSerializer.serialize(system))
    assert reference(clone, start)[0] == reference(system, start)[0] != 0
    assert 'version="2"' in text
    assert 'version="1"' in openmm.XmlSerializer.serialize(force_of(first=[0, 1], energy="n"))
    expect("version 9", lambda: openmm.XmlSerializer.deserialize(
        text.replace('version="2"', 'version="9"')))
    expect("precision 4", lambda: openmm.XmlSerializer.deserialize(
        text.replace('precision="3"', 'precision="4"')))


def test_bad_forces():
    """Errors in a force are reported when a context is created, on every platform."""
    wrong = (("first group is empty", {"first": ()}),
             ("group of one atom has no pairs", {"first": [3]}),
             ("names particle 9", {"first": [0, 9]}),
             ("names particle -1", {"first": [0, 1], "second": [2, -1]}),
             ("2 and 3", {"first": [0, 1], "second": [1, 2, 3], "paired": True}),
             ("GAUSSIN", {"function": "GAUSSIN R_0=1"}),
             ("R_0", {"function": "RATIONAL R_0=-1"}),
             ("neither n nor a global parameter", {"energy": "n*m"}),
             ("no name for a global parameter", {"parameters": {"n": 1}}),
             ("MoteCoordinationForce", {"energy": "n+*2"}),
             ("3, 4 or 6; it is 5", {"degree": 5}),
             ("is none of mean, sum", {"degree": 6, "reduction": "median"}),
             ("moments is none of mean", {"degree": 6, "reduction": "moments", "threshold": "RATIONAL R_0=1"}),
             ("needs a threshold", {"degree": 6, "reduction": "less_than"}),
             ("RATIONL", {"degree": 6, "reduction": "less_than", "threshold": "RATIONL R_0=1"}),
             ("no second group", {"degree": 6, "second": [1]}),
             ("1 of 3 places name one again", {"degree": 6, "first": [1, 2, 1]}),
             ("with D_MAX", {"degree": 6, "function": "RATIONAL R_0=1"}))
    for platform in ("OpenCL", "Reference"):
        for sentence, arguments in wrong:
            system = system_of(9, force_of(**{"first": range(9), **arguments}))
            expect(sentence, lambda: context_of(system, numpy.zeros((9, 3)), platform=platform))
    try:
        force_of(precision="half")
    except ValueError as error:
        assert "half" in str(error)
    else:
        raise AssertionError("there is no precision half")


def test_two_devices():
    """OpenMM would share its forces among them; here it is the same device twice."""
    system = system_of(9, force_of(first=range(9)))
    platform = openmm.Platform.getPlatformByName("OpenCL")
    expect("one device only", lambda: openmm.Context(system, openmm.VerletIntegrator(0.002),
                                                     platform, {"DeviceIndex": "0,0"}))


def test_bad_steps():
    """Positions and boxes that are not numbers raise an error; the next step works."""
    start = RNG.uniform(0, 2.6, (50, 3))
    lost = start.copy()
    lost[17, 1] = numpy.nan
    force = force_of(first=range(5, 50), periodic=True)
    system = system_of(50, force)
    expected = reference(system, start)
    for platform in ("OpenCL", "Reference"):
        context = context_of(system, lost, "double", platform)
        expect("particle 17 has a position that is not finite", lambda: results(context))
        expect("particle 17", lambda: mote_openmm.coordination_number(force, context))
        context.setPositions(start)
        compare(results(context), expected, 1e-9)
    other = force_of(energy="9*n", first=range(5), periodic=True)
    other.setForceGroup(1)
    context = context_of(system_of(50, copy.deepcopy(force), other), lost, "double")
    expect("particle 17", lambda: results(context))
    context.setPositions(start)
    compare(results(context, 1), expected, 1e-9)  # and nothing of the step that failed remains
    context = context_of(system, start, "double")
    context.setPeriodicBoxVectors(*numpy.diag([numpy.inf, 3, 3]))
    expect("the box", lambda: results(context))
    context.setPeriodicBoxVectors(*CUBOID)
    compare(results(context), expected, 1e-9)


if __name__ == "__main__":
    main(globals())
