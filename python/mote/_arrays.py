# SPDX-License-Identifier: Apache-2.0
"""Plain arrays on their way into calls and out of them."""

import numpy

from ._errors import MoteMemoryError, bad_type, bad_value, error
from ._library import ffi, lib

_ndarray = numpy.ndarray
_MOST_COPIED = 1 << 32  # bytes; views of repeated elements look large and are not


def _from_sequence(values, dtypes, what):
    """A plain sequence as an array; whole numbers get the first type that is allowed."""
    try:
        array = numpy.array(values)
    except (TypeError, ValueError, OverflowError) as reason:
        raise bad_value(f"{what} is no array: {reason}") from None
    if not dtypes or (array.size and array.dtype.kind not in "iu"):
        return array
    dtype = numpy.dtype(dtypes[0])
    if array.size and dtype.kind in "iu":
        bounds = numpy.iinfo(dtype)
        if array.min() < bounds.min or array.max() > bounds.max:
            raise bad_value(f"{what} holds {array.min()} to {array.max()}: {dtype} is "
                            f"{bounds.min} to {bounds.max}")
    return array.astype(dtype)


def _in_place(array, dtype, what):
    """The array with its elements one after another, in this machine's byte order."""
    flags = array.flags
    if array.dtype == dtype and flags.c_contiguous and flags.aligned:
        return array
    if array.size * dtype.itemsize > _MOST_COPIED:
        raise MoteMemoryError(
            lib.MOTE_ERROR_OUT_OF_HOST_MEMORY,
            f"{what} is not contiguous, or of another type, and its copy would take "
            f"{array.size * dtype.itemsize} bytes: bring a contiguous array of {dtype}")
    try:
        return numpy.require(array, dtype, "CA")
    except MemoryError as reason:
        raise error(lib.MOTE_ERROR_OUT_OF_HOST_MEMORY, f"{what}: {reason}") from None


def given(values, what, dtypes=None, ndim=None):
    """values as a contiguous array, copied where they are not.

    dtypes: those that are allowed, the first is that of plain sequences; another integer type that
    fits without loss is widened. None: any. ndim: the number of dimensions, None: any.
    """
    if type(values) is _ndarray and (ndim is None or values.ndim == ndim):
        dtype, flags = values.dtype, values.flags
        if flags.c_contiguous and flags.aligned and (
                dtype in dtypes if dtypes else dtype.kind in "biuf" and dtype.isnative):
            return values  # nothing has to be done
    if isinstance(values, numpy.ma.MaskedArray):
        raise bad_type(f"{what} is a masked array: use its filled() or compressed()")
    array = values if isinstance(values, numpy.ndarray) else _from_sequence(values, dtypes, what)
    if array.dtype.hasobject or array.dtype.names:
        raise bad_type(f"{what} holds {array.dtype}: plain numbers are wanted")
    dtype = array.dtype.newbyteorder("=")
    if dtypes and dtype not in dtypes:
        fitting = [wanted for wanted in dtypes if dtype.kind in "iu" and wanted.kind in "iu"
                   and numpy.can_cast(dtype, wanted)]
        if not fitting:
            raise bad_type(f"{what} has the type {dtype}: it must be one of "
                           f"{', '.join(map(str, dtypes))}")
        dtype = fitting[0]
    if ndim is not None and array.ndim != ndim:
        raise bad_value(f"{what} has the shape {array.shape}: {ndim} dimension(s) are wanted")
    return _in_place(array, numpy.dtype(dtype), what)


def output(out, shape, dtype, what="out", inputs=()):
    """An array for results: the caller's, which must fit, or a new one."""
    if out is None:
        try:
            return numpy.empty(shape, dtype)
        except (MemoryError, ValueError) as reason:
            raise error(lib.MOTE_ERROR_OUT_OF_HOST_MEMORY,
                        f"{what} of {shape} elements is too much: {reason}") from None
    shape = tuple(shape) if numpy.iterable(shape) else (shape,)
    if not isinstance(out, numpy.ndarray):
        raise bad_type(f"{what} is {type(out).__name__}: it must be a numpy array")
    if out.dtype != dtype:
        raise bad_type(f"{what} has the type {out.dtype}: it must be {dtype}")
    if out.shape != shape:
        raise bad_value(f"{what} has the shape {out.shape}: it must be {shape}")
    if not out.flags.writeable:
        raise bad_value(f"{what} is read-only")
    if not (out.flags.c_contiguous and out.flags.aligned):
        raise bad_value(f"{what} is not contiguous")
    for array in inputs:
        if array is not None and numpy.may_share_memory(out, array):
            raise bad_value(f"{what} shares memory with an input")
    return out


_ITEMS = {numpy.dtype(dtype): ffi.typeof(f"{name}[]") for dtype, name in (
    ("u2", "uint16_t"), ("u4", "uint32_t"), ("u8", "uint64_t"), ("i4", "int32_t"), ("f4", "float"),
    ("f8", "double"))}

_NULL, _from_buffer = ffi.NULL, ffi.from_buffer


def pointer(array):
    """The address of an array's elements, of any type; NULL for None.

    The array must outlive the call.
    """
    return _NULL if array is None else _from_buffer(array)


def typed_pointer(array):
    """The same for fields that are pointers to the type of the elements."""
    return _NULL if array is None else _from_buffer(_ITEMS[array.dtype], array)


def same_length(arrays):
    """The common length of the named arrays that are there, of which there is one at least."""
    there = [len(array) for array in arrays.values() if array is not None]
    if there.count(there[0]) < len(there):
        names = [name for name, array in arrays.items() if array is not None]
        listed = ", ".join(f"{name} {n}" for name, n in zip(names, there))
        raise bad_value(f"lengths differ: {listed}")
    return there[0]
