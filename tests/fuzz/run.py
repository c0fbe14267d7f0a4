#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one target of the fuzzer from its stored inputs and prints a summary in one line.

    run.py FUZZER CORPUS TARGET (--seconds N | --runs N) [--keep FOLDER]

CORPUS/TARGET.zip contains the initial inputs; corpus.py adds to it. A finding fails with the fuzzer's own report; the
input stays in a folder that is named. --keep leaves the inputs that were found in FOLDER.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import corpus


def command(args, learnt, found):
    """libFuzzer's command line. Limits: an input of a few KiB needs little memory and time."""
    limit = f"-runs={args.runs}" if args.runs else f"-max_total_time={args.seconds}"
    first = os.path.join(found, "first")
    corpus.unpack(os.path.join(args.corpus, args.target + ".zip"), first)
    return [args.fuzzer, f"--target={args.target}", limit, "-max_len=4096", f"-timeout={args.timeout}",
            "-rss_limit_mb=1024", "-malloc_limit_mb=64", "-print_final_stats=1",
            f"-artifact_prefix={found}/", learnt, first]


def number(pattern, text):
    """Returns the last number that a pattern finds, or 0."""
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def fuzz(args, learnt, found, env):
    """Runs the fuzzer; its output is one stream."""
    return subprocess.run(command(args, learnt, found), env=env, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def executed(done):
    """Returns the number of inputs that a run of the fuzzer has tried."""
    return number(r"stat::number_of_executed_units: (\d+)", done.stdout)


def main():
    """Parses the command line; prints TAP to standard output."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fuzzer")
    parser.add_argument("corpus")
    parser.add_argument("target")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--keep")
    parser.add_argument("--env", action="append", default=[], help="NAME=VALUE for the fuzzer")
    parser.add_argument("--timeout", type=int, default=10, help="seconds for one input")
    parser.add_argument("--least", type=int, default=1000, help="fewer runs are a failure")
    args = parser.parse_args()
    found = tempfile.mkdtemp(prefix=f"mote-fuzz-{args.target}-")
    learnt = args.keep or os.path.join(found, "learnt")
    os.makedirs(learnt, exist_ok=True)
    env = dict(os.environ)
    env.update(pair.split("=", 1) for pair in args.env)
    # Freed memory is kept for a while, so that its use is found; a small amount is sufficient here.
    env["ASAN_OPTIONS"] = "quarantine_size_mb=16:detect_leaks=1:allocator_may_return_null=1"
    env["UBSAN_OPTIONS"] = "halt_on_error=1:print_stacktrace=1"
    done = fuzz(args, learnt, found, env)
    if done.returncode == 0 and not args.runs and executed(done) < args.least:
        args.runs = args.least  # on a busy machine: the required number, without a time limit
        done = fuzz(args, learnt, found, env)
    runs = executed(done)
    rate = number(r"stat::average_exec_per_sec: +(\d+)", done.stdout)
    coverage = number(r"cov: (\d+)", done.stdout)
    features = number(r"ft: (\d+)", done.stdout)
    print("1..1")
    good = done.returncode == 0 and runs >= args.least
    print(f"{'ok' if good else 'not ok'} 1 {args.target}: {runs} runs, {rate} a second, "
          f"{coverage} edges, {features} features")
    if good:
        subprocess.run(["rm", "-rf", found], check=False)
        return 0
    print("\n".join("# " + line for line in done.stdout.splitlines()[-60:]))
    print(f"# inputs found are in {found}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
