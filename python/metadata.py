#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the METADATA of the package that Meson itself installs, from pyproject.toml.

pip and dh_python3 find its name, version and requirements there. Wheels get theirs from meson-python.
"""

import pathlib
import sys
import tomllib


def main():
    """Arguments: pyproject.toml, the version, and where to write."""
    described, version, output = sys.argv[1:]
    project = tomllib.loads(pathlib.Path(described).read_text(encoding="utf-8"))["project"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version}",
             f"Summary: {project['description']}", f"License: {project['license']}",
             f"Requires-Python: {project['requires-python']}",
             *(f"Requires-Dist: {wanted}" for wanted in project["dependencies"])]
    pathlib.Path(output).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
