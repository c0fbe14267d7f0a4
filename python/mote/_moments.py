# SPDX-License-Identifier: Apache-2.0
"""Means, variances and standard deviations of rows and of lists, made of the library's sums.

A variance takes two passes: the mean of each list, then the sums of the values less that mean, and
of their squares. The first of the two, which is 0 but for the mean's rounding, corrects the second
(T. F. Chan, G. H. Golub, R. J. LeVeque, "Algorithms for computing the sample variance", Amer.
Statist. 37 (1983) 242). So no digits are lost where the mean is large.
"""

import numpy

from . import _arrays, _types, _words, jagged
from ._call import structure
from ._device import is_device_array, place_of
from ._errors import bad_type, bad_value
from ._library import lib
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


def _ends(place, offsets):
    """The first and last offset, for which it waits on the device."""
    ends = offsets[:1], offsets[-1:]
    if place.on_device:
        ends = [end.get(place.queue) for end in ends]
    return [int(end[0]) for end in ends]


def _means(place, offsets, values, nan, base_first):
    """Puts the means of lists, float64, on the device; the arguments of the call, and the means."""
    args = structure("mote_jagged_reduce_args", reduction=lib.MOTE_REDUCE_MEAN, nan=nan,
                     base_first=bool(base_first))
    place.put(args.offsets, offsets, "offsets")
    args.values.type = _types.number(values.dtype, "values")
    place.put(args.values, values, "values")
    result = place.room(args.result, len(offsets) - 1, _F64)
    place.run("mote_jagged_reduce", args, silent=True)
    return args, result


def _sums(place, means, rest, lists, silent):
    """The sums of what the lists have less their means, or of the squares."""
    args = structure("mote_jagged_reduce_args", reduction=lib.MOTE_REDUCE_SUM, nan=means.nan,
                     base_first=True)
    args.offsets, args.values = means.offsets, rest.result
    args.values.type = _types.number(_F64, "values")
    result = place.room(args.result, lists, _F64)
    place.run("mote_jagged_reduce", args, silent=silent)
    return place.fetch(result)


def _numbers(place, offsets, values, nan, context):
    """How many elements of each list count; values: those of the lists."""
    if nan == "skip" and values.dtype.kind == "f":
        return jagged.reduce(offsets, values == values, "countnonzero", base_first=True,
                               context=context)
    return jagged.counts(offsets, context=context)


def _variances(place, offsets, values, ddof, nan, base_first):
    """The variance of each list, float64."""
    policy = _words.number("mote_nan_policy_name", "nan", nan)
    begin, end = _ends(place, offsets)
    lists, n, first = len(offsets) - 1, end - begin, 0 if base_first else begin
    means, middles = _means(place, offsets, values, policy, base_first)
    if first < 0:
        raise bad_value(f"the lists begin at {first}: offsets are at least 0")
    if not 0 <= n <= len(values) - first:  # on the device nothing has told so yet
        raise bad_value(f"the lists end at {first + n}: there are {len(values)} values")
    rest = structure("mote_jagged_gather_by_parent_args")
    rest.offsets, rest.values, rest.elements = means.offsets, means.result, means.values
    rest.elements.offset, rest.elements.count = rest.elements.offset + first, n
    apart = place.between(rest.result, n, _F64)
    found = []
    for squared in (False, True):
        rest.squared = squared
        place.run("mote_jagged_gather_by_parent", rest, silent=True)
        found.append(_sums(place, means, rest, lists, silent=not squared))
    left, squares = found
    used = apart if place.on_device else values[first:first + n]
    number = _numbers(place, offsets, used, nan, place.context).astype(_F64)
    divisor = number - ddof
    variances = (squares - left * left / number) / (divisor * (divisor > 0).astype(_F64))
    if nan == "skip" and not place.on_device:  # infinities less infinite means were skipped, too
        variances += 0 * place.fetch(middles)
    return variances


def of_lists(offsets, values, op, ddof, dtype, nan, base_first, out, context, error):
    """jagged.reduce() for the operations "var" and "std"."""
    if isinstance(ddof, bool) or not isinstance(ddof, (int, float, numpy.number)):
        raise bad_value(f"ddof is {ddof!r}: a number is wanted")
    with place_of([offsets, values], context, error) as place:
        offsets = place.given(offsets, "offsets", _types.INDICES, 1)
        values = place.given(values, "values", ndim=1)
        if len(offsets) == 0:
            raise bad_value("offsets are empty: m lists have m + 1 of them")
        wanted = _result_dtype(values, dtype)
        if out is not None:
            if place.on_device:
                raise bad_value(f"a {op} on the device takes no out")
            _arrays.output(out, len(offsets) - 1, wanted, inputs=[offsets, values])
        with numpy.errstate(all="ignore"):  # infinities, and lists of ddof elements or fewer
            found = _variances(place, offsets, values, ddof, nan, base_first)
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
    found = jagged.reduce(_rows(array, rows, n), array.reshape(-1), op, dtype=dtype, nan=nan,
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
