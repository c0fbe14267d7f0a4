#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs test programs over the host OpenCL of this folder and then checks their coverage.

A program must end with status 0 and without a message of a sanitizer or the host OpenCL. TAP.
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

# Program, its arguments, CK_RUN_SUITE, CK_RUN_CASE, MOTE_TUNE, whether the device is a CPU; then what
# else is set: waves whose work-items take turns at atomics, sub-groups, a compute capability of NVIDIA's
# (70: what has no asynchronous copies). Jobs of the form for GPUs that set nothing else run again in WAVES of up to
# the size of their groups.
JOBS = [
    ("simulated-pixels", "union_find 260", "", "",
     "pixels.work_group=32,pixels.positions_group=16", 0),
    ("simulated-pixels", "histogram 260", "", "",
     "pixels.work_group=16,pixels.group_by_slices=0,pixels.positions_group=0", 0),
    ("simulated-pixels", "union_find 260", "", "", "pixels.cpu_tile=64", 1),
    ("simulated-pixels", "dense 1100", "", "",
     "pixels.work_group=32,pixels.by_size=1,pixels.large_strips=2,pixels.positions_group=32", 0),
    ("test_common_bands", "", "", "", "", 0, "HOST_CL_SUB_GROUP=32"),
    ("test-pixels", "", "changing", "cpu", "", 1, "MOTE_TEST_SECONDS=0.2"),
    ("simulated-pixels", "union_find 260", "", "", "pixels.work_group=64", 0),
    ("simulated-pixels", "histogram 260", "", "", "pixels.work_group=32", 0),
    ("trials-small", "reduce 4 9 30000", "", "", "", 1),
    ("trials-small", "reduce 4 9 30000", "", "", "reduce.sum_group=16", 0),
    ("trials-small", "reduce 4 9 30000", "", "", "reduce.sum_group=32,reduce.fp64=0", 0),
    ("trials-small", "histogram 6 9 6000", "", "", "", 1),
    ("trials-small", "histogram 6 9 6000", "", "", "reduce.histogram_group=16", 0),
    ("test-jagged", "", "simulated", "lists", "jagged.cpu_serial_lists=16", 1),
    ("test-jagged", "", "simulated", "lists",
     "jagged.group=16,jagged.variant=3,jagged.tile=40,reduce.scan_group=16,reduce.scan_one_group=0", 0),
    ("test-jagged", "", "simulated", "parents", "", 1),
    ("test-jagged", "", "simulated", "parents", "jagged.group=16,jagged.tile=64,jagged.tiles=3", 0),
    ("test-jagged", "", "simulated", "parents", "jagged.group=64,jagged.variant=2", 0),
    ("test-jagged", "", "simulated", "parents", "jagged.group=16,jagged.variant=3", 0),
    ("test-jagged", "", "simulated", "parents", "jagged.group=16,jagged.variant=4", 0),
    ("test-jagged", "", "simulated", "reduce", "jagged_reduce.single_group=4096", 1),
    ("trials-small", "cluster_time 4 20 400", "", "", "", 1),
    ("trials-small", "measure 2 20 400", "", "", "", 1),
    ("trials-small", "measure 1 9 4000", "", "", "reduce.fp64=0", 0),
    ("trials-small", "cluster_time 2 3 600", "", "", "reduce.form=cpu,jagged.form=cpu", 0),
    ("trials-small", "decode_timepix3 1 6 3000", "", "", "", 1),
    ("trials-small", "decode_timepix3 1 3 3000", "", "", "reduce.form=cpu", 0),
    ("hostcl-cases", "", "", "", "", 1),
    ("hostcl-cases", "", "", "", "pixels.work_group=32,jagged_reduce.group=32,jagged_reduce.tile=1024", 0),
    ("trials-small", "neighbours 2 9 4000", "", "", "", 1),
    ("trials-small", "neighbours 2 9 4000", "", "", "", 0),
    ("trials-small", "neighbours 2 9 4000", "", "", "reduce.fp64=0,coordination.team=8,coordination.sort_below=0", 0),
    ("trials-small", "pair_histogram 2 9 4000", "", "", "", 1),
    ("trials-small", "pair_histogram 2 9 4000", "", "", "coordination.team=8", 0),
    ("trials-small", "steinhardt 3 6 2000", "", "", "", 1),
    ("trials-small", "steinhardt 2 6 2000", "", "", "", 0),
    ("trials-small", "steinhardt 2 4 2000", "", "", "reduce.fp64=0,coordination.team=3", 0),
    ("simulated-coordination", "wide", "", "", "coordination.items=3,coordination.private_sums=0", 1),
    ("test_common_bands", "", "", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("trials-small", "reduce 4 9 30000", "", "", "reduce.sum_group=64", 0, "HOST_CL_NVIDIA=90"),
    ("test-jagged", "", "simulated", "parents", "jagged.group=64,jagged.variant=2,jagged.interpolate=1,jagged.tile=60", 0,
     "HOST_CL_NVIDIA=90"),
    ("test-jagged", "", "simulated", "parents", "jagged.group=64,jagged.variant=3", 0,
     "HOST_CL_NVIDIA=90 HOST_CL_WAVE=32"),
    ("test-jagged", "", "simulated", "lists", "jagged.group=64", 0, "HOST_CL_NVIDIA=90"),
    ("test-jagged", "", "simulated", "reduce",
     "jagged_reduce.group=64,jagged_reduce.tile=1024,jagged_reduce.single_group=4096,jagged_reduce.staged=3,jagged_reduce.staged_group=64",
     0, "HOST_CL_NVIDIA=90"),
    ("test-jagged", "", "simulated", "reduce", "jagged_reduce.staged=2", 0, "HOST_CL_NVIDIA=90"),
    ("test-jagged", "", "simulated", "reduce", "jagged_reduce.staged=3,jagged_reduce.window=1024", 0,
     "HOST_CL_NVIDIA=90 MOTE_TEST_ELEMENTS=70000"),
    ("test-jagged", "", "simulated", "reduce", "jagged_reduce.staged=1", 0, "HOST_CL_NVIDIA=70"),
    ("hostcl-cases", "", "", "", "pixels.work_group=64", 0, "HOST_CL_NVIDIA=90"),
    ("simulated-pixels", "union_find 260", "", "", "pixels.work_group=512", 0, "HOST_CL_NVIDIA=90"),
    ("simulated-pixels", "dense 1100", "", "", "pixels.work_group=256", 0, "HOST_CL_NVIDIA=90"),
    ("simulated-pixels", "union_find 260", "", "", "pixels.work_group=16", 0, "HOST_CL_NVIDIA=90"),
    ("simulated-coordination", "wide", "", "", "coordination.symmetric=1,coordination.group=64", 0,
     "HOST_CL_NVIDIA=90"),
]
# Jobs that take too long for every run. Jobs whose suites choose their forms themselves have 0
# for the device.
LONG_JOBS = [
    ("simulated-pixels", "union_find 1100", "", "",
     "pixels.work_group=32,pixels.positions_group=16", 0),
    ("simulated-pixels", "union_find 1100", "", "", "pixels.cpu_tile=64", 1),
    ("test-jagged", "", "simulated", "reduce",
     "jagged_reduce.group=64,jagged_reduce.tile=1024,jagged_reduce.single_group=4096,jagged_reduce.staged=3,jagged_reduce.staged_group=64", 0),
    ("simulated-coordination", "wide", "", "", "coordination.group=16", 0),
    ("simulated-pixels", "union_find 1100", "", "",
     "pixels.work_group=32,pixels.by_size=1,pixels.large_strips=2", 0),
    ("test_common_blocks", "", "", "", "", 0),
    ("reduce_scan", "", "", "", "", 0),
    ("reduce_bin_by_key", "", "", "", "", 0),
    ("reduce_sum", "", "", "", "", 1),
    ("trials-small", "reduce 10 33 60000", "", "", "", 1),
    ("trials-small", "reduce 1 1 67117062 =", "", "", "", 1),
    ("trials-small", "reduce 1 1 67117062 =", "", "", "reduce.sum_group=32", 0),
    ("trials-small", "reduce 1 1 67117062 =", "", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("trials-small", "reduce 10 33 60000", "", "", "reduce.sum_group=16", 0),
    ("trials-small", "reduce 10 33 60000", "", "", "reduce.fp64=0", 1),
    ("trials-small", "reduce 10 33 60000", "", "", "reduce.sum_group=32,reduce.fp64=0", 0),
    ("trials-small", "histogram 6 33 30000", "", "", "", 1),
    ("trials-small", "histogram 6 33 30000", "", "", "reduce.histogram_group=64,reduce.fp64=0", 0),
    ("hostcl-cases", "lists", "", "", "", 1),
    ("hostcl-cases", "lists", "", "", "jagged_reduce.group=32,jagged_reduce.tile=1024,jagged_reduce.staged=1,jagged.group=16", 0),
    ("hostcl-cases", "lists", "", "", "jagged_reduce.fp64=0", 1),
    ("hostcl-cases", "lists", "", "", "jagged_reduce.fp64=0,jagged_reduce.staged=2,jagged_reduce.group=32", 0),
    ("test-jagged", "", "simulated", "lists", "jagged.group=64,jagged.tile=128", 0),
    ("test-jagged", "", "calls", "", "", 0),
    ("test-jagged", "", "combinations", "", "", 0),
    ("test-jagged", "", "offsets", "", "", 0),
    ("test-jagged", "", "parents_args", "", "", 0),
    ("test-jagged", "", "reduce_args", "", "", 0),
    ("test-jagged", "", "reduce_faults", "", "", 0),
    ("simulated-pixels", "union_find 1100", "", "", "pixels.cpu_slices=1", 1),
    ("simulated-pixels", "union_find 1100", "", "",
     "pixels.work_group=32,pixels.by_size=1,pixels.large_strips=2", 0, "HOST_CL_SUB_GROUP=64"),
    ("simulated-pixels", "union_find 1100", "", "", "pixels.work_group=64", 0),
    ("simulated-pixels", "dense 600", "", "", "pixels.work_group=16,pixels.by_size=1", 0),
    ("simulated-pixels", "dense 2200", "", "", "pixels.work_group=64,pixels.by_size=1", 0),
    ("hostcl-cases", "pixels", "", "", "pixels.work_group=32,pixels.by_size=1", 0),
    ("simulated-pixels", "union_find 6000", "", "", "", 1),
    ("simulated-pixels", "union_find 6000", "", "", "pixels.work_group=64", 0),
    ("simulated-pixels", "union_find 1100", "", "",
     "pixels.form=gpu,pixels.work_group=16,pixels.arena=1024,pixels.tile=32", 1),
    ("simulated-pixels", "histogram 260", "", "",
     "pixels.form=gpu,pixels.work_group=16,pixels.arena=1024,pixels.tile=32", 1),
    ("hostcl-cases", "pixels", "", "", "", 1),
    ("hostcl-cases", "pixels", "", "", "pixels.cpu_slices=1", 1),
    ("hostcl-cases", "pixels", "", "", "pixels.work_group=32", 0),
    ("test-pixels", "", "changing", "cpu_all", "", 1, "MOTE_TEST_SECONDS=0.2"),
    ("test-pixels", "", "changing", "gpu", "", 0, "MOTE_TEST_SECONDS=0.2"),
    ("test-pixels", "", "calls", "", "", 0),
    ("test-pixels", "", "module_start", "", "", 0),
    ("test-pixels", "", "module_start", "", "", 1),
    ("test-pixels", "", "companions", "", "", 0),
    ("test-pixels", "", "companions", "", "", 1),
    ("simulated-coordination", "wide", "", "",
     "coordination.symmetric=1,coordination.group=16,coordination.skip=1", 0),
    ("simulated-coordination", "narrow", "", "", "coordination.group=64,coordination.tile=24", 0),
    ("hostcl-cases", "coordination", "", "", "coordination.items=1", 1),
    ("hostcl-cases", "coordination", "", "", "coordination.skip=1,coordination.cpu_entries=4", 1),
    ("hostcl-cases", "coordination", "", "",
     "coordination.group=16,coordination.preload=1,coordination.preload_group=20,coordination.skip=1", 0),
    ("hostcl-cases", "coordination", "", "",
     "coordination.symmetric=1,coordination.group=16,coordination.entries_per_item=1,coordination.skip=1,"
     "coordination.sort_below=0", 0),
    ("simulated-coordination", "wide", "", "",
     "coordination.symmetric=1,coordination.group=16,coordination.preload=1", 0),
    ("test-coordination", "", "calls", "", "", 0),
    ("test-coordination", "", "corners", "", "", 0),
    ("test-coordination", "", "data", "", "", 0),
    ("test-coordination", "", "methods", "", "", 0),
    ("test-coordination", "", "narrow", "", "", 0),
    ("test_common_blocks", "", "", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("reduce_scan", "", "", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("reduce_bin_by_key", "", "", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("trials-small", "reduce 10 33 60000", "", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("hostcl-cases", "lists", "", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("hostcl-cases", "pixels", "", "", "pixels.work_group=256", 0, "HOST_CL_NVIDIA=90"),
    ("hostcl-cases", "coordination", "", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("test-jagged", "", "calls", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("test-jagged", "", "combinations", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("test-jagged", "", "offsets", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("test-jagged", "", "reduce_faults", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("simulated-pixels", "union_find 1100", "", "", "pixels.work_group=256", 0, "HOST_CL_NVIDIA=90"),
    ("simulated-pixels", "dense 2200", "", "", "pixels.work_group=512", 0,
     "HOST_CL_NVIDIA=90 HOST_CL_WAVE=32"),
    ("test-pixels", "", "calls", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("simulated-coordination", "narrow", "", "", "coordination.symmetric=1", 0, "HOST_CL_NVIDIA=90"),
    ("test-faults", "", "simulated", "", "", 0, "HOST_CL_NVIDIA=90"),
    ("test-faults", "", "simulated", "", "", 1),
    ("test-faults", "", "simulated", "",
     "jagged.group=16,pixels.work_group=16,coordination.group=16,jagged_reduce.group=16", 0),
]
WAVES = (16, 32, 64)
# Defects that must be found, since otherwise finding none would prove nothing: a kernel of `planted`, and the message.
PLANTED = [
    ("bounds", "heap-buffer-overflow"),
    ("overflow", "signed integer overflow"),
    ("apart", "have ended, the others wait at a barrier"),
]
# Percentages of lines and branches that the jobs must reach in all sources together, and those that all jobs must
# reach in each source.
LIMITS, LONG_LIMITS = (88, 82), (100, 95)
COMPLAINT = re.compile(r"ERROR: |runtime error: |LLVM Profile ")


def small_jobs(source):
    """Returns jobs in both forms for the `small` operations of testkit/operations.inc that have no job in the list."""
    named = {job[1].split()[0] for job in JOBS if job[0] == "trials-small"}
    with open(os.path.join(source, "testkit/operations.inc"), encoding="ascii") as file:
        found = re.findall(r"^(?:COSTLY_)?TRIAL\((\w+), \w+, .*\bsmall\b", file.read(), re.M)
    return [("trials-small", f"{name} 2 9 2000", "", "", "", cpu)
            for name in found if name not in named for cpu in (1, 0)]


def in_waves(job):
    """Returns copies of the job, one for each width in WAVES that is not larger than its work-groups.

    A job for CPUs, or one that sets the width itself, has no copies.
    """
    tune, cpu, *more = job[4:]
    group = max(map(int, re.findall(r"group=(\d+)", tune)), default=0)
    return [(*job, f"HOST_CL_WAVE={wave}") for wave in WAVES
            if wave <= group and not cpu and not more]


def environment(args, suite, case, tune, cpu, more=""):
    """The environment that a program needs to run over the host OpenCL."""
    here = os.path.dirname(os.path.abspath(__file__))
    # -ESs: 500 times Python without its site-packages.
    compiler = [sys.executable, "-ESs", os.path.join(here, "compile.py"), "--clang", args.clang]
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
    env.update(setting.split("=") for setting in more.split())
    for name, value in (("CK_RUN_SUITE", suite), ("CK_RUN_CASE", case), ("MOTE_TUNE", tune)):
        env.pop(name, None)
        if value:
            env[name] = value
    return env


def start(args, name, arguments, env):
    """Returns exit status and output of a program; a text in place of the status tells why there is none."""
    path = next(p for p in args.program if os.path.basename(p) == name)
    try:
        done = subprocess.run([path, *arguments], env=env, text=True, errors="replace", check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError as error:  # another build is writing the program
        return str(error), ""
    if done.returncode < 0:  # has often said nothing
        return f"ended by {signal.Signals(-done.returncode).name}", done.stdout
    return done.returncode, done.stdout


def run(args, number, job):
    """Returns whether a job has succeeded, and its TAP point."""
    name, arguments, suite, case, tune, cpu, *more = job
    begin = time.monotonic()
    status, said = start(args, name, arguments.split(), environment(args, *job[2:]))
    good = status == 0 and not COMPLAINT.search(said)
    what = " ".join(word for word in (name, arguments, suite, case, tune, "cpu" if cpu else "gpu", *more)
                    if word)
    report = f"{'ok' if good else 'not ok'} {number} {what} # {time.monotonic() - begin:.1f} s\n"
    if not good:
        report += f"# exit status: {status}\n"
        report += "".join(f"# {line}\n" for line in said.splitlines()[-40:])
    return good, report


def find(args, number, kernel, wanted):
    """Returns whether a planted defect is found, and the TAP point of it."""
    status, said = start(args, "planted", [kernel], environment(args, "", "", "", 0))
    good = status != 0 and wanted in said
    return good, (f"{'ok' if good else 'not ok'} {number} finds {kernel}: {wanted}\n"
                  + ("" if good else f"# exit status: {status}\n"))


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
    jobs, limits = JOBS + small_jobs(args.source), LIMITS
    if args.long:
        jobs, limits = jobs + LONG_JOBS, LONG_LIMITS
    args.programs = os.path.join(args.build, "programs")
    args.profiles = os.path.join(args.build, "profiles")
    for folder in (args.programs, args.profiles):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    # These run after the others, which have compiled the programs that they need.
    jobs += [other for job in jobs for other in in_waves(job)]
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
         *(["--each"] if args.long else []), *(["--missing"] if args.missing else [])], check=False)
    print(f"{'not ok' if judged.returncode else 'ok'} {len(good) + 1} coverage")
    print(f"1..{len(good) + 1}")
    return not all(good) or judged.returncode


if __name__ == "__main__":
    sys.exit(main())
