# SPDX-License-Identifier: Apache-2.0
"""mote computes on particle data with OpenCL: pixel clusters, coordination numbers, jagged arrays.

All functions accept and return NumPy arrays, or pyopencl arrays that stay on their device. The work runs in a context:
the argument `context`, else a default one that the first call opens. Modules are loaded when a name is first used.

    labels, n_clusters, cluster_start, properties = mote.cluster(
        module, x, y, adc, rows=160, columns=416)
    plan = mote.Coordination("RATIONAL R_0=0.3 D_MAX=1.0", n_atoms=len(positions))
    value, derivatives, virial, coordination = plan(positions)
    sums = mote.jagged.reduce(offsets, values, "sum")
"""

import importlib

_HOMES = {
    "_cluster": ["cluster", "Clusters", "Positions"],
    "_cluster_time": ["cluster_time", "TimeClusters"],
    "_command": ["selftest"],
    "_context": ["Context", "Device", "Memory", "default_context", "devices"],
    "_coordination": ["Coordination", "CoordinationResult"],
    "_errors": ["MoteError", "MoteMemoryError", "MoteTypeError", "MoteValueError"],
    "_device": ["ErrorWord"],
    "_histogram": ["histogram"],
    "_label": ["label"],
    "_measure": ["measure", "Digis", "Measurements"],
    "_neighbours": ["neighbours", "Neighbours"],
    "_prepare": ["prepare"],
    "_rdf": ["rdf", "RDF"],
    "_reduce": ["max", "min", "sum"],
    "_rows": ["all", "any", "argmax", "argmin", "cumsum", "mean", "prod", "std", "var"],
    "_steinhardt": ["steinhardt", "Steinhardt"],
    "_timepix3": ["decode_timepix3", "TimepixHits"],
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = ["awkward", "jagged", "mdanalysis"]

__all__ = [*_HOME, "jagged", "__version__"]  # the other modules need extras


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    if name == "__version__":
        from ._errors import lib, text
        value = text(lib.mote_version())
    elif name in _HOME:
        value = getattr(importlib.import_module("." + _HOME[name], __name__), name)
    else:
        raise AttributeError(f"module 'mote' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)
