# SPDX-License-Identifier: Apache-2.0
"""Compares means, variances and other reductions of rows with numpy, and with exact fractions."""

import fractions
import statistics

import mote
import numpy
import pytest

OPS = ["mean", "var", "std"]
KINDS = ["bool", "int8", "uint8", "int16", "uint16", "int32", "int64", "uint64", "float16",
         "float32", "float64"]


def like(found, expected, kind):
    """Values are equal except for the rounding of the result's type."""
    return numpy.allclose(found, expected, rtol=1e-6 if kind in ("float16", "float32") else 1e-12,
                          atol=0, equal_nan=True)


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("axis", [None, 0, -1, (2, 0)])
def test_rows(rng, op, kind, axis):
    values = (100 * rng.random((5, 30, 17))).astype(kind)
    options = {} if op == "mean" else {"ddof": 1}
    found = getattr(mote, op)(values, axis, **options)
    expected = getattr(numpy, op)(values.astype("f8"), axis, **options)
    assert found.shape == expected.shape and like(found, expected, kind)
    kept = getattr(mote, op)(values, axis, keepdims=True, **options)
    assert kept.shape == values.max(axis, keepdims=True).shape
    assert numpy.array_equal(kept.ravel(), found.ravel())
    assert found.dtype == ("float32" if kind in ("float16", "float32") else "float64")


@pytest.mark.parametrize("kind", KINDS)
def test_lists(rng, offsets, kind):
    values = (100 * rng.random(offsets[-1] + 4)).astype(kind)
    for op, ddof in (("var", 0), ("std", 1)):
        found = mote.jagged.reduce(offsets, values, op, ddof=ddof)
        for got, begin, end in zip(found, offsets[:-1], offsets[1:]):
            part = values[begin:end].astype("f8")
            if len(part) > ddof:
                assert like(got, getattr(numpy, op)(part, ddof=ddof), kind)
            else:
                assert numpy.isnan(got)


def test_lists_that_begin_with_the_values(rng, offsets):
    values = rng.random(offsets[-1])
    expected = mote.jagged.reduce(offsets, values, "var")
    found = mote.jagged.reduce(offsets, values[3:], "var", base_first=True)
    assert numpy.array_equal(found, expected, equal_nan=True)


@pytest.mark.parametrize("mean, width", [(1e8, 1.0), (1e8, 1e-6), (-1e15, 1.0), (0.0, 1e-150)])
def test_values_far_from_0(rng, mean, width):
    values = mean + width * rng.standard_normal(4000)
    exact = float(statistics.pvariance(map(fractions.Fraction, values)))
    assert mote.var(values) == pytest.approx(exact, rel=1e-12, abs=0)
    offsets = numpy.array([0, 1, 700, 4000])
    exact = [float(statistics.pvariance(map(fractions.Fraction, values[a:b])))
             for a, b in zip(offsets[:-1], offsets[1:])]
    assert numpy.allclose(mote.jagged.reduce(offsets, values, "var"), exact, rtol=1e-12, atol=0)


def test_large_integers():
    values = numpy.full(4, 2 ** 63 - 1)
    assert mote.mean(values) == 2.0 ** 63 and mote.var(values) == 0


def test_values_that_are_no_numbers(rng):
    values = rng.random(50)
    values[7] = numpy.nan
    offsets = [0, 5, 20, 50]
    found = mote.jagged.reduce(offsets, values, "var")
    assert numpy.isnan(found).tolist() == [False, True, False]
    skipped = mote.jagged.reduce(offsets, values, "var", nan="skip")
    assert skipped[1] == pytest.approx(numpy.nanvar(values[5:20]), rel=1e-12)
    assert mote.std(values, nan="skip") == pytest.approx(numpy.nanstd(values), rel=1e-12)
    assert numpy.isnan(mote.var([1.0, numpy.inf]))


INFINITE = [[numpy.inf], [numpy.inf, numpy.inf], [5.0, numpy.inf, -numpy.inf], [1.0, -numpy.inf]]


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
@pytest.mark.parametrize("nan", ["skip", "propagate"])
@pytest.mark.parametrize("values", INFINITE)
def test_infinities(values, nan, kind):
    values = numpy.array(values, kind)
    for op in ("var", "std"):
        assert numpy.isnan(getattr(mote, op)(values, nan=nan))
        lists = numpy.concatenate([[1.0, 3.0], values]).astype(kind)
        found = mote.jagged.reduce([0, 2, len(lists)], lists, op, nan=nan)
        assert found[0] == 1 and numpy.isnan(found[1])


@pytest.mark.parametrize("op", ["prod", "any", "all", "argmin", "argmax"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_other_reductions(rng, op, axis):
    values = rng.integers(0, 3, (4, 5))
    for keepdims in (False, True):
        found = getattr(mote, op)(values, axis, keepdims=keepdims)
        expected = getattr(numpy, op)(values, axis, keepdims=keepdims)
        assert found.shape == expected.shape and numpy.array_equal(found, expected)
        assert found.dtype == expected.dtype


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_cumulative_sums(rng, axis):
    values = rng.integers(-9, 9, (4, 5, 3))
    found = mote.cumsum(values, axis)
    assert numpy.array_equal(found, numpy.cumsum(values, axis)) and found.dtype == "int64"
    assert mote.cumsum(values[:0], axis).shape == numpy.cumsum(values[:0], axis).shape


def test_nothing():
    assert mote.prod([]) == 1 and mote.all([]) and not mote.any([]) and mote.argmin([]) == -1
    for op in OPS:
        function = getattr(mote, op)
        assert numpy.isnan(function([]))
        assert function(numpy.empty((0, 3)), axis=1).shape == (0,)
        assert numpy.isnan(function(numpy.empty((2, 0)), axis=1)).all()
    assert numpy.isnan(mote.var([3.0], ddof=1)) and mote.var(numpy.float64(3)) == 0
    assert mote.jagged.reduce([0], numpy.empty(0), "var").shape == (0,)


def test_out_and_type(rng):
    values = rng.random((4, 9))
    out = numpy.empty(4, "f4")
    narrow = values.astype("f4")
    assert mote.std(narrow, axis=1, dtype="f4", out=out) is out
    assert numpy.allclose(out, values.std(axis=1), rtol=1e-6)
    assert mote.var(narrow, dtype="f8") == pytest.approx(narrow.astype("f8").var(), rel=1e-13)
    assert mote.mean(values, axis=1, dtype="f8", out=numpy.empty(4)).dtype == "f8"
    assert mote.jagged.reduce([0, 3], values[0], "var", out=numpy.empty(1)).shape == (1,)


@pytest.mark.parametrize("call, words", [
    (lambda: mote.var([1.0], dtype="i4"), "cannot be int32"),
    (lambda: mote.var([1.0], dtype="f4"), "cannot be float32"),
    (lambda: mote.var([1.0], ddof="1"), "ddof"),
    (lambda: mote.var([1.0], ddof=0.5), "ddof"),
    (lambda: mote.var([1.0], ddof=-1), "ddof"),
    (lambda: mote.var([[1.0]], axis=2), "axis"),
    (lambda: mote.cumsum([[1.0]], axis=(0, 1)), "one axis, or None"),
    (lambda: mote.mean([1.0], nan="drop"), "propagate, skip"),
    (lambda: mote.std([[1.0]], axis=1, out=numpy.empty(3)), "shape"),
    (lambda: mote.jagged.reduce([0, 3], [1.0], "var"), "list 0"),
    (lambda: mote.jagged.reduce([0, 3, 1], [1.0, 2.0, 3.0], "std"), "list 1"),
    (lambda: mote.jagged.reduce([], [1.0], "var"), "empty"),
    (lambda: mote.jagged.reduce([0, 1], None, "var"), "values"),
    (lambda: mote.jagged.reduce([0, 1], numpy.ones((1, 1)), "var"), "dimension"),
    (lambda: mote.jagged.reduce([0, 1], [1.0], "var", error=7), "error words"),
])
def test_bad_input(call, words):
    with pytest.raises(mote.MoteError, match=words):
        call()
