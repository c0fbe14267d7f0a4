from typing import Any, Literal

from MDAnalysis.analysis.base import AnalysisBase

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
