# SPDX-License-Identifier: Apache-2.0
"""Tests mote tune: the file that it writes, and the errors that it reports. No test here depends on which values are
faster."""
import fcntl
import json
import os
import signal
import subprocess
import time

from driver import MOTE, Case, default_signals, long, main

OTHER = "[device]\nname = another\nplatform = p\ndriver = 1\npixels.tile = 64\n"


class Tune(Case):
    def setUp(self):
        super().setUp()
        self.file = self.path("tune")
        self.environment = {key: value for key, value in os.environ.items() if key != "MOTE_TUNE"}
        self.environment |= {"MOTE_TUNE_FILE": self.file, "MOTE_LOG": "warn"}

    def run_short(self, *words):
        return self.good("tune", "--seconds", 1, *words, env=self.environment)

    def content(self):
        with open(self.file, encoding="utf-8") as file:
            return file.read()

    def test_written(self):
        said = self.run_short()
        self.assertRegex(said.out.splitlines()[1], r"^call +default, us +tuned, us +faster by +values$")
        self.assertIn(self.file + ": written", said.out)
        first = self.content()
        self.assertEqual(first.count("[device]"), 1)
        # The library accepts every line of it, and another run changes only its own section.
        devices = self.good("devices", "-v", env=self.environment)
        self.assertNotIn(self.file, devices.err)
        values = [line.split(" = ")[0] for line in first.splitlines() if "." in line.split(" = ")[0]
                  and not line.startswith("#")]
        for key in values:
            self.assertRegex(devices.out, rf"\n +{key} +file ")
        self.write("tune", OTHER + first)
        self.run_short()
        self.assertTrue(self.content().startswith(OTHER))
        self.assertEqual(self.content().count("[device]"), 2)

    @long
    def test_default_place(self):
        self.environment.pop("MOTE_TUNE_FILE")
        self.environment["XDG_CONFIG_HOME"] = self.path("config")
        self.run_short()
        self.assertEqual(os.listdir(self.path("config/mote")), ["tune"])

    def test_refused(self):
        environment = self.environment
        self.bad(1, "MOTE_TUNE is set", "tune", env={**environment, "MOTE_TUNE": "pixels.tile=64"})
        self.bad(1, "name one with -o", "tune", env={**environment, "MOTE_TUNE_FILE": ""})
        self.bad(1, "--seconds", "tune", "--seconds", 0, env=environment)
        self.bad(1, "times its calls itself", "tune", "--profile", env=environment)
        self.bad(1, "unexpected argument", "tune", "x", env=environment)
        self.bad(4, "nowhere", "tune", "-o", self.path("nowhere/tune"), env=environment)
        self.write("tune", "my notes\n")
        self.bad(2, "it is no tune file", "tune", env=environment)
        self.assertEqual(self.content(), "my notes\n")
        # Lines before all sections would be ignored by the library.
        self.write("tune", "my notes\n" + OTHER)
        self.bad(2, "it is no tune file", "tune", env=environment)
        self.write("tune", "# x\n" * 16000)
        self.bad(2, ["64 KiB", "too long"], "tune", env=environment)
        self.bad(2, "it is no regular file", "tune", "-o", self.folder, env=environment)
        os.mkfifo(self.path("pipe"))
        self.bad(2, "it is no regular file", "tune", "-o", self.path("pipe"), env=environment)
        for path in ["-", "/dev/stdout", "/dev/null"]:
            self.bad(1, "must be a regular file", "tune", "-o", path, env=environment)
        self.bad(1, "is not packed", "tune", "-o", self.path("tune.gz"), env=environment)

    def test_help(self):
        text = self.good("tune", "--help").out
        self.assertEqual(text.count("--output"), 1)
        self.assertNotIn("stdout", text)

    def said(self, words, **environment):
        """Returns the warnings at the opening of the device."""
        result = self.good("devices", *words, env={**self.environment, **environment})
        return result.out, [line for line in result.err.splitlines() if "warn" in line]

    @long
    def test_told_once(self):
        self.write("tune", OTHER + "colour = red\n")
        devices = json.loads(self.said(["--json"], POCL_DEVICES="basic basic")[0])
        self.assertGreater(len(devices), 1)
        for words in [["-v"], ["-v", "-d", devices[0]["spec"]]]:
            warnings = self.said(words, POCL_DEVICES="basic basic", MOTE_TUNE="pixels.tile=x")[1]
            self.assertEqual(len(warnings), 2, warnings)
            self.assertIn("tune, line 6: expected name", warnings[0])
            self.assertIn('MOTE_TUNE: "pixels.tile=x"', warnings[1])
        with subprocess.Popen([MOTE, "tune", "--seconds", "600"], env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              preexec_fn=default_signals) as process:
            for _ in range(3):
                process.stdout.readline()
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=60)[1].decode()
        self.assertEqual(said.count("line 6"), 1, said)

    @long
    def test_wrong_kinds(self):
        """Calls use the values that devices -v shows."""
        self.write("tune", "")
        for value in ["pixels.cpu_tile=gpu", "pixels.form=64"]:
            key = value.split("=")[0]
            usual = self.said(["-v"], MOTE_TUNE="")[0]
            shown, warnings = self.said(["-v"], MOTE_TUNE=value)
            self.assertEqual(shown, usual)
            self.assertIn(f'"{value}" is ignored', warnings[0])
            self.assertRegex(shown, rf"\n +{key} ")

    def test_interrupted(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            self.write("tune", OTHER)
            with subprocess.Popen([MOTE, "tune", "--seconds", "600"], env=self.environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  preexec_fn=default_signals) as process:
                # The first line appears when measuring begins, with the new file beside the old one.
                process.stdout.readline()
                self.assertEqual(len(self.files()), 2)
                time.sleep(0.2)
                process.send_signal(number)
                process.communicate(timeout=60)
            self.assertEqual(process.returncode, -number)
            self.assertEqual(self.content(), OTHER)
            self.assertEqual(self.files(), ["tune"])

    @long
    def test_changed_meanwhile(self):
        process = subprocess.Popen([MOTE, "tune", "--seconds", "1"], env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.stdout.readline()
        self.write("tune", OTHER)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0)
        self.assertTrue(self.content().startswith(OTHER + "[device]"))

    @long
    def test_two_at_once(self):
        """Tests two devices, each of which keeps the values of the other."""
        environment = {**self.environment, "POCL_DEVICES": "basic pthread"}
        runs = [subprocess.Popen([MOTE, "tune", "-d", f"pocl:{index}", "--seconds", "1", "-o", self.file],
                                 env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                for index in range(2)]
        for run in runs:
            said = run.communicate(timeout=300)[1]
            self.assertEqual(run.returncode, 0, said)
        self.assertEqual(self.content().count("[device]\n"), 2)
        self.assertEqual(self.files(), ["tune"])
        shown = self.good("devices", "-v", env=environment)
        self.assertNotIn(self.file, shown.err)

    @long
    def test_waits_for_another(self):
        """The process that has the lock may read the file, and replace it."""
        folder = os.open(self.folder, os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
        with subprocess.Popen([MOTE, "tune", "--seconds", "1"], env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            while not process.stdout.readline().startswith(b"coordination, all pairs"):
                self.assertIsNone(process.poll())
            time.sleep(0.5)
            self.write("tune", OTHER)
            os.close(folder)
            process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertTrue(self.content().startswith(OTHER + "[device]"))

    @long
    def test_locked(self):
        """Without the lock nothing is written, because another run's values would be lost."""
        self.write("tune", OTHER)
        folder = os.open(self.folder, os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
        self.bad(4, "tune: not written: another program has kept its folder locked for ten seconds",
                 "tune", "--seconds", 1, env=self.environment)
        os.close(folder)
        self.assertEqual(self.content(), OTHER)
        self.assertEqual(self.files(), ["tune"])

    @long
    def test_results_are_the_same(self):
        """Values from a file change no label."""
        self.good("generate", "events", "--events", 3, "-q", "-o", self.path("e.csv"), env=self.environment)
        self.run_short()
        with open(self.file, "a", encoding="utf-8") as file:
            file.write("pixels.cpu_tile = 64\n")
        for name, path in [("a.csv", self.file), ("b.csv", "")]:
            self.good("clusters", self.path("e.csv"), "-q", "-o", self.path(name),
                      env={**self.environment, "MOTE_TUNE_FILE": path})
        with open(self.path("a.csv"), "rb") as one, open(self.path("b.csv"), "rb") as other:
            self.assertEqual(one.read(), other.read())


if __name__ == "__main__":
    main()
