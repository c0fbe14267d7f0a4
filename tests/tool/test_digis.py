# SPDX-License-Identifier: Apache-2.0
"""Tests mote clusters: columns by name, dead pixels and gains, reasons for dropped digis, lost charges."""
import json
import struct
import unittest

import driver
from driver import Case, long, rows

ROWS = "3,1,0,0,10\n3,1,0,1,20\n7,2,3,3,50\n"


class Columns(Case):
    def clusters(self, text, *options):
        return rows(self.good("clusters", self.write("a.csv", text), *options).out)

    def refuse(self, words, text, *options, code=2):
        self.bad(code, words, "clusters", self.write("a.csv", text), *options)

    def test_names_and_separators(self):
        expected = self.clusters("event,module_id,x,y,adc\n" + ROWS)
        self.assertEqual([(r["event"], r["size"], r["charge"]) for r in expected],
                         [("3", "2", "30"), ("7", "1", "50")])
        texts = [(header + "\n" + ROWS).replace(",", separator) for separator in ",;\t"
                 for header in ["event_id,module,row,col,charge", "event,geometry_id,channel0,channel1,value",
                                "event_id,module_id,x,column,adc"]]
        found = rows(self.good("clusters", *[self.write(f"{k}.csv", text) for k, text in enumerate(texts)]).out)
        for k, text in enumerate(texts):  # event numbers continue from file to file
            of_file = [row for row in found if int(row["event"]) // 2 == k]
            self.assertEqual([{**row, "event": "37"[int(row["event"]) % 2]} for row in of_file], expected, text)
        given = self.clusters("a,b,c,d,e\n" + ROWS, "--columns", "event=a,module=b,x=c,y=d,adc=e")
        self.assertEqual(given, expected)

    def test_empty_fields_between_tabs(self):
        self.refuse(["a.csv:2:", "x ''", "is empty"], "module_id\tx\ty\tadc\n1\t\t2\t3\n")

    def test_unknown_column(self):
        self.unknown(["evt"], ["ToT_sum"])

    @long
    def test_unknown_columns(self):
        self.unknown(["evt", "EventCount", "bunch_crossing", "frame", "entry"], ["Edep", "ToT_sum", "deposited_energy", "adc_counts"])

    def unknown(self, of_events, of_charges):
        for name in of_events:
            self.refuse(["a.csv:1:", f"'{name}'", "number of an event", f"event={name}"],
                        f"{name},module_id,x,y,adc\n" + ROWS)
            self.assertEqual(len(self.clusters(f"{name},module_id,x,y,adc\n" + ROWS, "--columns",
                                               f"none={name}")), 2)
        for name in of_charges:
            self.refuse(["a.csv:1:", f"'{name}'", "charge", f"adc={name}"],
                        f"event,module_id,x,y,{name}\n" + ROWS)
        many = "event,module_id,x,y,adc,colour,taste\n3,1,0,0,10,7,8\n"
        path, other = self.write("a.csv", many), self.write("b.csv", many)
        err = self.good("clusters", path, other).err
        self.assertEqual(err.count("not read: colour, taste"), 1, err)
        hits = self.good("clusters", "-", stdin="x,y,ToA\n1,2,3\n").err
        self.assertIn("not read: ToA (times, which --time-window reads)", hits)
        acts = "geometry_id,measurement_id,channel0,channel1,timestamp,value\n5,0,1,2,0,3\n"
        self.assertNotIn("not read", self.good("clusters", self.write("c.csv", acts)).err)

    def test_two_of_a_kind(self):
        text = "module_id,x,row,y,adc\n1,2,3,4,5\n"
        self.refuse(["a.csv:1:", "'x' and 'row'", "--columns"], text)
        self.assertEqual(self.clusters(text, "--columns", "x=row")[0]["x"], "3")

    def test_bad_options(self):
        for value in ["event", "x=", "q=x", "x=a,,y=b", ""]:
            self.refuse(["--columns", "NAME"], "module_id,x,y,adc\n", "--columns", value, code=1)
        self.refuse(["no column 'gone'", "--columns"], "module_id,x,y,adc\n", "--columns", "x=gone")

    @long
    def test_no_charges(self):
        text = "module_id,x,y\n1,0,0\n1,0,1\n1,5,5\n"
        found = self.clusters(text)
        self.assertEqual([(r["size"], r["charge"], r["y"]) for r in found],
                         [("2", "0", "0.5"), ("1", "0", "5")])
        for options in [["--threshold", 1], ["--charge-cut", 2], ["--duplicates", "max"]]:
            self.refuse(["no column for the charge"], text, *options)

    def test_runs(self):
        """Events of different runs or luminosity blocks are different events, and are numbered from 0."""
        lines = ["2,1,7,5,0,0,10", "1,4,7,5,0,1,20", "1,3,9,5,0,0,30", "1,3,9,5,0,1,40", "1,4,7,5,1,1,50"]
        for header in ["run,lumi,event,module_id,x,y,adc", "runNumber,lumiBlock,eventNumber,module_id,x,y,adc"]:
            path = self.write("a.csv", "\n".join([header, *lines]) + "\n")
            found = rows(self.good("clusters", path, "-o", "-", "--labels", self.path("l.csv")).out)
            self.assertEqual([(r["event"], r["size"], r["charge"]) for r in found],
                             [("0", "2", "70"), ("1", "2", "70"), ("2", "1", "10")])
            self.assertEqual([r["event"] for r in rows(self.read("l.csv"))], ["2", "1", "0", "0", "1"])
        header = "run,lumi,event,module_id,x,y,adc\n"
        ascending = header + "\n".join(sorted(lines)) + "\n"
        shares = [self.good("clusters", "-q", "--part", f"{k}/3", self.write("a.csv", ascending)).out
                  for k in [1, 2, 3]]
        self.assertEqual([(r["event"], r["charge"]) for r in rows("".join(shares))],
                         [("0", "70"), ("1", "70"), ("2", "10")])
        many = header.replace(",adc", "") + "".join(
            f"2,1,{event},0,{k % 200},{k // 200}\n" for event in [7, 8] for k in range(33000))
        self.bad(2, ["run 1, lumi 1, event 9 comes behind run 2, lumi 1, event 8"], "clusters", "-", "-o",
                 self.path("o"), stdin=many + "1,1,9,0,0,0\n")
        self.assertIn("3 events", self.good("clusters", "-", "-o", self.path("o"), stdin=many + "3,1,1,0,0,0\n").err)
        one = self.clusters(header + "\n".join(lines) + "\n", "--columns", "none=run,none=lumi")
        self.assertEqual([(r["event"], r["size"]) for r in one], [("7", "3"), ("9", "2")])
        given = self.clusters("r,event,module_id,x,y,adc\n1,7,5,0,0,1\n2,7,5,0,1,2\n", "--columns", "run=r")
        self.assertEqual([r["charge"] for r in given], ["1", "2"])
        self.refuse(["a.csv:1:", "'runID2'", "run=runID2"], "runID2,event,module_id,x,y,adc\n" + "1," + ROWS)
        self.refuse(["a.csv:1:", "no column for event"], "r,module_id,x,y,adc\n", "--columns", "run=r")
        self.assertIn("not read: run", self.good("clusters", self.write("a.csv", "run,x,y\n1,0,0\n")).err)

    @long
    def test_event_numbers(self):
        text = "event,module_id,x,y,adc\n" + ROWS
        one = self.write("a.csv", text)
        self.good("clusters", one, "--labels", self.path("l.csv"), "--svg", self.path("p.svg"),
                  "--event", 7)
        self.assertEqual([r["event"] for r in rows(self.read("l.csv"))], ["3", "3", "7"])
        self.assertIn("Event 7", self.read("p.svg"))
        two = self.good("clusters", one, self.write("b.csv", text)).out
        self.assertEqual([r["event"] for r in rows(two)], ["0", "1", "2", "3"])


class Dropped(Case):
    def counts(self, text, *options):
        result = self.good("clusters", self.write("a.csv", text), "--timing", *options)
        lines = result.err.splitlines()
        self.timing = json.loads(lines[-1])
        self.summary = lines[-2]
        return [self.timing[k] for k in ["invalid", "masked", "below_threshold", "repeated", "cut"]]

    REASONS = ("module_id,x,y,adc\n9,1,1,5\n1,0,0,2\n1,5,5,50\n1,5,5,60\n1,8,8,20\n1,8,9,20\n"
               "1,12,12,90\n1,0,9,99\n")
    CUTS = ["--invalid-module", 9, "--threshold", 3, "--charge-cut", 45]

    def test_reasons(self):
        self.assertEqual(self.counts(self.REASONS, *self.CUTS), [1, 0, 1, 2, 2])
        for words in ["1 invalid", "1 below the threshold", "2 repeated", "2 in cut clusters"]:
            self.assertIn(words, self.summary)

    @long
    def test_reasons_of_policies_and_masks(self):
        text, options = self.REASONS, self.CUTS
        self.assertEqual(self.counts(text, *options, "--duplicates", "first"), [1, 0, 1, 1, 2])
        self.assertEqual(self.counts(text, *options, "--duplicates", "sum"), [1, 0, 1, 0, 2])
        mask = self.write("m.csv", "module_id,x,y\n1,5,5\n1,0,9\n77,0,0\n")
        self.assertEqual(self.counts(text, *options, "--mask", mask), [1, 3, 1, 0, 2])

    def test_none(self):
        self.assertEqual(self.counts("module_id,x,y,adc\n1,1,1,1\n"), [0] * 5)
        self.assertNotIn("dropped", self.summary)

    @long
    def test_first_copy_in_a_cut_cluster(self):
        text = "event,module_id,x,y,adc\n" + "".join(f"{e},7,1,1,5\n{e},7,1,1,6\n{e},7,9,9,100\n"
                                                     f"{e},7,9,9,1\n" for e in range(3))
        self.assertEqual(self.counts(text, "--charge-cut", 50, "--duplicates", "first"),
                         [0, 0, 0, 6, 3])

    @long
    def test_lost_charges(self):
        err = self.good("clusters", self.write("a.csv", "module_id,x,y,adc\n1,0,0,1000000.5\n"
                                               "1,5,5,0.0001\n1,9,9,0.003\n")).err
        self.assertIn("1 charge became 0 and 1 changed by more than 0.1 %", err)
        err = self.good("clusters", self.write("a.csv", "module_id,x,y,adc\n1,0,0,7\n"),
                        "--adc-scale", "0.01").err
        self.assertIn("1 charge became 0", err)
        err = self.good("clusters", self.write("a.csv", "module_id,x,y,adc\n1,0,0,7.25\n")).err
        self.assertNotIn("became", err)


class Modules(Case):
    PLAIN = "module_id,x,y,adc\n"

    def test_gain(self):
        for ids in [(1, 2), (2**60, 2**61)]:
            digis = "".join(f"{ids[k % 2]},{k},{k},{10 * k}\n" for k in range(8))
            lines = f"pedestal,gain,module_id\n4,2.5,{ids[0]}\n-0.5,0.1,{ids[1]}\n5,5,99999\n"
            found = rows(self.good("clusters", self.write("a.csv", self.PLAIN + digis), "--gain",
                                   self.write("g.csv", lines), "--connectivity", 4).out)
            charge = {(int(r["module_id"]), int(float(r["x"]))): int(r["charge"]) for r in found}
            for k in range(8):
                line = (2.5, 4.0) if k % 2 == 0 else (0.1, -0.5)
                expected = struct.unpack("f", struct.pack("f", line[0] * (10 * k - line[1])))[0]
                self.assertEqual(charge[ids[k % 2], k], max(0, int(expected)), (ids, k))

    @long
    def test_cut_and_threshold_see_the_charge(self):
        text = self.write("a.csv", self.PLAIN + "1,0,0,10\n1,5,5,11\n")
        gain = self.write("g.csv", "module_id,gain,pedestal\n1,100,0\n")
        for options in [["--charge-cut", 1100], ["--threshold", 1001]]:
            found = rows(self.good("clusters", text, "--gain", gain, *options).out)
            self.assertEqual([(r["x"], r["charge"]) for r in found], [("5", "1100")])

    @long
    def test_fractional_charges(self):
        text = self.write("a.csv", "geometry_id,channel0,channel1,value\n1,0,0,0.5\n1,5,5,2.25\n")
        gain = self.write("g.csv", "module_id,gain,pedestal\n1,2,0.25\n")
        found = rows(self.good("clusters", text, "--gain", gain).out)
        self.assertEqual([float(r["charge"]) for r in found], [0.5, 4.0])

    @long
    def test_large_gain_of_fractions(self):
        text = self.write("a.csv", "geometry_id,channel0,channel1,value\n1,0,0,0.5\n1,5,5,2.25\n")
        gain = self.write("g.csv", "module_id,gain,pedestal\n1,300,-1.5\n")
        found = rows(self.good("clusters", text, "--gain", gain).out)
        self.assertEqual([float(r["charge"]) for r in found], [600, 1125])

    def test_stdin_is_read_once(self):
        for option in ["--mask", "--gain", "--morph"]:
            self.bad(1, "read only once", "clusters", "-", option, "-", stdin=b"")

    def masked(self, *options):
        """Returns clusters of digis with wide ids, one of which is in a mask."""
        text = self.write("a.csv", self.PLAIN + f"{2**50},33,1,5\n{2**50},34,1,5\n4,33,1,5\n")
        mask = self.write("m.csv", f"detId,row,yy\n{2**50},33,1\n")
        found = rows(self.good("clusters", text, "--mask", mask, *options).out)
        return [(int(r["module_id"]), r["x"], r["charge"]) for r in found]

    def test_mask_of_wide_ids(self):
        """Tests gains and a cut, for which pixels-decode builds the program."""
        gain = self.write("g.csv", f"module_id,gain,pedestal\n{2**50},2,1\n4,2,2\n")
        self.assertEqual(self.masked("--gain", gain, "--charge-cut", 6), [(4, "33", "6"), (2**50, "34", "8")])

    @long
    def test_morph(self):
        text = self.write("a.csv", self.PLAIN + "".join(f"{m},5,{y},1\n" for m in [3, 2**50] for y in [0, 2, 5]))
        marked = self.write("m.txt", f"# damaged\nmoduleId\n{2**50}\n77\n\n")
        found = rows(self.good("clusters", text, "--morph", marked).out)
        self.assertEqual([(int(r["module_id"]), r["size"]) for r in found], [(3, "1")] * 3 + [(2**50, "3")])
        found = rows(self.good("clusters", text, "--morph", marked, "--morph-elements", "000010000,000010000").out)
        self.assertEqual([r["size"] for r in found], ["1"] * 6)

    @long
    def test_mask_alone(self):
        self.assertEqual(self.masked(), [(4, "33", "5"), (2**50, "34", "5")])

    def test_refused(self):
        text = self.write("a.csv", self.PLAIN + "1,0,0,10\n3,0,0,1\n")
        cases = [("--mask", "module_id,x\n", "lacks y"), ("--mask", "", "empty"),
                 ("--mask", "module_id,x,y\n1,-1,3\n", "m.csv:2: x '-1'"),
                 ("--mask", "module_id,x,y\n1,70000,3\n",
                  "x '70000' is too large; it must be from 0 to 65535"),
                 ("--mask", "module_id,x,y\n1e30,7,3\n",
                  "module_id '1e30' is too large; it must be from 0 to 18446744073709551615"),
                 ("--mask", "module_id,x,y\n1,2\n", "m.csv:2: 2 fields"),
                 ("--gain", "module_id,gain,pedestal\n1,2,0\n", "module 3 has digis, but no line"),
                 ("--gain", "gain,module_id,gain,pedestal\n1,1,2,0\n", "has gain twice"),
                 ("--gain", "module_id,gain,pedestal\n1,nan,0\n", "gain 'nan' is not a number"),
                 ("--gain", "module_id,gain,pedestal\n1,1e39,0\n", "is not a number"),
                 ("--gain", "module_id,gain,pedestal\n1,1,0\n1,2,0\n", "module 1 has two lines"),
                 ("--morph", "3\n4,5\n", "m.csv:2: more than one field"),
                 ("--morph", "id\n", "m.csv:1: module_id 'id' is not"),
                 ("--morph", "3\nmodule_id\n", "m.csv:2: module_id 'module_id' is not")]
        for option, content, words in cases:
            self.bad(2, words, "clusters", text, option, self.write("m.csv", content))
        for elements in ["", "111111111", "111111111,01011101", "000000000,010111010", "111111111;010111010",
                         "111111112,010111010"]:
            self.bad(1, "two times nine digits", "clusters", text, "--morph", "m.csv", "--morph-elements", elements)
        self.bad(1, "give --morph", "clusters", text, "--morph-elements", "111111111,010111010")
        for option in ["-o", "--labels"]:
            self.bad(1, "a.npy: the output is not written as .npy", "clusters", text, option, self.path("a.npy"))
        mask = self.write("m.csv", "module_id,x,y\n")
        self.bad(1, "m.csv", "clusters", text, "--mask", mask, "-o", mask)
        self.bad(2, "gone.csv", "clusters", text, "--mask", self.path("gone.csv"))


if __name__ == "__main__":
    driver.main()
