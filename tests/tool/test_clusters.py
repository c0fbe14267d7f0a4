# SPDX-License-Identifier: Apache-2.0
"""Compares mote clusters with plain Python, on both kinds of files."""
import gzip
import math
import os
import struct
import threading

from driver import LABEL_HEADER, Case, long, main, needs_zlib, rows, shared
from oracle import cluster, random_digis

WHOLE = ["event", "module_id", "cluster_id", "size", "charge", "x_min", "x_max", "y_min", "y_max",
         "first_digi"]


def as_csv(digis):
    return "event,module_id,x,y,adc\n" + "".join("%d,%d,%d,%d,%d\n" % d for d in digis)


def as_bin(events, modules=10, rows=64, columns=48, magic=0x47494450):
    data = struct.pack("<5I", magic, len(events), modules, rows, columns)
    for event in events:
        data += struct.pack("<I", len(event))
        for k in range(4):
            data += struct.pack(f"<{len(event)}H", *[d[k] for d in event])
    return data


class Against(Case):
    def compare(self, digis, path, *options, **how):
        clusters, labels = cluster(digis, **how)
        self.good("clusters", path, *options, "-o", self.path("c.csv"), "--labels",
                  self.path("l.csv"))
        found = rows(self.read("c.csv"))
        self.assertEqual(len(found), len(clusters))
        for got, expected in zip(found, clusters):
            self.assertEqual([int(got[k]) for k in WHOLE], [expected[k] for k in WHOLE])
            for k in ["x", "y", "x_var", "y_var"]:
                self.assertTrue(math.isclose(float(got[k]), expected[k], rel_tol=6e-9, abs_tol=1e-12),
                                (k, got, expected))
        found = rows(self.read("l.csv"))
        self.assertEqual([int(r["cluster_id"]) for r in found], labels)
        self.assertEqual([tuple(int(r[k]) for k in ["module_id", "x", "y", "adc"]) for r in found],
                         [d[1:] for d in digis])
        return clusters

    def test_random(self):
        digis = random_digis(1, 1500, [3, 7, 8], 32, 24)
        self.compare(digis, self.write("a.csv", as_csv(digis)))

    def test_connectivity(self):
        digis = random_digis(2, 600, [3], 40, 24)
        path = self.write("a.csv", as_csv(digis))
        eight = self.compare(digis, path, "--connectivity", 8)
        four = self.compare(digis, path, "--connectivity", 4, connectivity=4)
        self.assertGreater(len(four), len(eight))

    @long
    def test_duplicates(self):
        digis = random_digis(3, 900, [2**40, 5], 30, 20)
        path = self.write("a.csv", as_csv(digis))
        for policy in ["drop", "first", "sum", "max"]:
            self.compare(digis, path, "--duplicates", policy, policy=policy)

    @long
    def test_strategies(self):
        digis = random_digis(5, 500, [3, 9], 25, 40)
        path = self.write("a.csv", as_csv(digis))
        for strategy in ["auto", "union_find", "histogram"]:
            self.compare(digis, path, "--strategy", strategy)

    @long
    def test_threshold_and_duplicates(self):
        digis = random_digis(4, 900, [1, 2], 30, 20)
        path = self.write("a.csv", as_csv(digis))
        self.compare(digis, path, "--threshold", 50, threshold=50)
        self.compare(digis, path, "--threshold", 50, "--duplicates", "sum", threshold=50, policy="sum")

    def charge_cuts(self, modules):
        digis = random_digis(5, 500, modules, 40, 40)
        path = self.write("a.csv", as_csv(digis))
        self.compare(digis, path, "--charge-cut", 150, cut=lambda module: 150)
        self.compare(digis, path, "--charge-cut", "100,250", "--inner-modules", 2,
                     cut=lambda module: 100 if module < 2 else 250)
        self.compare(digis, path, "--charge-cut", "100,0", "--inner-modules", 3,
                     cut=lambda module: 100 if module < 3 else 0)
        self.compare(digis, path, "--charge-cut", "100,250", "--inner-modules", 2**49,
                     cut=lambda module: 100 if module < 2**49 else 250)

    def test_charge_cuts(self):
        self.charge_cuts([1, 2, 2**50])

    @long
    def test_charge_cuts_of_small_ids(self):
        self.charge_cuts([1, 2, 9])

    @long
    def test_invalid_module(self):
        digis = random_digis(6, 400, [0, 1, 2], 20, 20)
        path = self.write("a.csv", as_csv(digis))
        for invalid in [0, 1, 2]:
            self.compare(digis, path, "--invalid-module", invalid, invalid=invalid)

    @long
    def test_interleaved_events(self):
        digis = random_digis(7, 2000, [3, 4], 20, 20, events=[9, 2, 5])
        self.compare(digis, self.write("a.csv", as_csv(digis)))

    @long
    def test_charge_zero(self):
        digis = [(0, 1, 0, 0, 0), (0, 1, 1, 1, 0), (0, 1, 5, 5, 0)]
        self.compare(digis, self.write("a.csv", as_csv(digis)))

    @long
    def test_order_of_input_does_not_matter(self):
        digis = sorted(set(random_digis(8, 800, [3, 4], 30, 30)))
        one = self.good("clusters", self.write("a.csv", as_csv(digis))).out
        two = self.good("clusters", self.write("b.csv", as_csv(digis[::-1]))).out
        cut = lambda text: [line.split(",")[:11] + line.split(",")[12:] for line in text.splitlines()]
        self.assertEqual(cut(one), cut(two))

    def test_many_small_events(self):
        digis = random_digis(9, 3000, [2**33 + 1, 6, 7], 6, 6, events=list(range(700)))
        self.compare(digis, self.write("a.csv", as_csv(digis)))

    @long
    def test_generated(self):
        self.good("generate", "events", "--topology", "48x64", "--events", 1, "-o", self.path("g.csv"))
        digis = [tuple(int(v) for v in line.split(",")) for line in
                 self.read("g.csv").splitlines()[1:]]
        digis = [d for d in digis if d[1] < 60]
        self.assertGreater(len(digis), 100)
        self.compare(digis, self.write("part.csv", as_csv(digis)))


class Files(Case):
    def events(self):
        digis = random_digis(11, 900, [0, 3, 9, 65534], 64, 48, events=[0, 1, 2])
        return [[d[1:] for d in digis if d[0] == e] for e in range(3)]

    def test_bin(self):
        events = self.events()
        path = self.write("a.bin", as_bin(events))
        text = as_csv([(e, *d) for e, event in enumerate(events) for d in event])
        csv = self.write("a.csv", text)
        expected = self.good("clusters", csv, "--invalid-module", 65534).out
        self.assertEqual(self.good("clusters", path).out, expected)
        self.good("clusters", path, "--labels", self.path("l.csv"))
        labels = self.read("l.csv").splitlines()
        self.assertEqual([line.rsplit(",", 1)[0] for line in labels[1:]],
                         text.splitlines()[1:])
        self.assertEqual({line.split(",")[1]: line.split(",")[5] for line in labels}["65534"], "-1")

    @long
    def test_bin_other_invalid(self):
        events = [[(0, 1, 1, 5), (3, 1, 1, 6)], [(0, 2, 2, 7)]]
        path = self.write("a.bin", as_bin(events))
        found = rows(self.good("clusters", path, "--invalid-module", 0).out)
        self.assertEqual([(r["event"], r["module_id"]) for r in found], [("0", "3")])

    def test_bin_scaled(self):
        path = self.write("a.bin", as_bin([[(0, 1, 1, 50), (0, 1, 2, 50)]]))
        self.assertEqual(rows(self.good("clusters", path, "--adc-scale", "0.1").out)[0]["charge"], "100")

    def test_several_files(self):
        events = self.events()
        a = self.write("a.bin", as_bin(events[:2]))
        b = self.write("b.csv", as_csv([(8, *d) for d in events[2]] + [(7, 1, 1, 1, 1)]))
        c = self.write("c.csv", "module_id,x,y,adc\n")
        d = self.write("d.csv", "module_id,x,y,adc\n4,0,0,1\n")
        result = self.good("clusters", a, b, c, d)
        self.assertEqual(sorted({r["event"] for r in rows(result.out)}), ["0", "1", "2", "3", "5"])
        self.assertIn("in 6 events", result.err)
        self.assertEqual(rows(result.out)[-1]["module_id"], "4")

    @long
    def test_empty_bins(self):
        self.assertEqual(len(rows(self.good("clusters", self.write("a.bin", as_bin([]))).out)), 0)
        self.assertEqual(len(rows(self.good("clusters", self.write("a.bin", as_bin([[], []]))).out)), 0)
        only_invalid = [[(65534, 60000, 60000, 1)] * 3]
        path = self.write("a.bin", as_bin(only_invalid))
        self.assertEqual(len(rows(self.good("clusters", path).out)), 0)

    def test_bad_bins(self):
        good = as_bin(self.events())
        refuse = lambda words, data, *o: self.bad(2, ["bad.bin", *words], "clusters",
                                                  self.write("bad.bin", data), *o)
        refuse(["0x47494450"], as_bin([], magic=0x12345678))
        self.bad(2, ["bad.csv:1", "end in .bin", "--input-format bin"], "clusters",
                 self.write("bad.csv", good))
        for cut in [0, 3, 19, 22, 30, len(good) // 2, len(good) - 1]:
            refuse(["ends"], good[:cut])
        refuse([], good + b"x")
        refuse([], struct.pack("<5I", 0x47494450, 0xffffffff, 1, 1, 1))
        refuse([], struct.pack("<6I", 0x47494450, 1, 1, 1, 1, 0xffffffff))
        for name, size in [("modules", (0, 1, 1)), ("rows", (1, 0, 1)), ("columns", (1, 1, 65537))]:
            refuse([name], as_bin([], *size))
        ok = (0, 0, 0, 0)
        refuse(["event 1, digi 2", "module_id = 10"], as_bin([[ok], [ok, ok, (10, 0, 0, 0)]]))
        refuse(["event 0, digi 0", "x = 64"], as_bin([[(0, 64, 0, 0)]]))
        refuse(["event 0, digi 1", "y = 48"], as_bin([[ok, (0, 0, 48, 0)]]))
        refuse(["event 0, digi 0", "x = 8"], as_bin([[(0, 8, 0, 0)]]), "--size", "8x8")

    def test_bin_from_pipes(self):
        data = as_bin(self.events())
        expected = self.good("clusters", self.write("a.bin", data)).out
        self.assertGreater(len(expected), 10000)
        for words in [[], ["--input-format", "bin"]]:
            self.assertEqual(self.good("clusters", "-", *words, stdin=data).out, expected)
        os.mkfifo(self.path("pipe"))

        def feed():
            with open(self.path("pipe"), "wb") as pipe:
                pipe.write(data)

        writer = threading.Thread(target=feed)
        writer.start()
        self.assertEqual(self.good("clusters", self.path("pipe")).out, expected)
        writer.join()
        self.assertEqual(self.good("clusters", "-", stdin=as_bin([])).out.count("\n"), 1)

    @needs_zlib
    def test_packed_bin(self):
        data = as_bin(self.events())
        expected = self.good("clusters", self.write("a.bin", data)).out
        packed = gzip.compress(data)
        path = self.write("b.BIN.GZ", packed)
        self.assertEqual(self.good("clusters", path).out, expected)
        self.assertEqual(self.good("clusters", "-", stdin=packed).out, expected)
        share = self.good("clusters", path, "--part", "2/2").out
        self.assertTrue(share and expected.endswith(share))
        self.bad(2, ["standard input", "end early"], "clusters", "-", stdin=packed[:-30])

    @long
    def test_input_format(self):
        data = as_bin(self.events())
        path = self.write("a.dat", data)
        self.bad(2, ["a.dat", "--input-format"], "clusters", path)
        expected = self.good("clusters", "-", stdin=data).out
        self.assertEqual(self.good("clusters", path, "--input-format", "bin").out, expected)
        self.assertEqual(self.good("clusters", path, "--input-format", "bin", "--part", "1/1").out,
                         expected)
        self.bad(2, ["standard input:1", "binary digis"], "clusters", "-", "--input-format", "csv",
                 stdin=data)
        text = "module_id,x,y\n1,2,3\n"
        self.bad(2, ["standard input: not a digi event file"], "clusters", "-", "--input-format", "bin",
                 stdin=text)
        self.good("clusters", self.write("b.bin", text), "--input-format", "csv")
        self.bad(1, ["--input-format bin"], "clusters", "-", "--format", "bin")
        self.bad(1, ["--input-format", "csv, bin"], "clusters", "-", "--input-format", "acts")

    @long
    def test_bad_bins_from_pipes(self):
        good = as_bin(self.events())
        for cut in [20, 23, 30, len(good) // 2, len(good) - 1]:
            self.bad(2, [f"standard input: it ends at byte {cut} inside"], "clusters", "-",
                     stdin=good[:cut])
        self.bad(2, [f"which ends at byte {len(good)}"], "clusters", "-", stdin=good + b"x")
        for cut in [0, 1, 4, 19]:  # too short to be distinguished from CSV
            self.bad(2, ["standard input:1"], "clusters", "-", stdin=good[:cut])

    @long
    def test_generated_forms_agree(self):
        arguments = ["generate", "events", "--topology", "40x40", "--events", 3, "--seed", 5]
        self.good(*arguments, "-o", self.path("g.csv"))
        self.good(*arguments, "-o", self.path("g.bin"))
        cut = lambda text: [line.split(",")[:11] + line.split(",")[12:] for line in text.splitlines()]
        a = self.good("clusters", self.path("g.csv")).out
        b = self.good("clusters", self.path("g.bin")).out
        self.assertGreater(len(a), 1000)
        self.assertEqual(cut(a), cut(b))


class Measured(Case):
    def check(self, name, digis, clusters):
        path = shared("data", "timepix", name)
        if not path:
            self.skipTest(f"MOTE_SHARED names no folder ({name})")
        self.good("clusters", path, "-o", self.path("c.csv"), "--labels", self.path("l.csv"))
        with open(path, encoding="utf-8") as file:
            truth = rows(file.read())
        labels = rows(self.read("l.csv"))
        self.assertEqual(self.read("l.csv").split("\n", 1)[0], LABEL_HEADER)
        self.assertEqual(len(labels), digis)
        self.assertEqual([(t["geometry_id"], t["channel0"], t["channel1"], t["measurement_id"])
                          for t in truth],
                         [(r["module_id"], r["x"], r["y"], r["cluster_id"]) for r in labels])
        found = rows(self.read("c.csv"))
        self.assertEqual(len(found), clusters)
        self.assertEqual(sum(int(r["size"]) for r in found), digis)

    def test_alpha(self):
        self.check("alpha_60s.csv", 14395, 3689)

    def test_percolation(self):
        self.check("percolation.csv", 31469, 1195)


if __name__ == "__main__":
    main()
