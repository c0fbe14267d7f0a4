# SPDX-License-Identifier: Apache-2.0
"""Compares mote.label with a flood fill in plain Python, and with scipy.ndimage.label()."""

import mote
import numpy
import pytest

CORNERS = {4: None, 8: numpy.ones((3, 3))}  # SciPy's structure for each connectivity
KINDS = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"]


def flood(image, connectivity):
    """Returns the labels of an image, and their number."""
    steps = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if connectivity == 8 or not i * j]
    labels, count = numpy.zeros(image.shape, "i4"), 0
    for start in zip(*numpy.nonzero(image)):
        if labels[start]:
            continue
        count += 1
        labels[start], left = count, [start]
        while left:
            row, column = left.pop()
            for i, j in steps:
                near = row + i, column + j
                if all(0 <= k < n for k, n in zip(near, image.shape)) and image[near] \
                        and not labels[near]:
                    labels[near] = count
                    left.append(near)
    return labels, count


def same(found, expected):
    """Returns whether labels and counts are equal in value, type and shape."""
    for got, wanted in zip(found, expected):
        assert type(got) is type(wanted) and numpy.array_equal(got, wanted)
    assert found[0].dtype == "i4"


@pytest.mark.parametrize("connectivity", [4, 8])
@pytest.mark.parametrize("share", [0, 0.05, 0.4, 0.6, 1])
def test_regions(rng, share, connectivity):
    stack = rng.random((3, 29, 41)) < share
    expected = [flood(image, connectivity) for image in stack]
    same(mote.label(stack[0], connectivity), expected[0])
    labels, counts = mote.label(stack, connectivity)
    assert labels.dtype == counts.dtype == "i4"
    assert counts.tolist() == [count for _, count in expected]
    assert numpy.array_equal(labels, [found for found, _ in expected])


def test_sides_connect_by_default():
    same(mote.label(numpy.eye(3)), (numpy.diag([1, 2, 3]).astype("i4"), 3))


@pytest.mark.parametrize("kind", KINDS)
def test_like_scipy(rng, kind):
    ndimage = pytest.importorskip("scipy.ndimage")
    image = rng.integers(0, 2, (60, 70)).astype(kind)
    if image.dtype.kind == "f":
        image[rng.random(image.shape) < 0.3] = numpy.nan
        image[rng.random(image.shape) < 0.3] = -0.0
    for connectivity, structure in CORNERS.items():
        for one in (image, image[::-1, ::2], image.T, image[5:5], image[:1, :1]):
            same(mote.label(one, connectivity), ndimage.label(one, structure))


def test_stack_like_scipy(rng):
    """SciPy needs a structure of one plane to label the images of a stack separately, and continues to count."""
    ndimage = pytest.importorskip("scipy.ndimage")
    stack = rng.random((20, 64, 64)) < 0.1
    plane = numpy.zeros((3, 3, 3))
    plane[1] = ndimage.generate_binary_structure(2, 1)
    expected, count = ndimage.label(stack, plane)
    labels, counts = mote.label(stack)
    assert counts.sum() == count
    first = (numpy.cumsum(counts) - counts)[:, None, None]
    assert numpy.array_equal(numpy.where(labels, labels + first, 0), expected)


def test_inputs_of_other_kinds():
    expected = mote.label(numpy.array([[1, 0], [0, 1]]))
    for image in ([[1, 0], [0, 1]], [[True, False], (False, True)], [[0.5, 0], [0, numpy.nan]],
                  numpy.array([[256, 0], [0, 1]], ">i4"), numpy.eye(2, dtype="f2"), memoryview(b"\1\0\0\1").cast(
                      "B", (2, 2))):
        same(mote.label(image), expected)


@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (4, 0), (0, 4, 5), (3, 0, 5), (3, 4, 0), (1, 1),
                                   (2, 1, 1), (3, 4)])
def test_few_pixels(shape):
    for value in (0, 1):
        labels, count = mote.label(numpy.full(shape, value))
        assert labels.shape == shape and labels.dtype == "i4" and (labels == value).all()
        present = value * (0 not in shape[-2:])
        assert numpy.array_equal(count, [present] * shape[0] if len(shape) == 3 else present)


def test_longest_lines():
    wide = numpy.zeros((2, 65536), "u1")
    wide[0, [0, 65535]] = wide[1, 65534:] = 1
    for image in (wide, wide.T.copy()):
        labels, count = mote.label(image)
        assert count == 2 and labels.sum() == 1 + 2 * 3


@pytest.mark.parametrize("arguments, kind, words", [
    ((5,), ValueError, r"shape \(\): 2 dimensions"),
    (([1, 0],), ValueError, r"shape \(2,\): 2 dimensions .* stack"),
    ((numpy.zeros((1, 1, 1, 1)),), ValueError, "stack"),
    (([[1], [2, 3]],), ValueError, "image is no array"),
    (([["a"]],), TypeError, "<U1"),
    (([[1j]],), TypeError, "complex128"),
    ((None,), TypeError, "image holds object"),
    ((numpy.ma.zeros((2, 2)),), TypeError, "masked"),
    ((numpy.zeros((1, 65537), bool),), ValueError, "at most 65536 .* cut"),
    ((numpy.zeros((1, 65537, 1), bool),), ValueError, "at most 65536 .* cut"),
    (([[1]], 1), ValueError, "connectivity is 1: use 4 .* or 8"),
    (([[1]], 4.0), ValueError, "connectivity is 4.0: use 4"),
    (([[1]], "8"), ValueError, "connectivity is '8': use 4"),
    (([[1]], CORNERS[8]), ValueError, "connectivity is <class 'numpy.ndarray'>: use 4 .* or 8"),
])
def test_bad_input(arguments, kind, words):
    with pytest.raises(kind, match=words) as caught:
        mote.label(*arguments)
    assert isinstance(caught.value, mote.MoteError)
