# SPDX-License-Identifier: Apache-2.0
"""Compares calls that select elements of lists by their place with loops over NumPy arrays."""

import mote
import numpy
import pytest


def lists(offsets, values):
    """Returns each list as an array."""
    return [values[begin:end] for begin, end in zip(offsets[:-1], offsets[1:])]


def joined(parts, dtype):
    """Returns offsets and values of lists."""
    ends = numpy.cumsum([0, *map(len, parts)])
    return ends, numpy.concatenate([numpy.empty(0, dtype), *parts])


@pytest.fixture
def short(rng):
    """Returns offsets, from 3 on, of 300 lists of 0 to 11 elements."""
    return numpy.cumsum([3, *rng.integers(0, 12, 300)])


@pytest.mark.parametrize("kind", ["int8", "float64"])
@pytest.mark.parametrize("k, start", [(1, 0), (1, -1), (4, 0), (3, 2), (5, -5), (2, -9), (0, 0)])
def test_pad(rng, short, kind, k, start):
    values = rng.integers(0, 100, short[-1] + 2).astype(kind)
    found = mote.jagged.pad(short, values, k, fill=1, start=start)
    wanted = numpy.ones((300, k), kind)
    for row, part in zip(wanted, lists(short, values)):
        first = start if start >= 0 else len(part) + start
        for j in range(k):
            if 0 <= first + j < len(part):
                row[j] = part[first + j]
    assert found.dtype == kind and found.shape == wanted.shape and numpy.array_equal(found, wanted)


@pytest.mark.parametrize("kind", ["uint32", "int64"])
def test_places_of_the_smallest_values(rng, short, kind):
    """A list without numbers has the place -1, and therefore gets the fill value."""
    offsets, values = short.astype(kind), rng.random(short[-1])
    values[short[5]:short[9]] = numpy.nan
    places = mote.jagged.reduce(offsets, values, "argmin", nan="skip")
    found = mote.jagged.pad(offsets, values, 1, fill=-7, starts=places)
    wanted = mote.jagged.reduce(offsets, values, "min", nan="skip")
    assert numpy.array_equal(found[:, 0], numpy.where(numpy.isinf(wanted), -7, wanted))
    assert (found[5:9] == -7).all() and short[9] - short[5] > 4


@pytest.mark.parametrize("start", [None, 0, 1, -1, -3, 5, 99, -99, 2 ** 70, -2 ** 70])
def test_slice(rng, short, start):
    values = rng.random(short[-1] + 5)
    for stop in (None, 0, 2, -1, -2, 7, 99, -99, 2 ** 70, -2 ** 70):
        ends, kept = mote.jagged.slice(short.astype("int32"), values, start, stop)
        wanted = joined([part[start:stop] for part in lists(short, values)], "f8")
        assert ends.dtype == "int32" and numpy.array_equal(ends, wanted[0])
        assert numpy.array_equal(kept, wanted[1])


@pytest.mark.parametrize("largest", [True, False])
def test_topk(rng, short, largest):
    values = rng.integers(0, 9, short[-1]).astype("f8")
    values[rng.random(len(values)) < 0.2] = numpy.nan
    for k in (0, 1, 3, 50):
        ends, best, places = mote.jagged.topk(short, values, k, largest)
        keys = [part.astype("f8") * (-1 if largest else 1) for part in lists(short, values)]
        wanted = [numpy.argsort(key, kind="stable")[:k] for key in keys]
        assert numpy.array_equal(places, joined(wanted, "i8")[1]) and places.dtype == "int64"
        parts = [part[index] for part, index in zip(lists(short, values), wanted)]
        assert numpy.array_equal(ends, joined(parts, "f8")[0])
        assert best.tobytes() == joined(parts, "f8")[1].tobytes()


@pytest.mark.parametrize("kind", ["int64", "float64"])
def test_quantiles_have_the_bits_of_numpy(rng, short, kind):
    q = [0, 0.1, 0.25, 1 / 3, 0.5, 0.7, 0.9, 1]
    values = (rng.normal(0, 1000, short[-1] + 2) + 5000).astype(kind)
    values[7::31] = values[8::31][0]
    found = mote.jagged.quantile(short, values, q)
    assert found.dtype == "float64" and found.shape == (300, 8)
    for row, part in zip(found, lists(short, values)):
        wanted = numpy.quantile(part, q) if len(part) else numpy.full(8, numpy.nan)
        assert numpy.array_equal(row, wanted, equal_nan=True)
    assert numpy.array_equal(mote.jagged.median(short, values), found[:, 4], equal_nan=True)


def test_narrow_quantiles(rng, short):
    values = rng.normal(0, 9, short[-1]).astype("f4")
    for q in (0, 0.1, 0.25, 0.5, 0.95, 1):
        found = mote.jagged.quantile(short, values, q)
        wanted = [numpy.quantile(part.astype("f8"), q) if len(part) else numpy.nan
                  for part in lists(short, values)]
        assert found.dtype == "float32"
        assert numpy.allclose(found, wanted, rtol=2e-7, atol=2e-6, equal_nan=True)


def test_quantiles_of_unusual_values():
    inf, nan = numpy.inf, numpy.nan
    values = numpy.array([inf, 1, inf, inf, 1, nan, 2, -inf, inf, -0.0])
    offsets = [0, 2, 4, 7, 9, 9, 10]
    for kind in ("float32", "float64"):
        found = mote.jagged.quantile(offsets, values.astype(kind), [0, 0.5, 1])
        assert numpy.array_equal(found, [[1, nan, inf], [inf] * 3, [nan] * 3, [-inf, nan, inf],
                                         [nan] * 3, [0] * 3], equal_nan=True)
    assert mote.jagged.quantile([0, 2], [1, 2], []).shape == (1, 0)
    assert numpy.isnan(mote.jagged.median([0, 0, 0], numpy.empty(0))).all()


def test_empty():
    nothing = numpy.empty(0)
    assert mote.jagged.pad([0], nothing, 3).shape == (0, 3)
    assert mote.jagged.pad([0, 0], nothing, 2, fill=5).tolist() == [[5, 5]]
    assert [part.tolist() for part in mote.jagged.slice([0, 0], nothing, 0, 1)] == [[0, 0], []]
    assert [part.tolist() for part in mote.jagged.topk([0], nothing, 1)] == [[0], [], []]
    assert mote.jagged.quantile([0], nothing, 0.5).shape == (0,)


@pytest.mark.parametrize("call, sentence", [
    (lambda o, v: mote.jagged.pad(o, v, -1), "k is -1"),
    (lambda o, v: mote.jagged.pad(o, v, 1, fill="x"), "fill is 'x'"),
    (lambda o, v: mote.jagged.pad(o, numpy.int32(v), 1, fill=1.5), "fill is 1.5, which is no int32"),
    (lambda o, v: mote.jagged.pad(o, v, 1, start=0.5), "start is 0.5"),
    (lambda o, v: mote.jagged.pad(o, v, 1, starts=[0]), "1 starts for 2 lists"),
    (lambda o, v: mote.jagged.pad(o, v, 2 ** 63), "room|too much|k is"),
    (lambda o, v: mote.jagged.slice(o, v, 0, 1, capacity=1), "room for 2 elements"),
    (lambda o, v: mote.jagged.slice(o, v, "a", 1), "start is 'a'"),
    (lambda o, v: mote.jagged.topk(o, v, -1), "k is -1"),
    (lambda o, v: mote.jagged.quantile(o, v, 1.5), "from 0 to 1"),
    (lambda o, v: mote.jagged.quantile(o, v, numpy.nan), "from 0 to 1"),
    (lambda o, v: mote.jagged.quantile(o, v, [[0.5]]), "shape"),
    (lambda o, v: mote.jagged.quantile(o, v, numpy.zeros(257)), "up to 256"),
])
def test_refusals(call, sentence):
    with pytest.raises(mote.MoteError, match=sentence):
        call([0, 2, 3], numpy.ones(3))


@pytest.mark.parametrize("call", [
    lambda o, v: mote.jagged.pad(o, v, 1), lambda o, v: mote.jagged.slice(o, v, 0, 1),
    lambda o, v: mote.jagged.topk(o, v, 1), mote.jagged.median])
def test_bad_lists(call):
    with pytest.raises(ValueError, match="list 1"):
        call([0, 2, 1, 3], numpy.ones(3))
    with pytest.raises(ValueError, match="list 2"):
        call([0, 2, 3, 4], numpy.ones(3))


def test_on_a_device(rng, short):
    """Results of arrays on a device stay there, and have the same bits."""
    cl, clarray = pytest.importorskip("pyopencl"), pytest.importorskip("pyopencl.array")
    name = mote.default_context().device.name
    device = next(device for platform in cl.get_platforms() for device in platform.get_devices()
                  if device.name.strip() == name)
    queue = cl.CommandQueue(cl.Context([device]))
    values = rng.random(short[-1])
    places = mote.jagged.reduce(short, values, "argmax")
    o, v, p = (clarray.to_device(queue, array) for array in (short, values, places))
    for call in (lambda o, v, p: [mote.jagged.pad(o, v, 3, fill=9)],
                 lambda o, v, p: [mote.jagged.pad(o, v, 2, starts=p)],
                 lambda o, v, p: mote.jagged.slice(o, v, 1, -1),
                 lambda o, v, p: mote.jagged.topk(o, v, 2),
                 lambda o, v, p: [mote.jagged.median(o, v)],
                 lambda o, v, p: [mote.jagged.quantile(o, v, [0.1, 0.9])]):
        for found, wanted in zip(call(o, v, p), call(short, values, places)):
            assert isinstance(found, clarray.Array) and found.dtype == wanted.dtype
            assert found.shape == wanted.shape
            assert numpy.array_equal(found.get(), wanted, equal_nan=True)
    word = mote.ErrorWord(queue)
    mote.jagged.median(clarray.to_device(queue, numpy.array([0, 2, 1])), v, error=word)
    with pytest.raises(ValueError, match="list 1"):
        word.check()
