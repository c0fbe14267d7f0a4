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


def _suggestion(word, known):
    """Returns "; did you mean ...?" for a word that is nearly known, or its beginning, else ""."""
    import difflib  # not needed by calls that succeed
    if not isinstance(word, str):
        return ""
    begun = [whole for whole in known if len(word) >= 3 and whole.startswith(word.lower())]
    near = begun or difflib.get_close_matches(word.lower(), known, 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def number(function, what, word):
    """Returns the number of a word in an enumeration of the library.

    function: the function that returns the names, such as "mote_pbc_name". what: names the argument
    in messages.
    """
    try:
        return (_tables.get(function) or _table(function))[word]
    except (KeyError, TypeError):
        known = _tables[function]
        raise bad_value(f"{what} is {word!r}: it must be one of {', '.join(known)}"
                        f"{_suggestion(word, known)}") from None
