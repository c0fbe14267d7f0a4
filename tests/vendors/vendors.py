#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles every kernel for GPUs that are not present and compares the figures with the stored ones.

    vendors.py --requested PROGRAM --source ROOT --tools FOLDER [--device NAME ...] [--kernels | --pairs]
               [--write] [--cache FILE]

`PROGRAM` prints the programs that the host would build for a device. Enough sets of defines of a source are compiled
that each value of each define is in one of them, with --pairs each pair of values, with --kernels each kernel.
`figures.txt` contains the worst figures of each kernel on two devices of each vendor, `allowed.txt` the permitted bytes
in memory, with reasons. --write writes the figures anew. --cache FILE stores the output of the compilers for each
source, so that a second run compiles only what has changed. Prints TAP: each device is a point, which is skipped if its
compiler is missing.
"""

import argparse
import concurrent.futures
import fnmatch
import hashlib
import importlib.util
import itertools
import json
import os
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True  # where the sources are

from requested import ask  # pylint: disable=wrong-import-position
from compilers import COMPILERS, BuildError, Kernel  # pylint: disable=wrong-import-position

HERE = os.path.dirname(os.path.abspath(__file__))
FIGURES, ALLOWED = os.path.join(HERE, "figures.txt"), os.path.join(HERE, "allowed.txt")
COLUMNS = ("registers", "spilled", "scratch", "local", "waves", "width", "code")
KEPT = ("gfx90a", "gfx1030", "tgllp", "dg2")  # devices whose figures are kept
CODE = 1.5  # how much longer machine code may become
# What must be found, or finding nothing proves nothing: an array in memory, a program that is wrong.
PLANTED = """__kernel void planted(__global uint *x)
{
    uint many[256], id = get_global_id(0);
    for (uint k = 0; k < 256; k++)
        many[k] = x[id + k];
    for (uint k = 0; k < 256; k++)
        many[x[id + k] & 255] += many[k];
    x[id] = many[x[id] & 255];
}
"""
WRONG = "__kernel void wrong(__global uint *x) { x[0] = y; }\n"


def cover(held):
    """Returns few programs that together contain everything that some program contains."""
    missing, chosen = set().union(*held.values()), []
    while missing:
        best = max(held, key=lambda program: len(held[program] & missing))
        chosen.append(best)
        missing -= held.pop(best)
    return chosen


def cover_kernels(groups):
    """Returns programs (source, options): each kernel is in one of them."""
    held = {}
    for source, kernel, words in sorted(groups):
        held.setdefault((source, words), set()).add((source, kernel))
    return cover(held)


def cover_sources(options, together):
    """Returns programs (source, options): each combination of this number of words in each source that has it."""
    for source, sets in sorted(options.items()):
        yield from cover({(source, words): set(itertools.combinations(sorted(words.split()), together))
                          for words in sorted(sets)})


def cover_areas(groups):
    """Returns programs (source, options): each kernel, each word of a define of two values in each source that has it,
    each other word in each area."""
    areas, values = {}, {}
    for source, kernel, words in sorted(groups):
        area = source.split("/")[0]
        held = areas.setdefault(area, {}).setdefault((source, words), {(source, kernel)})
        held.add((source, kernel))
        for word in words.split():
            values.setdefault((area, word.partition("=")[0]), set()).add(word)
    for area, programs in areas.items():
        for (source, words), held in programs.items():
            for word in words.split():
                few = len(values[area, word.partition("=")[0]]) <= 2
                held.add((source, word) if few else word)
        yield from cover(programs)


def flatten(root, source, path):
    """Writes a source as the host passes it to a driver."""
    spec = importlib.util.spec_from_file_location("embed", os.path.join(root, "cl", "embed.py"))
    embed = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(embed)
    flat = embed.Flattener([os.path.join(root, "cl"), os.path.join(root, "include")])
    flat.paste(os.path.join(root, "cl", source))
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(flat.lines) + "\n")


def read(path):
    """Returns the lines of a table as lists of words, without comments."""
    with open(path, encoding="ascii") as file:
        return [line.split() for line in file if line.strip() and not line.startswith("#")]


def kept_figures():
    """Returns versions by the compiler's class, and figures by (device, source, kernel)."""
    compilers, figures = {}, {}
    for words in read(FIGURES) if os.path.exists(FIGURES) else []:
        if words[0] == "compiler":
            compilers[words[1]] = " ".join(words[2:])
        else:
            figures[tuple(words[:3])] = dict(zip(COLUMNS, map(int, words[3:])))
    return compilers, figures


def judge(device, key, kernel, allowed):
    """Returns the faults of a kernel, whatever its previous figures."""
    if kernel.local > device.local:
        yield f"{kernel.local} bytes of local memory"
    here = (device.name, *key)
    most = max((most for names, most in allowed if all(map(fnmatch.fnmatch, here, names))), default=0)
    if kernel.scratch > most:
        yield f"{kernel.scratch} bytes in memory, allowed {most} (allowed.txt)"


def compare(kernel, was):
    """Returns the figures that have become worse. Registers and local memory count by the waves that they leave."""
    for name in ("waves", "width"):
        if getattr(kernel, name) < was[name]:
            yield f"{name} {getattr(kernel, name)}, kept {was[name]}"
    if kernel.code > CODE * was["code"]:
        yield f"{kernel.code} bytes of code, kept {was['code']}"


class Cache:
    """Stores figures of programs in a file, by a hash of all that they depend on."""

    def __init__(self, path):
        self.path, self.known, self.lock = path, {}, threading.Lock()
        if path and os.path.exists(path):
            with open(path, encoding="ascii") as file:
                self.known = json.load(file)

    def find(self, compiler, device, text, options):
        """Returns the key of a program, and its kernels if they are known."""
        words = "\0".join([compiler.version, device.name, text, options])
        key = hashlib.sha256(words.encode("ascii")).hexdigest()
        found = self.known.get(key)
        return key, found and {name: Kernel(**figures) for name, figures in found.items()}

    def keep(self, key, kernels):
        """Stores the kernels of a program, and writes the file in one step."""
        with self.lock:
            self.known[key] = {name: vars(kernel) for name, kernel in kernels.items()}
            if self.path:
                new = f"{self.path}.{os.getpid()}"
                with open(new, "w", encoding="ascii") as file:
                    json.dump(self.known, file)
                os.replace(new, self.path)


class Run:
    """Compiles all programs for all devices."""

    def __init__(self, args, folder):
        self.args, self.folder, self.cache = args, folder, Cache(args.cache)
        self.worst, self.trouble, self.groups, self.counts = {}, {}, {}, {}
        self.lock = threading.Lock()

    def tasks(self, pool, compilers):
        """Returns (compiler, device, source, options) of everything to be compiled, the longest programs first, so
        that no processor waits for one at the end."""
        chosen = [(compiler, device) for compiler in compilers if compiler.found
                  for device in compiler.devices
                  if not self.args.device or device.name in self.args.device]
        asked = pool.map(lambda both: ask(self.args.requested, *both), chosen)
        tasks, code = [], {}
        for (_, source, _), figures in kept_figures()[1].items():
            code[source] = max(figures["code"], code.get(source, 0))
        for (compiler, device), (options, groups) in zip(chosen, asked):
            self.groups[device.name], self.trouble[device.name] = groups, []
            if self.args.kernels:
                programs = set(cover_kernels(groups))
            else:
                programs = set(cover_areas(groups))
                programs.update(cover_sources(options, 2 if self.args.pairs else 1))
            tasks += [(compiler, device, *program) for program in sorted(programs)]
        return sorted(tasks, key=lambda task: -code.get(task[2], 0))

    def compile(self, compiler, device, source, options):
        """Compiles one program; returns the seconds that it took."""
        begin = time.monotonic()
        path = os.path.join(self.folder, source.replace("/", "_"))
        with open(path, encoding="ascii") as file:
            key, found = self.cache.find(compiler, device, file.read(), options)
        if not found:
            with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                try:
                    found = compiler.compile(device, path, options, folder)
                    self.cache.keep(key, found)
                except BuildError as error:
                    lines = str(error).splitlines()[:10]
                    self.trouble[device.name] += [f"{source} [{options}] does not build:", *lines]
                    found = {}
        for name, kernel in found.items():
            local = self.groups[device.name].get((source, name, options))
            if local is None:
                continue  # never launched with these options
            if local > kernel.most:
                self.trouble[device.name].append(
                    f"{source} {name} [{options}]: groups of at most {kernel.most}, not {local}")
            key = device.name, source, name
            with self.lock:
                self.worst[key] = kernel.worst(self.worst.get(key, kernel))
        with self.lock:
            count = self.counts.setdefault(device.name, [0, 0.0])
            count[0] += 1
            count[1] += time.monotonic() - begin


def write(compilers, figures):
    """Writes the table of figures; omitted devices keep theirs."""
    devices = {key[0] for key in figures}
    rows = {key: kernel for key, kernel in kept_figures()[1].items() if key[0] not in devices}
    rows.update((key, vars(kernel)) for key, kernel in figures.items() if key[0] in KEPT)
    lines = ["# Made by vendors.py --write: the worst of each kernel's programs on each device.",
             "# AMD: vector registers of a work-item, those of them in memory, bytes in memory of a",
             "# work-item, bytes of local memory, waves of a SIMD unit, work-items of a wave, bytes of",
             "# code. Intel: bytes in memory of a thread; the width of the code; no waves."]
    made = kept_figures()[0]
    made.update((type(compiler).__name__, compiler.version) for compiler in compilers
                if compiler.found and any(device.name in KEPT for device in compiler.devices))
    lines += [f"compiler {name} {version}" for name, version in sorted(made.items())]
    lines.append("# device source kernel " + " ".join(COLUMNS))
    for key, row in sorted(rows.items()):
        lines.append(" ".join([*key, *(str(row[name]) for name in COLUMNS)]))
    with open(FIGURES, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


def finds(compiler, folder):
    """Returns whether a compiler's figures show planted defects."""
    path = os.path.join(folder, "planted.cl")
    for text in (PLANTED, WRONG):
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        try:
            found = compiler.compile(compiler.devices[0], path, "-cl-std=CL1.2", folder)
        except BuildError:
            return text is WRONG
        if found["planted"].scratch < 1024:
            return False
    return False


def report(run, compilers):
    """Prints a point for each device; returns the number of failed ones."""
    made, kept = kept_figures()
    allowed = [(words[:3], int(words[3])) for words in read(ALLOWED)]
    number = bad = 0
    for compiler in compilers:
        if compiler.found:
            number += 1
            good = finds(compiler, run.folder)
            bad += not good
            print(f"{'ok' if good else 'not ok'} {number} {compiler.version} shows planted defects")
        for device in compiler.devices:
            if run.args.device and device.name not in run.args.device:
                continue
            number += 1
            if not compiler.found:
                print(f"ok {number} {device.name} # SKIP no {compiler.title}: {compiler.got} gets it")
                continue
            wrong, new = list(run.trouble[device.name]), []
            same = compiler.version == made.get(type(compiler).__name__)
            for key, kernel in sorted(run.worst.items()):
                if key[0] != device.name:
                    continue
                found = list(judge(device, key[1:], kernel, allowed))
                if same and not run.args.pairs and device.name in KEPT:
                    if key in kept:
                        found += compare(kernel, kept[key])
                    else:
                        new.append(f"{key[1]} {key[2]}: not in figures.txt yet")
                wrong += [f"{key[1]} {key[2]}: {what}" for what in found]
            count, seconds = run.counts[device.name]
            compared = (", figures not kept" if device.name not in KEPT
                        else "" if same else f", figures not compared: made by {compiler.version}")
            print(f"{'not ok' if wrong else 'ok'} {number} {device.name}: {count} programs, "
                  f"{seconds:.0f} s{compared}")
            for line in wrong + new:
                print(f"# {line}")
            bad += bool(wrong)
    print(f"1..{number}")
    return bad


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requested", required=True, help="the program vendors-requested")
    parser.add_argument("--source", required=True, help="root of the project")
    parser.add_argument("--device", action="append", help="only this one")
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument("--kernels", action="store_true", help="each kernel once")
    extent.add_argument("--pairs", action="store_true", help="each pair of values of defines")
    parser.add_argument("--write", action="store_true", help="write figures.txt anew")
    parser.add_argument("--cache", help="a file of what compilers have said")
    parser.add_argument("--tools", required=True, help="the folder that `get` was given")
    args = parser.parse_args()
    args.tools = os.path.abspath(args.tools)  # a compiler runs in another folder
    compilers = [make(args.tools) for make in COMPILERS
                 if not args.device or any(device.name in args.device for device in make.devices)]
    with tempfile.TemporaryDirectory() as folder:
        run = Run(args, folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            tasks = run.tasks(pool, compilers)
            for source in {task[2] for task in tasks}:
                flatten(args.source, source, os.path.join(folder, source.replace("/", "_")))
            list(pool.map(lambda task: run.compile(*task), tasks))
        if args.write:
            write(compilers, run.worst)
        return report(run, compilers) > 0


if __name__ == "__main__":
    sys.exit(main())
