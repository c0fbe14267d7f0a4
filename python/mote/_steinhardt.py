# SPDX-License-Identifier: Apache-2.0
"""Steinhardt's order parameters (mote/steinhardt.h), in PLUMED's definition."""

import collections

import numpy

from . import _words
from ._call import structure, whole_number
from ._device import place_of
from ._errors import bad_value, characters, check
from ._library import ffi, lib
from ._neighbours import _REALS, _box, _points

Steinhardt = collections.namedtuple("Steinhardt", "order value derivatives virial components")
Steinhardt.__doc__ = """The result of steinhardt(); None for what was not wanted.

order: (n), the order parameter, or the local average, of each entry.
value: the mean of `order`, or the sum that `reduction` chooses: a float, on the device (1); of k
    moments: (k).
derivatives: (n, 3), the derivatives of value with respect to the positions; of k moments:
    (k, n, 3).
virial: (3, 3), minus the sum of r (x) dvalue / dr over the vectors r of neighbours; of k moments:
    (k, 3, 3).
components: (n, 2 l + 1) complex, q_lm for m from -l to l; on the device (n, 2 l + 1, 2).
"""


def _parse(text, what, function):
    if not isinstance(text, str):
        raise bad_value(f"{what} is {text!r}: words such as \"RATIONAL R_0=0.3 D_MAX=0.6\" are "
                        "wanted")
    check(lib.mote_switch_parse(characters(text, what), function))


def _set_moments(args, reduction, moments):
    """Returns the array of powers, which must live until the call."""
    if (moments is not None) != (reduction == "moments"):
        raise bad_value(f"reduction is {reduction!r} and moments is {moments!r}: \"moments\" needs "
                        "powers, such as [2, 3], and no other reduction has them")
    if moments is None:
        return None
    if not numpy.iterable(moments):
        raise bad_value(f"moments is {moments!r}: powers are wanted, such as [2, 3]")
    powers = ffi.new("uint32_t[]", [whole_number(power, "a power", 64, 2) for power in moments])
    args.moments, args.n_moments = powers, len(powers)
    return powers


def _arguments(l, switch, box, pbc, local, local_switch, reduction, threshold):
    box, axes = _box(box, pbc)
    args = structure("mote_steinhardt_args", l=whole_number(l, "l", 2 ** 32 - 1), pbc=axes,
                     local=bool(local))
    if args.l not in (3, 4, 6):
        raise bad_value(f"l is {l}: it must be 3, 4 or 6")
    args.reduction = _words.number("mote_steinhardt_reduction_name", "reduction", reduction)
    _parse(switch, "switch", ffi.addressof(args, "function"))
    if (threshold is not None) != reduction.endswith("_than"):
        raise bad_value(f"reduction is {reduction!r} and threshold is {threshold!r}: a threshold "
                        "belongs to \"less_than\" and \"more_than\", which need one")
    if threshold is not None:
        _parse(threshold, "threshold", ffi.addressof(args, "threshold"))
    if local_switch is not None and not local:
        raise bad_value("local_switch is given, but local is False")
    if local_switch is not None:
        _parse(local_switch, "local_switch", ffi.addressof(args, "local_function"))
    if box is not None:
        args.box = ffi.cast("double *", box.ctypes.data)
    return args, box  # the box must live until the call


def steinhardt(positions, l, switch, box=None, pbc=None, *, local=False, local_switch=None,
               reduction="mean", threshold=None, moments=None, centres=0, first_neighbour=0,
               weights=None, derivatives=False, components=False, error=None, context=None):
    """Computes Steinhardt's order parameters, as PLUMED's Q3, Q4, Q6 and LOCAL_Q3, 4 and 6 do.

    positions: (n, 3) float64 or float32, or a contiguous pyopencl array (results stay on the device).
    l: 3, 4 or 6. switch: a switching function s in PLUMED's words with a D_MAX, as
        "RATIONAL R_0=0.3 D_MAX=0.6".
    box: (3,), the sides of a cuboid, or (3, 3), a lattice vector in each row; None: no box. Only the
        nearest image of each other entry counts, also if D_MAX is longer than half of the box.
    pbc: which axes repeat: a bool, or a bool for each axis. None: all axes if there is a box, else
        none.
    local: True: the average over the neighbours of an entry of the products of its normalised vector
        with theirs, instead of the order parameter. local_switch: the switching function of these
        averages; None: `switch`.
    reduction: "mean", "sum", or the sum over entries of the switching function `threshold` of the
        order parameter ("less_than"), or of 1 minus this function ("more_than"); "moments": the
        means of (x - mean of x)^p for each power p, from 2 to 64, in `moments`.
    centres: the number of entries, from the first one, that have an order parameter; 0: all.
    first_neighbour: entries from this one on are neighbours of others. Local averages need all.
    weights: (n), factors of each entry in value; derivatives are for constant weights.
    derivatives: True: compute derivatives and virial. components: True: return q_lm.
    error: mote.ErrorWord for errors in data on the device. context: Context or device string.

    Returns: Steinhardt(order, value, derivatives, virial, components), in the type of positions.
    With sums over the neighbours j of entry i, q_lm(i) = sum of s(r_ij) Y_lm(r_ij) / sum of s(r_ij),
    and the order parameter is the norm of these 2 l + 1 numbers. Multiply it by
    sqrt(4 pi / (2 l + 1)) for Steinhardt's own definition. It is 0 without neighbours.
    Raises MoteError, which is also a TypeError for a wrong type, and a ValueError for a wrong shape
    or value.

    >>> cube = [[x, y, z] for x in range(4) for y in range(4) for z in range(4)]
    >>> found = mote.steinhardt(cube, 4, "RATIONAL R_0=0.1 D_0=1 D_MAX=1.2", box=[4, 4, 4])
    >>> print(f"{found.value:.4f}")
    0.6464
    """
    args, _kept = _arguments(l, switch, box, pbc, local, local_switch, reduction,
                             threshold)
    _powers = _set_moments(args, reduction, moments)
    args.n_centres = whole_number(centres, "centres")
    args.first_neighbour = whole_number(first_neighbour, "first_neighbour")
    several = (args.n_moments,) if reduction == "moments" else ()
    with place_of([positions, weights], context, error) as place:
        positions = _points(place, positions, "positions")
        n, real = len(positions), positions.dtype
        place.put(args.positions, positions, "positions")
        args.positions.type = {"float64": lib.MOTE_FLOAT64, "float32": lib.MOTE_FLOAT32}[real.name]
        if weights is not None:
            weights = place.given(weights, "weights", _REALS, 1)
            if weights.shape != (n,):
                raise bad_value(f"weights have the shape {weights.shape}: ({n},) is wanted")
            if n:
                place.put(args.weights, weights, "weights")
        wanted = [(args.order, (n,), True), (args.value, several or (1,), True),
                  (args.derivatives, (*several, n, 3), derivatives),
                  (args.virial, (*several, 3, 3), derivatives),
                  (args.components, (n, 2 * args.l + 1, 2), components)]
        rooms = [place.room(view, shape, real) if want else None for view, shape, want in wanted]
        place.run("mote_steinhardt", args)
        found = [None if room is None else place.fetch(room) for room in rooms]
    if not place.on_device:
        found[1] = found[1] if several else float(found[1][0])
        if components:
            found[4] = found[4].view(numpy.result_type(real, numpy.complex64))[..., 0]
    return Steinhardt(*found)
