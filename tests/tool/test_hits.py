# SPDX-License-Identifier: Apache-2.0
"""Compares mote clusters --time-window with plain Python: union-find over all pairs of near hits."""
import gzip
import os
import random
import struct

from driver import CLUSTER_HEADER, LABEL_HEADER, Case, long, main, mote, needs_zlib, rows

CLUSTERS = CLUSTER_HEADER + ",t_first,t_last"
LABELS = LABEL_HEADER + ",t"


def random_hits(seed, n, modules=(0, 5), side=12, step=3, disorder=40):
    """Returns hits (module, x, y, t, charge), each at most `disorder` ticks behind any hit before it."""
    draw = random.Random(seed)
    hits = []
    for k in range(n):
        hits.append((draw.choice(modules), draw.randrange(side), draw.randrange(side),
                     k * step // 2 - draw.randrange(disorder // 2 + 1), draw.randrange(50)))
    return hits


def cluster(hits, window, radius=1):
    """Returns the clusters in order, each a list of hits' indices, and the label of each hit."""
    parent = list(range(len(hits)))

    def root(i):
        while parent[i] != i:
            i = parent[i]
        return i

    for i, a in enumerate(hits):
        for j in range(i):
            b = hits[j]
            if a[0] == b[0] and abs(a[1] - b[1]) <= radius and abs(a[2] - b[2]) <= radius and abs(a[3] - b[3]) <= window:
                parent[root(i)] = root(j)
    groups = {}
    for i in range(len(hits)):
        groups.setdefault(root(i), []).append(i)
    found = sorted(groups.values(), key=lambda g: min((hits[i][3], hits[i][0], hits[i][2], hits[i][1]) for i in g))
    labels = [0] * len(hits)
    for number, group in enumerate(found):
        for i in group:
            labels[i] = number
    return found, labels


def as_csv(hits):
    return "module_id,x,y,t,adc\n" + "".join("%d,%d,%d,%d,%d\n" % h for h in hits)


def packet(hit):
    """Returns the packet of Timepix3 of a hit (module, x, y, t, charge)."""
    _, x, y, t, charge = hit
    coarse = -(-t // 16)
    address = y // 2 << 9 | x // 4 << 3 | y % 2 << 2 | x % 4
    return (0xb << 60 | address << 44 | coarse % 2**14 << 30 | charge << 20 | -t % 16 << 16
            | coarse // 2**14 % 2**16)


def as_tpx3(hits, most=40, extra=()):
    """Returns a file: chunks with at most `most` hits of one chip; `extra` packets begin each chunk."""
    data, at = b"", 0
    while at < len(hits):
        end = at + 1
        while end < len(hits) and end - at < most and hits[end][0] == hits[at][0]:
            end += 1
        words = [*extra, *map(packet, hits[at:end])]
        data += struct.pack("<4sBBH", b"TPX3", hits[at][0], 0, 8 * len(words)) + struct.pack(f"<{len(words)}Q", *words)
        at = end
    return data


class Stream(Case):
    def run_stream(self, path, *options, **how):
        self.good("clusters", path, *options, "-o", self.path("c.csv"), "--labels", self.path("l.csv"), **how)
        return self.read("c.csv"), self.read("l.csv")

    def check(self, hits, found, window, radius=1):
        groups, labels = cluster(hits, window, radius)
        self.assertEqual(found[0].split("\n")[0], CLUSTERS)
        self.assertEqual(found[1].split("\n")[0], LABELS)
        got = rows(found[0])
        self.assertEqual(len(got), len(groups))
        for number, (row, group) in enumerate(zip(got, groups)):
            inside = [hits[i] for i in group]
            xs, ys, ts = ([h[k] for h in inside] for k in (1, 2, 3))
            charge = sum(h[4] for h in inside)
            expected = [0, inside[0][0], number, len(group), charge, min(xs), max(xs), min(ys), max(ys), min(group),
                        min(ts), max(ts)]
            names = "event module_id cluster_id size charge x_min x_max y_min y_max first_digi t_first t_last".split()
            self.assertEqual([int(row[k]) for k in names], expected)
            mean = sum(h[1] * h[4] for h in inside) / charge if charge else sum(xs) / len(xs)
            self.assertAlmostEqual(float(row["x"]), mean, 6)
        names = ["module_id", "x", "y", "t", "adc", "cluster_id"]
        self.assertEqual([tuple(int(r[k]) for k in names) for r in rows(found[1])],
                         [h + (label,) for h, label in zip(hits, labels)])

    def test_cuts(self):
        hits = random_hits(1, 900)
        path = self.write("a.csv", as_csv(hits))
        whole = self.run_stream(path, "--time-window", 4, "--disorder", 40)
        self.check(hits, whole, 4)
        for block in (1, 37, 899):
            self.assertEqual(self.run_stream(path, "--time-window", 4, "--disorder", 40, "--block", block), whole)
        half = [self.write(f"{k}.csv", as_csv(part)) for k, part in enumerate((hits[:431], hits[431:]))]
        self.good("clusters", *half, "--time-window", 4, "--block", 100, "-o", self.path("c.csv"))
        self.assertEqual(self.read("c.csv"), whole[0])

    @long
    def test_windows(self):
        for seed, window, radius, disorder in ((2, 0, 0, 40), (3, 10**6, 1, 0), (4, 7, 3, 200), (5, 2**62, 15, 40)):
            hits = random_hits(seed, 500, step=9, disorder=disorder, modules=(4294967295, 7, 0))
            path = self.write("a.csv", as_csv(hits))
            for block in (23, 1000):
                found = self.run_stream(path, "--time-window", window, "--radius", radius, "--disorder", disorder,
                                        "--block", block)
                self.check(hits, found, window, radius)

    def test_columns(self):
        """Every name of the columns leads to the same hits."""
        hits = [(0, 3, 250, 16 * 10 - 3, 7), (0, 4, 251, 16 * 11 - 15, 9), (0, 200, 0, 16 * 900, 1)]
        plain = self.run_stream(self.write("a.csv", as_csv(hits)), "--time-window", 64)
        self.check(hits, plain, 64)
        coarse = [(-(-t // 16), -t % 16) for _, _, _, t, _ in hits]
        advacam = "Index\tMatrix Index\tToA\tToT\tFToA\tOverflow\n" + "".join(
            f"{k}\t{h[1] * 256 + h[2]}\t{c}\t{h[4]}\t{f}\t0\n" for k, (h, (c, f)) in enumerate(zip(hits, coarse)))
        named = "Row,Col,ToA,ToT\n" + "".join(f"{h[1]},{h[2]},{h[3]},{h[4]}\n" for h in hits)
        scaled = "x;y;t;adc;trigger\n" + "".join(f"{h[1]};{h[2]};{h[3] * 1.5625};{h[4]};1\n" for h in hits)
        for name, text, options in (("a.t3pa", advacam, ()), ("b.csv", named, ()),
                                    ("d.csv", scaled, ("--time-scale", 0.64, "--columns", "none=trigger"))):
            self.assertEqual(self.run_stream(self.write(name, text), "--time-window", 64, *options), plain)
        self.assertEqual(self.run_stream("-", "--time-window", 64, stdin=as_csv(hits)), plain)

    def test_packets(self):
        """The time of the chip begins again twice, after 26.8 s; other packets are skipped."""
        hits = [(m, x, y, 2**34 - 3000 + t * (1 if k < 400 else 2**23), c)
                for k, (m, x, y, t, c) in enumerate(random_hits(8, 2600, modules=(0, 0, 0, 3), disorder=30))]
        data = as_tpx3(hits, extra=(0x4400 << 48 | 5, 0x6f << 56, 0x50 << 56, 0x71 << 56))
        path = self.write("a.tpx3", data)
        options = ("--time-window", 30, "--disorder", 30 * 2**23)
        found = self.run_stream(path, *options)
        self.check(hits, found, 30)
        self.assertGreater(hits[-1][3], 2**35)
        for block in (7, 512):
            self.assertEqual(self.run_stream("-", *options, "--block", block, stdin=data), found)

    def test_bad_packets(self):
        hits = random_hits(9, 30, modules=(0,))
        data = as_tpx3(hits, 30)
        early = as_tpx3([(0, 1, 1, 500, 1), (0, 1, 1, 489, 1)], extra=(0x71 << 56,))
        for bad, words in ((data[:-3], "byte 8: the file ends inside this chunk"),
                           (data + b"TPX3", "byte 248: the file ends inside the header of a chunk"),
                           (data + data[8:], "byte 248: expected the header of a chunk"),
                           (b"TPX3\0\0\7\0" + data, "byte 0: the size of this chunk is not a multiple of 8"),
                           (as_tpx3(hits, 30, extra=(1, 0xc1 << 56)), "packet 1 (byte 8), 0x0000000000000001, is of kind 0x0"),
                           (early, "packet 3 (byte 24): time 489 is 11 ticks earlier than a hit before it")):
            self.refused(2, words, self.write("a.tpx3", bad), "--time-window", 5, "--disorder", 10)
        path = self.write("a.tpx3", data)
        self.refused(2, "give --time-window TICKS", path)
        self.refused(2, "--size is for CSV", path, "--time-window", 5, "--size", "9x9")
        self.refused(2, "--time-scale is for CSV", path, "--time-window", 5, "--time-scale", 2)
        self.refused(2, "either all CSV or all packets", path, self.write("b.csv", as_csv(hits)), "--time-window", 5)

    def test_lost(self):
        """Rows that report lost data are not hits; with several chips, the index contains the chip. A flag of 0 tells
        of no lost data, whatever the chip."""
        text = "Index\tMatrix Index\tToA\tToT\tFToA\tOverflow\n0\t116\t7\t0\t0\t1\n1\t5\t9\t3\t31\t0\n2\t65541\t9\t3\t0\t1\n"
        text += "3\t131077\t9\t3\t0\t0\n4\t131190\t9\t3\t0\t1\n"
        found = self.run_stream(self.write("a.t3pa", text), "--time-window", 5)
        self.check([(0, 0, 5, 113, 3), (1, 0, 5, 144, 3), (2, 0, 5, 144, 3)], found, 5)

    def test_modules(self):
        """A stream may have many modules, in any order and with any ids."""
        chance = random.Random(5)
        ids = chance.sample(range(1 << 32), 800)
        hits = [(chance.choice(ids[:k + 1]), k % 3, 1, k, 1) for k in range(800)]
        found = self.run_stream(self.write("a.csv", as_csv(hits)), "--time-window", 50, "--block", 100)
        self.check(hits, found, 50)
        self.good("clusters", self.path("a.csv"), "--time-window", 50, "--svg", self.path("a.svg"), "-o", self.path("c.csv"))

    def test_generated(self):
        """Generated text and packets are the same hits, which are as disordered as was asked for."""
        options = ("generate", "hits", "-q", "--hits", 1000, "--most", 30, "--chips", 2, "--disorder", 200, "--seed", 3)
        text = self.good(*options).out
        hits = [tuple(map(int, line.split(","))) for line in text.split()[1:]]
        self.assertEqual(len(hits), 1000)
        self.assertTrue(100 < max(max(h[3] for h in hits[:k + 1]) - hits[k][3] for k in range(1000)) <= 200)
        path = self.path("a.tpx3")
        self.good(*options, "-o", path)
        found = self.run_stream(path, "--time-window", 64, "--disorder", 200)
        self.check(hits, found, 64)
        self.assertEqual(self.run_stream("-", "--time-window", 64, "--disorder", 200, stdin=text), found)
        self.assertEqual(self.good("generate", "hits", "--hits", 0).out, "module_id,x,y,t,adc\n")
        self.bad(1, ".csv or .tpx3", "generate", "hits", "-o", "a.bin")

    @needs_zlib
    def test_packed(self):
        hits = random_hits(6, 60)
        path = self.write("a.csv.gz", gzip.compress(as_csv(hits).encode()))
        self.check(hits, self.run_stream(path, "--time-window", 5), 5)

    def test_empty(self):
        for block in (1, 10):
            found = self.run_stream(self.write("a.csv", "x,y,t\n"), "--time-window", 5, "--block", block)
            self.assertEqual(found, (CLUSTERS + "\n", LABELS + "\n"))
        found = self.run_stream(self.write("a.csv", "x,y,t\n1,2,-9223372036854775808\n1,2,9223372036854775807\n"),
                                "--time-window", 2**63 - 1, "--disorder", 0)
        self.assertEqual([r["cluster_id"] for r in rows(found[1])], ["0", "1"])

    def test_picture(self):
        hits = random_hits(7, 400, modules=(3, 3, 9))
        path = self.write("a.csv", as_csv(hits))
        for block in (50, 1000):
            self.good("clusters", path, "--time-window", 4, "--svg", self.path(f"{block}.svg"), "--block", block)
        drawn = self.read("50.svg")
        self.assertEqual(drawn, self.read("1000.svg"))
        self.assertIn(f"Module 3: {sum(h[0] == 3 for h in hits)} hits", drawn)
        self.assertIn("first time of the cluster", drawn)
        self.good("clusters", path, "--time-window", 4, "--svg", self.path("m.svg"), "--module", 9)
        self.assertIn("Module 9", self.read("m.svg"))

    def refused(self, code, words, *arguments, **how):
        result = mote("clusters", *arguments, "-o", self.path("out.csv"), **how)
        self.assertEqual(result.code, code, result.err)
        self.assertIn(words, result.err)
        self.assertNotIn("out.csv", self.files())

    def test_bad_input(self):
        for text, words in (("x,y,t\n1,2,100\n1,2,89\n", "a.csv:3: time 89 is 11 ticks earlier than a hit before it"),
                            ("x,y,t\n1,2,1.5\n", "a.csv:2: t '1.5' is not a whole number of ticks"),
                            ("x,y,t\n1,2,9223372036854775808\n", "a.csv:2: t is above 9223372036854775807"),
                            ("x,y,t,adc\n1,2,3,0.5\n", "a.csv:2: adc is not a whole number"),
                            ("x,y,t,event\n1,2,3,4\n", "is the number of an event"),
                            ("x,y\n1,2\n", "has no column for t"),
                            ("x,y,t,overflow\n1,2,3,0\n", "overflow has a meaning only beside"),
                            ("pixel,x,t\n1,2,3\n", "column 'pixel' has the whole pixel"),
                            ("x,y,t\n1,70000,3\n", "a.csv:2: y"),
                            ("module_id,x,y,t\n4294967296,1,1,1\n", "a.csv:2: module_id = 4294967296 is above 4294967295")):
            self.refused(2, words, self.write("a.csv", text), "--time-window", 5, "--disorder", 10)
        for text, words in (("x,y,t\n1,2,1700000000.00000001\n", "is more than 2^53 ticks"),
                            ("x,y,t,ftoa\n1,2,3,4\n", "ftoa is in ticks, but --time-scale is given"),
                            ("x,y,t\n1,2,abc\n", "is not a number from -2^63")):
            self.refused(2, words, self.write("a.csv", text), "--time-window", 5, "--time-scale", 1e9)
        self.refused(2, "outside the module", self.write("a.csv", "x,y,t\n1,9,3\n"), "--time-window", 5, "--size", "8x8")
        self.refused(2, "have no times", self.write("a.bin", b""), "--time-window", 5)

    def test_bad_usage(self):
        path = self.write("a.csv", "x,y,t\n1,2,3\n")
        self.refused(1, "--threshold does not apply", path, "--time-window", 5, "--threshold", 3)
        self.refused(1, "give --time-window TICKS", path, "--radius", 2)
        self.refused(1, "give --time-window TICKS", path, "--columns", "t=t")
        self.refused(1, "one device", path, "--time-window", 5, "-d", "*")
        self.refused(1, "one device", path, "--time-window", 5, env={**os.environ, "MOTE_DEVICE": "cpu,cpu"})
        self.refused(1, "--time-window", path, "--time-window", -1)


if __name__ == "__main__":
    main()
