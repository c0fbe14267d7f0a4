# SPDX-License-Identifier: Apache-2.0
"""Tests wrong usage, help, version, and manual page."""
import os
import re
import subprocess
import unittest

from driver import MOTE, Case, main, mote

COMMANDS = ["devices", "selftest", "generate", "clusters", "coordination", "neighbours", "rdf", "merge", "parents", "local-index",
            "counts", "offsets", "reduce", "scan", "sort", "topk", "filter", "nonzero", "slice", "pad", "quantile",
            "median", "run-lengths", "unique", "gather", "pairs", "combinations", "product", "histogram", "bench", "tune", "prepare", "cache", "version"]
HERE = os.path.dirname(os.path.abspath(__file__))
MANUAL = os.path.join(HERE, "..", "..", "tool", "man", "mote.1")


class Usage(Case):
    def test_nothing(self):
        self.bad(1, ["usage: mote [OPTION]... COMMAND", *COMMANDS])

    def test_general_help(self):
        out = self.good("--help").out
        for command in COMMANDS:
            self.assertRegex(out, rf"\n  {command} +\w")
        self.assertEqual(self.good("-h").out, out)

    def test_version(self):
        out = self.good("--version").out
        self.assertRegex(out, r"^mote \d+\.\d+\.\d+\n$")
        for command in COMMANDS:
            self.assertEqual(self.good(command, "--version").out, out)

    def test_unknown_command(self):
        self.bad(1, ["unknown command 'cluster'", "did you mean 'clusters'"], "cluster")
        self.bad(1, ["unknown command 'devcies'", "did you mean 'devices'"], "devcies")
        self.bad(1, ["unknown command 'later'", *COMMANDS], "later")
        self.bad(1, "unknown option --bogus", "--bogus")

    def test_options_before_the_command(self):
        for words in [["--device", "nothing"], ["--device=nothing"], ["-d", "nothing"], ["-dnothing"],
                      ["-q", "-d", "nothing"]]:
            self.bad(3, "mote devices: no device matches \"nothing\"", *words, "devices")
        self.bad(1, "unknown option --treshold", "-q", "--timing", "clusters", "--treshold", "3")
        self.bad(1, "unknown option --threshold before the command", "--threshold", "3", "clusters", "x.csv")
        self.bad(1, "no command behind -q", "-q")
        self.bad(1, "no command behind --device", "--device")
        self.assertEqual(self.good("-q", "help", "sort").out, self.good("sort", "--help").out)
        self.assertEqual(self.good("-v", "--help").out, self.good("--help").out)

    def test_foreign_files(self):
        """Files of other programs are rejected by their names, with a remedy."""
        guide = "(docs/python.md, Files of other programs)"
        with open(os.path.join(HERE, "../../docs/python.md"), encoding="utf-8") as file:
            self.assertIn("\n## Files of other programs\n", file.read())
        for words, name, *command in [
                ("ROOT files are not read; write the digis as CSV", "a.root", "clusters"),
                ("Parquet files are not read; write the digis as CSV", "A.Parquet", "clusters"),
                ("HDF5 files are not read; write its arrays as NPY", "a.h5", "reduce"),
                ("NetCDF files are not read; convert it to XTC or XYZ", "a.nc.gz", "coordination", "--r0", "1")]:
            self.bad(2, f"{name}: {words}", *command, name)
            self.bad(2, guide, *command, name)

    def test_unknown_option(self):
        self.bad(1, ["unknown option --treshold", "did you mean --threshold"],
                 "clusters", "--treshold", "3", "x.csv")
        self.bad(1, "unknown option --zzzzzzz", "clusters", "--zzzzzzz=4")
        self.bad(1, "unknown option -z", "clusters", "-z")
        self.bad(1, "is ambiguous", "clusters", "--c", "8", "x.csv")
        self.bad(1, "--timing takes no value", "devices", "--timing=3")

    def test_missing_value(self):
        self.bad(1, "--threshold needs a value", "clusters", "--threshold")
        self.bad(1, "-o needs a value", "clusters", "-o")

    def test_wrong_numbers(self):
        wrong = {"--threshold": ["abc", "-1", "1e99", "", "nan", "5000000000", "0x10", "0x1p3"],
                 "--size": ["10", "10x", "0x5", "70000x5", "10x10x10", "axb", "-1x4"],
                 "--charge-cut": ["x", "1,", ",1", "1,x", "-3"],
                 "--inner-modules": ["0", "-1", "1.5"],
                 "--connectivity": ["6", "four"],
                 "--duplicates": ["keep", ""],
                 "--strategy": ["search", "union-find"],
                 "--adc-scale": ["0", "-2", "inf", "two"],
                 "--invalid-module": ["-1", "x", "99999999999999999999"],
                 "--event": ["-1", "x"], "--module": ["1.5"]}
        for option, values in wrong.items():
            for value in values:
                self.bad(1, option, "clusters", option, value, "x.csv")
        for option in ["--events", "--seed"]:
            for value in ["x", "-1", "1.5", ""]:
                self.bad(1, option, "generate", "events", option, value)
        self.bad(1, "--events", "generate", "events", "--events", "0")
        for value in ["phase3", "0x4", "10", "4x70000"]:
            self.bad(1, "--topology", "generate", "events", "--topology", value)

    def test_options_that_need_each_other(self):
        self.bad(1, "needs --inner-modules", "clusters", "--charge-cut", "1,2", "x.csv")
        self.bad(1, "needs --charge-cut", "clusters", "--inner-modules", "5", "x.csv")
        self.bad(1, "--svg", "clusters", "--module", "5", "x.csv")
        self.bad(1, "--svg-event", "clusters", "--event", "5", "x.csv")

    def test_pictures_are_svg(self):
        for command in [["clusters", "x.csv", "--svg"], ["clusters", "x.csv", "--svg-event"],
                        ["coordination", "x.xyz", "--svg"], ["bench", "--svg"]]:
            for name in ["m.png", "M.PNG", "m.Jpg"]:
                self.bad(1, [command[-1], name, "end in .svg"], *command, name)
            self.bad(1, "end in .svg", *command, "m.pdf")
        self.bad(1, "only once", "clusters", "-", "-")

    def test_operands(self):
        self.bad(1, "no input", "clusters")
        self.bad(1, "unexpected argument 'x'", "devices", "x")
        self.bad(1, "unexpected argument 'x'", "selftest", "x")
        self.bad(1, "generate events", "generate")
        self.bad(1, ["cannot generate 'atom'", "did you mean 'atoms'?"], "generate", "atom")
        self.bad(1, "unexpected argument 'x'", "generate", "events", "x")
        self.bad(1, "expected pixels, jagged, reduce, histogram or coordination", "bench", "atoms")

    def test_no_device(self):
        self.bad(3, ["no such device", "or one of:\n      " + mote("devices").out.split()[0] + "  "], "devices", "-d",
                 "no such device")
        path = self.write("a.csv", "module_id,x,y,adc\n1,2,3,4\n")
        result = self.bad(3, "nothing-like-it", "clusters", "-d", "nothing-like-it", path)
        self.assertEqual(result.out, "")
        environment = {**os.environ, "MOTE_DEVICE": "nothing-like-it"}
        self.bad(3, "nothing-like-it", "clusters", path, env=environment)
        self.bad(3, "nothing-like-it", "selftest", "-d", "nothing-like-it")


class Escapes(Case):
    """Control characters in names of files and options do not reach a terminal."""
    HOSTILE = b"\x1b]0;t\x07\x1b[2J\r\n\xc2\x9bm\x9b\xff\xf8\x90\x80\x80\xe2\x80\xae\x7f" + "äß日本🙂".encode()
    SHOWN = "\\x1b]0;t\\a\\x1b[2J\\r\\n\\xc2\\x9bm\\x9b\\xff\\xf8\\x90\\x80\\x80\\xe2\\x80\\xae\\x7fäß日本🙂"

    def check(self, *words, **options):
        """Returns whether a message shows the hostile text; none shows it as it is."""
        done = subprocess.run([MOTE, *words], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=60, check=False, **options)
        text = done.stderr.decode("utf-8")  # fails if a character was truncated
        self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e]", words)
        for line in text.splitlines():
            self.assertRegex(line, r"^(mote|    )", words)
        return self.SHOWN in text

    def test_every_word(self):
        self.assertTrue(self.check(self.HOSTILE))
        for command in COMMANDS:
            shown = self.check(command, self.HOSTILE)
            options = re.findall(r"^ .{5}--([a-z0-9-]+) \S", self.good(command, "--help").out, re.M)
            options += ["output", "trace"]
            self.check(command, b"--" + self.HOSTILE)
            self.check(command, b"-" + self.HOSTILE)
            for option in options:
                words = [f"--{option}".encode(), self.HOSTILE, self.HOSTILE]
                shown = self.check(command, "--device", self.HOSTILE, *words) or shown
            self.assertTrue(shown, command)

    def test_messages_of_the_library(self):
        tune = {**os.environ, "MOTE_TUNE": "a\x1bb=1"}
        done = subprocess.run([MOTE, "devices", "-v", "--json"], env=tune, capture_output=True, check=True)
        self.assertNotIn(b"\x1b", done.stderr)
        self.assertIn(b"a\\x1bb", done.stderr)


class Readme(Case):
    def test_console(self):
        """The commands of the README print what it shows; only the digits of the last number may differ."""
        with open(os.path.join(HERE, "..", "..", "README.md"), encoding="utf-8") as file:
            shown = file.read().split("```console\n")[1].split("```")[0].splitlines()
        script = "\n".join(line[2:] for line in shown if line.startswith("$ "))
        path = f"{os.path.dirname(MOTE)}:{os.environ['PATH']}"
        done = subprocess.run(["sh", "-euc", script], cwd=self.folder, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "PATH": path})
        self.assertEqual(done.returncode, 0, done.stderr)
        lines, wanted = done.stdout.splitlines(), [line for line in shown if not line.startswith("$ ")]
        self.assertEqual(lines[:-1], wanted[:-1])
        self.assertAlmostEqual(float(lines[-1].split()[1]), float(wanted[-1].split()[1]), delta=1e-9)


class Manual(unittest.TestCase):
    def test_options_agree_with_help(self):
        with open(MANUAL, encoding="utf-8") as file:
            manual = file.read().replace("\\-", "-")
        named = set(re.findall(r"--([a-z][a-z0-9-]+)", manual))
        offered = set(re.findall(r"^ .{5}--([a-z0-9-]+)", mote("--help").out, re.M))
        for command in COMMANDS:
            text = mote(command, "--help")
            self.assertEqual(text.code, 0)
            self.assertIn(f"usage: mote {command} ", text.out)
            offered |= set(re.findall(r"^ .{5}--([a-z0-9-]+)", text.out, re.M))
            self.assertRegex(manual, rf"\.SS mote {command}\b")
        self.assertEqual(named, offered)

    def test_help_fits_a_terminal(self):
        for command in COMMANDS:
            for line in mote(command, "--help").out.splitlines():
                self.assertLessEqual(len(line), 96, line)

    def test_help_ends_with_examples(self):
        common = {"output", "device"}
        for command in COMMANDS:
            text, lines = mote(command, "--help").out.split("\nExamples:\n")
            self.assertRegex(text, r"\nCommon options \(see mote --help\): .*-q, -v, --timing, --profile, --trace FILE\n$")
            self.assertEqual(len(lines.splitlines()), 2, lines)
            for line in lines.splitlines():
                self.assertRegex(line, rf"^  .*mote {command}\b")
            used = set(re.findall(r" --([a-z0-9-]+)", lines)) - common
            self.assertLessEqual(used, set(re.findall(r"--([a-z0-9-]+)", text + mote("reduce", "--help").out)))


if __name__ == "__main__":
    main()
