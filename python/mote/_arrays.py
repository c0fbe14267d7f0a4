# SPDX-License-Identifier: Apache-2.0
"""Prepares plain arrays for calls, and their results."""

import numpy

from ._errors import MoteMemoryError, bad_type, bad_value, error
from ._library import ffi, lib

_ndarray = numpy.ndarray
_MOST_COPIED = 1 << 32  # bytes; views of repeated elements look large and are not
_INTEGERS, _NUMBERS = "iu", "iuf"  # kinds of dtypes
_CPU = (1, 3, 11)  # DLPack's devices whose memory the CPU reads: CPU, CUDAHost, ROCMHost
_ARRAY_PROTOCOLS = ("__array__", "__array_interface__", "__array_struct__")


def _refusal(values):
    """Returns why an array of another package cannot be read, with the remedy; None if it can."""
    place = values.__dlpack_device__()[0] if hasattr(values, "__dlpack_device__") else _CPU[0]
    if place not in _CPU or hasattr(values, "__cuda_array_interface__"):
        return ("is in the memory of a GPU: copy it to the host by its method .get() (CuPy) or "
                ".cpu() (PyTorch)")
    nulls = getattr(values, "null_count", 0)
    nulls = nulls() if callable(nulls) else nulls  # a method in polars
    if hasattr(values, "isna") and not isinstance(getattr(values, "dtype", None), numpy.dtype):
        nulls = numpy.any(values.isna())  # pandas' own types; NaN of a numpy.dtype is a number
    if nulls:
        return ("has missing values: drop or replace them, by dropna() or fillna() in pandas, by "
                "drop_null() or fill_null() in pyarrow")
    return None


def _as_array(values, what):
    """Returns a sequence, or an array of another package, as a NumPy array."""
    try:
        refusal = _refusal(values)
        if not refusal:
            only_dlpack = hasattr(values, "__dlpack__") and not any(
                hasattr(values, name) for name in _ARRAY_PROTOCOLS)
            return numpy.from_dlpack(values) if only_dlpack else numpy.asarray(values)
    except (BufferError, OverflowError, RuntimeError, TypeError, ValueError) as reason:
        raise bad_value(f"{what} is no array: {reason}") from None
    raise bad_type(f"{what} {refusal}")


def _in_place(array, dtype, what):
    """Returns the array with its elements one after another, in this machine's byte order."""
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


def _integers(array, allowed, what):
    """Returns an array of integers and the one of the allowed types to which it is converted.

    This is the first type that holds every value of the array's type, else the widest, in which the
    values must fit. An array of the same width is reinterpreted, not copied.
    """
    lossless = [dtype for dtype in allowed if numpy.can_cast(array.dtype, dtype)]
    if lossless:
        return array, lossless[0]
    dtype = max(allowed, key=lambda dtype: dtype.itemsize)
    bounds = numpy.iinfo(dtype)
    if array.size and (array.min() < bounds.min or array.max() > bounds.max):
        raise bad_value(f"{what} holds {array.min()} to {array.max()}: {dtype} is {bounds.min} to "
                        f"{bounds.max}")
    same_bits = array.dtype.itemsize == dtype.itemsize and array.dtype.isnative
    return array.view(dtype) if same_bits else array, dtype


def _converted(array, allowed, what):
    """Returns an array, and the one of the allowed types to which it is converted."""
    dtype = array.dtype.newbyteorder("=")
    if dtype in allowed:
        return array, dtype
    integers = [wanted for wanted in allowed if wanted.kind in _INTEGERS]
    if dtype.kind in _INTEGERS:
        return _integers(array, integers, what) if integers else (array, allowed[0])
    if integers and dtype.kind in "bf":
        raise bad_type(f"{what} has the type {dtype} where integers are wanted: convert it by "
                       f"{what}.astype(\"{integers[0]}\")")
    raise bad_type(f"{what} has the type {dtype}: it must be one of {', '.join(map(str, allowed))}")


def given(values, what, dtypes=None, ndim=None):
    """Returns values as a contiguous array, copied only if necessary.

    values: an array, anything that has the array interface, DLPack or `__array__` and lies in the
    CPU's memory, or a sequence. Missing values are rejected. dtypes: the permitted types; None:
    any. Integers of any width are converted to the integers of dtypes, if their values fit, or to
    floats (the first of dtypes). No other conversion is made. ndim: the number of dimensions, None:
    any.
    """
    if type(values) is _ndarray and (ndim is None or values.ndim == ndim):
        dtype, flags = values.dtype, values.flags
        if flags.c_contiguous and flags.aligned and (
                dtype in dtypes if dtypes else dtype.kind in "biuf" and dtype.isnative):
            return values  # no conversion is necessary
    if isinstance(values, numpy.ma.MaskedArray):
        raise bad_type(f"{what} is a masked array: use its filled() or compressed()")
    array = values if isinstance(values, numpy.ndarray) else _as_array(values, what)
    if array.dtype.hasobject or array.dtype.names:
        raise bad_type(f"{what} holds {array.dtype}: plain numbers are wanted")
    if dtypes and array.size == 0 and array is not values:
        array = array.astype(dtypes[0])  # an empty list has no type
    array, dtype = _converted(array, dtypes, what) if dtypes else (array,
                                                                   array.dtype.newbyteorder("="))
    if ndim is not None and array.ndim != ndim:
        raise bad_value(f"{what} has the shape {array.shape}: {ndim} dimension(s) are wanted")
    return _in_place(array, numpy.dtype(dtype), what)


def numbers(values, what, dtype, ndim=None):
    """Returns integers or floats of any type as a contiguous array of one type of floats."""
    array = given(values, what, ndim=ndim)
    if array.dtype.kind not in _NUMBERS:
        raise bad_type(f"{what} has the type {array.dtype}: numbers are wanted")
    return array.astype(dtype, copy=False)


def copied(address, count, dtype):
    """Returns a copy of an array of the library; without an address, an array without elements."""
    array = numpy.empty(count if address else 0, dtype)
    ffi.memmove(array, address or array, array.nbytes)
    return array


def output(out, shape, dtype, what="out", inputs=()):
    """Returns an array for results: the caller's, which must fit, or a new one."""
    if out is None:
        try:
            return numpy.empty(shape, dtype)
        except (MemoryError, ValueError) as reason:
            what = "a result" if what == "out" else what
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
    ("u1", "uint8_t"), ("u2", "uint16_t"), ("u4", "uint32_t"), ("u8", "uint64_t"), ("i4", "int32_t"),
    ("i8", "int64_t"), ("f4", "float"), ("f8", "double"))}

_NULL, _from_buffer = ffi.NULL, ffi.from_buffer


def pointer(array):
    """Returns the address of an array's elements, of any type; NULL for None.

    The array must outlive the call.
    """
    return _NULL if array is None else _from_buffer(array)


def typed_pointer(array):
    """Returns the address as a pointer to the type of the elements; NULL for None."""
    return _NULL if array is None else _from_buffer(_ITEMS[array.dtype], array)


def same_length(arrays):
    """Returns the common length of the named arrays that are given, which are at least one."""
    there = [len(array) for array in arrays.values() if array is not None]
    if there.count(there[0]) < len(there):
        names = [name for name, array in arrays.items() if array is not None]
        listed = ", ".join(f"{name} {n}" for name, n in zip(names, there))
        raise bad_value(f"lengths differ: {listed}")
    return there[0]
