# SPDX-License-Identifier: Apache-2.0
"""Biases on coordination numbers and order parameters for OpenMM, computed by mote on the device.

    import mote_openmm
    force = mote_openmm.MoteCoordinationForce("RATIONAL R_0=0.3 D_MAX=0.75", "0.5*k*(n-n0)^2",
                                              first=oxygens, second=ions, periodic=True,
                                              parameters={"k": 10, "n0": 40})
    system.addForce(force)
    order = mote_openmm.MoteCoordinationForce("CUBIC D_0=0.3 D_MAX=0.35", "k*(n-0.4)^2", first=oxygens,
                                              periodic=True, parameters={"k": 1e5}, degree=6)

This file and the libraries beside it are built for one version of OpenMM. The force is an
openmm.Force: it goes into Systems, into CustomCVForce, and through XmlSerializer.
"""

import ctypes
import pathlib
import xml.etree.ElementTree as tree

import openmm

PRECISIONS = ("platform", "single", "mixed", "double")


def _load():
    """Loads the plugin for this process's platforms and returns its library."""
    folder = pathlib.Path(__file__).resolve().parent
    names = [openmm.Platform.getPlatform(k).getName()
             for k in range(openmm.Platform.getNumPlatforms())]
    library = folder / "libMoteOpenMM.so"
    openmm.Platform.loadPluginLibrary(str(library))
    if "OpenCL" in names:
        openmm.Platform.loadPluginLibrary(str(folder / "libMoteOpenMMOpenCL.so"))
    return ctypes.CDLL(str(library))


_library = _load()


def _particles(parent, name, group):
    """Adds a group to the description."""
    group_node = tree.SubElement(parent, name)
    for particle in group:
        tree.SubElement(group_node, "Particle", index=str(int(particle)))


def MoteCoordinationForce(function, energy="n", first=(), second=(), *, paired=False,
                          periodic=False, parameters=None, precision="platform", degree=0,
                          local=False, reduction="mean", threshold=""):
    """An openmm.Force on a coordination number n, or on order parameters.

    function: a switching function in PLUMED's words; lengths are in nm. energy: an expression in
    kJ/mol of n and the global parameters, whose default values are `parameters`. first, second:
    particles; without the second group the pairs inside of the first count. paired: only particles
    at the same place of both groups are pairs. periodic: distances are those of nearest images.
    precision: of pairs and sums on OpenCL devices; platform is double where OpenMM's is, else mixed.

    degree: 3, 4 or 6 make n a sum over Steinhardt's order parameters of the particles `first`, of
    which each is named once; `function` weights their neighbours. local: the order parameters are
    averaged over neighbours. reduction: mean, sum, less_than or more_than; the last two count the
    particles whose order parameter x is below or above a value, smoothly, by the switching function
    `threshold` of x.

    What is wrong with them is said when a Context is made.
    """
    if precision not in PRECISIONS:
        raise ValueError(f"precision {precision!r} is none of {', '.join(PRECISIONS)}")
    node = tree.Element("Force", type="MoteCoordinationForce", version="2" if degree else "1",
                        function=function, energy=energy, paired=str(int(paired)),
                        usesPeriodic=str(int(periodic)),
                        precision=str(PRECISIONS.index(precision)), degree=str(int(degree)),
                        local=str(int(local)), reduction=reduction, threshold=threshold)
    given = tree.SubElement(node, "GlobalParameters")
    for name, value in (parameters or {}).items():
        tree.SubElement(given, "Parameter", name=name, default=repr(float(value)))
    _particles(node, "FirstGroup", first)
    _particles(node, "SecondGroup", second)
    return openmm.XmlSerializer.deserialize(tree.tostring(node, encoding="unicode"))


def coordination_number(force, context):
    """Returns the number n, of either kind, of a force of the context's System, for the context's positions."""
    number, sentence = ctypes.c_double(), ctypes.create_string_buffer(4096)
    if _library.mote_openmm_coordination_number(
            ctypes.c_void_p(int(force.this)), ctypes.c_void_p(int(context.this)),
            ctypes.byref(number), sentence, ctypes.c_size_t(len(sentence))):
        raise openmm.OpenMMException(sentence.value.decode(errors="replace"))
    return number.value
