#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports which lines and branches of the kernels have run, from all programs together.

    coverage.py --llvm-cov X --llvm-profdata X --root CL --programs DIR --profiles DIR
                --lines PERCENT --branches PERCENT [--each] [--missing]

The limits apply to all sources together, or with --each to each of them except for those in EXEMPT. Without --each,
each source in TAKEN has a limit of its own.

A source is compiled to many programs; a line counts as run when it ran in one of them, a branch when
each way was taken in one of them. A condition that is constant in all programs that reach it does not count as a
branch. Neither does a condition that selects between vectors lane by lane, because clang counts only one of its two
outcomes. A line that no program contains counts as not run.
"""

import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

import ptx

GUARD = "an element of no list: no offsets are known to lead there, it stays in bounds"
# Sources that need not reach the limits of each: how many lines may not run, how many ways of branches may not be
# taken, and why.
EXEMPT = {
    "coordination/cells/place_cpu.cl": (0, 1, "launched for one entry or more"),
    "coordination/switch/switch.clh": (0, 2, "a select over lanes, of which scalars have one"),
    "jagged/expand/combine.cl": (2, 2, GUARD),
    "jagged/expand/combine.clh": (1, 1, "a root too small by one, which rounding has not given yet"),
    "jagged/expand/combine_cpu.cl": (1, 2, GUARD),
    "jagged/expand/gather.cl": (5, 1, GUARD),
    "jagged/expand/gather.clh": (0, 1, GUARD),
    "jagged/expand/gather_cpu.cl": (1, 1, GUARD),
    "jagged/expand/element_index_search.cl": (2, 2, "elements behind the last that an offset can count need more memory"),
    "jagged/select/slice.cl": (2, 2, GUARD),
    "jagged/select/slice.clh": (0, 1, GUARD),
    "jagged/select/slice_cpu.cl": (0, 2, GUARD),
    "jagged/nonzero/nonzero.clh": (0, 1, "the end of the values comes before the eighth of the last few"),
    "jagged/from_parents/offsets_cpu.cl": (0, 2, "labels that the check before has found"),
    "jagged/reduce/accumulate.clh": (1, 2, "results that are not aligned, of lists in fours"),
    "jagged/reduce/serial_cpu.clh": (0, 2, "a tail of whole lanes, and lists spread in one block"),
    "pixels/label/histogram.clh": (1, 3, "tells that labels did not converge within their bound"),
}

# Sources of which every run must reach this percentage of lines, because results are the same if a plan no longer
# chooses them.
TAKEN = {"pixels/label/large_dense.clh": 90}

# A place in clang's tree: "file:line:column", "line:line:column" or "col:column".
PLACE = re.compile(r"(?:(?P<file>[^\s<>,:]+|<[^<>]+>):(?P<line>\d+):|\bcol:)(?P<column>\d+)\b")


class Source:
    """Stores what is known of one file."""

    def __init__(self, path):
        with open(path, encoding="ascii") as file:
            self.text = file.read().split("\n")
        self.lines = {}  # number -> whether it ran
        self.branches = collections.defaultdict(lambda: [False, False, False])
        self.one_way = collections.defaultdict(set)  # branch -> programs in which it went one way
        self.compiled = set()

    def selects(self, place):
        """Returns whether a condition is followed by a `?`."""
        rest = self.text[place[2] - 1][place[3] - 1:] + "".join(self.text[place[2]:place[2] + 2])
        return bool(re.match(r"[\s)]*\?", rest))

    def code_lines(self):
        """Returns the lines that contain more than blanks, comments, braces and directives; of PTX, the first line of
        a statement."""
        text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group(0)),
                      ptx.translated("\n".join(self.text)), flags=re.S)
        found, directive = set(), False
        for number, line in enumerate(text.split("\n"), 1):
            directive = directive or bool(re.match(r"\s*#", line))
            if not directive and re.search(r"[^\s{};]", line):
                found.add(number)
            directive = directive and line.endswith("\\")
        return found


def line_counts(segments):
    """Returns line -> count, computed from a file's segments as llvm-cov does."""
    counts, by_line = {}, collections.defaultdict(list)
    for segment in segments:
        by_line[segment[0]].append(segment)
    wrapped = None
    for line in range(segments[0][0], segments[-1][0] + 1) if segments else []:
        here = by_line.get(line, [])
        starts = [s for s in here if s[3] and s[4] and not s[5]]
        skipped = bool(here) and not here[0][3] and here[0][4]
        mapped = not skipped and ((wrapped and wrapped[3]) or starts)
        if mapped:
            counts[line] = max([wrapped[2] if wrapped and wrapped[3] else 0] + [s[2] for s in starts])
        if here:
            wrapped = here[-1]
    return counts


def region_count(regions, file, line, column):
    """Returns how often the smallest region around a place ran."""
    best, size = 0, None
    for region in regions:
        first, last = tuple(region[:2]), tuple(region[2:4])
        if region[5] != file or region[7] != 0 or not first <= (line, column) < last:
            continue
        extent = (last[0] - first[0], last[1] - first[1])
        if size is None or extent <= size:
            best, size = region[4], extent
    return best


def take(sources, program, data):
    """Adds one program's coverage."""
    for file in data["files"]:
        source = sources.get(os.path.realpath(file["filename"]))
        for line, count in line_counts(file["segments"]).items() if source else []:
            source.lines[line] = source.lines.get(line, False) or count > 0
    for function in data["functions"]:
        for branch in function["branches"]:
            path = os.path.realpath(function["filenames"][branch[6]])
            if path not in sources:
                continue
            state = sources[path].branches[tuple(branch[:4])]
            state[0] |= branch[4] > 0
            state[1] |= branch[5] > 0
            if branch[4] and not branch[5]:
                sources[path].one_way[tuple(branch[:4])].add(program)
            if not branch[4] and not branch[5]:
                state[2] |= region_count(function["regions"], branch[6], branch[0], branch[1]) > 0


def vector_selects(program):
    """Returns the places (file, line, column) at which vectors begin that select, before a `?`."""
    with open(program + ".json", encoding="ascii") as file:
        command = json.load(file)["tree"]
    tree = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found, file, line, selects = set(), "", 0, False
    for node in tree.splitlines():
        begin = None
        for place in PLACE.finditer(node):
            if place.group("file") not in (None, "line"):
                file = place.group("file")
            line = int(place.group("line") or line)
            begin = begin or (os.path.realpath(file), line, int(place.group("column")))
        if selects and begin and "ext_vector_type" in node:
            found.add(begin)
        selects = "-ConditionalOperator " in node
    return found


def leave_out_selects(sources):
    """Removes the branches that were selections of vectors in all programs."""
    doubtful = [(path, place) for path, source in sources.items()
                for place in source.one_way
                if not source.branches[place][1] and source.selects(place)]
    programs = sorted({program for path, place in doubtful
                       for program in sources[path].one_way[place]})
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(programs, pool.map(vector_selects, programs)))
    for path, place in doubtful:
        source = sources[path]
        if all((path, *place[:2]) in found[program] for program in source.one_way[place]):
            del source.branches[place]


def counts_of(args, program):
    """Returns the files of counts of one program, one for each process that used it."""
    name = os.path.splitext(os.path.basename(program))[0]
    return glob.glob(os.path.join(args.profiles, name + "-*.profraw"))


def export(args, program):
    """Returns llvm-cov's JSON of one program: for several at once it would keep one variant of a function."""
    profile = os.path.join(args.profiles, os.path.basename(program) + ".profdata")
    subprocess.run([args.llvm_profdata, "merge", "-sparse", "-o", profile, *counts_of(args, program)],
                   check=True)
    done = subprocess.run([args.llvm_cov, "export", "-skip-expansions", f"-instr-profile={profile}",
                           program], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["data"][0]


def collect(args):
    """Returns all sources, with the counts of all programs."""
    sources = {}
    for folder, _, names in os.walk(args.root):
        for name in names:
            if name.endswith((".cl", ".clh")):
                path = os.path.realpath(os.path.join(folder, name))
                sources[path] = Source(path)
    programs = [program for program in sorted(glob.glob(os.path.join(args.programs, "*.so")))
                if counts_of(args, program)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for program, data in zip(programs, pool.map(lambda name: export(args, name), programs)):
            take(sources, program, data)
    for program in programs:
        with open(program + ".json", encoding="ascii") as file:
            for path, lines in json.load(file)["lines"].items():
                if path in sources:
                    sources[path].compiled.update(lines)
    if args.each:
        leave_out_selects(sources)
    return sources


def ranges(numbers):
    """[1, 2, 3, 7] as "1-3, 7"."""
    parts = []
    for n in sorted(numbers):
        if parts and n == parts[-1][1] + 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def percent(part, whole):
    """Of nothing, all."""
    return 100.0 * part / whole if whole else 100.0


def is_enough(args, name, lines, branches):
    """Returns whether a source reaches its limit. of: (those that ran, all)."""
    if not args.each:
        return percent(*lines) >= TAKEN.get(name, 0)
    if name in EXEMPT:
        most_lines, most_ways, why = EXEMPT[name]
        print(f"#     exempt, {most_lines} lines and {most_ways} ways: {why}")
        return lines[1] - lines[0] <= most_lines and branches[1] - branches[0] <= most_ways
    return percent(*lines) >= args.lines and percent(*branches) >= args.branches


def judge(args, name, source):
    """Prints a source's row: its lines run and all, ways of branches taken and all, and whether that is sufficient."""
    code = source.code_lines()
    absent = code - source.compiled - set(source.lines)
    lost = {n for n, ran in source.lines.items() if not ran and n in code} | absent
    lines = sum(source.lines.values()), sum(source.lines.values()) + len(lost)
    branches = [(place, state) for place, state in source.branches.items()
                if state[0] or state[1] or not state[2]]
    ways = sum(state[0] + state[1] for _, state in branches), 2 * len(branches)
    print(f"# {name}: lines {percent(*lines):.1f} % of {lines[1]}, "
          f"branches {percent(*ways):.1f} % of {ways[1]}")
    if lost:
        print(f"#     not run: {ranges(lost)}")
    for place, state in sorted(branches) if args.missing else []:
        if not all(state[:2]):
            which = "neither way" if not any(state[:2]) else f"never {'false' if state[0] else 'true'}"
            print(f"#     {name}:{place[0]}:{place[1]}: {which}: {source.text[place[0] - 1].strip()}")
    return lines, ways, is_enough(args, name, lines, ways)


def main():
    """Parses the command line; prints a table, each row as a comment of TAP."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("llvm-cov", "llvm-profdata", "root", "programs", "profiles"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--lines", type=float, required=True)
    parser.add_argument("--branches", type=float, required=True)
    parser.add_argument("--each", action="store_true", help="demand that of each source")
    parser.add_argument("--missing", action="store_true", help="show all branches not taken")
    args = parser.parse_args()
    sources = collect(args)
    rows = {os.path.relpath(path, os.path.realpath(args.root)): source
            for path, source in sorted(sources.items())}
    rows = {name: judge(args, name, source) for name, source in rows.items()}
    lines, ways = ([sum(row[k][i] for row in rows.values()) for i in range(2)] for k in range(2))
    print(f"# all {len(rows)} sources: lines {percent(*lines):.2f} % of {lines[1]}, "
          f"branches {percent(*ways):.2f} % of {ways[1]}; the limits {'of each ' * args.each}are "
          f"{args.lines:g} % and {args.branches:g} %")
    short = [name for name, row in rows.items() if not row[2]]
    short += [name for name in TAKEN if name not in rows]  # no program contains it any more
    if short:
        print(f"# {len(short)} fall short: {', '.join(short)}")
    if args.each:
        return bool(short)
    return bool(short) or percent(*lines) < args.lines or percent(*ways) < args.branches


if __name__ == "__main__":
    sys.exit(main())
