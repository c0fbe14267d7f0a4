# SPDX-License-Identifier: Apache-2.0
"""ACTS: muons are simulated and digitised by it; its own clusters are those that mote finds."""

import csv
import json

import mote
import numpy
import pytest

acts = pytest.importorskip("acts")
pytest.importorskip("acts.examples")

PITCH, ROWS, COLUMNS = 0.05, 336, 1440  # mm, bins along local 0 and 1
ORIGIN = (-ROWS * PITCH / 2, -COLUMNS * PITCH / 2)


def segmentation():
    """The digitisation of the three pixel volumes of the generic detector."""
    axes = [{"bins": bins, "min": low, "max": -low, "option": "open", "type": "equidistant",
             "value": name} for bins, low, name in zip((ROWS, COLUMNS), ORIGIN, ("binX", "binY"))]
    geometric = {"indices": [0, 1], "segmentation": {"binningdata": axes}, "digital": False,
                 "thickness": 0.125, "threshold": 0.0,
                 "charge-smearing": {"type": "Gauss", "mean": 0.0, "stddev": 0.0}}
    return {"acts-geometry-hierarchy-map": {"format-version": 0,
                                            "value-identifier": "digitization-configuration"},
            "entries": [{"volume": volume, "value": {"geometric": geometric}}
                        for volume in (7, 8, 9)]}


def simulate(folder, muons, seed):
    """One event of muons; returns the rows of ACTS' cells and measurements."""
    from acts.examples import simulation
    unit = acts.UnitConstants
    config = folder / "digitisation.json"
    config.write_text(json.dumps(segmentation()))
    geometry = acts.examples.GenericDetector().trackingGeometry()
    field = acts.ConstantBField(acts.Vector3(0, 0, 2 * unit.T))
    rnd = acts.examples.RandomNumbers(seed=seed)
    run = acts.examples.Sequencer(events=1, numThreads=1, logLevel=acts.logging.WARNING)
    simulation.addParticleGun(
        run, simulation.MomentumConfig(1 * unit.GeV, 10 * unit.GeV, True),
        simulation.EtaConfig(-3, 3, True),
        simulation.ParticleConfig(muons, acts.PdgParticle.eMuon, True), rnd=rnd)
    simulation.addFatras(run, geometry, field, rnd=rnd)
    simulation.addDigitization(run, geometry, field, digiConfigFile=str(config), rnd=rnd,
                               doMerge=True, mergeCommonCorner=True, outputDirCsv=str(folder))
    run.run()
    found = []
    for name in ("cells", "measurements"):
        with open(folder / f"event000000000-{name}.csv", encoding="latin-1") as file:
            found.append(list(csv.DictReader(file)))
    return found


def test_cells_and_centroids(rng, tmp_path):
    cells, measurements = simulate(tmp_path, 2000, int(rng.integers(1, 2 ** 31)))
    module = numpy.array([cell["geometry_id"] for cell in cells]).astype("u8")
    x, y = (numpy.array([cell[name] for cell in cells]).astype("u2")
            for name in ("channel0", "channel1"))
    theirs = numpy.array([cell["measurement_id"] for cell in cells]).astype(int)
    # A charge is a path in mm. A number of 1e-6 mm leaves the centroids right to 1e-6 of a pitch.
    adc = numpy.rint(1e6 * numpy.array([cell["value"] for cell in cells]).astype(float))
    found = mote.cluster(module, x, y, adc.astype("u4"), rows=ROWS, columns=COLUMNS)
    assert len(cells) > 40_000 and len(found.properties) == len(measurements)
    ours = found.cluster_start[numpy.searchsorted(found.modules, module)] + found.labels
    pairs = set(zip(ours.tolist(), theirs.tolist()))
    assert len(pairs) == len(set(ours.tolist())) == len(set(theirs.tolist()))

    rows = {int(row["measurement_id"]): row for row in measurements}
    number = dict(pairs)
    for name, place, origin in zip(("local0", "local1"), ("x", "y"), ORIGIN):
        local = (found.properties[place] + 0.5) * PITCH + origin
        expected = [float(rows[number[k]][name]) for k in range(len(local))]
        assert numpy.allclose(local, expected, rtol=0, atol=5e-6), abs(local - expected).max()
