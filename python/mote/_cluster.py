# SPDX-License-Identifier: Apache-2.0
"""Pixel clustering (mote/pixels.h)."""

import collections

import numpy

from . import _arrays, _types, _words
from ._call import call_host, chosen_context, structure, whole_number
from ._device import is_device_array, place_of
from ._errors import bad_value, check
from ._library import ffi, lib

_U16, _U32, _U64, _I32 = (numpy.dtype(name) for name in ("uint16", "uint32", "uint64", "int32"))
_MOST_DIGIS = 2 ** 31 - 1

PROPERTIES = numpy.dtype([
    ("event", "u4"), ("module", "u8"), ("size", "u4"), ("first_digi", "u4"), ("charge", "u8"),
    ("x", "f8"), ("y", "f8"), ("x_var", "f8"), ("y_var", "f8"),
    ("x_min", "u4"), ("x_max", "u4"), ("y_min", "u4"), ("y_max", "u4")])


def _record_type():
    """mote_pixels_cluster_record as numpy sees it."""
    fields = {name: field.offset for name, field in ffi.typeof(
        "mote_pixels_cluster_record").fields}
    formats = ["u8" if name == "charge" else "u4" for name in fields]
    return numpy.dtype({"names": list(fields), "formats": formats,
                        "offsets": list(fields.values()),
                        "itemsize": ffi.sizeof("mote_pixels_cluster_record")})


_RECORD = _record_type()
_MOMENTS = numpy.dtype([(name, "f8") for name in ("x", "y", "x_var", "y_var")])


class Clusters(collections.namedtuple("Clusters", "labels n_clusters cluster_start properties")):
    """What cluster() gives.

    labels: (n) int32, the number of each digi's cluster in its module; invalid_cluster_id for
        dropped digis.
    n_clusters: (events, modules) uint32, clusters of each module.
    cluster_start: (events x modules + 1) uint32, where the clusters of each module begin in
        properties.
    properties: (clusters), a structured array: event, module, size (pixels), first_digi, charge, x
        and y (means weighted with charge, plain ones where the charge is 0), x_var, y_var,
        x_min, x_max, y_min, y_max. On the device: None.
    modules: (modules), the ids of the columns of n_clusters.
    """

    modules = None


def _options(names):
    """Fields that device and host arguments share, of the arguments of cluster()."""
    fields = {"order": _words.number("mote_pixels_order_name", "order", names["order"]),
              "strategy": _words.number("mote_pixels_strategy_name", "strategy",
                                        names["strategy"]),
              "duplicates": _words.number("mote_pixels_duplicates_name", "duplicates",
                                          names["duplicates"])}
    for name, most in (("rows", 65536), ("columns", 65536), ("connectivity", 8),
                       ("adc_threshold", 2 ** 32 - 1), ("charge_cut", 2 ** 64 - 1),
                       ("charge_cut_inner", 2 ** 64 - 1), ("inner_modules", 2 ** 32 - 1),
                       ("invalid_module_id", 2 ** 64 - 1)):
        fields[name] = whole_number(names[name], name, most)
    label = names["invalid_cluster_id"]
    if not isinstance(label, int) or not -2 ** 31 <= label < 0:
        raise bad_value(f"invalid_cluster_id is {label!r}: a number from -2^31 to -1 is wanted")
    fields["invalid_cluster_id"] = label
    return fields


def cluster(module_id, x, y, adc=None, *, rows, columns, n_modules=None, event_offsets=None,
            invalid_module_id=0, invalid_cluster_id=-1, order="any", strategy="auto",
            duplicates="drop", connectivity=8, adc_threshold=0, charge_cut=0, charge_cut_inner=0,
            inner_modules=0, charge_cuts=None, context=None, error=None):
    """Groups fired pixels ("digis") of many modules and events into clusters.

    module_id: (n). With n_modules: uint16 or uint32, below it. Without: any integers; module k is
        the k-th smallest id that there is.
    x, y: (n) uint16, row and column, below rows and columns.
    adc: (n) uint16 or uint32, charge; None: 0.
    rows, columns: pixels of a module, at most 65 536.
    event_offsets: (events + 1) uint32: event k is the digis from event_offsets[k] to
        event_offsets[k + 1] - 1; None: one event.
    invalid_module_id: marks dead digis; 0: 65 534 for uint16 ids, 2^32 - 2 for uint32 ids.
    order: "any", or "contiguous": the digis of a module are consecutive, which is checked.
    strategy: "auto", "union_find" or "histogram": the same bits.
    duplicates: of pixels that come twice: "drop", "first", "sum" or "max".
    connectivity: 8 or 4. adc_threshold: digis below it are dropped.
    charge_cut: clusters below it are dropped; charge_cut_inner: that of the first inner_modules.
    charge_cuts: (modules) uint32, a cut for each module instead.
    context: Context or device string; None: the default one.
    error: ErrorWord, for pyopencl arrays.

    Arrays are numpy's, or pyopencl's: then n_modules is needed, labels, n_clusters and
    cluster_start stay on the device, and there are no properties.

    Returns: Clusters, a tuple of labels, n_clusters, cluster_start, properties.
    Raises MoteError: a digi outside its module, or of a module out of range, is named with its
    index and values.
    """
    options = _options(locals())
    digis = {"module_id": module_id, "x": x, "y": y, "adc": adc}
    if any(map(is_device_array, digis.values())):
        return _on_device(digis, event_offsets, charge_cuts, n_modules, options, context, error)
    if error is not None:
        raise bad_value("error words are for pyopencl arrays: calls on plain arrays raise")
    return _on_host(digis, event_offsets, charge_cuts, n_modules, options, context)


def _plain(digis, event_offsets, charge_cuts, n_modules):
    """Contiguous arrays of the types that the library takes."""
    ids = [_U16, _U32] if n_modules is not None else [_U64]
    for name, values in digis.items():
        if isinstance(values, numpy.ndarray) and values.size > _MOST_DIGIS:
            raise bad_value(f"{name} has {values.size} digis: fewer than 2^31 are possible")
    if n_modules is None:
        module_id = _arrays.given(digis["module_id"], "module_id")
        if not (module_id.size or isinstance(digis["module_id"], numpy.ndarray)):
            module_id = module_id.astype(_U64)
        if module_id.dtype.kind in "iu":
            if module_id.size and module_id.min() < 0:
                raise bad_value(f"module_id {module_id.min()} is below 0")
            module_id = module_id.astype(_U64, copy=False)
        digis = {**digis, "module_id": module_id}
    wanted = {"module_id": ids, "x": [_U16], "y": [_U16], "adc": [_U32, _U16]}
    given = {name: None if values is None else
             _arrays.given(values, name, wanted[name], 1) for name, values in digis.items()}
    n = _arrays.same_length(given)
    events = None if event_offsets is None else \
        _arrays.given(event_offsets, "event_offsets", [_U32], 1)
    if events is not None and len(events) == 0:
        raise bad_value("event_offsets are empty: there is one more than events")
    cuts = None if charge_cuts is None else _arrays.given(charge_cuts, "charge_cuts", [_U32], 1)
    if cuts is not None and len(cuts) != n_modules:
        raise bad_value(f"charge_cuts are {len(cuts)} for n_modules {n_modules}")
    return given, n, events, cuts


def _on_host(digis, event_offsets, charge_cuts, n_modules, options, context):
    given, n, events, cuts = _plain(digis, event_offsets, charge_cuts, n_modules)
    labels = numpy.empty(n, numpy.int32)
    args = structure("mote_pixels_host_args", n=n, **options)
    wide = {_U16: "16", _U32: "32", _U64: "64"}
    for name in ("module_id", "adc"):
        if given[name] is not None:
            width = wide[given[name].dtype]
            setattr(args, name + width, _arrays.pointer(given[name], f"uint{width}_t *"))
    args.x, args.y = (_arrays.pointer(given[name], "uint16_t *") for name in "xy")
    args.event_offsets = _arrays.pointer(events, "uint32_t *")
    args.charge_cuts = _arrays.pointer(cuts, "uint32_t *")
    args.n_events = n_events = len(events) - 1 if events is not None else 1
    if n_modules is not None:
        args.n_modules = whole_number(n_modules, "n_modules", 2 ** 32 - 1)
    args.cluster_id = _arrays.pointer(labels, "int32_t *")
    result = structure("mote_pixels_host_result")
    with chosen_context(context).host() as (handle, host):
        check(lib.mote_pixels_cluster_host(handle, host, args, result))
        return _gathered(labels, n_events, result)


def _copied(address, count, dtype):
    """A copy of what the mote_host keeps until its next call."""
    if not address or not count:
        return numpy.empty(0, dtype)
    return numpy.frombuffer(ffi.buffer(address, count * dtype.itemsize), dtype).copy()


def _gathered(labels, n_events, result):
    m = result.n_modules
    start = _copied(result.cluster_start, n_events * m + 1, _U32)
    n_clusters = numpy.diff(start)
    properties = numpy.empty(result.n_clusters, PROPERTIES)
    modules = _copied(result.module_id, m, _U64) if result.module_id else numpy.arange(
        m, dtype=_U64)
    slot = numpy.repeat(numpy.arange(n_events * m, dtype=_U64), n_clusters)
    properties["event"], column = numpy.divmod(slot, numpy.uint64(max(m, 1)))
    properties["module"] = modules[column]
    records = _copied(result.properties, result.n_clusters, _RECORD)
    moments = numpy.empty(result.n_clusters, _MOMENTS)
    lib.mote_pixels_means(result.properties, result.n_clusters,
                          _arrays.pointer(moments, "mote_pixels_moments *"))
    for name in PROPERTIES.names[2:]:
        properties[name] = (moments if name in _MOMENTS.names else records)[name]
    clusters = Clusters(labels, n_clusters.reshape(n_events, m), start, properties)
    clusters.modules = modules
    return clusters


def _on_device(digis, event_offsets, charge_cuts, n_modules, options, context, error):
    if n_modules is None:
        raise bad_value("pyopencl arrays need n_modules")
    arrays = {**digis, "event_offsets": event_offsets, "charge_cuts": charge_cuts}
    wanted = {"module_id": [_U16, _U32], "x": [_U16], "y": [_U16], "adc": [_U16, _U32],
              "event_offsets": [_U32], "charge_cuts": [_U32]}
    with place_of(arrays.values(), context, error) as place:
        args = structure("mote_pixels_cluster_args", **options)
        args.n_modules = whole_number(n_modules, "n_modules", 2 ** 32 - 1)
        for name, array in arrays.items():
            if array is not None:
                array = place.given(array, name, wanted[name], 1)
                getattr(args, name).type = _types.number(array.dtype, name)
                place.put(getattr(args, name), array, name)
        if event_offsets is not None and len(event_offsets) == 0:
            raise bad_value("event_offsets are empty: there is one more than events")
        events = 1 if event_offsets is None else len(event_offsets) - 1
        outputs = [place.room(args.cluster_id, len(digis["module_id"]), _I32),
                   place.room(args.n_clusters, (events, args.n_modules), _U32),
                   place.room(args.cluster_start, events * args.n_modules + 1, _U32)]
        place.run("mote_pixels_cluster", args)
        return Clusters(*map(place.fetch, outputs), None)
