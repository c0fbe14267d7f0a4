# SPDX-License-Identifier: Apache-2.0
"""Tests which arrays calls accept, and which of them they read without a copy."""

import mote
import numpy
import pytest
from mote import _arrays

WIDTHS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", ">i4"]


@pytest.mark.parametrize("kind", WIDTHS)
def test_integers_of_any_width(kind):
    offsets = numpy.array([0, 2, 2, 3], kind)
    assert mote.jagged.reduce(offsets, numpy.array([4, 5, 7]), "sum").tolist() == [9, 0, 7]
    assert mote.jagged.offsets(parents=numpy.array([0, 2], kind), lists=3).tolist() == [0, 1, 1, 2]
    counts = mote.jagged.counts(offsets)
    assert counts.tolist() == [2, 0, 1]
    assert counts.dtype == (kind if kind in ("int32", "uint32") else "int32" if kind == ">i4" else "int64")
    module, x, y, adc = (numpy.array(digis, kind) for digis in ([0, 0, 1], [1, 2, 3], [1, 1, 1], [5, 3, 2]))
    for n_modules in (2, None):
        found = mote.cluster(module, x, y, adc, rows=9, columns=9, n_modules=n_modules,
                             event_offsets=numpy.array([0, 3], kind), charge_cuts=n_modules and module[1:])
        assert found.labels.tolist() == [0, 0, 0] and found.properties["charge"].tolist() == [8, 2]
    positions = numpy.array([[0, 0, 0], [1, 0, 0]], kind)
    plan = mote.Coordination("EXP R_0=1 D_MAX=2", n_atoms=2, group_a=numpy.array([0, 1], kind))
    assert plan(positions).value == plan(positions.astype("f8")).value > 0


@pytest.mark.parametrize("call, words", [
    (lambda: mote.jagged.counts(numpy.array([0, 2 ** 63], "u8")),
     "offsets holds 0 to 9223372036854775808: int64 is"),
    (lambda: mote.cluster([0], numpy.array([65536]), [1], rows=9, columns=9, n_modules=1),
     "x holds 65536 to 65536: uint16 is 0 to 65535"),
    (lambda: mote.cluster(numpy.array([-1], "i1"), [1], [1], rows=9, columns=9, n_modules=1),
     "module_id holds -1 to -1: uint32"),
    (lambda: mote.cluster(numpy.array([-1]), [1], [1], rows=9, columns=9), "module_id holds -1 .* uint64"),
    (lambda: mote.cluster([0], [1], [1], numpy.array([2 ** 32]), rows=9, columns=9), "adc holds 4294967296"),
    (lambda: mote.Coordination("EXP R_0=1", n_atoms=2, group_a=numpy.array([0, -1])), "group_a holds -1"),
])
def test_values_that_do_not_fit(call, words):
    with pytest.raises(mote.MoteValueError, match=words):
        call()


def test_what_is_not_copied():
    """Calls accept arrays of a permitted type, and integers of the same width."""
    wanted = [numpy.dtype("int64"), numpy.dtype("int32"), numpy.dtype("uint32")]
    for kind, in_place in (("i8", True), ("u4", True), ("u8", True), ("u2", False), (">i8", False)):
        array = numpy.arange(5).astype(kind)
        assert numpy.shares_memory(array, _arrays.given(array, "offsets", wanted)) == in_place, kind
    short = numpy.arange(5, dtype="i2")
    assert numpy.shares_memory(short, _arrays.given(short, "x", [numpy.dtype("u2")]))


def test_numbers_of_numpy():
    """Integers of NumPy are whole numbers, also if a product of them is needed."""
    mask = numpy.zeros((300, 9, 9), bool)
    mask[0, 1, 1] = True
    for given in (mask, mask.tolist()):
        found = mote.cluster([0, 299], [1, 1], [1, 1], rows=numpy.uint8(9), columns=numpy.int16(9), mask=given,
                             n_modules=numpy.uint16(300), invalid_cluster_id=numpy.int32(-5))
        assert found.labels.tolist() == [-5, 0]


class Other:
    """An array of another package, which has some of its attributes."""

    def __init__(self, **attributes):
        self.__dict__.update(attributes)

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device


def test_arrays_of_other_packages():
    """The array interface, DLPack and __array__ are read in place."""
    values = numpy.arange(4.)
    interface = type("Interface", (), {"__array_interface__": values.__array_interface__})
    for other in (interface(), memoryview(values), Other(array=values, device=(1, 0))):
        assert mote.sum(other) == 6
        assert numpy.shares_memory(values, _arrays.given(other, "values"))
    with pytest.raises(mote.MoteValueError, match="values is no array"):
        mote.sum(Other(array=numpy.array(["a"]), device=(1, 0)))


@pytest.mark.parametrize("other", [
    type("CuPy", (), {"__cuda_array_interface__": {}})(), Other(device=(2, 0)), Other(device=(10, 0))])
def test_arrays_on_a_gpu(other):
    for call in (lambda: mote.sum(other), lambda: mote.jagged.counts(other),
                 lambda: mote.cluster([0], other, [0], rows=9, columns=9)):
        with pytest.raises(mote.MoteTypeError, match=r"memory of a GPU: .*\.get\(\) .*\.cpu\(\)"):
            call()


def test_missing_values_of_pyarrow():
    arrow = pytest.importorskip("pyarrow")
    for make in (arrow.array, lambda values: arrow.chunked_array([values[:1], values[1:]])):
        assert mote.sum(make([1, 2, 3])) == 6
        assert mote.jagged.counts(make([0, 2, 3])).tolist() == [2, 1]
        for values in ([1, None], [1.5, None]):
            with pytest.raises(mote.MoteTypeError, match=r"values has missing values: .*fill_null\(\)"):
                mote.sum(make(values))
    assert mote.sum(arrow.array([True, True])) == 2


def test_missing_values_of_pandas():
    pandas = pytest.importorskip("pandas")
    for kind in ("int64", "Int64", "Float32", "float64"):
        assert mote.sum(pandas.Series([1, 2, 3], dtype=kind)) == 6
    for kind in ("Int64", "Float64", "boolean"):
        with pytest.raises(mote.MoteTypeError, match=r"values has missing values: .*dropna\(\)"):
            mote.sum(pandas.Series([1, None], dtype=kind))
    assert numpy.isnan(mote.sum(pandas.Series([1, numpy.nan])))
    assert mote.sum(pandas.DataFrame({"a": [1, 2], "b": [3, 4]}), axis=0).tolist() == [3, 7]


@pytest.mark.parametrize("call", [
    lambda array: mote.jagged.counts(array),
    lambda array: mote.jagged.reduce([0, 3], array, "sum"),
    lambda array: mote.sum(array),
    lambda array: mote.var(array),
    lambda array: mote.cluster(array, [1, 2, 3], [1, 2, 3], rows=9, columns=9),
    lambda array: mote.cluster([0, 0, 0], array, [1, 2, 3], rows=9, columns=9),
])
def test_masked_arrays_are_refused(call):
    with pytest.raises(TypeError, match="masked array"):
        call(numpy.ma.array([0, 1, 2], mask=[False, True, False]))


@pytest.mark.parametrize("call", [
    lambda: mote.jagged.counts([0.0, 1.5]),
    lambda: mote.jagged.counts(numpy.array([0.0, 1.0])),
    lambda: mote.jagged.counts(numpy.array([False, True])),
    lambda: mote.jagged.offsets(parents=[0.5], lists=1),
    lambda: mote.cluster([0.5], [1], [1], rows=9, columns=9),
    lambda: mote.cluster([0], [0.5], [1], rows=9, columns=9, n_modules=1),
    lambda: mote.Coordination("EXP R_0=1 D_MAX=2", n_atoms=2, group_a=[0.5]),
])
def test_floats_are_no_integers(call):
    with pytest.raises(mote.MoteTypeError, match=r'integers are wanted: .*astype\("u?int'):
        call()
