# SPDX-License-Identifier: Apache-2.0
"""The library's types of elements and numpy's, which have the same names."""

import numpy

from ._errors import bad_type, text
from ._library import lib


def _numpy_types():
    """mote_type numbers and dtypes. Types that are not plain numbers have no dtype here."""
    found, number = {}, 1
    while lib.mote_type_size(number):
        try:
            found[number] = numpy.dtype(text(lib.mote_type_name(number)))
        except TypeError:
            pass
        number += 1
    return found


DTYPES = _numpy_types()
_NUMBERS = {dtype: number for number, dtype in DTYPES.items()}
INDICES = [numpy.dtype(name) for name in ("int64", "int32", "uint32")]  # of offsets and the like


def number(dtype, what):
    """The mote_type of a dtype in this machine's byte order. what: for the message."""
    found = _NUMBERS.get(dtype)
    if found is None:
        known = ", ".join(str(dtype) for dtype in _NUMBERS)
        remedy = f": give {what}.view(\"int64\")" if dtype.kind in "mM" else ""
        raise bad_type(f"{what} has the type {dtype}: the library has {known}{remedy}")
    return found
