# SPDX-License-Identifier: Apache-2.0
"""Tests reading CSV: which input is accepted, and which is rejected at which line."""
import gzip
import os

from driver import CLUSTER_HEADER, LABEL_HEADER, PACKED, Case, long, main, needs_zlib, rows

PLAIN = "module_id,x,y,adc\n"


class Understood(Case):
    def clusters(self, text, *options):
        return rows(self.good("clusters", "-", *options, stdin=text).out)

    def test_header_only(self):
        for text in [PLAIN, PLAIN[:-1], "geometry_id,channel0,channel1,value\n",
                     "module_id,x,y,adc,event\n"]:
            path = self.write("a.csv", text)
            labels = self.path("l.csv")
            self.assertEqual(self.good("clusters", path).out, CLUSTER_HEADER + "\n")
            self.good("clusters", path, "--labels", labels)
            self.assertEqual(self.read("l.csv"), LABEL_HEADER + "\n")

    def test_exact_line(self):
        text = PLAIN + "7,1,1,2\n7,2,1,2\n7,2,2,4\n"
        self.assertEqual(self.good("clusters", "-", stdin=text).out, CLUSTER_HEADER + "\n" +
                         "0,7,0,3,8,1.75,1.5,1,2,1,2,0,0.1875,0.25\n")

    def test_forms_of_text(self):
        expected = self.clusters(PLAIN + "5,1,2,3\n5,9,9,4\n")
        self.assertEqual(len(expected), 2)
        forms = {
            "crlf": "module_id,x,y,adc\r\n5,1,2,3\r\n5,9,9,4\r\n",
            "no last newline": "module_id,x,y,adc\n5,1,2,3\n5,9,9,4",
            "byte order mark": "\ufeffmodule_id,x,y,adc\n5,1,2,3\n5,9,9,4\n",
            "quoted names": '"module_id","x","y","adc"\n5,1,2,3\n5,9,9,4\n',
            "quoted fields": 'module_id,x,y,adc\n"5","1",2,3\n5,9,9,"4"\n',
            "padding": " module_id , x,y\t,adc \n 5 ,1, 2,3 \n5,9,9,\t4\n",
            "blank lines": "\nmodule_id,x,y,adc\n5,1,2,3\n\n5,9,9,4\n\n  \n\n",
            "other order": "adc,y,x,module_id\n3,2,1,5\n4,9,9,5\n",
            "more columns": 'module_id,tag,x,y,adc,t\n5,"a,b",1,2,3,0.5\n5,,9,9,4,x\n',
            "acts": "geometry_id,measurement_id,channel0,channel1,timestamp,value\n"
                    "5,0,1,2,0,3\n5,1,9,9,0,4\n",
            "integers as reals": "geometry_id,channel0,channel1,value\n5,1,2,3.0\n5,9,9,4e0\n",
            "header of numpy.savetxt": "# module_id,x,y,adc\n5,1,2,3\n5,9,9,4\n# end\n",
            "comments": "# made by hand; 1,2\n#\nmodule_id,x,y,adc\n5,1,2,3\n # 5,1,3,3\n5,9,9,4\n",
            "comments of any kind": "#" + 99 * ";" + '\n# "a\nmodule_id,x,y,adc\n#' + 99 * "," +
                                    "\n5,1,2,3\n5,9,9,4\n",
            "comment behind the header": "# " + 99 * "\t" + "\n# module_id,x,y,adc\n5,1,2,3\n5,9,9,4\n",
            "comments and header": "\ufeff# by hand\n#module_id;x;y;adc\n\n5;1;2;3\n5;9;9;4\n",
            "capitals": "Module_ID,X,Y,ADC\n5,1,2,3\n5,9,9,4\n",
            "capitals beside others": "module_id,X,x,y,Y,adc\n5,x,1,2,0,3\n5,7.5,9,9,,4\n",
            "separator of Excel": "sep=;\r\nmodule_id;x;y;adc\r\n5;1;2;3\r\n5;9;9;4\r\n",
            "whole numbers as reals": "module_id,x,y,adc\n5.0,1.,2e0,3\n"
                                      "5.000000000000000000e+00,9.000000000000000000e+00,0.9e1,4\n",
            "plus sign": "module_id,x,y,adc\n+5,1,2,+3\n5,9,9,4\n",
            "CMS": "moduleId,xx,yy,adc\n5,1,2,3\n5,9,9,4\n",
            "ids of detectors": "detId,row,col,adc\n5,1,2,3\n5,9,9,4\n",
            "TrackML": "hit_id,ch0,ch1,value,module\n1,1,2,3,5\n1,9,9,4,5\n",
            "Timepix": "ChipId,Col,Row,ToT\n5,2,1,3\n5,9,9,4\n",
            "Timepix with marks": "#ChipId,#Col,#Row,#ToA,#ToT\n5,2,1,7,3\n5,9,9,8,4\n",
            "Timepix of several chips": "ChipId,Col,Row,ToT,ToA\n5,2,1,3,77\n5,9,9,4,78\n",
            "tabs.tsv": "module_id\tx\ty\tadc\n5\t1\t2\t3\n5\t9\t9\t4\n",
            "text.txt": "# module_id;x;y;adc\n5;1;2;3.0\n5;9;9;4.0\n",
            "blanks.txt": "# module_id x y adc\n5 1 2 3\n5 9 9 4\n",
            "many blanks.txt": "  module_id   x y  adc \r\n  5  1   2 3 \r\n\t5 9\t 9 4  \n",
            "quotes and blanks.txt": '"module_id" "x" "y" adc "a b"\n5 1 2 3 "x y"\n5 "9" 9 4 z\n',
            "reals and blanks.txt": "# y x module_id adc\n2.0e+00 1.0e+00 5.0e+00 3.0\n9.0 9.0 5.0 4.0\n",
            "reals of numpy.txt": "# module_id,x,y,adc\n5.000000e+00,1.000000e+00,2.000000e+00,3.000000e+00\n"
                                  "5.000000e+00,9.000000e+00,9.000000e+00,4.000000e+00\n",
            "quotes in quotes": 'module_id,x,y,adc,t\n5,1,2,3,"a ""b, c"" d"\n5,9,9,4,""\n',
        }
        paths = [self.write(name if name.endswith((".tsv", ".txt")) else f"{name}.csv", text) for name, text in forms.items()]
        found = rows(self.good("clusters", *paths).out)  # one event per file
        for event, name in enumerate(forms):
            of_file = [{**row, "event": "0"} for row in found if row["event"] == str(event)]
            self.assertEqual(of_file, expected, name)

    def test_one_module(self):
        """Without a column of modules, as for a single Timepix chip, all digis belong to module 0."""
        expected = self.clusters(PLAIN + "0,1,2,3\n0,1,3,5\n0,9,9,4\n")
        for text in ["x,y,ToT,ToA\n1,2,3,70\n1,3,5,71\n9,9,4,72\n", "Col;Row;ToT\n2;1;3\n3;1;5\n9;9;4\n",
                     "# X\tY\tTOA\tTOT\n1.0\t2.0\t7e1\t3.0\n1\t3\t1.5\t5\n9\t9\t2\t4\n",
                     "chip,x,y,tot\n8,1,2,3\n8,1,3,5\n8,9,9,4\n"]:
            options = ["--columns", "none=chip"] if "chip" in text else []
            self.assertEqual(self.clusters(text, *options), expected, text)
        for name in ["chip", "Sensor_Nr", "layer_id", "planeID", "rawId"]:
            self.bad(2, [f"column '{name}' looks like the number of a module", f"--columns module={name}, or none=NAME"],
                     "clusters", "-", stdin=f"{name},x,y,tot\n1,2,3,4\n")

    def test_large_ids(self):
        ids = [0, 1, 2**31, 2**32 - 2, 2**32, 2**53 + 1, 2**63, 2**64 - 1]
        text = PLAIN + "".join(f"{i},1,1,{k + 1}\n" for k, i in enumerate(reversed(ids)))
        self.assertEqual([int(r["module_id"]) for r in self.clusters(text)], ids)

    def test_events(self):
        text = "event,module_id,x,y,adc\n9,1,1,1,1\n4,1,1,1,2\n9,1,1,2,3\n18446744073709551615,1,0,0,4\n"
        found = self.clusters(text)
        self.assertEqual([(r["event"], r["size"], r["charge"]) for r in found],
                         [("4", "1", "2"), ("9", "2", "4"), (str(2**64 - 1), "1", "4")])

    @long
    def test_whole_numbers_as_reals(self):
        """Integers may be written as reals, in the event column as well. From 2^53 on this is an
        error, because digits may have been lost."""
        text = "event,module_id,x,y,adc\n" + "".join(f"{e}{tail},1,1,1,1\n" for e, tail in
                                                     [(0, ".0"), (0, ""), (1, "e0"), (2, ".")])
        path = self.write("a.csv", text)
        for source, stdin in [(path, ""), ("-", text)]:
            found = rows(self.good("clusters", source, "--duplicates", "first", stdin=stdin).out)
            self.assertEqual([row["event"] for row in found], ["0", "1", "2"])
        for number, words in [("9007199254740991.0", None), ("9007199254740992.0", "is not exact"),
                              ("9007199254740993.0", "is not exact"),
                              ("90071992547409910.e-1", None), ("9007199254740.991e3", None),
                              ("9007199254740990.9999", "is not a whole number"),
                              ("4503599627370497.4", "is not a whole number"),
                              ("4503599627370497.0000000000000001", "is not a whole number"),
                              ("1e-400", "is not a whole number"),
                              ("1e300", "is too large"), ("1.5", "is not a whole number"),
                              ("-1.0", "is negative"), ("nan", "is not a whole number"),
                              ("0x1p3", "is not a whole number"), ("1e999", "is too large")]:
            data = PLAIN + f"{number},1,1,1\n"
            if words:
                self.bad(2, [f"2: module_id '{number}'", words], "clusters", "-", stdin=data)
            else:
                self.assertEqual(self.clusters(data)[0]["module_id"], str(2**53 - 1))

    def test_fractions(self):
        text = "geometry_id,channel0,channel1,value\n1,0,0,0.1\n1,0,1,0.25\n1,5,5,1000.5\n"
        found = self.clusters(text)
        self.assertAlmostEqual(float(found[0]["charge"]), 0.35, places=6)
        self.assertAlmostEqual(float(found[0]["y"]), 0.25 / 0.35, places=5)
        self.assertEqual(found[1]["charge"], "1000.5")
        path = self.write("f.csv", text)
        self.good("clusters", path, "--labels", self.path("l.csv"))
        self.assertEqual([r["adc"] for r in rows(self.read("l.csv"))], ["0.1", "0.25", "1000.5"])

    def test_long_numbers(self):
        """A number may be as long as its line."""
        text = f"x,y,adc,module_id\n0,0,0.{'3' * 300},1\n0,1,{'0' * 400}.5,1\n9,9,1.{'0' * 200},{'0' * 300}2.0\n"
        self.good("clusters", self.write("l.csv", text), "--labels", self.path("o.csv"))
        found = rows(self.read("o.csv"))
        self.assertEqual([(float(r["adc"]), r["module_id"]) for r in found],
                         [(0.333333333, "1"), (0.5, "1"), (1, "2")])

    @long
    def test_fractional_threshold_and_cut(self):
        text = "geometry_id,channel0,channel1,value\n1,0,0,0.5\n1,5,5,0.25\n1,9,9,0.75\n"
        charges = lambda *o: [r["charge"] for r in self.clusters(text, *o)]
        self.assertEqual(charges("--threshold", "0.5"), ["0.5", "0.75"])
        self.assertEqual(charges("--charge-cut", "0.5"), ["0.5", "0.75"])
        self.assertEqual(charges("--charge-cut", "0.5000001"), ["0.75"])
        whole = PLAIN + "1,0,0,10\n1,5,5,11\n"
        self.assertEqual([r["charge"] for r in self.clusters(whole, "--threshold", "10.3")], ["11"])
        self.assertEqual([r["charge"] for r in self.clusters(whole, "--charge-cut", "10")], ["10", "11"])

    @long
    def test_sum_of_fractional_copies(self):
        text = "geometry_id,channel0,channel1,value\n" + 100 * "1,3,3,0.75\n"
        found = self.clusters(text, "--duplicates", "sum")
        self.assertEqual([(r["size"], r["charge"]) for r in found], [("1", "75")])

    def test_adc_scale(self):
        found = self.clusters(PLAIN + "1,0,0,10\n1,0,1,30\n", "--adc-scale", "0.1")
        self.assertEqual((found[0]["charge"], found[0]["y"]), ("40", "0.75"))
        text = PLAIN + "1,0,0,5000000000\n"
        self.bad(2, ":2:", "clusters", "-", stdin=text)
        self.assertEqual(self.clusters(text, "--adc-scale", "0.001")[0]["charge"], "5e+09")
        self.bad(2, [":2:", "--adc-scale"], "clusters", "-", "--adc-scale", "1e6",
                 stdin=PLAIN + "1,0,0,5000\n")

    def test_large_charges(self):
        found = self.clusters(PLAIN + "1,0,0,4294967295\n1,0,1,4294967295\n1,1,0,4294967295\n")
        self.assertEqual(found[0]["charge"], str(3 * 4294967295))

    @long
    def test_invalid_module(self):
        text = PLAIN + "3,1,1,1\n0,60000,60000,1\n4,1,1,1\n"
        for invalid, left in [(3, ["0", "4"]), (0, ["3", "4"]), (9, ["0", "3", "4"])]:
            found = self.clusters(text, "--invalid-module", invalid)
            self.assertEqual([r["module_id"] for r in found], left)
        self.assertEqual(len(self.clusters(text, "--invalid-module", 0, "--size", "2x2")), 2)
        big = PLAIN + f"{2**64 - 1},1,1,1\n0,1,1,1\n{2**40},1,1,1\n"
        found = self.clusters(big, "--invalid-module", 0)
        self.assertEqual([int(r["module_id"]) for r in found], [2**40, 2**64 - 1])
        found = self.clusters(big, "--invalid-module", 2**64 - 1)
        self.assertEqual([int(r["module_id"]) for r in found], [0, 2**40])
        path = self.write("big.csv", big)
        self.good("clusters", path, "--invalid-module", 0, "--labels", self.path("l.csv"))
        labels = rows(self.read("l.csv"))
        self.assertEqual([(r["module_id"], r["cluster_id"]) for r in labels],
                         [(str(2**64 - 1), "0"), ("0", "-1"), (str(2**40), "0")])

    def test_size(self):
        text = PLAIN + "1,65535,65535,1\n"
        self.assertEqual(len(self.clusters(text)), 1)
        self.assertEqual(len(self.clusters(text, "--size", "65536x65536")), 1)

    def test_packed(self):
        text = PLAIN + "".join(f"7,{i % 100},{i // 100},{i}\n" for i in range(5000))
        expected = self.good("clusters", "-", stdin=text).raw
        for ending, pack in PACKED.items():
            packed = b"".join(pack(text[k:k + 500].encode()) for k in range(0, len(text), 500))
            path = self.write("a.csv." + ending, packed)
            self.assertEqual(self.good("clusters", path).raw, expected)
            self.assertEqual(self.good("clusters", "-", stdin=packed).raw, expected)
            self.bad(2, "the packed data", "clusters", self.write("b.csv." + ending, packed[:-5]))

    @long
    @needs_zlib
    def test_gzip(self):
        text = PLAIN + "1,1,1,1\n1,1,2,5\n3,4,4,2\n"
        expected = self.good("clusters", self.write("a.csv", text)).out
        packed = gzip.compress(text[:30].encode()) + gzip.compress(text[30:].encode())
        self.assertEqual(self.good("clusters", self.write("b.csv.gz", packed)).out, expected)
        self.assertEqual(self.good("clusters", "-", stdin=packed).out, expected)
        self.assertEqual(self.good("clusters", self.write("c.csv", packed)).out, expected)
        self.good("clusters", self.path("a.csv"), "-o", self.path("o.csv.gz"))
        with gzip.open(self.path("o.csv.gz"), "rt") as file:
            self.assertEqual(file.read(), expected)

    def test_streams(self):
        read, write = os.pipe()
        os.write(write, (PLAIN + "1,1,1,1\n").encode())
        os.close(write)
        result = self.good("clusters", f"/dev/fd/{read}", pass_fds=[read])
        os.close(read)
        self.assertEqual(len(rows(result.out)), 1)


class Refused(Case):
    def refuse(self, words, text, *options):
        path = self.write("bad.csv", text)
        result = self.bad(2, words, "clusters", path, *options)
        self.assertEqual(result.out, "")

    def test_empty(self):
        self.refuse(["bad.csv:1:", "empty"], "")
        self.refuse(["bad.csv:1:", "empty"], "\n\n")
        self.refuse(["bad.csv:1:", "empty"], "\ufeff")

    def test_missing_columns(self):
        self.refuse(["bad.csv:1:", "no column for y"], "module_id,x\n1,2\n")
        self.refuse(["bad.csv:1:", "no column for y"], "geometry_id,channel0\n1,2\n")
        self.refuse(["bad.csv:1:", "'a;b;c'", "no column for x, y", "geometry_id,channel0"],
                    "a;b;c\n1;2;3\n")
        self.refuse(["bad.csv:1:", "the first line '1,2,3,4' has no names of columns"], "1,2,3,4\n")
        self.refuse(["bad.csv:1:", "the header 'Matrix Index ToA' is that of hits in time"], "Matrix Index\tToA\n1\t2\n")
        self.refuse(["bad.csv:1:", "'x' appears twice"], "module_id,x,x,y,adc\n1,2,3,4,5\n")
        for layer in ["volume_id", "Layer_ID"]:
            layers = f"hit_id,ch0,ch1,value,{layer},module_id\n1,2,3,4,8,9\n"
            self.refuse(["bad.csv:1:", f"beside column '{layer}', module_id may be the same for several modules: give "
                         "--columns module=NAME"], layers)
            self.assertEqual(self.good("clusters", "-q", "-", "--columns", "module=module_id", stdin=layers).code, 0)
        many = "module_id,x,y,adc" + 61 * ",t" + "\n"
        self.refuse(["bad.csv:1:", "more than 64 columns"], many)
        self.refuse(["bad.csv:2:", "more than 64 columns"], "# a\n#" + many + "\n1,2,3,4\n")

    def test_field_count(self):
        self.refuse(["bad.csv:3:", "3 fields", "has 4"], PLAIN + "1,2,3,4\n1,2,3\n")
        self.refuse(["bad.csv:2:", "1 field,"], PLAIN + "1\n")
        self.refuse(["bad.csv:2:", "more fields than the 4"], PLAIN + "1,2,3,4,5\n")
        self.refuse(["bad.csv:2:", "more fields"], PLAIN + "1,2,3,4,\n")
        self.refuse(["bad.csv:2:", "more fields than the 3"], "x y adc\n1 2 3 4 \n")
        self.refuse(["bad.csv:3:", "2 fields", "has 3"], "x y adc\n1 2 3\n1  2 \n")

    def test_not_a_number(self):
        self.refuse(["bad.csv:4:", "x 'abc'", "whole number"], PLAIN + "1,2,3,4\n\n1,abc,3,4\n")
        self.refuse(["bad.csv:2:", "y '1.5'", "whole number"], PLAIN + "1,2,1.5,4\n")
        self.refuse(["bad.csv:2:", "y ''", "is empty"], PLAIN + "1,2,,4\n")
        self.refuse(["bad.csv:2:", "module_id '0x10'"], PLAIN + "0x10,2,3,4\n")
        for value in ["nan", "NaN", "inf", "0x1p3", "1e", "--1", "1 2", "4.5.6", "1e999", "-nan"]:
            self.refuse(["bad.csv:2:", "value"],
                        f"geometry_id,channel0,channel1,value\n1,2,3,{value}\n")

    @long
    def test_what_stands_behind_a_number(self):
        self.refuse(["bad.csv:2:", "y '2?3' holds a CR"], PLAIN + "1,2,2\r3,4\n")
        self.refuse(["bad.csv:2:", "adc '4?5' holds a CR: lines must end in LF"], PLAIN + "1,2,3,4\r5\n")
        self.refuse(["bad.csv:2:", "x '\"2\"9'"], PLAIN + '1,"2"9,3,4\n')
        self.refuse(["bad.csv:2:", "adc '\"4'"], PLAIN + '1,2,3,"4\n')
        self.refuse(["bad.csv:1:", "looks like a charge"], 'module_id,x,y,"adc"x\n1,2,3,4\n')

    def test_lines_that_end_in_cr(self):
        """Otherwise the whole file would be taken for its header, and its rows would be lost."""
        old = "module_id,x,y,adc,t\n1,2,3,4,5\n1,2,4,5,6\n".replace("\n", "\r")
        for text in [old, old[:-1], "# a\r" + old, "sep=,\r" + old, old.replace(",", ";"),
                     "module_id,x,y,adc\r1,2,3,4\n", old.replace("t", '"t"'), "\ufeff" + old, old * 40]:
            self.refuse("bad.csv:1: lines end in CR alone, as on old Macs", text)
        self.refuse(["bad.csv:1: the line is longer", ": lines end in CR alone"], old * 40000)
        good = self.good("clusters", "-", stdin='module_id,x,y,adc,"a\rb"\n1,2,3,4,\n')
        self.assertEqual(len(rows(good.out)), 1)

    def test_nothing_that_a_terminal_obeys(self):
        path = self.write("bad.csv", PLAIN + "1,\x1b[31m\x072,3,4\n")
        self.assertNotRegex(self.bad(2, "x '?[31m?2'", "clusters", path).err, "[\x00-\x09\x0b-\x1f]")

    def test_what_is_no_text(self):
        path = self.write("long.csv", b"module_id" * 200000)
        self.bad(2, path + ":1: the line is longer than 1048576 bytes", "clusters", path)
        self.bad(2, "/dev/zero:1: byte 1 of the line is NUL", "clusters", "/dev/zero")
        self.good("clusters", self.write("note.csv", PLAIN.strip() + "," + "n" * 1000000 + "\n"))

    @long
    def test_wide_characters(self):
        for order in ["utf-16-le", "utf-16-be"]:
            self.bad(2, ":1: this text is in UTF-16: save it in UTF-8", "clusters", "-",
                     stdin=("\ufeff" + PLAIN).encode(order))

    @long
    def test_nul_byte(self):
        for text, line, byte in [(PLAIN + "1,2,3,4\0" + "5\n", 2, 8), ("module_id,x,y,adc,t\n1,2,3,4,a\0\n", 2, 10),
                                 ("# \0\n" + PLAIN, 1, 3), (PLAIN + "1,2,3,4\n" + 9 * "\0", 3, 1)]:
            self.refuse(f"bad.csv:{line}: byte {byte} of the line is NUL: this is not a text", text)

    def test_negative(self):
        self.refuse(["bad.csv:2:", "adc '-4'", "negative"], PLAIN + "1,2,3,-4\n")
        self.refuse(["bad.csv:2:", "value '-0.5'", "negative"],
                    "geometry_id,channel0,channel1,value\n1,2,3,-0.5\n")
        self.refuse(["bad.csv:2:", "module_id '-1'", "negative"], PLAIN + "-1,2,3,4\n")

    def test_overflow(self):
        """The sentence contains the value and the range of its column."""
        most, kinds = 2**64 - 1, ["event", "module_id", "x", "y"]
        for column, kind in enumerate(kinds):
            limit = most if column < 2 else 65535
            for value in ["1e30", "1e300", "1e999", "2e19", str(most + 1), "99999999999999999999.0"]:
                row = ["1", "2", "3", "4", "5"]
                row[column] = value
                self.refuse(f"bad.csv:2: {kind} '{value}' is too large; it must be from 0 to {limit}",
                            "event," + PLAIN + ",".join(row) + "\n")
        self.refuse(["bad.csv:2: module_id '1e19' is not exact: ", f"from 0 to {most}"], PLAIN + "1e19,2,3,4\n")
        self.refuse("bad.csv:2: x '1e19' is too large; it must be from 0 to 65535", PLAIN + "1,1e19,3,4\n")
        self.refuse("bad.csv:2: y '65536.0' is too large; it must be from 0 to 65535", PLAIN + "1,2,65536.0,4\n")
        self.refuse("bad.csv:2: y '-1' is negative; it must be from 0 to 65535", PLAIN + "1,2,-1,4\n")
        self.refuse("bad.csv:2: x = 65536 is above 65535", PLAIN + "1,65536,3,4\n")
        self.refuse("bad.csv:2: adc = 4294967296 is above 4294967295; give", PLAIN + "1,2,3,4294967296\n")
        self.refuse("bad.csv:2: adc = 1e+30 is above 4294967295; give --adc-scale", PLAIN + "1,2,3,1e30\n")
        self.refuse(f"bad.csv:2: adc '{'9' * 40}' is too large; it must be below", PLAIN + f"1,2,3,{'9' * 400}\n")
        self.refuse("bad.csv:2: adc = 5000 times --adc-scale is above 4294967295", PLAIN + "1,2,3,5000\n",
                    "--adc-scale", "1e6")

    def test_outside_module(self):
        self.refuse(["bad.csv:3:", "x = 10", "10x20"], PLAIN + "1,9,19,4\n1,10,3,4\n", "--size", "10x20")
        self.refuse(["bad.csv:2:", "y = 20", "10x20"], PLAIN + "1,9,20,4\n", "--size", "10x20")

    @long
    def test_line_numbers_far_down(self):
        text = PLAIN + "".join(f"{i % 7},{i % 100},{i // 100},5\n" for i in range(5000)) + "1,1,1,x\n"
        self.refuse("bad.csv:5002:", text)
        self.refuse("bad.csv:5002:", text.replace("\n", "\r\n"))

    def test_stdin_is_named(self):
        self.bad(2, "standard input:2:", "clusters", "-", stdin=PLAIN + "1,2\n")

    @long
    @needs_zlib
    def test_damaged_gzip(self):
        data = gzip.compress((PLAIN + "1,2,3,4\n" * 999).encode())
        self.bad(2, ["a.csv.gz", "end early"], "clusters", self.write("a.csv.gz", data[:-20]))
        data = data[:30] + bytes([data[30] ^ 255]) + data[31:]
        self.bad(2, ["a.csv.gz", "damaged"], "clusters", self.write("a.csv.gz", data))

    def test_files(self):
        self.bad(2, ["missing.csv", "No such file"], "clusters", self.path("missing.csv"))
        self.bad(2, ["directory"], "clusters", self.folder)
        os.mkdir(self.path("d.csv"))
        self.bad(2, ["d.csv", "directory"], "clusters", self.path("d.csv"))
        for name in ["note.doc", "a.dat.gz", "b.csv.zip"]:
            self.bad(2, [name, ".csv, .tsv, .txt or .bin, or these and .gz, .bz2 or .xz"], "clusters",
                     self.write(name, PLAIN))
        if os.getuid() != 0:
            path = self.write("secret.csv", PLAIN)
            os.chmod(path, 0)
            self.bad(2, ["secret.csv", "denied"], "clusters", path)


if __name__ == "__main__":
    main()
