# SPDX-License-Identifier: Apache-2.0
"""Compares lists of digis and measurements of clusters with plain NumPy."""

import mote
import numpy
import pytest

SIDES = {0: (40, 30), 1: (25, 12), 2: (7, 30)}  # rows and columns of each design
MODULES, EVENTS = 24, 3


@pytest.fixture(scope="module")
def digis():
    """Returns columns of digis in random order, the offsets of events, and the modules' designs."""
    rng = numpy.random.default_rng()
    design = rng.integers(0, len(SIDES), MODULES).astype("u4")
    module = rng.integers(0, MODULES, 4000).astype("u2")
    sides = numpy.array([SIDES[kind] for kind in design])[module]
    x, y = (rng.integers(0, sides[:, axis]).astype("u2") for axis in (0, 1))
    adc = rng.integers(0, 60_000, len(module)).astype("u2")
    adc[module == 3] = 0
    events = numpy.array([0, 1500, 1500, len(module)], "u4")
    return (module, x, y, adc), events, design


def edges_of(axis):
    """Returns the edges of each design: every seventh pixel is wide."""
    return [(-1.0) ** kind * numpy.cumsum(numpy.where(numpy.arange(sides[axis] + 1) % 7, 0.05, 0.1))
            for kind, sides in SIDES.items()]


@pytest.mark.parametrize("duplicates", ["drop", "sum", "max"])
def test_against_numpy(digis, duplicates):
    (module, x, y, adc), events, design = digis
    found = mote.cluster(module, x, y, adc, rows=40, columns=30, n_modules=MODULES, digis=True,
                         event_offsets=events, duplicates=duplicates)
    event = numpy.searchsorted(events, numpy.arange(len(x)), side="right") - 1
    kept = numpy.flatnonzero(found.labels >= 0)
    number = found.cluster_start[event * MODULES + module] + found.labels
    order = kept[numpy.lexsort((kept, x[kept], y[kept], number[kept]))]
    assert numpy.array_equal(found.digis.indices, order)
    counts = numpy.bincount(number[kept], minlength=len(found.properties))
    assert numpy.array_equal(numpy.diff(found.digis.offsets), counts)

    shift = numpy.linspace(-0.2, 0.3, MODULES, dtype="f4")
    measured = mote.measure(found.digis, module, x, y, adc, design=design, shift_x=shift,
                            row_edges=edges_of(0), column_edges=edges_of(1), widths=True,
                            duplicates=duplicates)
    assert numpy.array_equal(measured.module, found.properties["module"])
    for name, low, high in (("rows", "x_min", "x_max"), ("columns", "y_min", "y_max")):
        extent = found.properties[high] - found.properties[low] + 1
        assert numpy.array_equal(getattr(measured, name), extent)
    for k in range(0, len(counts), 5):
        mine = found.digis.indices[found.digis.offsets[k]:found.digis.offsets[k + 1]]
        charge = {}
        for i in mine:
            old, new = charge.get((x[i], y[i]), 0), int(adc[i])
            charge[x[i], y[i]] = max(old, new) if duplicates == "max" else old + new
        w = numpy.array(list(charge.values()), float)
        w = w if w.sum() else numpy.ones(len(w))
        for axis in (0, 1):
            edges = edges_of(axis)[design[module[mine[0]]]].astype("f4").astype(float)
            pixel = numpy.array([both[axis] for both in charge])
            centre, width = (edges[pixel] + edges[pixel + 1]) / 2, numpy.diff(edges)[pixel]
            expected = numpy.average(centre, weights=w)
            spread = numpy.average((centre - expected) ** 2 + width ** 2 / 12, weights=w)
            expected += shift[module[mine[0]]] if axis == 0 else 0
            assert abs(measured[1 + axis][k] - expected) < 1e-6
            assert abs(measured[3 + axis][k] - spread) < 1e-6


def test_variances_by_size(digis):
    columns, _, design = digis
    found = mote.cluster(*columns, rows=40, columns=30, n_modules=MODULES, digis=True)
    args = found.digis, *columns
    rows = numpy.arange(12, dtype="f4").reshape(3, 4)
    edges = {"design": design, "row_edges": edges_of(0), "column_edges": edges_of(1)}
    measured = mote.measure(*args, **edges, x_var_by_rows=rows)
    expected = rows[design[measured.module], numpy.minimum(measured.rows, 4) - 1]
    assert numpy.array_equal(measured.x_var, expected)
    assert numpy.array_equal(measured.y_var, mote.measure(*args, **edges).y_var)
    one = mote.measure(*args, y_var_by_columns=[0.5, 2])
    assert numpy.array_equal(one.y_var, numpy.where(one.columns == 1, 0.5, 2))
    for wrong in (rows[:2], rows[:, :0]):
        with pytest.raises(mote.MoteValueError, match="3 designs"):
            mote.measure(*args, **edges, x_var_by_rows=wrong)


def test_lists_of_digis(digis):
    """The functions of mote.jagged accept the lists."""
    columns, _, _ = digis
    found = mote.cluster(*columns, rows=40, columns=30, n_modules=MODULES, digis=True)
    charge = mote.jagged.reduce(found.digis.offsets, columns[3][found.digis.indices], "sum")
    assert numpy.array_equal(charge, found.properties["charge"])


def test_nothing():
    empty = numpy.empty(0, "u2")
    found = mote.cluster(empty, empty, empty, empty, rows=4, columns=4, n_modules=2, digis=True)
    assert found.digis.offsets.tolist() == [0] and len(found.digis.indices) == 0
    measured = mote.measure(found.digis, empty, empty, empty, empty)
    assert all(len(values) == 0 for values in measured)


def test_refused():
    hits = [0, 0], [1, 2], [0, 0], [30, 10]
    lists = mote.cluster(*hits, rows=4, columns=1, digis=True).digis
    with pytest.raises(mote.MoteError, match="digi 1 lies outside its module"):
        mote.measure(lists, *hits, row_edges=[0.0, 1.0, 2.0])
    with pytest.raises(mote.MoteError, match="list 0 ends beyond"):
        mote.measure(lists, *(values[:1] for values in hits))
    with pytest.raises(mote.MoteValueError, match="lengths"):
        mote.measure(lists, *hits, shift_x=[1.0], shift_y=[1.0, 2.0])
    with pytest.raises(mote.MoteError, match="adc is missing"):
        mote.measure(lists, *hits[:3])
    with pytest.raises(mote.MoteError, match="digis is NoneType: .*digis=True"):
        mote.measure(mote.cluster(*hits, rows=4, columns=1).digis, *hits)
    with pytest.raises(mote.MoteError, match="row_edges is 5: an array"):
        mote.measure(lists, *hits, row_edges=5)
    with pytest.raises(mote.MoteError, match="masked array"):
        mote.measure(lists, *hits, x_var_by_rows=numpy.ma.array([1.0, 2.0], mask=[0, 1]))
    with pytest.raises(mote.MoteError, match="x_var_by_rows is no array"):
        mote.measure(lists, *hits, x_var_by_rows=[[1.0], [1.0, 2.0]])


def test_on_device(digis):
    pyopencl_array = pytest.importorskip("pyopencl.array")
    (module, x, y, adc), events, design = digis
    pyopencl = pytest.importorskip("pyopencl")
    queue = pyopencl.CommandQueue(pyopencl.create_some_context(interactive=False))
    on_host = mote.cluster(module, x, y, adc, rows=40, columns=30, n_modules=MODULES, digis=True,
                           event_offsets=events)
    there = [pyopencl_array.to_device(queue, values) for values in (module, x, y, adc)]
    word = mote.ErrorWord(queue)
    found = mote.cluster(*there, rows=40, columns=30, n_modules=MODULES, digis=True, error=word,
                         event_offsets=pyopencl_array.to_device(queue, events))
    measured = mote.measure(found.digis, *there, design=design, row_edges=edges_of(0),
                            column_edges=edges_of(1), error=word)
    word.check()
    expected = mote.measure(on_host.digis, module, x, y, adc, design=design, row_edges=edges_of(0),
                            column_edges=edges_of(1))
    clusters = len(on_host.properties)
    assert numpy.array_equal(found.digis.offsets.get()[:clusters + 1], on_host.digis.offsets)
    count = on_host.digis.offsets[-1]
    assert numpy.array_equal(found.digis.indices.get()[:count], on_host.digis.indices)
    for mine, theirs in zip(measured, expected):
        assert numpy.array_equal(mine.get()[:clusters], theirs)
