# SPDX-License-Identifier: Apache-2.0
"""Functions of awkward on arrays of lists, which read offsets and content in place.

Functions have awkward's names, forms of calls and results. Reductions (sum, mean and others), sort,
argsort, num, local_index and run_lengths work on the innermost lists; cartesian, combinations,
pad_none and firsts work on the outermost lists; filter() returns array[mask]. Reductions skip None in a list,
and None instead of a list stays None. Arrays may be sliced, masked or indexed, have lists of equal
length, or be numpy arrays of two or more dimensions. An array of unknown type, such as ak.Array([]),
is treated as an array of lists. Results keep the arrays' behavior and attrs; where several arrays
have an attribute, the first one's is kept.

`axis` is -1 or the number of the innermost axis (1 for lists of numbers); functions on the
outermost lists accept 1, and -1 where both are the same. `context` is a Context or device string;
None: the default one. Every function raises MoteError. It is also a TypeError if an array has
records, strings or elements of several types where numbers are needed, or no lists; it is also a
ValueError for another axis, for lists that do not fit together and for arrays that are not valid.
"""

import numpy
from awkward.contents import IndexedOptionArray, NumpyArray, RecordArray, RegularArray
from awkward.index import Index64

from . import jagged
from ._errors import bad_type, bad_value
from ._layouts import (checked, innermost, layout_of, listed, masked_by, no_numbers, numbers_of,
                       outermost, result_of)
from ._padded import firsts, pad_none

__all__ = ["sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "count", "count_nonzero",
           "mean", "var", "std", "sort", "argsort", "num", "local_index", "run_lengths", "filter", "cartesian",
           "combinations", "pad_none", "firsts"]


def _reduced(array, axis, op, keepdims, masked, ddof, dtype, nan, context):
    """Reduces the innermost lists. masked: whether the result of an empty list is None."""
    positions = op in ("argmin", "argmax")

    def reduced(offsets, content):
        kept, values, chosen = numbers_of(offsets, content, "array", context)
        if values.dtype.kind in "mMc" and op != "count":  # dates, durations and complex numbers
            raise no_numbers(NumpyArray(values), "array")
        found = jagged.reduce(kept, None if op == "count" else values, op, ddof=ddof,
                              dtype=dtype, nan=nan, context=context)
        there = found >= 0 if positions else kept[1:] > kept[:-1]
        if chosen is not None and positions:  # None counts in positions
            places = numpy.flatnonzero(chosen)
            found[there] = places[(kept[:-1] + found)[there]] - offsets[:-1][there]
        result = NumpyArray(found)
        if masked:
            result = masked_by(there, result)
        return RegularArray(result, 1, len(found)) if keepdims else result

    layout = innermost(layout_of(array, "array"), "array", axis, reduced, records=False)
    return result_of(layout, array, axis_removed=not keepdims)


def _sorted(array, axis, function, context):
    """Sorts the innermost lists: numbers by `function`, and then None in the order of the array.

    function: returns the new elements of lists, from offsets and values of the numbers, which
    elements are not None (None: all), and offsets and elements as they are.
    """
    def ordered(offsets, content):
        kept, values, there = numbers_of(offsets, content, "array", context)
        if values.dtype.kind in "mMc":
            raise no_numbers(NumpyArray(values), "array")
        return listed(offsets, function(kept, values, there, offsets, content))

    layout = innermost(layout_of(array, "array"), "array", axis, ordered, records=False)
    return result_of(layout, array)


def _numbers_first(kept, offsets, context):
    """Returns which elements of lists hold the numbers if None comes last: a mask."""
    index = numpy.asarray(jagged.local_index(offsets, context=context))
    return index < jagged.gather(offsets, numpy.diff(kept), context=context)


@checked
def sort(array, axis=-1, *, ascending=True, context=None):
    """Sorts each innermost list, like ak.sort(), but NaN comes behind the numbers.

    array: lists of numbers, to any depth. axis: -1, or the number of the innermost axis.
    ascending: False: the largest number comes first.

    Returns: an ak.Array of the same type. Equal numbers (also -0 and 0) keep their order, NaN comes
    behind the numbers in both directions, and None comes last.

    >>> mote.awkward.sort(ak.Array([[3, 1], [], [2]])).to_list()
    [[1, 3], [], [2]]
    """
    def values_in_order(kept, values, there, offsets, content):
        found = NumpyArray(jagged.sort(kept, values, descending=not ascending, context=context))
        if len(values) == 0:  # their type may be unknown
            return content
        if there is None:
            return found
        first = _numbers_first(kept, offsets, context)
        return IndexedOptionArray(Index64(numpy.where(first, numpy.cumsum(first) - 1, -1)), found)

    return _sorted(array, axis, values_in_order, context)


@checked
def argsort(array, axis=-1, *, ascending=True, context=None):
    """Returns where in its innermost list each element of sort(array) was, like ak.argsort().

    array, axis, ascending: see sort(). Returns: an ak.Array of int64 in the same lists.

    >>> mote.awkward.argsort(ak.Array([[3, 1], [], [2]])).to_list()
    [[1, 0], [], [0]]
    """
    def order(kept, values, there, offsets, _):
        found = jagged.argsort(kept, values, descending=not ascending, context=context)
        if there is None:
            return NumpyArray(found)
        places, index = numpy.flatnonzero(there), jagged.local_index(offsets, context=context)
        first = _numbers_first(kept, offsets, context)
        result = numpy.empty(len(there), "i8")
        result[first] = index[places[jagged.gather(kept, kept[:-1], context=context) + found]]
        result[~first] = index[~there]
        return NumpyArray(result)

    return _sorted(array, axis, order, context)


@checked
def num(array, axis=1, *, context=None):
    """Returns the length of each innermost list, like ak.num().

    array: lists of anything, to any depth, or records with fields of this kind. axis: -1, or the
    number of the innermost axis. Returns: an ak.Array of int64, with one dimension less.

    >>> mote.awkward.num(ak.Array([[3, 1], [], [2]])).to_list()
    [2, 0, 1]
    """
    def lengths(offsets, content):
        return NumpyArray(jagged.counts(offsets, context=context))

    return result_of(innermost(layout_of(array, "array"), "array", axis, lengths), array,
                   axis_removed=True)


@checked
def local_index(array, axis=-1, *, context=None):
    """Returns each element's position in its innermost list, like ak.local_index().

    array: lists of anything, to any depth, or records with fields of this kind. axis: -1, or the
    number of the innermost axis. Returns: an ak.Array of int64 in the same lists.

    >>> mote.awkward.local_index(ak.Array([[3, 1], [], [2]])).to_list()
    [[0, 1], [], [0]]
    """
    def positions(offsets, content):
        return listed(offsets, NumpyArray(jagged.local_index(offsets, context=context)))

    return result_of(innermost(layout_of(array, "array"), "array", axis, positions), array)


@checked
def run_lengths(array, *, context=None):
    """Returns the lengths of runs of equal neighbours in each innermost list, like ak.run_lengths().

    array: lists of numbers without None, to any depth. Returns: an ak.Array of lists of int64. Each
    NaN is a run of its own.

    >>> mote.awkward.run_lengths(ak.Array([[4, 4, 6], [], [6, 6]])).to_list()
    [[2, 1], [], [2]]
    """
    def lengths(offsets, content):
        kept, values, there = numbers_of(offsets, content, "array", context)
        if there is not None and not there.all():
            raise bad_type("array has None in lists: replace it by ak.fill_none(array, value)")
        if values.dtype.kind in "mMc":
            raise no_numbers(NumpyArray(values), "array")
        ends, _, found = jagged.run_lengths(kept, values, context=context)
        return listed(ends, NumpyArray(found))

    return result_of(innermost(layout_of(array, "array"), "array", -1, lengths, records=False), array)


def _combined(arrays, contents, found, offsets, there, fields, as_positions):
    if as_positions:
        members = [NumpyArray(numpy.asarray(where)) for where in found]
    else:
        members = [content[where] for content, where in zip(contents, found)]
    combined = listed(offsets, RecordArray(members, fields))
    return result_of(combined if there is None else masked_by(there, combined), *arrays)


def _without(offsets, content, there, context):
    """Removes the elements of lists for which `there` is False."""
    counts = numpy.diff(offsets)
    if not counts[~there].any():
        return offsets, content
    kept = jagged.gather(offsets, there, context=context)
    return (jagged.offsets(counts * there, context=context),
            content[numpy.flatnonzero(kept)])


@checked
def filter(array, mask, *, context=None):
    """Returns the elements of each list for which a mask is True, like array[mask].

    array: lists of anything, such as records. mask: bool in lists of the same lengths, without None
    in a list.

    Returns: an ak.Array of lists. It has None where array or mask has None.

    >>> array = ak.Array([[3, 1], [], [2]])
    >>> mote.awkward.filter(array, array > 1).to_list()
    [[3], [], [2]]
    """
    offsets, content, there = outermost(array, "array")
    mask_offsets, chosen, mask_there = outermost(mask, "mask")
    if len(offsets) != len(mask_offsets):
        raise bad_value(f"array has {len(offsets) - 1} lists, mask {len(mask_offsets) - 1}")
    if mask_there is not None:
        there = mask_there if there is None else there & mask_there
    if there is not None:  # elements count if neither array has None in place of their list
        offsets, content = _without(offsets, content, there, context)
        mask_offsets, chosen = _without(mask_offsets, chosen, there, context)
    bad = numpy.flatnonzero(offsets != mask_offsets)
    if len(bad):
        k = bad[0] - 1
        raise bad_value(f"list {k} has {offsets[k + 1] - offsets[k]} elements in array, "
                        f"{mask_offsets[k + 1] - mask_offsets[k]} in mask")
    _, chosen, nothing = numbers_of(mask_offsets, chosen, "mask", context)
    if nothing is not None and not nothing.all():
        raise bad_type("mask has None in lists: replace it by ak.fill_none(mask, False)")
    if len(chosen) and chosen.dtype.kind != "b":
        raise bad_type(f"mask holds {chosen.dtype} where bool is wanted: compare it, as in mask > 0")
    where, ends = jagged.nonzero(mask_offsets, chosen.astype(bool), context=context)
    kept = listed(ends, content[where])
    return result_of(kept if there is None else masked_by(there, kept), array, mask)


@checked
def cartesian(arrays, axis=1, *, positions=False, context=None):
    """Returns all combinations of an element of list k of each array, for each k, like ak.cartesian().

    arrays: a list of two to four arrays, or a dictionary such as {"x": a, "y": b}, whose keys become
    the fields of the combinations. The arrays have equal numbers of lists, whose elements can be
    anything, such as records. axis: 1. positions: True: return positions in ak.flatten(a),
    ak.flatten(b) and so on instead of elements.

    Returns: an ak.Array of lists of tuples or records. It has None where the first array has None,
    and an empty list where only another array has None.

    >>> mote.awkward.cartesian([ak.Array([[1, 2], []]), ak.Array([[3], [4]])]).to_list()
    [[(1, 3), (2, 3)], []]
    """
    if not isinstance(arrays, (list, tuple, dict)) or not 2 <= len(arrays) <= 4:
        raise bad_value("arrays must be a list or a dictionary of two to four arrays; "
                        "ak.cartesian() accepts more")
    fields = list(arrays) if isinstance(arrays, dict) else None
    given = list(arrays.values() if fields else arrays)
    lists = [outermost(array, name, axis) for array, name in zip(given, "abcd")]
    for (offsets, _, _), name in zip(lists, "abcd"):
        if len(offsets) != len(lists[0][0]):
            raise bad_value(f"a has {len(lists[0][0]) - 1} lists, {name} {len(offsets) - 1}")
    *found, offsets = jagged.product(*[offsets for offsets, _, _ in lists], context=context)
    return _combined(given, [content for _, content, _ in lists], found, offsets, lists[0][2],
                     fields, positions)


@checked
def combinations(array, n=2, *, axis=1, fields=None, positions=False, context=None):
    """Returns all combinations of n elements of the same list, like ak.combinations(array, n).

    array: lists of anything, such as records. n: 2, 3 or 4. axis: 1. fields: names of the n fields
    of a combination; None: combinations are tuples. positions: True: return positions in
    ak.flatten(array) instead of elements.

    Returns: an ak.Array of lists of combinations, with None where array has None.

    >>> mote.awkward.combinations(ak.Array([[1, 2, 3], [4]]), 2).to_list()
    [[(1, 2), (1, 3), (2, 3)], []]
    """
    if fields is not None and len(fields) != n:
        raise bad_value(f"fields are {fields!r}: {n} names are wanted")
    offsets, content, there = outermost(array, "array", axis)
    *found, where = jagged.combinations(offsets, n, context=context)
    return _combined([array], [content] * n, found, where, there, fields, positions)


_DOC = """Returns {what} of each innermost list, like ak.{name}().

    array: lists of numbers, to any depth.
    axis: -1, or the number of the innermost axis.{ddof}
    keepdims: whether the result is in lists of length 1, so that it broadcasts with the array.
    mask_identity: whether the result of an empty list is None instead of {empty}.
    dtype, nan: see mote.jagged.reduce(). With nan="skip", NaN is skipped.

    Returns: an ak.Array with one dimension less, of the types that mote.jagged.reduce() returns.

    >>> mote.awkward.{name}(ak.Array([[0, 2], [], [3]]), axis=-1).to_list()
    {shown}
    """
_DDOF = """
    ddof: a whole number, which is subtracted from the number of values before the sum of squares
        is divided by it."""


def _reduction(name, what, empty, shown, op=None, masked=False):
    """Makes a reduction. masked: the default of mask_identity, which is awkward's."""
    def function(array, axis=-1, *, keepdims=False, mask_identity=masked, dtype=None,
                 nan="propagate", context=None):
        return _reduced(array, axis, op or name, keepdims, mask_identity, 0, dtype, nan, context)

    return _named(function, name, what, empty, shown, "")


def _spread(name, what):
    def function(array, axis=-1, *, ddof=0, keepdims=False, mask_identity=False, dtype=None,
                 nan="propagate", context=None):
        return _reduced(array, axis, name, keepdims, mask_identity, ddof, dtype, nan, context)

    return _named(function, name, what, "NaN", "[1.0, nan, 0.0]", _DDOF)


def _named(function, name, what, empty, shown, ddof):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = _DOC.format(name=name, what=what, empty=empty, shown=shown, ddof=ddof)
    return checked(function)


sum = _reduction("sum", "the sum", "0", "[2, 0, 3]")
prod = _reduction("prod", "the product", "1", "[0, 1, 3]")
min = _reduction("min", "the smallest value", "the type's largest value, or infinity",
                 "[0, None, 3]", masked=True)
max = _reduction("max", "the largest value", "the type's smallest value, or minus infinity",
                 "[2, None, 3]", masked=True)
argmin = _reduction("argmin", "the position of the first smallest value", "-1", "[0, None, 0]",
                    masked=True)
argmax = _reduction("argmax", "the position of the first largest value", "-1", "[1, None, 0]",
                    masked=True)
any = _reduction("any", "whether any value is not 0", "False", "[True, False, True]")
all = _reduction("all", "whether no value is 0", "True", "[False, True, True]")
count = _reduction("count", "the number of values", "0", "[2, 0, 1]")
count_nonzero = _reduction("count_nonzero", "the number of values that are not 0", "0", "[1, 0, 1]",
                           op="countnonzero")
mean = _reduction("mean", "the mean", "NaN", "[1.0, nan, 3.0]")
var = _spread("var", "the variance")
std = _spread("std", "the standard deviation")
