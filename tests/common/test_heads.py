#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the head of each kernel source with the source, and with the macros that the host passes. TAP.

    test_heads.py EMBED ROOT INCLUDE --cc CC ... --sources SOURCE ... [--run MOTE | --write]

A head is the comment that a source begins with. It ends in

    Form: GPU.           or CPU, or both
    Defines: A, B.       each macro that the host always passes
    Optional: C.         each that it passes at times; left out where there is none

Macros are words in capitals outside parentheses; the parentheses after a macro contain its meaning or its value. A
head must name every macro that the preprocessor finds no definition for. Sources for CPUs, and headers that only they
use, have `cpu` at the end of their name or of their folder's. The table of docs/kernels.md is made from the heads:
--write writes it anew. With --run the macros are compared with those with which `mote selftest` builds programs in
both forms: the named ones must be there, and no others that the source reads.
"""

import argparse
import functools
import importlib.util
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # where the sources are

WORD = re.compile(r"\b[A-Z][A-Z0-9_]+\b")
# Macros that OpenCL C or core/program_build.c defines.
GIVEN = re.compile(r"CLK_\w+|(U?(CHAR|SHRT|INT|LONG)|FLT|DBL)_(MAX|MIN|EPSILON)|INFINITY|NAN|MAXFLOAT"
                   r"|FP_CONTRACT|OPENCL|EXTENSION|OFF|M_PI_F|MOTE_FP64|MOTE_NVIDIA|MOTE_PREFETCH|MOTE_SUB_GROUPS"
                   r"|MOTE_WIDTH|POCL_DEVICE_ADDRESS_BITS")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
BUILT = re.compile(r"debug: (\S+\.cl) \[(.*?)\]: (?:built|loaded) ", re.S)
FORMS = ",".join(f"{area}.form=gpu" for area in ("reduce", "jagged", "pixels", "coordination"))


def open_text(path):
    """Returns the text of a file."""
    with open(path, encoding="utf-8") as file:
        return file.read()


@functools.cache
def embedder(path):
    """Returns the module cl/embed.py."""
    spec = importlib.util.spec_from_file_location("embed", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def flatten(args, name):
    """Returns the text of a source with its includes, and the paths of all."""
    flat = embedder(args.embed).Flattener([args.root, args.include])
    flat.paste(os.path.join(args.root, name))
    return "\n".join(flat.lines) + "\n", [os.path.relpath(path, args.root) for path in flat.files]


def read_head(args, name):
    """Returns the form, the macros always passed, those passed at times, and the numbers of some; None without a
    form."""
    comments = COMMENT.findall(open_text(os.path.join(args.root, name)))
    head = re.sub(r"\s*\n \*\s*", " ", comments[1]) if len(comments) > 1 else ""
    numbers = dict(re.findall(r"\b([A-Z][A-Z0-9_]+) \((\d+)\b(?!:)", head))
    while re.search(r"\([^()]*\)", head):
        head = re.sub(r"\([^()]*\)", "", head)
    found = re.search(r"Form: (GPU|CPU|both)\b.*? Defines: (.*?)(?: Optional: (.*?))?\*/$", head)
    if not found:
        return None
    always, at_times = (set(WORD.findall(part or "")) for part in found.groups()[1:])
    return found.group(1), always, at_times, numbers


def unresolved(cc, text, defines):
    """Returns the macros that the preprocessor leaves, or for which it finds no definition in an #if."""
    text = re.sub(r"#\s*pragma.*|#line.*", "", text)
    options = [f"-D{name}={value}" for name, value in defines.items()]
    done = subprocess.run([*cc, "-E", "-P", "-Wundef", *options, "-x", "c", "-"], input=text,
                          capture_output=True, text=True, check=False)
    words = set(WORD.findall(re.sub(r'"[^"\n]*"', "", done.stdout)))
    for body in re.findall(r"\benum\b[^{;]*\{([^}]*)\}", done.stdout):
        words -= set(WORD.findall(body))
    words |= set(re.findall(r'"(\w+)" is not defined', done.stderr.replace("‘", '"').replace("’", '"')))
    words |= set(re.findall(r"'(\w+)' is not defined", done.stderr))
    return {word for word in words if not GIVEN.fullmatch(word)}


def conditions(code):
    """Returns the macros that decide an #if and are defined nowhere in the text; #ifdef needs no definition."""
    known = set(re.findall(r"#\s*define\s+(\w+)", code))
    words = set()
    for line in re.findall(r"^\s*#\s*(?:el)?if\s(.*)", code, re.M):
        words |= set(WORD.findall(re.sub(r"\bdefined\s*\(?\s*\w+\s*\)?", "", line)))
    return {word for word in words - known if not GIVEN.fullmatch(word)}


def check(args, name):
    """Returns the errors of a head, as sentences."""
    head = read_head(args, name)
    if not head:
        return ["the head must end in \"Form: GPU|CPU|both. Defines: A, B.\""]
    form, always, at_times, numbers = head
    text, _ = flatten(args, name)
    code = COMMENT.sub(" ", text)
    wrong = [f"{word} is named and not used" for word in sorted(always | at_times)
             if not re.search(rf"\b{word}\b", code)]
    if is_cpu(name) != (form == "CPU"):
        wrong.append(f"the form is {form}: only sources for CPUs have cpu in their name")
    wrong += [f"{word} is not named" for word in conditions(code) - always - at_times]
    for value in (0, 1, 8):
        for extra in (set(), at_times) if at_times else (set(),):
            defines = {word: numbers.get(word, value) for word in always | extra}
            if "LANES" in defines:
                defines["LANES"] = 8 if defines["DOUBLE"] else 16
            wrong += [f"{word} is not named" for word in unresolved(args.cc, code, defines) - at_times]
    return sorted(set(wrong))


def is_cpu(name):
    """Returns whether a name says that the file is for CPUs only."""
    return bool(re.search(r"(^|[/_])cpu(\.clh?$|/)", name))


def check_headers(args):
    """Returns headers whose names wrongly suggest whether they are for CPUs only."""
    users = {}
    for name in args.sources:
        for path in flatten(args, name)[1]:
            if path.endswith(".clh"):
                users.setdefault(path, set()).add(is_cpu(name))
    return [f"{path} is{'' if only == {True} else ' not'} for CPUs alone"
            for path, only in sorted(users.items()) if is_cpu(path) != (only == {True})]


def passed(mote):
    """Returns (source, macros) of every program that a selftest builds in both forms."""
    builds = []
    for tune in ("", FORMS):
        env = dict(os.environ, MOTE_LOG="debug", MOTE_TUNE=tune)
        done = subprocess.run([mote, "selftest", "--time", "0", "-d",
                               os.environ.get("MOTE_DEVICE", "pocl:0")],
                              env=env, capture_output=True, text=True, check=False)
        builds += [(source, set(re.findall(r"-D(\w+)", options)))
                   for source, options in BUILT.findall(done.stderr)]
    return builds


def check_host(args, name, builds):
    """Returns differences between the macros that the host passes to a source and those that its head names."""
    head = read_head(args, name)
    sets = [macros for source, macros in builds if source == name]
    if not head or not sets:
        return [], not sets
    _, always, at_times, _ = head
    code = COMMENT.sub(" ", flatten(args, name)[0])
    wrong = [f"{word} is not passed" for macros in sets for word in always - macros]
    wrong += [f"{word} is passed and not named" for macros in sets
              for word in macros - always - at_times if re.search(rf"\b{word}\b", code)]
    return sorted(set(wrong)), False


def hosts(args, name):
    """Returns the C files that launch a source."""
    symbol = "mote_cl_" + re.sub(r"[/-]", "_", name[:-len(".cl")])
    folder = os.path.join(os.path.dirname(args.root), "src")
    found = []
    for where, _, files in sorted(os.walk(folder)):
        for file in sorted(files):
            path = os.path.join(where, file)
            if file.endswith(".c") and re.search(rf"\b{symbol}\b", open_text(path)):
                found.append(os.path.relpath(path, folder))
    return found


def table(args):
    """Returns the table of docs/kernels.md, as lines."""
    lines = ["| program | host: `src/` | form | includes | defines |", "| --- | --- | --- | --- | --- |"]
    for name in args.sources:
        form, always, at_times, _ = read_head(args, name)
        area = os.path.dirname(name) + "/"
        include = [path.removeprefix(area) for path in flatten(args, name)[1] if path.endswith(".clh")]
        macros = sorted(always) + [f"[{word}]" for word in sorted(at_times)]
        cells = [f"`{name}`", ", ".join(hosts(args, name)), form, ", ".join(include), " ".join(macros)]
        lines.append("| " + " | ".join(cell or "-" for cell in cells) + " |")
    return lines


def check_document(args):
    """Returns the errors of the table of docs/kernels.md; --write writes the table again."""
    path = os.path.join(os.path.dirname(args.root), "docs", "kernels.md")
    lines = open_text(path).split("\n")
    ours = [number for number, line in enumerate(lines) if line.startswith("| ")]
    wanted = table(args)
    if args.write:
        lines[ours[0]:ours[-1] + 1] = wanted
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        return []
    shown = [lines[number] for number in ours]
    wrong = [f"not in docs/kernels.md: {line}" for line in wanted if line not in shown]
    wrong += [f"only in docs/kernels.md: {line}" for line in shown if line not in wanted]
    return wrong + (["`tests/common/test_heads.py ... --write` makes the table anew"] if wrong else [])


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("embed", "root", "include"):
        parser.add_argument(name)
    parser.add_argument("--cc", nargs="+", required=True)
    parser.add_argument("--sources", nargs="+", required=True)
    parser.add_argument("--run")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    points = []
    if args.run:
        builds = passed(args.run)
        for name in args.sources:
            wrong, unseen = check_host(args, name, builds)
            points.append((name, wrong, " # SKIP not built by the selftest" if unseen else ""))
    else:
        points = [(name, check(args, name), "") for name in args.sources]
        points.append(("names of headers", check_headers(args), ""))
        points.append(("docs/kernels.md", check_document(args), ""))
    for number, (name, wrong, note) in enumerate(points, 1):
        print(f"{'not ok' if wrong else 'ok'} {number} {name}{note}")
        for sentence in wrong:
            print(f"# {sentence}")
    print(f"1..{len(points)}")
    return any(wrong for _, wrong, _ in points)


if __name__ == "__main__":
    sys.exit(main())
