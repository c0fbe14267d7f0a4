# SPDX-License-Identifier: Apache-2.0
"""Defines what the tests share: a seed, the option for long tests, and a log that .ci/count reads."""

import json
import pathlib
import random
import re
import sys

import numpy
import pytest

# The oracle of the command's tests.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "tool"))


def pytest_addoption(parser):
    """--long runs tests that take minutes; --log-json FILE writes a line for each test."""
    parser.addoption("--long", action="store_true", help="run the long tests too")
    parser.addoption("--log-json", help="write the outcome of each test here")


def pytest_configure(config):
    """Registers marks, and the log."""
    config.addinivalue_line("markers", "long: takes minutes; needs --long")
    if config.getoption("--log-json"):
        config.pluginmanager.register(_Log(config.getoption("--log-json")))


def pytest_collection_modifyitems(config, items):
    """Without --long the long tests are not selected."""
    if not config.getoption("--long"):
        left = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


# Words by which the guide's programs are distinguished; a test runs each.
PROGRAMS = ["mote.cluster(", "def more_than(", "mote.ErrorWord(", "lists.offsets", "mote.mdanalysis",
            "def read_digis(", "cells.csv", "Muon_pt", "trajectory.xtc"]


class _Log:
    """Writes a line of JSON for each test, as Meson does."""

    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")

    def pytest_runtest_logreport(self, report):
        """A failure in set-up or tear-down counts as one of the test."""
        if report.when == "call" or report.outcome != "passed":
            result = {"passed": "OK", "failed": "FAIL", "skipped": "SKIP"}[report.outcome]
            json.dump({"name": report.nodeid, "result": result, "stdout": ""}, self.file)
            self.file.write("\n")
            self.file.flush()

    def pytest_collectreport(self, report):
        """Logs modules that are skipped, or cannot be imported."""
        if report.outcome != "passed":
            self.pytest_runtest_logreport(report)


GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"


@pytest.fixture(scope="session")
def guide():
    """Returns a function that finds the guide's program with some words in it; every program must be requested by a
    test."""
    text = GUIDE.read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert len(programs) == len(PROGRAMS)

    def program(words):
        assert words in PROGRAMS
        found, = [one for one in programs if words in one]
        return found

    program.text = text
    return program


@pytest.fixture
def rng(request):
    """Returns fresh random numbers; a failure shows the seed."""
    seed = random.SystemRandom().randrange(2 ** 32)
    request.node.add_report_section("call", "seed", str(seed))
    return numpy.random.default_rng(seed)


@pytest.fixture
def offsets(rng):
    """Returns offsets of 1000 lists, some of them empty, one long; they begin at 3."""
    lengths = rng.integers(0, 9, 1000) * rng.integers(0, 2, 1000)
    lengths[rng.integers(1000)] = 5000
    return numpy.concatenate([[3], 3 + numpy.cumsum(lengths)])
