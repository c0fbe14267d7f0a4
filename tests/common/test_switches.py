#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the MOTE_TEST_ variables that tests read with docs/testing.md. TAP.

    test_switches.py SOURCE      SOURCE is the project's folder
"""

import pathlib
import re
import sys

READ = re.compile(r'"(MOTE_TEST_[A-Z_]+)"')
SHOWN = re.compile(r"^\| `(MOTE_TEST_[A-Z_]+)`", re.M)


def main():
    """The command line."""
    source = pathlib.Path(sys.argv[1])
    read = set()
    for path in source.glob("tests/**/*"):
        if path.suffix in (".c", ".h", ".py") and path.name != "test_switches.py":
            read |= set(READ.findall(path.read_text(encoding="utf-8")))
    shown = set(SHOWN.findall((source / "docs/testing.md").read_text(encoding="utf-8")))
    checks = [("docs/testing.md lists every variable that tests read", read - shown),
              ("tests read every variable of docs/testing.md", shown - read)]
    print(f"1..{len(checks)}")
    for number, (name, wrong) in enumerate(checks, 1):
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}")
        for variable in sorted(wrong):
            print(f"# {variable}")
    return any(wrong for _, wrong in checks)


if __name__ == "__main__":
    sys.exit(main())
