# SPDX-License-Identifier: Apache-2.0
"""mote.awkward against awkward on layouts that hypothesis makes up, of every kind of node."""

import math
import re
from functools import partial

import mote
import numpy
import pytest

ak = pytest.importorskip("awkward")
pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings, strategies as st  # noqa: E402

contents, index = ak.contents, ak.index

OPS = ["sum", "prod", "min", "max", "argmin", "argmax", "count", "countnonzero", "any", "all",
       "mean", "var", "std"]
ROUNDED = ("mean", "var", "std")
NAMES = {"countnonzero": "count_nonzero"}
INDICES = {"i4": index.Index32, "u4": index.IndexU32, "i8": index.Index64}
WRAPPERS = ["indexed", "indexed option", "bytes", "bits", "unmasked"]
LISTS = ["offsets", "starts and stops", "regular"]
# Few types, because the package compiles kernels for each type and operation.
TYPES = ["f8", "i4", "?"]


class Maker:
    """Makes one layout: what it is made of is drawn, the numbers in it come from a seed.

    with_others: whether there are records, strings and unions.
    """

    def __init__(self, draw, with_others=False):
        self.draw, self.others = draw, with_others
        self.rng = numpy.random.default_rng(draw(st.integers(0, 2 ** 32 - 1)))

    def one_of(self, kinds):
        """One of some words."""
        return self.draw(st.sampled_from(kinds))

    def any(self, length, depth, below=0):
        """Elements of any layout, with lists to a depth; below: how many lists it is in."""
        wrapper = self.one_of([None, None, None, *WRAPPERS])
        more = int(self.rng.integers(0, 3))
        if wrapper is None:
            return self.bare(length, depth, below)
        if wrapper in ("indexed", "indexed option"):
            option = wrapper == "indexed option"
            content = self.bare(more + (length > 0 and not option), depth, below)
            where = self.rng.integers(-1 if option else 0, max(len(content), not option), length)
            make = contents.IndexedOptionArray if option else contents.IndexedArray
            return make.simplified(INDICES[self.one_of(["i4", "i8"])](where), content)
        content = self.bare(length + more * (wrapper != "unmasked"), depth, below)
        if wrapper == "unmasked":
            return contents.UnmaskedArray.simplified(content)
        valid_when = bool(self.rng.integers(2))
        if wrapper == "bytes":
            mask = index.Index8(self.rng.integers(0, 2, length))
            return contents.ByteMaskedArray.simplified(mask, content, valid_when)
        mask = index.IndexU8(self.rng.integers(0, 256, (length + 7) // 8))
        return contents.BitMaskedArray.simplified(mask, content, valid_when, length,
                                                  bool(self.rng.integers(2)))

    def bare(self, length, depth, below):
        """The same, but for indexes and options outside."""
        if below and length == 0 and self.rng.integers(4) == 0:
            return contents.EmptyArray()
        if depth == 0:
            return self.leaf(length)
        kinds = LISTS + ["numpy"] * (depth < 3) + ["record", "union"] * self.others
        kind = self.one_of(kinds)
        if kind == "numpy":
            return self.numbers(length, *self.rng.integers(0, 4, depth))
        if kind == "record":
            return self.record(length, depth, below)
        if kind == "union":
            return self.union(self.bare_list(length, depth, below), self.leaf(length))
        return self.bare_list(length, depth, below)

    def bare_list(self, length, depth, below=0):
        """Lists that are neither indexed nor None."""
        kind, more = self.one_of(LISTS), int(self.rng.integers(0, 3))
        if kind == "regular":
            size = int(self.rng.integers(0, 4))
            content = self.any(length * size + (more if size > more else 0), depth - 1, below + 1)
            return contents.RegularArray(content, size, length)
        counts = self.rng.integers(0, 4, length)
        make = INDICES[self.one_of(list(INDICES))]
        if kind == "offsets":
            offsets = more + numpy.concatenate([[0], numpy.cumsum(counts)])
            content = self.any(int(offsets[-1]) + more, depth - 1, below + 1)
            return contents.ListOffsetArray(make(offsets), content)
        content = self.any(6, depth - 1, below + 1)
        starts = self.rng.integers(0, 7 - counts)
        return contents.ListArray(make(starts), make(starts + counts), content)

    def numbers(self, *shape):
        """Small whole numbers, of which sums and products are exact; some not contiguous."""
        values = self.rng.integers(-3, 4, shape)
        values = values.astype(self.one_of(TYPES))
        if self.rng.integers(3) == 0:
            values = numpy.repeat(values, 2, -1)[..., ::-2]
        return contents.NumpyArray(values)

    def leaf(self, length):
        """What innermost lists hold."""
        kind = self.one_of(["numbers"] + ["strings", "record", "union"] * self.others)
        if kind == "numbers":
            return self.numbers(length)
        if kind == "record":
            return self.record(length, 0, 1)
        words = self.one_of([["", "a", "bc"], [b"", b"a", b"bc"]])
        strings = ak.Array(words)[self.rng.integers(0, 3, length)].layout
        if kind == "union":
            return self.union(contents.NumpyArray(numpy.arange(length)), strings)
        return strings

    def record(self, length, depth, below):
        """Records, some of them tuples, some of no fields."""
        names = self.one_of([["x"], ["x", "y"], None, []])
        fields = [self.any(length, depth, below) for _ in (names if names is not None else "12")]
        return contents.RecordArray(fields, names, length)

    def union(self, first, second):
        """Elements of two types."""
        length = len(first)
        tags = index.Index8(self.rng.integers(0, 2, length))
        return contents.UnionArray.simplified(tags, index.Index64(numpy.arange(length)),
                                              [first, second])


@st.composite
def arrays(draw, with_others=False):
    """An array of lists, whole or a part of it, in any order."""
    maker = Maker(draw, with_others)
    layout = maker.any(int(maker.rng.integers(0, 6)), draw(st.integers(1, 4)))
    array = ak.Array(layout)
    part = draw(st.sampled_from([None, slice(1, None), slice(0, 2), slice(None, None, -2), "mask",
                                 slice(0, 0)]))
    if part == "mask":
        return array[maker.rng.integers(0, 2, len(array)).astype(bool)]
    return array if part is None else array[part]


def reductions(array):
    """Each reduction of the package beside awkward's: name, mote's, awkward's."""
    for op in OPS:
        theirs = getattr(ak, NAMES.get(op, op))
        yield op, partial(mote.awkward.segments, array, op), partial(theirs, array, axis=-1)
        if op in ("sum", "argmax", "mean"):
            mask = {"mask_identity": op != "argmax"}
            yield (f"{op} {mask}", partial(mote.awkward.segments, array, op, **mask),
                   partial(theirs, array, axis=-1, **mask))


def others(array):
    """The same of the other functions, which take lists of anything."""
    yield "num", partial(mote.awkward.num, array), partial(ak.num, array, axis=-1)
    yield ("local_index", partial(mote.awkward.local_index, array),
           partial(ak.local_index, array, axis=-1))
    yield ("combinations", partial(mote.awkward.combinations, array),
           partial(ak.combinations, array, 2))
    yield ("cartesian", partial(mote.awkward.cartesian, array, array[::-1]),
           partial(ak.cartesian, [array, array[::-1]]))


def numbers(name, array):
    """The types of numbers in an array's type; lengths are int64."""
    found = re.findall(r"bool|u?int\d+|float\d+", str(array.type))
    return ["int64"] * len(found) if name.startswith("num") else found


def alike(found, expected, rounded):
    """Whether nested lists are equal; rounded: floats but for rounding."""
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and \
            all(alike(*both, rounded) for both in zip(found, expected))
    if isinstance(expected, float) and isinstance(found, float):
        return found == expected or (math.isnan(found) and math.isnan(expected)) or \
            (rounded and math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-12))
    return type(found) is type(expected) and found == expected


def check(name, array, found, expected):
    """The same values, of the same types of numbers."""
    lists = found.to_list(), expected.to_list()
    if not alike(*lists, name.split()[0] in ROUNDED) or \
            numbers(name, found) != numbers(name, expected):
        pytest.fail(f"{name} of {array.type}: {lists[0]}, {found.type}, but awkward returns "
                    f"{lists[1]}, {expected.type}\n{array.layout}")


bounded = settings(derandomize=True, database=None, deadline=None, max_examples=100,
                   suppress_health_check=list(HealthCheck))


@bounded
@given(arrays())
def test_numbers(array):
    """Lists of numbers: every function gives what awkward gives."""
    for name, mine, theirs in (*reductions(array), *others(array)):
        found = mine()
        try:
            expected = theirs()
        except (AssertionError, ValueError):  # as awkward 2.14 does where options hold no list
            continue
        check(name, array, found, expected)


@bounded
@given(arrays(with_others=True))
def test_others(array):
    """Records, strings and unions: awkward's answer, or a TypeError where that is not to be had."""
    kind = str(array.type)
    for name, mine, theirs in others(array):
        try:
            expected = theirs()
        except Exception:  # awkward's own errors have several types
            expected = None
        try:
            found = mine()
        except mote.MoteTypeError as error:
            assert re.search(r"choose|bring|make", error.sentence)
            assert "union" in kind or "{}" in kind or not isinstance(expected, ak.Array) or (
                name in ("combinations", "cartesian") and re.match(r"\d+ \* \??[({]", kind)), name
        else:
            if isinstance(expected, ak.Array):
                check(name, array, found, expected)
    if re.search(r"[{(]|string|union", kind):
        with pytest.raises(mote.MoteTypeError, match="choose|bring|lengths"):
            mote.awkward.segments(array, "count")


def analyses(rng):
    """Arrays of lists as analyses make them, by name."""
    counts = rng.integers(0, 5, 30)
    pt = ak.unflatten(rng.integers(0, 50, counts.sum()).astype("f8"), counts)
    muons = ak.zip({"pt": pt, "charge": ak.where(pt > 20, 1, -1)})
    events = ak.zip({"muon": muons, "run": numpy.arange(30)}, depth_limit=1)
    lists, inner = ak.num(pt) > 1, pt > 20
    form, length, parts = ak.to_buffers(ak.pad_none(pt, 3))
    yield "a field of selected events", events[events.run > 5].muon.pt
    yield "selected in lists", muons[inner].pt
    yield "ordered in lists", pt[ak.argsort(pt, ascending=False)]
    yield "masked lists and elements", ak.mask(ak.mask(pt, inner), lists)
    yield "padded", ak.pad_none(pt, 2, clip=True)
    yield "first lists", ak.firsts(ak.unflatten(pt, [10, 0, 20]))
    yield "singletons", ak.singletons(ak.firsts(pt))
    yield "picked, some by None", pt[ak.Array([0, None, 3, 5, None])]
    yield "a new axis", pt[:, numpy.newaxis]
    yield "backwards", ak.unflatten(pt, [10, 0, 20])[::-1, ::-2, ::-1]
    yield "of each pair", ak.cartesian([pt, pt[::-1]], nested=True)["0"]
    yield "joined with None", ak.concatenate([pt, ak.pad_none(pt, 2)])
    yield "joined in lists", ak.concatenate([pt, pt[::-1]], axis=1)
    yield "categories", ak.str.to_categorical(ak.Array([["a", "b"], ["a"], []]))
    yield "virtual", ak.from_buffers(form, length, {
        key: lambda part=part: part for key, part in parts.items()})[3:]
    yield "a branch of fixed size", ak.Array(rng.integers(0, 9, (8, 3)).astype("f8"))[2:]
    yield "lists of such", ak.unflatten(rng.integers(0, 9, (8, 3)).astype("f8"), [3, 0, 5])
    yield "a masked matrix", ak.Array(numpy.ma.masked_less(rng.integers(0, 9, (8, 3)), 4))


def test_what_analyses_make(rng):
    pytest.importorskip("pyarrow")  # for categories
    for words, array in analyses(rng):
        text = "string" in str(array.type)
        for name, mine, theirs in (*([] if text else reductions(array)), *others(array)):
            check(f"{name} of {words}:", array, mine(), theirs())


def test_arrow(rng):
    arrow = pytest.importorskip("pyarrow")
    rows = [[1, None, 3], None, [], [2]]
    for kind in (arrow.list_(arrow.int32()), arrow.large_list(arrow.float64())):
        for array in (arrow.array(rows, kind)[1:], arrow.chunked_array([rows, rows], kind)):
            read = ak.from_arrow(array)
            for name, mine, theirs in (*reductions(read), *others(read)):
                check(name, read, mine(), theirs())
            assert mote.awkward.segments(array, "count").to_list() == \
                ak.count(read, axis=-1).to_list()
