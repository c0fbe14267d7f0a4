#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Python costs: importing, a call beside the library's own, sums of lists beside awkward's.

    python3 bench/python_calls.py [--elements N] [--rounds N]

The least of several rounds counts, in which the things that are compared take turns, so that what
else the machine does meets all of them. Needs mote and awkward; a quiet machine with two cores.
"""

import argparse
import subprocess
import sys
import time

import awkward
import mote
import numpy
from mote import _arrays, _call
from mote._library import lib


def least(functions, rounds, turns=1):
    """Seconds that one call of each function takes."""
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for k, function in enumerate(functions):
            begin = time.perf_counter()
            for _ in range(turns):
                function()
            best[k] = min(best[k], (time.perf_counter() - begin) / turns)
    return best


def import_time(rounds):
    """Seconds by which `import mote` prolongs a process, and with it `mote.jagged`."""
    def run(code):
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    nothing, bare, all_of_it = least([run("pass"), run("import mote"),
                                      run("import numpy, mote; mote.jagged")], rounds)
    return bare - nothing, all_of_it - nothing


def call_overhead(rounds):
    """Seconds that a call from Python takes more than the library's host call inside it."""
    offsets, values = numpy.array([0, 2, 2, 5]), numpy.ones(5)
    result = numpy.empty(3)
    args = _call.structure(
        "mote_jagged_segments_host_args", offsets_type=6, lists=3,
        offsets=_arrays.pointer(offsets), values_type=9, values=_arrays.pointer(values),
        values_length=5, result=_arrays.pointer(result), result_type=9,
        reduction=lib.MOTE_REDUCE_SUM)
    with mote.default_context().host() as (handle, host):
        def inside():
            assert lib.mote_jagged_segments_host(handle, host, args) == 0

        plain, direct = least([lambda: mote.jagged.segments(offsets, values, "sum"), inside],
                              rounds, 200)
    return plain - direct, direct


def sums_of_lists(elements, rounds):
    """Seconds of mote's and of awkward's sums of lists of ten float32 on average."""
    rng = numpy.random.default_rng(1)
    lists = max(elements // 10, 1)
    inner = numpy.sort(rng.integers(0, elements + 1, lists - 1))
    offsets = numpy.concatenate([[0], inner, [elements]])
    values = rng.random(elements, dtype="f4")
    array = awkward.Array(awkward.contents.ListOffsetArray(
        awkward.index.Index64(offsets), awkward.contents.NumpyArray(values)))
    found = mote.jagged.segments(offsets, values, "sum")
    assert numpy.allclose(found, awkward.sum(array, axis=-1), rtol=1e-5)
    return least([lambda: mote.jagged.segments(offsets, values, "sum"),
                  lambda: awkward.sum(array, axis=-1)], rounds)


def main():
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=20_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    args = parser.parse_args()
    bare, all_of_it = import_time(args.rounds)
    print(f"import mote: {1e3 * bare:.1f} ms; with NumPy and the library {1e3 * all_of_it:.1f} ms")
    more, call = call_overhead(args.rounds)
    print(f"a call: {1e6 * more:.1f} us more than the {1e6 * call:.1f} us of the library's")
    ours, theirs = sums_of_lists(args.elements, args.rounds)
    print(f"sums of {args.elements} float32 in lists: mote {1e3 * ours:.1f} ms, awkward "
          f"{1e3 * theirs:.1f} ms, ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
