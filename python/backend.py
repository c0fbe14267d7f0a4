# SPDX-License-Identifier: Apache-2.0
"""Builds wheel and source distribution of a checkout by meson-python.

meson-python requires pyproject.toml beside the project's topmost meson.build. Therefore, a copy of the sources is
made, with this folder's pyproject.toml at its top; it is built, or packed as the source distribution, whose
pyproject.toml names meson-python itself.
"""

import contextlib
import io
import os
import pathlib
import shutil
import tarfile
import tempfile

import mesonpy
import pyproject_metadata

try:
    import tomllib
except ModuleNotFoundError:
    import tomli as tomllib

_PROJECT = pathlib.Path(__file__).resolve().parent.parent
_PARTS = ["include", "src", "cl", "tool", "testkit", "bench", "python", "subprojects", "meson.build", "meson_options.txt",
          "LICENSE", "README.md", "CHANGELOG.md"]
_UNWANTED = shutil.ignore_patterns("__pycache__", ".*", "build", "build-*", "dist", "pyproject.toml",
                                   "backend.py", "OpenCL-*", "xxHash-*", "check-*", "packagecache")


def _copied(top):
    for name in _PARTS:
        part = _PROJECT / name
        if part.is_dir():
            shutil.copytree(part, top / name, ignore=_UNWANTED)
        else:
            shutil.copy2(part, top / name)
    text = (_PROJECT / "python" / "pyproject.toml").read_text(encoding="utf-8")
    text = text.replace('build-backend = "backend"\nbackend-path = ["."]\n',
                        'build-backend = "mesonpy"\n')
    (top / "pyproject.toml").write_text(text, encoding="utf-8")


@contextlib.contextmanager
def _sources():
    """Makes a folder of copied sources, which is the working directory until the block ends."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder) / "mote"
        top.mkdir()
        _copied(top)
        os.chdir(top)
        try:
            yield top
        finally:
            os.chdir(before)


def get_requires_for_build_wheel(config_settings=None):
    """Returns the requirements for building besides pyproject.toml's list, such as ninja."""
    return mesonpy.get_requires_for_build_wheel(config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds the wheel; returns its name."""
    wheel_directory = os.path.abspath(wheel_directory)
    with _sources():
        return mesonpy.build_wheel(wheel_directory, config_settings, metadata_directory)


def _version(top):
    text = (top / "meson.build").read_text(encoding="utf-8")
    return text.split("version: '", 1)[1].split("'", 1)[0]


def _metadata(top):
    """Returns PKG-INFO: the project's description with its version, which Meson determines."""
    described = tomllib.loads((top / "pyproject.toml").read_text(encoding="utf-8"))
    described["project"]["version"] = _version(top)
    described["project"].pop("dynamic")
    return bytes(pyproject_metadata.StandardMetadata.from_pyproject(described, top).as_rfc822())


def build_sdist(sdist_directory, config_settings=None):
    """Packs the sources; returns the archive's name."""
    sdist_directory = os.path.abspath(sdist_directory)
    with _sources() as top:
        name = f"mote_opencl-{_version(top)}"
        with tarfile.open(os.path.join(sdist_directory, name + ".tar.gz"), "w:gz") as archive:
            archive.add(top, name)
            text = _metadata(top)
            entry = tarfile.TarInfo(name + "/PKG-INFO")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    return name + ".tar.gz"
