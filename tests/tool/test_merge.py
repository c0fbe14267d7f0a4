# SPDX-License-Identifier: Apache-2.0
"""mote merge refuses shares that are missing, changed, damaged or of different runs."""
import os
import shutil
import subprocess
import tempfile

from coordination_oracle import SMALL
from driver import MOTE, Case, long, main


class Merge(Case):
    """Each test works on copies of shares that are computed once."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="mote-test-")
        cls.addClassCleanup(folder.cleanup)
        cls.made = folder.name
        cls.trajectory = os.path.join(cls.made, "atoms.xyz")
        subprocess.run([MOTE, "generate", "atoms", "-q", "-n", "40", "--frames", "6", "-o", cls.trajectory],
                       check=True, timeout=120)
        for k in (1, 2, 3):
            subprocess.run([MOTE, "coordination", "-q", cls.trajectory, *map(str, SMALL), "--part", f"{k}/3",
                            "-o", os.path.join(cls.made, "c")], check=True, timeout=120)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made, self.folder, dirs_exist_ok=True)

    def share(self, k, *options, name="c"):
        self.good("coordination", "-q", self.trajectory, *SMALL, "--part", f"{k}/3", "-o",
                  self.path(name), *options)

    def refuse(self, words, *names):
        self.write("out", "old")
        self.bad(2, words, "merge", *map(self.path, names), "-o", self.path("out"))
        self.assertEqual(self.read("out"), "old")

    def test_missing(self):
        self.refuse("1 of 3 shares is missing: run --part 2/3 again", "c.3-of-3", "c.1-of-3")
        self.refuse("2 of 3 shares are missing: run --part 1/3, 3/3 again", "c.2-of-3")
        os.remove(self.path("c.2-of-3.share"))
        self.refuse("c.2-of-3: there is no", "c.1-of-3", "c.2-of-3", "c.3-of-3")

    def test_doubled(self):
        self.refuse("are both share 1 of 3", "c.1-of-3", "c.1-of-3", "c.2-of-3")

    def test_changed(self):
        with open(self.path("c.2-of-3"), "a", encoding="utf-8") as file:
            file.write("9 9\n")
        self.refuse("c.2-of-3: not the", "c.1-of-3", "c.2-of-3", "c.3-of-3")

    @long
    def test_other_runs(self):
        shutil.copy(self.path("c.1-of-3"), self.path("kept"))
        shutil.copy(self.path("c.1-of-3.share"), self.path("kept.share"))
        self.share(2, "--dmax", 0.4)
        self.refuse("come from different runs", "kept", "c.2-of-3", "c.3-of-3")
        self.share(2, "--precision", "mixed")
        self.refuse("come from different runs", "kept", "c.2-of-3", "c.3-of-3")
        self.share(2, "--per-atom", self.path("numbers"), "-d", "cpu,cpu")  # these options do not affect c
        self.good("merge", *(self.path(f"c.{k}-of-3") for k in (1, 2, 3)))
        self.refuse("is colvar of mote coordination, but", "c.1-of-3", "numbers.2-of-3")

    @long
    def test_order_and_files_beside(self):
        """Another order of inputs or --cv, or other contents of a list, make a different run."""
        other, listed = self.write("b.xyz", self.read("atoms.xyz")), self.write("l.txt", "1-20")
        first = ["a: COORDINATION GROUPA=@" + listed + " R_0=0.3", "b: COORDINATION GROUPA=1-9 R_0=0.3"]

        def share(k, inputs, numbers):
            self.good("coordination", "-q", *inputs, *(w for n in numbers for w in ("--cv", n)), "--part",
                      f"{k}/2", "-o", self.path("d"))

        share(1, [other, self.trajectory], first)
        for inputs, numbers, text in [([self.trajectory, other], first, "1-20"),
                                      ([other, self.trajectory], first[::-1], "1-20"),
                                      ([other, self.trajectory], first, "1-10")]:
            self.write("l.txt", text)
            share(2, inputs, numbers)
            self.refuse("come from different runs", "d.1-of-2", "d.2-of-2")
        self.write("l.txt", "1-20")
        share(2, [other, self.trajectory], first)
        self.good("merge", self.path("d.1-of-2"), self.path("d.2-of-2"))

    def test_lists_that_are_removed(self):
        """The file of a list after REMOVE belongs to the run, however deeply it is nested."""
        listed, kept = self.write("l.txt", "1-9"), self.write("k.txt", "1-30")
        text = f"h: GROUP ATOMS=1-20 REMOVE=@{listed}\ng: GROUP ATOMS=@{kept} REMOVE=h\n" \
               "c: COORDINATION GROUPA=g R_0=0.3\n"
        words = ["coordination", "-q", self.trajectory, "--plumed", self.write("p", text), "-o"]
        for name in [kept, listed]:
            self.bad(1, "is an input and an output", *words, name)
        for k, atoms in [(1, "1-9"), (2, "1-8")]:
            self.write("l.txt", atoms)
            self.good(*words, self.path("e"), "--part", f"{k}/2")
        self.refuse("come from different runs", "e.1-of-2", "e.2-of-2")
        self.write("l.txt", "1-9")
        self.good(*words, self.path("e"), "--part", "2/2")
        self.good("merge", self.path("e.1-of-2"), self.path("e.2-of-2"))

    def test_damaged_words(self):
        for text in ["", "mote share 1\n", "mote share 2\ncommand c\n", "x" * 5000,
                     self.read("c.1-of-3.share") + "more\n",
                     self.read("c.1-of-3.share").replace("1 of 3", f"1 of {10**18}")]:
            self.write("c.1-of-3.share", text)
            self.refuse("c.1-of-3.share: not a file that mote wrote", "c.1-of-3", "c.2-of-3", "c.3-of-3")

    def test_refused(self):
        self.bad(1, "no share given", "merge")
        self.bad(1, "is an input and an output", "merge", self.path("c.1-of-3"), "-o", self.path("c.1-of-3"))


main()
