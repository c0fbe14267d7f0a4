# SPDX-License-Identifier: Apache-2.0
"""The command `mote`, which is installed with the library."""

import os
import subprocess
import sys

from . import _library
from ._errors import bad_value, characters, error, lib

_COMMAND = _library.COMMAND


def _environment():
    """Returns the variables under which the command finds the drivers that this package finds."""
    folder = _library.WHEEL_DRIVERS
    if folder is None:
        return None
    paths = filter(None, [str(folder), os.environ.get("LD_LIBRARY_PATH")])
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(paths)}


def main():
    """Replaces this process by the command."""
    os.execve(_COMMAND, ["mote", *sys.argv[1:]], _environment() or os.environ)


def selftest(device=None):
    """Compares every primitive on every device with plain serial code, for about a minute at most.

    Runs the command `mote selftest` in a process of its own, which prints to standard output. If
    kernels must be built first, the last line may name checks that were left out for lack of time.

    device: a device string; None: all devices.

    Returns: nothing. Raises MoteError: a difference, or no device.

    >>> mote.selftest("cpu")  # doctest: +SKIP
    """
    if device is not None and not isinstance(device, str):
        raise bad_value(f"device is {device!r}: a device string is wanted")
    words = ["selftest", *(["-d", characters(device, "a device string")] if device else [])]
    done = subprocess.run([_COMMAND, *words], env=_environment(), stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode:
        status = {3: lib.MOTE_ERROR_UNSUPPORTED}.get(done.returncode, lib.MOTE_ERROR_INTERNAL)
        raise error(status, done.stderr.strip() or f"mote selftest ended with {done.returncode}")
