# SPDX-License-Identifier: Apache-2.0
"""Tests mote clusters on long files, of which only a part is in memory."""
import gzip
import os
import struct
import subprocess
import unittest

import driver
from driver import Case, long

EVENTS = 4  # each event has 59 000 digis: a part of CSV holds one


class Memory(Case):
    def peak(self, path, pieces=()):
        """Returns the peak memory of a run in MB; its standard input consists of pieces."""
        done = subprocess.Popen([driver.MOTE, "clusters", "-q", path, "-o", self.path("out")],
                                stdin=subprocess.PIPE)
        with done.stdin as pipe:
            for piece in pieces:
                pipe.write(piece)
        _, status, usage = os.wait4(done.pid, 0)
        done.returncode = status
        self.assertEqual(status, 0)
        return usage.ru_maxrss / 1e3


class BinaryParts(Memory):
    """A part holds 524288 digis."""

    def setUp(self):
        super().setUp()
        self.good("generate", "events", "--events", EVENTS, "-q", "-o", self.path("few.bin"))
        with open(self.path("few.bin"), "rb") as file:
            self.head, self.body = file.read(20), file.read()

    def repeated(self, times):
        """Repeats the same events several times."""
        head = self.head[:4] + struct.pack("<I", EVENTS * times) + self.head[8:]
        return head + times * self.body

    def test_same_numbers(self):
        one = driver.rows(self.good("clusters", self.path("few.bin")).out)
        many = self.good("clusters", "-", "--labels", self.path("labels"), "-o", self.path("out"),
                         stdin=self.repeated(3))
        self.assertIn(f" in {3 * EVENTS} events", many.err)
        found = driver.rows(self.read("out"))
        expected = [{**row, "event": str(int(row["event"]) + EVENTS * k)} for k in range(3) for row in one]
        self.assertEqual(found, expected)
        labels = self.read("labels").splitlines()
        self.assertEqual(len(labels) - 1, 3 * sum(self.sizes()))

    def sizes(self):
        """Returns the digis of each event."""
        found, at = [], 0
        while at < len(self.body):
            found.append(struct.unpack_from("<I", self.body, at)[0])
            at += 4 + 8 * found[-1]
        return found

    @long
    def test_late_faults(self):
        data = bytearray(self.repeated(3))
        out = self.write("out", "old")
        event, sizes = 2 * EVENTS + 3, self.sizes()
        start = len(data) - 8 * sizes[-1]
        digi = 5
        struct.pack_into("<H", data, start + 2 * digi, 65000)
        self.bad(2, [f"standard input: event {event}, digi {digi}: module_id = 65000"], "clusters", "-",
                 "-o", out, stdin=bytes(data))
        short = self.repeated(3)[:-1]
        self.bad(2, [f"it ends at byte {len(short)} inside adc of event {event}: 1 more byte"],
                 "clusters", "-", "-o", out, stdin=short)
        more = self.repeated(3) + b"x"
        self.bad(2, [f"it goes on after its last event ({3 * EVENTS})"], "clusters", "-", "-o", out,
                 stdin=more)
        self.assertEqual(self.read("out"), "old")

    @long
    @unittest.skipUnless(os.environ.get("MOTE_PRELOADED"), "freed memory is kept")
    def test_memory(self):
        digis = 1 << 18  # invalid digis, which cost little
        event = struct.pack("<I", digis) + struct.pack("<H", 65534) * digis + bytes(6 * digis)
        peaks = []
        for count in [1, 64]:
            head = struct.pack("<5I", 0x47494450, count, 10, 64, 48)
            peaks.append(self.peak("-", [head, *[event] * count]))
        # Nine parts are in memory if the device is slow: 95. It is 335 if everything is in memory.
        self.assertLess(peaks[1] - peaks[0], 200)


class Parts(Memory):
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
        """Returns the bytes of clusters, labels and the pictures."""
        names = [self.path(name) for name in ["c.out", "l.out", "p.svg", "e.svg"]]
        self.good("clusters", "-q", *arguments, "-o", names[0], "--labels", names[1], "--svg", names[2],
                  "--svg-event", names[3], **options)
        found = []
        for name in names:
            with open(name, "rb") as file:
                found.append(file.read())
        return found

    def whole(self):
        """Returns the same with the events in descending order, which are read together."""
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

    @long
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

    @long
    def test_late_fraction(self):
        lines = self.lines[:-1] + [self.lines[-1] + ".5"]
        text = self.text(lines)
        self.bad(2, [f"standard input:{len(lines) + 1}: this charge", "--adc-scale"], "clusters", "-",
                 stdin=text)
        path = self.write("a.csv", text)
        scaled = self.outputs(path, "--adc-scale", "2")
        self.assertEqual(self.outputs("-", "--adc-scale", "2", stdin=text), scaled)
        self.assertEqual(self.outputs(path)[1], scaled[1])

    @long
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

    # That library is absent under a sanitizer, which keeps freed memory.
    @long
    @unittest.skipUnless(os.environ.get("MOTE_PRELOADED"), "freed memory is kept")
    def test_memory(self):
        self.good("generate", "events", "--events", 10 * EVENTS, "-q", "-o", self.path("long.csv"))
        few, many = self.peak(self.path("up.csv")), self.peak(self.path("long.csv"))
        self.assertLess(many - few, 40)  # it is 120 if everything is in memory


if __name__ == "__main__":
    driver.main()
