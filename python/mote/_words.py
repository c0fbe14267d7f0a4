# SPDX-License-Identifier: Apache-2.0
"""The library's enumerations as words: each has a function for its names, counting up from 0."""

from ._errors import bad_value, text
from ._library import lib

_tables = {}


def _table(function):
    name = getattr(lib, function)
    table, number = {}, 0
    while (word := text(name(number))) is not None:
        table[word] = number
        number += 1
    _tables[function] = table
    return table


def number(function, what, word):
    """Returns the number of a word in an enumeration of the library.

    function: the function that returns the names, such as "mote_pbc_name". what: names the argument
    in messages.
    """
    try:
        return (_tables.get(function) or _table(function))[word]
    except (KeyError, TypeError):
        known = ", ".join(_tables[function])
        raise bad_value(f"{what} is {word!r}: it must be one of {known}") from None
