#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares lists in awkward and in mote, on this machine's cores, with arrays used in place.

    python3 bench/python_awkward.py [--elements N] [--rounds N]

Each call is timed twice: awkward's kernel (awkward_cpp) and mote's call, both of which write into an existing array;
and awkward's function, as users call it, and mote's function that allocates its result. awkward's kernels use one
core. Results are compared first. The least time of several rounds is used; in a round, all calls are run in turn.
Needs mote and awkward 2.14, and an idle machine.
"""

import argparse

import awkward
import awkward_cpp.cpu_kernels
import mote
import numpy
from python_calls import least


def kernel(name, *given):
    """Returns a call of awkward's kernel `name` with these arrays and numbers."""
    arrays = [one for one in given if isinstance(one, numpy.ndarray)]
    types = [numpy.bool_ if array.dtype == bool else array.dtype.type for array in arrays]
    function = awkward_cpp.cpu_kernels.kernel[(name, *types)]
    words = [one.ctypes.data_as(kind) if isinstance(one, numpy.ndarray) else kind(one)
             for one, kind in zip(given, function.argtypes)]

    def run():
        assert function(*words).str is None

    return run


class Case:
    """One call of both packages, by name: into existing arrays, and into new ones."""

    def __init__(self, name, out, run, ours, function=None):
        self.name, self.kernel, self.function = name, run, function
        self.theirs, self.ours = out, numpy.empty_like(out)
        self.into = lambda: ours(self.ours)
        self.new = lambda: ours(None)

    def check(self, offsets):
        """Compares the results of the kernel and of mote."""
        self.kernel()
        self.into()
        theirs = self.theirs
        if self.name == "argmax":  # the function computes positions in the lists from positions in the content
            theirs = numpy.where(theirs < 0, theirs, theirs - offsets[:-1])
        if theirs.dtype.kind == "f":
            assert numpy.allclose(self.ours, theirs, rtol=1e-3, atol=1e-3), self.name
        else:
            assert (self.ours == theirs).all(), self.name


def cases(offsets, values):
    """Returns the inputs of both packages, for lists of int64 offsets and float32 values."""
    array = awkward.Array(awkward.contents.ListOffsetArray(
        awkward.index.Index64(offsets), awkward.contents.NumpyArray(values)))
    lists, n = len(offsets) - 1, len(values)

    def reduction(name, word, dtype, function, more=()):
        out = numpy.empty(lists, dtype)
        starts = [offsets[:-1]] if word == "argmax" else []
        run = kernel(name, out, values, offsets, *starts, lists, *more)

        return Case(word, out, run, lambda result: mote.jagged.reduce(
            offsets, values, word, dtype=dtype, nan="skip", out=result),
                    lambda: function(array, axis=-1))

    infinity = float("inf")
    yield reduction("awkward_reduce_sum", "sum", "f4", awkward.sum)
    yield reduction("awkward_reduce_min", "min", "f4", awkward.min, [infinity])
    yield reduction("awkward_reduce_argmax", "argmax", "i8", awkward.argmax)
    yield reduction("awkward_reduce_countnonzero", "countnonzero", "i8", awkward.count_nonzero)
    yield reduction("awkward_reduce_sum_bool", "any", "?", awkward.any)
    yield reduction("awkward_reduce_prod_bool", "all", "?", awkward.all)
    out = numpy.empty(lists, "i8")
    yield Case("counts", out, kernel("awkward_reduce_count_64", out, offsets, lists),
               lambda result: mote.jagged.counts(offsets, out=result),
               lambda: awkward.num(array))
    out = numpy.empty(n, "i8")
    yield Case("local_index", out, kernel("awkward_ListArray_localindex", out, offsets, lists),
               lambda result: mote.jagged.local_index(offsets, out=result),
               lambda: awkward.local_index(array))
    name = "awkward_ListOffsetArray_reduce_local_nextparents_64"
    yield Case("parents", out, kernel(name, out, offsets, lists, n),
               lambda result: mote.jagged.parents(offsets, out=result))
    out = numpy.empty(n, "f4")
    yield Case("sort", out, kernel("awkward_sort", out, values, n, offsets, lists + 1, True, True),
               lambda result: mote.jagged.sort(offsets, values, out=result),
               lambda: awkward.sort(array))
    out = numpy.empty(n, "i8")
    yield Case("argsort", out,
               kernel("awkward_argsort", out, values, n, offsets, lists + 1, True, True),
               lambda result: mote.jagged.argsort(offsets, values, out=result),
               lambda: awkward.argsort(array))


def main():
    """Prints a table: milliseconds, and the ratio of mote's time to awkward's."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=20_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    print(f"{'lists of':8} {'call':13} {'kernel':>9} {'mote':>9} {'ratio':>6} "
          f"{'function':>9} {'mote':>9} {'ratio':>6}   ms")
    for mean in (100, 10, 1):
        rng = numpy.random.default_rng(mean)
        lists = args.elements // mean
        inner = numpy.sort(rng.integers(0, args.elements + 1, lists - 1))
        offsets = numpy.concatenate([[0], inner, [args.elements]])
        values = rng.standard_normal(args.elements, dtype="f4")
        for case in cases(offsets, values):
            case.check(offsets)
            functions = [case.kernel, case.into] + ([case.function, case.new] if case.function else [])
            ms = [1e3 * seconds for seconds in least(functions, args.rounds)]
            columns = [f"{mean:8} {case.name:13}"]
            for theirs, ours in zip(ms[::2], ms[1::2]):
                columns.append(f"{theirs:9.2f} {ours:9.2f} {ours / theirs:6.2f}")
            print(" ".join(columns), flush=True)


if __name__ == "__main__":
    main()
