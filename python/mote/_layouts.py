# SPDX-License-Identifier: Apache-2.0
"""Layouts of awkward arrays on their way into calls and out of them."""

import functools

import awkward
import numpy
from awkward.contents import ByteMaskedArray, IndexedOptionArray, ListOffsetArray, RecordArray
from awkward.index import Index8, Index64

from . import jagged
from ._errors import MoteError, bad_type, bad_value

_TEXT = "string", "bytestring"
_AXES = "__named_axis__"  # the attribute that maps names of axes to numbers


def checked(function):
    """Wraps a function so that awkward's errors about bad indexes become MoteErrors."""
    @functools.wraps(function)
    def call(*arrays, **options):
        try:
            return function(*arrays, **options)
        except MoteError:
            raise
        except (IndexError, ValueError) as reason:
            raise bad_value(f"an array is not valid: {_line(reason)}: ak.validity_error() names "
                            "the defect") from None
    return call


def _line(reason):
    return " ".join(str(reason).split())


def layout_of(array, what):
    """Returns the layout of an array, which must be in the memory of the CPU."""
    try:
        layout = awkward.to_layout(array, allow_record=False)
    except (TypeError, ValueError) as reason:
        raise bad_type(f"{what} is no awkward array: {_line(reason)}") from None
    if layout.backend.name != "cpu":
        raise bad_type(f"{what} has the backend {layout.backend.name!r}: convert it by "
                       f"ak.to_backend({what}, \"cpu\")")
    return layout


def result_of(layout, *arrays, axis_removed=False):
    """Returns an ak.Array with the behavior and attrs of the arguments, of which the first wins."""
    behavior, attrs = {}, {}
    for array in arrays[::-1]:
        if isinstance(array, awkward.Array):
            behavior.update(array.behavior or {})
            attrs.update(array.attrs)
    if axis_removed and _AXES in attrs:
        dimensions = layout.minmax_depth[1]
        attrs[_AXES] = {name: axis + (axis < 0) for name, axis in attrs[_AXES].items()
                        if -1 != axis < dimensions}
    return awkward.Array(layout, behavior=behavior or None, attrs=attrs or None)


def check_axis(axis, allowed, what):
    if not isinstance(axis, (int, numpy.integer)) or axis not in allowed:
        raise bad_value(f"axis is {axis!r}: for {what} it must be "
                        f"{' or '.join(map(str, allowed))}; awkward's own function accepts any "
                        "axis")


def kind_of(layout):
    """Returns the type for messages, shortened because it may have a thousand fields."""
    words = str(layout.form.type)
    return words if len(words) <= 80 else words[:77] + "..."


def listed(offsets, content):
    """Returns lists of a content."""
    return ListOffsetArray(Index64(offsets), content)


def masked_by(there, content):
    """Returns a content with None where `there` is False."""
    return ByteMaskedArray.simplified(Index8(there.view("i1")), content, True)


def there_of(layout):
    """Returns an array that is True where an option is not None."""
    if isinstance(layout, ByteMaskedArray):  # mask_as_bool() treats masks such as 2 differently
        return (numpy.asarray(layout.mask.data) != 0) == layout.valid_when
    return layout.mask_as_bool(valid_when=True)


def offsets_and_content(layout, what):
    """Returns offsets that begin at 0, and the elements that are in these lists."""
    if layout.is_unknown:
        return numpy.zeros(1, "i8"), layout
    if layout.is_numpy:
        layout = layout.to_RegularArray()  # an array of two or more dimensions has lists
    if layout.is_union:
        raise bad_type(f"{what} holds {kind_of(layout)}: bring it to one type by ak.enforce_type()")
    if not layout.is_list or layout.parameter("__array__") in _TEXT:
        raise bad_type(f"{what} holds {kind_of(layout)} where lists are wanted: choose an array, or "
                       "a field, of lists")
    lists = layout.to_ListOffsetArray64(True)
    offsets = numpy.asarray(lists.offsets.data)
    content = lists.content[:offsets[-1]]
    if len(content) != offsets[-1]:
        raise bad_value(f"{what} has lists that end at {offsets[-1]} of a content of "
                        f"{len(content)} elements")
    return offsets, content


def innermost(layout, what, axis, function, *, records=True, depth=1):
    """Applies a function to the innermost lists of a layout and returns the new layout.

    axis: as the caller has passed it. records: whether to descend into the fields of records above
    the lists; if not, records are an error. depth: the axis of the layout's outermost lists.
    """
    def deeper(content, name=what, depth=depth):
        return innermost(content, name, axis, function, records=records, depth=depth)

    if layout.is_option and layout.is_indexed:
        there = there_of(layout)
        where = Index64(numpy.where(there, numpy.cumsum(there) - 1, -1))
        return IndexedOptionArray.simplified(where, deeper(layout.project()))
    if layout.is_option:
        return masked_by(there_of(layout), deeper(layout.content[:len(layout)]))
    if layout.is_indexed:
        return deeper(layout.project())
    if layout.is_record and not records:
        raise no_numbers(layout, what)
    if layout.is_record and layout.fields:
        fields = [deeper(layout[field], f"{what}[{field!r}]") for field in layout.fields]
        return RecordArray(fields, None if layout.is_tuple else layout.fields, len(layout),
                           parameters=layout.parameters)
    offsets, content = offsets_and_content(layout, what)
    if layout.is_unknown or layout.branch_depth == (False, 2):
        check_axis(axis, (-1, depth), what)
        return function(offsets, content)
    return listed(offsets, deeper(content, depth=depth + 1))


def no_numbers(layout, what):
    """Returns the error for elements that are not numbers, with the remedy."""
    if layout.is_record:
        such = f"such as {what}[{layout.fields[0]!r}]" if layout.fields else "of other records"
        remedy = f"choose a field, {such}"
    elif layout.is_union:
        remedy = "bring them to one type by ak.enforce_type()"
    elif layout.is_numpy and layout.dtype.kind == "c":
        remedy = f"choose a part by ak.real({what}) or ak.imag({what})"
    elif layout.is_numpy:
        remedy = f"ak.values_astype({what}, \"int64\") gives them as numbers of their unit"
    elif layout.parameter("__array__") not in _TEXT:
        remedy = "awkward's own array[mask] accepts masks of lists of lists"
    else:
        remedy = "ak.str.length() gives the lengths of strings"
    return bad_type(f"{what} holds {kind_of(layout)} where numbers are wanted: {remedy}")


def numbers_of(offsets, content, what, context):
    """Removes None from lists: returns offsets, values, and which elements remain (None: all)."""
    there = None
    while content.is_option or content.is_indexed:
        if content.is_option:
            there = there_of(content)
            offsets = jagged.offsets(jagged.reduce(offsets, there, "countnonzero",
                                                     context=context), context=context)
        content = content.project()
    if content.is_unknown:
        return offsets, numpy.empty(0), there
    if not content.is_numpy:
        raise no_numbers(content, what)
    return offsets, numpy.asarray(content.data), there


def outermost(array, what, axis=1):
    """Returns offsets and elements of the outermost lists, and which lists are not None.

    A list that is None is empty in the offsets. The third value is None if no list is.
    """
    layout, there = layout_of(array, what), None
    check_axis(axis, (1, -1) if layout.minmax_depth == (2, 2) else (1,), what)
    while layout.is_option or layout.is_indexed:
        if layout.is_option:
            there = there_of(layout)
        layout = layout.project()
    if layout.is_record and layout.fields:
        raise bad_type(f"{what} holds {kind_of(layout)} where lists are wanted: choose a field, such "
                       f"as {what}[{layout.fields[0]!r}], or make lists of records by ak.zip()")
    offsets, content = offsets_and_content(layout, what)
    if there is not None:
        offsets = offsets[numpy.concatenate([[0], numpy.cumsum(there)])]
    return offsets, content, there
