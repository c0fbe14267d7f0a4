# SPDX-License-Identifier: Apache-2.0
"""Compares mote.rdf with mote.neighbours, and with InterRDF of MDAnalysis."""

import mote
import numpy
import pytest

TILTED = numpy.array([[9.0, 0, 0], [4.0, 8.0, 0], [-3.0, 2.5, 7.0]])


@pytest.mark.parametrize("two", [False, True])
def test_like_neighbours(rng, monkeypatch, two):
    frames = rng.random((3, 60, 3)) @ TILTED
    other = rng.random((3, 20, 3)).astype("f4") if two else None
    boxes = TILTED * numpy.array([1, 1.1, 1.2])[:, None, None]
    found = mote.rdf(frames, 6.0, 40, boxes, other=other, r_min=1.0)
    expected = numpy.zeros(40, int)
    for k in range(3):
        pairs = mote.neighbours(frames[k], 6.0, boxes[k], other=other[k] if two else None)
        squares = (pairs.D ** 2).sum(axis=1)
        expected += numpy.histogram(squares, found.edges ** 2)[0]
    assert numpy.array_equal(found.counts, expected) and found.counts.sum() > 1000
    alone = mote.rdf(frames[0], 6.0, 40, boxes[0], other=other[0] if two else None, r_min=1.0)
    rest = mote.rdf(frames[1:], 6.0, 40, boxes[1:], other=other[1:] if two else None, r_min=1.0)
    assert numpy.array_equal(alone.counts + rest.counts, found.counts)
    assert numpy.allclose(found.n, numpy.cumsum(expected) / 180)
    monkeypatch.setattr("mote._rdf._AT_ONCE", 400)  # two frames at a time
    parts = mote.rdf(frames, 6.0, 40, boxes, other=other, r_min=1.0)
    assert all(numpy.array_equal(a, b) for a, b in zip(parts, found))


@pytest.mark.parametrize("b_from, block", [(0, (1, 1)), (0, (3, 3)), (100, None), (100, (2, 1))])
def test_like_mdanalysis(rng, b_from, block):
    """A distance that MDAnalysis rounds to the other side of an edge moves a pair to the next bin."""
    analysis = pytest.importorskip("MDAnalysis.analysis.rdf")
    from MDAnalysis import Universe
    from MDAnalysis.coordinates.memory import MemoryReader
    frames = (rng.random((4, 150, 3)) * 12).astype("f4")
    sides = numpy.array([12.0, 12.5, 13.0, 14.0], "f4")
    dimensions = numpy.array([[side] * 3 + [90] * 3 for side in sides], "f4")
    universe = Universe.empty(150, trajectory=True)
    universe.load_new(frames, format=MemoryReader, dimensions=dimensions)
    one, two = universe.atoms[:100] if b_from else universe.atoms, universe.atoms[b_from:]
    peer = analysis.InterRDF(one, two, nbins=30, range=(0.0, 6.0), exclusion_block=block).run()
    boxes = sides.astype(float)[:, None, None] * numpy.eye(3)
    found = mote.rdf(frames[:, :len(one)], 6.0, 30, boxes, exclusion_block=block,
                     other=frames[:, b_from:] if b_from else None)
    assert numpy.abs(numpy.cumsum(found.counts) - numpy.cumsum(peer.results.count)).max() <= 4
    assert numpy.allclose(found.r, peer.results.bins)
    same = found.counts == peer.results.count
    assert same.sum() > 20 and numpy.allclose(found.g[same], peer.results.rdf[same], rtol=1e-6)


def test_norms(rng):
    frames = rng.random((2, 500, 3))
    boxes = numpy.array([1.0, 1.1])[:, None, None] * numpy.eye(3)
    plain = mote.rdf(frames, 0.5, 10, boxes, norm="none")
    assert numpy.array_equal(plain.g, plain.counts / 2)
    density = 500 * (1 + 1.1 ** -3) / 2
    shells = 4 / 3 * numpy.pi * numpy.diff(plain.edges ** 3)
    gromacs = mote.rdf(frames, 0.5, 10, boxes, norm="gromacs")
    assert numpy.allclose(gromacs.g, plain.counts / 2 / 500 / density / shells)
    assert numpy.allclose(mote.rdf(frames[0], 0.5, 10, boxes[0]).g[4:], 1, atol=0.1)
    molecule = mote.rdf(frames[0], 0.5, 10, norm="none")
    assert molecule.counts.sum() < plain.counts.sum()


def test_own_images():
    """With r_max beyond the box, g approaches 1 for a single atom, too."""
    assert numpy.allclose(mote.rdf([[0, 0, 0]], 40, 4, [2, 2, 2]).g[1:], 1, atol=0.02)
    assert mote.rdf([[0, 0, 0]], 1.9, 4, [2, 2, 2]).g.max() == 0


def test_empty():
    for shape in ((0, 3), (0, 5, 3), (2, 0, 3)):
        found = mote.rdf(numpy.zeros(shape), 1.0, 4, [3, 3, 3])
        assert not found.counts.any() and not found.g.any() and not found.n.any()
    assert not mote.rdf(numpy.zeros((0, 5, 3)), 1.0, 4, numpy.zeros((0, 3, 3))).counts.any()
    assert not mote.rdf(numpy.ones((4, 3)), 1.0, 4, [3, 3, 3], other=numpy.zeros((0, 3))).g.any()


@pytest.mark.parametrize("call, words", [
    (lambda x: mote.rdf(x[:, :2], 1), "shape"),
    (lambda x: mote.rdf(x, 1), "volume"),
    (lambda x: mote.rdf(x, 1, box=[1, 1, 1], pbc=[1, 1, 0]), "volume"),
    (lambda x: mote.rdf(x, 1, 0, [1, 1, 1]), "bins"),
    (lambda x: mote.rdf(x, 0, 5, [1, 1, 1]), "r_max"),
    (lambda x: mote.rdf(x, 1, 5, [1, 1, 1], r_min=2), "r_min"),
    (lambda x: mote.rdf(x, 1, 5, [1, 1, 1], norm="density"), "norm"),
    (lambda x: mote.rdf(x, 1, 5, numpy.ones((2, 3, 3))), "2 frames"),
    (lambda x: mote.rdf(x, 1, 5, [1, 1, 1], exclusion_block=(1, 2)), "equal"),
    (lambda x: mote.rdf(x, 1, 5, [1, 1, 1], exclusion_block=3), "two numbers"),
    (lambda x: mote.rdf(x[None][[0, 0]], 1, 5, [1, 1, 1], other=x[None][[0, 0, 0]]), "frames"),
    (lambda x: mote.rdf(x * numpy.nan, 1, 5, [1, 1, 1]), "position"),
    (lambda x: mote.rdf(x > 1, 1, 5, [1, 1, 1]), "bool"),
    (lambda x: mote.rdf(x, None, 5, [1, 1, 1]), "r_max is None: a number"),
    (lambda x: mote.rdf(x, 1, 5, [None, numpy.eye(3)]), "box is no array"),
    (lambda x: mote.rdf(x, 1, 5, [1, 1, 1], "xyz"), "pbc is 'xyz'"),
    (lambda x: mote.rdf([x, x * numpy.nan], 1, 5, [1, 1, 1]), "^frame 1: .*position"),
    (lambda x: mote.rdf([x, x], 1, 5, [numpy.eye(3), 0 * numpy.eye(3)]), "^frame 1: .*: the box"),
])
def test_refusals(rng, call, words):
    with pytest.raises(mote.MoteError, match=words):
        call(rng.random((4, 3)) + 1)
