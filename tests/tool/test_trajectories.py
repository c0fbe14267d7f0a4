# SPDX-License-Identifier: Apache-2.0
"""Tests coordination: binary and packed trajectories, and the choice of frames.

data/liquid.* are five frames of 64 atoms, written by MDAnalysis 2.11; the numbers below are of the
positions that MDAnalysis reads from them. data/gromacs.* are three frames of 64 atoms in a rhombic
dodecahedron, written by `gmx trjconv` of GROMACS 2022.5.
"""
import os
import shutil
import signal
import struct
import subprocess
import time

from coordination_oracle import coordination, rational
from driver import MOTE, PACKED, Case, default_signals, long, main, mote

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
RADIUS = {"xtc": 0.3, "trr": 0.3, "dcd": 3}
NUMBERS = {
    "xtc": [173.28516796446198, 175.44191593081129, 169.13725166658278, 179.94034348186807,
            178.63568301770835],
    "trr": [173.27142593043766, 175.41228798762597, 169.15091727048957, 179.89747027278176,
            178.65758265810314],
    "dcd": [173.27143583315757, 175.41229810354926, 169.15092629155276, 179.89748130362992,
            178.65759516030516],
}
TIMES = {"xtc": [0, 0.1, 0.2, 0.3, 0.4], "trr": [0, 0.1, 0.2, 0.3, 0.4], "dcd": [0, 1, 2, 3, 4]}


def liquid(kind):
    return os.path.join(DATA, "liquid." + kind)


def contents(kind):
    with open(liquid(kind), "rb") as file:
        return file.read()


def lines_of(text):
    """Returns time and number of each frame."""
    return [tuple(map(float, line.split())) for line in text.splitlines() if line[0] != "#"]


class Trajectories(Case):
    def check(self, kind, done, frames=range(5)):
        self.assertEqual((done.code, done.err), (0, ""))
        found = lines_of(done.out)
        self.assertEqual([time for time, _ in found], [TIMES[kind][f] for f in frames])
        for (_, number), frame in zip(found, frames):
            self.assertAlmostEqual(number / NUMBERS[kind][frame], 1, delta=1e-11)

    def run_on(self, kind, name, *options, **more):
        return mote("coordination", name, "-q", "--r0", RADIUS[kind], *options, **more)

    def test_by_name(self):
        for kind in NUMBERS:
            self.check(kind, self.run_on(kind, liquid(kind)))

    def test_by_content(self):
        for kind in NUMBERS:
            self.check(kind, self.run_on(kind, "-", stdin=contents(kind)))

    def test_gromacs(self):
        """Compares its three formats with plain loops over the numbers of the text."""
        text = os.path.join(DATA, "gromacs.gro")
        with open(text, encoding="ascii") as file:
            lines = file.read().splitlines()
        frames = [lines[k:k + 67] for k in range(0, len(lines), 67)]
        self.assertEqual(len(frames), 3)
        expected = []
        for frame in frames:
            atoms = [list(map(float, line[20:].split()[:3])) for line in frame[2:18]]
            x, y, z, *rest = map(float, frame[66].split())
            box = [[x, rest[0], rest[1]], [rest[2], y, rest[3]], [rest[4], rest[5], z]]
            expected.append(coordination(atoms, box, function=lambda r: rational(r, dmax=0.4))[0])
        for kind in ["gro", "trr", "xtc"]:
            done = self.good("coordination", os.path.join(DATA, "gromacs." + kind), "-q", "--r0", 0.3,
                             "--dmax", 0.4, "--group-a", "1-16")
            found = lines_of(done.out)
            self.assertEqual([time for time, _ in found], [0, 0.5, 1])
            for (_, number), right in zip(found, expected):  # floats of positions up to 1.5
                self.assertAlmostEqual(number / right, 1, delta=1e-12 if kind == "gro" else 1e-6)

    def test_by_option(self):
        for kind in NUMBERS:
            name = self.path("noname")
            shutil.copy(liquid(kind), name)
            self.check(kind, self.run_on(kind, name, "--format", kind))
            wrong = self.run_on(kind, name)
            self.assertEqual(wrong.code, 2)
            self.assertIn("--format", wrong.err)

    def test_gro_by_content(self):
        text = "title t= 3\n2\n    1A        A    1   0.000   0.000   0.000\n" \
               "    1A        A    2   0.300   0.000   0.000\n 5 5 5\n"
        done = mote("coordination", "-", "-q", "--r0", 0.3, stdin=text)
        self.assertEqual((done.code, len(lines_of(done.out))), (0, 1))
        self.assertEqual(lines_of(done.out)[0][0], 3)

    @long
    def test_packed(self):
        """Several members are read as one file, and empty members are skipped."""
        for ending, pack in PACKED.items():
            for kind in NUMBERS:
                data = contents(kind)
                packed = pack(b"") + pack(data[:1000]) + pack(data[1000:1001]) + pack(data[1001:])
                self.check(kind, self.run_on(kind, self.write(f"x.{kind}.{ending.upper()}", packed)))
                self.check(kind, self.run_on(kind, "-", stdin=packed))

    def test_packed_in_one_way(self):
        """Reads a whole file, and rejects one that ends early."""
        for ending, pack in PACKED.items():
            data = pack(contents("xtc"))
            self.check("xtc", self.run_on("xtc", self.write("x.xtc." + ending, data)))
            done = self.run_on("xtc", "-", stdin=data[:-1])
            self.assertEqual(done.code, 2, ending)
            self.assertIn("end early", done.err)
            self.bad(2, "end early: the file has only the first 1 byte of", "coordination", "-", "--r0", 1,
                     stdin=data[:1])
            self.bad(2, f"follow the packed data, from byte {len(data)} on", "coordination", "-", "--r0", 1,
                     stdin=data + b"x")

    @long
    def test_bad_packed(self):
        """Files that end early, or have damaged data or a damaged trailer, are rejected."""
        data = contents("xtc")
        for ending, pack in PACKED.items():
            good = pack(data)
            middle = len(good) // 2
            wrong = [(good[:-200], "end early"), (good[:-1], "end early"), (good[:14], "end early"),
                     (good + good[:20], "end early"),
                     (good[:-8] + bytes(b ^ 255 for b in good[-8:]), "damaged"),
                     (good[:middle] + bytes(b ^ 85 for b in good[middle:middle + 9]) + good[middle + 9:],
                      "damaged")]
            wrong += [(good + zeros + b"garbage", f"follow the packed data, from byte {len(good + zeros)} on")
                      for zeros in [b"", bytes(5), bytes(70000)]]
            wrong += [(good + good[:k], "end early") for k in range(1, 10)]
            program = {"gz": "gzip", "bz2": "bzip2", "xz": "xz"}[ending]
            wrong += [(good[:k], f"end early: the file has only the first {k} byte" + "s" * (k > 1) +
                       f" of what {program} packs") for k in range(1, {"gz": 2, "bz2": 10, "xz": 6}[ending])]
            for spoiled, sentence in wrong:
                for source, stdin in [(self.write("x.xtc." + ending, spoiled), b""), ("-", spoiled)]:
                    done = self.run_on("xtc", source, stdin=stdin)
                    self.assertEqual(done.code, 2, (ending, sentence))
                    self.assertIn("the packed data", done.err)
                    self.assertIn(sentence, done.err, ending)

    def test_not_packed(self):
        """Text that begins like a packed file is read; unsupported formats are rejected."""
        atoms = "    1A        A    1   0.000   0.000   0.000\n    1A        A    2   0.300   0.000   0.000\n"
        for title in ["BZh9", "BZh91AY&S", "BZ", "B", "7zXZ"]:
            text = f"{title}\n2\n{atoms} 5 5 5\n"
            done = self.good("coordination", "-", "--format", "gro", "-q", "--r0", 0.3, stdin=text)
            self.assertEqual(len(lines_of(done.out)), 1)
        self.bad(2, "packed by zstd, which is not read", "coordination",
                 self.write("x.xyz.zst", b"\x28\xb5\x2f\xfd\x04\x00"), "--r0", 1)

    def test_bombs(self):
        self.bombs(list(PACKED.items())[:1])

    @long
    def test_bombs_of_every_kind(self):
        self.bombs(PACKED.items())

    def bombs(self, kinds):
        """Small files that unpack to large ones are read in pieces, and can be interrupted."""
        for ending, pack in kinds:
            blank = pack(b"\n" * 30_000_000)
            self.bad(2, "is empty", "coordination", self.write("x.xyz." + ending, blank), "--r0", 1)
            name = self.write("y.xyz." + ending, pack(b" " * 3_000_000))
            self.bad(2, "longer than 1048576 bytes", "coordination", name, "--r0", 1)
            name = self.write("z.xyz." + ending, pack(b"1\n\nA 0 0 0\n") + blank * 200)
            running = subprocess.Popen([MOTE, "coordination", name, "--r0", "1", "-o", self.path("colvar")],
                                       stderr=subprocess.PIPE, preexec_fn=default_signals)
            time.sleep(2)
            running.send_signal(signal.SIGINT)
            running.communicate(timeout=60)
            self.assertNotEqual(running.returncode, 0)

    def test_frames(self):
        for kind in NUMBERS:
            options = ["--begin", 1, "--end", 4, "--stride", 2]
            self.check(kind, self.run_on(kind, liquid(kind), *options), [1, 3])

    @long
    def test_frames_by_one_option(self):
        for kind in NUMBERS:
            for options, frames in [(["--begin", 2], [2, 3, 4]), (["--end", 2], [0, 1]),
                                    (["--stride", 2], [0, 2, 4])]:
                self.check(kind, self.run_on(kind, liquid(kind), *options), frames)

    @long
    def test_frames_of_entries(self):
        name = self.path("atoms")
        self.check("xtc", self.run_on("xtc", liquid("xtc"), "--begin", 1, "--stride", 3,
                                      "--per-atom", name), [1, 4])
        with open(name, encoding="ascii") as file:
            self.assertEqual(file.readline(), "#! FIELDS frame entry atom number\n")
            self.assertEqual(sorted({line.split()[0] for line in file}), ["1", "4"])

    def test_no_frames(self):
        done = self.run_on("dcd", liquid("dcd"), "--begin", 5)
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertIn("it has 5 frames", done.err)
        done = self.run_on("dcd", liquid("dcd"), "--begin", 3, "--end", 3)
        self.assertEqual(done.code, 1)

    def test_not_read(self):
        for ending in ["nc", "tng"]:
            done = mote("coordination", "x." + ending, "--r0", 1)
            self.assertEqual(done.code, 2)
            self.assertIn("trjconv", done.err)
        for text in ["ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\n", "HEADER  X\nATOM      1\n",
                     "CRYST1   10.000\nATOM      1\n", "REMARK 1\nATOM\n", "MODEL        1\nATOM\n"]:
            done = mote("coordination", "-", "--r0", 1, stdin=text)
            self.assertEqual(done.code, 2)
            self.assertIn("standard input:", done.err)
        done = self.run_on("xtc", "-", stdin=struct.pack(">2i", 2023, 5))
        self.assertEqual(done.code, 2)
        self.assertIn("trjconv", done.err)

    def test_wide_characters(self):
        for order in ["utf-16-le", "utf-16-be"]:
            data = "\ufeff1\n\nA 1 2 3\n".encode(order)
            for path in ["-", self.write("a.xyz", data), self.write("a.gro", data)]:
                name = "standard input" if path == "-" else path
                self.bad(2, name + ":1: this text is in UTF-16: save it in UTF-8", "coordination", path, "--r0", 1,
                         stdin=data)

    @long
    def test_passed_over(self):
        """Large frames are passed on or skipped; a file that ends inside one is noticed."""
        n, frames = 70000, 4
        values = [[0.0] + [0.1 * (k + 1)] * (n - 1) for k in range(frames)]
        expected = [rational(3**0.5 * 0.1 * (k + 1), r0=1)[0] for k in range(frames)]

        def record(data):
            return struct.pack("<I", len(data)) + data + struct.pack("<I", len(data))

        def floats(order, numbers):
            return struct.pack(f"{order}{len(numbers)}f", *numbers)

        head = struct.pack("<4s9if10i", b"CORD", frames, 0, 1, 0, 0, 0, 0, 0, 0, 1.0, *[0] * 9, 24)
        dcd = record(head) + record(struct.pack("<i", 0)) + record(struct.pack("<i", n))
        trr = b""
        for k, v in enumerate(values):
            dcd += record(floats("<", v)) * 3
            sizes = [0, 0, 36, 0, 0, 0, 0, 12 * n, 0, 0, n, k, 0]
            trr += struct.pack(">iii12s13i2f9f", 1993, 13, 12, b"GMX_trn_file", *sizes, k, 0, 9, 0, 0, 0,
                               9, 0, 0, 0, 9) + floats(">", [x for x in v for _ in range(3)])
        for kind, data in [("dcd", dcd), ("trr", trr)]:
            name = self.write("x." + kind, data)
            for source in [{}, {"stdin": data}]:
                for begin in [0, 2]:
                    done = self.good("coordination", "-q", "-" if source else name, "--format", kind,
                                     "--r0", 1, "--group-a", "1-2", "--begin", begin, **source)
                    found = [number for _, number in lines_of(done.out)]
                    self.assertEqual(len(found), frames - begin)
                    for a, b in zip(found, expected[begin:]):
                        self.assertAlmostEqual(a, b, delta=1e-6)
            for cut in [1, 4 * n, 8 * n]:
                short = self.write("y." + kind, data[:-cut])
                for last in [3, 4]:
                    self.bad(2, ["byte ", "ends inside frame 3"], "coordination", short, "--r0", 1,
                             "--group-a", "1-2", "--begin", last)

    def dcd(self, cell, version=24, title=b"", atoms=((0, 0, 0), (14, 1, 2), (1, 2, 27))):
        """Returns a DCD file of one frame."""
        def record(data):
            return struct.pack("<I", len(data)) + data + struct.pack("<I", len(data))

        head = struct.pack("<4s9if10i", b"CORD", 1, 0, 1, 0, 0, 0, 0, 0, 0, 1.0, 1, *[0] * 8, version)
        axes = [struct.pack(f"<{len(atoms)}f", *axis) for axis in zip(*atoms)]
        return b"".join(map(record, [head, struct.pack("<i80s", 1, title), struct.pack("<i", len(atoms)),
                                     struct.pack("<6d", *cell), *axes]))

    @long
    def test_cells_of_dcd(self):
        """The version, the title or --dcd-cell decides; without them, a note names the alternative."""
        atoms = [(0, 0, 0), (14, 1, 2), (1, 2, 27)]
        cell = [30, 0.5, 31, 0.25, 0.125, 28]
        shape = [[30, 0.5, 0.25], [0.5, 31, 0.125], [0.25, 0.125, 28]]
        across = (0.125 - 0.25 * 0.5) / 0.75**0.5
        angles = [[30, 0, 0], [15.5, 31 * 0.75**0.5, 0],
                  [7, 28 * across, 28 * (1 - 0.25**2 - across**2)**0.5]]
        numbers = {name: coordination(atoms, box, function=lambda r: rational(r, r0=3, dmax=14))[0]
                   for name, box in [("shape", shape), ("cosines", angles)]}
        for version, title, option, expected, note in [
                (24, b"", "auto", "cosines", True), (24, b"", "cosines", "cosines", False),
                (24, b"", "shape", "shape", False), (36, b"* RUN", "auto", "shape", False),
                (24, b"Cpptraj generated dcd file.", "auto", "shape", False),
                (36, b"* RUN", "cosines", "cosines", False), (24, b"BY NAMD", "auto", "cosines", False)]:
            done = self.good("coordination", "-", "--r0", 3, "--dmax", 14, "--dcd-cell", option,
                             stdin=self.dcd(cell, version, title))
            found = lines_of(done.out)[0][1]
            self.assertAlmostEqual(found / numbers[expected], 1, delta=1e-9)
            self.assertEqual("--dcd-cell" in done.err, note, done.err)
        self.bad(1, "--dcd-cell", "coordination", "-", "--r0", 3, "--dcd-cell", "matrix")
        self.bad(2, ["frame 0: its cell (30 200 30 200 5 30) is neither", "byte "], "coordination", "-", "--r0",
                 3, stdin=self.dcd([30, 200, 30, 200, 5, 30]))

    @long
    def test_zeros_behind(self):
        """Zeros fill the last block of a tape; anything else after the data is damage."""
        for pack in PACKED.values():
            data = pack(contents("xtc"))
            self.check("xtc", self.run_on("xtc", "-", stdin=data + bytes(70000)))
            self.assertEqual(self.run_on("xtc", "-", stdin=data + b"\0\0x").code, 2)

    @long
    def test_titles(self):
        """Tests texts that look like other formats."""
        atoms = "    1A        A    1   0.000   0.000   0.000\n    1A        A    2   0.300   0.000   0.000\n"
        for title in ["CORD", "T   CORD and more", "\x07\xc9 x", "12 atoms", "GMX_trn_file"]:
            text = f"{title}\n2\n{atoms} 5 5 5\n".encode("latin1")
            for more in [["-"], ["-", "--format", "gro"]]:
                done = mote("coordination", *more, "-q", "--r0", 0.3, stdin=text)
                self.assertEqual((done.code, len(lines_of(done.out))), (0, 1), (title, done.err))

    def test_cut(self):
        """The frames before a faulty one are kept."""
        name, out = self.path("x.xtc"), self.path("colvar")
        with open(name, "wb") as file:
            file.write(contents("xtc")[:-5])
        done = self.run_on("xtc", name, "-o", out)
        self.assertEqual(done.code, 2)
        self.assertIn("byte ", done.err)
        with open(out, encoding="ascii") as file:
            self.assertEqual(len(lines_of(file.read())), 4)


if __name__ == "__main__":
    main()
