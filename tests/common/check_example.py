#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a document with the example it shows and with what the example prints; prints TAP."""

import pathlib
import re
import subprocess
import sys


def blocks(document, language):
    """The contents of the document's fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", document, re.M | re.S)


def main():
    """Arguments: document, source, expected output, program."""
    document, source, expected = (pathlib.Path(p).read_text() for p in sys.argv[1:4])
    code = source.split("\n", 1)[1]  # documents leave out the licence line
    done = subprocess.run([sys.argv[4]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          text=True, check=False)
    checks = [("the document shows this source", code in blocks(document, "c")),
              ("the document shows this output", expected in blocks(document, "text")),
              ("the example exits with 0", done.returncode == 0),
              ("the example prints this output", done.stdout == expected)]
    print(f"1..{len(checks)}")
    for number, (name, good) in enumerate(checks, 1):
        print(f"{'ok' if good else 'not ok'} {number} - {name}")
    return not all(good for _, good in checks)


if __name__ == "__main__":
    sys.exit(main())
