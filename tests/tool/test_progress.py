# SPDX-License-Identifier: Apache-2.0
"""The line on a terminal that says what takes long."""
import os
import subprocess
import unittest

from driver import Case, MOTE, main
from npy import make

SLOW = os.environ.get("MOTE_FAILING_DEVICE")


class Progress(Case):
    def terminal(self, *arguments, **environment):
        """What the command writes to stderr when that is a terminal."""
        terminal, end = os.openpty()
        run = subprocess.Popen([MOTE, *map(str, arguments)], stderr=end, stdout=subprocess.DEVNULL,
                               env={**os.environ, **environment})
        os.close(end)
        shown = b""
        try:
            while part := os.read(terminal, 65536):
                shown += part
        except OSError:  # the other end is closed
            pass
        os.close(terminal)
        self.assertEqual(run.wait(60), 0, shown)
        return shown.decode()

    def values(self):
        return self.write("v.npy", make("float32", [1.0, 2.0]))

    @unittest.skipUnless(SLOW, "a sanitizer's runtime has to be loaded first")
    def test_building(self):
        shown = self.terminal("sum", self.values(), LD_PRELOAD=SLOW, MOTE_TEST_BUILD_MS="1700",
                              MOTE_CACHE="off")
        self.assertRegex(shown, r"\rbuilding kernels \(first run on this device\)  \d+ s\x1b\[K")
        self.assertRegex(shown, r"\r\x1b\[Kmote sum: sum of 1 row of 2 values")

    @unittest.skipUnless(SLOW, "a sanitizer's runtime has to be loaded first")
    def test_quiet(self):
        self.assertEqual(self.terminal("sum", "-q", self.values(), LD_PRELOAD=SLOW,
                                       MOTE_TEST_BUILD_MS="1200", MOTE_CACHE="off"), "")

    def test_steps(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        with open(self.values(), "rb") as file:
            writer = subprocess.Popen(["sh", "-c", f"sleep 1.6; cat > {pipe}"], stdin=file)
        shown = self.terminal("sum", pipe)
        self.assertEqual(writer.wait(60), 0)
        self.assertIn("reading", shown)
        self.assertRegex(shown, r"\rreading \S*pipe  1 s\x1b\[K")

    def test_short(self):
        self.terminal("sum", self.values())
        self.assertNotIn("\r\x1b", self.terminal("generate", "jagged", "-o", self.path("o.npy")))


if __name__ == "__main__":
    main()
