#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles an OpenCL source for this processor, with both sanitizers and coverage.

    compile.py --clang CLANG --builtins X.o ... --root CL ... --output X.so TEXT -- OPTIONS

TEXT is the source text of a program. Its first #line names the source file, which is compiled in its place, so that
reports and coverage refer to its lines; a text without #line is compiled itself. X.so.json lists the lines of each
file that the preprocessor has left, and the command that shows how clang has parsed them. Each kernel K gets `call_K`,
which takes an array of arguments, `arguments_K`, a letter for each ('g' global memory, 'l' local memory, 'v' a value),
`names_K` and `types_K`, a word for each, `sizes_K`, of the values, and `group_K`, the work-group size it asks for or
0.
"""

import argparse
import fcntl
import json
import os
import re
import subprocess
import sys
import tempfile

import ptx

LANGUAGE = ["-x", "cl", "-target", "x86_64-pc-linux-gnu", "-D__OPENCL_VERSION__=120", "-Xclang",
            "-fdeclare-opencl-builtins", "-Xclang", "-finclude-default-header"]
# Declarations of a driver with sub-groups in OpenCL C 3.0.
SUB_GROUPS = ["-D__opencl_c_subgroups=1", "-Dcl_khr_subgroup_shuffle=1"]
# `inline` has the meaning of C89, so that each function is emitted. An absent buffer is NULL, to which kernels add its
# offset of 0: C leaves that undefined, but every compiler gives NULL; places outside of buffers are found anyway.
# Warnings are errors, and the library's -w must not hide them. Only -Wpsabi is off: it warns that vectors wider than
# the processor's registers can be passed in two ways, but one compiler with one set of features compiles the whole
# program.
FLAGS = ["-gline-tables-only", "-fPIC", "-shared", "-fgnu89-inline", "-Werror", "-Wno-psabi",
         "-fsanitize=address,undefined", "-fno-sanitize=pointer-overflow",
         "-fno-sanitize-recover=all", "-fprofile-instr-generate", "-fcoverage-mapping",
         "-Wl,-Bsymbolic", "-Wl,-z,now", "-Wl,--gc-sections"]
# PoCL prints the number of warnings on standard error, where users see it. With the library's options,
# kernels must therefore compile without warnings for these processors as well.
PROCESSORS = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]
# Programs that look alike to the profiler would share a file of counts.
PROFILE = """void __llvm_profile_set_filename(const __global char *name);
void profile_to(const __global char *name) { __llvm_profile_set_filename(name); }
"""
KERNEL = re.compile(r"\b(?:__)?kernel\b([^;{}]*?)\bvoid\s+(\w+)\s*\(")
GROUP = re.compile(r"reqd_work_group_size\s*\(\s*([^,]+),")


def preprocessed(marked):
    """Returns the text without line markers, and the lines of each file that are in it."""
    text, lines, where, number = [], {}, None, 0
    for line in marked.splitlines():
        marker = re.match(r'# (\d+) "(.*)"', line)
        if marker:
            number, where = int(marker.group(1)), marker.group(2)
            continue
        if line.strip():
            lines.setdefault(os.path.realpath(where), []).append(number)
        text.append(line)
        number += 1
    return "\n".join(text), lines


def parameters(text, begin):
    """Returns the parameters between the parenthesis that opens before `begin` and the one that ends it."""
    depth, parts, last = 1, [], begin
    for at in range(begin, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0 or (depth == 1 and text[at] == ","):
            parts.append(" ".join(text[last:at].split()))
            last = at + 1
        if depth == 0:
            return [part for part in parts if part and part != "void"]
    raise ValueError("a kernel's parameters do not end")


def caller(name, attributes, params):
    """Returns the C code of call_K and of the descriptions of K."""
    letters, values, sizes, names, types = "", [], [], [], []
    for k, param in enumerate(params):
        kind, own_name = re.fullmatch(r"(.*?)\s*(\w+)", param).groups()
        names.append(own_name)
        types.append(kind.replace("const ", "").replace(" ", ""))
        if "*" in kind:
            letters += "l" if re.search(r"\b(__)?local\b", kind) else "g"
            values.append(f"({kind})arguments[{k}]")
            sizes.append("0")
        else:
            letters += "v"
            values.append(f"*(const __global {kind.replace('const ', '')} *)arguments[{k}]")
            sizes.append(f"sizeof({kind})")
    group = GROUP.search(attributes)
    return (f"void call_{name}(const __global ulong *arguments)\n"
            f"{{ {name}({', '.join(values)}); }}\n"
            f'__constant char arguments_{name}[] = "{letters}";\n'
            f'__constant char names_{name}[] = "{" ".join(names)}";\n'
            f'__constant char types_{name}[] = "{" ".join(types)}";\n'
            f"__constant uint sizes_{name}[] = {{{', '.join(sizes)}}};\n"
            f"__constant uint group_{name} = {group.group(1) if group else 0};\n")


def run(command):
    """Runs a compiler; returns its standard output."""
    done = subprocess.run(command, text=True, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def check_quiet(args, language, source):
    """Fails if compiling for one of the processors prints a message. Checks each source once."""
    done = os.path.join(os.path.dirname(args.output), "quiet-" + os.path.basename(source))
    library = ["-w"] if "-w" in args.options else []
    for processor in [] if os.path.exists(done) else PROCESSORS:
        run([args.clang, *language, *library, "-Werror", "-march=" + processor, "-emit-llvm", "-S",
             "-o", os.devnull, source])
    with open(done, "w", encoding="ascii"):
        pass


def compile_source(args):
    """Makes the shared object, and the file beside it that coverage.py reads."""
    source = os.path.abspath(args.text)
    with open(source, encoding="ascii") as file:
        found = re.match(r'#line 1 "(.*)"', file.readline())
    for root in reversed(args.root):
        if found and os.path.exists(os.path.join(root, found.group(1))):
            source = os.path.abspath(os.path.join(root, found.group(1)))
    options = [option for option in args.options if not option.startswith("-cl-nv-") and option != "-w"]
    language = LANGUAGE + ["-I" + os.path.abspath(root) for root in args.root] + options
    if "-cl-std=CL3.0" in options:
        language += SUB_GROUPS
    if any(option.startswith("-DMOTE_NVIDIA=") for option in options):
        here = os.path.dirname(os.path.abspath(__file__))
        folder = os.path.join(os.path.dirname(os.path.abspath(args.output)), "without_ptx")
        language += ["-include", os.path.join(here, "ptx.clh"),
                     "-ivfsoverlay", ptx.overlay(args.root, folder)]
    text, lines = preprocessed(run([args.clang, *language, "-E", source]))
    calls = "".join(caller(k.group(2), k.group(1), parameters(text, k.end()))
                    for k in KERNEL.finditer(text))
    check_quiet(args, language, source)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "calls.cl")
        with open(path, "w", encoding="ascii") as file:
            file.write(f'#include "{source}"\n{PROFILE}{calls}')
        made = f"{args.output}.{os.getpid()}"
        fuzz = ["-fsanitize=fuzzer-no-link"] if args.fuzz else []
        optimise = ["-O0", "-g"] if args.debug else ["-O" + args.optimise]
        run([args.clang, *language, *FLAGS, *fuzz, *optimise, path, "-x", "none",
             *args.builtins, "-lm", "-o", made])
        tree = [args.clang, *language, "-w", "-fsyntax-only", "-Xclang", "-ast-dump", source]
        with open(args.output + ".json", "w", encoding="ascii") as file:
            json.dump({"lines": lines, "tree": tree}, file)
        os.rename(made, args.output)


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clang", required=True)
    parser.add_argument("--builtins", action="append", required=True)
    parser.add_argument("--root", action="append", required=True)
    parser.add_argument("--optimise", default="0", help="0 compiles, 1 runs faster")
    parser.add_argument("--fuzz", action="store_true", help="tell libFuzzer where a run has been")
    parser.add_argument("--debug", action="store_true", help="variables for a debugger, 0 at that")
    parser.add_argument("--output", required=True)
    parser.add_argument("text")
    parser.add_argument("options", nargs="*")
    args = parser.parse_args()
    with open(args.output + ".lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(args.output):  # another program has made it meanwhile
            compile_source(args)


if __name__ == "__main__":
    main()
