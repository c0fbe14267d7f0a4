# SPDX-License-Identifier: Apache-2.0
"""Tests the type stubs: mypy compares them with the package, and checks a program against them."""

import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("mypy")

HERE = pathlib.Path(__file__).resolve().parent
CONFIG = HERE / "mypy.ini"


def run(folder, *words):
    """Returns the output of a Python program."""
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_stubs_are_those_of_the_package(tmp_path):
    for name in ("awkward", "MDAnalysis"):  # modules with stubs import them
        pytest.importorskip(name)
    run(tmp_path, "-m", "mypy.stubtest", "mote", "--concise", "--mypy-config-file", CONFIG,
        "--allowlist", HERE / "stubs.txt")


def test_a_typed_program(tmp_path):
    run(tmp_path, "-m", "mypy", "--config-file", CONFIG, "--cache-dir", tmp_path, HERE / "typed.py")
    assert run(tmp_path, HERE / "typed.py").startswith("[0 0 0]")
