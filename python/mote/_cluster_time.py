# SPDX-License-Identifier: Apache-2.0
"""Clusters of hits in space and time (mote/pixels_time.h)."""

import collections

import numpy

from . import _arrays
from ._call import chosen_context, structure, whole_number
from ._errors import check
from ._library import ffi, lib

_U16, _U32, _I64, _I32 = (numpy.dtype(name) for name in ("uint16", "uint32", "int64", "int32"))
_COLUMNS = {"module": [_U16, _U32], "x": [_U16], "y": [_U16], "t": [_I64],
            "charge": [_U16, _U32]}
_RECORD = numpy.dtype([
    ("size", "u4"), ("first_digi", "u4"), ("charge", "u8"), ("sums", "u4", 12), ("plain", "u8", 2),
    ("x_min", "u4"), ("x_max", "u4"), ("y_min", "u4"), ("y_max", "u4")], align=False)
_COPIED = ("size", "charge", "x_min", "x_max", "y_min", "y_max")
_MEANS = ("x", "y", "x_var", "y_var")

PROPERTIES = numpy.dtype(
    [("module", "u4"), ("size", "u4"), ("charge", "u8"), ("first", "i8"), ("last", "i8")]
    + [(name, "f8") for name in _MEANS]
    + [(name, "u4") for name in ("first_hit", "x_min", "x_max", "y_min", "y_max")])

TimeClusters = collections.namedtuple("TimeClusters", "labels properties")
TimeClusters.__doc__ = """The result of cluster_time().

labels: (n) int32, the number of each hit's cluster; -1 for hits of clusters that are still open.
properties: (clusters), a structured array with the fields module, size (number of hits), charge,
    first and last (lowest and highest time), x and y (means weighted by charge, or plain means if
    the charge is 0), x_var, y_var, first_hit (lowest index of a hit), x_min, x_max, y_min, y_max.
"""


def cluster_time(module, x, y, t, charge=None, *, rows, columns, window, radius=1, n_modules=None,
                 complete=None, context=None):
    """Groups single hits, for example of Timepix detectors, into clusters in space and time.

    Two hits of a module touch if their rows and columns differ by at most `radius`, and their times
    differ by at most `window`. Clusters are the connected components of hits that touch. They are
    numbered from 0 over all modules, in the order of their first hits by (time, module, column,
    row). The hits may come in any order.

    module: (n) uint16 or uint32, below n_modules. x, y: (n) uint16, row and column.
    t: (n) int64, time in ticks. charge: (n) uint16 or uint32; None: 0.
    rows, columns: pixels of a module, at most 65 536.
    window: 0 or more ticks. radius: 0 to 15; 0: only hits of the same pixel touch.
    n_modules: number of modules; None: the largest number in `module`, plus 1.
    complete: for a stream that is processed in several calls: all hits before this time have been
        passed to this call or to an earlier one. A cluster is open if a later hit may touch it. Its
        hits get the label -1; pass them to the next call, before the new hits. None: the stream
        ends with this call.
    context: Context or device string; None: the default context.

    Arrays are NumPy arrays. Their integers may have any width if the values fit.

    Returns: TimeClusters, a tuple of labels and properties.
    Raises MoteError, whose message contains the index and values of a hit outside the detector.

    >>> found = mote.cluster_time([0, 0, 0], [10, 11, 10], [7, 8, 7], [100, 105, 900],
    ...                           rows=256, columns=256, window=20)
    >>> found.labels, found.properties["size"], found.properties["last"]
    (array([0, 0, 1], dtype=int32), array([2, 1], dtype=uint32), array([105, 900]))
    """
    hits = {"module": module, "x": x, "y": y, "t": t, "charge": charge}
    hits = {name: _arrays.given(values, name, _COLUMNS[name], 1)
            for name, values in hits.items() if values is not None}
    _arrays.same_length(hits)
    n = len(hits["module"])
    if n_modules is None:
        n_modules = int(hits["module"].max()) + 1 if n else 1
    labels = numpy.empty(n, _I32)
    args = structure(
        "mote_pixels_time_host_args", n=n, n_modules=whole_number(n_modules, "n_modules", 2**32 - 1),
        rows=whole_number(rows, "rows", 65536), columns=whole_number(columns, "columns", 65536),
        radius=whole_number(radius, "radius", 15) or lib.MOTE_PIXELS_SAME_PIXEL,
        window=whole_number(window, "window", 2**63 - 1))
    if complete is not None:
        args.complete = whole_number(complete, "complete", 2**63 - 1, -2**63)
        args.streaming = True
    for name in ("x", "y", "t"):
        setattr(args, name, _arrays.typed_pointer(hits[name]))
    for name, field in (("module", "module_id"), ("charge", "charge")):
        if name in hits:
            setattr(args, f"{field}{8 * hits[name].itemsize}", _arrays.typed_pointer(hits[name]))
    args.cluster_id = _arrays.typed_pointer(labels)
    return _run(chosen_context(context), args, labels)


def _run(context, args, labels):
    result = structure("mote_pixels_time_host_result")
    host = context.take_host()
    try:
        check(lib.mote_pixels_cluster_time_host(context.pointer, host, args, result))
        return TimeClusters(labels, _properties(result))
    finally:
        context.give_host(host)


def _properties(result):
    count = result.n_clusters
    records = _arrays.copied(result.properties, count, _RECORD)
    means = numpy.empty((count, len(_MEANS)))
    lib.mote_pixels_means(result.properties, count,
                          ffi.from_buffer("mote_pixels_moments[]", means))
    found = numpy.empty(count, PROPERTIES)
    for name in _COPIED:
        found[name] = records[name]
    for column, name in enumerate(_MEANS):
        found[name] = means[:, column]
    found["first_hit"] = records["first_digi"]
    found["module"] = _arrays.copied(result.module, count, _U32)
    found["first"] = _arrays.copied(result.first, count, _I64)
    found["last"] = _arrays.copied(result.last, count, _I64)
    return found
