from typing import Any, Literal, Protocol, Sequence

from numpy.typing import DTypeLike

__all__ = [
    "sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "count", "count_nonzero",
    "mean", "var", "std", "sort", "argsort", "num", "local_index", "run_lengths", "filter",
    "cartesian", "combinations", "pad_none", "firsts",
]

class _Reduction(Protocol):
    def __call__(
        self,
        array: Any,
        axis: int = -1,
        *,
        keepdims: bool = False,
        mask_identity: bool = ...,
        dtype: DTypeLike | None = None,
        nan: Literal["propagate", "skip"] = "propagate",
        context: Any = None,
    ) -> Any: ...

class _Spread(Protocol):
    def __call__(
        self,
        array: Any,
        axis: int = -1,
        *,
        ddof: int = 0,
        keepdims: bool = False,
        mask_identity: bool = False,
        dtype: DTypeLike | None = None,
        nan: Literal["propagate", "skip"] = "propagate",
        context: Any = None,
    ) -> Any: ...

sum: _Reduction
prod: _Reduction
min: _Reduction
max: _Reduction
argmin: _Reduction
argmax: _Reduction
any: _Reduction
all: _Reduction
count: _Reduction
count_nonzero: _Reduction
mean: _Reduction
var: _Spread
std: _Spread

def sort(array: Any, axis: int = -1, *, ascending: bool = True, context: Any = None) -> Any: ...
def argsort(array: Any, axis: int = -1, *, ascending: bool = True, context: Any = None) -> Any: ...
def num(array: Any, axis: int = 1, *, context: Any = None) -> Any: ...
def local_index(array: Any, axis: int = -1, *, context: Any = None) -> Any: ...
def run_lengths(array: Any, *, context: Any = None) -> Any: ...
def filter(array: Any, mask: Any, *, context: Any = None) -> Any: ...
def cartesian(
    arrays: Sequence[Any] | dict[str, Any],
    axis: int = 1,
    *,
    positions: bool = False,
    context: Any = None,
) -> Any: ...
def combinations(
    array: Any,
    n: int = 2,
    *,
    axis: int = 1,
    fields: Sequence[str] | None = None,
    positions: bool = False,
    context: Any = None,
) -> Any: ...
def pad_none(
    array: Any, target: int, axis: int = 1, *, clip: bool = False, context: Any = None
) -> Any: ...
def firsts(array: Any, axis: int = 1, *, context: Any = None) -> Any: ...
