#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds words that the glossary of docs/architecture.md replaces, in code, comments and guides.

    test_words.py ROOT
"""

import os
import re
import sys

FOLDERS = ["bench", "cl", "clients", "docs", "examples", "include", "python", "src", "testkit", "tests", "tool"]
ENDINGS = (".c", ".h", ".cpp", ".hpp", ".cl", ".clh", ".inc", ".md", ".py", ".pyi", ".build", ".1")
MOST = 25
# The glossary itself, a guide that translates words, and `role` as an attribute of SVG.
ALLOWED = ["docs/architecture.md", "docs/from-cuda.md", "examples/python/adl.py",
           "examples/python/melt_ice.py", "tests/common/test_words.py"]


def glossary(root):
    """Returns the rows of the glossary: word, meaning, words that are not used."""
    with open(os.path.join(root, "docs/architecture.md"), encoding="utf-8") as file:
        text = file.read().partition("\n## Glossary\n")[2].partition("\n## ")[0]
    rows = [line.strip("| \n").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return rows[2:]


def pattern(words):
    """Returns an expression that finds the words, also as parts of identifiers."""
    each = "|".join(re.escape(word).replace("\\ ", r"[\s_-]+(?:[*#/]+\s+)?") for word in words)
    return re.compile(rf"(?<![A-Za-z])(?:{each})(?![A-Za-z])", re.IGNORECASE)


def files(root):
    """Returns the paths of texts below the root, relative to the root."""
    yield from (name for name in sorted(os.listdir(root)) if name.endswith(".md") and name != "CHANGELOG.md")
    for top in FOLDERS:
        for folder, names, found in os.walk(os.path.join(root, top)):
            names[:] = sorted(name for name in names if not name.startswith((".", "build", "__")))
            yield from (os.path.relpath(os.path.join(folder, name), root) for name in sorted(found)
                        if name.endswith(ENDINGS))


def uses(root, words):
    """Returns file, line and word of each use."""
    search = pattern(words)
    for path in files(root):
        if path in ALLOWED:
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        for match in search.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: {' '.join(match.group().split())}"


def check(number, good, what, problems=()):
    """Prints a line of TAP."""
    for problem in problems:
        print(f"# {problem}")
    print(f"{'ok' if good else 'not ok'} {number} - {what}")
    return good


def main():
    """Checks the table, then the texts."""
    root = sys.argv[1]
    rows = glossary(root)
    complete = 0 < len(rows) <= MOST and all(len(row) == 3 and all(row) for row in rows)
    words = [row[0] for row in rows]
    avoided = [word.strip() for row in rows if len(row) == 3 for word in row[2].split(",")]
    planted = pattern(avoided).search(f"int {avoided[0].replace(' ', '_')}_count;") if avoided else None
    found = list(uses(root, avoided))
    print("1..4")
    good = [check(1, complete, f"the glossary has at most {MOST} words, each with three columns"),
            check(2, len(set(words)) == len(words) and not set(words) & set(avoided),
                  "each word is defined once and is not replaced by another"),
            check(3, bool(planted), "a planted word is found"),
            check(4, not found, "no text uses a word that the glossary replaces", found)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
