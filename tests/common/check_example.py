#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares an example with the document that shows it or links to it, and with the output of the example and of its
twin in C++; prints TAP."""

import pathlib
import re
import signal
import subprocess
import sys


def blocks(document, language):
    """Returns the contents of the document's fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", document, re.M | re.S)


def shown(document, source, expected):
    """Checks a document that quotes the program and its output."""
    code = source.read_text().split("\n", 1)[1]  # documents leave out the licence line
    return [("the document shows this source", code in blocks(document, "c")),
            ("the document shows this output", expected.read_text() in blocks(document, "text"))]


def linked(document, source, expected):
    """Checks a document that links to the program, its twin and their output, and repeats none of them."""
    files = [source, source.with_suffix(".cpp"), expected]
    return [("the document links to both sources and the output",
             all(f"](../examples/{file.name})" in document and file.is_file() for file in files)),
            ("the document repeats no program", not blocks(document, "c"))]


def run(program):
    """Runs a program, and runs it once more if PoCL 5 or older has ended it (docs/drivers.md)."""
    for _ in range(3):
        done = subprocess.run([program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        sys.stderr.write(done.stderr)
        if done.returncode != -signal.SIGABRT or "pocl_release_dlhandle_cache" not in done.stderr:
            break
    return done


def main():
    """Arguments: "shown" or "linked", document, source, expected output, the program in C, the one in C++."""
    document, source, expected = (pathlib.Path(p) for p in sys.argv[2:5])
    checks = {"shown": shown, "linked": linked}[sys.argv[1]](document.read_text(), source, expected)
    for program, language in zip(sys.argv[5:], ("C", "C++")):
        done = run(program)
        checks += [(f"the example in {language} exits with 0", done.returncode == 0),
                   (f"the example in {language} prints this output", done.stdout == expected.read_text())]
    print(f"1..{len(checks)}")
    for number, (name, good) in enumerate(checks, 1):
        print(f"{'ok' if good else 'not ok'} {number} - {name}")
    return not all(good for _, good in checks)


if __name__ == "__main__":
    sys.exit(main())
