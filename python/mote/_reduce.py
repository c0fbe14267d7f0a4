# SPDX-License-Identifier: Apache-2.0
"""Sums, minima and maxima of arrays and of their rows (mote/reduce.h)."""

import math
import operator

import numpy

from . import _arrays, _types, _words
from ._call import call_host, chosen_context, structure
from ._device import is_device_array, place_of
from ._errors import bad_value
from ._library import lib
from ._reductions import reduction, result_type

_DOC = """The {what} of an array, or of each row along one or more axes.

    values: numpy array of any shape, or a contiguous pyopencl array (its results stay on the
        device). Other types of elements than the library's are refused, never converted.
    axis: None for all values, one axis, or a tuple of axes. The last ones are read where they lie;
        for others the values are copied first (not on the device, where they must be the last).
    keepdims: whether the result has these axes with length 1, so that it broadcasts with values.
    dtype: the type of the result, where there is a choice: float32 or float64 for sums of float32.
    nan: "propagate", or "skip" to leave NaN out.
    accumulation: of float sums: "default" (in double), "native" or "compensated".
    out: array for the result, of its shape and type.
    context: Context or device string; None: the default one.

    Returns: a scalar for axis None, else an array without these axes. No values give {empty}.
    Raises MoteError; with it TypeError for a type, ValueError for a shape.
    The same values give the same bits on every device with double precision.

    >>> mote.{op}([[0, 2], [3, 4]], axis=1)
    array({shown})
    """


def _axes(axis, ndim):
    """Returns the numbers of one or more axes, ascending; None means all."""
    if axis is None:
        return list(range(ndim))
    try:
        axes = [operator.index(one) for one in (axis if isinstance(axis, tuple) else (axis,))]
    except TypeError:
        raise bad_value(f"axis is {axis!r}: one axis, a tuple of axes, or None, is "
                        "wanted") from None
    found = sorted({one % ndim for one in axes if -ndim <= one < ndim})
    if len(found) < len(axes):
        raise bad_value(f"axis is {axis}: the array has {ndim} dimension(s), and each axis may be "
                        "given once")
    return found


def rows_last(array, axis, keepdims):
    """Returns values with the axes at the end, the number of rows, and the shape of a result."""
    if axis is None and not keepdims:
        return array, 1, ()
    axes = _axes(axis, array.ndim)
    shape, kept = array.shape, [k for k in range(array.ndim) if k not in axes]
    if kept != list(range(len(kept))):
        if is_device_array(array):
            raise bad_value(f"axis is {axis}: on the device, only the last axes can be reduced")
        array = array.transpose([*kept, *axes])
    rows = math.prod(shape[k] for k in kept)
    return array, rows, tuple(1 if k in axes else n for k, n in enumerate(shape)
                              if keepdims or k not in axes)


def _reduce(op, values, axis, keepdims, dtype, nan, accumulation, out, context):
    if not is_device_array(values) and not isinstance(values, numpy.ndarray):
        values = _arrays.given(values, "values")
    array, rows, shape = rows_last(values, axis, keepdims)
    fields = {"reduction": reduction(op),
              "nan": _words.number("mote_nan_policy_name", "nan", nan),
              "accumulation": _words.number("mote_accumulation_name", "accumulation", accumulation)}
    if is_device_array(array):
        return _reduce_on_device(array, shape, rows, dtype, out, context, fields)
    array = _arrays.given(array, "values")
    number = _types.number(array.dtype, "values")
    result_number, result_dtype = result_type(fields["reduction"], number, 0, dtype)
    result = _arrays.output(out, shape, result_dtype, inputs=[array])
    if rows == 0:
        return result
    args = structure("mote_reduce_host_args", values=_arrays.pointer(array), type=number, rows=rows,
                     n=array.size // rows, result=_arrays.pointer(result),
                     result_type=result_number, **fields)
    call_host(chosen_context(context), "mote_reduce_host", args)
    return result[()]


def _reduce_on_device(array, shape, rows, dtype, out, context, fields):
    with place_of([array], context) as place:
        array = place.given(array, "values")
        number = _types.number(array.dtype, "values")
        _, result_dtype = result_type(fields["reduction"], number, 0, dtype)
        args = structure("mote_reduce_args", rows=rows, **fields)
        args.values.type = number
        place.put(args.values, array, "values")
        result = place.room(args.result, shape, result_dtype, out)
        if rows:
            place.run("mote_reduce_rows", args)
        return place.fetch(result)


def _function(op, what, empty, shown):
    def function(values, axis=None, *, keepdims=False, dtype=None, nan="propagate",
                 accumulation="default", out=None, context=None):
        return _reduce(op, values, axis, keepdims, dtype, nan, accumulation, out, context)

    function.__name__ = function.__qualname__ = op
    function.__module__ = "mote"
    function.__doc__ = _DOC.format(op=op, what=what, empty=empty, shown=shown)
    return function


sum = _function("sum", "sum", "0", "[2, 7]")
min = _function("min", "smallest value", "the type's largest value, or infinity", "[0, 3]")
max = _function("max", "largest value", "the type's smallest value, or minus infinity", "[2, 4]")
