# SPDX-License-Identifier: Apache-2.0
"""Tests where results are written, and what happens if that is impossible."""
import contextlib
import gzip
import os
import stat
import subprocess
import threading
import time

from driver import (CLUSTER_HEADER, ENDING, MOTE, TIME, Case, default_signals, long, main, mote, needs_zlib,
                    read_terminal, rows, wait_until, wait_until_read)

DIGIS = "module_id,x,y,adc\n" + "".join(f"1,{2 * (i % 100)},{2 * (i // 100)},5\n" for i in range(5000))


class Outputs(Case):
    @classmethod
    def setUpClass(cls):
        cls.expected = mote("clusters", "-", stdin=DIGIS).out

    def setUp(self):
        super().setUp()
        self.input = self.write("in.csv", DIGIS)

    def test_stdout_holds_results_only(self):
        result = self.good("clusters", self.input, "--timing", "-v")
        self.assertTrue(result.out.startswith(CLUSTER_HEADER + "\n"))
        self.assertEqual(len(result.out.splitlines()), 5001)
        self.assertEqual(self.good("clusters", self.input, "--labels", self.path("l.csv")).out, "")
        self.assertEqual(self.good("clusters", self.input, "--svg", self.path("s.svg")).out, "")

    def test_file(self):
        self.assertEqual(self.good("clusters", self.input, "-o", self.path("out.csv")).out, "")
        self.assertEqual(self.read("out.csv"), self.expected)
        self.assertEqual(self.files(), ["in.csv", "out.csv"])

    @needs_zlib
    def test_packed(self):
        """Tests names that end in .gz, for large and small outputs, regular and not."""
        self.good("clusters", self.input, "-o", self.path("out.csv.gz"), "--labels", self.path("l.gz"))
        self.good("clusters", self.input, "--labels", self.path("l"))
        with gzip.open(self.path("out.csv.gz"), "rt") as file:
            self.assertEqual(file.read(), self.expected)
        with gzip.open(self.path("l.gz"), "rt") as file:
            self.assertEqual(file.read(), self.read("l"))
        self.good("clusters", self.path("l.gz"), "--input-format", "csv", "-o", self.path("OUT.CSV.GZ"),
                  "--svg", self.path("P.SVG"))
        with gzip.open(self.path("OUT.CSV.GZ"), "rt") as file:
            packed = file.read()
        with open(self.path("IN.CSV.GZ"), "wb") as file:
            file.write(gzip.compress(self.read("l").encode()))
        self.assertEqual(self.good("clusters", self.path("IN.CSV.GZ")).out, packed)
        self.good("generate", "jagged", "-q", "--lists", 300000, "-o", self.path("o.npy"))
        for name in ["c.npy", "c.npy.gz"]:
            self.good("counts", "-q", self.path("o.npy"), "-o", self.path(name))
        with gzip.open(self.path("c.npy.gz")) as file, open(self.path("c.npy"), "rb") as plain:
            self.assertEqual(file.read(), plain.read())
        os.symlink("/dev/full", self.path("full.gz"))
        self.bad(4, "No space", "clusters", self.input, "-o", self.path("full.gz"))

    @long
    def test_mode(self):
        old = os.umask(0o027)
        self.addCleanup(os.umask, old)
        self.good("clusters", self.input, "-o", self.path("new.csv"))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("new.csv")).st_mode), 0o640)
        os.chmod(self.path("new.csv"), 0o604)
        self.good("clusters", self.input, "-o", self.path("new.csv"))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("new.csv")).st_mode), 0o604)

    def test_link_stays(self):
        self.write("real.csv", "old")
        os.symlink("real.csv", self.path("link.csv"))
        self.good("clusters", self.input, "-o", self.path("link.csv"))
        self.assertTrue(os.path.islink(self.path("link.csv")))
        self.assertEqual(self.read("real.csv"), self.expected)

    @long
    def test_link_to_nothing_yet(self):
        os.mkdir(self.path("sub"))
        os.symlink("sub/inner.csv", self.path("link.csv"))
        os.symlink("../real.csv", self.path("sub/inner.csv"))
        self.good("clusters", self.input, "-o", self.path("link.csv"))
        self.assertTrue(os.path.islink(self.path("link.csv")))
        self.assertEqual(self.read("real.csv"), self.expected)
        self.assertEqual(self.files(), ["in.csv", "link.csv", "real.csv", "sub"])
        os.symlink(self.path("far.csv"), self.path("link2.csv"))
        self.good("clusters", self.input, "-o", self.path("link2.csv"))
        self.assertEqual(self.read("far.csv"), self.expected)
        os.symlink("new.csv", self.path("link3.csv"))
        self.bad(1, "two outputs", "clusters", self.input, "-o", self.path("link3.csv"), "--labels",
                 self.path("new.csv"))
        os.symlink("loop.csv", self.path("loop.csv"))
        self.bad(4, ["loop.csv", "symbolic links"], "clusters", self.input, "-o", self.path("loop.csv"))
        self.assertTrue(os.path.islink(self.path("loop.csv")))

    def test_failed_run_keeps_old_files(self):
        bad = self.write("bad.csv", DIGIS + "1,2,3\n")
        names = ["out.csv", "labels.csv", "picture.svg"]
        for name in names:
            self.write(name, "old " + name)
        before = self.files()
        arguments = ["-o", self.path(names[0]), "--labels", self.path(names[1]), "--svg",
                     self.path(names[2])]
        self.bad(2, "bad.csv:5002:", "clusters", bad, *arguments)
        self.bad(2, "bad.csv:5002:", "clusters", self.input, bad, *arguments)
        self.bad(2, "module 77", "clusters", self.input, "--module", 77, *arguments)
        self.assertEqual(self.files(), before)
        for name in names:
            self.assertEqual(self.read(name), "old " + name)
        self.bad(2, "bad.csv", "clusters", bad, "-o", self.path("fresh.csv"))
        self.assertEqual(self.files(), before)

    def test_one_bad_output_spares_the_others(self):
        self.bad(4, "/dev/full", "clusters", self.input, "-o", self.path("out.csv"), "--labels",
                 "/dev/full")
        self.assertEqual(self.files(), ["in.csv"])

    def test_full_disk(self):
        for command in [("clusters", self.input), ("generate", "events"), ("devices",)]:
            self.bad(4, ["/dev/full", "No space"], *command, "-o", "/dev/full")
        with open("/dev/full", "wb") as full:
            for command in [("clusters", self.input), ("--help",), ("devices", "--version")]:
                done = subprocess.run([MOTE, *command], stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, 4, command)
                self.assertIn(b"standard output", done.stderr)

    def test_limited_size(self):
        self.write("out.csv", "old")
        done = subprocess.run(f'ulimit -f 8; exec "{MOTE}" generate events -o "{self.path("out.csv")}"',
                              shell=True, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"out.csv: cannot be written: File too large", done.stderr)
        self.assertEqual(self.read("out.csv"), "old")
        self.assertEqual(self.files(), ["in.csv", "out.csv"])

    def test_unwritable(self):
        self.bad(4, ["no/out.csv", "No such"], "clusters", self.input, "-o", self.path("no/out.csv"))
        self.bad(4, "irectory", "clusters", self.input, "-o", self.folder)
        self.bad(4, "cannot be written", "clusters", self.input, "-o", "")
        self.bad(4, "no/l.csv", "clusters", self.input, "--labels", self.path("no/l.csv"))
        if os.getuid() != 0:
            path = self.write("fixed.csv", "old")
            os.chmod(path, 0o444)
            self.bad(4, "fixed.csv", "clusters", self.input, "-o", path)
            self.assertEqual(self.read("fixed.csv"), "old")

    def test_same_file(self):
        os.symlink("in.csv", self.path("alias.csv"))
        os.link(self.input, self.path("hard.csv"))
        for name in ["in.csv", "./in.csv", "alias.csv", "hard.csv"]:
            self.bad(1, "is an input and an output", "clusters", self.input, "-o", self.path(name))
            self.bad(1, "is an input and an output", "clusters", self.input, "--labels",
                     self.path(name))
        self.bad(1, "two outputs", "clusters", self.input, "-o", self.path("x.csv"), "--labels",
                 self.path("./x.csv"))
        for name in ["in.csv", "alias.csv", "hard.csv"]:
            with open(self.input, "rb") as file:
                done = subprocess.run([MOTE, "clusters", "-", "-o", self.path(name)], stdin=file,
                                      stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"standard input is an input and an output", done.stderr)
        self.assertEqual(self.read("in.csv"), DIGIS)
        self.good("clusters", self.input, "-o", "/dev/null", "--labels", "/dev/null")

    def test_dev_stdout(self):
        result = self.good("clusters", self.input, "-o", "/dev/stdout")
        self.assertEqual(result.out, self.expected)
        with open(self.path("redirected"), "wb") as file:
            file.write(b"before\n")
            file.flush()
            subprocess.run([MOTE, "clusters", self.input, "-q", "-o", "/dev/stdout"], stdout=file,
                           check=True)
        self.assertEqual(self.read("redirected"), "before\n" + self.expected)

    @long
    def test_dash(self):
        os.chdir(self.folder)
        self.addCleanup(os.chdir, "/")
        for option in ["-o", "--labels", "--svg"]:
            self.assertEqual(self.good("clusters", self.input, option, "-").out,
                             self.good("clusters", self.input, option, "/dev/stdout").out)
        self.assertEqual(self.good("clusters", "-", "-o", "-", stdin=DIGIS).out, self.expected)
        self.assertEqual(self.good("generate", "atoms", "-o", "-").out,
                         self.good("generate", "atoms").out)
        self.assertEqual(self.files(), ["in.csv"])
        self.bad(1, "two outputs", "clusters", self.input, "-o", "-", "--labels", "-")

    def test_fifo(self):
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        got = []
        reader = threading.Thread(target=lambda: got.append(open(fifo, encoding="utf-8").read()))
        reader.start()
        self.good("clusters", self.input, "-o", fifo)
        reader.join(30)
        self.assertEqual(got, [self.expected])
        self.assertTrue(stat.S_ISFIFO(os.stat(fifo).st_mode))


class ClosedStdout(Case):
    def test_reader_leaves(self):
        path = self.write("in.csv", DIGIS)
        for command in [["clusters", path], ["generate", "events"], ["clusters", path, "-o",
                                                                     "/dev/stdout"]]:
            read, write = os.pipe()
            os.close(read)
            done = subprocess.run([MOTE, *command], stdout=write, stderr=subprocess.PIPE)
            os.close(write)
            self.assertEqual((done.returncode, done.stderr), (0, b""), command)

    def test_reader_takes_one_line(self):
        path = self.write("in.csv", DIGIS)
        run = subprocess.Popen([MOTE, "clusters", path], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        self.assertEqual(run.stdout.readline().decode(), CLUSTER_HEADER + "\n")
        run.stdout.close()
        self.assertEqual(run.stderr.read(), b"")
        run.stderr.close()
        self.assertEqual(run.wait(60), 0)

    def test_no_stdout_at_all(self):
        """With stdout closed, no file gets its descriptor, so that no input is overwritten."""
        path = self.write("in.csv", DIGIS)
        done = subprocess.run(f'"{MOTE}" clusters "{path}" -q 2>&1 >&-', shell=True,
                              stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"standard output: cannot be written: it is closed", done.stdout)
        self.assertEqual(self.read("in.csv"), DIGIS)

    def test_no_device_for_an_open_stdin(self):
        run = subprocess.Popen([MOTE, "clusters", "-d", "99", "-"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(run.wait(60), 3)
        run.communicate()

    @long
    def test_files_are_written_all_the_same(self):
        path = self.write("in.csv", DIGIS)
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([MOTE, "clusters", path, "-q", "-o", "/dev/stdout", "--labels",
                               self.path("l.csv")], stdout=write)
        os.close(write)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(rows(self.read("l.csv"))), 5000)


class SilentInput(Case):
    """A pipe that stays open does not prevent a run from ending."""

    @long
    def test_output_fails(self):
        # Two events and the beginning of a third arrive: the first two are written while the third is awaited.
        text = "event,module_id,x,y,adc\n" + "".join(
            f"{event},{i % 100},{2 * (i // 100)},5,1\n" for event in range(3) for i in range(300000))
        run = subprocess.Popen([MOTE, "clusters", "-", "-o", "/dev/full"], stdin=subprocess.PIPE,
                               stderr=subprocess.PIPE, bufsize=0)
        with contextlib.suppress(BrokenPipeError):  # the run may end before it has read all of it
            run.stdin.write(text.encode())
        self.assertEqual(run.wait(60), 4)
        self.assertIn(b"No space", run.stderr.read())
        run.stdin.close()
        run.stderr.close()


class Interrupted(Case):
    def test_signals_remove_what_is_unfinished(self):
        for number in ENDING:
            self.write("out.csv", "old")
            run = subprocess.Popen([MOTE, "clusters", "-", "-o", self.path("out.csv")],
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=default_signals)
            run.stdin.write(DIGIS.encode())
            run.stdin.flush()
            wait_until(lambda: len(self.files()) == 2)
            run.send_signal(number)
            run.wait(30)
            run.stdin.close()
            run.stderr.close()
            self.assertEqual(run.returncode, -number)
            self.assertEqual(self.files(), ["out.csv"])
            self.assertEqual(self.read("out.csv"), "old")


    def test_signals_reach_no_handler_of_others(self):
        """Kernels' compilers install signal handlers, which cannot run while all threads block the signals."""
        wanted = sum(1 << (number - 1) for number in ENDING)
        run = subprocess.Popen([MOTE, "clusters", "-", "-o", self.path("out.csv")],
                               stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                               preexec_fn=default_signals)
        # The threads are the owner, the watcher, the reader and a worker.
        wait_until(lambda: len(os.listdir(f"/proc/{run.pid}/task")) >= 4)
        threads, held = os.listdir(f"/proc/{run.pid}/task"), []
        for thread in threads:
            with open(f"/proc/{run.pid}/task/{thread}/status", encoding="ascii") as file:
                blocked = next(line for line in file if line.startswith("SigBlk:"))
            held.append(int(blocked.split()[1], 16) & wanted == wanted)
        self.assertGreaterEqual(len(held), 4)
        # The watcher's mask shows no signal as blocked while it waits for them.
        self.assertLessEqual(held.count(False), 1)
        run.communicate(DIGIS.encode())
        self.assertEqual(run.returncode, 0)


class Messages(Case):
    def test_quiet(self):
        path = self.write("in.csv", DIGIS)
        self.assertEqual(self.good("clusters", path, "-q").err, "")
        err = self.good("clusters", path).err
        self.assertRegex(err, r"^mote clusters: 5000 digis in 1 event, 1 module with clusters, "
                              r"5000 clusters; .+ \(.+\); " + TIME + r"\n$")

    def test_timing(self):
        import json
        path = self.write("in.csv", DIGIS)
        line = self.good("clusters", path, "-q", "--timing").err
        timing = json.loads(line)
        self.assertEqual(timing["command"], "clusters")
        self.assertEqual(timing["bytes"], len(DIGIS))
        self.assertEqual(timing["device"], mote("devices").out.split()[0])
        for key in ["read_s", "device_s", "write_s"]:
            self.assertGreaterEqual(timing[key], 0.0)

    def run_slowly(self, *arguments, env=None):
        """Returns the text on a terminal while standard input takes more than a second."""
        header, digis = DIGIS.encode().split(b"\n", 1)
        terminal, end = os.openpty()
        run = subprocess.Popen([MOTE, "clusters", *arguments, "-o", "/dev/null"],
                               stdin=subprocess.PIPE, stderr=end, env=env)
        os.close(end)
        run.stdin.write(header + b"\n")
        run.stdin.flush()
        wait_until_read(run.stdin)
        time.sleep(1.2)
        run.communicate(digis)
        self.assertEqual(run.returncode, 0)
        return read_terminal(terminal)

    def test_progress_on_a_terminal(self):
        self.assertRegex(self.run_slowly("-"), r"\r\x1b\[Kmote clusters: 5000 digis")
        self.assertNotIn("\x1b", self.run_slowly("-", "-q"))

    @long
    def test_progress_with_a_rate(self):
        # While kernels are built, no rate is shown, so this run loads kernels from the cache.
        kept = {**os.environ, "MOTE_CACHE": "on", "MOTE_CACHE_DIR": self.path("kept")}
        self.good("clusters", "-", stdin=DIGIS, env=kept)
        shown = self.run_slowly("-", env=kept)
        self.assertRegex(shown, r"\r1 event  [\d.e+]+ events/s\x1b\[K")
        self.assertRegex(shown, r"\r\x1b\[Kmote clusters: 5000 digis")

    @long
    def test_progress_with_time_left(self):
        path = self.write("in.csv", DIGIS)
        shown = self.run_slowly("-", path, path)
        self.assertRegex(shown, r"\[=*>? *\] +\d+ %  \d+:\d\d left")

    def test_no_progress_without_a_terminal(self):
        path = self.write("in.csv", DIGIS)
        self.assertNotIn("\r", self.good("clusters", path).err)


if __name__ == "__main__":
    main()
