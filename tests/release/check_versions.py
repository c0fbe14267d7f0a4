#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that all places that name mote's version agree; prints TAP."""

import argparse
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
# Further files that state the version, each with the pattern that finds it.
PLACES = {"CITATION.cff": r"^version: (.*)$",
          "packaging/conda-forge/recipe.yaml": r'^  version: "(.*)"$',
          "packaging/spack/mote/package.py": r'^    version\(\s*"(.*?)"'}
ENTRY = re.compile(r"^## \[(.*?)\](?: - (\d{4}-\d\d-\d\d))?$", re.M)


def text(name):
    """Returns the text of one of the project's files."""
    return (TOP / name).read_text(encoding="utf-8")


def changelog():
    """Returns the version of the first section of CHANGELOG.md, released or not."""
    name, date = ENTRY.search(text("CHANGELOG.md")).groups()
    if name != "Unreleased":
        return name if date else f"{name} without a date"
    return re.search(r"^To become (\d+\.\d+\.\d+)\b", text("CHANGELOG.md"), re.M)[1]


def header():
    """Returns the version in the public header, whose numbers and string must agree."""
    macros = dict(re.findall(r'#define MOTE_VERSION_(\w+) "?([\d.]+)', text("include/mote/version.h")))
    numbers = ".".join(macros[part] for part in ("MAJOR", "MINOR", "PATCH"))
    return numbers if numbers == macros["STRING"] else f"{numbers} and {macros['STRING']}"


def debian():
    """Returns the version of the Debian packages, without that of the packaging."""
    return re.match(r"mote \((.*)-\d+\) ", text("debian/changelog"))[1]


def stated(name, pattern):
    """The version that a pattern finds first in a file."""
    return re.search(pattern, text(name), re.M)[1]


def newest_symbol(version):
    """Returns the newest version that debian/libmote0.symbols names, or the project's if that is newer."""
    listed = set(re.findall(r"@Base (\S+)$", text("debian/libmote0.symbols"), re.M))
    return max(listed | {version}, key=lambda name: tuple(map(int, name.split("."))))


def main():
    """Arguments: Meson's version, the shared library and, if it is built, the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("command", nargs="?")
    args = parser.parse_args()
    found = {"CHANGELOG.md": changelog(), "include/mote/version.h": header(),
             "debian/changelog": debian(), "debian/libmote0.symbols": newest_symbol(args.version),
             **{name: stated(name, pattern) for name, pattern in PLACES.items()},
             "the library's file": args.library.resolve().name.partition(".so.")[2]}
    if args.command:
        done = subprocess.run([args.command, "version"], check=True, text=True, capture_output=True)
        found["the command"] = done.stdout.split()[-1]
    print(f"1..{len(found)}")
    for number, (place, version) in enumerate(found.items(), 1):
        good = "ok" if version == args.version else "not ok"
        print(f"{good} {number} - {place} says {version}, meson.build {args.version}")
    return any(version != args.version for version in found.values())


if __name__ == "__main__":
    sys.exit(main())
