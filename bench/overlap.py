#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
r"""Measures whether `mote coordination` overlaps computing and reading.

    python3 bench/overlap.py MOTE TRAJECTORY [--rounds N] [OPTION OF mote coordination]...

Three runs are repeated in turn, and the least time of each is used: one frame, which measures the start of a run; all
frames of one pair of atoms, which measures reading; all frames of all pairs. The times of the last two are printed
without that of the first, together with their ratio. The machine must be idle; a first run that is not timed builds
kernels and reads the file into memory. XTC files with few atoms are the most difficult case:

    mote generate atoms -n 1000 --frames 5000 -o atoms.xyz
    python3 -c 'import MDAnalysis; u = MDAnalysis.Universe("atoms.xyz"); \
        u.atoms.write("atoms.xtc", frames="all")'
"""

import argparse
import json
import subprocess
import time


def run(command):
    """Returns the seconds of a run, and the times that --timing prints."""
    begin = time.perf_counter()
    done = subprocess.run(command, check=True, text=True, stderr=subprocess.PIPE)
    return time.perf_counter() - begin, json.loads(done.stderr.splitlines()[-1])


def main():
    """Parses the command line; prints a table to standard output."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mote")
    parser.add_argument("trajectory")
    parser.add_argument("--rounds", type=int, default=7)
    args, options = parser.parse_known_args()
    base = [args.mote, "coordination", args.trajectory, "-q", "--timing", "-o", "/dev/null",
            *(options or ["--r0", "0.3"])]
    runs = {"one frame": [*base, "--end", "1"],
            "reading": [*base, "--group-a", "1", "--group-b", "2"],
            "all": base}
    least, timing = {}, {}
    for turn in range(args.rounds + 1):
        for name, command in runs.items():
            seconds, timing[name] = run(command)
            if turn:
                least[name] = min(seconds, least.get(name, seconds))
    reading, whole = (least[name] - least["one frame"] for name in ("reading", "all"))
    print(f"one frame         {least['one frame']:8.3f} s")
    print(f"reading           {reading:8.3f} s")
    print(f"all               {whole:8.3f} s, of which the device was busy for "
          f"{timing['all']['device_s']:.3f} s")
    print(f"all / reading     {whole / reading:8.2f}")


if __name__ == "__main__":
    main()
