# SPDX-License-Identifier: Apache-2.0
"""Expansions of lists: results with more or fewer elements than their inputs (mote/jagged.h)."""

from . import _types
from ._call import structure, whole_number
from ._device import place_of
from ._errors import bad_value


def _offsets(place, values, what="offsets"):
    array = place.given(values, what, _types.INDICES, 1)
    if len(array) == 0:
        raise bad_value(f"{what} are empty: m lists have m + 1 of them")
    return array


def elements(place, offsets, n):
    """How many elements the relative form has, unless the caller says it."""
    if n is not None:
        return whole_number(n, "n")
    ends = offsets[:1], offsets[-1:]
    if place.on_device:
        ends = [end.get(place.queue) for end in ends]
    return max(int(ends[1][0]) - int(ends[0][0]), 0)


def gather(offsets, values, *, n=None, out=None, context=None, error=None):
    """Gives every element the value of its list.

    offsets: (m + 1). values: (m), of any type. n: elements of the result; None: offsets[m] -
    offsets[0], for which it waits on the device.

    Returns: (n), the type of values; element i is position offsets[0] + i.

    >>> mote.jagged.gather([0, 2, 2, 3], [7, 8, 9])
    array([7, 7, 9])
    """
    with place_of([offsets, values], context, error) as place:
        offsets = _offsets(place, offsets)
        values = place.given(values, "values", ndim=1)
        if len(values) != len(offsets) - 1:
            raise bad_value(f"{len(values)} values for {len(offsets) - 1} lists")
        size = elements(place, offsets, n)
        args = structure("mote_jagged_gather_by_parent_args")
        place.put(args.offsets, offsets, "offsets")
        args.values.type = _types.number(values.dtype, "values")
        place.put(args.values, values, "values")
        result = place.room(args.result, size, values.dtype, out)
        place.run("mote_jagged_gather_by_parent", args)
        return place.fetch(result)


def _expand(place, function, args, dtype, lists, names, capacity, made=None):
    """Computes offsets, then results with as many elements as the offsets or the capacity require.

    made: the types of results that have another type than the offsets, by name.
    """
    offsets = place.room(getattr(args, names[0]), lists + 1, dtype)
    if capacity is None:
        capacity = place.length(function, args, offsets)
    else:
        capacity = whole_number(capacity, "capacity")
    rooms = [place.room(getattr(args, name), capacity, (made or {}).get(name, dtype))
             for name in names[1:]]
    place.run(function, args)
    offsets, *arrays = [place.fetch(room) for room in (offsets, *rooms)]
    if not place.on_device:
        arrays = [array[:int(offsets[-1])] for array in arrays]
    return (*arrays, offsets)


_PLACES = ("first", "second", "third", "fourth")


def product(offsets_a, offsets_b, offsets_c=None, offsets_d=None, *, capacity=None, context=None,
            error=None):
    """Lists all combinations of an element of list k of each of two to four arrays, for each k.

    offsets_a, offsets_b, offsets_c, offsets_d: (m + 1), all of the same type.
    capacity: the largest number of combinations; more combinations are an error. None: the call
        makes two passes, and on the device it waits between them.

    Returns: first, second (third, fourth), offsets. The first arrays are positions in the contents
    of the arrays, (number) each, or on the device (capacity). The offsets, (m + 1), contain where the
    combinations of each list begin. The combinations of a list ascend by the element of a, then by
    the element of b, and so on.

    >>> first, second, offsets = mote.jagged.product([0, 1, 2], [0, 2, 3])
    >>> first, second, offsets
    (array([0, 0, 1]), array([0, 1, 2]), array([0, 2, 3]))
    """
    given = [offsets_a, offsets_b, offsets_c, offsets_d]
    if offsets_c is None and offsets_d is not None:
        raise bad_value("offsets_d are given without offsets_c")
    names = [f"offsets_{name}" for name, array in zip("abcd", given) if array is not None]
    with place_of(given, context, error) as place:
        arrays = [_offsets(place, array, name) for array, name in zip(given, names)]
        a = arrays[0]
        for array, name in zip(arrays, names):
            if len(array) != len(a) or array.dtype != a.dtype:
                raise bad_value(f"offsets_a are {len(a)} of {a.dtype}, {name} {len(array)} of "
                                f"{array.dtype}")
        args = structure("mote_jagged_combinations_args")
        for array, name in zip(arrays, names):
            place.put(getattr(args, name), array, name)
        return _expand(place, "mote_jagged_combinations", args, a.dtype, len(a) - 1,
                       ("offsets", *_PLACES[:len(arrays)]), capacity)


def combinations(offsets, n, *, capacity=None, context=None, error=None):
    """Lists all combinations of n different elements of the same list, as itertools.combinations().

    offsets: (m + 1). n: 2, 3 or 4. capacity: see product().

    Returns: n arrays of positions, and offsets, as product(). The positions of a combination ascend.
    The combinations of a list ascend by their first position, then by their second position, and so
    on.

    >>> first, second, third, offsets = mote.jagged.combinations([0, 4, 6], 3)
    >>> first, second, third, offsets
    (array([0, 0, 0, 1]), array([1, 1, 2, 2]), array([2, 3, 3, 3]), array([0, 4, 4]))
    """
    if whole_number(n, "n") not in (2, 3, 4):
        raise bad_value(f"n is {n!r}: combinations have 2, 3 or 4 elements")
    with place_of([offsets], context, error) as place:
        array = _offsets(place, offsets)
        args = structure("mote_jagged_combinations_args", n=n)
        place.put(args.offsets_a, array, "offsets")
        return _expand(place, "mote_jagged_combinations", args, array.dtype, len(array) - 1,
                       ("offsets", *_PLACES[:n]), capacity)


def pairs(offsets, *, capacity=None, context=None, error=None):
    """Lists all pairs i < j of elements of the same list: combinations() with n = 2.

    offsets: (m + 1). capacity: see product().

    Returns: first, second, offsets, as product(). The pairs of a list ascend by i, then by j.

    >>> first, second, offsets = mote.jagged.pairs([0, 3, 4])
    >>> first, second, offsets
    (array([0, 0, 1]), array([1, 2, 2]), array([0, 3, 3]))
    """
    return combinations(offsets, 2, capacity=capacity, context=context, error=error)


def nonzero(offsets, values, *, capacity=None, context=None, error=None):
    """Positions of the values that are not 0 (NaN is not 0), and the offsets of their lists.

    offsets: (m + 1). values: (n), bool, integers or floats. capacity: see product().

    Returns: positions, offsets: ascending positions in values, (number) or on the device
    (capacity); (m + 1), the first 0.

    >>> positions, offsets = mote.jagged.nonzero([0, 2, 3], [0, 5, 6])
    >>> positions, offsets
    (array([1, 2]), array([0, 1, 2]))
    """
    with place_of([offsets, values], context, error) as place:
        array = _offsets(place, offsets)
        values = place.given(values, "values", ndim=1)
        args = structure("mote_jagged_nonzero_args")
        place.put(args.offsets, array, "offsets")
        args.values.type = _types.number(values.dtype, "values")
        place.put(args.values, values, "values")
        return _expand(place, "mote_jagged_nonzero", args, array.dtype, len(array) - 1,
                       ("offsets_out", "positions"), capacity)


def filter(offsets, values, mask, *, capacity=None, context=None, error=None):
    """The elements whose mask is not 0 (NaN is not 0), in lists as before.

    offsets: (m + 1). values: (n), of any type. mask: (n), bool, integers or floats. capacity: room
    for so many elements; more are an error. None: two passes, and on the device a wait between
    them.

    Returns: offsets, values: (m + 1), the first 0; (number), or on the device (capacity).

    >>> offsets, values = mote.jagged.filter([0, 2, 3], [4, 5, 6], [False, True, True])
    >>> offsets, values
    (array([0, 1, 2]), array([5, 6]))
    """
    with place_of([offsets, values, mask], context, error) as place:
        array = _offsets(place, offsets)
        values = place.given(values, "values", ndim=1)
        mask = place.given(mask, "mask", ndim=1)
        if len(mask) != len(values):
            raise bad_value(f"{len(mask)} elements of mask for {len(values)} values")
        args = structure("mote_jagged_nonzero_args")
        place.put(args.offsets, array, "offsets")
        args.values.type = _types.number(mask.dtype, "mask")
        place.put(args.values, mask, "mask")
        args.elements.type = args.filtered.type = _types.number(values.dtype, "values")
        place.put(args.elements, values, "values")
        kept, ends = _expand(place, "mote_jagged_nonzero", args, array.dtype, len(array) - 1,
                             ("offsets_out", "filtered"), capacity, {"filtered": values.dtype})
        return ends, kept


def runs(offsets, values, equal_nan=False, capacity=None, context=None, error=None):
    """Returns the position, value and length of each run, and their offsets."""
    with place_of([offsets, values], context, error) as place:
        array = _offsets(place, offsets)
        values = place.given(values, "values", ndim=1)
        args = structure("mote_jagged_run_lengths_args", equal_nan=bool(equal_nan))
        place.put(args.offsets, array, "offsets")
        args.values.type = args.run_values.type = _types.number(values.dtype, "values")
        place.put(args.values, values, "values")
        return _expand(place, "mote_jagged_run_lengths", args, array.dtype, len(array) - 1,
                       ("offsets_out", "positions", "run_values", "lengths"), capacity,
                       {"run_values": values.dtype})


def run_lengths(offsets, values, *, equal_nan=False, capacity=None, context=None, error=None):
    """Finds the runs of equal neighbours in each list.

    offsets: (m + 1). values: (n), bool, integers or floats. equal_nan: whether a NaN equals another
    NaN; -0 equals 0. capacity: see filter().

    Returns: offsets of the runs of each list, (m + 1), of which the first is 0; values, the value of
    each run, and lengths, its number of elements, (number) each, or on the device (capacity).

    >>> offsets, values, lengths = mote.jagged.run_lengths([0, 3, 5], [4, 4, 6, 6, 6])
    >>> offsets, values, lengths
    (array([0, 2, 3]), array([4, 6, 6]), array([2, 1, 2]))
    """
    _, found, lengths, ends = runs(offsets, values, equal_nan, capacity, context, error)
    return ends, found, lengths
