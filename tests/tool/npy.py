# SPDX-License-Identifier: Apache-2.0
"""Writes and reads NPY files in plain Python, byte for byte as numpy.save writes them."""
import ast
import math
import struct

CODES = {"|b1": "?", "|i1": "b", "|u1": "B", "<i2": "h", "<u2": "H", "<i4": "i", "<u4": "I", "<i8": "q",
         "<u8": "Q", "<f2": "e", "<f4": "f", "<f8": "d"}
NAMES = {"bool": "|b1", "int8": "|i1", "uint8": "|u1", "int16": "<i2", "uint16": "<u2", "int32": "<i4",
         "uint32": "<u4", "int64": "<i8", "uint64": "<u8", "float16": "<f2", "float32": "<f4",
         "float64": "<f8"}
INDICES = ["int32", "uint32", "int64"]


def head(text, version=1, length=None):
    """Returns magic number, version, length and text; the text is filled up to a multiple of 64 bytes."""
    text = text.encode() if isinstance(text, str) else text
    form = "<H" if version == 1 else "<I"
    before = 8 + struct.calcsize(form)
    if length is None:
        text += b" " * (64 - (before + len(text) + 1) % 64) + b"\n"
        length = len(text)
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack(form, length) + text


def dictionary(descr, shape, order="False"):
    return f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape!r}, }}"


def pack(name, values):
    return struct.pack(f"<{len(values)}{CODES[NAMES[name]]}", *values)


def make(name, values, shape=None, version=1):
    """Returns a whole file of values in C order."""
    shape = (len(values),) if shape is None else shape
    return head(dictionary(NAMES[name], shape), version) + pack(name, values)


def parse(data):
    """Returns the type, the shape and the values of a file."""
    assert data[:6] == b"\x93NUMPY" and data[6] in (1, 2, 3), data[:8]
    form = "<H" if data[6] == 1 else "<I"
    begin = 8 + struct.calcsize(form)
    (length,) = struct.unpack_from(form, data, 8)
    header = ast.literal_eval(data[begin:begin + length].decode("latin1"))
    assert header["fortran_order"] is False
    count = math.prod(header["shape"])
    code = CODES[header["descr"]]
    body = data[begin + length:]
    assert len(body) == count * struct.calcsize(code), (len(body), header)
    names = {descr: name for name, descr in NAMES.items()}
    return (names[header["descr"]], header["shape"],
            list(struct.unpack(f"<{count}{code}", body)))


def load(path):
    with open(path, "rb") as file:
        return parse(file.read())
