# SPDX-License-Identifier: Apache-2.0
"""Tests mote-bench: unknown words, and coordination numbers beside native code."""
import json
import os
import subprocess

from driver import Case, long, main

BENCH = os.environ.get("MOTE_BENCH")


class Bench(Case):
    def setUp(self):
        super().setUp()
        if not BENCH:
            self.skipTest("built without mote-bench")

    def bench(self, code, *arguments):
        done = subprocess.run([BENCH, *arguments], capture_output=True, text=True, timeout=280,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def test_unknown_words(self):
        wrong = {("--area", "atoms"): "expected pixels, jagged, reduce, histogram or coordination",
                 ("--area", "coordination", "--set", "1001"): "1000, 10000, 50000, 100000, 200000",
                 ("--area", "coordination", "--only", "cells,cell"):
                     "unknown call 'cell': expected one of all_pairs, cells, neighbours, steinhardt\n",
                 ("--area",): "--area needs a value",
                 ("--fast",): "what is --fast?"}
        for arguments, message in wrong.items():
            done = self.bench(1, *arguments)
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_no_row(self):
        done = self.bench(1, "--quick", "--area", "coordination", "--only", "neighbours", "--set", "1000")
        self.assertIn("no row matches all of --area coordination --set 1000 --only neighbours", done.stderr)

    def test_no_device(self):
        self.bench(3, "--area", "coordination", "--device", "nothing-like-it")

    @long
    def test_coordination(self):
        done = self.bench(0, "--area", "coordination", "--quick", "--set", "1000", "--json",
                          self.path("b.json"))
        lines = [json.loads(line) for line in self.read("b.json").splitlines()]
        ways = {line["way"]: line for line in lines if "way" in line}
        self.assertIn("x peer", done.stdout)
        self.assertIn("target", done.stdout)
        self.assertEqual(set(ways), {f"{method}, {precision}, {outputs}"
                                     for method in ["all_pairs", "cells"]
                                     for precision in ["single", "mixed", "double"]
                                     for outputs in ["value", "all"]})
        for way, line in ways.items():
            self.assertIn(way, done.stdout)
            if "left_out" in line:
                self.assertIn("unsupported", line["left_out"])
                continue
            self.assertTrue(line["checked"])
            for key in ["device_us", "in_a_row_us", "whole_us", "limit_us", "peer_us"]:
                self.assertGreater(line[key], 0, way + " " + key)
        self.assertNotIn("left_out", ways["all_pairs, mixed, all"])
        peers = [line for line in lines if "peer" in line]
        self.assertEqual(len(peers), 8)
        self.assertEqual({line["pairs"] for line in peers}, {499500, 29335})


if __name__ == "__main__":
    main()
