# SPDX-License-Identifier: Apache-2.0
"""Sends messages through `logging` while a call builds kernels, which may take half a minute.

The library reports builds to a callback, on the thread of the call. PoCL compiles a kernel at its
first launch and does not report this. The time of a call therefore counts as build time from its
first compilation on, as in the command's progress line.
"""

import atexit
import logging
import sys
import threading
import time

from ._library import ffi, lib

_MOMENT = 1.0  # seconds: calls that end earlier send no message
# Builds that take less found their kernels in the driver's own cache.
_LEAST_CPU_SECONDS, _LEAST_SECONDS = 0.06, 1.0

calls = {}  # calls in progress that build kernels, by their thread


class _Call:
    """A call that builds kernels."""

    def __init__(self, device):
        self.device, self.start, self.cpu = device, time.monotonic(), 0.0
        self.compiled, self.told, self.failure = False, False, None
        self.timer = threading.Timer(_MOMENT, self.tell)
        self.timer.daemon = True

    def tell(self):
        """Sends the first message."""
        self.told = True
        _log("mote is building kernels for %s: each is built once for a device and its driver",
             self.device)

    def end(self):
        """Sends the last message, if there was a first one."""
        self.timer.cancel()
        if self.told:
            _log("mote has built kernels for %s in %.1f s", self.device,
                 time.monotonic() - self.start)


def _log(sentence, *values):
    # Warnings are shown if logging is not configured, so people at a prompt or in a notebook see why they wait.
    level = logging.WARNING if hasattr(sys, "ps1") else logging.INFO
    logging.getLogger("mote").log(level, sentence, *values)


def _on_build(record, _):
    thread = threading.get_ident()
    call = calls.get(thread)
    if record.seconds < 0:
        if call is None:
            call = calls[thread] = _Call(ffi.string(record.device).decode(errors="replace"))
            call.timer.start()
        call.cpu = time.thread_time()
    elif call is not None and not call.compiled:
        call.compiled = record.seconds >= _LEAST_SECONDS or \
            time.thread_time() - call.cpu >= _LEAST_CPU_SECONDS
        if not call.compiled and call.failure is None:
            del calls[thread]
            call.end()


def _failed(kind, failure, _):
    """Keeps the exception of Ctrl-C in the callback until the call returns, since C code cannot
    pass it on. Other errors only suppress a message; the call continues."""
    if not issubclass(kind, Exception):
        calls.setdefault(threading.get_ident(), _Call(None)).failure = failure


def end_call():
    """Ends the call of this thread; raises what the callback has kept."""
    call = calls.pop(threading.get_ident(), None)
    if call is not None:
        call.end()
        if call.failure is not None:
            raise call.failure


_callback = ffi.callback("mote_build_fn", _on_build, onerror=_failed)
lib.mote_build_callback_set(_callback, ffi.NULL)
# Python ends threads that call back during its shutdown.
atexit.register(lib.mote_build_callback_set, ffi.NULL, ffi.NULL)
