from typing import Any, Literal, NamedTuple, Protocol, Sequence

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import jagged as jagged

__all__ = [
    "cluster", "Clusters", "Positions", "measure", "Digis", "Measurements", "cluster_time", "TimeClusters", "decode_timepix3", "TimepixHits", "selftest", "Context", "Device", "Memory",
    "default_context", "devices", "Coordination", "CoordinationResult", "MoteError",
    "MoteMemoryError", "MoteTypeError", "MoteValueError", "ErrorWord", "histogram", "label",
    "neighbours", "Neighbours", "prepare", "rdf", "RDF", "max", "min", "sum", "all", "any", "argmax", "argmin", "cumsum", "mean", "prod", "std",
    "var", "steinhardt", "Steinhardt", "jagged", "__version__",
]

__version__: str

class MoteError(RuntimeError):
    status: int
    sentence: str
    def __init__(self, status: int, sentence: str) -> None: ...
    @property
    def name(self) -> str: ...

class MoteValueError(MoteError, ValueError): ...
class MoteTypeError(MoteError, TypeError): ...
class MoteMemoryError(MoteError, MemoryError): ...

class Device(NamedTuple):
    spec: str
    name: str
    vendor: str
    platform: str
    driver: str
    device_class: str
    compute_units: int
    has_fp64: bool
    global_bytes: int
    max_alloc_bytes: int

class Memory(NamedTuple):
    scratch_busy: int
    scratch_idle: int
    scratch_peak: int
    programs: int

class Context:
    device: Device
    def __init__(self, spec: Any = None) -> None: ...
    def __enter__(self) -> Context: ...
    def __exit__(self, *exception: object) -> None: ...
    @property
    def closed(self) -> bool: ...
    def close(self) -> None: ...
    def memory(self) -> Memory: ...
    def trim(self) -> None: ...

class ErrorWord:
    def __init__(self, queue: Any, keep: bool = False) -> None: ...
    def check(self) -> None: ...

def devices() -> list[Device]: ...
def default_context() -> Context: ...
def selftest(device: str | None = None) -> None: ...
def prepare(
    *areas: Literal["pixels", "coordination", "jagged", "reduce"],
    context: Any = None,
) -> None: ...

class _Clusters(NamedTuple):
    labels: Any
    n_clusters: Any
    cluster_start: Any
    properties: NDArray[numpy.void] | None

class Positions(NamedTuple):
    x: Any
    y: Any
    x_var: Any
    y_var: Any
    xy_cov: Any
    charge: Any
    charge_min: Any
    charge_max: Any
    size: Any

class Digis(NamedTuple):
    offsets: Any
    indices: Any

class Clusters(_Clusters):
    modules: NDArray[numpy.uint64] | None
    positions: Positions | None
    digis: Digis | None

def cluster(
    module_id: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    adc: ArrayLike | None = None,
    *,
    rows: int,
    columns: int,
    n_modules: int | None = None,
    event_offsets: ArrayLike | None = None,
    invalid_module_id: int = 0,
    invalid_cluster_id: int = -1,
    order: Literal["any", "contiguous"] = "any",
    strategy: Literal["auto", "union_find", "histogram"] = "auto",
    duplicates: Literal["drop", "first", "sum", "max"] = "drop",
    connectivity: Literal[4, 8] = 8,
    adc_threshold: int = 0,
    charge_cut: int = 0,
    charge_cut_inner: int = 0,
    inner_modules: int = 0,
    charge_cuts: ArrayLike | None = None,
    positions: bool = False,
    weight: Literal["charge", "none"] = "charge",
    origin_x: ArrayLike | None = None,
    origin_y: ArrayLike | None = None,
    pitch_x: ArrayLike | None = None,
    pitch_y: ArrayLike | None = None,
    capacity: int | None = None,
    mask: ArrayLike | None = None,
    gain: ArrayLike | None = None,
    pedestal: ArrayLike | None = None,
    charge_min: int = 0,
    morph: ArrayLike | None = None,
    morph_dilation: ArrayLike | None = None,
    morph_erosion: ArrayLike | None = None,
    same_modules: bool = False,
    digis: bool = False,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Clusters: ...

class Measurements(NamedTuple):
    module: Any
    x: Any
    y: Any
    x_var: Any
    y_var: Any
    rows: Any
    columns: Any

def measure(
    digis: Digis,
    module_id: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    adc: ArrayLike | None = None,
    *,
    n_modules: int | None = None,
    design: ArrayLike | None = None,
    row_edges: ArrayLike | Sequence[ArrayLike] | None = None,
    column_edges: ArrayLike | Sequence[ArrayLike] | None = None,
    shift_x: ArrayLike | None = None,
    shift_y: ArrayLike | None = None,
    widths: bool = False,
    weight: Literal["charge", "none"] = "charge",
    duplicates: Literal["drop", "first", "sum", "max"] = "drop",
    gain: ArrayLike | None = None,
    pedestal: ArrayLike | None = None,
    charge_min: int = 0,
    x_var_by_rows: ArrayLike | None = None,
    y_var_by_columns: ArrayLike | None = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Measurements: ...

class TimeClusters(NamedTuple):
    labels: NDArray[numpy.int32]
    properties: NDArray[numpy.void]

def cluster_time(
    module: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    t: ArrayLike,
    charge: ArrayLike | None = None,
    *,
    rows: int,
    columns: int,
    window: int,
    radius: int = 1,
    n_modules: int | None = None,
    complete: int | None = None,
    context: Any = None,
) -> TimeClusters: ...

class TimepixHits(NamedTuple):
    module: NDArray[Any]
    x: NDArray[Any]
    y: NDArray[Any]
    t: NDArray[Any]
    charge: NDArray[Any]

def decode_timepix3(
    packets: ArrayLike,
    chip: ArrayLike | None = None,
    *,
    reference: int | None = None,
    context: Any = None,
) -> TimepixHits: ...

class CoordinationResult(NamedTuple):
    value: Any
    derivatives: Any
    virial: Any
    coordination: Any

class Coordination:
    context: Context
    n_atoms: int
    entries: int
    pbc: str
    def __init__(
        self,
        switch: str,
        *,
        n_atoms: int,
        group_a: Sequence[int] | NDArray[numpy.integer] | None = None,
        group_b: Sequence[int] | NDArray[numpy.integer] | None = None,
        mode: Literal["self", "two", "pair"] | None = None,
        pbc: Literal["none", "orthorhombic", "triclinic"] = "none",
        precision: Literal["mixed", "single", "double"] = "mixed",
        method: Literal["auto", "all_pairs", "cells"] = "auto",
        skin: float = 0.0,
        context: Any = None,
    ) -> None: ...
    def __enter__(self) -> Coordination: ...
    def __exit__(self, *exception: object) -> None: ...
    def close(self) -> None: ...
    def __call__(
        self,
        positions: ArrayLike,
        box: ArrayLike | None = None,
        *,
        derivatives: Literal["atom", "entry"] | None = "atom",
        virial: bool = True,
        coordination: bool | None = None,
        weights: ArrayLike | None = None,
        error: ErrorWord | None = None,
    ) -> CoordinationResult: ...

class _Sum(Protocol):
    def __call__(
        self,
        values: ArrayLike,
        axis: int | tuple[int, ...] | None = None,
        *,
        keepdims: bool = False,
        dtype: DTypeLike | None = None,
        nan: Literal["propagate", "skip"] = "propagate",
        accumulation: Literal["default", "native", "compensated"] = "default",
        out: Any = None,
        context: Any = None,
    ) -> Any: ...

class _Reduction(Protocol):
    def __call__(
        self,
        values: ArrayLike,
        axis: int | tuple[int, ...] | None = None,
        *,
        keepdims: bool = False,
        dtype: DTypeLike | None = None,
        nan: Literal["propagate", "skip"] = "propagate",
        out: Any = None,
        context: Any = None,
    ) -> Any: ...

class _Spread(Protocol):
    def __call__(
        self,
        values: ArrayLike,
        axis: int | tuple[int, ...] | None = None,
        *,
        keepdims: bool = False,
        ddof: int = 0,
        dtype: DTypeLike | None = None,
        nan: Literal["propagate", "skip"] = "propagate",
        out: Any = None,
        context: Any = None,
    ) -> Any: ...

sum: _Sum
min: _Sum
max: _Sum
mean: _Reduction
prod: _Reduction
any: _Reduction
all: _Reduction
argmin: _Reduction
argmax: _Reduction
var: _Spread
std: _Spread

def cumsum(
    values: ArrayLike,
    axis: int | None = None,
    *,
    dtype: DTypeLike | None = None,
    context: Any = None,
) -> Any: ...

def histogram(
    values: ArrayLike,
    bins: int | ArrayLike = 10,
    range: tuple[float, float] | None = None,
    weights: ArrayLike | None = None,
    *,
    error: ErrorWord | None = None,
    context: Any = None,
) -> tuple[Any, NDArray[Any]]: ...

def label(
    image: ArrayLike,
    connectivity: Literal[4, 8] = 4,
    *,
    context: Any = None,
) -> tuple[Any, Any]: ...

class Neighbours(NamedTuple):
    offsets: Any
    i: Any
    j: Any
    S: Any
    d: Any
    D: Any

def neighbours(
    positions: ArrayLike,
    cutoff: float,
    box: ArrayLike | None = None,
    pbc: bool | Sequence[bool] | None = None,
    half: bool = False,
    other: ArrayLike | None = None,
    *,
    capacity: int | None = None,
    error: ErrorWord | None = None,
    context: Any = None,
) -> Neighbours: ...

class RDF(NamedTuple):
    edges: Any
    r: Any
    counts: Any
    g: Any
    n: Any

def rdf(
    positions: ArrayLike,
    r_max: float,
    bins: int = 100,
    box: ArrayLike | None = None,
    pbc: bool | Sequence[bool] | None = None,
    other: ArrayLike | None = None,
    exclusion_block: tuple[int, int] | None = None,
    *,
    r_min: float = 0.0,
    norm: Literal["rdf", "gromacs", "none"] = "rdf",
    context: Any = None,
) -> RDF: ...

class Steinhardt(NamedTuple):
    order: Any
    value: Any
    derivatives: Any
    virial: Any
    components: Any

def steinhardt(
    positions: ArrayLike,
    l: Literal[3, 4, 6],
    switch: str,
    box: ArrayLike | None = None,
    pbc: bool | Sequence[bool] | None = None,
    *,
    local: bool = False,
    local_switch: str | None = None,
    reduction: Literal["mean", "sum", "less_than", "more_than", "moments"] = "mean",
    threshold: str | None = None,
    moments: Sequence[int] | None = None,
    centres: int = 0,
    first_neighbour: int = 0,
    weights: ArrayLike | None = None,
    derivatives: bool = False,
    components: bool = False,
    error: ErrorWord | None = None,
    context: Any = None,
) -> Steinhardt: ...
