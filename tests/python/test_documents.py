# SPDX-License-Identifier: Apache-2.0
"""Docstrings describe what every public name takes, returns and raises; declarations are the headers'."""

import doctest
import importlib
import inspect
import pathlib
import re
import shutil
import subprocess
import sys

import mote
import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]


def public(home):
    """Returns the module, its public functions and classes by name."""
    if home.startswith("mote."):
        pytest.importorskip({"mote.mdanalysis": "MDAnalysis", "mote.awkward": "awkward"}.get(home,
                                                                                          "mote"))
    module = importlib.import_module(home)
    found = {name: getattr(module, name) for name in module.__all__}
    return module, {name: kind for name, kind in found.items() if callable(kind)}


def document(module, kind):
    """Returns a docstring with that of its module, and those of the functions that it refers to."""
    text = inspect.getdoc(kind) or ""
    for name in re.findall(r"\bsee (?:mote\.)?(?:jagged\.)?(\w+)\(", text):
        for home in (module, mote, mote.jagged):
            text += inspect.getdoc(getattr(home, name, None)) or ""
    return text + (module.__doc__ if module is not mote else "")


def undocumented(module, names, kind):
    """Returns the names that the docstring does not mention."""
    text = document(module, kind)
    return [name for name in names if not re.search(rf"\b{name}\b", text)]


HOMES = ["mote", "mote.jagged", "mote.awkward", "mote.mdanalysis"]


@pytest.mark.parametrize("home", HOMES)
def test_every_argument_result_and_error(home):
    module, kinds = public(home)
    assert kinds
    for name, kind in kinds.items():
        assert inspect.getdoc(kind), name
        if hasattr(kind, "_fields"):
            assert not undocumented(module, kind._fields, kind), name
        elif not (inspect.isclass(kind) and issubclass(kind, Exception)):
            words = [word for word in inspect.signature(kind).parameters if word != "kwargs"]
            assert not undocumented(module, words, kind), name
            assert "aises" in document(module, kind), name
            assert inspect.isclass(kind) or "Returns" in document(module, kind), name


@pytest.mark.parametrize("home", HOMES)
def test_every_method(home):
    module, kinds = public(home)
    for name, kind in kinds.items():
        for method, function in inspect.getmembers(kind, inspect.isfunction):
            if inspect.isclass(kind) and function.__module__.startswith("mote") and (
                    method == "__call__" or not method.startswith("_")):
                assert function.__doc__, f"{name}.{method}"


# These need pyopencl, or a trajectory.
WITHOUT_EXAMPLE = ["ErrorWord", "mote.mdanalysis"]


@pytest.mark.parametrize("home", HOMES)
def test_examples(home):
    """Every function, and every class that callers create, has an example, which is run."""
    _, kinds = public(home)
    names = {"mote": mote, "ak": sys.modules.get("awkward")}
    runner = doctest.DocTestRunner(verbose=False)
    for name, kind in kinds.items():
        result = inspect.isclass(kind) and (hasattr(kind, "_fields") or issubclass(kind, Exception))
        test = doctest.DocTestParser().get_doctest(inspect.getdoc(kind), names, name, home, 0)
        assert test.examples or result or name in WITHOUT_EXAMPLE or home in WITHOUT_EXAMPLE, name
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_readme(capsys):
    """The example of the README prints what its comments show."""
    text = (PROJECT / "README.md").read_text().split("```python\n")[1].split("```")[0]
    exec(compile(text, "README.md", "exec"), {})
    expected = re.findall(r"^print\(.*\)\s+# (.*)$", text, re.M)
    assert expected and capsys.readouterr().out.splitlines() == expected


def test_reference_of_the_site(tmp_path):
    """The page has every public name and method; a name without a docstring is a failure."""
    made = tmp_path / "docs" / "site" / "python_reference"
    made.parent.mkdir(parents=True)
    shutil.copy(PROJECT / "docs" / "site" / "python_reference", made)
    shutil.copytree(PROJECT / "python" / "mote", tmp_path / "python" / "mote")
    page = subprocess.run([sys.executable, made], capture_output=True, text=True, check=True).stdout
    for name in (*mote._HOME, *(f"jagged.{word}" for word in mote.jagged.__all__), "awkward.cartesian"):
        assert re.search(rf"^mote\.{name}\(", page, re.M), name
    for words in ("prepare(*areas, context=None)", "Context.close(self)", "Context.closed\n", "op='sum'",
                  "Returns: a list of Device", "Coordination.run("):
        assert words in page, words
    module = tmp_path / "python" / "mote" / "_context.py"
    module.write_text(module.read_text(encoding="utf-8").replace('"""Every OpenCL device', 'f"""Every'), encoding="utf-8")
    done = subprocess.run([sys.executable, made], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "mote.devices has no docstring" in done.stderr


def test_declarations_are_the_headers(tmp_path):
    """The installed package has what the present headers yield."""
    pytest.importorskip("cffi")
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    made = tmp_path / "_api.py"
    subprocess.run([sys.executable, PROJECT / "python" / "generate.py", "--include",
                    PROJECT / "include", "--depfile", tmp_path / "_api.d", "--output", made,
                    compiler], check=True)
    installed = pathlib.Path(mote.__file__).parent / "_api.py"
    assert made.read_text(encoding="utf-8") == installed.read_text(encoding="utf-8")


def test_structures_have_the_librarys_sizes():
    """The structures that programs in C rely on are not smaller in Python."""
    mote.devices()
    text = (PROJECT / "tests" / "core" / "abi_sizes.inc").read_text(encoding="utf-8")
    sizes = dict(re.findall(r'^\{"(\w+)", .*, (\d+)\},$', text, re.M))
    assert len(sizes) > 20
    for name, size in sizes.items():
        assert mote._library.ffi.sizeof(name) >= int(size), name  # they may have grown since
