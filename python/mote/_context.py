# SPDX-License-Identifier: Apache-2.0
"""Devices and contexts: where the work runs."""

import collections

from . import _handle
from ._errors import bad_value, characters, check, error, text
from ._library import LACKS_LINKER, ffi, lib

Device = collections.namedtuple(
    "Device", "spec name vendor platform driver device_class compute_units has_fp64 global_bytes "
    "max_alloc_bytes")
Device.__doc__ = """One OpenCL device.

spec: the string that opens it, as "pocl:0". name, vendor, platform, driver: what OpenCL says.
device_class: "gpu", "cpu", "accelerator" or "other". compute_units: int. has_fp64: whether it has
double precision. global_bytes, max_alloc_bytes: its memory, and the largest buffer.
"""

Memory = collections.namedtuple("Memory", "scratch_busy scratch_idle scratch_peak programs")
Memory.__doc__ = """What a context holds.

scratch_busy, scratch_idle, scratch_peak: bytes of scratch memory that calls use now, that wait for
the next ones, and the most there were. programs: how many programs are built.
"""

_default = None
_shared = {}


def _device(info):
    return Device(text(info.spec), text(info.name), text(info.vendor), text(info.platform),
                  text(info.driver), text(lib.mote_device_class_name(info.device_class)),
                  info.compute_units, bool(info.has_fp64), info.global_bytes,
                  info.max_alloc_bytes)


def devices():
    """Every OpenCL device of this machine.

    Returns: a list of Device, empty where there is none. Raises MoteError: a driver fails.

    >>> [device.spec for device in mote.devices()]  # doctest: +SKIP
    ['pocl:0']
    """
    array, count = ffi.new("mote_device_info **"), ffi.new("size_t *")
    check(lib.mote_devices(ffi.sizeof("mote_device_info"), array, count))
    try:
        return [_device(array[0][k]) for k in range(count[0])]
    finally:
        lib.mote_devices_free(array[0])


def _foreign(spec):
    """Returns the OpenCL context and device of a pyopencl.Context or CommandQueue; None for others."""
    if type(spec).__module__.split(".")[0] != "pyopencl" or not hasattr(spec, "int_ptr"):
        return None
    owner = getattr(spec, "context", spec)
    device = spec.device if owner is not spec else spec.devices[0]
    return owner.int_ptr, device.int_ptr


def _release(handle, idle):
    while idle:
        lib.mote_host_release(idle.pop())
    lib.mote_context_release(handle)


class Context:
    """A device with its built programs and scratch memory.

    spec: a device string ("gpu", "cpu", "pocl:0", part of a name); None: the one that MOTE_DEVICE
    names, else the best GPU, else the CPU. Or a pyopencl.Context (its first device) or
    pyopencl.CommandQueue (its device), which is retained.

    A context is used by any number of threads at once. It is closed by close(), at the end of a
    with block, or when nothing refers to it; a call that still runs then ends as usual. Pickled, it
    carries the device string, and is opened anew in the process that unpickles it, once for all.

    Raises MoteError: no such device, with a list of those found; a context of pyopencl cannot be
    pickled.

    >>> with mote.Context() as context:
    ...     print(mote.sum([1, 2], context=context))
    3
    """

    def __init__(self, spec=None):
        out = ffi.new("mote_context **")
        foreign = _foreign(spec)
        if foreign:
            check(lib.mote_context_create(ffi.cast("cl_context", foreign[0]),
                                          ffi.cast("cl_device_id", foreign[1]), out))
        elif spec is None or isinstance(spec, str):
            word = ffi.NULL if spec is None else characters(spec, "a device string")
            status = lib.mote_context_open(word, out)
            if status == lib.MOTE_ERROR_NO_DEVICE and LACKS_LINKER:
                raise error(status, "no OpenCL device found: the PoCL of mote-opencl[cpu] links "
                                    "kernels as a C compiler does, which is missing (Debian and "
                                    "Ubuntu: apt-get install gcc libc6-dev)")
            check(status)
        else:
            raise bad_value(f"a context is opened by a device string, a pyopencl.Context or a "
                            f"pyopencl.CommandQueue, not by {type(spec).__name__}")
        self._idle = []  # mote_hosts; each call uses one exclusively
        self.pointer = out[0]
        self.handle = _handle.Handle("context", out[0], _release, self._idle)
        self.device = _device(lib.mote_context_device(out[0]))

    def __repr__(self):
        state = ", closed" if self.closed else ""
        return f"<mote.Context {self.device.spec or self.device.name!r}{state}>"

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __reduce__(self):
        if not self.device.spec:
            raise bad_value("a context made of pyopencl's objects cannot be pickled: open one by a "
                            "device string")
        return shared_context, (self.device.spec,)

    @property
    def closed(self):
        """Whether close() was called."""
        return self.handle.closed

    def close(self):
        """Releases everything; calls that still run end first. Closing a context again does nothing."""
        self.handle.close()
        self._release_idle()

    def take_host(self):
        """A mote_host, which nobody else uses until give_host(); it keeps the context alive."""
        try:
            return self._idle.pop()
        except IndexError:
            return self._another_host()

    def give_host(self, host):
        """Lets other calls use the mote_host."""
        self._idle.append(host)
        if self.handle.closed:
            self._release_idle()

    def _another_host(self):
        out = ffi.new("mote_host **")
        pointer = self.handle.__enter__()
        try:
            check(lib.mote_host_create(pointer, ffi.NULL, out))
        except BaseException:
            self.handle.__exit__()
            raise
        return out[0]

    def _release_idle(self):
        for _ in range(len(self._idle)):
            try:  # another thread may take the last one
                host = self._idle.pop()
            except IndexError:
                break
            lib.mote_host_release(host)
            self.handle.__exit__()

    def memory(self):
        """What the pool of scratch memory holds, as Memory."""
        memory = ffi.new("mote_memory *")
        memory.size = ffi.sizeof("mote_memory")
        with self.handle as handle:
            check(lib.mote_context_memory(handle, memory))
        return Memory(*(getattr(memory, field) for field in Memory._fields))

    def trim(self):
        """Frees what no running call needs: scratch, and the buffers kept for plain arrays."""
        with self.handle as handle:
            self._release_idle()
            check(lib.mote_context_trim(handle))


def default_context():
    """The context of calls that name none: opened by the first one, closed by its close().

    Returns: a Context, a new one after the last was closed. Raises MoteError: there is no device.

    >>> mote.default_context().device.spec  # doctest: +SKIP
    'pocl:0'
    """
    global _default
    found = _default
    if found is not None and not found.handle.closed:
        return found
    with _handle.opening:
        if _default is None or _default.closed:
            _default = Context()
        return _default


def shared_context(spec):
    """Returns the one context of this process that was opened by a key: a device string, or pyopencl's."""
    key = _foreign(spec) or spec
    if not isinstance(key, (str, tuple)):
        return Context(spec)  # which refuses it
    with _handle.opening:
        found = _shared.get(key)
        if found is None or found.closed:
            found = _shared[key] = Context(spec)
        return found
