#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on an include against the arrows between folders, on a folder without a README, and on a long file. TAP.

    test_arrows.py ROOT

    tool, bench, tests -> testkit -> pixels, coordination, jagged -> reduce -> core -> OpenCL
    pixels -> jagged/sort.h
    tool, testkit -> tool/formats
    cl/<area> -> cl/reduce -> cl/common -> cl/shared, include/mote/layout

An include is named from the root, or from src/, cl/, tool/ and tests/, whose folders are its first words.
"""

import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
AREAS = ["pixels", "coordination", "jagged"]
LIBRARY = ["mote/", "core/", "shared/", "operations.h", "cl_sources.h"]
KERNELS = ["common/", "shared/", "mote/"]

# The files that those of a folder may include, beside files of the same folder. The first matching row counts.
ARROWS = [
    ("include/", ["mote/"]),
    ("src/core/", ["mote/", "cl_sources.h"]),
    ("src/reduce/", LIBRARY),
    ("src/pixels/", [*LIBRARY, "reduce/", "jagged/sort.h"]),
    *[(f"src/{area}/", [*LIBRARY, "reduce/"]) for area in AREAS],
    ("src/", [*LIBRARY, "reduce/", *[f"{area}/" for area in AREAS]]),
    ("cl/shared/", ["mote/"]),
    ("cl/common/", ["shared/", "mote/"]),
    ("cl/reduce/", KERNELS),
    *[(f"cl/{area}/", [*KERNELS, "reduce/"]) for area in AREAS],
    ("tool/formats/", ["tool/formats/", "mote/"]),
    # The headers of core need no symbol of the library, which hides its own.
    ("tool/", ["mote/", "tool/formats/", "testkit/", "bench/", "core/edits.h", "core/cache_dir.h",
               "core/cache_entry.h", "core/system.h"]),
    ("testkit/reference/", ["mote/", "shared/", "testkit/reference/", "testkit/cases/", "testkit/rng.h"]),
    ("testkit/", ["mote/", "shared/", "testkit/", "tool/formats/", "reduce/", *[f"{area}/" for area in AREAS]]),
    ("bench/peers/", ["mote/", "bench/"]),
    ("bench/", ["mote/", "testkit/", "bench/", "cl_sources.h"]),
    ("examples/", ["mote/"]),
]
# Folders inside the command, named from tool/.
TOOL = ["common/", "profile/", "jagged/", "selftest/", "coordination/", "generate/", "clusters/", "io/", "tune/"]
READMES = ["include", "src", "cl", "tool", "testkit", "bench", "tests", "python", "clients", "examples", "debian",
           "packaging",
           *[f"src/{name}" for name in ["core", "reduce", *AREAS]],
           *[f"cl/{name}" for name in ["common", "shared", "reduce", *AREAS]]]
LINES = 30  # limit for the length of a README
MOST_LINES = {".h": 500, ".hpp": 500}  # 400 for other sources


def sources(root, endings=(".c", ".h", ".cpp", ".hpp", ".cl", ".clh")):
    """Returns the paths, from the root, of files with these endings; by default of sources in C, C++ and OpenCL C."""
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if not name.startswith((".", "build"))]
        for name in files:
            if name.endswith(endings):
                yield os.path.relpath(os.path.join(folder, name), root)


def against(root, path):
    """Returns the includes of a file that run against the arrows."""
    allowed = next((names for prefix, names in ARROWS if path.startswith(prefix)), None)
    if allowed is None:
        return []
    folder = os.path.dirname(path)
    places = [folder]  # names without a folder
    if path.startswith(("src/", "cl/")):
        allowed = [*allowed, folder.split("/")[1] + "/"] if "/" in folder else allowed
    elif path.startswith("tool/") and not path.startswith("tool/formats/"):
        allowed = [*allowed, *TOOL]
        places.append("tool")
    with open(os.path.join(root, path), encoding="utf-8") as file:
        names = INCLUDE.findall(file.read())
    return [name for name in names if not name.startswith(tuple(allowed))
            and not any(os.path.isfile(os.path.join(root, place, name)) for place in places)]


def too_long(root):
    """Returns a sentence for each source with too many lines."""
    found = []
    for path in [*sources(root), *sources(root, (".py",))]:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().count("\n") + 1
        most = MOST_LINES.get(os.path.splitext(path)[1], 400)
        if lines > most:
            found.append(f"{path} has {lines} lines, more than {most}")
    return found


def main():
    """The root of the project."""
    root = sys.argv[1]
    bad = [f"{path} includes {name}" for path in sorted(sources(root)) for name in against(root, path)]
    print("TAP version 13\n1..3")
    for what in bad:
        print(f"# {what}")
    print("not ok 1 - includes follow the arrows" if bad else "ok 1 - includes follow the arrows")
    missing = []
    for folder in READMES:
        path = os.path.join(root, folder, "README.md")
        if not os.path.isfile(path):
            missing.append(f"{folder}/README.md is missing")
            continue
        with open(path, encoding="utf-8") as file:
            lines = len(file.readlines())
        if lines > LINES and folder not in ("python", "tests"):
            missing.append(f"{folder}/README.md has {lines} lines, more than {LINES}")
    for what in missing:
        print(f"# {what}")
    print("not ok 2 - folders have a README" if missing else "ok 2 - folders have a README")
    long = too_long(root)
    for what in long:
        print(f"# {what}")
    print("not ok 3 - no file is too long" if long else "ok 3 - no file is too long")
    return 1 if bad or missing or long else 0


if __name__ == "__main__":
    sys.exit(main())
