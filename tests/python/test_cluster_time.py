# SPDX-License-Identifier: Apache-2.0
"""Compares mote.cluster_time with a union-find in plain Python and with scipy's components."""

import mote
import numpy
import pytest

ROWS, COLUMNS, MODULES = 12, 10, 3
SHAPE = {"rows": ROWS, "columns": COLUMNS}


def stream(rng, n):
    """Returns module, x, y, t and charge of hits that are only roughly in the order of time."""
    return (rng.integers(0, MODULES, n), rng.integers(0, ROWS, n), rng.integers(0, COLUMNS, n),
            numpy.arange(n) - rng.integers(0, 30, n) + 2 ** 40, rng.integers(0, 1000, n))


def touching(hits, radius, window):
    """Returns for all pairs of hits whether they touch."""
    module, x, y, t = (numpy.asarray(column, "i8")[:, None] for column in hits[:4])
    return ((module == module.T) & (abs(x - x.T) <= radius) & (abs(y - y.T) <= radius)
            & (abs(t - t.T) <= window))


def joined(hits, radius, window):
    """Returns labels by a plain union-find over the hits in the order in which clusters are numbered."""
    module, x, y, t = (numpy.asarray(column) for column in hits[:4])
    order = numpy.lexsort((x, y, module, t))
    near = touching(hits, radius, window)[order][:, order]
    parent = list(range(len(order)))

    def root(node):
        while parent[node] != node:
            node = parent[node]
        return node

    for late, early in zip(*numpy.nonzero(numpy.tril(near, -1))):
        a, b = root(late), root(early)
        parent[max(a, b)] = min(a, b)
    roots = [root(node) for node in range(len(order))]
    numbers = {node: k for k, node in enumerate(sorted(set(roots)))}
    labels = numpy.empty(len(order), int)
    labels[order] = [numbers[node] for node in roots]
    return labels


@pytest.mark.parametrize("radius, window", [(1, 20), (0, 100), (3, 4), (1, 0), (1, 2 ** 63 - 1)])
def test_labels_and_properties(rng, radius, window):
    module, x, y, t, charge = hits = stream(rng, 700)
    found = mote.cluster_time(*hits, **SHAPE, window=window, radius=radius)
    assert found.labels.tolist() == joined(hits, radius, window).tolist()
    p = found.properties
    assert len(p) == found.labels.max() + 1
    for k in range(len(p)):
        mine = found.labels == k
        assert p["size"][k] == mine.sum() and p["charge"][k] == charge[mine].sum()
        assert p["first"][k] == t[mine].min() and p["last"][k] == t[mine].max()
        assert set(module[mine]) == {p["module"][k]}
        assert p["first_hit"][k] == numpy.flatnonzero(mine)[0]
        for name, column in (("x", x), ("y", y)):
            weights = charge[mine] if charge[mine].any() else None
            assert p[name][k] == pytest.approx(numpy.average(column[mine], weights=weights))
            assert p[name + "_min"][k] == column[mine].min()
            assert p[name + "_max"][k] == column[mine].max()


def test_components_of_scipy(rng):
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    hits = stream(rng, 1000)
    found = mote.cluster_time(*hits[:4], **SHAPE, window=25)
    count, labels = csgraph.connected_components(touching(hits, 1, 25), directed=False)
    assert len(found.properties) == count == len(set(zip(labels, found.labels)))


def test_a_stream_in_parts(rng):
    module, x, y, t, charge = hits = stream(rng, 1500)
    whole = mote.cluster_time(*hits, **SHAPE, window=20)
    parts, waiting = [], numpy.empty(0, int)
    for end in range(300, 1501, 300):
        now = numpy.concatenate([waiting, numpy.arange(end - 300, end)])
        found = mote.cluster_time(*(column[now] for column in hits), **SHAPE, window=20,
                                  complete=t[end:].min() if end < 1500 else None)
        parts.append(found.properties)
        waiting = now[found.labels < 0]
    assert len(waiting) == 0
    names = [name for name in whole.properties.dtype.names if name != "first_hit"]
    together = numpy.sort(numpy.concatenate(parts)[names], order=["first", "module", "y", "x"])
    assert (together == numpy.sort(whole.properties[names], order=["first", "module", "y", "x"])).all()


def test_no_hits():
    found = mote.cluster_time([], [], [], [], **SHAPE, window=5)
    assert len(found.labels) == len(found.properties) == 0


def test_refusals():
    with pytest.raises(mote.MoteError, match="hit 1: x = 12 is not below rows = 12"):
        mote.cluster_time([0, 0], [0, 12], [0, 0], [0, 0], **SHAPE, window=5)
    with pytest.raises(mote.MoteError, match="hit 0: module 5 is not below n_modules = 5"):
        mote.cluster_time([5], [0], [0], [0], **SHAPE, window=5, n_modules=5)
    with pytest.raises(mote.MoteValueError, match="window is -1"):
        mote.cluster_time([0], [0], [0], [0], **SHAPE, window=-1)
    with pytest.raises(mote.MoteValueError, match="lengths differ: module 1, x 1, y 1, t 2"):
        mote.cluster_time([0], [0], [0], [0, 1], **SHAPE, window=5)
    with pytest.raises(mote.MoteTypeError, match="integers are wanted"):
        mote.cluster_time([0], [0], [0], [0.5], **SHAPE, window=5)
