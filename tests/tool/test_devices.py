# SPDX-License-Identifier: Apache-2.0
"""Tests several devices in one run: the output is that of one device, or there is one sentence and no file is left."""
import json
import os
import re
import signal
import subprocess
import unittest

from coordination_oracle import SMALL
from driver import MOTE, Case, default_signals, long, main, needs_pocl, wait_until

BASIC = {**os.environ, "POCL_DEVICES": "basic basic"}
THREADS = {**os.environ, "POCL_DEVICES": "pthread pthread"}
FAILING = os.environ.get("MOTE_PRELOADED")


@needs_pocl
class Words(Case):
    def test_words(self):
        text = self.atoms(50, 1)
        for spec, count in [("cpu", 1), ("pocl:1", 1), ("cpu,cpu", 2), ("*", 2), ("cpu:*", 2),
                            ("PoCL:*", 2), ("pocl:*,pocl:0", 3), ("pocl:1,pocl:0", 2)]:
            timing = json.loads(self.good("coordination", text, *SMALL, "-q", "--timing", "-d", spec,
                                          env=BASIC).err)
            self.assertEqual(len(timing["device"].split(",")), count, spec)
        self.assertEqual(timing["device"], "pocl:1,pocl:0")
        self.assertIn("2 x ", self.good("coordination", text, *SMALL, env={**BASIC, "MOTE_DEVICE": "*"}).err)

    def test_refused(self):
        text = self.atoms(5, 1)
        self.bad(3, "no device is meant by 'gpu:*'", "coordination", text, *SMALL, "-d", "gpu:*", env=BASIC)
        self.bad(3, "no device is meant by 'nobody:*'", "coordination", text, *SMALL, "-d", "nobody:*",
                 env=BASIC)
        self.bad(3, 'no device matches "nobody"', "coordination", text, *SMALL, "-d", "cpu,nobody,noone",
                 env=BASIC)
        for spec in ["cpu,", ",cpu", "cpu,,cpu", ","]:
            self.bad(1, "a device is missing before or behind a comma", "coordination", text, *SMALL,
                     "-d", spec, env=BASIC)
        self.bad(1, "mote devices uses one device", "devices", "-d", "cpu,cpu", env=BASIC)

    def test_tuning(self):
        known = {**BASIC, "MOTE_TUNE": "reduce.scan_group=32", "MOTE_TUNE_FILE": ""}
        lines = [line.split(None, 2) for line in self.good("devices", "-v", "-d", "pocl:0", env=known).out.split("\n")
                 if line.startswith("    ")]
        values = {line[0]: line[1:] for line in lines}
        self.assertEqual(values["reduce.scan_group"], ["environment", "32 (work-items)"])
        self.assertEqual(values["pixels.form"][0], "derived")
        told = json.loads(self.good("devices", "-v", "--json", "-d", "pocl:0", env=known).out)[0]["tuning"]
        self.assertEqual({row["key"]: row["origin"] for row in told}, {key: row[0] for key, row in values.items()})

    def atoms(self, n, frames):
        path = self.path("atoms.xyz")
        self.good("generate", "atoms", "-q", "-n", n, "--frames", frames, "-o", path)
        return path


@needs_pocl
class Coordination(Case):
    """Frames keep their order, whichever device is faster."""

    def setUp(self):
        super().setUp()
        self.atoms = self.path("atoms.xyz")
        self.good("generate", "atoms", "-q", "-n", 700, "--frames", 400, "-o", self.atoms)

    def outputs(self, spec, env):
        names = [self.path(name) for name in ["colvar", "slopes", "numbers"]]
        self.good("coordination", self.atoms, *SMALL, "--virial", "-q", "-d", spec, "-o", names[0],
                  "--derivatives", names[1], "--per-atom", names[2], env=env)
        found = []
        for name in names:
            with open(name, "rb") as file:
                found.append(file.read())
        return found

    def test_bytes(self):
        one = self.outputs("cpu", THREADS)
        self.assertEqual(one, self.outputs("*", THREADS))
        self.assertEqual(one, self.outputs("cpu,cpu,cpu", THREADS))

    @long
    def test_bytes_of_another_driver(self):
        self.assertEqual(self.outputs("cpu,cpu,cpu", BASIC), self.outputs("*", BASIC))

    @long
    def test_bad_frame(self):
        with open(self.atoms, "a", encoding="utf-8") as file:
            file.write("700\n\nX 1\n")
        self.bad(2, ["frame 400, atom 1", "the frames before it are complete"], "coordination", self.atoms,
                 *SMALL, "-d", "*", "-o", self.path("out"), env=BASIC)
        self.assertEqual(len(self.read("out").splitlines()), 403)

    def test_interrupted(self):
        run = subprocess.Popen([MOTE, "coordination", "-", *map(str, SMALL), "-d", "*", "-o", self.path("out")],
                               stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=BASIC,
                               preexec_fn=default_signals)
        with open(self.atoms, "rb") as file:
            run.stdin.write(file.read())
        run.stdin.flush()
        wait_until(lambda: os.path.exists(self.path("out.part")) and
                   len(self.read("out.part").splitlines()) == 403)
        run.send_signal(signal.SIGTERM)
        run.wait(60)  # the input stays open, because its end would complete the run
        self.assertIn(b"400 complete frames are in", run.communicate()[1])
        self.assertEqual(len(self.read("out.part").splitlines()), 403)

    def fails(self, specs, places):
        """A failing run prints one sentence and keeps the complete output."""
        kept = []
        self.good("coordination", self.atoms, *SMALL, "-q", "-o", self.path("all"), env=BASIC)
        for spec in specs:
            for at in places:
                self.write("out", "old")
                env = {**BASIC, "LD_PRELOAD": FAILING, "MOTE_TEST_FAIL_AT": str(at)}
                result = self.bad(3, "CL_OUT_OF_RESOURCES", "coordination", self.atoms, *SMALL, "-d",
                                  spec, "-o", self.path("out"), env=env)
                self.assertEqual(len(result.err.splitlines()), 1, result.err)
                found = re.search(r"; kept: (\d+) complete frames$", result.err.strip())
                kept.append(int(found[1]) if found else 0)
                lines = self.read("all").splitlines(True)[:3 + kept[-1]]
                self.assertEqual(self.read("out"), "".join(lines) if found else "old")
                self.assertEqual(self.files(), ["all", "atoms.xyz", "out"])
        self.assertEqual(kept[0], 0)
        self.assertIn(True, [0 < k < 400 for k in kept])

    @unittest.skipUnless(FAILING, "a sanitizer's runtime has to be loaded first")
    def test_one_device_fails(self):
        self.fails(["cpu", "*"], [1, 9])

    @long
    @unittest.skipUnless(FAILING, "a sanitizer's runtime has to be loaded first")
    def test_one_device_fails_anywhere(self):
        """The device fails early, in the middle or late in a run."""
        self.fails(["cpu", "*"], [1, 3, 6, 9, 12, 15])


@needs_pocl
class Clusters(Case):
    """Batches contain events of several files."""

    def setUp(self):
        super().setUp()
        self.inputs = [self.path(name) for name in ["a.bin", "b.csv", "c.csv"]]
        for seed, (name, events) in enumerate(zip(self.inputs[:2], [30, 3])):
            self.good("generate", "events", "-q", "--events", events, "--seed", seed + 1, "-o", name)
        with open(self.inputs[1], encoding="utf-8") as file:  # the events of the file are interleaved
            lines = file.read().splitlines()
        self.write("c.csv", "\n".join(lines[:1] + sorted(lines[1:])) + "\n")

    def run_on(self, spec, *options, env=None):
        names = [self.path(name) for name in ["clusters", "labels", "picture"]]
        done = self.good("clusters", *self.inputs, "-d", spec, "-o", names[0], "--labels", names[1],
                         "--svg", names[2], *options, env=env or BASIC)
        found = []
        for name in names:
            with open(name, "rb") as file:
                found.append(file.read())
        return found, done.err

    def test_bytes(self):
        one, said = self.run_on("cpu", env=THREADS)
        self.assertIn("36 events", said)
        several, said = self.run_on("*,cpu", env=THREADS)
        self.assertIn("3 x ", said)
        self.assertEqual(one, several)

    @long
    def test_bytes_of_another_driver(self):
        self.assertEqual(self.run_on("*")[0], self.run_on("cpu", env=THREADS)[0])

    @long
    def test_bad_file(self):
        """The message is about the first file."""
        bad = self.write("bad.csv", "module_id,x,y,adc\n1,2,3,4\n1,2,nan,4\n")
        worse = self.write("worse.csv", "nothing\n")
        self.write("out", "old")
        result = self.bad(2, "bad.csv:3", "clusters", self.inputs[0], bad, worse, "-d", "*", "-o",
                          self.path("out"), env=BASIC)
        self.assertEqual(len(result.err.splitlines()), 1, result.err)
        self.assertEqual(self.read("out"), "old")

    @long
    @unittest.skipUnless(FAILING, "a sanitizer's runtime has to be loaded first")
    def test_one_device_fails(self):
        self.write("out", "old")
        before = self.files()
        for at in [1, 8, 20]:
            env = {**BASIC, "LD_PRELOAD": FAILING, "MOTE_TEST_FAIL_AT": str(at)}
            result = self.bad(3, "CL_OUT_OF_RESOURCES", "clusters", *self.inputs, "-d", "*", "-o",
                              self.path("out"), env=env)
            self.assertEqual(len(result.err.splitlines()), 1, result.err)
            self.assertEqual(self.read("out"), "old")
            self.assertEqual(self.files(), before)


main()
