from typing import Any, Literal

from numpy.typing import DTypeLike

__all__ = ["reduce", "num", "local_index", "cartesian", "combinations"]

def reduce(
    array: Any,
    op: str,
    *,
    ddof: int = 0,
    dtype: DTypeLike | None = None,
    nan: Literal["propagate", "skip"] = "propagate",
    mask_identity: bool | None = None,
    context: Any = None,
) -> Any: ...
def num(array: Any, *, context: Any = None) -> Any: ...
def local_index(array: Any, *, context: Any = None) -> Any: ...
def cartesian(a: Any, b: Any, *, positions: bool = False, context: Any = None) -> Any: ...
def combinations(array: Any, *, positions: bool = False, context: Any = None) -> Any: ...
