# SPDX-License-Identifier: Apache-2.0
"""Tests --profile and --trace: the work of the device, kernel by kernel."""
import json
import os
import re

from driver import Case, long, main
from npy import make

LINE = re.compile(r"^  (\S.*?) +(\d+) +([\d.]+) +[\d.]+ % +([\d.]+|-) +([\d.]+|-) +([\d.]+ %|-)$")


class Profile(Case):
    def lines(self, err):
        """Returns kernel, launches, milliseconds and megabytes of each line of the table."""
        found = [LINE.match(line) for line in err.splitlines()]
        return [(m[1], int(m[2]), float(m[3]), m[4]) for m in found if m]

    def trace(self, name="t.json"):
        return json.loads(self.read(name))["traceEvents"]

    def events(self):
        path = self.path("e.csv")
        self.good("generate", "events", "--topology", "40x50", "--events", 2, "-q", "-o", path)
        return path

    def test_table_and_trace(self):
        path = self.events()
        plain = self.good("clusters", path, "-q").out
        result = self.good("clusters", path, "-q", "--profile", "--trace", self.path("t.json"))
        self.assertEqual(result.out, plain)
        table = self.lines(result.err)
        self.assertGreater(len(table), 2)
        self.assertEqual([ms for _, _, ms, _ in table], sorted((t[2] for t in table), reverse=True))
        self.assertIn("GB/s, bytes read and written", result.err)
        spans = [event for event in self.trace() if event["ph"] == "X"]
        for kernel, launches, ms, megabytes in table:
            own = [span for span in spans if span["name"] == kernel]
            self.assertEqual(len(own), launches)
            self.assertAlmostEqual(sum(span["dur"] for span in own) / 1000, ms, delta=0.01)
            if megabytes != "-":
                self.assertAlmostEqual(sum(span["args"]["bytes"] for span in own) / 1e6,
                                       float(megabytes), delta=0.001)
        self.assertEqual(sum(t[1] for t in table), len(spans))
        self.assertEqual(min(span["ts"] for span in spans), 0)
        self.assertIn(result.err.split(":")[0], [event["args"]["name"] for event in self.trace()
                                                  if event["ph"] == "M"])

    def test_trace_format(self):
        """Checks the trace against the description of trace events: its keys and types, and spans of a row that follow
        each other."""
        self.good("clusters", self.events(), "-q", "-o", "/dev/null", "--trace", self.path("t.json"))

        def refuse(word):
            self.fail(f"{word} is not JSON")

        trace = json.loads(self.read("t.json"), parse_constant=refuse)
        self.assertLessEqual(set(trace), {"traceEvents", "displayTimeUnit", "otherData"})
        self.assertIn(trace["displayTimeUnit"], ["ms", "ns"])
        number = (int, float)
        kinds = {"X": {"name": str, "cat": str, "ph": str, "ts": number, "dur": number, "pid": int,
                       "tid": int, "args": dict},
                 "M": {"name": str, "ph": str, "pid": int, "args": dict}}
        ends = {}
        for event in sorted(trace["traceEvents"], key=lambda event: event.get("ts", -1)):
            self.assertEqual(set(event), set(kinds[event["ph"]]))
            for key, kind in kinds[event["ph"]].items():
                self.assertIsInstance(event[key], kind)
            if event["ph"] == "X":
                row = event["pid"], event["tid"]
                self.assertGreaterEqual(event["dur"], 0)
                self.assertGreaterEqual(event["ts"], ends.get(row, 0) - 0.002, event)
                ends[row] = event["ts"] + event["dur"]

    @long
    def test_every_kind_of_command(self):
        offsets = self.write("o.npy", make("int64", [0, 2, 5]))
        values = self.write("v.npy", make("float32", [1.0, 2.0, 3.0, 4.0, 5.0]))
        atoms = self.write("a.xyz", "2\n9 9 9\nX 1 2 3\nX 2 2 3\n" * 2)
        for command in [("reduce", values), ("parents", offsets), ("local-index", offsets),
                        ("counts", offsets), ("reduce", "--op", "max", offsets, values),
                        ("coordination", atoms, "--r0", "1")]:
            self.good(*command, "-q", "--trace", self.path("t.json"), "-o", self.path("out.npy"))
            self.assertTrue([e for e in self.trace() if e["ph"] == "X"], command)

    @long
    def test_two_queues(self):
        device = self.good("devices").out.split()[0]
        self.good("clusters", self.events(), "-q", "-d", f"{device},{device}", "-o", "/dev/null",
                  "--trace", self.path("t.json"))
        queues = [e["tid"] for e in self.trace() if e["ph"] == "X"]
        self.assertGreater(len(queues), 2)
        self.assertEqual(set(queues), set(range(max(queues) + 1)))

    def test_no_device(self):
        self.assertIn("No kernel was launched.", self.good("devices", "--profile").err)

    def test_refused(self):
        values = self.write("v.npy", make("float32", [1.0]))
        self.bad(1, "must end in .json", "reduce", values, "--trace", self.path("t.txt"))
        self.bad(1, "times its calls itself", "bench", "--profile")
        self.bad(4, "t.json", "reduce", values, "--trace", self.path("none/t.json"))

    def test_other_files(self):
        """A trace may not have the name of another output or of an input."""
        values = self.write("v.json", make("float32", [1.0]))
        digis = self.write("d.json", "module_id,x,y,adc\n1,2,3,4\n")
        atoms = self.write("a.xyz", "2\n9 9 9\nX 1 2 3\nX 2 2 3\n")
        group = self.write("g.json", "1")
        trace = self.path("t.json")
        before = self.files()
        for command in [("reduce", values, "-o", trace), ("devices", "-o", trace), ("version", "-o", trace),
                        ("generate", "jagged", "-o", trace), ("merge", "x", "-o", trace),
                        ("clusters", digis, "--svg", trace),
                        ("coordination", atoms, "--r0", "1", "--svg", trace)]:
            self.bad(1, "t.json is named for two outputs", *command, "--trace", trace)
            self.assertEqual(self.files(), before, command)
        for path, command in [(values, ("reduce", values)), (digis, ("clusters", "digis.csv", "--mask", digis)),
                              (values, ("merge", values)),
                              (group, ("coordination", atoms, "--r0", "1", "--group-a", "@" + group))]:
            self.bad(1, "is an input and an output", *command, "--trace", path)
            self.assertEqual(self.files(), before, command)

    def test_shares(self):
        path = self.events()
        atoms = self.write("a.xyz", "2\n9 9 9\nX 1 2 3\nX 2 2 3\n")
        for command in [("clusters", path), ("coordination", atoms, "--r0", "1")]:
            self.bad(1, "leave out --part", *command, "--part", "1/2", "--trace", self.path("t.json"))
        self.assertEqual(self.files(), ["a.xyz", "e.csv"])

    def test_completion(self):
        self.good("completion", "bash", "--trace", self.path("t.json"))
        self.assertEqual(self.trace()[1:], [])
        self.bad(1, "expected bash, zsh or fish", "completion", "--trace", self.path("u.json"))
        self.assertEqual(self.files(), ["t.json"])

    def test_failed_run(self):
        self.write("t.json", "old")
        bad = self.write("bad.npy", make("int64", [0, 5, 2]))
        result = self.bad(2, "bad.npy", "counts", bad, "--profile", "--trace", self.path("t.json"),
                          "-o", self.path("c.npy"))
        self.assertEqual(self.lines(result.err), [])
        self.assertEqual(self.read("t.json"), "old")
        self.assertEqual(sorted(os.listdir(self.folder)), ["bad.npy", "t.json"])


if __name__ == "__main__":
    main()
