# SPDX-License-Identifier: Apache-2.0
"""Compares mote.decode_timepix3 with a decoder in NumPy."""

import mote
import numpy
import pytest

PERIOD = 2 ** 34


def decoded(packets, chip, reference):
    """Returns the hits of packets as columns, with times relative to those before them."""
    packets, chip = numpy.asarray(packets, "u8").astype(object), numpy.asarray(chip)
    hits = [(int(p), int(c)) for p, c in zip(packets, chip) if p >> 60 in (10, 11)]
    rows, last = [], reference
    for p, c in hits:
        address, coarse = p >> 44 & 0xffff, (p & 0xffff) << 14 | p >> 30 & 0x3fff
        raw = coarse * 16 - (p >> 16 & 15)
        last += (raw - last + PERIOD // 2) % PERIOD - PERIOD // 2
        x = ((address & 0x01f8) >> 1) + (address & 3)
        y = ((address & 0xfe00) >> 8) + (address & 7) // 4
        rows.append((c, x, y, last, p >> 20 & 0x3ff))
    return numpy.array(rows, "i8").reshape(-1, 5).T


def chunks(packets, chip, size):
    """Returns the words of a file of these packets."""
    words = []
    for at in range(0, len(packets), size):
        part = packets[at:at + size]
        words += [0x33585054 | int(chip[at // size]) << 32 | 8 * len(part) << 48, *part.tolist()]
    return numpy.array(words, "u8")


def test_hits(rng):
    kinds = rng.choice([4, 5, 6, 7, 10, 11, 11], 3000).astype("u8")
    packets = rng.integers(0, 2 ** 60, 3000, "u8") | kinds << numpy.uint64(60)
    chip = rng.integers(0, 256, 300)
    expected = decoded(packets, numpy.repeat(chip, 10), 2 ** 33)
    found = mote.decode_timepix3(chunks(packets, chip, 10))
    assert numpy.array_equal(numpy.array(found, "i8"), expected)
    assert [column.dtype.name for column in found] == ["uint16"] * 3 + ["int64", "uint16"]
    again = mote.decode_timepix3(packets, numpy.repeat(chip, 10), reference=-5)
    assert numpy.array_equal(numpy.array(again, "i8"), decoded(packets, numpy.repeat(chip, 10), -5))
    half = mote.decode_timepix3(packets[:1500], 7)
    rest = mote.decode_timepix3(packets[1500:], 7, reference=int(half.t[-1]))
    assert numpy.array_equal(numpy.concatenate([half.t, rest.t]), expected[3])


def test_reference():
    """A difference of half a period is taken as a time before."""
    first = numpy.array([0xb << 60], "u8")  # time 0
    for reference, t in ((2 ** 33, 0), (2 ** 33 + 1, PERIOD), (-2 ** 33, -PERIOD), (1 - 2 ** 33, 0),
                         (5 * PERIOD - 1, 5 * PERIOD)):
        assert mote.decode_timepix3(first, 0, reference=reference).t.tolist() == [t]


def test_clusters():
    """The columns are the first arguments of cluster_time()."""
    packets = numpy.array([0xb << 60 | a << 44 | t << 30 | 9 << 20 for a, t in ((0, 5), (4, 6), (0, 99))], "u8")
    hits = mote.decode_timepix3(packets, 0)
    found = mote.cluster_time(*hits, rows=256, columns=256, window=64)
    assert found.labels.tolist() == [0, 0, 1] and found.properties["charge"].tolist() == [18, 9]


def test_empty_and_refusals():
    assert [len(column) for column in mote.decode_timepix3(numpy.zeros(0, "u8"))] == [0] * 5
    good = chunks(numpy.array([0xb << 60, 0x71 << 56], "u8"), [1], 2)
    assert mote.decode_timepix3(good).module.tolist() == [1]
    with pytest.raises(mote.MoteValueError, match=r"packets\[4\] = 0x0000000000000007 is of no kind"):
        mote.decode_timepix3(numpy.append(good, chunks(numpy.array([7], "u8"), [0], 1)))
    with pytest.raises(mote.MoteValueError, match=r"packets\[1\] = 0xc000000000000000 is of no kind"):
        mote.decode_timepix3(numpy.array([0xb << 60, 0xc << 60], "u8"), 0)
    with pytest.raises(mote.MoteValueError, match=r"packets\[3\] = 0x.* is not the header of a chunk"):
        mote.decode_timepix3(numpy.append(good, good[1:]))
    with pytest.raises(mote.MoteValueError, match=r"packets\[0\] begins a chunk of 2 packets, but only 1 follow"):
        mote.decode_timepix3(good[:2])
    with pytest.raises(mote.MoteValueError, match="lengths differ"):
        mote.decode_timepix3(good, [1, 2])
