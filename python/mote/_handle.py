# SPDX-License-Identifier: Apache-2.0
"""Objects of the library that calls use: released when they are closed and no call is running."""

import os
import threading
import weakref

from ._errors import bad_value

opening = threading.RLock()  # held while a shared context is opened, which may take a second


def _after_fork():
    """Another thread of the parent may have held the lock, and is not there to give it back."""
    global opening
    opening = threading.RLock()


os.register_at_fork(after_in_child=_after_fork)


class Handle:
    """A pointer; `with handle as pointer` keeps it alive until the block ends.

    what: what it is, for messages. release: called with the pointer and more, once: after close(),
    or when nothing refers to the handle. It is not called at the end of the process, when other
    threads may still be in a call.
    """

    def __init__(self, what, pointer, release, *more):
        self._what, self.pointer = what, pointer
        self._calls, self.closed = [], False
        self._end = weakref.finalize(self, release, pointer, *more)
        self._end.atexit = False

    # Each step below is atomic, so that no lock is needed: a call is counted before it asks whether
    # the handle is closed, and close() says so before it looks for calls. Ending twice ends once.

    def __enter__(self):
        self._calls.append(None)
        if self.closed:
            self.__exit__()
            raise bad_value(f"this {self._what} is closed: make another one")
        return self.pointer

    def __exit__(self, *exception):
        self._calls.pop()
        if self.closed and not self._calls:
            self._end()

    def close(self):
        """Refuses further calls and releases; those that run end first. Twice does nothing."""
        self.closed = True
        if not self._calls:
            self._end()
