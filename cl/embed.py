#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns OpenCL sources into C.

    embed.py source --root cl --include include --depfile X.d --output X.c AREA/NAME.cl
        writes `const mote_source mote_cl_AREA_NAME`, every #include "..." resolved
    embed.py header --output cl_sources.h AREA/NAME.cl ...
        writes their declarations, and MOTE_CL_SOURCES(X), a list of all

Quoted includes are searched beside the including file, then under the root and the include folders; <...> stays as it
is. A file is pasted once, except
- when it contains the line of EVERY_TIME: a template, which is included again with other macros;
- from inside an #if of the including file (its include guard does not count): whether the
  preprocessor sees that copy is not known here, so the file's own guard must decide.
"""

import argparse
import os
import re
import sys

EVERY_TIME = "/* embed: include every time */"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
OPENS = re.compile(r"^\s*#\s*if")
CLOSES = re.compile(r"^\s*#\s*endif")
FORM = re.compile(r"^ \* Form: (\w+)\.", re.M)
DIRECTIVE = re.compile(r"^\s*#\s*(\w+)(?:\s+(\w+))?")


class EmbedError(Exception):
    """An error in a source, with file and line."""


def has_guard(lines):
    """Returns whether the first two directives are #ifndef X, #define X."""
    found = [m.groups() for m in map(DIRECTIVE.match, lines) if m][:2]
    return len(found) == 2 and found[0][0] == "ifndef" and found[1] == ("define", found[0][1])


class Flattener:
    """Pastes a source and the files that it includes into one list of lines."""

    def __init__(self, roots):
        self.roots = roots
        self.files = []  # every file read, for the depfile
        self.pasted = set()
        self.lines = []

    def read(self, path):
        """Returns the file's lines without trailing blanks."""
        if path not in self.files:
            self.files.append(path)
        try:
            with open(path, encoding="ascii") as file:
                return [line.rstrip() for line in file.read().split("\n")]
        except UnicodeDecodeError as error:
            raise EmbedError(f"{path}: not ASCII at byte {error.start}") from error

    def find(self, name, where, origin):
        """Returns the path that an include refers to."""
        for folder in [os.path.dirname(where)] + self.roots:
            path = os.path.normpath(os.path.join(folder, name))
            if os.path.isfile(path):
                return path
        raise EmbedError(f'{origin}: cannot find "{name}"')

    def shown(self, path):
        """Returns the path as build logs show it: below its root."""
        for root in self.roots:
            inside = os.path.relpath(path, root)
            if not inside.startswith(".."):
                return inside.replace(os.sep, "/")
        return os.path.basename(path)

    def paste(self, path, conditional=False, stack=()):
        """Appends a file; `conditional`: the preprocessor may skip this copy."""
        lines = self.read(path)
        if EVERY_TIME not in lines:
            if path in self.pasted:
                return
            if not conditional:
                self.pasted.add(path)
        name = self.shown(path)
        depth = -1 if has_guard(lines) else 0
        if lines and not lines[-1]:
            lines.pop()
        self.lines.append(f'#line 1 "{name}"')
        for number, line in enumerate(lines, 1):
            depth += bool(OPENS.match(line)) - bool(CLOSES.match(line))
            include = INCLUDE.match(line)
            if not include:
                self.lines.append(line)
                continue
            target = self.find(include.group(1), path, f"{name}:{number}")
            if target in stack + (path,):
                raise EmbedError(f'{name}:{number}: "{include.group(1)}" includes itself')
            self.paste(target, conditional or depth > 0, stack + (path,))
            self.lines.append(f'#line {number + 1} "{name}"')


def symbol(name):
    """Returns mote_cl_AREA_NAME for AREA/NAME.cl."""
    word = re.sub(r"[/-]", "_", os.path.splitext(name)[0])
    if not re.fullmatch(r"\w+", word, re.ASCII):
        raise EmbedError(f"{name}: makes no C identifier")
    return "mote_cl_" + word


def c_source(name, text):
    """Returns the C file. It has an array of numbers, since C11 compilers may reject literals beyond 4095 bytes."""
    data = text.encode("ascii") + b"\0"
    rows = [",".join(map(str, data[i : i + 24])) for i in range(0, len(data), 24)]
    form = FORM.search(text)
    gpu = "true" if form and form.group(1) == "GPU" else "false"
    return (
        f'/* Made from {name} by embed.py. */\n#include "cl_sources.h"\n\n'
        "static const char text[] = {\n" + ",\n".join(rows) + "};\n\n"
        f'const mote_source {symbol(name)} = {{"{name}", text, sizeof(text) - 1, {gpu}}};\n'
    )


def c_header(names):
    """Returns the declarations of all sources."""
    guard = "MOTE_CL_SOURCES_H"
    lines = ["/* Made by embed.py. */", f"#ifndef {guard}", f"#define {guard}", ""]
    lines += ['#include "core/program.h"', ""]
    lines += [f"extern const mote_source {symbol(name)};" for name in names]
    lines += ["", "/* X(source) for each of them. */"]
    lines += ["#define MOTE_CL_SOURCES(X)" + "".join(f" X({symbol(name)})" for name in names)]
    return "\n".join(lines + ["", "#endif", ""])


def write(path, text):
    """Writes a file."""
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write(text)


def escape(path):
    """Returns a path with the escapes of a depfile."""
    return path.replace("\\", "\\\\").replace(" ", "\\ ").replace("#", "\\#").replace("$", "$$")


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description="Turns OpenCL sources into C.")
    parser.add_argument("what", choices=["source", "header"])
    parser.add_argument("--root", default=".")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--depfile")
    parser.add_argument("--output", required=True)
    parser.add_argument("names", nargs="*")
    args = parser.parse_intermixed_args()
    if args.what == "header":
        write(args.output, c_header(args.names))
        return
    if len(args.names) != 1:
        parser.error("one source at a time")
    flattener = Flattener([args.root] + args.include)
    flattener.paste(os.path.normpath(os.path.join(args.root, args.names[0])))
    write(args.output, c_source(args.names[0], "\n".join(flattener.lines) + "\n"))
    if args.depfile:
        files = " ".join(escape(path) for path in flattener.files)
        write(args.depfile, f"{escape(args.output)}: {files}\n")


if __name__ == "__main__":
    try:
        main()
    except (EmbedError, OSError) as problem:
        sys.exit(f"embed.py: {problem}")
