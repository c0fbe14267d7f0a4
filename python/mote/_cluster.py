# SPDX-License-Identifier: Apache-2.0
"""Pixel clustering (mote/pixels.h)."""

import collections
import functools

import numpy

from . import _arrays, _types, _words
from ._call import chosen_context, structure, whole_number
from ._device import any_on_device, place_of
from ._errors import bad_value, check
from ._library import ffi, lib
from ._measure import Digis

_U8, _U16, _U32, _U64, _I32 = (numpy.dtype(name) for name in (
    "uint8", "uint16", "uint32", "uint64", "int32"))
_F32 = numpy.dtype("float32")
_MOST_DIGIS = 2 ** 31 - 1


def _properties_type():
    """mote_pixels_cluster_properties as a dtype of numpy, without gaps."""
    formats = {"uint32_t": "u4", "uint64_t": "u8", "double": "f8"}
    return numpy.dtype([(name, formats[field.type.cname]) for name, field in ffi.typeof(
        "mote_pixels_cluster_properties").fields])


PROPERTIES = _properties_type()
_PROPERTIES = ffi.typeof("mote_pixels_cluster_properties[]")
_HOST_ARGS = ffi.typeof("mote_pixels_host_args *")
_U16_ITEMS, _I32_ITEMS = ffi.typeof("uint16_t[]"), ffi.typeof("int32_t[]")

# Names that every call uses, which are looked up once.
_ndarray, _given, _from_buffer = numpy.ndarray, _arrays.given, ffi.from_buffer
_empty, _tuple = numpy.empty, tuple.__new__

# Arrays with an element for each module or event, and their types.
_TABLES = {"event_offsets": _U32, "charge_cuts": _U32, "origin_x": _F32, "origin_y": _F32,
           "pitch_x": _F32, "pitch_y": _F32, "mask": _U32, "gain": _F32, "pedestal": _F32,
           "morph": _U8}

Positions = collections.namedtuple(
    "Positions", "x y x_var y_var xy_cov charge charge_min charge_max size")
Positions.__doc__ = """Positions of clusters, an array each, in the order of cluster_start.

x, y, x_var, y_var, xy_cov: float32, means, variances and covariance of row and column, in pixels or
    in the modules' geometry: each the float nearest to the exact value.
charge, charge_min, charge_max: uint32, sum, least and largest of the charges.
size: uint32, pixels.
"""
_SPREADS = Positions._fields[:5]


class Clusters(collections.namedtuple("Clusters", "labels n_clusters cluster_start properties")):
    """What cluster() gives.

    labels: (n) int32, the number of each digi's cluster in its module; invalid_cluster_id for
        dropped digis.
    n_clusters: (events, modules) uint32, clusters of each module.
    cluster_start: (events x modules + 1) uint32, where the clusters of each module begin in
        properties.
    properties: (clusters), a structured array: event, label, module, size (pixels), first_digi,
        charge, x and y (means weighted with charge, plain ones where the charge is 0), x_var,
        y_var, x_min, x_max, y_min, y_max. On the device: None.
    modules: (modules), the ids of the columns of n_clusters. On the device: None.
    positions: Positions, if they were asked for, else None.
    digis: Digis, if they were asked for, else None.
    """

    modules = positions = digis = None


_WORDS = ("order", "strategy", "duplicates", "weight")
_NUMBERS = {"rows": 65536, "columns": 65536, "connectivity": 8, "adc_threshold": 2 ** 32 - 1,
            "charge_min": 2 ** 32 - 1, "charge_cut": 2 ** 64 - 1, "charge_cut_inner": 2 ** 64 - 1,
            "inner_modules": 2 ** 32 - 1, "invalid_module_id": 2 ** 64 - 1,
            "morph_dilation": 511, "morph_erosion": 511}


def _checked(label, *values):
    """Returns the fields that device and host arguments share, and host arguments with these fields.

    label: invalid_cluster_id. values: of the words, then of the numbers.
    """
    words, numbers = values[:len(_WORDS)], values[len(_WORDS):]
    fields = {name: _words.number(f"mote_pixels_{name}_name", name, word)
              for name, word in zip(_WORDS, words)}
    for (name, most), value in zip(_NUMBERS.items(), numbers):
        fields[name] = whole_number(value, name, most)
    fields["invalid_cluster_id"] = whole_number(label, "invalid_cluster_id", -1, -2 ** 31)
    return fields, structure("mote_pixels_host_args", **fields)[0]


# A program's calls are alike, and the checks would take as long as all the rest of a small one.
_remembered = functools.lru_cache(maxsize=64, typed=True)(_checked)


def cluster(module_id, x, y, adc=None, *, rows, columns, n_modules=None, event_offsets=None,
            invalid_module_id=0, invalid_cluster_id=-1, order="any", strategy="auto",
            duplicates="drop", connectivity=8, adc_threshold=0, charge_cut=0, charge_cut_inner=0,
            inner_modules=0, charge_cuts=None, positions=False, weight="charge", origin_x=None,
            origin_y=None, pitch_x=None, pitch_y=None, capacity=None, mask=None, gain=None,
            pedestal=None, charge_min=0, morph=None, morph_dilation=None, morph_erosion=None,
            same_modules=False, digis=False, context=None, error=None):
    """Groups fired pixels ("digis") of many modules and events into clusters.

    module_id: (n). With n_modules: uint16 or uint32, below it. Without: uint64; module k is the
        k-th smallest id that there is.
    x, y: (n) uint16, row and column, below rows and columns.
    adc: (n) uint16 or uint32, charge; None: 0.
    rows, columns: pixels of a module, at most 65 536.
    event_offsets: (events + 1) uint32: event k is the digis from event_offsets[k] to
        event_offsets[k + 1] - 1; None: one event.
    invalid_module_id: marks dead digis; 0: with n_modules, 65 534 for uint8 and uint16 ids, else
        2^32 - 2; without n_modules, none.
    invalid_cluster_id: the label of dropped digis, below 0.
    order: "any", or "contiguous": the digis of a module are consecutive, which is checked.
    strategy: "auto", "union_find" or "histogram": the same bits.
    duplicates: of pixels that come twice: "drop", "first", "sum" or "max".
    connectivity: 8 or 4. adc_threshold: digis with a charge below it are dropped.
    charge_cut: clusters below it are dropped; charge_cut_inner: that of the first inner_modules.
    charge_cuts: (modules) uint32, a cut for each module instead.
    positions: whether the result's positions are wanted. weight: "charge", or "none" for plain
        means.
    origin_x, origin_y, pitch_x, pitch_y: (modules) float32, the place of the centre of row and
        column 0, and the step from one to the next, of positions; None: pixels. With n_modules.
    capacity: on the device, room for the positions and lists of digis of so many clusters; more are
        an error. None: as many as digis.
    mask: (modules, rows, columns) bool, dead pixels, whose digis are dropped; or packed as
        mote/pixels.h says, uint32, as on the device it must be. With n_modules.
    gain, pedestal: (modules) float32: the charge of a digi is gain (adc - pedestal), rounded down,
        and charge_min at least; None: 1 and 0. With n_modules.
    morph: (modules) bool, on the device uint8: clusters of the marked modules are formed on the
        morphological closing of their pixels, so that lost pixels do not divide them. With
        n_modules.
    morph_dilation, morph_erosion: structuring elements of the closing, (3, 3) bool, by offsets of
        rows and columns; None: all nine pixels for the dilation, the cross for the erosion.
    same_modules: True: charge_cuts, mask (packed), gain, pedestal, origins, pitches and morph are
        the arrays of the last call, and have not changed since then. The device then keeps them.
        For NumPy arrays.
    digis: whether the result's digis are wanted, which list the digis of each cluster.
    context: Context or device string; None: the default one.
    error: ErrorWord, for pyopencl arrays.

    Arrays are numpy's, whose integers may have any width if their values fit, or pyopencl's: then
    n_modules is needed, labels, n_clusters and cluster_start stay on the device, and there are no
    properties.

    Returns: Clusters, a tuple of labels, n_clusters, cluster_start, properties.
    Raises MoteError: a digi outside its module, or of a module out of range, is named with its
    index and values.

    >>> found = mote.cluster([0, 0, 0], [10, 11, 40], [7, 8, 9], [5, 3, 9], rows=160, columns=416)
    >>> found.labels, found.properties["charge"]
    (array([0, 0, 1], dtype=int32), array([8, 9], dtype=uint64))
    """
    values = (invalid_cluster_id, order, strategy, duplicates, weight, rows, columns, connectivity,
              adc_threshold, charge_min, charge_cut, charge_cut_inner, inner_modules,
              invalid_module_id, _element(morph_dilation, "morph_dilation"),
              _element(morph_erosion, "morph_erosion"))
    try:
        options, template = _remembered(*values)
    except TypeError:  # a value that cannot be looked up
        options, template = _checked(*values)
    if n_modules is not None:
        n_modules = whole_number(n_modules, "n_modules", 2 ** 32 - 1)
    tables = {}
    if not (event_offsets is charge_cuts is origin_x is origin_y is pitch_x is pitch_y is mask
            is gain is pedestal is morph is None):
        given = (event_offsets, charge_cuts, origin_x, origin_y, pitch_x, pitch_y, mask, gain,
                 pedestal, morph)
        tables = {name: values for name, values in zip(_TABLES, given) if values is not None}
    if any_on_device((module_id, x, y, adc)):
        columns = {"module_id": module_id, "x": x, "y": y, "adc": adc}
        return _on_device(columns, tables, n_modules, options, positions, digis, capacity, context,
                          error)
    if error is not None:
        raise bad_value("error words are for pyopencl arrays: calls on plain arrays raise")
    if tables:
        tables = _plain_tables(tables, n_modules, options)
    return _on_host(_plain(module_id, x, y, adc, n_modules), tables, n_modules, template,
                    positions, digis, same_modules, context)


def _element(values, name):
    """Returns a structuring element as a number; 0 for None."""
    if values is None:
        return 0
    element = numpy.asarray(values)
    if element.shape != (3, 3) or element.dtype != bool or not element.any():
        raise bad_value(f"{name} has the shape {element.shape} and the type {element.dtype}: 3 x 3 "
                        "bool are wanted, not all of them False")
    return sum(1 << k for k in numpy.flatnonzero(element).tolist())


def _without_modules(name):
    return bad_value(f"{name} needs n_modules, the number of modules that it describes")


def _check_tables(tables, n_modules, options):
    """Checks the lengths of arrays with an element for each module or event."""
    words = (options["rows"] + 31) // 32 * options["columns"]
    for name, values in tables.items():
        if name == "event_offsets":
            if len(values) == 0:
                raise bad_value("event_offsets are empty: there is one more than events")
            continue
        if n_modules is None:
            raise _without_modules(name)
        wanted = n_modules * words if name == "mask" else n_modules
        if len(values) != wanted:
            raise bad_value(f"{name} has {len(values)} values for n_modules {n_modules}: {wanted} "
                            "are wanted")


def _packed(mask, n_modules, options):
    """Returns dead pixels in the library's form: a bit each, rows side by side in words of 32."""
    if n_modules is None:
        raise _without_modules("mask")
    shape = (n_modules, options["rows"], options["columns"])
    if mask.shape != shape:
        raise bad_value(f"mask has the shape {mask.shape}: {shape} is wanted, modules, rows and "
                        "columns")
    packed = numpy.packbits(numpy.swapaxes(mask, 1, 2), axis=-1, bitorder="little")
    missing = -packed.shape[-1] % 4
    whole = numpy.ascontiguousarray(numpy.pad(packed, ((0, 0), (0, 0), (0, missing))))
    return whole.view("<u4").astype(_U32).reshape(-1)


_IDS, _SORTED_IDS = [_U16, _U32], [_U64]
_COLUMNS = {"x": [_U16], "y": [_U16], "adc": [_U32, _U16]}


def _plain(module_id, x, y, adc, n_modules):
    """Returns contiguous arrays of the types that the library accepts."""
    if isinstance(x, _ndarray) and x.size > _MOST_DIGIS:
        raise bad_value(f"x has {x.size} digis: fewer than 2^31 are possible")
    module_id = _given(module_id, "module_id", _SORTED_IDS if n_modules is None else _IDS, 1)
    x, y = _given(x, "x", _COLUMNS["x"], 1), _given(y, "y", _COLUMNS["y"], 1)
    if adc is not None:
        adc = _given(adc, "adc", _COLUMNS["adc"], 1)
    n = len(x)
    if not (len(module_id) == n == len(y) and (adc is None or len(adc) == n)):
        _arrays.same_length({"module_id": module_id, "x": x, "y": y, "adc": adc})
    return module_id, x, y, adc


def _plain_tables(tables, n_modules, options):
    if "mask" in tables:
        mask = _given(tables["mask"], "mask")
        if mask.dtype == bool:
            mask = _packed(mask, n_modules, options)
        tables = {**tables, "mask": mask}
    tables = {name: _table(values, name) for name, values in tables.items()}
    _check_tables(tables, n_modules, options)
    return tables


def _table(values, name):
    """A table of floats may be given as any numbers."""
    dtype = _TABLES[name]
    if name == "morph":
        values = _given(values, name)
        if values.dtype.kind not in "bui":
            raise bad_value(f"morph has the type {values.dtype}: bool is wanted, True for each "
                            "marked module")
        values = values.astype(bool, copy=False).view(_U8)
    if dtype == _F32:
        return _arrays.numbers(values, name, dtype, 1)
    return _given(values, name, [dtype], 1)


_U32_ITEMS, _U64_ITEMS = ffi.typeof("uint32_t[]"), ffi.typeof("uint64_t[]")
_ID_FIELDS = {_U16: ("module_id16", _U16_ITEMS), _U32: ("module_id32", _U32_ITEMS),
              _U64: ("module_id64", _U64_ITEMS)}
_ADC_FIELDS = {_U16: ("adc16", _U16_ITEMS), _U32: ("adc32", _U32_ITEMS)}


def _on_host(columns, tables, n_modules, template, positions, digis, same_modules, context):
    """template: arguments with the options."""
    module_id, x, y, adc = columns
    n = len(x)
    labels = _empty(n, _I32)
    args = ffi.new(_HOST_ARGS, template)
    args.n = n
    field, items = _ID_FIELDS[module_id.dtype]
    setattr(args, field, _from_buffer(items, module_id))
    args.x, args.y = _from_buffer(_U16_ITEMS, x), _from_buffer(_U16_ITEMS, y)
    if adc is not None:
        field, items = _ADC_FIELDS[adc.dtype]
        setattr(args, field, _from_buffer(items, adc))
    for name, values in tables.items():
        setattr(args, name, _arrays.typed_pointer(values))
    args.n_events = n_events = len(tables["event_offsets"]) - 1 if "event_offsets" in tables else 1
    if positions:
        args.positions = True
    if digis:
        args.digis = True
    if same_modules:
        args.same_modules = True
    if n_modules is not None:
        args.n_modules = n_modules
    args.cluster_id = _from_buffer(_I32_ITEMS, labels)
    result = structure("mote_pixels_host_result")
    context = chosen_context(context)
    host = context.take_host()
    try:
        check(lib.mote_pixels_cluster_host(context.pointer, host, args, result))
        return _gathered(labels, n_events, result, positions)
    finally:
        context.give_host(host)


def _positions(result):
    """Returns the library's results, by its names for the fields."""
    arrays = [_arrays.copied(getattr(result, "cluster_size" if name == "size" else name),
                             result.n_clusters, _F32 if name in _SPREADS else _U32)
              for name in Positions._fields]
    return Positions(*arrays)


def _gathered(labels, n_events, result, positions):
    m, count = result.n_modules, result.n_clusters
    start = _arrays.copied(result.cluster_start, n_events * m + 1, _U32)
    n_clusters = start[1:] - start[:-1]
    # numpy.empty() of a structured type looks for a way to clear it, which takes longer.
    properties = _empty(count * PROPERTIES.itemsize, _U8).view(PROPERTIES)
    lib.mote_pixels_properties(result, _from_buffer(_PROPERTIES, properties))
    clusters = _tuple(Clusters, (labels, n_clusters.reshape(n_events, m), start, properties))
    clusters.modules = (_arrays.copied(result.module_id, m, _U64) if result.module_id
                        else numpy.arange(m, dtype=_U64))
    if positions:
        clusters.positions = _positions(result)
    if result.digi_offsets:
        offsets = _arrays.copied(result.digi_offsets, count + 1, _U32)
        clusters.digis = Digis(offsets, _arrays.copied(result.digis, int(offsets[-1]), _U32))
    return clusters


def _on_device(columns, tables, n_modules, options, positions, digis, capacity, context, error):
    if n_modules is None:
        raise bad_value("pyopencl arrays need n_modules")
    _check_tables(tables, n_modules, options)
    arrays = {**columns, **tables}
    n = len(columns["module_id"])
    wanted = {"module_id": _IDS, **_COLUMNS, **{name: [dtype] for name, dtype in _TABLES.items()}}
    with place_of(arrays.values(), context, error) as place:
        args = structure("mote_pixels_cluster_args", **options)
        args.n_modules = n_modules
        for name, array in arrays.items():
            if array is not None:
                array = place.given(array, name, wanted[name], 1)
                getattr(args, name).type = _types.number(array.dtype, name)
                place.put(getattr(args, name), array, name)
        events = tables.get("event_offsets")
        slots = (1 if events is None else len(events) - 1, args.n_modules)
        outputs = [place.room(args.cluster_id, n, _I32),
                   place.room(args.n_clusters, slots, _U32),
                   place.room(args.cluster_start, slots[0] * slots[1] + 1, _U32)]
        found = _rooms(place, args, n, capacity) if positions else None
        place.run("mote_pixels_cluster", args)
        clusters = Clusters(*map(place.fetch, outputs), None)
        clusters.positions = found and Positions(*map(place.fetch, found))
        if digis:
            clusters.digis = _digis_on_device(place, args, n, capacity)
        return clusters


_SHARED = ("module_id", "x", "y", "event_offsets", "cluster_id", "cluster_start", "n_modules",
           "invalid_module_id")


def _digis_on_device(place, args, n, capacity):
    """Lists the digis of the clusters of the call with these arguments."""
    size = n if capacity is None else whole_number(capacity, "capacity")
    lists = structure("mote_pixels_cluster_digis_args",
                      **{name: getattr(args, name) for name in _SHARED})
    outputs = [place.room(lists.cluster_offsets, size + 1, _U32),
               place.room(lists.digis, n, _U32)]
    place.run("mote_pixels_cluster_digis", lists, keep=True)
    return Digis(*map(place.fetch, outputs))


def _rooms(place, args, n, capacity):
    """Makes room for positions on the device."""
    size = n if capacity is None else whole_number(capacity, "capacity")
    return [place.room(getattr(args, "cluster_" + name), size, _F32 if name in _SPREADS else _U32)
            for name in Positions._fields]
