# SPDX-License-Identifier: Apache-2.0
"""The command reads files of other programs with the same frames, positions and boxes as these programs.
A coordination number, which depends on all positions and the box, is compared."""

import pathlib
import subprocess
import sysconfig

import numpy
import pytest

ENDINGS = (".dcd", ".xtc", ".trr", ".gro", ".xyz", ".pdb", ".ent", ".lammpsdump", ".lammpstrj")
PACKED = (".gz", ".bz2", ".xz")
ATOMS, FRAMES = 60, 8  # largest numbers of atoms and frames that are compared
R_0, D_MAX = 4.0, 40.0  # in Angstrom


def mote(path, atoms, *options):
    """Runs the command; returns the exit status, the numbers of all frames, and the messages."""
    command = pathlib.Path(sysconfig.get_path("scripts")) / "mote"
    done = subprocess.run([command, "coordination", path, "--switch",
                           f"RATIONAL R_0={R_0} NN=6 D_MAX={D_MAX} NOSTRETCH", "--length-unit", "A",
                           "--precision", "double",
                           "--group-a", ",".join(str(i + 1) for i in atoms), *options],
                          capture_output=True, text=True, check=False)
    numbers = [float(line.split()[1]) for line in done.stdout.splitlines() if line[0] != "#"]
    return done.returncode, numbers, done.stderr


def number(positions, box, periodic=(True, True, True)):
    """Returns the sum over pairs of 1 / (1 + (r / R_0)^6), with r to the nearest image."""
    positions = numpy.asarray(positions, dtype=float)
    i, j = numpy.triu_indices(len(positions), 1)
    apart = positions[j] - positions[i]
    if box is not None:
        if all(periodic):
            apart = apart - numpy.round(apart @ numpy.linalg.inv(box)) @ box
        most = 2 if all(periodic) else 5
        steps = [range(-most, most + 1) if along else [0] for along in periodic]
        apart = apart[:, None] + numpy.stack(numpy.meshgrid(*steps), -1).reshape(-1, 3) @ box
        square = (apart ** 2).sum(-1).min(1)
    else:
        square = (apart ** 2).sum(-1)
    return (1 / (1 + (square / R_0 ** 2) ** 3))[square <= D_MAX ** 2].sum()


# ---- MDAnalysis

# Files that MDAnalysis rejects, and the message of mote; None: mote reads the file.
REFUSED = {"empty.dcd": "the file is empty", "empty_atom.gro": "the line has 0 columns, no position",
           "missing_atomname.gro": None, "spce_no_coords.lammpstrj.bz2": "no columns x y z"}
# MDAnalysis reads only the first frame of GRO files, so the number of frames is given here.
MORE_FRAMES = {"two_water_gro_multiframe.gro": 2}
# Packed archives of tar, whose first line MDAnalysis skips.
ARCHIVES = {f"{name}.pdb.{packing}" for name in ("cryst_then_model", "model_then_cryst")
            for packing in ("gz", "bz2")}
MOST_PDB = 20  # there are more than a hundred
# Files with CHARMM's symmetric matrix. MDAnalysis rotates the cell, but not the positions, so the matrix
# is read from the file.
TURNED = {"tip125_tric_C36.dcd"}


def data(rng):
    """Yields the trajectories among the data files of MDAnalysis, and a part of those in PDB."""
    tests = pytest.importorskip("MDAnalysisTests")
    paths = [path for path in sorted((pathlib.Path(tests.__file__).parent / "data").rglob("*"))
             if path.name.lower().removesuffix(path.suffix if path.suffix in PACKED else "")
             .endswith(ENDINGS) and path.name not in ARCHIVES]
    pdb = [path for path in paths if set(path.suffixes) & {".pdb", ".ent"}]
    left_out = set(pdb) - set(rng.choice(pdb, MOST_PDB, replace=False))
    yield from (path for path in paths if path not in left_out)


def reader_of(mda, path):
    """Returns the reader of MDAnalysis, which does not know one of the extensions."""
    kind = "LAMMPSDUMP" if ".lammpstrj" in path.suffixes else None
    return mda.coordinates.core.get_reader_for(str(path), format=kind)(str(path))


def boxes_of(mda, path, reader, chosen):
    """Returns the lattice vectors (rows) in the file, or None, for each chosen frame."""
    if path.name in TURNED:
        with mda.lib.formats.libdcd.DCDFile(str(path)) as file:
            cells = [frame.unitcell.copy() for frame in file]
        return [numpy.array([[a, ab, ac], [ab, b, bc], [ac, bc, c]])
                for a, ab, b, ac, bc, c in [cells[k] for k in chosen]]
    boxes = [reader[k].triclinic_dimensions for k in chosen]
    return [None if box is None or not box.any() else box for box in boxes]


def check_file(mda, path, rng):
    """Checks one file; returns the number of frames compared."""
    if path.name in REFUSED:
        code, numbers, messages = mote(path, [0])
        with pytest.raises((OSError, ValueError)):
            reader_of(mda, path)
        wanted = REFUSED[path.name]
        assert (code, wanted is None or wanted in messages) == (2 if wanted else 0, True), messages
        return 0
    reader = reader_of(mda, path)
    atoms = rng.choice(reader.n_atoms, min(reader.n_atoms, ATOMS), replace=False)
    code, numbers, messages = mote(path, atoms)
    assert code == 0, messages
    assert "--dcd-cell" not in messages, messages
    assert len(numbers) == MORE_FRAMES.get(path.name, reader.n_frames), path
    chosen = range(0, reader.n_frames, -(-reader.n_frames // FRAMES))
    for k, box in zip(chosen, boxes_of(mda, path, reader, chosen)):
        expected = number(reader[k].positions[atoms], box)
        assert numbers[k] == pytest.approx(expected, rel=2e-5, abs=1e-12), (path, k)
    return len(chosen)


@pytest.mark.filterwarnings("ignore")
def test_files_of_mdanalysis(rng):
    mda = pytest.importorskip("MDAnalysis")
    checked = {path.name: check_file(mda, path, rng) for path in data(rng)}
    assert len(checked) > 40 and sum(checked.values()) > 100
    assert set(REFUSED) | set(MORE_FRAMES) | TURNED <= set(checked)


# ---- ASE

def random_atoms(ase, rng):
    """Makes atoms, with or without a cell and other data that a file may hold."""
    n = int(rng.integers(2, 20))
    cell, pbc = numpy.zeros((3, 3)), numpy.zeros(3, dtype=bool)
    if rng.integers(4):
        cell = numpy.diag(rng.uniform(6, 14, 3)) + rng.uniform(-1, 1, (3, 3)) * rng.integers(2)
        pbc = rng.integers(2, size=3).astype(bool) | bool(rng.integers(2))
    atoms = ase.Atoms(rng.choice(["H", "C", "O", "Cl"], n), rng.uniform(-5, 15, (n, 3)), cell=cell,
                      pbc=pbc)
    for name, values in {"forces": rng.normal(size=(n, 3)), "charge": rng.normal(size=n),
                         "id": rng.integers(99, size=n), "fixed": rng.integers(2, size=n) == 1}.items():
        if rng.integers(2):
            atoms.set_array(name, values)
    words = {"energy": rng.normal(), "step": int(rng.integers(99)), "name": "a b = \"c\" 'd'",
             "stress": rng.normal(size=(3, 3)), "flags": numpy.array([True, False]), "done": True,
             "note": "Lattice=1", "path": "x\\y", "list": [1, 2, 3], "un=equal": "[1",
             "brace": "{1 2", "lattice": "fcc", "PBC": 3, "properties": "none", "comment": "pbc=\"T T T\"", "virial": rng.normal(size=9)}
    for key in rng.permutation(list(words))[:rng.integers(len(words))]:
        atoms.info[str(key)] = words[key]
    return atoms


def test_extended_xyz_of_ase(rng, tmp_path):
    ase = pytest.importorskip("ase")
    from ase.io import read, write
    path = tmp_path / "a.xyz"
    for _ in range(20):
        made = random_atoms(ase, rng)
        write(path, made, format="extxyz", vec_cell=False)
        atoms = read(path, format="extxyz")
        assert (atoms.pbc == made.pbc).all() and atoms.cell.array == pytest.approx(made.cell.array)
        box = atoms.cell.array if atoms.pbc.any() else None
        code, numbers, messages = mote(path, range(len(atoms)))
        text = path.read_text(encoding="utf-8").split("\n")[1]
        assert code == 0, (messages, text)
        expected = number(atoms.positions, box, atoms.pbc)
        assert numbers == pytest.approx([expected], rel=1e-6, abs=1e-12), text
