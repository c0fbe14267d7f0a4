# SPDX-License-Identifier: Apache-2.0
"""Runs the mote command for tests, and reports the tests as TAP."""
import array
import bz2
import csv
import fcntl
import gzip
import io
import lzma
import os
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest

MOTE = os.environ.get("MOTE", "mote")
# Extensions of packed files, with the function that packs them in Python.
PACKING = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
PACKED = {ending: PACKING[ending] for ending in os.environ.get("MOTE_PACKED", "gz bz2 xz").split()}
ZLIB = "gz" in PACKED

CLUSTER_HEADER = ("event,module_id,cluster_id,size,charge,x,y,x_min,x_max,y_min,y_max,"
                  "first_digi,x_var,y_var")
# Matches the times in a summary. Times for building kernels appear only in a first run.
TIME = r"\d+\.\d{3} s(, \d+\.\d{3} s of them for building kernels)?"
LABEL_HEADER = "event,module_id,x,y,adc,cluster_id"


def shared(*parts):
    """Returns the path of a shared file, or None if the environment names no folder of such files."""
    folder = os.environ.get("MOTE_SHARED")
    return os.path.join(folder, *parts) if folder else None


def long(test):
    """Marks a test that only the suite `long` runs."""
    test.long = True
    return test


def needs_zlib(test):
    """Marks a test of files that gzip has packed."""
    return unittest.skipUnless(ZLIB, "mote was built without zlib")(test)


def needs_pocl(test):
    """Marks a test that runs PoCL's devices, or expects PoCL's behaviour."""
    return unittest.skipUnless(os.environ.get("MOTE_DEVICE", "pocl").startswith("pocl"), "PoCL is not tested")(test)


class Result:
    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout.decode("utf-8", "replace")
        self.err = done.stderr.decode("utf-8", "replace")
        self.raw = done.stdout


def mote(*arguments, stdin=b"", timeout=120, **options):
    if isinstance(stdin, str):
        stdin = stdin.encode()
    for _ in range(3):
        done = subprocess.run([MOTE, *map(str, arguments)], input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=timeout, **options)
        # PoCL 5 or older may end a run on several devices: docs/drivers.md.
        if done.returncode != -signal.SIGABRT or b"pocl_release_dlhandle_cache" not in done.stderr:
            break
        print(f"# {done.stderr.decode('utf-8', 'replace').strip()}", flush=True)
    return Result(done)


# What ends a run. The process that started the tests may ignore some of these signals, as a shell does for background
# jobs.
ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU, signal.SIGALRM,
          signal.SIGUSR1, signal.SIGUSR2]


def default_signals():
    """For Popen's preexec_fn: no signal is ignored."""
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)


def wait_until(condition):
    """Returns when the condition is true, and fails after a minute, because a busy machine is slow."""
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited in vain for a minute")
        time.sleep(0.02)


def wait_until_read(pipe):
    """Returns when a process has read everything that was written to its pipe."""
    left = array.array("i", [0])

    def is_empty():
        fcntl.ioctl(pipe, termios.FIONREAD, left)
        return left[0] == 0

    wait_until(is_empty)


def read_terminal(terminal):
    """Returns the text written to a pseudo-terminal until its other end was closed; it comes in pieces."""
    shown = b""
    try:
        while part := os.read(terminal, 65536):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.close(terminal)
    return shown.decode()


def rows(text):
    """Returns CSV text as a list of dicts."""
    return list(csv.DictReader(io.StringIO(text)))


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mote-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return path

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def files(self):
        return sorted(os.listdir(self.folder))

    def good(self, *arguments, **options):
        result = mote(*arguments, **options)
        self.assertEqual(result.code, 0, result.err)
        return result

    def bad(self, code, words, *arguments, **options):
        """The command must fail with this code, and its message must contain all the words."""
        result = mote(*arguments, **options)
        self.assertEqual(result.code, code, (arguments, result.err))
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, result.err)
        return result


class Tap(unittest.TestResult):
    def __init__(self, total):
        super().__init__()
        self.number = 0
        self.passed = True
        print("TAP version 13")
        print(f"1..{total}", flush=True)

    def line(self, word, test, tail=""):
        self.number += 1
        name = test.id().split(".", 1)[-1]
        print(f"{word} {self.number} - {name}{tail}", flush=True)

    def addSuccess(self, test):
        self.line("ok", test)

    def addSkip(self, test, reason):
        self.line("ok", test, f" # SKIP {reason}")

    def report(self, test, error):
        self.passed = False
        for text in self._exc_info_to_string(error, test).splitlines():
            print(f"# {text}")
        self.line("not ok", test)

    def addFailure(self, test, err):
        self.report(test, err)

    def addError(self, test, err):
        self.report(test, err)


def each(suite):
    """Returns the tests inside a suite of suites."""
    for one in suite:
        yield from each(one) if isinstance(one, unittest.TestSuite) else [one]


def main():
    """Runs the named tests, or all; --usual and --long leave out those of the other suite."""
    names = sys.argv[1:]
    loader = unittest.defaultTestLoader
    module = sys.modules["__main__"]
    if names in (["--usual"], ["--long"]):
        tests = [test for test in each(loader.loadTestsFromModule(module))
                 if hasattr(getattr(test, test._testMethodName), "long") == (names[0] == "--long")]
    else:
        tests = list(each(loader.loadTestsFromNames(names, module) if names
                          else loader.loadTestsFromModule(module)))
    result = Tap(len(tests))
    unittest.TestSuite(tests).run(result)
    sys.exit(0 if result.passed else 1)
