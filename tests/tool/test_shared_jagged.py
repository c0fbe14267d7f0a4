# SPDX-License-Identifier: Apache-2.0
"""Runs the shared verification cases through the command."""
import json
import math
import os
import unittest

from driver import Case, main, shared
from npy import load, make, parse

CASES = shared("cases", "jagged")
FLOATS = ["float32", "float64"]
EPS = 2.0**-52

# These cases cannot occur in a command: an array that is too small, and a number of lists apart from the file's.
NOT_FOR_A_COMMAND = ["OUTPUT_TOO_SMALL", "INVALID_SIZE"]


@unittest.skipUnless(CASES, "MOTE_SHARED names no folder")
class Shared(Case):
    """One test for each operation."""

    def cases(self, op):
        for name in sorted(os.listdir(CASES)):
            folder = os.path.join(CASES, name)
            with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
                case = json.load(file)
            if case["op"] == op:
                case["path"] = {key: os.path.join(folder, value)
                                for key, value in case["arrays"].items() if value}
                yield name, case

    def each(self, op, run):
        ran = skipped = 0
        for name, case in self.cases(op):
            if case["error"] in NOT_FOR_A_COMMAND:
                skipped += 1
                continue
            run(name, case)
            ran += 1
        self.assertGreater(ran, 0)
        print(f"# {op}: {ran} cases ran, {skipped} skipped", flush=True)

    def same(self, name, case, *arguments):
        """Returns the expected values in the type of the input, or the file itself if it has that type."""
        with open(case["path"]["expected"], "rb") as file:
            expected = file.read()
        inputs = [path for key, path in case["path"].items() if key != "expected"]
        kind, shape, values = parse(expected)
        wanted = make(load(inputs[0])[0], values, shape)
        self.assertTrue(load(inputs[0])[0] != kind or wanted == expected)
        self.assertEqual(self.good(*arguments, "-q").raw, wanted, name)

    def test_parents(self):
        def run(name, case):
            for strategy in ["auto", "search", "event", "balanced"]:
                self.same(name, case, "parents", case["path"]["offsets"], "--strategy", strategy)

        self.each("parents", run)

    def test_parents_abs(self):
        self.each("parents_abs", lambda name, case: self.same(
            name, case, "parents", case["path"]["offsets"], "--absolute", "--length",
            case["num"]["n"]))

    def startsstops(self, case):
        length = case["num"].get("content_length", case["num"]["n"])
        return ["parents", "--starts", case["path"]["starts"], "--stops", case["path"]["stops"],
                "--length", length]

    def test_parents_startsstops(self):
        self.each("parents_startsstops",
                  lambda name, case: self.same(name, case, *self.startsstops(case)))

    def test_local_index(self):
        self.each("localindex", lambda name, case: self.same(
            name, case, "local-index", case["path"]["offsets"]))

    def test_counts(self):
        self.each("counts",
                  lambda name, case: self.same(name, case, "counts", case["path"]["offsets"]))

    def test_offsets_from_counts(self):
        self.each("offsets_from_counts", lambda name, case: self.same(
            name, case, "offsets", "--from-counts", case["path"]["counts"]))

    def test_offsets_from_parents(self):
        self.each("offsets_from_parents", lambda name, case: self.same(
            name, case, "offsets", "--from-parents", case["path"]["parents"], "--segments",
            case["num"]["segments"]))

    def invalid(self, name, case, *arguments):
        bad = case["bad_index"]
        self.bad(2, [f"list {bad}", f"(MOTE_ERROR_{case['error']})"], *arguments)

    def test_invalid(self):
        self.each("parents_invalid", lambda name, case: self.invalid(
            name, case, "parents", case["path"]["offsets"], "--absolute", "--length",
            case["num"]["content_length"]))
        self.each("parents_startsstops_invalid",
                  lambda name, case: self.invalid(name, case, *self.startsstops(case)))

    def reduce(self, case, op, *options):
        result = self.good("reduce", "--op", op, case["path"]["offsets"], case["path"]["values"],
                           "--base", case.get("base", "absolute"), "-q", *options)
        return parse(result.raw)[2]

    def test_reduce(self):
        def run(name, case):
            floats = case["str"]["values_dtype"] in FLOATS
            narrow = case["str"]["values_dtype"] == "float32"
            sizes = load(case["path"]["count"])[2]
            for op in set(case["path"]) - {"offsets", "values", "sumabs"}:
                found, expected = self.reduce(case, op), load(case["path"][op])[2]
                self.assertEqual(len(found), len(expected))
                if not floats or op not in ["sum", "prod"]:
                    self.assertEqual(found, expected, (name, op))
                    continue
                scale = load(case["path"]["sumabs"])[2] if op == "sum" else map(abs, expected)
                for a, b, n, size in zip(found, expected, sizes, scale):
                    bound = (2.0**-23 * abs(b) + 1e-44 if narrow else 0) + EPS * (n + 16) * size
                    self.assertTrue(a == b or abs(a - b) <= bound, (name, op, a, b))

        self.each("segreduce", run)

    def test_nan(self):
        def run(name, case):
            for key in set(case["path"]) - {"offsets", "values", "sum_isnan"}:
                op, policy = key.split("_")
                policy = {"numpy": "propagate"}.get(policy, policy)
                found, expected = self.reduce(case, op, "--nan", policy), load(case["path"][key])[2]
                self.assertTrue(all(a == b or (a != a and b != b) for a, b in zip(found, expected)),
                                (name, key, found, expected))
            found = [int(v != v) for v in self.reduce(case, "sum")]
            self.assertEqual(found, list(map(int, load(case["path"]["sum_isnan"])[2])))

        self.each("segreduce_nan", run)

    def sums(self, name, case):
        kind = load(case["path"]["values"])[0]
        n = case["num"]["n"]
        path = case["path"]["values"]
        exact = load(case["path"]["exact"])[2]
        found = self.good("reduce", "-q", path).out.split()
        self.assertEqual(len(found), len(exact))
        if kind not in FLOATS:
            self.assertEqual(list(map(int, found)), exact, name)
            return
        near = self.good("reduce", "-q", path, "--precision", "compensated").out.split()
        for a, c, b, size in zip(found, near, exact, load(case["path"]["sumabs"])[2]):
            if not math.isfinite(b):
                self.assertEqual((a, c), (f"{b:.17g}",) * 2)
                continue
            levels = math.ceil(math.log2(n)) if n else 0
            self.assertLessEqual(abs(float(a) - b), EPS * (levels + 16) * size, name)
            self.assertLessEqual(abs(float(c) - b), 2 * math.ulp(b) + n * n * EPS * EPS * size, name)

    def test_sums(self):
        self.each("sum1d", self.sums)
        self.each("sumnd", self.sums)


if __name__ == "__main__":
    main()
