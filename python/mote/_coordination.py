# SPDX-License-Identifier: Apache-2.0
"""Coordination numbers (mote/coordination.h)."""

import collections
import math
import warnings

import numpy

from . import _arrays, _types, _words
from ._call import call_host, chosen_context, real_number, structure, whole_number
from ._device import any_on_device, is_device_array, place_of
from ._errors import bad_type, bad_value, characters, check
from ._handle import Handle
from ._library import ffi, lib

_FLOATS = [numpy.dtype("float64"), numpy.dtype("float32")]
_typed_pointer = _arrays.typed_pointer
_F64, _U32 = _FLOATS[0], numpy.dtype("uint32")
_MANY_PAIRS = 10 ** 7  # fewer take less than 0.05 s on one core

CoordinationResult = collections.namedtuple(
    "CoordinationResult", "value derivatives virial coordination")
CoordinationResult.__doc__ = """What a Coordination gives; None for what was not wanted.

With frames each array has them as its first dimension, and value is one, (frames) float64.

value: float, the sum of the switching function over the pairs.
derivatives: (atoms or entries, 3), the type of the positions.
virial: (3, 3) float64.
coordination: (entries) float64, the number of each entry of group a, then of b.
"""


def _release(plan, context):
    lib.mote_coordination_release(plan)
    context.__exit__()


def _warn_of_all_pairs(entries, n_a, mode):
    pairs = entries * (entries - 1) // 2 if mode == "self" else n_a * (entries - n_a)
    if pairs >= _MANY_PAIRS:
        warnings.warn(f"the switching function has no D_MAX, so that each frame takes all {pairs} "
                      "pairs, near and far: add D_MAX to it, or confirm by method=\"all_pairs\"",
                      stacklevel=3)


class Coordination:
    """A smooth number of neighbours, with derivatives and virial: made once, called with positions.

    switch: the switching function in PLUMED's words, as "RATIONAL R_0=0.3 NN=6 D_MAX=1.0". Without
        D_MAX the function is neither cut nor stretched, and all pairs are evaluated: from 10^7
        pairs on, a warning states their number, unless method is "all_pairs".
    n_atoms: atoms of a frame.
    group_a: (n_a) integers, atoms from 0; None: all. group_b: (n_b), for modes "two" and "pair".
    mode: "self": pairs in a; "two": each of a with each of b; "pair": a[k] with b[k]. None: "two"
        if there is a group_b, else "self".
    pbc: "none", "orthorhombic" or "triclinic".
    precision: "mixed" is the default here and in C; the default of the command `mote coordination`
        is "double", if the device has it. "mixed": pairs in float32, sums in double; "single": both
        in float32; "double": both in double, which needs a device with double precision. The first
        two hold coordinates to 2^-31 of the box; a box above 16384 r_0 or d_max is computed in
        double.
    method: "auto", "all_pairs" or "cells" (needs a D_MAX).
    skin: for simulations, a length of about 0.1 D_MAX: GPUs keep lists of partners from call to
        call while no atom has moved by more than half of it. Such a plan serves one call at a time.
        It has no effect on CPUs, or if all pairs are evaluated.
    context: Context or device string; None: the default one.

    Lengths have the caller's unit, the same for the switching function, positions and box. A plan
    without a skin serves any number of threads. Pickled, it carries its arguments and is made anew.

    Raises MoteError: a wrong word of the function, an atom out of range with its place.

    >>> plan = mote.Coordination("RATIONAL R_0=0.3 D_MAX=1.0", n_atoms=2)
    >>> found = plan([[0, 0, 0], [0.3, 0, 0]])
    >>> print(f"{found.value:.4f}")
    0.4996
    """

    def __init__(self, switch, *, n_atoms, group_a=None, group_b=None, mode=None, pbc="none",
                 precision="mixed", method="auto", skin=0.0, context=None):
        if not isinstance(switch, str):
            raise bad_value(f"switch is {switch!r}: words such as \"RATIONAL R_0=0.3 D_MAX=1.0\" "
                            "are wanted")
        args = structure("mote_coordination_plan_args", n_atoms=whole_number(n_atoms, "n_atoms"))
        check(lib.mote_switch_parse(characters(switch, "switch"), ffi.addressof(args, "function")))
        mode = mode or ("self" if group_b is None else "two")
        for field, value in (("coordination_mode", mode), ("pbc", pbc), ("precision", precision),
                             ("coordination_method", method)):
            name = field.split("_")[-1]
            setattr(args, name, _words.number(f"mote_{field}_name", name, value))
        args.skin = real_number(skin, "skin")
        groups = [self._group(args, "a", group_a), self._group(args, "b", group_b)]
        self._arguments = (switch, n_atoms, *groups, mode, pbc, precision, method, skin, context)
        self.context = chosen_context(context)
        out = ffi.new("mote_coordination **")
        with self.context.handle as handle:
            check(lib.mote_coordination_create(handle, args, out))
            self.context.handle.__enter__()  # the context outlives the plan
        del groups  # copied
        self._handle = Handle("plan", out[0], _release, self.context.handle)
        self.n_atoms, self.pbc = args.n_atoms, pbc
        self.entries = lib.mote_coordination_entries(out[0])
        d_max = lib.mote_coordination_function(out[0]).d_max
        if math.isinf(d_max) and mode != "pair" and method != "all_pairs":
            _warn_of_all_pairs(self.entries, args.n_a or args.n_atoms, mode)
        self._words = (f"{switch!r}, {self.entries} entries, d_max {d_max:g}, "
                       f"precision {precision!r}, method {method!r}")

    @staticmethod
    def _group(args, name, atoms):
        """Passes a list of atoms to the plan; the list must live until the plan is made."""
        if atoms is None:
            return None
        what = "group_" + name
        atoms = numpy.array(_arrays.given(atoms, what, [_U32], 1))  # a copy, for pickles
        if atoms.size == 0:
            raise bad_value(f"{what} is empty")
        setattr(args, what, _arrays.typed_pointer(atoms))
        setattr(args, "n_" + name, len(atoms))
        return atoms

    def __reduce__(self):
        return _again, self._arguments

    def __repr__(self):
        return f"<mote.Coordination {self._words}>"

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        """Releases the plan; calls that still run end first. A second time does nothing."""
        self._handle.close()

    def __call__(self, positions, box=None, *, derivatives="atom", virial=True, coordination=None,
                 weights=None, error=None):
        """The coordination number of one frame or several.

        positions: (n_atoms, 3) or (frames, n_atoms, 3), float32 or float64; on the device (a
            pyopencl array) also 4 in the place of 3.
        box: (3) lengths or (3, 3) rows a, b, c; with frames first, one for each; or one for all.
            Needed with pbc.
        derivatives: "atom": a row for each atom; "entry": one for each entry of the groups; None.
        virial: whether it is wanted. coordination: the same; None: unless there are weights.
        weights: (entries), or (frames, entries): a pair of the entries i and j counts weights[i] +
            weights[j] times, so that value is the sum of weights times numbers, and derivatives and
            virial are those of this sum with constant weights. With weights[i] = df/dn of the
            entry's number n they are those of a function f of all numbers. Within float32's range,
            unless the precision is "double"; on the device float32 or float64, one for each frame.
            Not together with coordination.
        error: ErrorWord, for pyopencl arrays.

        Returns: CoordinationResult. Raises MoteError: a position that is not a number is named with
        its frame and atom, a weight with its frame and entry; a singular box.
        """
        wanted = (derivatives, virial, weights is None if coordination is None else coordination)
        with self._handle as plan:
            if is_device_array(positions):
                return self._on_device(plan, positions, box, weights, wanted, error)
            if error is not None:
                raise bad_value("error words are for pyopencl arrays: calls on plain arrays raise")
            if any_on_device((box, weights)):
                raise bad_type("positions are a plain array, box or weights pyopencl's: bring them "
                               "to one place")
            return self._on_host(plan, positions, box, weights, wanted)

    def _frames(self, shape, strides=(3,)):
        """Returns the shape of the frames, () or (frames,)."""
        if len(shape) not in (2, 3) or shape[-2] != self.n_atoms or shape[-1] not in strides:
            raise bad_value(f"positions have the shape {shape}: ({self.n_atoms}, 3) is wanted, or "
                            f"(frames, {self.n_atoms}, 3)")
        return shape[:-2]

    def _boxes(self, box, frames):
        """Returns a 3 x 3 box for each frame; None for none."""
        if self.pbc == "none":
            if box is not None:
                raise bad_value("a box is given, and pbc is \"none\"")
            return None
        if box is None:
            raise bad_value(f"pbc is {self.pbc!r}: a box is needed")
        box = _arrays.numbers(box, "box", _F64)
        if box.shape[-1:] == (3,) and box.shape[:-1] in ((), frames) and box.shape != (3, 3):
            box = numpy.where(numpy.eye(3, dtype=bool), box[..., None], 0.0)
        if box.shape not in ((3, 3), (*frames, 3, 3)):
            raise bad_value(f"box has the shape {box.shape}: (3) or (3, 3) is wanted, or one for "
                            f"each frame")
        if self.pbc == "orthorhombic" and box[..., ~numpy.eye(3, dtype=bool)].any():
            raise bad_value("box has numbers beside its diagonal, and pbc is \"orthorhombic\": use "
                            "pbc=\"triclinic\"")
        return numpy.ascontiguousarray(numpy.broadcast_to(box, (*frames, 3, 3)))

    def _weights(self, weights, frames):
        """Returns a weight for each entry of each frame; None for none."""
        if weights is None:
            return None
        weights = _arrays.numbers(weights, "weights", _F64)
        if weights.shape not in ((self.entries,), (*frames, self.entries)):
            raise bad_value(f"weights have the shape {weights.shape}: ({self.entries},) is wanted, "
                            "or one for each entry of each frame")
        return numpy.ascontiguousarray(numpy.broadcast_to(weights, (*frames, self.entries)))

    def _shapes(self, frames, wanted):
        """Returns the number of rows of the derivatives, and their meaning for the library."""
        if wanted[0] is None:
            return self.n_atoms, 0
        if not isinstance(wanted[0], str):
            raise bad_value(f"derivatives is {wanted[0]!r}: it must be \"atom\", \"entry\" or None")
        of = _words.number("mote_derivatives_of_name", "derivatives", wanted[0])
        return (self.n_atoms if wanted[0] == "atom" else self.entries), of

    def _on_host(self, plan, positions, box, weights, wanted):
        positions = _arrays.given(positions, "positions", _FLOATS)
        frames = self._frames(positions.shape)
        boxes, weights = self._boxes(box, frames), self._weights(weights, frames)
        rows, of = self._shapes(frames, wanted)
        value = numpy.empty(frames)
        slopes = numpy.empty((*frames, rows, 3), positions.dtype) if wanted[0] else None
        virial = numpy.empty((*frames, 3, 3)) if wanted[1] else None
        numbers = numpy.empty((*frames, self.entries)) if wanted[2] else None
        args = structure("mote_coordination_host_args")
        args.plan, args.derivatives_of = plan, of
        args.frames = frames[0] if frames else 1
        if positions.dtype == _F64:
            args.positions64 = _typed_pointer(positions)
            args.derivatives64 = _typed_pointer(slopes)
        else:
            args.positions32 = _typed_pointer(positions)
            args.derivatives32 = _typed_pointer(slopes)
        args.value = _typed_pointer(value)
        if boxes is not None:
            args.box = _typed_pointer(boxes)
        if virial is not None:
            args.virial = _typed_pointer(virial)
        if numbers is not None:
            args.coordination = _typed_pointer(numbers)
        if weights is not None:
            args.weights = _typed_pointer(weights)
        if frames != (0,):  # the library treats 0 frames as one
            call_host(self.context, "mote_coordination_host", args)
        return CoordinationResult(value if frames else float(value), slopes, virial, numbers)

    def _on_device(self, plan, positions, box, weights, wanted, error):
        frames = self._frames(positions.shape, (3, 4))
        stride, real = positions.shape[-1], positions.dtype
        rows, of = self._shapes(frames, wanted)
        if is_device_array(box):
            boxes = None
        else:
            boxes = self._boxes(box, frames)
        inputs = [positions, box if boxes is None else None, weights]
        with place_of(inputs, self.context, error) as place:
            place.given(positions, "positions", _FLOATS)
            args = structure("mote_coordination_args", plan=plan, position_stride=stride,
                             derivative_stride=stride, derivatives_of=of)
            args.frames = frames[0] if frames else 1
            args.box = _arrays.typed_pointer(boxes)
            place.put(args.positions, positions, "positions")
            if is_device_array(box):
                place.put(args.box_device, place.given(box, "box", _FLOATS), "box")
            if weights is not None:
                if weights.shape != (*frames, self.entries):
                    raise bad_value(f"weights have the shape {weights.shape}: "
                                    f"{(*frames, self.entries)} is wanted")
                place.put(args.weights, place.given(weights, "weights", _FLOATS), "weights")
            wide = place.context.device.has_fp64
            total = _F64 if wide else _FLOATS[1]
            pair = () if wide else (2,)
            value = place.room(args.value, (*frames, *pair), total)
            slopes = place.room(args.derivatives, (*frames, rows, stride), real) \
                if wanted[0] else None
            virial = place.room(args.virial, (*frames, *pair, 3, 3), total) if wanted[1] else None
            numbers = place.room(args.coordination, (*frames, self.entries), real) \
                if wanted[2] else None
            if frames != (0,):
                place.run("mote_coordination_compute", args)
        return CoordinationResult(value, slopes, virial, numbers)


def _again(switch, n_atoms, group_a, group_b, mode, pbc, precision, method, skin, context):
    return Coordination(switch, n_atoms=n_atoms, group_a=group_a, group_b=group_b, mode=mode,
                        pbc=pbc, precision=precision, method=method, skin=skin,
                        context=context)
