# SPDX-License-Identifier: Apache-2.0
"""Runs the shared coordination cases through the command."""
import json
import os
import unittest

from driver import Case, main, shared

CASES = shared("cases", "coordination")


def words_of(case):
    """Returns the options that describe a case's switching function."""
    s = case["switch"]
    if s["via"] == "keywords":
        words = ["--r0", s["r0"], "--nn", s["nn"], "--mm", s["mm"], "--d0", s["d0"]]
        return words + (["--dmax", s["d_max"]] if s.get("d_max") else [])
    names = {"r0": "R_0", "d0": "D_0", "d_max": "D_MAX", "nn": "NN", "mm": "MM", "a": "A", "b": "B",
             "beta": "BETA", "lambda": "LAMBDA", "ref": "REF"}
    not_taken = {"RATIONAL": [], "CUBIC": ["r0", "nn", "mm"]}.get(s["type"], ["nn", "mm"])
    text = [s["type"]] + [f"{names[key]}={s[key]!r}" for key in names
                          if s.get(key) is not None and key not in not_taken]
    return ["--switch", " ".join(text + ([] if s["stretch"] else ["NOSTRETCH"]))]


def options_of(case):
    lists = [",".join(str(i + 1) for i in case[group]) for group in ["group_a", "group_b"]]
    options = ["--group-a", lists[0]]
    if case["mode"] != "self":
        options += ["--group-b", lists[1]]
    if case["mode"] == "pair":
        options.append("--pair")
    if case["pbc"] == "none":
        options.append("--nopbc")
    return options + words_of(case)


def read_slopes(path):
    """Returns the columns that contain the expected values: list entry -> dx, dy, dz."""
    with open(path, encoding="utf-8") as file:
        rows = [line.split() for line in file if not line.startswith("#")]
    return [[float(x) for x in row[5:8]] for row in rows]


@unittest.skipUnless(CASES, "MOTE_SHARED names no folder")
class Shared(Case):
    def far(self, found, truth, scale):
        """Returns the largest difference, relative to a scale; for a scale of 0 all must be 0."""
        differences = [abs(a - b) for a, b in zip(found, truth, strict=True)]
        return max(differences) / scale if scale else float(max(differences) > 0) * 1e300

    def check_frame(self, name, case, frame, row, slopes):
        loose = name.startswith("two_taylor")
        if "value_ill_defined" not in frame["flags"]:
            truth = float(frame["coordination_longdouble"])
            self.assertLess(self.far(row[1:2], [truth], max(abs(truth), 1e-3)),
                            1e-11 if loose else 2e-12, name)
        if "derivatives_ill_defined" in frame["flags"]:
            return
        virial = [float(x) for line in frame["virial_longdouble"] for x in line]
        limit = 1e-6 if loose else 1e-10
        self.assertLess(self.far(row[2:], virial, frame["virial_scale"]), limit, name)
        truth = read_slopes(os.path.join(CASES, frame["derivatives"]))
        self.assertLess(self.far(sum(slopes, []), sum(truth, []), frame["deriv_scale"]), limit, name)

    def run_case(self, name):
        with open(os.path.join(CASES, name + ".json"), encoding="utf-8") as file:
            case = json.load(file)
        out = self.good("coordination", "-q", os.path.join(CASES, case["coords"]), "--precision",
                        "double", "--virial", "--derivatives", self.path("d"), *options_of(case)).out
        rows = [[float(x) for x in line.split()] for line in out.splitlines() if line[0] != "#"]
        slopes = [[float(x) for x in line.split()[3:]] for line in self.read("d").splitlines()[1:]]
        entries = len(slopes) // len(rows)
        self.assertEqual(len(rows), case["nframes"])
        for f, frame in enumerate(case["frames"]):
            self.check_frame(name, case, frame, rows[f], slopes[f * entries:(f + 1) * entries])

    def test_all(self):
        names = sorted(n[:-5] for n in os.listdir(CASES) if n.endswith(".json"))
        for name in names:
            self.run_case(name)
        print(f"# {len(names)} cases ran, 0 were skipped")


if __name__ == "__main__":
    main()
