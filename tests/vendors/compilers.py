# SPDX-License-Identifier: Apache-2.0
"""Runs the compilers of AMD's and Intel's drivers, and extracts figures of a kernel's machine code.

They are searched in the folder that `get` has made, then among the programs of this machine.
"""

import functools
import glob
import os
import re
import shutil
import struct
import subprocess
import tempfile
from dataclasses import dataclass


class BuildError(Exception):
    """A compiler's message about a source that it rejects."""


@dataclass(frozen=True)
class Device:
    """A pretended device, for which kernels are compiled."""

    name: str  # as its compiler calls it
    group: int  # work-items of a group
    local: int  # bytes of local memory
    fp64: int
    units: int  # compute units
    threads: int  # Intel: of a group, at most; the width of the code times this is its size
    sub_groups: int  # bits of core/sub_groups.h: the ways to exchange
    width: int = 0  # that some kernels demand, likewise


@dataclass
class Kernel:
    """The figures of one kernel; for several programs, the worst value of each."""

    registers: int  # AMD: vector registers of a work-item
    spilled: int  # AMD: vector registers kept in memory
    scratch: int  # bytes of a work-item (AMD) or thread (Intel): arrays, and what is spilled
    local: int  # bytes of local memory that the source declares
    waves: int  # AMD: of a SIMD unit at the same time
    width: int  # work-items that share an instruction
    code: int  # bytes
    most: int  # work-items of a group

    def worst(self, other):
        """Of two programs."""
        small = {"waves", "width", "most"}
        return Kernel(*((min if name in small else max)(mine, getattr(other, name))
                        for name, mine in vars(self).items()))


def run(command, **more):
    """Returns the output of a command that must succeed."""
    done = subprocess.run(command, text=True, errors="replace", check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    if done.returncode:
        raise BuildError(done.stdout)
    return done.stdout


def find(tools, names):
    """Returns the first existing program of these names, and the environment that it needs."""
    folder = os.path.join(tools, "usr")
    libraries = glob.glob(os.path.join(folder, "lib", "*-linux-gnu*"))
    path = os.pathsep.join([os.path.join(folder, "bin"), os.environ.get("PATH", os.defpath)])
    program = next(filter(None, (shutil.which(name, path=path) for name in names)), None)
    return program and [program], dict(os.environ, LD_LIBRARY_PATH=os.pathsep.join(libraries))


def find_newer(tools, place):
    """Returns the command of a compiler that `get` took from a newer release, whose libraries it needs, or None."""
    root = os.path.join(tools, "newer", "usr")
    libraries = os.path.join(root, "lib", "x86_64-linux-gnu")
    loader = os.path.join(libraries, "ld-linux-x86-64.so.2")
    program = next(iter(sorted(glob.glob(os.path.join(root, place)))), None)
    return program and [loader, "--library-path", libraries, program]


def number(text, name):
    """Returns the number after a name in a listing."""
    return int(re.search(re.escape(name) + r"\s*(\d+)", text).group(1))


class Amd:
    """clang with the libraries of ROCm, on which AMD's own driver is based."""

    title, got = "clang-15 with rocm-device-libs", "tests/vendors/get"
    platform = "AMD Accelerated Parallel Processing"
    devices = [Device("gfx906", 256, 65536, 1, 60, 0, 8), Device("gfx90a", 1024, 65536, 1, 104, 0, 8),
               Device("gfx1010", 1024, 32768, 1, 40, 0, 8),
               Device("gfx1030", 256, 65536, 1, 80, 0, 8)]

    def __init__(self, tools):
        names = ["clang-15", *(f"clang-{k}" for k in range(16, 23))]
        self.clang, self.environment = find(tools, names)
        places = [f"{root}/usr/lib/{where}/amdgcn/bitcode" for root in (tools, "")
                  for where in ("*", "llvm-*/lib/clang/*", "clang/*")]
        self.libraries = next((path for place in places for path in sorted(glob.glob(place))), None)
        self.found = bool(self.clang and self.libraries)

    @functools.cached_property
    def version(self):
        """Returns the version, on which its figures depend."""
        said = run([*self.clang, "--version"], env=self.environment)
        return "clang " + re.search(r"version (\d+\.\d+\.\d+)", said).group(1)

    def compile(self, device, source, options, folder):
        """Returns the kernels of a source by their names."""
        listing, words = os.path.join(folder, "listing.s"), options.split()
        if words[0] == "inlined":
            words[0] = "-Dinline=inline __attribute__((always_inline))"
        run([*self.clang, "-x", "cl", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + device.name, "-O3",
             "-mllvm", "-amdgpu-early-inline-all", "--rocm-device-lib-path=" + self.libraries,
             "-D__OPENCL_VERSION__=120", *words, "-S", "-o", listing, source],
            env=self.environment)
        with open(listing, encoding="utf-8") as file:
            text = file.read()
        code, _, facts = text.partition("amdhsa.kernels:")
        return {re.search(r"\n    \.name:\s*(\w+)", part).group(1): self.kernel(code, part)
                for part in re.split(r"\n  - (?=\.)", facts)[1:]}

    @staticmethod
    def kernel(code, facts):
        """Returns one kernel, from the listing and from its entry in the metadata for the loader."""
        name = re.search(r"\n    \.name:\s*(\w+)", facts).group(1)
        part = re.search(rf"\n{name}:.*?; Kernel info:(.*?)\n\t\.", code, re.S).group(1)
        return Kernel(number(facts, ".vgpr_count:"), number(facts, ".vgpr_spill_count:"),
                      number(facts, ".private_segment_fixed_size:"),
                      number(facts, ".group_segment_fixed_size:"), number(part, "; Occupancy:"),
                      number(facts, ".wavefront_size:"), number(part, "; codeLenInByte ="),
                      number(facts, ".max_flat_workgroup_size:"))


class NewerAmd(Amd):
    """The same compiler of a newer release, for devices that the older one does not know."""

    title, got = "clang-21 with rocm-device-libs", "tests/vendors/get --newer"
    devices = [Device("gfx942", 1024, 65536, 1, 304, 0, 8),
               Device("gfx1100", 1024, 65536, 1, 96, 0, 8),
               Device("gfx1200", 1024, 65536, 1, 64, 0, 8)]

    def __init__(self, tools):  # pylint: disable=super-init-not-called
        self.clang, self.environment = find_newer(tools, "lib/llvm-*/bin/clang"), None
        if self.clang:
            home = os.path.dirname(os.path.dirname(self.clang[-1]))
            headers = next(iter(glob.glob(os.path.join(home, "lib", "clang", "*"))), home)
            self.clang += ["-resource-dir", headers]
            self.libraries = os.path.join(headers, "amdgcn", "bitcode")
        self.found = bool(self.clang and os.path.isdir(self.libraries))


# Parts of the format of Intel's device binaries: a program's and a kernel's header, and the items after a kernel as
# (token, bytes, numbers).
PROGRAM, KERNEL = struct.Struct("<7I"), struct.Struct("<IQ7I")
MAGIC, SECTION = b"CTNI", 0xff000005
LOCAL_SURFACE, SCRATCH, ENVIRONMENT, PRIVATE = 15, 18, 23, 38


class Intel:
    """ocloc, the compiler inside Intel's driver."""

    title, got = "ocloc", "tests/vendors/get"
    platform = "Intel(R) OpenCL Graphics"
    # For pvc 22.43 ends without a message at OpenCL C 3.0, which cl_khr_subgroup_shuffle needs.
    devices = [Device("skl", 256, 65536, 1, 24, 56, 6), Device("tgllp", 512, 65536, 0, 96, 112, 6),
               Device("dg2", 1024, 65536, 0, 512, 128, 6),
               Device("pvc", 1024, 131072, 1, 1024, 64, 4, 16)]

    def __init__(self, tools):
        self.ocloc, self.environment = find(tools, ["ocloc"])
        self.found = bool(self.ocloc)

    @functools.cached_property
    def version(self):
        """Returns the version, on which its figures depend."""
        with tempfile.TemporaryDirectory() as folder:
            run([*self.ocloc, "query", "OCL_DRIVER_VERSION"], cwd=folder, env=self.environment)
            with open(os.path.join(folder, "OCL_DRIVER_VERSION"), encoding="ascii") as file:
                return "ocloc " + file.read().strip("\0 \n")

    def compile(self, device, source, options, folder):
        """Returns the kernels of a source by their names."""
        run([*self.ocloc, "compile", "-q", "-file", source, "-device", device.name, "-options",
             options, "-out_dir", folder, "-output", "x"], env=self.environment)
        path = next(path for path in glob.glob(os.path.join(folder, "x*.bin")))
        with open(path, "rb") as file:
            return dict(self.kernels(file.read(), device))

    @staticmethod
    def section(elf):
        """Returns the device binary inside the file."""
        begin, count = struct.unpack_from("<Q", elf, 0x28)[0], struct.unpack_from("<H", elf, 0x3c)[0]
        for k in range(count):
            kind, at, size = struct.unpack_from("<4xI16xQQ", elf, begin + 64 * k)
            if kind == SECTION:
                return elf[at:at + size]
        raise BuildError("a device binary without a program")

    @staticmethod
    def kernels(elf, device):
        """Names and figures."""
        binary = Intel.section(elf)
        if not binary.startswith(MAGIC):
            raise BuildError("a device binary of another format")
        *_, count, _, patches = PROGRAM.unpack_from(binary)
        at = PROGRAM.size + patches
        for _ in range(count):
            _, _, name, patches, *heaps, code = KERNEL.unpack_from(binary, at)
            at += KERNEL.size
            title = binary[at:at + name].split(b"\0")[0].decode("ascii")
            at += name + sum(heaps)
            found = {}
            for end in (at + patches,):
                while at < end:
                    token, size = struct.unpack_from("<2I", binary, at)
                    found[token] = struct.unpack_from(f"<{size // 4 - 2}I", binary, at + 8)
                    at += size
            width = found[ENVIRONMENT][3]
            asked = found[ENVIRONMENT][0]
            scratch = found.get(SCRATCH, (0, 0))[1] + width * found.get(PRIVATE, (0,) * 4)[3]
            yield title, Kernel(0, 0, scratch, found.get(LOCAL_SURFACE, (0, 0))[1], 0, width, code,
                                asked or min(device.group, width * device.threads))


class NewerIntel(Intel):
    """The same compiler of a newer release, whose device binaries describe the needs of kernels in text."""

    title, got = "ocloc 26.27", "tests/vendors/get --newer"
    devices = [Device("bmg", 1024, 131072, 1, 160, 64, 6, 16)]

    def __init__(self, tools):  # pylint: disable=super-init-not-called
        self.ocloc, self.environment = find_newer(tools, "bin/ocloc-*"), None
        self.found = bool(self.ocloc)

    @staticmethod
    def sizes(elf):
        """Returns the bytes of the file's sections by their names."""
        begin, count, names = (struct.unpack_from(form, elf, at)[0]
                               for form, at in (("<Q", 0x28), ("<H", 0x3c), ("<H", 0x3e)))
        sections = [struct.unpack_from("<I20xQQ", elf, begin + 64 * k) for k in range(count)]
        names = sections[names][1]
        return {elf[names + name:elf.index(b"\0", names + name)].decode("ascii"): size
                for name, _, size in sections}

    @staticmethod
    def kernels(elf, device):
        """Names and figures."""
        sizes = NewerIntel.sizes(elf)
        text = elf[elf.index(b"\nkernels:"):].partition(b"\nkernels_misc_info:")[0]
        text = text.partition(b"\0")[0].decode("ascii")
        for part in re.split(r"\n  - name: +", text)[1:]:
            title = part.split()[0]
            if title.startswith("Intel_Symbol_Table"):
                continue
            facts = {key: int(value)
                     for key, value in re.findall(r"\n      (\w+): +(\d+)(?=\n)", part)}
            width = facts["simd_size"]
            required = re.search(r"required_work_group_size: \[ (\d+)", part)
            most = int(required.group(1)) if required else min(device.group, width * device.threads)
            yield title, Kernel(0, 0, facts.get("private_size", 0) + facts.get("spill_size", 0),
                                facts.get("slm_size", 0), 0, width, sizes[".text." + title], most)


COMPILERS = (Amd, NewerAmd, Intel, NewerIntel)
