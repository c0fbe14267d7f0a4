# SPDX-License-Identifier: Apache-2.0
"""Argument structures, and calls on plain arrays."""

from ._context import Context, default_context, shared_context
from ._errors import bad_value, check
from ._library import ffi, lib


def structure(name, **fields):
    """A structure that its initialiser has set up; fields that are None keep the default."""
    made = ffi.new(name + " *")
    getattr(lib, name + "_init")(made)
    for field, value in fields.items():
        if value is not None:
            setattr(made, field, value)
    return made


def chosen_context(context):
    """The context that the argument `context` of a call means."""
    if context is None:
        return default_context()
    if isinstance(context, Context):
        return context
    return shared_context(context)


def call_host(context, function, args, *more):
    """Calls mote_..._host, which returns when the results are there."""
    with chosen_context(context).host() as (handle, host):
        check(getattr(lib, function)(handle, host, args, *more))


def whole_number(value, what, most=2 ** 64 - 1):
    """An integer that fits the library's field."""
    try:
        number = value.__index__()
    except (AttributeError, TypeError):
        raise bad_value(f"{what} is {value!r}: a whole number is wanted") from None
    if not 0 <= number <= most:
        raise bad_value(f"{what} is {number}: it must be 0 .. {most}")
    return number
