# SPDX-License-Identifier: Apache-2.0
"""generate jagged: offsets that are the same for a seed on every machine."""
import os
import subprocess

from driver import MOTE, Case, main
from npy import INDICES, load, parse

# The same on every machine, for ever.
FIRST_OFFSETS = [0, 8, 19, 30, 43, 53, 65, 75, 88]


class Jagged(Case):
    def generate(self, *options):
        return parse(self.good("generate", "jagged", "-q", *options).raw)

    def test_spreads(self):
        for spread in ["constant", "poisson", "power"]:
            name, shape, offsets = self.generate("--lists", 4000, "--mean", 12, "--spread", spread)
            self.assertEqual((name, shape, offsets[0]), ("int64", (4001,), 0))
            lengths = [b - a for a, b in zip(offsets, offsets[1:])]
            self.assertGreaterEqual(min(lengths), 0)
            self.assertLess(abs(offsets[-1] / 48000 - 1), 0.3)
            longest = max(lengths)
            self.assertTrue(longest == 12 if spread == "constant" else
                            12 < longest < 40 if spread == "poisson" else longest > 100, longest)

    def test_reproducible(self):
        one = self.generate("--seed", 5)
        self.assertEqual(one, self.generate("--seed", 5, "--spread", "poisson", "--lists", 1000))
        self.assertNotEqual(one, self.generate("--seed", 6))
        self.assertEqual(one[2][:9], FIRST_OFFSETS)
        self.good("generate", "jagged", "--seed", 5, "-o", self.path("g.npy"))
        self.assertEqual(load(self.path("g.npy")), one)

    def test_types(self):
        for name in INDICES:
            self.assertEqual(self.generate("--lists", 2, "--mean", 3, "--spread", "constant",
                                           "--dtype", name), (name, (3,), [0, 3, 6]))
        self.assertEqual(self.generate("--lists", 0)[2], [0])
        self.assertEqual(self.generate("--lists", 3, "--mean", 0)[2], [0] * 4)
        self.bad(1, "--dtype int32 cannot hold", "generate", "jagged", "--dtype", "int32",
                 "--lists", 3000, "--mean", 1000000, "--spread", "constant")

    def test_usage(self):
        for words, arguments in [
                (["cannot generate 'jaged'", "did you mean 'jagged'?"], ["jaged"]),
                ("--topology is not an option of mote generate jagged",
                 ["jagged", "--topology", "phase1"]),
                ("--lists is not an option of mote generate events", ["events", "--lists", 3]),
                (["constant, poisson, power", "did you mean 'poisson'?"],
                 ["jagged", "--spread", "poison"]),
                ("--mean", ["jagged", "--mean", -1]), ("--mean", ["jagged", "--mean", "2e6"]),
                ("--lists", ["jagged", "--lists", 2**31]), ("--dtype", ["jagged", "--dtype", "f8"]),
                ("must end in .npy", ["jagged", "-o", "g.csv"])]:
            self.bad(1, words, "generate", *arguments)

    def test_summary(self):
        err = self.good("generate", "jagged", "--spread", "constant", "-o", "/dev/null").err
        self.assertEqual(err, "mote generate: 1000 lists with 10000 elements\n")

    def test_terminal(self):
        terminal, end = os.openpty()
        done = subprocess.run([MOTE, "generate", "jagged"], stdout=end, stderr=subprocess.PIPE)
        os.close(end)
        os.close(terminal)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"give -o FILE.npy", done.stderr)


if __name__ == "__main__":
    main()
