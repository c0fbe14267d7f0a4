# SPDX-License-Identifier: Apache-2.0
"""Tests mote clusters --format acts: measurements in mm."""
from driver import Case, long, main, rows

CELLS = "geometry_id,measurement_id,channel0,channel1,timestamp,value\n"
DIGIS = [(2**60 + 5, 10, 20, 0.5), (2**60 + 5, 11, 20, 1.5), (2**60 + 5, 11, 21, 0.25),
         (7, 0, 0, 3.0), (7, 159, 415, 1.0)]
PITCH = (0.1, 0.15)
SIZE = (160, 416)
OPTIONS = ["--format", "acts", "--pitch", "0.1,0.15"]
ZERO = ["phi", "theta", "time", "var_phi", "var_theta", "var_time", "global_x", "global_y", "global_z"]
# The columns that Acts' reader of measurements requires, in the order in which Acts writes them.
COLUMNS = ["measurement_id", "geometry_id", "local_key", "local0", "local1", *ZERO[:3], "var_local0", "var_local1",
           *ZERO[3:]]


class Acts(Case):
    def cells(self, digis=DIGIS):
        return self.write("cells.csv", CELLS + "".join(f"{m},0,{x},{y},0,{q}\n" for m, x, y, q in digis))

    def measured(self, *options, digis=DIGIS):
        return rows(self.good("clusters", self.cells(digis), *OPTIONS, *options).out)

    def expect(self, found, digis, origin):
        """Returns the single measurement of these digis."""
        charge = sum(d[3] for d in digis)
        share = sum(d[3]**2 for d in digis) / charge**2
        self.assertEqual((found["geometry_id"], found["local_key"]), (str(digis[0][0]), "\x06"))
        for k in range(2):
            place = sum(d[1 + k] * d[3] for d in digis) / charge
            self.assertAlmostEqual(float(found[f"local{k}"]), origin[k] + (place + 0.5) * PITCH[k], delta=1e-6)
            self.assertAlmostEqual(float(found[f"var_local{k}"]) / (PITCH[k]**2 / 12 * share), 1, delta=1e-6)
        self.assertEqual(list(found), COLUMNS)
        self.assertEqual([found[name] for name in ZERO], ["0"] * len(ZERO))

    def test_places(self):
        for options, origin in [(["--origin", "-3,2.5"], (-3, 2.5)),
                                (["--size", "160x416"], [-0.5 * n * p for n, p in zip(SIZE, PITCH)])]:
            found = self.measured(*options)
            self.assertEqual([row["measurement_id"] for row in found], ["0", "1", "2"])
            for row, digis in zip(found, [DIGIS[3:4], DIGIS[4:5], DIGIS[:3]]):
                self.expect(row, digis, origin)

    @long
    def test_charges_of_lines(self):
        """--gain is applied before the squares."""
        digis = [(7, 3, 3, 10), (7, 3, 4, 30)]
        gain = self.write("gain.csv", "module_id,gain,pedestal\n7,2,5\n")
        found = self.measured("--gain", gain, "--origin", "0,0", digis=digis)
        self.expect(found[0], [(7, 3, 3, 10), (7, 3, 4, 50)], (0, 0))

    @long
    def test_copies(self):
        digis = [*DIGIS[:3], (*DIGIS[0][:3], 9.0)]
        found = self.measured("--duplicates", "first", "--origin", "0,0", digis=digis)
        self.expect(found[0], DIGIS[:3], (0, 0))

    @long
    def test_no_charges(self):
        path = self.write("a.csv", "module_id,x,y\n7,0,0\n7,1,0\n")
        found = rows(self.good("clusters", path, *OPTIONS, "--origin", "0,0").out)
        self.assertAlmostEqual(float(found[0]["local0"]), 0.1, delta=1e-9)
        self.assertAlmostEqual(float(found[0]["var_local0"]), 0.01 / 24, delta=1e-9)

    def test_one_event(self):
        path = self.write("a.csv", "event,module_id,x,y,adc\n3,7,0,0,1\n4,7,0,0,1\n")
        for inputs in [[path], [self.cells(), self.cells()]]:
            self.bad(2, "a second event", "clusters", *inputs, *OPTIONS, "--origin", "0,0", "-o", self.path("out"))
            self.assertNotIn("out", self.files())
        labels = rows(self.good("clusters", path, *OPTIONS, "--origin", "0,0", "--labels", "-").out)
        self.assertEqual([row["event"] for row in labels], ["3", "4"])
        header = self.good("clusters", self.cells([]), *OPTIONS, "--origin", "0,0").out
        self.assertEqual(len(header.splitlines()), 1)

    def test_refused(self):
        path = self.cells()
        for words, options in [("--pitch PX,PY", ["--format", "acts", "--origin", "0,0"]),
                               ("--origin X,Y", OPTIONS), ("for --format acts", ["--pitch", "1,1"]),
                               ("for --format acts", ["--origin", "1,1"]),
                               ("leave out --part", [*OPTIONS, "--origin", "0,0", "--part", "1/2"]),
                               ("drop or first", [*OPTIONS, "--origin", "0,0", "--duplicates", "sum"]),
                               ("drop or first", [*OPTIONS, "--origin", "0,0", "--duplicates", "max"]),
                               ("acts", ["--format", "root"])]:
            self.bad(1, words, "clusters", path, *options)
        for value in ["1", "1,", "1,2,3", "0,1", "1,-1", "nan,1", "1e999,1", "a,b", ""]:
            self.bad(1, "--pitch", "clusters", path, "--format", "acts", "--origin", "0,0", "--pitch", value)


main()
