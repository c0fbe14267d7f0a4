# SPDX-License-Identifier: Apache-2.0
"""Tests contexts: opening, closing, pickling, processes and threads."""

import concurrent.futures
import multiprocessing
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time

import mote
import numpy
import pytest

OFFSETS = numpy.array([0, 2, 2, 5])


def test_devices():
    devices = mote.devices()
    assert devices and all(device.spec for device in devices)
    with mote.Context(devices[0].spec) as context:
        assert context.device == devices[0]


def test_unknown_device_lists_those_there_are():
    with pytest.raises(mote.MoteError, match=mote.devices()[0].spec) as caught:
        mote.Context("no such device")
    assert caught.value.name == "MOTE_ERROR_NO_DEVICE"


def test_closed_context_refuses():
    context = mote.Context()
    plan = mote.Coordination("EXP R_0=1 D_MAX=2", n_atoms=2, context=context)
    context.close()
    context.close()
    with pytest.raises(ValueError, match="closed"):
        mote.jagged.counts(OFFSETS, context=context)
    with pytest.raises(mote.MoteError, match="closed"):
        plan(numpy.zeros((2, 3)))
    with pytest.raises(mote.MoteError, match="closed"):
        context.memory()


def test_closed_default_context_is_opened_again():
    first = mote.default_context()
    first.close()
    assert mote.jagged.counts(OFFSETS).tolist() == [2, 0, 3]
    assert mote.default_context() is not first


def test_context_of_nothing():
    with pytest.raises(mote.MoteError, match="device string"):
        mote.Context(7)
    with pytest.raises(mote.MoteError, match="device string"):
        mote.jagged.counts(OFFSETS, context=[1])
    with pytest.raises(mote.MoteError, match="device string"):
        mote.selftest(7)


@pytest.mark.parametrize("call", [
    mote.Context,
    mote.selftest,
    lambda text: mote.jagged.counts(OFFSETS, context=text),
    lambda text: mote.Coordination("RATIONAL R_0=0.3", n_atoms=2, context=text),
    lambda text: mote.Coordination(text, n_atoms=2),
])
@pytest.mark.parametrize("text, words", [("RATIONAL R_0=0.3\0 D_MAX=1.0", "NUL"),
                                         ("pocl\0", "NUL"), ("RATIONAL R_0=0.3 \ud800", "surrogate"),
                                         ("pocl:0\udcff", "surrogate")])
def test_text_that_is_no_c_string(call, text, words):
    with pytest.raises(mote.MoteValueError, match=words):
        call(text)


def test_memory_and_trim():
    with mote.Context() as context:
        mote.jagged.reduce(OFFSETS, numpy.ones(5), "sum", context=context)
        assert context.memory().programs > 0
        context.trim()
        assert context.memory().scratch_idle == 0


def test_pickle():
    context = mote.Context()
    again = pickle.loads(pickle.dumps(context))
    assert again.device == context.device
    assert pickle.loads(pickle.dumps(context)) is again
    plan = mote.Coordination("EXP R_0=1 D_MAX=2", n_atoms=3, group_a=[0, 2], context=context)
    positions = numpy.arange(9.0).reshape(3, 3) / 5
    assert pickle.loads(pickle.dumps(plan))(positions).value == plan(positions).value


def test_pickle_of_an_error():
    with pytest.raises(mote.MoteError) as caught:
        mote.jagged.counts(numpy.array([2, 1]))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (type(caught.value), str(caught.value))


def test_device_that_is_gone():
    context = mote.Context()
    data = pickle.dumps(context).replace(b"pocl:0", b"pocl:9")
    if b"pocl:9" not in data:
        pytest.skip("the device is not pocl:0")
    with pytest.raises(mote.MoteError, match="pocl:9"):
        pickle.loads(data)


def test_a_failure_of_the_device():
    """The error of a driver whose device is lost is passed on, with its name."""
    for status, name in ((-5, "CL_OUT_OF_RESOURCES"), (-2, "CL_DEVICE_NOT_AVAILABLE")):
        failure = mote._errors.error(status, "clFinish: the device is gone")
        assert isinstance(failure, mote.MoteError) and failure.name == name
    assert isinstance(mote._errors.error(-4, "no room"), MemoryError)


VANISHES = """
import concurrent.futures, sys
import mote, numpy

offsets, values = numpy.array([0, 2, 2, 5]), numpy.ones(5)
context, plan = mote.Context(), mote.Coordination("EXP R_0=1 D_MAX=2", n_atoms=3)
calls = [lambda: mote.jagged.reduce(offsets, values, "sum", context=context),
         lambda: mote.jagged.gather(offsets, values[:3], context=context),
         lambda: mote.jagged.pairs(offsets, context=context),
         lambda: mote.sum(values, context=context),
         lambda: mote.cluster([0, 0], [1, 2], [1, 1], rows=9, columns=9, context=context)]

def failure(call):
    try:
        call()
    except mote.MoteError as error:
        assert type(error) is mote.MoteError, repr(error)
        return error.name
    return "no error"

first = int(sys.argv[1]) % len(calls)
names = [failure(calls[first]) for _ in range(40)]
assert set(names) <= {"no error", "CL_OUT_OF_RESOURCES"}, names
gone = names.index("CL_OUT_OF_RESOURCES")
assert set(names[gone:]) == {"CL_OUT_OF_RESOURCES"}, names
assert {failure(call) for call in calls} == {"CL_OUT_OF_RESOURCES"}
context.trim(), context.memory(), context.close(), context.close()
assert mote.jagged.counts(offsets).tolist() == [2, 0, 3]    # in the default context
with concurrent.futures.ThreadPoolExecutor(3) as pool:
    assert list(pool.map(lambda _: plan(numpy.zeros((3, 3))).value, range(6))) == [3.0] * 6
print("done")
"""


@pytest.fixture(scope="module")
def failing_device(tmp_path_factory):
    """Returns the LD_PRELOAD with which one queue fails every launch from MOTE_TEST_FAIL_AT on."""
    source = pathlib.Path(__file__).resolve().parents[1] / "common" / "preloaded.c"
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    made = tmp_path_factory.mktemp("failing") / "libfailing_device.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-DCL_TARGET_OPENCL_VERSION=120", "-o", made,
                    source], check=True)
    mote.devices()
    loaders = {line.split()[-1] for line in open("/proc/self/maps", encoding="utf-8")
               if "/libOpenCL" in line and "mote" in line}
    return " ".join([str(made), *(loaders or ["libOpenCL.so.1"])])


@pytest.mark.parametrize("at", [1, 2, 5, 14])
def test_device_that_vanishes(failing_device, at):
    """Calls in its context then raise errors, and continue to do so; the rest of the program continues."""
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", VANISHES, str(at)],
                          env={**os.environ, "LD_PRELOAD": failing_device,
                               "MOTE_TEST_FAIL_AT": str(at)},
                          capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


def test_arrays_changed_during_a_call(rng, offsets):
    """Results are unspecified then; a call returns them, or reports a bad list."""
    values, stop = rng.random(offsets[-1]), threading.Event()
    shared = offsets.copy()

    def change():
        while not stop.is_set():
            shared[:] = rng.integers(-5, 2 * offsets[-1], len(offsets))
            shared[:] = offsets

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(300):
            for call in (lambda: mote.jagged.reduce(shared, values, "sum"),
                         lambda: mote.jagged.parents(shared, n=int(offsets[-1])),
                         lambda: mote.jagged.counts(shared)):
                try:
                    call()
                except ValueError as error:
                    assert isinstance(error, mote.MoteError)
    finally:
        stop.set()
        thread.join()
    shared[:] = offsets
    assert numpy.array_equal(mote.jagged.counts(shared), numpy.diff(offsets))


def test_threads_share_a_context(rng, offsets):
    values = rng.integers(-1000, 1000, offsets[-1])
    expected = [mote.jagged.reduce(offsets, values * k, "sum") for k in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            got = list(pool.map(lambda k: mote.jagged.reduce(offsets, values * k, "sum"),
                                range(8)))
            assert all(numpy.array_equal(a, b) for a, b in zip(got, expected))


def test_close_while_threads_call(rng, offsets):
    values = rng.random(offsets[-1])
    context = mote.Context()
    outcomes = []

    def call():
        try:
            while True:
                mote.jagged.reduce(offsets, values, "max", context=context)
        except mote.MoteError as error:
            outcomes.append(str(error))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    while context.memory().programs == 0:
        pass
    context.close()
    for thread in threads:
        thread.join(60)
    assert len(outcomes) == 4 and all("closed" in outcome for outcome in outcomes)


def test_other_threads_run_during_a_call(rng):
    """If nothing else makes a thread release Python's lock, a call of the library does."""
    values, gate, ticks = rng.random(2 ** 18), threading.Lock(), []
    gate.acquire()
    usual = sys.getswitchinterval()

    def tick():
        with gate:
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    mote.sum(values)
    # The timer thread of the messages about builds may still run after the call, and would take the lock.
    for other in threading.enumerate():
        if isinstance(other, threading.Timer):
            other.join()
    sys.setswitchinterval(1e6)
    try:
        gate.release()
        before = sum(number * number for number in range(100_000)), len(ticks)
        end = time.monotonic() + 120
        while not ticks and time.monotonic() < end:
            mote.sum(values)
        during = len(ticks)
    finally:
        sys.setswitchinterval(usual)
        thread.join()
    assert (before[1], during) == (0, 1)


INTERRUPTED = """
import signal
import mote, numpy
signal.signal(signal.SIGINT, signal.default_int_handler)    # also where a shell ignores it
values, count = numpy.ones(2 ** 16), 0
context = mote.Context()
mote.sum(values, context=context)
for turn in range(3):
    try:
        print("ready", flush=True)
        while True:
            mote.sum(values, context=context)
    except KeyboardInterrupt:
        count += 1
assert mote.sum(values, context=context) == 2 ** 16
context.close()
print(count)
"""


def test_interrupts_come_between_calls():
    """Ctrl-C ends a loop of calls, and the context remains usable."""
    with subprocess.Popen([sys.executable, "-X", "faulthandler", "-c", INTERRUPTED],
                          stdout=subprocess.PIPE, text=True) as program:
        try:
            for _ in range(3):
                assert program.stdout.readline() == "ready\n"
                program.send_signal(signal.SIGINT)
            assert program.communicate(timeout=120)[0] == "3\n"
        finally:
            program.kill()
    assert program.returncode == 0


def test_contexts_and_plans_are_released_once(monkeypatch):
    """Contexts and plans are released after the last of the calls that run when close() is called, and not before."""
    released = []

    class Counted:
        def __getattr__(self, name):
            if name.endswith("_release"):
                released.append(name)
            return getattr(mote._library.lib, name)

    mote.jagged.counts(OFFSETS)
    monkeypatch.setattr(mote._context, "lib", Counted())
    context = mote.Context()
    first, second = context.take_host(), context.take_host()
    context.give_host(first)
    context.close()
    assert released == ["mote_host_release"]
    context.give_host(second)
    assert released == ["mote_host_release"] * 2 + ["mote_context_release"]
    with pytest.raises(mote.MoteError, match="closed"):
        context.take_host()
    context.close()
    del context
    assert len(released) == 3


def test_fork_gets_a_sentence_about_spawn():
    mote.jagged.counts(OFFSETS)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            mote.jagged.counts(OFFSETS)
            text = "no error"
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
        os.write(writer, text.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    assert os.waitpid(child, 0)[1] == 0
    assert text.startswith("MoteError") and "spawn" in text


def _counts(offsets):
    return mote.jagged.counts(offsets).tolist()


def test_spawned_processes():
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(_counts, [OFFSETS] * 4) == [[2, 0, 3]] * 4


def test_import_loads_nothing_heavy():
    code = "import mote, sys; print('numpy' in sys.modules, 'cffi' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_every_name_is_there():
    for name in mote.__all__:
        if name not in ("awkward", "mdanalysis"):  # their packages are optional
            assert getattr(mote, name) is not None
    with pytest.raises(AttributeError):
        mote.nonsense
