# SPDX-License-Identifier: Apache-2.0
"""Makes calls on arrays of pyopencl: results stay on the device, events are chained, and no call waits."""

import contextlib
import sys

import numpy

from . import _arrays, _types
from ._call import chosen_context
from ._context import shared_context
from ._errors import MoteError, bad_type, bad_value, check
from ._library import ffi, lib


def is_device_array(value):
    """Returns whether value is a pyopencl.array.Array; pyopencl is not loaded for this."""
    module = sys.modules.get("pyopencl.array")
    return module is not None and isinstance(value, module.Array)


def any_on_device(values):
    """Returns whether one of the values is a pyopencl array."""
    return "pyopencl.array" in sys.modules and any(map(is_device_array, values))


def _shape_and_type(array, what, dtypes, ndim):
    if dtypes and array.dtype not in dtypes:
        raise bad_type(f"{what} has the type {array.dtype}: it must be one of "
                       f"{', '.join(map(str, dtypes))}")
    if ndim is not None and array.ndim != ndim:
        raise bad_value(f"{what} has the shape {array.shape}: {ndim} dimension(s) are wanted")


class ErrorWord:
    """Where calls on device arrays report bad data, which only their kernels can see.

    queue: a pyopencl.CommandQueue. Each call that is given the word clears it first; with keep=True
    it gathers the errors of all calls since it was made. check() waits for the queue, and for those
    of the calls, and raises the MoteError. Without a word, only calls that wait for the number of
    their results (mote.jagged.product() and the like without `capacity`) raise; other calls on bad
    data report nothing, and touch nothing outside the arrays.

    Raises MoteError: the argument is not a queue.
    """

    def __init__(self, queue, keep=False):
        import pyopencl
        if not isinstance(queue, pyopencl.CommandQueue):
            raise bad_value(f"an error word needs a pyopencl.CommandQueue, not "
                            f"{type(queue).__name__}")
        out = ffi.new("cl_mem *")
        check(lib.mote_error_create(ffi.cast("cl_context", queue.context.int_ptr), out))
        self.memory = pyopencl.MemoryObject.from_int_ptr(int(ffi.cast("intptr_t", out[0])), False)
        self.queue, self.keep = queue, keep
        self.queues = {}  # of the calls since the last check

    def check(self):
        """Waits for the queues and raises the MoteError of bad data, if there was any."""
        for key, queue in list(self.queues.items()):
            self.queues.pop(key, None)
            queue.finish()
        check(lib.mote_error_read(ffi.cast("cl_command_queue", self.queue.int_ptr),
                                  ffi.cast("cl_mem", self.memory.int_ptr), 0, ffi.NULL, 0,
                                  ffi.NULL))


class DevicePlace:
    """A call on pyopencl arrays, on the queue of the first array that has one."""

    on_device = True

    def __init__(self, arrays, context, error):
        if error is not None and not isinstance(error, ErrorWord):
            raise bad_type(f"error is {type(error).__name__}: a mote.ErrorWord is wanted")
        arrays = [array for array in arrays if array is not None]
        if not all(map(is_device_array, arrays)):
            raise bad_type("some arrays are pyopencl's and some are not: bring them to one place")
        self.queue = next((array.queue for array in arrays if array.queue is not None), None)
        if self.queue is None:
            raise bad_value("no array has a queue: use array.with_queue(queue)")
        self.context = shared_context(self.queue) if context is None else chosen_context(context)
        self.error, self._inputs, self._outputs = error, [], []

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass

    def given(self, array, what, dtypes=None, ndim=None):
        """Returns the array, which must have the right type and shape."""
        _shape_and_type(array, what, dtypes, ndim)
        if not array.flags.c_contiguous:
            raise bad_value(f"{what} is not contiguous")
        return array

    def put(self, view, array, what):
        """Makes a view of the arguments refer to an array's memory."""
        if array.size:
            self._fill(view, array, what)
            self._inputs.append(array)

    def room(self, view, shape, dtype, out=None):
        """Makes a view refer to memory for results: a new array, or the caller's."""
        import pyopencl.array
        if out is None:
            out = pyopencl.array.Array(self.queue, shape, dtype)
        elif not is_device_array(out) or out.dtype != dtype or out.size != numpy.prod(shape) \
                or not out.flags.c_contiguous:
            raise bad_value(f"out must be a contiguous pyopencl array of {dtype} and shape {shape}")
        if out.size:
            self._fill(view, out, "out")
        self._outputs.append(out)
        return out

    def _fill(self, view, array, what):
        offset, rest = divmod(array.offset, array.dtype.itemsize)
        if rest:
            raise bad_value(f"{what} begins at byte {array.offset} of its buffer: a multiple of "
                            f"{array.dtype.itemsize} is wanted")
        view.mem = ffi.cast("cl_mem", array.base_data.int_ptr)
        view.offset, view.count = offset, array.size
        view.type = _types.number(array.dtype, what)

    def length(self, function, args, offsets):
        """Makes a call without room for elements, and waits for their number.

        Invalid data raises here, unless the call that follows reports it to the caller's error word.
        """
        word = ErrorWord(self.queue) if self.error is None else None
        self._enqueue(function, args, word)
        last = int(offsets[-1:].get(self.queue)[0])
        if word is not None:
            args.error = ffi.NULL
            try:
                word.check()
            except MoteError as failure:
                if failure.status != lib.MOTE_ERROR_CAPACITY:
                    raise
        return last

    between = room  # arrays that only later calls read

    def run(self, function, args, keep=False):
        """Enqueues a call after the inputs' events; the outputs get its event.

        keep: keeps the errors of the call before it.
        """
        self._enqueue(function, args, self.error, keep)

    def _enqueue(self, function, args, word, keep=False):
        import pyopencl
        if word is not None and hasattr(args, "error"):
            args.error = ffi.cast("cl_mem", word.memory.int_ptr)
            args.error_keep = word.keep or keep
            word.queues[self.queue.int_ptr] = self.queue
        events = [event for array in self._inputs + self._outputs for event in array.events]
        wait = ffi.new("cl_event[]", [ffi.cast("cl_event", event.int_ptr) for event in events])
        done = ffi.new("cl_event *")
        with self.context.handle as handle:
            status = getattr(lib, function)(handle, ffi.cast("cl_command_queue",
                                                             self.queue.int_ptr),
                                            args, len(wait), wait or ffi.NULL, done)
        if done[0]:
            event = pyopencl.Event.from_int_ptr(int(ffi.cast("intptr_t", done[0])), retain=False)
            for array in self._outputs:
                array.add_event(event)
        check(status)

    def fetch(self, array):
        """Returns a result unchanged, because it is in its place."""
        return array


class HostPlace:
    """A call on plain arrays for which the library has only a device form: the arrays are copied to the device."""

    on_device = False

    def __init__(self, context):
        self.context = chosen_context(context)
        self._resources = self._queue = None

    def __enter__(self):
        return self

    def _open(self):
        """Takes the queue of a mote_host and makes an error word, for calls that need them."""
        self._resources = contextlib.ExitStack()
        self._handle, host = self.context.pointer, self.context.take_host()
        self._resources.callback(self.context.give_host, host)
        self._queue = lib.mote_host_queue(host)
        word = ffi.new("cl_mem *")
        check(lib.mote_error_create(lib.mote_context_cl(self._handle), word))
        self._word = word[0]
        self._resources.callback(lib.clReleaseMemObject, self._word)

    def __exit__(self, *exception):
        if self._resources is not None:
            self._resources.close()

    def given(self, values, what, dtypes=None, ndim=None):
        """Returns values as a contiguous array."""
        return _arrays.given(values, what, dtypes, ndim)

    def _buffer(self, view, count, mote_type):
        if self._queue is None:
            self._open()
        out = ffi.new("mote_buffer **")
        check(lib.mote_buffer_create(self._handle, mote_type, count, 0, out))
        self._resources.callback(lib.mote_buffer_release, out[0])
        if count:
            given = lib.mote_buffer_view(out[0])
            view.mem, view.offset, view.count = given.mem, given.offset, given.count
            view.type = given.type
        return out[0]

    def put(self, view, array, what):
        """Copies an array to the device."""
        mote_type = _types.number(array.dtype, what)
        buffer = self._buffer(view, array.size, mote_type)
        if array.size:
            check(lib.mote_buffer_write(buffer, 0, array.size, _arrays.pointer(array), mote_type, 1,
                                        self._queue, 0, ffi.NULL, ffi.NULL))

    def room(self, view, shape, dtype, out=None):
        """Makes memory for results; returns the argument for fetch()."""
        array = _arrays.output(out, shape, dtype)
        return self._buffer(view, array.size, _types.number(array.dtype, "out")), array

    def between(self, view, shape, dtype):
        """Makes memory on the device for arrays that only later calls read."""
        self._buffer(view, shape, _types.number(dtype, "out"))

    def length(self, function, args, offsets):
        """Makes a call without room for elements; returns their number."""
        status = self._run(function, args)
        if status != lib.MOTE_ERROR_CAPACITY:
            check(status)
        return int(self.fetch(offsets)[-1])

    def run(self, function, args):
        """Makes a call, waits for it, and raises errors in the data."""
        check(self._run(function, args))

    def _run(self, function, args):
        args.error = self._word
        check(getattr(lib, function)(self._handle, self._queue, args, 0, ffi.NULL, ffi.NULL))
        return lib.mote_error_read(self._queue, self._word, 0, ffi.NULL, 0, ffi.NULL)

    def fetch(self, token):
        """Returns a result as a numpy array."""
        buffer, array = token
        if array.size:
            check(lib.mote_buffer_read(buffer, 0, array.size, _arrays.pointer(array),
                                       _types.number(array.dtype, "out"), 1, self._queue, 0,
                                       ffi.NULL, ffi.NULL))
        return array


def place_of(arrays, context, error=None):
    """Chooses where a call works: on the device if one of its arrays is there."""
    if any_on_device(arrays):
        return DevicePlace(arrays, context, error)
    if error is not None:
        raise bad_value("error words are for pyopencl arrays: calls on plain arrays raise")
    return HostPlace(context)
