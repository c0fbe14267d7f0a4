# SPDX-License-Identifier: Apache-2.0
"""Radial distribution functions (mote/pair_histogram.h), normalised as by MDAnalysis or GROMACS."""

import collections

import numpy

from . import _types
from ._call import real_number, structure, whole_number
from ._device import ErrorWord, place_of
from ._errors import bad_value
from ._library import ffi
from ._neighbours import _boxes, _frames, _of_frame

_COUNTS = numpy.dtype("int64")
_AT_ONCE = 2 ** 24  # coordinates that are copied to the device together

RDF = collections.namedtuple("RDF", "edges r counts g n")
RDF.__doc__ = """The result of rdf(), for bins between `edges`.

edges: (bins + 1) the edges of the bins. r: (bins) their middles.
counts: (bins) int64, the number of pairs (i, j) in all frames; without `other`, each pair counts twice.
g: (bins) the radial distribution function. n: (bins) the mean number of partners from r_min up to
the end of the bin.
"""


def _blocks(exclusion_block, two):
    if exclusion_block is None:
        return 0, 0
    if numpy.shape(exclusion_block) != (2,):
        raise bad_value(f"exclusion_block is {exclusion_block!r}: two numbers are wanted")
    a, b = (whole_number(number, "exclusion_block", 2 ** 32 - 1, 1) for number in exclusion_block)
    if not two and a != b:
        raise bad_value(f"exclusion_block is {exclusion_block!r}: without `other`, both must be equal")
    return a, b


def _count(place, args, points, partners, boxes, first, frames):
    """Counts the pairs of the frames that the place has, from frame `first` of all frames on."""
    views = [(args.positions, points)] + ([] if partners is None else [(args.other, partners)])
    for view, array in views:
        view.type = _types.number(array.dtype, "positions")
        place.put(view, array, "positions")
        view.count = array.shape[1] * 3
    begins = [view.offset for view, _ in views]
    counts = place.room(args.counts, args.counts.count, _COUNTS)
    for k in range(len(points)):
        for (view, array), begin in zip(views, begins):
            view.offset = begin + (k * view.count if len(array) > 1 else 0)
        if boxes is not None:
            args.box = ffi.cast("double *", boxes[first + k].ctypes.data)
        args.accumulate = k > 0
        with _of_frame(first + k, frames):
            place.run("mote_pair_histogram", args)
    counts = place.fetch(counts)
    return counts.get() if place.on_device else counts


def _pairs(n, m, a, b, two, own):
    """Returns the number of pairs that can count. own: an entry and its own image may count."""
    if not a:
        return n * m if two or own else n * (n - 1)
    full = min(n // a, m // b)
    return n * m - full * a * b - min(a, n - full * a) * min(b, m - full * b)


def _shortest(box):
    """Returns the length of the shortest sum of lattice vectors, each of which is taken at most once."""
    steps = numpy.array([(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)][:13])
    return numpy.linalg.norm(steps @ box, axis=1).min()


def rdf(positions, r_max, bins=100, box=None, pbc=None, other=None, exclusion_block=None, *,
        r_min=0.0, norm="rdf", context=None):
    """Computes the radial distribution function of one or several frames.

    positions: (n, 3) or (frames, n, 3), float64 or float32, or a contiguous pyopencl array.
    r_max, r_min: the range of distances, which `bins` bins divide; r_max may be larger than the box.
    box: (3,), the sides of a cuboid, (3, 3), a lattice vector in each row, or (frames, 3, 3); None:
        no box.
    pbc: which axes repeat, as in neighbours().
    other: (m, 3) or (frames, m, 3): the partners are these positions instead, including positions at
        distance 0.
    exclusion_block: (a, b): pairs do not count if the number of the entry divided by a and that of
        its partner divided by b, rounded down, are equal: pairs in a molecule of which a consecutive
        entries are in positions and b in other.
    norm: "rdf": as MDAnalysis, by the number of pairs that can count and the mean volume (MDAnalysis
        without exclusion_block also counts each entry with itself, at distance 0); "gromacs": by
        the mean density of the partners, excluded or not; "none": g is the number of pairs in a
        frame.
    context: Context or device string.

    Returns: RDF(edges, r, counts, g, n), NumPy arrays. Counts are exact, and the same on every device
    with double precision. All periodic images up to r_max count; if r_max is at most half the box,
    these are the nearest images.
    Raises MoteError, which is also a TypeError for a wrong type, and a ValueError for a wrong shape
    or value. If there are several frames in arrays of the host, it names the frame.

    >>> axis = [0.0, 1.0, 2.0, 3.0]
    >>> cubic = [[x, y, z] for x in axis for y in axis for z in axis]
    >>> found = mote.rdf(cubic, 2, bins=4, box=[4, 4, 4])
    >>> found.r
    array([0.25, 0.75, 1.25, 1.75])
    >>> found.counts // 64
    array([ 0,  0, 18,  8])
    """
    if norm not in ("rdf", "gromacs", "none"):
        raise bad_value(f"norm is {norm!r}: it must be 'rdf', 'gromacs' or 'none'")
    bins = whole_number(bins, "bins", 2 ** 20, 1)
    r_min, r_max = real_number(r_min, "r_min"), real_number(r_max, "r_max")
    if not 0 <= r_min < r_max:
        raise bad_value(f"r_min is {r_min!r} and r_max is {r_max!r}: 0 <= r_min < r_max is wanted")
    two = other is not None
    a, b = _blocks(exclusion_block, two)
    counts = numpy.zeros(bins, _COUNTS)
    args = structure("mote_pair_histogram_args", r_min=r_min, r_max=r_max, block=a,
                     block_other=b if two else 0)
    args.counts.count = bins
    place = place_of([positions, other], context)
    points = _frames(place, positions, "positions")
    partners = _frames(place, other, "other") if two else None
    frames = len(points)
    if two and len(partners) not in (1, frames):
        raise bad_value(f"other has {len(partners)} frames, but positions has {frames}")
    boxes, args.pbc = _boxes(box, pbc, frames)
    if norm != "none" and (args.pbc != 7 or boxes is None):
        raise bad_value(f"norm is {norm!r}, which needs a volume: give a box that repeats along all "
                        f"axes, or norm='none'")
    n, m = points.shape[1], (partners if two else points).shape[1]
    step = max(_AT_ONCE // (3 * max(n, m, 1)), 1)
    for first in range(0, frames, step):
        some = slice(first, first + step)
        with place_of([points, partners], context) as place:
            if place.on_device:
                place.error = ErrorWord(place.queue, keep=True)
            args.counts.count = bins
            counts += _count(place, args, points[some],
                             partners[some] if two and len(partners) > 1 else partners, boxes, first,
                             frames)
            if place.on_device:
                place.error.check()
    edges = r_min + numpy.arange(bins + 1) * ((r_max - r_min) / bins)
    edges[-1] = r_max
    return RDF(edges, 0.5 * (edges[1:] + edges[:-1]), counts,
               _normalised(counts, edges, norm, frames, boxes, (n, m, a, b, two)),
               numpy.cumsum(counts) / max(n * frames, 1))


def _normalised(counts, edges, norm, frames, boxes, numbers):
    if norm == "none" or not frames:
        return counts / max(frames, 1)
    shells = 4 / 3 * numpy.pi * numpy.diff(edges ** 3)
    volumes = numpy.array([abs(numpy.linalg.det(box)) for box in boxes])
    if norm == "gromacs":
        ideal = shells * (numbers[0] * numbers[1] * (1 / volumes).sum())
    else:
        own = any(_shortest(box) < edges[-1] for box in boxes)
        ideal = shells * (frames * _pairs(*numbers, own) / volumes.mean())
    return numpy.divide(counts, ideal, out=numpy.zeros(len(counts)), where=counts != 0)
