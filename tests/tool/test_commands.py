# SPDX-License-Identifier: Apache-2.0
"""Tests devices, generate, selftest and bench."""
import json
import os
import struct
import unittest
import xml.etree.ElementTree

from driver import Case, long, main, mote, rows

SLOW = os.environ.get("MOTE_PRELOADED")

class Devices(Case):
    def test_lines_and_json_agree(self):
        lines = self.good("devices").out.splitlines()
        devices = json.loads(self.good("devices", "--json").out)
        self.assertGreater(len(lines), 0)
        self.assertEqual(len(lines), len(devices))
        for line, device in zip(lines, devices):
            self.assertEqual(line.split()[0], device["spec"])
            for key in ["name", "vendor", "driver", "c_version"]:
                self.assertIn(device[key], line)
            self.assertIn(f"{device['compute_units']} compute units", line)
            self.assertEqual(device["fp64"], "no fp64" not in line)
            self.assertIn(device["class"], ["cpu", "gpu"])
            self.assertGreater(device["global_bytes"], device["local_bytes"])

    def test_each_line_opens_its_device(self):
        for line in self.good("devices").out.splitlines():
            self.assertEqual(self.good("devices", "-d", line.split()[0]).out, line + "\n")

    def test_to_file(self):
        out = self.good("devices").out
        self.good("devices", "-o", self.path("d.txt"))
        self.assertEqual(self.read("d.txt"), out)


class Generate(Case):
    def generate(self, *options):
        return self.good("generate", "events", "-q", *options).out

    def test_reproducible(self):
        one = self.generate("--topology", "40x50", "--events", 2, "--seed", 3)
        self.assertEqual(self.generate("--topology", "40x50", "--events", 2, "--seed", 3), one)
        self.assertNotEqual(self.generate("--topology", "40x50", "--events", 2, "--seed", 4), one)
        err = self.good("generate", "events", "--topology", "40x50", "--events", 2, "--seed", 3, "-o",
                        self.path("g.csv")).err
        self.assertEqual(self.read("g.csv"), one)
        self.assertIn(": %d digis in 2 events" % (one.count("\n") - 1), err)

    def test_csv(self):
        found = rows(self.generate("--topology", "40x50", "--events", 2))
        self.assertEqual(list(found[0]), ["event", "module_id", "x", "y", "adc"])
        self.assertEqual({r["event"] for r in found}, {"0", "1"})
        self.assertLess(max(int(r["x"]) for r in found), 40)
        self.assertLess(max(int(r["y"]) for r in found), 50)
        self.assertNotIn("65534", {r["module_id"] for r in found})

    def test_bin(self):
        self.good("generate", "events", "--events", 2, "-o", self.path("g.bin"))
        with open(self.path("g.bin"), "rb") as file:
            data = file.read()
        magic, n_events, modules, rows_, columns, n = struct.unpack_from("<6I", data)
        self.assertEqual((magic, n_events, modules, rows_, columns), (0x47494450, 2, 1856, 160, 416))
        after = 24 + 8 * n
        (second,) = struct.unpack_from("<I", data, after)
        self.assertEqual(len(data), after + 4 + 8 * second)

    def test_broken(self):
        """Only marked modules lose digis, and --morph reads the file of marks."""
        one = ["--topology", "40x50", "--events", 2, "--seed", 3]
        found = self.generate(*one, "--broken", "0.1", "--marks", self.path("m.csv"))
        marked = set(self.read("m.csv").split())
        self.assertEqual(len(marked), 80)
        whole = rows(self.generate(*one))
        kept = rows(found)
        for damaged in (False, True):
            of = [[tuple(r.values()) for r in all_rows if (r["module_id"] in marked) == damaged]
                  for all_rows in (whole, kept)]
            self.assertLessEqual(set(of[1]), set(of[0]))
            share = len(of[1]) / len(of[0])
            self.assertTrue(0.6 < share < 0.9 if damaged else share == 1, share)
        self.good("clusters", "-", "-q", "--size", "40x50", "--morph", self.path("m.csv"),
                  stdin=found)
        self.bad(1, "not between 0 and 1", "generate", "events", "--broken", "1.5")
        self.bad(1, "named for two outputs", "generate", "events", "--marks", "-")

    def test_names(self):
        self.bad(1, ".csv or .bin", "generate", "events", "-o", self.path("g.txt"))
        self.assertEqual(self.files(), [])
        out = self.generate("--topology", "40x50", "-o", "/dev/stdout")
        self.assertEqual(out, self.generate("--topology", "40x50"))

    def test_summary(self):
        err = self.good("generate", "events", "-o", "/dev/null").err
        self.assertRegex(err, r"^mote generate: \d+ digis in 1 event of 1856 modules, 160 x 416")


class Selftest(Case):
    @unittest.skipUnless(SLOW, "a sanitizer's runtime has to be loaded first")
    def test_short_of_time(self):
        """If time is short, a sentence names the checks that are left out, and the status is success."""
        spec = self.good("devices").out.split()[0]
        slow = {**os.environ, "MOTE_CACHE": "off", "LD_PRELOAD": SLOW, "MOTE_TEST_BUILD_MS": "1200"}
        out = self.good("selftest", "--time", 1, "-d", spec, env=slow).out
        self.assertRegex(out, r"^\S+ +reduce sum, float32 +[1-9]\d* cases? agrees?  \(\d+\.\d s\)\n")
        last = out.splitlines()[-1]
        self.assertRegex(last, r"^\S+ +no time was left for .*reduce sum, compensated; .*jagged pairs; "
                               r".*; and for all cases of \d+ lines? above\. .*--time 0")
        self.assertEqual(out.count("no time was left"), 1)
        for line in out.splitlines()[:-1]:
            self.assertRegex(line, r"^\S+ +\S.*  [1-9]\d* cases? agrees?  \(")
            self.assertNotIn(line.split("  ", 1)[1].strip().split("  ")[0] + ";", last)

    def test_differs(self):
        """Without kernels, every check fails: each line says why, and the exit status is 5."""
        env = {**os.environ, "MOTE_CL_DIR": self.folder}
        out = self.bad(5, "differ", "selftest", "--time", 0, env=env).out
        for line in out.splitlines():
            self.assertRegex(line, r"^\S+ +\S.*  (DIFFERS: .*MOTE_CL_DIR|not for this device)")

    @long
    def test_agrees(self):
        lines = self.good("selftest", "--time", 0, timeout=600).out.splitlines()
        devices = [line.split()[0] for line in self.good("devices").out.splitlines()]
        self.assertEqual({line.split()[0] for line in lines}, set(devices))
        for line in lines:
            if "not for this device" not in line:
                self.assertRegex(line, r"^\S+ +\S.*  [1-9]\d* cases? agrees?  \(")
        for name in ["sum, float32", "sum, compensated", "parents, balanced", "parents, starts",
                     "local_index", "jagged counts", "offsets_from_counts", "offsets_from_parents",
                     "reduce, sum", "nonzero  ", "nonzero, filter", "gather_by_parent", "product",
                     "jagged pairs", "all_pairs, mixed", "all_pairs, single", "all_pairs, double", "cells, mixed",
                     "pairs of lists", "cluster, auto", "union_find", "cluster, histogram", "histogram of weights",
                     "sort, float32", "charge_cut"]:
            self.assertEqual(sum(name in line for line in lines), len(devices), name)

    @long
    def test_one_device(self):
        spec = mote("devices").out.split()[0]
        out = self.good("selftest", "--time", 1, "-d", spec, "-o", self.path("s.txt")).out
        self.assertEqual(out, "")
        self.assertEqual({line.split()[0] for line in self.read("s.txt").splitlines()}, {spec})


class Bench(Case):
    @long
    def test_overview(self):
        out = self.good("bench", "-o", self.path("b.txt"), timeout=280).out
        self.assertEqual(out, "")
        lines = [line for line in self.read("b.txt").splitlines() if "/s" in line and " ms " in line]
        self.assertEqual(len(lines), 10)
        for line, unit in zip(lines, ["events", "values", "values"] + 5 * ["elements"] + 2 * ["frames"]):
            self.assertRegex(line, rf"^.{{28}} +[\d.]+ ms +[\d.]+ [kMGT ] {unit}/s")
            self.assertEqual("% of a copy" in line, unit != "frames")

    @long
    def test_quick(self):
        for area, least in [("pixels", 4), ("jagged", 50), ("reduce", 10), ("coordination", 4)]:
            result = self.good("bench", area, "--quick", "--json", self.path("b.json"), "--svg",
                               self.path("b.svg"), timeout=280)
            self.assertGreater(len(result.out.splitlines()), least)
            for word in ["target", "peer", "<="]:
                self.assertNotIn(word, result.out)
            lines = [json.loads(line) for line in self.read("b.json").splitlines()]
            measured = [line for line in lines if line.get("area") == area and "device_us" in line]
            self.assertGreater(len(measured), least)
            self.check_picture(area, measured)
            if area == "pixels":
                self.check_pixels(measured)

    def check_pixels(self, measured):
        """Outputs of a call besides labels have their own rows, which are compared with the oracle."""
        rows = {(line["set"], line["order"], line["event"]) for line in measured}
        for name in ["ttbar", "phase2", "hi", "patho"]:
            for order in ["contiguous", "positions", "mask", "gain", "any"]:
                self.assertLessEqual({(name, order, "one"), (name, order, "batch")}, rows)
        self.assertTrue(all(line["checked"] for line in measured))

    def panel(self, line):
        """Each row names the call, or the method of coordination numbers."""
        return line["way"].split(",")[0] if line["area"] == "coordination" else line.get("call", "cluster")

    def check_picture(self, area, measured):
        """The picture has a panel for each call, a dot for each measurement, and one for the meaning of each
        colour."""
        tree = xml.etree.ElementTree.fromstring(self.read("b.svg"))
        name = "{http://www.w3.org/2000/svg}"
        titles = [t.text for t in tree.iter(name + "text") if t.get("class") == "name"]
        self.assertEqual(sorted(titles),
                         sorted({f"{area}: {self.panel(m)}" for m in measured}))
        dots = [c for c in tree.iter(name + "circle") if c.get("fill-opacity")]
        self.assertEqual(len(dots), len(measured))
        self.assertGreaterEqual(len([p for p in tree.iter(name + "path")
                                     if p.get("class") == "limit"]), len(titles))
        boxes = [[float(r.get(k)) for k in ("x", "y", "width", "height")]
                 for r in tree.iter(name + "rect") if r.get("class") == "frame"]
        for dot in dots:
            x, y = float(dot.get("cx")), float(dot.get("cy"))
            self.assertTrue(any(b[0] - 1 <= x <= b[0] + b[2] + 1 and b[1] - 1 <= y <= b[1] + b[3] + 1
                                for b in boxes), (x, y))

    def test_same_outputs(self):
        path = self.path("b")
        self.bad(1, "b", "bench", "reduce", "--svg", path, "--json", path)


class NoDriver(Case):
    def test_no_driver_at_all(self):
        environment = {**os.environ, "OCL_ICD_VENDORS": self.folder}
        path = self.write("a.csv", "module_id,x,y,adc\n1,2,3,4\n")
        for command in [("devices",), ("clusters", path), ("selftest",), ("bench",)]:
            self.bad(3, "device", *command, env=environment)


if __name__ == "__main__":
    main()
