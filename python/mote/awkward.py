# SPDX-License-Identifier: Apache-2.0
"""Lists of awkward arrays: an ak.Array in and out, offsets and content read where they lie.

Functions named as awkward's do the same on a device. Lists without elements: where awkward gives
None (min, max, argmin, argmax), so do these. Values inside lists must not be None.

`context` is a Context or device string; None: the default one. Every function raises MoteError: a
TypeError for what is no array of lists of numbers, a ValueError for lists that do not fit together.
"""

import awkward
import numpy

from . import jagged
from ._errors import bad_type, bad_value

__all__ = ["segments", "num", "local_index", "cartesian", "combinations"]

_NONE_OF_NOTHING = ("min", "max", "argmin", "argmax")


def _lists(array, what):
    """The layout of an array of lists, as one with offsets."""
    try:
        layout = awkward.to_layout(array)
    except TypeError as reason:
        raise bad_type(f"{what} is no awkward array: {reason}") from None
    return _offset_form(layout, what)


def _offset_form(layout, what):
    if layout.is_indexed and not layout.is_option:
        layout = layout.project()
    if not layout.is_list or layout.parameter("__array__") in ("string", "bytestring"):
        raise bad_type(f"{what} has lists wanted where there is {layout.form.type}")
    return layout.to_ListOffsetArray64(False)


def _numbers(content, what):
    if content.is_indexed and not content.is_option:
        content = content.project()
    if content.is_unknown:  # no list has an element
        return numpy.empty(0)
    if not content.is_numpy:
        raise bad_type(f"{what} holds {content.form.type} in its lists: plain numbers are wanted")
    if content.data.ndim != 1:
        raise bad_value(f"{what} has values of the shape {content.data.shape}")
    return content.data


def _listed(offsets, content):
    return awkward.contents.ListOffsetArray(awkward.index.Index64(offsets), content)


def _innermost(layout, what, function):
    """The layout with its innermost lists replaced by what a function makes of them."""
    layout = _offset_form(layout, what)
    content = layout.content
    if not content.is_list or content.parameter("__array__"):
        return function(layout.offsets.data, content)
    return _listed(layout.offsets.data, _innermost(content, what, function))


def segments(array, op, *, ddof=0, dtype=None, nan="propagate", mask_identity=None, context=None):
    """One result for each innermost list, as ak.sum(array, axis=-1) and the others.

    array: lists of numbers, to any depth. op: "sum", "prod", "min", "max", "argmin", "argmax",
    "count", "countnonzero", "any", "all", "mean", "var", "std". ddof, dtype, nan: as of
    mote.jagged.segments().
    mask_identity: whether lists without elements give None; None: as awkward, for min, max, argmin
    and argmax.

    Returns: an ak.Array with one dimension less, its types as of mote.jagged.segments().
    """
    masked = op in _NONE_OF_NOTHING if mask_identity is None else mask_identity

    def reduced(offsets, content):
        values = None if op == "count" else _numbers(content, "array")
        found = awkward.contents.NumpyArray(jagged.segments(offsets, values, op, ddof=ddof,
                                                            dtype=dtype, nan=nan, context=context))
        if not masked:
            return found
        there = jagged.counts(offsets, context=context) > 0
        return awkward.contents.ByteMaskedArray(awkward.index.Index8(there.view("i1")), found, True)

    return awkward.Array(_innermost(_lists(array, "array"), "array", reduced))


def num(array, *, context=None):
    """The length of each innermost list, as ak.num(array, axis=-1).

    array: lists of numbers, to any depth. Returns: an ak.Array of int64, a dimension less.
    """
    def lengths(offsets, content):
        return awkward.contents.NumpyArray(jagged.counts(offsets, context=context))

    return awkward.Array(_innermost(_lists(array, "array"), "array", lengths))


def local_index(array, *, context=None):
    """Each element's position in its innermost list, as ak.local_index(array, axis=-1).

    array: lists of numbers, to any depth. Returns: an ak.Array of int64 in the same lists.
    """
    def positions(offsets, content):
        found = jagged.local_index(offsets, context=context)
        return _listed(offsets - offsets[0], awkward.contents.NumpyArray(found))

    return awkward.Array(_innermost(_lists(array, "array"), "array", positions))


def _combined(contents, positions, offsets, as_positions):
    if as_positions:
        members = [awkward.contents.NumpyArray(numpy.asarray(where)) for where in positions]
    else:
        members = [content[where] for content, where in zip(contents, positions)]
    return awkward.Array(_listed(offsets, awkward.contents.RecordArray(members, None)))


def cartesian(a, b, *, positions=False, context=None):
    """All combinations of elements of list k of a and of b, for each k, as ak.cartesian([a, b]).

    a, b: as many lists each, of anything, records too. positions: True: positions in the contents
    instead of the elements.

    Returns: an ak.Array of lists of pairs.
    """
    first, second = _lists(a, "a"), _lists(b, "b")
    if len(first) != len(second):
        raise bad_value(f"a has {len(first)} lists, b {len(second)}")
    *found, offsets = jagged.product(first.offsets.data, second.offsets.data, context=context)
    return _combined([first.content, second.content], found, offsets, positions)


def combinations(array, *, positions=False, context=None):
    """All pairs i < j of elements of the same list, as ak.combinations(array, 2).

    array: lists of anything, records too. positions: as of cartesian().

    Returns: an ak.Array of lists of pairs.
    """
    lists = _lists(array, "array")
    *found, offsets = jagged.pairs(lists.offsets.data, context=context)
    return _combined([lists.content] * 2, found, offsets, positions)
