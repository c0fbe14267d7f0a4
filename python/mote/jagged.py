# SPDX-License-Identifier: Apache-2.0
"""Jagged arrays: lists of any lengths one after another in one content array (mote/jagged.h).

m lists are described by m + 1 offsets: list k is content[offsets[k]:offsets[k + 1]]. Offsets are
int64, int32 or uint32 and never decrease; they need not start at 0 nor end at the content's end.
Starts and stops describe lists in any order, with gaps: list k is content[starts[k]:stops[k]].
Results about positions and lists have the type of the offsets. In numpy arrays, other integers are
converted to int64.

Arrays are numpy's, or pyopencl's: then results stay on the device, events are chained, and bad
lists are reported to `error`, a mote.ErrorWord. With numpy arrays a bad list raises a ValueError
(a MoteError) that names the lowest one: "list 16: offsets[17] = 5 < offsets[16] = 9". Other
arguments of every function:

    out: array for the result, of its shape and type.
    context: Context or device string; None: the default one.

Every function raises MoteError: a ValueError for a shape, a length or a bad list, a TypeError for a
type of elements, a MemoryError where results do not fit.
"""

from . import _arrays, _types, _words
from ._call import call_host, structure, whole_number
from ._device import place_of
from ._errors import bad_value
from ._expansions import (combinations, elements, filter, gather, nonzero, pairs, product,
                          run_lengths)
from ._library import lib
from ._reductions import reduction, result_type
from ._select import median, pad, quantile, slice, topk
from ._unique import unique

__all__ = ["parents", "local_index", "counts", "offsets", "reduce", "scan", "sort", "argsort", "gather",
           "product", "pairs", "combinations", "nonzero", "filter", "run_lengths", "unique", "pad", "slice",
           "topk", "median", "quantile"]

_MOST_LISTS = 2 ** 31 - 1
_MOST_DDOF = 2 ** 20 - 1


def _lists(place, given, starts, stops, what="offsets", more=1):
    """Returns the arrays that describe the lists, their mote_type and number."""
    if (given is None) == (starts is None) or (starts is None) != (stops is None):
        raise bad_value(f"give {what}, or starts and stops")
    if given is not None:
        checked = [place.given(given, what, _types.INDICES, 1)]
    else:
        checked = [place.given(array, name, _types.INDICES, 1)
                   for array, name in ((starts, "starts"), (stops, "stops"))]
        _arrays.same_length({"starts": checked[0], "stops": checked[1]})
        if checked[0].dtype != checked[1].dtype:
            raise bad_value(f"starts have the type {checked[0].dtype}, stops {checked[1].dtype}")
        more = 0
    if len(checked[0]) < more:
        raise bad_value(f"{what} are empty: m lists have m + 1 of them")
    lists = len(checked[0]) - more
    if lists > _MOST_LISTS:
        raise bad_value(f"{lists} lists: fewer than 2^31 are possible")
    return checked, _types.number(checked[0].dtype, what), lists


def _pointers(checked):
    """Returns the fields of host arguments: offsets, or starts and stops."""
    names = ["offsets"] if len(checked) == 1 else ["starts", "stops"]
    return {name: _arrays.pointer(array) for name, array in zip(names, checked)}


def _views(place, args, checked, first="offsets"):
    """Sets the views of device arguments: offsets (or the field `first`), or starts and stops."""
    names = [first] if len(checked) == 1 else ["starts", "stops"]
    for name, array in zip(names, checked):
        place.put(getattr(args, name), array, name)


def parents(offsets=None, *, starts=None, stops=None, n=None, absolute=False, content_length=0,
            strategy="auto", overlap="check", out=None, context=None, error=None):
    """The list number of each element.

    offsets: (m + 1); or starts and stops: (m) each.
    n: elements of the result. Relative form: offsets[m] - offsets[0], the default (on the device
        the default reads the offsets' ends, and waits). Absolute form, and starts and stops: the
        content's length, which is needed.
    absolute: False: element i is position offsets[0] + i; True, and with starts: position i.
    content_length: relative form: offsets beyond it are an error; 0 = not checked.
    strategy: "auto", "search", "event" or "balanced": the same bits.
    overlap: of starts and stops: "check", or "ignore": the list of highest number wins.

    Returns: (n), the type of the offsets; -1 (uint32: all bits set) for elements of no list.

    >>> mote.jagged.parents([0, 2, 2, 3])
    array([0, 0, 2])
    """
    with place_of([offsets, starts, stops], context, error) as place:
        checked, number, lists = _lists(place, offsets, starts, stops)
        if (absolute or len(checked) == 2) and n is None:
            raise bad_value("the absolute form, and starts and stops, need n")
        size = elements(place, checked[0], n)
        fields = {"absolute": bool(absolute),
                  "content_length": whole_number(content_length, "content_length"),
                  "strategy": _words.number("mote_jagged_strategy_name", "strategy", strategy),
                  "overlap": _words.number("mote_jagged_overlap_name", "overlap", overlap)}
        if not place.on_device:
            result = _arrays.output(out, size, checked[0].dtype, inputs=checked)
            args = structure("mote_jagged_parents_host_args", type=number, lists=lists, n=size,
                             out=_arrays.pointer(result), **_pointers(checked), **fields)
            call_host(place.context, "mote_jagged_parents_host", args)
            return result
        args = structure("mote_jagged_parents_args", **fields)
        _views(place, args, checked)
        result = place.room(args.parents, size, checked[0].dtype, out)
        place.run("mote_jagged_parents", args)
        return place.fetch(result)


def local_index(offsets, *, n=None, content_length=0, strategy="auto", out=None, context=None,
                error=None):
    """Each element's position in its list. Arguments and result: see parents().

    >>> mote.jagged.local_index([0, 2, 2, 3])
    array([0, 1, 0])
    """
    with place_of([offsets], context, error) as place:
        checked, number, lists = _lists(place, offsets, None, None)
        size = elements(place, checked[0], n)
        fields = {"content_length": whole_number(content_length, "content_length"),
                  "strategy": _words.number("mote_jagged_strategy_name", "strategy", strategy)}
        if not place.on_device:
            result = _arrays.output(out, size, checked[0].dtype, inputs=checked)
            args = structure("mote_jagged_parents_host_args", type=number, lists=lists, n=size,
                             out=_arrays.pointer(result), **_pointers(checked), **fields)
            call_host(place.context, "mote_jagged_local_index_host", args)
            return result
        args = structure("mote_jagged_local_index_args", **fields)
        _views(place, args, checked)
        result = place.room(args.local_index, size, checked[0].dtype, out)
        place.run("mote_jagged_local_index", args)
        return place.fetch(result)


def counts(offsets=None, *, starts=None, stops=None, out=None, context=None, error=None):
    """The length of each list.

    offsets: (m + 1); or starts and stops: (m) each. Returns: (m), the type of the offsets.

    >>> mote.jagged.counts([0, 2, 2, 3])
    array([2, 0, 1])
    """
    with place_of([offsets, starts, stops], context, error) as place:
        checked, number, lists = _lists(place, offsets, starts, stops)
        if not place.on_device:
            return _offsets_host(place, "mote_jagged_counts_host", checked, number, lists, lists,
                                 out)
        args = structure("mote_jagged_counts_args")
        _views(place, args, checked)
        result = place.room(args.counts, lists, checked[0].dtype, out)
        place.run("mote_jagged_counts", args)
        return place.fetch(result)


def offsets(counts=None, *, parents=None, lists=None, starts=None, stops=None, out=None,
            context=None, error=None):
    """Where lists begin when they are packed.

    counts: (m); or starts and stops: (m) each; or parents: (n), labels 0 .. m - 1 that never
    decrease, and lists: m, as lists at the end may have no elements.

    Returns: (m + 1), the first 0, the type of what is given.

    >>> mote.jagged.offsets([2, 0, 1])
    array([0, 2, 2, 3])
    >>> mote.jagged.offsets(parents=[0, 0, 2], lists=3)
    array([0, 2, 2, 3])
    """
    with place_of([counts, parents, starts, stops], context, error) as place:
        if parents is not None:
            return _offsets_from_parents(place, parents, lists, out)
        checked, number, m = _lists(place, counts, starts, stops, "counts", 0)
        if not place.on_device:
            return _offsets_host(place, "mote_jagged_offsets_from_counts_host", checked, number, m,
                                 m + 1, out)
        args = structure("mote_jagged_offsets_from_counts_args")
        _views(place, args, checked, "counts")
        result = place.room(args.offsets, m + 1, checked[0].dtype, out)
        place.run("mote_jagged_offsets_from_counts", args)
        return place.fetch(result)


def _offsets_host(place, function, checked, number, lists, size, out, n=0):
    result = _arrays.output(out, size, checked[0].dtype, inputs=checked)
    fields = {"in" if name == "offsets" else name: value
              for name, value in _pointers(checked).items()}
    args = structure("mote_jagged_offsets_host_args", type=number, lists=lists, n=n,
                     out=_arrays.pointer(result), **fields)
    call_host(place.context, function, args)
    return result


def _offsets_from_parents(place, parents, lists, out):
    if lists is None:
        raise bad_value("parents need lists, the number of lists")
    m = whole_number(lists, "lists", _MOST_LISTS)
    array = place.given(parents, "parents", _types.INDICES, 1)
    if not place.on_device:
        return _offsets_host(place, "mote_jagged_offsets_from_parents_host", [array],
                             _types.number(array.dtype, "parents"), m, m + 1, out, len(array))
    args = structure("mote_jagged_offsets_from_parents_args")
    place.put(args.parents, array, "parents")
    result = place.room(args.offsets, m + 1, array.dtype, out)
    place.run("mote_jagged_offsets_from_parents", args)
    return place.fetch(result)


def reduce(offsets, values, op, *, ddof=0, dtype=None, nan="propagate", base_first=False,
             out=None, context=None, error=None):
    """One result for each list.

    offsets: (m + 1). values: (n), bool, integers or floats; None for "count".
    op: one of these words, each with the type of its results, where 0 and 1 are bool and (u)int64
        is uint64 for unsigned values, else int64, and the result of an empty list:
        "sum": (u)int64 (wrapping) of bool and integers, else at least float32; empty: 0
        "prod": (u)int64 (wrapping) of bool and integers, else at least float32; empty: 1
        "min": as values; empty: the type's largest value or +inf
        "max": as values; empty: the type's smallest value or -inf
        "argmin": as offsets: position of the first smallest value; empty: -1 (uint32: 4294967295)
        "argmax": as offsets: position of the first largest value; empty: -1 (uint32: 4294967295)
        "count": as offsets: number of values
        "countnonzero": as offsets: number of values that are not 0; NaN is not 0
        "any": 0 or 1: whether any value is not 0; empty: 0
        "all": 0 or 1: whether no value is 0; empty: 1
        "mean": float64 of integers and bool, float32 of float16, else as values; empty: NaN
        "var": variance (see ddof), of the type of a mean; empty: NaN
        "std": standard deviation (see ddof), of the type of a mean; empty: NaN
    ddof: a whole number, by which "var" and "std" reduce the number of values before they divide
        the sum of squares by it.
    dtype: the type of the result, where there is a choice: float32 or float64 for sums of float32.
    nan: "propagate" as numpy does, or "skip": NaN is left out.
    base_first: False: list k begins at values[offsets[k]]; True: at values[offsets[k] -
        offsets[0]].

    Returns: (m).

    >>> mote.jagged.reduce([0, 2, 2, 3], [4, 5, 7], "sum")
    array([9, 0, 7])
    """
    op = reduction(op)
    ddof = whole_number(ddof, "ddof", _MOST_DDOF)
    with place_of([offsets, values], context, error) as place:
        checked, number, lists = _lists(place, offsets, None, None)
        if values is None and op != lib.MOTE_REDUCE_COUNT:
            raise bad_value("only \"count\" needs no values")
        if values is not None:
            values = place.given(values, "values", ndim=1)
        values_number = 0 if values is None else _types.number(values.dtype, "values")
        result_number, result_dtype = result_type(op, values_number, number, dtype)
        fields = {"reduction": op, "base_first": bool(base_first), "ddof": ddof,
                  "nan": _words.number("mote_nan_policy_name", "nan", nan)}
        if not place.on_device:
            result = _arrays.output(out, lists, result_dtype, inputs=[*checked, values])
            args = structure("mote_jagged_reduce_host_args", offsets_type=number, lists=lists,
                             offsets=_arrays.pointer(checked[0]), values_type=values_number,
                             values=_arrays.pointer(values), result=_arrays.pointer(result),
                             values_length=0 if values is None else len(values),
                             result_type=result_number, **fields)
            call_host(place.context, "mote_jagged_reduce_host", args)
            return result
        args = structure("mote_jagged_reduce_args", **fields)
        _views(place, args, checked)
        if values is not None:
            args.values.type = values_number
            place.put(args.values, values, "values")
        result = place.room(args.result, lists, result_dtype, out)
        place.run("mote_jagged_reduce", args)
        return place.fetch(result)


def scan(offsets, values, op="sum", *, exclusive=False, dtype=None, out=None, context=None,
         error=None):
    """Prefix sums inside lists: cumulative sums, products, minima or maxima of each list.

    offsets: (m + 1). values: (n), bool, integers or floats.
    op: "sum", "prod", "min" or "max"; the result has the type that reduce() gives for it.
    exclusive: False: a result includes the element itself; True: only the elements before it.
    dtype: see reduce().

    Returns: (n). Elements of no list, and with `exclusive` the first elements of lists, get the
    result of an empty list. The order of the additions is fixed, but it is not numpy.cumsum's.

    >>> mote.jagged.scan([0, 2, 2, 3], [4, 5, 7])
    array([4, 9, 7])
    """
    op = reduction(op)
    with place_of([offsets, values], context, error) as place:
        checked, number, lists = _lists(place, offsets, None, None)
        values = place.given(values, "values", ndim=1)
        values_number = _types.number(values.dtype, "values")
        result_number, result_dtype = result_type(op, values_number, number, dtype)
        fields = {"reduction": op, "exclusive": bool(exclusive)}
        if not place.on_device:
            result = _arrays.output(out, len(values), result_dtype, inputs=[*checked, values])
            args = structure("mote_jagged_scan_host_args", offsets_type=number, lists=lists,
                             offsets=_arrays.pointer(checked[0]), values_type=values_number,
                             values=_arrays.pointer(values), values_length=len(values),
                             result_type=result_number, result=_arrays.pointer(result), **fields)
            call_host(place.context, "mote_jagged_scan_host", args)
            return result
        args = structure("mote_jagged_scan_args", **fields)
        _views(place, args, checked)
        args.values.type = values_number
        place.put(args.values, values, "values")
        result = place.room(args.result, len(values), result_dtype, out)
        place.run("mote_jagged_scan", args)
        return place.fetch(result)


def sort(offsets, values, *, descending=False, out=None, context=None, error=None):
    """The values of each list in order, as numpy.sort(kind="stable") of each list.

    offsets: (m + 1). values: (n), bool, integers or floats.
    descending: True: the largest value of each list comes first.

    Returns: (n), of the type of values. NaN come last in both directions. Values of no list stay
    where they are.

    >>> mote.jagged.sort([0, 2, 2, 4], [5, 4, 7, 6])
    array([4, 5, 6, 7])
    """
    return _sorted("result", offsets, values, descending, None, out, context, error)


def argsort(offsets, values, *, descending=False, dtype="int64", out=None, context=None,
            error=None):
    """Where in its list each value of sort() was, as numpy.argsort(kind="stable") of each list.

    offsets, values, descending: see sort(). dtype: int32, uint32 or int64.

    Returns: (n). Equal values keep their order. Values of no list have index 0.

    >>> mote.jagged.argsort([0, 2, 2, 4], [5, 4, 7, 6])
    array([1, 0, 1, 0])
    """
    return _sorted("indices", offsets, values, descending, dtype, out, context, error)


def _sorted(output, offsets, values, descending, dtype, out, context, error):
    with place_of([offsets, values], context, error) as place:
        checked, number, lists = _lists(place, offsets, None, None)
        values = place.given(values, "values", ndim=1)
        values_number = _types.number(values.dtype, "values")
        result_dtype = values.dtype if dtype is None else dtype
        fields = {"descending": bool(descending)}
        if not place.on_device:
            result = _arrays.output(out, len(values), result_dtype, inputs=[*checked, values])
            fields[output] = _arrays.pointer(result)
            if dtype is not None:
                fields["indices_type"] = _types.number(result.dtype, "dtype")
            args = structure("mote_jagged_sort_host_args", offsets_type=number, lists=lists,
                             offsets=_arrays.pointer(checked[0]), values_type=values_number,
                             values=_arrays.pointer(values), values_length=len(values), **fields)
            call_host(place.context, "mote_jagged_sort_host", args)
            return result
        args = structure("mote_jagged_sort_args", **fields)
        _views(place, args, checked)
        args.values.type = values_number
        place.put(args.values, values, "values")
        result = place.room(getattr(args, output), len(values), result_dtype, out)
        place.run("mote_jagged_sort", args)
        return place.fetch(result)
