#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a document with the example it shows and with what it and its twin print; prints TAP."""

import pathlib
import re
import signal
import subprocess
import sys


def blocks(document, language):
    """The contents of the document's fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", document, re.M | re.S)


def run(program):
    """Runs a program; once more where PoCL 5 or older has ended it (docs/drivers.md)."""
    for _ in range(3):
        done = subprocess.run([program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        sys.stderr.write(done.stderr)
        if done.returncode != -signal.SIGABRT or "pocl_release_dlhandle_cache" not in done.stderr:
            break
    return done


def main():
    """Arguments: document, source, expected output, the program in C, the one in C++."""
    document, source, expected = (pathlib.Path(p).read_text() for p in sys.argv[1:4])
    code = source.split("\n", 1)[1]  # documents leave out the licence line
    checks = [("the document shows this source", code in blocks(document, "c")),
              ("the document shows this output", expected in blocks(document, "text"))]
    for program, language in zip(sys.argv[4:], ("C", "C++")):
        done = run(program)
        checks += [(f"the example in {language} exits with 0", done.returncode == 0),
                   (f"the example in {language} prints this output", done.stdout == expected)]
    print(f"1..{len(checks)}")
    for number, (name, good) in enumerate(checks, 1):
        print(f"{'ok' if good else 'not ok'} {number} - {name}")
    return not all(good for _, good in checks)


if __name__ == "__main__":
    sys.exit(main())
