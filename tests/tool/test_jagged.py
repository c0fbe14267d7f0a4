# SPDX-License-Identifier: Apache-2.0
"""Tests parents, local-index, counts and offsets, and inputs as CSV and JSON: results and messages."""
import json
import math
import random
import subprocess

import jagged_oracle as oracle
from driver import MOTE, TIME, ZLIB, Case, long, main, mote
from npy import INDICES, load, make, parse

STRATEGIES = ["auto", "search", "event", "balanced"]


class Arrays(Case):
    def array(self, file, name, values, shape=None):
        return self.write(file, make(name, values, shape))

    def result(self, *arguments):
        """Returns type and values of the array on stdout."""
        name, shape, values = parse(self.good(*arguments, "-q").raw)
        self.assertEqual(shape, (len(values),))
        return name, values

    def lists(self):
        """Makes offsets of several kinds, whose first offset need not be 0."""
        chance = random.Random()
        for m in [chance.randrange(3), 300, 3000]:
            lengths = [chance.choice([0, 0, 1, 2, 3, 40]) for _ in range(m)]
            if m == 300:
                lengths[chance.randrange(m)] = 70000
            first = chance.choice([0, 5, 100001])
            yield [first + o for o in oracle.running(lengths)]


class Text(Arrays):
    """Tests CSV and JSON as inputs."""

    def setUp(self):
        super().setUp()
        self.offsets = self.array("o.npy", "int32", [0, 3, 3, 5, 8])
        self.values = self.array("v.npy", "float32", [2.5, -1.0, 2.5, math.nan, 0.0, 7.0, 3.0, -0.5])

    def test_round_trips(self):
        """The output of a command can be read by another one, as offsets and as values."""
        self.good("reduce", "-q", "--op", "max", self.offsets, self.values, "-o", self.path("m.csv"))
        for ending in ["csv", "json.gz" if ZLIB else "json"]:
            lists = self.path(f"l.{ending}")
            self.good("sort", "-q", self.offsets, self.values, "-o", lists)
            self.good("reduce", "-q", "--op", "max", lists, lists, "-o", self.path("n.csv"))
            self.assertEqual(self.read("n.csv"), self.read("m.csv"))
        counts = self.write("c.csv", "list,count\n0,3\n1,0\n2,2\n3,3\n")
        self.good("offsets", "-q", "--from-counts", counts, "-o", self.path("o.csv"))
        self.assertEqual(self.result("counts", self.path("o.csv")), ("int64", [3, 0, 2, 3]))

    def test_rows(self):
        pairs = self.path("p.json")
        self.good("pairs", "-q", self.offsets, "-o", pairs)
        self.assertEqual(self.result("counts", pairs), ("int64", [3, 0, 1, 3]))
        self.good("reduce", "-q", pairs, "-o", self.path("s.csv"))
        self.assertEqual(self.read("s.csv"), "sum\n1\n2\n3\n7\n11\n12\n13\n")
        self.assertEqual(self.result("counts", self.write("g.csv", "# mine\nList;x\n1;1\n1;2\n3;4\n")),
                         ("int64", [0, 2, 0, 1]))

    def test_types(self):
        for text, name in [("[1, 2, -3]", "-3"), (" [ true,\n false ]\n", "0"), ("[[1.5], [], [2, NaN, 2e3]]", "nan"),
                           ("[]", None), ("[-Infinity, 9223372036854775807]", "-inf")]:
            path = self.write("t.json", text)
            if name:
                self.assertEqual(self.good("reduce", "-q", "--op", "min", path).out, name + "\n")
            else:
                self.bad(2, "has no values", "reduce", "--op", "min", path)

    def test_refused(self):
        for text, words in {"[1, 2": "1: the file ends before", "": "1: the file ends", "[1 2]": "1: numbers and lists are mixed",
                            "[1,\n\n,2]": "3: ',' is misplaced", "[1,]": "1: ']' is misplaced", "[1]]": "1: ']' is misplaced",
                            "[1] [2]": "1: '[' is misplaced", "[[1], 2]": "1: numbers and lists are mixed",
                            "[1, [2]]": "1: '[' is misplaced", "[[[[1]]]]": "1: '[' is misplaced", "7": "1: expected '['",
                            "[[[1], [1, 2]]]": "1: rows of lists must have", "[0x10]": "1: '0x10' is not a number",
                            "[null]": "1: 'null' is not a number", '[{"a": 1}]': "1: records are not read", "true": "1: expected '['", "[\"a\"]": "'\"a\"' is not",
                            "[9223372036854775808]": "is outside of int64", "[" + "9" * 99 + "]": "is outside of int64"}.items():
            self.bad(2, ["bad.json:", words], "reduce", self.write("bad.json", text))
        for text, words in {"": "1: the file is empty", "1\n2\n": "1: expected a header", "list,x\n0,1\n0,a\n": "3: 'a' is not",
                            "list,x\n1,1\n0,2\n": "3: the number of the list is lower", "list,x\n0,1,2\n": "2: expected 2 fields",
                            "list,x\n0\n": "2: expected 2 fields", "list,x\n-1,2\n": "2: the number of the list is not",
                            "list,x\n99999999,2\n": "2: more than 4000000 lists", "x\n\n\n": None}.items():
            path = self.write("bad.csv", text)
            if words:
                self.bad(2, ["bad.csv:", words], "counts", path)
            else:
                self.bad(2, "bad.csv: is empty", "counts", path)
        self.bad(2, "holds float64, expected int32, uint32 or int64", "counts", self.write("o.csv", "offset\n0\n1.5\n"))


class Elements(Arrays):
    def test_seed_document(self):
        name = random.choice(INDICES)
        path = self.array("o.npy", name, [0, 3, 5, 8])
        self.assertEqual(self.result("parents", path), (name, [0, 0, 0, 1, 1, 2, 2, 2]))
        self.assertEqual(self.result("local-index", path), (name, [0, 1, 2, 0, 1, 0, 1, 2]))

    @long
    def test_fresh_lists(self):
        for offsets in self.lists():
            name = random.choice(INDICES)
            path = self.array("o.npy", name, offsets)
            expected = oracle.parents(name, offsets)
            for strategy in STRATEGIES:
                self.assertEqual(self.result("parents", path, "--strategy", strategy),
                                 (name, expected), strategy)
            strategy = random.choice(STRATEGIES)
            self.assertEqual(self.result("local-index", path, "--strategy", strategy),
                             (name, oracle.local_index(offsets)), strategy)

    @long
    def test_absolute(self):
        for offsets in self.lists():
            name = random.choice(INDICES)
            n = offsets[-1] + random.choice([0, 7])
            path = self.array("o.npy", name, offsets)
            expected = oracle.parents_of(name, offsets, offsets[1:], n)
            for strategy in STRATEGIES:
                self.assertEqual(self.result("parents", path, "--absolute", "--length", n,
                                             "--strategy", strategy), (name, expected), strategy)
        path = self.array("o.npy", "int32", [0])
        self.assertEqual(self.result("parents", path, "--absolute", "--length", 0), ("int32", []))

    @long
    def test_starts_and_stops(self):
        for offsets in self.lists():
            name = random.choice(INDICES)
            bounds = list(zip(offsets[0:-1:2], offsets[1::2]))  # every second list is a gap
            random.shuffle(bounds)
            starts, stops = [b[0] for b in bounds], [b[1] for b in bounds]
            n = offsets[-1] + 3
            paths = ["--starts", self.array("s.npy", name, starts), "--stops",
                     self.array("t.npy", name, stops)]
            expected = oracle.parents_of(name, starts, stops, n)
            for strategy in ["auto", "event", "balanced"]:
                self.assertEqual(self.result("parents", *paths, "--length", n, "--strategy",
                                             strategy), (name, expected), strategy)
            lengths = [b - a for a, b in bounds]
            self.assertEqual(self.result("counts", *paths), (name, lengths))
            self.assertEqual(self.result("offsets", *paths), (name, oracle.running(lengths)))

    @long
    def test_no_lists(self):
        for name in INDICES:
            none = [oracle.none(name)] * 4
            empty = [self.array("s.npy", name, []), self.array("t.npy", name, [])]
            self.assertEqual(self.result("parents", "--starts", empty[0], "--stops", empty[1],
                                         "--length", 4), (name, none))
            path = self.array("o.npy", name, [2])
            self.assertEqual(self.result("parents", path), (name, []))
            self.assertEqual(self.result("local-index", path), (name, []))
            self.assertEqual(self.result("parents", path, "--absolute", "--length", 4),
                             (name, none))


class Lists(Arrays):
    def test_counts_and_back(self):
        name = random.choice(INDICES)  # a single type, so that few programs are built
        for offsets in self.lists():
            lengths = oracle.counts(offsets)
            packed = oracle.running(lengths)
            path = self.array("o.npy", name, offsets)
            self.assertEqual(self.result("counts", path), (name, lengths))
            path = self.array("c.npy", name, lengths)
            self.assertEqual(self.result("offsets", "--from-counts", path), (name, packed))
            path = self.array("p.npy", name, oracle.parents(name, offsets))
            self.assertEqual(self.result("offsets", "--from-parents", path, "--segments",
                                         len(lengths)), (name, packed))

    @long
    def test_parents_of_few_lists(self):
        path = self.array("p.npy", "int32", [2, 2, 5])
        self.assertEqual(self.result("offsets", "--from-parents", path, "--segments", 7),
                         ("int32", [0, 0, 0, 2, 2, 2, 3, 3]))
        path = self.array("p.npy", "int64", [])
        self.assertEqual(self.result("offsets", "--from-parents", path, "--segments", 0),
                         ("int64", [0]))

    def test_chain_of_commands(self):
        self.good("generate", "jagged", "--lists", 500, "-o", self.path("o.npy"))
        run = subprocess.run(f'"{MOTE}" parents -q "{self.path("o.npy")}" | "{MOTE}" offsets -q '
                             f'--from-parents - --segments 500 | "{MOTE}" counts - -q '
                             f'-o "{self.path("c.npy")}"', shell=True)
        self.assertEqual(run.returncode, 0)
        offsets = load(self.path("o.npy"))[2]
        self.assertEqual(load(self.path("c.npy")), ("int64", (500,), oracle.counts(offsets)))


class BadLists(Arrays):
    def refused(self, words, *arguments):
        result = self.bad(2, words, *arguments, "-o", self.write("old.npy", "old"))
        self.assertEqual(len(result.err.splitlines()), 1)
        self.assertEqual(self.read("old.npy"), "old")

    @long
    def test_decreasing(self):
        offsets = list(range(0, 160, 10)) + [9, 5, 200, 100]
        offsets[15] = 8  # as low as 8: list 14 is the lowest invalid one
        for name in INDICES:
            path = self.array("o.npy", name, offsets)
            for command in ["parents", "local-index", "counts"]:
                self.refused("o.npy: list 14: offsets[15] = 8 < offsets[14] = 140", command, path)
            path = self.array("o.npy", name, list(range(17)) + [5])
            for strategy in STRATEGIES:
                self.refused("list 16: offsets[17] = 5 < offsets[16] = 16", "parents", path,
                             "--strategy", strategy)

    @long
    def test_negative(self):
        for name in ["int32", "int64"]:
            for offsets, words in [([-4, 0, 2], ["list 0", "-4"]), ([0, 2, -1, 3], ["list 1", "-1"]),
                                   ([0, 2, 1, -1], ["list 1", "offsets[2] = 1 < offsets[1] = 2"])]:
                path = self.array("o.npy", name, offsets)
                for command in ["parents", "local-index", "counts"]:
                    self.refused(words, command, path)

    def test_beyond_the_content(self):
        path = self.array("o.npy", "int32", [0, 3, 9, 10])
        self.refused(["list 1", "9", "8"], "parents", path, "--absolute", "--length", 8)
        path = self.array("o.npy", "int64", [0, 2**62, 2**62 + 1])
        self.refused(["list 0", str(2**62)], "parents", path, "--absolute", "--length", 8)

    @long
    def test_starts_and_stops(self):
        def paths(starts, stops):
            return ["--starts", self.array("s.npy", "int32", starts), "--stops",
                    self.array("t.npy", "int32", stops)]
        length = ["--length", 20]
        for command, more in [("parents", length), ("counts", []), ("offsets", [])]:
            self.refused(["list 1", "6", "4"], command, *paths([0, 6, 9], [2, 4, 8]), *more)
            self.refused(["list 2", "-3"], command, *paths([0, 6, -3], [2, 7, 8]), *more)
        self.refused(["t.npy: list 1", "21", "20"], "parents", *paths([0, 6, 9], [2, 21, 22]),
                     *length)
        self.refused("list 2", "parents", *paths([4, 9, 0, 12], [8, 11, 5, 13]), *length)
        self.refused(["t.npy", "has 1 value, expected 2"], "counts", *paths([0, 1], [1]))
        stops = self.array("u.npy", "int64", [1, 2])
        self.refused(["u.npy: holds int64, expected int32", "s.npy"], "counts",
                     *paths([0, 1], [])[:2], "--stops", stops)

    def test_too_many_elements(self):
        path = self.array("o.npy", "int64", [0, 2**62])
        self.refused(["o.npy", "no memory"], "parents", path)
        path = self.array("o.npy", "int64", [0, 5, 4, 2**62])
        self.refused("list 1: offsets[2] = 4 < offsets[1] = 5", "local-index", path)

    def test_counts(self):
        path = self.array("c.npy", "int32", [1, 2, -7, 3])
        self.refused(["c.npy", "list 2", "-7"], "offsets", "--from-counts", path)
        path = self.array("c.npy", "int32", [1, 2**31 - 1, 5])
        self.refused(["c.npy", "list 1"], "offsets", "--from-counts", path)

    def test_parents(self):
        for labels, words in [([0, 0, 2, 1], ["3"]), ([0, 3, 3], ["1", "3"]), ([-1, 0], ["0", "-1"])]:
            path = self.array("p.npy", "int32", labels)
            self.refused(["p.npy", *words], "offsets", "--from-parents", path, "--segments", 3)
        path = self.array("p.npy", "uint32", [0])
        self.refused("p.npy", "offsets", "--from-parents", path, "--segments", 0)

    @long
    def test_wrong_arrays(self):
        for name in ["float32", "float64", "bool", "uint8"]:
            path = self.array("o.npy", name, [0, 1])
            for command in [["parents"], ["local-index"], ["counts"], ["offsets", "--from-counts"],
                            ["offsets", "--segments", 2, "--from-parents"]]:
                self.refused(f"o.npy: holds {name}, expected int32, uint32 or int64", *command,
                             path)
        path = self.array("o.npy", "int32", [0, 1], (2, 1))
        self.refused("o.npy: has 2 dimensions, expected 1", "parents", path)
        path = self.array("o.npy", "int32", [0], ())
        self.refused("o.npy: has 0 dimensions, expected 1", "counts", path)
        path = self.array("o.npy", "int32", [])
        for command in ["parents", "local-index", "counts"]:
            self.refused("o.npy: is empty, expected one offset more than there are lists", command,
                         path)


class BadUsage(Arrays):
    def setUp(self):
        super().setUp()
        self.offsets = self.array("o.npy", "int32", [0, 1])

    def test_parents(self):
        both = ["--starts", self.offsets, "--stops", self.offsets]
        for words, arguments in [
                ("no OFFSETS.npy given", []),
                ("unexpected argument", [self.offsets, self.offsets]),
                ("unexpected argument", [self.offsets, *both, "--length", 3]),
                ("go together", ["--starts", self.offsets, "--length", 3]),
                ("go together", ["--stops", self.offsets, "--length", 3]),
                ("need --length N", both),
                ("--strategy search needs lists in order",
                 [*both, "--length", 3, "--strategy", "search"]),
                ("--absolute needs --length N", [self.offsets, "--absolute"]),
                ("--length belongs to", [self.offsets, "--length", 4]),
                ("is not a whole number", [self.offsets, "--absolute", "--length", -1]),
                ("is not a whole number", [self.offsets, "--absolute", "--length", 2**63]),
                (["'balance'", "did you mean 'balanced'?"],
                 [self.offsets, "--strategy", "balance"]),
                ("can be read only once", ["--starts", "-", "--stops", "-", "--length", 2])]:
            self.bad(1, words, "parents", *arguments)

    @long
    def test_others(self):
        for words, arguments in [
                ("no OFFSETS.npy given", ["local-index"]),
                ("no OFFSETS.npy given", ["counts"]),
                ("go together", ["counts", "--starts", self.offsets]),
                ("unexpected argument", ["counts", self.offsets, "x"]),
                ("did you mean 'event'?", ["local-index", self.offsets, "--strategy", "events"]),
                ("give one of --from-counts, --from-parents", ["offsets"]),
                ("give one of --from-counts, --from-parents",
                 ["offsets", "--from-counts", "a", "--from-parents", "b", "--segments", 3]),
                ("give one of", ["offsets", "--from-counts", "a", "--starts", "b"]),
                ("go together", ["offsets", "--starts", "b"]),
                ("needs --segments M", ["offsets", "--from-parents", "b"]),
                ("--segments belongs to", ["offsets", "--from-counts", "b", "--segments", 2]),
                ("is not a whole number", ["offsets", "--from-parents", "b", "--segments", 2**31]),
                ("unexpected argument", ["offsets", self.offsets])]:
            self.bad(1, words, *arguments)

    def test_same_file(self):
        before = load(self.offsets)
        self.bad(1, "is an input and an output", "parents", self.offsets, "-o", self.offsets)
        self.bad(1, "is an input and an output", "offsets", "--from-counts", self.offsets, "-o",
                 self.path("./o.npy"))
        self.assertEqual(load(self.offsets), before)

    def test_unwritable(self):
        self.bad(4, ["/dev/full", "No space"], "parents", self.offsets, "-o", "/dev/full")
        self.bad(4, "no/p.npy", "counts", self.offsets, "-o", self.path("no/p.npy"))

    def test_messages(self):
        err = self.good("parents", self.offsets).err
        self.assertRegex(err, r"^mote parents: 1 element, 1 list; .+ \(.+\); " + TIME + r"(; written: .+)?\n$")
        self.assertRegex(self.good("counts", self.offsets).err, "^mote counts: 1 list; ")
        timing = json.loads(self.good("parents", self.offsets, "-q", "--timing").err)
        self.assertEqual(timing["command"], "parents")
        self.assertEqual(timing["bytes"], 8)
        self.assertEqual(timing["device"], mote("devices").out.split()[0])
        self.bad(3, "nothing-like-it", "parents", self.offsets, "-d", "nothing-like-it")


if __name__ == "__main__":
    main()
