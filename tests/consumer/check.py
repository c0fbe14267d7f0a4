#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs mote into an empty folder and uses it as a stranger would; prints TAP."""

import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import structures

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


# OpenCL's own headers beside mote's, in every order.
VERSIONS = {
    ".cpp": ["#include <CL/opencl.hpp>\n#include <mote/mote.h>\n",
             "#include <mote/mote.h>\n#include <CL/opencl.hpp>\n",
             "#define CL_HPP_TARGET_OPENCL_VERSION 120\n#define CL_HPP_MINIMUM_OPENCL_VERSION 120\n"
             "#include <mote/mote.hpp>\n#include <CL/opencl.hpp>\n",
             "#define CL_HPP_TARGET_OPENCL_VERSION 200\n#include <CL/opencl.hpp>\n"
             "#include <mote/mote.h>\n"],
    ".c": ["#define CL_TARGET_OPENCL_VERSION 300\n#include <mote/mote.h>\n"
           "static_assert(CL_TARGET_OPENCL_VERSION == 300 && CL_VERSION_3_0, \"as asked for\");\n",
           "#define CL_TARGET_OPENCL_VERSION 110\n#include <CL/cl.h>\n#include <mote/mote.h>\n"
           "static_assert(CL_TARGET_OPENCL_VERSION == 110, \"as asked for\");\n",
           "#include <mote/mote.h>\n#include <CL/cl_ext.h>\n"
           "static_assert(CL_VERSION_3_0, \"as without mote\");\n"],
}


class Failure(Exception):
    """A check has found an error, which the text describes."""


def run(command, env=None):
    """Runs a command and returns its output, or fails with everything that the command printed."""
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{shlex.join(map(str, command))} exited {done.returncode}\n{done.stdout}")
    return done.stdout


class Installation:
    """An installation of mote under DESTDIR, and the tools to use it."""

    def __init__(self, args, root):
        self.root = root / "installed"
        self.work = root
        self.source = args.source
        self.meson = args.meson
        self.bin = self.root / args.prefix.lstrip("/") / "bin"
        self.compiler = args.cc
        self.flags = args.flags
        self.cc = shlex.split(args.cc) + ["-std=c11", *shlex.split(args.flags)]
        self.cxx = shlex.split(args.cxx) + ["-std=c++17", *shlex.split(args.flags)]
        run([args.meson, "install", "--no-rebuild", "--quiet", "-C", args.build,
             "--destdir", self.root])
        self.include = self.root / args.prefix.lstrip("/") / args.includedir
        self.lib = self.root / args.prefix.lstrip("/") / args.libdir
        self.shared_env = {**os.environ, "LD_LIBRARY_PATH": str(self.lib)}

    def pkg_config(self, *words, root=None, lib=None):
        """Returns the output of pkg-config for the installed mote, as a list of arguments."""
        env = {**os.environ, "PKG_CONFIG_PATH": str((lib or self.lib) / "pkgconfig"),
               "PKG_CONFIG_SYSROOT_DIR": str(root or self.root)}
        flags = shlex.split(run(["pkg-config", *words, "mote"], env))
        # The sysroot is also put before OpenCL's folders, which are not in it.
        return [f for f in flags if not f.startswith(("-I", "-L")) or pathlib.Path(f[2:]).is_dir()]

    def headers(self, ending=".h"):
        """Returns every installed header, as a program includes it; headers of clients are not mote's."""
        found = [str(h.relative_to(self.include)) for h in self.include.rglob("*" + ending)]
        return sorted(h for h in found if not h.startswith("mote/openmm/"))

    def needed(self, path):
        """Returns the names of the libraries that a binary requires."""
        return re.findall(r"NEEDED.*\[(.*)\]", run(["readelf", "-d", path]))

    def build_and_run_example(self, name, libraries):
        """Compiles the README's example and compares its output."""
        program = self.work / name
        run([*self.cc, *STRICT, *self.pkg_config("--cflags"), self.source.parent / "examples/first.c",
             "-o", program, *libraries])
        got = run([program], self.shared_env)
        want = (self.source.parent / "examples/first.txt").read_text()
        if got != want:
            raise Failure(f"printed\n{got}instead of\n{want}")
        return program


def check_soname(mote):
    """the shared library is libmote.so.0 and its links lead to it"""
    real = (mote.lib / "libmote.so").resolve()
    if real != (mote.lib / "libmote.so.0").resolve() or not real.is_file():
        raise Failure("libmote.so and libmote.so.0 are not one file")
    soname = re.findall(r"SONAME.*\[(.*)\]", run(["readelf", "-d", real]))
    if soname != ["libmote.so.0"]:
        raise Failure(f"SONAME {soname}")


def check_symbols(mote):
    """the shared library exports mote_* and nothing else"""
    lines = run(["nm", "-D", "--defined-only", mote.lib / "libmote.so"]).splitlines()
    names = [line.split()[-1].split("@")[0] for line in lines]
    strange = [n for n in names if not n.startswith("mote_")]
    if strange or not names:
        raise Failure(f"{len(names)} symbols, strange ones: {strange}")


def check_declared(mote):
    """every function that a header declares is exported, and every export declared"""
    text = "".join((mote.include / h).read_text() for h in mote.headers())
    declared = set(re.findall(r"^MOTE_API[^;(]*?(mote_\w+)\(", text, re.M))
    lines = run(["nm", "-D", "--defined-only", mote.lib / "libmote.so"]).splitlines()
    exported = {line.split()[-1] for line in lines}
    if declared != exported:
        raise Failure(f"only declared: {sorted(declared - exported)}, "
                      f"only exported: {sorted(exported - declared)}")


def check_headers_installed(mote):
    """every public header is installed, unchanged"""
    ours = mote.source.parent / "include"
    want = sorted(str(h.relative_to(ours)) for h in ours.rglob("*.h*"))
    if mote.headers(".h*") != want:
        raise Failure(f"installed {mote.headers('.h*')}, have {want}")
    for header in want:
        if (ours / header).read_bytes() != (mote.include / header).read_bytes():
            raise Failure(f"{header} differs")


def compile_headers(mote, compiler, suffix, texts):
    """Compiles programs of nothing but includes with strict warnings."""
    for text in texts:
        source = mote.work / f"headers{suffix}"
        source.write_text(text + "int main(void) { return 0; }\n")
        run([*compiler, *STRICT, *mote.pkg_config("--cflags"), "-fsyntax-only", source])


def check_headers_together(mote):
    """all headers compile together, as C11 and C++17"""
    for compiler, suffix, ending in [(mote.cc, ".c", ".h"), (mote.cxx, ".cpp", ".h*")]:
        compile_headers(mote, compiler, suffix, ["".join(f"#include <{h}>\n" for h in mote.headers(ending))])


def check_headers_alone(mote):
    """each header compiles alone and twice in a row, as C11 and C++17"""
    for compiler, suffix, ending in [(mote.cc, ".c", ".h"), (mote.cxx, ".cpp", ".h*")]:
        compile_headers(mote, compiler, suffix,
                        [f"#include <{h}>\n#include <{h}>\n" for h in mote.headers(ending)])


def check_opencl_version(mote):
    """mote.h leaves OpenCL's version to its user, and prints no note, in C11 and C++17"""
    flags = mote.pkg_config("--cflags")
    if any("OPENCL_VERSION" in flag for flag in flags):
        raise Failure(f"pkg-config says {flags}")
    for suffix, texts in VERSIONS.items():
        for text in texts:
            source = mote.work / f"version{suffix}"
            source.write_text("#include <assert.h>\n" + text + "int main(void) { return 0; }\n")
            # The C++ header is foreign, so its warnings do not matter here.
            strict, compiler = (STRICT, mote.cc) if suffix == ".c" else ([], mote.cxx)
            told = run([*compiler, *strict, *flags, "-fsyntax-only", source])
            if " CL_TARGET_OPENCL_VERSION is not defined" in told:
                raise Failure(told)


def check_command(mote):
    """the installed command starts, wherever it was installed to"""
    if not (mote.bin / "mote").exists():
        return
    env = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    if not run([mote.bin / "mote", "--version"], env).startswith("mote "):
        raise Failure("mote --version does not say so")


def check_subproject(mote):
    """as a subproject mote is its library, found as the dependency 'mote', and nothing else"""
    targets = json.loads(run([mote.meson, "introspect", "--targets", configure_subproject(mote)]))
    names = {t["name"] for t in targets if t["type"] not in ("custom", "alias")}
    if names != {"user", "mote", "mote_inside"}:
        raise Failure(f"targets {sorted(names)}")


def run_initialisers(mote, compiler, suffix, *folders):
    """Runs the initialisers of the headers in `folders`, which come before the installed ones."""
    root = pathlib.Path(folders[0] if folders else mote.include)
    source, program = mote.work / f"initialisers{suffix}", mote.work / f"initialisers-{len(folders)}{suffix[1:]}"
    source.write_text(structures.program("".join((root / h).read_text() for h in mote.headers())))
    run([*compiler, *STRICT, *[f"-I{folder}" for folder in folders], *mote.pkg_config("--cflags"), source, "-o",
         program, *mote.pkg_config("--libs")])
    run([program], mote.shared_env)


def check_initialisers(mote):
    """every initialiser that a header declares sets size and zeroes the rest, in C11 (as its macro does) and C++17"""
    text = "".join((mote.include / h).read_text() for h in mote.headers())
    if len(structures.initialised(text)) < 20:
        raise Failure(f"only {structures.initialised(text)} are declared")
    run_initialisers(mote, mote.cc, ".c")
    run_initialisers(mote, mote.cxx, ".cpp")


def check_older(mote):
    """an initialiser writes no more than the structure of the older header that a program or its first file includes"""
    for header in mote.headers(".h*"):
        for change in [structures.older, structures.newer]:
            path = mote.work / change.__name__ / header
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(change((mote.include / header).read_text()))
    run_initialisers(mote, mote.cc, ".c", mote.work / "older")
    source, *files = [mote.work / name for name in ["two.cpp", "first.o", "second.o"]]
    source.write_text(structures.program_of_two("".join((mote.include / h).read_text() for h in mote.headers())))
    for path, flag in zip(files, ["-DOLDER", f"-I{mote.work / 'newer'}"]):
        run([*mote.cxx, *STRICT, flag, *mote.pkg_config("--cflags"), "-c", source, "-o", path])
    run([*mote.cxx, *files, "-o", mote.work / "two", *mote.pkg_config("--libs")])
    run([mote.work / "two"], mote.shared_env)


def check_owners(mote):
    """mote.hpp covers every call and structure, and its program finds nothing wrong"""
    text = "".join((mote.include / h).read_text() for h in mote.headers())
    calls = (mote.include / "mote/hpp/calls.hpp").read_text()
    kinds = set(structures.initialised(text))
    missing = kinds - set(re.findall(r"MOTE_HPP_INIT\((mote_\w+)\)", calls))
    names = re.findall(r"mote_status\s+mote_(\w+)\([^;]*?cl_command_queue queue,\s+const mote_\w+_args",
                       text)
    missing |= set(names) - set(re.findall(r"MOTE_HPP_CALL\((\w+),", calls))
    if missing or len(names) < 15:
        raise Failure(f"of {len(names)} calls and {len(kinds)} structures, without: {missing}")
    program = mote.work / "owners"
    run([*mote.cxx, *STRICT, "-Wshadow", "-DCL_TARGET_OPENCL_VERSION=120",
         *mote.pkg_config("--cflags"), mote.source / "consumer/owners.cpp", "-o", program,
         *mote.pkg_config("--libs")])
    run([program], mote.shared_env)


def check_shared(mote):
    """a C11 program built with pkg-config runs on the shared library"""
    program = mote.build_and_run_example("shared", mote.pkg_config("--libs"))
    if "libmote.so.0" not in mote.needed(program):
        raise Failure(f"needs {mote.needed(program)}")


def check_static(mote):
    """a C11 program built with pkg-config --static runs without the shared library"""
    libraries = ["-l:libmote.a" if f == "-lmote" else f
                 for f in mote.pkg_config("--libs", "--static")]
    program = mote.build_and_run_example("static", libraries)
    if any("mote" in name for name in mote.needed(program)):
        raise Failure(f"needs {mote.needed(program)}")


def check_plain(mote):
    """a C11 program runs that was built with -lmote and -lOpenCL, without pkg-config"""
    program = mote.work / "plain"
    run([*mote.cc, f"-I{mote.include}", mote.source.parent / "examples/first.c", "-o", program,
         f"-L{mote.lib}", "-lmote", "-lOpenCL"])
    run([program], mote.shared_env)


def configure_meson(mote, name, lines, env=None):
    """Configures a Meson project of these lines with the first example; returns its folder."""
    user = mote.work / name
    user.mkdir(exist_ok=True)
    (user / "meson.build").write_text(
        f"project('{name}', 'c', default_options: ['c_std=c11'])\n{lines}"
        "executable('user', 'first.c', dependencies: dependency('mote'))\n")
    (user / "first.c").symlink_to(mote.source.parent / "examples/first.c")
    run([mote.meson, "setup", user / "build", user], {**os.environ, "CC": mote.compiler, **(env or {})})
    return user / "build"


def check_meson(mote):
    """dependency('mote') of Meson finds the installed mote"""
    build = configure_meson(mote, "meson-user", "", {
        "PKG_CONFIG_PATH": str(mote.lib / "pkgconfig"), "PKG_CONFIG_SYSROOT_DIR": str(mote.root),
        "CFLAGS": mote.flags, "LDFLAGS": mote.flags})  # a sanitizer's runtime comes with the program
    run([mote.meson, "compile", "-C", build])
    run([build / "user"], mote.shared_env)
    if "libmote.so.0" not in mote.needed(build / "user"):
        raise Failure(f"needs {mote.needed(build / 'user')}")


def configure_subproject(mote):
    """Configures a Meson project of which mote is a part; returns its folder."""
    subprojects = mote.work / "part-user/subprojects"
    subprojects.mkdir(parents=True)
    (subprojects / "mote").symlink_to(mote.source.parent)
    return configure_meson(mote, "part-user", "subproject('mote')\n")


def check_subproject_runs(mote):
    """a program runs that was built with mote as its subproject"""
    build = configure_subproject(mote)
    run([mote.meson, "compile", "-C", build])
    if run([build / "user"]) != (mote.source.parent / "examples/first.txt").read_text():
        raise Failure("the program printed something else")


def check_static_alone(mote):
    """-Ddefault_library=static installs no shared library, and pkg-config links the static one"""
    build, root = mote.work / "static-build", mote.work / "static-root"
    run([mote.meson, "setup", build, mote.source.parent, "-Ddefault_library=static",
         "-Dtests=false", "-Dbench=false", "-Dtool=false", "--prefix=/usr", "--libdir=lib"],
        {**os.environ, "CC": mote.compiler})
    run([mote.meson, "compile", "-C", build])
    run([mote.meson, "install", "--no-rebuild", "--quiet", "-C", build, "--destdir", root])
    lib = root / "usr/lib"
    if sorted(p.name for p in lib.glob("libmote*")) != ["libmote.a"]:
        raise Failure(f"installed {sorted(p.name for p in lib.iterdir())}")
    for words in (["--libs"], ["--libs", "--static"]):
        program = mote.build_and_run_example("alone", mote.pkg_config(*words, root=root, lib=lib))
        if any("mote" in name for name in mote.needed(program)):
            raise Failure(f"needs {mote.needed(program)}")


def configure_cmake(mote, name, text):
    """Configures a CMake project of these lines, with examples beside them; returns its folder."""
    user = mote.work / name
    user.mkdir()
    (user / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(user C CXX)\n" + text)
    for example in ["first.c", "first.cpp"]:
        (user / example).symlink_to(mote.source.parent / "examples" / example)
    run(["cmake", "-S", user, "-B", user / "build", "-DCMAKE_BUILD_TYPE=Debug",
         f"-Dmote_DIR={mote.lib / 'cmake/mote'}"])
    return user / "build"


def check_cmake(mote):
    """find_package(mote) gives the shared and the static library, and mote.hpp"""
    build = configure_cmake(
        mote, "cmake-user",
        "find_package(mote 0.1 REQUIRED COMPONENTS static hpp)\n"
        "add_executable(shared first.c)\ntarget_link_libraries(shared PRIVATE mote::mote)\n"
        "add_executable(static first.c)\ntarget_link_libraries(static PRIVATE mote::static)\n"
        "add_executable(hpp first.cpp)\ntarget_link_libraries(hpp PRIVATE mote::hpp)\n")
    run(["cmake", "--build", build])
    want = (mote.source.parent / "examples/first.txt").read_text()
    for name in ["shared", "static", "hpp"]:
        if run([build / name]) != want:
            raise Failure(f"{name} printed something else")
        if ("libmote.so.0" in mote.needed(build / name)) == (name == "static"):
            raise Failure(f"{name} needs {mote.needed(build / name)}")


def check_cmake_refuses(mote):
    """find_package(mote) fails, with a sentence, for a later version and an unknown component"""
    for number, (words, sentence) in enumerate([
            ("9.9 REQUIRED", "compatible"), ("0.1 REQUIRED COMPONENTS cuda", "no component 'cuda'")]):
        try:
            configure_cmake(mote, f"cmake-refused-{number}", f"find_package(mote {words})\n")
        except Failure as failure:
            if sentence not in " ".join(str(failure).split()):
                raise
        else:
            raise Failure(f"find_package(mote {words}) succeeded")


CHECKS = [check_soname, check_symbols, check_declared, check_headers_installed, check_headers_together,
          check_opencl_version, check_initialisers, check_older, check_owners, check_shared, check_static, check_plain,
          check_meson, check_command, check_subproject]
BUILDS = [check_headers_alone, check_static_alone, check_subproject_runs, check_cmake, check_cmake_refuses]


def main():
    """Runs every check on one installation."""
    parser = argparse.ArgumentParser()
    for name in ["build", "meson", "prefix", "includedir", "libdir", "cc", "cxx", "flags"]:
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--builds", action="store_true", help="what takes longer: headers alone, builds of the library")
    args = parser.parse_args()
    checks, failures = BUILDS if args.builds else CHECKS, 0
    print(f"1..{len(checks)}")
    with tempfile.TemporaryDirectory() as folder:
        mote = Installation(args, pathlib.Path(folder))
        for number, check in enumerate(checks, 1):
            try:
                check(mote)
                print(f"ok {number} - {check.__doc__}")
            except Failure as failure:
                failures += 1
                print(f"not ok {number} - {check.__doc__}")
                print(f"{check.__doc__}:\n{failure}", file=sys.stderr)
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
