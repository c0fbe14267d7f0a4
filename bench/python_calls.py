#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the overhead of Python: importing, a call compared with the library's own call, sums of lists compared with
awkward's.

    python3 bench/python_calls.py [--elements N] [--rounds N]

The least time of several rounds is used. In a round, the compared calls take turns, so that other load on the machine
affects all of them. Needs mote and awkward, and an idle machine with two cores.
"""

import argparse
import subprocess
import sys
import time

import awkward
import mote
import numpy
from mote import _library


def least(functions, rounds, turns=1):
    """Returns the seconds that one call of each function takes."""
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for k, function in enumerate(functions):
            begin = time.perf_counter()
            for _ in range(turns):
                function()
            best[k] = min(best[k], (time.perf_counter() - begin) / turns)
    return best


def import_time(rounds):
    """Returns the seconds that `import mote`, and then `mote.jagged`, add to a process."""
    def run(code):
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    nothing, bare, all_of_it = least([run("pass"), run("import mote"),
                                      run("import numpy, mote; mote.jagged")], rounds)
    return bare - nothing, all_of_it - nothing


def small_calls():
    """Returns calls on a few elements, by name."""
    offsets, values = numpy.array([0, 2, 2, 5]), numpy.ones(5)
    module, pixels = numpy.zeros(3, "u4"), numpy.array([1, 2, 9], "u2")
    positions = numpy.arange(9.0).reshape(3, 3) / 20
    plan = mote.Coordination("RATIONAL R_0=0.3 D_MAX=1.0", n_atoms=3)
    return {
        "mote.jagged.reduce": lambda: mote.jagged.reduce(offsets, values, "sum"),
        "mote.jagged.parents": lambda: mote.jagged.parents(offsets),
        "mote.jagged.counts": lambda: mote.jagged.counts(offsets),
        "mote.sum": lambda: mote.sum(values),
        "mote.Coordination": lambda: plan(positions),
        "mote.cluster": lambda: mote.cluster(module, pixels, pixels, pixels, rows=16, columns=16,
                                             n_modules=1)}


class Calls:
    """A wrapper of the library that adds the time of its calls on plain arrays to `seconds`."""

    def __init__(self):
        self.seconds = 0.0

    def __getattr__(self, name):
        inside = getattr(_library.lib, name)
        if not name.endswith("_host"):
            setattr(self, name, inside)
            return inside

        def timed(*args):
            begin = time.perf_counter()
            status = inside(*args)
            self.seconds += time.perf_counter() - begin
            return status

        setattr(self, name, timed)
        return timed


def call_overhead(call, rounds, turns=20):
    """Returns the seconds of a call in Python alone, and of the library's call inside it: the least of each."""
    call()  # loads the modules that the call needs
    calls, best = Calls(), [float("inf")] * 2
    users = [module for name, module in sys.modules.items()
             if name.startswith("mote.") and getattr(module, "lib", None) is _library.lib
             and module is not _library]
    for module in users:
        module.lib = calls
    try:
        for _ in range(50 * rounds):
            calls.seconds, begin = 0.0, time.perf_counter()
            for _ in range(turns):
                call()
            whole = time.perf_counter() - begin
            for k, seconds in enumerate((whole - calls.seconds, calls.seconds)):
                best[k] = min(best[k], seconds / turns)
    finally:
        for module in users:
            module.lib = _library.lib
    return best


def sums_of_lists(elements, rounds):
    """Returns the seconds of mote's and of awkward's sums of lists of ten float32 on average."""
    rng = numpy.random.default_rng(1)
    lists = max(elements // 10, 1)
    inner = numpy.sort(rng.integers(0, elements + 1, lists - 1))
    offsets = numpy.concatenate([[0], inner, [elements]])
    values = rng.random(elements, dtype="f4")
    array = awkward.Array(awkward.contents.ListOffsetArray(
        awkward.index.Index64(offsets), awkward.contents.NumpyArray(values)))
    found = mote.jagged.reduce(offsets, values, "sum")
    assert numpy.allclose(found, awkward.sum(array, axis=-1), rtol=1e-5)
    return least([lambda: mote.jagged.reduce(offsets, values, "sum"),
                  lambda: awkward.sum(array, axis=-1)], rounds)


def main():
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=20_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    args = parser.parse_args()
    bare, all_of_it = import_time(args.rounds)
    print(f"import mote: {1e3 * bare:.1f} ms; with NumPy and the library {1e3 * all_of_it:.1f} ms")
    for name, call in small_calls().items():
        more, inside = call_overhead(call, args.rounds)
        print(f"{name}: {1e6 * more:.1f} us more than the {1e6 * inside:.1f} us of the library's")
    ours, theirs = sums_of_lists(args.elements, args.rounds)
    print(f"sums of {args.elements} float32 in lists: mote {1e3 * ours:.1f} ms, awkward "
          f"{1e3 * theirs:.1f} ms, ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
