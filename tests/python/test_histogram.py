# SPDX-License-Identifier: Apache-2.0
"""Compares mote.histogram with numpy.histogram."""

import mote
import numpy
import pytest

KINDS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]


def same(values, *arguments, **more):
    """Returns whether counts and edges are those of numpy, in value and type."""
    found, found_edges = mote.histogram(values, *arguments, **more)
    expected, edges = numpy.histogram(values, *arguments, **more)
    assert found.dtype == expected.dtype and found_edges.dtype == edges.dtype
    assert numpy.array_equal(found, expected) and numpy.array_equal(found_edges, edges)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bins, range", [
    (10, None), (100, (0, 100)), (7, (-3.5, 90)), (1, None), (700, (0, 127)), ([0, 1, 5, 5, 90], None),
    ([0.5, 1.25, 70], None)])
def test_like_numpy(rng, kind, bins, range):
    values = rng.integers(0, 120, (3, 4000)).astype(kind)
    same(values, bins, range)


@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_edges_decide(rng, kind):
    for bins, low, high in [(10, 0.1, 0.7), (1000, -1.3, 2.9), (12345, -1e-3, 1e3), (3, 0, 1e-30)]:
        edges = numpy.linspace(low, high, bins + 1).astype(kind)
        beside = numpy.concatenate([edges, numpy.nextafter(edges, edges.dtype.type(9e9)),
                                    numpy.nextafter(edges, edges.dtype.type(-9e9))])
        same(beside, bins, (low, high))
        same(beside, numpy.sort(rng.choice(edges, 50)))


def test_what_is_outside():
    values = numpy.array([numpy.nan, -numpy.inf, numpy.inf, 0, 1, 1.5, 3], "f4")
    same(values, 3, (0, 3))
    same(values, [-numpy.inf, 0, numpy.inf])
    same(numpy.empty(0), 4)
    same(numpy.full(10, 3.0), 4)
    same([1, 2, 2, 9])


@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_weights(rng, kind):
    values, weights = rng.random(50_000), (rng.integers(-999, 999, 50_000) / 8).astype(kind)
    same(values, 50, (0.1, 0.9), weights=weights)
    weights = rng.standard_normal(50_000).astype(kind)
    found, _ = mote.histogram(values, 50, (0, 1), weights)
    exact, _ = numpy.histogram(values, 50, (0, 1), weights=weights.astype("f8"))
    assert numpy.allclose(found, exact, rtol=1e-6 if kind == "f4" else 1e-12, atol=1e-9)
    weights[:4] = numpy.inf, -numpy.inf, numpy.nan, numpy.inf
    sums, _ = mote.histogram([0.5, 0.6, 1.5, 2.5, 3.5], [0, 1, 2, 3, 4], None, weights[:5])
    assert numpy.isnan(sums[:2]).all() and sums[2] == numpy.inf and sums[3] == weights[4]


@pytest.mark.parametrize("call, words", [
    (lambda: mote.histogram([1.0], "auto"), r"number of bins.*histogram_bin_edges\(values, 'auto'\)"),
    (lambda: mote.histogram([1.0], []), "two edges or more"),
    (lambda: mote.histogram([1.0], [0]), "two edges or more"),
    (lambda: mote.histogram([1.0], 3, (0,)), r"range is \(0,\): the lowest"),
    (lambda: mote.histogram([1.0], 3, 5), "range is 5"),
    (lambda: mote.histogram([1.0], 0), "bins"),
    (lambda: mote.histogram([1.0], 2.5), "bins"),
    (lambda: mote.histogram([1.0], [1, 0]), "bins"),
    (lambda: mote.histogram([1.0], [[1, 0]]), "bins"),
    (lambda: mote.histogram([1.0], 3, (1, 0)), "bins"),
    (lambda: mote.histogram([1.0, numpy.nan], 3), "bins"),
    (lambda: mote.histogram([1.0], [0, numpy.nan, 1]), "edge"),
    (lambda: mote.histogram([1.0], 3, (0, 1), [1.0, 2.0]), "shape"),
    (lambda: mote.histogram([1.0], 3, (0, 1), [True]), "bool"),
    (lambda: mote.histogram(["a"]), "<U1"),
])
def test_bad_input(call, words):
    with pytest.raises(mote.MoteError, match=words):
        call()
