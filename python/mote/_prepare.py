# SPDX-License-Identifier: Apache-2.0
"""Kernels that are built ahead of their use, by calls on small arrays."""

import itertools

import numpy

from . import _reduce, jagged
from ._call import chosen_context
from ._cluster import cluster
from ._coordination import Coordination
from ._errors import bad_value
from ._histogram import histogram

_SIZES = 4, 2 ** 20  # elements; the library chooses some kernels by the size of a call
_TYPES = "float32", "float64", "int64"


def _types(context):
    return [name for name in _TYPES if name != "float64" or context.device.has_fp64]


def _pixels(context):
    for size, charges, modules in itertools.product(_SIZES, (True, False), (1, None)):
        pixels = numpy.arange(size, dtype=numpy.uint16) % 160
        module = numpy.zeros(size, numpy.uint16)
        cluster(module, pixels, pixels, pixels if charges else None, rows=160, columns=416,
                n_modules=modules, positions=charges, digis=charges, context=context)


def _coordination(context):
    precisions = ["mixed", "double"] if context.device.has_fp64 else ["mixed"]
    positions = numpy.eye(3)
    for pbc, precision, method in itertools.product(("none", "orthorhombic", "triclinic"),
                                                    precisions, ("all_pairs", "cells")):
        with Coordination("RATIONAL R_0=0.3 D_MAX=0.75", n_atoms=3, pbc=pbc, precision=precision,
                          method=method, context=context) as plan:
            plan(positions, None if pbc == "none" else 9 * positions)


def _lists(context):
    for size in _SIZES:
        offsets = numpy.arange(0, size + 1, 4)
        counts = jagged.counts(offsets, context=context)
        parents = jagged.parents(offsets, context=context)
        jagged.local_index(offsets, context=context)
        jagged.offsets(counts, context=context)
        jagged.offsets(parents=parents, lists=len(counts), context=context)
        jagged.product(offsets, offsets, context=context)
        jagged.pairs(offsets, context=context)
        for name in _types(context):
            values = numpy.zeros(size, name)
            jagged.gather(offsets, values[:len(counts)], context=context)
            jagged.nonzero(offsets, values, context=context)
            jagged.filter(offsets, values, values == 0, context=context)
            jagged.sort(offsets, values, context=context)
            jagged.argsort(offsets, values, context=context)
            for op in ("sum", "prod", "min", "max"):
                jagged.scan(offsets, values, op, context=context)
            for op in ("sum", "prod", "min", "max", "argmin", "argmax", "count", "countnonzero",
                       "any", "all", "mean", "var", "std"):
                if context.device.has_fp64 or name != "int64" or op not in ("mean", "var", "std"):
                    jagged.reduce(offsets, values, op, context=context)


def _arrays(context):
    for size, name in itertools.product(_SIZES, _types(context)):
        values = numpy.zeros(size, name)
        for function, axis in itertools.product((_reduce.sum, _reduce.min, _reduce.max), (None, 1)):
            function(values.reshape(-1, 4), axis, context=context)
        histogram(values, 8, (0, 1), context=context)


_AREAS = {"pixels": _pixels, "coordination": _coordination, "jagged": _lists, "reduce": _arrays}


def prepare(*areas, context=None):
    """Builds kernels ahead of their first use, and stores them for this and later processes.

    areas: "pixels", "coordination", "jagged" or "reduce"; without a word, all of them.
    context: Context or device string; None: the default one.

    Calls the functions of each area on arrays of 4 and of 2^20 elements, which takes as long as the
    driver needs to build their kernels:
    "pixels": cluster() in modules of 160 x 416 pixels, with and without adc and positions.
    "coordination": Coordination() of RATIONAL with the usual exponents and a D_MAX, in every box,
        "mixed" and "double", all pairs and cells, with derivatives, virial and float64 positions.
    "jagged": the functions of mote.jagged on int64 offsets and values of float32, float64 and
        int64, which also serve mean(), var(), std(), prod(), any(), all(), argmin(), argmax() and
        cumsum().
    "reduce": sum(), min(), max() and histogram() of float32, float64 and int64.
    The kernels of other types and options are built at their first use.

    Returns: nothing. Raises MoteError: an unknown area.

    >>> mote.prepare("reduce")
    """
    for area in areas:
        if not isinstance(area, str) or area not in _AREAS:
            raise bad_value(f"area is {area!r}: it must be one of {', '.join(_AREAS)}")
    context = chosen_context(context)
    for area in areas or _AREAS:
        _AREAS[area](context)
