# SPDX-License-Identifier: Apache-2.0
"""Compares mote.sum, min and max with numpy."""

import mote
import numpy
import pytest

OPS = ["sum", "min", "max"]


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("kind", ["int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("axis", [None, 0, 1, 2, -1, -3, (0, 2), (-1, 1), (0, 1, 2), ()])
def test_like_numpy(rng, op, kind, axis):
    values = rng.integers(-99, 99, (5, 30, 17)).astype(kind)
    for words in ({}, {"keepdims": True}):
        found, expected = (getattr(module, op)(values, axis, **words) for module in (mote, numpy))
        assert type(found) is type(expected) and found.dtype == expected.dtype
        assert found.shape == expected.shape and numpy.array_equal(found, expected)


def test_sum_of_random_values(rng):
    values = rng.standard_normal(100_003).astype("f4")
    exact = float(values.astype("f16").sum())
    assert mote.sum(values, dtype="f8") == pytest.approx(exact, rel=1e-9, abs=1e-9)
    assert mote.sum(values, accumulation="compensated") == numpy.float32(exact)
    values[17] = numpy.nan
    assert numpy.isnan(mote.sum(values)) and numpy.isnan(mote.max(values))
    assert mote.max(values, nan="skip") == numpy.nanmax(values)


def test_nothing():
    assert mote.sum([]) == 0 and mote.min(numpy.empty(0)) == numpy.inf
    assert mote.max(numpy.empty(0, "i4")) == numpy.iinfo("i4").min
    assert mote.sum(numpy.empty((3, 0)), axis=1).tolist() == [0, 0, 0]
    assert mote.sum(numpy.empty((0, 3)), axis=1).shape == (0,)
    assert mote.sum(numpy.float64(3)) == 3


def test_out(rng):
    values = rng.random((4, 9))
    out = numpy.empty(4)
    assert mote.sum(values, axis=1, out=out) is out or numpy.array_equal(
        out, mote.sum(values, axis=1))
    with pytest.raises(ValueError, match="shape"):
        mote.sum(values, axis=1, out=numpy.empty(9))


@pytest.mark.parametrize("call, words", [
    (lambda: mote.sum(numpy.ones((2, 2)), axis=2), "axis"),
    (lambda: mote.sum(numpy.ones((2, 2)), axis=(0, -2)), r"axis is \(0, -2\): .* once"),
    (lambda: mote.sum(numpy.ones((2, 2)), axis=[0, 1]), "a tuple of axes"),
    (lambda: mote.sum(numpy.array(["a"])), "<U1"),
    (lambda: mote.sum([1.0], nan="drop"), "propagate, skip"),
    (lambda: mote.sum([1.0], dtype="i8"), "cannot be int64"),
    (lambda: mote.sum([1.0], context="no such device"), "no such device"),
    (lambda: mote.sum([[1.0], [2.0, 3.0]]), "no array"),
    (lambda: mote.min(numpy.broadcast_to(1.0, 2 ** 31)), "contiguous"),
    (lambda: mote.min(numpy.broadcast_to(1.0, (2 ** 31, 3)), axis=1), "contiguous|rows"),
])
def test_bad_input(call, words):
    with pytest.raises(mote.MoteError, match=words):
        call()
