#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the values of defines that the host passes for pretended GPUs with the stored ones.

    requested.py --requested PROGRAM --source ROOT --sources NAME ... [--write]

`requested.txt` has a line for each source that such a device would compile: each define, and all the values that it has
for some device of `compilers.py`. A value, define or source that is not stored, or no longer used, is an error, and so
is a source in the form for GPUs that no device uses, because the program lacks a new one. --write writes the table
anew. TAP.
"""

import argparse
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # where the sources are

from compilers import COMPILERS  # pylint: disable=wrong-import-position

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requested.txt")
FORM = re.compile(r"^ \* Form: (\w+)", re.M)


def ask(program, compiler, device):
    """Returns the options of each source, and the largest group of each (source, kernel, options)."""
    said = subprocess.run([program, compiler.platform,
                           *map(str, (device.group, device.local, device.fp64, device.units,
                                      device.sub_groups, device.width))],
                          check=True, text=True, stdout=subprocess.PIPE)
    options, groups = {}, {}
    for line in sorted(set(said.stdout.splitlines())):
        source, kernel, local, words = line.split(" ", 3)
        options.setdefault(source, set()).add(words)
        key = source, kernel, words
        groups[key] = max(groups.get(key, 0), int(local))
    return options, groups


def values(program):
    """Returns the values of each define of each source, over all devices."""
    found = {}
    for compiler, device in ((c, device) for c in COMPILERS for device in c.devices):
        options, _ = ask(program, compiler, device)
        for source, sets in options.items():
            defines = found.setdefault(source, {})
            for word in {word for words in sets for word in words.split() if word[:2] == "-D"}:
                name, _, value = word[2:].partition("=")
                defines.setdefault(name, set()).add(value)
    return found


def order(value):
    """Returns a key that sorts numbers by their size."""
    return (0, int(value), "") if value.isdigit() else (1, 0, value)


def table(found):
    """Returns the lines of a table in a dictionary by source."""
    return {source: " ".join([source, *(f"{name}={','.join(sorted(defines[name], key=order))}"
                                        for name in sorted(defines))])
            for source, defines in sorted(found.items())}


def kept():
    """Returns the lines of the stored table, by source."""
    with open(TABLE, encoding="ascii") as file:
        return {line.split()[0]: line.strip() for line in file if not line.startswith("#")}


def wanted(root, sources):
    """Returns sources in the form for GPUs."""
    for source in set(sources):
        with open(os.path.join(root, "cl", source), encoding="ascii") as file:
            form = FORM.search(file.read()).group(1)
        if form != "CPU":
            yield source


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requested", required=True, help="the program vendors-requested")
    parser.add_argument("--source", required=True, help="root of the project")
    parser.add_argument("--sources", nargs="+", required=True)
    parser.add_argument("--write", action="store_true", help="write requested.txt anew")
    args = parser.parse_args()
    found = table(values(args.requested))
    if args.write:
        with open(TABLE, "w", encoding="ascii") as file:
            file.write("# Made by requested.py --write.\n" + "".join(f"{line}\n" for line in found.values()))
    was, needed = kept(), set(wanted(args.source, args.sources))
    names = sorted(needed | set(was) | set(found))
    bad = 0
    for number, name in enumerate(names, 1):
        good = name in needed and name in found and found[name] == was.get(name)
        bad += not good
        print(f"{'ok' if good else 'not ok'} {number} {name}")
        if not good:
            print(f"# kept:  {was.get(name, 'nothing')}\n# asked: {found.get(name, 'nothing')}")
    print(f"1..{len(names)}")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
