#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on a source in C, C++ or OpenCL C that clang-format 14 would change.

    test_format.py ROOT [--write]

Exit status 77: clang-format 14 is not installed, and other versions format differently.
"""

import os
import shutil
import subprocess
import sys

VERSION = "14"
FOLDERS = ["bench", "cl", "clients", "examples", "include", "src", "testkit", "tests", "tool"]


def sources(root):
    """Returns the paths of the sources below the root."""
    for top in FOLDERS:
        for folder, names, files in os.walk(os.path.join(root, top)):
            names[:] = [name for name in names if not name.startswith((".", "build"))]
            yield from (os.path.join(folder, name) for name in sorted(files)
                        if name.endswith((".c", ".h", ".cpp", ".hpp", ".cl", ".clh")))


def main():
    """Names each source that differs and its first lines; --write writes them."""
    tool = shutil.which(f"clang-format-{VERSION}") or shutil.which("clang-format")
    said = subprocess.run([tool, "--version"], check=True, capture_output=True, text=True).stdout if tool else ""
    if f"version {VERSION}." not in said:
        print(f"skipped: needs clang-format {VERSION}")
        return 77
    how = ["-i"] if sys.argv[2:] == ["--write"] else ["--dry-run", "-Werror"]
    return subprocess.run([tool, *how, *sources(sys.argv[1])], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
