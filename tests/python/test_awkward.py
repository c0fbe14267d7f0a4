# SPDX-License-Identifier: Apache-2.0
"""Compares mote.awkward with awkward's own functions."""

import mote
import numpy
import pytest

ak = pytest.importorskip("awkward")

@pytest.fixture(params=["plain", "sliced", "gaps", "two levels", "regular"])
def array(request, rng):
    """Makes lists of float32 with different layouts."""
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


@pytest.mark.parametrize("op", ["sum", "min", "max", "argmin", "argmax", "count", "count_nonzero",
                                "any", "all"])
def test_reductions(array, op):
    found = getattr(mote.awkward, op)(array)
    expected = getattr(ak, op)(array, axis=-1)
    assert found.to_list() == expected.to_list()
    if op not in ("sum", "argmin", "argmax"):
        assert str(found.type).split("* ")[-1] == str(expected.type).split("* ")[-1]


def test_mean(array):
    found = ak.flatten(mote.awkward.mean(array), axis=None)
    expected = ak.flatten(ak.mean(array, axis=-1), axis=None)
    assert numpy.allclose(found, expected, equal_nan=True, rtol=1e-6)


@pytest.mark.parametrize("op, ddof", [("var", 0), ("std", 1)])
def test_spreads(array, op, ddof):
    found = ak.flatten(getattr(mote.awkward, op)(array, ddof=ddof), axis=None)
    lists = array.to_list()
    lists = [part for outer in lists for part in outer] if array.ndim > 2 else lists
    expected = [getattr(numpy, op)(part, ddof=ddof) if len(part) > ddof else numpy.nan
                for part in lists]
    assert numpy.allclose(found, expected, equal_nan=True, rtol=1e-6)


def test_orders(array):
    for words in ({}, {"ascending": False}):
        for name in ("sort", "argsort"):
            found = getattr(mote.awkward, name)(array, **words)
            assert found.to_list() == getattr(ak, name)(array, axis=-1, **words).to_list()


def test_order_of_what_is_no_number():
    """NaN follows numbers, as in NumPy; awkward puts it before them."""
    array = ak.Array([[None, numpy.nan, 2., None, 1.], None, [], [None], [numpy.nan, 0., -0.]])
    assert str(mote.awkward.sort(array).to_list()) == \
        "[[1.0, 2.0, nan, None, None], None, [], [None], [0.0, -0.0, nan]]"
    assert str(mote.awkward.sort(array, ascending=False).to_list()) == \
        "[[2.0, 1.0, nan, None, None], None, [], [None], [0.0, -0.0, nan]]"
    assert mote.awkward.argsort(array).to_list() == \
        [[4, 2, 1, 0, 3], None, [], [0], [1, 2, 0]]


def test_filter(rng):
    """mote.jagged.filter() gives the parts of array[mask]."""
    array = ak.unflatten(rng.integers(-3, 4, 800), rng.multinomial(800, [1 / 300] * 300))
    mask = array > 0
    ends, kept = mote.jagged.filter(array.layout.offsets.data, array.layout.content.data,
                                    mask.layout.content.data)
    assert ak.unflatten(kept, numpy.diff(ends)).to_list() == array[mask].to_list()


def test_filter_of_lists():
    """mote.awkward.filter() returns array[mask], whose lists are None where one of these is."""
    array = ak.Array([[1, None, 2], [3], None, [4], []])
    mask = ak.Array([[True, True, False], None, [True, True], [False], []])
    assert mote.awkward.filter(array, mask).to_list() == [[1, None], None, None, [], []]
    assert mote.awkward.filter(mask, mask).to_list() == [[True, True], None, [True, True], [], []]
    without = ak.Array([[None, True], [True, False]])[1:]  # the type allows None, but there is none
    assert mote.awkward.filter(array[3:4], without[:, 1:]).to_list() == [[]]
    muons = ak.Array([[{"pt": 3, "hits": [1]}, {"pt": 9, "hits": []}], []])
    assert mote.awkward.filter(muons, muons.pt > 5).to_list() == [[{"pt": 9, "hits": []}], []]


def test_padded_and_first(array):
    muons = ak.Array([[{"pt": 3, "hits": [1]}, {"pt": 9, "hits": []}], [], None])
    for lists in (array, muons):
        for words in ({"target": 2}, {"target": 1, "clip": True}, {"target": 0, "clip": True}):
            found, expected = (module.pad_none(lists, **words) for module in (mote.awkward, ak))
            assert found.to_list() == expected.to_list()
            assert found.type == expected.type or lists.layout.is_regular
        found, expected = mote.awkward.firsts(lists), ak.firsts(lists)
        assert found.to_list() == expected.to_list() and found.type == expected.type


def test_num_and_local_index(array):
    assert mote.awkward.num(array, axis=-1).to_list() == ak.num(array, axis=-1).to_list()
    assert mote.awkward.local_index(array).to_list() == ak.local_index(array, axis=-1).to_list()


def test_run_lengths(rng):
    counts = rng.integers(0, 6, 200)
    for values in (rng.integers(0, 3, counts.sum()), rng.choice([1.5, numpy.nan, -0.0, 0.0], counts.sum())):
        array = ak.unflatten(values, counts)[::-1][3:]
        for given in (array, ak.unflatten(array, 1)):
            assert mote.awkward.run_lengths(given).to_list() == ak.run_lengths(given).to_list()
    without = ak.Array([[1, None], [2, 2, 3]])[1:]  # the type allows None, but there is none
    assert mote.awkward.run_lengths(without).to_list() == [[2, 1]]


def test_combinations(rng):
    counts = rng.integers(0, 6, 200)
    a = ak.zip({"pt": ak.unflatten(rng.random(counts.sum()), counts),
                "charge": ak.unflatten(rng.integers(-1, 2, counts.sum()), counts)})[3:]
    b = ak.unflatten(rng.integers(0, 99, counts.sum()), counts)[::-1][3:]
    assert mote.awkward.cartesian([a, b]).to_list() == ak.cartesian([a, b]).to_list()
    assert mote.awkward.combinations(a).to_list() == ak.combinations(a, 2).to_list()
    for n in (3, 4):
        names = ["one", "two", "three", "four"][:n]
        assert mote.awkward.combinations(a, n, fields=names).to_list() == \
            ak.combinations(a, n, fields=names).to_list()
        arrays = [a, b, a, b][:n]
        assert mote.awkward.cartesian(arrays).to_list() == ak.cartesian(arrays).to_list()
    where = mote.awkward.combinations(b, positions=True)
    assert ak.all(where["0"] < where["1"])


@pytest.fixture
def events():
    """Makes muons with hits, as records in lists. The selection makes the lists indexed."""
    events = ak.Array([[{"pt": 10., "hits": [1, 2, 3]}, {"pt": 2., "hits": [4]}], [],
                       [{"pt": 7., "hits": []}, {"pt": 9., "hits": [5, 6]}]])
    return events[events.pt > 5]


def test_fields_of_selected_records(events):
    assert mote.awkward.num(events.hits, axis=2).to_list() == [[3], [], [0, 2]]
    assert mote.awkward.local_index(events.hits).to_list() == [[[0, 1, 2]], [], [[], [0, 1]]]
    assert mote.awkward.sum(events.hits).to_list() == [[6], [], [0, 11]]
    assert mote.awkward.num(events["hits", :2], axis=-1).to_list() == [[3], []]
    with pytest.raises(mote.MoteTypeError, match=r"array\['pt'\] holds float64 where lists"):
        mote.awkward.num(events)


def test_axes_of_one_number():
    """The innermost axis has two numbers."""
    flat, deep = ak.Array([[3, 1], [2]]), ak.Array([[[3, 1], []], [[2]]])
    for array, axis in ((flat, 1), (deep, 2), (deep, numpy.int64(-1))):
        for name in ("sum", "argmax", "sort", "argsort", "num", "local_index"):
            found, expected = (getattr(module, name)(array, axis) for module in (mote.awkward, ak))
            assert found.to_list() == expected.to_list(), name
    assert mote.awkward.num(flat).to_list() == ak.num(flat).to_list()
    assert mote.awkward.combinations(flat, 2, axis=-1).to_list() == [[(3, 1)], []]
    assert mote.awkward.cartesian([flat, flat[::-1]], 1).to_list() == \
        ak.cartesian([flat, flat[::-1]], 1).to_list()


def test_names_of_fields():
    a, b = ak.Array([[1, 2], [3]]), ak.Array([[4], []])
    for found, expected in (
            (mote.awkward.cartesian({"x": a, "y": b}), ak.cartesian({"x": a, "y": b})),
            (mote.awkward.combinations(a, 2, fields=["x", "y"]),
             ak.combinations(a, 2, fields=["x", "y"]))):
        assert found.to_list() == expected.to_list() and found.fields == ["x", "y"]


def test_behavior_and_attributes_are_kept():
    class Pairs(ak.Array):
        """The class of arrays of records with the name "hit"."""

    hits = ak.Array([[{"x": 1.}, {"x": 2.}], []], with_name="hit", behavior={("*", "hit"): Pairs},
                    attrs={"run": 7})
    other = ak.Array(hits, attrs={"run": 8, "unit": "cm"})
    pairs = mote.awkward.combinations(hits)
    assert isinstance(pairs["0"], Pairs) and dict(pairs.attrs) == {"run": 7}
    assert isinstance(mote.awkward.filter(hits, hits.x > 1), Pairs)
    assert isinstance(mote.awkward.pad_none(hits, 2), Pairs)
    both = mote.awkward.cartesian([hits, other])
    assert both.attrs == ak.cartesian([hits, other]).attrs
    for name in ("sum", "var", "sort", "argsort", "num", "local_index", "firsts"):
        assert getattr(mote.awkward, name)(hits.x).attrs == {"run": 7}, name
    named = ak.with_named_axis(hits.x, ("event", "hit"))
    for keepdims in (False, True):
        assert mote.awkward.sum(named, keepdims=keepdims).attrs == \
            ak.sum(named, axis=-1, keepdims=keepdims).attrs
    assert mote.awkward.sort(named).attrs == named.attrs


def test_none_is_left_out_and_kept():
    array = ak.Array([[3., None, 2.], None, [None], []])
    assert mote.awkward.count(array).to_list() == [2, None, 0, 0]
    assert mote.awkward.argmin(array).to_list() == [2, None, None, None]
    assert mote.awkward.sum(array, mask_identity=True).to_list() == \
        [5, None, None, None]
    assert mote.awkward.num(array).to_list() == [3, None, 1, 0]
    assert mote.awkward.combinations(array).to_list()[1:] == [None, [], []]
    assert mote.awkward.cartesian([array[:2], array[1:3]]).to_list() == [[], None]


def test_positions_are_those_of_flattened_arrays():
    a = ak.Array([[9], [1, 2], None, [3, 4, 5]])[1:]
    b = ak.Array([None, [6, 7], [8]])
    pairs, places = (mote.awkward.cartesian([a, b], positions=where) for where in (False, True))
    for field, array in zip("01", (a, b)):
        there = ak.flatten(places[field]).to_list()
        assert ak.flatten(array)[there].to_list() == ak.flatten(pairs[field]).to_list()
    pairs, places = (mote.awkward.combinations(a, positions=where) for where in (False, True))
    assert ak.flatten(a)[ak.flatten(places["1"]).to_list()].to_list() == \
        ak.flatten(pairs["1"]).to_list() == [2, 4, 5, 5]


def test_numpy_of_two_dimensions_is_not_copied(monkeypatch):
    values = numpy.arange(24.).reshape(8, 3)
    given = []
    reduce = mote.jagged.reduce
    monkeypatch.setattr(mote.jagged, "reduce", lambda offsets, values, *more, **words: (
        given.append(values), reduce(offsets, values, *more, **words))[1])
    for array in (ak.Array(values), ak.mask(ak.Array(values), values[:, 0] > 5)):
        assert mote.awkward.sum(array).to_list() == ak.sum(array, axis=-1).to_list()
    assert len(given) == 2 and all(numpy.shares_memory(values, one) for one in given)


def test_no_number():
    array = ak.Array([[numpy.nan, 2., 1.], [numpy.nan], []])
    assert mote.awkward.min(array, nan="skip").to_list() == \
        ak.min(array, axis=-1).to_list() == [1, numpy.inf, None]
    assert mote.awkward.argmin(array, nan="skip").to_list() == [2, None, None]
    assert mote.awkward.argmin(array).to_list() == [0, 0, None]


@pytest.mark.parametrize("value, remedy", [
    (numpy.datetime64("2020-01-01"), r'array holds datetime64\[D\] .*ak.values_astype\(array, "int64"\)'),
    (numpy.timedelta64(3, "s"), r'array holds timedelta64\[s\] .*ak.values_astype\(array, "int64"\)'),
    (1j, r"array holds complex128 .*ak.real\(array\)")])
def test_what_is_no_plain_number(value, remedy):
    for array in (ak.Array([[value], []]), ak.Array([[value, None], []])):
        for op in (mote.awkward.min, mote.awkward.sum, mote.awkward.argmax,
                   mote.awkward.count_nonzero):
            with pytest.raises(mote.MoteTypeError, match=remedy):
                op(array)
        assert mote.awkward.count(array).to_list() == [1, 0]
        assert mote.awkward.num(array, axis=-1).to_list() == ak.num(array, axis=-1).to_list()


def test_dates_as_numbers():
    array = ak.Array([[numpy.datetime64("2020-01-02"), numpy.datetime64("2020-01-01")], []])
    found = mote.awkward.min(ak.values_astype(array, "int64"))
    assert ak.values_astype(found, "datetime64[D]").to_list() == ak.min(array, axis=-1).to_list()


def test_nothing():
    none = ak.Array([[], []])
    assert mote.awkward.max(none).to_list() == [None, None]
    assert mote.awkward.combinations(none).to_list() == [[], []]
    assert mote.awkward.num(ak.Array([[1]])[:0]).to_list() == []
    unknown = ak.Array([])
    for found in (mote.awkward.sum(unknown), mote.awkward.num(unknown),
                  mote.awkward.local_index(unknown), mote.awkward.combinations(unknown),
                  mote.awkward.cartesian([unknown, unknown])):
        assert found.to_list() == []


def damaged():
    """Layouts that are not valid, whose errors are found when the lists are read."""
    index, lists = ak.index.Index64, ak.contents.ListOffsetArray
    values = ak.contents.NumpyArray(numpy.arange(6.))
    good = lists(index(numpy.array([0, 2, 4])), values)
    return [lists(index(numpy.array(offsets)), values) for offsets in
            ([0, 4, 2, 6], [-2, 1, 3], [0, -3, 3], [0, 2, -3])] + [
        ak.contents.ListArray(index(numpy.array([0, 2])), index(numpy.array([2, 9])), values),
        ak.contents.ListArray(index(numpy.array([3, 2])), index(numpy.array([2, 3])), values),
        ak.contents.IndexedArray(index(numpy.array([0, 7])), good),
        ak.contents.IndexedOptionArray(index(numpy.array([0, -1, 7])), good)]


@pytest.mark.parametrize("layout", damaged())
def test_damaged(layout):
    for call in (mote.awkward.argmax, mote.awkward.num,
                 mote.awkward.local_index, mote.awkward.combinations, mote.awkward.sort,
                 lambda array: mote.awkward.cartesian([array, array])):
        with pytest.raises(mote.MoteValueError):
            call(ak.Array(layout))


@pytest.mark.parametrize("call, words", [
    (lambda: mote.awkward.sum(ak.Array([1, 2])), "lists"),
    (lambda: mote.awkward.count(ak.Array([["a"]])), "wanted: ak.str.length"),
    (lambda: mote.awkward.sum(ak.Array([[{"x": 1}]])), r"a field, such as array\['x"),
    (lambda: mote.awkward.sum(ak.Array([{"x": [1]}])), r"a field, such as array\['x"),
    (lambda: mote.awkward.sum(ak.Array([[1, "a"]])), "bring them to one type"),
    (lambda: mote.awkward.sum(ak.Array([[1j]])), "complex128"),
    (lambda: mote.awkward.num(ak.Array([[1], 2])), "bring it to one type"),
    (lambda: mote.awkward.num(ak.Array(["ab"])), "lists are wanted"),
    (lambda: mote.awkward.num(ak.Array([{}])), "lists are wanted"),
    (lambda: mote.awkward.combinations(ak.Array([{"x": [1]}])), r"a field, such as array\['x"),
    (lambda: mote.awkward.sort(ak.Array([["a"]])), "wanted: ak.str.length"),
    (lambda: mote.awkward.argsort(ak.Array([[1j]])), "complex128"),
    (lambda: mote.awkward.filter(ak.Array([[1]]), ak.Array([[True], []])), "1 lists, mask 2"),
    (lambda: mote.awkward.filter(ak.Array([[], [1]]), ak.Array([[], []])),
     "list 1 has 1 elements in array, 0 in mask"),
    (lambda: mote.awkward.filter(ak.Array([[1]]), ak.Array([[None]])), "ak.fill_none"),
    (lambda: mote.awkward.filter(ak.Array([[1]]), ak.Array([[1]])), "mask holds int64"),
    (lambda: mote.awkward.filter(ak.Array([[[1]]]), ak.Array([[[True]]])), r"own array\[mask\] accepts"),
    (lambda: mote.awkward.sum(ak.Array([[1]]), axis=0), "axis is 0: for array it must be -1 or 1;"),
    (lambda: mote.awkward.var(ak.Array([[[1]]]), axis=1), "-1 or 2; awkward's own function"),
    (lambda: mote.awkward.mean(ak.Array([[1]]), ak.Array([[1]])), "axis is <Array .* -1 or 1"),
    (lambda: mote.awkward.max(ak.Array([[1]]), axis=None), "axis is None"),
    (lambda: mote.awkward.num(ak.Array([[[1]]])), "axis is 1: .* -1 or 2"),
    (lambda: mote.awkward.sort(ak.Array([[[1]]]), axis=0), "axis is 0"),
    (lambda: mote.awkward.combinations(ak.Array([[[1]]]), axis=-1), "axis is -1: .* must be 1;"),
    (lambda: mote.awkward.run_lengths(ak.Array([[1, None]])), "None in lists"),
    (lambda: mote.awkward.combinations(ak.Array([[1]]), 5), "n is 5: .* 2, 3 or 4"),
    (lambda: mote.awkward.combinations(ak.Array([[1]]), fields=["a"]), "2 names"),
    (lambda: mote.awkward.pad_none(ak.Array([[1]]), -1), "target is -1"),
    (lambda: mote.awkward.pad_none(ak.Array([[1]]), 2**50), "padded array of .* elements is too much"),
    (lambda: mote.awkward.firsts(ak.Array([[1]]), axis=0), "axis is 0"),
    (lambda: mote.awkward.cartesian(ak.Array([[1], [2]])), "two to four arrays"),
    (lambda: mote.awkward.cartesian([[[1]]] * 5), "two to four arrays"),
    (lambda: mote.awkward.cartesian([[[1]], [[1]]], axis=0), "axis is 0: for a "),
    (lambda: mote.awkward.sum(object()), "awkward"),
    (lambda: mote.awkward.sum(ak.Array([{"x": [1]}])[0]), "awkward"),
    (lambda: mote.awkward.num(ak.to_backend(ak.Array([[1]]), "typetracer")), "ak.to_backend"),
    (lambda: mote.awkward.cartesian([ak.Array([[1]]), ak.Array([[1], [2]])]), "lists"),
])
def test_bad_input(call, words):
    with pytest.raises(mote.MoteError, match=words):
        call()
