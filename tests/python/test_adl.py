# SPDX-License-Identifier: Apache-2.0
"""Runs the example of the eight queries, which compares its answers itself, and checks that the guide shows its code
and its page."""

import pathlib
import re
import subprocess
import sys

import pytest

pytest.importorskip("awkward")

PROJECT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = PROJECT / "examples" / "python" / "adl.py"


def test_example(tmp_path):
    done = subprocess.run([sys.executable, EXAMPLE, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    entries = [int(line.split()[1]) for line in done.stdout.splitlines()[2:]]
    assert len(entries) == 8 and min(entries) > 100, done.stdout
    made = (tmp_path / "adl.svg").read_text(encoding="utf-8")
    assert made == (PROJECT / "docs" / "pictures" / "adl.svg").read_text(encoding="utf-8")


def test_guide_shows_the_example():
    code = EXAMPLE.read_text(encoding="utf-8")
    page = (PROJECT / "docs" / "adl.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len(blocks) == 9 and all(block in code for block in blocks)
