#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Manages the inputs with which a target of the fuzzer begins: each target has one archive, corpus/TARGET.zip.

    corpus.py TARGET                    lists the inputs
    corpus.py TARGET --unpack FOLDER    writes them to files
    corpus.py TARGET --add FILE...      adds inputs that are not there yet

The name of an added input is derived from its content. An archive contains no times, owners or order, so that only its
inputs change it.
"""

import argparse
import hashlib
import os
import zipfile

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")


def read(path):
    """Returns name -> bytes; empty if there is no archive."""
    if not os.path.exists(path):
        return {}
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path, inputs):
    """Writes an archive without times and owners, in the order of the names."""
    with zipfile.ZipFile(path + ".new", "w") as archive:
        for name in sorted(inputs):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, inputs[name], compresslevel=9)
    os.replace(path + ".new", path)


def unpack(path, folder):
    """Writes each input to a file of its name; the archive must exist."""
    if not os.path.exists(path):
        raise SystemExit(f"{path} is not there")
    os.makedirs(folder, exist_ok=True)
    for name, data in read(path).items():
        with open(os.path.join(folder, os.path.basename(name)), "wb") as file:
            file.write(data)


def add(path, files):
    """Adds the files' contents; returns the number of new ones."""
    inputs = read(path)
    known = set(inputs.values())
    for source in files:
        with open(source, "rb") as file:
            data = file.read()
        if data not in known:
            known.add(data)
            inputs[hashlib.sha1(data).hexdigest()[:12]] = data
    fresh = len(inputs) - len(read(path))
    if fresh:
        write(path, inputs)
    return fresh


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target")
    parser.add_argument("--unpack", metavar="FOLDER")
    parser.add_argument("--add", metavar="FILE", nargs="+")
    args = parser.parse_args()
    path = os.path.join(FOLDER, args.target + ".zip")
    if args.add:
        print(f"{add(path, args.add)} added, {len(read(path))} in all")
    elif args.unpack:
        unpack(path, args.unpack)
    else:
        for name, data in sorted(read(path).items()):
            print(f"{name} {len(data)}")


if __name__ == "__main__":
    main()
