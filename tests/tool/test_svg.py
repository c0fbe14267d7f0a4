# SPDX-License-Identifier: Apache-2.0
"""Tests the picture: well formed, of the right module, with the right counts."""
import re
import xml.etree.ElementTree as tree

from driver import Case, long, main

SVG = "{http://www.w3.org/2000/svg}"
PLAIN = "event,module_id,x,y,adc\n"


class Drawing(Case):
    option = "--svg"

    def draw(self, text, *options):
        path = self.write("a.csv", text)
        self.good("clusters", path, self.option, self.path("a.svg"), *options)
        root = tree.parse(self.path("a.svg")).getroot()
        self.assertEqual(root.tag, SVG + "svg")
        return root

    def paths(self, root, kind):
        return [p for p in root.iter(SVG + "path") if p.get("class") == kind]

    def text(self, root, kind):
        return "".join(next(t for t in root.iter(SVG + "text") if t.get("class") == kind).itertext())

    def labels(self, root, axis):
        group = next(g for g in root.iter(SVG + "g") if g.get("class") == axis)
        return [t.text for t in group.iter(SVG + "text")]


class Picture(Drawing):
    def test_counts(self):
        root = self.draw(PLAIN + "0,5,1,1,9\n0,5,1,2,9\n0,5,4,4,9\n0,5,6,6,1\n0,5,3,1,9\n0,5,3,1,9\n",
                         "--threshold", 2)
        clusters = self.paths(root, "cluster")
        self.assertEqual([p.find(SVG + "title").text for p in clusters],
                         ["cluster 0: 2 pixels", "cluster 1: 1 pixel"])
        self.assertEqual(len(self.paths(root, "dropped")), 1)
        self.assertEqual(self.text(root, "title"), "Event 0, module 5: 6 digis, 2 clusters")
        self.assertEqual(self.text(root, "subtitle"), "7 x 7 pixels")
        legend = "".join(next(g for g in root.iter(SVG + "g")
                              if g.get("class") == "legend").itertext())
        for words in ["6 digis", "3 in 2 clusters", "3 dropped"]:
            self.assertIn(words, legend)
        self.assertEqual(self.labels(root, "x-axis")[-1], "x (row)")
        self.assertEqual(self.labels(root, "y-axis")[-1], "y (column)")
        self.assertEqual([t.text for t in root.iter(SVG + "text") if t.get("class") == "number"],
                         ["0", "1"])

    def test_rows_go_right_and_columns_up(self):
        root = self.draw(PLAIN + "0,5,0,9,1\n0,5,9,0,1\n")
        start = [re.match(r"M([\d.]+) ([\d.]+)h", p.get("d")).groups()
                 for p in self.paths(root, "cluster")]
        (x0, y0), (x1, y1) = [(float(x), float(y)) for x, y in start]
        self.assertGreater(x0, x1)  # cluster 0 is (9, 0): right and down
        self.assertGreater(y0, y1)

    @long
    def test_least_marks(self):
        root = self.draw(PLAIN + "0,5,0,0,1\n0,5,65535,65535,1\n0,5,9,40000,1\n")
        for path in self.paths(root, "cluster"):
            for width, height in re.findall(r"h([\d.]+)v([\d.]+)", path.get("d")):
                self.assertGreaterEqual(min(float(width), float(height)), 2.0)

    def test_window(self):
        text = PLAIN + "".join(f"0,5,{x},{x},9\n" for x in range(0, 300, 3))
        root = self.draw(text, "--window", "30:59,20:79")
        self.assertIn("zoomed to x 30 to 59, y 20 to 79", self.text(root, "subtitle"))
        self.assertEqual([e.tag for e in root.iter() if e.get("id") == "window"], [SVG + "clipPath"])
        self.assertTrue(all(30 <= int(t) <= 59 for t in self.labels(root, "x-axis")[:-1]))
        path = self.path("a.csv")
        self.bad(2, ["--window", "outside the module of 298x298"], "clusters", path, "--svg",
                 self.path("b.svg"), "--window", "0:298,0:1")
        for value in ["1:2", "2:1,0:5", "a:b,1:2", "1:2,3:4,5", "-1:2,3:4", ""]:
            self.bad(1, ["--window", "first and last"], "clusters", path, "--svg",
                     self.path("b.svg"), "--window", value)
        self.bad(1, "give --svg", "clusters", path, "--window", "1:2,1:2")

    def test_which_module(self):
        text = PLAIN + "0,5,1,1,1\n0,6,1,1,1\n0,6,3,3,1\n1,5,1,1,1\n1,7,1,1,1\n1,7,5,5,1\n"
        title = lambda *o: self.text(self.draw(text, *o), "title").split(":")[0]
        self.assertEqual(title(), "Event 0, module 6")
        self.assertEqual(title("--event", 1), "Event 1, module 7")
        self.assertEqual(title("--module", 5), "Event 0, module 5")
        self.assertEqual(title("--module", 5, "--event", 1), "Event 1, module 5")
        path = self.write("a.csv", text)
        svg = ["clusters", path, "--svg", self.path("b.svg")]
        self.bad(2, "module 6 has no digis in event 1", *svg, "--module", 6, "--event", 1)
        self.bad(2, "module 9 has no digis", *svg, "--module", 9)
        self.bad(2, "event 2 has no digis", *svg, "--event", 2)
        self.assertEqual(self.files(), ["a.csv", "a.svg"])

    @long
    def test_neighbours_differ(self):
        text = PLAIN + "".join(f"0,1,{2 * (i % 20)},{2 * (i // 20)},1\n" for i in range(400))
        colour = {}
        for k, path in enumerate(self.paths(self.draw(text), "cluster")):
            colour[k % 20, k // 20] = path.get("fill")
        self.assertEqual(len(colour), 400)
        for (x, y), fill in colour.items():
            for near in [(x + 1, y), (x, y + 1), (x + 1, y + 1), (x - 1, y + 1)]:
                self.assertNotEqual(fill, colour.get(near))

    def test_sizes(self):
        one = self.draw(PLAIN + "0,1,0,0,1\n")
        self.assertEqual(self.text(one, "subtitle"), "1 x 1 pixels")
        strip = self.draw(PLAIN + "0,1,0,0,1\n0,1,0,499,1\n")
        self.assertIn("not to the same scale", self.text(strip, "subtitle"))
        large = self.draw(PLAIN + "0,1,60000,30000,1\n0,1,60010,30010,1\n", "--size", "65536x65536")
        self.assertIn("65536 x 65536 pixels, zoomed to x 59999 to 60011", self.text(large, "subtitle"))
        corners = self.draw(PLAIN + "0,1,0,0,1\n0,1,65535,65535,1\n")
        self.assertEqual(self.text(corners, "subtitle"), "65536 x 65536 pixels")
        for root in [one, strip, large, corners]:
            self.assertGreaterEqual(len(self.labels(root, "x-axis")), 2)
            self.assertGreaterEqual(len(self.labels(root, "y-axis")), 2)
            self.assertLess(float(root.get("width")), 1300)
            self.assertLess(float(root.get("height")), 1100)

    def test_nothing_to_draw(self):
        root = self.draw(PLAIN)
        self.assertIn("0 digis, 0 clusters", self.text(root, "title"))
        root = self.draw(PLAIN + "0,1,2,3,4\n0,1,2,3,4\n")
        self.assertIn("2 digis, 0 clusters", self.text(root, "title"))

    def test_same_picture_every_time(self):
        text = PLAIN + "".join(f"0,1,{i * 7 % 50},{i * 11 % 37},1\n" for i in range(300))
        self.draw(text)
        first = self.read("a.svg")
        self.draw(text)
        self.assertEqual(self.read("a.svg"), first)


class Event(Drawing):
    option = "--svg-event"

    def panels(self, root):
        return [g for g in root.iter(SVG + "g") if g.get("class") == "panel"]

    def ids(self, root):
        return [t.text for t in root.iter(SVG + "text") if t.get("class") == "module"]

    def boxes(self, root):
        return [[float(panel.find(SVG + "rect").get(key)) for key in ["x", "y", "width", "height"]]
                for panel in self.panels(root)]

    def test_all_modules_of_the_fullest_event(self):
        root = self.draw(PLAIN + "0,5,1,1,9\n0,5,1,2,9\n1,7,4,4,9\n1,2,6,6,9\n1,2,6,6,9\n1,7,0,2,9\n"
                         "1,65534,8,8,9\n1,2,3,3,9\n2,1,9,9,9\n", "--invalid-module", 65534)
        self.assertEqual(self.text(root, "title"), "Event 1: 5 digis, 3 clusters in 2 modules")
        self.assertEqual(self.ids(root), ["2", "7"])
        self.assertEqual([p.find(SVG + "title").text for p in self.panels(root)],
                         ["module 2: 3 digis, 1 cluster, 2 dropped", "module 7: 2 digis, 2 clusters"])
        self.assertEqual([len(self.paths(p, "cluster")) for p in self.panels(root)], [1, 2])
        self.assertEqual([len(self.paths(p, "dropped")) for p in self.panels(root)], [1, 0])
        self.assertIn("10 x 10 pixels", self.text(root, "subtitle"))
        self.assertIn("grey: 2 dropped digis", self.text(root, "legend"))
        self.assertIn("x (row) 0 to 9 to the right, y (column) 0 to 9 upwards",
                      self.text(root, "subtitle"))

    @long
    def test_which_event(self):
        text = PLAIN + "4,5,1,1,9\n4,5,1,2,9\n9,7,4,4,9\n"
        self.assertIn("Event 4: 2 digis", self.text(self.draw(text), "title"))
        self.assertIn("Event 9: 1 digi,", self.text(self.draw(text, "--event", 9), "title"))
        path = self.write("a.csv", text)
        self.bad(2, "event 5 has no digis", "clusters", path, "--svg-event", self.path("b.svg"),
                 "--event", 5)
        self.bad(1, "give --svg", "clusters", path, "--svg-event", self.path("b.svg"), "--module", 5)
        self.bad(1, "leave out --part", "clusters", path, "--svg-event", self.path("b.svg"),
                 "--part", "1/2")
        self.bad(1, "--event", "clusters", path, "--event", 4)
        self.bad(4, "No space", "clusters", path, "--svg-event", "/dev/full")
        self.assertEqual(self.files(), ["a.csv", "a.svg"])

    def test_both_pictures(self):
        path = self.write("a.csv", PLAIN + "4,5,1,1,9\n4,5,1,2,9\n9,7,4,4,9\n")
        result = self.good("clusters", path, "--svg", self.path("m.svg"), "--svg-event",
                           self.path("e.svg"), "--event", 9)
        self.assertEqual(result.out, "")
        self.assertIn("Event 9, module 7", self.read("m.svg"))
        self.assertIn("Event 9: 1 digi,", self.read("e.svg"))
        self.bad(1, "e.svg", "clusters", path, "--svg", self.path("e.svg"), "--svg-event",
                 self.path("e.svg"))

    def test_panels_lie_apart(self):
        for shape, ids in [((160, 416), range(1, 61)), ((4, 9000), [3]), ((9000, 4), range(30)),
                           ((65536, 65536), [0, 2**64 - 1]), ((1, 1), [2**60 + k for k in range(199)])]:
            rows = "".join(f"0,{k},0,0,1\n0,{k},{shape[0] - 1},{shape[1] - 1},1\n" for k in ids)
            root = self.draw(PLAIN + rows)
            self.assertEqual(self.ids(root), [str(k) for k in ids])
            boxes = self.boxes(root)
            right, bottom = float(root.get("width")), float(root.get("height"))
            label = 5.0 * max(len(str(k)) for k in ids)
            width, height = boxes[0][2:]
            self.assertGreater(min(width, height), 10.0)
            for box in boxes:
                self.assertEqual(box[2:], [width, height])
            self.assertEqual(len(set((x, y) for x, y, *_ in boxes)), len(boxes))
            for k, room, end in [(0, max(width, label), right), (1, height + 10.0, bottom)]:
                at = sorted(set(box[k] for box in boxes)) + [end]
                self.assertGreater(at[0], 0.0)
                for low, high in zip(at, at[1:]):
                    self.assertGreater(high - low, room)
            for path in self.paths(root, "cluster"):
                for width, height in re.findall(r"h([\d.]+)v([\d.]+)", path.get("d")):
                    self.assertGreaterEqual(min(float(width), float(height)), 1.99)

    def test_too_many_modules(self):
        rows = [f"0,{k},{i},3,1\n" for k in range(230) for i in range(1 + (k % 23 > 0))]
        root = self.draw(PLAIN + "".join(rows))
        # The fullest modules are drawn, and of equally full ones those with the lowest ids.
        left = [k for k in range(230) if k % 23][200:] + [k for k in range(230) if k % 23 == 0]
        self.assertEqual(self.ids(root), [str(k) for k in range(230) if k not in left])
        digis = sum(1 + (k % 23 > 0) for k in left)
        self.assertIn(f"200 modules with the most digis are drawn; 30 with {digis} digis are left out",
                      self.text(root, "left-out"))
        # The legend counts the digis drawn in grey: copies of a pixel in the first module and in the last.
        rows = [f"0,{k},{i},3,1\n" for k in range(201) for i in range(3 - (k == 200))]
        root = self.draw(PLAIN + "".join(rows) + "0,0,0,3,1\n")
        self.assertIn("grey: 2 dropped digis", self.text(root, "legend"))
        root = self.draw(PLAIN + "".join(rows).replace("0,200,1,3", "0,200,0,3"))
        self.assertNotIn("200", self.ids(root))
        self.assertNotIn("grey", self.text(root, "legend"))

    def test_nothing_to_draw(self):
        root = self.draw(PLAIN)
        self.assertEqual(self.text(root, "title"), "Event 0: 0 digis, 0 clusters in 0 modules")
        self.assertEqual(self.panels(root), [])

    @long
    def test_large_module_shows_its_part(self):
        root = self.draw(PLAIN + "0,1,60000,30000,1\n0,2,60010,30010,1\n", "--size", "65536x65536")
        self.assertIn("x (row) 59999 to 60011", self.text(root, "subtitle"))

    def test_lines_fit_the_page(self):
        root = self.draw(PLAIN + "0,2,65535,30000,1\n0,2,65535,30000,1\n0,2,65535,65535,1\n", "--size",
                         "65536x65536")
        self.assertIn("not to the same scale", self.text(root, "subtitle"))
        for kind in ["title", "subtitle", "legend"]:  # a letter is half as wide as it is high
            self.assertLess(46 + 6.5 * len(self.text(root, kind)), float(root.get("width")))

    @long
    def test_same_picture_every_time(self):
        rows = [f"{e},{i % 13},{i * 7 % 50},{i * 11 % 37},1\n" for e in range(3) for i in range(400)]
        self.draw(PLAIN + "".join(rows), "--event", 2)
        first = self.read("a.svg")
        self.draw(PLAIN + "".join(reversed(rows)), "--event", 2)
        self.assertEqual(self.read("a.svg"), first)


if __name__ == "__main__":
    main()
