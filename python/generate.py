#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the module that describes libmote to cffi, from the public headers.

The headers are preprocessed with the stand-ins for system headers in headers/, so that the text contains mote's
declarations and the few of OpenCL that the package needs. Importing the module requires neither a compiler nor a
parser of C.
"""

import argparse
import pathlib
import re
import subprocess

import cffi

HERE = pathlib.Path(__file__).resolve().parent
INITIALISER = re.compile(r"static inline void mote_\w+_init\(.*\n")
NUMBER = re.compile(r"^#define (MOTE_\w+)\s+(0x[0-9a-fA-F]+|\d+)u?\s*$", re.M)


def declarations(cc, include, depfile, output):
    """Returns the public headers as one text of plain C, without the initialisers, which are no symbols."""
    command = [*cc, "-E", "-P", "-nostdinc", "-U__GNUC__", "-I", HERE / "headers", "-I", include,
               "-MD", "-MF", depfile, "-MT", output, include / "mote" / "mote.h"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return INITIALISER.sub("", text)


def constants(include):
    """Returns the numbers that the headers define as macros, which the preprocessor has replaced."""
    text = "".join(header.read_text(encoding="utf-8")
                   for header in sorted(include.glob("mote/**/*.h")))
    return "".join(f"#define {name} {value}\n" for name, value in NUMBER.findall(text))


def main():
    """Arguments: the compiler, the folder of the headers, and where to write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--include", type=pathlib.Path, required=True)
    parser.add_argument("--depfile", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("cc", nargs="+")
    args = parser.parse_args()
    builder = cffi.FFI()
    builder.set_source("mote._api", None)
    builder.cdef(constants(args.include)
                 + declarations(args.cc, args.include, args.depfile, args.output))
    builder.emit_python_code(args.output)


if __name__ == "__main__":
    main()
