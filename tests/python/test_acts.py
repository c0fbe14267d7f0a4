# SPDX-License-Identifier: Apache-2.0
"""ACTS: muons are simulated and digitised by it; its own clusters are those that mote finds, and
the tracks that it finds from mote's clusters are those that it finds from its own. The chain is
examples/python/acts_tracks.py, which runs in a process of its own."""

import importlib.util
import pathlib
import re
import subprocess
import sys

import numpy
import pytest

pytest.importorskip("acts")
pytest.importorskip("acts.examples")
pytest.importorskip("matplotlib")

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python" / "acts_tracks.py"
MUONS = 1500


@pytest.fixture(scope="module")
def example():
    """The example's functions."""
    spec = importlib.util.spec_from_file_location("acts_tracks", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What the example makes of an event."""
    made = tmp_path_factory.mktemp("acts")
    seed = numpy.random.default_rng().integers(1, 2 ** 31)
    done = subprocess.run([sys.executable, EXAMPLE, made, str(MUONS), str(seed)],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"seed {seed}: {done.stderr}"
    assert re.search(r"mote: \d+ tracks of", done.stdout), f"seed {seed}: {done.stdout}"
    return made


def test_cells_and_centroids(example, folder):
    found, ours, cells = example.cluster(folder / "acts")
    theirs = cells["measurement_id"].astype(int)
    rows = example.read(folder / "acts" / (example.EVENT + "measurements.csv"),
                        ["measurement_id", "local0", "local1", "var_local0", "var_local1"])
    assert len(ours) > 30_000 and len(found.properties) == len(rows["measurement_id"])
    pairs = set(zip(ours.tolist(), theirs.tolist()))
    assert len(pairs) == len(set(ours.tolist())) == len(set(theirs.tolist()))

    number = dict(pairs)
    place = numpy.argsort(rows["measurement_id"])[[number[k] for k in range(len(found.properties))]]
    local, variance = example.measure(found, ours, cells, example.digitisation())
    for k in range(2):
        error = abs(local[:, k] - rows[f"local{k}"][place])
        assert error.max() < 5e-6, error.max()
        assert numpy.allclose(variance[:, k], rows[f"var_local{k}"][place], rtol=1e-4, atol=0)


def test_tracks(example, folder):
    """As many tracks, but for one in a hundred, and nine in ten of the same measurements."""
    found = {}
    for name in ("acts", "mote"):
        at = numpy.rint(1e3 * example.measured(folder / name)).astype(int)
        found[name] = [tuple(sorted(map(tuple, at[track]))) for track in
                       example.tracks(folder / name)[0]]
    own, from_mote = found.values()
    assert len(own) > 0.9 * MUONS
    assert abs(len(own) - len(from_mote)) <= 0.01 * len(own)
    assert len(set(own) & set(from_mote)) >= 0.9 * len(own)


def test_picture(folder):
    assert (folder / "tracks.png").read_bytes().startswith(b"\x89PNG")
