# SPDX-License-Identifier: Apache-2.0
"""Tests the guide's recipes that convert files of other programs for the command."""

import shutil
import subprocess
import sys

import numpy
import pytest

DIGIS = {"moduleId": [5, 5, 7], "xx": [1, 2, 9], "yy": [4, 4, 8], "adc": [100, 200, 300]}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The recipes name files in the current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def summary(*words):
    """Returns the command's message about its run."""
    done = subprocess.run([sys.executable, "-m", "mote", *words], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_digis(guide):
    names = {name: pytest.importorskip(name) for name in ("h5py", "pandas", "uproot")}
    table = names["pandas"].DataFrame(DIGIS)
    with names["uproot"].recreate("digis.root") as file:
        file["digis"] = {name: numpy.array(column) for name, column in DIGIS.items()}
    table.to_parquet("digis.parquet")
    with names["h5py"].File("digis.h5", "w") as file:
        for name, column in DIGIS.items():
            file[name] = column
    exec(guide("def read_digis("), names)
    for path in ("digis.root", "digis.parquet", "digis.h5"):
        assert (names["read_digis"](path)[list(DIGIS)] == table).all(axis=None), path
    assert "2 clusters" in summary("clusters", "digis.csv", "-o", "clusters.csv")


def test_cells_of_trackml(guide):
    names = {"pandas": pytest.importorskip("pandas")}
    hits = {"hit_id": [1, 2], "volume_id": [8, 8], "layer_id": [2, 4], "module_id": [1, 1]}
    cells = {"hit_id": [1, 1, 2], "ch0": [3, 4, 3], "ch1": [7, 7, 7], "value": [0.5, 0.5, 0.5]}
    names["pandas"].DataFrame(hits).to_csv("hits.csv", index=False)
    names["pandas"].DataFrame(cells).to_csv("cells.csv", index=False)
    exec(guide("cells.csv"), names)
    assert names["cells"]["module"].tolist() == [0, 0, 1]


def test_lists(guide):
    awkward, uproot = (pytest.importorskip(name) for name in ("awkward", "uproot"))
    lists = awkward.Array([[1.5, 2.5], [], [4.0]])
    with uproot.recreate("events.root") as file:
        file.mktree("Events", {"Muon_pt": "var * float64"})
        file["Events"].extend({"Muon_pt": lists})
    exec(guide("Muon_pt"), {"awkward": awkward, "numpy": numpy, "uproot": uproot})
    summary("reduce", "offsets.npy", "values.npy", "-o", "sums.npy")
    assert numpy.load("sums.npy").tolist() == [4, 0, 4]


def test_trajectory(guide):
    mda = pytest.importorskip("MDAnalysis")
    files = pytest.importorskip("MDAnalysisTests.datafiles")
    shutil.copy(files.PRMncdf, "topology.prmtop")
    shutil.copy(files.NCDF, "trajectory.nc")
    exec(guide("trajectory.xtc"), {"MDAnalysis": mda})
    frames = mda.Universe("topology.prmtop", "trajectory.nc").trajectory.n_frames
    assert f"{frames} frames" in summary("coordination", "trajectory.xtc", "--r0", "0.3", "--dmax",
                                         "0.6", "-o", "cv")
