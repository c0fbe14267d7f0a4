# SPDX-License-Identifier: Apache-2.0
"""Reductions and prefix sums of arrays and rows, which are lists of equal length."""

import numpy

from . import _arrays, _types, jagged
from ._device import is_device_array
from ._errors import bad_value
from ._library import lib
from ._reduce import rows_last
from ._reductions import reduction, result_type

_DOC = """Returns {what} of an array, or of each row along one or more axes.

    values, axis, keepdims, out, context: see mote.sum().{ddof}
    dtype, nan: see mote.jagged.reduce(), which lists the types of results.

    Returns: a scalar for axis None, else an array without these axes. No values give {empty}.

    >>> mote.{op}([[0, 2], [3, 4]], axis=1)
    array({shown})
    """
_DDOF = """
    ddof: a whole number, which is subtracted from the number of values before the sum of squares
        is divided by it."""


def _lists(values, axis, keepdims):
    """Returns contiguous values, offsets of the rows in them, and the shape of a result."""
    if not is_device_array(values) and not isinstance(values, numpy.ndarray):
        values = _arrays.given(values, "values")
    array, rows, shape = rows_last(values, axis, keepdims)
    offsets = numpy.arange(rows + 1, dtype=numpy.int64) * (array.size // max(rows, 1))
    if not is_device_array(array):
        return _arrays.given(array, "values"), offsets, shape
    if not array.flags.c_contiguous or array.queue is None:
        raise bad_value("values must be contiguous and have a queue: array.with_queue(queue)")
    import pyopencl.array
    return array, pyopencl.array.to_device(array.queue, offsets), shape


def _of_rows(op, values, axis, keepdims, ddof, dtype, nan, out, context):
    array, offsets, shape = _lists(values, axis, keepdims)
    if out is not None:
        if is_device_array(array):
            raise bad_value(f"a {op} on the device takes no out")
        wanted = result_type(reduction(op), _types.number(array.dtype, "values"), lib.MOTE_INT64,
                             dtype)[1]
        _arrays.output(out, shape, wanted, inputs=[array])
    found = jagged.reduce(offsets, array.reshape(-1), op, ddof=ddof, dtype=dtype, nan=nan,
                          context=context)
    found = found.reshape(shape)
    if out is None:
        return found if is_device_array(found) else found[()]
    out[...] = found
    return out


def _function(op, what, empty, shown):
    def function(values, axis=None, *, keepdims=False, dtype=None, nan="propagate", out=None,
                 context=None):
        return _of_rows(op, values, axis, keepdims, 0, dtype, nan, out, context)

    return _named(function, op, what, empty, shown, "")


def _spread(op, what, shown):
    def function(values, axis=None, *, keepdims=False, ddof=0, dtype=None, nan="propagate",
                 out=None, context=None):
        return _of_rows(op, values, axis, keepdims, ddof, dtype, nan, out, context)

    return _named(function, op, what, "NaN", shown, _DDOF)


def _named(function, op, what, empty, shown, ddof):
    function.__name__ = function.__qualname__ = op
    function.__module__ = "mote"
    function.__doc__ = _DOC.format(op=op, what=what, empty=empty, shown=shown, ddof=ddof)
    return function


mean = _function("mean", "the mean", "NaN", "[1. , 3.5]")
var = _spread("var", "the variance", "[1.  , 0.25]")
std = _spread("std", "the standard deviation", "[1. , 0.5]")
prod = _function("prod", "the product", "1", "[ 0, 12]")
any = _function("any", "whether any value is not 0", "False", "[ True,  True]")
all = _function("all", "whether no value is 0", "True", "[False,  True]")
argmin = _function("argmin", "the position of the first smallest value", "-1", "[0, 0]")
argmax = _function("argmax", "the position of the first largest value", "-1", "[1, 1]")


def cumsum(values, axis=None, *, dtype=None, context=None):
    """Returns the sum of each element and those before it, in an array or along an axis.

    values, context: see mote.sum(). axis: None for the flattened array, or one axis. dtype: see
    mote.jagged.scan(), which adds in the same order.

    Returns: an array of the shape of the values, or flat for axis None.

    >>> mote.cumsum([[1, 2], [3, 4]], axis=1)
    array([[1, 3],
           [3, 7]])
    """
    if isinstance(axis, tuple):
        raise bad_value(f"axis is {axis}: one axis, or None, is wanted")
    array, offsets, _ = _lists(values, axis, False)
    sums = jagged.scan(offsets, array.reshape(-1), dtype=dtype, context=context)
    if axis is None or is_device_array(sums):  # on the device, the axis is the last one
        return sums if axis is None else sums.reshape(array.shape)
    return numpy.moveaxis(sums.reshape(array.shape), -1, axis)
