# SPDX-License-Identifier: Apache-2.0
"""Tests the installed package: its documents, its command, its source distribution."""

import ast
import importlib.metadata
import inspect
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

import mote
import pytest
from mote import _library, _place

PROJECT = pathlib.Path(__file__).resolve().parents[2]

def test_the_guides_program_prints_what_it_shows(guide):
    shown = re.search(r"```\n\nThe program prints [^\n]*\n\n```text\n(.*?)```", guide.text, re.S).group(1)
    done = subprocess.run([sys.executable, "-c", guide("mote.cluster(")], capture_output=True,
                          text=True, check=True)
    assert done.stdout == shown


def test_the_guides_lines_for_pyarrow(guide):
    pyarrow = pytest.importorskip("pyarrow")
    names = {"mote": mote}
    exec(guide("lists.offsets"), names)
    lists = pyarrow.array([[1.0, 2.0], [], None, [4.0]])
    assert names["sums"](lists).tolist() == [3, 0, 0, 4]
    assert names["sums"](lists[1:]).tolist() == [0, 0, 4]


def test_every_file_is_installed():
    written = {path.name for path in (PROJECT / "python" / "mote").glob("*.py*")}
    assert written <= {path.name for path in pathlib.Path(mote.__file__).parent.iterdir()}


def test_version_is_the_librarys():
    assert importlib.metadata.version("mote-opencl") == mote.__version__


def test_licences_are_told():
    package = importlib.metadata.distribution("mote-opencl")
    assert package.metadata["License-Expression"] == "Apache-2.0"
    told = package.metadata.get_all("License-File")
    assert sorted(told) == ["LICENSE", "python/LICENSE.ocl-icd", "python/LICENSE.xxhash"]
    for name in told:
        file = next(f for f in package.files if f.as_posix().endswith(f"dist-info/licenses/{name}"))
        assert file.read_binary() == (PROJECT / name).read_bytes()


def test_command():
    for command in ([pathlib.Path(sys.executable).parent / "mote"], [sys.executable, "-m", "mote"]):
        done = subprocess.run([*command, "devices"], capture_output=True, text=True, check=True)
        assert all(device.spec in done.stdout for device in mote.devices())
        done = subprocess.run([*command, "nonsense"], capture_output=True, text=True, check=False)
        assert done.returncode == 1 and "nonsense" in done.stderr


def test_library_and_command_are_hardened():
    readelf = shutil.which("readelf")
    if not readelf or "/" not in _place.LIBRARY:
        pytest.skip("no readelf, or no library of the package's own")
    for file in [_library._SITE / _place.LIBRARY, _library.COMMAND]:
        told = subprocess.run([readelf, "--wide", "--dynamic", "--symbols", file], capture_output=True, text=True,
                              check=True).stdout
        for word in ["BIND_NOW", "__stack_chk_fail", "_chk@"]:
            assert word in told, (file, word)


def test_selftest_of_no_device():
    with pytest.raises(mote.MoteError, match="no such device"):
        mote.selftest("no such device")


@pytest.mark.long
def test_selftest():
    mote.selftest()


@pytest.mark.long
@pytest.mark.parametrize("release", ["bookworm", "trixie"])
def test_wheel_in_a_bare_root(release):
    """Installs the wheel with [cpu] by pip in a bare Debian 12 or 13, as root."""
    wheels = list(pathlib.Path("wheel").glob("*.whl"))  # tests/python/run has made it
    if len(wheels) != 1:
        pytest.skip("no folder wheel with one wheel: tests/python/run makes it")
    done = subprocess.run([PROJECT / "tests" / "distro", release, "--wheel", wheels[0]],
                          capture_output=True, text=True, check=False)
    if done.returncode == 2:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr


def stubbed(path):
    """Returns the name, arguments and defaults of each public function of a stub."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    protocols = {kind.name: kind.body[0].args for kind in tree.body
                 if isinstance(kind, ast.ClassDef) and kind.name.startswith("_")
                 and isinstance(kind.body[0], ast.FunctionDef)}
    functions = {node.name: node.args for node in tree.body if isinstance(node, ast.FunctionDef)}
    functions |= {node.target.id: protocols[node.annotation.id] for node in tree.body
                  if isinstance(node, ast.AnnAssign) and node.annotation.id in protocols}
    for name, args in functions.items():
        plain = [arg.arg for arg in args.args if arg.arg != "self"]
        defaults = dict(zip(plain[len(plain) - len(args.defaults):], args.defaults))
        plain += [args.vararg.arg] if args.vararg else []
        keywords = [arg.arg for arg in args.kwonlyargs]
        defaults |= {word: value for word, value in zip(keywords, args.kw_defaults) if value}
        defaults = {word: ast.literal_eval(value) for word, value in defaults.items()}
        yield name, plain + keywords, defaults


def test_stubs_have_the_signatures():
    for module, stub in ((mote, "__init__.pyi"), (mote.jagged, "jagged.pyi")):
        functions = {name for name in module.__all__ if inspect.isfunction(getattr(module, name))}
        for name, words, defaults in stubbed(pathlib.Path(mote.__file__).parent / stub):
            functions.discard(name)
            parameters = inspect.signature(getattr(module, name)).parameters
            assert words == list(parameters), name
            assert defaults == {word: parameter.default for word, parameter in parameters.items()
                                if parameter.default is not parameter.empty}, name
        assert not functions, f"{stub} lacks {functions}"
    for kind in (mote.Coordination, mote.Coordination.__call__):
        assert kind.__doc__


@pytest.fixture(scope="module")
def backend():
    """Calls the hooks that pip calls in a checkout."""
    pytest.importorskip("mesonpy")
    sys.path.insert(0, str(PROJECT / "python"))
    import backend
    yield backend
    sys.path.remove(str(PROJECT / "python"))


def test_source_distribution(backend, tmp_path):
    name = backend.build_sdist(tmp_path)
    assert name == f"mote_opencl-{mote.__version__}.tar.gz"
    with tarfile.open(tmp_path / name) as archive:
        files = set(archive.getnames())
        top = name.removesuffix(".tar.gz")
        assert b"\nVersion: " in archive.extractfile(f"{top}/PKG-INFO").read()
        assert b'"mesonpy"' in archive.extractfile(f"{top}/pyproject.toml").read()
    for part in ("src/meson.build", "cl/embed.py", "include/mote/mote.h", "python/generate.py",
                 "python/mote/jagged.pyi", "LICENSE", "python/LICENSE.ocl-icd", "python/LICENSE.xxhash",
                 "subprojects/xxhash.wrap"):
        assert f"{top}/{part}" in files
    assert not [path for path in files if "build-" in path or "__pycache__" in path]


@pytest.mark.long
def test_wheel_of_the_source_distribution(backend, tmp_path):
    name = backend.build_sdist(tmp_path)
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q",
                    "-w", tmp_path, tmp_path / name], check=True)
    wheel, = tmp_path.glob("*.whl")
    assert re.fullmatch(r"mote_opencl-.*-py3-none-linux_\w+\.whl", wheel.name)


@pytest.mark.long
def test_module_installed_apart_from_the_library(tmp_path):
    """The commands of docs/packagers.md, which compile nothing."""
    meson = shutil.which("meson") or pytest.skip("no Meson")
    prefix, modules = tmp_path / "prefix", tmp_path / "modules"
    for command in (["setup", PROJECT, f"--prefix={prefix}", f"-Dpython.purelibdir={modules}", "-Dtool=false",
                     "-Dtests=false", "-Dbench=false", "-Dplumed=disabled", "-Dopenmm=disabled", "-Dpython=installed"],
                    ["compile", "python_api", "python_metadata"],
                    ["install", "--no-rebuild", "--tags=python-runtime"]):
        folder = [tmp_path / "build"] if command[0] == "setup" else ["-C", tmp_path / "build"]
        subprocess.run([meson, command[0], *folder, *command[1:]], check=True, capture_output=True)
    found, = importlib.metadata.distributions(name="mote-opencl", path=[str(modules)])
    assert found.version == mote.__version__
    assert {path.name for path in modules.glob("mote/_*.py")} >= {"_api.py", "_place.py", "_library.py"}
    assert not prefix.exists()
