# SPDX-License-Identifier: Apache-2.0
"""Compares mote.neighbours with plain loops, ASE, vesin and MDAnalysis."""

import itertools

import mote
import numpy
import pytest

CUBOID = numpy.diag([10.0, 11.0, 12.5])
TILTED = numpy.array([[9.0, 0, 0], [4.0, 8.0, 0], [-3.0, 2.5, 7.0]])
FLAT = numpy.array([[9.0, 0, 0], [40.0, 8.0, 0], [-3.0, 2.5, 3.0]])


def in_order(i, j, S, *more):
    """Sorts pairs by i, j and S."""
    order = numpy.lexsort((S[:, 2], S[:, 1], S[:, 0], j, i))
    return [numpy.asarray(array)[order] for array in (i, j, S, *more)]


def same(found, *expected):
    """Compares i, j, S, d and D."""
    for name, array in zip("ijSdD", expected):
        assert numpy.array_equal(getattr(found, name), array), name
    assert numpy.array_equal(numpy.bincount(found.i, minlength=len(found.offsets) - 1),
                             numpy.diff(found.offsets))


def loops(positions, cutoff, box, other, images=3):
    """Returns i, j and S of all pairs in a box that repeats along all axes."""
    pairs = []
    shifts = numpy.array(list(itertools.product(range(-images, images + 1), repeat=3)))
    for i, x in enumerate(positions):
        for j, y in enumerate(other):
            vectors = (y - x) + shifts @ box
            for k in numpy.flatnonzero((vectors ** 2).sum(axis=1) < cutoff ** 2):
                if other is not positions or i != j or shifts[k].any():
                    pairs.append((i, j, *shifts[k]))
    return numpy.array(pairs, int).reshape(-1, 5)


@pytest.mark.parametrize("box", [CUBOID, TILTED])
@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_like_loops(rng, box, n):
    positions, other = rng.random((n, 3)) @ box, rng.random((5, 3)) @ box
    for partners in (positions, other):
        expected = loops(positions, 11.0, box, partners)
        found = mote.neighbours(positions, 11.0, box, other=other if partners is other else None)
        assert numpy.array_equal(numpy.column_stack([found.i, found.j, found.S]), expected)
        assert numpy.allclose(found.d, numpy.linalg.norm(found.D, axis=1), rtol=1e-15)
    half = mote.neighbours(positions, 11.0, box, half=True)
    full = mote.neighbours(positions, 11.0, box)
    assert 2 * len(half.j) == len(full.j) and (half.i <= half.j).all()


@pytest.mark.parametrize("box", [CUBOID, TILTED, FLAT, -CUBOID])
@pytest.mark.parametrize("pbc", [True, False, [True, False, True], [False, False, True]])
def test_like_ase(rng, box, pbc):
    neighborlist = pytest.importorskip("ase.neighborlist")
    positions = (rng.random((40, 3)) * 4 - 1) @ box
    for cutoff in (0.5, 4.0):
        axes = numpy.broadcast_to(pbc, 3)
        expected = neighborlist.primitive_neighbor_list("ijSdD", axes, box, positions, cutoff)
        found = mote.neighbours(positions, cutoff, box, pbc)
        i, j, S, d, D = in_order(*expected)
        assert len(i) == len(found.i) and numpy.allclose(found.d, d, rtol=1e-12)
        same(found, i, j, S)
        assert numpy.allclose(found.D, D, rtol=0, atol=1e-12)


def test_a_molecule_and_a_slab(rng):
    atoms = pytest.importorskip("ase").Atoms("H60", positions=rng.random((60, 3)) * 5)
    neighborlist = pytest.importorskip("ase.neighborlist")
    atoms.cell[:2] = [[5, 0, 0], [1, 6, 0]]
    for pbc in (False, [True, True, False]):
        atoms.pbc = pbc
        expected = in_order(*neighborlist.neighbor_list("ijS", atoms, 2.0))
        same(mote.neighbours(atoms.positions, 2.0, atoms.cell[:], atoms.pbc), *expected)


def test_like_vesin(rng):
    vesin = pytest.importorskip("vesin")
    positions = rng.random((200, 3)) @ TILTED
    for full in (True, False):
        calculator = vesin.NeighborList(cutoff=3.0, full_list=full)
        expected = calculator.compute(points=positions, box=TILTED, periodic=True,
                                      quantities="ijSd")
        found = mote.neighbours(positions, 3.0, TILTED, half=not full)
        assert len(found.i) == len(expected[0])
        if full:
            i, j, S, d = in_order(*expected)
            same(found, i, j, S)
            assert numpy.allclose(found.d, d)


def test_like_mdanalysis(rng):
    distances = pytest.importorskip("MDAnalysis.lib.distances")
    positions = (rng.random((300, 3)) * 10).astype("f4")
    pairs, d = distances.self_capped_distance(positions, 2.0, box=[10, 10, 10, 90, 90, 90])
    found = mote.neighbours(positions, 2.0, [10, 10, 10], half=True)
    pairs = numpy.sort(pairs, axis=1)
    order = numpy.lexsort((pairs[:, 1], pairs[:, 0]))
    assert numpy.array_equal(numpy.column_stack([found.i, found.j]), pairs[order])
    assert found.d.dtype == "f4" and numpy.allclose(found.d, d[order], rtol=1e-5)


def test_lists_and_capacity(rng):
    positions = rng.random((100, 3))
    found = mote.neighbours(positions, 0.3, [1, 1, 1])
    again = mote.neighbours(positions, 0.3, [1, 1, 1], capacity=len(found.j) + 3)
    same(again, *found[1:])
    sums = mote.jagged.reduce(found.offsets, found.d, "sum")
    assert numpy.allclose(sums, numpy.bincount(found.i, found.d, minlength=100))
    with pytest.raises(mote.MoteError, match=str(len(found.j))):
        mote.neighbours(positions, 0.3, [1, 1, 1], capacity=10)


@pytest.mark.parametrize("more", [{}, {"half": True}, {"pbc": [True, False, True]}])
def test_frames_are_like_single_calls(rng, more):
    boxes = numpy.array([CUBOID, TILTED, FLAT, CUBOID * 1.1])
    frames = rng.random((4, 30, 3)) @ boxes
    partners = [None] if more.get("half") else [None, rng.random((4, 20, 3)) @ boxes]
    for other in partners:
        found = mote.neighbours(frames, 4.0, boxes, other=other, **more)
        begins = found.offsets[::30]
        assert len(begins) == 5 and begins[-1] == len(found.j)
        for k in range(4):
            one = mote.neighbours(frames[k], 4.0, boxes[k],
                                  other=None if other is None else other[k], **more)
            pairs = slice(begins[k], begins[k + 1])
            for got, wanted in zip(found[1:], one[1:]):
                assert numpy.array_equal(got[pairs], wanted)
            assert numpy.array_equal(found.offsets[30 * k:30 * k + 31] - begins[k], one.offsets)


def test_more_pairs_than_in_an_evenly_filled_box(rng):
    positions = rng.random((200, 3))
    found = mote.neighbours(positions, 0.5, [20, 20, 20])
    same(found, *mote.neighbours(positions, 0.5)[1:])
    assert len(mote.neighbours(numpy.arange(8.0)[:, None] * [1, 1, 1], 1.5, [8, 8, 8]).j) == 0


def test_one_box_for_all_frames_and_no_frames(rng):
    frames = rng.random((3, 10, 3)) * 10
    boxes = numpy.broadcast_to(CUBOID, (3, 3, 3))
    for got, wanted in zip(mote.neighbours(frames, 4.0, CUBOID), mote.neighbours(frames, 4.0, boxes)):
        assert numpy.array_equal(got, wanted)
    assert len(mote.neighbours(frames, 4.0).offsets) == 31
    for shape in ((0, 10, 3), (3, 0, 3)):
        found = mote.neighbours(numpy.zeros(shape), 4.0, boxes[:shape[0]])
        assert found.offsets.tolist() == [0] and len(found.j) == 0


@pytest.mark.parametrize("call, words", [
    (lambda x: mote.neighbours(x.reshape(2, 2, 3), 1, numpy.ones((3, 3, 3))), "box has 3 frames"),
    (lambda x: mote.neighbours(x.reshape(2, 2, 3), 1, other=x), "other has 1 frames"),
    (lambda x: mote.neighbours(x.reshape(2, 2, 3), 1, [numpy.eye(3), numpy.ones((3, 3))]), "frame 1"),
    (lambda x: mote.neighbours(x[:, :2], 1), "shape"),
    (lambda x: mote.neighbours(x, 0), "cutoff"),
    (lambda x: mote.neighbours(x, -9, [1, 1, 1]), "cutoff"),
    (lambda x: mote.neighbours(x, 1e200, [1, 1, 1]), "cutoff"),
    (lambda x: mote.neighbours(x, numpy.nan), "cutoff"),
    (lambda x: mote.neighbours(x, 1, pbc=True), "box"),
    (lambda x: mote.neighbours(x, 1, [1, 2]), "box"),
    (lambda x: mote.neighbours(x, 1, [1, 2, 0]), "length 0"),
    (lambda x: mote.neighbours(x, 1, [[1, 0, 0], [2, 0, 0], [0, 0, 1]]), "singular"),
    (lambda x: mote.neighbours(x, 1, [[1, 0, 0], [2, 0, 0], [0, 0, 1]], [1, 1, 0]), "singular"),
    (lambda x: mote.neighbours(x, 1, [1, 1, 1], [True, False]), "pbc"),
    (lambda x: mote.neighbours(x, 1, half=True, other=x), "half"),
    (lambda x: mote.neighbours(x, 100, [1, 1, 1]), "images"),
    (lambda x: mote.neighbours(x * numpy.nan, 1), "position"),
    (lambda x: mote.neighbours(x * 1e12, 1, [1, 1, 1]), "position"),
    (lambda x: mote.neighbours(x > 1, 1), "bool"),
    (lambda x: mote.neighbours(x, "1"), "cutoff is '1': a number"),
    (lambda x: mote.neighbours(x, 1, [1, 1, 1], "none"), "pbc is 'none': it must be a bool, or three"),
    (lambda x: mote.neighbours(x, 1, [1, 1, 1], ["T", "T", "F"]), "pbc"),
    (lambda x: mote.neighbours(x, 1, [1, 1, 1], 7), "pbc is 7"),
    (lambda x: mote.neighbours(x, 1, [1, 1, 1], [[1], [1, 0]]), "pbc"),
    (lambda x: mote.neighbours(x, 1, pbc=[0, 0, 1]), "there is no box"),
])
def test_refusals(rng, call, words):
    with pytest.raises(mote.MoteError, match=words):
        call(rng.random((4, 3)) + 1)
