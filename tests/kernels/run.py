#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs test programs over the host OpenCL of this folder and then judges what has run.

A program must end with 0 and say nothing that a sanitizer or the host OpenCL says. TAP.
"""

import argparse
import concurrent.futures
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

# Program, its arguments, CK_RUN_SUITE, CK_RUN_CASE, MOTE_TUNE, whether the device is a CPU.
JOBS = [
    ("simulated-pixels", "union_find 1100", "", "", "pixels.work_group=32", 0),
    ("simulated-pixels", "histogram 260", "", "", "pixels.work_group=16", 0),
    ("simulated-pixels", "union_find 1100", "", "", "", 1),
    ("simulated-sum", "", "", "", "", 1),
    ("simulated-sum", "", "", "", "reduce.sum_group=16", 0),
    ("simulated-sum", "", "", "", "reduce.sum_group=32,reduce.fp64=0", 0),
    ("test-jagged", "", "simulated", "", "", 1),
    ("test-jagged", "", "simulated", "", "jagged.group=16,reduce.scan_group=16,reduce.scan_one_group=0", 0),
    ("simulated-parents", "1100", "", "", "", 1),
    ("simulated-parents", "1100", "", "", "jagged.group=16,jagged.tile=64,jagged.tiles=3", 0),
    ("simulated-segments", "1100", "", "", "", 1),
    ("simulated-segments", "1100", "", "", "segments.group=32,segments.tile=1024,segments.alone=4096", 0),
    ("kernels-more", "", "", "", "", 1),
    ("kernels-more", "", "", "", "pixels.work_group=32,segments.group=32,segments.tile=1024", 0),
    ("simulated-coordination", "wide", "", "", "", 1),
    ("simulated-coordination", "wide", "", "", "coordination.group=16", 0),
]
# What takes too long for every run.
LONG_JOBS = [
    ("simulated-pixels", "union_find 6000", "", "", "", 1),
    ("simulated-coordination", "wide", "", "",
     "coordination.symmetric=1,coordination.group=16,coordination.skip=1", 0),
    ("simulated-coordination", "narrow", "", "", "coordination.group=64,coordination.tile=24", 0),
    ("test-pixels", "", "companions", "", "", 1),
    ("test-pixels", "", "companions", "", "", 0),
    ("simulated-pixels", "union_find 6000", "", "", "pixels.work_group=64", 0),
    ("test-jagged", "", "simulated", "", "jagged.group=64,jagged.tile=128", 0),
    ("test-jagged", "", "parents_faults", "", "", 0),
    ("test-jagged", "", "parents_faults", "", "", 1),
    ("test-jagged", "", "segments_faults", "", "", 0),
    ("test-jagged", "", "segments_faults", "", "", 1),
    ("test-jagged", "", "spans", "", "", 0),
    ("test-jagged", "", "spans", "", "", 1),
]
# Defects that must be found, or finding none proves nothing: a kernel of `planted`, what is said.
PLANTED = [
    ("bounds", "heap-buffer-overflow"),
    ("overflow", "signed integer overflow"),
    ("apart", "have ended, the others wait at a barrier"),
]
# Per cent of lines and branches that the jobs must reach, and those of all jobs.
LIMITS, LONG_LIMITS = (78, 76), (80, 80)
COMPLAINT = re.compile(r"ERROR: |runtime error: |LLVM Profile ")


def environment(args, suite, case, tune, cpu):
    """What a program needs to run over the host OpenCL."""
    here = os.path.dirname(os.path.abspath(__file__))
    compiler = [sys.executable, os.path.join(here, "compile.py"), "--clang", args.clang]
    for builtins in args.builtins:
        compiler += ["--builtins", os.path.abspath(builtins)]
    for root in ("include", "tests", "cl"):
        compiler += ["--root", os.path.join(args.source, root)]
    env = dict(os.environ, MOTE_DEVICE="host:0", HOST_CL_CPU=str(cpu), MOTE_CACHE="off",
               HOST_CL_COMPILE=shlex.join(compiler), HOST_CL_PROGRAMS=args.programs,
               HOST_CL_PROFILES=args.profiles, LLVM_PROFILE_FILE=os.path.join(args.profiles, "none"),
               ASAN_OPTIONS="detect_leaks=0:quarantine_size_mb=16",
               UBSAN_OPTIONS="print_stacktrace=1",
               LD_PRELOAD=" ".join(os.path.abspath(path) for path in args.preload))
    for name, value in (("CK_RUN_SUITE", suite), ("CK_RUN_CASE", case), ("MOTE_TUNE", tune)):
        env.pop(name, None)
        if value:
            env[name] = value
    return env


def ending(code):
    """How a program ended; one that a signal ends has often said nothing."""
    return f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"


def run(args, number, job):
    """Whether a job went well, and its TAP point."""
    name, arguments, suite, case, tune, cpu = job
    path = next(p for p in args.program if os.path.basename(p) == name)
    start = time.monotonic()
    done = subprocess.run([path, *arguments.split()], env=environment(args, *job[2:]), text=True,
                          errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    good = done.returncode == 0 and not COMPLAINT.search(done.stdout)
    what = " ".join(word for word in (name, arguments, suite, case, tune, "cpu" if cpu else "gpu") if word)
    report = f"{'ok' if good else 'not ok'} {number} {what} # {time.monotonic() - start:.1f} s\n"
    if not good:
        report += f"# {ending(done.returncode)}\n"
        report += "".join(f"# {line}\n" for line in done.stdout.splitlines()[-40:])
    return good, report


def find(args, number, kernel, wanted):
    """Whether a planted defect is found, and the TAP point of it."""
    path = next(p for p in args.program if os.path.basename(p) == "planted")
    done = subprocess.run([path, kernel], env=environment(args, "", "", "", 0), text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    good = done.returncode != 0 and wanted in done.stdout
    return good, (f"{'ok' if good else 'not ok'} {number} finds {kernel}: {wanted}\n"
                  + ("" if good else f"# {ending(done.returncode)}\n"))


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("clang", "llvm-profdata", "llvm-cov", "source", "build"):
        parser.add_argument("--" + name, required=True)
    for name in ("preload", "builtins", "program"):
        parser.add_argument("--" + name, action="append", required=True)
    parser.add_argument("--long", action="store_true", help="run what takes longer too")
    parser.add_argument("--missing", action="store_true", help="show all branches not taken")
    args = parser.parse_args()
    jobs, limits = (JOBS + LONG_JOBS, LONG_LIMITS) if args.long else (JOBS, LIMITS)
    args.programs = os.path.join(args.build, "programs")
    args.profiles = os.path.join(args.build, "profiles")
    for folder in (args.programs, args.profiles):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        good = []
        for one, report in pool.map(lambda k: run(args, k + 1, jobs[k]), range(len(jobs))):
            good.append(one)
            print(report, end="", flush=True)
    for kernel, wanted in PLANTED:
        one, report = find(args, len(good) + 1, kernel, wanted)
        good.append(one)
        print(report, end="", flush=True)
    judged = subprocess.run(
        [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "coverage.py"),
         "--llvm-cov", args.llvm_cov, "--llvm-profdata", args.llvm_profdata,
         "--root", os.path.join(args.source, "cl"), "--programs", args.programs,
         "--profiles", args.profiles, "--lines", str(limits[0]), "--branches", str(limits[1]),
         *(["--missing"] if args.missing else [])], check=False)
    print(f"{'not ok' if judged.returncode else 'ok'} {len(good) + 1} coverage")
    print(f"1..{len(good) + 1}")
    return not all(good) or judged.returncode


if __name__ == "__main__":
    sys.exit(main())
