# SPDX-License-Identifier: Apache-2.0
"""Tests kernels that are built: messages while a call builds them, and builds ahead of use."""

import re
import sys
import time

import mote
import numpy
import pytest

OFFSETS = numpy.array([0, 2, 2, 5])


def test_prepare():
    with mote.Context() as context:
        mote.prepare("reduce", context=context)
        programs = context.memory().programs
        for name in ("f4", "f8", "i8"):
            values = numpy.ones((50, 30), name)
            for function in (mote.sum, mote.min, mote.max):
                function(values, context=context), function(values, axis=1, context=context)
            mote.histogram(values, 5, context=context)
        assert context.memory().programs == programs > 5
        for area in ("reduc", ["reduce"], 7):
            with pytest.raises(mote.MoteValueError, match="pixels, coordination, jagged, reduce"):
                mote.prepare(area, context=context)


@pytest.fixture
def build(monkeypatch):
    """Returns a function that makes a record of a build, as the library does."""
    building = mote._errors._building
    monkeypatch.setattr(building, "_MOMENT", 0.01)
    monkeypatch.setattr(building, "calls", {})

    def report(seconds):
        device = mote._library.ffi.new("char[]", b"toy")
        building._callback(mote._library.ffi.new("mote_build_record *", dict(device=device, seconds=seconds)),
                           mote._library.ffi.NULL)

    return report


def test_messages_while_kernels_are_built(build, caplog, monkeypatch):
    caplog.set_level("INFO", "mote")
    build(-1)
    build(2)
    end = time.monotonic() + 60
    while not caplog.messages and time.monotonic() < end:
        time.sleep(0.1)  # a kernel is compiled at its launch
    build(-1)  # another program of the same call
    build(0)
    assert not caplog.messages[1:]
    mote._errors.check(0)
    begin, end = caplog.messages
    assert begin.startswith("mote is building kernels for toy")
    assert float(re.fullmatch(r"mote has built kernels for toy in ([0-9.]+) s", end)[1]) >= 0.1
    caplog.clear()
    for seconds in (0.01, 2):  # found in the driver's cache; a call shorter than a moment
        monkeypatch.setattr(mote._errors._building, "_MOMENT", 0.5 if seconds < 1 else 60)
        build(-1)
        build(seconds)
        time.sleep(0.6 if seconds < 1 else 0)
        mote._errors.check(0)
    assert not caplog.messages and not mote._errors._building.calls
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    mote._errors._building._log("seen at a prompt")
    assert caplog.records[0].levelname == "WARNING"


def test_the_library_reports_builds(build, caplog, monkeypatch):
    """The first call in a context builds; the second one does not."""
    caplog.set_level("INFO", "mote")
    monkeypatch.setattr(mote._errors._building, "_LEAST_CPU_SECONDS", 0)
    monkeypatch.setattr(mote._errors._building, "_MOMENT", 0)
    with mote.Context() as context:
        for _ in range(2):
            assert mote.jagged.counts(OFFSETS, context=context).tolist() == [2, 0, 3]
            assert [context.device.name in message for message in caplog.messages] == [True, True]


def test_an_interrupt_in_the_build_callback_comes_after_the_call(build, caplog, monkeypatch):
    def fail():
        raise failure

    monkeypatch.setattr(mote._errors._building.time, "thread_time", fail)
    with mote.Context() as context:
        failure = KeyboardInterrupt()
        with pytest.raises(KeyboardInterrupt):
            mote.jagged.counts(OFFSETS, context=context)
        monkeypatch.undo()
        assert mote.jagged.counts(OFFSETS, context=context).tolist() == [2, 0, 3]
    failure = RuntimeError("no more threads")
    with mote.Context() as context:
        monkeypatch.setattr(mote._errors._building.time, "thread_time", fail)
        assert mote.jagged.counts(OFFSETS, context=context).tolist() == [2, 0, 3]
