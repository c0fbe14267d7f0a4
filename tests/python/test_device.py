# SPDX-License-Identifier: Apache-2.0
"""Tests pyopencl arrays: the results are those of numpy arrays, and stay on the device."""

import mote
import numpy
import pytest

cl = pytest.importorskip("pyopencl")
clarray = pytest.importorskip("pyopencl.array")


@pytest.fixture(scope="module", params=["in order", "out of order"])
def queue(request):
    """Makes a queue on mote's default device, in a context of pyopencl's own."""
    name = mote.default_context().device.name
    device = next(device for platform in cl.get_platforms() for device in platform.get_devices()
                  if device.name.strip() == name)
    properties = 0
    if request.param == "out of order":
        properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    return cl.CommandQueue(cl.Context([device]), properties=properties)


@pytest.fixture
def put(queue):
    """Copies a numpy array to the device."""
    return lambda array: clarray.to_device(queue, numpy.asarray(array))


def same(found, expected):
    """Returns arrays on the device and their numpy counterparts."""
    assert isinstance(found, clarray.Array) and found.dtype == expected.dtype
    assert numpy.array_equal(found.get(), expected, equal_nan=expected.dtype.kind == "f")


def test_lists(put, rng, offsets):
    values = rng.random(offsets[-1])
    o, v = put(offsets), put(values)
    same(mote.jagged.counts(o), mote.jagged.counts(offsets))
    same(mote.jagged.parents(o), mote.jagged.parents(offsets))
    same(mote.jagged.local_index(o), mote.jagged.local_index(offsets))
    same(mote.jagged.offsets(mote.jagged.counts(o)), offsets - offsets[0])
    same(mote.jagged.offsets(parents=mote.jagged.parents(o), lists=1000), offsets - offsets[0])
    for op in ("sum", "argmax", "any", "mean"):
        same(mote.jagged.reduce(o, v, op), mote.jagged.reduce(offsets, values, op))
    same(mote.jagged.scan(o, v, exclusive=True), mote.jagged.scan(offsets, values, exclusive=True))
    same(mote.jagged.sort(o, v), mote.jagged.sort(offsets, values))
    same(mote.jagged.argsort(o, v), mote.jagged.argsort(offsets, values))
    short = numpy.cumsum([0, *rng.integers(0, 5, 40)])
    for got, expected in zip(mote.jagged.product(put(short), put(short)),
                             mote.jagged.product(short, short)):
        same(got, expected)
    for got, expected in zip(mote.jagged.nonzero(o, v), mote.jagged.nonzero(offsets, values)):
        same(got, expected)
    for got, expected in zip(mote.jagged.filter(o, v, v), mote.jagged.filter(offsets, values, values)):
        same(got, expected)
    same(mote.jagged.gather(put(short), v[:40]), mote.jagged.gather(short, values[:40]))


def test_calls_are_chained(put, rng, offsets):
    values = put(rng.random(offsets[-1]))
    got = mote.sum(mote.jagged.reduce(put(offsets), values, "sum"))
    assert float(got.get()) == pytest.approx(values.get()[3:].sum(), rel=1e-12)


def test_parts_of_arrays(put, rng):
    values = rng.random(100)
    same(mote.max(put(values)[7:50]), numpy.asarray(values[7:50].max()))
    with pytest.raises(mote.MoteError, match="contiguous"):
        mote.max(put(values)[::2])


def test_rows(put, rng):
    values = rng.integers(0, 99, (7, 31))
    same(mote.sum(put(values), axis=1), values.sum(axis=1))
    for axis in (1, (0, 1), None):
        same(mote.max(put(values), axis, keepdims=True), values.max(axis, keepdims=True))
        same(mote.argmax(put(values), axis, keepdims=True),
             mote.argmax(values, axis, keepdims=True))
    same(mote.cumsum(put(values), axis=1), values.cumsum(axis=1))
    with pytest.raises(mote.MoteError, match="axis"):
        mote.sum(put(values), axis=0)


def test_moments(put, rng, offsets):
    values = rng.standard_normal(offsets[-1]) + 1e6
    word = mote.ErrorWord(put(offsets).queue)
    for op in ("mean", "var", "std"):
        found = mote.jagged.reduce(put(offsets), put(values), op, error=word)
        assert isinstance(found, clarray.Array)
        expected = mote.jagged.reduce(offsets, values, op)
        assert numpy.allclose(found.get(), expected, rtol=1e-13, atol=0, equal_nan=True)
    word.check()
    narrow = rng.integers(0, 99, len(values)).astype("f2")
    found = mote.jagged.reduce(put(offsets), put(narrow), "var")
    expected = mote.jagged.reduce(offsets, narrow, "var")
    assert numpy.array_equal(found.get(), expected, equal_nan=True) and found.dtype == "f4"
    rows = values[:400].reshape(4, 100)
    assert numpy.allclose(mote.std(put(rows), axis=1, ddof=1).get(), rows.std(axis=1, ddof=1),
                          rtol=1e-12, atol=0)
    mote.jagged.reduce(put(offsets), put(values[:9]), "var", error=word)
    with pytest.raises(mote.MoteError, match="OFFSETS_OUT_OF_RANGE"):
        word.check()
    with pytest.raises(mote.MoteError, match="one place"):
        mote.jagged.reduce(put(offsets), values, "var")


@pytest.mark.parametrize("values", [[numpy.inf], [numpy.inf, numpy.inf],
                                    [5.0, numpy.inf, -numpy.inf], [1.0, -numpy.inf]])
def test_spreads_of_infinities(put, values):
    lists = put(numpy.array([1.0, 3.0, *values]))
    offsets = put(numpy.array([0, 2, len(lists)]))
    for nan in ("skip", "propagate"):
        for op in ("var", "std"):
            found = mote.jagged.reduce(offsets, lists, op, nan=nan).get()
            assert found[0] == 1 and numpy.isnan(found[1])


def test_spreads_of_lists_that_begin_before_the_values(put):
    offsets, values = put(numpy.array([-1, 3], "i4")), put(numpy.arange(9.0))
    word = mote.ErrorWord(offsets.queue)
    for part in (values, values[4:]):
        for op in ("var", "std"):
            mote.jagged.reduce(offsets, part, op, error=word)
            with pytest.raises(mote.MoteError, match="OFFSETS_NEGATIVE"):
                word.check()
    with pytest.raises(mote.MoteError, match="list 0"):
        mote.jagged.reduce(offsets.get(), values.get(), "var")


def test_clusters(put, rng):
    n = 3000
    digis = [rng.integers(0, most, n).astype("u2") for most in (5, 60, 70, 900)]
    expected = mote.cluster(*digis, rows=60, columns=70, n_modules=5)
    found = mote.cluster(*map(put, digis), rows=60, columns=70, n_modules=5)
    for got, wanted in zip(found[:3], expected):
        same(got, wanted)
    assert found.properties is None and found.positions is None


def test_positions(put, queue, rng):
    n = 3000
    digis = [rng.integers(0, most, n).astype("u2") for most in (5, 60, 70, 900)]
    pitch = rng.random(5).astype("f4")
    sizes = dict(rows=60, columns=70, n_modules=5, positions=True)
    expected = mote.cluster(*digis, pitch_x=pitch, **sizes)
    found = mote.cluster(*map(put, digis), pitch_x=put(pitch), **sizes)
    number = len(expected.properties)
    for got, wanted in zip(found.positions, expected.positions):
        same(got[:number], wanted)
    mask = rng.random(5 * 70 * 2) < 0.5
    mask = mask * numpy.uint32(0x10101010)
    dead = mote.cluster(*map(put, digis), **sizes, mask=put(mask), gain=put(pitch))
    same(dead.labels, mote.cluster(*digis, **sizes, mask=mask, gain=pitch).labels)
    word = mote.ErrorWord(queue)
    mote.cluster(*map(put, digis), **sizes, capacity=number, error=word)
    word.check()
    mote.cluster(*map(put, digis), **sizes, capacity=number - 1, error=word)
    with pytest.raises(mote.MoteError, match=str(number)):
        word.check()


def test_unique(put, queue, rng):
    offsets, values = numpy.array([0, 3, 3, 20]), rng.integers(0, 5, 20)
    expected = mote.jagged.unique(offsets, values, return_inverse=True, return_counts=True)
    word = mote.ErrorWord(queue)
    for given in ({}, {"error": word}):
        found = mote.jagged.unique(put(offsets), put(values), return_inverse=True, return_counts=True, **given)
        for got, wanted in zip(found, expected):
            same(got, wanted)
    for bad in ([0, 2, 1], [0, 3, 1, 3], [0, 25]):
        with pytest.raises(mote.MoteError, match="list"):
            mote.jagged.unique(put(numpy.array(bad)), put(values), return_inverse=True, error=word)


def test_histogram(put, queue, rng):
    values, weights = rng.random((40, 50)).astype("f4"), rng.random((40, 50))
    for arguments in ((), (7, (0.2, 0.6)), ([0, 0.1, 0.7],)):
        expected, edges = mote.histogram(values, *arguments)
        counts, found = mote.histogram(put(values), *arguments)
        same(counts, expected)
        assert numpy.array_equal(found, edges)
    sums, _ = mote.histogram(put(values), 9, (0, 1), put(weights))
    same(sums, mote.histogram(values, 9, (0, 1), weights)[0])
    same(mote.histogram(put(numpy.empty(0, "i4")), 3)[0], numpy.zeros(3, "i8"))
    word = mote.ErrorWord(queue)
    mote.histogram(put(values), [0, numpy.nan, 1], error=word)
    with pytest.raises(mote.MoteValueError, match="edge 0"):
        word.check()
    with pytest.raises(mote.MoteError, match="one place"):
        mote.histogram(put(values), 3, weights=weights)


def test_neighbours(put, queue, rng):
    positions, other = rng.random((50, 3)), rng.random((30, 3)).astype("f4")
    for more in ({}, {"other": other}, {"half": True}):
        expected = mote.neighbours(positions, 0.4, [1, 1, 1], **more)
        given = {key: put(value) if key == "other" else value for key, value in more.items()}
        for got, wanted in zip(mote.neighbours(put(positions), 0.4, [1, 1, 1], **given), expected):
            same(got, wanted)
    frames = positions.reshape(5, 10, 3)
    for got, wanted in zip(mote.neighbours(put(frames), 0.6), mote.neighbours(frames, 0.6)):
        same(got, wanted)
    word = mote.ErrorWord(queue)
    mote.neighbours(put(positions), 0.4, capacity=5, error=word)
    number = len(mote.neighbours(positions, 0.4).j)
    with pytest.raises(mote.MoteError, match=str(number)):
        word.check()
    positions[3, 1] = numpy.nan
    mote.neighbours(put(positions), 0.4, capacity=2 * number, error=word)
    with pytest.raises(mote.MoteError, match="3"):
        word.check()


def test_rdf(put, rng):
    """The results are NumPy arrays, because the call waits for the counts."""
    frames, other = rng.random((3, 50, 3)), rng.random((1, 30, 3)).astype("f4")
    for partners in (None, other):
        expected = mote.rdf(frames, 0.4, 20, [1, 1, 1], other=partners)
        found = mote.rdf(put(frames), 0.4, 20, [1, 1, 1], other=None if partners is None else put(partners))
        assert all(numpy.array_equal(a, b) for a, b in zip(found, expected))
    frames[1, 3, 1] = numpy.nan
    with pytest.raises(mote.MoteError, match="3"):
        mote.rdf(put(frames), 0.4, 20, [1, 1, 1])


def test_steinhardt(put, queue, rng):
    positions, weights = rng.random((50, 3)), rng.random(50)
    options = {"box": [1, 1, 1], "derivatives": True}
    expected = mote.steinhardt(positions, 6, "RATIONAL R_0=0.3 D_MAX=0.4", weights=weights, **options)
    found = mote.steinhardt(put(positions), 6, "RATIONAL R_0=0.3 D_MAX=0.4", weights=put(weights),
                            **options)
    same(found.value, numpy.array([expected.value]))
    for name in ("order", "derivatives", "virial"):
        same(getattr(found, name), getattr(expected, name))
    word = mote.ErrorWord(queue)
    positions[3, 1] = numpy.nan
    mote.steinhardt(put(positions), 6, "RATIONAL R_0=0.3 D_MAX=0.4", error=word)
    with pytest.raises(mote.MoteError, match="3"):
        word.check()


@pytest.mark.parametrize("kind", ["?", "i1", "u2", "f4", "u8"])
def test_label(put, rng, kind):
    stack = (rng.integers(0, 2, (5, 30, 40)) * rng.integers(1, 99)).astype(kind)
    for connectivity in (4, 8):
        for found, expected in zip(mote.label(put(stack), connectivity),
                                   mote.label(stack, connectivity)):
            same(found, expected)
    labels, count = mote.label(put(stack)[2])
    expected = mote.label(stack[2])
    same(labels, expected[0])
    same(count, numpy.array([expected[1]], "i4"))


def test_label_of_nothing_and_of_what_is_no_image(put):
    for shape in ((0, 4), (2, 3, 0)):
        labels, count = mote.label(put(numpy.empty(shape)))
        same(labels, numpy.zeros(shape, "i4"))
        same(count, numpy.zeros(len(shape) - 1, "i4"))
    with pytest.raises(mote.MoteTypeError, match="float16.*float32"):
        mote.label(put(numpy.zeros((2, 2), "f2")))
    with pytest.raises(mote.MoteValueError, match="contiguous"):
        mote.label(put(numpy.zeros((4, 4)))[:, ::2])
    with pytest.raises(mote.MoteValueError, match="2 dimensions"):
        mote.label(put(numpy.zeros(4)))


def test_coordination(put, queue, rng):
    positions = rng.random((40, 3))
    words = "RATIONAL R_0=0.3 D_MAX=0.5"
    arguments = dict(n_atoms=40, pbc="orthorhombic", precision="double", method="all_pairs")
    expected = mote.Coordination(words, **arguments)(positions, [1, 1, 1])
    plan = mote.Coordination(words, **arguments, context=queue)
    found = plan(put(positions), [1, 1, 1])
    assert float(found.value.get()) == pytest.approx(expected.value, rel=1e-14)
    assert numpy.allclose(found.derivatives.get(), expected.derivatives, rtol=1e-12)
    wide = numpy.zeros((40, 4))
    wide[:, :3] = positions
    assert float(plan(put(wide), put(numpy.eye(3))).value.get()) == pytest.approx(expected.value)


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_weights(put, queue, rng, kind):
    frames = rng.random((2, 20, 3))
    weights = rng.random((2, 20)).astype(kind)
    plan = mote.Coordination("RATIONAL R_0=0.3 D_MAX=0.5", n_atoms=20, precision="double",
                             context=queue)
    expected = plan(frames, weights=weights)
    found = plan(put(frames), weights=put(weights))
    assert found.coordination is None
    assert numpy.allclose(found.value.get(), expected.value, rtol=1e-13)
    assert numpy.allclose(found.derivatives.get(), expected.derivatives, rtol=1e-12, atol=1e-14)
    for bad, words in ((put(weights[0]), r"\(2, 20\) is wanted"), (put(weights.astype("i4")), "int32"),
                       (weights, "one place")):
        with pytest.raises(mote.MoteError, match=words):
            plan(put(frames), weights=bad)
    with pytest.raises(mote.MoteError, match="one place"):
        plan(frames, weights=put(weights))
    with pytest.raises(mote.MoteError, match="weights and coordination"):
        plan(put(frames), weights=put(weights), coordination=True)


def test_the_guides_lines(put, queue, guide):
    names = {"mote": mote, "queue": queue, "offsets": put(numpy.array([0, 3, 4])),
             "values": put(numpy.arange(4.0))}
    exec(guide("mote.ErrorWord("), names)
    assert float(names["total"].get()) == 6
    names["offsets"] = put(numpy.array([0, 3, 1]))
    with pytest.raises(mote.MoteValueError, match="list 1"):
        exec(guide("mote.ErrorWord("), names)


def test_error_word(put, queue):
    word = mote.ErrorWord(queue)
    mote.jagged.counts(put(numpy.array([0, 3, 1])), error=word)
    with pytest.raises(ValueError, match="list 1"):
        word.check()
    mote.jagged.counts(put(numpy.array([0, 3, 4])), error=word)
    word.check()


def test_calls_that_wait_raise_without_an_error_word(put, queue):
    bad, good, values = put(numpy.array([0, 3, 1])), put(numpy.array([0, 2, 3])), put(numpy.arange(3.0))
    for call in (mote.jagged.pairs, lambda o, **more: mote.jagged.product(o, o, **more),
                 lambda o, **more: mote.jagged.nonzero(o, values, **more),
                 lambda o, **more: mote.jagged.filter(o, values, values, **more)):
        with pytest.raises(mote.MoteValueError, match="list 1"):
            call(bad)
        word = mote.ErrorWord(queue)
        call(bad, error=word)
        with pytest.raises(mote.MoteValueError, match="list 1"):
            word.check()
        assert call(good)[0].size


def test_error_word_of_another_queue(put, queue):
    """check() also waits for the queue of the call, and a word of another context is rejected."""
    word = mote.ErrorWord(cl.CommandQueue(queue.context))
    for _ in range(20):
        mote.jagged.counts(put(numpy.array([0, 3, 1])), error=word)
        with pytest.raises(ValueError, match="list 1"):
            word.check()
        assert not word.queues
    other = mote.ErrorWord(cl.CommandQueue(cl.Context([queue.device])))
    with pytest.raises(mote.MoteError, match="another OpenCL context"):
        mote.jagged.counts(put(numpy.array([0, 3])), error=other)
    for nothing in (7, "word"):
        with pytest.raises(mote.MoteError, match="ErrorWord"):
            mote.jagged.counts(put(numpy.array([0, 3])), error=nothing)
        with pytest.raises(mote.MoteError, match="CommandQueue"):
            mote.ErrorWord(nothing)


def test_arrays_of_two_contexts(put, queue):
    there = cl.CommandQueue(cl.Context([queue.device]))
    with pytest.raises(mote.MoteError, match="another OpenCL context"):
        mote.jagged.reduce(put(numpy.array([0, 3])), clarray.to_device(there, numpy.ones(3)),
                             "sum")


def test_kept_error_word(put, queue):
    word = mote.ErrorWord(queue, keep=True)
    mote.jagged.counts(put(numpy.array([0, 3, 1])), error=word)
    mote.jagged.counts(put(numpy.array([0, 3, 4])), error=word)
    with pytest.raises(ValueError, match="list 1"):
        word.check()


def test_context_and_queue_open_contexts(queue):
    with mote.Context(queue) as a, mote.Context(queue.context) as b:
        assert a.device.name == b.device.name == mote.default_context().device.name
        with pytest.raises(mote.MoteError, match="pickled"):
            a.__reduce__()


def test_mixed_places(put):
    with pytest.raises(mote.MoteError, match="one place"):
        mote.jagged.reduce(put(numpy.array([0, 1])), numpy.ones(1), "sum")
    with pytest.raises(mote.MoteError, match="float32"):
        mote.jagged.counts(put(numpy.zeros(3, "f4")))
    with pytest.raises(mote.MoteError, match="queue"):
        mote.jagged.counts(put(numpy.zeros(3, "i4")).with_queue(None))
    with pytest.raises(mote.MoteError, match="n_modules"):
        mote.cluster(*[put(numpy.zeros(3, "u2"))] * 3, rows=9, columns=9)
    with pytest.raises(mote.MoteError):
        mote.jagged.counts(put(numpy.zeros(3, "i4")), context="pocl:0")
