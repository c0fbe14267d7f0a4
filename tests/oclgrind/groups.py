#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists kernels that have not been launched under Oclgrind in enough sizes of groups.

    groups.py EMBED ROOT INCLUDE LAUNCHES --least A B --sources SOURCE...

LAUNCHES is the folder to which successful runs write their launches (`run`). Each kernel in ROOT/SOURCE needs this
number of sizes beyond 1 in runs A and B; in the form for CPUs any size suffices, because its work-items are
independent. Prints TAP; a kind of run without launches is skipped.
"""

import argparse
import importlib.util
import os
import re
import sys

sys.dont_write_bytecode = True  # where the sources are

KERNEL = re.compile(r"__kernel\s+(?:[A-Z_]+\s+)*(?:__attribute__\(\(reqd_work_group_size\((\w+), 1, 1\)\)\)\s+)?"
                    r"void\s+(\w+)\(")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

# Kernels that are not launched, and the reasons.
NEVER = {
    "label_none": "needs more elements than an offset can count",
    "scan_nodes": "needs more than 256 tiles",
    "compact_starts": "needs four tiles for each work-item of a group",
    "sum_once": "needs an NVIDIA device",
    "sort_merge_all": "needs an NVIDIA device",
}
# Oclgrind 21.10 executes these kernels, or their callers, wrongly when they are optimised.
ONLY_B = {"all_pairs_cpu", "cells_cpu", "cells_place"}
# Oclgrind 21.10 takes values that these kernels read for uninitialised.
ONLY_A = {"convert"}
# These run in groups of one on CPUs, for one of which Oclgrind passes; or only their smallest groups have several tiles
# of the small inputs; or their groups have 256 work-items on every GPU.
ALONE = {"frames_make", "compact_sums", "digis_order", "order_roots", "order_flags", "order_labels", "slice_extents",
         "slice_judge", "slice_keys", "slice_gather", "slice_sort", "slice_link", "slice_sums"}


def kernels(embed, root, include, sources):
    """Returns (source, kernel, whether one size of its groups suffices) of every kernel."""
    spec = importlib.util.spec_from_file_location("embed", embed)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for source in sources:
        flat = module.Flattener([root, include])
        flat.paste(os.path.join(root, source))
        for size, name in KERNEL.findall(COMMENT.sub("", "\n".join(flat.lines))):
            yield source, name, size == "1" or source.endswith("_cpu.cl") or name in ALONE


def launches(folder):
    """Returns the sizes of groups by (source, kernel, kind of run)."""
    found = {}
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        with open(os.path.join(folder, name), encoding="ascii") as lines:
            for line in lines:
                source, kernel, size, kind = line.split()
                found.setdefault((source, kernel, kind), set()).add(int(size))
    return found


def judge(kernel, alone, sizes, kind, least):
    """Returns whether the sizes of a kernel's groups suffice, and why they are not checked."""
    if kernel in NEVER:
        return True, NEVER[kernel]
    if kernel in ONLY_B and kind == "A":
        return True, "run B only"
    if kernel in ONLY_A and kind == "B":
        return True, "run A only"
    return len(sizes) >= 1 if alone else len([size for size in sizes if size > 1]) >= least, ""


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("embed", "root", "include", "launches"):
        parser.add_argument(name)
    parser.add_argument("--least", type=int, nargs=2, required=True)
    parser.add_argument("--sources", nargs="+", required=True)
    args = parser.parse_args()
    found, number, bad = launches(args.launches), 0, 0
    ran = {kind for _, _, kind in found}
    for source, name, alone in kernels(args.embed, args.root, args.include, args.sources):
        for kind, least in zip("AB", args.least):
            number += 1
            sizes = sorted(found.get((source, name, kind), ()))
            good, why = judge(name, alone, sizes, kind, least)
            if kind not in ran:
                good, why = True, "not run"
            bad += not good
            print(f"{'ok' if good else 'not ok'} {number} {kind} {source} {name}: {sizes}"
                  f"{' # SKIP ' + why if why else ''}")
    print(f"1..{number}")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
