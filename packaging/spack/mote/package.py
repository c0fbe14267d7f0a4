# SPDX-License-Identifier: Apache-2.0
# The package for Spack. ../../README.md explains the placeholders.

from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import *


class Mote(MesonPackage):
    """mote clusters fired pixels of particle detectors, computes coordination numbers of atoms
    with derivatives and virial, and reduces jagged arrays, on GPUs and CPUs, with OpenCL 1.2."""

    homepage = "https://mote.example"  # placeholder
    url = "https://mote.example/releases/mote-0.1.0.tar.xz"  # placeholder

    maintainers("mote-maintainer")  # placeholder

    license("Apache-2.0")

    version(
        "0.1.0",
        sha256="0000000000000000000000000000000000000000000000000000000000000000",  # placeholder
    )

    variant("tool", default=True, description="Install the command mote")
    variant("python", default=False, description="Install the Python module mote")

    requires("platform=linux", msg="mote is tested on Linux only")
    requires("+tool", when="+python", msg="the Python module calls the command")

    with default_args(type="build"):
        depends_on("c")
        depends_on("meson@1.0.1:")
        depends_on("python")
        # Only the header is used.
        depends_on("xxhash@0.8:")

    depends_on("opencl@1.2:")

    with when("+tool"):
        depends_on("bzip2")
        depends_on("xz")
        depends_on("zlib-api")

    with when("+python"):
        extends("python@3.11:")
        depends_on("py-cffi@1.15.1:", type=("build", "run"))
        depends_on("py-numpy@1.23:", type="run")

    def meson_args(self):
        return [
            "-Dtests=false",
            "-Dbench=false",
            "-Dplumed=disabled",
            "-Dopenmm=disabled",
            f"-Dtool={str(self.spec.satisfies('+tool')).lower()}",
            f"-Dpython={'installed' if self.spec.satisfies('+python') else 'false'}",
        ]

    def run_mote(self, *arguments):
        """Return what the installed command prints."""
        if self.spec.satisfies("~tool"):
            raise SkipTest("the command is not installed")
        return Executable(self.prefix.bin.mote)(*arguments, output=str.split, error=str.split)

    def test_version(self):
        """the command prints the version of the package"""
        check_outputs(rf"mote {self.spec.version}", self.run_mote("--version"))

    def test_generate(self):
        """the command generates an event, which needs no device"""
        printed = self.run_mote("generate", "events", "--topology", "phase1", "--events", "1")
        check_outputs(r"^event,", printed)
