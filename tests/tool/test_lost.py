# SPDX-License-Identifier: Apache-2.0
"""Every command fails if a result cannot be written, whatever the kind of output."""
import os
import re
import subprocess

from driver import MOTE, Case, long, main
from npy import make

SLOW = {"selftest", "bench", "tune"}


class Lost(Case):
    def setUp(self):
        super().setUp()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, "/")
        self.write("d.csv", "module_id,x,y,adc\n1,2,3,4\n")
        self.write("h.csv", "x,y,t\n1,2,3\n")
        self.write("a.xyz", "2\n9 9 9\nX 1 2 3\nX 2 2 3\n")
        self.write("o.npy", make("int64", [0, 1, 3]))
        self.write("v.npy", make("float32", [1.0, 2.0, 3.0]))
        # These types are those whose programs other tests build.
        self.write("i.npy", make("int32", [0, 1, 3]))
        self.write("w.npy", make("int32", [1, 0, 3]))
        self.write("l.npy", make("float32", [1.0, 2.0]))
        self.write("c.npy", make("int64", [1, 2]))
        self.good("coordination", "a.xyz", "--r0", 1, "--part", "1/1", "-o", "cv")

    def commands(self):
        """Returns for each command all calls that write results to standard output."""
        others = self.others()
        return {name: [self.usual(name)] for name in self.names() - set(others)} | others

    def usual(self, name):
        """Returns the call of a command that its help describes, if it needs nothing but arrays."""
        usage = self.good("help", name).out.splitlines()[0].split()
        return [name, *("i.npy" if word.startswith("OFFSETS") else "v.npy" for word in usage
                        if re.fullmatch(r"(OFFSETS|VALUES)(_\w+)?\.npy", word))]

    def others(self):
        """Returns the calls of the commands that need options, files of other formats, or arrays of other types."""
        atoms = ["coordination", "a.xyz", "--r0", "1"]
        return {
            "devices": [["devices"], ["devices", "-v"], ["devices", "--json"]],
            "selftest": [["selftest", "--time", "1"]],
            "generate": [["generate", what] for what in ["events", "atoms", "jagged", "hits"]] +
                        [["generate", "jagged", "-o", "g.npy", "--values", "-"]],
            "clusters": [["clusters", "d.csv"]] + [["clusters", "d.csv", option, "-"] for option in
                                                   ["-o", "--labels", "--svg", "--svg-event"]] +
                        [["clusters", "h.csv", "--time-window", "5"]],
            "coordination": [atoms] + [[*atoms, "-o", "cv2", option, "-"] for option in
                                       ["--derivatives", "--per-atom", "--svg"]],
            "neighbours": [["neighbours", "a.xyz", "--cutoff", "2"]],
            "rdf": [["rdf", "a.xyz", "--rmax", "2"]],
            "merge": [["merge", *[name for name in self.files() if name.startswith("cv.")]]],
            "parents": [["parents", "o.npy"]],
            "local-index": [["local-index", "o.npy"]],
            "counts": [["counts", "o.npy"]],
            "offsets": [["offsets", "--from-counts", "c.npy"]],
            "reduce": [["reduce", "o.npy", "v.npy"], ["reduce", "o.npy", "v.npy", "-o", "-"],
                       ["reduce", "o.npy", "v.npy", "-o", "/dev/fd/1"], ["reduce", "v.npy"]],
            "sort": [["sort", "i.npy", "w.npy"]],
            "filter": [["filter", "i.npy", "w.npy", "w.npy"],
                       ["filter", "i.npy", "w.npy", "w.npy", "-o", "f.npy", "--offsets", "-"]],
            "topk": [["topk", "-k", "1", "i.npy", "v.npy"]],
            "pad": [["pad", "-k", "1", "i.npy", "v.npy"]],
            "run-lengths": [["run-lengths", "i.npy", "v.npy", "-o", "f.npy", "--lengths", "-"]],
            "gather": [["gather", "i.npy", "l.npy"]],
            "bench": [["bench", "reduce", "--quick"], ["bench", "reduce", "--quick", "-o", "/dev/null",
                                                       "--json", "-"]],
            "tune": [["tune", "--seconds", "1", "-o", "t"]],
            "prepare": [["prepare", "reduce"]],
            "cache": [["cache"]],
            "version": [["version"], ["version", "-v"], ["--version"]],
            "help": [["--help"], ["help"], ["help", "reduce"]],
            "completion": [["completion", "bash"], ["completion", "zsh"]],
        }

    def names(self):
        """Returns all commands: those in the help and those that it omits."""
        lines = self.good("--help").out.split("Commands:\n")[1].split("\n\n")[0].splitlines()
        return {line.split()[0] for line in lines} | {"help", "completion"}

    def each(self, slow, most):
        """Yields the calls of slow or other commands, at most `most` for each command."""
        for name, commands in self.commands().items():
            if (name in SLOW) == slow:
                yield from commands[:most]

    def check(self, slow, most=None):
        """A run fails with a message if its output is closed or full, but not if the reader has left."""
        kept = {"MOTE_CACHE": "on", "MOTE_CACHE_DIR": self.folder}
        for command in self.each(slow, most):
            env = {**os.environ, **(kept if command[0] in ("cache", "prepare") else {})}
            with open("/dev/full", "wb") as full:
                ways = [("it is closed", {"preexec_fn": lambda: os.close(1)}),
                        ("(No space left on device|Input/output error)", {"stdout": full})]
                for reason, how in ways:
                    done = subprocess.run([MOTE, *command], stderr=subprocess.PIPE, timeout=300, env=env,
                                          **how)
                    self.assertEqual(done.returncode, 4, (command, done.stderr))
                    self.assertRegex(done.stderr.decode(), rf"(standard output|/dev/\S+): cannot be "
                                                           rf"written: {reason}\n\Z", command)
            read, write = os.pipe()
            os.close(read)
            done = subprocess.run([MOTE, *command], stdout=write, stderr=subprocess.PIPE, timeout=300, env=env)
            os.close(write)
            self.assertEqual(done.returncode, 0, (command, done.stderr))
            self.assertNotIn(b"standard output", done.stderr, command)

    def test_commands_are_here(self):
        self.assertLessEqual(set(self.others()), self.names())

    def test_quick_commands(self):
        self.check(False, 1)

    @long
    def test_outputs_of_quick_commands(self):
        self.check(False)

    @long
    def test_slow_commands(self):
        self.check(True)

    @long
    def test_stderr_holds_results_too(self):
        """A lost note on standard error is not a failure, but a lost result is."""
        for option, code in [(None, 0), ("--timing", 4), ("--profile", 4)]:
            command = [MOTE, "reduce", "v.npy", *([option] if option else [])]
            with open("/dev/full", "wb") as full:
                for how in [{"preexec_fn": lambda: os.close(2)}, {"stderr": full}]:
                    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=300, **how)
                    self.assertEqual((done.returncode, done.stdout), (code, b"6\n"), (option, how))


if __name__ == "__main__":
    main()
