# SPDX-License-Identifier: Apache-2.0
"""Digis of each cluster, and measurements of clusters (mote/pixels_measure.h)."""

import collections

import numpy

from . import _arrays, _words
from ._call import structure, whole_number
from ._device import any_on_device, is_device_array, place_of
from ._errors import bad_value

_U16, _U32, _F32 = (numpy.dtype(name) for name in ("uint16", "uint32", "float32"))
_COLUMNS = {"module_id": [_U16, _U32], "x": [_U16], "y": [_U16], "adc": [_U32, _U16]}
_TABLES = {"design": _U32, "shift_x": _F32, "shift_y": _F32, "gain": _F32, "pedestal": _F32}

Digis = collections.namedtuple("Digis", "offsets indices")
Digis.__doc__ = """The digis of each cluster.

offsets: (clusters + 1) uint32: the digis of cluster k, in the order of cluster_start, are
    indices[offsets[k]:offsets[k + 1]]. The functions of mote.jagged accept these offsets.
indices: uint32, indices of digis, in the order of (y, x, index) in each cluster. Digis without a
    cluster are missing; on the device, they leave unspecified elements at the end.
"""

Measurements = collections.namedtuple("Measurements", "module x y x_var y_var rows columns")
Measurements.__doc__ = """Measurements of clusters, one array each; 0 for clusters without digis.

module: uint32. x, y: float32, positions. x_var, y_var: float32, their variances.
rows, columns: uint32, extents in pixels.
"""


def measure(digis, module_id, x, y, adc=None, *, n_modules=None, design=None, row_edges=None,
            column_edges=None, shift_x=None, shift_y=None, widths=False, weight="charge",
            duplicates="drop", gain=None, pedestal=None, charge_min=0, x_var_by_rows=None,
            y_var_by_columns=None, context=None, error=None):
    """Measures clusters in the geometry of their modules: positions, variances and extents.

    digis: Digis, as cluster() returns them with digis=True.
    module_id: (n) uint16 or uint32, below n_modules. x, y: (n) uint16, row and column.
    adc: (n) uint16 or uint32, charge; None: with weight="none".
    n_modules: None: the length of the arrays with an element for each module, or else the largest
        id plus 1.
    design: (modules) uint32, the kind of each module; None: 0.
    row_edges, column_edges: for each design an array of edges: row r lies between the edges r and
        r + 1. One array alone is for design 0. None: row r is centred at r, and its width is 1.
    shift_x, shift_y: (modules) float32, added to the positions; None: 0.
    widths: whether the variances contain the variance of a uniform distribution in each pixel, which
        is width^2 / 12.
    weight: "charge", or "none". duplicates: see cluster(); with "max", copies of a pixel have the
        largest of their charges, otherwise the sum.
    gain, pedestal, charge_min: see cluster().
    x_var_by_rows, y_var_by_columns: for each design the variances of clusters of 1, 2, ... rows or
        columns, which replace those that are computed; larger clusters have the last one. (designs,
        sizes) float32, or (sizes) for one design.
    context: Context or device string; None: the default context.
    error: ErrorWord, for pyopencl arrays.

    The digis are NumPy arrays, or all pyopencl arrays; the other arrays may always be NumPy arrays.

    Returns: Measurements, a tuple of module, x, y, x_var, y_var, rows, columns.
    Raises MoteError: a pixel has no edges, a module is out of range, or the lists are wrong.

    >>> hits = [0, 0], [1, 2], [0, 0], [30, 10]
    >>> found = mote.cluster(*hits, rows=4, columns=1, digis=True)
    >>> measured = mote.measure(found.digis, *hits, row_edges=[0, 50, 100, 150, 300], shift_x=[7.])
    >>> measured.x, measured.rows
    (array([94.5], dtype=float32), array([2], dtype=uint32))
    """
    if not isinstance(digis, (tuple, list)) or len(digis) != 2:
        raise bad_value(f"digis is {type(digis).__name__}: a pair of offsets and indices is wanted, such as "
                        "mote.cluster(..., digis=True).digis")
    columns = {"module_id": module_id, "x": x, "y": y, "adc": adc}
    columns = {name: values for name, values in columns.items() if values is not None}
    tables = {"design": design, "shift_x": shift_x, "shift_y": shift_y, "gain": gain,
              "pedestal": pedestal}
    args = structure("mote_pixels_measure_args", widths=bool(widths),
                     weight=_words.number("mote_pixels_weight_name", "weight", weight),
                     duplicates=_words.number("mote_pixels_duplicates_name", "duplicates",
                                              duplicates),
                     charge_min=whole_number(charge_min, "charge_min", 2 ** 32 - 1))
    with place_of([*digis, *columns.values()], context, error) as place:
        for name, values in columns.items():
            columns[name] = values = place.given(values, name, _COLUMNS[name], 1)
            place.put(getattr(args, name), values, name)
        _arrays.same_length(columns)
        offsets, indices = (place.given(values, name, [_U32], 1)
                            for name, values in zip(Digis._fields, digis))
        if len(offsets) == 0:
            raise bad_value("the offsets of digis are empty: there is one more than clusters")
        place.put(args.cluster_offsets, offsets, "offsets")
        place.put(args.digis, indices, "indices")
        designs = {_put_edges(place, args, axis, edges)
                   for axis, edges in (("row", row_edges), ("column", column_edges))} - {0}
        for name, values in (("x_var_by_rows", x_var_by_rows),
                             ("y_var_by_columns", y_var_by_columns)):
            _put_variances(place, getattr(args, name), values, name, max(designs, default=1))
        lengths = {len(_put_table(place, args, name, values))
                   for name, values in tables.items() if values is not None}
        args.n_modules = _modules(columns["module_id"], n_modules, lengths)
        results = [place.room(getattr(args, "cluster_" + name), len(offsets) - 1,
                              _F32 if name in ("x", "y", "x_var", "y_var") else _U32)
                   for name in Measurements._fields]
        place.run("mote_pixels_measure", args)
        return Measurements(*map(place.fetch, results))


def _modules(module_id, n_modules, lengths):
    """Returns the number of modules. lengths: of the arrays with an element for each module."""
    if n_modules is not None:
        return whole_number(n_modules, "n_modules", 2 ** 32 - 1)
    if len(lengths) > 1:
        raise bad_value(f"the arrays of modules have the lengths {sorted(lengths)}: they differ")
    if lengths:
        return lengths.pop()
    if is_device_array(module_id):
        raise bad_value("pyopencl arrays need n_modules")
    return int(module_id.max()) + 1 if len(module_id) else 1


def _put(place, view, values, name):
    """Brings an array, which may be on the host, to the place of the call."""
    if place.on_device and not is_device_array(values):
        import pyopencl.array
        values = pyopencl.array.to_device(place.queue, values)
    place.put(view, values, name)


def _put_table(place, args, name, values):
    dtype = _TABLES[name]
    if is_device_array(values):
        values = place.given(values, name, [dtype], 1)
    elif dtype == _F32:
        values = _arrays.numbers(values, name, dtype, 1)
    else:
        values = _arrays.given(values, name, [dtype], 1)
    _put(place, getattr(args, name), values, name)
    return values


def _put_edges(place, args, axis, designs):
    """Puts the edges of all designs along an axis one after another. Returns the number of designs."""
    if designs is None:
        return 0
    name = axis + "_edges"
    if any_on_device([designs]):
        raise bad_value(f"{name} is a pyopencl array: NumPy arrays are wanted, one for each design")
    if not hasattr(designs, "__getitem__") or getattr(designs, "ndim", 1) == 0:
        raise bad_value(f"{name} is {designs!r}: an array of edges for each design is wanted")
    if len(designs) and numpy.ndim(designs[0]) == 0:
        designs = [designs]
    edges = [_arrays.numbers(values, name, _F32, 1) for values in designs]
    offsets = numpy.cumsum([0, *map(len, edges)])
    if offsets[-1] > 2 ** 31:
        raise bad_value(f"{name} has {offsets[-1]} elements: at most 2^31 are possible")
    _put(place, getattr(args, axis + "_offsets"), offsets.astype(_U32), name)
    _put(place, getattr(args, name), numpy.concatenate([*edges, numpy.empty(0, _F32)]), name)
    return len(edges)


def _put_variances(place, view, values, name, designs):
    """Puts a table of variances, which has a line for each design."""
    if values is None:
        return
    if any_on_device([values]):
        raise bad_value(f"{name} is a pyopencl array: a NumPy array is wanted")
    values = _arrays.given(values, name)
    if values.ndim == 1:
        values = values[None]
    values = _arrays.numbers(values, name, _F32, 2)
    if len(values) != designs or values.size == 0:
        raise bad_value(f"{name} has the shape {values.shape}: a line for each of {designs} designs "
                        "is wanted, and one size or more")
    _put(place, view, values.reshape(-1), name)
