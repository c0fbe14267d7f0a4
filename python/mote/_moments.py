# SPDX-License-Identifier: Apache-2.0
"""Means, variances and standard deviations of rows and of lists, made of the library's sums.

A variance takes two passes: the mean of each list, then the sums of the values less that mean, and
of their squares. The first of the two, which is 0 but for the mean's rounding, corrects the second
(T. F. Chan, G. H. Golub, R. J. LeVeque, "Algorithms for computing the sample variance", Amer.
Statist. 37 (1983) 242). So no digits are lost where the mean is large.
"""

import numpy

from . import _arrays, _types, jagged
from ._device import is_device_array
from ._errors import bad_type, bad_value
from ._reduce import rows_last

_F64 = numpy.dtype("float64")
_SPREADS = ("var", "std")

_DOC = """The {what} of an array, or of each row along an axis.

    values, axis, nan, out, context: as of mote.sum().
    dtype: the type of the result, float32 or float64; None: float64 for integers, else as values,
        and float32 for float16.{ddof}

    Returns: a scalar for axis None, else an array without that axis. No values give NaN.
    """
_DDOF = """
    ddof: what is taken off the number of values by which the sum of squares is divided."""


def _result_dtype(values, dtype):
    usual = values.dtype if values.dtype.kind == "f" and values.dtype.itemsize > 2 else \
        numpy.dtype("float32" if values.dtype.kind == "f" else "float64")
    wanted = usual if dtype is None else numpy.dtype(dtype)
    if wanted not in (_F64, numpy.dtype("float32")):
        raise bad_type(f"a variance cannot be {wanted}: it can be float32, float64")
    return wanted


def _ends(offsets):
    """The first and last offset, for which it waits on the device."""
    ends = offsets[:1], offsets[-1:]
    if is_device_array(offsets):
        ends = [end.get() for end in ends]
    return [int(end[0]) for end in ends]


def _deviations(offsets, values, means, base_first, context):
    """What the lists have, less the mean of their list, as float64."""
    begin, end = _ends(offsets)
    first = 0 if base_first else begin
    used = values[first:first + end - begin]
    if len(used) != end - begin:  # on the device nothing has told so yet
        raise bad_value(f"the lists end at {first + end - begin}: there are {len(values)} values")
    rest = jagged.gather(offsets, means, n=end - begin, context=context)
    if is_device_array(used):
        return used.astype(_F64) - rest
    return numpy.subtract(used, rest, out=rest)


def _variances(offsets, values, ddof, nan, base_first, context, error):
    """The variance of each list, float64."""
    def sums(of, error=None):
        return jagged.segments(offsets, of, "sum", nan=nan, base_first=True, context=context,
                               error=error)

    means = jagged.segments(offsets, values, "mean", dtype=_F64, nan=nan, base_first=base_first,
                            context=context)
    rest = _deviations(offsets, values, means, base_first, context)
    if nan == "skip":
        number = jagged.segments(offsets, rest == rest, "countnonzero", base_first=True,
                                 context=context)
    else:
        number = jagged.counts(offsets, context=context)
    number, left = number.astype(_F64), sums(rest)
    # On the device nothing is changed in place: a call that still reads it may be under way.
    squares = sums(rest * rest if is_device_array(rest) else numpy.square(rest, out=rest), error)
    divisor = number - ddof
    return (squares - left * left / number) / (divisor * (divisor > 0).astype(_F64))


def of_lists(offsets, values, op, ddof, dtype, nan, base_first, out, context, error):
    """jagged.segments() for the operations "var" and "std"."""
    on_device = is_device_array(values)
    if on_device != is_device_array(offsets):
        raise bad_type("some arrays are pyopencl's and some are not: bring them to one place")
    if on_device and values.dtype == numpy.float16:
        raise bad_type(f"a {op} of float16 on the device is not there: bring float32")
    if not on_device:
        offsets = _arrays.given(offsets, "offsets", _types.INDICES, 1)
        values = _arrays.given(values, "values", ndim=1)
    if isinstance(ddof, bool) or not isinstance(ddof, (int, float, numpy.number)):
        raise bad_value(f"ddof is {ddof!r}: a number is wanted")
    wanted = _result_dtype(values, dtype)
    if out is not None:
        if on_device:
            raise bad_value(f"a {op} on the device takes no out")
        _arrays.output(out, len(offsets) - 1, wanted, inputs=[offsets, values])
    with numpy.errstate(all="ignore"):  # infinities, and lists of ddof elements or fewer
        found = _variances(offsets, values, ddof, nan, base_first, context, error)
    if op == "std":
        found = found ** 0.5
    if out is None:
        return found.astype(wanted) if found.dtype != wanted else found
    out[...] = found
    return out


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
        wanted = _result_dtype(array, dtype)
        _arrays.output(out, shape, wanted, inputs=[array])
    found = jagged.segments(_rows(array, rows, n), array.reshape(-1), op, dtype=dtype, nan=nan,
                            context=context, **({"ddof": ddof} if op in _SPREADS else {}))
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
