# SPDX-License-Identifier: Apache-2.0
"""Coordination numbers of trajectories, in any format that MDAnalysis reads."""

import multiprocessing

import numpy
from MDAnalysis.analysis.backends import BackendMultiprocessing
from MDAnalysis.analysis.base import AnalysisBase
from MDAnalysis.analysis.results import ResultsGroup

from ._coordination import Coordination as Plan
from ._errors import bad_type

__all__ = ["Coordination"]


class _Spawning(BackendMultiprocessing):
    """Workers that are new processes: OpenCL's drivers do not survive a fork."""

    def apply(self, func, computations):
        """The results of all computations, in their order."""
        with multiprocessing.get_context("spawn").Pool(processes=self.n_workers) as pool:
            return pool.map(func, computations)


class Coordination(AnalysisBase):
    """The coordination number of each frame.

        analysis = mote.mdanalysis.Coordination(
            universe.select_atoms("name OW"), switch="RATIONAL R_0=3.0 D_MAX=6.0")
        analysis.run(backend="multiprocessing", n_workers=4)
        print(analysis.results.value)

    group_a, group_b: AtomGroups: pairs in a, or each atom of a with each of b. Updating groups are
        refused.
    switch: the switching function in PLUMED's words, in MDAnalysis' unit, Angstrom.
    pbc: whether the frames' boxes count. A frame without a box has none.
    precision, method, context: see mote.Coordination.
    per_atom: whether results.coordination is wanted.

    Results: value (frames) float64; coordination (frames, atoms of a, then of b) float64.

    A frame gives the same bytes with every backend: "serial", "multiprocessing" (whose workers are
    spawned: a program needs `if __name__ == "__main__":`) and "dask". Raises MoteError: a position
    that is not a number, a singular box.
    """

    _analysis_algorithm_is_parallelizable = True

    @classmethod
    def get_supported_backends(cls):
        """The backends that run() takes by name."""
        return "serial", "multiprocessing", "dask"

    def __init__(self, group_a, group_b=None, *, switch, pbc=True, precision="mixed",
                 method="auto", per_atom=False, context=None, **kwargs):
        for group in (group_a, group_b):
            if type(group).__name__ == "UpdatingAtomGroup":
                raise bad_type("a group changes from frame to frame: a plan has fixed atoms")
        super().__init__(group_a.universe.trajectory, **kwargs)
        self._atoms = group_a.unique if group_b is None else (group_a | group_b)
        places = {index: place for place, index in enumerate(self._atoms.indices)}
        self._groups = [None if group is None else [places[index] for index in group.indices]
                        for group in (group_a, group_b)]
        self._entries = sum(len(group) for group in self._groups if group is not None)
        self._arguments = {"switch": switch, "precision": precision, "method": method,
                           "context": context}
        self._pbc, self._per_atom = pbc, per_atom

    def run(self, *args, backend=None, n_workers=None, **kwargs):
        """Runs the analysis as AnalysisBase.run() does: backend "serial", "multiprocessing" or "dask", n_workers of
        them.

        Returns: self, with results.
        """
        if backend == "multiprocessing":
            backend = _Spawning(n_workers or multiprocessing.cpu_count())
            kwargs.update(unsupported_backend=True)
            n_workers = None
        return super().run(*args, backend=backend, n_workers=n_workers, **kwargs)

    def _prepare(self):
        self._plans = {}
        self.results.value = numpy.zeros(self.n_frames)
        if self._per_atom:
            self.results.coordination = numpy.zeros((self.n_frames, self._entries))

    def _plan(self, pbc):
        if pbc not in self._plans:
            a, b = self._groups
            self._plans[pbc] = Plan(n_atoms=len(self._atoms), group_a=a, group_b=b, pbc=pbc,
                                    **self._arguments)
        return self._plans[pbc]

    def _single_frame(self):
        dimensions = self._ts.dimensions if self._pbc else None
        if dimensions is None or not dimensions[:3].any():
            pbc, box = "none", None
        elif (dimensions[3:] == 90).all():
            pbc, box = "orthorhombic", dimensions[:3].astype(float)
        else:
            pbc, box = "triclinic", self._ts.triclinic_dimensions.astype(float)
        found = self._plan(pbc)(self._atoms.positions, box, derivatives=None, virial=False,
                                coordination=self._per_atom)
        self.results.value[self._frame_index] = found.value
        if self._per_atom:
            self.results.coordination[self._frame_index] = found.coordination

    def _get_aggregator(self):
        lookup = {"value": ResultsGroup.ndarray_hstack}
        if self._per_atom:
            lookup["coordination"] = ResultsGroup.ndarray_vstack
        return ResultsGroup(lookup=lookup)
