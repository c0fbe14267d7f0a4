# SPDX-License-Identifier: Apache-2.0
"""A program in which type checkers must find the marked lines wrong, and all others right."""

from typing import Any, Optional

import mote
import numpy
from numpy.typing import NDArray
from typing_extensions import assert_type


def right() -> None:
    """What callers write."""
    with mote.Context() as context:
        assert_type(context.device, mote.Device)
        found = mote.cluster([0, 0, 1], numpy.array([1, 2, 5], "u2"), [1, 1, 7], rows=9, columns=9,
                             positions=True, weight="none", context=context)
        assert_type(found, mote.Clusters)
        assert_type(found.positions, Optional[mote.Positions])
        assert_type(found.properties, Optional[NDArray[numpy.void]])
        lists = mote.cluster([0, 0], [1, 2], [1, 1], rows=9, columns=9, digis=True).digis
        assert lists is not None
        measured = mote.measure(lists, [0, 0], [1, 2], [1, 1], weight="none",
                                row_edges=[numpy.arange(10.0)], widths=True)
        assert_type(measured, mote.Measurements)
        labels, n_clusters, _, properties = found
        assert properties is not None and properties["size"].tolist() == [2, 1]
        plan = mote.Coordination("RATIONAL R_0=0.3 D_MAX=1.0", n_atoms=2, pbc="orthorhombic")
        result = plan(numpy.zeros((2, 3)), [1.0, 1.0, 1.0], weights=[0.5, 0.5], derivatives="entry")
        assert_type(result, mote.CoordinationResult)
        sums = mote.jagged.reduce([0, 2, 3], numpy.ones(3, "f4"), "sum", dtype="f8", nan="skip")
        image, count = mote.label([[1, 0], [0, 1]], connectivity=8)
        assert_type(mote.devices(), list[mote.Device])
        mote.prepare("reduce", context=context)
        assert_type(mote.mean(sums, axis=0, dtype=numpy.float64), Any)
        assert_type(mote.max(sums, axis=(0,), keepdims=True), Any)
        print(labels, n_clusters, result.value, sums, image, count)
    try:
        mote.jagged.counts([2, 1])
    except mote.MoteValueError as error:
        assert_type(error.status, int)
        assert_type(error.sentence, str)


def wrong() -> None:
    """Each line is a mistake; mypy reports a mark that is unnecessary."""
    mote.cluster([0], [1], [1], rows=9)  # type: ignore[call-arg]
    mote.cluster([0], [1], [1], rows="9", columns=9)  # type: ignore[arg-type]
    mote.cluster([0], [1], [1], rows=9, columns=9, order="some")  # type: ignore[arg-type]
    mote.Coordination("EXP R_0=1", n_atoms=2, pbc="cubic")  # type: ignore[arg-type]
    mote.Coordination("EXP R_0=1")  # type: ignore[call-arg]
    mote.jagged.parents([0, 1], strategy="best")  # type: ignore[arg-type]
    mote.sum([1.0], nan="drop")  # type: ignore[arg-type]
    mote.var([1.0], accumulation="native")  # type: ignore[call-arg]
    mote.cumsum([1.0], axis=(0, 1))  # type: ignore[arg-type]
    mote.label([[1]], connectivity=6)  # type: ignore[arg-type]
    mote.devices().spec  # type: ignore[attr-defined]
    mote.prepare("pixel")  # type: ignore[arg-type]


if __name__ == "__main__":
    right()
