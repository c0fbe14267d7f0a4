#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares generated lists with the files that they are generated from; --write updates the lists.

The headers determine the initialisers of include/mote/init.h, the initialisers and calls of
include/mote/hpp/calls.hpp, the sizes of structures in tests/core/abi_sizes.inc, the symbols of
debian/libmote0.symbols, and the names of switching functions in the manual page. Sizes and the versions of
symbols are kept, because programs rely on them. New structures get the size that the compiler of --cc
reports, and new symbols get the project's version.

The files of src/, cl/ and testkit/ determine the lists of sources in meson.build. The descriptors of operations
in src/ determine the rows of src/operations.h and the numbers of mote_operation. Old rows keep their places and
numbers; new rows are appended.

The table in cl/shared/reductions.h determines the enumeration in include/mote/reduce.h and the lists of
reductions in the manual page and in Python.
"""

import argparse
import difflib
import pathlib
import re
import subprocess
import sys
import textwrap

SOURCES = {"cl": ".cl", "src/core": ".c", "src/reduce": ".c", "src/jagged": ".c", "src/pixels": ".c",
           "src/coordination": ".c", "testkit": ".c"}
ROOT = pathlib.Path(__file__).resolve().parent.parent
INITIALISER = re.compile(r"^MOTE_INITIALISER(?:_WITH)?\((mote_\w+)[,)]", re.M)
STRUCTURE = re.compile(r"^typedef struct (mote_\w+) \{\n    size_t size;(.*?)^\} \1;", re.M | re.S)
FUNCTION = re.compile(r"^MOTE_API[^;(]*?(mote_\w+)\(", re.M)
CALL = re.compile(r"^MOTE_API mote_status mote_(\w+)\(\s*mote_context \*ctx, cl_command_queue queue,"
                  r"\s*const mote_(\w+)_args \*args,\s*cl_uint num_wait", re.M)
DESCRIPTOR = re.compile(r"^const mote_descriptor (mote_\w+)_operation = \{", re.M)
REDUCTION = re.compile(r'ROW\((\w+), "(\w+)",[^"]*"([^"]+)"\)')


class Headers:
    """Returns the declarations of the public headers, in the order of their names."""

    def __init__(self):
        texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "include/mote").glob("*.h"))]
        text = "".join(texts)
        self.initialised = INITIALISER.findall(text)
        self.fields = dict(STRUCTURE.findall(text))
        self.functions = sorted(set(FUNCTION.findall(text)))
        self.calls = CALL.findall(text)
        self.switches = re.findall(r"^    MOTE_SWITCH_(\w+) = \d+", text, re.M)

    def initialisers(self):
        """Returns the rows of init.h, aligned. A member that is such a structure is initialised as well."""
        names = [f"{name.upper()}_INIT" for name in self.initialised]
        width = max(map(len, names))
        for kind, name in zip(self.initialised, names):
            inner = [f", .{field} = {of.upper()}_INIT" for of in self.initialised
                     for field in re.findall(rf"^    {of} (\w+);", self.fields[kind], re.M)]
            yield f"#define {name:{width}} {{.size = sizeof({kind}){''.join(inner)}}}\n"

    def kinds(self):
        """Returns the row of the manual page that names the switching functions."""
        first = '", "'.join(f" {name} " for name in self.switches[:-1]).strip()
        yield f'.BR {first} " or " {self.switches[-1]} ,\n'

    def sizes(self, old, cc):
        """Returns the rows of abi_sizes.inc. A structure begins with its size."""
        known = dict(re.findall(r'^\{"(\w+)", .*, (\d+)\},$', old, re.M))
        for kind in self.fields:
            yield f'{{"{kind}", sizeof({kind}), {known.get(kind) or size_of(kind, cc)}}},\n'

    def symbols(self, old):
        """Returns the rows of libmote0.symbols."""
        known = dict(re.findall(r"^ (\w+)@Base (\S+)$", old, re.M))
        version = re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text(encoding="utf-8"))[1]
        for name in self.functions:
            yield f" {name}@Base {known.get(name, version)}\n"


class Reductions:
    """Returns the rows of the table of reductions: member of the enumeration, word, line about the results."""

    def __init__(self):
        text = (ROOT / "cl/shared/reductions.h").read_text(encoding="utf-8")
        self.rows = REDUCTION.findall(text)
        assert len(self.rows) == text.count("\n    ROW("), "a row of the table was not understood"

    def header(self):
        """Returns the list in the comment on the enumeration."""
        return [wrapped(f" * - {member}: ", " *   ", fields(about)) for member, _, about in self.rows]

    def enumeration(self):
        """The members."""
        yield ",\n".join(f"    MOTE_REDUCE_{member} = {number}"
                         for number, (member, _, _) in enumerate(self.rows)) + "\n"

    def manual(self):
        """Returns the list in the manual page."""
        for _, word, about in self.rows:
            yield f".TP\n.B {word}\n" + about.replace("-", r"\-") + "\n"

    def docstring(self):
        """Returns the lines of the list in the docstring of mote.jagged.reduce()."""
        return [wrapped(f'        "{word}": ', " " * 12, fields(about)) for _, word, about in self.rows]


class Operations:
    """Returns the rows of operations and their numbers."""

    def __init__(self):
        texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "src").rglob("*.c"))]
        self.described = [name for text in texts for name in DESCRIPTOR.findall(text)]
        text = (ROOT / "src/operations.h").read_text(encoding="utf-8")
        known = re.findall(r"OPERATION\((MOTE_OPERATION_\w+),[\s\\]+(mote_\w+)_operation\)", text)
        named = {name for _, name in known}
        self.rows = [(number, name) for number, name in known if name in self.described]
        self.rows += [("MOTE_OPERATION_" + name.removeprefix("mote_").upper(), name)
                      for name in self.described if name not in named]

    def table(self):
        """Returns the rows of MOTE_OPERATIONS(), with line breaks as clang-format sets them."""
        lines = []
        for number, name in self.rows:
            row = f"    OPERATION({number}, {name}_operation)"
            lines += [row] if len(row) < 99 else [f"    OPERATION({number},", f"{'':14}{name}_operation)"]
        return "".join(f"{line:99}\\\n" for line in lines[:-1]) + lines[-1] + "\n"

    def enumeration(self, text):
        """Returns the members of mote_operation."""
        old = re.search(r"typedef enum mote_operation \{\n(.*?)\n\} mote_operation;", text, re.S)[1]
        used = dict(re.findall(r"(MOTE_OPERATION_\w+) = (\d+)", old))
        new = [number for number, _ in self.rows if number not in used]
        first = max(map(int, used.values())) + 1
        return old + "".join(f",\n    {number} = {first + k}" for k, number in enumerate(new)) + "\n"


def sources(folder, ending):
    """Returns a function that makes the list of a folder's sources from the text of its meson.build."""
    def rows(text):
        found = {str(path.relative_to(ROOT / folder)) for path in (ROOT / folder).rglob("*" + ending)}
        old = [name for name in re.findall(rf"^  '([\w/]+{re.escape(ending)})',$", text, re.M) if name in found]
        return [f"  '{name}',\n" for name in old + sorted(found - set(old))]
    return rows


def fields(about):
    """Returns a line about results, with the names of arguments instead of the command's operands."""
    return about.replace("VALUES", "values").replace("OFFSETS", "offsets")


def wrapped(first, other, text):
    """Returns lines of up to 100 columns."""
    return textwrap.fill(text, 100, initial_indent=first, subsequent_indent=other) + "\n"


def size_of(kind, cc):
    """Returns the size of a structure, which the compiler prints in a message about an array of negative size."""
    program = f"#include <mote/mote.h>\nchar (*size)[sizeof({kind})] = 1;\n"
    done = subprocess.run([*cc, "-DCL_TARGET_OPENCL_VERSION=120", "-I", ROOT / "include", "-x", "c", "-", "-o",
                           "/dev/null", "-c", "-Werror"], input=program, text=True, capture_output=True, check=False)
    found = re.search(r"char \(\*\)\[(\d+)\]", done.stderr)
    if not found:
        sys.exit(f"{kind} does not compile:\n{done.stderr}")
    return found[1]


def replaced(text, row, rows):
    """Returns the text with other rows instead of those that match."""
    blocks = list(re.finditer(rf"(?:^{row}.*\n)+", text, re.M))
    assert len(blocks) == 1, f"{len(blocks)} blocks of {row}"
    return text[:blocks[0].start()] + "".join(rows) + text[blocks[0].end():]


def between(text, before, after, rows):
    """Returns the text with other rows between two pieces of it."""
    assert text.count(before) == 1, f"{text.count(before)} places of {before}"
    begin = text.index(before) + len(before)
    return text[:begin] + "".join(rows) + text[text.index(after, begin):]


def lists(cc):
    """Yields each file with its text as it is and as it should be."""
    headers, reductions, operations = Headers(), Reductions(), Operations()

    def file(name, *blocks):
        path = ROOT / name
        text = new = path.read_text(encoding="utf-8")
        for write, *where, rows in blocks:
            new = write(new, *where, rows(text) if callable(rows) else rows)
        return path, text, new

    for folder, ending in SOURCES.items():
        yield file(f"{folder}/meson.build", (replaced, rf"  '[\w/]+{re.escape(ending)}',", sources(folder, ending)))
    yield file("src/operations.h", (between, f"{'#define MOTE_OPERATIONS(OPERATION)':99}\\\n", "\n#define MOTE_DECLARE",
                                    operations.table()))
    yield file("include/mote/context.h",
               (between, "typedef enum mote_operation {\n", "}", operations.enumeration))
    yield file("include/mote/init.h", (replaced, r"#define MOTE_\w+_INIT ", headers.initialisers()))
    yield file("include/mote/hpp/calls.hpp",
               (replaced, r"MOTE_HPP_INIT\(", [f"MOTE_HPP_INIT({kind})\n" for kind in headers.initialised]),
               (replaced, r"MOTE_HPP_CALL\(", [f"MOTE_HPP_CALL({name}, {kind})\n" for name, kind in headers.calls]))
    yield file("tests/core/abi_sizes.inc", (replaced, r'\{"', lambda text: headers.sizes(text, cc)))
    yield file("debian/libmote0.symbols", (replaced, r" mote_", headers.symbols))
    yield file("include/mote/reduce.h",
               (between, "result of an empty list:\n", " */\n", reductions.header()),
               (between, "typedef enum mote_reduction {\n", "}", reductions.enumeration()))
    yield file("tool/man/mote.1",
               (replaced, r"\.BR RATIONAL ", headers.kinds()),
               (between, "result of an empty list:\n.RS\n", ".RE\n", reductions.manual()))
    yield file("python/mote/jagged.py",
               (between, "result of an empty list:\n", "    ddof:", reductions.docstring()))


def main():
    """Exit status 1 if a list differs and --write is not given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the lists that differ")
    parser.add_argument("--cc", default="cc", help="the compiler that gives the size of new structures")
    args = parser.parse_args()
    differ = [(path, text, new) for path, text, new in lists(args.cc.split()) if text != new]
    for path, text, new in differ:
        if args.write:
            path.write_text(new, encoding="utf-8")
        else:
            sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), new.splitlines(True),
                                                       f"{path}", "as it should be"))
    if differ and not args.write:
        print("include/interface.py --write writes these lists.")
    return 1 if differ and not args.write else 0


if __name__ == "__main__":
    sys.exit(main())
