# SPDX-License-Identifier: Apache-2.0
"""Tests reduce: arrays and rows; sums bit by bit if the order of the additions is fixed."""
import math
import random
import unittest

import jagged_oracle as oracle
from driver import TIME, Case, long, main
from npy import make

SIZES = [0, 1, 2, 3, 31, 127, 128, 1023, 1024, 1025, 8191, 8192, 8193, 30011]

with open("/proc/sys/vm/overcommit_memory", encoding="ascii") as setting:
    PROMISES_MEMORY = setting.read().strip() == "1"


def lanes_sum(values, rounded):
    """The sum has 1024 lanes, joined by pairs, then the results by pairs, and so on."""
    lanes = [0.0] * 1024
    for i, value in enumerate(values):
        lanes[i % 1024] = rounded(lanes[i % 1024] + value)
    while len(lanes) > 1:
        lanes = [rounded(a + b) for a, b in zip(lanes[::2], lanes[1::2])]
    return lanes[0]


def layout_sum(values, rounded=float):
    """The header guarantees this for up to 2^22 values."""
    blocks = [lanes_sum(values[i:i + 8192], rounded) for i in range(0, len(values), 8192)]
    return lanes_sum(blocks, rounded)


def floats(name, n, chance):
    values = [chance.uniform(-1, 1) * 10.0**chance.randrange(-3, 4) for _ in range(n)]
    return [oracle.single(v) for v in values] if name == "float32" else values


class Arrays(Case):
    def run_sum(self, name, values, *options, shape=None):
        path = self.write("v.npy", make(name, values, shape))
        return self.good("reduce", "-q", path, *options).out

    def test_floats(self):
        chance = random.Random()
        for n in SIZES:
            name = chance.choice(["float32", "float64"])
            values = floats(name, n, chance)
            found = self.run_sum(name, values)
            self.assertEqual(found, f"{layout_sum(values):.17g}\n", (n, name))
            bound = 2.0**-52 * (n.bit_length() + 16) * sum(map(abs, values))
            self.assertLessEqual(abs(float(found) - math.fsum(values)), bound)

    @long
    def test_native(self):
        chance = random.Random()
        for n in [0, 1, 5, 1500, 9000]:
            values = floats("float32", n, chance)
            self.assertEqual(self.run_sum("float32", values, "--precision", "native"),
                             f"{layout_sum(values, oracle.single):.17g}\n", n)
            values = floats("float64", n, chance)
            self.assertEqual(self.run_sum("float64", values, "--precision", "native"),
                             self.run_sum("float64", values, "--precision", "default"))

    @long
    def test_compensated(self):
        chance = random.Random()
        for n in [0, 1, 100, 9000]:
            for name in ["float32", "float64"]:
                values = floats(name, n, chance)
                values += [-v for v in values[:n // 2]]
                chance.shuffle(values)
                found = float(self.run_sum(name, values, "--precision", "compensated"))
                exact = math.fsum(values)
                bound = 2 * math.ulp(exact) + n * n * 2.0**-104 * sum(map(abs, values))
                self.assertLessEqual(abs(found - exact), bound, (n, name))

    def test_integers(self):
        for name in ["int32", "int64"]:
            for n in [0, 1, 1000, 8193]:
                bits = oracle.BITS[name] - 1
                values = [random.randrange(-2**bits, 2**bits) for _ in range(n)]
                self.assertEqual(self.run_sum(name, values), f"{oracle.wrap(name, sum(values))}\n")
        self.assertEqual(self.run_sum("int64", [2**63 - 1, 1]), f"{-2**63}\n")
        self.assertEqual(self.run_sum("int32", [2**31 - 1] * 4), f"{4 * (2**31 - 1)}\n")

    def test_rows(self):
        chance = random.Random()
        for rows, n in [(1, 5), (3, 1025), (40, 7), (2, 9000), (300, 1)]:
            values = floats("float32", rows * n, chance)
            expected = [f"{layout_sum(values[r * n:(r + 1) * n]):.17g}" for r in range(rows)]
            self.assertEqual(self.run_sum("float32", values, shape=(rows, n)).split(), expected)

    @long
    def test_special(self):
        nan, inf = math.nan, math.inf
        for values, text in [([nan, 1.0], "nan"), ([-nan, 1.0], "nan"), ([inf, 1.0], "inf"),
                             ([-inf, 1.0], "-inf"), ([inf, -inf], "nan"), ([0.1], f"{0.1:.17g}")]:
            self.assertEqual(self.run_sum("float64", values), text + "\n")
        self.assertIn(self.run_sum("float32", [-0.0]), ["0\n", "-0\n"])
        big = oracle.single(3e38)
        self.assertEqual(float(self.run_sum("float32", [big, big, -big])), big)

    def test_to_file(self):
        path = self.write("v.npy", make("int32", [1, 2, 3]))
        self.assertEqual(self.good("reduce", path, "-o", self.path("s.txt")).out, "")
        self.assertEqual(self.read("s.txt"), "6\n")
        self.assertEqual(self.files(), ["s.txt", "v.npy"])

    @long
    def test_unsigned(self):
        """Types that other commands write, such as bool, uint8 and uint32, are accepted."""
        for name in ["bool", "uint8", "uint32", "uint64"]:
            values = [random.randrange(2**oracle.BITS[name]) for _ in range(2000)]
            values += [0, 2**oracle.BITS[name] - 1]
            total = sum(values)
            self.assertEqual(self.run_sum(name, values), f"{total % 2**64}\n", name)
            for op, number in [("min", min(values)), ("max", max(values))]:
                self.assertEqual(self.run_sum(name, values, "--op", op), f"{number}\n", (op, name))
            found = float(self.run_sum(name, values, "--op", "mean"))
            self.assertLess(abs(found * len(values) / total - 1), 1e-14, name)
        offsets = self.write("o.npy", make("uint32", [0, 2, 2, 5]))
        values = self.write("v.npy", make("float32", [1, 0, 0, 0, 2]))
        for command, total in [(["counts", offsets], 5), (["parents", offsets], 6),
                               (["reduce", "--op", "any", offsets, values], 2)]:
            result = self.good(*command, "-q").raw
            self.assertEqual(self.good("reduce", "-q", "-", stdin=result).out, f"{total}\n", command)

    @long
    def test_extremes(self):
        chance = random.Random()
        for name in ["int32", "int64", "float32", "float64"]:
            values = floats(name, 9000, chance) if name.startswith("float") else \
                [chance.randrange(-1000, 1000) for _ in range(9000)]
            for op, best in [("min", min), ("max", max)]:
                found = self.run_sum(name, values, "--op", op, shape=(3, 3000)).split()
                rows = [best(values[k:k + 3000]) for k in [0, 3000, 6000]]
                self.assertEqual([float(v) for v in found], rows, (name, op))
        out = self.path("m.npy")
        self.good("reduce", "--op", "max", "-", "-o", out, stdin=make("int32", [1, 5, 4, 2], (2, 2)))
        with open(out, "rb") as file:
            self.assertEqual(file.read(), make("int32", [5, 4]))

    @long
    def test_every_operation(self):
        """Rows are lists of equal length, whose results count places inside the row."""
        chance = random.Random()
        for name in chance.sample(["bool", "int16", "uint32", "int64", "float64"], 2):
            rows, n = chance.choice([(1, 700), (5, 33), (300, 1)])
            most = 2 if name == "bool" else 4
            values = [chance.randrange(most) for _ in range(rows * n)]
            for op in chance.sample(oracle.OPS, 3):
                found = self.run_sum(name, values, "--op", op, shape=(rows, n)).split()
                for r, number in enumerate(found):
                    wanted = oracle.reduced(op, name, "int64", values[r * n:(r + 1) * n], False)
                    self.assertAlmostEqual(float(number) / max(1.0, abs(float(wanted))),
                                           float(wanted) / max(1.0, abs(float(wanted))), 12, (op, name, r))

    def test_other_operations(self):
        path = self.write("v.npy", make("float32", [3, 0, 7, 7, 2, 2], (2, 3)))
        for op, expected in [("argmax", "2 0"), ("argmin", "1 1"), ("count", "3 3"), ("prod", "0 28"),
                             ("countnonzero", "2 3"), ("any", "1 1"), ("all", "0 1")]:
            self.assertEqual(self.good("reduce", "-q", "--op", op, path).out.split(), expected.split(), op)

    @long
    def test_mean(self):
        """This holds for integers whose sum wraps, too; in double, for any type."""
        chance = random.Random()
        for name in ["int32", chance.choice(["float32", "float64"])]:
            for rows, n in [(1, 5000), (4, 30), (3, 1)]:
                values = floats(name, rows * n, chance) if name.startswith("float") else \
                    [chance.randrange(-2**31, 2**31) for _ in range(rows * n)]
                found = self.run_sum(name, values, "--op", "mean", shape=(rows, n)).split()
                for r, number in enumerate(found):
                    row = values[r * n:(r + 1) * n]
                    bound = 2.0**-52 * (n.bit_length() + 20) * sum(map(abs, row)) / n
                    self.assertLessEqual(abs(float(number) - math.fsum(row) / n), bound)
        self.assertEqual(self.run_sum("int64", [2**62] * 4, "--op", "mean"), f"{2.0**62:.17g}\n")
        self.assertEqual(self.run_sum("float32", [], "--op", "mean"), "nan\n")

    @long
    def test_nan(self):
        values = [1.0, math.nan, -2.0, 4.0]
        for op, kept in [("sum", "3"), ("min", "-2"), ("max", "4"), ("mean", "1")]:
            for name in ["float32", "float64"]:
                self.assertEqual(self.run_sum(name, values, "--op", op), "nan\n")
                self.assertEqual(self.run_sum(name, values, "--op", op, "--nan", "skip"), kept + "\n")

    def test_empty(self):
        for shape, lines in [((0, 3), 0), ((2, 0), 2), ((0,), 1)]:
            path = self.write("v.npy", make("float64", [], shape))
            result = self.good("reduce", path)
            self.assertEqual(result.out, "0\n" * lines)
            self.assertRegex(result.err, rf"^mote reduce: sum of {lines} rows? of {shape[-1]} values; .+")
            if lines:
                for op in ["min", "argmax"]:
                    self.bad(2, f"v.npy: has no values, and so no {op}", "reduce", "--op", op, path)
            self.assertEqual(self.good("reduce", "-q", "--op", "mean", path).out, "nan\n" * lines)

    @unittest.skipIf(PROMISES_MEMORY, "this system promises any amount of memory")
    def test_no_memory(self):
        """An array that does not fit is not an error in the input."""
        path = self.path("v.npy")
        with open(path, "wb") as file:
            file.write(make("float64", [], (2**40,)))
            file.truncate(len(make("float64", [])) + 2**43)
        self.bad(3, "no memory for 1099511627776 values", "reduce", path)

    def test_refused(self):
        path = self.write("v.npy", make("int32", [1, 0]))
        self.bad(1, "'median' is not one of sum, prod, min, max", "reduce", "--op", "median", path)
        self.bad(1, "did you mean 'skip'?", "reduce", "--nan", "skp", path)
        self.bad(1, "--precision is for --op sum, not for mean", "reduce", "--op", "mean", "--precision",
                 "native", path)
        path = self.write("v.npy", make("int32", [1, 0]))
        self.bad(1, "no VALUES.npy given", "reduce")
        self.bad(1, "unexpected argument", "reduce", path, path, path)
        self.bad(1, "--base is for lists: give OFFSETS.npy before", "reduce", "--base", "first", path)
        self.bad(1, "--out is for lists: give OFFSETS.npy before", "reduce", "--out", "float64", path)
        self.bad(1, "is an input and an output", "reduce", path, "-o", path)
        self.bad(1, ["'exact' is not one of default, native, compensated"], "reduce", path, "--precision",
                 "exact")
        self.bad(1, "did you mean 'compensated'?", "reduce", path, "--precision", "compensate")
        self.bad(4, "No space", "reduce", path, "-o", "/dev/full")

    def test_summary(self):
        path = self.write("v.npy", make("int32", [1, 2, 3, 4], (2, 2)))
        self.assertRegex(self.good("reduce", path).err,
                         r"^mote reduce: sum of 2 rows of 2 values; .+ \(.+\); " + TIME + r"(; written: .+)?\n$")


if __name__ == "__main__":
    main()
