from typing import Any, Literal

from MDAnalysis.analysis.base import AnalysisBase

__all__ = ["Coordination"]

class Coordination(AnalysisBase):
    def __init__(
        self,
        group_a: Any,
        group_b: Any = None,
        *,
        switch: str,
        pbc: bool = True,
        precision: Literal["mixed", "single", "double"] = "mixed",
        method: Literal["auto", "all_pairs", "cells"] = "auto",
        per_atom: bool = False,
        context: Any = None,
        **kwargs: Any,
    ) -> None: ...
    @classmethod
    def get_supported_backends(cls) -> tuple[str, ...]: ...
    def run(
        self, *args: Any, backend: Any = None, n_workers: int | None = None, **kwargs: Any
    ) -> Coordination: ...
