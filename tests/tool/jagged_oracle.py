# SPDX-License-Identifier: Apache-2.0
"""Computes the results of the commands on jagged arrays in plain Python."""
import math
import statistics
import struct
from fractions import Fraction

BITS = {"bool": 1, "int8": 8, "uint8": 8, "int16": 16, "uint16": 16, "int32": 32, "uint32": 32, "int64": 64, "uint64": 64}
OPS = ["sum", "prod", "min", "max", "argmin", "argmax", "count", "countnonzero", "any", "all",
       "mean", "var", "std"]
MOMENTS = OPS[-3:]


def none(name):
    """Returns -1 in a type of indices."""
    return 2**32 - 1 if name == "uint32" else -1


def parents(name, offsets):
    labels = [none(name)] * (offsets[-1] - offsets[0])
    for k in range(len(offsets) - 1):
        for i in range(offsets[k], offsets[k + 1]):
            labels[i - offsets[0]] = k
    return labels


def parents_of(name, starts, stops, n):
    labels = [none(name)] * n
    for k, (start, stop) in enumerate(zip(starts, stops)):
        for i in range(start, stop):
            labels[i] = k
    return labels


def local_index(offsets):
    return [i for k in range(len(offsets) - 1) for i in range(offsets[k + 1] - offsets[k])]


def counts(offsets):
    return [b - a for a, b in zip(offsets, offsets[1:])]


def running(lengths):
    sums = [0]
    for length in lengths:
        sums.append(sums[-1] + length)
    return sums


def wrap(name, value):
    """Converts to an integer of 64 bits, with a sign unless `name` has none."""
    return value % 2**64 if name.startswith("uint") else (value + 2**63) % 2**64 - 2**63


def single(value):
    """Rounded to float32."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def _largest(name):
    if name.startswith("float"):
        return math.inf
    return 1 if name == "bool" else 2**(BITS[name] - (not name.startswith("uint"))) - 1


def _smallest(name):
    if name.startswith("float"):
        return -math.inf
    return 0 if name == "bool" or name.startswith("uint") else -2**(BITS[name] - 1)


def reduced(op, name, index, part, skip):
    """Returns one list's result; float sums and products are exact (a Fraction) if they are finite."""
    if op == "count":
        return len(part)
    if op == "countnonzero":
        return sum(v != 0 for v in part)
    if op in ["any", "all"]:
        return int(any(v != 0 for v in part) if op == "any" else all(v != 0 for v in part))
    kept = [i for i, v in enumerate(part) if not (skip and v != v)]
    values = [part[i] for i in kept]
    broken = [i for i in kept if part[i] != part[i]]
    if op == "mean":
        if not values or any(not math.isfinite(v) for v in values):
            return sum(values) if values else math.nan
        return sum(Fraction(v) for v in values) / len(values)
    if op in ["var", "std"]:
        if not values or any(not math.isfinite(v) for v in values):
            return math.nan
        variance = statistics.pvariance([Fraction(v) for v in values])
        return variance if op == "var" else Fraction(math.sqrt(variance))
    if op in ["sum", "prod"]:
        if not name.startswith("float"):
            return wrap(name, sum(values) if op == "sum" else math.prod(values))
        if any(not math.isfinite(v) for v in values):
            return sum(values) if op == "sum" else math.prod(values)
        exact = [Fraction(v) for v in values]
        return sum(exact) if op == "sum" else math.prod(exact, start=Fraction(1))
    sign = 1 if op.endswith("min") else -1
    best = min(kept, key=lambda i: (sign * part[i], i), default=None) if not broken else broken[0]
    if op.startswith("arg"):
        return none(index) if best is None else best
    if best is None:
        return _largest(name) if sign > 0 else _smallest(name)
    return part[best]


def result_type(op, name, index):
    if op in ["any", "all"]:
        return "uint8"
    if op in ["argmin", "argmax", "count", "countnonzero"]:
        return index
    if op not in ["sum", "prod", *MOMENTS]:
        return name
    if name.startswith("float"):
        return "float32" if name == "float16" else name
    return "float64" if op in MOMENTS else "uint64" if name.startswith("uint") else "int64"


def scale(op, part, exact):
    """Returns the unit in which the error of a rounded result is measured."""
    if op in ["prod", "var", "std"]:
        return abs(exact)
    kept = [abs(v) for v in part if v == v]
    return sum(kept) / len(kept) if op == "mean" else sum(kept)


def rounded(op, name):
    """Returns whether results are rounded, so that they only approximate the exact ones."""
    return op in MOMENTS or (op in ["sum", "prod"] and name.startswith("float"))
