# SPDX-License-Identifier: Apache-2.0
"""What sums of arrays and of lists share: operations, and the types of their results."""

import functools

import numpy

from . import _types, _words
from ._errors import bad_type, text
from ._library import lib


def reduction(word):
    """Returns the library's number of an operation, such as "sum"."""
    return _words.number("mote_reduction_name", "op", word)


@functools.cache
def _possible(op, values, offsets):
    """The mote_types of results, the usual one first."""
    allowed = lib.mote_reduction_results(op, values, offsets)
    return [number for number in _types.DTYPES if allowed >> number & 1]


def result_type(op, values, offsets, dtype):
    """The mote_type and dtype of results: the one asked for, else the usual one.

    op: the number of the operation. values, offsets: mote_types; 0 = none.
    """
    possible = _possible(op, values, offsets)
    if not possible:
        raise bad_type(f"no {_name(op)} of {_types.DTYPES.get(values, 'nothing')}")
    if dtype is None:
        return possible[0], _types.DTYPES[possible[0]]
    wanted = numpy.dtype(dtype)
    for number in possible:
        if _types.DTYPES[number] == wanted:
            return number, wanted
    listed = ", ".join(str(_types.DTYPES[number]) for number in possible)
    raise bad_type(f"a {_name(op)} of {_types.DTYPES.get(values, 'nothing')} cannot be {wanted}: "
                   f"it can be {listed}")


def _name(op):
    return text(lib.mote_reduction_name(op))
