# SPDX-License-Identifier: Apache-2.0
"""Tests mote.mdanalysis on trajectories that MDAnalysis writes, with all backends."""

import mote
import numpy
import pytest

mda = pytest.importorskip("MDAnalysis")

SWITCH = "RATIONAL R_0=3.0 D_MAX=6.0"
ATOMS, FRAMES = 90, 12


@pytest.fixture(params=["none", "orthorhombic", "triclinic"])
def universe(request, rng, tmp_path):
    """Writes random atoms to an XTC file, with box or without."""
    box = {"none": None, "orthorhombic": [20, 21, 22, 90, 90, 90],
           "triclinic": [20, 21, 22, 70, 80, 75]}[request.param]
    made = mda.Universe.empty(ATOMS, trajectory=True)
    made.add_TopologyAttr("name", ["OW"] * ATOMS)
    path = str(tmp_path / "atoms.xtc")
    with mda.Writer(path, ATOMS) as writer:
        for _ in range(FRAMES):
            made.atoms.positions = rng.random((ATOMS, 3)) * 20
            made.dimensions = box
            writer.write(made.atoms)
    made.load_new(path)
    return made


def expected(universe, a, b, **options):
    """Returns the same numbers from mote.Coordination, frame by frame."""
    values = []
    for step in universe.trajectory:
        box = step.dimensions
        periodic = box is not None and box[:3].any()
        pbc = "none" if not periodic else "orthorhombic" if (box[3:] == 90).all() else "triclinic"
        boxes = {"none": None, "orthorhombic": None if box is None else box[:3],
                 "triclinic": step.triclinic_dimensions}
        plan = mote.Coordination(SWITCH, n_atoms=ATOMS, group_a=a, group_b=b, pbc=pbc, **options)
        values.append(plan(universe.atoms.positions, boxes[pbc]).value)
    return numpy.array(values)


@pytest.mark.parametrize("two", [False, True])
def test_serial(universe, two):
    a, b = universe.atoms[:50], universe.atoms[40:] if two else None
    found = mote.mdanalysis.Coordination(a, b, switch=SWITCH, per_atom=True).run()
    wanted = expected(universe, list(range(50)), list(range(40, 90)) if two else None)
    assert found.results.value == pytest.approx(wanted, rel=1e-6)
    numbers = found.results.coordination
    assert numbers.shape == (FRAMES, 100 if two else 50)
    assert numbers.sum(axis=1) / 2 == pytest.approx(found.results.value, rel=1e-6)


def test_against_mdanalysis_own_contacts(universe):
    from MDAnalysis.lib.distances import distance_array
    a, b = universe.atoms[:50], universe.atoms[50:]
    found = mote.mdanalysis.Coordination(a, b, switch="RATIONAL R_0=3.0 NN=6 D_MAX=100 NOSTRETCH",
                                         precision="double").run().results.value
    for value, step in zip(found, universe.trajectory):
        r = distance_array(a, b, box=step.dimensions)
        assert value == pytest.approx((1 / (1 + (r / 3) ** 6)).sum(), rel=1e-5)


@pytest.mark.parametrize("universe", ["triclinic"], indirect=True)
@pytest.mark.parametrize("backend", ["multiprocessing", "dask"])
def test_backends_give_the_same_bytes(universe, backend):
    if backend == "dask":
        pytest.importorskip("dask")
    analysis = mote.mdanalysis.Coordination(universe.atoms, switch=SWITCH, per_atom=True)
    serial = {name: value.tobytes() for name, value in analysis.run().results.items()}
    analysis.run(backend=backend, n_workers=2)
    assert {name: value.tobytes() for name, value in analysis.results.items()} == serial


@pytest.mark.parametrize("universe", ["orthorhombic"], indirect=True)
def test_the_guides_lines(universe, guide, capsys):
    pytest.importorskip("dask")
    names = {"mote": mote, "universe": universe}
    exec(guide("mote.mdanalysis").replace("n_workers=16", "n_workers=2"), names)
    serial = mote.mdanalysis.Coordination(universe.atoms, switch=SWITCH).run().results.value
    assert capsys.readouterr().out == f"{serial}\n"


@pytest.mark.parametrize("universe", ["none"], indirect=True)
def test_bad_groups(universe):
    with pytest.raises(mote.MoteError, match="changes"):
        mote.mdanalysis.Coordination(universe.select_atoms("prop x < 9", updating=True),
                                     switch=SWITCH)
    with pytest.raises(mote.MoteError, match="R_0"):
        mote.mdanalysis.Coordination(universe.atoms, switch="RATIONAL").run()
