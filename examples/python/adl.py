#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The eight queries of the IRIS-HEP benchmark of analysis description languages, on one device.

    python3 adl.py FOLDER [EVENTS [SEED]]

The program makes a file of events like CMS' NanoAOD, answers each query with mote, compares the
answers with awkward's and with those of plain Python loops over the first events, and prints the
times. FOLDER receives events.npz and adl.svg, a page with the histograms. Needs the packages mote
and awkward. The queries: https://github.com/iris-hep/adl-benchmarks-index
"""

import itertools
import math
import pathlib
import sys
import time

import awkward as ak
import mote
import mote.awkward
import numpy

LOOPED = 1000  # events for plain loops
LEPTON = ("pt", "eta", "phi", "mass", "charge", "flavor")
COLUMNS = {"Jet": ("pt", "eta", "phi", "mass", "btag"), "Muon": LEPTON[:5], "Electron": LEPTON[:5]}


# ---- events ------------------------------------------------------------------------------------

def decay(rng, bosons):
    """Returns pt, eta and phi of two massless leptons from each of some Z bosons: (2, bosons) each."""
    mass = 91.2 + 1.25 * numpy.clip(rng.standard_cauchy(bosons), -30, 30)
    pt, phi, rapidity = rng.exponential(15, bosons), rng.uniform(-math.pi, math.pi, bosons), rng.normal(0, 1.2, bosons)
    energy = numpy.sqrt(mass ** 2 + pt ** 2)
    boson = numpy.array([pt * numpy.cos(phi), pt * numpy.sin(phi), energy * numpy.sinh(rapidity),
                         energy * numpy.cosh(rapidity)])
    cosine, angle = rng.uniform(-1, 1, bosons), rng.uniform(-math.pi, math.pi, bosons)
    sine = numpy.sqrt(1 - cosine ** 2)
    at_rest = mass / 2 * numpy.array([sine * numpy.cos(angle), sine * numpy.sin(angle), cosine])
    beta, gamma = boson[:3] / boson[3], boson[3] / mass
    along = (beta * at_rest).sum(axis=0)
    boosted = at_rest + beta * (gamma ** 2 / (gamma + 1) * along + gamma * mass / 2)
    both = numpy.stack([boosted, boson[:3] - boosted])
    transverse = numpy.hypot(both[:, 0], both[:, 1])
    return transverse, numpy.arcsinh(both[:, 2] / transverse), numpy.arctan2(both[:, 1], both[:, 0])


def particles(rng, counts, mass):
    """Returns the columns of particles that come from no boson."""
    n = counts.sum()
    pt = 8 + rng.exponential(22, n)
    return {"pt": pt, "eta": rng.normal(0, 1.3, n), "phi": rng.uniform(-math.pi, math.pi, n),
            "mass": mass * pt if mass < 1 else numpy.full(n, mass), "charge": rng.choice([-1, 1], n)}


def leptons(rng, events, mean, share, mass):
    """Returns counts and columns of leptons: some events have two from a Z boson, in front."""
    others = rng.poisson(mean, events)
    with_boson = rng.random(events) < share
    counts = others + 2 * with_boson
    columns = particles(rng, counts, 0)
    first = numpy.cumsum(counts)[with_boson] - counts[with_boson]
    for k, column in zip(("pt", "eta", "phi"), decay(rng, with_boson.sum())):
        columns[k][first], columns[k][first + 1] = column
    columns["charge"][first + 1] = -columns["charge"][first]
    columns["mass"][:] = mass
    return counts, columns


def make_events(path, events, seed):
    """Writes a file with numbers of particles per event, and their columns."""
    rng = numpy.random.default_rng(seed)
    jets = rng.poisson(4.5, events)
    found = {"Jet": (jets, particles(rng, jets, 0.12) | {"btag": rng.beta(0.6, 2.2, jets.sum())}),
             "Muon": leptons(rng, events, 0.5, 0.15, 0.1057),
             "Electron": leptons(rng, events, 0.4, 0.1, 0.000511)}
    columns = {"MET_pt": rng.rayleigh(22, events), "MET_phi": rng.uniform(-math.pi, math.pi, events)}
    for name, (counts, of) in found.items():
        columns[f"n{name}"] = counts
        columns |= {f"{name}_{word}": of[word] for word in COLUMNS[name]}
    numpy.savez(path, **{name: column.astype("i4" if column.dtype.kind == "i" else "f4")
                         for name, column in columns.items()})


def read_events(path):
    """Returns missing energy, jets, muons and electrons, in float64 so that all programs cut alike."""
    file = numpy.load(path)

    def column(name):
        values = file[name]
        return values.astype("f8") if values.dtype.kind == "f" else values.astype("i8")

    def lists(name, flavor):
        of = {word: column(f"{name}_{word}") for word in COLUMNS[name]}
        if flavor:
            of["flavor"] = numpy.full(len(of["pt"]), flavor)
        return ak.unflatten(ak.zip(of), file[f"n{name}"])

    met = ak.zip({"pt": column("MET_pt"), "phi": column("MET_phi")})
    return ak.zip({"met": met, "jet": lists("Jet", 0), "muon": lists("Muon", 13),
                   "electron": lists("Electron", 11)}, depth_limit=1)


# ---- kinematics --------------------------------------------------------------------------------

def momentum(*particles):
    """Returns the sum of four-momenta: px, py, pz and energy."""
    px = sum(p.pt * numpy.cos(p.phi) for p in particles)
    py = sum(p.pt * numpy.sin(p.phi) for p in particles)
    pz = sum(p.pt * numpy.sinh(p.eta) for p in particles)
    energy = sum(numpy.sqrt((p.pt * numpy.cosh(p.eta)) ** 2 + p.mass ** 2) for p in particles)
    return px, py, pz, energy


def mass(*particles):
    """Returns the invariant mass of some particles."""
    px, py, pz, energy = momentum(*particles)
    return numpy.sqrt(numpy.maximum(energy ** 2 - px ** 2 - py ** 2 - pz ** 2, 0))


def turn(a, b):
    """Returns the angle between two directions in the transverse plane, from -pi to pi."""
    return (a.phi - b.phi + math.pi) % (2 * math.pi) - math.pi


# ---- queries -----------------------------------------------------------------------------------

def query_1(events):
    return events.met.pt


def query_2(events):
    return ak.flatten(events.jet.pt)


def query_3(events):
    return ak.flatten(mote.awkward.filter(events.jet.pt, abs(events.jet.eta) < 1))


def query_4(events):
    return events.met.pt[mote.awkward.count_nonzero(events.jet.pt > 40) >= 2]


def query_5(events):
    pairs = mote.awkward.combinations(events.muon, 2, fields=["a", "b"])
    m = mass(pairs.a, pairs.b)
    good = (pairs.a.charge != pairs.b.charge) & (m > 60) & (m < 120)
    return events.met.pt[mote.awkward.any(good)]


def query_6(events):
    trijets = mote.awkward.combinations(events.jet, 3, fields=["a", "b", "c"])
    trijets = trijets[mote.awkward.num(trijets) > 0]
    off = abs(mass(trijets.a, trijets.b, trijets.c) - 172.5)
    best = trijets[mote.awkward.argmin(off, keepdims=True)][:, 0]
    px, py, *_ = momentum(best.a, best.b, best.c)
    btag = numpy.maximum(numpy.maximum(best.a.btag, best.b.btag), best.c.btag)
    return numpy.hypot(px, py), btag


def query_7(events):
    lepton = ak.concatenate([events.muon, events.electron], axis=1)
    lepton = mote.awkward.filter(lepton, lepton.pt > 10)
    jet = mote.awkward.filter(events.jet, events.jet.pt > 30)
    pairs = mote.awkward.cartesian({"jet": jet, "lepton": lepton})
    near = numpy.hypot(pairs.jet.eta - pairs.lepton.eta, turn(pairs.jet, pairs.lepton)) < 0.4
    # The pairs of a jet are adjacent; their number is the number of leptons in its event.
    leptons = mote.awkward.num(lepton)
    of_jets = ak.unflatten(ak.flatten(near), ak.flatten(ak.broadcast_arrays(leptons, jet.pt)[0]))
    alone = ak.unflatten(~mote.awkward.any(of_jets), mote.awkward.num(jet))
    return mote.awkward.sum(mote.awkward.filter(jet.pt, alone))


def query_8(events):
    lepton = ak.concatenate([events.muon, events.electron], axis=1)
    lepton["index"] = mote.awkward.local_index(lepton.pt)
    pairs = mote.awkward.combinations(lepton, 2, fields=["a", "b"])
    good = (pairs.a.flavor == pairs.b.flavor) & (pairs.a.charge != pairs.b.charge)
    pairs = mote.awkward.filter(pairs, good)
    chosen = (mote.awkward.num(lepton.pt) >= 3) & (mote.awkward.num(pairs.a.pt) > 0)
    lepton, pairs, met = lepton[chosen], pairs[chosen], events.met[chosen]
    off = abs(mass(pairs.a, pairs.b) - 91.2)
    best = pairs[mote.awkward.argmin(off, keepdims=True)][:, 0]
    others = (lepton.index != best.a.index) & (lepton.index != best.b.index)
    others = mote.awkward.filter(lepton, others)
    other = others[mote.awkward.argmax(others.pt, keepdims=True)][:, 0]
    return numpy.sqrt(2 * met.pt * other.pt * (1 - numpy.cos(turn(met, other))))


QUERIES = (query_1, query_2, query_3, query_4, query_5, query_6, query_7, query_8)


# ---- awkward -----------------------------------------------------------------------------------

def with_awkward(events):
    """Returns functions of awkward alone that answer the queries."""
    met, jet = events.met, events.jet

    def pairs_of_muons():
        a, b = ak.unzip(ak.combinations(events.muon, 2))
        m = mass(a, b)
        return met.pt[ak.any((a.charge != b.charge) & (m > 60) & (m < 120), axis=1)]

    def trijet():
        jets = jet[ak.num(jet.pt) >= 3]
        best = ak.combinations(jets, 3)
        best = best[ak.argmin(abs(mass(*ak.unzip(best)) - 172.5), axis=1, keepdims=True)]
        a, b, c = ak.unzip(ak.flatten(best))
        px, py, *_ = momentum(a, b, c)
        return numpy.hypot(px, py), ak.max([a.btag, b.btag, c.btag], axis=0)

    def jets_alone():
        lepton = ak.concatenate([events.muon, events.electron], axis=1)
        jets = jet[jet.pt > 30]
        a, b = ak.unzip(ak.cartesian([jets, lepton[lepton.pt > 10]], nested=True))
        near = ak.any(numpy.hypot(a.eta - b.eta, turn(a, b)) < 0.4, axis=2)
        return ak.sum(jets.pt[~near], axis=1)

    def third_lepton():
        lepton = ak.concatenate([events.muon, events.electron], axis=1)
        a, b = ak.unzip(ak.combinations(lepton, 2))
        i, j = ak.unzip(ak.argcombinations(lepton, 2))
        good = (a.flavor == b.flavor) & (a.charge != b.charge)
        chosen = (ak.num(lepton.pt) >= 3) & ak.any(good, axis=1)
        off = abs(mass(a, b) - 91.2)[good][chosen]
        best = ak.argmin(off, axis=1, keepdims=True)
        i, j = ak.flatten(i[good][chosen][best]), ak.flatten(j[good][chosen][best])
        lepton, missing = lepton[chosen], met[chosen]
        at = ak.local_index(lepton.pt)
        others = lepton[(at != i) & (at != j)]
        other = ak.flatten(others[ak.argmax(others.pt, axis=1, keepdims=True)])
        return numpy.sqrt(2 * missing.pt * other.pt * (1 - numpy.cos(turn(missing, other))))

    return (lambda: met.pt, lambda: ak.flatten(jet.pt), lambda: ak.flatten(jet.pt[abs(jet.eta) < 1]),
            lambda: met.pt[ak.sum(jet.pt > 40, axis=1) >= 2], pairs_of_muons, trijet, jets_alone,
            third_lepton)


# ---- plain loops -------------------------------------------------------------------------------

def four(*particles):
    """Returns the transverse momentum and the mass of the sum of particles."""
    px = sum(p["pt"] * math.cos(p["phi"]) for p in particles)
    py = sum(p["pt"] * math.sin(p["phi"]) for p in particles)
    pz = sum(p["pt"] * math.sinh(p["eta"]) for p in particles)
    energy = sum(math.hypot(p["pt"] * math.cosh(p["eta"]), p["mass"]) for p in particles)
    return math.hypot(px, py), math.sqrt(max(energy ** 2 - px ** 2 - py ** 2 - pz ** 2, 0))


def distance(a, b):
    """Returns the distance of two directions in eta and phi."""
    return math.hypot(a["eta"] - b["eta"], math.remainder(a["phi"] - b["phi"], 2 * math.pi))


def with_loops(events):
    """Returns the answers of plain loops: lists of numbers in the order of QUERIES."""
    answers = [[], [], [], [], [], ([], []), [], []]
    for event in events.to_list():
        met, jets, muons = event["met"], event["jet"], event["muon"]
        leptons = muons + event["electron"]
        answers[0].append(met["pt"])
        answers[1] += [jet["pt"] for jet in jets]
        answers[2] += [jet["pt"] for jet in jets if abs(jet["eta"]) < 1]
        if sum(jet["pt"] > 40 for jet in jets) >= 2:
            answers[3].append(met["pt"])
        if any(a["charge"] != b["charge"] and 60 < four(a, b)[1] < 120
               for a, b in itertools.combinations(muons, 2)):
            answers[4].append(met["pt"])
        if len(jets) >= 3:
            best = min(itertools.combinations(jets, 3), key=lambda three: abs(four(*three)[1] - 172.5))
            answers[5][0].append(four(*best)[0])
            answers[5][1].append(max(jet["btag"] for jet in best))
        answers[6].append(sum(jet["pt"] for jet in jets if jet["pt"] > 30 and not any(
            lepton["pt"] > 10 and distance(jet, lepton) < 0.4 for lepton in leptons)))
        pairs = [pair for pair in itertools.combinations(leptons, 2)
                 if pair[0]["flavor"] == pair[1]["flavor"] and pair[0]["charge"] != pair[1]["charge"]]
        if len(leptons) >= 3 and pairs:
            best = min(pairs, key=lambda pair: abs(four(*pair)[1] - 91.2))
            other = max((lepton for lepton in leptons if lepton not in best), key=lambda p: p["pt"])
            answers[7].append(math.sqrt(2 * met["pt"] * other["pt"]
                                        * (1 - math.cos(met["phi"] - other["phi"]))))
    return answers


# ---- the page ----------------------------------------------------------------------------------

PANELS = (("1: missing energy [GeV]", 100), ("2: pt of jets [GeV]", 150),
          ("3: pt of jets with |eta| < 1 [GeV]", 150), ("4: missing energy, two jets above 40 GeV", 100),
          ("5: missing energy, muon pair of 60 to 120 GeV", 100), ("6: pt of the best trijet [GeV]", 250),
          ("6: largest b-tag of the trijet", 1), ("7: sum of pt of jets far from leptons [GeV]", 300),
          ("8: transverse mass of the third lepton [GeV]", 200))
WIDTH, HEIGHT, BINS = 300, 190, 50


def panel(k, title, counts, most):
    """Returns a histogram as a part of an SVG."""
    x, y, high = 10 + k % 3 * WIDTH, 24 + k // 3 * HEIGHT, max(counts.max(), 1)
    wide, tall = WIDTH - 24, HEIGHT - 56
    steps = "".join(f"V{tall - tall * count / high:.1f}H{(i + 1) * wide / len(counts):.1f}"
                    for i, count in enumerate(counts))
    return (f'<g transform="translate({x},{y})"><path class="bars" d="M0 {tall}{steps}V{tall}Z"/>'
            f'<path class="axis" d="M0 0V{tall}H{wide}"/><text y="-6">{title.replace("<", "&lt;")}</text>'
            f'<text y="{tall + 15}">0</text><text x="{wide}" y="{tall + 15}" text-anchor="end">{most}</text>'
            f'<text x="{wide}" y="8" text-anchor="end">{high}</text></g>')


def draw(path, answers):
    """Writes the page: the histograms that mote makes of the answers."""
    flat = [numpy.asarray(part) for answer in answers
            for part in (answer if isinstance(answer, tuple) else (answer,))]
    parts = [panel(k, title, mote.histogram(values, BINS, range=(0, most))[0], most)
             for k, (values, (title, most)) in enumerate(zip(flat, PANELS))]
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {3 * WIDTH} {3 * HEIGHT}" '
                    f'width="{3 * WIDTH}" role="img"><title>Histograms of the eight queries</title><style>text{{font:11px sans-serif}}.bars{{fill:#4477aa}}'
                    '.axis{fill:none;stroke:#222222}</style><rect width="100%" height="100%" fill="#ffffff"/>'
                    + "\n".join(parts) + "</svg>\n", encoding="utf-8")


# ------------------------------------------------------------------------------------------------

def equal(got, expected):
    """Whether two answers are equal, but for rounding."""
    if isinstance(got, tuple):
        return all(map(equal, got, expected))
    return len(got) == len(expected) and numpy.allclose(got, expected, rtol=1e-9, atol=1e-9)


def best_time(call):
    """Returns the shorter of the times of two calls in milliseconds, and the result."""
    times = []
    for _ in range(2):
        start = time.perf_counter()
        result = call()
        times.append(1000 * (time.perf_counter() - start))
    return min(times), result


def main(folder, events=5000, seed=1):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    make_events(folder / "events.npz", int(events), int(seed))
    found = read_events(folder / "events.npz")
    looped = with_loops(found[:LOOPED])
    answers = []
    print(f"{mote.default_context().device.name}: {len(found)} events\n"
          f"{'query':>5} {'entries':>9} {'mote, ms':>9} {'awkward, ms':>11}")
    for k, (query, other) in enumerate(zip(QUERIES, with_awkward(found))):
        taken, answer = best_time(lambda: query(found))
        others, expected = best_time(other)
        for name, got, wanted in (("awkward", answer, expected),
                                  ("plain loops", query(found[:LOOPED]), looped[k])):
            if not equal(got, wanted):
                sys.exit(f"adl: query {k + 1}: mote and {name} differ")
        entries = len(answer[0] if isinstance(answer, tuple) else answer)
        print(f"{k + 1:>5} {entries:>9} {taken:>9.1f} {others:>11.1f}")
        answers.append(answer)
    draw(folder / "adl.svg", answers)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
