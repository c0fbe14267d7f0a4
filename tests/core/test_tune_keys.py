#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares MOTE_TUNE's keys in the code, in the areas' tune_keys.inc and in docs/tuning.md. TAP.

    test_tune_keys.py SOURCE [--show]      SOURCE is the project's folder; --show prints the table
"""

import pathlib
import re
import sys

KEY = re.compile(r'"((?:core|reduce|jagged|jagged_reduce|pixels|coordination)\.[a-z][a-z0-9_]*)"')
ROW = re.compile(r'\{"([^"]+)",\s*"([^"]+)",\s*"([^"]+)",\s*"([^"]+)"\}')
BROKEN = re.compile(r'"\s*\n\s*"')  # one string on two lines
COMMENT = re.compile(r"/\*.*?\*/", re.S)
LIBRARY = ("core", "reduce", "jagged", "pixels", "coordination")


def asked(source):
    """Returns the keys that the library's code names, outside of comments."""
    keys = set()
    for area in LIBRARY:
        for path in sorted((source / "src" / area).rglob("*.c")):
            keys |= set(KEY.findall(COMMENT.sub("", path.read_text())))
    return keys


def main():
    """The command line."""
    source = pathlib.Path(sys.argv[1])
    rows = [row for area in LIBRARY for row in
            ROW.findall(BROKEN.sub("", (source / "src" / area / "tune_keys.inc").read_text()))]
    lines = [f"| `{key}` | {unit} | {usual} | {trades} |" for key, unit, usual, trades in rows]
    if "--show" in sys.argv:
        print("\n".join(lines))
        return False
    keys = [row[0] for row in rows]
    shown = [line for line in (source / "docs/tuning.md").read_text().splitlines()
             if line.startswith("| `")]
    checks = [("every key of the code is in the table", asked(source) - set(keys)),
              ("the code asks for every key of the table", set(keys) - asked(source)),
              ("no key is there twice", {key for key in keys if keys.count(key) > 1}),
              ("docs/tuning.md shows the table", set(lines) ^ set(shown))]
    print(f"1..{len(checks)}")
    for number, (name, wrong) in enumerate(checks, 1):
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}")
        for line in sorted(wrong):
            print(f"# {line}")
    return any(wrong for _, wrong in checks)


if __name__ == "__main__":
    sys.exit(main())
