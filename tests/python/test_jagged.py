# SPDX-License-Identifier: Apache-2.0
"""Compares mote.jagged with loops of numpy."""

import itertools

import jagged_oracle as oracle
import mote
import numpy
import pytest

TYPES = ["int64", "int32", "uint32"]


def lists(offsets, values):
    """Returns the lists, one by one."""
    return [values[begin:end] for begin, end in zip(offsets[:-1], offsets[1:])]


@pytest.mark.parametrize("kind", TYPES)
def test_positions(offsets, kind):
    given = offsets.astype(kind)
    counts = numpy.diff(offsets)
    parents = numpy.repeat(numpy.arange(len(counts)), counts)
    found = mote.jagged.parents(given)
    assert found.dtype == kind and numpy.array_equal(found, parents)
    for strategy in ("search", "event", "balanced"):
        assert numpy.array_equal(mote.jagged.parents(given, strategy=strategy), parents)
    index = numpy.concatenate([numpy.arange(count) for count in counts])
    assert numpy.array_equal(mote.jagged.local_index(given), index)
    assert numpy.array_equal(mote.jagged.counts(given), counts)
    packed = offsets - offsets[0]
    assert numpy.array_equal(mote.jagged.offsets(counts.astype(kind)), packed)
    assert numpy.array_equal(mote.jagged.offsets(parents=parents.astype(kind), lists=len(counts)),
                             packed)
    absolute = mote.jagged.parents(given, absolute=True, n=offsets[-1] + 2)
    assert numpy.array_equal(absolute[3:-2], parents)
    assert (absolute[[0, 1, 2, -2, -1]].astype("int32") == -1).all()


def test_starts_and_stops(rng):
    starts, stops = numpy.array([6, 0, 3]), numpy.array([8, 3, 3])
    assert mote.jagged.parents(starts=starts, stops=stops, n=9).tolist() == \
        [1, 1, 1, -1, -1, -1, 0, 0, -1]
    assert mote.jagged.counts(starts=starts, stops=stops).tolist() == [2, 3, 0]
    assert mote.jagged.offsets(starts=starts, stops=stops).tolist() == [0, 2, 5, 5]
    with pytest.raises(mote.MoteError, match="list 1"):
        mote.jagged.parents(starts=[0, 1], stops=[2, 3], n=3)
    assert mote.jagged.parents(starts=[0, 1], stops=[2, 3], n=3, overlap="ignore").tolist() == \
        [0, 1, 1]


@pytest.mark.parametrize("kind", ["bool", "int32", "int64", "uint32", "float32", "float64"])
@pytest.mark.parametrize("op", oracle.OPS)
def test_reduce(rng, offsets, op, kind):
    values = rng.integers(0, 3, offsets[-1]).astype(kind)
    found = mote.jagged.reduce(offsets, values, op)
    wanted = "bool" if op in ("any", "all") else oracle.result_type(op, kind, str(offsets.dtype))
    assert found.dtype == wanted
    for got, part in zip(found, lists(offsets, values)):
        expected = float(oracle.reduced(op, kind, str(offsets.dtype), part.tolist(), False))
        assert float(got) == pytest.approx(expected, rel=1e-6, nan_ok=True)


@pytest.mark.parametrize("kind", ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32",
                                  "int64", "uint64", "float16", "float32", "float64"])
def test_nonzero_of_every_type(rng, offsets, kind):
    values = rng.integers(0, 2, offsets[-1]).astype(kind)
    values[5:8] = -values[5:8] if values.dtype.kind == "f" else values[5:8]  # -0 is 0
    positions, ends = mote.jagged.nonzero(offsets, values)
    assert numpy.array_equal(positions, numpy.flatnonzero(values[3:]) + 3)
    assert numpy.array_equal(ends, [numpy.count_nonzero(values[3:end]) for end in offsets])


@pytest.mark.parametrize("kind", ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32",
                                  "int64", "uint64", "float16", "float32", "float64"])
def test_filter_of_every_type(rng, offsets, kind):
    values = rng.integers(0, 100, offsets[-1]).astype(kind)
    mask = rng.integers(0, 2, offsets[-1]).astype(bool)
    ends, kept = mote.jagged.filter(offsets, values, mask)
    assert kept.dtype == values.dtype
    assert numpy.array_equal(kept, values[3:][mask[3:]])
    assert numpy.array_equal(ends, [numpy.count_nonzero(mask[3:end]) for end in offsets])
    assert numpy.array_equal(mote.jagged.filter(offsets, values, mask, capacity=len(values))[1], kept)
    with pytest.raises(mote.MoteError, match=f"room for {len(kept)} elements"):
        mote.jagged.filter(offsets, values, mask, capacity=len(kept) - 1)
    with pytest.raises(ValueError, match="mask"):
        mote.jagged.filter(offsets, values, mask[1:])


@pytest.mark.parametrize("mask", ["none", "all", "nan", "negative zero", "some"])
@pytest.mark.parametrize("counts", [[0], [0, 0, 0], [5000], [0, 1, 0, 3000, 0], [1] * 700])
def test_filter_by_any_mask(rng, counts, mask):
    offsets = numpy.concatenate([[0], numpy.cumsum(counts)])
    values = rng.integers(1, 1000, offsets[-1])
    chosen = {"none": 0.0, "all": 2.5, "nan": numpy.nan, "negative zero": -0.0,
              "some": rng.choice([0.0, -0.0, numpy.nan, -1.0, 1e-45], offsets[-1])}[mask]
    chosen = numpy.broadcast_to(chosen, offsets[-1]).astype("float32")
    ends, kept = mote.jagged.filter(offsets, values, chosen)
    assert numpy.array_equal(ends, [numpy.count_nonzero(chosen[:end]) for end in offsets])
    assert numpy.array_equal(kept, values[chosen != 0])


@pytest.mark.parametrize("kind", ["bool", "int8", "uint16", "int32", "uint64", "float16",
                                  "float32", "float64"])
@pytest.mark.parametrize("op", ["sum", "prod", "min", "max"])
def test_scan(rng, offsets, op, kind):
    values = rng.integers(0, 3, offsets[-1] + 2).astype(kind)
    inclusive = mote.jagged.scan(offsets, values, op)
    exclusive = mote.jagged.scan(offsets, values, op, exclusive=True)
    empty = mote.jagged.reduce([0, 0], values[:0], op)[0]
    assert inclusive.dtype == exclusive.dtype == empty.dtype
    function = {"sum": numpy.add, "prod": numpy.multiply, "min": numpy.minimum,
                "max": numpy.maximum}[op]
    wide = values if op in ("min", "max") else \
        values.astype("float64" if values.dtype.kind == "f" else empty.dtype)
    wanted, before = numpy.full(len(values), empty), numpy.full(len(values), empty)
    for begin, end in zip(offsets[:-1], offsets[1:]):
        wanted[begin:end] = function.accumulate(wide[begin:end])
        before[begin + 1:end] = wanted[begin:max(end - 1, begin)]
    assert numpy.allclose(inclusive, wanted, rtol=1e-6)
    assert numpy.allclose(exclusive, before, rtol=1e-6)


def test_scan_refuses(offsets):
    with pytest.raises(mote.MoteError, match="reduction is 4, but must be"):
        mote.jagged.scan(offsets, numpy.ones(offsets[-1]), "argmin")
    with pytest.raises(mote.MoteError, match="list 1: "):
        mote.jagged.scan([0, 2, 1, 3], numpy.ones(3))
    values = numpy.array([1.0, numpy.nan, 2.0, 5.0])
    assert numpy.array_equal(mote.jagged.scan([0, 3, 4], values), [1, numpy.nan, numpy.nan, 5],
                             equal_nan=True)
    values = values.astype("float32")
    assert mote.jagged.scan([0, 3, 4], values, dtype="float64").dtype == "float64"


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("kind", ["bool", "int8", "uint16", "int32", "uint64", "float16",
                                  "float32", "float64"])
def test_sort(rng, offsets, kind, descending):
    values = rng.integers(0, 20, offsets[-1] + 2).astype(kind)
    if values.dtype.kind == "f":
        values[rng.random(len(values)) < 0.1] = numpy.nan
        values[rng.random(len(values)) < 0.1] = -0.0
    wanted, places = values.copy(), numpy.zeros(len(values), "int64")
    for begin, end in zip(offsets[:-1], offsets[1:]):
        key = values[begin:end].astype("float64")
        places[begin:end] = numpy.argsort(-key if descending else key, kind="stable")
        wanted[begin:end] = values[begin:end][places[begin:end]]
    result = mote.jagged.sort(offsets, values, descending=descending)
    assert result.dtype == values.dtype and result.tobytes() == wanted.tobytes()
    indices = mote.jagged.argsort(offsets, values, descending=descending)
    assert indices.dtype == "int64" and numpy.array_equal(indices, places)
    narrow = mote.jagged.argsort(offsets, values, descending=descending, dtype="uint32")
    assert narrow.dtype == "uint32" and numpy.array_equal(narrow, places)


def test_sort_refuses(offsets):
    with pytest.raises(mote.MoteError, match="list 1: "):
        mote.jagged.sort([0, 2, 1, 3], numpy.ones(3))
    with pytest.raises(mote.MoteError, match="indices is float32"):
        mote.jagged.argsort(offsets, numpy.ones(offsets[-1]), dtype="float32")
    assert len(mote.jagged.sort([0, 0], numpy.ones(0))) == 0


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "uint64", "float16"])
def test_reduce_of_other_types(rng, offsets, kind):
    values = rng.integers(0, 3, offsets[-1]).astype(kind)
    for op in ("sum", "max"):
        found = mote.jagged.reduce(offsets, values, op)
        half_sum = (op, kind) == ("sum", "float16")
        assert found.dtype == ("float32" if half_sum else getattr(numpy, op)(values).dtype)
        for got, part in zip(found, lists(offsets, values)):
            assert part.size == 0 or got == getattr(numpy, op)(part.astype(found.dtype))


def test_reduce_options(rng):
    offsets, values = numpy.array([2, 4, 5]), numpy.array([1, numpy.nan, 3], "f4")
    first = dict(base_first=True)
    assert numpy.isnan(mote.jagged.reduce(offsets, values, "sum", **first)[0])
    assert mote.jagged.reduce(offsets, values, "sum", nan="skip", **first).tolist() == [1, 3]
    assert mote.jagged.reduce(offsets, values, "sum", dtype="f8", **first).dtype == "f8"
    assert mote.jagged.reduce(offsets, values, "sum", **first).dtype == "f4"
    assert mote.jagged.reduce(offsets, None, "count").tolist() == [2, 1]
    out = numpy.full(2, 7, "f4")
    assert mote.jagged.reduce(offsets, values, "max", nan="skip", out=out, **first) is out
    assert out.tolist() == [1, 3]


@pytest.mark.parametrize("kind", TYPES)
def test_expansions(rng, kind):
    a = numpy.cumsum([0, *rng.integers(0, 7, 50)]).astype(kind)
    b = numpy.cumsum([2, *rng.integers(0, 7, 50)]).astype(kind)
    first, second, where = mote.jagged.product(a, b)
    expected = [list(itertools.product(range(a[k], a[k + 1]), range(b[k], b[k + 1])))
                for k in range(50)]
    assert list(zip(first, second)) == sum(expected, [])
    assert where.tolist() == numpy.cumsum([0, *map(len, expected)]).tolist()
    first, second, where = mote.jagged.pairs(b, capacity=4000)
    expected = [list(itertools.combinations(range(b[k], b[k + 1]), 2)) for k in range(50)]
    assert list(zip(first, second)) == sum(expected, [])
    for n in (3, 4):
        *found, where = mote.jagged.combinations(b, n)
        expected = [list(itertools.combinations(range(b[k], b[k + 1]), n)) for k in range(50)]
        assert list(zip(*found)) == sum(expected, [])
        assert where.tolist() == numpy.cumsum([0, *map(len, expected)]).tolist()
        arrays = [a, b, b, a][:n]
        *found, where = mote.jagged.product(*arrays)
        expected = [list(itertools.product(*[range(at[k], at[k + 1]) for at in arrays]))
                    for k in range(50)]
        assert list(zip(*found)) == sum(expected, [])
        assert where.tolist() == numpy.cumsum([0, *map(len, expected)]).tolist()
    values = rng.integers(0, 2, b[-1])
    positions, where = mote.jagged.nonzero(b, values)
    assert numpy.array_equal(positions, 2 + numpy.flatnonzero(values[2:]))
    assert numpy.diff(where).tolist() == [numpy.count_nonzero(part) for part in lists(b, values)]
    given = rng.random(50)
    assert numpy.array_equal(mote.jagged.gather(b, given), numpy.repeat(given, numpy.diff(b)))


@pytest.mark.parametrize("kind, of", [*zip(itertools.cycle(TYPES), ("f4", "f2", "i2", "?", "f8", "u8"))])
def test_unique(rng, kind, of):
    counts = numpy.where(numpy.arange(60) == 30, 500, rng.integers(0, 7, 60))
    offsets = numpy.cumsum([3, *counts]).astype(kind)
    values = rng.integers(0, 4, offsets[-1] + 5).astype(of)
    if values.dtype.kind == "f":
        values[rng.random(len(values)) < 0.1], values[rng.random(len(values)) < 0.1] = numpy.nan, -0.0
    ends, found, inverse, times = mote.jagged.unique(offsets, values, return_inverse=True,
                                                     return_counts=True)
    expected = [numpy.unique(part, return_inverse=True, return_counts=True)
                for part in lists(offsets, values)]
    for array, part in zip((found, inverse[3:-5], times), zip(*expected)):
        assert numpy.array_equal(array, numpy.concatenate(part), equal_nan=values.dtype.kind == "f")
    assert ends.tolist() == numpy.cumsum([0, *(len(part[0]) for part in expected)]).tolist()
    assert [array.dtype for array in (ends, found, inverse, times)] == [kind, of, kind, kind]
    ends, found, lengths = mote.jagged.run_lengths(offsets, values)
    assert len(mote.jagged.run_lengths(offsets, values, equal_nan=True)[1]) <= len(found)
    begins = offsets[:-1] - 3
    assert numpy.array_equal(numpy.repeat(found, lengths), values[3:-5], equal_nan=found.dtype.kind == "f")
    differs = numpy.append(True, values[4:-5] != values[3:-6])
    differs[begins[begins < len(differs)]] = True
    assert numpy.array_equal(numpy.cumsum([0, *lengths[:-1]]), numpy.flatnonzero(differs))


def test_capacity():
    with pytest.raises(ValueError, match="capacity|small|need") as caught:
        mote.jagged.pairs(numpy.array([0, 5]), capacity=9)
    assert caught.value.name == "MOTE_ERROR_CAPACITY"


def test_no_lists():
    none = numpy.array([0])
    assert mote.jagged.parents(none).size == 0 and mote.jagged.local_index(none).size == 0
    assert mote.jagged.counts(none).size == 0 and mote.jagged.offsets([]).tolist() == [0]
    assert mote.jagged.reduce(none, [], "sum").size == 0
    assert mote.jagged.parents(starts=[], stops=[], n=2).tolist() == [-1, -1]
    assert [array.size for array in mote.jagged.pairs(none)] == [0, 0, 1]
    assert [array.size for array in mote.jagged.product(none, none)] == [0, 0, 1]
    assert [array.size for array in mote.jagged.unique(none, [], return_inverse=True)] == [1, 0, 0]
    assert [array.size for array in mote.jagged.nonzero(none, numpy.empty(0))] == [0, 1]
    assert mote.jagged.gather(none, numpy.empty(0)).size == 0


def test_views_are_copied(offsets, rng):
    values = rng.random(offsets[-1])
    expected = mote.jagged.reduce(offsets, values, "sum")
    for view in (values[::-1].copy()[::-1], numpy.repeat(values, 2)[::2],
                 values.astype(values.dtype.newbyteorder())):
        assert not (view.flags.c_contiguous and view.dtype.isnative)
        assert numpy.array_equal(mote.jagged.reduce(offsets, view, "sum"), expected)
    backwards = offsets[::-1].copy()[::-1]
    assert numpy.array_equal(mote.jagged.reduce(backwards, values, "sum"), expected)
    read_only = values.copy()
    read_only.flags.writeable = False
    assert numpy.array_equal(mote.jagged.reduce(offsets, read_only, "sum"), expected)


def misaligned():
    """Makes an output that begins one byte off."""
    return numpy.zeros(25, "u1")[1:].view("i8")


@pytest.mark.parametrize("call, words", [
    (lambda: mote.jagged.counts([0, 3, 1]), r"list 1: offsets\[2\] = 1 < offsets\[1\] = 3"),
    (lambda: mote.jagged.counts([-1, 3]), "list 0"),
    (lambda: mote.jagged.reduce([0, 9], numpy.ones(5), "sum"), "list 0"),
    (lambda: mote.jagged.pairs([0, 3, 1]), "list 1"),
    (lambda: mote.jagged.combinations([0, 3, 1], 3), "list 1"),
    (lambda: mote.jagged.combinations([0, 3], 5), "n is 5"),
    (lambda: mote.jagged.combinations([0, 3], 2.0), "n is 2.0: a whole number"),
    (lambda: mote.jagged.combinations([0, 2 ** 40], 4), "list 0"),
    (lambda: mote.jagged.product([0, 1], [0, 1], None, [0, 1]), "without offsets_c"),
    (lambda: mote.jagged.product([0, 1], [0, 1], [0, 1, 2]), "offsets_c 3"),
    (lambda: mote.jagged.gather([0, 3, 1], [1, 2]), "list 1"),
    (lambda: mote.jagged.counts([]), "empty"),
    (lambda: mote.jagged.counts(numpy.array([0.0, numpy.nan])), "float64"),
    (lambda: mote.jagged.counts([0.5, 1]), "offsets"),
    (lambda: mote.jagged.counts(numpy.zeros((2, 2), int)), "shape"),
    (lambda: mote.jagged.counts(None), "give offsets"),
    (lambda: mote.jagged.counts([0, 1], starts=[0]), "starts and stops"),
    (lambda: mote.jagged.counts(starts=[0], stops=[1, 2]), "lengths differ"),
    (lambda: mote.jagged.counts("abc"), "offsets has the type"),
    (lambda: mote.jagged.counts(object()), "offsets"),
    (lambda: mote.jagged.counts([2 ** 70, 1]), "offsets"),
    (lambda: mote.jagged.counts(numpy.array([0, 1], "i2")[:0]), "empty"),
    (lambda: mote.jagged.parents([0, 2 ** 62]), "memory|too much|elements"),
    (lambda: mote.jagged.parents(starts=[0], stops=[1]), "need n"),
    (lambda: mote.jagged.parents([0, 1], strategy="best"), "search, event, balanced "),
    (lambda: mote.jagged.parents([0, 1], strategy="bal"), "; did you mean 'balanced'[?] "),
    (lambda: mote.jagged.reduce([0, 1], [1], "SUM"), "did you mean 'sum'"),
    (lambda: mote.jagged.reduce([0, 1], [1], "count_nonzero"), "did you mean 'countnonzero'"),
    (lambda: mote.jagged.reduce([0, 1], [1], "sum", nan="skipped"), "did you mean 'skip'"),
    (lambda: mote.jagged.parents([0, 1], content_length=-1), "content_length is -1"),
    (lambda: mote.jagged.local_index([0, 1], content_length="1"), "content_length is '1'"),
    (lambda: mote.jagged.offsets(parents=[0, 0]), "lists"),
    (lambda: mote.jagged.offsets(parents=[1, 0], lists=2), "element"),
    (lambda: mote.jagged.reduce([0, 1], None, "sum"), "count"),
    (lambda: mote.jagged.reduce([0, 1], [1], "median"), "argmin.* mean, var, std"),
    (lambda: mote.jagged.reduce([0, 1], numpy.array([1j]), "sum"), "complex128"),
    (lambda: mote.jagged.reduce([0, 1], numpy.array([None]), "sum"), "object"),
    (lambda: mote.jagged.reduce([0, 1], numpy.array([0], "m8[s]"), "sum"), r'values.view\("int64"\)'),
    (lambda: mote.jagged.reduce([0, 1], [1.0], "sum", dtype="i4"), "cannot be int32"),
    (lambda: mote.jagged.counts([0, 1], out=numpy.zeros(1, "f8")), "out has the type"),
    (lambda: mote.jagged.counts([0, 1], out=numpy.zeros(2, "i8")), "out has the shape"),
    (lambda: mote.jagged.counts([0, 1, 1], out=numpy.zeros(4, "i8")[::2]), "out is not contiguous"),
    (lambda: mote.jagged.counts([0, 1, 1, 1], out=misaligned()), "out is not contiguous"),
    (lambda: mote.jagged.counts([0, 1], out=[0]), "numpy array"),
    (lambda: mote.jagged.counts([0, 1], error=7), "error words"),
])
def test_bad_input(call, words):
    with pytest.raises(mote.MoteError, match=words):
        call()


@pytest.mark.parametrize("call", [
    lambda: mote.jagged.parents(numpy.array([0, 2 ** 62])),
    lambda: mote.jagged.local_index([0, 5], n=2 ** 62),
    lambda: mote.jagged.pairs([0, 2 ** 24]),
    lambda: mote.jagged.product([0, 2 ** 24], [0, 2 ** 24]),
    lambda: mote.jagged.gather([0, 2 ** 46], [1.0]),
    lambda: mote.jagged.nonzero([0, 3], numpy.ones(3), capacity=10 ** 14),
])
def test_results_beyond_memory(call):
    with pytest.raises(MemoryError, match="too much"):
        call()


def test_more_than_2_to_the_31_elements():
    largest = mote.default_context().device.max_alloc_bytes
    if largest < 2 ** 31 + 5:
        pytest.skip(f"the device's largest buffer has {largest} bytes")
    values = numpy.zeros(2 ** 31 + 5, "i1")
    values[-1] = 3
    assert mote.sum(values) == 3
    offsets = [0, 2 ** 31, 2 ** 31 + 5]
    assert mote.jagged.reduce(offsets, values, "sum").tolist() == [0, 3]


def test_outputs_that_must_not_be_written():
    offsets = numpy.arange(5)
    out = numpy.zeros(4, int)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        mote.jagged.counts(offsets, out=out)
    with pytest.raises(ValueError, match="shares memory"):
        mote.jagged.counts(offsets, out=offsets[1:])
    assert offsets.tolist() == [0, 1, 2, 3, 4]


def test_views_that_look_huge():
    many = numpy.broadcast_to(numpy.int64(0), 2 ** 31)
    for call in (mote.jagged.counts, mote.jagged.pairs, mote.jagged.local_index):
        with pytest.raises(MemoryError, match="contiguous"):
            call(many)
    with pytest.raises(MemoryError, match="contiguous"):
        mote.jagged.reduce([0, 1], many, "sum")
