# SPDX-License-Identifier: Apache-2.0
"""Tests reading and writing NPY: which files are accepted, and which are rejected and why."""
import os
import random
import struct
import subprocess
import threading

from driver import MOTE, PACKING, Case, long, main, mote
from npy import CODES, NAMES, dictionary, head, make, pack, parse

F8 = pack("float64", [1.5, 2.0, -4.0])
PLAIN = dictionary("<f8", (3,))


class Understood(Case):
    def sum(self, data):
        return self.good("reduce", "-q", "-", stdin=data).out

    def test_versions(self):
        for version in [1, 2, 3]:
            self.assertEqual(self.sum(make("float64", [1.5, 2, -4], version=version)), "-0.5\n")

    def test_headers(self):
        for text in [PLAIN, "{'shape':(3,),'fortran_order':False,'descr':'<f8'}",
                     '{"descr": "<f8", "shape": (3,), "fortran_order": False}',
                     " {\n'fortran_order'\t:\n False , 'descr' : '<f8' ,\r\n'shape' : ( 3 , ) } \n ",
                     "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 1), }"]:
            data = head(text) + F8
            self.assertIn(self.sum(data), ["-0.5\n", "1.5\n2\n-4\n"], text)
            unfilled = head(text, length=len(text)) + F8
            self.assertEqual(self.sum(unfilled), self.sum(data))

    def test_large_header(self):
        for version, length in [(1, 65535), (2, 65536), (3, 65536)]:
            text = PLAIN + " " * (length - len(PLAIN))
            self.assertEqual(self.sum(head(text, version, length) + F8), "-0.5\n")

    @long
    def test_dimensions(self):
        self.assertEqual(self.sum(make("float32", [2.5], ())), "2.5\n")
        self.assertEqual(self.sum(make("int32", [1, 2, 3, 4, 5, 6], (2, 3))), "6\n15\n")
        self.assertEqual(self.sum(make("int32", [1, 2, 3, 4, 5, 6], (6, 1))), "1\n2\n3\n4\n5\n6\n")
        self.assertEqual(self.sum(make("int64", [], (0,))), "0\n")
        self.assertEqual(self.sum(make("float64", [], (0, 7))), "")
        self.assertEqual(self.sum(make("float64", [], (3, 0))), "0\n0\n0\n")

    def test_byte_order_of_single_bytes(self):
        offsets = self.write("o.npy", make("int32", [0, 2, 4]))
        for descr in ["|b1", "<b1", ">b1", "=b1", "b1"]:
            values = self.write("v.npy", head(dictionary(descr, (4,))) + b"\0\1\1\0")
            result = self.good("reduce", "--op", "all", offsets, values, "-q").raw
            self.assertEqual(parse(result), ("uint8", (2,), [0, 0]))

    def test_names_of_types(self):
        """All names of types that numpy.load accepts are read, and lengths as Python 2 writes them."""
        for descr in ["<f8", "=f8", "|f8", "f8", "<d", "d", "float64"]:
            self.assertEqual(self.sum(head(dictionary(descr, (3,))) + F8), "-0.5\n", descr)
        text = "{'descr': '<f8', 'fortran_order': False, 'shape': (3L,), }"
        self.assertEqual(self.sum(head(text) + F8), "-0.5\n")

    def layouts(self, names):
        """Reads either byte order, in C and Fortran order, from a file and from a pipe."""
        for name in names:
            code = NAMES[name]
            rows, columns = random.randrange(1, 40), random.randrange(1, 40)
            limit = 2 if name == "bool" else 100
            values = [[random.randrange(limit) for _ in range(columns)] for _ in range(rows)]
            flat = [x for row in values for x in row]
            by_columns = [row[k] for k in range(columns) for row in values]
            expected = self.good("reduce", "-", "--op", "min", stdin=make(name, flat, (rows, columns))).out
            self.assertEqual(list(map(int, expected.split())), list(map(min, values)))
            for order in "<>":
                for fortran, numbers in [("False", flat), ("True", by_columns)]:
                    text = dictionary(order + code[1:], (rows, columns), fortran)
                    data = head(text) + struct.pack(f"{order}{len(numbers)}{CODES[code]}", *numbers)
                    for source, stdin in [(self.write("v.npy", data), b""), ("-", data)]:
                        self.assertEqual(self.good("reduce", source, "--op", "min", stdin=stdin).out,
                                         expected, (name, order, fortran, rows, columns))

    @long
    def test_layouts_of_every_type(self):
        self.layouts(NAMES)

    def test_layouts(self):
        self.layouts(random.sample(list(NAMES), 1))
        self.assertEqual(self.sum(head(dictionary(">f8", (3,), "True")) +
                                  struct.pack(">3d", 1.5, 2, -4)), "-0.5\n")
        for shape in [(0, 7), (7, 0), (0,)]:
            data = head(dictionary(">i4", shape, "True"))
            self.assertEqual(self.sum(data), self.sum(make("int32", [], shape)))

    @long
    def test_every_type(self):
        offsets = self.write("o.npy", make("int32", [0, 2, 3]))
        for name in ["bool", "int32", "uint32", "int64", "float32", "float64"]:
            values = self.write("v.npy", make(name, [1, 0, 1]))
            result = self.good("reduce", "--op", "max", offsets, values, "-q").raw
            self.assertEqual(result, make(name, [1, 1]), name)


class Streams(Case):
    def setUp(self):
        super().setUp()
        self.values = [random.randrange(-1000, 1000) for _ in range(400000)]
        self.data = make("int64", self.values)  # more bytes than are read at once
        self.sum = f"{sum(self.values)}\n"

    def test_pipe(self):
        self.assertEqual(self.good("reduce", "-q", "-", stdin=self.data).out, self.sum)
        self.assertEqual(self.good("reduce", "-q", "/dev/stdin", stdin=self.data).out, self.sum)

    def test_fifo(self):
        fifo = self.path("fifo")
        os.mkfifo(fifo)

        def feed():
            with open(fifo, "wb") as file:
                file.write(self.data)

        writer = threading.Thread(target=feed)
        writer.start()
        self.assertEqual(self.good("reduce", "-q", fifo).out, self.sum)
        writer.join(30)

    @long
    def test_redirected(self):
        path = self.write("v.npy", b"before" + self.data)
        with open(path, "rb") as file:
            file.seek(6)
            os.lseek(file.fileno(), 6, os.SEEK_SET)
            out = subprocess.run([MOTE, "reduce", "-q", "-"], stdin=file, stdout=subprocess.PIPE,
                                 check=True).stdout
        self.assertEqual(out.decode(), self.sum)

    def test_wrong_length(self):
        path = self.write("v.npy", self.data[:-1])
        for source, stdin in [("-", self.data[:-1]), (path, b"")]:
            self.bad(2, ["ends at byte 3200127 inside the values", "1 more byte expected"], "reduce",
                     source, stdin=stdin)
        path = self.write("v.npy", self.data + b"\n")
        for source, stdin in [("-", self.data + b"\n"), (path, b"")]:
            self.bad(2, "goes on after its last value, which ends at byte 3200128", "reduce", source,
                     stdin=stdin)


class Refused(Case):
    def refused(self, words, data):
        """The message is the same for a file and for a pipe."""
        path = self.write("bad.npy", data)
        from_file = self.bad(2, words, "reduce", path).err
        self.assertIn(path + ": ", from_file)
        from_pipe = self.bad(2, words, "reduce", "-", stdin=data).err
        self.assertEqual(from_pipe, from_file.replace(path, "standard input"))

    def header(self, words, text):
        self.bad(2, words, "reduce", "-", stdin=head(text) + F8)

    def test_not_npy(self):
        self.refused("not an NPY file: it is empty", b"")
        for data in [b"\x93", b"\x93NUMP", b"\x93NUMPX\1\0", b"1,2,3\n", b"NUMPY" * 40]:
            self.refused("not an NPY file: it does not begin with \\x93NUMPY", data)
        self.refused("archive", b"PK\3\4 and so on")

    def test_packed(self):
        data = make("float64", [1.5, 2.0, -4.0])
        packed = {"gzip": PACKING["gz"](data), "bzip2": PACKING["bz2"](data), "xz": PACKING["xz"](data),
                  "zstd": b"\x28\xb5\x2f\xfd" + bytes(9)}
        for program, data in packed.items():
            path = self.write("c.npy", data)
            self.bad(2, f"{path}: not an NPY file: it is packed by {program}: unpack it first", "reduce", path)

    def test_version(self):
        for major, minor in [(0, 0), (4, 0), (1, 1), (2, 5), (255, 255)]:
            self.refused([f"version {major}.{minor} is not known", "1.0, 2.0 or 3.0"],
                         b"\x93NUMPY" + bytes([major, minor]) + b"\x76\0" + b" " * 118)

    def test_truncated(self):
        data = make("float64", [1.5, 2.0, -4.0])
        for length, place in [(6, "the version"), (7, "the version"), (8, "the header's length"),
                              (9, "the header's length"), (10, "the header"), (127, "the header"),
                              (128, "the values"), (151, "the values")]:
            self.refused(f"the file ends at byte {length} inside {place}: ", data[:length])
        self.refused("24 more bytes expected", data[:128])
        self.refused("inside the header's length", make("int32", [1], version=2)[:11])

    def test_trailing(self):
        data = make("float64", [1.5, 2.0, -4.0])
        for more in [b"\0", b"\n", data]:
            self.refused("goes on after its last value, which ends at byte 152", data + more)
        self.refused("which ends at byte 128", make("float64", []) + b"x")

    def test_oversized_header(self):
        for length in [65537, 1 << 20, 0xffffffff]:
            self.refused([f"the header says it has {length} bytes", "at most 65536"],
                         head(PLAIN, 2, length) + F8)

    def test_order(self):
        for word in ["0", "None", "Falsey", "false", "'False'"]:
            self.header("expected True or False", dictionary("<f8", (3,), word))

    def test_types(self):
        self.header("Python objects", dictionary("|O", (3,)))
        for descr in ["<f16", "<c16", "<U4", "|S3", "|V8",
                      "<M8[ns]", "", "<", "<f80", "<l", ">>f8", "<F8", "Float64", "x" * 300]:
            self.header([f"dtype '{descr[:60]}' is not read", "a type that the command's --help names"],
                        dictionary(descr, (3,)))
        self.header("the dtype is structured", "{'descr': [('x', '<f8'), ('y', '<i4')], "
                                               "'fortran_order': False, 'shape': (3,), }")
        self.header("the dtype as a string", "{'descr': 3, 'fortran_order': False, 'shape': (3,)}")

    def shape(self, words, shape):
        self.header(words, f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}")

    def test_shapes(self):
        self.shape("3 dimensions, expected at most 2", "(1, 3, 1)")
        self.shape("32 dimensions", "(" + "1," * 32 + ")")
        self.shape("expected a tuple such as (3,)", "(3)")
        self.shape("the '(' of the shape", "3")
        self.shape("the '(' of the shape", "[3]")
        self.shape("expected a length", "(-3,)")
        self.shape("expected a length", "(,)")
        self.shape("expected a length", "(3,,)")
        self.shape("begins with 0", "(03,)")
        self.shape("expected ',' or ')'", "(3 1)")
        self.shape("expected ',' or ')'", "(3.0,)")
        self.shape("expected ',' or ')'", "(0x3,)")
        self.shape("expected ',' or ')'", "(3LL,)")
        for shape in ["(18446744073709551616,)", "(3, 99999999999999999999999)"]:
            self.shape("a dimension of more elements than memory can address", shape)
        for shape in ["(18446744073709551615,)", "(4294967296, 4294967296)",
                      "(9223372036854775807, 2)", "(2305843009213693951,)"]:
            self.shape("more values than memory can address", shape)

    def test_shapes_beyond_the_file(self):
        for count in [4, 1 << 40, (1 << 60) - 1]:
            self.refused([f"inside the values: {8 * count - 24} more bytes expected"],
                         head(dictionary("<f8", (count,))) + F8)
        self.refused("ends at byte 152", head(dictionary("<f8", (1 << 30, 1 << 29))) + F8)

    def test_syntax(self):
        good = "'descr': '<f8', 'fortran_order': False, 'shape': (3,)"
        for text, words in [
                ("", "the header ends where the '{' of a dict is expected"),
                ("descr", "byte 0 of the header is 'd', expected the '{' of a dict"),
                ("{", "the header ends where a key or '}' is expected"),
                ("{}", "no key 'descr'"),
                ("{'descr': '<f8'}", "no key 'fortran_order'"),
                ("{'descr': '<f8', 'fortran_order': False}", "no key 'shape'"),
                ("{" + good + ", 'shape': (3,)}", "the key 'shape' twice"),
                ("{" + good + ", 'extra': 1}", "unknown key 'extra'"),
                ("{" + good + ", '': 1}", "unknown key ''"),
                ("{" + good, "the header ends where "),
                ("{" + good + ",,}", "expected a key or '}'"),
                ("{" + good + "} x", "is 'x', expected nothing but white space after the dict"),
                ("{" + good + "}\0", "is 0x00, expected nothing but white space"),
                ("{" + good.replace(":", "", 1) + "}", "expected ':'"),
                ("{" + good.replace(",", "", 1) + "}", "expected ',' or '}'"),
                ("{" + good.replace("'descr'", "descr") + "}", "is 'd', expected a key or '}'"),
                ("{" + good.replace("'<f8'", "'<f8") + "}", "dtype '<f8, ' is not read"),
                ("{" + good.replace("<f8", "<\\x66f8") + "}", "printable character"),
                ("{" + good.replace("<f8", "<f8\n") + "}", "is 0x0a, expected"),
                ("{'descr': '<f8", "expected")]:
            self.bad(2, words, "reduce", "-", stdin=head(text, length=len(text)) + F8)
        self.refused("is 0xff", head(b"\xff" + PLAIN.encode()) + F8)

    def test_unreadable(self):
        self.bad(2, ["nowhere.npy", "No such file"], "reduce", self.path("nowhere.npy"))
        self.bad(2, "directory", "reduce", self.folder)
        folder = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        done = subprocess.run([MOTE, "reduce", "-"], stdin=folder, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"standard input: cannot be read: Is a directory", done.stderr)

    @long
    def test_many_small_rows(self):
        self.refused("rows without values", head(dictionary("<f8", (1 << 60, 0))))

    def test_spoiled(self):
        self.spoiled(6)

    @long
    def test_spoiled_often(self):
        self.spoiled(40)

    def spoiled(self, times):
        """Whatever the file contains, the command ends by itself with 0 or 2."""
        chance = random.Random()
        data = make("float32", [0.0] * 5)
        for _ in range(times):
            spoiled = bytearray(data)
            for _ in range(chance.randrange(1, 4)):
                spoiled[chance.randrange(len(spoiled))] = chance.choice(
                    [chance.randrange(256), *b"(),'{}:<>0129TF "])
            result = mote("reduce", "-q", "-", stdin=bytes(spoiled[:chance.choice([20, 100, 148])]))
            self.assertIn(result.code, [0, 2], bytes(spoiled))
            self.assertEqual(result.err == "", result.code == 0, bytes(spoiled))


class Written(Case):
    def test_as_numpy(self):
        """numpy.save(numpy.arange(3)) and an empty array, as numpy 2.4 writes them."""
        self.assertEqual(make("int64", [0, 1, 2])[:128],
                         b"\x93NUMPY\x01\x00v\x00{'descr': '<i8', 'fortran_order': False, "
                         b"'shape': (3,), }" + b" " * 60 + b"\n")
        name = random.choice(["int32", "uint32", "int64"])  # each type is a program of its own
        path = self.write("c.npy", make(name, [1, 1]))
        self.assertEqual(self.good("offsets", "--from-counts", path, "-q").raw, make(name, [0, 1, 2]))
        path = self.write("o.npy", make(name, [4]))
        self.assertEqual(self.good("parents", path, "-q").raw, make(name, []))

    @long
    def test_sum_to_npy(self):
        out = self.path("s.npy")
        types = [("float64", "float64"), ("float32", "float64"), ("int32", "int64"), ("uint8", "uint64"),
                 ("uint32", "uint64"), ("uint64", "uint64")]
        for name, result in random.sample(types, 2):  # each type is a program of its own
            self.good("reduce", "-", "-o", out, stdin=make(name, [1, 2, 3, 4], (2, 2)))
            with open(out, "rb") as file:
                self.assertEqual(file.read(), make(result, [3, 7]))
            self.good("reduce", "-", "-o", out, stdin=make(name, [1, 2, 3, 4]))
            with open(out, "rb") as file:
                self.assertEqual(file.read(), make(result, [10], ()))
        self.good("reduce", "-", "-o", out, "--precision", "native", stdin=make("float32", [1, 2]))
        with open(out, "rb") as file:
            self.assertEqual(file.read(), make("float32", [3], ()))


if __name__ == "__main__":
    main()
