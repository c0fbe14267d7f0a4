# SPDX-License-Identifier: Apache-2.0
"""Tests the commands on the values of lists, and histogram; results as CSV, JSON and text."""
import itertools
import json
import math
import os
import random
import subprocess
import xml.etree.ElementTree

import jagged_oracle as oracle
from driver import MOTE, Case, long, main, read_terminal
from npy import INDICES, load, make, parse

NAN, INF = math.nan, math.inf
# Few types are tested, so that few programs are built; the library's tests cover all types.
OFFSETS = [0, 3, 3, 5, 8]
VALUES = [2.5, -1.0, 2.5, NAN, 0.0, 7.0, 3.0, -0.5]


def lists_of(offsets, values):
    return [values[a:b] for a, b in zip(offsets, offsets[1:])]


def flat(lists):
    return [value for one in lists for value in one]


class Lists(Case):
    def array(self, file, name, values, shape=None):
        return self.write(file, make(name, values, shape))

    def setUp(self):
        super().setUp()
        self.offsets = self.array("o.npy", "int32", OFFSETS)
        self.values = self.array("v.npy", "float32", VALUES)

    def result(self, *arguments):
        return parse(self.good(*arguments, "-q").raw)

    def lists(self, *arguments):
        """Returns the result as nested lists, as in JSON."""
        self.good(*arguments, "-q", "-o", self.path("r.json"))
        return json.loads(self.read("r.json"))


class Results(Lists):
    @long
    def test_exclusive(self):
        found = self.lists("scan", self.offsets, self.values, "--op", "max", "--exclusive")
        self.assertEqual(repr(found), repr([[-INF, 2.5, 2.5], [], [-INF, NAN], [-INF, 7, 7]]))

    def test_scan(self):
        found = self.lists("scan", self.offsets, self.values)
        self.assertEqual(repr(found), repr([[2.5, 1.5, 4], [], [NAN, NAN], [7, 10, 9.5]]))

    def test_sort(self):
        values = self.array("w.npy", "int32", [3, 1, 3, 9, -9, 5, 5, 4])
        self.assertEqual(self.result("sort", self.offsets, values),
                         ("int32", (8,), [1, 3, 3, -9, 9, 4, 5, 5]))

    @long
    def test_indices(self):
        values = self.array("w.npy", "int32", [3, 1, 3, 9, -9, 5, 5, 4])
        self.assertEqual(self.lists("sort", self.offsets, values, "--indices", "--descending"),
                         [[0, 2, 1], [], [0, 1], [0, 1, 2]])

    def test_filter(self):
        """The offsets of --offsets, or the lists in JSON, are those that remain."""
        values = self.array("w.npy", "int32", [3, 1, 3, 9, -9, 5, 5, 4])
        mask = self.array("m.npy", "int32", [0, 1, 1, 0, 0, 1, 0, -1])
        found = self.result("filter", self.offsets, values, mask, "--offsets", self.path("n.npy"))
        self.assertEqual(found, ("int32", (4,), [1, 3, 5, 4]))
        self.assertEqual(load(self.path("n.npy")), ("int32", (5,), [0, 2, 2, 2, 4]))
        self.assertEqual(self.lists("filter", self.offsets, values, mask), [[1, 3], [], [], [5, 4]])

    def test_nonzero(self):
        self.assertEqual(self.lists("nonzero", self.offsets, self.values), [[0, 1, 2], [], [3], [5, 6, 7]])

    def test_gather(self):
        """The result begins with the first offset."""
        offsets = self.array("p.npy", "int32", [4, 6, 6, 7])
        values = self.array("w.npy", "float32", [0.5, 8, -2])
        self.assertEqual(self.result("gather", offsets, values), ("float32", (3,), [0.5, 0.5, -2]))
        self.assertEqual(self.lists("gather", offsets, values), [[0.5, 0.5], [], [-2]])

    def test_pairs(self):
        wanted = [list(map(list, itertools.combinations(range(a, b), 2)))
                  for a, b in zip(OFFSETS, OFFSETS[1:])]
        found = self.result("pairs", self.offsets, "--offsets", self.path("n.csv"))
        self.assertEqual(found, ("int32", (7, 2), flat(flat(wanted))))
        self.assertEqual(self.read("n.csv"), "offset\n0\n3\n3\n4\n7\n")
        self.assertEqual(self.lists("pairs", self.offsets), wanted)

    def test_product(self):
        other = self.array("p.npy", "int32", [10, 11, 13, 13, 15])
        self.assertEqual(self.lists("product", self.offsets, other),
                         [[[0, 10], [1, 10], [2, 10]], [], [],
                          [[k, j] for k in range(5, 8) for j in [13, 14]]])

    def test_slice(self):
        found = self.lists("slice", self.offsets, self.values, "--start", -2, "--stop", 2)
        self.assertEqual(repr(found), repr([[-1], [], [NAN, 0], [3]]))

    def test_topk(self):
        values = self.array("w.npy", "int32", [3, 1, 3, 9, -9, 5, 5, 4])
        found = self.result("topk", "-k", 2, self.offsets, values, "--offsets", self.path("n.npy"))
        self.assertEqual(found, ("int32", (6,), [3, 3, 9, -9, 5, 5]))
        self.assertEqual(load(self.path("n.npy")), ("int32", (5,), [0, 2, 2, 4, 6]))
        self.assertEqual(self.lists("topk", "-k", 1, "--smallest", "--indices", self.offsets, values),
                         [[1], [], [1], [2]])

    def test_pad(self):
        found = self.result("pad", "-k", 2, "--fill", "-1.5", self.offsets, self.values)
        self.assertEqual((found[:2], repr(found[2])), (("float32", (4, 2)), repr(
            [2.5, -1.0, -1.5, -1.5, NAN, 0.0, 7.0, 3.0])))
        self.good("pad", "-q", "-k", 2, "--start", "-2", self.offsets, self.values, "-o", self.path("p.csv"))
        self.assertEqual(self.read("p.csv"), "list,0,1\n0,-1,2.5\n1,0,0\n2,nan,0\n3,3,-0.5\n")

    @long
    def test_fills(self):
        for name, fill, wanted in [("bool", "1", 1), ("uint8", "255", 255), ("int64", "-9223372036854775808", -2**63),
                                   ("uint64", "18446744073709551615", 2**64 - 1), ("float16", "0.1", 0.0999755859375),
                                   ("float64", "1e300", 1e300)]:
            values = self.array("w.npy", name, [])
            offsets = self.array("p.npy", "int32", [0, 0])
            self.assertEqual(self.result("pad", "-k", 1, "--fill", fill, offsets, values), (name, (1, 1), [wanted]))
        for name, fill in [("bool", "2"), ("uint8", "-1"), ("uint8", "256"), ("int32", "1.5"), ("uint64", "-1"),
                           ("int64", "9223372036854775808")]:
            self.bad(1, ["--fill", f"is no {name}"], "pad", "-k", 1, "--fill", fill, self.array("p.npy", "int32", [0, 0]),
                     self.array("w.npy", name, []))

    def test_quantile(self):
        self.good("quantile", "-q", "--quantiles", "0,0.25", self.offsets, self.values, "-o", self.path("q.csv"))
        self.assertEqual(self.read("q.csv"), "list,q0,q0.25\n0,-1,0.75\n1,nan,nan\n2,nan,nan\n3,-0.5,1.25\n")
        name, shape, found = self.result("median", self.offsets, self.values)
        self.assertEqual((name, shape, repr(found)), ("float32", (4,), repr([2.5, NAN, NAN, 3.0])))

    def test_runs(self):
        """A second array goes to its own file, and is shown beside the result where there is room."""
        values = self.array("w.npy", "int32", [3, 3, 1, 9, 9, 5, 4, 5])
        found = self.result("run-lengths", self.offsets, values, "--lengths", self.path("l.npy"))
        self.assertEqual(found, ("int32", (6,), [3, 1, 9, 5, 4, 5]))
        self.assertEqual(load(self.path("l.npy")), ("int32", (6,), [2, 1, 2, 1, 1, 1]))
        self.assertEqual(self.lists("run-lengths", self.offsets, values),
                         [[[3, 2], [1, 1]], [], [[9, 2]], [[5, 1], [4, 1], [5, 1]]])
        found = self.lists("unique", self.offsets, values, "--counts", self.path("c.csv"), "--offsets",
                           self.path("n.json"))
        self.assertEqual(found, [[1, 3], [], [9], [4, 5]])
        self.assertEqual(self.read("c.csv"), "list,count\n0,1\n0,2\n2,2\n3,1\n3,2\n")
        self.assertEqual(json.loads(self.read("n.json")), [0, 2, 2, 3, 5])

    def test_combinations(self):
        for words, wanted in [(["combinations", "-n", 3, self.offsets],
                               [list(map(list, itertools.combinations(range(a, b), 3)))
                                for a, b in zip(OFFSETS, OFFSETS[1:])]),
                              (["product"] + [self.offsets] * 3,
                               [list(map(list, itertools.product(range(a, b), repeat=3)))
                                for a, b in zip(OFFSETS, OFFSETS[1:])])]:
            self.assertEqual(self.lists(*words), wanted)

    def test_histogram(self):
        values = self.array("w.npy", "float32", [1, 2, 2.5, 5, 4, 9], (2, 3))
        self.assertEqual(self.result("histogram", values, "--bins", 4, "--range", "1,5"),
                         ("int64", (4,), [1, 2, 0, 2]))
        edges = self.array("e.npy", "float64", [0, 2, 9])
        self.good("histogram", "-q", values, "--edges", edges, "-o", self.path("h.csv"))
        self.assertEqual(self.read("h.csv"), "low,high,count\n0,2,1\n2,9,5\n")
        self.assertEqual(self.lists("histogram", values, "--bins", 2), [[1, 5, 4], [5, 9, 2]])
        single = self.array("s.npy", "float32", [3])
        self.assertEqual(self.lists("histogram", single, "--bins", 1), [[2.5, 3.5, 1]])
        self.assertEqual(self.lists("histogram", self.array("n.npy", "float32", []), "--bins", 1), [[0, 1, 0]])

    def test_picture(self):
        values = self.array("w.npy", "float32", [1, 2, 2.5, 5, 4, 9])
        self.good("histogram", "-q", values, "--bins", 4, "-o", self.path("h.csv"), "--svg", self.path("h.svg"))
        picture = xml.etree.ElementTree.fromstring(self.read("h.svg"))
        bars = [part for part in picture if part.get("class") == "bar"]
        self.assertEqual(bars[0].get("d").count("M"), 4)
        self.assertIn("w.npy: values in 4 bins", "".join(picture.itertext()))
        self.bad(1, "the picture is SVG", "histogram", values, "--svg", self.path("h.png"))
        self.bad(1, "named for two outputs", "histogram", values, "--svg", self.path("h.svg"), "-o", self.path("h.svg"))

    @long
    def test_weights(self):
        values = self.array("w.npy", "float32", [1, 2, 2.5, 5, 4, 9])
        weights = self.array("x.npy", "float64", [1, 2, 4, 8, 16, 32])
        self.good("histogram", "-q", values, "--weights", weights, "--bins", 2, "-o", self.path("h.csv"))
        self.assertEqual(self.read("h.csv"), "low,high,sum\n1,5,23\n5,9,40\n")

    @long
    def test_fresh_lists(self):
        chance = random.Random()
        for index in [chance.choice(INDICES)]:
            offsets = oracle.running([chance.choice([0, 1, 2, 9, 40]) for _ in range(300)])
            values = [oracle.single(chance.choice([0, 0, chance.uniform(-9, 9)])) for _ in range(offsets[-1])]
            lists = lists_of(offsets, values)
            o, v = self.array("a.npy", index, offsets), self.array("b.npy", "float32", values)
            name, shape, found = self.result("sort", o, v)
            self.assertEqual((name, shape), ("float32", (len(values),)))
            self.assertEqual(lists_of(offsets, found), [sorted(one) for one in lists])
            found = self.lists("scan", o, v, "--op", "max")
            self.assertEqual([list(map(oracle.single, one)) for one in found],
                             [list(itertools.accumulate(one, max)) for one in lists])
            self.assertEqual(self.lists("nonzero", o, v),
                             [[k for k in range(a, b) if values[k] != 0] for a, b in zip(offsets, offsets[1:])])
            self.assertEqual(self.result("filter", o, v, v)[2], [x for x in values if x != 0])
            self.assertEqual(self.result("pairs", o)[2], flat(flat(
                [itertools.combinations(range(a, b), 2) for a, b in zip(offsets, offsets[1:])])))
            self.assertEqual(self.result("product", o, o)[2], flat(flat(
                [itertools.product(range(a, b), repeat=2) for a, b in zip(offsets, offsets[1:])])))
            self.assertEqual(self.result("slice", "--start", 1, "--stop", -1, o, v)[2],
                             flat(one[1:-1] for one in lists))
            self.assertEqual(self.result("topk", "-k", 3, o, v)[2],
                             flat(sorted(one, reverse=True)[:3] for one in lists))
            self.assertEqual(self.result("pad", "-k", 3, "--fill", 7, o, v)[2],
                             flat((one + [7.0] * 3)[:3] for one in lists))
            self.assertEqual(self.result("unique", o, v)[2], flat(sorted(set(one)) for one in lists))
            self.assertEqual(self.result("run-lengths", o, v)[2],
                             [value for one in lists for value, _ in itertools.groupby(one)])
            found = self.result("quantile", "--quantiles", "0,1", o, v)[2]
            self.assertEqual(repr(found), repr(flat([min(one), max(one)] if one else [NAN, NAN] for one in lists)))

    @long
    def test_no_lists(self):
        offsets = self.array("p.npy", "int32", [0])
        values = self.array("w.npy", "float32", [])
        for command in [["sort"], ["scan"], ["nonzero"], ["gather"], ["filter", values], ["slice"],
                        ["topk", "-k", 2], ["unique"], ["run-lengths"], ["median"], ["pad", "-k", 2]]:
            self.assertEqual(self.lists(command[0], offsets, values, *command[1:]), [])
        for command in [["pairs", offsets], ["product", offsets, offsets]]:
            self.assertEqual(self.result(*command), ("int32", (0, 2), []))
        self.assertEqual(self.result("pad", "-k", 2, offsets, values), ("float32", (0, 2), []))


class Texts(Lists):
    """Tests results of all commands on lists as CSV, JSON and text."""

    def test_csv(self):
        for arguments, text in [
                (["counts", self.offsets], "list,count\n0,3\n1,0\n2,2\n3,3\n"),
                (["parents", self.offsets], "list,parent\n0,0\n0,0\n0,0\n2,2\n2,2\n3,3\n3,3\n3,3\n"),
                (["scan", self.offsets, self.values],
                 "list,value\n0,2.5\n0,1.5\n0,4\n2,nan\n2,nan\n3,7\n3,10\n3,9.5\n"),
                (["reduce", self.values], "sum\nnan\n")]:
            self.good(*arguments, "-q", "-o", self.path("r.csv"))
            self.assertEqual(self.read("r.csv"), text)

    def test_json(self):
        special = self.array("s.npy", "float32", [-INF, 1, INF, NAN])
        for arguments, wanted in [(["counts", self.offsets], [3, 0, 2, 3]),
                                  (["generate", "jagged", "--lists", 2, "--spread", "constant"], [0, 10, 20]),
                                  (["gather", self.offsets, special], [[-INF] * 3, [], [INF] * 2, [NAN] * 3]),
                                  (["reduce", self.values], [NAN])]:
            self.good(*arguments, "-q", "-o", self.path("r.json"))
            self.assertEqual(repr(json.loads(self.read("r.json"))), repr(wanted))

    def shown(self, *arguments):
        """Tests the text of results on a terminal."""
        terminal, end = os.openpty()
        done = subprocess.Popen([MOTE, *arguments, "-q"], stdout=end, stderr=subprocess.PIPE)
        os.close(end)
        text = read_terminal(terminal)
        self.assertEqual((done.communicate()[1], done.returncode), (b"", 0))
        return text.splitlines()

    def test_terminal(self):
        offsets = self.array("p.npy", "int32", [0, 13, 13] + list(range(14, 44)))
        self.assertEqual(self.shown("parents", self.offsets), ["[0, 0, 0]", "[]", "[2, 2]", "[3, 3, 3]"])
        self.assertEqual(self.shown("counts", self.offsets), ["3", "0", "2", "3"])
        lines = self.shown("parents", offsets)
        self.assertEqual(lines[:3], ["[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ... 3 more]", "[]", "[2]"])
        self.assertEqual((len(lines), lines[-1]), (21, "... 12 more lists"))
        lines = self.shown("generate", "jagged", "--lists", "1000")
        self.assertEqual((lines[0], len(lines), lines[-1]), ("0", 21, "... 981 more"))

    def test_names(self):
        """An extension that stands for no format is rejected before anything is read."""
        for name in ["r.txt", "r", "r.npz"]:
            self.bad(1, ["-o", name, "must end in .npy, .csv or .json"], "counts", "none.npy", "-o",
                     self.path(name))
        self.bad(1, ["--offsets", "n.txt"], "pairs", self.offsets, "--offsets", "n.txt")
        self.bad(1, "named for two outputs", "pairs", self.offsets, "--offsets", "-")
        self.bad(1, "named for two outputs", "generate", "jagged", "--values", "-")


class Refused(Lists):
    def test_usage(self):
        o, v = self.offsets, self.values
        for words, arguments in [
                ("expected OFFSETS.npy VALUES.npy (see mote sort --help)", ["sort", o]),
                ("expected OFFSETS.npy VALUES.npy MASK.npy", ["filter", o, v]),
                ("unexpected argument", ["pairs", o, v]),
                ("unexpected argument", ["product", o, o, o, o, o]),
                ("-k is missing (see mote pad --help)", ["pad", o, v]),
                ("--number: '-1' is not a whole number", ["topk", "-k", "-1", o, v]),
                ("--elements: '5' is not a whole number from 2 to 4", ["combinations", "-n", "5", o]),
                ("--start: '1.5' is not an index", ["slice", "--start", "1.5", o, v]),
                ("--stop: '9223372036854775808' is not an index", ["slice", "--stop", "9223372036854775808", o, v]),
                ("--quantiles: '0.5,' is not Q[,Q...]", ["quantile", "--quantiles", "0.5,", o, v]),
                ("--quantiles: '1.5' is not Q[,Q...]: up to 256 numbers", ["quantile", "--quantiles", "1.5", o, v]),
                ("did you mean --smallest?", ["topk", "--smalest", "-k", "1", o, v]),
                ("--fill: 'x' is no float32, the type of", ["pad", "-k", "2", "--fill", "x", o, v]),
                ("'mean' is not one of sum, prod, min, max", ["scan", "--op", "mean", o, v]),
                ("whose max is float32", ["scan", "--op", "max", "--out", "float64", o, v]),
                ("--bins: '0'", ["histogram", "--bins", "0", v]),
                ("--range: '2,1' is not LOW,HIGH", ["histogram", "--range", "2,1", v]),
                ("--range: '1' is not LOW,HIGH", ["histogram", "--range", "1", v]),
                ("--range: '0,inf' is not LOW,HIGH", ["histogram", "--range", "0,inf", v]),
                ("leave out --bins and --range", ["histogram", "--edges", v, "--bins", "3", v]),
                ("is an input and an output", ["sort", o, v, "-o", v]),
                ("is an input and an output", ["pairs", o, "--offsets", o]),
                ("unknown option --offsets", ["sort", o, v, "--offsets", "n.npy"])]:
            self.bad(1, words, *arguments)

    def test_arrays(self):
        o, v = self.offsets, self.values
        short = self.array("s.npy", "float32", [1, 2])
        for words, arguments in [
                (["v.npy: holds float32, expected int32, uint32 or int64"], ["pairs", v]),
                (["v.npy: has 8 values, expected 4: one for each list of", "o.npy"], ["gather", o, v]),
                (["s.npy: has 2 values, expected 8 as in", "v.npy"], ["filter", o, v, short]),
                (["p.npy: has 2 offsets, expected 5 as in", "o.npy"],
                 ["product", o, self.array("p.npy", "int32", [0, 1])]),
                (["q.npy: holds int64, expected int32 as in", "o.npy"],
                 ["product", o, self.array("q.npy", "int64", OFFSETS)]),
                (["v.npy: value 3 is not finite: give --range LOW,HIGH"], ["histogram", v]),
                (["s.npy: has 2 values, expected 8 as in", "v.npy"],
                 ["histogram", v, "--weights", short, "--range", "0,1"]),
                (["o.npy: holds int32, expected float32 or float64"],
                 ["histogram", v, "--weights", o, "--range", "0,1"]),
                (["w.npy: has 1 value, expected at least 2 edges"],
                 ["histogram", v, "--edges", self.array("w.npy", "float32", [1])])]:
            self.bad(2, words, *arguments)

    def test_lists(self):
        """The message names the list and its offsets, whichever command reads them."""
        self.bad(2, ["p.npy: list 1: offsets_b[2] = 1 < offsets_b[1] = 3"], "product", self.offsets,
                 self.array("p.npy", "int32", [0, 3, 1, 5, 8]))
        for words, offsets in [("list 1: offsets[2] = 1 < offsets[1] = 3", [0, 3, 1, 4]),
                               ("list 0: offsets[0] = -1 is negative", [-1, 3]),
                               ("list 1: offsets[2] = 9 is beyond the content, which has 8 elements", [0, 2, 9])]:
            b = self.array("b.npy", "int32", offsets)
            few = self.array("f.npy", "float32", [1] * (len(offsets) - 1))
            commands = [["scan", b, self.values]]
            if words.endswith("= 3"):
                commands += [["filter", b, self.values, self.values], ["topk", "-k", 1, b, self.values],
                             ["pad", "-k", 1, b, self.values], ["run-lengths", b, self.values],
                             ["gather", b, few], ["pairs", b]]
            for command in commands:
                self.bad(2, ["b.npy: " + words], *command)

    def test_too_many(self):
        """The offsets of the result have the type of OFFSETS."""
        b = self.array("b.npy", "int32", [0, 2, 70000, 70001])
        self.bad(2, "b.npy: list 1: int32 cannot count the combinations of the lists up to this one", "pairs", b)
        self.bad(2, "b.npy: list 1: int32 cannot count the combinations", "product", b, b)
        b = self.array("b.npy", "int64", [0, 2**40])
        self.bad(2, "b.npy: list 0: int64 cannot count the combinations", "pairs", b)
        b = self.array("b.npy", "int64", [0, 2**31])
        self.bad(2, "no memory for a result of ", "product", b, b)


if __name__ == "__main__":
    main()
