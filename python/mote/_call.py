# SPDX-License-Identifier: Apache-2.0
"""Makes argument structures, and calls on plain arrays."""

from ._context import Context, default_context, shared_context
from ._errors import bad_value, check
from ._library import ffi, lib


_structures = {}  # their pointer types and sizes


def _learnt(name):
    kind = ffi.typeof(name + " *")
    found = _structures[name] = kind, ffi.sizeof(kind.item)
    return found


def structure(name, **fields):
    """Returns a structure with its size, and 0 in each field that is not given."""
    kind, size = _structures.get(name) or _learnt(name)
    made = ffi.new(kind, fields) if fields else ffi.new(kind)
    made.size = size
    return made


def chosen_context(context):
    """Returns the context for the argument `context` of a call."""
    if context is None:
        return default_context()
    if isinstance(context, Context):
        return context
    return shared_context(context)


def call_host(context, function, args, *result):
    """Calls mote_..._host, which returns when the results are complete.

    result: for functions that have one, its structure or NULL.
    """
    host = context.take_host()
    try:
        check(getattr(lib, function)(context.pointer, host, args, *result))
    finally:
        context.give_host(host)


def whole_number(value, what, most=2 ** 64 - 1, least=0):
    """Returns an integer that fits the library's field."""
    if type(value) is int and least <= value <= most:
        return value
    try:
        number = value.__index__()
    except (AttributeError, TypeError):
        raise bad_value(f"{what} is {value!r}: a whole number is wanted") from None
    if not least <= number <= most:
        raise bad_value(f"{what} is {number}: it must be {least} .. {most}")
    return number


def real_number(value, what):
    """Returns a number as a float, whose range the library checks."""
    try:
        return value.__float__()
    except (AttributeError, OverflowError, TypeError, ValueError):
        raise bad_value(f"{what} is {value!r}: a number is wanted") from None
