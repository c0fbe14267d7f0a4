# SPDX-License-Identifier: Apache-2.0
"""Runs a small version of the example that melts ice, and checks its forces and what it writes."""

import importlib.util
import pathlib

import numpy

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("melt_ice", PROJECT / "examples" / "python" / "melt_ice.py")
melt_ice = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(melt_ice)


def test_forces(rng):
    """Forces of the model are those of its energy, which is -2 epsilon in ice."""
    x, box = melt_ice.ice(2), [2 * melt_ice.CELL] * 3
    assert abs(melt_ice.water(x, box)[0] / 64 + 2 * melt_ice.EPSILON) < 0.5
    x += rng.normal(0, 0.01, x.shape)
    forces, step = melt_ice.water(x, box)[1], numpy.zeros_like(x)
    step[33, 2] = 1e-6
    slope = (melt_ice.water(x + step, box)[0] - melt_ice.water(x - step, box)[0]) / 2e-6
    assert abs(forces[33, 2] + slope) < 1e-4
    assert abs(forces.sum(axis=0)).max() < 1e-9


def test_example(tmp_path, capsys, monkeypatch):
    """A strong restraint and 90 steps: the mean q6 falls, that of the other run stays."""
    monkeypatch.setattr(melt_ice, "KAPPA", 3e6)
    melt_ice.main(tmp_path, "2", "90", "1")
    rows = [[float(word) for word in line.split()] for line in capsys.readouterr().out.splitlines()[2:]]
    q, free = numpy.array(rows)[:, 1], numpy.array(rows)[:, 3]
    assert q[0] > 0.63 and q[6] < free[6] - 0.05 and free.min() > 0.55
    assert (tmp_path / "melt_ice.svg").read_text(encoding="utf-8").count("<polyline") == 8
    assert "MOTE_Q L=6 SPECIES=1-64" in (tmp_path / "plumed.dat").read_text(encoding="utf-8")
