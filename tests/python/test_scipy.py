# SPDX-License-Identifier: Apache-2.0
"""Tests the page "From SciPy": both sides of each row of its tables are equal."""

import pathlib
import re

import mote
import numpy
import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "from-scipy.md"


def equal(found, expected):
    """Returns whether numbers, arrays or tuples of arrays are equal, except for the order of float additions."""
    if isinstance(expected, tuple):
        return all(map(equal, found, expected))
    expected = numpy.asarray(expected)
    return numpy.shape(found) == expected.shape and numpy.allclose(found, expected, rtol=1e-11, atol=0)


def test_page(rng):
    scipy = pytest.importorskip("scipy")
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(.*)` \| `(.*)` \|$", text, re.M)
    lines = re.findall(r"^\|.*", text, re.M)
    assert len(rows) == len(lines) - 2 * lines.count("| --- | --- |") > 25
    stack = rng.integers(1, 1000, (3, 40, 50)) * (rng.random((3, 40, 50)) < 0.3)
    data, offsets = rng.random(1000), numpy.arange(0, 1001, 20)
    names = {"mote": mote, "numpy": numpy, "ndimage": scipy.ndimage, "spatial": scipy.spatial, "stack": stack,
             "image": stack[0].astype("u2"), "values": rng.random((40, 50)), "data": data, "offsets": offsets,
             "parts": numpy.split(data, offsets[1:-1]), "weights": rng.random(50), "positions": rng.random((60, 3))}
    for program in re.findall(r"^```python\n(.*?)^```", text, re.S | re.M):
        exec(program, names)
    for scipys, motes in rows:
        assert equal(eval(motes, names), eval(scipys, names)), (scipys, motes)


def test_differences():
    """Tests the statements of docs/from-scipy.md that are not in its tables."""
    ndimage = pytest.importorskip("scipy.ndimage")
    assert ndimage.label(numpy.ones((2, 1, 1)))[1] == 1
    assert mote.label(numpy.ones((2, 1, 1)))[1].tolist() == [1, 1]
    for image in (numpy.eye(2, dtype="f2"), numpy.eye(2, dtype=">i4")):
        assert mote.label(image)[1] == 2
        with pytest.raises((TypeError, ValueError)):
            ndimage.label(image)
    assert mote.cluster([0, 0], [0, 1], [0, 1], rows=2, columns=2, n_modules=1).n_clusters == 1
    data, offsets = numpy.array([1.0, 2, 3]), numpy.array([0, 2, 2, 3])
    assert numpy.add.reduceat(data, offsets[:-1]).tolist() == [3, 3, 3]
    assert mote.jagged.reduce(offsets, data, "sum").tolist() == [3, 0, 3]
