#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times torch on lists, on the first CUDA device, and prints a JSON line for each call.

    python3 bench/peers/torch_lists.py NAME FILE

FILE contains the int32 offsets of lists, as mote-bench --dump writes them. The values are float32. A time is the median
of single calls between two events.
"""
import json
import statistics
import sys

import torch


def median_us(call, runs=11):
    """Returns the median time of a call on the device, after a first call that is not timed."""
    call()
    times = []
    for _ in range(runs):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda._sleep(1000000)  # occupies the device while the host enqueues what follows
        begin.record()
        call()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1000)
    return statistics.median(times)


def main(name, path):
    """Times the calls for the lists of a file."""
    offsets = torch.frombuffer(bytearray(open(path, "rb").read()), dtype=torch.int32).to("cuda", torch.int64)
    lists, n = len(offsets) - 1, int(offsets[-1])
    numbers, counts = torch.arange(lists, device="cuda", dtype=torch.int32), offsets.diff()
    values = torch.rand(n, device="cuda")
    parents = torch.repeat_interleave(numbers, counts, output_size=n)
    sums = torch.segment_reduce(values, "sum", offsets=offsets)
    by_index = torch.zeros(lists, device="cuda").index_add_(0, parents, values)
    if not torch.allclose(sums, by_index, rtol=1e-3, atol=1e-3):
        sys.exit(f"torch_lists: two sums of {name} differ")
    del by_index
    calls = {"segment_reduce": lambda: torch.segment_reduce(values, "sum", offsets=offsets),
             "repeat_interleave": lambda: torch.repeat_interleave(numbers, counts, output_size=n)}
    version = ".".join(torch.__version__.split(".")[:2])
    for call, run in calls.items():
        print(json.dumps({"system": f"torch {version}", "set": name, "call": call, "us": round(median_us(run), 3)}),
              flush=True)


main(*sys.argv[1:])
