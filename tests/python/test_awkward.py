# SPDX-License-Identifier: Apache-2.0
"""mote.awkward against awkward's own functions."""

import mote
import numpy
import pytest

ak = pytest.importorskip("awkward")

OPS = {"countnonzero": "count_nonzero"}


@pytest.fixture(params=["plain", "sliced", "gaps", "two levels", "regular"])
def array(request, rng):
    """Lists of float32 whose layouts differ."""
    counts = rng.integers(0, 6, 400)
    made = ak.unflatten(rng.integers(-3, 4, counts.sum()).astype("f4"), counts)
    if request.param == "sliced":
        return made[7:-5]
    if request.param == "gaps":
        return made[rng.permutation(400)[:300]]
    if request.param == "two levels":
        return ak.unflatten(made, [0, 100, 0, 250, 50])
    if request.param == "regular":
        return ak.to_regular(ak.Array(rng.integers(-3, 4, (50, 3)).astype("f4")))
    return made


@pytest.mark.parametrize("op", ["sum", "min", "max", "argmin", "argmax", "count", "countnonzero",
                                "any", "all"])
def test_reductions(array, op):
    found = mote.awkward.segments(array, op)
    expected = getattr(ak, OPS.get(op, op))(array, axis=-1)
    assert found.to_list() == expected.to_list()
    if op not in ("sum", "argmin", "argmax"):
        assert str(found.type).split("* ")[-1] == str(expected.type).split("* ")[-1]


def test_mean(array):
    found = ak.flatten(mote.awkward.segments(array, "mean"), axis=None)
    expected = ak.flatten(ak.mean(array, axis=-1), axis=None)
    assert numpy.allclose(found, expected, equal_nan=True, rtol=1e-6)


@pytest.mark.parametrize("op, ddof", [("var", 0), ("std", 1)])
def test_spreads(array, op, ddof):
    found = ak.flatten(mote.awkward.segments(array, op, ddof=ddof), axis=None)
    lists = array.to_list()
    lists = [part for outer in lists for part in outer] if array.ndim > 2 else lists
    expected = [getattr(numpy, op)(part, ddof=ddof) if len(part) > ddof else numpy.nan
                for part in lists]
    assert numpy.allclose(found, expected, equal_nan=True, rtol=1e-6)


def test_num_and_local_index(array):
    assert mote.awkward.num(array).to_list() == ak.num(array, axis=-1).to_list()
    assert mote.awkward.local_index(array).to_list() == ak.local_index(array, axis=-1).to_list()


def test_combinations(rng):
    counts = rng.integers(0, 6, 200)
    a = ak.zip({"pt": ak.unflatten(rng.random(counts.sum()), counts),
                "charge": ak.unflatten(rng.integers(-1, 2, counts.sum()), counts)})[3:]
    b = ak.unflatten(rng.integers(0, 99, counts.sum()), counts)[::-1][3:]
    assert mote.awkward.cartesian(a, b).to_list() == ak.cartesian([a, b]).to_list()
    assert mote.awkward.combinations(a).to_list() == ak.combinations(a, 2).to_list()
    where = mote.awkward.combinations(b, positions=True)
    assert ak.all(where["0"] < where["1"])


def test_nothing():
    none = ak.Array([[], []])
    assert mote.awkward.segments(none, "max").to_list() == [None, None]
    assert mote.awkward.combinations(none).to_list() == [[], []]
    assert mote.awkward.num(ak.Array([[1]])[:0]).to_list() == []


@pytest.mark.parametrize("call, words", [
    (lambda: mote.awkward.segments(ak.Array([1, 2]), "sum"), "lists"),
    (lambda: mote.awkward.segments(ak.Array([[1, None]]), "sum"), "plain numbers"),
    (lambda: mote.awkward.segments(ak.Array([["a"]]), "sum"), "plain numbers|type"),
    (lambda: mote.awkward.segments(ak.Array([[1]]), "median"), "argmin"),
    (lambda: mote.awkward.segments(object(), "sum"), "awkward"),
    (lambda: mote.awkward.cartesian(ak.Array([[1]]), ak.Array([[1], [2]])), "lists"),
])
def test_bad_input(call, words):
    with pytest.raises(mote.MoteError, match=words):
        call()
