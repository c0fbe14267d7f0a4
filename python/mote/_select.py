# SPDX-License-Identifier: Apache-2.0
"""Elements of lists by their index, and quantiles (mote/jagged_select.h)."""

import numpy

from . import _arrays, _types
from ._call import structure, whole_number
from ._device import place_of
from ._errors import bad_value
from ._expansions import _expand, _offsets
from ._library import ffi, lib
from ._reductions import result_type

_MOST, _MOST_QUANTILES = 2 ** 63 - 1, 256
_PLACES = numpy.dtype("int64")


def _begin(place, args, offsets, values):
    """Sets offsets and values in the arguments of a call, and returns the converted arrays."""
    offsets = _offsets(place, offsets)
    values = place.given(values, "values", ndim=1)
    place.put(args.offsets, offsets, "offsets")
    args.values.type = _types.number(values.dtype, "values")
    place.put(args.values, values, "values")
    return offsets, values


def _place_in_list(value, otherwise, what):
    """Returns a bound of a slice as the library's integer."""
    if value is None:
        return otherwise
    try:
        return max(-_MOST, min(value.__index__(), _MOST))
    except (AttributeError, TypeError):
        raise bad_value(f"{what} is {value!r}: a whole number or None is wanted") from None


def _one_value(fill, dtype):
    """Returns an array that contains the value, which must fit the type."""
    try:
        value = numpy.array(fill, dtype).reshape(1)
    except (OverflowError, TypeError, ValueError) as reason:
        raise bad_value(f"fill is {fill!r}, which is no {dtype}: {reason}") from None
    if value.dtype.kind in "iu" and value[0] != fill:
        raise bad_value(f"fill is {fill!r}, which is no {dtype}")
    return value


def pad(offsets, values, k, fill=0, start=0, *, starts=None, out=None, context=None, error=None):
    """Pads or truncates lists to rows of k elements.

    offsets: (m + 1). values: (n), of any type. k: elements of a row.
    fill: the value where a list has no element.
    start: index in its list of the first element of each row. A negative index counts from the end,
        so that start=-k aligns rows to the ends of lists.
    starts: (m), of the type of offsets: the index for each list instead, such as a result of
        "argmax". A negative index does not count from the end: elements before the list are `fill`.

    Returns: (m, k), of the type of values.

    >>> mote.jagged.pad([0, 3, 3, 4], [4, 5, 6, 7], 2, fill=-1)
    array([[ 4,  5],
           [-1, -1],
           [ 7, -1]])
    """
    args = structure("mote_jagged_pad_args", k=whole_number(k, "k"),
                     start=_place_in_list(start, 0, "start"))
    with place_of([offsets, values, starts], context, error) as place:
        array, values = _begin(place, args, offsets, values)
        lists = len(array) - 1
        if starts is not None:
            starts = place.given(starts, "starts", [array.dtype], 1)
            if len(starts) != lists:
                raise bad_value(f"{len(starts)} starts for {lists} lists")
            place.put(args.starts, starts, "starts")
        fill = _one_value(fill, values.dtype)
        args.fill = ffi.from_buffer(fill)
        result = place.room(args.result, (lists, args.k), values.dtype, out)
        place.run("mote_jagged_pad", args)
        return place.fetch(result)


def slice(offsets, values, start, stop, *, capacity=None, context=None, error=None):
    """Slices each list as Python does: list[start:stop].

    offsets: (m + 1). values: (n), of any type. start, stop: whole numbers, which count from the end
    of a list if they are negative, or None. capacity: the largest number of elements; more elements
    are an error. None: the call makes two passes, and on the device it waits between them.

    Returns: offsets, (m + 1), of which the first is 0; values, (number), or on the device (capacity).

    >>> offsets, values = mote.jagged.slice([0, 3, 3, 4], [4, 5, 6, 7], 1, None)
    >>> offsets, values
    (array([0, 2, 2, 2]), array([5, 6]))
    """
    args = structure("mote_jagged_slice_args", start=_place_in_list(start, 0, "start"),
                     stop=_place_in_list(stop, _MOST, "stop"))
    with place_of([offsets, values], context, error) as place:
        array, values = _begin(place, args, offsets, values)
        kept, ends = _expand(place, "mote_jagged_slice", args, array.dtype, len(array) - 1,
                             ("offsets_out", "sliced"), capacity, {"sliced": values.dtype})
        return ends, kept


def topk(offsets, values, k, largest=True, *, capacity=None, context=None, error=None):
    """Selects the k largest or smallest values of each list, the best value first.

    offsets: (m + 1). values: (n), bool, integers or floats. k: values of each list. largest: False:
    the smallest values. capacity: see slice().

    Returns: offsets, (m + 1), of which the first is 0; values, and their indices in their lists as
    int64, (number) each, or on the device (capacity). Lists with fewer than k values keep all
    values. Equal values keep their order. NaN follows all numbers, also among the smallest values.

    >>> offsets, values, indices = mote.jagged.topk([0, 3, 3, 4], [4, 6, 5, 7], 2)
    >>> offsets, values, indices
    (array([0, 2, 2, 3]), array([6, 5, 7]), array([1, 2, 0]))
    """
    order = structure("mote_jagged_sort_args", descending=bool(largest))
    args = structure("mote_jagged_slice_args", stop=whole_number(k, "k", _MOST))
    with place_of([offsets, values], context, error) as place:
        array, values = _begin(place, order, offsets, values)
        place.between(order.result, len(values), values.dtype)
        place.between(order.indices, len(values), _PLACES)
        place.run("mote_jagged_sort", order)
        args.offsets, args.values = order.offsets, order.result
        best, ends = _expand(place, "mote_jagged_slice", args, array.dtype, len(array) - 1,
                             ("offsets_out", "sliced"), capacity, {"sliced": values.dtype})
        args.values = order.indices
        args.offsets_out = args.sliced = ffi.new("mote_view *")[0]
        place.between(args.offsets_out, len(array), array.dtype)
        places = place.room(args.sliced, len(best), _PLACES)
        place.run("mote_jagged_slice", args)
        return ends, best, place.fetch(places)


def median(offsets, values, *, context=None, error=None):
    """Computes the median of each list: quantile(offsets, values, 0.5), with its other arguments.

    Returns: (m), as quantile().

    >>> mote.jagged.median([0, 3, 3, 5], [4, 6, 5, 7, 8])
    array([5. , nan, 7.5])
    """
    return quantile(offsets, values, 0.5, context=context, error=error)


def quantile(offsets, values, q, *, context=None, error=None):
    """Computes quantiles of each list as numpy.quantile(). The lists need not be sorted.

    offsets: (m + 1). values: (n), bool, integers or floats. q: a number from 0 to 1, or up to 256
    such numbers.

    Returns: (m), or (m, number of q): float32 for float16 and float32, else float64. Quantiles of
    float64 values have NumPy's bits. Quantiles of a list that is empty or contains NaN are NaN.

    >>> mote.jagged.quantile([0, 3, 3, 5], [4, 6, 5, 7, 8], [0, 0.25])
    array([[4.  , 4.5 ],
           [ nan,  nan],
           [7.  , 7.25]])
    """
    quantiles = numpy.atleast_1d(_arrays.numbers(q, "q", "f8"))
    if quantiles.ndim > 1 or len(quantiles) > _MOST_QUANTILES:
        raise bad_value(f"q has the shape {quantiles.shape}: a number, or up to "
                        f"{_MOST_QUANTILES}, are wanted")
    if not ((quantiles >= 0) & (quantiles <= 1)).all():
        raise bad_value(f"q is {q!r}: numbers from 0 to 1 are wanted")
    order = structure("mote_jagged_sort_args")
    args = structure("mote_jagged_quantile_args", count=len(quantiles))
    with place_of([offsets, values], context, error) as place:
        array, values = _begin(place, order, offsets, values)
        place.between(order.result, len(values), values.dtype)
        place.run("mote_jagged_sort", order)
        args.offsets, args.values = order.offsets, order.result
        args.values.type = _types.number(values.dtype, "values")
        args.quantiles = ffi.from_buffer("double[]", quantiles)
        shape = len(array) - 1, len(quantiles)
        dtype = result_type(lib.MOTE_REDUCE_MEAN, _types.number(values.dtype, "values"),
                            _types.number(array.dtype, "offsets"), None)[1]
        result = place.room(args.result, shape[:1] if numpy.ndim(q) == 0 else shape, dtype)
        place.run("mote_jagged_quantile", args)
        return place.fetch(result)
