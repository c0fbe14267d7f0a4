# SPDX-License-Identifier: Apache-2.0
"""The picture: well formed, of the right module, with the right counts."""
import re
import xml.etree.ElementTree as tree

from driver import Case, main

SVG = "{http://www.w3.org/2000/svg}"
PLAIN = "event,module_id,x,y,adc\n"


class Picture(Case):
    def draw(self, text, *options):
        path = self.write("a.csv", text)
        self.good("clusters", path, "--svg", self.path("a.svg"), *options)
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


if __name__ == "__main__":
    main()
