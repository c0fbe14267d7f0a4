# SPDX-License-Identifier: Apache-2.0
"""Tests coordination: invalid frames, the fate of its files, and slow inputs."""
import json
import os
import signal
import stat
import subprocess
import time

from coordination_oracle import HEADER, SMALL, atoms, xyz, colvar, table, TRICLINIC
from driver import MOTE, TIME, Case, default_signals, main, read_terminal, wait_until


TWO = [[0.1, 0.2, 0.3], [0.4, 0.2, 0.3]]


class BadFrames(Case):
    """Complete frames are kept, and the exit code is 2."""

    def check(self, text, frames, words):
        path = self.write("t.xyz", text)
        self.write("out", "old")
        self.bad(2, words, "coordination", path, *SMALL, "-o", self.path("out"))
        self.assertEqual(self.files(), ["out", "t.xyz"])
        kept = self.read("out")
        if not frames:
            self.assertEqual(kept, "old")
            return
        self.assertTrue(kept.startswith(HEADER + "\n"))
        self.assertEqual([row[0] for row in colvar(kept)], list(range(frames)))
        self.assertTrue(kept.endswith("\n"))
        self.assertEqual(self.bad(2, words, "coordination", path, *SMALL).out, kept)

    def test_kept(self):
        good = xyz([TWO] * 3)
        self.check(good[:-3].rsplit("X", 1)[0] + "X 1 2\n", 2, "t.xyz:12: frame 2, atom 2: column 4")
        self.check(good + "2\n\nX 1 2 3\n", 3,
                   ["t.xyz:16: the file ends inside frame 3, after 1 of 2 atoms",
                    "the frames before it are complete"])
        self.check(good + "3\n\n", 3, "t.xyz:13: frame 3 has 3 atoms, but those before it have 2")
        self.check(good + "2\n\nX 1 nan 3\n", 3, "t.xyz:15: frame 3, atom 1: y is 'nan'")
        self.check(good + "2\n1 1 0\n", 3, "t.xyz:14: frame 3: the box (1 1 0) has a length of 0")

    def test_nothing_to_keep(self):
        self.check("", 0, "t.xyz:1: the file is empty")
        self.check("9999999999\n\n", 0, "t.xyz:1: 9999999999 atoms; a frame has at most 2147483647")
        self.check("2000000000\n\nX 1 2 3\n", 0, "after 1 of 2000000000 atoms")
        self.check("1\n1 2 3 2 4 6 0 0 1\nX 1 2 3\n", 0, "is singular")
        self.check("5" * 2000000, 0, "t.xyz:1: the line is longer than 1048576 bytes")

    def test_many_frames(self):
        """There are more frames than a batch holds, and one atom is missing in the last one."""
        self.check(xyz([TWO] * 600 + [TWO[:1]]), 600, "frame 600 has 1 atoms")


class Outputs(Case):
    def test_again(self):
        self.good("generate", "atoms", "-q", "-n", 300, "--frames", 4, "-o", self.path("a.xyz"))
        outs = []
        for _ in range(2):
            outs.append(self.good("coordination", "-q", self.path("a.xyz"), *SMALL).out)
        self.good("coordination", "-q", self.path("a.xyz"), *SMALL, "-o", self.path("out"))
        self.assertEqual(outs, [self.read("out")] * 2)
        with open(self.path("a.xyz"), encoding="utf-8") as file:
            self.assertEqual(self.good("coordination", "-q", "-", *SMALL, stdin=file.read()).out, outs[0])

    def test_special_files(self):
        text = xyz([TWO])
        expected = self.good("coordination", "-q", "-", *SMALL, stdin=text).out
        self.assertEqual(self.good("coordination", "-", *SMALL, "-o", "/dev/stdout", stdin=text).out,
                         expected)
        for options in [["-o", "/dev/full"], ["--virial", "--derivatives", "/dev/null", "--per-atom",
                                              "/dev/full"]]:
            self.bad(4, ["/dev/full", "No space"], "coordination", "-", *SMALL, *options,
                     stdin=xyz([TWO], [TRICLINIC]) if len(options) > 2 else text)
        self.bad(4, "no/out: cannot be written", "coordination", "-", *SMALL, "-o",
                 self.path("no/out"), stdin=text)
        os.mkdir(self.path("out.part"))
        self.bad(4, "out: cannot be written: File exists", "coordination", "-", *SMALL, "-o",
                 self.path("out"), stdin=text)

    def test_left_over_part(self):
        self.write("out.part", "left over")
        old = os.umask(0o027)
        self.addCleanup(os.umask, old)
        self.good("coordination", "-q", "-", *SMALL, "-o", self.path("out"), stdin=xyz([TWO]))
        self.assertEqual(self.files(), ["out"])
        self.assertEqual(stat.S_IMODE(os.stat(self.path("out")).st_mode), 0o640)

    def test_reader_leaves(self):
        self.good("generate", "atoms", "-q", "-n", 2, "--frames", 20000, "-o", self.path("a.xyz"))
        run = subprocess.Popen([MOTE, "coordination", self.path("a.xyz"), "--r0", "0.3"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(run.stdout.readline().decode(), HEADER + "\n")
        run.stdout.close()
        self.assertEqual(run.stderr.read(), b"")
        run.stderr.close()
        self.assertEqual(run.wait(60), 0)

    def test_messages(self):
        text = xyz([TWO] * 2)
        err = self.good("coordination", "-", *SMALL, stdin=text).err
        self.assertRegex(err, r"^mote coordination: 2 frames of 2 atoms \(no box\), 2 in the lists; d_max "
                              r"2\.04388, double precision; .+ \(.+\); " + TIME + r"(, .+ frames/s)?(; written: .+)?\n$")
        timing = json.loads(self.good("coordination", "-", *SMALL, "-q", "--timing", stdin=text).err)
        self.assertEqual((timing["command"], timing["bytes"]), ("coordination", len(text)))
        self.bad(3, "no such device", "coordination", "-", *SMALL, "-d", "no such device", stdin=text)
        self.bad(2, "is empty", "coordination", "-", *SMALL, "-d", "no such device")


class Slowly(Case):
    """Frames come one by one, and the input stays open."""

    def begin(self, *arguments, stderr=subprocess.PIPE, box=None):
        run = subprocess.Popen([MOTE, "coordination", "-", "--r0", "0.3", *arguments],
                               stdin=subprocess.PIPE, stderr=stderr, preexec_fn=default_signals)
        run.stdin.write((xyz([TWO] * 3, [box] * 3) + "2\n\nX 1").encode())
        run.stdin.flush()
        return run

    def wait_for(self, name, lines):
        wait_until(lambda: name in self.files() and len(self.read(name).splitlines()) >= lines)

    def end(self, run):
        run.stdin.close()
        if run.stderr:
            run.stderr.close()
        return run.wait(60)

    def test_frames_appear(self):
        run = self.begin("-q", "-o", self.path("out"))
        self.wait_for("out.part", 6)
        run.stdin.write(b" 2 3\nX 4 5 6\n")
        self.assertEqual(self.end(run), 0)
        self.assertEqual(self.files(), ["out"])
        self.assertEqual(len(colvar(self.read("out"))), 4)

    def test_interrupted(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            self.write("out", "old")
            run = self.begin("-o", self.path("out"), "--virial", "--derivatives", self.path("d"),
                             "--per-atom", "/dev/null", box=TRICLINIC)
            self.wait_for("out.part", 6)
            self.wait_for("d.part", 6)
            run.send_signal(number)
            err = run.stderr.read().decode()
            self.assertEqual(self.end(run), -number)
            self.assertIn("interrupted: 3 complete frames are in " + self.path("out.part"), err)
            self.assertEqual(self.files(), ["d.part", "out", "out.part"])
            self.assertEqual(self.read("out"), "old")
            self.assertEqual([row[0] for row in colvar(self.read("out.part"))], [0, 1, 2])
            self.assertEqual([row[0] for row in table(self.read("d.part"))], [0, 0, 1, 1, 2, 2])
            os.remove(self.path("out.part"))
            os.remove(self.path("d.part"))

    def test_interrupted_without_a_file_of_numbers(self):
        run = self.begin("-o", "/dev/null", "--derivatives", self.path("d"))
        self.wait_for("d.part", 6)
        run.send_signal(signal.SIGINT)
        err = run.stderr.read().decode()
        self.end(run)
        self.assertIn("frames are in " + self.path("d.part"), err)

    def test_interrupted_before_the_first_frame(self):
        run = subprocess.Popen([MOTE, "coordination", "-", "--r0", "1", "-o", self.path("out")],
                               stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=default_signals)
        self.wait_for("out.part", 0)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.stderr.read(), b"")
        self.assertEqual(self.end(run), -signal.SIGINT)
        self.assertEqual(self.files(), [])

    def test_failure_does_not_wait_for_input(self):
        run = self.begin("-q", "-d", "no such device")
        self.assertEqual(run.wait(60), 3)
        run.stdin.close()
        run.stderr.close()

    def test_progress(self):
        run = self.begin("-q", "-o", "/dev/null")  # builds kernels, so that the next run shows a rate
        run.stdin.write(b" 2 3\nX 4 5 6\n")
        self.assertEqual(self.end(run), 0)
        terminal, end = os.openpty()
        run = self.begin("-o", self.path("out"), stderr=end)
        os.close(end)
        self.wait_for("out.part", 6)
        time.sleep(1.2)
        run.stdin.write(b" 2 3\nX 4 5 6\n")
        self.assertEqual(self.end(run), 0)
        shown = read_terminal(terminal)
        self.assertRegex(shown, r"\r4 frames  [\d.e+]+ frames/s\x1b\[K")
        self.assertRegex(shown, r"\r\x1b\[Kmote coordination: 4 frames of 2 atoms")


if __name__ == "__main__":
    main()
