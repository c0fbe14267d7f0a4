# SPDX-License-Identifier: Apache-2.0
"""Opens the library.

The extra ``mote-opencl[cpu]`` installs PoCL from a wheel, which no system folder knows of. It is
brought in where the system has no OpenCL driver of its own and OCL_ICD_VENDORS names none.
"""

import os
import pathlib
import shutil

from . import _place
from ._api import ffi

_SITE = pathlib.Path(__file__).resolve().parent.parent
_SYSTEM = pathlib.Path("/etc/OpenCL/vendors")


def _wheel_drivers():
    """The folder of PoCL's wheel where it is needed, else None."""
    folder = _SITE / "pyopencl" / ".libs"
    others = os.environ.get("OCL_ICD_VENDORS", str(folder)) != str(folder)
    if others or any(_SYSTEM.glob("*.icd")) or not any(folder.glob("*.icd")):
        return None
    return folder


def _can_link():
    """Whether there is what PoCL links kernels with; without it, it would abort the process."""
    usr = pathlib.Path("/usr")
    return shutil.which("ld") and any(usr.glob("lib*/gcc/*/*/libgcc.a")) and \
        any((*usr.glob("lib*/libc.so"), *usr.glob("lib/*/libc.so")))


WHEEL_DRIVERS = _wheel_drivers()
LACKS_LINKER = WHEEL_DRIVERS is not None and not _can_link()
if LACKS_LINKER:
    WHEEL_DRIVERS = None
_loaded = []  # what nothing refers to would be unloaded
if WHEEL_DRIVERS:
    os.environ["OCL_ICD_VENDORS"] = str(WHEEL_DRIVERS)
    for _path in WHEEL_DRIVERS.glob("libpocl*.so*"):  # the .icd file has its bare name
        _loaded.append(ffi.dlopen(str(_path), ffi.RTLD_NOW | ffi.RTLD_GLOBAL))
COMMAND = _SITE / _place.COMMAND
lib = ffi.dlopen(str(_SITE / _place.LIBRARY) if "/" in _place.LIBRARY else _place.LIBRARY)
