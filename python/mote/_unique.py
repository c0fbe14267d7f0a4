# SPDX-License-Identifier: Apache-2.0
"""The different values of lists, from sorted lists and their runs."""

import numpy

from . import _arrays, _types, jagged
from ._device import is_device_array
from ._expansions import gather, runs


def _zeros(values, dtype):
    """Returns as many zeros as there are values, in their place."""
    if not is_device_array(values):
        return numpy.zeros(len(values), dtype)
    import pyopencl.array
    return pyopencl.array.zeros(values.queue, len(values), dtype)


def _inverse(offsets, values, ends, lengths, where):
    """Returns for each value the place of its run among those of its list."""
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
    """The different values of each list in ascending order, as numpy.unique() of each list.

    offsets: (m + 1). values: (n), bool, integers or floats; -0 equals 0, and a NaN, which comes last,
    equals another NaN.

    Returns: offsets, values: the different values of each list, (m + 1), the first 0, and (number);
    with return_inverse, for each of the n values its place among those of its list, 0 for values of
    no list; with return_counts, how often each different value occurs, (number). On the device it
    waits for the number of values.

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
    if return_inverse:
        result.append(_inverse(offsets, values, ends, lengths, where))
    return (*result, lengths) if return_counts else tuple(result)
