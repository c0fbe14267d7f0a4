#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times awkward's kernel for sums of lists, on one core, and prints a JSON line.

    python3 bench/peers/awkward_lists.py NAME FILE

FILE contains the int32 offsets of lists, as mote-bench --dump writes them. The values are float32. The kernel of
awkward_cpp writes into an existing array. The time is the least of several calls.
"""
import json
import sys
import time

import awkward
import awkward_cpp.cpu_kernels
import numpy


def least_us(call, runs=11):
    """Returns the least time of a call, after a first call that is not timed."""
    call()
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return 1e6 * min(times)


def main(name, path):
    """Times the kernel for the lists of a file."""
    offsets = numpy.fromfile(path, "i4").astype("i8")
    values = numpy.random.default_rng(1).random(offsets[-1], "f4")
    sums = numpy.empty(len(offsets) - 1, "f4")
    kernel = awkward_cpp.cpu_kernels.kernel[("awkward_reduce_sum", numpy.float32, numpy.float32, numpy.int64)]
    given = [array.ctypes.data_as(kind) for array, kind in zip((sums, values, offsets), kernel.argtypes)]
    us = least_us(lambda: kernel(*given, len(sums)))
    totals = numpy.concatenate([[0], numpy.cumsum(values, dtype="f8")])[offsets]
    if not numpy.allclose(sums, numpy.diff(totals), rtol=1e-3, atol=1e-3):
        sys.exit(f"awkward_lists: the sums of {name} are wrong")
    version = ".".join(awkward.__version__.split(".")[:2])
    print(json.dumps({"system": f"awkward {version}", "set": name, "call": "sum", "us": round(us, 3)}))


main(*sys.argv[1:])
