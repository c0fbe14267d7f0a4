# SPDX-License-Identifier: Apache-2.0
"""Tests the line on a terminal that shows the progress of a long run."""
import os
import re
import subprocess
import time
import unittest

from driver import Case, MOTE, long, main, needs_pocl, read_terminal
from npy import make

SLOW = os.environ.get("MOTE_PRELOADED")


class Progress(Case):
    def terminal(self, *arguments, **environment):
        """Returns the text that the command writes to stderr if that is a terminal."""
        terminal, end = os.openpty()
        run = subprocess.Popen([MOTE, *map(str, arguments)], stderr=end, stdout=subprocess.DEVNULL,
                               env={**os.environ, **environment})
        os.close(end)
        shown = read_terminal(terminal)
        self.assertEqual(run.wait(60), 0, shown)
        return shown

    def values(self):
        return self.write("v.npy", make("float32", [1.0, 2.0]))

    @long
    @unittest.skipUnless(SLOW, "a sanitizer's runtime has to be loaded first")
    def test_building(self):
        shown = self.terminal("reduce", self.values(), LD_PRELOAD=SLOW, MOTE_TEST_BUILD_MS="1700",
                              MOTE_CACHE="off")
        self.assertRegex(shown, r"\rbuilding kernels \(first run on this device\)  \d+ s\x1b\[K")
        self.assertRegex(shown, r"\r\x1b\[Kmote reduce: sum of 1 row of 2 values")

    @needs_pocl
    @unittest.skipUnless(SLOW, "a sanitizer's runtime has to be loaded first")
    def test_compiling_at_the_first_launch(self):
        """Drivers for CPUs defer compilation to the first launch."""
        shown = self.terminal("reduce", self.values(), LD_PRELOAD=SLOW, MOTE_TEST_BUILD_MS="1000",
                              MOTE_TEST_LAUNCH_MS="2500", MOTE_CACHE="off")
        self.assertRegex(shown, r"\rbuilding kernels \(first run on this device\)  3 s\x1b\[K")
        total, built = map(float, re.search(r"; ([\d.]+) s, ([\d.]+) s of them for", shown).groups())
        self.assertTrue(3.5 <= built <= total, shown)

    @long
    @unittest.skipUnless(SLOW, "a sanitizer's runtime has to be loaded first")
    def test_rate_of_a_first_run(self):
        """The rate excludes the time of builds, and the frames computed during that time."""
        self.good("generate", "atoms", "-n", 40, "--frames", 3000, "-o", self.path("a.xyz"))
        words = ["coordination", self.path("a.xyz"), "--r0", 0.1, "-o", self.path("cv")]
        env = {**os.environ, "LD_PRELOAD": SLOW, "MOTE_TEST_BUILD_MS": "1000", "MOTE_CACHE": "off"}
        found = re.search(r"; ([\d.]+) s, ([\d.]+) s of them for building kernels, ([\d.e+]+) frames/s; "
                          r"written: .*/cv\n", self.good(*words, env=env).err)
        total, built, rate = map(float, found.groups())
        self.assertTrue(1.0 <= built < total, found[0])
        self.assertLess(rate * (total - built), 3000)
        self.assertGreater(rate * total, 3000)
        self.good(*words)  # fills the cache, from which a busy machine may take long to load kernels
        quick = re.compile(r"; [\d.]+ s, [\d.e+]+ frames/s; written: .*/cv\n$")
        runs = (self.good(*words).err for _ in range(20))
        self.assertTrue(any(quick.search(err) for err in runs))

    @long
    @unittest.skipUnless(SLOW, "a sanitizer's runtime has to be loaded first")
    def test_quiet(self):
        self.assertEqual(self.terminal("reduce", "-q", self.values(), LD_PRELOAD=SLOW,
                                       MOTE_TEST_BUILD_MS="1200", MOTE_CACHE="off"), "")

    def test_steps(self):
        digis = self.write("d.csv", "module_id,x,y,adc\n1,2,3,4\n")
        atoms = self.write("a.xyz", "2\n9 9 9\nX 1 2 3\nX 2 2 3\n")
        for path, command in [(self.values(), ["reduce"]), (digis, ["clusters"]),
                              (atoms, ["coordination", "--r0", "1"])]:
            pipe = self.path("a\x1b]pipe" + os.path.splitext(path)[1])
            os.mkfifo(pipe)
            with open(path, "rb") as file:  # the pipe can be opened when it is read
                writer = subprocess.Popen(["sh", "-c", 'exec > "$0"; sleep 1.8; cat', pipe], stdin=file)
            shown = self.terminal(*command, pipe)
            self.assertEqual(writer.wait(60), 0)
            self.assertRegex(shown, r"\rreading \S*a\\x1b\]pipe\.\w+  \d+ s\x1b\[K")
            self.assertRegex(shown, rf"\r\x1b\[K(mote {command[0]}: [^\r]*\r\n)+\Z")

    def test_short(self):
        """A run that ends within a second shows no such line."""
        self.good("reduce", self.values())  # kernels are built
        for command, last in [(["reduce", self.values()], "mote reduce: sum of 1 row of 2 values"),
                              (["generate", "jagged", "-o", self.path("o.npy")], "mote generate: ")]:
            start = time.monotonic()
            shown = self.terminal(*command)
            if time.monotonic() - start < 1.0:
                self.assertRegex(shown, rf"\A{last}[^\r\x1b]*\r\n\Z")


if __name__ == "__main__":
    main()
