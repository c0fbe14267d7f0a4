# SPDX-License-Identifier: Apache-2.0
"""Tests an analysis of a file like NanoAOD: sums, the hardest jet, and pairs of muons of each event."""

import mote
import numpy
import pytest

uproot = pytest.importorskip("uproot")
ak = pytest.importorskip("awkward")


@pytest.fixture
def events(rng, tmp_path):
    """Writes a ROOT file with jets and muons, and reads it."""
    made = {}
    for name, mean in (("Jet", 4), ("Muon", 1.5)):
        counts = rng.poisson(mean, 2000)
        n = counts.sum()
        made[name] = ak.zip({
            "pt": ak.unflatten(rng.exponential(30, n).astype("f4"), counts),
            "eta": ak.unflatten(rng.normal(0, 2, n).astype("f4"), counts),
            "phi": ak.unflatten(rng.uniform(-3.14, 3.14, n).astype("f4"), counts),
            "charge": ak.unflatten(rng.choice([-1, 1], n).astype("i4"), counts)})
    with uproot.recreate(tmp_path / "events.root") as file:
        file.mktree("Events", {name: array.type for name, array in made.items()}).extend(made)
    with uproot.open(tmp_path / "events.root") as file:
        yield file["Events"]


def test_sums_and_the_hardest_jet(events):
    pt = events["Jet_pt"].array()
    assert numpy.allclose(mote.awkward.sum(pt), ak.sum(pt, axis=1), rtol=1e-5)
    assert mote.awkward.argmax(pt).to_list() == ak.argmax(pt, axis=1).to_list()
    assert mote.awkward.max(pt).to_list() == ak.max(pt, axis=1).to_list()
    assert mote.awkward.num(pt).to_list() == events["nJet"].array().to_list()


def test_masses_of_muon_pairs(events):
    def masses(pairs):
        a, b = ak.unzip(pairs)
        return numpy.sqrt(2 * a.pt * b.pt * (numpy.cosh(a.eta - b.eta) - numpy.cos(a.phi - b.phi)))

    names = ("pt", "eta", "phi", "charge")
    muons = ak.zip({name: events["Muon_" + name].array() for name in names})
    pairs, expected = mote.awkward.combinations(muons), ak.combinations(muons, 2)
    assert pairs.to_list() == expected.to_list()
    assert masses(pairs).to_list() == masses(expected).to_list()
