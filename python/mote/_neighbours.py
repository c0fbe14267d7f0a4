# SPDX-License-Identifier: Apache-2.0
"""Neighbour lists (mote/neighbours.h), in the conventions of ASE, matscipy and vesin."""

import collections
import contextlib

import numpy

from . import _arrays, _types, jagged
from ._call import call_host, real_number, structure, whole_number
from ._device import place_of
from ._errors import MoteError, bad_value, error
from ._library import ffi, lib

_REALS = [numpy.dtype("float64"), numpy.dtype("float32")]
_INDEX, _SHIFT = numpy.dtype("int64"), numpy.dtype("int32")
_MOST_EXPECTED = 2 ** 26  # pairs for which memory is allocated before they are counted


Neighbours = collections.namedtuple("Neighbours", "offsets i j S d D")
Neighbours.__doc__ = """The result of neighbours(): lists of pairs, as jagged arrays.

offsets: (n + 1) int64: the pairs of entry k are offsets[k] .. offsets[k + 1] - 1. If there are
    several frames, they have (frames n + 1) elements, and offsets[::n] is where each frame begins.
i, j: int64, the entry and its partner of each pair, numbered within their frame.
S: (pairs, 3) int32, the multiple of each vector of the box that is added to the partner's position.
d: distances, in the type of the positions.
D: (pairs, 3), the vectors from the entries to their partners, in the same type.
"""


def _points(place, values, what):
    points = place.given(values, what, _REALS, 2)
    if points.shape[1] != 3:
        raise bad_value(f"{what} has the shape {points.shape}: it must be (n, 3)")
    return points


def _frames(place, values, what):
    points = place.given(values, what, _REALS)
    if points.ndim not in (2, 3) or points.shape[-1] != 3:
        raise bad_value(f"{what} has the shape {points.shape}: it must be (n, 3) or (frames, n, 3)")
    return points.reshape((1, *points.shape)) if points.ndim == 2 else points


def _repeats(pbc):
    """Returns the axes that repeat as a number. Words, which are True in Python, are rejected."""
    try:
        axes = numpy.asarray(pbc)
    except ValueError:  # of several lengths
        axes = numpy.empty(0)
    if axes.shape not in ((), (3,)) or axes.dtype.kind not in "biu" or (axes > 1).any() or (axes < 0).any():
        raise bad_value(f"pbc is {pbc!r}: it must be a bool, or three, one for each axis")
    return sum(int(repeats) << axis for axis, repeats in enumerate(numpy.broadcast_to(axes, 3)))


def _box(box, pbc):
    """Returns the nine numbers of the box, or None, and the axes that repeat as a number."""
    number = _repeats(box is not None if pbc is None else pbc)
    if box is None:
        if number:
            raise bad_value(f"pbc is {pbc!r}, but there is no box: give a box, or pbc=False")
        return None, number
    box = _arrays.numbers(box, "box", "float64")
    if box.shape not in ((3,), (3, 3)):
        raise bad_value(f"box has the shape {box.shape}: it must be (3,), the sides of a cuboid, or "
                        f"(3, 3), a lattice vector in each row")
    return numpy.ascontiguousarray(numpy.diag(box) if box.ndim == 1 else box), number


@contextlib.contextmanager
def _of_frame(frame, frames):
    """Names the frame in an error, if there are several."""
    try:
        yield
    except MoteError as found:
        if frames == 1:
            raise
        raise error(found.status, f"frame {frame}: {found.sentence}") from None


def _boxes(box, pbc, frames):
    """Returns the box of each frame, or None, and the axes that repeat as a number."""
    try:
        dimensions = numpy.ndim(box)
    except ValueError as reason:
        raise bad_value(f"box is no array: {reason}") from None
    if dimensions != 3:
        box, axes = _box(box, pbc)
        return None if box is None else [box] * frames, axes
    if len(box) != frames:
        raise bad_value(f"box has {len(box)} frames, but positions has {frames}")
    boxes = []
    for frame, one in enumerate(box):
        with _of_frame(frame, frames):
            boxes.append(_box(one, pbc))
    return [one for one, _ in boxes], boxes[0][1] if boxes else _box(numpy.eye(3), pbc)[1]


def _expected(options, boxes, pairs):
    """Returns more than the number of neighbours in boxes that are filled evenly, or 0 if it is unknown."""
    if options.get("pbc") != 7:
        return 0
    with numpy.errstate(all="ignore"):
        sphere = 4 / 3 * numpy.pi * numpy.float64(options["cutoff"]) ** 3 / (1 + options["half"])
        number = 1.1 * pairs * (sphere / abs(numpy.linalg.det(boxes))).sum() + 100
    return int(number) if 0 < number < _MOST_EXPECTED else 0


def _list(context, args, capacity, real):
    """Makes a call with room for as many pairs. Returns j, S, d and D."""
    j, d = numpy.empty(capacity, _INDEX), numpy.empty(capacity, real)
    S, D = numpy.empty((capacity, 3), _SHIFT), numpy.empty((capacity, 3), real)
    args.capacity, args.partner, args.shift = capacity, _arrays.pointer(j), _arrays.typed_pointer(S)
    args.distance, args.displacement = _arrays.pointer(d), _arrays.pointer(D)
    call_host(context, "mote_neighbours_host", args)
    return j, S, d, D


def _on_host(context, positions, other, boxes, options, capacity):
    frames, n = positions.shape[:2]
    m = (positions if other is None else other).shape[1]
    index, real = _types.number(_INDEX, "offsets"), _types.number(positions.dtype, "positions")
    offsets = numpy.empty(frames * n + 1, _INDEX)
    args = structure("mote_neighbours_host_args", **options, n=frames * n, positions_type=real,
                     positions=_arrays.pointer(positions), offsets_type=index,
                     offsets=_arrays.pointer(offsets), distance_type=real, displacement_type=real)
    if other is not None:
        args.other_type, args.m = _types.number(other.dtype, "other"), frames * m
        args.other = _arrays.pointer(other)
    arrays, expected = None, capacity
    if capacity is None:
        expected = _expected(options, boxes, n * m)
    if expected or capacity is not None:
        try:
            arrays = _list(context, args, expected, positions.dtype)
        except MoteError as failure:
            if capacity is not None or failure.status != lib.MOTE_ERROR_CAPACITY:
                raise
    else:
        call_host(context, "mote_neighbours_host", args)
    if arrays is None:
        arrays = _list(context, args, int(offsets[-1]), positions.dtype)
    i = numpy.repeat(numpy.tile(numpy.arange(n), frames), numpy.diff(offsets))
    return Neighbours(offsets, i, *(array[:len(i)] for array in arrays))


def _on_device(place, positions, other, options, capacity, context):
    frames, n = positions.shape[:2]
    args = structure("mote_neighbours_args", **options)
    args.positions.type = _types.number(positions.dtype, "positions")
    place.put(args.positions, positions, "positions")
    if other is not None:
        args.other.type = _types.number(other.dtype, "other")
        place.put(args.other, other, "other")
    offsets = place.room(args.offsets, frames * n + 1, _INDEX)
    if capacity is None:
        capacity = place.length("mote_neighbours", args, offsets)
    arrays = [place.room(view, (capacity, *shape), dtype) for view, shape, dtype in (
        (args.partner, (), _INDEX), (args.shift, (3,), _SHIFT),
        (args.distance, (), positions.dtype), (args.displacement, (3,), positions.dtype))]
    place.run("mote_neighbours", args)
    if frames == 1 or not n:
        i = jagged.parents(offsets, n=capacity, context=context)
    else:
        numbers = offsets.__class__(place.queue, frames * n, _INDEX)
        numbers.set(numpy.tile(numpy.arange(n), frames))
        i = jagged.gather(offsets, numbers, n=capacity, context=context)
    return Neighbours(offsets, i, *arrays)


def neighbours(positions, cutoff, box=None, pbc=None, half=False, other=None, *, capacity=None,
               error=None, context=None):
    """Lists all pairs of entries that are closer than a cutoff, including periodic images.

    positions: (n, 3) or (frames, n, 3), float64 or float32, or a contiguous pyopencl array (results
        stay on the device).
    cutoff: pairs count below this distance, which may be larger than the box.
    box: (3,), the sides of a cuboid, (3, 3), a lattice vector in each row, or (frames, 3, 3); None:
        no box.
    pbc: which axes repeat: a bool, or a bool for each axis. None: all axes if there is a box, else
        none. The vector of an axis that does not repeat is not used, and may be 0.
    half: True: list each pair once: pairs with i < j, and pairs with i = j whose first nonzero shift
        is positive.
    other: (m, 3) or (frames, m, 3): the partners are these positions instead, including positions at
        distance 0.
    capacity: the largest number of pairs; more pairs are an error. None: the call may make two
        passes, and on the device it does and waits between them.
    error: mote.ErrorWord for errors in data on the device. context: Context or device string.

    Returns: Neighbours(offsets, i, j, S, d, D). D = positions[j] - positions[i] + S @ box and its
    length d have the type of positions; i, j and offsets, (n + 1), are int64, and S is int32. Pairs
    are sorted by i, then j, then S, and have the same bits on every device with double precision.
    The pairs of several frames follow each other, and equal those of one call for each frame.
    On the device, arrays have `capacity` elements, of which the first offsets[n] are pairs.
    Raises MoteError, which is also a TypeError for a wrong type, and a ValueError for a wrong shape
    or value.

    >>> found = mote.neighbours([[0, 0, 0], [1, 0, 0], [3.5, 0, 0]], 1.2, box=[4, 4, 4])
    >>> found.i, found.j
    (array([0, 0, 1, 2]), array([1, 2, 0, 0]))
    >>> found.S.tolist()
    [[0, 0, 0], [-1, 0, 0], [0, 0, 0], [1, 0, 0]]
    >>> found.d
    array([1. , 0.5, 1. , 0.5])
    """
    cutoff = real_number(cutoff, "cutoff")
    if capacity is not None:
        capacity = whole_number(capacity, "capacity")
    with place_of([positions, other], context, error) as place:
        positions = _frames(place, positions, "positions")
        boxes, axes = _boxes(box, pbc, len(positions))
        options = {"cutoff": cutoff, "half": bool(half), "frames": len(positions)}
        if boxes:
            boxes = numpy.array(boxes)
            options |= {"pbc": axes, "box": ffi.cast("double *", boxes.ctypes.data)}
        if other is not None:
            other = _frames(place, other, "other")
            if len(other) != len(positions):
                raise bad_value(f"other has {len(other)} frames, but positions has {len(positions)}")
        if place.on_device:
            return _on_device(place, positions, other, options, capacity, context)
        return _on_host(place.context, positions, other, boxes, options, capacity)
