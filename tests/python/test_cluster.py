# SPDX-License-Identifier: Apache-2.0
"""Compares mote.cluster with a flood fill in plain Python."""

import collections

import mote
import numpy
import pytest

ROWS, COLUMNS = 40, 50


def flood(pixels):
    """Returns clusters of a set of (x, y), in the order of their lowest pixel by (y, x)."""
    left, clusters = set(pixels), []
    for start in sorted(pixels, key=lambda pixel: pixel[::-1]):
        if start not in left:
            continue
        left.remove(start)
        members, queue = [], collections.deque([start])
        while queue:
            x, y = queue.popleft()
            members.append((x, y))
            for near in [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]:
                if near in left:
                    left.remove(near)
                    queue.append(near)
        clusters.append(members)
    return clusters


def digis_of(rng, modules, share):
    """Makes distinct pixels of each module, shuffled."""
    found = []
    for module in modules:
        pixels = rng.permutation(ROWS * COLUMNS)[:int(share * ROWS * COLUMNS)]
        found += [(module, pixel // COLUMNS, pixel % COLUMNS) for pixel in pixels]
    module, x, y = numpy.array(found).T[:, rng.permutation(len(found))]
    adc = rng.integers(0, 1000, len(found))
    return module, x.astype("u2"), y.astype("u2"), adc.astype("u2")


@pytest.mark.parametrize("share", [0.02, 0.3])
def test_labels_and_properties(rng, share):
    ids = [7, 2 ** 40, 3]
    module, x, y, adc = digis_of(rng, ids, share)
    found = mote.cluster(module, x, y, adc, rows=ROWS, columns=COLUMNS)
    assert found.modules.tolist() == sorted(ids)
    for column, identity in enumerate(sorted(ids)):
        mine = module == identity
        charge = {(int(i), int(j)): int(q) for i, j, q in zip(x[mine], y[mine], adc[mine])}
        label = {(int(i), int(j)): int(k) for i, j, k in zip(x[mine], y[mine],
                                                             found.labels[mine])}
        expected = flood(charge)
        assert found.n_clusters[0, column] == len(expected)
        begin = found.cluster_start[column]
        for number, members in enumerate(expected):
            assert {label[pixel] for pixel in members} == {number}
            record = found.properties[begin + number]
            q = numpy.array([charge[pixel] for pixel in members])
            i, j = numpy.array(members).T
            assert record["module"] == identity and record["event"] == 0
            assert record["label"] == number
            assert record["size"] == len(members) and record["charge"] == q.sum()
            assert (record["x_min"], record["y_max"]) == (i.min(), j.max())
            weights = q if q.sum() else numpy.ones_like(q)
            assert record["x"] == pytest.approx(numpy.average(i, weights=weights), rel=1e-13)
            assert record["y"] == pytest.approx(numpy.average(j, weights=weights), rel=1e-13)


@pytest.mark.parametrize("ids", ["uint16", "uint32"])
def test_events(rng, ids):
    parts = [digis_of(rng, [0, 2], share) for share in (0.05, 0.2, 0.1)]
    module, x, y, adc = (numpy.concatenate(columns) for columns in zip(*parts))
    offsets = numpy.cumsum([0] + [len(part[0]) for part in parts]).astype("u4")
    found = mote.cluster(module.astype(ids), x, y, adc, rows=ROWS, columns=COLUMNS, n_modules=3,
                         event_offsets=offsets)
    assert found.n_clusters.shape == (3, 3) and not found.n_clusters[:, 1].any()
    assert numpy.array_equal(numpy.diff(found.cluster_start), found.n_clusters.ravel())
    for k, part in enumerate(parts):
        alone = mote.cluster(part[0].astype(ids), *part[1:], rows=ROWS, columns=COLUMNS,
                             n_modules=3)
        assert numpy.array_equal(found.labels[offsets[k]:offsets[k + 1]], alone.labels)
        mine = found.properties[found.properties["event"] == k].copy()
        mine["event"] = 0
        assert numpy.array_equal(mine, alone.properties)


def test_options():
    digis = dict(module_id=[0, 0, 0, 0], x=[1, 2, 5, 5], y=[1, 2, 5, 5], adc=[10, 10, 1, 2])
    sizes = dict(rows=ROWS, columns=COLUMNS, n_modules=1)
    assert mote.cluster(**digis, **sizes).labels.tolist() == [0, 0, -1, -1]
    assert mote.cluster(**digis, **sizes, connectivity=4).labels.tolist() == [0, 1, -1, -1]
    assert mote.cluster(**digis, **sizes, duplicates="sum").properties["charge"].tolist() == [20, 3]
    assert mote.cluster(**digis, **sizes, duplicates="sum", charge_cut=15,
                        invalid_cluster_id=-9999).labels.tolist() == [0, 0, -9999, -9999]
    assert mote.cluster(**digis, **sizes, duplicates="sum", charge_cuts=[3]).n_clusters == 2


@pytest.mark.parametrize("weight", ["charge", "none"])
def test_positions(rng, weight):
    digis = digis_of(rng, [0, 1, 2], 0.1)
    module = digis[0].astype("u4")
    sizes = dict(rows=ROWS, columns=COLUMNS, n_modules=3, positions=True, weight=weight)
    found = mote.cluster(module, *digis[1:], **sizes)
    places, records = found.positions, found.properties
    assert all(len(values) == len(records) for values in places)
    for name in ("size", "charge"):
        assert numpy.array_equal(getattr(places, name), records[name])
    if weight == "charge":
        for name in ("x", "y", "x_var", "y_var"):
            assert numpy.array_equal(getattr(places, name), records[name].astype("f4"))
    cluster = found.cluster_start[module] + found.labels
    for k in rng.integers(0, len(records), 50):
        x, y, q = (values[cluster == k].astype("f8") for values in digis[1:])
        assert (places.charge_min[k], places.charge_max[k]) == (q.min(), q.max())
        w = q if weight == "charge" and q.sum() else numpy.ones_like(q)
        mean = numpy.average(x, weights=w), numpy.average(y, weights=w)
        assert (places.x[k], places.y[k]) == pytest.approx(mean, rel=1e-6)
        cov = numpy.average((x - mean[0]) * (y - mean[1]), weights=w)
        assert places.xy_cov[k] == pytest.approx(cov, rel=1e-6, abs=1e-9)

    tables = dict(origin_x=[0, 10, 20], origin_y=numpy.array([5.0, 5, 5]), pitch_x=[0.05, 0.1, 1])
    local = mote.cluster(module, *digis[1:], **sizes, **tables).positions
    which = records["module"].astype(int)
    pitch = numpy.array(tables["pitch_x"], "f4")[which]
    assert numpy.array_equal(local.x, numpy.array([0, 10, 20], "f4")[which] + pitch * places.x)
    assert numpy.array_equal(local.x_var, pitch * pitch * places.x_var)
    assert numpy.array_equal(local.y, numpy.float32(5) + places.y)
    assert mote.cluster(module, *digis[1:], rows=ROWS, columns=COLUMNS).positions is None


@pytest.mark.parametrize("modules", [1, 3])
def test_dead_pixels(rng, modules):
    module, x, y, adc = digis_of(rng, list(range(modules)), 0.2)
    module = module.astype("u2")
    mask = rng.random((modules, ROWS, COLUMNS)) < 0.1
    sizes = dict(rows=ROWS, columns=COLUMNS, n_modules=modules)
    found = mote.cluster(module, x, y, adc, mask=mask, **sizes)
    dead = mask[module, x, y]
    assert dead.any() and numpy.array_equal(found.labels == -1, dead)
    alive = mote.cluster(module[~dead], x[~dead], y[~dead], adc[~dead], **sizes)
    assert numpy.array_equal(found.labels[~dead], alive.labels)
    assert numpy.array_equal(found.properties["size"], alive.properties["size"])
    words = numpy.zeros((modules, COLUMNS, 2), "u4")
    for m, i, j in zip(*numpy.nonzero(mask)):
        words[m, j, i // 32] |= numpy.uint32(1 << i % 32)
    packed = mote.cluster(module, x, y, adc, mask=words.reshape(-1), **sizes)
    assert numpy.array_equal(packed.labels, found.labels)


def test_gain_and_pedestal(rng):
    module, x, y, adc = digis_of(rng, [0, 1], 0.1)
    module = module.astype("u2")
    gain, pedestal = numpy.array([47.5, 1.25], "f4"), [10, 300.5]
    sizes = dict(rows=ROWS, columns=COLUMNS, n_modules=2)
    found = mote.cluster(module, x, y, adc, gain=gain, pedestal=pedestal, charge_min=5, **sizes)
    charge = numpy.floor(gain[module] * (adc - numpy.array(pedestal, "f4")[module]))
    charge = numpy.maximum(charge, 5).astype("u4")
    expected = mote.cluster(module, x, y, charge, **sizes)
    assert numpy.array_equal(found.properties, expected.properties)
    again = mote.cluster(module, x, y, adc, gain=gain, pedestal=pedestal, charge_min=5,
                         same_modules=True, **sizes)
    assert numpy.array_equal(again.properties, expected.properties)


ELEMENTS = [(None, None, 8), (None, None, 4),
            ([[0, 1, 1], [0, 1, 0], [0, 0, 1]], [[0, 1, 0], [1, 1, 0], [0, 0, 0]], 8)]


@pytest.mark.parametrize("dilation, erosion, connectivity", ELEMENTS)
def test_marked_modules(rng, dilation, erosion, connectivity):
    """Compares the clusters of marked modules with clusters that SciPy finds on the closing of the pixels."""
    ndimage = pytest.importorskip("scipy.ndimage")
    marked = [True, False, True]
    module, x, y, adc = digis_of(rng, [0, 1, 2], 0.04)
    elements = [None if element is None else numpy.array(element, bool)
                for element in (dilation, erosion)]
    found = mote.cluster(module.astype("u2"), x, y, adc, rows=ROWS, columns=COLUMNS, n_modules=3,
                         morph=marked, morph_dilation=elements[0], morph_erosion=elements[1],
                         connectivity=connectivity)
    shape = ndimage.generate_binary_structure(2, 2 if connectivity == 8 else 1)
    wide = numpy.ones((3, 3), bool) if dilation is None else elements[0]
    narrow = ndimage.generate_binary_structure(2, 1) if erosion is None else elements[1]
    for m in range(3):
        mine = module == m
        fired = numpy.zeros((ROWS + 4, COLUMNS + 4), bool)
        fired[x[mine] + 2, y[mine] + 2] = True
        closed = fired
        if marked[m]:
            closed = ndimage.binary_erosion(ndimage.binary_dilation(fired, wide), narrow) | fired
        parts = ndimage.label(closed, shape)[0][x[mine] + 2, y[mine] + 2]
        order = numpy.lexsort((x[mine], y[mine]))
        names = dict.fromkeys(parts[order].tolist())
        numbers = {part: number for number, part in enumerate(names)}
        assert found.labels[mine].tolist() == [numbers[part] for part in parts.tolist()]
        assert found.n_clusters[0, m] == len(numbers)


def test_options_of_equal_value():
    """1, True and 1.0 are one key, but each keeps its own answer."""
    digis = dict(module_id=[0, 0], x=[0, 0], y=[0, 1], columns=COLUMNS, n_modules=1)
    for _ in range(2):
        assert mote.cluster(**digis, rows=1).n_clusters == 1
        assert mote.cluster(**digis, rows=True).n_clusters == 1
        assert mote.cluster(**digis, rows=numpy.uint16(1)).n_clusters == 1
        assert mote.cluster(**digis, rows=numpy.array(1)).n_clusters == 1
        with pytest.raises(mote.MoteError, match="rows is 1.0"):
            mote.cluster(**digis, rows=1.0)


def test_nothing():
    found = mote.cluster([], [], [], rows=ROWS, columns=COLUMNS, n_modules=2)
    assert found.labels.size == 0 and found.n_clusters.tolist() == [[0, 0]]
    found = mote.cluster([], [], [], [], rows=ROWS, columns=COLUMNS)
    assert found.n_clusters.shape == (1, 0) and found.properties.size == 0
    found = mote.cluster([], [], [], rows=ROWS, columns=COLUMNS, n_modules=2, positions=True)
    assert [len(values) for values in found.positions] == [0] * 9


@pytest.mark.parametrize("change, words", [
    (dict(x=[0, 40]), "digi 1: x = 40"),
    (dict(module_id=[0, 9]), "digi 1.*9"),
    (dict(x=[0, 1, 2]), "lengths differ"),
    (dict(x=[0, -1]), "x holds -1 to 0"),
    (dict(x=[0, 70000]), "x holds 0 to 70000"),
    (dict(x=numpy.zeros((2, 1), "u2")), "shape"),
    (dict(x="ab"), "x has the type"),
    (dict(x=[numpy.nan, 1]), "x"),
    (dict(rows=0), "rows"),
    (dict(rows=70000), "rows"),
    (dict(rows=1.5), "rows"),
    (dict(rows=[ROWS]), "rows is \\[40\\]"),
    (dict(order=["any"]), "any, contiguous"),
    (dict(x=None), "x holds object"),
    (dict(module_id=None), "module_id holds object"),
    (dict(connectivity=6), "connectivity"),
    (dict(duplicates="keep"), "drop, first, sum, max"),
    (dict(event_offsets=[0, 1]), "event_offsets"),
    (dict(event_offsets=[0, 2, 1]), "event_offsets"),
    (dict(event_offsets=[]), "event_offsets"),
    (dict(event_offsets=[0.0, numpy.nan]), "event_offsets"),
    (dict(charge_cuts=[1]), "charge_cuts"),
    (dict(pitch_x=[1.0]), "pitch_x"),
    (dict(pitch_y=["a", "b"]), "pitch_y"),
    (dict(origin_x=[[1.0, 2.0]]), "origin_x"),
    (dict(weight="adc"), "charge, none"),
    (dict(mask=numpy.zeros((2, COLUMNS, ROWS), bool)), "mask has the shape"),
    (dict(mask=numpy.zeros(3, "u4")), "mask has 3 values"),
    (dict(n_modules=None, mask=numpy.zeros((2, ROWS, COLUMNS), bool)), "mask needs n_modules, the number"),
    (dict(morph=[True]), "morph has 1 values"),
    (dict(morph=[0.0, 1.0]), "morph has the type float64"),
    (dict(module_id=numpy.array([1, 2]), n_modules=None, morph=[True]), "needs n_modules"),
    (dict(morph=[True, False], morph_erosion=numpy.zeros((3, 3), bool)), "morph_erosion"),
    (dict(morph=[True, False], morph_dilation=511), "morph_dilation"),
    (dict(morph_dilation=numpy.ones((3, 3), bool)), "morph"),
    (dict(gain=[1.0]), "gain has 1 values"),
    (dict(gain=[1.0, 1.0], charge_min=-1), "charge_min"),
    (dict(gain=[1.0, 1.0]), "adc"),
    (dict(module_id=numpy.array([1, 2]), n_modules=None, origin_x=[1, 2]), "needs n_modules"),
    (dict(n_modules=2 ** 32), "n_modules"),
    (dict(invalid_cluster_id=3), "invalid_cluster_id"),
    (dict(n_modules=None, module_id=[-1, 2]), "module_id"),
])
def test_bad_input(change, words):
    given = {**dict(module_id=[0, 1], x=[0, 1], y=[0, 1], rows=ROWS, columns=COLUMNS, n_modules=2),
             **change}
    with pytest.raises(mote.MoteError, match=words):
        mote.cluster(**given)


def test_too_many_digis():
    many = numpy.broadcast_to(numpy.uint16(0), 2 ** 31)
    with pytest.raises(mote.MoteError, match="2\\^31"):
        mote.cluster(many, many, many, rows=ROWS, columns=COLUMNS, n_modules=1)
