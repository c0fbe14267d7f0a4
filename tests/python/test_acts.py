# SPDX-License-Identifier: Apache-2.0
"""Compares with ACTS, which simulates and digitises muons: its own clusters are those that mote finds, and its tracks
from mote's clusters are those from its own clusters. The chain is examples/python/acts_tracks.py, which runs in a
process of its own."""

import importlib.util
import pathlib
import re
import subprocess
import sys

import mote
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
    """Returns the example's results for an event."""
    made = tmp_path_factory.mktemp("acts")
    seed = numpy.random.default_rng().integers(1, 2 ** 31)
    done = subprocess.run([sys.executable, EXAMPLE, made, str(MUONS), str(seed)],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"seed {seed}: {done.stderr}"
    assert re.search(r"mote: \d+ tracks of", done.stdout), f"seed {seed}: {done.stdout}"
    return made


def partition(ours, theirs):
    """Returns the number that the other side gives to each of our clusters, which are the same cells."""
    pairs = set(zip(ours.tolist(), theirs.tolist()))
    assert len(pairs) == len(set(ours.tolist())) == len(set(theirs.tolist()))
    return [theirs for _, theirs in sorted(pairs)]


def measurements(example, folder):
    """Returns places and variances in the order of their numbers, (n, 4)."""
    names = ["measurement_id", "local0", "local1", "var_local0", "var_local1"]
    rows = example.read(folder / (example.EVENT + "measurements.csv"), names)
    order = numpy.argsort(rows["measurement_id"])
    return numpy.stack([rows[name][order] for name in names[1:]], axis=1)


def test_cells_and_centroids(example, folder, tmp_path):
    """Compares the command's measurements, and mote.cluster, with ACTS' own measurements."""
    number, cells = example.write_measurements(folder / "acts", tmp_path)
    assert len(number) > 30_000
    own = partition(number, cells["measurement_id"].astype(int))
    theirs = measurements(example, folder / "acts")[own]
    ours = measurements(example, tmp_path)
    assert abs(ours[:, :2] - theirs[:, :2]).max() < 5e-6
    assert numpy.allclose(ours[:, 2:], theirs[:, 2:], rtol=1e-4, atol=0)

    # A charge is a path in mm. Charges are integers of 1e-6 mm, so centroids agree to 1e-6 of a pitch.
    hits = [cells["channel0"].astype("u2"), cells["channel1"].astype("u2"),
            numpy.rint(1e6 * cells["value"]).astype("u4")]
    found = mote.cluster(cells["geometry_id"], *hits, rows=example.ROWS, columns=example.COLUMNS,
                         digis=True)
    module = numpy.searchsorted(found.modules, cells["geometry_id"])
    assert numpy.array_equal(found.cluster_start[module] + found.labels, number)
    pixels = numpy.stack([found.properties["x"], found.properties["y"]], axis=1)
    middle = numpy.array([example.ROWS, example.COLUMNS]) / 2
    assert abs((pixels + 0.5 - middle) * example.PITCH - theirs[:, :2]).max() < 5e-6
    edges = [(numpy.arange(side + 1) - side / 2) * example.PITCH
             for side in (example.ROWS, example.COLUMNS)]
    measured = mote.measure(found.digis, module.astype("u4"), *hits, row_edges=edges[0],
                            column_edges=edges[1], widths=True)
    assert abs(numpy.stack(measured[1:3], axis=1) - theirs[:, :2]).max() < 5e-6
    # ACTS and traccc form the variances of larger clusters in different ways. Edges of up to 36 mm are
    # rounded to float32, so that widths of 0.05 mm have errors of up to 8e-5.
    alone = numpy.diff(found.digis.offsets) == 1
    assert alone.any()
    assert numpy.allclose(numpy.stack(measured[3:5], axis=1)[alone], theirs[alone, 2:], rtol=2e-4, atol=0)


def test_tracks(example, folder):
    """The number of tracks agrees to one in a hundred, and nine in ten have the same measurements."""
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
