# SPDX-License-Identifier: Apache-2.0
"""Different values of lists, found as the runs of sorted lists."""

import numpy

from . import _arrays, _types, jagged
from ._device import is_device_array
from ._expansions import gather, runs


def _zeros(values, dtype):
    """Returns zeros, as many as there are values, on the host or device that has the values."""
    if not is_device_array(values):
        return numpy.zeros(len(values), dtype)
    import pyopencl.array
    return pyopencl.array.zeros(values.queue, len(values), dtype)


def _inverse(offsets, values, ends, lengths, where):
    """Returns for each value the index of its run among the runs of its list."""
    order = jagged.argsort(offsets, values, dtype=offsets.dtype, **where)
    starts = gather(offsets, offsets[:-1], **where)
    number = jagged.local_index(ends, n=len(lengths), **where)
    number = gather(jagged.offsets(lengths, **where), number, n=len(starts), **where)
    result = _zeros(values, offsets.dtype)
    if len(starts):
        first = int(offsets[:1].get()[0] if is_device_array(offsets) else offsets[0])
        result[starts + order[first:first + len(starts)]] = number
    return result


def unique(offsets, values, *, return_inverse=False, return_counts=False, context=None, error=None):
    """Finds the different values of each list in ascending order, as numpy.unique().

    offsets: (m + 1). values: (n), bool, integers or floats. -0 equals 0. NaN is the last value, and
    equals every other NaN.

    Returns: offsets, (m + 1), of which the first is 0, and the different values of each list,
    (number). With return_inverse, also the index of each of the n values among the different values
    of its list, which is 0 for values of no list. With return_counts, also the number of times that
    each different value occurs, (number). On the device, the call waits for the number of values, and
    raises errors in the data even if an error word is given.

    >>> offsets, values, inverse, counts = mote.jagged.unique(
    ...     [0, 3, 5], [6, 4, 6, 5, 5], return_inverse=True, return_counts=True)
    >>> offsets, values
    (array([0, 2, 3]), array([4, 6, 5]))
    >>> inverse, counts
    (array([1, 0, 1, 0, 0]), array([1, 2, 2]))
    """
    where = {"context": context, "error": error}
    if not is_device_array(offsets):
        offsets = _arrays.given(offsets, "offsets", _types.INDICES, 1)
        values = _arrays.given(values, "values", None, 1)
    _, found, lengths, ends = runs(offsets, jagged.sort(offsets, values, **where), True, **where)
    result = [ends, found]
    if error is not None:
        error.check()  # the calls below would clear the word
    if return_inverse:
        result.append(_inverse(offsets, values, ends, lengths, {"context": context}))
    return (*result, lengths) if return_counts else tuple(result)
