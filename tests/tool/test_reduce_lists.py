# SPDX-License-Identifier: Apache-2.0
"""Tests reduce: one result for each list, of every operation and type."""
import math
import os
import random
import struct

import jagged_oracle as oracle
from driver import TIME, Case, long, main
from npy import INDICES, make, parse

OPS = oracle.OPS
TYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
         "float32", "float64"]
NAN, INF = math.nan, math.inf
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def number(name, chance):
    """The values are often small and equal, sometimes extreme."""
    if name == "bool":
        return chance.randrange(2)
    if name.startswith("float"):
        value = chance.choice([0.0, -0.0, 1.0, chance.uniform(-4, 4), chance.uniform(0.5, 2.0)])
        if name == "float16":
            return struct.unpack("<e", struct.pack("<e", value))[0]
        return oracle.single(value) if name == "float32" else value
    bits = oracle.BITS[name]
    low = 0 if name.startswith("uint") else -2**(bits - 1)
    high = 2**(bits - (not name.startswith("uint"))) - 1
    return chance.choice([0, 1, max(-1, low), 3, low, high, chance.randrange(low, high + 1)])


def same(found, expected):
    return found == expected or (found != found and expected != expected)


class Lists(Case):
    def run_op(self, op, offsets, values, *options):
        """Type and results."""
        paths = [self.write("o.npy", make(*offsets)), self.write("v.npy", make(*values))]
        name, shape, results = parse(self.good("reduce", "--op", op, *paths, "-q", *options).raw)
        self.assertEqual(shape, (len(offsets[1]) - 1,))
        return name, results

    @long
    def test_place_in_an_empty_list(self):
        """-1, all of whose bits are set in uint32."""
        for op in ["argmin", "argmax"]:
            for index, none in [("int32", -1), ("int64", -1), ("uint32", 4294967295)]:
                self.assertEqual(self.run_op(op, (index, [0, 0, 2, 2]), ("int32", [5, 7])),
                                 (index, [none, int(op == "argmax"), none]))

    def close(self, op, name, out, found, part, exact):
        """The error is within the rounding of n operations in double and of the result."""
        if not math.isfinite(exact):
            return same(found, exact)
        if op == "prod" and abs(exact) > 1e30 or 0 < abs(exact) < 1e-30:
            return True
        bound = 2.0**-52 * (len(part) + 16) * oracle.scale(op, part, exact)
        if out == "float32":
            bound += 2.0**-23 * abs(exact) + 1e-44
        return abs(found - exact) <= bound

    def compare(self, op, index, offsets, name, values, skip=False, base=0, options=()):
        out, found = self.run_op(op, (index, offsets), (name, values), *options)
        wanted = "float64" if "float64" in options else oracle.result_type(op, name, index)
        self.assertEqual(out, wanted)
        for k, (a, b) in enumerate(zip(offsets, offsets[1:])):
            part = values[a - base:b - base]
            expected = oracle.reduced(op, name, index, part, skip)
            if oracle.rounded(op, name):
                good = self.close(op, name, out, found[k], part, expected)
            else:
                good = same(found[k], expected)
            self.assertTrue(good, (op, name, index, k, part[:20], found[k], expected))

    def lists(self, chance):
        lengths = [chance.choice([0, 0, 1, 2, 5, 31, 32, 33, 100]) for _ in range(60)]
        lengths[chance.randrange(60)] = 9000
        return oracle.running(lengths)

    @long
    def test_all(self):
        """Tests each operation and each type with few kernels; the library's tests cover all of them."""
        chance = random.Random()
        for name in TYPES:
            offsets = self.lists(chance)
            values = [number(name, chance) for _ in range(offsets[-1])]
            for op in OPS if name == "float32" else chance.sample(OPS, 2):
                self.compare(op, "int32", offsets, name, values)
        for index in INDICES:
            self.compare("argmax", index, offsets, name, values)

    def test_base(self):
        chance = random.Random()
        offsets = [1000 + o for o in self.lists(chance)]
        for base in [0, 1000]:
            values = [number("float32", chance) for _ in range(offsets[-1] - base + 3)]
            for op in ["sum", "argmax"]:
                self.compare(op, "int32", offsets, "float32", values, base=base,
                             options=["--base", "first" if base else "absolute"])

    @long
    def test_nan(self):
        offsets = [0, 3, 3, 5, 8, 9, 13]
        values = [1.0, NAN, -2.0, NAN, NAN, NAN, 7.0, INF, -INF, INF, -INF, NAN, 0.0]
        for op in OPS:
            self.compare(op, "int32", offsets, "float32", values)
        for op in ["sum", random.choice(["prod", "min", "max"]), "argmin", "count"]:
            self.compare(op, "int32", offsets, "float32", values, skip=True,
                         options=["--nan", "skip"])

    @long
    def test_wrapping(self):
        for name, big in [("int32", 2**31 - 1), ("uint32", 2**32 - 1), ("int64", 2**63 - 1),
                          ("uint64", 2**64 - 1)]:
            self.compare(random.choice(["sum", "prod"]), "int32", [0, 4, 9], name, [big] * 9)

    @long
    def test_out(self):
        values = [oracle.single(random.uniform(-1, 1)) for _ in range(100)]
        op = random.choice(["sum", "prod"])
        self.compare(op, "int32", [0, 50, 100], "float32", values, options=["--out", "float64"])
        self.compare(op, "int32", [0, 50, 100], "float32", values, options=["--out", "float32"])
        self.compare(op, "int32", [0, 50, 100], "float64", values, options=["--out", "float64"])

    @long
    def test_no_lists(self):
        for op in OPS:
            self.compare(op, "int32", [0, 0, 0], "float32", [])
        for name in ["int32", "float64"]:
            self.compare("max", "int32", [0], name, [])
            self.compare("max", "int32", [3], name, [1, 2, 3, 4])


class Refused(Case):
    def setUp(self):
        super().setUp()
        self.offsets = self.write("o.npy", make("int32", [0, 2, 4]))
        self.values = self.write("v.npy", make("float32", [1, 2, 3, 4]))

    def refused(self, code, words, *arguments):
        self.bad(code, words, "reduce", *arguments)

    def test_usage(self):
        o, v = self.offsets, self.values
        self.refused(1, ["'median' is not one of sum, prod", "all"], "--op", "median", o, v)
        self.refused(1, "did you mean 'max'?", "--op", "maks", o, v)
        self.refused(1, "did you mean 'countnonzero'?", "--op", "count_nonzero", o, v)
        self.refused(1, "did you mean 'skip'?", "--op", "sum", "--nan", "skp", o, v)
        self.refused(1, "--base", "--op", "sum", "--base", "last", o, v)
        self.refused(1, "did you mean 'float64'?", "--op", "sum", "--out", "flot64", o, v)
        self.refused(1, ["--out float64: ", "v.npy holds float32, whose max is float32"], "--op", "max",
                      "--out", "float64", o, v)
        self.refused(1, "whose argmin is int32", "--op", "argmin", "--out", "float32", o, v)
        self.refused(1, "--precision is for arrays, not for lists; see --out", "--precision", "native", o, v)
        self.assertEqual(self.good("reduce", "-q", o, v).raw, self.good("reduce", "-q", "--op", "sum", o, v).raw)
        self.refused(1, "unexpected argument", "--op", "sum", o, v, v)
        self.refused(1, "can be read only once", "--op", "sum", "-", "-")
        self.refused(1, "is an input and an output", "--op", "sum", o, v, "-o", v)
        for name, other in [("int32", "float64"), ("bool", "float32"), ("float64", "float32")]:
            values = self.write("w.npy", make(name, [1, 0, 1, 0]))
            self.refused(1, [f"w.npy holds {name}", "whose sum is"], "--op", "sum",
                          "--out", other, o, values)

    def test_arrays(self):
        values = self.write("w.npy", make("int32", [1, 2, 3, 4], (4, 1)))
        self.refused(2, "w.npy: has 2 dimensions", "--op", "sum", self.offsets, values)
        self.refused(2, "v.npy: holds float32, expected int32, uint32 or int64", "--op", "sum",
                      self.values, self.values)
        self.refused(2, "nowhere.npy", "--op", "sum", self.offsets, self.path("nowhere.npy"))

    def test_lists(self):
        def refused(words, name, offsets, *options):
            path = self.write("b.npy", make(name, offsets))
            op = random.choice(["argmax", "count"])  # each type of offsets is a program of its own
            self.refused(2, ["b.npy: ", *words], "--op", op, path, self.values, *options)

        refused(["list 1: offsets[2] = 1 < offsets[1] = 3"], "int64", [0, 3, 1, 4, 2])
        refused(["list 0", "-1"], "int32", [-1, 3])
        refused(["list 1", "5", "4"], "uint32", [0, 3, 5, 9])
        refused(["list 1", "9"], "int32", [2, 6, 9], "--base", "first")
        path = self.write("b.npy", make("int64", [2**62, 2**62 + 4]))
        result = self.good("reduce", "--op", "argmax", "--base", "first", path, self.values, "-q")
        self.assertEqual(parse(result.raw)[2], [3])

    def test_help(self):
        """The help and the manual name each operation; the help lists no other."""
        text = self.good("reduce", "--help").out
        words = [line.split()[0] for line in text.split("without values:\n\n")[1].split("\n\n")[0]
                 .splitlines()]
        self.assertEqual(words, OPS)
        manual = open(os.path.join(ROOT, "tool/man/mote.1"), encoding="utf-8").read()
        manual = manual.split("SS mote reduce")[1].split(".SS ")[0]
        for op in OPS:
            self.assertRegex(manual, rf"\b{op}\b")

    def test_summary(self):
        err = self.good("reduce", "--op", "sum", self.offsets, self.values).err
        self.assertRegex(err, r"^mote reduce: sum of 2 lists, 4 values; .+ \(.+\); " + TIME + r"(; written: .+)?\n$")


if __name__ == "__main__":
    main()
