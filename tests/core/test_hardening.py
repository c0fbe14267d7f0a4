# SPDX-License-Identifier: Apache-2.0
"""Checks that installed files are hardened as far as possible, and that only one place reads environment variables.

    test_hardening.py READELF LIBRARY-OBJECTS WANTED[,WANTED...] FILE...

WANTED: now (immediate binding, so that addresses are read-only), stack, fortify.
"""
import subprocess
import sys

readelf, objects, wanted, *files = sys.argv[1:]


def told(*arguments):
    return subprocess.run([readelf, "--wide", *arguments], check=True, text=True, capture_output=True).stdout


def undefined(file):
    rows = [line.split() for line in told("--symbols", file).splitlines()]
    return {row[7].split("@")[0] for row in rows if len(row) > 7 and row[6] == "UND"}


def faults(file):
    segments, dynamic, symbols = told("--segments", file), told("--dynamic", file), undefined(file)
    stack = next((line.split() for line in segments.splitlines() if "GNU_STACK" in line), ["RWE"])
    if "RWE" in stack:
        yield "its stack is executable"
    if "TEXTREL" in dynamic:
        yield "its code is relocated"
    if "now" in wanted and not ("GNU_RELRO" in segments and ("BIND_NOW" in dynamic or "NOW" in dynamic)):
        yield "addresses of functions stay writable"
    if "stack" in wanted and "__stack_chk_fail" not in symbols:
        yield "no canary on the stack"
    if "fortify" in wanted and not any(name.endswith("_chk") for name in symbols):
        yield "no checked copies"


found = [f"{file}: {fault}" for file in files for fault in faults(file)]
if "getenv" in undefined(objects):
    found.append("a variable is read by getenv(), not by mote_variable()")
print("1..1")
print(f"{'not ok' if found else 'ok'} 1 - {len(files)} files are hardened: {wanted}", *found, sep="\n# ")
