# SPDX-License-Identifier: Apache-2.0
"""mote clusters: long CSV files, of which only a part is in memory."""
import gzip
import os
import subprocess
import unittest

import driver
from driver import Case

EVENTS = 4  # of 59 000 digis each: a part holds one


class Parts(Case):
    def setUp(self):
        super().setUp()
        self.good("generate", "events", "--events", EVENTS, "-q", "-o", self.path("up.csv"))
        with open(self.path("up.csv"), encoding="utf-8") as file:
            self.header, *lines = file.read().splitlines()
        self.lines = lines
        self.events = [[line for line in lines if line.startswith(f"{e},")] for e in range(EVENTS)]

    def text(self, lines):
        return "\n".join([self.header, *lines]) + "\n"

    def outputs(self, *arguments, **options):
        """Bytes of clusters, labels and the pictures."""
        names = [self.path(name) for name in ["c.out", "l.out", "p.svg", "e.svg"]]
        self.good("clusters", "-q", *arguments, "-o", names[0], "--labels", names[1], "--svg", names[2],
                  "--svg-event", names[3], **options)
        found = []
        for name in names:
            with open(name, "rb") as file:
                found.append(file.read())
        return found

    def whole(self):
        """The same with the events in falling order, which are read together."""
        falling = [line for event in reversed(self.events) for line in event]
        clusters, labels, *pictures = self.outputs(self.write("down.csv", self.text(falling)))
        head, *rest = labels.decode().splitlines(keepends=True)
        rest = sorted(rest, key=lambda line: int(line.split(",", 1)[0]))
        return [clusters, (head + "".join(rest)).encode(), *pictures]

    def test_same_bytes(self):
        # The largest row comes last: the picture is drawn of an earlier event.
        x = self.header.split(",").index("x")
        last = self.lines[-1].split(",")
        last[x] = "200"
        self.events[-1][-1] = ",".join(last)
        expected = self.whole()
        text = self.text([line for event in self.events for line in event])
        self.assertEqual(self.outputs(self.write("a.csv", text)), expected)
        self.assertEqual(self.outputs("-", stdin=text), expected)
        if driver.ZLIB:
            packed = self.write("a.csv.gz", gzip.compress(text.encode(), compresslevel=1))
            self.assertEqual(self.outputs(packed), expected)
        for k in [1, 2, 3]:
            self.good("clusters", "-q", self.path("a.csv"), "--part", f"{k}/3", "-o", self.path("s"),
                      "--labels", self.path("t"))
        for name, whole in [("s", expected[0]), ("t", expected[1])]:
            shares = b""
            for k in [1, 2, 3]:
                with open(self.path(f"{name}.{k}-of-3"), "rb") as file:
                    shares += file.read()
            self.assertEqual(shares, whole)

    def test_late_disorder(self):
        first, *others = self.events
        lines = [line for event in [*others, first[:3]] for line in event]
        text = self.text(lines)
        place = len(lines) - 1
        self.bad(2, [f"standard input:{place}: event 0 comes behind event {EVENTS - 1}", "as a file"],
                 "clusters", "-", stdin=text)
        self.good("clusters", "-q", self.write("a.csv", text), "-o", self.path("out"))
        found = driver.rows(self.read("out"))
        self.assertEqual([int(row["event"]) for row in found][0], 0)

    def test_late_fraction(self):
        lines = self.lines[:-1] + [self.lines[-1] + ".5"]
        text = self.text(lines)
        self.bad(2, [f"standard input:{len(lines) + 1}: this charge", "--adc-scale"], "clusters", "-",
                 stdin=text)
        path = self.write("a.csv", text)
        scaled = self.outputs(path, "--adc-scale", "2")
        self.assertEqual(self.outputs("-", "--adc-scale", "2", stdin=text), scaled)
        self.assertEqual(self.outputs(path)[1], scaled[1])

    def test_huge_charge(self):
        path = self.write("a.csv", "module_id,x,y,adc\n1,2,3,1e20\n1,9,9,2e9\n")
        self.outputs(path, "--adc-scale", "1e-12")
        found = driver.rows(self.read("l.out"))
        self.assertEqual([float(row["adc"]) for row in found], [1e20, 2e9])

    def test_bad_line_far_down(self):
        text = self.text([*self.lines, "9,1,2,x,4"])
        out = self.write("out", "old")
        for arguments, name in [(["-"], "standard input"), ([self.write("a.csv", text)], "a.csv")]:
            self.bad(2, [f"{name}:{len(self.lines) + 2}: y 'x'"], "clusters", *arguments, "-o", out,
                     stdin=text)
            self.assertEqual(self.read("out"), "old")

    def test_line_without_end(self):
        path = self.write("a.csv", self.header + "\n1,2,3,4,5\n" + "7" * 3000000)
        self.bad(2, "a.csv:3: the line is longer than 1048576 bytes", "clusters", path)

    def peak(self, path):
        """The most memory that a run had, in MB."""
        done = subprocess.Popen([driver.MOTE, "clusters", "-q", path, "-o", self.path("out")])
        _, status, usage = os.wait4(done.pid, 0)
        done.returncode = status
        self.assertEqual(status, 0)
        return usage.ru_maxrss / 1e3

    # That library is not there with a sanitizer, which keeps freed memory.
    @unittest.skipUnless(os.environ.get("MOTE_FAILING_DEVICE"), "freed memory is kept")
    def test_memory(self):
        self.good("generate", "events", "--events", 10 * EVENTS, "-q", "-o", self.path("long.csv"))
        few, many = self.peak(self.path("up.csv")), self.peak(self.path("long.csv"))
        self.assertLess(many - few, 40)  # it is 120 when all of it is in memory


if __name__ == "__main__":
    driver.main()
