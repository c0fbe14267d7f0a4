from typing import Any, Literal

from numpy.typing import ArrayLike, DTypeLike

from . import ErrorWord

__all__ = [
    "parents", "local_index", "counts", "offsets", "reduce", "scan", "sort", "argsort", "gather",
    "product", "pairs", "combinations", "nonzero", "filter", "run_lengths", "unique", "pad", "slice",
    "topk", "median", "quantile",
]

_Strategy = Literal["auto", "search", "event", "balanced"]

def parents(
    offsets: ArrayLike | None = None,
    *,
    starts: ArrayLike | None = None,
    stops: ArrayLike | None = None,
    n: int | None = None,
    absolute: bool = False,
    content_length: int = 0,
    strategy: _Strategy = "auto",
    overlap: Literal["default", "ignore", "check"] = "check",
    out: Any = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Any: ...
def local_index(
    offsets: ArrayLike,
    *,
    n: int | None = None,
    content_length: int = 0,
    strategy: _Strategy = "auto",
    out: Any = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Any: ...
def counts(
    offsets: ArrayLike | None = None,
    *,
    starts: ArrayLike | None = None,
    stops: ArrayLike | None = None,
    out: Any = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Any: ...
def offsets(
    counts: ArrayLike | None = None,
    *,
    parents: ArrayLike | None = None,
    lists: int | None = None,
    starts: ArrayLike | None = None,
    stops: ArrayLike | None = None,
    out: Any = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Any: ...
def reduce(
    offsets: ArrayLike,
    values: ArrayLike | None,
    op: str,
    *,
    ddof: int = 0,
    dtype: DTypeLike | None = None,
    nan: Literal["propagate", "skip"] = "propagate",
    base_first: bool = False,
    out: Any = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Any: ...
def scan(
    offsets: ArrayLike,
    values: ArrayLike,
    op: Literal["sum", "prod", "min", "max"] = "sum",
    *,
    exclusive: bool = False,
    dtype: DTypeLike | None = None,
    out: Any = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Any: ...
def sort(
    offsets: ArrayLike,
    values: ArrayLike,
    *,
    descending: bool = False,
    out: Any = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Any: ...
def argsort(
    offsets: ArrayLike,
    values: ArrayLike,
    *,
    descending: bool = False,
    dtype: DTypeLike = "int64",
    out: Any = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Any: ...
def gather(
    offsets: ArrayLike,
    values: ArrayLike,
    *,
    n: int | None = None,
    out: Any = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Any: ...
def product(
    offsets_a: ArrayLike,
    offsets_b: ArrayLike,
    offsets_c: ArrayLike | None = None,
    offsets_d: ArrayLike | None = None,
    *,
    capacity: int | None = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> tuple[Any, ...]: ...
def combinations(
    offsets: ArrayLike,
    n: Literal[2, 3, 4],
    *,
    capacity: int | None = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> tuple[Any, ...]: ...
def pairs(
    offsets: ArrayLike,
    *,
    capacity: int | None = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> tuple[Any, Any, Any]: ...
def nonzero(
    offsets: ArrayLike,
    values: ArrayLike,
    *,
    capacity: int | None = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> tuple[Any, Any]: ...
def filter(
    offsets: ArrayLike,
    values: ArrayLike,
    mask: ArrayLike,
    *,
    capacity: int | None = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> tuple[Any, Any]: ...
def run_lengths(
    offsets: ArrayLike,
    values: ArrayLike,
    *,
    equal_nan: bool = False,
    capacity: int | None = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> tuple[Any, Any, Any]: ...
def pad(
    offsets: ArrayLike,
    values: ArrayLike,
    k: int,
    fill: Any = 0,
    start: int = 0,
    *,
    starts: ArrayLike | None = None,
    out: Any = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Any: ...
def slice(
    offsets: ArrayLike,
    values: ArrayLike,
    start: int | None,
    stop: int | None,
    *,
    capacity: int | None = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> tuple[Any, Any]: ...
def topk(
    offsets: ArrayLike,
    values: ArrayLike,
    k: int,
    largest: bool = True,
    *,
    capacity: int | None = None,
    context: Any = None,
    error: ErrorWord | None = None,
) -> tuple[Any, Any, Any]: ...
def median(
    offsets: ArrayLike,
    values: ArrayLike,
    *,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Any: ...
def quantile(
    offsets: ArrayLike,
    values: ArrayLike,
    q: ArrayLike,
    *,
    context: Any = None,
    error: ErrorWord | None = None,
) -> Any: ...
def unique(
    offsets: ArrayLike,
    values: ArrayLike,
    *,
    return_inverse: bool = False,
    return_counts: bool = False,
    context: Any = None,
    error: ErrorWord | None = None,
) -> tuple[Any, ...]: ...
