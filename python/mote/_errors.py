# SPDX-License-Identifier: Apache-2.0
"""Failures: a status of the library, its sentence, and the built-in exception that fits."""

from . import _building
from ._library import ffi, lib


class MoteError(RuntimeError):
    """A call failed.

    status: the number, as in mote/status.h (an OpenCL code passes through unchanged).
    sentence: what was wrong, with the offending values and the remedy.
    name: the status as "MOTE_ERROR_INVALID_VIEW" or "CL_OUT_OF_RESOURCES".
    """

    def __init__(self, status, sentence):
        super().__init__(status, sentence)
        self.status = status
        self.sentence = sentence

    @property
    def name(self):
        """The name of the status."""
        return text(lib.mote_status_name(self.status))

    def __str__(self):
        return f"{self.sentence} ({self.name})"


class MoteValueError(MoteError, ValueError):
    """An argument or the data is wrong: a length, a list, a digi, an atom, a box."""


class MoteTypeError(MoteError, TypeError):
    """An array has a type of elements that the call does not take."""


class MoteMemoryError(MoteError, MemoryError):
    """Host or device has too little memory."""


_KINDS = {
    lib.MOTE_ERROR_INVALID_ARGUMENT: MoteValueError,
    lib.MOTE_ERROR_INVALID_VIEW: MoteValueError,
    lib.MOTE_ERROR_CAPACITY: MoteValueError,
    lib.MOTE_ERROR_INVALID_TYPE: MoteTypeError,
    lib.MOTE_ERROR_OUT_OF_HOST_MEMORY: MoteMemoryError,
    lib.MOTE_ERROR_OUT_OF_DEVICE_MEMORY: MoteMemoryError,
    -4: MoteMemoryError,  # CL_MEM_OBJECT_ALLOCATION_FAILURE
    -6: MoteMemoryError,  # CL_OUT_OF_HOST_MEMORY
}


def text(characters):
    """A C string as str; None for NULL."""
    return ffi.string(characters).decode(errors="replace") if characters else None


def characters(string, what):
    """Encodes a str for a C string, which cannot hold NUL. what: names the argument in messages."""
    if "\0" in string:
        raise bad_value(f"{what} is {string!r}: it must not have a NUL character, where a C string "
                        "ends")
    try:
        return string.encode()
    except UnicodeEncodeError:  # a lone surrogate, as from os.fsdecode()
        raise bad_value(f"{what} is {string!r}: it must not have surrogates, which are no "
                        "characters") from None


def error(status, sentence):
    """The exception for a status and its sentence."""
    kind = _KINDS.get(status)
    if kind is None:  # errors in the data have the numbers from -20100 down
        kind = MoteValueError if status <= lib.MOTE_ERROR_EVENT_OFFSETS else MoteError
    return kind(status, sentence)


def check(status):
    """Ends a call: raises the exception of one that returned a status other than 0."""
    try:
        if status:
            raise error(status, text(lib.mote_last_error()))
    finally:
        if _building.calls:
            _building.end_call()


def bad_value(sentence):
    """What to raise for an argument that the library cannot be given."""
    return error(lib.MOTE_ERROR_INVALID_ARGUMENT, sentence)


def bad_type(sentence):
    """What to raise for a type of elements that the library cannot be given."""
    return error(lib.MOTE_ERROR_INVALID_TYPE, sentence)
