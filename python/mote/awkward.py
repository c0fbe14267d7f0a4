# SPDX-License-Identifier: Apache-2.0
"""Functions on lists in awkward arrays, which read offsets and content in place.

reduce(), num() and local_index() return what awkward's functions return with axis=-1;
cartesian() and combinations() return what awkward's functions return with axis=1. Reductions skip
None in a list, and None instead of a list stays None. min, max, argmin and argmax of an empty list
are None, as in awkward. Arrays may be sliced, masked or indexed, have lists of equal length, or be
numpy arrays of two or more dimensions. An array of unknown type, such as ak.Array([]), is treated
as an array of lists.

`context` is a Context or device string; None: the default one. Every function raises MoteError. It
is also a TypeError if an array has records, strings or elements of several types where numbers are
needed, or no lists; it is also a ValueError for lists that do not fit together and for arrays that
are not valid.
"""

import functools

import awkward
import numpy
from awkward.contents import (ByteMaskedArray, IndexedOptionArray, ListOffsetArray, NumpyArray,
                              RecordArray)
from awkward.index import Index8, Index64

from . import jagged
from ._errors import MoteError, bad_type, bad_value

__all__ = ["reduce", "num", "local_index", "cartesian", "combinations"]

_NONE_OF_NOTHING = ("min", "max", "argmin", "argmax")


def _checked(function):
    """Wraps a function so that awkward's errors about bad indexes become MoteErrors."""
    @functools.wraps(function)
    def checked(*arrays, **options):
        try:
            return function(*arrays, **options)
        except MoteError:
            raise
        except (IndexError, ValueError) as reason:
            raise bad_value(f"an array is not valid: {_line(reason)}: ak.validity_error() names "
                            "the defect") from None
    return checked


def _line(reason):
    return " ".join(str(reason).split())


def _layout(array, what):
    try:
        layout = awkward.to_layout(array, allow_record=False)
    except (TypeError, ValueError) as reason:
        raise bad_type(f"{what} is no awkward array: {_line(reason)}") from None
    if layout.backend.name != "cpu":
        raise bad_type(f"{what} has the backend {layout.backend.name!r}: convert it by "
                       f"ak.to_backend({what}, \"cpu\")")
    return layout


def _kind(layout):
    """Returns the type for messages, shortened because it may have a thousand fields."""
    words = str(layout.form.type)
    return words if len(words) <= 80 else words[:77] + "..."


def _listed(offsets, content):
    return ListOffsetArray(Index64(offsets), content)


def _masked(there, content):
    return ByteMaskedArray.simplified(Index8(there.view("i1")), content, True)


def _there(layout):
    """Returns an array that is True where an option is not None."""
    if isinstance(layout, ByteMaskedArray):  # mask_as_bool() treats masks such as 2 differently
        return (numpy.asarray(layout.mask.data) != 0) == layout.valid_when
    return layout.mask_as_bool(valid_when=True)


def _offsets_and_content(layout, what):
    """Returns offsets that begin at 0, and the elements that are in these lists."""
    if layout.is_unknown:
        return numpy.zeros(1, "i8"), layout
    if layout.is_numpy:
        layout = layout.to_RegularArray()  # an array of two or more dimensions has lists
    if layout.is_union:
        raise bad_type(f"{what} holds {_kind(layout)}: bring it to one type by ak.enforce_type()")
    if not layout.is_list or layout.parameter("__array__") in ("string", "bytestring"):
        raise bad_type(f"{what} holds {_kind(layout)} where lists are wanted: choose an array, or "
                       "a field, of lists")
    lists = layout.to_ListOffsetArray64(True)
    offsets = numpy.asarray(lists.offsets.data)
    content = lists.content[:offsets[-1]]
    if len(content) != offsets[-1]:
        raise bad_value(f"{what} has lists that end at {offsets[-1]} of a content of "
                        f"{len(content)} elements")
    return offsets, content


def _innermost(layout, what, function, records=True):
    """Applies a function to the innermost lists of a layout and returns the new layout.

    records: whether to descend into the fields of records above the lists; if not, records are an
    error.
    """
    def deeper(content, name=what):
        return _innermost(content, name, function, records)

    if layout.is_option and layout.is_indexed:
        there = _there(layout)
        where = Index64(numpy.where(there, numpy.cumsum(there) - 1, -1))
        return IndexedOptionArray.simplified(where, deeper(layout.project()))
    if layout.is_option:
        return _masked(_there(layout), deeper(layout.content[:len(layout)]))
    if layout.is_indexed:
        return deeper(layout.project())
    if layout.is_record and not records:
        raise _no_numbers(layout, what)
    if layout.is_record and layout.fields:
        fields = [deeper(layout[field], f"{what}[{field!r}]") for field in layout.fields]
        return RecordArray(fields, None if layout.is_tuple else layout.fields, len(layout),
                           parameters=layout.parameters)
    offsets, content = _offsets_and_content(layout, what)
    if layout.is_unknown or layout.branch_depth == (False, 2):
        return function(offsets, content)
    return _listed(offsets, deeper(content))


def _no_numbers(layout, what):
    if layout.is_record:
        such = f"such as {what}[{layout.fields[0]!r}]" if layout.fields else "of other records"
        remedy = f"choose a field, {such}"
    elif layout.is_union:
        remedy = "bring them to one type by ak.enforce_type()"
    elif layout.is_numpy and layout.dtype.kind == "c":
        remedy = f"choose a part by ak.real({what}) or ak.imag({what})"
    elif layout.is_numpy:
        remedy = f"ak.values_astype({what}, \"int64\") gives them as numbers of their unit"
    else:
        remedy = "ak.str.length() gives the lengths of strings"
    return bad_type(f"{what} holds {_kind(layout)} where numbers are wanted: {remedy}")


def _numbers(offsets, content, what, context):
    """Removes None from lists: returns offsets, values, and which elements remain (None: all)."""
    there = None
    while content.is_option or content.is_indexed:
        if content.is_option:
            there = _there(content)
            offsets = jagged.offsets(jagged.reduce(offsets, there, "countnonzero",
                                                     context=context), context=context)
        content = content.project()
    if content.is_unknown:
        return offsets, numpy.empty(0), there
    if not content.is_numpy:
        raise _no_numbers(content, what)
    return offsets, numpy.asarray(content.data), there


@_checked
def reduce(array, op, *, ddof=0, dtype=None, nan="propagate", mask_identity=None, context=None):
    """Reduces each innermost list to one result, like ak.sum(array, axis=-1) and its relatives.

    array: lists of numbers, to any depth.
    op, ddof, dtype, nan: as of mote.jagged.reduce(). With nan="skip", min and max skip NaN as in
        awkward.
    mask_identity: whether the result of an empty list is None. Default, as in awkward: True for
        min, max, argmin and argmax, else False.

    Returns: an ak.Array with one dimension less, its types as of mote.jagged.reduce().
    """
    masked = op in _NONE_OF_NOTHING if mask_identity is None else mask_identity

    def reduced(offsets, content):
        kept, values, chosen = _numbers(offsets, content, "array", context)
        if values.dtype.kind in "mMc" and op != "count":  # dates, durations and complex numbers
            raise _no_numbers(NumpyArray(values), "array")
        found = jagged.reduce(kept, None if op == "count" else values, op, ddof=ddof,
                                dtype=dtype, nan=nan, context=context)
        there = found >= 0 if op in ("argmin", "argmax") else kept[1:] > kept[:-1]
        if chosen is not None and op in ("argmin", "argmax"):  # None counts in positions
            places = numpy.flatnonzero(chosen)
            found[there] = places[(kept[:-1] + found)[there]] - offsets[:-1][there]
        result = NumpyArray(found)
        return _masked(there, result) if masked else result

    return awkward.Array(_innermost(_layout(array, "array"), "array", reduced, records=False))


@_checked
def num(array, *, context=None):
    """Returns the length of each innermost list, like ak.num(array, axis=-1).

    array: lists of anything, to any depth, or records with fields of this kind. Returns: an
    ak.Array of int64, with one dimension less.
    """
    def lengths(offsets, content):
        return NumpyArray(jagged.counts(offsets, context=context))

    return awkward.Array(_innermost(_layout(array, "array"), "array", lengths))


@_checked
def local_index(array, *, context=None):
    """Returns each element's position in its innermost list, like ak.local_index(array, axis=-1).

    array: lists of anything, to any depth, or records with fields of this kind. Returns: an
    ak.Array of int64 in the same lists.
    """
    def positions(offsets, content):
        return _listed(offsets, NumpyArray(jagged.local_index(offsets, context=context)))

    return awkward.Array(_innermost(_layout(array, "array"), "array", positions))


def _outermost(array, what):
    """Returns offsets and elements of the outermost lists, and which lists are not None.

    A list that is None is empty in the offsets. The third value is None if no list is.
    """
    layout, there = _layout(array, what), None
    while layout.is_option or layout.is_indexed:
        if layout.is_option:
            there = _there(layout)
        layout = layout.project()
    if layout.is_record and layout.fields:
        raise bad_type(f"{what} holds {_kind(layout)} where lists are wanted: choose a field, such "
                       f"as {what}[{layout.fields[0]!r}], or make lists of records by ak.zip()")
    offsets, content = _offsets_and_content(layout, what)
    if there is not None:
        offsets = offsets[numpy.concatenate([[0], numpy.cumsum(there)])]
    return offsets, content, there


def _combined(contents, found, offsets, there, as_positions):
    if as_positions:
        members = [NumpyArray(numpy.asarray(where)) for where in found]
    else:
        members = [content[where] for content, where in zip(contents, found)]
    combined = _listed(offsets, RecordArray(members, None))
    return awkward.Array(combined if there is None else _masked(there, combined))


@_checked
def cartesian(a, b, *, positions=False, context=None):
    """Returns all pairs of elements of list k of a and of b, for each k, like ak.cartesian([a, b]).

    a, b: arrays with equal numbers of lists, whose elements can be anything, such as records.
    positions: True: return positions in ak.flatten(a) and ak.flatten(b) instead of elements.

    Returns: an ak.Array of lists of pairs. It has None where a has None, and an empty list where
    only b has None.
    """
    offsets_a, content_a, there = _outermost(a, "a")
    offsets_b, content_b, _ = _outermost(b, "b")
    if len(offsets_a) != len(offsets_b):
        raise bad_value(f"a has {len(offsets_a) - 1} lists, b {len(offsets_b) - 1}")
    *found, offsets = jagged.product(offsets_a, offsets_b, context=context)
    return _combined([content_a, content_b], found, offsets, there, positions)


@_checked
def combinations(array, *, positions=False, context=None):
    """Returns all pairs i < j of elements of the same list, like ak.combinations(array, 2).

    array: lists of anything, such as records. positions: True: return positions in
    ak.flatten(array) instead of elements.

    Returns: an ak.Array of lists of pairs, with None where array has None.
    """
    offsets, content, there = _outermost(array, "array")
    *found, pairs = jagged.pairs(offsets, context=context)
    return _combined([content] * 2, found, pairs, there, positions)
