#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the library's binary interface with the one stored in this folder, by libabigail.

--write stores the library's interface instead. Exit status 77: libabigail is absent, or the machine has another
architecture than the one on which the interface was stored.
"""

import argparse
import lzma
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KEPT = HERE / "libmote.so.0.abi.xz"
MACHINE = "x86_64"
INCOMPATIBLE = 8  # a bit of abidiff's exit status
RULES = """\
An argument structure may grow at its end, and functions may be added: then keep the new interface,
    tests/release/check_abi.py LIBRARY --write
    include/interface.py --write
Anything else breaks programs: docs/releasing.md."""


def interface(library, include):
    """Returns the library's interface as libabigail writes it, without its private parts."""
    return subprocess.run(
        ["abidw", "--exported-interfaces-only", "--drop-private-types", "--headers-dir", include,
         "--no-elf-needed", "--no-parameter-names", "--no-show-locs", "--no-corpus-path",
         "--no-comp-dir-path", library], check=True, capture_output=True).stdout


def differs(now):
    """Prints how an interface differs from the stored one; returns whether it does."""
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / name for name in ("kept.abi", "now.abi")]
        files[0].write_bytes(lzma.decompress(KEPT.read_bytes()))
        files[1].write_bytes(now)
        done = subprocess.run(["abidiff", *files], check=False, text=True, capture_output=True)
    if done.returncode == 0:
        return False
    print(done.stdout, done.stderr)
    if done.returncode & INCOMPATIBLE:
        print("The interface has lost something that programs use.")
    print(RULES)
    return True


def main():
    """Arguments: the library, which must have debugging information."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("--include", default=HERE.parent.parent / "include")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    if not shutil.which("abidiff") or platform.machine() != MACHINE:
        print(f"skipped: needs abidiff (Debian: abigail-tools) on {MACHINE}")
        return 77
    now = interface(args.library, args.include)
    if not args.write:
        return differs(now)
    KEPT.write_bytes(lzma.compress(now, preset=9))
    return 0


if __name__ == "__main__":
    sys.exit(main())
