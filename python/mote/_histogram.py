# SPDX-License-Identifier: Apache-2.0
"""Histograms (mote/histogram.h), with the arguments and the edges of numpy.histogram()."""

import numpy

from . import _arrays, _reduce, _types
from ._call import call_host, chosen_context, structure
from ._device import is_device_array, place_of
from ._errors import bad_type, bad_value
from ._library import lib

_WEIGHTS = [numpy.dtype("float64"), numpy.dtype("float32")]
_COUNTS = numpy.dtype("int64")


def _extremes(values, context):
    """Returns an array of the type of the values with the same smallest and largest element."""
    if not values.size:
        return numpy.empty(0, values.dtype)
    ends = [find(values, context=context) for find in (_reduce.min, _reduce.max)]
    return numpy.array([end.get() if is_device_array(end) else end for end in ends],
                       values.dtype).ravel()


def _edges(values, bins, range, context):
    """The edges that numpy.histogram() has."""
    if isinstance(bins, str):
        raise bad_type(f"bins is {bins!r}: a number of bins, or edges, are wanted, such as "
                       f"numpy.histogram_bin_edges(values, {bins!r})")
    if range is not None and numpy.ndim(bins) == 0 and numpy.shape(range) != (2,):
        raise bad_value(f"range is {range!r}: the lowest and the highest edge are wanted")
    number = numpy.ndim(bins) == 0 and range is None
    given = _extremes(values, context) if number else numpy.empty(0, values.dtype)
    try:
        if given.dtype.kind == "b":
            given = given.astype("u1")
        edges = numpy.histogram_bin_edges(given, bins, range)
    except TypeError as reason:
        raise bad_type(f"bins or range: {reason}") from None
    except ValueError as reason:
        raise bad_value(f"bins or range: {reason}") from None
    if len(edges) < 2:
        raise bad_value(f"bins is {bins!r}: two edges or more are wanted")
    return edges


def _compared(edges, dtype):
    """The edges in a type that the library compares with values of type dtype."""
    if edges.dtype in (dtype, *_WEIGHTS):
        return numpy.ascontiguousarray(edges)
    return numpy.ascontiguousarray(edges, "float64")


def histogram(values, bins=10, range=None, weights=None, *, error=None, context=None):
    """The number of values in each bin, or the sum of their weights, as numpy.histogram().

    values: array of any shape, or a contiguous pyopencl array (its counts stay on the device).
    bins: the number of bins of equal width, or the edges, which do not decrease.
    range: (lowest, highest) edge; None: the smallest and the largest value, for which a call on the
        device waits. Not used if bins are edges.
    weights: array of float32 or float64, of the shape of the values; None: values are counted.
    error: mote.ErrorWord for errors in data on the device. context: Context or device string.

    Returns: (counts, edges). Counts are int64 and exact; sums have the type of the weights, and the
    same bits on every device: each weight is rounded to a multiple of a fixed unit
    (mote/histogram.h). edges is a numpy array.
    Raises MoteError; with it TypeError for a type, ValueError for a shape or edges.

    >>> counts, edges = mote.histogram([1, 1, 2, 5], bins=[0, 2, 4, 6])
    >>> counts, edges
    (array([2, 1, 1]), array([0, 2, 4, 6]))
    """
    on_device = is_device_array(values)
    if not on_device:
        values = _arrays.given(values, "values")
        weights = None if weights is None else _arrays.given(weights, "weights", _WEIGHTS)
    if weights is not None and weights.shape != values.shape:
        raise bad_value(f"weights has the shape {weights.shape}: that of values is {values.shape}")
    if not on_device and error is not None:
        raise bad_value("error words are for pyopencl arrays: calls on plain arrays raise")
    edges = _edges(values, bins, range, context)
    compared = _compared(edges, values.dtype)
    kind = _COUNTS if weights is None else weights.dtype
    if on_device:
        return _on_device(values, compared, weights, kind, error, context), edges
    number = _types.number(values.dtype, "values")
    result = _arrays.output(None, len(edges) - 1, kind)
    args = structure("mote_histogram_host_args", values=_arrays.pointer(values), n=values.size,
                     type=number, bins=len(result), edges=_arrays.pointer(compared),
                     edges_type=_types.number(compared.dtype, "bins"),
                     weights=_arrays.pointer(weights),
                     weights_type=0 if weights is None else _types.number(kind, "weights"),
                     result=_arrays.pointer(result))
    call_host(chosen_context(context), "mote_histogram_host", args)
    return result, edges


def _on_device(values, edges, weights, kind, error, context):
    import pyopencl.array
    with place_of([values, weights], context, error) as place:
        values = place.given(values, "values")
        args = structure("mote_histogram_args")
        args.values.type = _types.number(values.dtype, "values")
        place.put(args.values, values, "values")
        place.put(args.edges, pyopencl.array.to_device(place.queue, edges), "bins")
        if weights is not None:
            weights = place.given(weights, "weights", _WEIGHTS)
            args.weights.type = _types.number(kind, "weights")
            place.put(args.weights, weights, "weights")
        result = place.room(args.result, len(edges) - 1, kind)
        place.run("mote_histogram", args)
        return place.fetch(result)
