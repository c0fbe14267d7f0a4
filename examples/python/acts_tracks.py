#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""From pixels to tracks: ACTS simulates muons, mote clusters their pixels, ACTS finds the tracks.

    python3 acts_tracks.py FOLDER [MUONS [SEED]]

ACTS' generic detector, its pixel volumes in a field of 2 T. The chain runs twice, with ACTS' own
clusters and with mote's, which reach it as the measurements that `mote clusters --format acts`
writes. Both chains find the same tracks. FOLDER receives the files of both, and tracks.png. Needs the packages mote,
pyacts and matplotlib.
"""

import csv
import json
import pathlib
import subprocess
import sys

import acts
import acts.examples
import acts.examples.json
import numpy
from acts.examples import reconstruction, simulation

UNIT = acts.UnitConstants
FIELD = 2  # T
ROWS, COLUMNS, PITCH = 336, 1440, 0.05  # mm; bins along local 0 and 1
VOLUMES = (7, 8, 9)
EVENT = "event000000000-"


def digitisation():
    """Pixels of the three volumes, as ACTS reads them from JSON."""
    axes = [{"bins": bins, "min": -bins * PITCH / 2, "max": bins * PITCH / 2, "option": "open",
             "type": "equidistant", "value": name}
            for bins, name in ((ROWS, "binX"), (COLUMNS, "binY"))]
    geometric = {"indices": [0, 1], "segmentation": {"binningdata": axes}, "digital": False,
                 "thickness": 0.125, "threshold": 0.0,
                 "charge-smearing": {"type": "Gauss", "mean": 0.0, "stddev": 0.0}}
    return {"acts-geometry-hierarchy-map": {"format-version": 0,
                                            "value-identifier": "digitization-configuration"},
            "entries": [{"volume": volume, "value": {"geometric": geometric}}
                        for volume in VOLUMES]}


class AllMeasurements(acts.examples.IAlgorithm):
    """Offers all measurements to the track finder, as ACTS' own digitisation does."""

    def __init__(self):
        super().__init__("AllMeasurements", acts.logging.WARNING)
        kinds = acts.examples.MeasurementContainer, acts.examples.MeasurementSubset
        self.all = acts.examples.ReadDataHandle(self, kinds[0], "all")
        self.subset = acts.examples.WriteDataHandle(self, kinds[1], "subset")
        self.all.initialize("measurements")
        self.subset.initialize("measurement_subset")

    def execute(self, context):
        """Called by ACTS for each event."""
        measurements = self.all(context.eventStore)
        self.subset(context, acts.examples.MeasurementSubset(measurements,
                                                             range(len(measurements))))
        return acts.examples.ProcessCode.SUCCESS


def chain(folder, muons, seed, measurements=None):
    """Simulates and finds tracks; measurements: a folder of CSV files, or None for ACTS' own."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "digitisation.json").write_text(json.dumps(digitisation()))
    (folder / "layers.json").write_text(json.dumps([{"volume": volume} for volume in VOLUMES]))
    geometry = acts.examples.GenericDetector().trackingGeometry()
    field = acts.ConstantBField(acts.Vector3(0, 0, FIELD * UNIT.T))
    random = acts.examples.RandomNumbers(seed=seed)
    run = acts.examples.Sequencer(events=1, numThreads=1, logLevel=acts.logging.WARNING)
    simulation.addParticleGun(
        run, simulation.MomentumConfig(1 * UNIT.GeV, 10 * UNIT.GeV, True),
        simulation.EtaConfig(-2.5, 2.5, True),
        simulation.ParticleConfig(muons, acts.PdgParticle.eMuon, True), rnd=random)
    simulation.addFatras(run, geometry, field, rnd=random)
    if measurements is None:
        simulation.addDigitization(
            run, geometry, field, digiConfigFile=str(folder / "digitisation.json"), rnd=random,
            doMerge=True, mergeCommonCorner=True, outputDirCsv=str(folder))
    else:
        run.addReader(acts.examples.CsvMeasurementReader(
            level=acts.logging.WARNING, inputDir=str(measurements), inputSimHits="simhits",
            outputMeasurements="measurements",
            outputMeasurementSimHitsMap="measurement_simhits_map",
            outputMeasurementParticlesMap="measurement_particles_map", outputClusters="clusters"))
        subset = AllMeasurements()
        run.addAlgorithm(subset)
        run.addWriter(acts.examples.CsvMeasurementWriter(  # in their new numbering
            level=acts.logging.WARNING, inputMeasurements="measurements", inputClusters="clusters",
            inputMeasurementSimHitsMap="measurement_simhits_map", outputDir=str(folder)))
    find_tracks(run, geometry, field, folder, random)
    run.run()


def find_tracks(run, geometry, field, folder, random):
    """Seeds of three measurements, a combinatorial Kalman filter, and of tracks that share more
    than two measurements the best; those of four measurements or more go to tracks.csv."""
    length = UNIT.mm
    reconstruction.addSeeding(
        run, geometry, field, reconstruction.SeedFinderConfigArg(
            r=(None, 200 * length), deltaR=(1 * length, 60 * length),
            z=(-2000 * length, 2000 * length),
            collisionRegion=(-250 * length, 250 * length), impactMax=3 * length, maxSeedsPerSpM=1,
            minPt=500 * UNIT.MeV, sigmaScattering=5, radLengthPerSeed=0.1),
        reconstruction.SeedFinderOptionsArg(bFieldInZ=FIELD * UNIT.T),
        geoSelectionConfigFile=str(folder / "layers.json"), selectedParticles="particles",
        rnd=random)
    reconstruction.addCKFTracks(run, geometry, field, writeTrackSummary=False,
                                writePerformance=False)
    reconstruction.addAmbiguityResolution(
        run, reconstruction.AmbiguityResolutionConfig(maximumSharedHits=2, nMeasurementsMin=4),
        writeTrackSummary=False, writePerformance=False)
    run.addWriter(acts.examples.CsvTrackWriter(
        level=acts.logging.WARNING, inputTracks="ambi_tracks", outputDir=str(folder),
        inputMeasurementParticlesMap="measurement_particles_map", fileName="tracks.csv",
        nMeasurementsMin=4))


def read(path, names):
    """Returns the columns of a CSV file as arrays of float64, identifiers as uint64."""
    with open(path, encoding="latin-1") as file:
        rows = list(csv.DictReader(file))
    return {name: numpy.array([row[name] for row in rows]).astype(
        "u8" if name.endswith("_id") else "f8") for name in names}


def write(path, columns):
    """Writes a CSV file with named columns."""
    with open(path, "w", newline="", encoding="latin-1") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)
        out.writerows(zip(*columns.values()))


def write_measurements(source, folder):
    """Clusters a folder's cells; writes measurements, and the other files that ACTS reads, to another folder.

    Returns: the number of each cell's cluster, and the cells' columns.
    """
    folder.mkdir(parents=True, exist_ok=True)
    measurements, labels = folder / (EVENT + "measurements.csv"), folder / "labels.csv"
    subprocess.run([pathlib.Path(sys.executable).with_name("mote"), "clusters", "--quiet",
                    source / (EVENT + "cells.csv"), "--format", "acts", "--pitch",
                    f"{PITCH},{PITCH}", "--size", f"{ROWS}x{COLUMNS}", "-o", measurements,
                    "--labels", labels], check=True)
    cells = read(source / (EVENT + "cells.csv"),
                 ["geometry_id", "measurement_id", "channel0", "channel1", "value"])
    # Measurements ascend by module, and by the clusters' numbers in each.
    modules = read(measurements, ["geometry_id"])["geometry_id"]
    begin = numpy.searchsorted(modules, cells["geometry_id"])
    number = begin + read(labels, ["cluster_id"])["cluster_id"].astype(int)
    write(folder / (EVENT + "cells.csv"),
          {"geometry_id": cells["geometry_id"], "measurement_id": number,
           "channel0": cells["channel0"].astype(int), "channel1": cells["channel1"].astype(int),
           "timestamp": numpy.zeros(len(number), int), "value": cells["value"]})
    # ACTS' own measurements define, cell by cell, which simulated hit is in which cluster.
    hits = read(source / (EVENT + "measurement-simhit-map.csv"), ["measurement_id", "hit_id"])
    own = numpy.zeros(int(cells["measurement_id"].max(initial=0)) + 1, int)
    own[cells["measurement_id"]] = number
    write(folder / (EVENT + "measurement-simhit-map.csv"),
          {"measurement_id": own[hits["measurement_id"]], "hit_id": hits["hit_id"]})
    return number, cells


def place(module, local):
    """Returns where local places of modules are in the detector, (clusters, 3) in mm."""
    geometry = acts.examples.GenericDetector().trackingGeometry()  # the surfaces exist as long as it does
    surfaces = {identifier.value: surface
                for identifier, surface in geometry.geoIdSurfaceMap().items()}
    context, along = acts.GeometryContext.dangerouslyDefaultConstruct(), acts.Vector3(0, 0, 1)
    found = [surfaces[number].localToGlobal(context, acts.Vector2(*where), along)
             for number, where in zip(module.tolist(), local.tolist())]
    return numpy.array([[where[k] for k in range(3)] for where in found]).reshape(-1, 3)


def tracks(folder):
    """Returns the measurements of each track of a folder, and the tracks' pseudorapidities."""
    with open(folder / (EVENT + "tracks.csv"), encoding="latin-1") as file:
        rows = list(csv.DictReader(file))
    found = [[int(number) for number in row["Measurements_ID"].strip("[],").split(",")]
             for row in rows]
    return found, [float(row["eta"]) for row in rows]


def measured(folder):
    """Returns where a folder's measurements are in the detector, (n, 3) in mm, by their numbers."""
    at = read(folder / (EVENT + "measurements.csv"), ["geometry_id", "local0", "local1"])
    return place(at["geometry_id"], numpy.stack([at["local0"], at["local1"]], axis=1))


def draw(folder):
    """Draws tracks.png: the barrel perpendicular to the beam, and the number of tracks in each direction."""
    from matplotlib import pyplot
    figure, (across, along) = pyplot.subplots(1, 2, figsize=(13, 6.5), width_ratios=[1, 0.8])
    styles = {"acts": ("ACTS' clusters", "#f2a65a", 3.0),
              "mote": ("mote's clusters", "#1b4965", 0.8)}
    for name, (label, colour, width) in styles.items():
        x, y, z = measured(folder / name).T
        found, etas = tracks(folder / name)
        for numbers in found:
            line = sorted((k for k in numbers if abs(z[k]) < 600),
                          key=lambda k: numpy.hypot(x[k], y[k]))
            across.plot(x[line], y[line], color=colour, linewidth=width, zorder=width < 2)
        across.plot([], [], color=colour, linewidth=width, label=f"{label}: {len(found)} tracks")
        along.hist(etas, bins=25, range=(-2.5, 2.5), histtype="step", color=colour,
                   linewidth=width, label=label)
    barrel = abs(z) < 600
    across.plot(x[barrel], y[barrel], ".", color="0.55", markersize=3, zorder=3,
                label="mote's clusters, |z| < 600 mm")
    across.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal")
    along.set(xlabel="pseudorapidity", ylabel="tracks")
    for axes in (across, along):
        axes.legend(loc="upper right", fontsize=8)
    figure.tight_layout()
    figure.savefig(folder / "tracks.png", dpi=110)


def main():
    """The whole chain."""
    folder = pathlib.Path(sys.argv[1])
    muons = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    chain(folder / "acts", muons, seed)
    number, _ = write_measurements(folder / "acts", folder / "measurements")
    chain(folder / "mote", muons, seed, measurements=folder / "measurements")
    draw(folder)
    for name in ("acts", "mote"):
        print(f"{name}: {len(tracks(folder / name)[0])} tracks of {muons} muons")
    print(f"{len(number)} pixels in {len(set(number.tolist()))} clusters")


if __name__ == "__main__":
    main()
