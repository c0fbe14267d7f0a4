# SPDX-License-Identifier: Apache-2.0
"""Tests a calculator of ASE that biases a coordination number."""

import mote
import numpy
import pytest

pytest.importorskip("ase")
from ase import units
from ase.build import bulk
from ase.calculators.calculator import Calculator, all_changes
from ase.calculators.fd import calculate_numerical_forces, calculate_numerical_stress
from ase.calculators.lj import LennardJones
from ase.calculators.mixing import SumCalculator
from ase.md.verlet import VelocityVerlet


class Bias(Calculator):
    """The bias is K / 2 (cn - target)^2 with the coordination number of all atoms, in eV and Angstrom."""

    implemented_properties = ["energy", "free_energy", "forces", "stress"]

    def __init__(self, n_atoms, target, k=0.01):
        super().__init__()
        # A difference meets no kink: the slope is 0 at D_MAX, which is nearer than images.
        self.plan = mote.Coordination("CUBIC D_0=2.5 D_MAX=5.2", n_atoms=n_atoms, pbc="triclinic",
                                      precision="double")
        self.target, self.k = target, k

    def calculate(self, atoms=None, properties=("energy",), system_changes=all_changes):
        """Tests energy, forces, and stress from the virial."""
        super().calculate(atoms, properties, system_changes)
        found = self.plan(atoms.positions, atoms.cell.array)
        slope = self.k * (found.value - self.target)
        stress = -slope * found.virial / atoms.get_volume()
        energy = self.k / 2 * (found.value - self.target) ** 2
        self.results = {"energy": energy, "free_energy": energy,
                        "forces": -slope * found.derivatives,
                        "stress": stress.flat[[0, 4, 8, 5, 2, 1]]}


@pytest.fixture
def argon(rng):
    """Makes argon in a sheared box, with random displacements."""
    atoms = bulk("Ar", "fcc", 5.4, cubic=True) * (2, 2, 2)
    atoms.set_cell(atoms.cell.array + [[0, 0, 0], [0.6, 0, 0], [0.3, 0.4, 0]], scale_atoms=True)
    atoms.positions += rng.uniform(-0.3, 0.3, atoms.positions.shape)
    atoms.calc = Bias(len(atoms), 300.0)
    return atoms


def test_forces_are_the_slope_of_the_energy(argon):
    slopes = calculate_numerical_forces(argon, eps=1e-5, iatoms=[0, 7])
    assert numpy.allclose(argon.get_forces()[[0, 7]], slopes, rtol=1e-5, atol=1e-5)


def test_stress_is_the_slope_of_the_energy(argon):
    slopes = calculate_numerical_stress(argon, eps=1e-5)
    assert numpy.allclose(argon.get_stress(), slopes, rtol=1e-5, atol=1e-5)


def test_dynamics_keep_the_energy(argon):
    argon.calc = SumCalculator([LennardJones(sigma=3.4, epsilon=0.0104, rc=5.0, smooth=True),
                                argon.calc])
    before = argon.get_total_energy()
    VelocityVerlet(argon, timestep=0.5 * units.fs).run(20)
    assert argon.get_total_energy() == pytest.approx(before, rel=1e-4)
