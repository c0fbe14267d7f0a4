# SPDX-License-Identifier: Apache-2.0
"""Means, variances and standard deviations of arrays and rows, which are lists of equal length."""

import numpy

from . import _arrays, _types, jagged
from ._device import is_device_array
from ._errors import bad_value
from ._library import lib
from ._reduce import rows_last
from ._reductions import reduction, result_type

_DOC = """The {what} of an array, or of each row along an axis.

    values, axis, nan, out, context: as of mote.sum().
    dtype: the type of the result, float64, or float32 for values that are float16 or float32;
        None: float64 for integers, float32 for float16, else as values.{ddof}

    Returns: a scalar for axis None, else an array without that axis. No values give NaN.
    """
_DDOF = """
    ddof: a whole number, which is subtracted from the number of values before the sum of squares
        is divided by it."""


def _rows(array, rows, n):
    """Offsets of rows of n values."""
    offsets = numpy.arange(rows + 1, dtype=numpy.int64) * n
    if not is_device_array(array):
        return offsets
    import pyopencl.array
    return pyopencl.array.to_device(array.queue, offsets)


def _of_rows(op, values, axis, ddof, dtype, nan, out, context):
    if not is_device_array(values) and not isinstance(values, numpy.ndarray):
        values = _arrays.given(values, "values")
    array, shape = rows_last(values, axis)
    rows = int(numpy.prod(shape, dtype=object))
    n = array.size // rows if axis is None or rows else 0
    if not is_device_array(array):
        array = _arrays.given(array, "values")
    elif not array.flags.c_contiguous or array.queue is None:
        raise bad_value("values must be contiguous and have a queue: array.with_queue(queue)")
    if out is not None:
        if is_device_array(array):
            raise bad_value(f"a {op} on the device takes no out")
        wanted = result_type(reduction(op), _types.number(array.dtype, "values"), lib.MOTE_INT64,
                             dtype)[1]
        _arrays.output(out, shape, wanted, inputs=[array])
    found = jagged.reduce(_rows(array, rows, n), array.reshape(-1), op, ddof=ddof, dtype=dtype,
                          nan=nan, context=context)
    found = found.reshape(shape)
    if out is None:
        return found if is_device_array(found) else found[()]
    out[...] = found
    return out


def mean(values, axis=None, *, dtype=None, nan="propagate", out=None, context=None):
    return _of_rows("mean", values, axis, 0, dtype, nan, out, context)


def var(values, axis=None, *, ddof=0, dtype=None, nan="propagate", out=None, context=None):
    return _of_rows("var", values, axis, ddof, dtype, nan, out, context)


def std(values, axis=None, *, ddof=0, dtype=None, nan="propagate", out=None, context=None):
    return _of_rows("std", values, axis, ddof, dtype, nan, out, context)


mean.__doc__ = _DOC.format(what="mean", ddof="")
var.__doc__ = _DOC.format(what="variance", ddof=_DDOF)
std.__doc__ = _DOC.format(what="standard deviation", ddof=_DDOF)
