# SPDX-License-Identifier: Apache-2.0
"""Objects of the library that calls use: released when they are closed and no call is running."""

import os
import threading
import weakref

from ._errors import bad_value

lock = threading.RLock()  # held for moments only
opening = threading.RLock()  # held while a shared context is opened, which may take a second


def _after_fork():
    """Another thread of the parent may have held a lock, and is not there to give it back."""
    global lock, opening
    lock, opening = threading.RLock(), threading.RLock()


os.register_at_fork(after_in_child=_after_fork)


class Handle:
    """A pointer; `with handle as pointer` keeps it alive until the block ends.

    what: what it is, for messages. release: called with the pointer and more, once: after close(),
    or when nothing refers to the handle. It is not called at the end of the process, when other
    threads may still be in a call.
    """

    def __init__(self, what, pointer, release, *more):
        self._what, self._pointer = what, pointer
        self._calls, self.closed = 0, False
        self._end = weakref.finalize(self, release, pointer, *more)
        self._end.atexit = False

    def __enter__(self):
        with lock:
            if self.closed:
                raise bad_value(f"this {self._what} is closed: make another one")
            self._calls += 1
        return self._pointer

    def __exit__(self, *exception):
        with lock:
            self._calls -= 1
            ends = self.closed and self._calls == 0
        if ends:
            self._end()

    def close(self):
        """Refuses further calls and releases; those that run end first. Twice does nothing."""
        with lock:
            self.closed, ends = True, self._calls == 0
        if ends:
            self._end()
