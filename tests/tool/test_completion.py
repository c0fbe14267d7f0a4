# SPDX-License-Identifier: Apache-2.0
"""Tests completion in bash, zsh and fish, and the commands that describe the installation."""
import os
import shutil
import signal
import subprocess

from driver import MOTE, Case, default_signals, main, mote, needs_pocl, wait_until

TRIAL = """source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_mote mote "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


class Bash(Case):
    def setUp(self):
        super().setUp()
        if not shutil.which("bash"):
            self.skipTest("bash is not installed")
        self.script = self.write("mote.bash", self.good("completion", "bash").out)
        self.write("a file.csv", "")

    def complete(self, *words):
        path = os.path.dirname(os.path.abspath(MOTE)) + ":" + os.environ["PATH"]
        done = subprocess.run(["bash", "--norc", "-euo", "pipefail", "-c", TRIAL, "bash", self.script, "mote",
                               *words], stdout=subprocess.PIPE, check=True, timeout=60, cwd=self.folder,
                              env={**os.environ, "PATH": path})
        return done.stdout.decode().split("\n")[:-1]

    def test_commands(self):
        self.assertEqual(self.complete("cl"), ["clusters"])
        self.assertEqual(self.complete("help", "co"), ["coordination", "counts", "combinations"])
        self.assertIn("--version", self.complete("--"))
        named = {line.split()[0] for line in mote("--help").out.splitlines() if line[:2] == "  " and line[2].isalpha()}
        self.assertEqual(set(self.complete("")), named | {"help"})

    def test_before_the_command(self):
        self.assertEqual(self.complete("-q", "-d", "gpu"), ["gpu", "gpu:*"])
        self.assertEqual(self.complete("--device", "=", "gpu"), ["gpu", "gpu:*"])
        self.assertEqual(self.complete("--out"), ["--output"])
        self.assertEqual(self.complete("-q", "-d", "gpu", "so"), ["sort"])
        self.assertEqual(self.complete("-o", "sort", "sca"), ["scan"])
        self.assertEqual(self.complete("-q", "scan", "--op", "="), ["sum", "prod", "min", "max"])

    def test_options(self):
        for command in ["clusters", "coordination", "reduce", "bench"]:
            text = mote(command, "--help").out + mote("--help").out
            told = {line.split("--")[1].split()[0] for line in text.splitlines()
                    if line.startswith("  ") and "--" in line[:8]}
            self.assertEqual({word[2:] for word in self.complete(command, "-")}, told)

    def test_values(self):
        self.assertEqual(self.complete("clusters", "--connectivity", ""), ["8", "4"])
        self.assertEqual(self.complete("scan", "--op", "m"), ["min", "max"])
        self.assertEqual(self.complete("generate", "ev"), ["events"])
        self.assertEqual(self.complete("clusters", "--threshold", ""), [""])
        self.assertEqual(self.complete("reduce", "--op", "arg"), ["argmin", "argmax"])
        self.assertEqual(self.complete("generate", "--topology", ""), ["phase1", "phase2", "heavy-ion"])
        self.assertEqual(self.complete("coordination", "--length-unit", ""), ["nm", "A"])
        self.assertEqual(self.complete("bench", ""), ["pixels", "jagged", "reduce", "histogram", "coordination"])
        self.assertEqual(self.complete("cache", "z"), [""])
        self.assertEqual(self.complete("clusters", "-o", "a"), ["a file.csv"])
        self.assertEqual(self.complete("clusters", "a"), ["a file.csv"])
        self.assertEqual(self.complete("reduce", "-d", "gpu"), ["gpu", "gpu:*"])
        device = mote("devices").out.split()[0]
        self.assertIn(device, self.complete("reduce", "-d", ""))

    def test_files(self):
        """Only folders and files that a command reads are offered, or all files if there are none."""
        os.mkdir(self.path("folder"))
        for name in ["v.npy", "x.NPY", "run.xtc", "run.gro.gz", "notes.md"]:
            self.write(name, "")
        self.assertEqual(sorted(self.complete("coordination", "")), ["folder", "run.gro.gz", "run.xtc"])
        self.assertEqual(sorted(self.complete("counts", "")), ["a file.csv", "folder", "v.npy", "x.NPY"])
        self.assertEqual(self.complete("counts", "--starts", "v"), ["v.npy"])
        self.assertEqual(self.complete("clusters", "n"), ["notes.md"])
        self.assertEqual(self.complete("merge", "n"), ["notes.md"])

    def test_zsh(self):
        script = self.good("completion", "zsh").out
        self.assertTrue(script.startswith("#compdef mote\n"))
        self.assertTrue(script.endswith("else\n    compdef _mote mote\nfi\n"))
        self.assertIn("report the library'\\''s decisions on stderr]", script)
        if shutil.which("zsh"):
            file = self.write("_mote", script)
            subprocess.run(["zsh", "-n", file], check=True, timeout=60)
            told = subprocess.run(["zsh", "-f", "-c", f"compdef() {{ print $@ }}; source {file}"],
                                  stdout=subprocess.PIPE, check=True, timeout=60)
            self.assertEqual(told.stdout, b"_mote mote\n")
        for words in ["'--op[operation\\: one of the words above (default\\: sum)]:op:(sum prod ",
                      "'1:what:(pixels jagged ", "'(-): :_mote_commands'",
                      "'*:file:_files -g \"*.(#i)(csv|tsv|txt|bin|t3pa|tpx3)(|.gz|.bz2|.xz)(-.)\"'"]:
            self.assertIn(words, script)

    def test_fish(self):
        script = self.good("completion", "fish").out
        for words in ["-n '__mote_is reduce' -l op -d 'operation: one of the words above (default: sum)' -x -a 'sum ",
                      "-n '__mote_is \"\"' -s d -l device ", "-n '__mote_is bench' -a 'pixels jagged ",
                      "-n '__mote_is coordination' -a '(__mote_files xyz "]:
            self.assertIn("complete -c mote " + words, script)
        if not shutil.which("fish"):
            self.skipTest("fish is not installed")
        self.write("v.npy", "")
        self.write("w.txt", "")
        file = self.write("mote.fish", script)
        for line, expected in [("-q -o sort sca", ["scan"]), ("reduce --op arg", ["argmax", "argmin"]),
                               ("counts ", ["a file.csv", "v.npy"]), ("clusters ", ["a file.csv", "w.txt"]), ("--device=gp", ["--device=gpu",
                                                                                                 "--device=gpu:*"])]:
            done = subprocess.run(["fish", "--no-config", "-c", f"source {file}; complete -C 'mote {line}'"],
                                  stdout=subprocess.PIPE, check=True, timeout=60, cwd=self.folder,
                                  env={**os.environ, "HOME": self.folder})
            self.assertEqual([word.split("\t")[0] for word in done.stdout.decode().splitlines()], expected)

    def test_refused(self):
        for words in [[], ["csh"], ["bash", "zsh"]]:
            self.bad(1, "expected bash, zsh or fish", "completion", *words)


class Installation(Case):
    def test_help(self):
        self.assertEqual(self.good("help").out, self.good("--help").out)
        self.assertEqual(self.good("help", "reduce").out, self.good("reduce", "--help").out)
        self.assertEqual(self.good("help", "completion").out, self.good("completion", "--help").out)
        self.bad(1, ["unknown command 'reduse'", "did you mean 'reduce'?"], "help", "reduse")
        self.bad(1, "help takes one command", "help", "reduce", "bench")

    def test_version(self):
        short = self.good("version").out
        self.assertRegex(short, r"^mote \d+\.\d+\.\d+\n$")
        self.assertEqual(self.good("--version").out, short)
        cached = {**os.environ, "MOTE_CACHE": "on", "MOTE_CACHE_DIR": self.folder}
        said = self.good("version", "--verbose", env=cached).out
        self.assertTrue(said.startswith(short))
        for words in ["device pocl:0: ", "driver ", f"cache: {self.folder}, 0 programs"]:
            self.assertIn(words, said)
        self.bad(1, "unexpected argument", "version", "x")

    def test_cache(self):
        environment = {**os.environ, "MOTE_CACHE_DIR": self.path("kept"), "MOTE_CACHE": "on"}
        self.assertIn("kept: 0 programs", self.good("cache", env=environment).out)
        values = self.path("v.npy")
        self.good("generate", "jagged", "-q", "-o", values)
        self.good("reduce", "-q", values, env=environment)
        foreign = [".new-1-2", ".new-house", "0123456789abcdef" * 2 + ".program", "mine", "thesis.program"]
        for name in foreign:
            self.write("kept/" + name, "not a program of mote")
        self.write("kept/.new-3-4", "MOTEP")
        told = self.good("cache", env=environment).out
        self.assertRegex(told, r"kept: [1-9]\d* programs?, ")
        self.assertIn(" removed", self.good("cache", "--clear", env=environment).out)
        self.assertEqual(sorted(os.listdir(self.path("kept"))), foreign)
        self.bad(1, "are not kept: MOTE_CACHE is off", "cache", env={**environment, "MOTE_CACHE": "off"})
        self.bad(4, "cannot be read", "cache", env={**environment, "MOTE_CACHE_DIR": values})

    def test_prepare(self):
        os.mkdir(self.path("tmp"))
        environment = {**os.environ, "MOTE_CACHE_DIR": self.path("kept"), "MOTE_CACHE": "on",
                       "TMPDIR": self.path("tmp")}
        told = self.good("prepare", "reduce", "-v", env=environment)
        self.assertRegex(told.out, r"^5 commands in \S+ s; \S+kept: [1-9]\d* programs?\n$")
        self.assertIn(" s: mote histogram values.npy -o out.csv\n", told.err)
        self.assertEqual(os.listdir(self.path("tmp")), [])
        kept = sorted(os.listdir(self.path("kept")))
        values = self.path("v.npy")
        self.good("generate", "jagged", "-q", "-o", self.path("o.npy"), "--values", values, "--lists", 9000)
        self.good("histogram", values, env=environment)
        self.assertEqual(sorted(os.listdir(self.path("kept"))), kept)
        self.bad(1, "unknown area 'pixel': expected pixels,", "prepare", "pixel", env=environment)
        self.bad(1, "are not kept: MOTE_CACHE is off", "prepare", env={**environment, "MOTE_CACHE": "off"})
        self.bad(3, "mote reduce: ", "prepare", "reduce", "-d", "none:0", env=environment)
        self.bad(4, "/none/mote-prepare-", "prepare", "reduce",
                 env={**environment, "TMPDIR": self.path("none")})

    def test_prepare_interrupted(self):
        for name in ("tmp", "pocl"):
            os.mkdir(self.path(name))
        run = subprocess.Popen([MOTE, "prepare", "pixels"], stderr=subprocess.PIPE, preexec_fn=default_signals,
                               env={**os.environ, "MOTE_CACHE_DIR": self.path("kept"), "MOTE_CACHE": "on",
                                    "POCL_CACHE_DIR": self.path("pocl"), "TMPDIR": self.path("tmp")})
        wait_until(lambda: os.listdir(self.path("tmp")))
        run.send_signal(signal.SIGTERM)  # not to the process that builds kernels
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, -signal.SIGTERM)
        self.assertEqual(os.listdir(self.path("tmp")), [])

    @needs_pocl
    def test_default_device(self):
        env = {**os.environ, "POCL_DEVICES": "basic basic", "MOTE_DEVICE": "pocl:1"}
        lines = self.good("devices", env=env).out.splitlines()
        self.assertEqual([line.endswith("; default") for line in lines], [False, True])

    def test_sentences(self):
        """A message names no function of the library, unless -v asks for details."""
        quiet = self.bad(3, 'no device matches "nothing"', "devices", "-d", "nothing")
        self.assertNotIn("mote_context_open", quiet.err)
        self.bad(3, "mote_context_open: no device matches", "devices", "-d", "nothing", "-v")


main()
